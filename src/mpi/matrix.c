/* Sparse matrices over all ranks: from a file, or made where they are. */
#include "mpi/matrix.h"
#include "core/try.h"
#include "matrix/banded.h"
#include "mpi/market.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char poisson_call[] = "clClusterPoisson2d", read_call[] = "clClusterMatrixRead";

/* y <- R A R x over all ranks: what solvers see as an ordinary operator. */
static clStatus product(void *user, clVector *y, const clVector *x) {
  clClusterMatrix *A = user;
  return txSpreadMultiply(&A->spread, y, x, NULL);
}

/* It lies within the own columns. */
static clStatus diagonal(void *user, clVector *y, const clVector *x) {
  (void)x;
  clClusterMatrix *A = user;
  return clMatrixDiagonal(y, A->spread.own);
}

/* The factors, for vectors. */
static clStatus createFactor(clClusterMatrix *A) {
  int32_t n = clMatrixRows(A->spread.own);
  float *single = txAllocate(txContextError(A->cluster->context), read_call, (size_t)n,
                             sizeof *single, "a scaling");
  if (!single)
    return TEXLA_OUT_OF_MEMORY;
  for (int32_t i = 0; i < n; i++)
    single[i] = (float)A->spread.factor[i];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clMatrixCreateVector(&A->factor, A->spread.own, TEXLA_RANGE));
  TRY_CLEANUP(clVectorUpload(A->factor, single));
cleanup:
  free(single);
  return status;
}

/* The product over all ranks as an operator, in the layout of the own columns. */
static clStatus createShell(clClusterMatrix *A) {
  const txLayout *layout = &A->spread.own->row_layout;
  clShellOptions options = {.product = {product, A}, .diagonal = {diagonal, A}};
  if (layout->grid) {
    options.grid_nx = (int)layout->row;
    options.grid_ny = layout->height;
  }
  int32_t n = clMatrixRows(A->spread.own);
  TRY(clMatrixCreateShell(&A->shell, A->cluster->context, n, n, &options));
  if (A->spread.factor)
    TRY(createFactor(A));
  return TEXLA_OK;
}

/* What follows when A->spread is there, or is not: `status`, the same on all ranks. The matrix is
 * given back, or destroyed. */
static clStatus finish(clClusterMatrix **out, clClusterMatrix *A, clStatus status) {
  clCluster *c = A->cluster;
  TRY_CLEANUP(status);
  TRY_CLEANUP(clClusterAgree(c, createShell(A), txContextError(c->context)));
  *out = A;
  A = NULL;
cleanup:
  clClusterMatrixDestroy(A);
  return status;
}

/* A matrix that has its numbering, and nothing else; the status is that of all ranks. */
static clStatus begin(clClusterMatrix **out, clCluster *c, const char *call, int nx, int ny, int px,
                      int py) {
  clClusterMatrix *A = txAllocate(&c->error, call, 1, sizeof *A, "a matrix");
  clStatus status = A ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (A) {
    A->cluster = c;
    status = txNumberingCreate(&A->numbering, call, &c->error, nx, ny, px, py);
  }
  status = clClusterAgree(c, status, &c->error);
  if (status)
    clClusterMatrixDestroy(A);
  else
    *out = A;
  return status;
}

/* ---- Poisson's equation ---------------------------------------------------------------------- */

/* Rows of Poisson's equation, made one at a time for those who ask. */
typedef struct fivePoints {
  const txNumbering *numbering;
  int rank;
  int64_t col[5];
  double value[5];
} fivePoints;

/* Row by row of the whole grid, neighbours in the order of their numbers; none beyond the edges. */
static int64_t fivePointRow(void *user, int64_t local, const int64_t **col, const double **value) {
  static const int dx[] = {0, -1, 0, 1, 0}, dy[] = {-1, 0, 0, 0, 1};
  fivePoints *f = user;
  int64_t nx = f->numbering->nx, ny = f->numbering->ny,
          g = txNumberingGlobal(f->numbering, f->rank, local), count = 0;
  for (int k = 0; k < 5; k++) {
    int64_t x = g % nx + dx[k], y = g / nx + dy[k];
    if (x < 0 || y < 0 || x >= nx || y >= ny)
      continue;
    f->col[count] = y * nx + x;
    f->value[count++] = k == 2 ? 4 : -1;
  }
  *col = f->col;
  *value = f->value;
  return count;
}

