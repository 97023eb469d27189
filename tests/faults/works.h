/* What brings its own threads, or needs no device at all. */
#ifndef TEXLA_TESTS_FAULTS_WORKS_H
#define TEXLA_TESTS_FAULTS_WORKS_H

#include "common.h"
#include "faults/scenarios.h"

/* A failed call leaves x as it was (zeros). `every`: each allocation fails in turn, not only
 * some of them. */
enum { NUMBERS = 8 };
typedef struct Work {
  const char *name;
  clStatus (*run)(double x[NUMBERS], clError *error);
  double wanted[NUMBERS];
  bool every;
} Work;

static const clContextOptions plain = {.no_tuning_cache = true, .elements = 4096};

/* x <- A A, by a queue that is made for it. */
static clStatus runQueue(double x[NUMBERS], clError *error) {
  double values[] = {4, 1, 1, 3};
  const clHostMatrix A = {TEXLA_HOST_DOUBLE, 2, 2, 0, 0, values},
                     out = {TEXLA_HOST_DOUBLE, 2, 2, 0, 0, x};
  OWN(clQueue) *queue = NULL;
  clQueueId a = 0, product = 0;
  TRY(clQueueCreate(&queue, &(clQueueOptions){.context = &plain}, error));
  TRY(clQueuePut(queue, &a, &A, error));
  TRY(clQueueSubmit(queue, "multiply", (clQueueOperand[]){{a, 0}, {a, 0}}, 2, &product, 1, error));
  return clQueueFetch(queue, product, &out, -1, error);
}

/* A function of one's own among operations, one that is cancelled before it begins, a result that
 * is read before it is asked for. */
static clStatus twiceOf(void *user, clContext *context, const clVector *const *operand,
                        clVector *result) {
  (void)user, (void)context;
  return clVectorScale(result, 2, NULL, operand[0]);
}

static clStatus runBackground(double x[NUMBERS], clError *error) {
  double ones[] = {1, 2}, values[NUMBERS] = {0};
  const clHostMatrix b = {TEXLA_HOST_DOUBLE, 2, 1, 0, 0, ones},
                     out = {TEXLA_HOST_DOUBLE, 2, 1, 0, 0, values};
  /* 4 -1; -1 4 */
  OWN(clTriplets) *A = NULL, *square = NULL;
  OWN(clQueue) *queue = NULL;
  clQueueId a = 0, v = 0, aa = 0, square_of = 0, product = 0, twice = 0, never = 0;
  int64_t rows = 0, cols = 0;
  TRY(clGeneratePoisson2d(&A, 2, 1, error));
  TRY(clQueueCreate(&queue, &(clQueueOptions){.context = &plain}, error));
  TRY(clQueuePutTriplets(queue, &a, A, error));
  TRY(clQueuePut(queue, &v, &b, error));
  TRY(clQueueSubmit(queue, "multiply", (clQueueOperand[]){{a, 0}, {v, 0}}, 2, &product, 1, error));
  TRY(clQueueSubmit(queue, "multiply", (clQueueOperand[]){{a, 0}, {a, 0}}, 2, &aa, 1, error));
  TRY(clQueueFormula(queue, "x * x", (clQueueOperand[]){{v, 0}}, 1, &square_of, error));
  TRY(clQueueFetchTriplets(queue, aa, &square, -1, error));
  TRY(clQueueCall(queue, "twice", twiceOf, NULL, &product, 1, 2, 1, &twice, error));
  TRY(clQueueShape(queue, twice, &rows, &cols, error));
  TRY(clQueueRead(queue, twice, error));
  TRY(clQueueWait(queue, twice, -1, error));
  TRY(clQueueRetain(queue, twice, error));
  TRY(clQueueRelease(queue, twice, error));
  clQueueHold(queue, true);
  clStatus status =
      clQueueSubmit(queue, "inverse", (clQueueOperand[]){{a, 0}}, 1, &never, 1, error);
  if (!status)
    status = clQueueCancel(queue, never, error);
  clQueueHold(queue, false);
  TRY(status);
  TRY(clQueueFetch(queue, twice, &out, -1, error));
  TRY(clQueueDrain(queue, -1, error));
  memcpy(x, values, sizeof values);
  return TEXLA_OK;
}

