/* The five-diagonal scheme: both axes at once. With s = D^-1/2, D the main diagonal, the systems
 * are solved as
 *     (s A s) x = s r,   change = s x
 * whose main diagonal is 1: plain conjugate gradients on them are those with Jacobi's
 * preconditioner on A. The diagonals are computed on the device in every step and handed to one
 * clMatrix; a multigrid preconditioner is that of the water at the start. */
#include "sim/water.h"
#include "core/allocate.h"
#include "core/try.h"
#include "matrix/banded.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Vectors and kernels of this scheme alone. */
enum { SCALE, RIGHT, DIAGONAL, FLOW = DIAGONAL + 4, VECTORS };
enum { MAKE_RIGHT, MAKE_MATRIX, CORRECT, UPDATE, KERNELS };

struct txWaterFive {
  clMatrix *A;
  clSolver *cg;
  clVector *vector[VECTORS];
  clKernel *kernel[KERNELS];
  char solver[256];
};

/* The structure belongs to the water as soon as it is there, so that a failure in the middle is
 * cleaned up with it. */
clStatus txWaterFiveCreate(clWater *water, const char *call) {
  static const char *const name[] = {"water right", "water matrix", "water correct",
                                     "water update"};
  static const char *const file[] = {"water_five_right.frag", "water_five_matrix.frag",
                                     "water_five_correct.frag", "water_update.frag"};
  txWaterFive *five = txAllocate(txWaterError(water), call, 1, sizeof *five, "a clWater");
  water->five = five;
  if (!five)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < VECTORS; k++)
    TRY(clVectorCreateGrid(&five->vector[k], water->context, water->info.nx, water->info.ny));
  for (int k = 0; k < KERNELS; k++)
    TRY(txWaterKernel(&five->kernel[k], water, name[k], 0, file[k]));
  return TEXLA_OK;
}

static void destroySolver(txWaterFive *five) {
  clSolverDestroy(five->cg);
  clMatrixDestroy(five->A);
  five->cg = NULL;
  five->A = NULL;
}

void txWaterFiveDestroy(txWaterFive *five) {
  if (!five)
    return;
  destroySolver(five);
  for (int k = 0; k < VECTORS; k++)
    clVectorDestroy(five->vector[k]);
  for (int k = 0; k < KERNELS; k++)
    clKernelDestroy(five->kernel[k]);
  free(five);
}

/* --- the matrix and its solver, from the water at the start --- */

/* How strongly the faces along an axis pull, per depth: g (theta dt / d)^2. */
static double pullPerDepth(const clWater *water, int axis) {
  double rate = water->options.theta * water->info.dt / txWaterSpacing(water, axis);
  return water->options.gravity * rate * rate;
}

/* The pull between cells k and l: none where one of them is dry. */
static double pull(const clWater *water, const float *z, const float *ground, int k, int l,
                   int axis) {
  double depth = 0.5 * ((double)(z[k] - ground[k]) + (double)(z[l] - ground[l]));
  if (!(z[k] > ground[k]) || !(z[l] > ground[l]))
    return 0;
  return depth * pullPerDepth(water, axis);
}

/* The main diagonal's entry of cell k: 1 and what all its neighbours pull. */
static double diagonalOf(const clWater *water, const float *z, const float *ground, int k) {
  const int nx = water->info.nx, ny = water->info.ny, i = k % nx, j = k / nx;
  double sum = 1;
  if (i > 0)
    sum += pull(water, z, ground, k, k - 1, 0);
  if (i + 1 < nx)
    sum += pull(water, z, ground, k, k + 1, 0);
  if (j > 0)
    sum += pull(water, z, ground, k, k - nx, 1);
  if (j + 1 < ny)
    sum += pull(water, z, ground, k, k + nx, 1);
  return sum;
}