/* This rank's columns, and its entries in those of others. */
static clStatus createOwn(clMatrix **own, txGhosts *ghosts, clClusterMatrix *A, fivePoints *row) {
  static const float five[9] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
  clCluster *c = A->cluster;
  txRectangle r = txNumberingPart(&A->numbering, c->rank);
  if ((int64_t)r.nx * r.ny > INT32_MAX)
    return txFail(&c->error, TEXLA_TOO_LARGE, poisson_call,
                  "more than 2^31 unknowns on a rank: use more ranks");
  TRY(txGhostsOfRim(ghosts, c, &A->numbering, &A->numbering, fivePointRow, row));
  /* A rank without points has one, which stays zero. */
  clStatus status =
      txBandedStencil(own, c->context, poisson_call, txMost(r.nx, 1), txMost(r.ny, 1), five);
  if (status)
    c->error = *clContextError(c->context);
  return status;
}

/* The stencil is the same everywhere: only the rim is looked at point by point. */
static clStatus createGrid(clClusterMatrix *A) {
  clCluster *c = A->cluster;
  fivePoints row = {.numbering = &A->numbering, .rank = c->rank};
  txGhosts ghosts = {0};
  clMatrix *own = NULL;
  clStatus status = clClusterAgree(c, createOwn(&own, &ghosts, A, &row), &c->error);
  if (status)
    clMatrixDestroy(own);
  else
    status = txSpreadCreateOf(&A->spread, c, &A->numbering, &A->numbering, own, &ghosts);
  free(ghosts.entry);
  return status;
}

/* The parts with the shortest rims. */
static void chooseParts(int nx, int ny, int ranks, int *px, int *py) {
  double best = INFINITY;
  for (int used = ranks; used > 0 && best == INFINITY; used--)
    for (int p = 1; p <= used; p++) {
      double rim = (double)(p - 1) * ny + (double)(used / p - 1) * nx;
      if (used % p == 0 && p <= nx && used / p <= ny && rim < best) {
        best = rim;
        *px = p;
        *py = used / p;
      }
    }
}

/* Only the numbers of parts are chosen here; which rank has which part is the numbering's. */
clStatus clClusterPoisson2d(clClusterMatrix **out, clCluster *c, int nx, int ny, int px, int py) {
  if (!c)
    return TEXLA_BAD_ARGUMENT;
  if (!out || nx < 1 || ny < 1 || px < 0 || py < 0 || !px != !py)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, poisson_call,
                  "out must not be NULL, the grid (%d x %d) at least 1 x 1, the ranks (%d x %d) "
                  "both 0 or positive",
                  nx, ny, px, py);
  if (!px)
    chooseParts(nx, ny, c->size, &px, &py);
  if ((int64_t)px * py > c->size || px > nx || py > ny)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, poisson_call,
                  "%d x %d parts are more than the %d ranks or the %d x %d points", px, py, c->size,
                  nx, ny);
  clClusterMatrix *A = NULL;
  TRY(begin(&A, c, poisson_call, nx, ny, px, py));
  A->grid = true;
  return finish(out, A, createGrid(A));
}

/* A->scale <- the factors and a look at the matrix on the host */
static clStatus prepareScale(clClusterMatrix *A) {
  clCluster *c = A->cluster;
  txSpread *s = &A->spread;
  size_t columns = (size_t)s->host->cols;
  A->scale.unit = !s->factor;
  A->scale.row = A->scale.col =
      txAllocate(&c->error, poisson_call, columns, sizeof(double), "a scaling");
  for (size_t i = 0; i < columns && A->scale.row; i++)
    A->scale.row[i] = s->factor ? s->factor[i] : 1;
  clStatus status = A->scale.row ? txRowsFind(&A->scale.rows, s->host, poisson_call, &c->error)
                                 : TEXLA_OUT_OF_MEMORY;
  status = clClusterAgree(c, status, &c->error);
  if (status) {
    txRowsForget(&A->scale.rows);
    txScalingDestroy(&A->scale);
  }
  return status;
}

