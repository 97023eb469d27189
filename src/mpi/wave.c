/* The explicit wave over all ranks. Each has a clWave on its rectangle and GHOSTS points more on
 * the sides where others are. Steps are right except for one more layer of points from there each;
 * after GHOSTS steps the layers are replaced by what the neighbours have. So the passes are those
 * of one process, and so is each point, bit for bit. */
#include "core/try.h"
#include "mpi/numbering.h"
#include "texla/wave.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterWave";
enum { GHOSTS = 4 /* a texel */, TAG = 17 };

struct clClusterWave {
  clCluster *cluster;
  /* of points */
  txNumbering numbering;
  /* this rank's */
  txRectangle part;
  /* ghosts before it: 0 or GHOSTS */
  int left, bottom;
  /* with ghosts */
  int nx, ny;
  int64_t steps;
  /* NULL: this rank has no points */
  clWave *wave;
  float *out, *in;
};

/* Rectangles whose columns begin at multiples of a texel, and which are no smaller than what
 * neighbours want. */
static clStatus choose(clClusterWave *w, const clWaveOptions *o, int px, int py) {
  clCluster *c = w->cluster;
  clError *error = &c->error;
  txNumbering texels = {0};
  for (int s = 0; s < 4; s++)
    if (o->edge[s] != o->edge[0] || o->edge[s] > TEXLA_WAVE_EDGE_FIXED)
      return txFail(error, TEXLA_UNSUPPORTED, call,
                    "the four edges must be all reflecting or all fixed");
  if (o->scheme != TEXLA_WAVE_EXPLICIT)
    return txFail(error, TEXLA_UNSUPPORTED, call, "the explicit scheme alone works over ranks");
  if (o->nx < 1 || o->ny < 1 || px < 1 || py < 1 || (int64_t)px * py > c->size)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%d x %d points in %d x %d parts do not suit %d ranks", o->nx, o->ny, px, py,
                  c->size);
  if (o->nx / GHOSTS < px || o->ny / GHOSTS < py)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%d x %d points are too few for %d x %d parts of %d at least", o->nx, o->ny, px,
                  py, GHOSTS);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txNumberingCreate(&texels, call, error, o->nx / GHOSTS, o->ny, px, py));
  TRY_CLEANUP(txNumberingCreate(&w->numbering, call, error, o->nx, o->ny, px, py));
  for (int p = 0; p < px; p++)
    w->numbering.x[p] = GHOSTS * texels.x[p];
cleanup:
  txNumberingDestroy(&texels);
  return status;
}

/* Ghosts lie where other ranks' points do: before the part where it does not begin with the domain,
 * behind it where it does not end with it. */
static void addGhosts(clClusterWave *w, const clWaveOptions *o) {
  const txRectangle *part = &w->part;
  w->nx = part->nx;
  w->ny = part->ny;
  if (part->x > 0)
    w->left = GHOSTS;
  if (part->y > 0)
    w->bottom = GHOSTS;
  if (part->x + part->nx < o->nx)
    w->nx += GHOSTS;
  if (part->y + part->ny < o->ny)
    w->ny += GHOSTS;
  w->nx += w->left;
  w->ny += w->bottom;
}

/* This rank's part. The spacing follows from the whole grid, before the part's size replaces it. */
static clStatus createWave(clClusterWave *w, const clWaveOptions *options) {
  clWaveOptions o = *options;
  if (!(o.h > 0))
    o.h = 1. / o.nx;
  w->part = txNumberingPart(&w->numbering, w->cluster->rank);
  if (!w->part.nx)
    return TEXLA_OK;
  addGhosts(w, options);
  o.nx = w->nx;
  o.ny = w->ny;
  clError *error = &w->cluster->error;
  clStatus status = clWaveCreate(&w->wave, w->cluster->context, &o);
  if (status) {
    *error = *clContextError(w->cluster->context);
    return status;
  }
  /* two vectors, two sides */
  size_t most = 2 * 2 * GHOSTS * (size_t)(w->nx + w->ny + 8);
  w->out = txAllocate(error, call, most, sizeof *w->out, "a wave");
  w->in = txAllocate(error, call, most, sizeof *w->in, "a wave");
  if (!w->out || !w->in)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* Strips along the longer axis: as many as there are ranks, but no thinner than they may be. */
static void chooseStrips(const clCluster *c, const clWaveOptions *o, int *px, int *py) {
  int *strips = py, points = o->ny;
  *px = *py = 1;
  if (o->nx > o->ny) {
    strips = px;
    points = o->nx;
  }
  if (points >= GHOSTS)
    *strips = txLeast(c->size, points / GHOSTS);
}

/* All ranks call it. What one of them alone finds wrong is agreed on before any goes on: a rank
 * that left early would keep the others waiting. */
clStatus clClusterWaveCreate(clClusterWave **out, clCluster *c, const clWaveOptions *options,
                             int px, int py) {
  if (!c)
    return TEXLA_BAD_ARGUMENT;
  if (!out || !options)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "out and options must not be NULL");
  clClusterWave *w = txAllocate(&c->error, call, 1, sizeof *w, "a wave");
  clStatus status = clClusterAgree(c, w ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error);
  if (status) {
    free(w);
    return status;
  }
  w->cluster = c;
  if (!px && !py)
    chooseStrips(c, options, &px, &py);
  status = choose(w, options, px, py);
  if (status == TEXLA_OK)
    status = createWave(w, options);
  status = clClusterAgree(c, status, &c->error);
  if (status)
    clClusterWaveDestroy(w);
  else
    *out = w;
  return status;
}

