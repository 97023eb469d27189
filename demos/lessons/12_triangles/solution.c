/* Solution of exercise 12: a parabola through noisy points by weighted least squares; the outlier
 * has no weight. */
#include "lesson.h"

enum { POINTS = 50, TERMS = 3 };

int main(int argc, char **argv) {
  static float v[POINTS * TERMS], y[POINTS], d[POINTS];
  const float truth[TERMS] = {1, -2, 3};
  float found[TERMS];
  clContext *context = lessonBegin(argc, argv);
  clDense *V, *C, *B;
  clVector *Y, *D, *right;
  clCholesky *cholesky;
  for (int i = 0; i < POINTS; i++) {
    float t = (float)i / (POINTS - 1);
    v[i * TERMS] = 1;
    v[i * TERMS + 1] = t;
    v[i * TERMS + 2] = t * t;
    y[i] = truth[0] + truth[1] * t + truth[2] * t * t + .001f * sinf(100 * t);
    d[i] = 1;
  }
  /* somebody has mistyped a number, */
  y[20] = 1000;
  /* and we know */
  d[20] = 0;
  OK(clDenseCreate(&V, context, POINTS, TERMS));
  OK(clDenseCreate(&C, context, TERMS, TERMS));
  OK(clDenseCreate(&B, context, TERMS, 1));
  OK(clVectorCreate(&Y, context, POINTS));
  OK(clVectorCreate(&D, context, POINTS));
  OK(clVectorCreate(&right, context, TERMS));
  OK(clDenseUpload(V, v, TERMS));
  OK(clVectorUpload(Y, y));
  OK(clVectorUpload(D, d));
  /* C = V^T D^2 V */
  OK(clDenseSyrk(C, 1, TEXLA_TRANSPOSE, V, D, 0));
  OK(clVectorMul(Y, Y, D));
  OK(clVectorMul(Y, Y, D));
  /* V^T D^2 y */
  OK(clDenseViewMulVector(right, 1, TEXLA_TRANSPOSE, clDenseViewAll(V), Y, 0));
  OK(clDenseFromVector(B, right));
  OK(clCholeskyCreate(&cholesky, context, TERMS, NULL));
  OK(clCholeskyFactor(cholesky, C, NULL));
  OK(clCholeskySolve(cholesky, B, B));
  OK(clDenseDownload(B, found, 1));
  printf("y = %.3f %+.3f t %+.3f t^2\n", found[0], found[1], found[2]);
  for (int k = 0; k < TERMS; k++)
    lessonExpect(fabsf(found[k] - truth[k]) < .01f, "the parabola is found");
  clCholeskyDestroy(cholesky);
  clDenseDestroy(V);
  clDenseDestroy(C);
  clDenseDestroy(B);
  clVectorDestroy(Y);
  clVectorDestroy(D);
  clVectorDestroy(right);
  return lessonEnd();
}
