/* Entries of sparse operands and results. */
#include "queue/sparse_parts.h"

#include <math.h>

const clTriplets *txSparseOperand(const txCall *call, int k) {
  return call->operand[k].value->triplets;
}

clStatus txSparseAdd(const txCall *call, clTriplets *T, int64_t i, int64_t j, double value) {
  const char *what = "infinite";
  if (value == 0)
    return TEXLA_OK;
  if (isfinite(value))
    return clTripletsAdd(T, (int32_t)i, (int32_t)j, value, call->error);
  if (isnan(value))
    what = "no real number";
  return txCallFail(
      call, TEXLA_NOT_FINITE,
      "entry (%lld, %lld) would be %s, and a sparse matrix holds finite numbers; give "
      "it its zeros first (full), or compute it on the host",
      (long long)i + 1, (long long)j + 1, what);
}
