/* The two-dimensional block-cyclic layout: who has what, filling it, products with it on the
 * host. */
#include "mpi/blocks.h"
#include "core/try.h"
#include "mpi/market.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char create_call[] = "clBlockMatrixCreate";

/* Blocks are dealt out in turn: the k-th one of the rank `at` among `count` is number k count + at
 * of all. Padding has no number. */
int txBlockGlobal(const clBlockMatrix *A, int local, int size, int at, int count) {
  int offset = local % size;
  int64_t global = ((int64_t)(local / size) * count + at) * A->layout.block + offset;
  return offset < A->layout.block && global < A->layout.n ? (int)global : -1;
}

/* Local rows (columns): numroc. */
static int localCount(int n, int block, int at, int count) {
  int whole = n / block, mine = txBlocksBefore(whole, at, count) * block;
  if (whole % count == at)
    mine += n % block;
  return mine;
}

/* The ranks of a grid row, and those of a grid column; ranks outside of the grid take part in the
 * calls and get none. */
static void makeCommunicators(clBlockMatrix *A) {
  clBlockLayout *l = &A->layout;
  int row = MPI_UNDEFINED, col = MPI_UNDEFINED;
  if (l->grid_row >= 0) {
    row = l->grid_row;
    col = l->grid_col;
  }
  MPI_Comm_split(A->cluster->comm, row, l->grid_col, &A->row);
  MPI_Comm_split(A->cluster->comm, col, l->grid_row, &A->col);
}

/* Numbers are the same on all ranks, so that what is wrong with them is found by all; memory may
 * end on one of them alone, which is agreed on. */
clStatus clBlockMatrixCreate(clBlockMatrix **out, clCluster *c, int n, int block, int grid_rows,
                             int grid_cols) {
  if (!c)
    return TEXLA_BAD_ARGUMENT;
  if (!out || n < 1 || block < 1 || grid_rows < 1 || grid_cols < 1)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, create_call,
                  "out must not be NULL, n (%d), the block (%d) and the grid (%d x %d) at least 1",
                  n, block, grid_rows, grid_cols);
  if ((int64_t)grid_rows * grid_cols > c->size)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, create_call,
                  "a grid of %d x %d processes needs more than the %d ranks", grid_rows, grid_cols,
                  c->size);
  clBlockMatrix *A = txAllocate(&c->error, create_call, 1, sizeof *A, "a matrix in blocks");
  clStatus status = clClusterAgree(c, A ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error);
  if (status) {
    free(A);
    return status;
  }
  block = txLeast(block, n);
  A->cluster = c;
  A->layout = (clBlockLayout){
      .n = n, .block = block, .grid_rows = grid_rows, .grid_cols = grid_cols, -1, -1, 0, 0};
  A->pitch = 2 * txHalf(block);
  A->blocks = (n - 1) / block + 1;
  clBlockLayout *l = &A->layout;
  if (c->rank < grid_rows * grid_cols) {
    l->grid_row = c->rank / grid_cols;
    l->grid_col = c->rank % grid_cols;
    l->rows = localCount(n, block, l->grid_row, grid_rows);
    l->cols = localCount(n, block, l->grid_col, grid_cols);
    A->row_blocks = txBlocksBefore(A->blocks, l->grid_row, grid_rows);
    A->col_blocks = txBlocksBefore(A->blocks, l->grid_col, grid_cols);
  }
  makeCommunicators(A);
  A->host = txAllocate(&c->error, create_call, (size_t)l->rows * (size_t)l->cols, sizeof *A->host,
                       "a matrix in blocks");
  status = clClusterAgree(c, A->host ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error);
  if (status)
    clBlockMatrixDestroy(A);
  else
    *out = A;
  return status;
}

void clBlockMatrixDestroy(clBlockMatrix *A) {
  if (!A)
    return;
  if (A->row != MPI_COMM_NULL)
    MPI_Comm_free(&A->row);
  if (A->col != MPI_COMM_NULL)
    MPI_Comm_free(&A->col);
  free(A->host);
  free(A);
}

