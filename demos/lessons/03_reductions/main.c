/* Lesson 3: many numbers become one by a pyramid of passes; and why that is also the accurate way
 * to add. */
#include "lesson.h"

/* Numbers to be added, and the side of the picture that becomes a pyramid. */
enum { N = 1 << 20, SIDE = 64 };

/* The sum, read back. */
static float sumOnDevice(clContext *context, const clVector *x) {
  clFloat *s;
  float value;
  OK(clFloatCreate(&s, context));
  OK(clVectorSum(s, x));
  OK(clFloatDownload(s, &value));
  clFloatDestroy(s);
  return value;
}

/* A million times 0.1: one after the other, and by a tree. */
static void compareSums(clContext *context) {
  clVector *x;
  OK(clVectorCreate(&x, context, N));
  OK(clVectorFill(x, 0.1f));
  lessonWatch();
  float tree = sumOnDevice(context, x), in_turn = 0;
  lessonPasses();
  for (int i = 0; i < N; i++)
    in_turn += 0.1f;
  double exact = N * (double)0.1f;
  printf("exact %.2f, in turn %.2f (error %.1e), by a tree %.2f (error %.1e)\n", exact,
         (double)in_turn, fabs((double)in_turn - exact) / exact, (double)tree,
         fabs((double)tree - exact) / exact);
  lessonExpect(fabs((double)tree - exact) < 1e-6 * exact,
               "a tree's error is that of a few roundings");
  lessonExpect(fabs((double)in_turn - exact) > 1e4 * fabs((double)tree - exact),
               "in turn, the error is tens of thousands of times larger");
  clVectorDestroy(x);
}

int main(int argc, char **argv) {
  static float value[SIDE * SIDE];
  clContext *context = lessonBegin(argc, argv);
  compareSums(context);

  clVector *level, *coarser;
  OK(clVectorCreateGrid(&level, context, SIDE, SIDE));
  for (int i = 0; i < SIDE * SIDE; i++)
    value[i] = (float)((i % SIDE) * (i / SIDE) % 17) *
               (hypotf((float)(i % SIDE) - 40, (float)(i / SIDE) - 30) < 25 ? 1.f : .2f);
  OK(clVectorUpload(level, value));
  /* The mean by a reduction, and by halving the picture until one texel is left: bilinear
   * filters at the right places do the latter. */
  float mean = sumOnDevice(context, level) / (SIDE * SIDE), top;
  /* each cell becomes the mean of 2 x 2 */
  for (int side = SIDE; side > 1; side /= 2) {
    char name[32];
    snprintf(name, sizeof name, "level%d", side);
    lessonPicture(name, level, side, TEXLA_COLORMAP_VIRIDIS, 0, 16);
    OK(clVectorCreateGrid(&coarser, context, side / 2, side / 2));
    OK(clVectorRescale(coarser, level));
    clVectorDestroy(level);
    level = coarser;
  }
  OK(clVectorDownload(level, &top));
  printf("mean of the picture: sum / n = %.5f, top of its pyramid = %.5f\n", mean, top);
  lessonExpect(fabsf(top - mean) < 1e-4f * mean, "the pyramid's top is the mean");
  clVectorDestroy(level);
  return lessonEnd();
}
