/* Sparse matrices that stay sparse. Rows are compressed where an operation needs them so.
 *
 * What may become of zeros decides: a function stays sparse where f(0) = 0, a product where one
 * factor is sparse and the other finite, since 0 times infinity is no zero. */
#include "queue/sparse.h"
#include "core/numbers.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is sparse -------------------------------------------------------------------------- */

typedef enum rule {
  /* f(x) of each entry, with f(0) = 0. */
  FUNCTION,
  /* Sums and differences of two sparse matrices. */
  BOTH,
  /* x y, entry by entry, where at least one is sparse. */
  EITHER,
  /* x divided by a number. */
  QUOTIENT,
  /* The matrix product of two sparse matrices. */
  PRODUCT,
  /* A(i, j) */
  PART,
  /* Entries on one side of a diagonal. */
  LOWER,
  UPPER,
  /* A diagonal, and sums along a dimension, which are dense. */
  DIAGONAL,
  SUM,
  /* What is done elsewhere. */
  ELSEWHERE
} rule;

static double negative(double x) {
  return -x;
}

static double signOf(double x) {
  return (double)(x > 0) - (double)(x < 0);
}

static const struct {
  const char *name;
  rule rule;
  double (*f)(double x);
} known[] = {{"plus", BOTH, NULL},           {"minus", BOTH, NULL},
             {"times", EITHER, NULL},        {"rdivide", QUOTIENT, NULL},
             {"multiply", PRODUCT, NULL},    {"index", PART, NULL},
             {"tril", LOWER, NULL},          {"triu", UPPER, NULL},
             {"diagonal", DIAGONAL, NULL},   {"sum", SUM, NULL},
             {"transpose", ELSEWHERE, NULL}, {"sparse", ELSEWHERE, NULL},
             {"uminus", FUNCTION, negative}, {"abs", FUNCTION, fabs},
             {"sign", FUNCTION, signOf},     {"sqrt", FUNCTION, sqrt},
             {"sin", FUNCTION, sin},         {"tan", FUNCTION, tan},
             {"asin", FUNCTION, asin},       {"atan", FUNCTION, atan},
             {"sinh", FUNCTION, sinh},       {"tanh", FUNCTION, tanh},
             {"floor", FUNCTION, floor},     {"ceil", FUNCTION, ceil},
             {"round", FUNCTION, round},     {"fix", FUNCTION, trunc},
             {"expm1", FUNCTION, expm1},     {"log1p", FUNCTION, log1p},
             {"asinh", FUNCTION, asinh},     {"atanh", FUNCTION, atanh}};

enum { KNOWN = sizeof known / sizeof *known };

/* The operation's place in the table of this file. */
static int find(const txCall *call) {
  int k = 0;
  while (k < KNOWN && (!call->operation || strcmp(known[k].name, call->operation->name)))
    k++;
  return k;
}

static bool alike(txShape a, txShape b) {
  return a.rows == b.rows && a.cols == b.cols;
}

/* One of the first two operands. */
static bool eitherIsSparse(const txCall *call) {
  const txOperand *a = &call->operand[0], *b = &call->operand[1];
  if (a->is_number || b->is_number)
    return (a->sparse || b->sparse) && isfinite(a->number) && isfinite(b->number);
  return (a->sparse || b->sparse) && alike(a->shape, b->shape);
}

static bool isTurned(const txCall *call, int k) {
  return k < call->operands && call->operand[k].number != 0;
}

/* Known from the operands alone, so that callers can ask before anything was computed. */
bool txSparseResult(const txCall *call) {
  int k = find(call);
  const txOperand *a = &call->operand[0], *b = &call->operand[1];
  if (k == KNOWN)
    return false;
  switch (known[k].rule) {
  case BOTH:
    return a->sparse && b->sparse && alike(a->shape, b->shape);
  case EITHER:
    return eitherIsSparse(call);
  case QUOTIENT:
    return a->sparse && b->is_number && b->number != 0 && !isnan(b->number);
  case PRODUCT:
    return a->sparse && b->sparse && !isTurned(call, 2) && !isTurned(call, 3);
  case DIAGONAL:
  case SUM:
    return false;
  default:
    return a->sparse || !strcmp(known[k].name, "sparse");
  }
}

static bool makesDense(rule r) {
  return r == SUM || r == DIAGONAL;
}