/* Only refinement and algebraic multigrid need the matrix on the host; that of a grid is made when
 * one of them first asks. Collective. */
clStatus txClusterMatrixKeep(clClusterMatrix *A) {
  fivePoints f = {.numbering = &A->numbering, .rank = A->cluster->rank};
  if (!A->spread.host)
    TRY(txSpreadKeep(&A->spread, fivePointRow, &f));
  if (!A->scale.row)
    TRY(prepareScale(A));
  return TEXLA_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Rows of a file's entries, which are sorted. */
typedef struct fileRows {
  txEntry *entry;
  size_t count, at;
  /* row */
  int64_t first;
  int64_t *col;
  double *value;
} fileRows;

/* Rows are asked for in order. */
static int64_t fileRow(void *user, int64_t local, const int64_t **col, const double **value) {
  fileRows *f = user;
  size_t begin = f->at;
  while (f->at < f->count && f->entry[f->at].row == f->first + local)
    f->at++;
  *col = f->col + begin;
  *value = f->value + begin;
  return (int64_t)(f->at - begin);
}

/* For qsort: by rows, and in a row by columns. */
static int byPosition(const void *a, const void *b) {
  const txEntry *p = a, *q = b;
  if (p->row != q->row)
    return (p->row > q->row) - (p->row < q->row);
  return (p->col > q->col) - (p->col < q->col);
}

/* An entry belongs to the rank that has its row. */
static int rowOwner(const void *user, int64_t i, int64_t j) {
  (void)j;
  return txNumberingOwner(user, i);
}

/* The rows that are this rank's, from the entries that have come; rows->entry is to be freed. */
static clStatus readRows(fileRows *rows, clCluster *c, const char *path, const txMarketHead *head,
                         const txNumbering *numbering) {
  txEntry *entry = NULL;
  TRY(txMarketRead(&entry, &rows->count, c, path, head, rowOwner, numbering));
  rows->entry = entry;
  qsort(entry, rows->count, sizeof *entry, byPosition);
  rows->col = txAllocate(&c->error, read_call, rows->count, sizeof *rows->col, "a matrix");
  rows->value = txAllocate(&c->error, read_call, rows->count, sizeof *rows->value, "a matrix");
  bool enough = rows->col && rows->value;
  TRY(clClusterAgree(c, enough ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error));
  for (size_t k = 0; k < rows->count; k++) {
    rows->col[k] = entry[k].col;
    rows->value[k] = entry[k].value;
  }
  rows->first = txNumberingPart(numbering, c->rank).x;
  return TEXLA_OK;
}

/* The device's matrix and, since the file is not read again, the one on the host. */
static clStatus spreadRows(clClusterMatrix *A, fileRows *rows) {
  TRY(txSpreadCreate(&A->spread, A->cluster, &A->numbering, &A->numbering, fileRow, rows,
                     TX_SPREAD_SCALED));
  rows->at = 0;
  return txSpreadKeep(&A->spread, fileRow, rows);
}

/* Entries come to the ranks that have their rows, are sorted there, and become matrices. Each
 * step's status is that of all ranks. */
clStatus clClusterMatrixRead(clClusterMatrix **out, clCluster *c, const char *path) {
  if (!c)
    return TEXLA_BAD_ARGUMENT;
  if (!out || !path)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, read_call, "out and path must not be NULL");
  txMarketHead head;
  clClusterMatrix *A = NULL;
  fileRows rows = {0};
  TRY(txMarketOpen(&head, c, path));
  if (head.rows != head.cols)
    return txFail(&c->error, TEXLA_BAD_SHAPE, read_call, "%s is %lld x %lld, not square", path,
                  (long long)head.rows, (long long)head.cols);
  TRY(begin(&A, c, read_call, (int)head.rows, 1, txLeast((int)head.rows, c->size), 1));
  clStatus status = readRows(&rows, c, path, &head, &A->numbering);
  if (status == TEXLA_OK)
    status = spreadRows(A, &rows);
  status = finish(out, A, status);
  free(rows.col);
  free(rows.value);
  free(rows.entry);
  return status;
}

