/* Operations along a whole dimension: running sums and products, sorting.
 *
 * A fragment cannot write where others read, so both are networks: every pass looks at pairs whose
 * distance is fixed, and log n or log^2 n passes do the work. */
#include "queue/kernels.h"
#include "core/try.h"

#include <stdio.h>
#include <string.h>

/* g->out <- body, and that becomes x[k]; the vector that was there goes, unless it is the
 * operand's. */
static clStatus orderStep(txCall *call, txGather *g, int k, const clVector *operand) {
  int64_t length = g->shape.rows * g->shape.cols;
  TRY(txCallStatus(call, clVectorCreate(&g->out, call->context, length)));
  clStatus status = txGatherRun(call, g);
  if (status) {
    clVectorDestroy(g->out);
    return status;
  }
  if (g->x[k] != operand)
    clVectorDestroy(g->x[k]);
  g->x[k] = g->out;
  return TEXLA_OK;
}

/* Entries combine with those 1, 2, 4, ... before them (Hillis and Steele 1986, "Data parallel
 * algorithms"). */
clStatus txRunScan(txCall *call) {
  bool down = call->operand[1].number == 1;
  txShape s = call->shape[0];
  int64_t side = down ? s.rows : s.cols;
  char body[256];
  const char *text =
      "int n = int(N0); float b = X(i, j); if (j < n) return b; float a = X(i, j - n); return %s;";
  if (down)
    text = "int n = int(N0); float b = X(i, j); if (i < n) return b; float a = X(i - n, j); "
           "return %s;";
  snprintf(body, sizeof body, text, call->operation->text);
  clVector *x = NULL;
  TRY(txOperandVector(call, 0, &x));
  txGather g = {.body = body, .shape = s, .x = {x}, .size = {s}};
  clStatus status = TEXLA_OK;
  for (int64_t n = 1; n < side; n *= 2) {
    g.number[0] = (double)n;
    TRY_CLEANUP(orderStep(call, &g, 0, x));
  }
  if (g.x[0] == x)
    TRY_CLEANUP(txCallStatus(call, clVectorClone(&g.x[0], x)));
  call->result[0]->vector = g.x[0];
  g.x[0] = NULL;
cleanup:
  if (g.x[0] != x)
    clVectorDestroy(g.x[0]);
  return status;
}

/* The test of one pair. %1$s is the side that is sorted, %2$s this place on it, %3$s the place of
 * the other one in Y, %4$s and %5$s the entries p and q of X. */
static void writeCompare(char *body, size_t n, bool down, bool descending) {
  static const char compare[] =
      "int n = %s, here = %s, there = here ^ int(N0);"
      " if (there >= n) return Y(i, j);"
      " int p = int(Y(i, j)), q = int(%s);"
      " float a = %s, b = %s;"
      " bool first = a != a || b != b ? (a == a) == %s || (a != a && b != b) : a %c b;"
      " if (a == b || (a != a && b != b)) first = p < q;"
      " return float((here < there) == first ? p : q);";
  const char *nan_last = descending ? "false" : "true";
  char better = descending ? '>' : '<';
  if (down)
    snprintf(body, n, compare, "XR", "i", "Y(there, j)", "X(p - 1, j)", "X(q - 1, j)", nan_last,
             better);
  else
    snprintf(body, n, compare, "XC", "j", "Y(i, there)", "X(i, p - 1)", "X(i, q - 1)", nan_last,
             better);
}

/* The positions in y of what x holds, sorted by a bitonic network whose first step of a stage
 * mirrors, so that the smaller one of a pair always goes to the front and any length will do
 * (Batcher 1968), as `compare` of writeCompare orders them. Equal entries keep their order; NaN
 * counts as the largest. */
static clStatus sortPositions(txCall *call, txGather *g, bool down, const char *compare) {
  int64_t side = down ? g->shape.rows : g->shape.cols;
  g->body = down ? "return float(i + 1);" : "return float(j + 1);";
  TRY(orderStep(call, g, 1, NULL));
  g->body = compare;
  for (int64_t stage = 2; stage < 2 * side; stage *= 2) {
    g->number[0] = (double)(stage - 1);
    TRY(orderStep(call, g, 1, NULL));
    for (int64_t n = stage / 4; n >= 1; n /= 2) {
      g->number[0] = (double)n;
      TRY(orderStep(call, g, 1, NULL));
    }
  }
  return TEXLA_OK;
}

/* The positions are sorted, and then the values gathered in their order. */
clStatus txRunSort(txCall *call) {
  bool down = call->operand[1].number == 1;
  clVector *x = NULL;
  TRY(txOperandVector(call, 0, &x));
  txGather g = {.shape = call->shape[0], .x = {x}, .size = {call->shape[0], call->shape[0]}};
  clStatus status = TEXLA_OK;
  char compare[640];
  writeCompare(compare, sizeof compare, down, txOperandNumber(call, 2, 0) != 0);
  TRY_CLEANUP(sortPositions(call, &g, down, compare));
  TRY_CLEANUP(txResultVector(call, 0, &g.out));
  g.body = down ? "return X(int(Y(i, j)) - 1, j);" : "return X(i, int(Y(i, j)) - 1);";
  TRY_CLEANUP(txGatherRun(call, &g));
  if (call->results > 1) {
    call->result[1]->vector = g.x[1];
    g.x[1] = NULL;
  }
cleanup:
  clVectorDestroy(g.x[1]);
  return status;
}
