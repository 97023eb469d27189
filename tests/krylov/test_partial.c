/* Merged conjugate gradients on a software renderer, where steps sum partial results themselves and
 * a constant stencil is applied on the way: the same residuals as with a reduction of several
 * passes, which a sum over processes asks for. */
#include "one_context.h"

#include "texla/io.h"
#include "texla/solver.h"

enum { MOST = 2000 };

static clStatus same(void *user, double *values, int number) {
  (void)user, (void)values, (void)number;
  return TEXLA_OK;
}

/* Columns couple three times as strongly as rows; and the matrix may be scaled on both sides, so
 * that no diagonal is constant. */
static void change(clTriplets *T, bool varying) {
  for (int64_t e = 0; e < T->count; e++) {
    int64_t i = T->row[e], j = T->col[e];
    if (llabs(i - j) > 1)
      T->value[e] *= 3;
    if (i == j)
      T->value[e] *= 2;
    if (varying)
      T->value[e] *= (1 + 0.5 * sin((double)i)) * (1 + 0.5 * sin((double)j));
  }
}

/* The residuals of a solution, and its report. */
static clSolverReport solve(double residual[MOST], clMatrix *A, const clVector *b, clSum sum,
                            clPreconditioner preconditioner) {
  clSolverOptions options = {.tolerance = 1e-4, .sum = sum, .preconditioner = preconditioner};
  clSolverReport report = {0};
  OWN(clSolver) *solver = NULL;
  OWN(clVector) *x = NULL;
  int64_t count = 0;
  CHECK(clVectorCreateLike(&x, b));
  CHECK(clSolverCreate(&solver, A, &options));
  /* twice: the second one begins where the first one has left the ring */
  for (int k = 0; k < 2; k++) {
    CHECK(clVectorClear(x));
    CHECK(clSolverSolve(solver, x, b, &report));
  }
  const double *history = clSolverHistory(solver, &count);
  assertWithin(count, 1, MOST);
  memcpy(residual, history, (size_t)count * sizeof *residual);
  OWN(clVector) *r = NULL;
  OWN(clFloat) *norm = NULL;
  float rr = 0, bb = 0;
  CHECK(clVectorCreateLike(&r, b));
  CHECK(clFloatCreate(&norm, context));
  CHECK(clMatrixVectorOp(r, TEXLA_OP_B_MINUS_AX, A, TEXLA_NO_TRANSPOSE, x, b));
  CHECK(clVectorNorm(norm, r));
  CHECK(clFloatDownload(norm, &rr));
  CHECK(clVectorNorm(norm, b));
  CHECK(clFloatDownload(norm, &bb));
  assert_true(rr < 2e-4f * bb);
  return report;
}

static void compare(int nx, int ny, bool varying, clPreconditioner preconditioner) {
  static double one[MOST], other[MOST];
  OWN(clTriplets) *T = NULL;
  OWN(clMatrix) *A = NULL;
  OWN(clVector) *b = NULL;
  assert_int_equal(clGeneratePoisson2d(&T, nx, ny, NULL), TEXLA_OK);
  change(T, varying);
  CHECK(clMatrixCreate(&A, context, T, NULL));
  CHECK(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  FREED float *values = malloc((size_t)nx * (size_t)ny * sizeof *values);
  assert_non_null(values);
  for (int i = 0; i < nx * ny; i++)
    values[i] = (float)sin(1.0 * i * i);
  CHECK(clVectorUpload(b, values));
  clSolverReport a = solve(one, A, b, (clSum){0}, preconditioner);
  clSolverReport c = solve(other, A, b, (clSum){same, NULL}, preconditioner);
  assert_true(llabs(a.iterations - c.iterations) <= 2 + c.iterations / 100);
  for (int64_t k = 0; k < 20; k++)
    assert_true(fabs(one[k] - other[k]) <= 1e-3 * other[k]);
}

static void testPartial(void **state) {
  static const int size[][2] = {{32, 128}, {8, 256}, {20, 128}, {64, 256}, {16, 290}, {48, 130}};
  for (int k = 0; k < 6; k++)
    for (int varying = 0; varying < 2; varying++) {
      compare(size[k][0], size[k][1], varying, TEXLA_PRECONDITIONER_NONE);
      compare(size[k][0], size[k][1], varying, TEXLA_PRECONDITIONER_JACOBI);
    }
}

TEST_MAIN(setUp, testContextDestroy, testPartial)
