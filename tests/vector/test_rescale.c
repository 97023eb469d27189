/* Rescaling against bilinear interpolation in double precision. */
#include "common.h"
#include "oracle/vector.h"

/* Halving and doubling have weights that 8 bits hold; a coordinate between 0 and 1 is wrong by
 * FLT_EPSILON / 2, that is by FLT_EPSILON / 2 * cells, and the values differ by up to 2 in each
 * direction. */
static const double exact_weights = 0;
/* times cells */
static const double coordinates = 4 * FLT_EPSILON;
/* of the range [-1, 1]: devices round the filter's weights to 8 bits */
static const double filter = 1.0 / 256;

static double clampedAt(const float *x, int nx, int ny, int i, int j) {
  return (double)x[(int64_t)clampTo(j, ny) * nx + clampTo(i, nx)];
}

/* Bilinear interpolation at (s, t), in cells. */
static double bilinear(const float *x, int nx, int ny, double s, double t) {
  int i = (int)floor(s - 0.5), j = (int)floor(t - 0.5);
  double p = s - 0.5 - i, q = t - 0.5 - j;
  return (1 - q) * ((1 - p) * clampedAt(x, nx, ny, i, j) + p * clampedAt(x, nx, ny, i + 1, j)) +
         q * ((1 - p) * clampedAt(x, nx, ny, i, j + 1) + p * clampedAt(x, nx, ny, i + 1, j + 1));
}

static void rescale(clContext *context, OracleShape from, OracleShape to, double tolerance) {
  int64_t n = oracleLength(from), m = oracleLength(to);
  FREED float *values = malloc((size_t)n * sizeof *values);
  FREED double *wanted = malloc((size_t)m * sizeof *wanted),
               *scale = malloc((size_t)m * sizeof *scale);
  oracleFill(values, n, 5, -1, 1);
  for (int64_t i = 0; i < m; i++) {
    double s = ((double)(i % to.nx) + 0.5) * from.nx / to.nx,
           t = ((double)(i / to.nx) + 0.5) * from.ny / to.ny;
    wanted[i] = bilinear(values, from.nx, from.ny, s, t);
    scale[i] = 1;
  }
  OWN(clVector) *x = NULL, *y = NULL;
  assertOk(context, oracleCreate(&x, context, from));
  assertOk(context, oracleCreate(&y, context, to));
  assertOk(context, clVectorUpload(x, values));
  assertOk(context, clVectorFill(y, 9));
  assertOk(context, clVectorRescale(y, x));
  int cells = from.nx > from.ny ? from.nx : from.ny;
  assert_true(oracleHolds("rescale", y, wanted, scale, tolerance + coordinates * (cells + 1)));
}

static bool unfiltered(clContext *context) {
  return !clContextInspect(context)->probes.filterable;
}

static void halving(void **state) {
  static const OracleShape coarse[] = {{1, 1}, {2, 3},   {3, 2},    {5, 5},    {7, 1},
                                       {1, 7}, {32, 32}, {129, 63}, {500, 499}};
  if (unfiltered(*state))
    testSkip("the device filters no 32-bit floats");
  for (size_t i = 0; i < sizeof coarse / sizeof *coarse; i++)
    rescale(*state, (OracleShape){2 * coarse[i].nx, 2 * coarse[i].ny}, coarse[i], exact_weights);
}

static void doubling(void **state) {
  static const OracleShape coarse[] = {{1, 1}, {2, 3}, {3, 2},   {5, 5},
                                       {7, 1}, {1, 7}, {32, 32}, {129, 63}};
  if (unfiltered(*state))
    testSkip("the device filters no 32-bit floats");
  for (size_t i = 0; i < sizeof coarse / sizeof *coarse; i++)
    rescale(*state, coarse[i], (OracleShape){2 * coarse[i].nx, 2 * coarse[i].ny}, exact_weights);
}

static void sameSizeIsACopy(void **state) {
  if (unfiltered(*state))
    testSkip("the device filters no 32-bit floats");
  rescale(*state, (OracleShape){37, 21}, (OracleShape){37, 21}, exact_weights);
}

static void anySizes(void **state) {
  static const OracleShape shapes[] = {{1, 1}, {3, 5}, {10, 7}, {13, 1}, {1, 13}, {64, 65}};
  if (unfiltered(*state))
    testSkip("the device filters no 32-bit floats");
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      rescale(*state, shapes[i], shapes[j], 2 * filter);
}

static void wrongOperands(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  clVector *grid = NULL, *linear = NULL, *foreign = NULL, *wide = NULL;
  int limit = clContextInspect(context)->max_texture_size;
  assertOk(context, clVectorCreateGrid(&grid, context, 4, 4));
  assertOk(context, clVectorCreate(&linear, context, 16));
  assertOk(context, clVectorCreateGrid(&wide, context, limit + 1, 1));
  assertOk(other, clVectorCreateGrid(&foreign, other, 4, 4));
  assertFails(context, clVectorRescale(grid, grid), TEXLA_BAD_ARGUMENT,
              "clVectorRescale: x and y must be two");
  assertFails(context, clVectorRescale(grid, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorRescale: x and y must be two");
  assertFails(context, clVectorRescale(NULL, grid), TEXLA_BAD_ARGUMENT,
              "clVectorRescale: x and y must be two");
  assertFails(context, clVectorRescale(grid, linear), TEXLA_BAD_SHAPE, "must have the grid layout");
  assertFails(context, clVectorRescale(linear, grid), TEXLA_BAD_SHAPE, "must have the grid layout");
  assertFails(context, clVectorRescale(grid, foreign), TEXLA_FOREIGN_CONTEXT,
              "clVectorRescale: the operands");
  assertFails(context, clVectorRescale(grid, wide), TEXLA_TOO_LARGE,
              "clVectorRescale: needs a texture of");
  clVectorDestroy(grid);
  clVectorDestroy(linear);
  clVectorDestroy(foreign);
  clVectorDestroy(wide);
  clContextDestroy(other);
}

TEST_MAIN(testContextCreate, testContextDestroy, halving, doubling, sameSizeIsACopy, anySizes,
          wrongOperands)
