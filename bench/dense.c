/* Dense matrices: products, many small products in a pass, Gauss-Jordan and PLU, beside OpenBLAS
 * and LAPACK. */
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
/* LAPACK's, column-major. */
extern void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *ipiv, int *info);
#endif

#include "dense/entries.h"
#include "suite.h"

/* Square matrices; G is [A b] for Gauss-Jordan. On the host row by row; `work` is what peers
 * overwrite. */
typedef struct Data {
  int n;
  clDense *A, *B, *C[2], *G, *R;
  clPlu *plu;
  float *a, *b, *g, *work;
  int *pivots;
  /* Order of the blocks of a batch. */
  int block;
} Data;

#define RUN(name, call)                                                                            \
  static clStatus name(txBench *bench, void *data, int64_t i) {                                    \
    Data *d = data;                                                                                \
    (void)bench, (void)i;                                                                          \
    return call;                                                                                   \
  }
RUN(multiply,
    clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0))
RUN(multiplySingle, txDenseMultiply("texla bench", d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A,
                                    TEXLA_NO_TRANSPOSE, d->B, 0, TX_PRODUCT_SINGLE))
RUN(multiplyInPasses, clDenseMultiplyPasses(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A,
                                            TEXLA_NO_TRANSPOSE, d->B, 0, (d->n + 63) / 64))
RUN(factor, clPluFactor(d->plu, d->A, NULL))
RUN(reduce, clDenseRref(d->R, d->G, NULL, NULL, NULL))
RUN(multiplyBlocks,
    clDenseMultiplyBatch(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0,
                         d->n / d->block, d->n / d->block))
#undef RUN

/* Peers are not waited for, so those on the device wait themselves: the plain single-pass product
 * of the documents, and the product beside eliminations. */
static clStatus singleTexel(txBench *bench, void *data, int64_t i) {
  TRY(multiplySingle(bench, data, i));
  return clContextSynchronize(bench->context);
}
static clStatus product(txBench *bench, void *data, int64_t i) {
  TRY(multiply(bench, data, i));
  return clContextSynchronize(bench->context);
}

#if TEXLA_HAVE_CBLAS
static clStatus blasProduct(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  (void)bench, (void)i;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, d->n, d->n, d->n, 1, d->a, d->n, d->b,
              d->n, 0, d->work, d->n);
  return TEXLA_OK;
}

/* LAPACK overwrites its matrix. Rows are columns for it: it factors A^T, in the same time. */
static clStatus blasFactor(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  int info = 0;
  (void)bench, (void)i;
  memcpy(d->work, d->a, (size_t)d->n * (size_t)d->n * sizeof *d->work);
  sgetrf_(&d->n, &d->n, d->work, &d->n, d->pivots, &info);
  return info ? TEXLA_SINGULAR : TEXLA_OK;
}

static clStatus blasBlocks(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  (void)bench, (void)i;
  for (int row = 0; row < d->n; row += d->block)
    for (int col = 0; col < d->n; col += d->block) {
      int64_t at = (int64_t)row * d->n + col;
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, d->block, d->block, d->block, 1,
                  d->a + at, d->n, d->b + at, d->n, 0, d->work + at, d->n);
    }
  return TEXLA_OK;
}
#define PEERS(name, blas, other, run) .peer = {{name, blas}, {other, run}}
#else
#define PEERS(name, blas, other, run) .peer = {{other, run}}
#endif

/* y <- M v in double, of the rows of a matrix on the host; part: -1 the strictly lower triangle
 * with ones on the diagonal, 1 the upper triangle, 0 all. */
static void multiplyVector(double *y, const float *M, const double *v, int n, int part) {
  for (int i = 0; i < n; i++) {
    int first = 0, end = n;
    y[i] = 0;
    if (part > 0)
      first = i;
    if (part < 0) {
      end = i;
      y[i] = v[i];
    }
    for (int j = first; j < end; j++)
      y[i] += (double)M[(int64_t)i * n + j] * v[j];
  }
}

