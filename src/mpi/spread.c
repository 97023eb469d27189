/* Rows of a sparse matrix, split into the own columns and those of other ranks; their products. */
#include "mpi/spread.h"
#include "core/try.h"
#include "matrix/matrix.h"
#include "system/scaling.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterMatrix";

/* What becomes of a rank's rows. */
typedef struct split {
  clTriplets *own;
  txGhosts ghosts;
} split;

/* One more entry in a column of another rank; the list doubles when it is full. */
static clStatus addGhost(txGhosts *g, clError *error, txGhostEntry entry) {
  if (g->count == g->room) {
    int64_t room = 2 * g->room + 64;
    txGhostEntry *more = txReallocate(error, call, g->entry, (size_t)room, sizeof *more, "a halo");
    if (!more)
      return TEXLA_OUT_OF_MEMORY;
    g->entry = more;
    g->room = room;
  }
  g->entry[g->count++] = entry;
  return TEXLA_OK;
}

/* Row i's entries go where they belong: into the own columns, if `own` wants them, or to the
 * ghosts. */
static clStatus splitRow(clTriplets *own, txGhosts *ghosts, clCluster *c, const txNumbering *cols,
                         int64_t i, txRowFunction row, void *user) {
  txRectangle mine = txNumberingPart(cols, c->rank);
  const int64_t *col;
  const double *value;
  int64_t count = row(user, i, &col, &value);
  for (int64_t k = 0; k < count; k++) {
    int64_t x = col[k] % cols->nx - mine.x, y = col[k] / cols->nx - mine.y;
    bool inside = x >= 0 && y >= 0 && x < mine.nx && y < mine.ny;
    if (inside && own)
      TRY(clTripletsAdd(own, (int32_t)i, (int32_t)(y * mine.nx + x), value[k], &c->error));
    if (!inside)
      TRY(addGhost(ghosts, &c->error, (txGhostEntry){i, col[k], value[k]}));
  }
  return TEXLA_OK;
}

/* Matrices and vectors have at least one row. */
static int32_t atLeastOne(int64_t count) {
  return count > 0 ? (int32_t)count : 1;
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
  TRY(clTripletsCreate(&s->own, atLeastOne(rows), atLeastOne(cols), 5 * rows + 1, &c->error));
  for (int64_t i = 0; i < rows; i++)
    TRY(splitRow(s->own, &s->ghosts, c, A->cols, i, row, user));
  if (!s->own->count)
    TRY(clTripletsAdd(s->own, 0, 0, rows == 0, &c->error));
  return clTripletsCompress(s->own, &c->error);
}

clStatus txGhostsOfRim(txGhosts *out, clCluster *c, const txNumbering *rows,
                       const txNumbering *cols, txRowFunction row, void *user) {
  txRectangle r = txNumberingPart(rows, c->rank);
  for (int j = 0; j < r.ny; j++) {
    bool whole = j == 0 || j == r.ny - 1;
    /* Between the first and the last row of the rectangle only its first and last column. */
    int step = 1;
    if (!whole && r.nx > 1)
      step = r.nx - 1;
    for (int i = 0; i < r.nx; i += step)
      TRY(splitRow(NULL, out, c, cols, (int64_t)j * r.nx + i, row, user));
  }
  return TEXLA_OK;
}

/* ---- Scaling --------------------------------------------------------------------------------- */

/* This rank's factors, from the diagonal or, where that is zero, the largest entry of a row. */
static void chooseFactors(double *factor, const split *s) {
  const clTriplets *T = s->own;
  for (int64_t k = 0; k < T->count; k++)
    factor[T->row[k]] = fmax(factor[T->row[k]], fabs(T->value[k]));
  for (int64_t k = 0; k < s->ghosts.count; k++) {
    const txGhostEntry *e = &s->ghosts.entry[k];
    factor[e->row] = fmax(factor[e->row], fabs(e->value));
  }
  for (int64_t k = 0; k < T->count; k++)
    if (T->row[k] == T->col[k] && T->value[k] != 0)
      factor[T->row[k]] = fabs(T->value[k]);
  for (int32_t i = 0; i < T->rows; i++)
    factor[i] = txScalingRoot(factor[i]);
}

/* One factor for all of A, which may as well be 1? */
static bool isSpare(const txSpread *A, const double *factor) {
  /* The largest one, and minus the least. */
  double range[2] = {-INFINITY, -INFINITY};
  for (int64_t i = 0; i < A->local; i++) {
    range[0] = fmax(range[0], factor[i]);
    range[1] = fmax(range[1], -factor[i]);
  }
  txMaximum(A->cluster, range, 2, A->cluster->comm);
  return range[0] == -range[1] && txScalingSpare(range[0] * range[0]);
}

