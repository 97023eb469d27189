/* One verdict: the order of facts, and kinds of systems whose residual alone says too much or too
 * little: penalties, systems as exact as double allows, singular ones, the smallest numbers, plans
 * that run out of memory. */

#include "matrices.h"
#include "system/verdict.h"
#include "texla/system.h"

#include "one_context.h"

static void orderOfFacts(void **state) {
  static const struct {
    clSystemFacts facts;
    clReason reason;
  } cases[] = {
      {{.residual = 1, .limit = 2, .ended = TEXLA_REASON_STAGNATED}, TEXLA_REASON_CONVERGED},
      {{.residual = 1,
        .limit = 2,
        .unit_residual = 3,
        .unit_limit = 2,
        .ended = TEXLA_REASON_STAGNATED},
       TEXLA_REASON_STAGNATED},
      {{.residual = 1, .limit = 2, .inconsistent = true}, TEXLA_REASON_INCONSISTENT},
      {{.residual = 3, .limit = 2, .ended = TEXLA_REASON_CONVERGED}, TEXLA_REASON_STAGNATED},
      {{.residual = 3, .limit = 2, .backward_error = DBL_EPSILON, .ended = TEXLA_REASON_STAGNATED},
       TEXLA_REASON_EXACT},
      {{.residual = 3, .limit = 2, .backward_error = 1e-13, .ended = TEXLA_REASON_STAGNATED},
       TEXLA_REASON_STAGNATED},
      {{.residual = 3,
        .limit = 2,
        .backward_error = DBL_EPSILON,
        .inconsistent = true,
        .ended = TEXLA_REASON_STAGNATED},
       TEXLA_REASON_INCONSISTENT},
      {{.residual = 3, .limit = 2, .least_squares = true, .ended = TEXLA_REASON_SINGULAR},
       TEXLA_REASON_INCONSISTENT},
      {{.residual = 3, .limit = 2, .least_squares = true, .ended = TEXLA_REASON_STOPPED},
       TEXLA_REASON_STOPPED},
      {{.residual = NAN, .limit = 2, .ended = TEXLA_REASON_NAN}, TEXLA_REASON_NAN},
      {{.residual = NAN, .limit = 2, .ended = TEXLA_REASON_CONVERGED}, TEXLA_REASON_STAGNATED},
      {{0}, TEXLA_REASON_CONVERGED},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_int_equal(clSystemJudge(&cases[k].facts), cases[k].reason);
  assert_int_equal(clSystemJudge(NULL), TEXLA_REASON_NONE);
  assert_true(clReasonSolved(TEXLA_REASON_EXACT) && clReasonSolved(TEXLA_REASON_CONVERGED));
  assert_false(clReasonSolved(TEXLA_REASON_INCONSISTENT) || clReasonSolved(TEXLA_REASON_NONE));
}

/* -Laplace on SIDE x SIDE points with the values u_ij = i + 2 j at the rim, held by a penalty: the
 * solution is u everywhere. */
enum { SIDE = 18, POINTS = SIDE * SIDE };
static clTriplets *penalty(double size, double *b, double *u) {
  clTriplets *A = emptyMatrix(POINTS, POINTS);
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      int k = j * SIDE + i;
      bool rim = i == 0 || j == 0 || i == SIDE - 1 || j == SIDE - 1;
      const int at[2][2] = {{i + 1, j}, {i, j + 1}};
      u[k] = i + 2 * j;
      b[k] = rim ? size * u[k] : 0;
      assert_int_equal(clTripletsAdd(A, k, k, rim ? size : 0, NULL), TEXLA_OK);
      for (int e = 0; e < 2; e++) {
        int q = at[e][1] * SIDE + at[e][0];
        if (at[e][0] == SIDE || at[e][1] == SIDE)
          continue;
        assert_int_equal(clTripletsAdd(A, k, k, 1, NULL), TEXLA_OK);
        assert_int_equal(clTripletsAdd(A, q, q, 1, NULL), TEXLA_OK);
        assert_int_equal(clTripletsAdd(A, k, q, -1, NULL), TEXLA_OK);
        assert_int_equal(clTripletsAdd(A, q, k, -1, NULL), TEXLA_OK);
      }
    }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* ||b|| is that of the penalty, beside which all other rows' residuals are nothing. */
static void penalties(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_PLU,
                                     TEXLA_METHOD_CHOLESKY, TEXLA_METHOD_AUTO};
  double b[POINTS], u[POINTS], x[POINTS];
  for (int e = 4; e <= 16; e += 4)
    for (int m = 0; m < 5; m++) {
      OWN(clTriplets) *A = penalty(pow(10, e), b, u);
      clSystemOptions o = {.solver.method = methods[m], .refine = e % 8 == 0};
      double error = 0;
      memset(x, 0, sizeof x);
      CHECK(clSystemSolve(context, A, b, x, &o, NULL));
      for (int k = 0; k < POINTS; k++)
        error = fmax(error, fabs(x[k] - u[k]));
      /* the condition of the rest, about 200, times the tolerance; what a finite penalty leaves */
      if (!(error <= 0.02 + 300 / pow(10, e)))
        fail_msg("%s, penalty 1e%d: error %g", clMethodName(methods[m]), e, error);
    }
}

