/* Solution of exercise 16: times are a + b n; the fixed cost a, the rate 1 / b, and the length at
 * which half of the rate is reached. */
#include "lesson.h"

enum { SIZES = 5 };

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  /* 1, n, n^2, t, n t, weighted so that all sizes count alike */
  double sums[5] = {0};
  for (int k = 0; k < SIZES; k++) {
    clVector *x;
    int side = 64 << k;
    OK(clVectorCreateGrid(&x, context, side, side));
    OK(clVectorScale(x, 1, NULL, x));
    OK(clContextSynchronize(context));
    double n = (double)side * side, least = INFINITY;
    for (int round = 0; round < 9; round++) {
      double begin = lessonSeconds();
      for (int call = 0; call < 10; call++)
        OK(clVectorScale(x, 1, NULL, x));
      OK(clContextSynchronize(context));
      least = fmin(least, (lessonSeconds() - begin) / 10);
    }
    /* the error of a time is a part of the time */
    double w = 1 / (least * least);
    sums[0] += w;
    sums[1] += w * n;
    sums[2] += w * n * n;
    sums[3] += w * least;
    sums[4] += w * n * least;
    clVectorDestroy(x);
  }
  double b = (sums[0] * sums[4] - sums[1] * sums[3]) / (sums[0] * sums[2] - sums[1] * sums[1]);
  double a = (sums[3] - b * sums[1]) / sums[0];
  printf("a pass costs %.1f us, an element %.3f ns: %.1f GB/s\n", 1e6 * a, 1e9 * b, 8e-9 / b);
  printf("half of that rate is reached with n = a / b = %.0f elements\n", a / b);
  lessonExpect(b > 0, "more elements take more time");
  return lessonEnd();
}
