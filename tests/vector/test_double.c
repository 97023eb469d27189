/* Vectors from and to doubles. */
#include "common.h"
#include "texla/vector.h"

static void thereAndBack(void **state) {
  static const int sizes[] = {1, 5, 4097};
  for (int k = 0; k < 3; k++) {
    int n = sizes[k];
    FREED double *values = calloc((size_t)n, sizeof *values),
                 *back = calloc((size_t)n, sizeof *back);
    OWN(clVector) *x = NULL;
    for (int i = 0; i < n; i++)
      values[i] = 1. / (i + 3);
    assertOk(*state, clVectorCreate(&x, *state, n));
    assertOk(*state, clVectorUploadDouble(x, values));
    assertOk(*state, clVectorDownloadDouble(x, back));
    for (int i = 0; i < n; i++)
      assert_true(back[i] == (double)(float)values[i]);
  }
}

static void tooLargeIsRefused(void **state) {
  double values[3] = {1, 2, 3}, back[3];
  OWN(clVector) *x = NULL;
  assertOk(*state, clVectorCreate(&x, *state, 3));
  assertOk(*state, clVectorUploadDouble(x, values));
  values[0] = 7;
  values[2] = -1e39;
  assertFails(*state, clVectorUploadDouble(x, values), TEXLA_NOT_FINITE, "element 2, -1e+39");
  assertOk(*state, clVectorDownloadDouble(x, back));
  assert_true(back[0] == 1 && back[2] == 3);
  values[2] = INFINITY;
  assertOk(*state, clVectorUploadDouble(x, values));
  assertOk(*state, clVectorDownloadDouble(x, back));
  assert_true(back[0] == 7 && isinf(back[2]));
  assertFails(*state, clVectorUploadDouble(x, NULL), TEXLA_BAD_ARGUMENT, "NULL");
  assertFails(*state, clVectorDownloadDouble(x, NULL), TEXLA_BAD_ARGUMENT, "NULL");
  clVectorView view = {0};
  assertFails(*state, clVectorTexture(&view, x), TEXLA_UNSUPPORTED, "adopt");
}

TEST_MAIN(testContextCreate, testContextDestroy, thereAndBack, tooLargeIsRefused)
