/* A D^2 A^T, Cholesky and QR beside OpenBLAS, texla's product and PLU; weighted least squares
 * beside LAPACK. */
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
/* LAPACK's, column-major: Cholesky, QR by Householder reflections, least squares. */
extern void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info);
extern void sgeqrf_(const int *m, const int *n, float *a, const int *lda, float *tau, float *work,
                    const int *lwork, int *info);
extern void sgels_(const char *trans, const int *m, const int *n, const int *nrhs, float *a,
                   const int *lda, float *b, const int *ldb, float *work, const int *lwork,
                   int *info);
extern void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
                   const int *lda, double *b, const int *ldb, double *work, const int *lwork,
                   int *info);
#endif

#include "suite.h"

/* A is m x 2m, B its transpose, C = A A^T; S is C for the factorizations. */
typedef struct Data {
  int m;
  clDense *A, *B, *C[2], *S;
  clVector *weights;
  clPacked *P;
  clCholesky *full, *packed;
  clPlu *plu;
  clQr *qr, *pivoting;
  /* A; C; a factor; B column by column, tau and scratch. */
  float *a, *c, *work, *b;
} Data;

#define RUN(name, call)                                                                            \
  static clStatus name(txBench *bench, void *data, int64_t i) {                                    \
    Data *d = data;                                                                                \
    (void)bench, (void)i;                                                                          \
    return call;                                                                                   \
  }
RUN(assembleFull, clDenseSyrk(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, d->weights, 0))
RUN(assemblePacked, clPackedSyrk(d->P, 1, TEXLA_NO_TRANSPOSE, d->A, d->weights, 0))
RUN(factorFull, clCholeskyFactor(d->full, d->S, NULL))
RUN(factorPacked, clCholeskyFactorPacked(d->packed, d->P, NULL))
RUN(factorQr, clQrFactor(d->qr, d->B, NULL))
RUN(factorQrPivoting, clQrFactor(d->pivoting, d->B, NULL))
RUN(submitProduct,
    clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0))
RUN(plu, clPluFactor(d->plu, d->S, NULL))
#if TEXLA_HAVE_CBLAS
RUN(blasSyrk, (cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, d->m, 2 * d->m, 1, d->a,
                           2 * d->m, 0, d->work, d->m),
               TEXLA_OK))
#endif
#undef RUN

/* Waited for, because peers are not. */
static clStatus product(txBench *bench, void *data, int64_t i) {
  TRY(submitProduct(bench, data, i));
  return clContextSynchronize(bench->context);
}

#if TEXLA_HAVE_CBLAS
/* In place, so that it begins with a copy. Row by row the lower triangle of C is LAPACK's upper
 * one. */
static clStatus blasCholesky(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  int info = 0;
  (void)bench, (void)i;
  memcpy(d->work, d->c, (size_t)d->m * (size_t)d->m * sizeof *d->work);
  spotrf_("U", &d->m, d->work, &d->m, &info);
  return info ? TEXLA_SINGULAR : TEXLA_OK;
}

/* A row of A is a column of B. */
static clStatus blasQr(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  int info = 0, n = 2 * d->m, lwork = 64 * d->m;
  size_t count = (size_t)n * (size_t)d->m;
  (void)bench, (void)i;
  memcpy(d->b, d->a, count * sizeof *d->b);
  sgeqrf_(&n, &d->m, d->b, &n, d->b + count, d->b + count + d->m, &lwork, &info);
  return info ? TEXLA_SINGULAR : TEXLA_OK;
}
#define PEERS(name, blas, other, run) .peer = {{name, blas}, {other, run}}
#else
#define PEERS(name, blas, other, run) .peer = {{other, run}}
#endif

