/* The operators on vectors and the device's limits; then double-float beside single precision. */
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
#define BLAS(name, function) .peer = {{name, function}}
#else
#define BLAS(name, function) .peer = {{NULL, NULL}}
#endif

#include "suite.h"

/* Powers of two, so that products with them are exact. */
static const float A = 0.5f, B = 2;

/* Operands and results of n numbers, on the device and on the host. */
typedef struct Data {
  int64_t n;
  clVector *x, *y, *z[2];
  clFloat *s[2], *row, *column;
  float *hx, *hy, *hz;
} Data;

/* A repetition; those of the device write to z or s alternately. */
#define RUN(name, call)                                                                            \
  static clStatus name(txBench *bench, void *data, int64_t i) {                                    \
    Data *d = data;                                                                                \
    clVector *z = d->z[i & 1];                                                                     \
    clFloat *s = d->s[i & 1];                                                                      \
    (void)bench, (void)z, (void)s;                                                                 \
    return call;                                                                                   \
  }
/* Every second repetition of z + a x subtracts, so that z stays what it is. */
RUN(limitFill, txBenchProbeRun(bench, TX_BENCH_FILL, i))
RUN(limitFetch, txBenchProbeRun(bench, TX_BENCH_FETCH, i))
RUN(limitArithmetic, txBenchProbeRun(bench, TX_BENCH_ARITHMETIC, i))
RUN(fill, clVectorFill(z, B))
RUN(copy, clVectorCopy(z, d->x))
RUN(scale, clVectorScale(z, B, NULL, d->x))
RUN(axpy, clVectorAxpy(z, A *(float)txBenchSign(i >> 1), NULL, d->x))
RUN(triad, clVectorAdd(z, 1, NULL, d->y, A, NULL, d->x))
RUN(add, clVectorAdd(z, A, NULL, d->x, B, NULL, d->y))
RUN(mul, clVectorMul(z, d->x, d->y))
RUN(quotient, clVectorDiv(z, d->x, d->y))
RUN(sum, clVectorSum(s, d->x))
RUN(dot, clVectorDot(s, d->x, d->y))
RUN(norm, clVectorNorm(s, d->x))
RUN(least, clVectorMin(s, d->x))
RUN(absMax, clVectorAbsMax(s, d->x))
RUN(argMax, clVectorArgMax(s, d->row, d->column, d->x))
RUN(upload, clVectorUpload(z, d->hx))
RUN(download, clVectorDownload(d->x, d->hz))
RUN(copyBytes, (memcpy(d->hz, d->hx, (size_t)d->n * sizeof *d->hz), TEXLA_OK))
#if TEXLA_HAVE_CBLAS
RUN(blasCopy, (cblas_scopy((int)d->n, d->hx, 1, d->hz, 1), TEXLA_OK))
RUN(blasAxpy, (cblas_saxpy((int)d->n, A *(float)txBenchSign(i), d->hx, 1, d->hz, 1), TEXLA_OK))
RUN(blasDot, (d->hz[0] = cblas_sdot((int)d->n, d->hx, 1, d->hy, 1), TEXLA_OK))
RUN(blasNorm, (d->hz[0] = cblas_snrm2((int)d->n, d->hx, 1), TEXLA_OK))
RUN(blasArgMax, (d->hz[0] = (float)cblas_isamax((int)d->n, d->hx, 1), TEXLA_OK))
#endif
#undef RUN

