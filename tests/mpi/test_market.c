/* Matrix Market files read in parts: the matrix is the same on any number of ranks, and faults are
 * found by all. */
#include "several.h"

#include <unistd.h>

static char path[64];

static void writeFile(const char *text) {
  if (clClusterRank(cluster) == 0) {
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Entry (i, j), wherever it is. */
static double entry(const clBlockMatrix *A, int i, int j) {
  clBlockLayout l = clBlockMatrixLayout(A);
  double *local = calloc((size_t)l.rows * (size_t)l.cols + 1, sizeof *local), value = 0;
  CHECK_OK(clBlockMatrixDownload(A, local, l.rows));
  bool mine = i / l.block % l.grid_rows == l.grid_row && j / l.block % l.grid_cols == l.grid_col;
  int row = i / l.block / l.grid_rows * l.block + i % l.block,
      col = j / l.block / l.grid_cols * l.block + j % l.block;
  if (mine)
    value = local[col * l.rows + row];
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(local);
  return value;
}

static void testRead(const char *text, int n, const double *right) {
  clBlockMatrix *A = NULL;
  writeFile(text);
  CHECK_OK(clBlockMatrixRead(&A, cluster, path, 2, 1, clClusterSize(cluster)));
  CHECK(clBlockMatrixLayout(A).n == n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      CHECK(entry(A, i, j) == right[i * n + j]);
  clBlockMatrixDestroy(A);
}

static void testFault(const char *text, clStatus status, const char *message) {
  clBlockMatrix *A = NULL;
  writeFile(text);
  CHECK_FAILS(clBlockMatrixRead(&A, cluster, path, 2, 1, 1), status);
  CHECK(A == NULL && strstr(clClusterError(cluster)->message, message));
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  int id = (int)getpid();
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "/tmp/texla-market-%d.mtx", id);
  testRead("%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 3 5\n1 1 2.5\n2 2 "
           "-1e1\n\n3 1 4\n1 1 1\n  "
           "3   3  7 \n",
           3, (const double[]){3.5, 0, 0, 0, -10, 0, 4, 0, 7});
  testRead("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3", 3,
           (const double[]){1, 1, 0, 1, 0, 0, 0, 0, 1});
  testRead("%%MatrixMarket matrix array real general\n2 2\n1 3\n2\n4\n", 2,
           (const double[]){1, 2, 3, 4});
  testRead("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3,
           (const double[]){1, 2, 3, 2, 4, 5, 3, 5, 6});
  testRead("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 3,
           (const double[]){0, -1, -2, 1, 0, -3, 2, 3, 0});
  testFault("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n", TEXLA_BAD_FILE,
            "holds 2 values");
  testFault("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n4 1 1\n",
            TEXLA_BAD_FILE, "line 5");
  testFault("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 x 1\n", TEXLA_BAD_FILE,
            "line 4");
  testFault("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n", TEXLA_BAD_FILE,
            "more than 4");
  testFault("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", TEXLA_UNSUPPORTED,
            "complex");
  testFault("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", TEXLA_BAD_SHAPE,
            "2 x 3");
  testFault("", TEXLA_BAD_FILE, "empty");
  if (clClusterRank(cluster) == 0)
    remove(path);
  return clusterEnd();
}
