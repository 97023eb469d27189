/* Lesson 8: Jacobi's method removes what is rough and leaves what is smooth; multigrid makes the
 * smooth rough. */
#include "lesson.h"

/* A grid of SIDE^2 points. */
enum { SIDE = 64, N = SIDE * SIDE, SWEEPS = 200, CYCLES = 8 };

/* ||x||, read back. */
static double norm(const clVector *x, clFloat *s) {
  float value;
  OK(clVectorNorm(s, x));
  OK(clFloatDownload(s, &value));
  return (double)value;
}

/* x <- x - w D^-1 (A x - 0): a sweep for A x = 0, whose solution is zero, so that x is the error
 * itself. */
static void sweep(const clMatrix *A, clVector *x, clVector *q) {
  OK(clMatrixMulVector(q, A, x));
  OK(clVectorAxpy(x, -.8f / 4, NULL, q));
}

/* Half of the error is smooth, half of it rough. */
static void start(clVector *x) {
  static float value[N];
  for (int i = 0; i < N; i++) {
    float u = ((float)(i % SIDE) + 1) / (SIDE + 1), v = ((float)(i / SIDE) + 1) / (SIDE + 1),
          pi = 3.14159265f;
    value[i] = .5f * sinf(pi * u) * sinf(2 * pi * v) + .5f * sinf(47 * pi * u) * sinf(41 * pi * v);
  }
  OK(clVectorUpload(x, value));
}

/* Passes of one cycle on a grid of 256^2 points, all of whose levels are on the device. */
static int64_t passesOf(clContext *context, clCycle cycle) {
  enum { LARGE = 256 };
  clTriplets *T;
  clMultigrid *multigrid;
  clVector *x, *b;
  OK(clGeneratePoisson2d(&T, LARGE, LARGE, NULL));
  OK(clMultigridCreate(&multigrid, context, T, LARGE, LARGE,
                       &(clMultigridOptions){.cycle = cycle}));
  OK(clVectorCreateGrid(&x, context, LARGE, LARGE));
  OK(clVectorCreateLike(&b, x));
  int64_t before = clContextStatistics(context).passes;
  OK(clMultigridCycle(multigrid, x, b));
  int64_t passes = clContextStatistics(context).passes - before;
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMultigridDestroy(multigrid);
  clTripletsDestroy(T);
  return passes;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  double jacobi[SWEEPS + 1], cycles[CYCLES + 1];
  clTriplets *T;
  clMatrix *A;
  clVector *x, *q, *zero;
  clFloat *s;
  clMultigrid *multigrid;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&q, x));
  OK(clVectorCreateLike(&zero, x));
  OK(clFloatCreate(&s, context));

  start(x);
  for (int k = 0; k <= SWEEPS; k++) {
    char name[32];
    snprintf(name, sizeof name, "sweep%d", k);
    if (k == 0 || k == 3 || k == 10 || k == SWEEPS)
      lessonPicture(name, x, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);
    jacobi[k] = norm(x, s);
    sweep(A, x, q);
  }
  /* The same start for multigrid, whose cycles take some sweeps' work each. */
  OK(clMultigridCreate(&multigrid, context, T, SIDE, SIDE, NULL));
  start(x);
  for (int k = 0; k <= CYCLES; k++) {
    cycles[k] = norm(x, s);
    OK(clMultigridCycle(multigrid, x, zero));
  }
  printf("%s\n", clMultigridDescription(multigrid));
  printf("error after %d sweeps of Jacobi: %.1e of the start; after %d cycles: %.1e\n", SWEEPS,
         jacobi[SWEEPS] / jacobi[0], CYCLES, cycles[CYCLES] / cycles[0]);
  int64_t v = passesOf(context, TEXLA_CYCLE_V), w = passesOf(context, TEXLA_CYCLE_W),
          f = passesOf(context, TEXLA_CYCLE_F);
  printf("passes of a cycle on 256 x 256 points: V %d, F %d, W %d\n", (int)v, (int)f, (int)w);
  lessonExpect(v < f && f < w, "F visits coarse grids more often than V, W more often than F");
  lessonExpect(jacobi[3] < .8 * jacobi[0], "the rough half of the error goes at once");
  lessonExpect(jacobi[SWEEPS] > .2 * jacobi[0], "the smooth half stays");
  for (int k = 0; k < CYCLES; k++)
    lessonExpect(cycles[k + 1] < cycles[k] / 10, "a cycle leaves less than a tenth of both");
  lessonCurves("errors", "error over sweeps, and over cycles", NULL, NULL,
               (LessonCurve[]){{"Jacobi", jacobi, SWEEPS + 1}, {"multigrid", cycles, CYCLES + 1}},
               2);
  clMultigridDestroy(multigrid);
  clFloatDestroy(s);
  clVectorDestroy(x);
  clVectorDestroy(q);
  clVectorDestroy(zero);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
