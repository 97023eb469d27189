/* The product of two sparse matrices, row by row. */
#include "core/try.h"
#include "queue/sparse_parts.h"

#include <stdlib.h>

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

/* Row i of A B is the sum of a_ik times row k of B (Gustavson 1978). `work`: a row with its zeros,
 * which is zero again behind each row. */
static clStatus sparseProductMultiply(txCall *call, clTriplets *T, const rows *b, double *work) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t first = 0, last; first < A->count; first = last) {
    last = first;
    while (last < A->count && A->row[last] == A->row[first])
      last++;
    for (int64_t k = first; k < last; k++)
      for (int64_t p = b->start[A->col[k]]; p < b->start[A->col[k] + 1]; p++)
        work[b->col[p]] += A->value[k] * b->value[p];
    for (int64_t k = first; k < last; k++)
      for (int64_t p = b->start[A->col[k]]; p < b->start[A->col[k] + 1]; p++) {
        TRY(txSparseAdd(call, T, A->row[k], b->col[p], work[b->col[p]]));
        work[b->col[p]] = 0;
      }
  }
  return TEXLA_OK;
}

/* It needs the rows of the second operand and room for one row of the result. */
clStatus txSparseProduct(txCall *call, clTriplets *T) {
  rows b = {0};
  clStatus status = TEXLA_OUT_OF_MEMORY;
  const clTriplets *B = txSparseOperand(call, 1);
  double *work = txCallAllocate(call, (size_t)B->cols + 1, sizeof *work, "a row");
  if (!work)
    goto cleanup;
  TRY_CLEANUP(rowsOf(call, B, &b));
  status = sparseProductMultiply(call, T, &b, work);
cleanup:
  freeRows(&b);
  free(work);
  return status;
}
