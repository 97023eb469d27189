/* Entries of sparse matrices at other places. */
#include "core/numbers.h"
#include "core/try.h"
#include "queue/sparse_parts.h"

#include <stdlib.h>
#include <string.h>

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
clStatus txSparsePart(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  places row = {0}, col = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(placesOf(call, 1, A->rows, T->rows, &row));
  TRY_CLEANUP(placesOf(call, 2, A->cols, T->cols, &col));
  for (int64_t k = 0; k < A->count; k++)
    for (int64_t i = row.first[A->row[k]]; i < row.first[A->row[k] + 1]; i++)
      for (int64_t j = col.first[A->col[k]]; j < col.first[A->col[k] + 1]; j++)
        TRY_CLEANUP(txSparseAdd(call, T, row.at[i], col.at[j], A->value[k]));
cleanup:
  free(row.first);
  free(row.at);
  free(col.first);
  free(col.at);
  return status;
}

/* The entry at that place of row after row, or 0. */
static double entryAt(const clTriplets *A, int64_t i, int64_t j) {
  int64_t low = 0, high = A->count;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (A->row[middle] < i || (A->row[middle] == i && A->col[middle] < j))
      low = middle + 1;
    else
      high = middle;
  }
  if (low < A->count && A->row[low] == i && A->col[low] == j)
    return A->value[low];
  return 0;
}

/* A(k), positions counted from 1 down the columns. */
clStatus txSparseSelect(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  const txOperand *o = &call->operand[1];
  double *index = NULL;
  if (!o->is_number)
    TRY(txOperandHost(call, 1, &index));
  for (int64_t n = 0; n < o->shape.rows * o->shape.cols; n++) {
    double k = o->number;
    if (index)
      k = index[n];
    if (!(k >= 1 && k <= (double)A->rows * A->cols))
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "index %g is out of bound %lld", k,
                        (long long)A->rows * A->cols);
    int64_t at = (int64_t)k - 1;
    TRY(txSparseAdd(call, T, n % T->rows, n / T->rows, entryAt(A, at % A->rows, at / A->rows)));
  }
  return TEXLA_OK;
}

/* What stands on diagonal k and below it, or on it and above it. */
clStatus txSparseTriangle(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  double side = 1, diagonal = call->operand[1].number;
  if (strcmp(call->operation->name, "tril") != 0)
    side = -1;
  for (int64_t k = 0; k < A->count; k++)
    if (side * ((double)A->col[k] - (double)A->row[k] - diagonal) <= 0)
      TRY(txSparseAdd(call, T, A->row[k], A->col[k], A->value[k]));
  return TEXLA_OK;
}

/* The same entries column after column in another shape. */
clStatus txSparseReshape(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t k = 0; k < A->count; k++) {
    int64_t at = A->row[k] + (int64_t)A->rows * A->col[k];
    TRY(txSparseAdd(call, T, at % T->rows, at / T->rows, A->value[k]));
  }
  return TEXLA_OK;
}

/* Cut, or with zeros at the end. */
clStatus txSparseResize(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] < T->rows && A->col[k] < T->cols)
      TRY(txSparseAdd(call, T, A->row[k], A->col[k], A->value[k]));
  return TEXLA_OK;
}

/* All entries of A once more, `factor` times as large, from row i and column j of the result on. */
static clStatus sparseMovesAddBlock(txCall *call, clTriplets *T, const clTriplets *A, int64_t i,
                                    int64_t j, double factor) {
  for (int64_t k = 0; k < A->count; k++)
    TRY(txSparseAdd(call, T, i + A->row[k], j + A->col[k], factor * A->value[k]));
  return TEXLA_OK;
}

/* Copies below and beside each other. */
clStatus txSparseRepeat(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t i = 0; i < T->rows; i += A->rows)
    for (int64_t j = 0; j < T->cols; j += A->cols)
      TRY(sparseMovesAddBlock(call, T, A, i, j, 1));
  return TEXLA_OK;
}

/* Both operands as triplets; where one is dense, made[k] is to be destroyed. An empty one, or one
 * number, has a form of its own. */
static clStatus bothOf(txCall *call, clTriplets *A[2], clTriplets *made[2]) {
  for (int k = 0; k < 2; k++) {
    const txOperand *o = &call->operand[k];
    A[k] = NULL;
    if (txShapeEmpty(o->shape))
      continue;
    if (!o->is_number) {
      TRY(txOperandTriplets(call, k, false, &A[k], &made[k]));
      continue;
    }
    TRY(clTripletsCreate(&made[k], 1, 1, 1, call->error));
    TRY(txSparseAdd(call, made[k], 0, 0, o->number));
    A[k] = made[k];
  }
  return TEXLA_OK;
}

/* [A, B] and [A; B] */
clStatus txSparseJoin(txCall *call, clTriplets *T) {
  bool below = strcmp(call->operation->name, "vertcat") == 0;
  clTriplets *A[2], *made[2] = {NULL, NULL};
  int64_t i = 0, j = 0;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(bothOf(call, A, made));
  for (int k = 0; k < 2; k++) {
    if (A[k])
      TRY_CLEANUP(sparseMovesAddBlock(call, T, A[k], i, j, 1));
    if (below)
      i = call->operand[0].shape.rows;
    else
      j = call->operand[0].shape.cols;
  }
cleanup:
  clTripletsDestroy(made[0]);
  clTripletsDestroy(made[1]);
  return status;
}

/* Each entry of A becomes a block, B times that entry. */
clStatus txSparseKron(txCall *call, clTriplets *T) {
  clTriplets *A[2], *made[2] = {NULL, NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(bothOf(call, A, made));
  for (int64_t k = 0; k < A[0]->count; k++)
    TRY_CLEANUP(sparseMovesAddBlock(call, T, A[1], (int64_t)A[0]->row[k] * A[1]->rows,
                                    (int64_t)A[0]->col[k] * A[1]->cols, A[0]->value[k]));
cleanup:
  clTripletsDestroy(made[0]);
  clTripletsDestroy(made[1]);
  return status;
}

/* A vector as diagonal operand 1. */
clStatus txSparseOnDiagonal(txCall *call, clTriplets *T) {
  const clTriplets *A = txSparseOperand(call, 0);
  int64_t diagonal = (int64_t)call->operand[1].number;
  for (int64_t k = 0; k < A->count; k++) {
    int64_t at = (int64_t)A->row[k] + A->col[k];
    TRY(txSparseAdd(call, T, at + txMost64(-diagonal, 0), at + txMost64(diagonal, 0), A->value[k]));
  }
  return TEXLA_OK;
}
