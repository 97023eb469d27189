/* Solution of exercise 4: the smallest eigenvalue, as 8 minus the largest one of 8 - A. */
#include "lesson.h"

/* A grid of SIDE^2 unknowns; iterations of the power method. */
enum { SIDE = 12, STEPS = 100 };

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *y;
  clFloat *length, *factor, *one, *mu;
  float largest;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&y, x));
  OK(clFloatCreate(&length, context));
  OK(clFloatCreate(&factor, context));
  OK(clFloatCreate(&one, context));
  OK(clFloatCreate(&mu, context));
  OK(clFloatUpload(one, 1));
  OK(clVectorFill(x, 1));
  /* All eigenvalues of A are below 8, so that the largest of 8 - A belongs to the smallest of A. */
  for (int k = 0; k < STEPS; k++) {
    OK(clMatrixMulVector(y, A, x));
    /* y <- 8 x - A x */
    OK(clVectorAdd(y, 8, NULL, x, -1, NULL, y));
    /* x has length 1, but in the first step */
    OK(clVectorDot(mu, x, y));
    OK(clVectorNorm(length, y));
    OK(clFloatDiv(factor, one, length));
    OK(clVectorScale(x, 1, factor, y));
  }
  OK(clFloatDownload(mu, &largest));
  double exact = 4 - 4 * cos(acos(-1) / (SIDE + 1));
  printf("smallest eigenvalue: %.5f, exact %.5f, %lld read-back\n", 8 - largest, exact,
         (long long)clContextStatistics(context).readbacks);
  lessonExpect(fabs(8 - (double)largest - exact) < 1e-4,
               "the shifted power method finds the smallest eigenvalue");
  lessonPicture("smallest", x, SIDE, TEXLA_COLORMAP_DIVERGING, -.2f, .2f);
  clFloatDestroy(length);
  clFloatDestroy(factor);
  clFloatDestroy(one);
  clFloatDestroy(mu);
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
