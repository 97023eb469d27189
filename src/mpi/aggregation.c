/* Algebraic multigrid over all ranks, for matrices from files: smoothed aggregation
 * (multigrid/aggregation.h) within each rank, so that prolongations send nothing, and coarse
 * matrices R A P with all that couples ranks. The coarsest is gathered on rank 0. */
#include "core/try.h"
#include "krylov/precondition.h"
#include "mpi/cycle.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>

static const char call[] = "clClusterSolve (amg)";
/* Rows of a matrix that is gathered, and steps of the power method. */
enum { GATHERED = 1500, POWERS = 12 };
/* On the finest level entries count from this part of the diagonals' geometric mean on. */
static const double strength = 0.08;

static clError *errorOf(const txSpread *A) {
  return &A->cluster->error;
}

/* ---- One coarsening -------------------------------------------------------------------------- */

/* About the largest eigenvalue of D^-1 A, by the power method, enlarged by a tenth. */
static double largestOf(txSpread *A) {
  clCluster *c = A->cluster;
  size_t n = (size_t)A->host->rows;
  double *v = txClusterAllocate(c, 3 * n, sizeof *v, "multigrid"), *y = v + n, *d = y + n,
         largest = 1;
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
  return 1.1 * largest;
}

/* *out <- the own columns, with what couples ranks added to the diagonal: the product with v stays,
 * and prolongations keep what smooth errors are nearly. Where little of the diagonal would be left,
 * it stays. */
static clStatus lump(clTriplets **out, txSpread *A, const double *v) {
  const clTriplets *host = A->host;
  int32_t own = txSpreadOwnColumns(A);
  size_t memory = 2 * (size_t)host->rows + (size_t)A->halo.received;
  double *diagonal = txClusterAllocate(A->cluster, memory, sizeof *diagonal, "multigrid"),
         *sum = diagonal + host->rows, *ghosts = sum + host->rows;
  txHaloFetch(&A->halo, ghosts, v);
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

/* Contiguous rows, `count` of them here. A rank without memory takes part in the exchange all the
 * same, since the others wait for its number. */
static clStatus numberRows(txNumbering *out, clCluster *c, int count) {
  clStatus status = txNumberingCreate(out, call, &c->error, 1, 1, c->size, 1);
  int *counts = txClusterAllocate(c, (size_t)c->size, sizeof *counts, "multigrid");
  MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, c->comm);
  if (status == TEXLA_OK) {
    for (int r = 0; r < c->size; r++)
      out->x[r + 1] = out->x[r] + counts[r];
    out->nx = out->x[c->size];
  }
  free(counts);
  return status;
}

/* ---- The rows of P that other ranks need ----------------------------------------------------- */

/* An entry on its way; the first of a row says how many follow. */
typedef struct packed {
  int64_t col;
  double value;
} packed;

/* T += row i of P as row `row`, its columns shifted */
static clStatus addRow(clTriplets *T, int32_t row, const packed *entry, clError *error) {
  for (int64_t k = 1; k <= entry->col; k++)
    TRY(clTripletsAdd(T, row, (int32_t)entry[k].col, entry[k].value, error));
  return TEXLA_OK;
}

/* Rows of P, packed one after the other; begin[i] (and one beyond the last) in entries. */
static packed *packRows(clCluster *c, const clTriplets *P, int64_t rows, int64_t shift,
                        int64_t *begin) {
  int64_t entries = 0, at = 0;
  if (P)
    entries = P->count;
  packed *all = txClusterAllocate(c, (size_t)(rows + entries), sizeof *all, "multigrid");
  for (int64_t i = 0, k = 0; i < rows; i++) {
    begin[i] = at++;
    for (; k < entries && P->row[k] == i; k++)
      all[at++] = (packed){P->col[k] + shift, P->value[k]};
    all[begin[i]].col = at - begin[i] - 1;
  }
  begin[rows] = at;
  return all;
}

/* *out <- the rows of P for all columns of A's host matrix, with columns as all ranks number
 * them. */
static clStatus extend(clTriplets **out, const txSpread *A, const clTriplets *P,
                       const txNumbering *coarse) {
  clCluster *c = A->cluster;
  const txHalo *h = &A->halo;
  int64_t rows = A->local;
  int64_t *begin = txClusterAllocate(c, (size_t)rows + 1, sizeof *begin, "multigrid");
  packed *mine = packRows(c, P, rows, coarse->x[c->rank], begin);
  packed **data = txClusterAllocate(c, (size_t)c->size, sizeof *data, "multigrid");
  size_t *bytes = txClusterAllocate(c, (size_t)c->size, sizeof *bytes, "multigrid"), all;
  for (int k = 0; k < h->tos; k++) {
    int rank = h->to[k].rank;
    int64_t count = 0;
    for (int e = h->to[k].first; e < h->to[k].first + h->to[k].count; e++)
      count += begin[h->given[e] + 1] - begin[h->given[e]];
    packed *at = data[rank] = txClusterAllocate(c, (size_t)count, sizeof *at, "multigrid");
    bytes[rank] = (size_t)count * sizeof *at;
    for (int e = h->to[k].first; e < h->to[k].first + h->to[k].count; e++)
      for (int64_t m = begin[h->given[e]]; m < begin[h->given[e] + 1]; m++)
        *at++ = mine[m];
  }
  void *came;
  txExchange(c, (void *const *)data, bytes, &came, &all, NULL, c->comm);
  int32_t own = txSpreadOwnColumns(A);
  const packed *at = came;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      clTripletsCreate(out, own + h->received, txMost(coarse->nx, 1), begin[rows], errorOf(A)));
  for (int64_t i = 0; i < rows; i++)
    TRY_CLEANUP(addRow(*out, (int32_t)i, mine + begin[i], errorOf(A)));
  for (int32_t g = 0; g < h->received; g++, at += at->col + 1)
    TRY_CLEANUP(addRow(*out, own + g, at, errorOf(A)));
  TRY_CLEANUP(clTripletsCompress(*out, errorOf(A)));
