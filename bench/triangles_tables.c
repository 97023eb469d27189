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

/* Of a weight the noise is its square (table 1), or it goes from 1e-2 to 1e2 (table 2). */
static clStatus create(Problem *p, int m, bool ill) {
  size_t n = 2 * (size_t)m, count = n * (size_t)m;
  float *noise = malloc((count + 2 * n) * sizeof *noise);
  *p = (Problem){.m = m, .n = 2 * m};
  p->b = malloc(2 * n * sizeof *p->b);
  p->x = malloc(2 * (size_t)m * sizeof *p->x);
  p->wide = malloc((count + n) * sizeof *p->wide);
  p->single = malloc((count + n) * sizeof *p->single);
  clStatus status = noise && p->b && p->x && p->wide && p->single
                        ? clTripletsCreate(&p->A, p->n, m, (int64_t)count, NULL)
                        : TEXLA_OUT_OF_MEMORY;
  if (!status) {
    p->d = p->b + n;
    p->exact = p->x + m;
    txBenchNoise(noise, (int64_t)(count + 2 * n), 50, 0, 1);
  }
  for (size_t k = 0; k < count && !status; k++)
    status = clTripletsAdd(p->A, (int32_t)(k / (size_t)m), (int32_t)(k % (size_t)m),
                           (double)noise[k], NULL);
  for (size_t i = 0; i < n && !status; i++) {
    p->b[i] = (double)noise[count + i];
    p->d[i] =
        ill ? pow(10, -2 + 4.0 * (double)i / (double)(n - 1)) : sqrt((double)noise[count + n + i]);
  }
  free(noise);
  TRY(status);
  return clTripletsCompress(p->A, NULL);
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
  clStatus status = clLeastSquaresCreate(&s, bench->context, p->A, &o);
  if (!status)
    status = clLeastSquaresWeigh(s, p->d);
  if (!status)
    status = clLeastSquaresSolve(s, p->x, p->b, report);
  clLeastSquaresDestroy(s);
  if (status == TEXLA_NOT_CONVERGED)
    return TEXLA_OK;
  return status;
}

/* Without corrections, to the paper's tolerance, and as far as it goes. */
static clStatus measure(txBench *bench, Problem *p, Outcome *o) {
  clLeastSquaresReport report;
  clStatus status = solveOnHost(p, &o->peer_seconds);
  /* compiles and chooses variants, too */
  if (!status)
    status = solveTo(bench, p, 0, 1, &report);
  o->first = errorOf(p);
  if (!status)
    status = solveTo(bench, p, 1e-8, 100, &o->report);
  o->seconds = o->report.seconds_assemble + o->report.seconds_factor + o->report.seconds_refine;
  if (!status)
    status = solveTo(bench, p, 0, 0, &report);
  o->refined = errorOf(p);
  return status;
}

/* The paper's numbers stand beside those of its sizes. */
static void report(txBench *bench, int table, const Printed *printed_row, int m, const Outcome *o) {
  const clLeastSquaresReport *r = &o->report;
  if (bench->table) {
    printf("table %d, m %5d   first %.2e refined %.2e steps %2d (%d by gradients)", table + 1, m,
           o->first, o->refined, r->iterations, r->gradient_iterations);
    if (printed_row)
      printf("   paper %.2e %.2e %2d", printed_row->first, printed_row->refined,
             printed_row->steps);
    printf("   %.0f ms: assembly %.0f, factor %.0f, refinement %.0f; sgels %.0f\n",
           1e3 * o->seconds, 1e3 * r->seconds_assemble, 1e3 * r->seconds_factor,
           1e3 * r->seconds_refine, 1e3 * o->peer_seconds);
  }
  if (!bench->json)
    return;
  txJson *json = &bench->writer;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
  txJsonInteger(json, "table", table + 1);
  txJsonInteger(json, "m", m);
  txJsonNumber(json, "first_error", o->first);
  txJsonNumber(json, "refined_error", o->refined);
  txJsonInteger(json, "iterations", r->iterations);
  txJsonInteger(json, "gradient_iterations", r->gradient_iterations);
  txJsonNumber(json, "paper_first_error", printed_row ? printed_row->first : (double)NAN);
  txJsonNumber(json, "paper_refined_error", printed_row ? printed_row->refined : (double)NAN);
  txJsonInteger(json, "paper_iterations", printed_row ? printed_row->steps : 0);
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
  const Printed *row = NULL;
  for (int i = 0; i < 4; i++)
    if (m == printed[table][i].m)
      row = &printed[table][i];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&p, m, table == 1));
  TRY_CLEANUP(measure(bench, &p, &o));
  report(bench, table, row, m, &o);
cleanup:
  release(&p);
  return status;
}
#endif

/* Both tables of the paper. Without LAPACK there is nothing to compare with. */
clStatus txBenchLeastSquares(txBench *bench) {
  clStatus status = TEXLA_OK;
#if TEXLA_HAVE_CBLAS
  int count = bench->quick ? 2 : 4;
  if (bench->size)
    count = 1;
  if (bench->table)
    printf("\nleast squares: errors relative to LAPACK's QR in double; steps to a correction of "
           "1e-8\n");
  for (int table = 0; table < 2; table++)
    for (int k = 0; k < count && !status; k++)
      status = runRow(bench, table, k);
#endif
  return txBenchForgive(bench, "least squares", status);
}
