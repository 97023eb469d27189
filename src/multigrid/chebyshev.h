/* Chebyshev's iteration with the diagonal: a smoother, and a polynomial preconditioner.
 *
 * `degree` steps multiply the parts of the error that belong to eigenvalues of D^-1 A in [largest /
 * ratio, largest] by at most 1 / T_degree((ratio + 1) / (ratio - 1)). One step is damped Jacobi. */
#ifndef TEXLA_MULTIGRID_CHEBYSHEV_H
#define TEXLA_MULTIGRID_CHEBYSHEV_H

#include "matrix/preconditioner.h"

typedef struct txChebyshev txChebyshev;

/* `largest` is estimated (a few power iterations) and enlarged by a tenth. A is borrowed. Reads
 * back. */
clStatus txChebyshevCreate(txChebyshev **out, const clMatrix *A, int degree, double ratio);
/* The same for other values of A, or another matrix of its layouts. `bounded`: the `largest` that
 * is known is still no less than any eigenvalue of D^-1 A, and stays. */
clStatus txChebyshevUpdate(txChebyshev *chebyshev, const clMatrix *A, bool bounded);
/* NULL is allowed */
void txChebyshevDestroy(txChebyshev *chebyshev);
double txChebyshevLargest(const txChebyshev *chebyshev);

/* Improves x; `zero`: x counts as zero, whatever it holds. Symmetric when A is: a preconditioner
 * from zero. */
clStatus txChebyshevSmooth(txChebyshev *chebyshev, clVector *x, const clVector *b, bool zero);

/* The factors of each step, d <- c_0 d + c_1 D^-1 r and x <- x + d with r = b - A x, one after the
 * other; c_0 of the first step is 0. */
typedef struct txChebyshevSteps {
  double theta, delta, rho;
  bool begun;
} txChebyshevSteps;
txChebyshevSteps txChebyshevBegin(double largest, double ratio);
void txChebyshevNext(txChebyshevSteps *steps, float c[2]);

/* Numbers between 1/2 and 1 of both signs, without a pattern: what power iterations begin with. */
void txRandomNumbers(float *values, int64_t n);

/* Owns it. */
txPreconditioner txChebyshevPreconditioner(txChebyshev *chebyshev);

#endif
