/* The implicit part of a clEvolution: (1 - c lap) y = right, for each field, by sweeps where c is
 * small and by multigrid where it is not. */
#include "sim/evolution.h"
#include "sim/chebyshev.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CYCLES = 20 };

/* The eigenvalues of D^-1 (1 - c lap) lie within 1 - rho .. 1 + rho. */
static double radiusOf(double c) {
  return 4 * c / (1 + 4 * c);
}

/* What the neighbour across a side is in the matrix: itself where the axis is periodic (1, *other
 * <- there), a times the cell otherwise. */
static double acrossSide(const clEvolutionOptions *o, int i, int j, int side, int64_t *other) {
  int axis = side / 2, n = axis ? o->ny : o->nx, at = (axis ? j : i) + (side % 2 ? 1 : -1);
  bool outside = at < 0 || at >= n;
  *other = -1;
  if (outside && o->side[side].edge != TEXLA_EVOLUTION_PERIODIC)
    return o->side[side].edge == TEXLA_EVOLUTION_FIXED ? -1 : 1;
  at = at < 0 ? n - 1 : at >= n ? 0 : at;
  *other = axis ? (int64_t)at * o->nx + i : (int64_t)j * o->nx + at;
  return 1;
}

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

/* The cycles for 1 - c lap, without what lies beyond the edges. */
static clStatus createMultigrid(clMultigrid **out, const clEvolution *e, double c) {
  const clEvolutionOptions *o = &e->options;
  clError *error = txContextError(e->context);
  int64_t n = (int64_t)o->nx * o->ny;
  clTriplets *A = NULL;
  clStatus status = clTripletsCreate(&A, (int32_t)n, (int32_t)n, 5 * n, error);
  for (int j = 0; j < o->ny && !status; j++)
    for (int i = 0; i < o->nx && !status; i++)
      status = addRow(A, o, i, j, c, error);
  if (!status)
    status = clTripletsCompress(A, error);
  clMultigridOptions options = {.smoother = TEXLA_SMOOTHER_HALVES,
                                .host_points =
                                    clContextInspect(e->context)->software ? 1 << 14 : 0};
  if (!status)
    status = clMultigridCreate(out, e->context, A, o->nx, o->ny, &options);
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
 * where c^2 = g dt B. */
static void choose(clEvolution *e) {
  const clEvolutionOptions *o = &e->options;
  double dt = e->scheme.implicit * o->dt;
  for (int f = 0; f < o->fields; f++) {
    bool twice = o->fourth[f] > 0 && dt > 0, once = !twice && o->diffusion[f] > 0 && dt > 0;
    e->c[f] = (twice ? sqrt(dt * o->fourth[f]) : once ? dt * o->diffusion[f] : 0) / (o->h * o->h);
    e->times[f] = twice ? 2 : once;
  }
}

static double largestC(const clEvolution *e) {
  double c = 0;
  for (int f = 0; f < e->options.fields; f++)
    c = fmax(c, e->c[f]);
  return c;
}

static clStatus describe(clEvolution *e, double c) {
  const char *with = "explicitly";
  for (int f = 0; f < e->options.fields; f++)
    if (e->multigrid[f])
      with = clMultigridDescription(e->multigrid[f]);
  if (c > 0 && e->sweeps)
    snprintf(e->solver, sizeof e->solver, "%d sweeps of Jacobi's method, c / h^2 = %.3g", e->sweeps,
             c);
  else
    snprintf(e->solver, sizeof e->solver, "%s", with);
  return TEXLA_OK;
}

/* So many sweeps take about as long as the cycles do: on a graphics card (H200) 256 at 256^2 cells,
 * where cycles wait for their residuals, and 64 at 1024^2; docs/lab.md has the figures. */
static int mostSweeps(const clEvolution *e) {
  const int least = 40, most = 256;
  double most_cells = 65536 / sqrt((double)e->options.nx * e->options.ny);
  if (clContextInspect(e->context)->software)
    return least;
  return most_cells > most ? most : most_cells < least ? least : (int)most_cells;
}

clStatus txEvolutionSetSolver(clEvolution *e) {
  choose(e);
  double c = largestC(e);
  if (!isfinite((float)c))
    return txFail(txContextError(e->context), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                  "dt D / h^2 is too large for single precision (%g)", c);
  int sweeps = txChebyshevSweeps(radiusOf(c));
  e->sweeps = sweeps <= mostSweeps(e) ? sweeps : 0;
  for (int f = 0; f < e->options.fields && !e->sweeps; f++)
    if (e->c[f] > 0 && ownerOf(e, f) == f)
      TRY(createMultigrid(&e->multigrid[f], e, e->c[f]));
  TRY(txEvolutionKernel(&e->sweep, e, "evolution sweep", "",
                        "#include \"sim/evolution_sweep.frag\"\n"));
  TRY(txEvolutionKernel(&e->residual, e, "evolution residual", "",
                        "#include \"sim/evolution_residual.frag\"\n"));
  return describe(e, c);
}

/* All fields at once; those whose c is 0 in this round become their right-hand side. */
static clStatus sweep(clEvolution *e, clVector *const y[], const float c[4]) {
  static const char *const name[] = {"b_u", "b_v", "b_w", "b_q"};
  int fields = e->options.fields;
  double rho = radiusOf(largestC(e));
  for (int k = 0; k < e->sweeps; k++) {
    clKernelRun run = txEvolutionRun(e, k ? e->next : y);
    clKernelParameter *parameter = run.parameter + TX_EVOLUTION_SHARED;
    parameter[0] = (clKernelParameter){"c", 4, {c[0], c[1], c[2], c[3]}};
    parameter[1] = (clKernelParameter){"weight", 1, {(float)txChebyshevWeight(k, e->sweeps, rho)}};
    for (int f = 0; f < fields; f++) {
      run.input[fields + f] = (clKernelInput){name[f], e->right[f]};
      run.output[f] = e->next[f];
    }
    TRY(clKernelExecute(e->sweep, &run));
  }
  e->info.iterations += e->sweeps;
  return TEXLA_OK;
}

/* What is solved for is the change, from zero: what is beyond the edges stands in the residual, and
 * the tolerance is one of the change. */
static clStatus cycle(clEvolution *e, clVector *const y[], int f) {
  clKernelRun run = txEvolutionRun(e, (clVector *[]){y[f], y[f], y[f], y[f]});
  memmove(run.parameter[2].value, run.parameter[2 + f].value, sizeof run.parameter[2].value);
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){"c", 1, {(float)e->c[f]}};
  run.input[e->options.fields] = (clKernelInput){"b_u", e->right[f]};
  run.output[0] = e->work[0];
  clStatus status = clKernelExecute(e->residual, &run);
  if (!status)
    status = clVectorClear(e->work[1]);
  clSolverReport report = {0};
  const clSolverOptions options = {.tolerance = 1e-5, .max_iterations = MOST_CYCLES};
  if (!status)
    status =
        clMultigridSolve(e->multigrid[ownerOf(e, f)], e->work[1], e->work[0], &options, &report);
  e->info.iterations += (int)report.iterations;
  e->info.residual = report.residual;
  clStatus added =
      status < 0 ? status : clVectorAdd(e->next[f], 1, NULL, y[f], 1, NULL, e->work[1]);
  return added ? added : status;
}

