#include "mpi/spread.h"
#include "system/scaling.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterMatrix";

/* What becomes of a rank's rows. */
typedef struct split {
  clTriplets *own;
  txGhostEntry *ghost;
  int64_t ghosts, room;
} split;

static clStatus addGhost(split *s, clError *error, txGhostEntry entry) {
  if (s->ghosts == s->room) {
    int64_t room = 2 * s->room + 64;
    txGhostEntry *more = txReallocate(error, call, s->ghost, (size_t)room, sizeof *more, "a halo");
    if (!more)
      return TEXLA_OUT_OF_MEMORY;
    s->ghost = more;
    s->room = room;
  }
  s->ghost[s->ghosts++] = entry;
  return TEXLA_OK;
}

static clStatus splitRow(split *s, const txSpread *A, int64_t i, txRowFunction row, void *user) {
  clCluster *c = A->cluster;
  txRectangle mine = txNumberingPart(A->cols, c->rank);
  const int64_t *col;
  const double *value;
  int64_t count = row(user, i, &col, &value);
  clStatus status = TEXLA_OK;
  for (int64_t k = 0; k < count && !status; k++) {
    int64_t x = col[k] % A->cols->nx - mine.x, y = col[k] / A->cols->nx - mine.y;
    if (x >= 0 && y >= 0 && x < mine.nx && y < mine.ny)
      status = clTripletsAdd(s->own, (int32_t)i, (int32_t)(y * mine.nx + x), value[k], &c->error);
    else
      status = addGhost(s, &c->error, (txGhostEntry){i, col[k], value[k]});
  }
  return status;
}

/* Ranks without rows or columns have one, which stays zero and changes no sum. */
static clStatus splitRows(split *s, txSpread *A, txRowFunction row, void *user) {
  clCluster *c = A->cluster;
  txRectangle r = txNumberingPart(A->rows, c->rank), q = txNumberingPart(A->cols, c->rank);
  int64_t rows = (int64_t)r.nx * r.ny, cols = (int64_t)q.nx * q.ny;
  if (rows > INT32_MAX || cols > INT32_MAX)
    return txFail(&c->error, TEXLA_TOO_LARGE, call,
                  "more than 2^31 unknowns on a rank: use more ranks");
  A->local = rows;
  clStatus status = clTripletsCreate(&s->own, rows ? (int32_t)rows : 1, cols ? (int32_t)cols : 1,
                                     5 * rows + 1, &c->error);
  for (int64_t i = 0; i < rows && !status; i++)
    status = splitRow(s, A, i, row, user);
  if (!status && !s->own->count)
    status = clTripletsAdd(s->own, 0, 0, rows ? 0 : 1, &c->error);
  return status ? status : clTripletsCompress(s->own, &c->error);
}

/* ---- Scaling --------------------------------------------------------------------------------- */

/* This rank's factors, from the diagonal or, where that is zero, the largest entry of a row. */
static void chooseFactors(double *factor, const split *s) {
  const clTriplets *T = s->own;
  for (int64_t k = 0; k < T->count; k++)
    factor[T->row[k]] = fmax(factor[T->row[k]], fabs(T->value[k]));
  for (int64_t k = 0; k < s->ghosts; k++)
    factor[s->ghost[k].row] = fmax(factor[s->ghost[k].row], fabs(s->ghost[k].value));
  for (int64_t k = 0; k < T->count; k++)
    if (T->row[k] == T->col[k] && T->value[k] != 0)
      factor[T->row[k]] = fabs(T->value[k]);
  for (int32_t i = 0; i < T->rows; i++)
    factor[i] = txScalingRoot(factor[i]);
}

/* One factor for all of A, which may as well be 1? */
static bool isSpare(const txSpread *A, const double *factor) {
  /* the largest, and minus the least */
  double range[2] = {-INFINITY, -INFINITY};
  for (int64_t i = 0; i < A->local; i++) {
    range[0] = fmax(range[0], factor[i]);
    range[1] = fmax(range[1], -factor[i]);
  }
  txMaximum(A->cluster, range, 2, A->cluster->comm);
  return range[0] == -range[1] && txScalingSpare(range[0] * range[0]);
}

