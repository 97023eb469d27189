/* Slow, obvious references in double precision. */
#ifndef TEXLA_TESTS_ORACLE_MATVEC_H
#define TEXLA_TESTS_ORACLE_MATVEC_H

#include "texla/matrix.h"

/* y <- ca op(A) x + cb b, entry by entry; bound_i <- |ca| |op(A)| |x| + |cb b|, what rounding
 * errors scale with. The entries, x and b count as single precision, as the device holds them. b
 * and bound may be NULL. */
void oracleMatvec(double *y, double *bound, double ca, const clTriplets *A, bool transposed,
                  const float *x, double cb, const float *b);

#endif