/* eps || |A| |x| || is larger than 1e-12 ||b||. */
static void asExactAsDoubleAllows(void **state) {
  enum { N = 1000 };
  static const clMethod methods[] = {TEXLA_METHOD_PLU, TEXLA_METHOD_CHOLESKY, TEXLA_METHOD_AUTO};
  OWN(clTriplets) *A = emptyMatrix(N, N);
  double b[N], x[N];
  uint64_t seed = 5;
  for (int i = 0; i < N; i++) {
    b[i] = randomUnit(&seed);
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < N)
        assert_int_equal(clTripletsAdd(A, i, j, i == j ? 2 : -1, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  for (int m = 0; m < 3; m++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    clSystemOptions o = {.solver = {.method = methods[m], .tolerance = 1e-15}, .refine = true};
    memset(x, 0, sizeof x);
    CHECK(clSystemSolve(context, A, b, x, &o, &report));
    assert_int_equal(report.reason, TEXLA_REASON_EXACT);
    assert_true(report.backward_error > 0 && report.backward_error < 8 * DBL_EPSILON);
    assert_non_null(strstr(report.verdict, "as exact as double allows"));
  }
}

/* Rows without entries, and rows that are sums of others, with a b that belongs to A or does not:
 * the least residual, which is known, and the reason. */
static void singular(void **state) {
  enum { N = 40 };
  double b[N], x[N], ones[N];
  for (int kind = 0; kind < 4; kind++) {
    bool empty = kind < 2, fits = kind % 2;
    OWN(clTriplets) *A = emptyMatrix(N, N);
    uint64_t seed = 21;
    for (int i = 0; i < N - 1; i++)
      for (int j = 0; j < N; j++) {
        double v = i == j ? 5 : randomUnit(&seed);
        assert_int_equal(clTripletsAdd(A, i, j, v, NULL), TEXLA_OK);
        if (!empty && i < 2)
          assert_int_equal(clTripletsAdd(A, N - 1, j, v, NULL), TEXLA_OK);
      }
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    for (int i = 0; i < N; i++)
      ones[i] = 1;
    clTripletsMulVector(b, A, ones);
    double least = 0, norm = 0;
    if (!fits) {
      /* (0, .., 0, 1), and (1, 1, 0, .., 0, -1), are orthogonal to A's columns */
      b[N - 1] += 3;
      least = empty ? 3 : 3 / sqrt(3);
    }
    for (int i = 0; i < N; i++)
      norm += b[i] * b[i];
    AT_END(clSystemReportClear) clSystemReport report = {0};
    clSystemOptions o = {.solver.method = TEXLA_METHOD_AUTO, .refine = true};
    memset(x, 0, sizeof x);
    clStatus status = clSystemSolve(context, A, b, x, &o, &report);
    assert_int_equal(status, fits ? TEXLA_OK : TEXLA_NOT_CONVERGED);
    assert_int_equal(report.reason, fits ? TEXLA_REASON_CONVERGED : TEXLA_REASON_INCONSISTENT);
    assert_true(fabs(report.residual - least / sqrt(norm)) < 1e-10);
  }
}

/* Subnormal right-hand sides: scaled, not lost. */
static void smallestNumbers(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_GMRES, TEXLA_METHOD_PLU,
                                     TEXLA_METHOD_AUTO};
  static const double sizes[] = {1e-300, 1e-308, 3e-310, 1e-312};
  OWN(clTriplets) *A = poisson(3, 2);
  for (int m = 0; m < 4; m++)
    for (int k = 0; k < 4; k++) {
      double b[6], x[6] = {0}, ones[6] = {1, 1, 1, 1, 1, 1};
      clTripletsMulVector(b, A, ones);
      for (int i = 0; i < 6; i++)
        b[i] *= sizes[k];
      CHECK(clSystemSolve(context, A, b, x, &(clSystemOptions){.solver.method = methods[m]}, NULL));
      for (int i = 0; i < 6; i++)
        assert_true(fabs(x[i] / sizes[k] - 1) < 1e-4);
    }
}

/* A factorization for which there is no memory ends its plan: what iterations have reached stays,
 * with its residual. */
static void memoryEndsAPlan(void **state) {
  enum { N = 1600 };
  OWN(clContext) *narrow = testContextWith((clContextOptions){.memory_limit = 12000000});
  OWN(clTriplets) *A = emptyMatrix(N, N);
  uint64_t seed = 9;
  double *b = malloc(2 * N * sizeof *b), *x = b + N, norm = 0;
  assert_non_null(b);
  for (int i = 0; i < N; i++) {
    b[i] = randomUnit(&seed);
    x[i] = 0;
    norm += b[i] * b[i];
    /* a circle that turns more than it damps: all of it has to be walked */
    assert_int_equal(clTripletsAdd(A, i, i, 1e-4, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, i, (i + 1) % N, 1, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  AT_END(clSystemReportClear) clSystemReport report = {0};
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_AUTO, .max_iterations = 1500},
                       .refine = true};
  clStatus status = clSystemSolve(narrow, A, b, x, &o, &report);
  if (status < 0)
    fail_msg("%s", clContextError(narrow)->message);
  double residual = clTripletsResidual(NULL, A, x, b) / sqrt(norm);
  assert_true(fabs(residual - report.residual) <= 1e-6 * residual + 1e-12);
  if (!strstr(report.chosen_because, "not enough memory"))
    fail_msg("%s %g %s", clReasonText(report.reason), residual, report.chosen_because);
  assert_int_equal(status == TEXLA_OK, clReasonSolved(report.reason));
  free(b);
}

/* A few entries that promise a hundred million rows. */
static void emptyPromises(void **state) {
  OWN(clTriplets) *A = emptyMatrix(100000000, 100000000);
  assert_int_equal(clTripletsAdd(A, 0, 0, 1, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  double none = 0, x = 0;
  assertFails(context, clSystemSolve(context, A, &none, &x, NULL, NULL), TEXLA_SINGULAR,
              "most of its rows are zero");
}

TEST_MAIN(setUp, testContextDestroy, orderOfFacts, penalties, asExactAsDoubleAllows, singular,
          smallestNumbers, memoryEndsAPlan, emptyPromises)