static clStatus cycles(clEvolution *e, clVector *const y[], const float c[4]) {
  clStatus status = TEXLA_OK, solved = TEXLA_OK;
  for (int f = 0; f < e->options.fields && status >= 0; f++) {
    status = c[f] > 0 ? cycle(e, y, f) : clVectorCopy(e->next[f], e->right[f]);
    solved = status > 0 ? status : solved;
  }
  return status < 0 ? status : solved;
}

clStatus txEvolutionSolve(clEvolution *e, clVector *const y[]) {
  clStatus status = TEXLA_OK, solved = TEXLA_OK;
  for (int round = 0; round < 2 && status >= 0; round++) {
    float c[4] = {0};
    bool any = round == 0;
    for (int f = 0; f < e->options.fields; f++) {
      c[f] = e->times[f] > round ? (float)e->c[f] : 0;
      any |= c[f] > 0;
    }
    if (!any)
      break;
    for (int f = 0; f < e->options.fields && round && status >= 0; f++)
      status = clVectorCopy(e->right[f], e->next[f]);
    if (status >= 0)
      status = e->sweeps ? sweep(e, round ? e->next : y, c) : cycles(e, round ? e->next : y, c);
    solved = status > 0 ? status : solved;
  }
  return status < 0 ? status : solved;
}
