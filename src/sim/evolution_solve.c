/* The implicit part of a clEvolution: (1 - a lap + b lap lap) y = right for each field, as one or
 * two factors 1 - c lap: by sweeps if c is small, otherwise by multigrid.
 *
 * 1 - a lap + b lap lap has the factors 1 - c lap with c^2 - a c + b = 0. If both are real, one is
 * solved after the other. Otherwise they are c and its conjugate c*: complex sweeps solve
 * (1 - c lap) z = right, and because z = y - c* lap y, y = Re z + Re c / Im c Im z. Multigrid takes
 * the real |c| twice to precondition. */
#include "sim/evolution.h"
#include "core/try.h"
#include "sim/chebyshev.h"
#include "sim/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CYCLES = 3, MOST_CYCLES = 20 };

/* Sweeps for c + i turn. The eigenvalues of D^-1 (1 - c lap) lie on a line from 1 - rho to 1 + rho,
 * rho = 4 c / (1 + 4 c). 1 / rho lies on an ellipse with the foci -1 and 1, whose half axis counts
 * as a real 1 / rho does. */
static int sweepsOf(double c, double turn) {
  double square = 4 * (c * c + turn * turn), x = c / square, y = turn / square;
  if (square == 0)
    return 1;
  return txChebyshevSweeps(2 / (hypot(x, y) + hypot(2 + x, y)));
}

/* What the neighbour across a side is in the matrix: itself where there is one, also around a
 * periodic axis (1, *other <- there); a times the cell otherwise (a, *other <- -1). */
static double acrossSide(const clEvolution *e, int f, int i, int j, int side, int64_t *other) {
  const clEvolutionOptions *o = &e->options;
  const int n[] = {o->nx, o->ny};
  int axis = side / 2, at[] = {i, j};
  at[axis] += 2 * (side % 2) - 1;
  bool outside = at[axis] < 0 || at[axis] >= n[axis];
  *other = -1;
  if (outside && o->side[side].edge != TEXLA_EVOLUTION_PERIODIC)
    return e->mirror[f][side];
  at[axis] = (at[axis] + n[axis]) % n[axis];
  *other = (int64_t)at[1] * o->nx + at[0];
  return 1;
}

/* The equation of a cell: (1 + 4 c) y - c (sum of its neighbours) = right, in the order of columns.
 * A neighbour that is a times the cell itself adds -a c to the diagonal. */
