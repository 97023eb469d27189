/* Algebraic multigrid over all ranks, for matrices from files: smoothed aggregation
 * (multigrid/aggregation.h) within each rank, so that prolongations send nothing, and coarse
 * matrices R A P with all that couples ranks. The coarsest is gathered on rank 0. */
#include "core/try.h"
#include "krylov/precondition.h"
#include "mpi/cycle.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterSolve (amg)";
/* Rows of a matrix that is gathered, and steps of the power method. */
enum { GATHERED = 1500, POWERS = 12 };
/* On the finest level entries count from this part of the diagonals' geometric mean on. */
static const double strength = 0.08;

static clError *errorOf(const txSpread *A) {
  return &A->cluster->error;
}

/* ---- One coarsening -------------------------------------------------------------------------- */

/* *out <- about the largest eigenvalue of D^-1 A, by the power method, enlarged by a tenth.
 * Collective. */
static clStatus findLargest(double *out, txSpread *A) {
  clCluster *c = A->cluster;
  size_t n = (size_t)A->host->rows;
  double *v = txClusterReserve(c, call, 3 * n, sizeof *v, "multigrid"), largest = 1;
  if (!v)
    return TEXLA_OUT_OF_MEMORY;
  double *y = v + n, *d = y + n;
  /* the golden ratio's multiples: nothing that a grid would have */
  for (size_t i = 0; i < n; i++)
    v[i] =
        fmod(0.6180339887 * (double)(txNumberingGlobal(A->rows, c->rank, (int64_t)i) + 1), 1) - 0.5;
  for (int64_t k = 0; k < A->host->count; k++)
    if (A->host->row[k] == A->host->col[k])
      d[A->host->row[k]] = A->host->value[k];
  for (int step = 0; step < POWERS; step++) {
    double sums[2] = {0};
    txSpreadMultiplyHost(A, y, v);
    /* lengths in which D^-1 A is symmetric */
    for (size_t i = 0; i < n && A->local; i++) {
      if (d[i] != 0)
        y[i] /= d[i];
      else
        y[i] = 0;
      sums[0] += fabs(d[i]) * v[i] * v[i];
      sums[1] += fabs(d[i]) * y[i] * y[i];
    }
    txSum(c, sums, 2, c->comm);
    largest = 1;
    if (sums[0] > 0 && sums[1] > 0)
      largest = sqrt(sums[1] / sums[0]);
    for (size_t i = 0; i < n; i++)
      v[i] = y[i] / largest;
  }
  free(v);
  *out = 1.1 * largest;
  return TEXLA_OK;
}

/* *out <- the own columns, with what couples ranks added to the diagonal: the product with v stays,
 * and prolongations keep what smooth errors are nearly. Where little of the diagonal would be left,
 * it stays. */
static clStatus lump(clTriplets **out, txSpread *A, const double *v) {
  const clTriplets *host = A->host;
  int32_t own = txSpreadOwnColumns(A);
  /* Others wait for these numbers, whatever fails here afterwards. */
  const double *ghosts = txHaloFetch(&A->halo, v);
  double *diagonal =
      txAllocate(errorOf(A), call, 2 * (size_t)host->rows, sizeof *diagonal, "multigrid");
  if (!diagonal)
    return TEXLA_OUT_OF_MEMORY;
  double *sum = diagonal + host->rows;
  for (int64_t k = 0; k < host->count; k++) {
    if (host->row[k] == host->col[k])
      diagonal[host->row[k]] = host->value[k];
    else if (host->col[k] >= own && v[host->row[k]] != 0)
      sum[host->row[k]] += host->value[k] * ghosts[host->col[k] - own] / v[host->row[k]];
  }
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(out, host->rows, own, host->count, errorOf(A)));
  for (int64_t k = 0; k < host->count; k++) {
    int32_t i = host->row[k], j = host->col[k];
    double value = host->value[k], lumped = diagonal[i] + sum[i];
    if (i == j && fabs(lumped) > 0.1 * fabs(diagonal[i]))
      value = lumped;
    else if (i == j)
      value = diagonal[i];
    if (j < own)
      TRY_CLEANUP(clTripletsAdd(*out, i, j, value, errorOf(A)));
  }
  TRY_CLEANUP(clTripletsCompress(*out, errorOf(A)));
cleanup:
  free(diagonal);
  return status;
}

