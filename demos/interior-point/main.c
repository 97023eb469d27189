/* A linear program, min c.x with A x = b and x >= 0, by Mehrotra's interior-point method. Each step
 * solves two systems with A D^2 A^T, D^2 = X Z^-1: A stays on the device, and only its weights
 * change (texla/least_squares.h). b and c are made so that an optimum is known. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/program.h"
#include "texla/io.h"
#include "texla/least_squares.h"
#include "core/try.h"

static const char notes[] =
    "For each step: how far x and (y, z) are from feasible, the gap between the two\n"
    "objectives, and how A D D A' was solved with: by which factorization, and with how\n"
    "many corrections in double.\n"
    "\n"
    "Exit status: 0 solved, 1 not to the tolerance, 2 bad use or input.\n";

typedef struct Program {
  /* A, and its transpose: observations are the variables, unknowns the dual ones */
  clTriplets *A, *T;
  int m, n;
  /* m, n */
  double *b, *c;
  /* n, m, n */
  double *x, *y, *z;
  double *dx, *dy, *dz;
  /* m, n, n: residuals */
  double *rp, *rd, *rc;
  double *d, *rhs, *work;
  clLeastSquares *normal;
  clLeastSquaresReport report;
  int corrections;
} Program;

/* Uniform in [0, 1), from the position. */
static double noise(uint32_t i) {
  uint32_t h = i * 0x9e3779b9u + 0x7f4a7c15u;
  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return (double)(h ^ (h >> 16)) / 4294967296.0;
}

/* x.y; sums are in double, as all of the method is but the factorization. */
static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* The Euclidean one. */
static double norm(const double *x, int n) {
  return sqrt(dot(x, x, n));
}

/* x* >= 0 and z* >= 0 with x* z* = 0, b = A x*, c = A^T y* + z*: then x* is optimal, and c.x* =
 * b.y*. */
static void makeProblem(Program *p) {
  for (int j = 0; j < p->n; j++) {
    p->x[j] = p->z[j] = 0;
    if (noise((uint32_t)j) < 0.5)
      p->x[j] = 0.1 + noise((uint32_t)(j + p->n));
    else
      p->z[j] = 0.1 + noise((uint32_t)(j + 2 * p->n));
  }
  for (int i = 0; i < p->m; i++)
    p->y[i] = 2 * noise((uint32_t)(i + 3 * p->n)) - 1;
  clTripletsMulVector(p->b, p->A, p->x);
  clTripletsMulVector(p->c, p->T, p->y);
  for (int j = 0; j < p->n; j++)
    p->c[j] += p->z[j];
}

/* All vectors are pieces of one allocation, which begins with b: release frees that. */
static clStatus allocate(Program *p, clError *error) {
  TRY(clTripletsTranspose(&p->T, p->A, error));
  size_t m = (size_t)p->A->rows, n = (size_t)p->A->cols;
  double *all = calloc(5 * m + 9 * n, sizeof *all);
  if (!all)
    return TEXLA_OUT_OF_MEMORY;
  /* Which vectors have m numbers, which n. */
  double **of_m[] = {&p->b, &p->y, &p->dy, &p->rp, &p->rhs};
  double **of_n[] = {&p->c, &p->x, &p->z, &p->dx, &p->dz, &p->rd, &p->rc, &p->d, &p->work};
  p->m = (int)m;
  p->n = (int)n;
  for (size_t k = 0; k < 5; k++)
    *of_m[k] = all + k * m;
  for (size_t k = 0; k < 9; k++)
    *of_n[k] = all + 5 * m + k * n;
  return TEXLA_OK;
}

/* Also what has never been made. */
static void release(Program *p) {
  clLeastSquaresDestroy(p->normal);
  clTripletsDestroy(p->A);
  clTripletsDestroy(p->T);
  free(p->b);
}

/* A D^2 A^T y = g. Close to the optimum D^2 spans many powers of ten and the residual stays larger
 * than asked for. */
static clStatus solveNormal(Program *p, double *y, const double *g) {
  clStatus status = clLeastSquaresSolveNormal(p->normal, y, g, &p->report);
  p->corrections += p->report.iterations;
  /* the next step corrects */
  if (status == TEXLA_NOT_CONVERGED)
    return TEXLA_OK;
  return status;
}