/* Each rank gets the elements of its own rows; what a file names more than once is summed. */
clStatus clClusterVectorRead(double *b, clClusterMatrix *A, const char *path) {
  static const char call[] = "clClusterVectorRead";
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  clStatus status = TEXLA_OK;
  if (!path || (A->spread.local && !b))
    status = txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "b and path must not be NULL");
  TRY(clClusterAgree(c, status, &c->error));
  txMarketHead head;
  txEntry *entry = NULL;
  size_t count = 0;
  TRY(txMarketOpen(&head, c, path));
  if (head.rows != clClusterMatrixRows(A) || head.cols != 1)
    return txFail(&c->error, TEXLA_BAD_SHAPE, call,
                  "%s is %lld x %lld, but the matrix has %lld rows", path, (long long)head.rows,
                  (long long)head.cols, (long long)clClusterMatrixRows(A));
  TRY(txMarketRead(&entry, &count, c, path, &head, rowOwner, &A->numbering));
  for (int64_t i = 0; i < A->spread.local; i++)
    b[i] = 0;
  for (size_t k = 0; k < count; k++)
    b[txNumberingLocal(&A->numbering, entry[k].row)] += entry[k].value;
  free(entry);
  return TEXLA_OK;
}

/* ---- What a caller may ask ------------------------------------------------------------------- */

/* In the order in which things stand on each other; not collective. */
void clClusterMatrixDestroy(clClusterMatrix *A) {
  if (!A)
    return;
  clMatrixDestroy(A->shell);
  clVectorDestroy(A->factor);
  if (A->scale.row)
    txRowsForget(&A->scale.rows);
  txScalingDestroy(&A->scale);
  txSpreadDestroy(&A->spread);
  txNumberingDestroy(&A->numbering);
  free(A);
}

int64_t clClusterMatrixRows(const clClusterMatrix *A) {
  if (!A)
    return 0;
  return (int64_t)A->numbering.nx * A->numbering.ny;
}

int64_t clClusterMatrixLocal(const clClusterMatrix *A) {
  if (!A)
    return 0;
  return A->spread.local;
}

/* The row of the whole matrix that a local one is. */
int64_t clClusterMatrixNumber(const clClusterMatrix *A, int64_t local) {
  return txNumberingGlobal(&A->numbering, A->cluster->rank, local);
}

const char *clClusterMatrixDescription(const clClusterMatrix *A) {
  if (!A)
    return "";
  return clMatrixDescription(A->spread.own);
}

clStatus clClusterMatrixCreateVector(clVector **out, const clClusterMatrix *A) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  return clMatrixCreateVector(out, A->shell, TEXLA_RANGE);
}

/* What a rank does without the others, and may fail in: R^-1 x, where there is a scaling, and the
 * product with its own columns, which looks at the operands. */
static clStatus multiplyOwn(clVector *y, const clClusterMatrix *A, const clVector *x,
                            clVector **scaled) {
  if (!x || !y || x == y)
    return txFail(txContextError(A->cluster->context), TEXLA_BAD_ARGUMENT,
                  "clClusterMatrixMultiply", "x and y must be two vectors, and not NULL");
  if (!A->factor)
    return clMatrixMulVector(y, A->spread.own, x);
  TRY(clVectorCreateLike(scaled, x));
  TRY(clVectorDivZ(*scaled, x, A->factor));
  return clMatrixMulVector(y, A->spread.own, *scaled);
}

/* The operator is that of R A R, so that A x = R^-1 (R A R) R^-1 x. Others wait for this rank's
 * elements: none sends any before all know that none has failed. */
