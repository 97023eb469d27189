/* Weighted least squares as Jung and O'Leary (2008) measured them: m unknowns, n = 2 m
 * observations, uniform random numbers between 0 and 1; the squares of weights random (table 1) or
 * from 1e-4 to 1e4 (table 2). Errors against LAPACK's QR in double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"

#if TEXLA_HAVE_CBLAS
/* LAPACK's least squares by QR, column-major; with lwork = -1 they only tell the best size of
 * work. */
extern void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
                   const int *lda, double *b, const int *ldb, double *work, const int *lwork,
                   int *info);
extern void sgels_(const char *trans, const int *m, const int *n, const int *nrhs, float *a,
                   const int *lda, float *b, const int *ldb, float *work, const int *lwork,
                   int *info);

/* What the paper printed: relative errors of the first solution and the refined one, refinement
 * steps. */
typedef struct Printed {
  int m;
  double first, refined;
  int steps;
} Printed;
static const Printed printed[2][4] = {{{512, 3.11e-4, 3.37e-13, 4},
                                       {1024, 3.10e-4, 4.25e-13, 4},
                                       {1536, 4.61e-4, 6.96e-13, 4},
                                       {2048, 1.01e-3, 1.76e-12, 5}},
                                      {{512, 2.92e-2, 1.16e-10, 7},
                                       {1024, 7.19e-2, 2.01e-10, 10},
                                       {1536, 9.35e-2, 2.37e-10, 13},
                                       {2048, 1.13e-1, 3.41e-10, 15}}};

/* A, weights, right-hand side and both solutions. */
typedef struct Problem {
  /* unknowns, observations */
  int m, n;
  clTriplets *A;
  /* wide: room for A and b, column by column */
  double *b, *d, *x, *exact, *wide;
  float *single;
} Problem;

/* The squares of weights are noise (table 1), or the weights go from 1e-2 to 1e2 evenly in their
 * logarithm (`ill`, table 2), which makes the normal equations ill-conditioned. */
static clStatus create(Problem *p, int m, bool ill) {
  size_t n = 2 * (size_t)m, count = n * (size_t)m;
  float *noise = malloc((count + 2 * n) * sizeof *noise);
  *p = (Problem){.m = m, .n = 2 * m};
  p->b = malloc(2 * n * sizeof *p->b);
  p->x = malloc(2 * (size_t)m * sizeof *p->x);
  p->wide = malloc((count + n) * sizeof *p->wide);
  p->single = malloc((count + n) * sizeof *p->single);
  clStatus status = TEXLA_OK;
  if (!noise || !p->b || !p->x || !p->wide || !p->single)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  p->d = p->b + n;
  p->exact = p->x + m;
  txBenchNoise(noise, (int64_t)(count + 2 * n), 50, 0, 1);
  TRY_CLEANUP(clTripletsCreate(&p->A, p->n, m, (int64_t)count, NULL));
  for (size_t k = 0; k < count; k++)
    TRY_CLEANUP(clTripletsAdd(p->A, (int32_t)(k / (size_t)m), (int32_t)(k % (size_t)m),
                              (double)noise[k], NULL));
  for (size_t i = 0; i < n; i++) {
    p->b[i] = (double)noise[count + i];
    p->d[i] = sqrt((double)noise[count + n + i]);
    if (ill)
      p->d[i] = pow(10, -2 + 4.0 * (double)i / (double)(n - 1));
  }
  TRY_CLEANUP(clTripletsCompress(p->A, NULL));
cleanup:
  free(noise);
  return status;
}

/* Also what has never been made. */
static void release(Problem *p) {
  clTripletsDestroy(p->A);
  free(p->b);
  free(p->x);
  free(p->wide);
  free(p->single);
}

/* exact <- LAPACK's solution in double; *seconds: the time of one in single. */
static clStatus solveOnHost(Problem *p, double *seconds) {
  int one = 1, info = 0, lwork = -1;
  size_t n = (size_t)p->n;
  /* D A and D b: the weighted problem is an ordinary one of these. */
  for (int64_t k = 0; k < p->A->count; k++)
    p->wide[(size_t)p->A->col[k] * n + (size_t)p->A->row[k]] = p->d[p->A->row[k]] * p->A->value[k];
  for (size_t i = 0; i < n; i++)
    p->wide[n * (size_t)p->m + i] = p->d[i] * p->b[i];
  for (size_t k = 0; k < n * ((size_t)p->m + 1); k++)
    p->single[k] = (float)p->wide[k];
  double *rhs = p->wide + n * (size_t)p->m, best;
  float *single_rhs = p->single + n * (size_t)p->m;
  dgels_("N", &p->n, &p->m, &one, p->wide, &p->n, rhs, &p->n, &best, &lwork, &info);
  lwork = (int)best;
  double *work = malloc((size_t)lwork * sizeof *work);
  if (!work)
    return TEXLA_OUT_OF_MEMORY;
  dgels_("N", &p->n, &p->m, &one, p->wide, &p->n, rhs, &p->n, work, &lwork, &info);
  memcpy(p->exact, rhs, (size_t)p->m * sizeof *rhs);
  /* Memory for doubles is enough for as many floats. */
  double start = txNow();
  sgels_("N", &p->n, &p->m, &one, p->single, &p->n, single_rhs, &p->n, (float *)work, &lwork,
         &info);
  *seconds = txNow() - start;
  free(work);
  if (info)
    return TEXLA_SINGULAR;
  return TEXLA_OK;
}

