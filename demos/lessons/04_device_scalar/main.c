/* Lesson 4: a scalar that never leaves the device. The power method finds the largest eigenvalue,
 * with and without looking. */
#include "lesson.h"

/* A grid of SIDE^2 unknowns; iterations of the power method. */
enum { SIDE = 24, STEPS = 800 };

/* The matrix, an iterate and its image, and scalars, each of which is a texture of one texel. */
static struct {
  clMatrix *A;
  clVector *x, *y;
  clFloat *one, *length, *factor, *xy, *xx, *lambda;
} my;

/* x <- A x / ||A x||, all of it on the device: 1 / ||y|| is a texture of one texel, which the last
 * pass samples. */
static void step(void) {
  OK(clMatrixMulVector(my.y, my.A, my.x));
  OK(clVectorNorm(my.length, my.y));
  OK(clFloatDiv(my.factor, my.one, my.length));
  OK(clVectorScale(my.x, 1, my.factor, my.y));
}

/* The same with a look at the norm. */
static void stepWithLook(void) {
  float length;
  OK(clMatrixMulVector(my.y, my.A, my.x));
  OK(clVectorNorm(my.length, my.y));
  /* waits for all that was asked for */
  OK(clFloatDownload(my.length, &length));
  OK(clVectorScale(my.x, 1 / length, NULL, my.y));
}

/* lambda <- x.Ax / x.x, then read. */
static float run(clContext *context, const char *name, void (*iterate)(void)) {
  float lambda;
  OK(clVectorFill(my.x, 0));
  float start[SIDE * SIDE] = {1};
  OK(clVectorUpload(my.x, start));
  /* compiles its shaders */
  iterate();
  double begin = lessonSeconds();
  int64_t readbacks = clContextStatistics(context).readbacks;
  for (int k = 0; k < STEPS; k++)
    iterate();
  OK(clMatrixMulVector(my.y, my.A, my.x));
  OK(clVectorDot(my.xy, my.x, my.y));
  OK(clVectorDot(my.xx, my.x, my.x));
  OK(clFloatDiv(my.lambda, my.xy, my.xx));
  OK(clFloatDownload(my.lambda, &lambda));
  printf("%-10s lambda = %.5f, read-backs: %3lld, %.0f us for a step\n", name, lambda,
         (long long)(clContextStatistics(context).readbacks - readbacks),
         1e6 * (lessonSeconds() - begin) / STEPS);
  return lambda;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&my.A, context, T, NULL));
  OK(clMatrixCreateVector(&my.x, my.A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&my.y, my.x));
  clFloat **scalar[] = {&my.one, &my.length, &my.factor, &my.xy, &my.xx, &my.lambda};
  for (int k = 0; k < 6; k++)
    OK(clFloatCreate(scalar[k], context));
  OK(clFloatUpload(my.one, 1));

  /* The eigenvalues of the five-point matrix are 4 - 2 cos - 2 cos of multiples of pi / (SIDE +
   * 1). */
  double exact = 4 + 4 * cos(acos(-1) / (SIDE + 1));
  float blind = run(context, "blind", step), looking = run(context, "looking", stepWithLook);
  printf("exact      lambda = %.5f\n", exact);
  lessonExpect(fabs((double)blind - exact) < 2e-3, "the power method finds the largest eigenvalue");
  lessonExpect(fabsf(blind - looking) < 1e-4f, "looking changes nothing but the time");
  lessonWatch();
  step();
  lessonPasses();
  lessonPicture("eigenvector", my.x, SIDE, TEXLA_COLORMAP_DIVERGING, -.08f, .08f);
  for (int k = 0; k < 6; k++)
    clFloatDestroy(*scalar[k]);
  clVectorDestroy(my.x);
  clVectorDestroy(my.y);
  clMatrixDestroy(my.A);
  clTripletsDestroy(T);
  return lessonEnd();
}
