/* Solution of exercise 8: what one sweep leaves of the rough modes, for several dampings. */
#include "lesson.h"

/* 31 points: half the highest frequency, (SIDE + 1) / 2, is a mode of the grid. */
enum { SIDE = 31, N = SIDE * SIDE };

/* x is multiplied by this factor in a sweep, x being the mode sin(k pi u) sin(l pi v). */
static double factor(const clMatrix *A, clVector *x, clVector *q, clFloat *s, double w, int k,
                     int l) {
  float value[N], before, after;
  for (int i = 0; i < N; i++)
    value[i] = (float)(sin(acos(-1) * k * (i % SIDE + 1) / (SIDE + 1)) *
                       sin(acos(-1) * l * (i / SIDE + 1) / (SIDE + 1)));
  OK(clVectorUpload(x, value));
  OK(clVectorDot(s, x, x));
  OK(clFloatDownload(s, &before));
  OK(clMatrixMulVector(q, A, x));
  OK(clVectorAdd(q, 1, NULL, x, (float)(-w / 4), NULL, q));
  OK(clVectorDot(s, x, q));
  OK(clFloatDownload(s, &after));
  return (double)(after / before);
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *q;
  clFloat *s;
  /* The damping whose worst rough mode is damped most. */
  double best = 1, best_w = 0;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&q, x));
  OK(clFloatCreate(&s, context));
  printf("damping  half rough  roughest  worst\n");
  /* Rough modes reach from half the highest frequency along one axis to the highest along both;
   * what a sweep leaves of the worst of them is what smoothing can promise. */
  for (int tenths = 5; tenths <= 10; tenths++) {
    double w = tenths / 10., half = factor(A, x, q, s, w, (SIDE + 1) / 2, 1),
           full = factor(A, x, q, s, w, SIDE, SIDE);
    double worst = fmax(fabs(half), fabs(full));
    printf("  %.1f    %9.3f  %8.3f  %.3f\n", w, half, full, worst);
    if (worst < best) {
      best = worst;
      best_w = w;
    }
  }
  lessonExpect(best_w > .75 && best_w < .85, "4/5 is the best damping in two dimensions");
  clFloatDestroy(s);
  clVectorDestroy(x);
  clVectorDestroy(q);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
