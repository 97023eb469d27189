/* Halo exchange: a pass gathers what others want, a pixel buffer brings it to the host while the
 * device multiplies the interior, and what has come is added as points at the rim. */
#include "core/try.h"
#include "mpi/halo.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterMatrix";
enum { SHIFT = 12, WIDTH = 1 << SHIFT, TAG = 11, FLOATS = 10 };

/* ---- Setup ----------------------------------------------------------------------------------- */

/* For qsort: by owner, and then by number, so that what one rank gives is contiguous. */
static int compare(const void *a, const void *b) {
  /* owner, number */
  const int64_t *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static clError *errorOf(const txHalo *h) {
  return txContextError(h->cluster->context);
}

/* Memory of this rank's, all zero. */
static void *allocate(const txHalo *h, int64_t count, size_t size) {
  return txAllocate(errorOf(h), call, (size_t)count, size, "a halo");
}

/* What this rank asks others for: numbers, by owners; of each rank where they begin, and how many
 * bytes they are; how many come from it. */
typedef struct wish {
  int64_t *numbers, **of;
  size_t *bytes, *came;
} wish;

/* h->wanted <- the wanted elements, (owner, number) each, sorted and once each; *count of them. */
static clStatus listWanted(txHalo *h, const txNumbering *columns, const txGhostEntry *entry,
                           int64_t entries, int64_t *count) {
  int64_t *list = h->wanted = allocate(h, 2 * entries, sizeof *list);
  if (!list)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < entries; k++) {
    list[2 * k] = txNumberingOwner(columns, entry[k].col);
    list[2 * k + 1] = entry[k].col;
  }
  qsort(list, (size_t)entries, 2 * sizeof *list, compare);
  *count = 0;
  for (int64_t k = 0; k < entries; k++)
    if (!*count || list[2 * k + 1] != list[2 * *count - 1]) {
      list[2 * *count] = list[2 * k];
      list[2 * *count + 1] = list[2 * k + 1];
      ++*count;
    }
  return TEXLA_OK;
}

static clStatus createWish(wish *r, txHalo *h, const txNumbering *columns,
                           const txGhostEntry *entry, int64_t entries) {
  int64_t count;
  TRY(listWanted(h, columns, entry, entries, &count));
  r->numbers = allocate(h, count, sizeof *r->numbers);
  r->of = allocate(h, h->cluster->size, sizeof *r->of);
  r->bytes = allocate(h, 2 * h->cluster->size, sizeof *r->bytes);
  if (!r->numbers || !r->of || !r->bytes)
    return TEXLA_OUT_OF_MEMORY;
  r->came = r->bytes + h->cluster->size;
  for (int64_t k = count - 1; k >= 0; k--) {
    int64_t owner = h->wanted[2 * k];
    r->numbers[k] = h->wanted[2 * k + 1];
    r->of[owner] = r->numbers + k;
    r->bytes[owner] += sizeof *r->numbers;
  }
  return TEXLA_OK;
}

/* *peers <- the ranks with so many bytes of numbers each; NULL: no memory. */
static txPeer *listPeers(const txHalo *h, const size_t *bytes, int *peers, int *elements) {
  txPeer *peer = allocate(h, h->cluster->size, sizeof *peer);
  *peers = *elements = 0;
  for (int r = 0; r < h->cluster->size && peer; r++)
    if (bytes[r]) {
      int count = (int)(bytes[r] / sizeof(int64_t));
      peer[(*peers)++] = (txPeer){r, *elements, count};
      *elements += count;
    }
  return peer;
}

/* What others have asked for. */
static clStatus listGiven(txHalo *h, const wish *r, const txNumbering *columns,
                          const int64_t *asked) {
  h->from = listPeers(h, r->bytes, &h->froms, &h->received);
  h->to = listPeers(h, r->came, &h->tos, &h->sent);
  h->requests = allocate(h, h->tos + h->froms, sizeof(MPI_Request));
  h->given = allocate(h, h->sent, sizeof *h->given);
  h->out_wide = allocate(h, h->sent, sizeof *h->out_wide);
  h->in_wide = allocate(h, h->received, sizeof *h->in_wide);
  if (!h->from || !h->to || !h->requests || !h->given || !h->out_wide || !h->in_wide)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < h->sent; k++)
    h->given[k] = txNumberingLocal(columns, asked[k]);
  return TEXLA_OK;
}

