/* The implicit part of a clEvolution: (1 - c lap) y = right, for each field, by sweeps where c is
 * small and by multigrid where it is not. */
#include "sim/evolution.h"
#include "core/try.h"
#include "sim/chebyshev.h"
#include "sim/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CYCLES = 3, MOST_CYCLES = 20 };

/* The eigenvalues of D^-1 (1 - c lap) lie within 1 - rho .. 1 + rho. */
static double radiusOf(double c) {
  return 4 * c / (1 + 4 * c);
}

/* What the neighbour across a side is in the matrix: itself where there is one, also around a
 * periodic axis (1, *other <- there); a times the cell otherwise (a, *other <- -1), with a = -1
 * where the value halfway between both is fixed and a = 1 where nothing flows. */
static double acrossSide(const clEvolutionOptions *o, int i, int j, int side, int64_t *other) {
  const int n[] = {o->nx, o->ny};
  int axis = side / 2, at[] = {i, j};
  at[axis] += 2 * (side % 2) - 1;
  bool outside = at[axis] < 0 || at[axis] >= n[axis];
  *other = -1;
  if (outside && o->side[side].edge == TEXLA_EVOLUTION_FIXED)
    return -1;
  if (outside && o->side[side].edge != TEXLA_EVOLUTION_PERIODIC)
    return 1;
  at[axis] = (at[axis] + n[axis]) % n[axis];
  *other = (int64_t)at[1] * o->nx + at[0];
  return 1;
}

/* The equation of a cell: (1 + 4 c) y - c (sum of its neighbours) = right, in the order of columns.
 * A neighbour that is a times the cell itself adds -a c to the diagonal. */
static clStatus addRow(clTriplets *A, const clEvolutionOptions *o, int i, int j, double c,
                       clError *error) {
  static const int sides[] = {TEXLA_SIDE_BOTTOM, TEXLA_SIDE_LEFT, TEXLA_SIDE_RIGHT, TEXLA_SIDE_TOP};
  int32_t row = (int32_t)((int64_t)j * o->nx + i);
  double diagonal = 1 + 4 * c;
  for (int k = 0; k < 4; k++) {
    int64_t other;
    double a = acrossSide(o, i, j, sides[k], &other);
    if (other >= 0)
      TRY(clTripletsAdd(A, row, (int32_t)other, -c, error));
    else
      diagonal -= a * c;
  }
  return clTripletsAdd(A, row, row, diagonal, error);
}

/* The cycles for a matrix 1 - c lap, without what lies beyond the edges, where the grid cannot be
 * halved often enough for txHelmholtz. On a software renderer levels of at most 2^14 points are
 * computed in C, where passes cost more than what they compute. */
static clStatus createMultigrid(clMultigrid **out, const clEvolution *e, double c) {
  const clEvolutionOptions *o = &e->options;
  clError *error = txEvolutionError(e);
  int64_t n = (int64_t)o->nx * o->ny;
  clMultigridOptions options = {.smoother = TEXLA_SMOOTHER_HALVES};
  if (clContextInspect(e->context)->software)
    options.host_points = 1 << 14;
  clTriplets *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&A, (int32_t)n, (int32_t)n, 5 * n, error));
  for (int j = 0; j < o->ny; j++)
    for (int i = 0; i < o->nx; i++)
      TRY_CLEANUP(addRow(A, o, i, j, c, error));
  TRY_CLEANUP(clTripletsCompress(A, error));
  TRY_CLEANUP(clMultigridCreate(out, e->context, A, o->nx, o->ny, &options));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* The first field with the same c, which has the cycles. */
static int ownerOf(const clEvolution *e, int field) {
  int f = 0;
  while (e->c[f] != e->c[field])
    f++;
  return f;
}

/* c over h^2, and how often: (1 - c lap)^2 = 1 - 2 c lap + c^2 lap^2 has the fourth derivative
 * where c^2 = g dt B. Diffusion that runs backwards stays explicit: the matrix would not be
 * definite. */
static void choose(clEvolution *e) {
  const clEvolutionOptions *o = &e->options;
  double dt = e->scheme.implicit * o->dt;
  for (int f = 0; f < o->fields && dt > 0; f++) {
    double c = 0;
    if (o->fourth[f] > 0) {
      c = sqrt(dt * o->fourth[f]);
      e->times[f] = 2;
    } else if (o->diffusion[f] > 0) {
      c = dt * o->diffusion[f];
      e->times[f] = 1;
    }
    e->c[f] = c / (o->h * o->h);
  }
}