clBlockLayout clBlockMatrixLayout(const clBlockMatrix *A) {
  return A ? A->layout : (clBlockLayout){.grid_row = -1, .grid_col = -1};
}

/* ScaLAPACK's nine numbers: a dense matrix, its context, sizes, blocks, the first owner and the
 * leading dimension. */
void clBlockMatrixDescriptor(const clBlockMatrix *A, int blacs_context, int desc[9]) {
  const clBlockLayout *l = &A->layout;
  int lead = l->rows > 1 ? l->rows : 1;
  const int d[9] = {1,   l->grid_row < 0 ? -1 : blacs_context, l->n, l->n, l->block, l->block, 0, 0,
                    lead};
  memcpy(desc, d, sizeof d);
}

/* splitmix64's last step */
static uint64_t scramble(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* An entry depends on its place and the seed alone, so that any grid of ranks has the same matrix.
 * */
clStatus clBlockMatrixRandom(clBlockMatrix *A, uint64_t seed) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  const clBlockLayout *l = &A->layout;
  for (int i = 0; i < l->rows; i++) {
    uint64_t row = (uint64_t)txBlockGlobal(A, i, l->block, l->grid_row, l->grid_rows);
    for (int j = 0; j < l->cols; j++) {
      uint64_t col = (uint64_t)txBlockGlobal(A, j, l->block, l->grid_col, l->grid_cols);
      uint64_t bits = scramble(seed + 0x9e3779b97f4a7c15u * (1 + row * (uint64_t)l->n + col));
      /* 24 bits: a float holds it */
      A->host[(int64_t)i * l->cols + j] = (double)(int64_t)(bits >> 40) * 0x1p-23 - 1;
    }
  }
  return TEXLA_OK;
}

static const char upload_call[] = "clBlockMatrixUpload";

/* What single precision does not hold is refused now rather than by the factorization. */
static clStatus checkFinite(const clBlockLayout *l, const double *local, int lead, clError *error) {
  for (int j = 0; j < l->cols; j++)
    for (int i = 0; i < l->rows; i++) {
      double value = local[(int64_t)j * lead + i];
      if (!isfinite((float)value))
        return txFail(error, TEXLA_NOT_FINITE, upload_call,
                      "local entry (%d, %d), %g, is beyond single precision", i + 1, j + 1, value);
    }
  return TEXLA_OK;
}

/* From ScaLAPACK's layout, column after column, to rows. */
clStatus clBlockMatrixUpload(clBlockMatrix *A, const double *local, int lead) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  const clBlockLayout *l = &A->layout;
  clError *error = &A->cluster->error;
  clStatus status = TEXLA_OK;
  if (l->rows && l->cols && (!local || lead < l->rows))
    status = txFail(error, TEXLA_BAD_ARGUMENT, upload_call,
                    "the array must not be NULL, and lead (%d) not less than the %d rows", lead,
                    l->rows);
  if (status == TEXLA_OK)
    status = checkFinite(l, local, lead, error);
  TRY(clClusterAgree(A->cluster, status, error));
  for (int j = 0; j < l->cols; j++)
    for (int i = 0; i < l->rows; i++)
      A->host[(int64_t)i * l->cols + j] = local[(int64_t)j * lead + i];
  return TEXLA_OK;
}

clStatus clBlockMatrixDownload(const clBlockMatrix *A, double *local, int lead) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  const clBlockLayout *l = &A->layout;
  if (l->rows && l->cols && (!local || lead < l->rows))
    return txFail(&A->cluster->error, TEXLA_BAD_ARGUMENT, "clBlockMatrixDownload",
                  "the array must not be NULL, and lead (%d) not less than the %d rows", lead,
                  l->rows);
  for (int j = 0; j < l->cols; j++)
    for (int i = 0; i < l->rows; i++)
      local[(int64_t)j * lead + i] = A->host[(int64_t)i * l->cols + j];
  return TEXLA_OK;
}

