/* The five-diagonal scheme: both axes at once. With s = D^-1/2, D the main diagonal, the systems
 * are solved as
 *     (s A s) x = s r,   change = s x
 * whose main diagonal is 1: plain conjugate gradients on them are those with Jacobi's
 * preconditioner on A. The diagonals are computed on the device in every step and handed to one
 * clMatrix; a multigrid preconditioner is that of the water at the start. */
#include "sim/water.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/banded.h"

enum { SCALE, RIGHT, DIAGONAL, FLOW = DIAGONAL + 4, VECTORS };
enum { MAKE_RIGHT, MAKE_MATRIX, CORRECT, UPDATE, KERNELS };

struct txWaterFive {
  clMatrix *A;
  clSolver *cg;
  clVector *vector[VECTORS];
  clKernel *kernel[KERNELS];
  char solver[256];
};

clStatus txWaterFiveCreate(clWater *water, const char *call) {
  static const char *const name[] = {"water right", "water matrix", "water correct",
                                     "water update"};
  static const char *const file[] = {"water_five_right.frag", "water_five_matrix.frag",
                                     "water_five_correct.frag", "water_update.frag"};
  txWaterFive *five =
      txAllocate(txContextError(water->context), call, 1, sizeof *five, "a clWater");
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

/* How strongly the faces along an axis pull, per depth. */
static double pullPerDepth(const clWater *water, int axis) {
  const clWaterOptions *o = &water->options;
  double rate = o->theta * water->info.dt / (axis ? o->dy : o->dx);
  return o->gravity * rate * rate;
}

/* The pull between cells k and l: none where one of them is dry. */
static double pull(const clWater *water, const float *z, const float *ground, int k, int l,
                   int axis) {
  double depth = 0.5 * ((double)(z[k] - ground[k]) + (double)(z[l] - ground[l]));
  return z[k] > ground[k] && z[l] > ground[l] ? depth * pullPerDepth(water, axis) : 0;
}

/* The main diagonal's entry of cell k. */
static double diagonalOf(const clWater *water, const float *z, const float *ground, int k) {
  const int nx = water->info.nx, ny = water->info.ny, i = k % nx, j = k / nx;
  double sum = 1;
  sum += i > 0 ? pull(water, z, ground, k, k - 1, 0) : 0;
  sum += i + 1 < nx ? pull(water, z, ground, k, k + 1, 0) : 0;
  sum += j > 0 ? pull(water, z, ground, k, k - nx, 1) : 0;
  sum += j + 1 < ny ? pull(water, z, ground, k, k + nx, 1) : 0;
  return sum;
}

static void addEntry(clTriplets *T, const clWater *water, const float *z, const float *ground,
                     int k, int l, int axis) {
  /* an entry, even where nothing flows yet: the matrix keeps room for it */
  const double least = 1e-30;
  double scale = sqrt(diagonalOf(water, z, ground, k) * diagonalOf(water, z, ground, l));
  int64_t e = T->count++;
  T->row[e] = k;
  T->col[e] = l;
  T->value[e] = k == l ? 1 : -fmax(pull(water, z, ground, k, l, axis) / scale, least);
}

/* s A s for the water as it is. The caller destroys it. */
static clStatus createTriplets(clTriplets **out, const clWater *water, const float *z,
                               const float *ground) {
  const int nx = water->info.nx, ny = water->info.ny;
  TRY(clTripletsCreate(out, nx * ny, nx * ny, 5 * (int64_t)nx * ny,
                       txContextError(water->context)));
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

clStatus txWaterFivePrepare(clWater *water) {
  txWaterFive *five = water->five;
  const int nx = water->info.nx, ny = water->info.ny;
  const bool mg = water->options.preconditioner == TEXLA_PRECONDITIONER_MG;
  float *ground = water->host, *z = ground + (size_t)nx * (size_t)ny;
  clTriplets *T = NULL;
  destroySolver(five);
  clStatus status = clVectorDownload(water->ground, ground);
  if (!status)
    status = clVectorDownload(water->z, z);
  if (!status)
    status = createTriplets(&T, water, z, ground);
  if (!status)
    status = clMatrixCreate(&five->A, water->context, T,
                            &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED,
                                               .grid_nx = nx,
                                               .grid_ny = ny,
                                               .general_diagonals = true});
  const clSolverOptions options = {.method = TEXLA_METHOD_CG,
                                   .preconditioner =
                                       mg ? TEXLA_PRECONDITIONER_MG : TEXLA_PRECONDITIONER_NONE,
                                   .tolerance = water->options.tolerance,
                                   .absolute = 1e-30,
                                   .host = T};
  if (!status)
    status = clSolverCreate(&five->cg, five->A, &options);
  clTripletsDestroy(T);
  snprintf(five->solver, sizeof five->solver, "conjugate gradients with %s: %s",
           mg ? "a multigrid cycle" : "Jacobi's preconditioner",
           status ? "" : clMatrixDescription(five->A));
  water->info.solver = five->solver;
  return status;
}

/* --- a step --- */

/* The prediction along an axis, into four vectors from `out` on. v feels the u that is
 * predicted. */
static clStatus predict(clWater *water, int axis, clVector **out) {
  const double dt = water->info.dt, d = axis ? water->info.dy : water->info.dx;
  clKernelRun run = {{NULL}};
  txWaterPredict(&run, water, axis, dt);
  txWaterParameter(&run, "known", 1, (1 - water->info.theta) * dt / d, 0, 0, 0);
  for (int k = 0; run.input[k].name; k++) {
    if (strcmp(run.input[k].name, "before") == 0)
      run.input[k].vector = water->z;
    if (axis && run.input[k].vector == water->velocity[0])
      run.input[k].vector = water->work[TX_WATER_STAR];
  }
  for (int k = 0; k < 4; k++)
    run.output[k] = out[k];
  return clKernelExecute(water->kernel[axis][TX_WATER_PREDICT], &run);
}

static clKernelRun prepare(const clWater *water) {
  static const char *const name[] = {"star_x", "link_x", "depth_x", "known_x",
                                     "star_y", "link_y", "depth_y", "known_y"};
  const double part = water->info.theta * water->info.dt;
  clKernelRun run = {.input = {{"z", water->z}, {"ground", water->ground}}};
  for (int k = 0; k < 8; k++)
    txWaterInput(&run, name[k], water->work[TX_WATER_STAR + k]);
  txWaterParameter(&run, "share", 2, part / water->info.dx, part / water->info.dy, 0, 0);
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
  TRY(clKernelExecute(five->kernel[MAKE_RIGHT], &run));
  run = prepare(water);
  txWaterInput(&run, "scale", five->vector[SCALE]);
  for (int k = 0; k < 4; k++)
    run.output[k] = five->vector[DIAGONAL + k];
  TRY(clKernelExecute(five->kernel[MAKE_MATRIX], &run));
  for (int k = 0; k < 4; k++)
    txBandedExchange(five->A, way[k][0], way[k][1], five->vector[DIAGONAL + k]);
  return TEXLA_OK;
}

static clStatus solve(clWater *water) {
  txWaterFive *five = water->five;
  clSolverReport report = {0};
  clVector *change = water->work[TX_WATER_CHANGE];
  clStatus status = clVectorClear(change), solved = TEXLA_OK;
  if (!status)
    status = solved = clSolverSolve(five->cg, change, five->vector[RIGHT], &report);
  water->info.iterations = report.iterations;
  water->info.residual = report.residual;
  if (status >= 0)
    status = clVectorMul(change, change, five->vector[SCALE]);
  return status ? status : solved;
}

static clStatus take(clWater *water) {
  txWaterFive *five = water->five;
  clKernelRun run = prepare(water);
  clVector *const correct[] = {water->velocity[0], water->velocity[1], water->work[TX_WATER_FLOW],
                               five->vector[FLOW], water->work[TX_WATER_PART]};
  txWaterInput(&run, "change", water->work[TX_WATER_CHANGE]);
  for (int k = 0; k < 5; k++)
    run.output[k] = correct[k];
  TRY(clKernelExecute(five->kernel[CORRECT], &run));
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
  TRY(clKernelExecute(five->kernel[UPDATE], &run));
  txWaterAccept(water);
  return TEXLA_OK;
}

clStatus txWaterFiveStep(clWater *water) {
  clStatus status = predict(water, 0, &water->work[TX_WATER_STAR]), solved = TEXLA_OK;
  if (!status)
    status = predict(water, 1, &water->work[TX_WATER_LOWER]);
  if (!status)
    status = build(water);
  if (!status)
    status = solved = solve(water);
  if (status >= 0)
    status = take(water);
  return status ? status : solved;
}
