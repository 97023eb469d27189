/* normalize: rows change places across the ranks of a grid column. The rows of texels that are concerned are gathered on the device,
 * fetched through a pixel buffer, mixed on the host with what other ranks send, and scattered back. */
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

typedef struct rows {
  clBlockPlu *plu;
  const txStep *s;
  txMoves moves;
  int pairs, *pair;    /* rows of texels, ascending */
  txTexture *gathered; /* those, one after the other */
  float *texels;       /* the same on the host */
} rows;

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static bool mine(const rows *r, int row) {
  return txRowOwner(r->plu->A, row) == r->plu->A->layout.grid_row;
}

static int pairOf(const rows *r, int row) {
  return txBlockLocal(r->plu->A, row, r->plu->A->pitch, r->plu->A->layout.grid_rows) / 2;
}

static void listPairs(rows *r) {
  int count = 0;
  r->pair = txClusterAllocate(r->plu->cluster, (size_t)r->moves.count, sizeof *r->pair, "a step");
  for (int i = 0; i < r->moves.count; i++)
    if (mine(r, r->moves.row[i]))
      r->pair[count++] = pairOf(r, r->moves.row[i]);
  qsort(r->pair, (size_t)count, sizeof *r->pair, compare);
  for (int i = 0; i < count; i++)
    if (!i || r->pair[i] != r->pair[i - 1])
      r->pair[r->pairs++] = r->pair[i];
}

/* gathered <- the matrix' rows of texels, or the other way. */
static clStatus copyRows(const rows *r, bool back) {
  static const float corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  clContext *context = r->plu->cluster->context;
  txTexture *target = back ? r->plu->texture : r->gathered, *from = back ? r->gathered : r->plu->texture;
  float *data = txClusterAllocate(r->plu->cluster, (size_t)r->pairs * 18, sizeof *data, "a step"), *at = data;
  for (int i = 0; i < r->pairs; i++)
    for (int v = 0; v < 6; v++, at += 3) {
      float there = (float)r->pair[i] + corner[v][1], here = (float)i + corner[v][1];
      at[0] = corner[v][0];
      at[1] = back ? there : here;
      at[2] = back ? here : there;
    }
  txVertices *quads = NULL;
  clStatus status = txVerticesCreate(&quads, context, call, data, 6 * r->pairs, (const int[]){3}, 1);
  txPass pass = {.kernel = "rows_scatter",
                 .vertex = "rows_copy",
                 .target = {target},
                 .source = {{"gathered", from, TX_EDGE}},
                 .uniform = {{"extent", 2, {(float)target->width, (float)target->height}}},
                 .shape = TX_TRIANGLES,
                 .vertices = quads};
  if (!status)
    status = txPassRun(context, call, &pass);
  txVerticesDestroy(quads);
  free(data);
  return status;
}

static void fetch(rows *r) {
  clCluster *c = r->plu->cluster;
  txRect all = {0, 0, r->plu->texture->width, r->pairs};
  txRead *read = NULL;
  r->texels = txClusterAllocate(c, (size_t)all.width * (size_t)r->pairs * 4, sizeof *r->texels, "a step");
  txClusterMust(c, txTextureCreate(&r->gathered, c->context, call, TX_RGBA32F, all.width, r->pairs));
  txClusterMust(c, copyRows(r, false));
  txClusterMust(c, txReadStart(&read, r->gathered, call, all));
  txClusterMust(c, txReadFinish(read, call, r->texels));
}

static void store(rows *r) {
  clCluster *c = r->plu->cluster;
  txClusterMust(c, txTextureWrite(r->gathered, call, (txRect){0, 0, r->gathered->width, r->pairs}, r->texels));
  txClusterMust(c, copyRows(r, true));
  txTextureDestroy(r->gathered);
}

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* The numbers of one row, in two parts: left and right of the panel. `row` is one that this rank has and that changes. */
typedef struct part {
  int first, count; /* columns, even */
} part;
enum { LEFT, RIGHT };
static part partOf(const rows *r, int side) {
  return side == LEFT ? (part){0, r->s->col} : (part){r->s->next_col, r->s->cols - r->s->next_col};
}

