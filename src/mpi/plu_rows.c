/* normalize: rows change places across the ranks of a grid column. The rows of texels that are concerned are copied into a texture; those
 * that other ranks need are fetched from there, and those that come from other ranks are written below them. What stays on a rank never
 * leaves its device. Then all rows go to their new places, in one pass. */
#include "mpi/plu.h"

#include <stdlib.h>
#include <string.h>

static const char call[] = "clBlockPlu";

/* ---- Which rows ----------------------------------------------------------------------------------------------- */

void txMovesCreate(txMoves *out, const clBlockPlu *plu, const txStep *s) {
  int first = s->k * plu->A->layout.block, count = s->width;
  int *row = txClusterAllocate(plu->cluster, 4 * (size_t)s->width, sizeof *row, "a step"), *source = row + 2 * s->width;
  for (int j = 0; j < s->width; j++)
    row[j] = source[j] = first + j;
  for (int j = 0; j < s->width; j++) {
    int pivot = plu->pivots[first + j], at = pivot - first;
    if (at >= s->width)
      for (at = s->width; at < count && row[at] != pivot;)
        at++;
    if (at == count) {
      row[count] = source[count] = pivot;
      count++;
    }
    int other = source[j];
    source[j] = source[at];
    source[at] = other;
  }
  *out = (txMoves){count, row, source};
}

void txMovesDestroy(txMoves *moves) {
  free(moves->row);
}

/* ---- This rank's rows of texels ------------------------------------------------------------------------------- */

/* Columns of the matrix, even: left of the panel and right of it. */
typedef struct part {
  int first, end;
} part;
enum { LEFT, RIGHT, PARTS };

typedef struct rows {
  clBlockPlu *plu;
  const txStep *s;
  const txMoves *moves;
  part part[PARTS];
  part all;               /* columns that `gathered` has */
  int pairs, *pair;       /* rows of texels that are concerned, ascending */
  int arrivals, *arrival; /* rows that come from other ranks: where they were, as numbers of the whole matrix */
  txTexture *gathered;    /* those pairs, one after the other, then the arrivals */
  float *texels;          /* on the host: the pairs, where other ranks need some */
  float *arrived;         /* ... the arrivals */
} rows;

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static bool mine(const rows *r, int row) {
  return txRowOwner(r->plu->A, row) == r->plu->A->layout.grid_row;
}

static int localOf(const rows *r, int row) {
  return txBlockLocal(r->plu->A, row, r->plu->A->pitch, r->plu->A->layout.grid_rows);
}

static int widthOf(part p) {
  return p.end - p.first;
}

static void listPairs(rows *r) {
  int count = 0;
  r->pair = txClusterAllocate(r->plu->cluster, (size_t)r->moves->count, sizeof *r->pair, "a step");
  for (int i = 0; i < r->moves->count; i++)
    if (mine(r, r->moves->row[i]))
      r->pair[count++] = localOf(r, r->moves->row[i]) / 2;
  qsort(r->pair, (size_t)count, sizeof *r->pair, compare);
  for (int i = 0; i < count; i++)
    if (!i || r->pair[i] != r->pair[i - 1])
      r->pair[r->pairs++] = r->pair[i];
}

/* A row of this rank as one of `gathered`. */
static int placeOfOwn(const rows *r, int local) {
  int pair = local / 2;
  const int *found = bsearch(&pair, r->pair, (size_t)r->pairs, sizeof pair, compare);
  return 2 * (int)(found - r->pair) + local % 2;
}

/* Where a row of the whole matrix stands in `gathered`. */
static int placeOf(const rows *r, int row) {
  if (mine(r, row))
    return placeOfOwn(r, localOf(r, row));
  int at = 0;
  while (r->arrival[at] != row)
    at++;
  return 2 * r->pairs + at;
}

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* Numbers of a row, which stand in texels of `gathered` that begin at `texels`. */
static float *numbersOf(const rows *r, float *texels, int row, int column) {
  return texels + (size_t)(row / 2) * (size_t)widthOf(r->all) * 2 + (column - r->all.first) * 2 + row % 2 * 2;
}

static float *take(const rows *r, int row, int side, float *out) {
  const float *from = numbersOf(r, r->texels, placeOf(r, row), r->part[side].first);
  for (int c = 0; c < widthOf(r->part[side]); c += 2, from += 4) {
    *out++ = from[0];
    *out++ = from[1];
  }
  return out;
}

static const float *put(const rows *r, int at, int side, const float *in) {
  float *to = numbersOf(r, r->arrived, at, r->part[side].first);
  for (int c = 0; c < widthOf(r->part[side]); c += 2, to += 4) {
    to[0] = *in++;
    to[1] = *in++;
  }
  return in;
}

/* The new rows of block k, right of the panel, go to everybody, their left part to the grid row that has block k; from there the rows of
 * block k that have to leave go to their new places. */
