/* normalize: rows change places across the ranks of a grid column. The rows of texels that are
 * concerned are copied into a texture; those that other ranks need are fetched from there through a
 * pixel buffer, and those that come from other ranks are written below them. What stays on a rank
 * never leaves its device. Then all rows go to their new places, in one pass. Columns move in
 * parts, each in three calls: while a part is fetched or sent, the device renders others. */
#include "mpi/plu.h"
#include "platform/platform.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clBlockPlu";

/* Blocks are dealt out in turn: block k of rows belongs to grid row k modulo their number, and the
 * local rows before it are those of the blocks that this rank has had. */
txStep txStepOf(const clBlockPlu *plu, int k) {
  const clBlockMatrix *A = plu->A;
  const clBlockLayout *l = &A->layout;
  txStep s = {.k = k, .width = txLeast(l->block, l->n - k * l->block)};
  s.row_owner = k % l->grid_rows;
  s.col_owner = k % l->grid_cols;
  s.row = txBlocksBefore(k, l->grid_row, l->grid_rows) * A->pitch;
  s.next_row = txBlocksBefore(k + 1, l->grid_row, l->grid_rows) * A->pitch;
  s.col = txBlocksBefore(k, l->grid_col, l->grid_cols) * A->pitch;
  s.next_col = txBlocksBefore(k + 1, l->grid_col, l->grid_cols) * A->pitch;
  s.rows = A->row_blocks * A->pitch;
  s.cols = A->col_blocks * A->pitch;
  return s;
}

/* ---- Which rows ------------------------------------------------------------------------------ */