void clClusterWaveDestroy(clClusterWave *w) {
  if (!w)
    return;
  clWaveDestroy(w->wave);
  txNumberingDestroy(&w->numbering);
  free(w->out);
  free(w->in);
  free(w);
}

/* ---- Ghosts ---------------------------------------------------------------------------------- */

/* One side's exchange: texels that go and those that are replaced, in both vectors. */
typedef struct side {
  /* -1: an edge of the domain */
  int rank;
  txRect out, in;
} side;

/* Along x whole columns of texels. Lines of a depth before and behind the part are replaced, those
 * just within it go. */
static void columnsOf(const clClusterWave *w, side s[2]) {
  const int first = w->left / 4, end = first + w->part.nx / 4, rank = w->cluster->rank;
  s[0] = s[1] = (side){.rank = -1};
  if (w->left > 0)
    s[0] = (side){rank - 1, {first, 0, 1, w->ny}, {first - 1, 0, 1, w->ny}};
  if (w->left + w->part.nx < w->nx)
    s[1] = (side){rank + 1, {end - 1, 0, 1, w->ny}, {end, 0, 1, w->ny}};
}

/* Along y, when the columns are right, whole rows: corners come along. */
static void rowsOf(const clClusterWave *w, side s[2]) {
  const int first = w->bottom, end = first + w->part.ny, texels = (w->nx + 3) / 4;
  const int rank = w->cluster->rank, stride = w->numbering.px;
  s[0] = s[1] = (side){.rank = -1};
  if (w->bottom > 0)
    s[0] = (side){rank - stride, {0, first, texels, GHOSTS}, {0, first - GHOSTS, texels, GHOSTS}};
  if (end < w->ny)
    s[1] = (side){rank + stride, {0, end - GHOSTS, texels, GHOSTS}, {0, end, texels, GHOSTS}};
}

static size_t numbersOf(const txRect *r) {
  return 4 * (size_t)r->width * (size_t)r->height;
}

/* Both vectors of both sides at once: reads are under way together, and so are the messages. */
static void exchangeSides(clClusterWave *w, clVector *const state[2], const side s[2]) {
  clCluster *c = w->cluster;
  txRead *read[4] = {NULL};
  MPI_Request request[4];
  int requests = 0;
  int64_t bytes = 0;
  for (int k = 0; k < 4; k++)
    if (s[k / 2].rank >= 0)
      txClusterMust(c, txReadStart(&read[k], state[k % 2]->texture, call, s[k / 2].out));
  float *out = w->out, *in = w->in, *came[2];
  double began = txTrafficBegin();
  for (int k = 0; k < 2; k++) {
    size_t numbers = numbersOf(&s[k].out);
    came[k] = in;
    if (s[k].rank < 0)
      continue;
    for (int v = 0; v < 2; v++)
      txClusterMust(c, txReadFinish(read[2 * k + v], call, out + (size_t)v * numbers));
    MPI_Irecv(in, (int)(2 * numbers), MPI_FLOAT, s[k].rank, TAG, c->comm, &request[requests++]);
    MPI_Isend(out, (int)(2 * numbers), MPI_FLOAT, s[k].rank, TAG, c->comm, &request[requests++]);
    out += 2 * numbers;
    in += 2 * numbers;
    bytes += (int64_t)(2 * numbers * sizeof *in);
  }
  txWaitall(c, requests, request);
  if (requests)
    txTrafficEnd(c, began, bytes);
  for (int k = 0; k < 4; k++)
    if (s[k / 2].rank >= 0)
      txClusterMust(c, txTextureWrite(state[k % 2]->texture, call, s[k / 2].in,
                                      came[k / 2] + (size_t)(k % 2) * numbersOf(&s[k / 2].in)));
}