/* The aggregates of this rank; of one without rows, or whose rows are coupled to nothing, *out
 * stays empty. `near`: what A nearly maps to zero. */
static clStatus aggregate(txAggregation *out, txSpread *A, const txNearNull *near, int level,
                          double largest) {
  clTriplets *own = NULL;
  if (!A->local)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(lump(&own, A, near->v));
  TRY_CLEANUP(txAggregate(out, own, near, strength * pow(0.5, level), largest, errorOf(A)));
cleanup:
  clTripletsDestroy(own);
  return status;
}

/* Contiguous rows, `count` of them here. Collective. */
static clStatus numberRows(txNumbering *out, clCluster *c, int count) {
  TRY(clClusterAgree(c, txNumberingCreate(out, call, &c->error, 1, 1, c->size, 1), &c->error));
  MPI_Allgather(&count, 1, MPI_INT, out->x + 1, 1, MPI_INT, c->comm);
  for (int r = 0; r < c->size; r++)
    out->x[r + 1] += out->x[r];
  out->nx = out->x[c->size];
  return TEXLA_OK;
}

/* ---- The rows of P that other ranks need ----------------------------------------------------- */

/* An entry on its way; the first of a row says how many follow. */
typedef struct packed {
  int64_t col;
  double value;
} packed;

/* This rank's rows of P, packed one after the other; begin[i] (and one beyond the last) in entries.
 * Behind them, in the order of the ranks, those that go to others: data[r], of bytes[r]. */
typedef struct parcel {
  packed *all;
  int64_t *begin;
  void **data;
  size_t *bytes;
} parcel;

/* T += row i of P as row `row`, its columns shifted */
static clStatus addRow(clTriplets *T, int32_t row, const packed *entry, clError *error) {
  for (int64_t k = 1; k <= entry->col; k++)
    TRY(clTripletsAdd(T, row, (int32_t)entry[k].col, entry[k].value, error));
  return TEXLA_OK;
}

static void packRows(parcel *p, const clTriplets *P, int64_t rows, int64_t shift) {
  int64_t entries = 0, at = 0;
  if (P)
    entries = P->count;
  for (int64_t i = 0, k = 0; i < rows; i++) {
    p->begin[i] = at++;
    for (; k < entries && P->row[k] == i; k++)
      p->all[at++] = (packed){P->col[k] + shift, P->value[k]};
    p->all[p->begin[i]].col = at - p->begin[i] - 1;
  }
  p->begin[rows] = at;
}

/* How many entries row i has, and the number that says so. */
static int64_t lengthOf(const parcel *p, int64_t i) {
  return p->begin[i + 1] - p->begin[i];
}

/* Copies of the rows that one rank wants. */
static clStatus packFor(parcel *p, const txSpread *A, const txPeer *to) {
  const int64_t *given = A->halo.given + to->first;
  int64_t count = 0;
  for (int e = 0; e < to->count; e++)
    count += lengthOf(p, given[e]);
  packed *at = txAllocate(errorOf(A), call, (size_t)count, sizeof *at, "multigrid");
  if (!at)
    return TEXLA_OUT_OF_MEMORY;
  p->data[to->rank] = at;
  p->bytes[to->rank] = (size_t)count * sizeof *at;
  for (int e = 0; e < to->count; at += lengthOf(p, given[e]), e++)
    memcpy(at, p->all + p->begin[given[e]], (size_t)lengthOf(p, given[e]) * sizeof *at);
  return TEXLA_OK;
}

static clStatus pack(parcel *p, const txSpread *A, const clTriplets *P, int64_t shift) {
  const txHalo *h = &A->halo;
  size_t rows = (size_t)A->local, ranks = (size_t)A->cluster->size, entries = rows;
  if (P)
    entries += (size_t)P->count;
  p->all = txAllocate(errorOf(A), call, entries, sizeof *p->all, "multigrid");
  p->begin = txAllocate(errorOf(A), call, rows + 1, sizeof *p->begin, "multigrid");
  p->data = txAllocate(errorOf(A), call, ranks, sizeof *p->data, "multigrid");
  p->bytes = txAllocate(errorOf(A), call, ranks, sizeof *p->bytes, "multigrid");
  if (!p->all || !p->begin || !p->data || !p->bytes)
    return TEXLA_OUT_OF_MEMORY;
  packRows(p, P, A->local, shift);
  for (int k = 0; k < h->tos; k++)
    TRY(packFor(p, A, &h->to[k]));
  return TEXLA_OK;
}

