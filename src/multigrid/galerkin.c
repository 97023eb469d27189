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

static void findStarts(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
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
  txParallel(A->rows, findStarts, &(starts){A, start}, NULL);
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

static void addRow(const building *b, txRowSum *sum, int64_t i) {
  sum->mark = (int32_t)i + 1;
  sum->count = 0;
  b->loop(b->user, i, sum);
}

/* Room for `more` entries, and for all that follow if they are as many as so far in each of the rows
 * that are `left` beside those `done`. */
static bool makeRoom(piece *p, int64_t more, int64_t done, int64_t left) {
  if (p->count + more <= p->room)
    return true;
  enum { FEWEST = 4096 };
  int64_t expected = (p->count + more) * left / (done + 1);
  int64_t room = p->count + more + FEWEST + expected + expected / 8;
  int32_t *col = realloc(p->col, (size_t)room * sizeof *col);
  if (col)
    p->col = col;
  double *value = realloc(p->value, (size_t)room * sizeof *value);
  if (value)
    p->value = value;
  if (!col || !value)
    return false;
  p->room = room;
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
    addRow(b, &sum, i);
    sortColumns(sum.column, sum.count);
    b->start[i + 1] = sum.count;
    there = makeRoom(p, sum.count, i - first, last - i);
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

static clStatus overParts(building *b, txLoop loop, clError *error) {
  double missing[TX_SUMS];
  txParallelParts(TX_FEW, loop, b, missing);
  if (missing[0] > 0)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for the rows of a sparse matrix");
  return TEXLA_OK;
}

clStatus txTripletsBuild(clTriplets **out, int32_t rows, int32_t cols, txRowLoop loop,
                         const void *user, clError *error) {
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
cleanup:
  for (int p = 0; p < TX_FEW; p++) {
    free(b.piece[p].col);
    free(b.piece[p].value);
  }
  free(b.start);
  return status;
}

/* Other values in a part of C's rows. */
static void refillPart(void *user, int64_t part, int64_t end, double missing[TX_SUMS]) {
  const building *b = user;
  clTriplets *C = b->C;
  txRowSum sum;
  bool there = createSum(&sum, b->cols);
  int64_t last = txPartBegin(b->rows, end, TX_FEW);
  missing[0] += !there;
  for (int64_t i = txPartBegin(b->rows, part, TX_FEW); i < last && there; i++) {
    addRow(b, &sum, i);
    for (int64_t k = b->start[i]; k < b->start[i + 1]; k++) {
      int32_t j = C->col[k];
      C->value[k] = 0;
      if (sum.seen[j] == sum.mark)
        C->value[k] = sum.value[j];
    }
  }
  destroySum(&sum);
}

clStatus txTripletsRefill(clTriplets *C, txRowLoop loop, const void *user, clError *error) {
  building b = {.C = C, .rows = C->rows, .cols = C->cols, .loop = loop, .user = user};
  b.start = txTripletsRowStarts(C, error);
  if (!b.start)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = overParts(&b, refillPart, error);
  free(b.start);
  return status;
}

/* ---- Products -------------------------------------------------------------------------------- */

/* C = A B; a[i] and b[i] are where row i of A and B begins. */
typedef struct product {
  const clTriplets *A, *B;
  int64_t *a, *b;
} product;

static void addProductRow(const void *user, int64_t i, txRowSum *sum) {
  const product *p = user;
  for (int64_t k = p->a[i]; k < p->a[i + 1]; k++)
    for (int64_t l = p->b[p->A->col[k]]; l < p->b[p->A->col[k] + 1]; l++)
      txRowAdd(sum, p->B->col[l], p->A->value[k] * p->B->value[l]);
}

static clStatus findFactors(product *p, clError *error) {
  p->a = txTripletsRowStarts(p->A, error);
  p->b = txTripletsRowStarts(p->B, error);
  if (!p->a || !p->b)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

clStatus txTripletsMultiply(clTriplets *C, const clTriplets *A, const clTriplets *B,
                            clError *error) {
  product p = {.A = A, .B = B};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findFactors(&p, error));
  TRY_CLEANUP(txTripletsRefill(C, addProductRow, &p, error));
cleanup:
  free(p.a);
  free(p.b);
  return status;
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                           clError *error) {
  product p = {.A = A, .B = B};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findFactors(&p, error));
  TRY_CLEANUP(txTripletsBuild(out, A->rows, B->cols, addProductRow, &p, error));
cleanup:
  free(p.a);
  free(p.b);
  return status;
}

clStatus txTripletsTurn(clTriplets *T, const clTriplets *A, clError *error) {
  int64_t *next = txTripletsRowStarts(T, error);
  if (!next)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    T->value[next[A->col[k]]++] = A->value[k];
  free(next);
  return TEXLA_OK;
}