/* The split rows <- those of diag(factor) A diag(factor) */
static void scale(txSpread *A, split *s) {
  int32_t own = txSpreadOwnColumns(A);
  double *factor =
      txClusterAllocate(A->cluster, (size_t)(own + A->halo.received), sizeof *factor, "a scaling");
  chooseFactors(factor, s);
  if (isSpare(A, factor)) {
    free(factor);
    return;
  }
  txHaloFetch(&A->halo, factor + own, factor);
  for (int64_t k = 0; k < s->own->count; k++)
    s->own->value[k] *= factor[s->own->row[k]] * factor[s->own->col[k]];
  for (int64_t k = 0; k < s->ghosts; k++) {
    txGhostEntry *e = &s->ghost[k];
    e->value *= factor[e->row] * factor[own + txHaloPlace(&A->halo, A->cols, e->col)];
  }
  A->factor = factor;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

static clStatus create(txSpread *A, const split *s, bool grid) {
  clCluster *c = A->cluster;
  txRectangle r = txNumberingPart(A->rows, c->rank);
  clMatrixOptions options = {.linear = !grid};
  if (grid && A->local) {
    options.grid_nx = r.nx;
    options.grid_ny = r.ny;
  }
  return clMatrixCreate(&A->own, c->context, s->own, &options);
}

clStatus txSpreadCreate(txSpread *out, clCluster *c, const txNumbering *rows,
                        const txNumbering *cols, txRowFunction row, void *user, txSpreadKind kind) {
  txSpread A = {.cluster = c, .rows = rows, .cols = cols};
  split s = {0};
  clVector *x = NULL, *y = NULL;
  clStatus status = clClusterAgree(c, splitRows(&s, &A, row, user), &c->error);
  if (!status)
    txHaloFind(&A.halo, c, cols, s.ghost, s.ghosts);
  if (!status && kind == TX_SPREAD_SCALED)
    scale(&A, &s);
  if (!status)
    status = create(&A, &s, kind == TX_SPREAD_GRID);
  if (!status)
    status = clMatrixCreateVector(&x, A.own, TEXLA_DOMAIN);
  if (!status)
    status = clMatrixCreateVector(&y, A.own, TEXLA_RANGE);
  if (status && A.halo.cluster)
    c->error = *clContextError(c->context);
  status = clClusterAgree(c, status, &c->error);
  if (!status)
    txHaloUpload(&A.halo, cols, s.ghost, s.ghosts, x, y);
  clVectorDestroy(x);
  clVectorDestroy(y);
  free(s.ghost);
  clTripletsDestroy(s.own);
  if (status)
    txSpreadDestroy(&A);
  else
    *out = A;
  return status;
}

void txSpreadDestroy(txSpread *A) {
  clMatrixDestroy(A->own);
  clTripletsDestroy(A->host);
  free(A->factor);
  if (A->cluster)
    txHaloDestroy(&A->halo);
  *A = (txSpread){0};
}

/* ---- On the host ----------------------------------------------------------------------------- */

int32_t txSpreadOwnColumns(const txSpread *A) {
  txRectangle q = txNumberingPart(A->cols, A->cluster->rank);
  int32_t count = q.nx * q.ny;
  return count ? count : 1;
}

clStatus txSpreadKeep(txSpread *A, txRowFunction row, void *user) {
  clCluster *c = A->cluster;
  split s = {0};
  int32_t own = txSpreadOwnColumns(A);
  clStatus status = splitRows(&s, A, row, user);
  if (!status)
    status = clTripletsCreate(&A->host, s.own->rows, own + A->halo.received,
                              s.own->count + s.ghosts, &c->error);
  for (int64_t k = 0; !status && k < s.own->count; k++)
    status = clTripletsAdd(A->host, s.own->row[k], s.own->col[k], s.own->value[k], &c->error);
  for (int64_t k = 0; !status && k < s.ghosts; k++)
    status = clTripletsAdd(A->host, (int32_t)s.ghost[k].row,
                           own + (int32_t)txHaloPlace(&A->halo, A->cols, s.ghost[k].col),
                           s.ghost[k].value, &c->error);
  if (!status)
    status = clTripletsCompress(A->host, &c->error);
  free(s.ghost);
  clTripletsDestroy(s.own);
  return clClusterAgree(c, status, &c->error);
}

void txSpreadMultiplyHost(txSpread *A, double *y, const double *x) {
  const clTriplets *T = A->host;
  int32_t own = txSpreadOwnColumns(A);
  double *ghosts =
      txClusterAllocate(A->cluster, (size_t)A->halo.received, sizeof *ghosts, "a product");
  txHaloFetch(&A->halo, ghosts, x);
  memset(y, 0, (size_t)T->rows * sizeof *y);
  for (int64_t k = 0; k < T->count; k++)
    y[T->row[k]] += T->value[k] * (T->col[k] < own ? x[T->col[k]] : ghosts[T->col[k] - own]);
  free(ghosts);
}

int64_t txTripletRow(void *user, int64_t local, const int64_t **col, const double **value) {
  txTripletRows *r = user;
  int64_t begin = r->at;
  while (r->at < r->A->count && r->A->row[r->at] == local) {
    r->col[r->at - begin] = r->A->col[r->at] + r->shift;
    r->at++;
  }
  *col = r->col;
  *value = r->A->value + begin;
  return r->at - begin;
}

/* ---- On the device --------------------------------------------------------------------------- */

clStatus txSpreadMultiply(txSpread *A, clVector *y, const clVector *x, const clVector *b) {
  txHaloStart(&A->halo, x);
  clStatus status =
      clMatrixVectorOp(y, b ? TEXLA_OP_B_MINUS_AX : TEXLA_OP_AX, A->own, TEXLA_NO_TRANSPOSE, x, b);
  if (!status)
    txHaloFinish(&A->halo, y, b ? -1 : 1);
  return status;
}