/* *out <- the own rows, and below them those that have come. */
static clStatus unpack(clTriplets **out, const txSpread *A, const parcel *p, const packed *came,
                       int columns) {
  int32_t own = txSpreadOwnColumns(A);
  TRY(clTripletsCreate(out, own + A->halo.received, txMost(columns, 1), p->begin[A->local],
                       errorOf(A)));
  for (int64_t i = 0; i < A->local; i++)
    TRY(addRow(*out, (int32_t)i, p->all + p->begin[i], errorOf(A)));
  for (int32_t g = 0; g < A->halo.received; g++, came += came->col + 1)
    TRY(addRow(*out, own + g, came, errorOf(A)));
  return clTripletsCompress(*out, errorOf(A));
}

/* *out <- the rows of P for all columns of A's host matrix, with columns as all ranks number them.
 * Collective. */
static clStatus extend(clTriplets **out, const txSpread *A, const clTriplets *P,
                       const txNumbering *coarse) {
  clCluster *c = A->cluster;
  parcel p = {0};
  void *came = NULL;
  size_t bytes;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, pack(&p, A, P, coarse->x[c->rank]), errorOf(A)));
  TRY_CLEANUP(txExchange(c, p.data, p.bytes, &came, &bytes, NULL));
  TRY_CLEANUP(clClusterAgree(c, unpack(out, A, &p, came, coarse->nx), errorOf(A)));
cleanup:
  for (int r = 0; r < c->size && p.data; r++)
    free(p.data[r]);
  free(p.data);
  free(p.bytes);
  free(p.all);
  free(p.begin);
  free(came);
  return status;
}

/* *out <- this rank's rows of R A P, of those rows of P; NULL where it has none */
static clStatus multiplyOwn(clTriplets **out, const txSpread *A, const txAggregation *own,
                            const clTriplets *P) {
  clTriplets *AP = NULL;
  if (!own->P)
    return TEXLA_OK;
  TRY(txTripletsProduct(&AP, A->host, P, errorOf(A)));
  clStatus status = txTripletsProduct(out, own->R, AP, errorOf(A));
  clTripletsDestroy(AP);
  return status;
}