static double largestC(const clEvolution *e) {
  double c = 0;
  for (int f = 0; f < e->options.fields; f++)
    c = fmax(c, e->c[f]);
  return c;
}

static int cyclesOf(const clEvolution *e, int field) {
  return txHelmholtzCycles(e->options.nx, e->options.ny, e->c[field]);
}

/* For clEvolutionInspect: how the implicit part is solved, if there is one. */
static void describe(clEvolution *e, double c) {
  const char *with = "explicitly";
  if (e->helmholtz)
    with = "cycles of multigrid for a constant c";
  for (int f = 0; f < e->options.fields; f++)
    if (e->multigrid[f])
      with = clMultigridDescription(e->multigrid[f]);
  if (c > 0 && e->sweeps)
    snprintf(e->solver, sizeof e->solver, "%d sweeps of Jacobi's method, c / h^2 = %.3g", e->sweeps,
             c);
  else
    snprintf(e->solver, sizeof e->solver, "%s", with);
}

/* What field f is solved with where sweeps are too many: one set of cycles suits every c. */
static clStatus createCycles(clEvolution *e, int f) {
  const clEvolutionOptions *o = &e->options;
  if (!cyclesOf(e, f))
    return createMultigrid(&e->multigrid[f], e, e->c[f]);
  if (e->helmholtz)
    return TEXLA_OK;
  return txHelmholtzCreate(&e->helmholtz, e->context, o->nx, o->ny,
                           o->side[TEXLA_SIDE_LEFT].edge == TEXLA_EVOLUTION_PERIODIC,
                           o->side[TEXLA_SIDE_BOTTOM].edge == TEXLA_EVOLUTION_PERIODIC);
}

/* Sweeps where few of them do it for all fields, else cycles for each c that fields have. */
clStatus txEvolutionSetSolver(clEvolution *e) {
  choose(e);
  double c = largestC(e);
  if (c <= 0) /* a stage's right-hand side is its result */
    e->scheme.implicit = 0;
  if (!isfinite((float)c))
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                  "dt D / h^2 is too large for single precision (%g)", c);
  e->sweeps = txChebyshevSweeps(radiusOf(c));
  if (e->sweeps > txHelmholtzMostSweeps(e->context, e->options.nx, e->options.ny))
    e->sweeps = 0;
  for (int f = 0; f < e->options.fields && !e->sweeps; f++)
    if (e->c[f] > 0 && ownerOf(e, f) == f)
      TRY(createCycles(e, f));
  TRY(txEvolutionKernel(&e->sweep, e, "evolution sweep", "",
                        "#include \"sim/evolution_sweep.frag\"\n"));
  TRY(txEvolutionKernel(&e->residual, e, "evolution residual", "",
                        "#include \"sim/evolution_residual.frag\"\n"));
  describe(e, c);
  return TEXLA_OK;
}

/* All fields at once, next <- next + w_k (D^-1 (right - A next)); those whose c is 0 in this round
 * become their right-hand side. */
static clStatus sweep(clEvolution *e, clVector *const y[], const float c[4]) {
  static const char *const name[] = {"b_u", "b_v", "b_w", "b_q"};
  int fields = e->options.fields;
  double rho = radiusOf(largestC(e));
  for (int k = 0; k < e->sweeps; k++) {
    clKernelRun run = txEvolutionRun(e, y);
    clKernelParameter *parameter = run.parameter + TX_EVOLUTION_SHARED;
    parameter[0] = (clKernelParameter){"c", 4, {c[0], c[1], c[2], c[3]}};
    parameter[1] = (clKernelParameter){"weight", 1, {(float)txChebyshevWeight(k, e->sweeps, rho)}};
    for (int f = 0; f < fields; f++) {
      run.input[fields + f] = (clKernelInput){name[f], e->right[f]};
      run.output[f] = e->next[f];
    }
    TRY(txRunFields(e->sweep, &run));
    y = e->next;
  }
  e->info.iterations += e->sweeps;
  return TEXLA_OK;
}

/* out <- right - (1 - c lap) y of field f; at its sides it has the values that the options give,
 * or, as a change has, zeros. */
static clStatus residual(clEvolution *e, int f, clVector *out, const clVector *right, clVector *y,
                         bool change) {
  clKernelRun run = txEvolutionRun(e, (clVector *[]){y, y, y, y});
  memmove(run.parameter[2].value, run.parameter[2 + f].value, sizeof run.parameter[2].value);
  if (change)
    memset(run.parameter[2].value, 0, sizeof run.parameter[2].value);
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){"c", 1, {(float)e->c[f]}};
  run.input[e->options.fields] = (clKernelInput){"b_u", right};
  run.output[0] = out;
  return txRunFields(e->residual, &run);
}

