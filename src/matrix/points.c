/* Only the non-zeros, in a vertex array (K5; J. Krueger, R. Westermann: Linear algebra operators
 * for GPU implementation of numerical algorithms, 2003): a point holds four (position in x, value)
 * pairs of a row and is drawn where the row lives; blending adds the points of a row. No residual
 * in double-float, and one vector at a time: the storages csr and slots have both. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "matrix/gather.h"
#include "vector/unpack.h"

#include <stdlib.h>

/* LARGEST: positions that a float holds exactly. */
enum { FLOATS = 10, LARGEST = 1 << 24 };

typedef struct points {
  txGather gather;
  /* A vertex has four positions, four values, and the column and row of its element in the texture;
   * NULL where there are no entries. */
  txVertices *vertices;
} points;

/* Entries entry .. entry + 3 of a row that ends before `end`. Free pairs hold 0 and a position that
 * is read anyway. */
static void pointsFillOne(float *point, const points *p, const clMatrix *A, const clTriplets *T,
                          int64_t entry, int64_t end) {
  int32_t i = T->row[entry];
  for (int q = 0; q < 4; q++) {
    int64_t e = txLeast64(entry + q, end - 1);
    point[q] = (float)txGatherPosition(&p->gather, &A->col_layout, T->col[e]);
    point[4 + q] = 0;
    if (entry + q < end)
      point[4 + q] = (float)T->value[e];
  }
  point[8] = (float)(i % A->row_layout.row);
  point[9] = (float)(i / A->row_layout.row);
}

/* Row after row, four entries to a point. */
static clStatus pointsFill(points *p, const clMatrix *A, const char *call, const clTriplets *T,
                           const int64_t *start, int64_t count) {
  static const int components[] = {4, 4, 2};
  float *data =
      txAllocate(txContextError(A->context), call, (size_t)count * FLOATS, sizeof *data, "points");
  if (!data)
    return TEXLA_OUT_OF_MEMORY;
  float *point = data;
  for (int32_t i = 0; i < A->rows; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e += 4, point += FLOATS)
      pointsFillOne(point, p, A, T, e, start[i + 1]);
  clStatus status = txVerticesCreate(&p->vertices, A->context, call, data, count, components, 3);
  free(data);
  return status;
}

static clStatus pointsCheck(const points *p, const clMatrix *A, const char *call) {
  clError *error = txContextError(A->context);
  if (!clContextInspect(A->context)->probes.blendable)
    return txFail(error, TEXLA_UNSUPPORTED, call,
                  "points are added by blending, which this device cannot do with floats; use the "
                  "storage csr or slots");
  if (p->gather.positions > LARGEST)
    return txFail(error, TEXLA_TOO_LARGE, call,
                  "points holds columns as floats: %d columns are too many (the limit is %d); use "
                  "the storage csr or slots",
                  A->cols, LARGEST);
  return TEXLA_OK;
}

static clStatus pointsCreate(clMatrix *A, const char *call, const txRows *rows,
                             const clMatrixOptions *options) {
  (void)options;
  points *p = A->data = txAllocate(txContextError(A->context), call, 1, sizeof *p, "points");
  if (!p)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txGatherCreate(&p->gather, A, call, rows));
  TRY(pointsCheck(p, A, call));
  int64_t *start = txRowStarts(A, call, rows), count = 0;
  if (!start)
    return TEXLA_OUT_OF_MEMORY;
  for (int32_t i = 0; i < A->rows; i++)
    count += txCeilDiv64(start[i + 1] - start[i], 4);
  clStatus status = TEXLA_OK;
  if (count)
    TRY_CLEANUP(pointsFill(p, A, call, rows->A, start, count));
  txMatrixDescribe(A, ", %d x %d, %lld entries in %lld points", A->rows, A->cols,
                   (long long)A->count, (long long)count);
cleanup:
  free(start);
  return status;
}

static void pointsDestroy(clMatrix *A) {
  points *p = A->data;
  if (!p)
    return;
  txGatherDestroy(&p->gather);
  txVerticesDestroy(p->vertices);
  free(p);
}

/* target += ca A x; each point writes to one lane of a texel. */
static clStatus pointsDraw(const char *call, txTexture *target, float ca, const points *p,
                           const txTexture *x) {
  txPass pass = {.kernel = "points",
                 .vertex = "points",
                 .target = {target},
                 .source = {{"x", x, TX_EDGE}},
                 .uniform = {{"factor", 1, {ca}},
                             {"cell", 2, {2 / (float)target->width, 2 / (float)target->height}},
                             {"x_shift", 1, {(float)p->gather.shift}, .integer = true}},
                 .shape = TX_POINTS,
                 .vertices = p->vertices,
                 .add = true};
  return txPassRun(target->context, call, &pass);
}

/* y <- cb b */
static clStatus pointsStart(const char *call, clVector *y, float cb, const clVector *b) {
  if (!b)
    return txTextureClear(y->texture, call);
  txPass pass = {
      .kernel = "scale", .source = {{"x", b->texture, TX_EDGE}}, .uniform = {{"factor", 1, {cb}}}};
  return txVectorRun(call, &pass, y);
}

/* Into a fresh texture, because b may be y and a failed call leaves y as it was. */
static clStatus pointsMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                               bool transposed, const clVector *x, float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  txTexture *unpacked = NULL;
  if (transposed)
    TRY(txTransposed(call, A, &A));
  const points *p = A->data;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayoutTexture(&fresh.texture, y->context, call, &y->layout));
  TRY_CLEANUP(txUnpack(&unpacked, call, x));
  TRY_CLEANUP(pointsStart(call, &fresh, cb, b));
  if (p->vertices)
    TRY_CLEANUP(pointsDraw(call, fresh.texture, ca, p, unpacked));
  txTextureExchange(&y->texture, &fresh.texture);
cleanup:
  txTextureDestroy(unpacked);
  txTextureDestroy(fresh.texture);
  return status;
}

const txStorage txPointsStorage = {.create = pointsCreate,
                                   .destroy = pointsDestroy,
                                   .multiply = pointsMultiply,
                                   .diagonal = txGatherDiagonal};