/* ||x - exact|| / ||exact||. */
static double errorOf(const Problem *p) {
  double sum = 0, size = 0;
  for (int j = 0; j < p->m; j++) {
    sum += (p->x[j] - p->exact[j]) * (p->x[j] - p->exact[j]);
    size += p->exact[j] * p->exact[j];
  }
  return sqrt(sum / size);
}

/* What a row of the table tells. */
typedef struct Outcome {
  double first, refined, seconds, peer_seconds;
  /* to the paper's tolerance */
  clLeastSquaresReport report;
} Outcome;

/* One solution with a tolerance and a limit of corrections. */
static clStatus solveTo(txBench *bench, Problem *p, double tolerance, int most,
                        clLeastSquaresReport *report) {
  clLeastSquares *s = NULL;
  clLeastSquaresOptions o = {
      .tolerance = tolerance, .max_iterations = most, .method = TEXLA_LEAST_SQUARES_CHOLESKY};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clLeastSquaresCreate(&s, bench->context, p->A, &o));
  TRY_CLEANUP(clLeastSquaresWeigh(s, p->d));
  TRY_CLEANUP(clLeastSquaresSolve(s, p->x, p->b, report));
cleanup:
  clLeastSquaresDestroy(s);
  if (status == TEXLA_NOT_CONVERGED)
    return TEXLA_OK;
  return status;
}

/* Without corrections, to the paper's tolerance, and as far as it goes. */
static clStatus measure(txBench *bench, Problem *p, Outcome *o) {
  clLeastSquaresReport report;
  TRY(solveOnHost(p, &o->peer_seconds));
  /* compiles and chooses variants, too */
  TRY(solveTo(bench, p, 0, 1, &report));
  o->first = errorOf(p);
  TRY(solveTo(bench, p, 1e-8, 100, &o->report));
  o->seconds = o->report.seconds_assemble + o->report.seconds_factor + o->report.seconds_refine;
  TRY(solveTo(bench, p, 0, 0, &report));
  o->refined = errorOf(p);
  return TEXLA_OK;
}

/* The paper's numbers stand beside those of its sizes; for others its row has no steps. */
static void report(txBench *bench, int table, const Printed *paper, int m, const Outcome *o) {
  const clLeastSquaresReport *r = &o->report;
  if (bench->table) {
    printf("table %d, m %5d   first %.2e refined %.2e steps %2d (%d by gradients)", table + 1, m,
           o->first, o->refined, r->iterations, r->gradient_iterations);
    if (paper->steps)
      printf("   paper %.2e %.2e %2d", paper->first, paper->refined, paper->steps);
    printf("   %.0f ms: assembly %.0f, factor %.0f, refinement %.0f; sgels %.0f\n",
           1e3 * o->seconds, 1e3 * r->seconds_assemble, 1e3 * r->seconds_factor,
           1e3 * r->seconds_refine, 1e3 * o->peer_seconds);
  }
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonInteger(json, "table", table + 1);
  txJsonInteger(json, "m", m);
  txJsonNumber(json, "first_error", o->first);
  txJsonNumber(json, "refined_error", o->refined);
  txJsonInteger(json, "iterations", r->iterations);
  txJsonInteger(json, "gradient_iterations", r->gradient_iterations);
  txJsonNumber(json, "paper_first_error", paper->first);
  txJsonNumber(json, "paper_refined_error", paper->refined);
  txJsonInteger(json, "paper_iterations", paper->steps);
  txJsonNumber(json, "seconds_assemble", r->seconds_assemble);
  txJsonNumber(json, "seconds_factor", r->seconds_factor);
  txJsonNumber(json, "seconds_refine", r->seconds_refine);
  txJsonNumber(json, "cpu_openblas_sgels", o->peer_seconds);
  txJsonClose(json);
}

/* Without --size the sizes of the paper. */
static clStatus runRow(txBench *bench, int table, int k) {
  Problem p = {0};
  Outcome o = {0};
  int m = (int)txBenchSide(bench, 64 << k, printed[table][k].m);
  static const Printed nothing = {.first = NAN, .refined = NAN};
  const Printed *paper = &nothing;
  for (int i = 0; i < 4; i++)
    if (m == printed[table][i].m)
      paper = &printed[table][i];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&p, m, table == 1));
  TRY_CLEANUP(measure(bench, &p, &o));
  report(bench, table, paper, m, &o);
cleanup:
  release(&p);
  return status;
}
#endif

/* Both tables of the paper. Without LAPACK there is nothing to compare with. */
clStatus txBenchLeastSquares(txBench *bench) {
#if TEXLA_HAVE_CBLAS
  int count = bench->quick ? 2 : 4;
  if (bench->size)
    count = 1;
  if (bench->table)
    printf("\nleast squares: errors relative to LAPACK's QR in double; steps to a correction of "
           "1e-8\n");
  for (int table = 0; table < 2; table++)
    for (int k = 0; k < count; k++) {
      clStatus status = runRow(bench, table, k);
      if (status)
        return txBenchForgive(bench, "least squares", status);
    }
#endif
  return TEXLA_OK;
}
