/* Sparse products on the host, in double: what algebraic multigrid is set up with. */
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"
#include "core/try.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

typedef struct starts {
  const clTriplets *A;
  int64_t *start;
} starts;

static void galerkinFindStarts(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const starts *s = user;
  int64_t k = txTripletsRow(s->A, (int32_t)first);
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    s->start[i] = k;
    while (k < s->A->count && s->A->row[k] == i)
      k++;
  }
}

int64_t *txTripletsRowStarts(const clTriplets *A, clError *error) {
  int64_t *start =
      txAllocate(error, call, (size_t)A->rows + 1, sizeof *start, "the rows of a matrix");
  if (!start)
    return NULL;
  txParallel(A->rows, galerkinFindStarts, &(starts){A, start}, NULL);
  start[A->rows] = A->count;
  return start;
}

/* ---- Matrices row by row --------------------------------------------------------------------- */

/* Some rows of a matrix: their entries one row after the other. */
typedef struct piece {
  int32_t *col;
  double *value;
  int64_t count, room;
} piece;

/* A matrix that is built row by row by Gustavson's algorithm (1978), in pieces on several threads.
 * start[i] is where row i begins; before the pieces are put together start[i + 1] is its length. */
typedef struct building {
  clTriplets *C;
  int32_t rows, cols;
  txRowLoop loop;
  const void *user;
  int64_t *start;
  piece piece[TX_FEW];
} building;