static float *texelsOf(const rows *r, int row) {
  int pair = pairOf(r, row), local = txBlockLocal(r->plu->A, row, r->plu->A->pitch, r->plu->A->layout.grid_rows);
  const int *found = bsearch(&pair, r->pair, (size_t)r->pairs, sizeof pair, compare);
  return r->texels + (size_t)(found - r->pair) * (size_t)r->plu->texture->width * 4 + local % 2 * 2;
}

static float *take(const rows *r, int row, int side, float *out) {
  part p = partOf(r, side);
  const float *from = texelsOf(r, row) + 2 * p.first;
  for (int c = 0; c < p.count; c += 2, from += 4) {
    *out++ = from[0];
    *out++ = from[1];
  }
  return out;
}

static const float *put(const rows *r, int row, int side, const float *in) {
  part p = partOf(r, side);
  float *to = texelsOf(r, row) + 2 * p.first;
  for (int c = 0; c < p.count; c += 2, to += 4) {
    to[0] = *in++;
    to[1] = *in++;
  }
  return in;
}

/* The new rows of block k, right of the panel, go to everybody, their left part to the grid row that has block k; from there the rows of
 * block k that have to leave go to their new places. */
static float *writeMessage(const rows *r, int to, float *out) {
  const txMoves *m = &r->moves;
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

static const float *readMessage(const rows *r, int from, const float *in, float *above) {
  const txMoves *m = &r->moves;
  int home = r->s->row_owner, me = r->plu->A->layout.grid_row, width = partOf(r, RIGHT).count;
  for (int j = 0; j < r->s->width; j++) {
    if (txRowOwner(r->plu->A, m->source[j]) != from)
      continue;
    memcpy(above + (size_t)j * (size_t)width, in, (size_t)width * sizeof *in);
    in += width;
    if (me == home)
      in = put(r, m->row[j], LEFT, in);
  }
  for (int i = r->s->width; i < m->count && from == home; i++)
    if (mine(r, m->row[i])) {
      in = put(r, m->row[i], RIGHT, in);
      in = put(r, m->row[i], LEFT, in);
    }
  return in;
}

static void exchange(rows *r, float *above) {
  clCluster *c = r->plu->cluster;
  const clBlockLayout *l = &r->plu->A->layout;
  size_t ranks = (size_t)l->grid_rows, most = (size_t)r->moves.count * (size_t)r->s->cols;
  float **data = txClusterAllocate(c, ranks, sizeof *data, "a step");
  size_t *bytes = txClusterAllocate(c, ranks, sizeof *bytes, "a step"), all;
  for (int to = 0; to < l->grid_rows; to++) {
    data[to] = txClusterAllocate(c, most, sizeof **data, "a step");
    bytes[to] = (size_t)(writeMessage(r, to, data[to]) - data[to]) * sizeof **data;
  }
  void *came;
  txExchange(c, (void *const *)data, bytes, &came, &all, NULL, r->plu->A->col);
  const float *in = came;
  for (int from = 0; from < l->grid_rows; from++)
    in = readMessage(r, from, in, above);
  for (int to = 0; to < l->grid_rows; to++)
    free(data[to]);
  free(came);
  free(bytes);
  free(data);
}

void txPluMoveRows(clBlockPlu *plu, const txStep *s, float **above) {
  rows r = {.plu = plu, .s = s};
  txMovesCreate(&r.moves, plu, s);
  listPairs(&r);
  size_t width = (size_t)partOf(&r, RIGHT).count;
  *above = txClusterAllocate(plu->cluster, (size_t)plu->A->pitch * width, sizeof **above, "a step");
  if (s->cols) {
    if (r.pairs)
      fetch(&r);
    exchange(&r, *above);
    if (r.pairs)
      store(&r);
  }
  free(r.texels);
  free(r.pair);
  txMovesDestroy(&r.moves);
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
      bytes += number * ((int64_t)s.width + (int64_t)A->pitch * A->pitch + (int64_t)(s.rows - s.next_row) * A->pitch);
    txMovesDestroy(&m);
  }
  return bytes;
}
