/* Sweeps of Jacobi's method, x <- x + w (D^-1 (b - A x)), whose weights w are one over the roots of
 * the Chebyshev polynomial on the eigenvalues of D^-1 A, which lie within 1 - rho .. 1 + rho: for
 * systems 1 - c lap of a small time step, which need few of them. */
#ifndef TX_SIM_CHEBYSHEV_H
#define TX_SIM_CHEBYSHEV_H

/* So many sweeps reduce the error 10^5 times: n of them do it T_n(1 / rho) times. */
int txChebyshevSweeps(double rho);

/* Root k of T_n, from 0: cos(pi (p + 1/2) / n). Roots far from each other follow one another, so
 * that rounding does not grow. */
double txChebyshevRoot(int k, int n);

/* Weight k of n, from 0. */
double txChebyshevWeight(int k, int n, double rho);

#endif
