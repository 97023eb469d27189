/* Lesson 7: conjugate gradients in twenty lines. Nothing is read back until they are done. */
#include "lesson.h"

/* Poisson's equation on SIDE x SIDE points. */
enum { SIDE = 64, N = SIDE * SIDE, STEPS = 200 };

/* x <- the solution of A x = b after `steps` steps from 0; A symmetric and positive definite. */
static void cg(const clMatrix *A, clVector *x, const clVector *b, int steps) {
  clVector *r, *p, *q;
  clFloat *rr, *old, *pq, *alpha, *beta;
  clVector **vector[] = {&r, &p, &q};
  clFloat **scalar[] = {&rr, &old, &pq, &alpha, &beta};
  /* r = p = b, since x = 0 */
  for (int k = 0; k < 3; k++)
    OK(clVectorClone(vector[k], b));
  for (int k = 0; k < 5; k++)
    OK(clFloatCreate(scalar[k], clVectorContext(b)));
  OK(clVectorClear(x));
  OK(clVectorDot(rr, r, r));
  for (int k = 0; k < steps; k++) {
    /* q = A p */
    OK(clMatrixMulVector(q, A, p));
    OK(clVectorDot(pq, p, q));
    /* alpha = r.r / p.q: how far */
    OK(clFloatDivZ(alpha, rr, pq));
    /* x += alpha p */
    OK(clVectorAxpy(x, 1, alpha, p));
    /* r -= alpha q */
    OK(clVectorAxpy(r, -1, alpha, q));
    OK(clFloatCopy(old, rr));
    OK(clVectorDot(rr, r, r));
    /* beta = r.r / old r.r */
    OK(clFloatDivZ(beta, rr, old));
    /* p = r + beta p: the next direction */
    OK(clVectorAdd(p, 1, NULL, r, 1, beta, p));
  }
  for (int k = 0; k < 3; k++)
    clVectorDestroy(*vector[k]);
  for (int k = 0; k < 5; k++)
    clFloatDestroy(*scalar[k]);
}

int main(int argc, char **argv) {
  static float value[N];
  static double x64[N], b64[N];
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *b;
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  /* a push at one place of the membrane, a pull at another */
  value[20 * SIDE + 16] = 1;
  value[44 * SIDE + 44] = -.7f;
  for (int i = 0; i < N; i++)
    b64[i] = value[i];
  OK(clVectorUpload(b, value));
  for (int steps = 10; steps <= 40; steps *= 2) {
    char name[32];
    snprintf(name, sizeof name, "after%d", steps);
    cg(A, x, b, steps);
    lessonPicture(name, x, SIDE, TEXLA_COLORMAP_DIVERGING, -.4f, .4f);
  }
  /* The solution itself, of which nothing is read before it is done. */
  int64_t before = clContextStatistics(context).readbacks;
  cg(A, x, b, STEPS);
  printf("%d steps, %lld read-backs\n", STEPS,
         (long long)(clContextStatistics(context).readbacks - before));
  lessonPicture("solution", x, SIDE, TEXLA_COLORMAP_DIVERGING, -.4f, .4f);
  OK(clVectorDownloadDouble(x, x64));
  double residual = clTripletsResidual(NULL, T, x64, b64) / sqrt(1.49);
  printf("true residual ||b - A x|| / ||b|| = %.1e, computed in double\n", residual);
  lessonExpect(residual < 1e-4, "twenty lines solve the system");
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
