/* LU without pivoting: the fixed-point iteration on the device beside Crout's method in order on
 * the CPU, in single precision and in double, and PLU. */
#include <string.h>

#include "suite.h"

/* A matrix as doubles and floats, and factors. */
typedef struct Data {
  int n;
  double *A, *Z;
  float *a, *z;
  clDense *device;
  clCroutSweep sweep;
} Data;

/* With set-up, as in the document; the matrix is on the device. */
static clStatus iterate(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  clCrout *crout = NULL;
  clCroutReport report = {0};
  const clCroutOptions options = {.sweep = d->sweep};
  (void)i;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clCroutCreate(&crout, bench->context, d->n, &options));
  TRY_CLEANUP(clCroutFactor(crout, d->device, &report));
  TRY_CLEANUP(clDenseDownload(clCroutFactors(crout), d->z, d->n));
cleanup:
  bench->facts.iterations = report.sweeps;
  bench->facts.passes = report.passes;
  clCroutDestroy(crout);
  return status;
}

static clStatus inOrder(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  (void)bench, (void)i;
  return clCroutHostFloat(d->z, d->a, d->n, TEXLA_CROUT_SCALE_NONE, NULL, NULL);
}

static clStatus inOrderDouble(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  (void)bench, (void)i;
  return clCroutHost(d->Z, d->A, d->n, TEXLA_CROUT_SCALE_NONE, NULL, NULL);
}

static clStatus plu(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  clPlu *factors = NULL;
  (void)i;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clPluCreate(&factors, bench->context, d->n, d->n, NULL));
  TRY_CLEANUP(clPluFactor(factors, d->device, NULL));
cleanup:
  clPluDestroy(factors);
  return status == TEXLA_RANK_DEFICIENT ? TEXLA_OK : status;
}

/* max |A - L U| / max |A|, row by row; zeros of L cost nothing. */
static double differenceOf(const Data *d, double *row) {
  size_t n = (size_t)d->n;
  double worst = 0, largest = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(row, d->A + i * n, n * sizeof *row);
    for (size_t j = 0; j < n; j++)
      largest = fmax(largest, fabs(row[j]));
    for (size_t k = 0; k <= i; k++) {
      double l = (double)d->z[i * n + k];
      if (l == 0)
        continue;
      row[k] -= l;
      for (size_t j = k + 1; j < n; j++)
        row[j] -= l * (double)d->z[k * n + j];
    }
    for (size_t j = 0; j < n; j++)
      worst = fmax(worst, fabs(row[j]));
  }
  return worst / largest;
}

static clStatus check(txBench *bench, void *data, double *error) {
  Data *d = data;
  double *row = txBenchDoubles(bench, d->n);
  TRY(bench->status);
  TRY(iterate(bench, data, 0));
  *error = differenceOf(d, row);
  return TEXLA_OK;
}
static clStatus checkInOrder(txBench *bench, void *data, double *error) {
  Data *d = data;
  double *row = txBenchDoubles(bench, d->n);
  TRY(bench->status);
  TRY(inOrder(bench, data, 0));
  *error = differenceOf(d, row);
  return TEXLA_OK;
}

/* The document's effective bandwidth: 5 n^2 numbers, whatever was really moved. */
static const clCroutSweep tiles = TEXLA_CROUT_SWEEP_TILES, entries = TEXLA_CROUT_SWEEP_ENTRIES;
static const txBenchCase cases[] = {
    {"iteration, tiles",
     iterate,
     20,
     "GB/s",
     {0},
     {{"in_order", inOrder}, {"plu", plu}},
     check,
     &tiles},
    {"iteration, entries", iterate, 20, "GB/s", {0}, {{"in_order", inOrder}}, check, &entries},
    {"in order",
     inOrder,
     20,
     "GB/s",
     {0},
     {{"in_order_double", inOrderDouble}},
     checkInOrder,
     &tiles}};

static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  (void)bench;
  d->sweep = *(const clCroutSweep *)c->options;
  snprintf(c->size, sizeof c->size, "%d", d->n);
  return TEXLA_OK;
}

/* Entries that are given twice are summed. */
static clStatus load(txBench *bench, Data *d, const clTriplets *T) {
  enum { MOST = 8192 };
  int64_t count = (int64_t)T->rows * T->rows;
  if (T->rows > MOST) {
    bench->error = (clError){.status = TEXLA_TOO_LARGE};
    snprintf(bench->error.message, sizeof bench->error.message, "%d rows, more than %d", T->rows,
             MOST);
    return bench->status = TEXLA_TOO_LARGE;
  }
  d->n = T->rows;
  bench->measure = (double)count;
  d->A = txBenchDoubles(bench, count);
  d->Z = txBenchDoubles(bench, count);
  d->a = txBenchZeros(bench, count);
  d->z = txBenchZeros(bench, count);
  TRY(bench->status);
  for (int64_t k = 0; k < T->count; k++)
    d->A[(int64_t)T->row[k] * d->n + T->col[k]] += T->value[k];
  for (int64_t k = 0; k < count; k++)
    d->a[k] = (float)d->A[k];
  TRY(txBenchUse(bench, count));
  d->device = txBenchDenseOf(bench, d->n, d->n, d->a);
  return bench->status;
}

/* A dominant matrix of that order, or a file. */
static clStatus prepare(txBench *bench, void *data, int32_t size) {
  clTriplets *T = NULL;
  if (bench->files)
    T = txBenchFile(bench, size);
  else
    TX_BENCH_GENERATE(&T, clGenerateDominant(&T, size, 1, NULL));
  TRY(bench->status);
  return load(bench, data, T);
}

const txBenchSuite txBenchCrout = {.name = "crout",
                                   .size = {128, 256, 512, 1024},
                                   .quick = 96,
                                   .bytes = sizeof(Data),
                                   .prepare = prepare,
                                   .begin = begin,
                                   .files = true,
                                   TX_BENCH_CASES(cases)};