/* The entry of cells k and l, scaled by both diagonals: 1 on the diagonal. */
static void addEntry(clTriplets *T, const clWater *water, const float *z, const float *ground,
                     int k, int l, int axis) {
  /* an entry, even where nothing flows yet: the matrix keeps room for it */
  const double least = 1e-30;
  double scale = sqrt(diagonalOf(water, z, ground, k) * diagonalOf(water, z, ground, l));
  int64_t e = T->count++;
  T->row[e] = k;
  T->col[e] = l;
  T->value[e] = 1;
  if (k != l)
    T->value[e] = -fmax(pull(water, z, ground, k, l, axis) / scale, least);
}

/* s A s for the water as it is. The caller destroys it. */
static clStatus createTriplets(clTriplets **out, const clWater *water, const float *z,
                               const float *ground) {
  const int nx = water->info.nx, ny = water->info.ny;
  TRY(clTripletsCreate(out, nx * ny, nx * ny, 5 * (int64_t)nx * ny, txWaterError(water)));
  for (int k = 0; k < nx * ny; k++) {
    int i = k % nx, j = k / nx;
    if (j > 0)
      addEntry(*out, water, z, ground, k, k - nx, 1);
    if (i > 0)
      addEntry(*out, water, z, ground, k, k - 1, 0);
    addEntry(*out, water, z, ground, k, k, 0);
    if (i + 1 < nx)
      addEntry(*out, water, z, ground, k, k + 1, 0);
    if (j + 1 < ny)
      addEntry(*out, water, z, ground, k, k + nx, 1);
  }
  return TEXLA_OK;
}

/* The scaled systems have Jacobi's preconditioner already, so that there is none but multigrid. */
clStatus txWaterFivePrepare(clWater *water) {
  txWaterFive *five = water->five;
  const int nx = water->info.nx, ny = water->info.ny;
  const char *with = "Jacobi's preconditioner", *how = "";
  float *ground = water->host, *z = ground + (size_t)nx * (size_t)ny;
  const clMatrixOptions matrix = {
      .storage = TEXLA_STORAGE_BANDED, .grid_nx = nx, .grid_ny = ny, .general_diagonals = true};
  clSolverOptions solver = {
      .method = TEXLA_METHOD_CG, .tolerance = water->options.tolerance, .absolute = 1e-30};
  if (water->options.preconditioner == TEXLA_PRECONDITIONER_MG) {
    solver.preconditioner = TEXLA_PRECONDITIONER_MG;
    with = "a multigrid cycle";
  }
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  destroySolver(five);
  TRY_CLEANUP(clVectorDownload(water->ground, ground));
  TRY_CLEANUP(clVectorDownload(water->z, z));
  TRY_CLEANUP(createTriplets(&T, water, z, ground));
  TRY_CLEANUP(clMatrixCreate(&five->A, water->context, T, &matrix));
  txBandedMain(five->A, 1);
  solver.host = T;
  TRY_CLEANUP(clSolverCreate(&five->cg, five->A, &solver));
  how = clMatrixDescription(five->A);
cleanup:
  clTripletsDestroy(T);
  snprintf(five->solver, sizeof five->solver, "conjugate gradients with %s: %s", with, how);
  water->info.solver = five->solver;
  return status;
}

/* --- a step --- */

/* The prediction along an axis, into four vectors from `out` on. v feels the u that is
 * predicted. */
static clStatus predict(clWater *water, int axis, clVector **out) {
  const double dt = water->info.dt, d = txWaterSpacing(water, axis);
  clKernelRun run = {{NULL}};
  txWaterPredict(&run, water, axis, dt);
  txRunParameter(&run, "known", 1, (1 - water->info.theta) * dt / d, 0, 0, 0);
  for (int k = 0; run.input[k].name; k++) {
    if (strcmp(run.input[k].name, "before") == 0)
      run.input[k].vector = water->z;
    if (axis && run.input[k].vector == water->velocity[0])
      run.input[k].vector = water->work[TX_WATER_STAR];
  }
  for (int k = 0; k < 4; k++)
    run.output[k] = out[k];
  return txWaterRun(water, water->kernel[axis][TX_WATER_PREDICT], &run);
}

