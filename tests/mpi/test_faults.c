/* Allocation number K of the last rank fails, in a factorization, a solution, and waves on all ranks. Either all ranks return the same status
 * with a message, and the same work done again succeeds; or one line tells why all end, with the exit status 2 (faults.sh). K = 0: none
 * fails, and the number of allocations is printed. */
#include "cluster.h"

#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);

static atomic_long calls, failing,
    live; /* texla's own allocations alone: the linker puts these functions in their place */

static bool fails(void) {
  return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&failing);
}

static void *counted(void *memory) {
  atomic_fetch_add(&live, memory != NULL);
  return memory;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
  if (fails())
    return NULL;
  void *result = __real_realloc(memory, size);
  atomic_fetch_add(&live, result && !memory);
  return result;
}

void __wrap_free(void *memory) {
  atomic_fetch_sub(&live, memory != NULL);
  __real_free(memory);
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
  clVector *x = NULL, *b = NULL;
  double residual = 1;
  clStatus status = clClusterPoisson2d(&A, cluster, 12, 12, 0, 0);
  if (!status)
    status = create(&x, A, 0);
  if (!status)
    status = create(&b, A, 1);
  if (!status)
    status = clClusterSolve(A, x, b, &(clSolverOptions){.tolerance = 1e-5}, NULL);
  if (!status)
    status = clClusterResidual(A, x, b, &residual);
  if (!status)
    *sum += residual < 1e-4;
  clVectorDestroy(b);
  clVectorDestroy(x);
  clClusterMatrixDestroy(A);
  return status;
}

static float heightAt(void *user, int64_t i, int64_t j) {
  (void)user;
  return (float)((i * 5 + j * 3) % 7);
}

static clStatus waves(double *sum) {
  enum { SIDE = 24 };
  static float all[SIDE * SIDE];
  clClusterWave *w = NULL;
  clStatus status = clClusterWaveCreate(&w, cluster, &(clWaveOptions){.nx = SIDE, .ny = SIDE}, 0, 0);
  if (!status)
    status = clClusterWaveUpload(w, heightAt, NULL);
  if (!status)
    status = clClusterWaveStep(w, 5);
  if (!status)
    status = clClusterWaveGather(w, all);
  if (!status && clClusterRank(cluster) == 0)
    *sum += (double)all[SIDE * 7 + 3];
  clClusterWaveDestroy(w);
  return status;
}

/* All three; how many allocations that took goes to *count. */
static clStatus work(long which, double *sum, long *count) {
  *sum = 0;
  atomic_store(&calls, 0);
  atomic_store(&failing, which);
  clStatus status = factor(sum);
  if (!status)
    status = iterate(sum);
  if (!status)
    status = waves(sum);
  atomic_store(&failing, 0);
  *count = atomic_load(&calls);
  CHECK_OK(clContextTrim(clClusterContext(cluster))); /* what is kept for later is no loss */
  return status;
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  long which = argc > 1 ? strtol(argv[1], NULL, 10) : 0, count = 0, again;
  double wanted = 0, sum = 0;
  bool last = clClusterRank(cluster) == clClusterSize(cluster) - 1;
  for (int k = 0; k < 2; k++) /* programs are compiled */
    CHECK_OK(work(0, &wanted, &count));
  long before = atomic_load(&live);
  int status = work(last ? which : 0, &sum, &again), range[2] = {status, -status};
  MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(range[0] == status && range[1] == -status); /* the same everywhere */
  bool told =
      status == TEXLA_OK || (status == TEXLA_OUT_OF_MEMORY && strstr(clClusterError(cluster)->message, "memory"));
  if (!told || atomic_load(&live) > before)
    fprintf(stderr, "status %d: %s; %ld blocks are left\n", status, clClusterError(cluster)->message,
            atomic_load(&live) - before);
  CHECK(told);
  CHECK(status != TEXLA_OK || sum == wanted);
  CHECK(atomic_load(&live) <= before);
  CHECK_OK(work(0, &sum, &again));
  CHECK(sum == wanted);
  if (last && !which)
    printf("%ld allocations\n", count);
  return clusterEnd();
}
