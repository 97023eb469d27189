/* The storage points: vertex arrays. */
#include "objects/matrix_points.h"

#include <stdlib.h>

enum { FLOATS = 10, LARGEST = 1 << 24 };
static const int components[] = {4, 4, 2};

static clStatus noMemory(const clMatrix *A, const char *call) {
  return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the points of %lld entries",
                (long long)A->count);
}

static int64_t pointsOf(const int64_t *start, int32_t row) {
  return (start[row + 1] - start[row] + 3) / 4;
}

/* first[k + 1] <- how many points layers 0 to k have. */
static clStatus countLayers(txPoints *p, const clMatrix *A, const char *call, const int64_t *start) {
  for (int32_t i = 0; i < A->rows; i++)
    if (pointsOf(start, i) > p->layers)
      p->layers = pointsOf(start, i);
  p->first = calloc((size_t)p->layers + 2, sizeof *p->first);
  if (!p->first)
    return noMemory(A, call);
  for (int32_t i = 0; i < A->rows; i++)
    p->first[pointsOf(start, i)]++; /* rows of exactly so many points */
  int64_t rows = 0;
  for (int64_t k = p->layers; k > 0; k--) {
    rows += p->first[k];
    p->first[k] = rows; /* rows of k points or more: the points of layer k - 1 */
  }
  p->first[0] = 0;
  for (int64_t k = 0; k < p->layers; k++)
    p->first[k + 1] += p->first[k];
  return TEXLA_OK;
}

/* Point k of row i. Free pairs hold 0 and a position that is read anyway. */
static void fillPoint(float *point, const txPoints *p, const clMatrix *A, const clTriplets *T, int64_t entry,
                      int64_t end) {
  int32_t i = T->row[entry];
  for (int q = 0; q < 4; q++) {
    int64_t e = entry + q < end ? entry + q : end - 1;
    point[q] = (float)txGatherPosition(&p->gather, &A->col_layout, T->col[e]);
    point[4 + q] = entry + q < end ? (float)T->value[e] : 0;
  }
  point[8] = (float)(i % A->row_layout.row);
  point[9] = (float)(i / A->row_layout.row);
}

static clStatus fillPoints(txPoints *p, const clMatrix *A, const char *call, const clTriplets *T,
                           const int64_t *start) {
  int64_t count = p->first[p->layers];
  if (!count)
    return TEXLA_OK;
  float *data = malloc((size_t)count * FLOATS * sizeof *data);
  int64_t *next = malloc((size_t)p->layers * sizeof *next);
  clStatus status = data && next ? TEXLA_OK : noMemory(A, call);
  for (int64_t k = 0; k < p->layers && !status; k++)
    next[k] = p->first[k];
  for (int32_t i = 0; i < A->rows && !status; i++)
    for (int64_t k = 0; k < pointsOf(start, i); k++)
      fillPoint(data + FLOATS * next[k]++, p, A, T, start[i] + 4 * k, start[i + 1]);
  if (!status)
    status = txVerticesCreate(&p->vertices, A->context, call, data, count, components, 3);
  free(data);
  free(next);
  return status;
}

static clStatus checkSizes(const txPoints *p, const clMatrix *A, const char *call) {
  int limit = clContextInspect(A->context)->max_texture_size;
  if (p->gather.positions > LARGEST)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "points holds columns as floats: %d columns are too many (the limit is %d); use the storage csr or "
                  "slots",
                  A->cols, LARGEST);
  if (txUnpackedWidth(&A->row_layout) > limit)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "points accumulates one element to a texel: %d rows need a texture %lld wide, but the limit is %d",
                  A->rows, (long long)txUnpackedWidth(&A->row_layout), limit);
  return TEXLA_OK;
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows, const clMatrixOptions *options) {
  (void)options;
  txPoints *p = A->data = calloc(1, sizeof *p);
  if (!p)
    return noMemory(A, call);
  clStatus status = txGatherCreate(&p->gather, A, call, rows);
  if (!status)
    status = checkSizes(p, A, call);
  if (status)
    return status;
  int64_t *start = txRowStarts(A, call, rows);
  if (!start)
    return TEXLA_OUT_OF_MEMORY;
  status = countLayers(p, A, call, start);
  if (!status)
    status = fillPoints(p, A, call, rows->A, start);
  if (!status)
    txMatrixDescribe(A, ", %d x %d, %lld entries in %lld points", A->rows, A->cols, (long long)A->count,
                     (long long)p->first[p->layers]);
  free(start);
  return status;
}

static void destroy(clMatrix *A) {
  txPoints *p = A->data;
  if (!p)
    return;
  txGatherDestroy(&p->gather);
  txVerticesDestroy(p->vertices);
  free(p->first);
  free(p);
}

const txStorageLife txPointsLife = {create, destroy};