/* Mehrotra's start: least squares solutions of both equations, moved inside. */
static clStatus start(Program *p) {
  TRY(solveNormal(p, p->dy, p->b));
  clTripletsMulVector(p->x, p->T, p->dy);
  clTripletsMulVector(p->rhs, p->A, p->c);
  TRY(solveNormal(p, p->y, p->rhs));
  clTripletsMulVector(p->z, p->T, p->y);
  double dx = 0, dz = 0;
  for (int j = 0; j < p->n; j++) {
    p->z[j] = p->c[j] - p->z[j];
    dx = fmax(dx, -1.5 * p->x[j]);
    dz = fmax(dz, -1.5 * p->z[j]);
  }
  /* Twice the same shift: first out of the negative, then towards equal products x z. */
  double xz = 0, sx = 0, sz = 0;
  for (int j = 0; j < p->n; j++) {
    p->x[j] += dx;
    p->z[j] += dz;
    xz += p->x[j] * p->z[j];
    sx += p->x[j];
    sz += p->z[j];
  }
  double more_x = 1, more_z = 1;
  if (sz > 0)
    more_x = 0.5 * xz / sz + 1e-8;
  if (sx > 0)
    more_z = 0.5 * xz / sx + 1e-8;
  for (int j = 0; j < p->n; j++) {
    p->x[j] += more_x;
    p->z[j] += more_z;
  }
  return TEXLA_OK;
}

/* rp = b - A x, rd = c - A^T y - z */
static void residuals(Program *p) {
  clTripletsResidual(p->rp, p->A, p->x, p->b);
  clTripletsResidual(p->rd, p->T, p->y, p->c);
  for (int j = 0; j < p->n; j++)
    p->rd[j] -= p->z[j];
}

/* A dx = rp, A^T dy + dz = rd, Z dx + X dz = rc:
 * A D^2 A^T dy = rp - A (Z^-1 rc - D^2 rd), dz = rd - A^T dy, dx = Z^-1 rc - D^2 dz */
static clStatus direction(Program *p) {
  for (int j = 0; j < p->n; j++)
    p->work[j] = (p->rc[j] - p->x[j] * p->rd[j]) / p->z[j];
  clTripletsMulVector(p->rhs, p->A, p->work);
  for (int i = 0; i < p->m; i++)
    p->rhs[i] = p->rp[i] - p->rhs[i];
  TRY(solveNormal(p, p->dy, p->rhs));
  clTripletsMulVector(p->dz, p->T, p->dy);
  for (int j = 0; j < p->n; j++) {
    p->dz[j] = p->rd[j] - p->dz[j];
    p->dx[j] = (p->rc[j] - p->x[j] * p->dz[j]) / p->z[j];
  }
  return TEXLA_OK;
}

/* The longest step that keeps v positive. */
static double longest(const double *v, const double *dv, int n) {
  double step = 1;
  for (int j = 0; j < n; j++)
    if (dv[j] < 0)
      step = fmin(step, -v[j] / dv[j]);
  return step;
}

/* Predictor, corrector, step. */
static clStatus step(Program *p, double mu) {
  for (int j = 0; j < p->n; j++) {
    p->d[j] = sqrt(p->x[j] / p->z[j]);
    p->rc[j] = -p->x[j] * p->z[j];
  }
  TRY(clLeastSquaresWeigh(p->normal, p->d));
  TRY(direction(p));
  /* How far the predictor could go, and what mu would become there. */
  double sx = longest(p->x, p->dx, p->n), sz = longest(p->z, p->dz, p->n), ahead = 0;
  for (int j = 0; j < p->n; j++)
    ahead += (p->x[j] + sx * p->dx[j]) * (p->z[j] + sz * p->dz[j]) / p->n;
  /* Mehrotra's choice: where the predictor gets far, little centring is needed. */
  double centre = pow(ahead / mu, 3) * mu;
  for (int j = 0; j < p->n; j++)
    p->rc[j] = centre - p->x[j] * p->z[j] - p->dx[j] * p->dz[j];
  TRY(direction(p));
  /* Not quite to the boundary, from which the next step could not get away. */
  sx = fmin(1, 0.995 * longest(p->x, p->dx, p->n));
  sz = fmin(1, 0.995 * longest(p->z, p->dz, p->n));
  for (int j = 0; j < p->n; j++) {
    p->x[j] += sx * p->dx[j];
    p->z[j] += sz * p->dz[j];
  }
  for (int i = 0; i < p->m; i++)
    p->y[i] += sz * p->dy[i];
  return TEXLA_OK;
}

