/* Sums, products, largest and smallest entries along a dimension of a sparse matrix, and diagonals:
 * dense results, in double. */
#include "core/numbers.h"
#include "core/try.h"
#include "queue/sparse_parts.h"

#include <stdlib.h>
#include <string.h>

/* Diagonal operand 1 with all its zeros. */
clStatus txSparseDiagonal(txCall *call, clTriplets *T) {
  (void)T;
  const clTriplets *A = txSparseOperand(call, 0);
  double *out, k = call->operand[1].number;
  TRY(txResultHost(call, 0, &out));
  for (int64_t e = 0; e < A->count; e++)
    if ((double)A->col[e] - (double)A->row[e] == k)
      out[txLeast(A->row[e], A->col[e])] += A->value[e];
  return TEXLA_OK;
}

/* A row or a column while its entries come in ascending order: what they amount to, the place of
 * the one that is best, counted from 1, and how many of its first places have entries: there
 * stands the first zero. */
typedef struct line {
  double value;
  int64_t best, full;
  bool started;
} line;

/* What becomes of the entries of a line. */
typedef enum fold { SUM, PRODUCT, LARGEST, SMALLEST } fold;

/* The next entry of a line, at `place` counted from 0. The first of several that are as good
 * stays the best. */
static void sparseFoldsMeet(line *l, fold f, int64_t place, double value) {
  bool better = !l->started;
  if (f == LARGEST)
    better = better || value > l->value;
  if (f == SMALLEST)
    better = better || value < l->value;
  if (f == SUM)
    l->value += value;
  else if (f == PRODUCT && l->started)
    l->value *= value;
  else if (better)
    l->value = value;
  if (better)
    l->best = place + 1;
  l->started = true;
}

/* All entries have come; where one is missing, a zero counts, and comes before what is as good
 * behind it. */
static void sparseFoldsFinish(line *l, fold f, int64_t length) {
  int64_t before = l->best, gap = l->full + 1;
  if (l->full == length)
    return;
  sparseFoldsMeet(l, f, l->full, 0);
  if (l->value == 0 && before > gap)
    l->best = gap;
}

/* By the operation's name: sum, prod, max, min, argmax and argmin. */
static fold foldOf(const char *name) {
  if (!strcmp(name, "sum"))
    return SUM;
  if (!strcmp(name, "prod"))
    return PRODUCT;
  if (strstr(name, "max"))
    return LARGEST;
  return SMALLEST;
}

/* Along columns where operand 1 is the dimension 1, else along rows. Entries come row by row, so
 * that those of each line are in ascending order either way. */
clStatus txSparseFold(txCall *call, clTriplets *T) {
  (void)T;
  const clTriplets *A = txSparseOperand(call, 0);
  const char *name = call->operation->name;
  bool down = call->operand[1].number == 1, places = !strncmp(name, "arg", 3);
  int64_t count = A->rows, length = A->cols;
  if (down) {
    count = A->cols;
    length = A->rows;
  }
  double *out;
  TRY(txResultHost(call, 0, &out));
  line *lines = txCallAllocate(call, (size_t)count, sizeof *lines, "rows or columns");
  if (!lines)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++) {
    int64_t which = A->row[k], place = A->col[k];
    if (down) {
      which = A->col[k];
      place = A->row[k];
    }
    lines[which].full += place == lines[which].full;
    sparseFoldsMeet(&lines[which], foldOf(name), place, A->value[k]);
  }
  for (int64_t n = 0; n < count; n++) {
    sparseFoldsFinish(&lines[n], foldOf(name), length);
    out[n] = lines[n].value;
    if (places)
      out[n] = (double)lines[n].best;
  }
  free(lines);
  return TEXLA_OK;
}
