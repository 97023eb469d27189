/* Solution of exercise 7: the residual that CG believes in, and the true one, over the
 * iterations. */
#include "lesson.h"

/* A smooth right-hand side on SIDE^2 points, so that rounding shows; a look at x EVERY so many
 * steps. */
enum { SIDE = 128, N = SIDE * SIDE, STEPS = 700, EVERY = 20 };

int main(int argc, char **argv) {
  static float value[N];
  static double x64[N], b64[N], true_residual[STEPS / EVERY], believed[STEPS / EVERY];
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *b;
  clSolver *solver;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  double norm = 0;
  for (int i = 0; i < N; i++) {
    value[i] = sinf((float)(i % SIDE) / 20) + (float)(i / SIDE) / SIDE;
    b64[i] = (double)value[i];
    norm += b64[i] * b64[i];
  }
  OK(clVectorUpload(b, value));
  OK(clSolverCreate(&solver, A, &(clSolverOptions){.tolerance = 1e-9, .max_iterations = STEPS}));
  /* what it believes; it may or may not have converged */
  clSolverSolve(solver, x, b, NULL);
  int64_t count;
  const double *history = clSolverHistory(solver, &count);
  int points = 0;
  for (; points < STEPS / EVERY && points * EVERY < count; points++)
    believed[points] = history[points * EVERY] / sqrt(norm);
  OK(clVectorClear(x));
  OK(clSolverInit(solver, x, b));
  /* the same iteration, with a look at x every now and then */
  for (int k = 0; k < points; k++) {
    OK(clVectorDownloadDouble(x, x64));
    true_residual[k] = clTripletsResidual(NULL, T, x64, b64) / sqrt(norm);
    OK(clSolverIterate(solver, EVERY));
  }
  printf("after %d steps: believed %.1e, true %.1e\n", (points - 1) * EVERY, believed[points - 1],
         true_residual[points - 1]);
  /* The recursive residual no longer belongs to the x that has been rounded. */
  lessonExpect(believed[points - 1] < 1e-6, "the recursive residual goes on falling");
  lessonExpect(true_residual[points - 1] > 10 * believed[points - 1], "the true one does not");
  lessonCurves("residuals", "residual over iterations / 20", NULL, NULL,
               (LessonCurve[]){{"believed", believed, points}, {"true", true_residual, points}}, 2);
  clSolverDestroy(solver);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
