/* KIND K: allocation number K of the last rank fails ("memory"), or its K-th call of OpenGL of
 * that kind (calls.h), in factorizations, solutions and files on all ranks. Either all
 * ranks return the same status with a message, and the same work done again succeeds; or one
 * line tells why all end, with the exit status 2 (faults.sh). Without arguments none fails, and
 * the numbers of calls are printed. */
#include "several.h"
#include "faults/allocations.h"
#include "faults/calls.h"
#include "core/try.h"

#include <sys/stat.h>
#include <unistd.h>

/* Files of all ranks, in one folder: a matrix, a right-hand side, and what is saved. */
static char folder[64];
enum { ROWS = 12 };

static const char *fileOf(char path[128], const char *name) {
  snprintf(path, 128, "%s/%s", folder, name);
  return path;
}

static void writeFile(const char *name, const char *text) {
  char path[128];
  FILE *file = fopen(fileOf(path, name), "w");
  CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* -1 2 -1 on the diagonals, and a right-hand side of ones. */
static void writeFiles(void) {
  char matrix[1024] = "%%MatrixMarket matrix coordinate real symmetric\n12 12 23\n",
       ones[256] = "%%MatrixMarket matrix array real general\n12 1\n";
  int id = (int)getpid();
  for (int k = 1; k <= ROWS; k++) {
    size_t used = strlen(matrix);
    snprintf(matrix + used, sizeof matrix - used, "%d %d 2\n", k, k);
    used = strlen(matrix);
    if (k > 1)
      snprintf(matrix + used, sizeof matrix - used, "%d %d -1\n", k, k - 1);
    strcat(ones, "1\n");
  }
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const char *parent = getenv("TEXLA_FAULTS_FOLDER");
  if (!parent)
    parent = "/tmp";
  snprintf(folder, sizeof folder, "%.40s/faults-%d", parent, id);
  if (clClusterRank(cluster) == 0) {
    CHECK(mkdir(folder, 0700) == 0);
    writeFile("A.mtx", matrix);
    writeFile("b.mtx", ones);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void removeFiles(void) {
  static const char *const name[] = {"A.mtx", "b.mtx", "x", "host", "solve", "refine"};
  char path[128];
  if (clClusterRank(cluster) != 0)
    return;
  for (int k = 0; k < 6; k++)
    remove(fileOf(path, name[k]));
  rmdir(folder);
}

/* A x = b with factors in blocks of 8 */
static clStatus factor(double *sum) {
  enum { N = 24 };
  clBlockMatrix *A = NULL;
  clBlockPlu *plu = NULL;
  double x[N], b[N];
  for (int k = 0; k < N; k++)
    b[k] = k;
  clStatus status = clBlockMatrixCreate(&A, cluster, N, 8, 1, clClusterSize(cluster));
  if (!status)
    status = clBlockMatrixRandom(A, 1);
  if (!status)
    status = clBlockPluCreate(&plu, A, NULL, NULL);
  if (!status)
    status = clBlockPluSolve(plu, x, b, NULL);
  for (int k = 0; k < N && !status; k++)
    *sum += x[k];
  clBlockPluDestroy(plu);
  clBlockMatrixDestroy(A);
  return status;
}

/* A vector of one value; all ranks are told whether one has none. */
static clStatus create(clVector **x, const clClusterMatrix *A, float value) {
  clError error = {0};
  clStatus status = clClusterMatrixCreateVector(x, A);
  if (!status)
    status = clVectorFill(*x, value);
  if (status)
    error = *clContextError(clClusterContext(cluster));
  return clClusterAgree(cluster, status, &error);
}

static clStatus iterate(double *sum) {
  clClusterMatrix *A = NULL;
  enum { SIDE = 12 };
  clVector *x = NULL, *b = NULL;
  double residual = 1, exact[2 * SIDE * SIDE] = {0};
  clClusterRefineReport refined = {0};
  clStatus status = clClusterPoisson2d(&A, cluster, SIDE, SIDE, 0, 0);
  if (!status)
    status = create(&x, A, 0);
  if (!status)
    status = create(&b, A, 1);
  if (!status)
    status = clClusterSolve(A, x, b, &(clSolverOptions){.tolerance = 1e-5}, NULL);
  if (!status)
    status = clClusterResidual(A, x, b, &residual);
  for (int k = 0; k < SIDE * SIDE; k++)
    exact[SIDE * SIDE + k] = 1;
  clSolverOptions options = {.preconditioner = TEXLA_PRECONDITIONER_MG, .tolerance = 1e-8};
  if (!status)
    status = clClusterRefine(A, exact, exact + SIDE * SIDE, &options, &refined);
  if (!status)
    *sum += residual < 1e-4 && refined.residual <= 1e-8;
  clVectorDestroy(b);
  clVectorDestroy(x);
  clClusterMatrixDestroy(A);
  return status;
}

/* A matrix from a file, to the host and back, and its factors to the host. */
static clStatus copyBlocks(double *sum) {
  char path[128];
  double local[ROWS * ROWS];
  float factors[ROWS * ROWS];
  clBlockMatrix *A = NULL;
  clBlockPlu *plu = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clBlockMatrixRead(&A, cluster, fileOf(path, "A.mtx"), 4, 1, clClusterSize(cluster)));
  TRY_CLEANUP(clBlockMatrixDownload(A, local, ROWS));
  TRY_CLEANUP(clBlockMatrixUpload(A, local, ROWS));
  TRY_CLEANUP(clBlockPluCreate(&plu, A, NULL, NULL));
  TRY_CLEANUP(clBlockPluDownload(plu, factors, ROWS));
  *sum += (double)factors[0];
cleanup:
  clBlockPluDestroy(plu);
  clBlockMatrixDestroy(A);
  return status;
}

/* Vectors of files, to files and back; solutions with checkpoints. */
static clStatus keepVectors(clClusterMatrix *A, clVector *x, clVector *y, double *sum) {
  char path[128];
  double b[ROWS + 1], exact[ROWS + 1] = {0}, all[ROWS] = {0};
  int64_t iterations = 0;
  clClusterRefineReport report = {0};
  const clSolverOptions options = {.tolerance = 1e-8};
  TRY(clClusterVectorRead(b, A, fileOf(path, "b.mtx")));
  TRY(clClusterVectorSave(A, x, fileOf(path, "x"), 7));
  TRY(clClusterVectorLoad(A, y, path, &iterations));
  TRY(clClusterSolveFrom(A, x, y, &(clSolverOptions){.tolerance = 1e-4},
                         &(clClusterCheckpoint){.save = fileOf(path, "solve"), .every = 2}, NULL));
  TRY(clClusterVectorGather(A, x, all));
  TRY(clClusterRefineFrom(A, exact, b, &options,
                          &(clClusterCheckpoint){.save = fileOf(path, "refine"), .every = 2},
                          &report));
  TRY(clClusterVectorSaveHost(A, exact, fileOf(path, "host"), report.iterations));
  TRY(clClusterMatrixMultiply(y, A, x));
  TRY(clClusterMatrixMultiplyHost(b, A, b));
  *sum += (double)iterations + all[0] + b[0];
  return TEXLA_OK;
}

static clStatus files(double *sum) {
  char path[128];
  clClusterMatrix *A = NULL;
  clVector *x = NULL, *y = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterMatrixRead(&A, cluster, fileOf(path, "A.mtx")));
  TRY_CLEANUP(create(&x, A, 1));
  TRY_CLEANUP(create(&y, A, 0));
  TRY_CLEANUP(keepVectors(A, x, y, sum));
cleanup:
  clVectorDestroy(y);
  clVectorDestroy(x);
  clClusterMatrixDestroy(A);
  return status;
}

/* Kinds of failures: calls of OpenGL, by Fault, and one more. */
enum { MEMORY = FAULTS, KINDS };

static const char *nameOf(int kind) {
  return kind == MEMORY ? "memory" : faultNames[kind];
}

/* Programs are compiled once. */
static bool isOnce(int kind) {
  return kind == SHADER || kind == COMPILE || kind == LINK;
}

/* All of them; how many calls of each kind that took goes to count. */
static clStatus work(int kind, long which, double *sum, long count[KINDS]) {
  *sum = 0;
  failAllocation(kind == MEMORY ? which : 0);
  failCall(TEXTURE, 0);
  if (kind < FAULTS)
    failCall((Fault)kind, which);
  clStatus status = factor(sum);
  if (!status)
    status = iterate(sum);
  if (!status)
    status = copyBlocks(sum);
  if (!status)
    status = files(sum);
  count[MEMORY] = allocationsDone();
  for (int k = 0; k < FAULTS; k++)
    count[k] = callsDone((Fault)k);
  /* no error is left for the next call */
  CHECK(!pending);
  /* what is kept for later is no loss */
  CHECK_OK(clContextTrim(clClusterContext(cluster)));
  return status;
}

static bool same(double a, double b) {
  return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

/* Without failures, the second time without compilations. */
static void printCounts(bool mine) {
  long first[KINDS], second[KINDS];
  double sum;
  CHECK_OK(work(MEMORY, 0, &sum, first));
  CHECK_OK(work(MEMORY, 0, &sum, second));
  for (int k = 0; k < KINDS && mine; k++)
    printf("%s %ld\n", nameOf(k), isOnce(k) ? first[k] : second[k]);
}

static void checkFailure(int kind, long which, bool mine) {
  double wanted = 0, sum = 0;
  long count[KINDS];
  for (int k = 0; k < 2 && !isOnce(kind); k++)
    CHECK_OK(work(kind, 0, &wanted, count));
  long before = blocksLeft();
  int status = work(kind, mine ? which : 0, &sum, count), range[2] = {status, -status};
  const char *message = clClusterError(cluster)->message;
  bool told =
      status == TEXLA_OK ||
      (kind == MEMORY ? status == TEXLA_OUT_OF_MEMORY && strstr(message, "memory") : *message);
  /* programs that are compiled later are kept */
  bool lost = kind == MEMORY && blocksLeft() > before;
  if (!told || lost)
    fprintf(stderr, "status %d: %s; %ld blocks are left\n", status, message, blocksLeft() - before);
  CHECK(told && !lost);
  MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  /* the same everywhere */
  CHECK(range[0] == status && range[1] == -status);
  double failed = sum;
  CHECK_OK(work(kind, 0, &sum, count));
  CHECK(isOnce(kind) || same(sum, wanted));
  CHECK(status != TEXLA_OK || same(failed, sum));
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  breakOpenGl();
  writeFiles();
  long which = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  bool last = clClusterRank(cluster) == clClusterSize(cluster) - 1;
  int kind = 0;
  while (argc > 1 && kind < MEMORY && strcmp(nameOf(kind), argv[1]) != 0)
    kind++;
  if (which)
    checkFailure(kind, which, last);
  else
    printCounts(last);
  removeFiles();
  return clusterEnd();
}
