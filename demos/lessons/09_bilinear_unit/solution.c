/* Solution of exercise 9: the same over all grids, a V-cycle of one's own, with coarse matrices
 * that know where the boundary is. */
#include "lesson.h"

/* Six grids, from 128^2 points to 4^2. */
enum { SIDE = 128, LEVELS = 6, CYCLES = 8 };

/* Matrix, solution, right-hand side and room for a residual, on each grid. */
static struct {
  clMatrix *A;
  clVector *x, *b, *r;
} grid[LEVELS];

/* Poisson's matrix for points of which the first and the last are `edge` grid steps away from the
 * boundary, where x is zero: the value behind them is -(1 - edge) / edge times theirs, which adds
 * to the diagonal. */
static clMatrix *poisson(clContext *context, int side, double edge) {
  clTriplets *T;
  clMatrix *A;
  clError error;
  OK(clGeneratePoisson2d(&T, side, side, &error));
  for (int k = 0; k < side; k++) {
    const int border[4] = {k, (side - 1) * side + k, k * side, k * side + side - 1};
    for (int b = 0; b < 4; b++)
      OK(clTripletsAdd(T, border[b], border[b], (1 - edge) / edge, &error));
  }
  /* what stands twice is summed */
  OK(clTripletsCompress(T, &error));
  OK(clMatrixCreate(&A, context, T, NULL));
  clTripletsDestroy(T);
  return A;
}

/* Damped sweeps of Jacobi's method; 4 is about the diagonal everywhere. */
static void smooth(int level, int count) {
  for (int k = 0; k < count; k++) {
    OK(clMatrixVectorOp(grid[level].r, TEXLA_OP_B_MINUS_AX, grid[level].A, TEXLA_NO_TRANSPOSE,
                        grid[level].x, grid[level].b));
    OK(clVectorAxpy(grid[level].x, .8f / 4, NULL, grid[level].r));
  }
}

/* A V-cycle from this grid down and back; on the coarser ones x is the error of the finer one. */
static void cycle(int level) {
  /* 4 x 4 points: sweeps will do */
  smooth(level, level == LEVELS - 1 ? 30 : 2);
  if (level == LEVELS - 1)
    return;
  OK(clMatrixVectorOp(grid[level].r, TEXLA_OP_B_MINUS_AX, grid[level].A, TEXLA_NO_TRANSPOSE,
                      grid[level].x, grid[level].b));
  OK(clVectorRescale(grid[level + 1].b, grid[level].r));
  OK(clVectorScale(grid[level + 1].b, 4, NULL, grid[level + 1].b));
  OK(clVectorClear(grid[level + 1].x));
  cycle(level + 1);
  OK(clVectorRescale(grid[level].r, grid[level + 1].x));
  OK(clVectorAxpy(grid[level].x, 1, NULL, grid[level].r));
  smooth(level, 2);
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clFloat *s;
  double residual[CYCLES], edge = 1;
  for (int level = 0; level < LEVELS; level++) {
    grid[level].A = poisson(context, SIDE >> level, edge);
    /* the first coarse point lies between the first two */
    edge = (edge + 0.5) / 2;
    OK(clVectorCreateGrid(&grid[level].x, context, SIDE >> level, SIDE >> level));
    OK(clVectorCreateLike(&grid[level].b, grid[level].x));
    OK(clVectorCreateLike(&grid[level].r, grid[level].x));
  }
  OK(clVectorFill(grid[0].b, 1));
  OK(clFloatCreate(&s, context));
  for (int k = 0; k < CYCLES; k++) {
    float norm;
    cycle(0);
    OK(clVectorNorm(s, grid[0].r));
    OK(clFloatDownload(s, &norm));
    residual[k] = (double)norm;
  }
  printf("residual after 1, %d, %d cycles: %.1e %.1e %.1e\n", CYCLES / 2, CYCLES, residual[0],
         residual[CYCLES / 2 - 1], residual[CYCLES - 1]);
  lessonCurves("vcycles", "residual over V-cycles", NULL, NULL,
               (LessonCurve[]){{"six grids", residual, CYCLES}}, 1);
  lessonExpect(residual[CYCLES - 1] < 3e-3 * residual[0], "V-cycles converge");
  for (int level = 0; level < LEVELS; level++) {
    clMatrixDestroy(grid[level].A);
    clVectorDestroy(grid[level].x);
    clVectorDestroy(grid[level].b);
    clVectorDestroy(grid[level].r);
  }
  clFloatDestroy(s);
  return lessonEnd();
}