/* The same with rows of P that come from other ranks. Collective. */
static clStatus multiply(clTriplets **out, const txSpread *A, const txAggregation *own,
                         const txNumbering *coarse) {
  clTriplets *P = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(extend(&P, A, own->P, coarse));
  TRY_CLEANUP(clClusterAgree(A->cluster, multiplyOwn(out, A, own, P), errorOf(A)));
cleanup:
  clTripletsDestroy(P);
  return status;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* *out <- a matrix from this rank's rows (NULL: none). `keep`: A->host, too */
static clStatus spread(txSpread *out, clCluster *c, const txNumbering *rows,
                       const txNumbering *cols, const clTriplets *T, int64_t shift, bool keep) {
  static const clTriplets none;
  const clTriplets *from = T;
  if (!T)
    from = &none;
  int64_t *col = txClusterReserve(c, call, (size_t)from->count + 1, sizeof *col, "multigrid");
  clStatus status = TEXLA_OK;
  if (!col)
    return TEXLA_OUT_OF_MEMORY;
  TRY_CLEANUP(txSpreadCreate(out, c, rows, cols, txTripletRow,
                             &(txTripletRows){from, 0, shift, col}, TX_SPREAD_LINEAR));
  if (keep)
    TRY_CLEANUP(txSpreadKeep(out, txTripletRow, &(txTripletRows){from, 0, shift, col}));
cleanup:
  free(col);
  return status;
}

/* P and R of a level and the matrix of the next one, each made by all ranks together; the status of
 * each is that of all. */
static clStatus createNext(clCluster *c, txSpreadLevel *l, txSpreadLevel *next,
                           const txAggregation *own) {
  clTriplets *A = NULL;
  int64_t first = next->numbering.x[c->rank], fine = txNumberingPart(&l->numbering, c->rank).x;
  clError *error = txContextError(c->context);
  clStatus status = TEXLA_OK;
  next->matrices.A = &next->matrices.own;
  TRY_CLEANUP(multiply(&A, l->matrices.A, own, &next->numbering));
  TRY_CLEANUP(spread(&l->matrices.P, c, &l->numbering, &next->numbering, own->P, first, false));
  TRY_CLEANUP(spread(&l->matrices.R, c, &next->numbering, &l->numbering, own->R, fine, false));
  TRY_CLEANUP(spread(&next->matrices.own, c, &next->numbering, &next->numbering, A, 0, true));
  TRY_CLEANUP(clClusterAgree(c, txSpreadMatricesFinish(l, next), error));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* A level whose next one has been made: near <- what that one's matrix nearly maps to zero. */
static void finishLevel(txSpreadLevel *l, txNearNull *near, txAggregation *own, double largest) {
  txSpreadWeights(l, largest);
  txNearNullForget(near);
  *near = own->near;
  own->near = (txNearNull){.vectors = 1};
}

/* The next level, where there is one worth the while: *more. near <- that level's. */
static clStatus addLevel(txSpreadCycle *k, txNearNull *near, bool *more) {
  clCluster *c = k->cluster;
  txSpreadLevel *l = &k->level[k->levels], *next = l + 1;
  txAggregation own = {0};
  double largest;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findLargest(&largest, l->matrices.A));
  TRY_CLEANUP(
      clClusterAgree(c, aggregate(&own, l->matrices.A, near, k->levels, largest), &c->error));
  TRY_CLEANUP(numberRows(&next->numbering, c, own.P ? own.P->cols : 0));
  *more = next->numbering.nx > 0 && next->numbering.nx < 0.8 * l->numbering.nx;
  if (*more) {
    TRY_CLEANUP(createNext(c, l, next, &own));
    finishLevel(l, near, &own, largest);
    k->levels++;
  } else
    txNumberingDestroy(&next->numbering);
cleanup:
  txAggregationDestroy(&own);
  return status;
}

/* ---- The gathered matrix --------------------------------------------------------------------- */

/* An entry of the whole matrix, on its way to rank 0. */
typedef struct entry {
  int64_t row, col;
  double value;
} entry;

/* *all <- the data of all ranks, one after the other, on rank 0; to be freed. Collective. */
static clStatus toRoot(void **all, size_t *total, clCluster *c, void *data, size_t bytes) {
  size_t ranks = (size_t)c->size, *count = NULL;
  clStatus status = TEXLA_OUT_OF_MEMORY;
  void **of = txClusterReserve(c, call, ranks, sizeof *of, "multigrid");
  if (of)
    count = txClusterReserve(c, call, ranks, sizeof *count, "multigrid");
  if (count) {
    of[0] = data;
    count[0] = bytes;
    status = txExchange(c, of, count, all, total, NULL);
  }
  free(of);
  free(count);
  return status;
}

/* This rank's entries, with the numbers that all ranks use. */
static void listEntries(entry *mine, const txSpread *A, int64_t count) {
  int rank = A->cluster->rank;
  int32_t own = txSpreadOwnColumns(A);
  for (int64_t k = 0; k < count; k++) {
    int32_t j = A->host->col[k];
    mine[k].row = txNumberingGlobal(A->rows, rank, A->host->row[k]);
    if (j < own)
      mine[k].col = txNumberingGlobal(A->cols, rank, j);
    else
      mine[k].col = A->halo.wanted[2 * (j - own) + 1];
    mine[k].value = A->host->value[k];
  }
}

/* *out <- the matrix of n rows with these entries */
static clStatus joinEntries(clTriplets **out, int32_t n, const entry *e, size_t count,
                            clError *error) {
  TRY(clTripletsCreate(out, n, n, (int64_t)count, error));
  for (size_t k = 0; k < count; k++)
    TRY(clTripletsAdd(*out, (int32_t)e[k].row, (int32_t)e[k].col, e[k].value, error));
  return clTripletsCompress(*out, error);
}

/* *out <- the whole matrix, on rank 0. Collective, but for what fails there in the end. */
static clStatus gather(clTriplets **out, const txSpread *A) {
  clCluster *c = A->cluster;
  int64_t count = A->local ? A->host->count : 0;
  void *came = NULL;
  size_t bytes;
  entry *mine = txClusterReserve(c, call, (size_t)count, sizeof *mine, "multigrid");
  if (!mine)
    return TEXLA_OUT_OF_MEMORY;
  listEntries(mine, A, count);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(toRoot(&came, &bytes, c, mine, (size_t)count * sizeof *mine));
  if (c->rank == 0)
    TRY_CLEANUP(joinEntries(out, A->rows->nx, came, bytes / sizeof *mine, &c->error));
cleanup:
  free(mine);
  free(came);
  return status;
}

/* On rank 0 a cycle of algebraic multigrid, which inverts small matrices. `all`: what A nearly maps
 * to zero, of all ranks. */
static clStatus solveWhole(txSpreadCycle *k, const clTriplets *whole, const double *all) {
  const clVector *inverse = NULL;
  const clSolverOptions options = {.host = whole, .near_null_space = all, .near_null_count = 1};
  TRY(clMatrixCreate(&k->matrix, k->cluster->context, whole, &(clMatrixOptions){.linear = true}));
  TRY(txPreconditionerCreate(&k->coarsest, &inverse, k->matrix, TEXLA_PRECONDITIONER_AMG, &options,
                             NULL));
  TRY(clMatrixCreateVector(&k->x, k->matrix, TEXLA_DOMAIN));
  return clMatrixCreateVector(&k->b, k->matrix, TEXLA_RANGE);
}

/* All ranks send what they have of the last level. Collective. */
static clStatus createCoarsest(txSpreadCycle *k, const txSpread *A, const txNearNull *near) {
  clCluster *c = k->cluster;
  clTriplets *whole = NULL;
  void *all = NULL;
  size_t bytes, mine = (size_t)A->local * sizeof *near->v;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(toRoot(&all, &bytes, c, near->v, mine));
  TRY_CLEANUP(clClusterAgree(c, gather(&whole, A), &c->error));
  if (c->rank == 0)
    status = solveWhole(k, whole, all);
  TRY_CLEANUP(clClusterAgree(c, status, txContextError(c->context)));
cleanup:
  clTripletsDestroy(whole);
  free(all);
  return status;
}

/* What R A R nearly maps to zero: R^-1 times the constant. Collective. */
static clStatus listNear(txNearNull *near, const clClusterMatrix *A) {
  size_t n = (size_t)A->spread.host->rows;
  near->vectors = 1;
  near->v = txClusterReserve(A->cluster, call, n, sizeof *near->v, "multigrid");
  if (!near->v)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++)
    near->v[i] = 1 / A->scale.row[i];
  return TEXLA_OK;
}

