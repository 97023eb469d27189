/* The shared matrices of 301 to 3000 rows: minutes of work. */
#include "plu_matrices.h"

static void testMatrices(void **state) {
  if (!forMatrices(*state, 301, 3000))
    testSkip("no real matrices (TEXLA_DATA_DIR)");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testMatrices)};
  return cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
