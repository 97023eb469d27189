/* The shared matrices of up to 300 rows; and what no single-precision factors can solve. */
#include "plu_matrices.h"

static void testMatrices(void **state) {
  if (!forMatrices(*state, 1, 300))
    testSkip("no real matrices (TEXLA_DATA_DIR)");
}

/* Half of the singular values are below single precision and the rows of different sizes:
 * corrections that are worth nothing, and that are measured in another norm, leave x no worse than
 * it was. */
static void testCorrectionsDoNoHarm(void **state) {
  enum { N = 24 };
  for (uint32_t seed = 1; seed <= 12; seed++) {
    OWN(clTriplets) *A = NULL;
    double b[N], x[N] = {0};
    assert_int_equal(clTripletsCreate(&A, N, N, N * N, NULL), TEXLA_OK);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 1e-10 * caseNoise(seed, i, j);
        for (int k = 0; k < N / 2; k++)
          sum += caseNoise(seed + 100, i, k) * caseNoise(seed + 200, k, j);
        assert_int_equal(clTripletsAdd(A, i, j, sum * (i % 3 ? 1 : 1e8), NULL), TEXLA_OK);
      }
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    for (int i = 0; i < N; i++)
      b[i] = caseNoise(seed + 300, i, 0);
    clSystemOptions o = {.solver = {.method = TEXLA_METHOD_PLU}, .refine = true};
    AT_END(clSystemReportClear) clSystemReport report = {0};
    clStatus status = clSystemSolve(*state, A, b, x, &o, &report);
    double r[N], residual = 0, size = 0;
    clTripletsResidual(r, A, x, b);
    for (int i = 0; i < N; i++) {
      residual = hypot(residual, r[i]);
      size = hypot(size, b[i]);
    }
    if (status != TEXLA_SINGULAR &&
        !(residual <= (1 + 1e-12) * size && fabs(report.residual - residual / size) <= 1e-9))
      fail_msg("seed %u: residual %g, reported %g", seed, residual / size, report.residual);
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, testMatrices, testCorrectionsDoNoHarm)
