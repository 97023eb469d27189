/* Refinement over all ranks: residuals b - A x in double, with the matrix as it was read or made, corrections from a solver in single precision. */
#include "mpi/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterRefine";
enum { ROUNDS = 40 };
static const double least_tolerance = 1e-5; /* of a round: single precision gives no more */

typedef struct refinement {
  clClusterMatrix *A;
  const double *b;
  double *x, *r, *kept; /* the caller's; b - A x; x before a correction */
  float *single;
  clVector *d, *right;
  double b_norm, norm;
} refinement;

static double normOf(const refinement *f, const double *v) {
  double sum = 0;
  for (int64_t i = 0; i < f->A->spread.local; i++)
    sum += v[i] * v[i];
  txSum(f->A->cluster, &sum, 1, f->A->cluster->comm);
  return sqrt(sum);
}

/* r <- b - A x */
static void measure(refinement *f) {
  txSpreadMultiplyHost(&f->A->spread, f->r, f->x);
  for (int64_t i = 0; i < f->A->spread.local; i++)
    f->r[i] = f->b[i] - f->r[i];
  f->norm = normOf(f, f->r);
}

/* x <- x + ||r|| d, where A d = r / ||r|| nearly; where that is worse, x stays. The iterations are counted. */
static clStatus correct(refinement *f, const clSolverOptions *o, clClusterRefineReport *report) {
  int64_t n = f->A->spread.local;
  double before = f->norm;
  clSolverReport one = {0};
  memset(f->single, 0, ((size_t)n + 1) * sizeof *f->single);
  for (int64_t i = 0; i < n; i++)
    f->single[i] = (float)(f->r[i] / before);
  clStatus status = clVectorUpload(f->right, f->single);
  if (!status)
    status = clVectorClear(f->d);
  txClusterMust(f->A->cluster, status);
  status = clClusterSolve(f->A, f->d, f->right, o, &one);
  report->iterations += one.iterations;
  report->reason = one.reason;
  if (status < 0)
    return status;
  report->rounds++;
  txClusterMust(f->A->cluster, clVectorDownload(f->d, f->single));
  for (int64_t i = 0; i < n; i++) {
    f->kept[i] = f->x[i];
    f->x[i] += before * (double)f->single[i];
  }
  measure(f);
  if (f->norm < before)
    return TEXLA_OK;
  memcpy(f->x, f->kept, (size_t)n * sizeof *f->x);
  measure(f);
  return TEXLA_OK;
}

/* Rounds until the residual is small, falls no longer, or there have been iterations enough. */
static clStatus rounds(refinement *f, const clSolverOptions *options, clClusterRefineReport *report) {
  double wanted = fmax((options->tolerance > 0 ? options->tolerance : 1e-12) * f->b_norm, options->absolute);
  int64_t most = options->max_iterations ? options->max_iterations : 10 * clClusterMatrixRows(f->A);
  clStatus status = TEXLA_OK;
  while (!status && f->norm > wanted && report->rounds < ROUNDS && report->iterations < most) {
    clSolverOptions o = *options;
    double before = f->norm;
    o.tolerance = fmax(least_tolerance, 0.5 * wanted / f->norm);
    o.absolute = 0;
    o.max_iterations = most - report->iterations;
    status = correct(f, &o, report);
    if (!status && !(f->norm < 0.9 * before) && f->norm > wanted) {
      report->reason = report->reason == TEXLA_REASON_CONVERGED ? TEXLA_REASON_STAGNATED : report->reason;
      break;
    }
    if (report->reason == TEXLA_REASON_STOPPED)
      break;
  }
  report->residual = f->b_norm > 0 ? f->norm / f->b_norm : f->norm;
  if (status)
    return status;
  if (f->norm <= wanted)
    report->reason = TEXLA_REASON_CONVERGED;
  else if (report->reason == TEXLA_REASON_CONVERGED || report->iterations >= most)
    report->reason = TEXLA_REASON_MAX_ITERATIONS;
  return report->reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

clStatus clClusterRefine(clClusterMatrix *A, double *x, const double *b, const clSolverOptions *options,
                         clClusterRefineReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  clSolverOptions o = options ? *options : (clSolverOptions){0};
  clClusterRefineReport own = {0};
  clStatus status = TEXLA_OK;
  if (A->spread.local && (!x || !b))
    status = txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "x and b must not be NULL");
  status = clClusterAgree(c, status, &c->error);
  if (!status)
    status = txClusterMatrixKeep(A);
  if (status)
    return status;
  size_t n = (size_t)A->spread.local + 1; /* a rank without rows has an element that is zero */
  refinement f = {.A = A, .b = b};
  f.r = txClusterAllocate(c, 3 * n, sizeof *f.r, "refinement");
  f.kept = f.r + n;
  f.x = f.kept + n;
  f.single = txClusterAllocate(c, n, sizeof *f.single, "refinement");
  if (n > 1)
    memcpy(f.x, x, (n - 1) * sizeof *x);
  status = clClusterMatrixCreateVector(&f.d, A);
  if (!status)
    status = clClusterMatrixCreateVector(&f.right, A);
  txClusterMust(c, status);
  f.b_norm = normOf(&f, b);
  measure(&f);
  status = rounds(&f, &o, &own);
  if (n > 1 && status >= 0)
    memcpy(x, f.x, (n - 1) * sizeof *x);
  clVectorDestroy(f.d);
  clVectorDestroy(f.right);
  free(f.single);
  free(f.r);
  if (report)
    *report = own;
  return status;
}