clStatus txHaloFind(txHalo *out, clCluster *c, const txNumbering *columns,
                    const txGhostEntry *entry, int64_t entries) {
  txHalo h = {.cluster = c};
  wish r = {0};
  void *asked = NULL;
  size_t all;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, createWish(&r, &h, columns, entry, entries), errorOf(&h)));
  TRY_CLEANUP(txExchange(c, (void *const *)r.of, r.bytes, &asked, &all, r.came));
  TRY_CLEANUP(clClusterAgree(c, listGiven(&h, &r, columns, asked), errorOf(&h)));
  *out = h;
  h = (txHalo){0};
cleanup:
  txHaloDestroy(&h);
  free(asked);
  free(r.numbers);
  free(r.bytes);
  free(r.of);
  return status;
}

/* ---- What does not change from product to product -------------------------------------------- */

/* At least one texel, and WIDTH of them a row: a halo may be longer than a texture is wide. */
static clStatus makeTexture(txTexture **out, const txHalo *h, txFormat format, int count) {
  if (!count)
    return TEXLA_OK;
  TRY(txTextureCreate(out, h->cluster->context, call, format, txLeast(count, WIDTH),
                      (count - 1) / WIDTH + 1));
  return txTextureClear(*out, call);
}

/* The first `count` texels of a texture WIDTH wide, in one or two rectangles. */
static clStatus writeTexels(txTexture *t, const float *values, int count, int lanes) {
  int whole = count / t->width, rest = count % t->width;
  if (whole)
    TRY(txTextureWrite(t, call, (txRect){0, 0, t->width, whole}, values));
  if (rest)
    TRY(txTextureWrite(t, call, (txRect){0, whole, rest, 1},
                       values + (size_t)lanes * (size_t)whole * (size_t)t->width));
  return TEXLA_OK;
}

/* Where the elements that others want stand in x. */
static clStatus writePlaces(txHalo *h, const txLayout *x) {
  if (!h->sent)
    return TEXLA_OK;
  float *place = allocate(h, 4 * (int64_t)h->sent, sizeof *place);
  if (!place)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < h->sent; k++) {
    int64_t i = h->given[k];
    place[4 * k] = (float)(i % x->row / 4);
    place[4 * k + 1] = (float)(i / x->row);
    place[4 * k + 2] = (float)(i % x->row % 4);
  }
  clStatus status = writeTexels(h->places, place, h->sent, 4);
  free(place);
  return status;
}

/* It is kept on the device, so that an exchange reads and writes numbers only. */
clStatus txHaloUpload(txHalo *h, const txLayout *x) {
  TRY(makeTexture(&h->places, h, TX_RGBA32F, h->sent));
  TRY(makeTexture(&h->taken, h, TX_R32F, h->sent));
  TRY(makeTexture(&h->ghosts, h, TX_R32F, h->received));
  int texels = 0;
  if (h->taken)
    texels = h->taken->width * h->taken->height;
  h->out = allocate(h, texels, sizeof *h->out);
  h->in = allocate(h, h->received, sizeof *h->in);
  if (!h->out || !h->in)
    return TEXLA_OUT_OF_MEMORY;
  return writePlaces(h, x);
}

int64_t txHaloPlace(const txHalo *h, const txNumbering *columns, int64_t col) {
  int64_t key[2] = {txNumberingOwner(columns, col), col};
  const int64_t *found = bsearch(key, h->wanted, (size_t)h->received, sizeof key, compare);
  return (found - h->wanted) / 2;
}

/* The vertices; returns how many. */
static int64_t listPoints(float *data, const txHalo *h, const txNumbering *columns,
                          const txGhostEntry *entry, int64_t entries, const txLayout *y) {
  int64_t points = 0;
  for (int64_t k = 0, lane = 0; k < entries; k++) {
    bool same = k && entry[k].row == entry[k - 1].row && lane < 3;
    lane = same ? lane + 1 : 0;
    points += !same;
    float *point = data + FLOATS * (points - 1);
    float position = (float)txHaloPlace(h, columns, entry[k].col);
    for (int64_t l = lane; l < 4; l++)
      point[l] = position;
    point[4 + lane] = (float)entry[k].value;
    point[8] = (float)(entry[k].row % y->row);
    point[9] = (float)(entry[k].row / y->row);
  }
  return points;
}