clStatus clClusterMatrixMultiply(clVector *y, clClusterMatrix *A, const clVector *x) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  clError *error = txContextError(c->context);
  clVector *scaled = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, multiplyOwn(y, A, x, &scaled), error));
  if (scaled)
    x = scaled;
  txHaloStart(&A->spread.halo, x);
  txHaloFinish(&A->spread.halo, TX_HALO_PLAIN, y, 1);
  if (scaled)
    TRY_CLEANUP(clClusterAgree(c, clVectorDivZ(y, y, A->factor), error));
cleanup:
  clVectorDestroy(scaled);
  return status;
}

/* y <- A x in double, with the matrix as it was read or made. */
clStatus clClusterMatrixMultiplyHost(double *y, clClusterMatrix *A, const double *x) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  clStatus status = TEXLA_OK;
  if (A->spread.local && (!x || !y))
    status = txFail(&c->error, TEXLA_BAD_ARGUMENT, "clClusterMatrixMultiplyHost",
                    "x and y must not be NULL");
  TRY(clClusterAgree(c, status, &c->error));
  TRY(txClusterMatrixKeep(A));
  double *room = txClusterReserve(c, "clClusterMatrixMultiplyHost", 2 * (size_t)A->spread.local + 2,
                                  sizeof *room, "a product");
  if (!room)
    return TEXLA_OUT_OF_MEMORY;
  size_t bytes = (size_t)A->spread.local * sizeof *room;
  /* a rank without rows has an element that is zero */
  double *product = room + A->spread.local + 1;
  if (bytes)
    memcpy(room, x, bytes);
  txSpreadMultiplyHost(&A->spread, product, room);
  if (bytes)
    memcpy(y, product, bytes);
  free(room);
  return TEXLA_OK;
}

/* Of row i, between -1 and 1: two independent ones. */
static double randomOf(int64_t i, int which) {
  uint64_t a = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u + (uint64_t)which * 0xbf58476d1ce4e5b9u;
  a = (a ^ (a >> 31)) * 0x94d049bb133111ebu;
  a ^= a >> 29;
  return (double)(a >> 11) * 0x1p-52 - 1;
}

/* One entry a that A^T has not changes x . A y - y . A x by about a, where rounding leaves 1e-16 of
 * the sum of all terms: they are told apart in matrices of up to 10^12 entries of like size. */
static clStatus lookAtSymmetry(clClusterMatrix *A, double *room) {
  clCluster *c = A->cluster;
  size_t n = (size_t)A->spread.local;
  double *x = room, *y = x + n, *Ax = y + n, *Ay = Ax + n;
  for (size_t i = 0; i < n; i++) {
    int64_t row = clClusterMatrixNumber(A, (int64_t)i);
    x[i] = randomOf(row, 0);
    y[i] = randomOf(row, 1);
  }
  TRY(clClusterMatrixMultiplyHost(Ax, A, x));
  TRY(clClusterMatrixMultiplyHost(Ay, A, y));
  double sums[2] = {0};
  for (size_t i = 0; i < n; i++) {
    sums[0] += x[i] * Ay[i] - y[i] * Ax[i];
    sums[1] += fabs(x[i] * Ay[i]) + fabs(y[i] * Ax[i]);
  }
  txSum(c, sums, 2, c->comm);
  A->symmetric = fabs(sums[0]) <= 1e-12 * sums[1];
  A->looked = true;
  return TEXLA_OK;
}

/* A grid's matrix is symmetric by its making. */
clStatus txClusterMatrixLook(clClusterMatrix *A) {
  if (A->grid)
    A->symmetric = A->looked = true;
  if (A->looked)
    return TEXLA_OK;
  double *room = txClusterReserve(A->cluster, "clClusterSolve", 4 * (size_t)A->spread.local + 1,
                                  sizeof *room, "a look at the matrix");
  if (!room)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = lookAtSymmetry(A, room);
  free(room);
  return status;
}