static clStatus addRow(clTriplets *A, const clEvolution *e, int f, int i, int j) {
  const clEvolutionOptions *o = &e->options;
  clError *error = txEvolutionError(e);
  static const int sides[] = {TEXLA_SIDE_BOTTOM, TEXLA_SIDE_LEFT, TEXLA_SIDE_RIGHT, TEXLA_SIDE_TOP};
  int32_t row = (int32_t)((int64_t)j * o->nx + i);
  double c = e->c[0][f], diagonal = 1 + 4 * c;
  for (int k = 0; k < 4; k++) {
    int64_t other;
    double a = acrossSide(e, f, i, j, sides[k], &other);
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
static clStatus createMultigrid(clMultigrid **out, const clEvolution *e, int f) {
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
      TRY_CLEANUP(addRow(A, e, f, i, j));
  TRY_CLEANUP(clTripletsCompress(A, error));
  TRY_CLEANUP(clMultigridCreate(out, e->context, A, o->nx, o->ny, &options));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* The first field with the same c and edges, which has the cycles. */
static int ownerOf(const clEvolution *e, int field) {
  int f = 0;
  while (e->c[0][f] != e->c[0][field] ||
         memcmp(e->mirror[f], e->mirror[field], sizeof e->mirror[f]) != 0)
    f++;
  return f;
}

/* Diffusion that runs backwards stays explicit: the matrix would not be definite. Walls of a domain
 * are within the rates (evolution_stage.frag), for diffusion alone. */
static void choose(clEvolution *e, int f) {
  const clEvolutionOptions *o = &e->options;
  double dt = e->scheme.implicit * o->dt, h2 = o->h * o->h;
  double D = 0, B = 0;
  if (dt > 0)
    D = fmax(o->diffusion[f], 0);
  if (dt > 0 && !e->domain)
    B = fmax(o->fourth[f], 0);
  double half = dt * D / h2 / 2, b = dt * B / h2 / h2, root = half * half - b;
  e->implicit[f] = D;
  e->second[f] = o->diffusion[f] - D;
  e->fourth[f] = -(o->fourth[f] - B);
  e->c[0][f] = half;
  if (root < 0) {
    e->turn[f] = sqrt(-root);
    return;
  }
  e->c[0][f] += sqrt(root);
  if (b > 0)
    e->c[1][f] = b / e->c[0][f];
}

/* |c| of a field's first factor. */
static double sizeOf(const clEvolution *e, int f) {
  return hypot(e->c[0][f], e->turn[f]);
}

static double largestC(const clEvolution *e) {
  double c = 0;
  for (int f = 0; f < e->options.fields; f++)
    c = fmax(c, sizeOf(e, f));
  return c;
}

static int cyclesOf(const clEvolution *e, double c) {
  return txHelmholtzCycles(e->options.nx, e->options.ny, c);
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

/* What field f is solved with if sweeps are too many: one set of cycles suits every c. */
static clStatus createCycles(clEvolution *e, int f) {
  const clEvolutionOptions *o = &e->options;
  if (!cyclesOf(e, sizeOf(e, f)))
    return createMultigrid(&e->multigrid[f], e, f);
  if (e->helmholtz)
    return TEXLA_OK;
  return txHelmholtzCreate(&e->helmholtz, e->context, o->nx, o->ny,
                           o->side[TEXLA_SIDE_LEFT].edge == TEXLA_EVOLUTION_PERIODIC,
                           o->side[TEXLA_SIDE_BOTTOM].edge == TEXLA_EVOLUTION_PERIODIC);
}

/* Sweeps, unless cycles for all fields take less. On grids that cannot be halved there are no
 * cycles of fourth derivatives. */
static void setSweeps(clEvolution *e) {
  bool cycles = true;
  for (int f = 0; f < e->options.fields; f++) {
    e->sweeps = (int)fmax(e->sweeps, sweepsOf(e->c[0][f], e->turn[f]));
    if (e->turn[f] != 0 || e->c[1][f] > 0)
      cycles &= cyclesOf(e, sizeOf(e, f)) > 0;
  }
  if (cycles && e->sweeps > txHelmholtzMostSweeps(e->context, e->options.nx, e->options.ny))
    e->sweeps = 0;
}

#define SWEEP "#include \"sim/evolution_sweep.frag\"\n"
#define RESIDUAL "#include \"sim/evolution_residual.frag\"\n"

/* What factors that are not real need besides. */
static clStatus createComplex(clEvolution *e) {
  bool any = false;
  for (int f = 0; f < e->options.fields; f++)
    any |= e->turn[f] != 0;
  if (!any)
    return TEXLA_OK;
  for (int f = 0; f < e->options.fields; f++)
    TRY(clVectorCreateGrid(&e->imaginary[f], e->context, e->options.nx, e->options.ny));
  TRY(txEvolutionKernel(&e->sweep_begin, e, "evolution sweep begin", "#define BEGIN\n", SWEEP));
  TRY(txEvolutionKernel(&e->sweep_complex, e, "evolution sweep", "#define COMPLEX\n", SWEEP));
  return txEvolutionKernel(&e->residual_fourth, e, "evolution residual", "#define FOURTH\n",
                           RESIDUAL);
}

clStatus txEvolutionSetSolver(clEvolution *e) {
  for (int f = 0; f < e->options.fields; f++)
    choose(e, f);
  double c = largestC(e);
  if (c <= 0) /* a stage's right-hand side is its result */
    e->scheme.implicit = 0;
  if (!isfinite((float)c))
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                  "dt D / h^2 is too large for single precision (%g)", c);
  setSweeps(e);
  for (int f = 0; f < e->options.fields && !e->sweeps; f++)
    if (e->c[0][f] + e->turn[f] > 0 && ownerOf(e, f) == f)
      TRY(createCycles(e, f));
  TRY(createComplex(e));
  TRY(txEvolutionKernel(&e->sweep, e, "evolution sweep", "", SWEEP));
  TRY(txEvolutionKernel(&e->residual, e, "evolution residual", "", RESIDUAL));
  describe(e, c);
  return TEXLA_OK;
}

/* A pass over all fields, with factors and steps of this round; outputs behind `next` are the
 * imaginary parts. */
static clStatus pass(clEvolution *e, clKernel *kernel, clVector *const y[], int round, int k) {
  static const char *const name[] = {"b_u", "b_v", "b_w", "b_q"};
  static const char *const turned[] = {"turn_u", "turn_v", "turn_w", "turn_q"};
  int fields = e->options.fields;
  clKernelRun run = txEvolutionRun(e, y);
  clKernelParameter *parameter = run.parameter + TX_EVOLUTION_SHARED;
  parameter[0] = (clKernelParameter){"c", 4, {0}};
  parameter[1] = (clKernelParameter){"p", 4, {0}};
  parameter[2] = (clKernelParameter){"c_turn", 4, {0}};
  parameter[3] = (clKernelParameter){"p_turn", 4, {0}};
  for (int f = 0; f < fields; f++) {
    /* One over 1 + 4 c (1 + root) is the step: weight k of the sweeps over the diagonal. */
    double c = e->c[round][f], turn = e->turn[f] * (round == 0);
    double grow = 4 * (1 + txChebyshevRoot(k, e->sweeps));
    double re = 1 + grow * c, im = grow * turn, square = re * re + im * im;
    const double value[] = {c, re / square, turn, -im / square};
    for (int i = 0; i < 4; i++)
      parameter[i].value[f] = (float)value[i];
    run.input[fields + f] = (clKernelInput){name[f], e->right[f]};
    run.output[f] = e->next[f];
    if (kernel == e->sweep)
      continue;
    run.input[2 * fields + f] = (clKernelInput){turned[f], e->imaginary[f]};
    run.output[fields + f] = e->imaginary[f];
  }
  return txEvolutionExecute(e, kernel, &run);
}

/* All fields at once; those whose factor is 0 in this round become their right-hand side. */
static clStatus sweep(clEvolution *e, clVector *const y[], int round) {
  clKernel *kernel = e->sweep;
  if (round == 0 && e->sweep_complex) {
    kernel = e->sweep_complex;
    TRY(pass(e, e->sweep_begin, y, 0, 0));
    y = e->next;
  }
  for (int k = 0; k < e->sweeps; k++, y = e->next)
    TRY(pass(e, kernel, y, round, k));
  for (int f = 0; f < e->options.fields && round == 0; f++)
    if (e->turn[f] != 0 && e->c[0][f] != 0)
      TRY(clVectorAdd(e->next[f], 1, NULL, e->next[f], (float)(e->c[0][f] / e->turn[f]), NULL,
                      e->imaginary[f]));
  e->info.iterations += e->sweeps;
  return TEXLA_OK;
}

/* out <- right - (1 - c lap) y of field f, or right - (1 - c lap) (1 - c* lap) y; at its sides it
 * has the values that the options give, or, as a change has, zeros. */
static clStatus residual(clEvolution *e, int f, int round, clVector *out, const clVector *right,
                         clVector *y, bool change) {
  clKernelRun run = txEvolutionRun(e, (clVector *[]){y, y, y, y});
  memmove(run.parameter[1].value, run.parameter[1 + f].value, sizeof run.parameter[1].value);
  run.parameter[5].value[0] = (float)(4 * f);
  if (change)
    run.parameter[5].value[0] = -1;
  float c = (float)e->c[round][f], size = (float)sizeOf(e, f);
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){"c", 2, {c, 0}};
  run.input[e->options.fields] = (clKernelInput){"b_u", right};
  run.output[0] = out;
  if (e->turn[f] == 0)
    return txEvolutionExecute(e, e->residual, &run);
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){"c", 2, {2 * c, size * size}};
  return txEvolutionExecute(e, e->residual_fourth, &run);
}

/* Takes the mean out of work[0]: with closed or periodic sides 1 - c lap leaves it as it is, and
 * cycles that would find it have the rounding errors of 4 c times as much. Needs right[f]. */
static clStatus takeMean(clEvolution *e, int f, float *mean) {
  *mean = 0;
  for (int s = 0; s < 4; s++)
    if (e->options.side[s].edge != TEXLA_EVOLUTION_PERIODIC && e->mirror[f][s] != 1)
      return TEXLA_OK;
  TRY(clVectorSum(e->number, e->work[0]));
  TRY(clFloatDownload(e->number, mean));
  *mean = (float)((double)*mean / ((double)e->options.nx * e->options.ny));
  TRY(clVectorFill(e->right[f], *mean));
  return clVectorAxpy(e->work[0], -1, NULL, e->right[f]);
}

static clStatus normOf(clEvolution *e, const clVector *x, float *norm) {
  TRY(clVectorNorm(e->norm, x));
  return clFloatDownload(e->norm, norm);
}

/* work[1] <- the change, by cycles from zero for work[0]. The first few never are too many: nobody
 * looks before. One that gains less than a factor of two has met the rounding of single
 * precision. */
static clStatus solveChange(clEvolution *e, int f) {
  const double tolerance = 1e-5;
  clMultigrid *mg = e->multigrid[ownerOf(e, f)];
  float first = 0, norm = 0, mean = 0, change = 0, before = INFINITY;
  int done = 1;
  TRY(normOf(e, e->work[0], &first));
  TRY(takeMean(e, f, &mean));
  TRY(clMultigridApply(mg, e->work[1], e->work[0]));
  for (; done < FIRST_CYCLES; done++)
    TRY(clMultigridCycle(mg, e->work[1], e->work[0]));
  for (;; done++) {
    TRY(residual(e, f, 0, e->right[f], e->work[0], e->work[1], true));
    TRY(normOf(e, e->right[f], &norm));
    if (!((double)norm > tolerance * (double)first) || norm > before / 2 || done >= MOST_CYCLES)
      break;
    before = norm;
    TRY(clMultigridCycle(mg, e->work[1], e->work[0]));
  }
  TRY(normOf(e, e->work[1], &change));
  TRY(clVectorFill(e->right[f], mean));
  TRY(clVectorAxpy(e->work[1], 1, NULL, e->right[f]));
  e->info.iterations += done;
  e->info.residual = 0;
  if (first > 0)
    e->info.residual = (double)(norm / first);
  /* The residual is a sum whose terms are 1 + 4 c and 4 c times those of the change: so much of it
   * may be rounding. */
  const double rounding = (1 + 8 * e->c[0][f]) * FLT_EPSILON * (double)change;
  if ((double)norm > fmax(tolerance * (double)first, rounding))
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

/* x <- (1 - c lap)^-1 b by so many cycles for a constant c; no residual is computed. A straight
 * line through a cell and `mirror` times it beyond has its zero 1 / (1 - mirror) cells away. */
static clStatus solveConstant(clEvolution *e, int f, clVector *x, const clVector *b, double c,
                              int cycles) {
  txHelmholtzSide side[4] = {{0}};
  for (int s = 0; s < 4; s++)
    side[s] = (txHelmholtzSide){e->mirror[f][s] != 1, 1 / (1 - fmin(e->mirror[f][s], 1 - 1e-9))};
  e->info.iterations += cycles;
  return txHelmholtzSolve(e->helmholtz, x, b, c, cycles, side);
}

/* next <- next + the change, by Chebyshev's method: a cycle for each of two factors 1 - |c| lap
 * leaves eigenvalues between 0.4 and 1.05, of which 1/2 and 1 belong to the factors themselves. The
 * error becomes 5e4 times smaller. */
static clStatus solveComplex(clEvolution *e, clVector *y, int f) {
  const int n = 8;
  const double low = 0.4, high = 1.05, middle = (high + low) / 2, rho = (high - low) / (high + low);
  double c = sizeOf(e, f);
  for (int k = 0; k < n; k++, y = e->next[f]) {
    TRY(residual(e, f, 0, e->work[0], e->right[f], y, false));
    TRY(solveConstant(e, f, e->work[1], e->work[0], c, 1));
    TRY(solveConstant(e, f, e->work[0], e->work[1], c, 1));
    TRY(clVectorAdd(e->next[f], 1, NULL, y, (float)(txChebyshevWeight(k, n, rho) / middle), NULL,
                    e->work[0]));
  }
  return TEXLA_OK;
}

/* What is solved for is the change, from zero: what is beyond the edges stands in the residual, and
 * the tolerance is one of the change. A solution that is not as exact as wanted is still the best
 * there is. */
static clStatus cycle(clEvolution *e, clVector *const y[], int f, int round) {
  if (e->turn[f] != 0)
    return solveComplex(e, y[f], f);
  double c = e->c[round][f];
  TRY(residual(e, f, round, e->work[0], e->right[f], y[f], false));
  clStatus solved = TEXLA_OK;
  if (e->multigrid[ownerOf(e, f)])
    solved = solveChange(e, f);
  else
    solved = solveConstant(e, f, e->work[1], e->work[0], c, cyclesOf(e, c));
  if (solved >= 0)
    TRY(clVectorAdd(e->next[f], 1, NULL, y[f], 1, NULL, e->work[1]));
  return solved;
}

/* One field after another; *solved says whether all have converged. */
static clStatus cycles(clEvolution *e, clVector *const y[], int round, clStatus *solved) {
  for (int f = 0; f < e->options.fields; f++) {
    if (e->c[round][f] == 0 && (round || e->turn[f] == 0)) {
      TRY(clVectorCopy(e->next[f], e->right[f]));
      continue;
    }
    clStatus status = cycle(e, y, f, round);
    TRY(status);
    if (status > 0)
      *solved = status;
  }
  return TEXLA_OK;
}

/* Fields with two real factors take a second round, whose right-hand side and guess are the result
 * of the first one; the others are copied in it. */
clStatus txEvolutionSolve(clEvolution *e, clVector *const y[]) {
  clStatus solved = TEXLA_OK;
  for (int round = 0; round < 2; round++) {
    bool any = round == 0;
    for (int f = 0; f < e->options.fields; f++)
      any |= e->c[round][f] > 0;
    if (!any)
      break;
    for (int f = 0; f < e->options.fields && round; f++)
      TRY(clVectorCopy(e->right[f], e->next[f]));
    if (e->sweeps)
      TRY(sweep(e, y, round));
    else
      TRY(cycles(e, y, round, &solved));
    y = e->next;
  }
  return solved;
}
