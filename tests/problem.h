/* What the tests of solvers share: A x = b with everything they need, and matrices to put into
 * it. */
#ifndef TEXLA_TESTS_PROBLEM_H
#define TEXLA_TESTS_PROBLEM_H

#include "matrices.h"

#include "texla/system.h"

static const double eps = FLT_EPSILON;

typedef struct problem {
  clContext *context;
  clTriplets *A;
  clMatrix *matrix;
  clVector *x, *b;
  float *host_x, *host_b;
  int64_t n;
} problem;

/* x = 0, b random; owns A. */
static inline problem problemCreate(clContext *context, clTriplets *A,
                                    const clMatrixOptions *options) {
  problem p = {.context = context, .A = A, .n = A->rows};
  uint64_t seed = 42;
  assertOk(context, clMatrixCreate(&p.matrix, context, A, options));
  assertOk(context, clMatrixCreateVector(&p.x, p.matrix, TEXLA_DOMAIN));
  assertOk(context, clMatrixCreateVector(&p.b, p.matrix, TEXLA_RANGE));
  p.host_x = calloc((size_t)p.n, sizeof *p.host_x);
  p.host_b = calloc((size_t)p.n, sizeof *p.host_b);
  for (int64_t i = 0; i < p.n; i++)
    p.host_b[i] = (float)randomUnit(&seed);
  assertOk(context, clVectorUpload(p.b, p.host_b));
  return p;
}

static inline void problemDestroy(problem *p) {
  clVectorDestroy(p->x);
  clVectorDestroy(p->b);
  clMatrixDestroy(p->matrix);
  clTripletsDestroy(p->A);
  free(p->host_x);
  free(p->host_b);
}

/* -Laplace u + c . grad u on an nx x ny grid, upwind; unsymmetric unless c = 0. */
static inline clTriplets *convection(int nx, int ny, double cx, double cy) {
  clTriplets *A = poisson(nx, ny);
  for (int64_t k = 0; k < A->count; k++) {
    int32_t d = A->col[k] - A->row[k];
    if (d == 0)
      A->value[k] += cx + cy;
    else if (d == -nx)
      A->value[k] -= cy;
    else if (d == -1)
      A->value[k] -= cx;
  }
  return A;
}

static inline double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* largest |x_i - exact_i| relative to the largest |exact_i| */
static inline double largestError(const float *x, const double *exact, int64_t n) {
  double error = 0, scale = 0;
  for (int64_t i = 0; i < n; i++) {
    error = fmax(error, fabs((double)x[i] - exact[i]));
    scale = fmax(scale, fabs(exact[i]));
  }
  return scale > 0 ? error / scale : error;
}

/* ||b - A x|| / ||b|| in double */
static inline double trueResidual(problem *p) {
  FREED double *x = calloc((size_t)p->n, sizeof *x), *b = calloc((size_t)p->n, sizeof *b);
  assertOk(p->context, clVectorDownload(p->x, p->host_x));
  for (int64_t i = 0; i < p->n; i++) {
    x[i] = (double)p->host_x[i];
    b[i] = (double)p->host_b[i];
  }
  double r = clTripletsResidual(NULL, p->A, x, b) / sqrt(dot(b, b, p->n));
  return r;
}

/* Solves from the x that is there. */
static inline clSolverReport problemSolve(problem *p, const clSolverOptions *options) {
  OWN(clSolver) *solver = NULL;
  clSolverReport report = {0};
  assertOk(p->context, clSolverCreate(&solver, p->matrix, options));
  clStatus status = clSolverSolve(solver, p->x, p->b, &report);
  if (status < 0)
    fail_msg("%s", clContextError(p->context)->message);
  assert_int_equal(status,
                   report.reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED);
  return report;
}

/* Exactly `count` iterations, without a read-back; x ends in host_x. */
static inline void problemIterate(problem *p, const clSolverOptions *options, int count) {
  OWN(clSolver) *solver = NULL;
  assertOk(p->context, clSolverCreate(&solver, p->matrix, options));
  int64_t before = clContextStatistics(p->context).readbacks;
  assertOk(p->context, clSolverInit(solver, p->x, p->b));
  assertOk(p->context, clSolverIterate(solver, count / 3));
  assertOk(p->context, clSolverIterate(solver, count - count / 3));
  assert_int_equal(clContextStatistics(p->context).readbacks, before);
  assertOk(p->context, clVectorDownload(p->x, p->host_x));
}

/* Why a small system is not solved; x, which must stay finite, goes to x_after (may be NULL). Takes
 * A. */
static inline clReason reasonOf(clContext *context, clTriplets *A, const float *b, clMethod method,
                                float *x_after) {
  AT_END(problemDestroy) problem p = problemCreate(context, A, NULL);
  assertOk(context, clVectorUpload(p.b, b));
  clSolverReport report =
      problemSolve(&p, &(clSolverOptions){.method = method, .max_iterations = 500});
  assertOk(context, clVectorDownload(p.x, p.host_x));
  for (int64_t i = 0; i < p.n; i++)
    assert_true(isfinite(p.host_x[i]));
  if (x_after)
    memcpy(x_after, p.host_x, (size_t)p.n * sizeof *x_after);
  return report.reason;
}

#endif
