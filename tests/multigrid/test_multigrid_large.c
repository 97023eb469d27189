/* Multigrid converges as fast on large grids as on small ones. */
#include "texla/io.h"
#include "texla/multigrid.h"

#include "one_context.h"

static float residual(const clMatrix *A, clVector *r, const clVector *x, const clVector *b,
                      clFloat *norm) {
  float value;
  CHECK(clMatrixVectorOp(r, TEXLA_OP_B_MINUS_AX, A, TEXLA_NO_TRANSPOSE, x, b));
  CHECK(clVectorNorm(norm, r));
  CHECK(clFloatDownload(norm, &value));
  return value;
}

/* The reduction by a late cycle on A x = 0 from a random start. */
static void checkRate(int nx, int ny, clSmoother smoother, int cycles, double most) {
  clTriplets *T = NULL;
  OWN(clMatrix) *A = NULL;
  OWN(clMultigrid) *mg = NULL;
  OWN(clVector) *x = NULL, *b = NULL, *r = NULL;
  OWN(clFloat) *norm = NULL;
  CHECK(clGeneratePoisson2d(&T, nx, ny, NULL));
  CHECK(clMultigridCreate(&mg, context, T, nx, ny, &(clMultigridOptions){.smoother = smoother}));
  CHECK(clMatrixCreate(
      &A, context, T,
      &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED, .grid_nx = nx, .grid_ny = ny}));
  int64_t n = clMatrixRows(A);
  clTripletsDestroy(T);
  CHECK(clVectorCreateGrid(&x, context, nx, ny));
  CHECK(clVectorCreateLike(&b, x));
  CHECK(clVectorCreateLike(&r, x));
  CHECK(clFloatCreate(&norm, context));
  float *host = malloc((size_t)n * sizeof *host), before = 1, after = 1;
  uint32_t seed = 5;
  for (int64_t i = 0; i < n; i++)
    host[i] = (float)((int32_t)(seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f;
  CHECK(clVectorUpload(x, host));
  free(host);
  for (int k = 0; k < cycles; k++) {
    CHECK(clMultigridCycle(mg, x, b));
    before = after;
    after = residual(A, r, x, b, norm);
  }
  print_message("%d x %d, smoother %d: %.3f\n", nx, ny, (int)smoother, (double)(after / before));
  if (!((double)(after / before) <= most))
    fail_msg("%d x %d: a cycle reduces the residual by %.3f, not %.3f", nx, ny,
             (double)(after / before), most);
}

static void testLarge(void **state) {
  checkRate(1024, 1024, TEXLA_SMOOTHER_CHEBYSHEV, 9, 0.1);
  checkRate(1024, 1024, TEXLA_SMOOTHER_JACOBI, 9, 0.2);
  checkRate(1024, 1024, TEXLA_SMOOTHER_RED_BLACK, 6, 0.1);
  checkRate(1024, 1024, TEXLA_SMOOTHER_HALVES, 6, 0.07);
  checkRate(2047, 1031, TEXLA_SMOOTHER_CHEBYSHEV, 9, 0.1);
  checkRate(4096, 4096, TEXLA_SMOOTHER_CHEBYSHEV, 7, 0.1);
}

TEST_MAIN(setUp, testContextDestroy, testLarge)
