/* Lesson 9: two grids, with the card's texture filter to go from one to the other. */
#include "lesson.h"

/* The fine grid has SIDE x SIDE points, the coarse one half as many along each axis. */
enum { SIDE = 64, HALF = SIDE / 2, N = SIDE * SIDE, CYCLES = 8 };

/* `count` damped sweeps of Jacobi's method for A x = b; r is room for the residual. */
static void smooth(const clMatrix *A, clVector *x, const clVector *b, clVector *r, int count) {
  for (int k = 0; k < count; k++) {
    OK(clMatrixVectorOp(r, TEXLA_OP_B_MINUS_AX, A, TEXLA_NO_TRANSPOSE, x, b));
    OK(clVectorAxpy(x, .8f / 4, NULL, r));
  }
}

/* The five-point matrix on side x side points, zero beyond the edge. */
static clMatrix *poisson(clContext *context, int side) {
  clTriplets *T;
  clMatrix *A;
  OK(clGeneratePoisson2d(&T, side, side, NULL));
  OK(clMatrixCreate(&A, context, T, NULL));
  clTripletsDestroy(T);
  return A;
}

int main(int argc, char **argv) {
  static float value[N];
  clContext *context = lessonBegin(argc, argv);
  clMatrix *A = poisson(context, SIDE), *coarse = poisson(context, HALF);
  clVector *x, *b, *r, *rc, *ec, *e;
  clSolver *solver;
  clFloat *s;
  double residual[CYCLES + 1];
  /* Solution, right-hand side, residual and correction; the last two on the coarse grid, too. */
  OK(clVectorCreateGrid(&x, context, SIDE, SIDE));
  OK(clVectorCreateGrid(&rc, context, HALF, HALF));
  OK(clVectorCreateLike(&b, x));
  OK(clVectorCreateLike(&r, x));
  OK(clVectorCreateLike(&e, x));
  OK(clVectorCreateLike(&ec, rc));
  OK(clFloatCreate(&s, context));
  OK(clSolverCreate(&solver, coarse, NULL));
  for (int i = 0; i < N; i++)
    value[i] = sinf((float)(i % 97)) + (i % SIDE > 40 && i / SIDE > 30 ? 1.f : -.2f);
  OK(clVectorUpload(b, value));

  /* A two-grid cycle: smooth, restrict the residual, solve for the error, prolongate it, smooth. */
  for (int k = 0; k <= CYCLES; k++) {
    float norm;
    smooth(A, x, b, r, 2);
    OK(clMatrixVectorOp(r, TEXLA_OP_B_MINUS_AX, A, TEXLA_NO_TRANSPOSE, x, b));
    OK(clVectorNorm(s, r));
    OK(clFloatDownload(s, &norm));
    residual[k] = (double)norm;
    printf("cycle %d: residual %.2e\n", k, residual[k]);
    /* restriction: the mean of 2 x 2, one textured quad */
    OK(clVectorRescale(rc, r));
    /* the matrices lack 1 / h^2, which is four times smaller there */
    OK(clVectorScale(rc, 4, NULL, rc));
    OK(clVectorClear(ec));
    OK(clSolverSolve(solver, ec, rc, NULL));
    /* prolongation: bilinear interpolation, another quad */
    OK(clVectorRescale(e, ec));
    if (k == 0) {
      lessonPicture("residual", r, SIDE, TEXLA_COLORMAP_DIVERGING, -1.5f, 1.5f);
      lessonPicture("restricted", rc, HALF, TEXLA_COLORMAP_DIVERGING, -6, 6);
      lessonPicture("coarse", ec, HALF, TEXLA_COLORMAP_DIVERGING, -150, 150);
      lessonPicture("prolongated", e, SIDE, TEXLA_COLORMAP_DIVERGING, -150, 150);
    }
    OK(clVectorAxpy(x, 1, NULL, e));
    smooth(A, x, b, r, 2);
  }
  lessonCurves("residuals", "residual over cycles", NULL, NULL,
               (LessonCurve[]){{"two grids", residual, CYCLES + 1}}, 1);
  lessonExpect(residual[CYCLES] < 1e-3 * residual[0], "two grids converge fast");
  clVector *vector[] = {x, b, r, rc, ec, e};
  for (int k = 0; k < 6; k++)
    clVectorDestroy(vector[k]);
  clFloatDestroy(s);
  clSolverDestroy(solver);
  clMatrixDestroy(A);
  clMatrixDestroy(coarse);
  return lessonEnd();
}