cleanup:
  for (int r = 0; r < c->size; r++)
    free(data[r]);
  free(data);
  free(bytes);
  free(mine);
  free(begin);
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

/* The same with rows of P that come from other ranks. All ranks take part, and agree twice. */
static clStatus multiply(clTriplets **out, const txSpread *A, const txAggregation *own,
                         const txNumbering *coarse) {
  clTriplets *P = NULL;
  clStatus status = clClusterAgree(A->cluster, extend(&P, A, own->P, coarse), errorOf(A));
  if (status == TEXLA_OK)
    status = clClusterAgree(A->cluster, multiplyOwn(out, A, own, P), errorOf(A));
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
  int64_t *col = txClusterAllocate(c, (size_t)from->count + 1, sizeof *col, "multigrid");
  clStatus status = txSpreadCreate(out, c, rows, cols, txTripletRow,
                                   &(txTripletRows){from, 0, shift, col}, TX_SPREAD_LINEAR);
  if (status == TEXLA_OK && keep)
    status = txSpreadKeep(out, txTripletRow, &(txTripletRows){from, 0, shift, col});
  free(col);
  return status;
}

/* P and R of a level and the matrix of the next one, each made by all ranks together; the status of
 * each is that of all. */
static clStatus createNext(clCluster *c, txSpreadLevel *l, txSpreadLevel *next,
                           const txAggregation *own) {
  clTriplets *A = NULL;
  int64_t first = next->numbering.x[c->rank], fine = txNumberingPart(&l->numbering, c->rank).x;
  clStatus status = TEXLA_OK;
  next->matrices.A = &next->matrices.own;
  TRY_CLEANUP(multiply(&A, l->matrices.A, own, &next->numbering));
  TRY_CLEANUP(spread(&l->matrices.P, c, &l->numbering, &next->numbering, own->P, first, false));
  TRY_CLEANUP(spread(&l->matrices.R, c, &next->numbering, &l->numbering, own->R, fine, false));
  TRY_CLEANUP(spread(&next->matrices.own, c, &next->numbering, &next->numbering, A, 0, true));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* The next level, where there is one worth the while: *more. near <- that level's. */
static clStatus addLevel(txSpreadCycle *k, txNearNull *near, bool *more) {
  clCluster *c = k->cluster;
  txSpreadLevel *l = &k->level[k->levels], *next = l + 1;
  txAggregation own = {0};
  double largest = largestOf(l->matrices.A);
  clStatus status =
      clClusterAgree(c, aggregate(&own, l->matrices.A, near, k->levels, largest), &c->error);
  if (!status)
    status = clClusterAgree(c, numberRows(&next->numbering, c, own.P ? own.P->cols : 0), &c->error);
  *more = !status && next->numbering.nx > 0 && next->numbering.nx < 0.8 * l->numbering.nx;
  if (*more) {
    status = createNext(c, l, next, &own);
    if (!status)
      txClusterMust(c, txSpreadMatricesFinish(l, next));
    txSpreadWeights(l, largest);
    l->steps = &txMatrixSteps;
    k->levels++;
    txNearNullForget(near);
    *near = own.near;
    own.near = (txNearNull){.vectors = 1};
  } else {
    txNumberingDestroy(&next->numbering);
  }
  txAggregationDestroy(&own);
  return status;
}

/* ---- The gathered matrix --------------------------------------------------------------------- */

/* An entry of the whole matrix, on its way to rank 0. */
typedef struct entry {
  int64_t row, col;
  double value;
} entry;

/* *out <- the whole matrix, on rank 0 */
static clStatus gather(clTriplets **out, const txSpread *A) {
  clCluster *c = A->cluster;
  int32_t own = txSpreadOwnColumns(A);
  int64_t count = A->local ? A->host->count : 0;
  entry *mine = txClusterAllocate(c, (size_t)count, sizeof *mine, "multigrid");
  for (int64_t k = 0; k < count; k++) {
    int32_t j = A->host->col[k];
    mine[k].row = txNumberingGlobal(A->rows, c->rank, A->host->row[k]);
    if (j < own)
      mine[k].col = txNumberingGlobal(A->cols, c->rank, j);
    else
      mine[k].col = A->halo.wanted[2 * (j - own) + 1];
    mine[k].value = A->host->value[k];
  }
  void **data = txClusterAllocate(c, (size_t)c->size, sizeof *data, "multigrid"), *came;
  size_t *bytes = txClusterAllocate(c, (size_t)c->size, sizeof *bytes, "multigrid"), all;
  data[0] = mine;
  bytes[0] = (size_t)count * sizeof *mine;
  txExchange(c, data, bytes, &came, &all, NULL, c->comm);
  const entry *e = came;
  int32_t n = A->rows->nx;
  clStatus status =
      c->rank ? TEXLA_OK : clTripletsCreate(out, n, n, (int64_t)(all / sizeof *e), &c->error);
  for (size_t k = 0; k < all / sizeof *e && !status; k++)
    status = clTripletsAdd(*out, (int32_t)e[k].row, (int32_t)e[k].col, e[k].value, &c->error);
  if (!status && !c->rank)
    status = clTripletsCompress(*out, &c->error);
  free(mine);
  free(data);
  free(bytes);
  free(came);
  return status;
}

/* What A nearly maps to zero, of all ranks one after the other; on rank 0. To be freed. */
static double *gatherNear(const txSpread *A, const txNearNull *near) {
  clCluster *c = A->cluster;
  void **data = txClusterAllocate(c, (size_t)c->size, sizeof *data, "multigrid"), *came;
  size_t *bytes = txClusterAllocate(c, (size_t)c->size, sizeof *bytes, "multigrid"), all;
  data[0] = near->v;
  bytes[0] = (size_t)A->local * sizeof *near->v;
  txExchange(c, data, bytes, &came, &all, NULL, c->comm);
  free(data);
  free(bytes);
  return came;
}

/* On rank 0 a cycle of algebraic multigrid, which inverts small matrices. */
static clStatus createCoarsest(txSpreadCycle *k, const txSpread *A, const txNearNull *near) {
  clCluster *c = k->cluster;
  clTriplets *whole = NULL;
  const clVector *inverse = NULL;
  double *all = gatherNear(A, near);
  clStatus status = gather(&whole, A);
  if (status || c->rank) {
    free(all);
    return status;
  }
  status = clMatrixCreate(&k->matrix, c->context, whole, &(clMatrixOptions){.linear = true});
  if (!status)
    status = txPreconditionerCreate(
        &k->coarsest, &inverse, k->matrix, TEXLA_PRECONDITIONER_AMG,
        &(clSolverOptions){.host = whole, .near_null_space = all, .near_null_count = 1}, NULL);
  if (!status)
    status = clMatrixCreateVector(&k->x, k->matrix, TEXLA_DOMAIN);
  if (!status)
    status = clMatrixCreateVector(&k->b, k->matrix, TEXLA_RANGE);
  if (status)
    c->error = *clContextError(c->context);
  clTripletsDestroy(whole);
  free(all);
  return status;
}

/* What R A R nearly maps to zero: R^-1 times the constant. */
static void listNear(txNearNull *near, const clClusterMatrix *A) {
  size_t n = (size_t)A->spread.host->rows;
  near->vectors = 1;
  near->v = txClusterAllocate(A->cluster, n, sizeof *near->v, "multigrid");
  for (size_t i = 0; i < n; i++)
    near->v[i] = 1 / A->scale.row[i];
}

static clStatus createLevels(txSpreadCycle *k, txNearNull *near) {
  bool more = true;
  clStatus status = TEXLA_OK;
  while (!status && more && k->levels < TX_SPREAD_LEVELS - 1 &&
         k->level[k->levels].numbering.nx > GATHERED)
    status = addLevel(k, near, &more);
  if (!status) {
    txSpreadCycleParts(k);
    status = createCoarsest(k, k->level[k->levels].matrices.A, near);
  }
  return status;
}

clStatus txAggregationCycleCreate(txSpreadCycle **out, clClusterMatrix *A) {
  clCluster *c = A->cluster;
  txSpreadCycle *k = txClusterAllocate(c, 1, sizeof *k, "multigrid");
  txNearNull near = {0};
  txScaled scaled = {0};
  /* with the scaled matrix on the host */
  txSpread top = A->spread;
  k->cluster = c;
  clStatus status = txClusterMatrixKeep(A);
  if (!status)
    status = clClusterAgree(c, txScalingApply(&scaled, &A->scale, 1, &c->error), &c->error);
  if (!status)
    status = txNumberingCreate(&k->level[0].numbering, call, &c->error, A->numbering.nx, 1,
                               A->numbering.px, 1);
  status = clClusterAgree(c, status, &c->error);
  if (!status) {
    top.host = &scaled.A;
    k->level[0].matrices.A = &top;
    listNear(&near, A);
    status = createLevels(k, &near);
  }
  status = clClusterAgree(c, status, &c->error);
  k->level[0].matrices.A = &A->spread;
  txNearNullForget(&near);
  txScaledDestroy(&scaled);
  if (status)
    txSpreadCycleDestroy(k);
  else
    *out = k;
  return status;
}