/* A matrix, a vector and a terrain go through files. */
enum { FILES = 4 };
static void removeFiles(char (*name)[FILES][64]) {
  for (int k = 0; k < FILES; k++)
    remove((*name)[k]);
}

static clStatus runFiles(double x[NUMBERS], clError *error) {
  AT_END(removeFiles) char name[FILES][64];
  const double values[3] = {1, 2, 3};
  float ground[4] = {4, 5, 6, 7};
  const clTerrain written = {.nx = 2, .ny = 2, .cell = 1, .height = ground};
  OWN(clTriplets) *A = NULL, *B = NULL;
  FREED double *y = NULL;
  int64_t count = 0;
  AT_END(clTerrainFree) clTerrain terrain = {0};
  for (int k = 0; k < FILES; k++)
    snprintf(name[k], sizeof name[k], "/tmp/texla-test-%ld-%d", (long)getpid(), k);
  TRY(clGeneratePoisson2d(&A, 3, 3, error));
  TRY(clMatrixMarketWrite(name[0], A, true, NULL, error));
  TRY(clMatrixMarketWriteVector(name[1], values, 3, NULL, error));
  TRY(clMatrixMarketWriteArray(name[3], values, 3, 1, NULL, error));
  TRY(clTerrainWrite(name[2], &written, error));
  TRY(clMatrixMarketRead(&B, name[0], error));
  TRY(clMatrixMarketReadVector(&y, &count, name[1], error));
  TRY(clTerrainRead(&terrain, name[2], error));
  x[0] = (double)B->count, x[1] = B->value[0];
  for (int k = 0; k < 3; k++)
    x[2 + k] = y[k], x[5 + k] = (double)terrain.height[k];
  return TEXLA_OK;
}

/* Matrices on the host: made, turned, in rows and back. */
static clStatus runMatrices(double x[NUMBERS], clError *error) {
  enum { N = 4, MOST = 64 };
  const int32_t diagonal[N] = {0, 1, 2, 3}, offsets[] = {-1, 0, 1};
  const double ones[N] = {1, 1, 1, 1};
  OWN_ARRAY(clTriplets, 6) * made[6] = {NULL};
  OWN(clTriplets) *T = NULL, *A = NULL, *B = NULL;
  int64_t start[N + 1];
  int32_t col[MOST];
  double value[MOST];
  TRY(clGenerateDense(&made[0], N, 1, error));
  TRY(clGenerateDominant(&made[1], N, 1, error));
  TRY(clGenerateConditioned(&made[2], N, 10, true, 1, error));
  TRY(clGenerateBanded(&made[3], N, offsets, 3, 1, error));
  TRY(clGenerateFemPlate(&made[4], N, error));
  TRY(clGenerateAnisotropic(&made[5], N, N, 0.1, error));
  TRY(clTripletsCreate(&T, N, N, 1, error));
  TRY(clTripletsAddMany(T, N, diagonal, diagonal, ones, error));
  TRY(clTripletsAdd(T, 1, 2, 5, error));
  TRY(clTripletsCompress(T, error));
  TRY(clTripletsToCsr(T, start, col, value, error));
  TRY(clTripletsFromCsr(&A, N, N, start, col, value, error));
  TRY(clTripletsTranspose(&B, A, error));
  for (int k = 0; k < N + 1; k++)
    x[k] = (double)B->row[k] + B->value[k];
  return TEXLA_OK;
}

/* Crout's method on the host, in both precisions. */
static clStatus runCrout(double x[NUMBERS], clError *error) {
  const double A[4] = {4, 1, 1, 3};
  const float a[4] = {4, 1, 1, 3};
  double Z[4], L[4], U[4];
  float z[4], l[4], u[4];
  TRY(clCroutHost(Z, A, 2, TEXLA_CROUT_SCALE_BOTH, NULL, error));
  TRY(clCroutHostSplit(L, U, Z, 2, error));
  TRY(clCroutHostFloat(z, a, 2, TEXLA_CROUT_SCALE_BOTH, NULL, error));
  TRY(clCroutHostFloatSplit(l, u, z, 2, error));
  for (int k = 0; k < 4; k++)
    x[k] = L[k] * U[3], x[4 + k] = (double)(l[k] * u[3]);
  return TEXLA_OK;
}

#endif
