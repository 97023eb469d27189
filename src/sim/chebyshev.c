#include "sim/chebyshev.h"

#include <math.h>

/* T_n(1 / rho) = cosh(n acosh(1 / rho)) >= 10^5; where there is nothing but a diagonal, once. */
int txChebyshevSweeps(double rho) {
  if (!(rho > 0))
    return 1;
  return (int)ceil(acosh(1e5) / acosh(1 / rho));
}

/* The order of the roots counts in bits reversed: 0, 4, 2, 6, 1 ... of 8; of other n, those that
 * are too large are left out. */
static int placeOf(int k, int n) {
  int bits = 0, place = 0;
  while (1 << bits < n)
    bits++;
  for (int count = -1, i = 0; count < k; i++) {
    place = 0;
    for (int b = 0; b < bits; b++)
      place |= (i >> b & 1) << (bits - 1 - b);
    count += place < n;
  }
  return place;
}

double txChebyshevRoot(int k, int n) {
  return cos(3.14159265358979 * (placeOf(k, n) + 0.5) / n);
}

/* The eigenvalue at a root is 1 + rho times that. */
double txChebyshevWeight(int k, int n, double rho) {
  return 1 / (1 + rho * txChebyshevRoot(k, n));
}
