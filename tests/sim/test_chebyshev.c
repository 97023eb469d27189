#include "common.h"
#include "sim/chebyshev.h"

/* What n sweeps leave of an error that belongs to the eigenvalue 1 - t of D^-1 A. */
static double leftOf(double t, int n, double rho) {
  double left = 1;
  for (int k = 0; k < n; k++)
    left *= 1 - txChebyshevWeight(k, n, rho) * (1 - t);
  return fabs(left);
}

/* Any error within rho becomes 10^5 times smaller, and one sweep less would not do. */
static void errorsShrink(void **state) {
  for (int step = 0; step < 95; step++) {
    double rho = 0.05 + 0.01 * step;
    int n = txChebyshevSweeps(rho);
    double worst = 0, fewer = 0;
    for (int i = 0; i <= 1000; i++) {
      double t = rho * (i / 500. - 1);
      worst = fmax(worst, leftOf(t, n, rho));
      fewer = fmax(fewer, leftOf(t, n - 1, rho));
    }
    assert_true(worst <= 1e-5);
    assert_true(n == 1 || fewer > 1e-5);
  }
  /* a diagonal matrix: solved at once */
  assert_int_equal(txChebyshevSweeps(0), 1);
  assert_true(txChebyshevWeight(0, 1, 0) == 1);
}

/* What rounding adds before sweep k grows by the sweeps from k on: less than 300 times in this
 * order of the weights, 10^4 times in that of their size. */
static void roundingDoesNotGrow(void **state) {
  for (int n = 1; n <= 40; n++) {
    const double rho = 0.95;
    for (int i = 0; i <= 100; i++) {
      double growth = 1, t = rho * (i / 50. - 1);
      for (int k = n - 1; k >= 0; k--) {
        growth *= fabs(1 - txChebyshevWeight(k, n, rho) * (1 - t));
        assert_true(growth < 300);
      }
    }
  }
}

TEST_MAIN(NULL, NULL, errorsShrink, roundingDoesNotGrow)