/* An entry belongs to the rank that has its block. */
static int ownerOf(const void *user, int64_t i, int64_t j) {
  return txBlockOwner(user, i, j);
}

/* a_ij += the entries */
static clStatus addEntries(clBlockMatrix *A, const txEntry *entry, size_t count) {
  const clBlockLayout *l = &A->layout;
  for (size_t k = 0; k < count; k++) {
    int i = txBlockLocal(A, (int)entry[k].row, l->block, l->grid_rows);
    int j = txBlockLocal(A, (int)entry[k].col, l->block, l->grid_cols);
    double *a = A->host + (int64_t)i * l->cols + j;
    *a += entry[k].value;
    if (!isfinite((float)*a))
      return txFail(&A->cluster->error, TEXLA_NOT_FINITE, "clBlockMatrixRead",
                    "entry (%lld, %lld), %g, is beyond single precision",
                    (long long)entry[k].row + 1, (long long)entry[k].col + 1, *a);
  }
  return TEXLA_OK;
}

/* The file's head tells the size before anything is allocated for it. */
clStatus clBlockMatrixRead(clBlockMatrix **out, clCluster *c, const char *path, int block,
                           int grid_rows, int grid_cols) {
  static const char read_call[] = "clBlockMatrixRead";
  if (!c)
    return TEXLA_BAD_ARGUMENT;
  if (!path || !out)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, read_call, "out and path must not be NULL");
  txMarketHead head;
  clBlockMatrix *A = NULL;
  txEntry *entries = NULL;
  size_t count = 0;
  TRY(txMarketOpen(&head, c, path));
  if (head.rows != head.cols)
    return txFail(&c->error, TEXLA_BAD_SHAPE, read_call, "%s is %lld x %lld, not square", path,
                  (long long)head.rows, (long long)head.cols);
  TRY(clBlockMatrixCreate(&A, c, (int)head.rows, block, grid_rows, grid_cols));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txMarketRead(&entries, &count, c, path, &head, ownerOf, &A->layout));
  TRY_CLEANUP(clClusterAgree(c, addEntries(A, entries, count), &c->error));
  *out = A;
  A = NULL;
cleanup:
  free(entries);
  clBlockMatrixDestroy(A);
  return status;
}

size_t txBlockResidualRoom(const clBlockMatrix *A) {
  return 3 * (size_t)A->layout.n + (size_t)A->layout.cols;
}

/* r <- b - A x, s <- |A| |x| + |b|, *norm <- the largest row sum of |A|: all in double and by one
 * sum over the ranks, to which each adds what its own entries give. */
void txBlockResidual(const clBlockMatrix *A, const double *x, const double *b, double *r, double *s,
                     double *norm, double *room) {
  clCluster *c = A->cluster;
  const clBlockLayout *l = &A->layout;
  size_t n = (size_t)l->n;
  double *sum = room, *size = sum + n, *rows = size + n, *y = rows + n;
  memset(room, 0, txBlockResidualRoom(A) * sizeof *room);
  for (int j = 0; j < l->cols; j++)
    y[j] = x[txBlockGlobal(A, j, l->block, l->grid_col, l->grid_cols)];
  for (int i = 0; i < l->rows; i++) {
    const double *a = A->host + (int64_t)i * l->cols;
    double ax = 0, aax = 0, aa = 0;
    for (int j = 0; j < l->cols; j++) {
      ax += a[j] * y[j];
      aax += fabs(a[j] * y[j]);
      aa += fabs(a[j]);
    }
    int row = txBlockGlobal(A, i, l->block, l->grid_row, l->grid_rows);
    sum[row] = ax;
    size[row] = aax;
    rows[row] = aa;
  }
  txSum(c, sum, 3 * l->n, c->comm);
  *norm = 0;
  for (size_t i = 0; i < n; i++) {
    r[i] = b[i] - sum[i];
    s[i] = size[i] + fabs(b[i]);
    *norm = fmax(*norm, rows[i]);
  }
}