/* z of y + a x after one repetition; s of x.y, relative to the sum of magnitudes. */
static clStatus checkAxpy(txBench *bench, void *data, double *error) {
  Data *d = data;
  double off = 0, size = 0;
  TRY(triad(bench, d, 0));
  TRY(clVectorDownload(d->z[0], d->hz));
  for (int64_t i = 0; i < d->n; i++) {
    double exact = (double)d->hy[i] + (double)A * (double)d->hx[i];
    off += pow((double)d->hz[i] - exact, 2);
    size += exact * exact;
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}
static clStatus checkDot(txBench *bench, void *data, double *error) {
  Data *d = data;
  double exact = 0, size = 0;
  float value = 0;
  TRY(dot(bench, d, 0));
  TRY(clFloatDownload(d->s[0], &value));
  for (int64_t i = 0; i < d->n; i++) {
    exact += (double)d->hx[i] * (double)d->hy[i];
    size += fabs((double)d->hx[i] * (double)d->hy[i]);
  }
  *error = fabs((double)value - exact) / size;
  return TEXLA_OK;
}

/* Bytes that must be moved: each vector once, a transfer once over the bus. */
static const txBenchCase cases[] = {
    {"limit: fill", limitFill, 0, "GB/s"},
    {"limit: fetch", limitFetch, 0, "GB/s"},
    {"limit: arithmetic", limitArithmetic, 0, "GFLOP/s"},
    {"fill", fill, 4, "GB/s", {4}},
    {"copy", copy, 8, "GB/s", {4, 4}, BLAS("openblas", blasCopy)},
    {"scale", scale, 8, "GB/s", {4, 4}},
    {"axpy", axpy, 12, "GB/s", {4, 8}, BLAS("openblas", blasAxpy)},
    {"z = y + a x", triad, 12, "GB/s", {4, 8}, .check = checkAxpy},
    {"add", add, 12, "GB/s", {4, 8}},
    {"mul", mul, 12, "GB/s", {4, 8}},
    {"div", quotient, 12, "GB/s", {4, 8}},
    {"sum", sum, 4, "GB/s", {0, 4}},
    {"dot", dot, 8, "GB/s", {0, 8}, BLAS("openblas", blasDot), .check = checkDot},
    {"norm", norm, 4, "GB/s", {0, 4}, BLAS("openblas", blasNorm)},
    {"min", least, 4, "GB/s", {0, 4}},
    {"absmax", absMax, 4, "GB/s", {0, 4}},
    {"argmax", argMax, 4, "GB/s", {0, 4}, BLAS("openblas", blasArgMax)},
    {"upload", upload, 4, "GB/s", {0}, {{"memcpy", copyBytes}}},
    {"download", download, 4, "GB/s", {0}, {{"memcpy", copyBytes}}}};

/* y is away from zero, so that quotients are harmless. */
static clStatus prepare(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  clFloat **number[] = {&d->s[0], &d->s[1], &d->row, &d->column};
  d->n = (int64_t)size * size;
  bench->measure = (double)d->n;
  d->hx = txBenchNoiseOf(bench, d->n, 42, -1, 1);
  d->hy = txBenchNoiseOf(bench, d->n, 43, 0.5f, 1.5f);
  d->hz = txBenchZeros(bench, d->n);
  d->x = txBenchVectorOf(bench, (int32_t)d->n, 0, d->hx);
  d->y = txBenchVectorOf(bench, (int32_t)d->n, 0, d->hy);
  for (int k = 0; k < 2; k++)
    d->z[k] = txBenchVectorOf(bench, (int32_t)d->n, 0, NULL);
  for (int k = 0; k < 4; k++)
    TX_BENCH_MAKE(clFloat, number[k], bench->context);
  return txBenchProbesCreate(bench, d->n);
}

/* The limits' own rows: their work is that of the pass. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  const Data *d = data;
  static const txBenchRun limits[] = {limitFill, limitFetch, limitArithmetic};
  snprintf(c->size, sizeof c->size, "%lld", (long long)d->n);
  for (int k = 0; k < TX_BENCH_LIMITS; k++)
    if (c->run == limits[k])
      c->work = txBenchProbeWork(bench->probes, (txBenchLimit)k) / bench->measure;
  return TEXLA_OK;
}

const txBenchSuite txBenchVector = {.name = "vector",
                                    .size = {2048},
                                    .quick = 256,
                                    .bytes = sizeof(Data),
                                    .prepare = prepare,
                                    .begin = begin,
                                    TX_BENCH_CASES(cases)};

/* ---- precision: single, double-float and double, on the five-point matrix ---- */

typedef struct Pairs {
  int64_t n;
  clTriplets *A;
  clMatrix *matrix;
  clVector *x, *b, *r[2];
  clDoubleVector *dx, *db, *dr[2];
  clDouble *s[2];
  double *hx, *hb, *hr;
} Pairs;

#define RUN(name, call)                                                                            \
  static clStatus name(txBench *bench, void *data, int64_t i) {                                    \
    Pairs *d = data;                                                                               \
    (void)bench, (void)i;                                                                          \
    return call;                                                                                   \
  }
RUN(residualSingle,
    clMatrixVectorOp(d->r[i & 1], TEXLA_OP_B_MINUS_AX, d->matrix, TEXLA_NO_TRANSPOSE, d->x, d->b))
RUN(residualRounded, clMatrixResidualRounded(d->r[i & 1], 1, d->matrix, d->dx, d->db))
RUN(residualDouble, clMatrixResidualDouble(d->dr[i & 1], d->matrix, d->dx, d->db))
RUN(axpySingle, clVectorAdd(d->r[i & 1], 1, NULL, d->b, 0.5f, NULL, d->x))
RUN(axpyDouble, clDoubleVectorAdd(d->dr[i & 1], 1, NULL, d->db, 0.5, NULL, d->dx))
RUN(dotOfSingles, clVectorDotDouble(d->s[i & 1], d->x, d->b))
RUN(dotDouble, clDoubleVectorDot(d->s[i & 1], d->dx, d->db))
RUN(uploadDouble, clDoubleVectorUpload(d->dr[i & 1], d->hx))
RUN(hostResidual, (clTripletsResidual(d->hr, d->A, d->hx, d->hb), TEXLA_OK))
RUN(copyDoubles, (memcpy(d->hr, d->hx, (size_t)d->n * sizeof *d->hr), TEXLA_OK))
#if TEXLA_HAVE_CBLAS
RUN(blasAxpyDouble, (cblas_daxpy((int)d->n, txBenchSign(i) / 2, d->hx, 1, d->hr, 1), TEXLA_OK))
RUN(blasDotDouble, (d->hr[0] = cblas_ddot((int)d->n, d->hx, 1, d->hb, 1), TEXLA_OK))
#endif
#undef RUN

/* ||r - exact|| / ||exact|| of the residual on the device, single or pair. */
static clStatus residualError(Pairs *d, bool pair, double *error) {
  double off = 0, size = 0, *got = d->hr + d->n;
  if (pair)
    TRY(clDoubleVectorDownload(d->dr[0], got));
  else
    TRY(clVectorDownloadDouble(d->r[0], got));
  clTripletsResidual(d->hr, d->A, d->hx, d->hb);
  for (int64_t k = 0; k < d->n; k++) {
    off += (got[k] - d->hr[k]) * (got[k] - d->hr[k]);
    size += d->hr[k] * d->hr[k];
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}
static clStatus checkSingle(txBench *bench, void *data, double *error) {
  TRY(residualSingle(bench, data, 0));
  return residualError(data, false, error);
}
static clStatus checkRounded(txBench *bench, void *data, double *error) {
  TRY(residualRounded(bench, data, 0));
  return residualError(data, false, error);
}
static clStatus checkDouble(txBench *bench, void *data, double *error) {
  TRY(residualDouble(bench, data, 0));
  return residualError(data, true, error);
}

static const txBenchCase precisions[] = {
    {"residual, single",
     residualSingle,
     10,
     "GFLOP/s",
     {4, 8},
     {{"host", hostResidual}},
     checkSingle},
    {"residual, df64 to float",
     residualRounded,
     10,
     "GFLOP/s",
     {4, 16},
     {{"host", hostResidual}},
     checkRounded},
    {"residual, df64",
     residualDouble,
     10,
     "GFLOP/s",
     {8, 16},
     {{"host", hostResidual}},
     checkDouble},
    {"axpy, single", axpySingle, 2, "GFLOP/s", {4, 8}, BLAS("openblas", blasAxpyDouble)},
    {"axpy, df64", axpyDouble, 2, "GFLOP/s", {8, 16}, BLAS("openblas", blasAxpyDouble)},
    {"dot, df64 of floats", dotOfSingles, 2, "GFLOP/s", {0, 8}, BLAS("openblas", blasDotDouble)},
    {"dot, df64", dotDouble, 2, "GFLOP/s", {0, 16}, BLAS("openblas", blasDotDouble)},
    {"upload, doubles", uploadDouble, 8, "GB/s", {0}, {{"memcpy", copyDoubles}}}};

/* x nearly solves A x = b; both have no more digits than a float, so that all rows have the same
 * numbers. */
static clStatus preparePairs(txBench *bench, void *data, int32_t size) {
  Pairs *d = data;
  d->n = (int64_t)size * size;
  bench->measure = (double)d->n;
  float *noise = txBenchNoiseOf(bench, d->n, 42, -1, 1);
  d->hx = txBenchDoubles(bench, d->n);
  d->hb = txBenchDoubles(bench, d->n);
  d->hr = txBenchDoubles(bench, 2 * d->n);
  TX_BENCH_GENERATE(&d->A, clGeneratePoisson2d(&d->A, size, size, NULL));
  TRY(bench->status);
  for (int64_t k = 0; k < d->n; k++)
    d->hx[k] = (double)noise[k];
  clTripletsMulVector(d->hb, d->A, d->hx);
  for (int64_t k = 0; k < d->n; k++)
    d->hb[k] = (double)(float)(d->hb[k] + 1e-3 * (double)noise[d->n - 1 - k]);
  TX_BENCH_MAKE(clMatrix, &d->matrix, bench->context, d->A, NULL);
  clVector **single[] = {&d->x, &d->b, &d->r[0], &d->r[1]};
  clDoubleVector **pair[] = {&d->dx, &d->db, &d->dr[0], &d->dr[1]};
  for (int k = 0; k < 4; k++) {
    txBenchKeep(bench, clMatrixCreateVector(single[k], d->matrix, TEXLA_RANGE), single[k],
                txDropclVector);
    TRY(bench->status);
    txBenchKeep(bench, clDoubleVectorCreateLike(pair[k], *single[k]), pair[k],
                txDropclDoubleVector);
  }
  for (int k = 0; k < 2; k++)
    TX_BENCH_MAKE(clDouble, &d->s[k], bench->context);
  TRY(bench->status);
  TRY(clDoubleVectorUpload(d->dx, d->hx));
  TRY(clDoubleVectorUpload(d->db, d->hb));
  TRY(clVectorUploadDouble(d->x, d->hx));
  TRY(clVectorUploadDouble(d->b, d->hb));
  return txBenchProbesCreate(bench, d->n);
}

const txBenchSuite txBenchPrecision = {.name = "precision",
                                       .size = {1024},
                                       .quick = 256,
                                       .bytes = sizeof(Pairs),
                                       .prepare = preparePairs,
                                       TX_BENCH_CASES(precisions)};