/* work[1] <- the change, by cycles from zero for work[0]. The first few never are too many: nobody
 * looks before. One that gains less than a factor of two has met the rounding of single
 * precision. */
static clStatus solveChange(clEvolution *e, int f) {
  const double tolerance = 1e-5;
  clMultigrid *mg = e->multigrid[ownerOf(e, f)];
  float first = 0, norm = 0, before = INFINITY;
  int done = 1;
  TRY(clVectorNorm(e->number, e->work[0]));
  TRY(clMultigridApply(mg, e->work[1], e->work[0]));
  for (; done < FIRST_CYCLES; done++)
    TRY(clMultigridCycle(mg, e->work[1], e->work[0]));
  for (;; done++) {
    TRY(residual(e, f, e->right[f], e->work[0], e->work[1], true));
    TRY(clVectorNorm(e->norm, e->right[f]));
    TRY(clFloatDownload(e->norm, &norm));
    if (before == INFINITY)
      TRY(clFloatDownload(e->number, &first));
    if (!((double)norm > tolerance * (double)first) || norm > before / 2 || done >= MOST_CYCLES)
      break;
    before = norm;
    TRY(clMultigridCycle(mg, e->work[1], e->work[0]));
  }
  e->info.iterations += done;
  e->info.residual = 0;
  if (first > 0)
    e->info.residual = (double)(norm / first);
  /* The change is no larger than its right-hand side, and its residual is a sum whose terms have
   * the weights 1 + 4 c and 4 c: so much of it may be rounding. Where c is so large that this says
   * nothing any more, a thousandth is the most. */
  const double rounding = fmin((1 + 8 * e->c[f]) * FLT_EPSILON, 1e-3);
  if (e->info.residual > fmax(tolerance, rounding))
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

/* work[1] <- the change, by the cycles for a constant c: nobody looks. */
static clStatus solveConstant(clEvolution *e, int f) {
  txHelmholtzSide side[4] = {{0}};
  for (int s = 0; s < 4; s++)
    side[s] = (txHelmholtzSide){e->options.side[s].edge == TEXLA_EVOLUTION_FIXED, 0.5};
  e->info.iterations += cyclesOf(e, f);
  return txHelmholtzSolve(e->helmholtz, e->work[1], e->work[0], e->c[f], side);
}

/* What is solved for is the change, from zero: what is beyond the edges stands in the residual, and
 * the tolerance is one of the change. A solution that is not as exact as wanted is still the best
 * there is. */
static clStatus cycle(clEvolution *e, clVector *const y[], int f) {
  TRY(residual(e, f, e->work[0], e->right[f], y[f], false));
  clStatus solved = cyclesOf(e, f) ? solveConstant(e, f) : solveChange(e, f);
  if (solved >= 0)
    TRY(clVectorAdd(e->next[f], 1, NULL, y[f], 1, NULL, e->work[1]));
  return solved;
}

/* One field after another; *solved says whether all have converged. */
static clStatus cycles(clEvolution *e, clVector *const y[], const float c[4], clStatus *solved) {
  for (int f = 0; f < e->options.fields; f++) {
    if (!(c[f] > 0)) {
      TRY(clVectorCopy(e->next[f], e->right[f]));
      continue;
    }
    clStatus status = cycle(e, y, f);
    if (status < 0)
      return status;
    if (status > 0)
      *solved = status;
  }
  return TEXLA_OK;
}

/* Fields with a fourth derivative take a second round, whose right-hand side and guess are the
 * result of the first one; the others are copied in it. */
clStatus txEvolutionSolve(clEvolution *e, clVector *const y[]) {
  clStatus solved = TEXLA_OK;
  for (int round = 0; round < 2; round++) {
    float c[4] = {0};
    bool any = round == 0;
    for (int f = 0; f < e->options.fields; f++) {
      if (e->times[f] > round)
        c[f] = (float)e->c[f];
      any |= c[f] > 0;
    }
    if (!any)
      break;
    for (int f = 0; f < e->options.fields && round; f++)
      TRY(clVectorCopy(e->right[f], e->next[f]));
    if (e->sweeps)
      TRY(sweep(e, y, c));
    else
      TRY(cycles(e, y, c, &solved));
    y = e->next;
  }
  return solved;
}