/* What the stages after both predictions read. */
static clKernelRun prepare(const clWater *water) {
  static const char *const name[] = {"star_x", "link_x", "depth_x", "known_x",
                                     "star_y", "link_y", "depth_y", "known_y"};
  const double part = water->info.theta * water->info.dt;
  clKernelRun run = {.input = {{"z", water->z}, {"ground", water->ground}}};
  for (int k = 0; k < 8; k++)
    txRunInput(&run, name[k], water->work[TX_WATER_STAR + k]);
  txRunParameter(&run, "share", 2, part / water->info.dx, part / water->info.dy, 0, 0);
  txWaterRim(&run, water, water->info.time + part, water->info.dt);
  return run;
}

/* The systems: right-hand side and scale, then the diagonals, which the matrix takes. */
static clStatus build(clWater *water) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  txWaterFive *five = water->five;
  clKernelRun run = prepare(water);
  run.output[0] = five->vector[SCALE];
  run.output[1] = five->vector[RIGHT];
  TRY(txWaterRun(water, five->kernel[MAKE_RIGHT], &run));
  run = prepare(water);
  txRunInput(&run, "scale", five->vector[SCALE]);
  for (int k = 0; k < 4; k++)
    run.output[k] = five->vector[DIAGONAL + k];
  TRY(txWaterRun(water, five->kernel[MAKE_MATRIX], &run));
  for (int k = 0; k < 4; k++)
    txBandedExchange(five->A, way[k][0], way[k][1], five->vector[DIAGONAL + k]);
  return TEXLA_OK;
}

/* change <- s x, from zero; a solution that has not converged is taken, and the caller is told. */
static clStatus solve(clWater *water) {
  txWaterFive *five = water->five;
  clSolverReport report = {0};
  clVector *change = water->work[TX_WATER_CHANGE];
  TRY(clVectorClear(change));
  clStatus solved = clSolverSolve(five->cg, change, five->vector[RIGHT], &report);
  water->info.iterations = report.iterations;
  water->info.residual = report.residual;
  if (solved >= 0)
    TRY(clVectorMul(change, change, five->vector[SCALE]));
  return solved;
}

/* The new velocities and flows along both axes, and the part that each cell can give; then the new
 * level. */
static clStatus take(clWater *water) {
  txWaterFive *five = water->five;
  clKernelRun run = prepare(water);
  clVector *const correct[] = {water->velocity[0], water->velocity[1], water->work[TX_WATER_FLOW],
                               five->vector[FLOW], water->work[TX_WATER_PART]};
  txRunInput(&run, "change", water->work[TX_WATER_CHANGE]);
  for (int k = 0; k < 5; k++)
    run.output[k] = correct[k];
  TRY(txWaterRun(water, five->kernel[CORRECT], &run));
  run = (clKernelRun){.output = {water->before, water->velocity[0], water->velocity[1],
                                 water->flux[0][1], water->flux[1][1]},
                      .input = {{"z", water->z},
                                {"ground", water->ground},
                                {"w", water->velocity[0]},
                                {"s", water->velocity[1]},
                                {"flow", water->work[TX_WATER_FLOW]},
                                {"known", five->vector[FLOW]},
                                {"change", water->work[TX_WATER_CHANGE]},
                                {"part", water->work[TX_WATER_PART]}}};
  txWaterRim(&run, water, water->info.time + water->info.theta * water->info.dt, water->info.dt);
  TRY(txWaterRun(water, five->kernel[UPDATE], &run));
  txWaterAccept(water);
  return TEXLA_OK;
}

clStatus txWaterFiveStep(clWater *water) {
  TRY(predict(water, 0, &water->work[TX_WATER_STAR]));
  TRY(predict(water, 1, &water->work[TX_WATER_LOWER]));
  TRY(build(water));
  clStatus solved = solve(water);
  if (solved >= 0)
    TRY(take(water));
  return solved;
}