/* Steps until both equations hold and the objectives meet: primal and dual infeasibility and the
 * gap, each relative. The optimum is known, so that the answer is compared with it. */
static clStatus solve(Program *p, double tolerance, bool quiet, bool *solved) {
  double wanted = dot(p->c, p->x, p->n), size_b = 1 + norm(p->b, p->m),
         size_c = 1 + norm(p->c, p->n);
  TRY(start(p));
  if (!quiet)
    printf("step    primal      dual       gap  objective          method    corrections\n");
  for (int k = 0; k < 100; k++) {
    residuals(p);
    double primal = norm(p->rp, p->m) / size_b, dual = norm(p->rd, p->n) / size_c;
    double objective = dot(p->c, p->x, p->n),
           gap = fabs(objective - dot(p->b, p->y, p->m)) / (1 + fabs(objective));
    if (!quiet)
      printf("%4d  %8.1e  %8.1e  %8.1e  %-17.10g  %-8s  %d\n", k, primal, dual, gap, objective,
             clLeastSquaresMethodName(p->report.method), p->corrections);
    *solved = primal <= tolerance && dual <= tolerance && gap <= tolerance;
    if (*solved) {
      double error = fabs(objective - wanted) / (1 + fabs(wanted));
      printf("optimum %.10g, known to be %.10g: error %.1e\n", objective, wanted, error);
      *solved = error <= 10 * tolerance;
      return TEXLA_OK;
    }
    p->corrections = 0;
    TRY(step(p, dot(p->x, p->z, p->n) / p->n));
  }
  return TEXLA_OK;
}

/* The normal equations' solver lives as long as p, which the caller releases. */
static clStatus solveOn(clContext *context, Program *p, double tolerance, bool quiet,
                        bool *solved) {
  makeProblem(p);
  if (!quiet)
    printf("%d constraints, %d variables, on %s\n", p->m, p->n,
           clContextInspect(context)->renderer);
  TRY(clLeastSquaresCreate(&p->normal, context, p->T, NULL));
  return solve(p, tolerance, quiet, solved);
}

/* From the file to the answer: the shape of A decides how large a device's context must be. */
static clStatus run(const txProgram *program, const char *path, double tolerance, bool quiet,
                    bool *solved, clError *error) {
  Program p = {0};
  clContext *context = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clMatrixMarketRead(&p.A, path, error));
  TRY_CLEANUP(allocate(&p, error));
  TRY_CLEANUP(txProgramOpen(&context, program, (int64_t)p.A->rows * p.A->rows, error));
  status = solveOn(context, &p, tolerance, quiet, solved);
  if (status)
    *error = *clContextError(context);
cleanup:
  release(&p);
  clContextDestroy(context);
  return status;
}

/* The tolerance is the only option besides those that all programs have. */
int main(int argc, char **argv) {
  txCommon common = {0};
  double tolerance = 1e-8;
  /* Relative, as both residuals and the gap are. */
  const txOption options[] = {{"tol", TX_OPTION_REAL, &tolerance, "T",
                               "relative residuals and gap to reach; 1e-8 without it", 0, 1},
                              {0}};
  const txProgram program = {
      .name = "interior-point",
      .arguments = "A.mtx",
      .least = 1,
      .most = 1,
      .summary =
          "Solves a linear program with the constraints A x = b, x >= 0 by an interior-point "
          "method; b and the objective are made up so that the optimum is known.",
      .options = options,
      .common = &common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&program, &argc, argv, &status))
    return status;
  clError error = {0};
  bool solved = false;
  if (run(&program, argv[0], tolerance, common.quiet, &solved, &error))
    return txProgramFail(&program, &error);
  if (!solved)
    return TX_EXIT_NOT_CONVERGED;
  return TX_EXIT_GOOD;
}
