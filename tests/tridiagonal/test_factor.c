/* Factorizations of batches of tridiagonal systems: many right-hand sides, every other system. */
#include "batch.h"

/* One factorization, two right-hand sides, one of them in place; the bands may change meanwhile. */
static void factorOnce(int k, int n, clAxis axis, bool periodic) {
  batch b = newBatch(k, n, periodic, 9);
  operands o = prepare(&b, axis);
  CHECK(clTridiagonalFactor(o.T, &o.bands));
  CHECK(clVectorFill(o.main, NAN));
  CHECK(clTridiagonalSolveFactored(o.T, o.x, o.rhs));
  assert_true(holds(&b, axis, o.x));
  for (int i = 0; i < b.k * b.n; i++)
    b.rhs[i] = (float)(i % 13 - 6) * b.main[i];
  solveOnHost(&b);
  clVector *second = upload(&b, axis, b.rhs);
  CHECK(clTridiagonalSolveFactored(o.T, second, second));
  assert_true(holds(&b, axis, second));
  /* each second system: the others keep what x held */
  for (int first = 0; first < 2; first++) {
    clVector *x = upload(&b, axis, b.rhs), *rhs = upload(&b, axis, b.rhs);
    batch half = b;
    half.x = malloc((size_t)(b.k * b.n) * sizeof *half.x);
    for (int i = 0; i < b.k * b.n; i++)
      half.x[i] = i / b.n % 2 == first ? b.x[i] : (double)b.rhs[i];
    CHECK(clTridiagonalSolveZebra(o.T, x, rhs, first));
    assert_true(holds(&half, axis, x));
    free(half.x);
    clVectorDestroy(x);
    clVectorDestroy(rhs);
  }
  clVectorDestroy(second);
  release(&o);
  freeBatch(&b);
}

/* One block or several, whole ones and such with a shorter last one; texels that are not full. */
static void factorizations(void **state) {
  static const int size[][2] = {{1, 1},   {2, 2},  {9, 3},   {3, 8},   {4, 9},
                                {13, 16}, {7, 17}, {66, 65}, {29, 77}, {5, 603}};
  for (size_t s = 0; s < sizeof size / sizeof *size; s++)
    for (int i = 0; i < 4; i++)
      factorOnce(size[s][0], size[s][1], i / 2 ? TEXLA_AXIS_Y : TEXLA_AXIS_X, i % 2);
}

/* A new factorization takes the place of the last one; numbers for diagonals. */
static void factorAgain(void **state) {
  for (int axis = 0; axis < 2; axis++) {
    batch b = newBatch(21, 83, axis, 5);
    operands o = prepare(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X);
    CHECK(clTridiagonalFactor(o.T, &o.bands));
    for (int first = 0; first < 2; first++)
      CHECK(clTridiagonalSolveZebra(o.T, o.x, o.rhs, first));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.x));
    for (int i = 0; i < b.k * b.n; i++) {
      b.sub[i] = -1;
      b.main[i] = 2.75f;
      b.super[i] = -1.5f;
    }
    solveOnHost(&b);
    CHECK(clTridiagonalFactor(
        o.T, &(clTridiagonalBands){.sub_value = -1, .main_value = 2.75f, .super_value = -1.5f}));
    CHECK(clTridiagonalSolveFactored(o.T, o.x, o.rhs));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.x));
    CHECK(clVectorFill(o.x, 9));
    CHECK(clTridiagonalSolveZebra(o.T, o.x, o.rhs, 1));
    CHECK(clTridiagonalSolveZebra(o.T, o.x, o.rhs, 0));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.x));
    release(&o);
    freeBatch(&b);
  }
}

/* One system on several rows of the grid. */
static void foldedFactors(void **state) {
  static const int size[][2] = {{2, 9}, {17, 3}, {33, 40}, {64, 21}};
  for (int i = 0; i < 8; i++) {
    int nx = size[i / 2][0], ny = size[i / 2][1];
    batch b = newBatch(1, nx * ny, i % 2, (uint64_t)i), shape = {.k = ny, .n = nx};
    operands o = {.x = newGrid(&shape, TEXLA_AXIS_X, 1)};
    clVector **const to[] = {&o.sub, &o.main, &o.super, &o.rhs};
    const float *const from[] = {b.sub, b.main, b.super, b.rhs};
    for (int k = 0; k < 4; k++)
      *to[k] = upload(&shape, TEXLA_AXIS_X, from[k]);
    CHECK(clTridiagonalCreate(&o.T, context, nx, ny,
                              &(clTridiagonalOptions){.periodic = i % 2, .folded = true}));
    CHECK(clTridiagonalFactor(
        o.T, &(clTridiagonalBands){.sub = o.sub, .main = o.main, .super = o.super}));
    CHECK(clTridiagonalSolveFactored(o.T, o.x, o.rhs));
    assert_true(holds(&b, TEXLA_AXIS_X, o.x));
    assertFails(context, clTridiagonalSolveZebra(o.T, o.x, o.rhs, 0), TEXLA_BAD_ARGUMENT,
                "not for folded systems");
    release(&o);
    freeBatch(&b);
  }
}

TEST_MAIN(setUp, testContextDestroy, factorizations, factorAgain, foldedFactors)