/* The result is sparse, or it is a sum or a diagonal of a sparse matrix. */
bool txSparseHas(const txCall *call) {
  int k = find(call);
  if (k == KNOWN || known[k].rule == ELSEWHERE)
    return false;
  return call->sparse || (makesDense(known[k].rule) && call->operand[0].sparse);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct rows {
  int64_t *start;
  int32_t *col;
  double *value;
} rows;

static void freeRows(rows *r) {
  free(r->start);
  free(r->col);
  free(r->value);
}

/* The matrix by compressed rows (CSR). */
static clStatus rowsOf(const txCall *call, const clTriplets *A, rows *r) {
  r->start = txCallAllocate(call, (size_t)A->rows + 1, sizeof *r->start, "rows");
  r->col = txCallAllocate(call, (size_t)A->count + 1, sizeof *r->col, "rows");
  r->value = txCallAllocate(call, (size_t)A->count + 1, sizeof *r->value, "rows");
  if (!r->start || !r->col || !r->value)
    return TEXLA_OUT_OF_MEMORY;
  return txCallStatus(call, clTripletsToCsr(A, r->start, r->col, r->value, call->error));
}

/* Appends an entry that is not zero. */
static clStatus add(const txCall *call, clTriplets *T, int32_t i, int32_t j, double value) {
  if (value == 0)
    return TEXLA_OK;
  return clTripletsAdd(T, i, j, value, call->error);
}

static const clTriplets *tripletsOf(const txCall *call, int k) {
  return call->operand[k].value->triplets;
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* A function with f(0) = 0 of each entry. */
static clStatus function(txCall *call, clTriplets *T, double (*f)(double x)) {
  const clTriplets *A = tripletsOf(call, 0);
  for (int64_t k = 0; k < A->count; k++)
    TRY(add(call, T, A->row[k], A->col[k], f(A->value[k])));
  return TEXLA_OK;
}

/* A + sign B */
static clStatus sumOfBoth(txCall *call, clTriplets *T) {
  double sign = strcmp(call->operation->name, "minus") ? 1 : -1;
  for (int operand = 0; operand < 2; operand++) {
    const clTriplets *A = tripletsOf(call, operand);
    double factor = operand ? sign : 1;
    for (int64_t k = 0; k < A->count; k++)
      TRY(add(call, T, A->row[k], A->col[k], factor * A->value[k]));
  }
  return TEXLA_OK;
}

/* Entries of A times those of B, row by row; `work`: a row of B with its zeros. */
static clStatus timesSparse(txCall *call, clTriplets *T, const rows *b, double *work) {
  const clTriplets *A = tripletsOf(call, 0);
  for (int64_t k = 0; k < A->count; k++) {
    int32_t i = A->row[k];
    bool first = k == 0 || A->row[k - 1] != i, last = k + 1 == A->count || A->row[k + 1] != i;
    for (int64_t p = b->start[i]; p < b->start[i + 1] && first; p++)
      work[b->col[p]] = b->value[p];
    TRY(add(call, T, i, A->col[k], A->value[k] * work[A->col[k]]));
    for (int64_t p = b->start[i]; p < b->start[i + 1] && last; p++)
      work[b->col[p]] = 0;
  }
  return TEXLA_OK;
}

/* Row i of A B is the sum of a_ik times row k of B (Gustavson 1978). `work`: a row with its zeros,
 * which is zero again behind each row. */
static clStatus productSparse(txCall *call, clTriplets *T, const rows *b, double *work) {
  const clTriplets *A = tripletsOf(call, 0);
  for (int64_t first = 0, last; first < A->count; first = last) {
    last = first;
    while (last < A->count && A->row[last] == A->row[first])
      last++;
    for (int64_t k = first; k < last; k++)
      for (int64_t p = b->start[A->col[k]]; p < b->start[A->col[k] + 1]; p++)
        work[b->col[p]] += A->value[k] * b->value[p];
    for (int64_t k = first; k < last; k++)
      for (int64_t p = b->start[A->col[k]]; p < b->start[A->col[k] + 1]; p++) {
        TRY(add(call, T, A->row[k], b->col[p], work[b->col[p]]));
        work[b->col[p]] = 0;
      }
  }
  return TEXLA_OK;
}

/* Products need the rows of the second operand and room for one row of the result. */
static clStatus withRows(txCall *call, clTriplets *T,
                         clStatus (*run)(txCall *, clTriplets *, const rows *, double *)) {
  rows b = {0};
  clStatus status = TEXLA_OUT_OF_MEMORY;
  const clTriplets *B = tripletsOf(call, 1);
  double *work = txCallAllocate(call, (size_t)B->cols + 1, sizeof *work, "a row");
  if (!work)
    goto cleanup;
  TRY_CLEANUP(rowsOf(call, B, &b));
  status = run(call, T, &b, work);
cleanup:
  freeRows(&b);
  free(work);
  return status;
}

/* A sparse matrix times a number, or entry by entry times a dense one. */
static clStatus times(txCall *call, clTriplets *T, bool divide) {
  int sparse = !call->operand[0].sparse, other = !sparse;
  const clTriplets *A = tripletsOf(call, sparse);
  const txOperand *o = &call->operand[other];
  double *dense = NULL;
  if (!o->is_number && o->sparse)
    return withRows(call, T, timesSparse);
  if (!o->is_number)
    TRY(txOperandHost(call, other, &dense));
  for (int64_t k = 0; k < A->count; k++) {
    double factor = o->number, value = A->value[k];
    if (dense)
      factor = dense[A->row[k] + (int64_t)A->rows * A->col[k]];
    if (divide)
      value /= factor;
    else
      value *= factor;
    TRY(add(call, T, A->row[k], A->col[k], value));
  }
  return TEXLA_OK;
}

/* Where a side's positions stand in an index, in lists: those of position p are at[first[p]] to
 * at[first[p + 1] - 1]. */
typedef struct places {
  int64_t *first;
  int32_t *at;
} places;

/* By counting sort: for each row of A, the places of the result where it goes. */
static clStatus placesOf(txCall *call, int k, int64_t side, int64_t count, places *p) {
  const txOperand *o = &call->operand[k];
  double *index = NULL;
  if (!o->is_number)
    TRY(txOperandHost(call, k, &index));
  p->first = txCallAllocate(call, (size_t)side + 2, sizeof *p->first, "positions");
  p->at = txCallAllocate(call, (size_t)count + 1, sizeof *p->at, "positions");
  if (!p->first || !p->at)
    return TEXLA_OUT_OF_MEMORY;
  for (int pass = 0; pass < 2; pass++) {
    for (int64_t n = 0; n < count; n++) {
      int64_t position = n;
      if (index)
        position = (int64_t)index[n] - 1;
      else if (o->number != 0)
        position = (int64_t)o->number - 1;
      if (position < 0 || position >= side)
        return txCallFail(call, TEXLA_BAD_ARGUMENT, "index %lld is out of bound %lld",
                          (long long)position + 1, (long long)side);
      if (pass)
        p->at[p->first[position + 1]] = (int32_t)n;
      if (pass)
        p->first[position + 1]++;
      else
        p->first[position + 2]++;
    }
    for (int64_t n = 2; n < side + 2 && !pass; n++)
      p->first[n] += p->first[n - 1];
  }
  return TEXLA_OK;
}

/* A[rows, columns], where a row or column may be chosen several times. */
static clStatus part(txCall *call, clTriplets *T) {
  const clTriplets *A = tripletsOf(call, 0);
  places row = {0}, col = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(placesOf(call, 1, A->rows, T->rows, &row));
  TRY_CLEANUP(placesOf(call, 2, A->cols, T->cols, &col));
  for (int64_t k = 0; k < A->count; k++)
    for (int64_t i = row.first[A->row[k]]; i < row.first[A->row[k] + 1]; i++)
      for (int64_t j = col.first[A->col[k]]; j < col.first[A->col[k] + 1]; j++)
        TRY_CLEANUP(add(call, T, row.at[i], col.at[j], A->value[k]));
cleanup:
  free(row.first);
  free(row.at);
  free(col.first);
  free(col.at);
  return status;
}

/* What stands on diagonal k and below it, or on it and above it. */
static clStatus triangle(txCall *call, clTriplets *T, bool lower) {
  const clTriplets *A = tripletsOf(call, 0);
  double side = 1, diagonal = call->operand[1].number;
  if (!lower)
    side = -1;
  for (int64_t k = 0; k < A->count; k++)
    if (side * ((double)A->col[k] - (double)A->row[k] - diagonal) <= 0)
      TRY(add(call, T, A->row[k], A->col[k], A->value[k]));
  return TEXLA_OK;
}

/* Diagonal k, as doubles with all zeros. */
static clStatus diagonal(txCall *call) {
  const clTriplets *A = tripletsOf(call, 0);
  double *out, k = call->operand[1].number;
  TRY(txResultHost(call, 0, &out));
  for (int64_t e = 0; e < A->count; e++)
    if ((double)A->col[e] - (double)A->row[e] == k)
      out[txLeast(A->row[e], A->col[e])] += A->value[e];
  return TEXLA_OK;
}

/* Along a dimension, as doubles with all zeros. */
static clStatus sum(txCall *call) {
  const clTriplets *A = tripletsOf(call, 0);
  bool down = call->operand[1].number == 1;
  double *out;
  TRY(txResultHost(call, 0, &out));
  for (int64_t k = 0; k < A->count; k++) {
    int32_t to = A->row[k];
    if (down)
      to = A->col[k];
    out[to] += A->value[k];
  }
  return TEXLA_OK;
}

clStatus txSparseRun(txCall *call) {
  int which = find(call);
  txShape s = call->shape[0];
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  if (known[which].rule == SUM)
    return sum(call);
  if (known[which].rule == DIAGONAL)
    return diagonal(call);
  TRY_CLEANUP(clTripletsCreate(&T, (int32_t)s.rows, (int32_t)s.cols, 16, call->error));
  switch (known[which].rule) {
  case BOTH:
    TRY_CLEANUP(sumOfBoth(call, T));
    break;
  case EITHER:
  case QUOTIENT:
    TRY_CLEANUP(times(call, T, known[which].rule == QUOTIENT));
    break;
  case PRODUCT:
    TRY_CLEANUP(withRows(call, T, productSparse));
    break;
  case PART:
    TRY_CLEANUP(part(call, T));
    break;
  case LOWER:
  case UPPER:
    TRY_CLEANUP(triangle(call, T, known[which].rule == LOWER));
    break;
  default:
    TRY_CLEANUP(function(call, T, known[which].f));
  }
  TRY_CLEANUP(clTripletsCompress(T, call->error));
  call->result[0]->triplets = T;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(T);
  return status;
}