void txMovesCreate(txMoves *out, const clBlockPlu *plu, const txStep *s) {
  int first = s->k * plu->A->layout.block, count = s->width;
  int *row = txClusterAllocate(plu->cluster, 4 * (size_t)s->width, sizeof *row, "a step"),
      *source = row + 2 * s->width;
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

/* ---- This rank's rows of texels -------------------------------------------------------------- */

struct txRowMove {
  clBlockPlu *plu;
  const txStep *s;
  const txMoves *moves;
  /* columns of the matrix, even */
  int first, end;
  /* of the panel */
  bool left;
  /* rows of texels that are concerned, ascending */
  int pairs, *pair;
  /* rows that come from other ranks: where they were, as numbers of the whole matrix */
  int arrivals, *arrival;
  /* those pairs, one after the other, then the arrivals */
  txTexture *gathered;
  /* the pairs on their way to the host, where other ranks may need some */
  txRead *read;
  /* the arrivals, on the host */
  float *arrived;
  /* messages, one grid row's after the other; */
  float *out, *in;
  /* ... of numbers and where they begin: out, in */
  int *counts;
  MPI_Request request;
};

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int gridRows(const txRowMove *r) {
  return r->plu->A->layout.grid_rows;
}

static int gridRow(const txRowMove *r) {
  return r->plu->A->layout.grid_row;
}

static bool mine(const txRowMove *r, int row) {
  return txRowOwner(r->plu->A, row) == gridRow(r);
}

static int localOf(const txRowMove *r, int row) {
  return txBlockLocal(r->plu->A, row, r->plu->A->pitch, gridRows(r));
}

static int widthOf(const txRowMove *r) {
  return r->end - r->first;
}

static void listPairs(txRowMove *r) {
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
static int placeOfOwn(const txRowMove *r, int local) {
  int pair = local / 2;
  const int *found = bsearch(&pair, r->pair, (size_t)r->pairs, sizeof pair, compare);
  return 2 * (int)(found - r->pair) + local % 2;
}

/* Where a row of the whole matrix stands in `gathered`. */
static int placeOf(const txRowMove *r, int row) {
  if (mine(r, row))
    return placeOfOwn(r, localOf(r, row));
  int at = 0;
  while (r->arrival[at] != row)
    at++;
  return 2 * r->pairs + at;
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Does move i take a row from one grid row to another? The new rows of block k, right of the panel,
 * go to everybody, their left part to the grid row that has block k; from there the rows of block k
 * that have to leave go to their new places. */
static bool travels(const txRowMove *r, int i, int from, int to) {
  const clBlockMatrix *A = r->plu->A;
  int home = r->s->row_owner;
  if (i < r->s->width)
    return txRowOwner(A, r->moves->source[i]) == from && (!r->left || to == home);
  return from == home && txRowOwner(A, r->moves->row[i]) == to;
}

static int lengthOf(const txRowMove *r, int from, int to) {
  int rows = 0;
  for (int i = 0; i < r->moves->count && from != to; i++)
    rows += travels(r, i, from, to);
  return rows * widthOf(r);
}

/* Row `at` of texels that hold rows of this width. */
static float *numbersOf(const txRowMove *r, float *texels, int at) {
  return texels + (size_t)(at / 2) * (size_t)widthOf(r) * 2 + at % 2 * 2;
}

/* The lengths of all messages, which both sides know from the pivots. Returns how many numbers
 * come. */
static int64_t countMessages(txRowMove *r) {
  int ranks = gridRows(r), *out = r->counts, *out_at = out + ranks, *in = out_at + ranks,
      *in_at = in + ranks;
  int64_t sent = 0, received = 0, row = widthOf(r), most = (int64_t)r->moves->count * row * ranks;
  clCluster *c = r->plu->cluster;
  if (most > INT_MAX)
    txClusterMust(
        c,
        txFail(
            txContextError(c->context), TEXLA_TOO_LARGE, call,
            "a step moves more than 2^31 numbers between ranks: use smaller blocks or more ranks"));
  for (int k = 0; k < ranks; k++) {
    out[k] = lengthOf(r, gridRow(r), k);
    in[k] = lengthOf(r, k, gridRow(r));
    out_at[k] = (int)sent;
    in_at[k] = (int)received;
    sent += out[k];
    received += in[k];
  }
  r->out = txClusterAllocate(c, (size_t)sent, sizeof *r->out, "a step");
  r->in = txClusterAllocate(c, (size_t)received, sizeof *r->in, "a step");
  return received;
}

static void writeMessages(const txRowMove *r, float *texels) {
  float *out = r->out;
  for (int to = 0; to < gridRows(r); to++)
    for (int i = 0; i < r->moves->count && to != gridRow(r); i++) {
      if (!travels(r, i, gridRow(r), to))
        continue;
      const float *from = numbersOf(r, texels, placeOf(r, r->moves->source[i]));
      for (int c = 0; c < widthOf(r); c += 2, from += 4) {
        *out++ = from[0];
        *out++ = from[1];
      }
    }
}

/* arrived <- what has come, as texels */
static void readMessages(txRowMove *r) {
  const float *in = r->in;
  for (int from = 0; from < gridRows(r); from++)
    for (int i = 0; i < r->moves->count && from != gridRow(r); i++) {
      if (!travels(r, i, from, gridRow(r)))
        continue;
      float *to = numbersOf(r, r->arrived, r->arrivals);
      r->arrival[r->arrivals++] = r->moves->source[i];
      for (int c = 0; c < widthOf(r); c += 2, to += 4) {
        to[0] = *in++;
        to[1] = *in++;
      }
    }
}

/* ---- On the device --------------------------------------------------------------------------- */

/* Rows of texels to be rendered: quads, of which each has two rows of the source. */
typedef struct quads {
  float *data;
  int count;
} quads;

static void addQuad(quads *q, int first, int end, int y, int a, int b) {
  static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  for (int v = 0; v < 6; v++) {
    float *at = q->data + 4 * (size_t)(6 * q->count + v);
    at[0] = (float)((corner[v][0] ? end : first) / 2);
    at[1] = (float)(y + corner[v][1]);
    at[2] = (float)a;
    at[3] = (float)b;
  }
  q->count++;
}

/* Room for `count` rows of texels. */
static quads newQuads(const txRowMove *r, int count) {
  return (quads){txClusterAllocate(r->plu->cluster, 24 * (size_t)count, sizeof(float), "a step"),
                 0};
}

/* Renders the quads, whose columns are the source's `shift` columns of texels further right, and
 * frees them. */
static void render(const txRowMove *r, txTexture *target, const txTexture *source, int shift,
                   quads *q) {
  clCluster *c = r->plu->cluster;
  txVertices *vertices = NULL;
  if (q->count) {
    txClusterMust(c, txVerticesCreate(&vertices, c->context, call, q->data, 6 * q->count,
                                      (const int[]){2, 2}, 2));
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

/* The new rows of block k, right of the panel. */
static txTexture *renderBlock(const txRowMove *r) {
  clCluster *c = r->plu->cluster;
  int height = r->plu->A->pitch / 2;
  txTexture *block = NULL;
  txClusterMust(c, txTextureCreate(&block, c->context, call, TX_RGBA32F, widthOf(r) / 2, height));
  quads q = newQuads(r, height);
  for (int i = 0; i < height; i++) {
    int place[2];
    for (int k = 0; k < 2; k++)
      place[k] = 2 * i + k < r->s->width ? placeOf(r, r->moves->source[2 * i + k]) : -1;
    addQuad(&q, 0, widthOf(r), i, place[0], place[1]);
  }
  render(r, block, r->gathered, 0, &q);
  return block;
}

/* All other rows to their places. */
static void scatter(const txRowMove *r) {
  int *place = txClusterAllocate(r->plu->cluster, 2 * (size_t)r->pairs, sizeof *place, "a step");
  bool home = gridRow(r) == r->s->row_owner;
  for (int i = 0; i < 2 * r->pairs; i++)
    place[i] = i;
  for (int i = 0; i < r->moves->count; i++)
    if (mine(r, r->moves->row[i]))
      place[placeOfOwn(r, localOf(r, r->moves->row[i]))] = placeOf(r, r->moves->source[i]);
  quads q = newQuads(r, r->pairs);
  /* U12 follows in block k */
  for (int i = 0; i < r->pairs; i++)
    if (r->left || !home || 2 * r->pair[i] >= r->s->next_row)
      addQuad(&q, r->first, r->end, r->pair[i], place[2 * i], place[2 * i + 1]);
  render(r, r->plu->texture, r->gathered, -r->first / 2, &q);
  free(place);
}

/* ---- A part's three calls -------------------------------------------------------------------- */

txRowMove *txRowMoveStart(clBlockPlu *plu, const txStep *s, const txMoves *moves, int first,
                          int end, bool left) {
  clCluster *c = plu->cluster;
  txRowMove *r = txClusterAllocate(c, 1, sizeof *r, "a step");
  *r = (txRowMove){.plu = plu, .s = s, .moves = moves, .first = first, .end = end, .left = left};
  listPairs(r);
  bool alone = gridRows(r) == 1;
  int width = widthOf(r) / 2, most = r->pairs + (alone ? 0 : txHalf(moves->count));
  txClusterMust(c, txTextureCreate(&r->gathered, c->context, call, TX_RGBA32F, width, most));
  quads q = newQuads(r, r->pairs);
  for (int i = 0; i < r->pairs; i++)
    addQuad(&q, 0, widthOf(r), i, 2 * r->pair[i], 2 * r->pair[i] + 1);
  render(r, r->gathered, plu->texture, first / 2, &q);
  if (!alone && r->pairs)
    txClusterMust(c, txReadStart(&r->read, r->gathered, call, (txRect){0, 0, width, r->pairs}));
  return r;
}

void txRowMoveSend(txRowMove *r) {
  clCluster *c = r->plu->cluster;
  int ranks = gridRows(r);
  if (ranks == 1)
    return;
  float *texels =
      txClusterAllocate(c, (size_t)widthOf(r) * 2 * (size_t)r->pairs, sizeof *texels, "a step");
  if (r->read)
    txClusterMust(c, txReadFinish(r->read, call, texels));
  r->counts = txClusterAllocate(c, 4 * (size_t)ranks, sizeof *r->counts, "a step");
  int64_t received = countMessages(r);
  writeMessages(r, texels);
  free(texels);
  double began = txTrafficBegin();
  MPI_Ialltoallv(r->out, r->counts, r->counts + ranks, MPI_FLOAT, r->in, r->counts + 2 * ranks,
                 r->counts + 3 * ranks, MPI_FLOAT, r->plu->A->col, &r->request);
  txTrafficEnd(c, began, received * (int64_t)sizeof(float));
}

/* gathered <- what other ranks have sent, too */
static void receive(txRowMove *r) {
  clCluster *c = r->plu->cluster;
  size_t width = (size_t)widthOf(r), most = (size_t)r->moves->count;
  r->arrival = txClusterAllocate(c, most, sizeof *r->arrival, "a step");
  r->arrived =
      txClusterAllocate(c, 2 * width * (most + 1) / 2 + 2 * width, sizeof *r->arrived, "a step");
  double began = txTrafficBegin();
  txWaitall(c, 1, &r->request);
  c->traffic.seconds += txNow() - began;
  readMessages(r);
  if (r->arrivals)
    txClusterMust(c, txTextureWrite(r->gathered, call,
                                    (txRect){0, r->pairs, (int)width / 2, txHalf(r->arrivals)},
                                    r->arrived));
}

txTexture *txRowMoveFinish(txRowMove *r) {
  if (gridRows(r) > 1)
    receive(r);
  txTexture *block = r->left ? NULL : renderBlock(r);
  scatter(r);
  txTextureDestroy(r->gathered);
  free(r->arrived);
  free(r->arrival);
  free(r->out);
  free(r->in);
  free(r->counts);
  free(r->pair);
  free(r);
  return block;
}

/* ---- The formula ----------------------------------------------------------------------------- */

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
      bytes += number * ((int64_t)A->pitch + (int64_t)A->pitch * A->pitch +
                         (int64_t)(s.rows - s.next_row) * A->pitch);
    txMovesDestroy(&m);
  }
  return bytes;
}