static int compareColumns(const void *a, const void *b) {
  const int32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* Most rows are short, and those are sorted by insertion. */
static void sortColumns(int32_t *column, int64_t count) {
  const int64_t short_row = 64;
  if (count > short_row) {
    qsort(column, (size_t)count, sizeof *column, compareColumns);
    return;
  }
  for (int64_t k = 1; k < count; k++) {
    int32_t j = column[k];
    int64_t to = k;
    for (; to > 0 && column[to - 1] > j; to--)
      column[to] = column[to - 1];
    column[to] = j;
  }
}

static bool createSum(txRowSum *sum, int32_t cols) {
  *sum = (txRowSum){.seen = calloc((size_t)cols, sizeof *sum->seen),
                    .column = malloc((size_t)cols * sizeof *sum->column),
                    .value = malloc((size_t)cols * sizeof *sum->value)};
  return sum->seen && sum->column && sum->value;
}

static void destroySum(const txRowSum *sum) {
  free(sum->seen);
  free(sum->column);
  free(sum->value);
}

static void galerkinAddRow(const building *b, txRowSum *sum, int64_t i) {
  sum->mark = (int32_t)i + 1;
  sum->count = 0;
  b->loop(b->user, i, sum);
}

/* Room for `more` entries, and for all that follow if they are as many as so far in each of the
 * rows that are `left` beside those `done`. */
static bool galerkinMakeRoom(piece *p, int64_t more, int64_t done, int64_t left) {
  if (p->count + more <= p->room)
    return true;
  enum { FEWEST = 4096 };
  int64_t expected = (p->count + more) * left / (done + 1);
  size_t room = (size_t)(p->count + more + FEWEST + expected + expected / 8);
  int32_t *col = txReallocate(NULL, call, p->col, room, sizeof *col, "rows");
  if (col)
    p->col = col;
  double *value = txReallocate(NULL, call, p->value, room, sizeof *value, "rows");
  if (value)
    p->value = value;
  if (!col || !value)
    return false;
  p->room = (int64_t)room;
  return true;
}

/* A part of the rows becomes a piece; missing[0]: parts for which there was no memory. */
static void buildPiece(void *user, int64_t part, int64_t end, double missing[TX_SUMS]) {
  building *b = user;
  piece *p = &b->piece[part];
  txRowSum sum;
  bool there = createSum(&sum, b->cols);
  int64_t first = txPartBegin(b->rows, part, TX_FEW), last = txPartBegin(b->rows, end, TX_FEW);
  for (int64_t i = first; i < last && there; i++) {
    galerkinAddRow(b, &sum, i);
    sortColumns(sum.column, sum.count);
    b->start[i + 1] = sum.count;
    there = galerkinMakeRoom(p, sum.count, i - first, last - i);
    for (int64_t k = 0; k < sum.count && there; k++, p->count++) {
      p->col[p->count] = sum.column[k];
      p->value[p->count] = sum.value[sum.column[k]];
    }
  }
  missing[0] += !there;
  destroySum(&sum);
}

/* A piece goes to its place in C. */
static void placePiece(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  building *b = user;
  piece *p = &b->piece[part];
  int64_t first = txPartBegin(b->rows, part, TX_FEW), last = txPartBegin(b->rows, end, TX_FEW);
  (void)sum;
  if (p->count) {
    memcpy(b->C->col + b->start[first], p->col, (size_t)p->count * sizeof *p->col);
    memcpy(b->C->value + b->start[first], p->value, (size_t)p->count * sizeof *p->value);
  }
  for (int64_t i = first; i < last; i++)
    for (int64_t k = b->start[i]; k < b->start[i + 1]; k++)
      b->C->row[k] = (int32_t)i;
  free(p->col);
  free(p->value);
  *p = (piece){0};
}

static clStatus overParts(void *user, txLoop loop, clError *error) {
  double missing[TX_SUMS];
  txParallelParts(INT64_MAX, TX_FEW, loop, user, missing);
  if (missing[0] > 0)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for the rows of a sparse matrix");
  return TEXLA_OK;
}

clStatus txTripletsBuild(clTriplets **out, int64_t **start, int32_t rows, int32_t cols,
                         txRowLoop loop, const void *user, clError *error) {
  building b = {.rows = rows, .cols = cols, .loop = loop, .user = user};
  clStatus status = TEXLA_OK;
  b.start = txAllocate(error, call, (size_t)rows + 1, sizeof *b.start, "the rows of a matrix");
  if (!b.start)
    return TEXLA_OUT_OF_MEMORY;
  TRY_CLEANUP(overParts(&b, buildPiece, error));
  for (int32_t i = 0; i < rows; i++)
    b.start[i + 1] += b.start[i];
  TRY_CLEANUP(clTripletsCreate(&b.C, rows, cols, b.start[rows], error));
  b.C->count = b.start[rows];
  TRY_CLEANUP(overParts(&b, placePiece, error));
  *out = b.C;
  *start = b.start;
  b.start = NULL;
cleanup:
  for (int p = 0; p < TX_FEW; p++) {
    free(b.piece[p].col);
    free(b.piece[p].value);
  }
  free(b.start);
  return status;
}

/* Any number can be added to it without a change, also -0. */
static const double nothing = -0.;

/* Other values in a part of C's rows. All columns of a row are known before something is added to
 * them, so that no addition finds a new one. */
static void refillPart(void *user, int64_t part, int64_t end, double missing[TX_SUMS]) {
  const building *b = user;
  clTriplets *C = b->C;
  txRowSum sum;
  bool there = createSum(&sum, b->cols);
  int64_t last = txPartBegin(b->rows, end, TX_FEW);
  missing[0] += !there;
  for (int64_t i = txPartBegin(b->rows, part, TX_FEW); i < last && there; i++) {
    sum.mark = (int32_t)i + 1;
    sum.count = 0;
    for (int64_t k = b->start[i]; k < b->start[i + 1]; k++) {
      sum.seen[C->col[k]] = sum.mark;
      sum.value[C->col[k]] = nothing;
    }
    b->loop(b->user, i, &sum);
    for (int64_t k = b->start[i]; k < b->start[i + 1]; k++)
      C->value[k] = sum.value[C->col[k]];
  }
  destroySum(&sum);
}

clStatus txTripletsRefill(clTriplets *C, const int64_t *start, txRowLoop loop, const void *user,
                          clError *error) {
  building b = {.C = C,
                .rows = C->rows,
                .cols = C->cols,
                .loop = loop,
                .user = user,
                .start = (int64_t *)(uintptr_t)start};
  return overParts(&b, refillPart, error);
}

/* ---- Products -------------------------------------------------------------------------------- */

static void addProductRow(const void *user, int64_t i, txRowSum *sum) {
  const txProduct *p = user;
  const int32_t *of = p->A->col, *col = p->B->col;
  const double *left = p->A->value, *right = p->B->value;
  for (int64_t k = p->a[i], end = p->a[i + 1]; k < end; k++)
    for (int64_t l = p->b[of[k]], last = p->b[of[k] + 1]; l < last; l++)
      txRowAdd(sum, col[l], left[k] * right[l]);
}

clStatus txProductBuild(clTriplets **out, int64_t **start, const txProduct *p, clError *error) {
  return txTripletsBuild(out, start, p->A->rows, p->B->cols, addProductRow, p, error);
}

/* C <- A B in positions that are known. */
typedef struct multiplication {
  const txProduct *product;
  clTriplets *C;
  const int64_t *c;
} multiplication;

/* A part of C's rows; to the numbers of `sum`, one for each column, nothing is added but what the
 * row has. */
static void galerkinMultiplyRows(const multiplication *m, int64_t first, int64_t last,
                                 double *restrict sum) {
  const txProduct *p = m->product;
  const int32_t *of = p->A->col, *col = p->B->col, *place = m->C->col;
  const double *left = p->A->value, *right = p->B->value;
  double *value = m->C->value;
  for (int64_t i = first; i < last; i++) {
    for (int64_t k = m->c[i]; k < m->c[i + 1]; k++)
      sum[place[k]] = nothing;
    for (int64_t k = p->a[i], end = p->a[i + 1]; k < end; k++)
      for (int64_t l = p->b[of[k]], past = p->b[of[k] + 1]; l < past; l++)
        sum[col[l]] += left[k] * right[l];
    for (int64_t k = m->c[i]; k < m->c[i + 1]; k++)
      value[k] = sum[place[k]];
  }
}

static void multiplyPart(void *user, int64_t part, int64_t end, double missing[TX_SUMS]) {
  const multiplication *m = user;
  double *sum = malloc((size_t)m->C->cols * sizeof *sum);
  missing[0] += !sum;
  if (sum)
    galerkinMultiplyRows(m, txPartBegin(m->C->rows, part, TX_FEW),
                         txPartBegin(m->C->rows, end, TX_FEW), sum);
  free(sum);
}

clStatus txProductRefill(clTriplets *C, const int64_t *start, const txProduct *p, clError *error) {
  return overParts(&(multiplication){p, C, start}, multiplyPart, error);
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                           clError *error) {
  int64_t *a = txTripletsRowStarts(A, error), *b = txTripletsRowStarts(B, error), *start = NULL;
  clStatus status = TEXLA_OK;
  if (!a || !b)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(txProductBuild(out, &start, &(txProduct){A, B, a, b}, error));
cleanup:
  free(a);
  free(b);
  free(start);
  return status;
}

/* ---- Transposes ------------------------------------------------------------------------------ */

/* A^T by a counting sort over A's columns, in parts of A's rows that begin at a[i].
 * next[part][j] is how many entries the part has in column j, then where the next one goes. */
typedef struct turning {
  const clTriplets *A;
  const int64_t *a;
  clTriplets *T;
  int64_t *next[TX_FEW], *from;
} turning;

static int64_t firstOfPart(const turning *t, int64_t part) {
  return t->a[txPartBegin(t->A->rows, part, TX_FEW)];
}

static void countColumns(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  const turning *t = user;
  int64_t last = firstOfPart(t, end);
  (void)sum;
  for (int64_t k = firstOfPart(t, part); k < last; k++)
    t->next[part][t->A->col[k]]++;
}

/* start[j] is where column j begins; in it, what part 0 has comes before what part 1 has. */
static void placeColumns(const turning *t, int64_t *start) {
  int64_t at = 0;
  for (int32_t j = 0; j < t->A->cols; j++) {
    start[j] = at;
    for (int p = 0; p < TX_FEW; p++) {
      int64_t count = t->next[p][j];
      t->next[p][j] = at;
      at += count;
    }
  }
  start[t->A->cols] = at;
}

static void fillColumns(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  const turning *t = user;
  const clTriplets *A = t->A;
  int64_t last = firstOfPart(t, end);
  (void)sum;
  for (int64_t k = firstOfPart(t, part); k < last; k++) {
    int64_t at = t->next[part][A->col[k]]++;
    t->T->row[at] = A->col[k];
    t->T->col[at] = A->row[k];
    t->T->value[at] = A->value[k];
    t->from[at] = k;
  }
}

/* Room for all of it: one block for the counts of all parts. */
static clStatus createTurning(turning *t, int64_t **start, clError *error) {
  size_t cols = (size_t)t->A->cols;
  int64_t *counts = txAllocate(error, call, TX_FEW * cols, sizeof *counts, "sorting by columns");
  *start = txAllocate(error, call, cols + 1, sizeof **start, "sorting by columns");
  t->from =
      txAllocate(error, call, (size_t)t->A->count, sizeof *t->from, "the entries of a matrix");
  for (size_t p = 0; p < TX_FEW && counts; p++)
    t->next[p] = counts + p * cols;
  if (!counts || !*start || !t->from)
    return TEXLA_OUT_OF_MEMORY;
  return clTripletsCreate(&t->T, t->A->cols, t->A->rows, t->A->count, error);
}

clStatus txTripletsTurn(clTriplets **out, int64_t **start, int64_t **from, const clTriplets *A,
                        const int64_t *a, clError *error) {
  turning t = {.A = A, .a = a};
  clStatus status = createTurning(&t, start, error);
  if (!status) {
    txParallelParts(A->count, TX_FEW, countColumns, &t, NULL);
    placeColumns(&t, *start);
    txParallelParts(A->count, TX_FEW, fillColumns, &t, NULL);
    t.T->count = A->count;
  }
  free(t.next[0]);
  *out = t.T;
  *from = t.from;
  return status;
}

typedef struct turningAgain {
  double *value;
  const int64_t *from;
  const double *of;
} turningAgain;

static void fetchValues(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const turningAgain *t = user;
  (void)sum;
  for (int64_t k = first; k < last; k++)
    t->value[k] = t->of[t->from[k]];
}

void txTripletsTurnAgain(clTriplets *T, const int64_t *from, const clTriplets *A) {
  txParallel(T->count, fetchValues, &(turningAgain){T->value, from, A->value}, NULL);
}
