/* The names that examples in the pages use without declaring them. */
#include <texla/texla.h>
extern clContext *context;
extern clError error;
extern clFloat *alpha;
extern clDense *A, *B, *U, *X;
extern clVector *x, *y;
extern clHostMatrix result;
extern double *a;
extern int i, k, m, n;