static float *writeMessage(const rows *r, int to, float *out) {
  const txMoves *m = r->moves;
  int home = r->s->row_owner, me = r->plu->A->layout.grid_row;
  for (int j = 0; j < r->s->width; j++) {
    if (!mine(r, m->source[j]))
      continue;
    out = take(r, m->source[j], RIGHT, out);
    if (to == home)
      out = take(r, m->source[j], LEFT, out);
  }
  for (int i = r->s->width; i < m->count && me == home; i++)
    if (txRowOwner(r->plu->A, m->row[i]) == to) {
      out = take(r, m->source[i], RIGHT, out);
      out = take(r, m->source[i], LEFT, out);
    }
  return out;
}

static const float *readMessage(rows *r, int from, const float *in) {
  const txMoves *m = r->moves;
  int home = r->s->row_owner, me = r->plu->A->layout.grid_row;
  for (int i = 0; i < m->count; i++) {
    bool in_block = i < r->s->width, comes = in_block ? txRowOwner(r->plu->A, m->source[i]) == from : from == home;
    if (!comes || (!in_block && !mine(r, m->row[i])))
      continue;
    r->arrival[r->arrivals] = m->source[i];
    in = put(r, r->arrivals, RIGHT, in);
    if (!in_block || me == home)
      in = put(r, r->arrivals, LEFT, in);
    r->arrivals++;
  }
  return in;
}

/* arrived <- what the other ranks of the grid column have sent */
static void exchange(rows *r) {
  clCluster *c = r->plu->cluster;
  const clBlockLayout *l = &r->plu->A->layout;
  size_t ranks = (size_t)l->grid_rows, most = (size_t)r->moves->count * (size_t)widthOf(r->all);
  float **data = txClusterAllocate(c, ranks, sizeof *data, "a step");
  size_t *bytes = txClusterAllocate(c, ranks, sizeof *bytes, "a step"), all;
  r->arrival = txClusterAllocate(c, (size_t)r->moves->count, sizeof *r->arrival, "a step");
  r->arrived = txClusterAllocate(c, most + 2 * (size_t)widthOf(r->all), sizeof *r->arrived, "a step");
  for (int to = 0; to < l->grid_rows; to++) {
    if (to == l->grid_row)
      continue;
    data[to] = txClusterAllocate(c, most, sizeof **data, "a step");
    bytes[to] = (size_t)(writeMessage(r, to, data[to]) - data[to]) * sizeof **data;
  }
  void *came;
  txExchange(c, (void *const *)data, bytes, &came, &all, NULL, r->plu->A->col);
  const float *in = came;
  for (int from = 0; from < l->grid_rows; from++)
    if (from != l->grid_row)
      in = readMessage(r, from, in);
  for (int to = 0; to < l->grid_rows; to++)
    free(data[to]);
  free(came);
  free(bytes);
  free(data);
}

/* ---- On the device -------------------------------------------------------------------------------------------- */

/* Rows of texels to be rendered: quads, of which each has two rows of the source. */
typedef struct quads {
  float *data;
  int count;
} quads;

static void addQuad(quads *q, int first, int end, int y, int a, int b) {
  static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  if (first == end)
    return;
  for (int v = 0; v < 6; v++) {
    float *at = q->data + 4 * (size_t)(6 * q->count + v);
    at[0] = (float)((corner[v][0] ? end : first) / 2);
    at[1] = (float)(y + corner[v][1]);
    at[2] = (float)a;
    at[3] = (float)b;
  }
  q->count++;
}

/* Room for `count` rows of texels, in two parts. */
static quads newQuads(const rows *r, int count) {
  return (quads){txClusterAllocate(r->plu->cluster, 2 * 24 * (size_t)count, sizeof(float), "a step"), 0};
}

/* Renders the quads, whose columns are the source's `shift` columns of texels further right, and frees them. */
static void render(const rows *r, txTexture *target, const txTexture *source, int shift, quads *q) {
  clCluster *c = r->plu->cluster;
  txVertices *vertices = NULL;
  if (q->count) {
    txClusterMust(c, txVerticesCreate(&vertices, c->context, call, q->data, 6 * q->count, (const int[]){2, 2}, 2));
    txPass pass = {.kernel = "rows_mix",
                   .vertex = "rows_mix",
                   .target = {target},
                   .source = {{"source", source, TX_EDGE}},
                   .uniform = {{"extent", 2, {(float)target->width, (float)target->height}},
                               {"shift", 1, {(float)shift}, NULL, true}},
                   .shape = TX_TRIANGLES,
                   .vertices = vertices};
    txClusterMust(c, txPassRun(c->context, call, &pass));
    txVerticesDestroy(vertices);
  }
  free(q->data);
}