/* From the finest level on, which is there. */
static clStatus createLevels(txSpreadCycle *k, txNearNull *near) {
  clCluster *c = k->cluster;
  bool more = true;
  while (more && k->levels < TX_SPREAD_LEVELS - 1 && k->level[k->levels].numbering.nx > GATHERED)
    TRY(addLevel(k, near, &more));
  TRY(clClusterAgree(c, txSpreadCycleParts(k, &txMatrixLevel), &c->error));
  return createCoarsest(k, k->level[k->levels].matrices.A, near);
}

/* The finest level has the scaled matrix on the host while others are made of it. */
static clStatus setUp(txSpreadCycle *k, clClusterMatrix *A, txNearNull *near) {
  clCluster *c = k->cluster;
  const txNumbering *n = &A->numbering;
  txScaled scaled = {0};
  txSpread top;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txClusterMatrixKeep(A));
  TRY_CLEANUP(clClusterAgree(c, txScalingApply(&scaled, &A->scale, 1, &c->error), &c->error));
  status = txNumberingCreate(&k->level[0].numbering, call, &c->error, n->nx, 1, n->px, 1);
  TRY_CLEANUP(clClusterAgree(c, status, &c->error));
  TRY_CLEANUP(listNear(near, A));
  top = A->spread;
  top.host = &scaled.A;
  k->level[0].matrices.A = &top;
  TRY_CLEANUP(createLevels(k, near));
cleanup:
  k->level[0].matrices.A = &A->spread;
  txScaledDestroy(&scaled);
  return status;
}

clStatus txAggregationCycleCreate(txSpreadCycle **out, clClusterMatrix *A) {
  clCluster *c = A->cluster;
  txSpreadCycle *k = txClusterReserve(c, call, 1, sizeof *k, "multigrid");
  txNearNull near = {0};
  if (!k)
    return TEXLA_OUT_OF_MEMORY;
  k->cluster = c;
  clStatus status = setUp(k, A, &near);
  txNearNullForget(&near);
  if (status)
    txSpreadCycleDestroy(k);
  else
    *out = k;
  return status;
}
