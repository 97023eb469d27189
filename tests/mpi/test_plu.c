/* P A = L U on all ranks of a run: against LAPACK, for every grid that the ranks allow, and odd
 * sizes and blocks. */
#include "several.h"

#include <lapacke.h>

static double *gather(const clBlockMatrix *A, const float *local) {
  clBlockLayout l = clBlockMatrixLayout(A);
  double *all = calloc((size_t)l.n * (size_t)l.n, sizeof *all);
  for (int j = 0; j < l.cols; j++)
    for (int i = 0; i < l.rows; i++) {
      int row = (i / l.block * l.grid_rows + l.grid_row) * l.block + i % l.block;
      int col = (j / l.block * l.grid_cols + l.grid_col) * l.block + j % l.block;
      all[(size_t)col * (size_t)l.n + (size_t)row] =
          (double)local[(size_t)j * (size_t)l.rows + (size_t)i];
    }
  MPI_Allreduce(MPI_IN_PLACE, all, l.n * l.n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* The matrix itself, column after column, on all ranks. */
static double *whole(const clBlockMatrix *A) {
  clBlockLayout l = clBlockMatrixLayout(A);
  size_t count = (size_t)l.rows * (size_t)l.cols;
  double *local = calloc(count + 1, sizeof *local);
  float *single = calloc(count + 1, sizeof *single);
  CHECK_OK(clBlockMatrixDownload(A, local, l.rows));
  for (size_t i = 0; i < count; i++)
    single[i] = (float)local[i];
  double *all = gather(A, single);
  free(local);
  free(single);
  return all;
}

/* Factors and pivots are those of LAPACK, in double, within what single precision can do. */
static void compare(const clBlockMatrix *A, const clBlockPlu *plu, double tolerance) {
  clBlockLayout l = clBlockMatrixLayout(A);
  float *local = calloc((size_t)l.rows * (size_t)l.cols + 1, sizeof *local);
  CHECK_OK(clBlockPluDownload(plu, local, l.rows));
  double *mine = gather(A, local), *right = whole(A);
  lapack_int *pivots = calloc((size_t)l.n, sizeof *pivots);
  CHECK(LAPACKE_dgetrf(LAPACK_COL_MAJOR, l.n, l.n, right, l.n, pivots) >= 0);
  for (int i = 0; i < l.n; i++)
    CHECK(clBlockPluPivots(plu)[i] + 1 == pivots[i]);
  double largest = 0, worst = 0;
  for (int i = 0; i < l.n * l.n; i++) {
    largest = fmax(largest, fabs(right[i]));
    worst = fmax(worst, fabs(right[i] - mine[i]));
  }
  if (!(worst <= tolerance * largest) && clClusterRank(cluster) == 0)
    fprintf(stderr, "n %d block %d grid %dx%d: %g of %g\n", l.n, l.block, l.grid_rows, l.grid_cols,
            worst, largest);
  CHECK(worst <= tolerance * largest);
  free(pivots);
  free(mine);
  free(right);
  free(local);
}

static void solve(const clBlockPlu *plu, int n) {
  double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
  clBlockSolveReport report;
  for (int i = 0; i < n; i++)
    b[i] = 1 + i % 7;
  CHECK_OK(clBlockPluSolve(plu, x, b, &report));
  CHECK(report.hpl_single < 16 && report.hpl < 16);
  CHECK(report.backward_error < 4e-15);
  free(x);
  free(b);
}

static void testGrid(int n, int block, int grid_rows, int grid_cols,
                     const clBlockPluOptions *options) {
  clBlockMatrix *A = NULL;
  clBlockPlu *plu = NULL;
  clBlockPluReport report;
  CHECK_OK(clBlockMatrixCreate(&A, cluster, n, block, grid_rows, grid_cols));
  CHECK_OK(clBlockMatrixRandom(A, 7));
  CHECK_OK(clBlockPluCreate(&plu, A, options, &report));
  CHECK(report.received == report.predicted);
  CHECK(grid_rows * grid_cols > 1 || report.received == 0);
  compare(A, plu, 3e-4);
  solve(plu, n);
  clBlockPluDestroy(plu);
  clBlockMatrixDestroy(A);
}

/* [[0, 1], [1, 0]] in blocks of one: pivots must come from another rank. Inside of blocks there is
 * none. */
static void testExchange(int grid_rows, int grid_cols) {
  clBlockMatrix *A = NULL;
  clBlockPlu *plu = NULL;
  clBlockPluOptions inside = {.pivoting = TEXLA_BLOCK_PIVOT_INSIDE};
  CHECK_OK(clBlockMatrixCreate(&A, cluster, 2, 1, grid_rows, grid_cols));
  clBlockLayout l = clBlockMatrixLayout(A);
  double local[4] = {0};
  for (int j = 0; j < l.cols; j++)
    for (int i = 0; i < l.rows; i++)
      local[j * l.rows + i] = i * l.grid_rows + l.grid_row != j * l.grid_cols + l.grid_col;
  CHECK_OK(clBlockMatrixUpload(A, local, l.rows > 0 ? l.rows : 1));
  CHECK_OK(clBlockPluCreate(&plu, A, NULL, NULL));
  CHECK(clBlockPluPivots(plu)[0] == 1);
  double x[2], b[2] = {3, 5};
  CHECK_OK(clBlockPluSolve(plu, x, b, NULL));
  CHECK(x[0] == 5 && x[1] == 3);
  clBlockPluDestroy(plu);
  plu = NULL;
  CHECK_FAILS(clBlockPluCreate(&plu, A, &inside, NULL), TEXLA_SINGULAR);
  CHECK(plu == NULL);
  clBlockMatrixDestroy(A);
}

/* A column of zeros is met by all ranks. */
static void testSingular(int grid_rows, int grid_cols) {
  clBlockMatrix *A = NULL;
  clBlockPlu *plu = NULL;
  clBlockPluReport report;
  CHECK_OK(clBlockMatrixCreate(&A, cluster, 13, 4, grid_rows, grid_cols));
  CHECK_OK(clBlockMatrixRandom(A, 3));
  clBlockLayout l = clBlockMatrixLayout(A);
  double *local = calloc((size_t)(l.rows + 1) * (size_t)(l.cols + 1), sizeof *local), x[13],
         b[13] = {0};
  CHECK_OK(clBlockMatrixDownload(A, local, l.rows + 1));
  for (int j = 0; j < l.cols; j++)
    for (int i = 0; i < l.rows && (j / 4 * l.grid_cols + l.grid_col) * 4 + j % 4 == 9; i++)
      local[j * (l.rows + 1) + i] = 0;
  CHECK_OK(clBlockMatrixUpload(A, local, l.rows + 1));
  CHECK_FAILS(clBlockPluCreate(&plu, A, NULL, &report), TEXLA_RANK_DEFICIENT);
  CHECK(report.zero_pivot == 9);
  CHECK_FAILS(clBlockPluSolve(plu, x, b, NULL), TEXLA_SINGULAR);
  clBlockPluDestroy(plu);
  clBlockMatrixDestroy(A);
  free(local);
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  int ranks = clClusterSize(cluster);
  static const int size[][2] = {{96, 16}, {65, 7}, {50, 64}, {1, 3}, {131, 30}};
  for (int rows = 1; rows <= ranks; rows++) {
    /* grids that leave ranks without work, too */
    int cols = ranks / rows;
    for (int i = 0; i < 5; i++)
      testGrid(size[i][0], size[i][1], rows, cols, &(clBlockPluOptions){.no_look_ahead = i == 4});
    testExchange(rows, cols);
    testSingular(rows, cols);
  }
  /* rows enough for several threads */
  if (ranks == 1)
    testGrid(1030, 36, 1, 1, NULL);
  clBlockMatrix *none = NULL;
  CHECK_FAILS(clBlockMatrixCreate(&none, cluster, 4, 2, ranks + 1, 1), TEXLA_BAD_ARGUMENT);
  return clusterEnd();
}