/* gathered <- the pairs, and what other ranks send. */
static void gather(rows *r) {
  clCluster *c = r->plu->cluster;
  bool alone = r->plu->A->layout.grid_rows == 1;
  int width = widthOf(r->all) / 2, x = r->all.first, most = r->pairs + (alone ? 0 : txHalf(r->moves->count));
  txClusterMust(c, txTextureCreate(&r->gathered, c->context, call, TX_RGBA32F, width, most));
  quads q = newQuads(r, r->pairs);
  for (int i = 0; i < r->pairs; i++)
    for (int side = 0; side < PARTS; side++)
      addQuad(&q, r->part[side].first - x, r->part[side].end - x, i, 2 * r->pair[i], 2 * r->pair[i] + 1);
  render(r, r->gathered, r->plu->texture, x / 2, &q);
  if (alone)
    return;
  r->texels = txClusterAllocate(c, (size_t)width * (size_t)r->pairs * 4, sizeof *r->texels, "a step");
  txRead *read = NULL;
  if (r->pairs) {
    txClusterMust(c, txReadStart(&read, r->gathered, call, (txRect){0, 0, width, r->pairs}));
    txClusterMust(c, txReadFinish(read, call, r->texels));
  }
  exchange(r);
  if (r->arrivals)
    txClusterMust(c, txTextureWrite(r->gathered, call, (txRect){0, r->pairs, width, txHalf(r->arrivals)}, r->arrived));
}

/* The new rows of block k, right of the panel. */
static txTexture *renderBlock(const rows *r) {
  clCluster *c = r->plu->cluster;
  int height = r->plu->A->pitch / 2, width = widthOf(r->part[RIGHT]);
  txTexture *block = NULL;
  if (!width)
    return NULL;
  txClusterMust(c, txTextureCreate(&block, c->context, call, TX_RGBA32F, width / 2, height));
  quads q = newQuads(r, height);
  for (int i = 0; i < height; i++) {
    int place[2];
    for (int k = 0; k < 2; k++)
      place[k] = 2 * i + k < r->s->width ? placeOf(r, r->moves->source[2 * i + k]) : -1;
    addQuad(&q, 0, width, i, place[0], place[1]);
  }
  render(r, block, r->gathered, (r->part[RIGHT].first - r->all.first) / 2, &q);
  return block;
}

/* All other rows to their places. */
static void scatter(const rows *r) {
  int *place = txClusterAllocate(r->plu->cluster, 2 * (size_t)r->pairs, sizeof *place, "a step");
  bool home = r->plu->A->layout.grid_row == r->s->row_owner;
  for (int i = 0; i < 2 * r->pairs; i++)
    place[i] = i;
  for (int i = 0; i < r->moves->count; i++)
    if (mine(r, r->moves->row[i]))
      place[placeOfOwn(r, localOf(r, r->moves->row[i]))] = placeOf(r, r->moves->source[i]);
  quads q = newQuads(r, r->pairs);
  for (int i = 0; i < r->pairs; i++)
    for (int side = 0; side < PARTS; side++)
      if (side == LEFT || !home || 2 * r->pair[i] >= r->s->next_row) /* U12 follows in block k */
        addQuad(&q, r->part[side].first, r->part[side].end, r->pair[i], place[2 * i], place[2 * i + 1]);
  render(r, r->plu->texture, r->gathered, -r->all.first / 2, &q);
  free(place);
}

txTexture *txPluMoveRows(clBlockPlu *plu, const txStep *s, const txMoves *moves, int first, int end, bool left) {
  rows r = {.plu = plu, .s = s, .moves = moves, .part = {{0, left ? s->col : 0}, {first, end}}};
  bool right_only = !widthOf(r.part[LEFT]);
  r.all = (part){right_only ? first : 0, first < end ? end : r.part[LEFT].end};
  if (right_only && first == end)
    return NULL;
  listPairs(&r);
  gather(&r);
  txTexture *block = renderBlock(&r);
  scatter(&r);
  txTextureDestroy(r.gathered);
  free(r.arrived);
  free(r.arrival);
  free(r.texels);
  free(r.pair);
  return block;
}

/* ---- The formula ---------------------------------------------------------------------------------------------- */

int64_t txPluVolume(const clBlockPlu *plu) {
  const clBlockMatrix *A = plu->A;
  const clBlockLayout *l = &A->layout;
  int64_t bytes = 0, number = sizeof(float);
  for (int k = 0; k < A->blocks && txBlockInGrid(A); k++) {
    txStep s = txStepOf(plu, k);
    txMoves m;
    txMovesCreate(&m, plu, &s);
    int64_t right = s.cols - s.next_col, left = s.col, in_block = 0, below = 0;
    for (int j = 0; j < s.width; j++)
      in_block += txRowOwner(A, m.source[j]) != l->grid_row;
    for (int i = s.width; i < m.count; i++)
      below += txRowOwner(A, m.row[i]) == l->grid_row;
    if (l->grid_row == s.row_owner)
      bytes += number * in_block * (left + right);
    else
      bytes += number * (in_block * right + below * (left + right));
    if (l->grid_rows > 1 && l->grid_col == s.col_owner)
      bytes += (int64_t)s.width * (24 + 2 * number * s.width);
    if (l->grid_cols > 1 && l->grid_col != s.col_owner)
      bytes += number * ((int64_t)A->pitch + (int64_t)A->pitch * A->pitch + (int64_t)(s.rows - s.next_row) * A->pitch);
    txMovesDestroy(&m);
  }
  return bytes;
}