/* The split rows <- those of diag(factor) A diag(factor) */
static clStatus scale(txSpread *A, split *s) {
  clCluster *c = A->cluster;
  int32_t own = txSpreadOwnColumns(A);
  double *factor =
      txClusterReserve(c, call, (size_t)(own + A->halo.received), sizeof *factor, "a scaling");
  if (!factor)
    return TEXLA_OUT_OF_MEMORY;
  chooseFactors(factor, s);
  if (isSpare(A, factor)) {
    free(factor);
    return TEXLA_OK;
  }
  A->factor = factor;
  const double *others = txHaloFetch(&A->halo, factor);
  memcpy(factor + own, others, (size_t)A->halo.received * sizeof *factor);
  for (int64_t k = 0; k < s->own->count; k++)
    s->own->value[k] *= factor[s->own->row[k]] * factor[s->own->col[k]];
  for (int64_t k = 0; k < s->ghosts.count; k++) {
    txGhostEntry *e = &s->ghosts.entry[k];
    e->value *= factor[e->row] * factor[own + txHaloPlace(&A->halo, A->cols, e->col)];
  }
  return TEXLA_OK;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* The device gets what the halo needs; the status is that of all ranks. */
static clStatus upload(txSpread *A, const txGhosts *g) {
  clCluster *c = A->cluster;
  clStatus status = txHaloUpload(&A->halo, &A->own->col_layout);
  if (status == TEXLA_OK)
    status = txHaloValuesUpload(&A->halo, TX_HALO_PLAIN, A->cols, g->entry, g->count,
                                &A->own->row_layout);
  return clClusterAgree(c, status, txContextError(c->context));
}

clStatus txSpreadCreateOf(txSpread *out, clCluster *c, const txNumbering *rows,
                          const txNumbering *cols, clMatrix *own, const txGhosts *g) {
  txRectangle r = txNumberingPart(rows, c->rank);
  *out = (txSpread){
      .cluster = c, .rows = rows, .cols = cols, .local = (int64_t)r.nx * r.ny, .own = own};
  TRY(txHaloFind(&out->halo, c, cols, g->entry, g->count));
  return upload(out, g);
}

/* From the split rows on, which all ranks have. */
static clStatus create(txSpread *A, split *s, txSpreadKind kind) {
  clCluster *c = A->cluster;
  TRY(txHaloFind(&A->halo, c, A->cols, s->ghosts.entry, s->ghosts.count));
  if (kind == TX_SPREAD_SCALED)
    TRY(scale(A, s));
  clStatus status = clMatrixCreate(&A->own, c->context, s->own, &(clMatrixOptions){.linear = true});
  TRY(clClusterAgree(c, status, txContextError(c->context)));
  return upload(A, &s->ghosts);
}

clStatus txSpreadCreate(txSpread *out, clCluster *c, const txNumbering *rows,
                        const txNumbering *cols, txRowFunction row, void *user, txSpreadKind kind) {
  txSpread A = {.cluster = c, .rows = rows, .cols = cols};
  split s = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, splitRows(&s, &A, row, user), &c->error));
  TRY_CLEANUP(create(&A, &s, kind));
  *out = A;
  A = (txSpread){0};
cleanup:
  free(s.ghosts.entry);
  clTripletsDestroy(s.own);
  txSpreadDestroy(&A);
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

/* Also where a rank has none: then there is one that stays zero. */
int32_t txSpreadOwnColumns(const txSpread *A) {
  txRectangle q = txNumberingPart(A->cols, A->cluster->rank);
  return atLeastOne((int64_t)q.nx * q.ny);
}

/* A->host <- the own columns, and behind them those of the halo. */
static clStatus keep(txSpread *A, const split *s) {
  clError *error = &A->cluster->error;
  const clTriplets *T = s->own;
  int32_t own = txSpreadOwnColumns(A);
  TRY(clTripletsCreate(&A->host, T->rows, own + A->halo.received, T->count + s->ghosts.count,
                       error));
  for (int64_t k = 0; k < T->count; k++)
    TRY(clTripletsAdd(A->host, T->row[k], T->col[k], T->value[k], error));
  for (int64_t k = 0; k < s->ghosts.count; k++) {
    const txGhostEntry *e = &s->ghosts.entry[k];
    int32_t place = (int32_t)txHaloPlace(&A->halo, A->cols, e->col);
    TRY(clTripletsAdd(A->host, (int32_t)e->row, own + place, e->value, error));
  }
  return clTripletsCompress(A->host, error);
}

/* What a rank does of it by itself. */
static clStatus keepRows(txSpread *A, split *s, txRowFunction row, void *user) {
  TRY(splitRows(s, A, row, user));
  return keep(A, s);
}

/* Collective: all ranks learn whether each has had memory for it. */
clStatus txSpreadKeep(txSpread *A, txRowFunction row, void *user) {
  clCluster *c = A->cluster;
  split s = {0};
  clStatus status = clClusterAgree(c, keepRows(A, &s, row, user), &c->error);
  free(s.ghosts.entry);
  clTripletsDestroy(s.own);
  return status;
}

/* y <- A x in double: own columns, and those of the halo, fetched before. */
void txSpreadMultiplyHost(txSpread *A, double *y, const double *x) {
  const clTriplets *T = A->host;
  int32_t own = txSpreadOwnColumns(A);
  const double *ghosts = txHaloFetch(&A->halo, x);
  memset(y, 0, (size_t)T->rows * sizeof *y);
  for (int64_t k = 0; k < T->count; k++) {
    int32_t j = T->col[k];
    double factor = j < own ? x[j] : ghosts[j - own];
    y[T->row[k]] += T->value[k] * factor;
  }
}

/* Rows of triplets, asked for in order, with their columns shifted to the numbers of all ranks. */
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

/* y <- A x, or b - A x: the exchange is under way while the device multiplies by the own columns.
 * */
clStatus txSpreadMultiply(txSpread *A, clVector *y, const clVector *x, const clVector *b) {
  clMatrixOp operation = TEXLA_OP_AX;
  float sign = 1;
  if (b) {
    operation = TEXLA_OP_B_MINUS_AX;
    sign = -1;
  }
  txHaloStart(&A->halo, x);
  TRY(clMatrixVectorOp(y, operation, A->own, TEXLA_NO_TRANSPOSE, x, b));
  txHaloFinish(&A->halo, TX_HALO_PLAIN, y, sign);
  return TEXLA_OK;
}
