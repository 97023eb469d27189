/* The shared matrices of 301 to 3000 rows: minutes of work. */
#include "plu_matrices.h"

static void testMatrices(void **state) {
  if (!forMatrices(*state, 301, 3000))
    testSkip("no real matrices (TEXLA_DATA_DIR)");
}

TEST_MAIN(testContextCreate, testContextDestroy, testMatrices)