static void exchange(clClusterWave *w) {
  clVector *state[TEXLA_WAVE_STATE];
  side s[2];
  if (!w->wave)
    return;
  clWaveState(w->wave, state);
  columnsOf(w, s);
  exchangeSides(w, state, s);
  rowsOf(w, s);
  exchangeSides(w, state, s);
}

/* ---- What a caller may do -------------------------------------------------------------------- */

/* The heights of this rank's points and ghosts; u has room for them. */
static clStatus upload(clClusterWave *w, float *u, clWaveHeightAt height, void *user) {
  if (!w->wave)
    return TEXLA_OK;
  for (int j = 0; j < w->ny; j++)
    for (int i = 0; i < w->nx; i++)
      u[(int64_t)j * w->nx + i] = height(user, w->part.x - w->left + i, w->part.y - w->bottom + j);
  return clWaveUpload(w->wave, u, NULL);
}

/* Each rank asks for its own heights. The level before the present one is computed by a product,
 * which is wrong in the outermost ghosts: hence an exchange. */
clStatus clClusterWaveUpload(clClusterWave *w, clWaveHeightAt height, void *user) {
  if (!w || !height)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = w->cluster;
  w->steps = 0;
  float *u = txClusterReserve(c, call, (size_t)w->nx * (size_t)w->ny, sizeof *u, "a wave");
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clClusterAgree(c, upload(w, u, height, user), txContextError(c->context));
  free(u);
  if (status == TEXLA_OK)
    exchange(w);
  return status;
}

/* As many steps at a time as the ghosts are good for. */
clStatus clClusterWaveStep(clClusterWave *w, int64_t count) {
  if (!w || count < 0)
    return TEXLA_BAD_ARGUMENT;
  while (count > 0) {
    int64_t now = txLeast64(count, GHOSTS - w->steps % GHOSTS);
    if (w->wave)
      txClusterMust(w->cluster, clWaveStep(w->wave, now));
    w->steps += now;
    count -= now;
    if (w->steps % GHOSTS == 0)
      exchange(w);
  }
  return TEXLA_OK;
}

/* Rank 0 needs room for the largest part, others for their own. */
static size_t roomOf(const clClusterWave *w) {
  const clCluster *c = w->cluster;
  size_t most = (size_t)w->part.nx * (size_t)w->part.ny;
  for (int r = 0; r < c->size && c->rank == 0; r++) {
    txRectangle part = txNumberingPart(&w->numbering, r);
    if ((size_t)part.nx * (size_t)part.ny > most)
      most = (size_t)part.nx * (size_t)part.ny;
  }
  return most + 1;
}

/* part <- this rank's heights, without ghosts; `grid` has room for those, too. */
static clStatus download(const clClusterWave *w, float *grid, float *part) {
  if (!w->wave)
    return TEXLA_OK;
  TRY(clVectorDownload(clWaveHeight(w->wave), grid));
  for (int j = 0; j < w->part.ny; j++)
    memcpy(part + (int64_t)j * w->part.nx, grid + (int64_t)(w->bottom + j) * w->nx + w->left,
           (size_t)w->part.nx * sizeof *part);
  return TEXLA_OK;
}

/* To rank 0, which takes one rank's part after the other, so that it needs memory for one of them
 * beside the whole. */
static void gather(float *all, const clClusterWave *w, float *part) {
  const clCluster *c = w->cluster;
  if (c->rank)
    MPI_Send(part, w->part.nx * w->part.ny, MPI_FLOAT, 0, TAG, c->comm);
  for (int r = 0; r < c->size && c->rank == 0; r++) {
    txRectangle of = txNumberingPart(&w->numbering, r);
    if (r)
      MPI_Recv(part, of.nx * of.ny, MPI_FLOAT, r, TAG, c->comm, MPI_STATUS_IGNORE);
    for (int j = 0; j < of.ny; j++)
      memcpy(all + (int64_t)(of.y + j) * w->numbering.nx + of.x, part + (int64_t)j * of.nx,
             (size_t)of.nx * sizeof *all);
  }
}

clStatus clClusterWaveGather(clClusterWave *w, float *all) {
  if (!w || (w->cluster->rank == 0 && !all))
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = w->cluster;
  size_t points = (size_t)w->nx * (size_t)w->ny;
  float *grid = txClusterReserve(c, call, points + roomOf(w), sizeof *grid, "a picture");
  if (!grid)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clClusterAgree(c, download(w, grid, grid + points), txContextError(c->context));
  if (status == TEXLA_OK)
    gather(all, w, grid + points);
  free(grid);
  return status;
}
