/* What suites measure on: contexts, numbers and objects, all of which the run destroys. */
#include <stdlib.h>
#include <string.h>

#include "gl/traits.h"
#include "program/program.h"
#include "suite.h"

/* The message of the library is that of its last call, so it is kept with the status. */
static void fail(txBench *bench, clStatus status) {
  if (bench->status)
    return;
  bench->status = status;
  bench->error = *clContextError(bench->context);
  if (bench->error.status != status)
    bench->error = (clError){.status = status};
}

void txBenchKeep(txBench *bench, clStatus status, const void *place, void (*drop)(void *object)) {
  void *object;
  memcpy(&object, place, sizeof object);
  if (!status && bench->count == TX_BENCH_KEPT) {
    drop(object);
    status = TEXLA_OUT_OF_MEMORY;
  }
  if (status) {
    fail(bench, status);
    return;
  }
  bench->kept[bench->count].object = object;
  bench->kept[bench->count++].drop = drop;
}

void txBenchDrop(txBench *bench, int count) {
  while (bench->count > count) {
    bench->count--;
    bench->kept[bench->count].drop(bench->kept[bench->count].object);
  }
}

/* If the host's processors shade, small problems have a context without worker threads: as `texla
 * solve` opens it. */
clStatus txBenchUse(txBench *bench, int64_t elements) {
  clError error = {0};
  bench->context = bench->large;
  if (elements > TX_FEW_ELEMENTS || !clContextInspect(bench->large)->software)
    return TEXLA_OK;
  if (!bench->small && txProgramOpen(&bench->small, bench->program, elements, &error)) {
    bench->error = error;
    return bench->status = error.status;
  }
  bench->context = bench->small;
  return TEXLA_OK;
}

clStatus txBenchProfile(txBench *bench, int64_t elements, clPassListener listener, void *data) {
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions profiled = {
      .elements = elements, .profile = true, .listener = listener, .listener_user = data};
  clStatus status = txProgramOpenWith(&context, bench->program, false, &profiled, &error);
  if (status) {
    bench->error = error;
    return bench->status = status;
  }
  txBenchKeep(bench, TEXLA_OK, &context, txDropclContext);
  bench->context = context;
  return bench->status;
}

/* Zeros of `size` bytes, at the beginning of a cache line. */
static void *allocate(txBench *bench, size_t size) {
  size_t bytes = (size + 63) & ~(size_t)63;
  void *memory = aligned_alloc(64, bytes);
  clStatus status = TEXLA_OK;
  if (memory)
    memset(memory, 0, bytes);
  else
    status = TEXLA_OUT_OF_MEMORY;
  txBenchKeep(bench, status, &memory, free);
  return memory;
}

float *txBenchZeros(txBench *bench, int64_t n) {
  return allocate(bench, (size_t)n * sizeof(float));
}

double *txBenchDoubles(txBench *bench, int64_t n) {
  return allocate(bench, (size_t)n * sizeof(double));
}

float *txBenchNoiseOf(txBench *bench, int64_t n, uint64_t seed, float least, float most) {
  float *x = txBenchZeros(bench, n);
  if (x)
    txBenchNoise(x, n, seed, least, most);
  return x;
}

clVector *txBenchVectorOf(txBench *bench, int32_t nx, int32_t ny, const float *values) {
  clVector *x = NULL;
  if (ny)
    txBenchKeep(bench, clVectorCreateGrid(&x, bench->context, nx, ny), &x, txDropclVector);
  else
    TX_BENCH_MAKE(clVector, &x, bench->context, nx);
  if (x && values && clVectorUpload(x, values))
    fail(bench, clContextError(bench->context)->status);
  return x;
}

clDense *txBenchDenseOf(txBench *bench, int rows, int cols, const float *values) {
  clDense *A = NULL;
  TX_BENCH_MAKE(clDense, &A, bench->context, rows, cols);
  if (A && values && clDenseUpload(A, values, cols))
    fail(bench, clContextError(bench->context)->status);
  return A;
}

clTriplets *txBenchFile(txBench *bench, int number) {
  clTriplets *A = NULL;
  clError error = {0};
  bench->at = number;
  if (!clMatrixMarketRead(&A, bench->file[number], &error))
    txBenchKeep(bench, TEXLA_OK, &A, txDropclTriplets);
  if (A && A->rows != A->cols) {
    error.status = TEXLA_BAD_SHAPE;
    snprintf(error.message, sizeof error.message, "%d x %d, not square", A->rows, A->cols);
  }
  if (error.status) {
    bench->error = error;
    bench->status = error.status;
  }
  return A;
}

double txBenchResidual(const clTriplets *A, const double *x, const double *b) {
  double norm = 0;
  for (int32_t k = 0; k < A->rows; k++)
    norm += b[k] * b[k];
  return clTripletsResidual(NULL, A, x, b) / sqrt(norm);
}

const char *txBenchTemporary(void) {
  const char *folder = getenv("TMPDIR");
  return folder ? folder : "/tmp";
}