/* Points of four entries of a row each; free ones hold 0 and a position that is read anyway. */
clStatus txHaloValuesUpload(txHalo *h, txHaloValues which, const txNumbering *columns,
                            const txGhostEntry *entry, int64_t entries, const txLayout *y) {
  if (!entries)
    return TEXLA_OK;
  float *data = allocate(h, entries * FLOATS, sizeof *data);
  if (!data)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status =
      txVerticesCreate(&h->points[which], h->cluster->context, call, data,
                       listPoints(data, h, columns, entry, entries, y), (const int[]){4, 4, 2}, 3);
  free(data);
  return status;
}

void txHaloDestroy(txHalo *h) {
  txTextureDestroy(h->places);
  txTextureDestroy(h->taken);
  txTextureDestroy(h->ghosts);
  for (int v = 0; v < TX_HALO_VALUES; v++)
    txVerticesDestroy(h->points[v]);
  free(h->to);
  free(h->from);
  free(h->given);
  free(h->wanted);
  free(h->out);
  free(h->in);
  free(h->out_wide);
  free(h->in_wide);
  free(h->requests);
  *h = (txHalo){0};
}

/* ---- Products -------------------------------------------------------------------------------- */

/* What others want is gathered by one pass into one texture, and begins to come to the host;
 * meanwhile the device has the product with the own columns. */
void txHaloStart(txHalo *h, const clVector *x) {
  if (!h->sent)
    return;
  txPass take = {.kernel = "halo_take",
                 .target = {h->taken},
                 .source = {{"x", x->texture, TX_EDGE}, {"places", h->places, TX_EDGE}}};
  txClusterMust(h->cluster, txPassRun(h->cluster->context, call, &take));
  txClusterMust(h->cluster, txReadStart(&h->read, h->taken, call,
                                        (txRect){0, 0, h->taken->width, h->taken->height}));
}

static void exchange(txHalo *h, void *in, const void *out, MPI_Datatype type, int size) {
  clCluster *c = h->cluster;
  MPI_Request *request = h->requests;
  double began = txTrafficBegin();
  for (int k = 0; k < h->froms; k++)
    MPI_Irecv((char *)in + (int64_t)size * h->from[k].first, h->from[k].count, type,
              h->from[k].rank, TAG, c->comm, request++);
  for (int k = 0; k < h->tos; k++)
    MPI_Isend((const char *)out + (int64_t)size * h->to[k].first, h->to[k].count, type,
              h->to[k].rank, TAG, c->comm, request++);
  txWaitall(c, h->tos + h->froms, h->requests);
  txTrafficEnd(c, began, (int64_t)h->received * size);
}

/* The same in double, from an array on the host. */
const double *txHaloFetch(txHalo *h, const double *x) {
  for (int k = 0; k < h->sent; k++)
    h->out_wide[k] = x[h->given[k]];
  exchange(h, h->in_wide, h->out_wide, MPI_DOUBLE, sizeof(double));
  return h->in_wide;
}

/* A rank whose rows need nothing from others, and which none needs anything from. */
bool txHaloEmpty(const txHalo *h) {
  return h->tos + h->froms == 0;
}

/* The messages, and then what their numbers add to y: points with blending, four entries of a row
 * each, so that rows without a neighbour on another rank cost nothing. */
void txHaloFinish(txHalo *h, txHaloValues which, clVector *y, float factor) {
  if (h->read)
    txClusterMust(h->cluster, txReadFinish(h->read, call, h->out));
  h->read = NULL;
  if (!txHaloEmpty(h))
    exchange(h, h->in, h->out, MPI_FLOAT, sizeof *h->in);
  if (!h->points[which])
    return;
  txClusterMust(h->cluster, writeTexels(h->ghosts, h->in, h->received, 1));
  const txTexture *t = y->texture;
  txPass add = {.kernel = "points",
                .vertex = "points",
                .defines = "#define LANES\n",
                .target = {y->texture},
                .source = {{"x", h->ghosts, TX_EDGE}},
                .uniform = {{"factor", 1, {factor}},
                            {"cell", 2, {2 / (float)t->width, 2 / (float)t->height}},
                            {"x_shift", 1, {SHIFT}, NULL, true}},
                .shape = TX_POINTS,
                .vertices = h->points[which],
                .add = true};
  txClusterMust(h->cluster, txPassRun(h->cluster->context, call, &add));
}
