/* The shared matrices of up to 300 rows. */
#include "plu_matrices.h"

static void testMatrices(void **state) {
  if (!forMatrices(*state, 1, 300))
    skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testMatrices)};
  return cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