/* ||got - exact|| / ||exact|| */
static double errorOf(const double *got, const double *exact, int n) {
  double off = 0, size = 0;
  for (int i = 0; i < n; i++) {
    off += (got[i] - exact[i]) * (got[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return sqrt(off / size);
}

/* The product with v = 1, -1, 1, ... in double shows errors of the whole matrix: C v and A (B
 * v). */
static clStatus checkProductBy(txBench *bench, void *data, double *error,
                               clStatus (*run)(txBench *, void *, int64_t)) {
  const Data *d = data;
  double *v = txBenchDoubles(bench, 4 * (int64_t)d->n), *w = v + d->n, *exact = w + d->n,
         *got = exact + d->n;
  TRY(bench->status);
  TRY(run(bench, data, 0));
  TRY(clDenseDownload(d->C[0], d->work, d->n));
  for (int i = 0; i < d->n; i++)
    v[i] = txBenchSign(i);
  multiplyVector(w, d->b, v, d->n, 0);
  multiplyVector(exact, d->a, w, d->n, 0);
  multiplyVector(got, d->work, v, d->n, 0);
  *error = errorOf(got, exact, d->n);
  return TEXLA_OK;
}

static clStatus checkProduct(txBench *bench, void *data, double *error) {
  return checkProductBy(bench, data, error, multiply);
}
static clStatus checkPasses(txBench *bench, void *data, double *error) {
  return checkProductBy(bench, data, error, multiplyInPasses);
}

/* P A v and L (U v). */
static clStatus checkPlu(txBench *bench, void *data, double *error) {
  const Data *d = data;
  int n = d->n;
  double *v = txBenchDoubles(bench, 5 * (int64_t)n), *w = v + n, *exact = w + n, *got = exact + n,
         *turned = got + n;
  TRY(bench->status);
  TRY(factor(bench, data, 0));
  TRY(clDenseDownload(clPluFactors(d->plu), d->work, n));
  for (int i = 0; i < n; i++)
    v[i] = txBenchSign(i);
  multiplyVector(w, d->work, v, n, 1);
  multiplyVector(got, d->work, w, n, -1);
  multiplyVector(exact, d->a, v, n, 0);
  for (int i = 0; i < n; i++)
    turned[i] = exact[clPluRows(d->plu)[i]];
  *error = errorOf(got, turned, n);
  return TEXLA_OK;
}

/* R's last column x solves A x = b. */
static clStatus checkRref(txBench *bench, void *data, double *error) {
  const Data *d = data;
  int n = d->n;
  double *x = txBenchDoubles(bench, 3 * (int64_t)n), *got = x + n, *b = got + n;
  float *R = txBenchZeros(bench, (int64_t)n * (n + 1));
  TRY(bench->status);
  TRY(reduce(bench, data, 0));
  TRY(clDenseDownload(d->R, R, n + 1));
  for (int i = 0; i < n; i++) {
    x[i] = (double)R[(int64_t)i * (n + 1) + n];
    b[i] = (double)d->g[(int64_t)i * (n + 1) + n];
  }
  multiplyVector(got, d->a, x, n, 0);
  *error = errorOf(got, b, n);
  return TEXLA_OK;
}

/* Operations of LINPACK's count: n^3 for Gauss and Jordan, two thirds of it for PLU. A fragment of
 * the product computes at most 4 x 2 texels: 6 fetches of 16 bytes for 8 products of 16
 * operations. */
static const txBenchCase cases[] = {{"product",
                                     multiply,
                                     2,
                                     "GFLOP/s",
                                     {0, 2 * 6. * 16 / (8 * 16), 2},
                                     PEERS("openblas", blasProduct, "single_texel", singleTexel),
                                     checkProduct},
                                    {"product, passes of 64 terms",
                                     multiplyInPasses,
                                     2,
                                     "GFLOP/s",
                                     {0},
                                     {{"single_pass", product}},
                                     checkPasses},
                                    {"gauss-jordan",
                                     reduce,
                                     1,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_lu", blasFactor, "product", product),
                                     checkRref},
                                    {"plu",
                                     factor,
                                     2. / 3,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_lu", blasFactor, "product", product),
                                     checkPlu}};

static clStatus prepareSquares(txBench *bench, Data *d, int32_t n) {
  int64_t count = (int64_t)n * n;
  d->n = n;
  d->a = txBenchNoiseOf(bench, count, 44, -1, 1);
  d->b = txBenchNoiseOf(bench, count, 45, -1, 1);
  d->work = txBenchZeros(bench, count);
  d->A = txBenchDenseOf(bench, n, n, d->a);
  d->B = txBenchDenseOf(bench, n, n, d->b);
  for (int k = 0; k < 2; k++)
    d->C[k] = txBenchDenseOf(bench, n, n, NULL);
  TRY(bench->status);
  return txBenchProbesCreate(bench, (int64_t)1 << 22);
}

static clStatus prepare(txBench *bench, void *data, int32_t n) {
  Data *d = data;
  bench->measure = pow(n, 3);
  TRY(prepareSquares(bench, d, n));
  d->g = txBenchNoiseOf(bench, (int64_t)n * (n + 1), 46, -1, 1);
  d->pivots = (int *)(void *)txBenchZeros(bench, n);
  TRY(bench->status);
  for (int i = 0; i < n; i++)
    memcpy(d->g + (int64_t)i * (n + 1), d->a + (int64_t)i * n, (size_t)n * sizeof *d->a);
  d->G = txBenchDenseOf(bench, n, n + 1, d->g);
  d->R = txBenchDenseOf(bench, n, n + 1, NULL);
  TX_BENCH_MAKE(clPlu, &d->plu, bench->context, n, n, NULL);
  return bench->status;
}

const txBenchSuite txBenchDense = {.name = "dense",
                                   .size = {256, 512, 1024, 2048},
                                   .quick = 256,
                                   .bytes = sizeof(Data),
                                   .prepare = prepare,
                                   TX_BENCH_CASES(cases)};

/* ---- Many small products in a pass: blocks of A by the blocks of B in the same places ---- */

static const int orders[] = {4, 8, 16, 32, 64};
#define BATCH(k)                                                                                   \
  {                                                                                                \
    "batch", multiplyBlocks, 2, "GFLOP/s", PEERS("openblas", blasBlocks, NULL, NULL),              \
        .options = &orders[k]                                                                      \
  }
static const txBenchCase batches[] = {BATCH(0), BATCH(1), BATCH(2), BATCH(3), BATCH(4)};

static clStatus beginBatch(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  double entries = (double)d->n * d->n;
  d->block = *(const int *)c->options;
  bench->measure = entries * d->block;
  c->needs[TX_BENCH_FILL] = 4. / d->block;
  c->needs[TX_BENCH_FETCH] = 8. / d->block;
  c->needs[TX_BENCH_ARITHMETIC] = 2;
  snprintf(c->size, sizeof c->size, "%dx%d^2", (d->n / d->block) * (d->n / d->block), d->block);
  return TEXLA_OK;
}

static clStatus prepareBatch(txBench *bench, void *data, int32_t n) {
  return prepareSquares(bench, data, n / 64 * 64 + 64 * (n < 64));
}

const txBenchSuite txBenchBatch = {.name = "dense",
                                   .size = {1024},
                                   .quick = 256,
                                   .bytes = sizeof(Data),
                                   .prepare = prepareBatch,
                                   .begin = beginBatch,
                                   TX_BENCH_CASES(batches)};
