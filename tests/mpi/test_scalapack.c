/* Data goes to ScaLAPACK's psgetrf and back as it is: the same layout, descriptors, pivots,
 * factors. */
#include "several.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridexit(int context);
void psgetrf_(const int *m, const int *n, float *a, const int *ia, const int *ja, const int *desc,
              int *pivots, int *info);

static void testGrid(int n, int block, int grid_rows, int grid_cols) {
  clBlockMatrix *A = NULL, *B = NULL;
  clBlockPlu *plu = NULL;
  int blacs, desc[9], info = 0, one = 1;
  Cblacs_get(-1, 0, &blacs);
  Cblacs_gridinit(&blacs, "Row", grid_rows, grid_cols);
  CHECK_OK(clBlockMatrixCreate(&A, cluster, n, block, grid_rows, grid_cols));
  CHECK_OK(clBlockMatrixRandom(A, 11));
  clBlockLayout l = clBlockMatrixLayout(A);
  size_t count = (size_t)l.rows * (size_t)l.cols;
  double *values = calloc(count + 1, sizeof *values);
  float *theirs = calloc(count + 1, sizeof *theirs), *mine = calloc(count + 1, sizeof *mine);
  int *pivots = calloc((size_t)(l.rows + l.block), sizeof *pivots), lead = l.rows > 0 ? l.rows : 1;
  CHECK_OK(clBlockMatrixDownload(A, values, lead));
  for (size_t i = 0; i < count; i++)
    theirs[i] = (float)values[i];
  clBlockMatrixDescriptor(A, blacs, desc);
  if (l.grid_row >= 0)
    psgetrf_(&n, &n, theirs, &one, &one, desc, pivots, &info);
  CHECK(info == 0);
  /* and in again */
  CHECK_OK(clBlockMatrixCreate(&B, cluster, n, block, grid_rows, grid_cols));
  CHECK_OK(clBlockMatrixUpload(B, values, lead));
  CHECK_OK(clBlockPluCreate(&plu, B, NULL, NULL));
  CHECK_OK(clBlockPluDownload(plu, mine, lead));
  for (int i = 0; i < l.rows; i++) {
    int row = (i / l.block * l.grid_rows + l.grid_row) * l.block + i % l.block;
    CHECK(pivots[i] == clBlockPluPivots(plu)[row] + 1);
  }
  for (size_t i = 0; i < count; i++)
    CHECK(fabsf(mine[i] - theirs[i]) <= 1e-3f * (1 + fabsf(theirs[i])));
  clBlockPluDestroy(plu);
  clBlockMatrixDestroy(A);
  clBlockMatrixDestroy(B);
  free(values);
  free(theirs);
  free(mine);
  free(pivots);
  if (l.grid_row >= 0)
    Cblacs_gridexit(blacs);
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  for (int rows = 1; rows <= clClusterSize(cluster); rows++) {
    testGrid(90, 16, rows, clClusterSize(cluster) / rows);
    testGrid(47, 5, rows, clClusterSize(cluster) / rows);
  }
  return clusterEnd();
}
