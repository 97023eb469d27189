/* Lesson 16: how fast can it be? The limits of a device, measured, and how near to them the
 * operators of these lessons come. */
#include "lesson.h"

/* Grids from 32^2 to 1024^2. */
enum { SIZES = 6 };

/* The operands of what is measured, of one size at a time. */
static struct {
  clVector *x, *y, *z;
  clFloat *s;
} my;

/* What is measured: it writes, reads and writes, reads twice and writes, or reads twice and adds
 * up. */
static void fill(void) {
  OK(clVectorFill(my.z, 1));
}
static void scale(void) {
  OK(clVectorScale(my.z, 2, NULL, my.x));
}
static void add(void) {
  OK(clVectorAdd(my.z, 1, NULL, my.x, 2, NULL, my.y));
}
static void dot(void) {
  OK(clVectorDot(my.s, my.x, my.y));
}

/* Seconds for one call: the best of five rounds, each long enough to be measured. */
static double best(clContext *context, void (*call)(void)) {
  double least = INFINITY;
  /* compiles, allocates, chooses */
  call();
  OK(clContextSynchronize(context));
  for (int round = 0; round < 5; round++) {
    int count = 0;
    double begin = lessonSeconds(), now;
    do {
      for (int k = 0; k < 8; k++, count++)
        call();
      /* what was asked for is not yet done */
      OK(clContextSynchronize(context));
      now = lessonSeconds();
    } while (now - begin < 2e-3);
    least = fmin(least, (now - begin) / count);
  }
  return least;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  /* Small sizes tell what a call costs, large ones what a byte does. */
  const struct {
    const char *name;
    /* that must move, for each element */
    int bytes;
    void (*call)(void);
  } operator[] = {{"fill", 4, fill}, {"scale", 8, scale}, {"add", 12, add}, {"dot", 8, dot}};
  double seconds[4][SIZES];
  printf("%s, %d worker threads\n\n        ", clContextInspect(context)->renderer,
         clContextInspect(context)->threads);
  for (int k = 0; k < SIZES; k++)
    printf("  %6d^2", 32 << k);
  printf("   last\n");
  for (int o = 0; o < 4; o++) {
    printf("%-8s", operator[o].name);
    for (int k = 0; k < SIZES; k++) {
      OK(clVectorCreateGrid(&my.x, context, 32 << k, 32 << k));
      OK(clVectorCreateLike(&my.y, my.x));
      OK(clVectorCreateLike(&my.z, my.x));
      OK(clFloatCreate(&my.s, context));
      seconds[o][k] = best(context, operator[o].call);
      printf("  %5.1f us", 1e6 * seconds[o][k]);
      clVectorDestroy(my.x);
      clVectorDestroy(my.y);
      clVectorDestroy(my.z);
      clFloatDestroy(my.s);
    }
    printf("   %.1f GB/s\n", operator[o].bytes * 1048576. / seconds[o][SIZES - 1] / 1e9);
    lessonExpect(seconds[o][SIZES - 1] > seconds[o][0],
                 "large vectors take longer than small ones");
  }
  lessonCurves("times", "seconds over size", "32^2", "1024^2",
               (LessonCurve[]){{"fill", seconds[0], SIZES},
                               {"scale", seconds[1], SIZES},
                               {"add", seconds[2], SIZES},
                               {"dot", seconds[3], SIZES}},
               4);
  return lessonEnd();
}