/* ||C v - L (L^T v)|| / ||C v|| for v = 1, -1, 1, ...; `work` holds L row by row, or R = L^T. */
static clStatus squareError(txBench *bench, const Data *d, bool upper, double *error) {
  int m = d->m;
  double *u = txBenchDoubles(bench, m), off = 0, size = 0;
  TRY(bench->status);
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      u[j] += (double)d->work[upper ? (int64_t)j * m + i : (int64_t)i * m + j] * txBenchSign(i);
  for (int i = 0; i < m; i++) {
    double exact = 0, got = 0;
    for (int j = 0; j < m; j++)
      exact += (double)d->c[(int64_t)i * m + j] * txBenchSign(j);
    for (int j = 0; j <= i; j++)
      got += (double)d->work[upper ? (int64_t)j * m + i : (int64_t)i * m + j] * u[j];
    off += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}

static clStatus checkCholesky(txBench *bench, void *data, double *error) {
  const Data *d = data;
  TRY(factorPacked(bench, data, 0));
  clDense *L = txBenchDenseOf(bench, d->m, d->m, NULL);
  TRY(bench->status);
  TRY(clCholeskyLower(d->packed, L));
  TRY(clDenseDownload(L, d->work, d->m));
  return squareError(bench, d, false, error);
}

/* B = Q R, so that C = B^T B = R^T R. */
static clStatus checkQr(txBench *bench, void *data, double *error) {
  const Data *d = data;
  TRY(factorQr(bench, data, 0));
  clDense *R = txBenchDenseOf(bench, d->m, d->m, NULL);
  TRY(bench->status);
  TRY(clQrUpper(d->qr, R));
  TRY(clDenseDownload(R, d->work, d->m));
  return squareError(bench, d, true, error);
}

/* An assembly has half of the operations of the product of m x 2m and 2m x m. */
static const txBenchCase cases[] = {{"A D^2 A^T",
                                     assembleFull,
                                     2,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_ssyrk", blasSyrk, "product", product)},
                                    {"A D^2 A^T, packed",
                                     assemblePacked,
                                     2,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_ssyrk", blasSyrk, "product", product)},
                                    {"cholesky",
                                     factorFull,
                                     1. / 3,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_spotrf", blasCholesky, "plu", plu)},
                                    {"cholesky, packed",
                                     factorPacked,
                                     1. / 3,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_spotrf", blasCholesky, "plu", plu),
                                     checkCholesky},
                                    {"qr",
                                     factorQr,
                                     10. / 3,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_sgeqrf", blasQr, NULL, NULL),
                                     checkQr},
                                    {"qr, pivoting",
                                     factorQrPivoting,
                                     10. / 3,
                                     "GFLOP/s",
                                     {0},
                                     PEERS("openblas_sgeqrf", blasQr, NULL, NULL)}};

/* The host gets the product that the device has made, so that both factor the same matrix. */
static clStatus prepare(txBench *bench, void *data, int32_t m) {
  Data *d = data;
  const clCholeskyOptions packed = {.packed = true};
  const clQrOptions plain = {.no_pivoting = true};
  int64_t n = 2 * (int64_t)m;
  d->m = m;
  bench->measure = pow(m, 3);
  d->a = txBenchNoiseOf(bench, n * m, 49, -1, 1);
  d->c = txBenchZeros(bench, (int64_t)m * m);
  d->work = txBenchZeros(bench, (int64_t)m * m);
  d->b = txBenchZeros(bench, n * m + 65 * (int64_t)m);
  d->A = txBenchDenseOf(bench, m, (int)n, d->a);
  d->B = txBenchDenseOf(bench, (int)n, m, NULL);
  for (int k = 0; k < 2; k++)
    d->C[k] = txBenchDenseOf(bench, m, m, NULL);
  d->S = txBenchDenseOf(bench, m, m, NULL);
  d->weights = txBenchVectorOf(bench, (int32_t)n, 0, NULL);
  TX_BENCH_MAKE(clPacked, &d->P, bench->context, m, TEXLA_PACKING_2X2);
  TX_BENCH_MAKE(clCholesky, &d->full, bench->context, m, NULL);
  TX_BENCH_MAKE(clCholesky, &d->packed, bench->context, m, &packed);
  TX_BENCH_MAKE(clPlu, &d->plu, bench->context, m, m, NULL);
  TX_BENCH_MAKE(clQr, &d->qr, bench->context, (int)n, m, &plain);
  TX_BENCH_MAKE(clQr, &d->pivoting, bench->context, (int)n, m, NULL);
  TRY(bench->status);
  TRY(clDenseTranspose(d->B, d->A));
  TRY(clVectorFill(d->weights, 1));
  TRY(assemblePacked(bench, d, 0));
  TRY(clPackedToDense(d->S, d->P, true));
  return clDenseDownload(d->S, d->c, m);
}

const txBenchSuite txBenchTriangles = {.name = "triangles",
                                       .size = {256, 512, 1024, 2048},
                                       .quick = 256,
                                       .bytes = sizeof(Data),
                                       .prepare = prepare,
                                       TX_BENCH_CASES(cases)};

/* ---- Weighted least squares of Jung and O'Leary (2008): m unknowns, 2 m observations, uniform
 * noise in [0, 1); squares of weights are noise (table 1), or weights from 1e-2 to 1e2 (table 2),
 * which make the normal equations ill-conditioned ---- */

typedef struct Problem {
  int m, n;
  clTriplets *A;
  /* Right-hand side, weights of a table, solution and the exact one. */
  double *b, *d, *x, *exact;
  float *noise, *single, *work;
  clLeastSquaresOptions options;
} Problem;

static clStatus solve(txBench *bench, void *data, int64_t i) {
  Problem *p = data;
  clLeastSquares *s = NULL;
  clLeastSquaresReport report = {0};
  (void)i;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clLeastSquaresCreate(&s, bench->context, p->A, &p->options));
  TRY_CLEANUP(clLeastSquaresWeigh(s, p->d));
  TRY_CLEANUP(clLeastSquaresSolve(s, p->x, p->b, &report));
cleanup:
  bench->facts.iterations = report.iterations;
  bench->facts.setup = report.seconds_assemble + report.seconds_factor;
  clLeastSquaresDestroy(s);
  return status == TEXLA_NOT_CONVERGED ? TEXLA_OK : status;
}

#if TEXLA_HAVE_CBLAS
/* Single precision: D A and D b are copied first. */
static clStatus blasSquares(txBench *bench, void *data, int64_t i) {
  Problem *p = data;
  int one = 1, info = 0, lwork = 65 * p->n;
  int64_t n = p->n;
  float *b = p->single + n * p->m;
  (void)bench, (void)i;
  for (int64_t k = 0; k < n * p->m; k++)
    p->single[k % p->m * n + k / p->m] = (float)(p->d[k / p->m] * (double)p->noise[k]);
  for (int64_t k = 0; k < n; k++)
    b[k] = (float)(p->d[k] * p->b[k]);
  sgels_("N", &p->n, &p->m, &one, p->single, &p->n, b, &p->n, p->work, &lwork, &info);
  return info ? TEXLA_SINGULAR : TEXLA_OK;
}

/* exact <- LAPACK's solution in double. */
static clStatus solveExactly(txBench *bench, Problem *p) {
  int one = 1, info = 0, lwork = 65 * p->n;
  int64_t n = p->n, m = p->m;
  double *wide = txBenchDoubles(bench, n * (m + 1)), *work = txBenchDoubles(bench, lwork);
  TRY(bench->status);
  for (int64_t k = 0; k < n * m; k++)
    wide[k % m * n + k / m] = p->d[k / m] * (double)p->noise[k];
  for (int64_t k = 0; k < n; k++)
    wide[n * m + k] = p->d[k] * p->b[k];
  dgels_("N", &p->n, &p->m, &one, wide, &p->n, wide + n * m, &p->n, work, &lwork, &info);
  memcpy(p->exact, wide + n * m, (size_t)m * sizeof *p->exact);
  return info ? TEXLA_SINGULAR : TEXLA_OK;
}

/* ||x - exact|| / ||exact|| */
static clStatus checkSquares(txBench *bench, void *data, double *error) {
  Problem *p = data;
  double off = 0, size = 0;
  TRY(solveExactly(bench, p));
  TRY(solve(bench, p, 0));
  for (int j = 0; j < p->m; j++) {
    off += (p->x[j] - p->exact[j]) * (p->x[j] - p->exact[j]);
    size += p->exact[j] * p->exact[j];
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}
#define SQUARES(name, way)                                                                         \
  {                                                                                                \
    name, solve, 1, "solutions/s", .peer = {{"openblas_sgels", blasSquares}},                      \
                                   .check = checkSquares, .options = &(way)                        \
  }
#else
#define SQUARES(name, way)                                                                         \
  { name, solve, 1, "solutions/s", .options = &(way) }
#endif

/* The first solution, one to the paper's tolerance, and as far as it goes. */
typedef struct Way {
  bool ill;
  double tolerance;
  int most;
} Way;
static const Way first[] = {{false, 0, 1}, {true, 0, 1}},
                 paper[] = {{false, 1e-8, 100}, {true, 1e-8, 100}},
                 far[] = {{false, 0, 0}, {true, 0, 0}};
static const txBenchCase tables[] = {
    SQUARES("table 1, first", first[0]),   SQUARES("table 1, to 1e-8", paper[0]),
    SQUARES("table 1, refined", far[0]),   SQUARES("table 2, first", first[1]),
    SQUARES("table 2, to 1e-8", paper[1]), SQUARES("table 2, refined", far[1])};

static clStatus beginTable(txBench *bench, void *data, txBenchCase *c) {
  Problem *p = data;
  const Way *way = c->options;
  const float *squares = p->noise + (int64_t)p->n * (p->m + 1);
  (void)bench;
  p->options = (clLeastSquaresOptions){.tolerance = way->tolerance,
                                       .max_iterations = way->most,
                                       .method = TEXLA_LEAST_SQUARES_CHOLESKY};
  for (int i = 0; i < p->n; i++)
    p->d[i] = way->ill ? pow(10, -2 + 4.0 * i / (p->n - 1)) : sqrt((double)squares[i]);
  return TEXLA_OK;
}

static clStatus prepareTables(txBench *bench, void *data, int32_t m) {
  Problem *p = data;
  int64_t n = 2 * (int64_t)m, count = n * m;
  p->m = m;
  p->n = (int)n;
  p->noise = txBenchNoiseOf(bench, count + 2 * n, 50, 0, 1);
  p->single = txBenchZeros(bench, count + n);
  p->work = txBenchZeros(bench, 65 * n);
  p->b = txBenchDoubles(bench, n);
  p->d = txBenchDoubles(bench, n);
  p->x = txBenchDoubles(bench, m);
  p->exact = txBenchDoubles(bench, m);
  txBenchKeep(bench, clTripletsCreate(&p->A, p->n, m, count, NULL), &p->A, txDropclTriplets);
  TRY(bench->status);
  for (int64_t k = 0; k < count; k++)
    TRY(clTripletsAdd(p->A, (int32_t)(k / m), (int32_t)(k % m), (double)p->noise[k], NULL));
  for (int64_t i = 0; i < n; i++)
    p->b[i] = (double)p->noise[count + i];
  return clTripletsCompress(p->A, NULL);
}

const txBenchSuite txBenchLeastSquares = {.name = "triangles",
                                          .size = {512, 1024, 1536, 2048},
                                          .quick = 64,
                                          .bytes = sizeof(Problem),
                                          .prepare = prepareTables,
                                          .begin = beginTable,
                                          TX_BENCH_CASES(tables)};
