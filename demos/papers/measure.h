/* Brodtkorb: product in one pass or several, Gauss-Jordan and PLU on the device, loops on one
 * core. */
#ifndef TEXLA_PAPERS_MEASURE_H
#define TEXLA_PAPERS_MEASURE_H

#include "paper.h"

typedef enum Work { SINGLE_PASS, MULTI_PASS, GAUSS_JORDAN, PLU, HOST_PRODUCT, HOST_PLU } Work;

/* Random numbers in [0, 10) row by row, as the thesis has them; a large diagonal is added. */
float *measureRandom(int rows, int cols, float diagonal);
/* Returns the median of the seconds for order n. The host's loops run once. */
double measureSeconds(clContext *context, Work work, int n);
/* Returns the mean of |L U - P A| of one factorization; the errors are added to `error` (NULL:
 * none), row by row of A. */
double measurePluError(clContext *context, const float *a, int n, clPivoting pivoting,
                       double *error);

#endif
