/* Operations along a whole dimension: running sums and products, sorting. */
#include "queue/kernels.h"

#include <stdio.h>
#include <string.h>

/* g->out <- body, and that becomes x[k]; the vector that was there goes, unless it is the
 * operand's. */
static clStatus step(txCall *call, txGather *g, int k, const clVector *operand) {
  clStatus status =
      txCallStatus(call, clVectorCreate(&g->out, call->context, g->shape.rows * g->shape.cols));
  if (!status)
    status = txGatherRun(call, g);
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
  snprintf(body, sizeof body,
           "int n = int(N0); float b = X(i, j); if (%s < n) return b; float a = X(%s); return %s;",
           down ? "i" : "j", down ? "i - n, j" : "i, j - n", call->operation->text);
  clVector *x = NULL;
  clStatus status = txOperandVector(call, 0, &x);
  txGather g = {.body = body, .shape = s, .x = {x}, .size = {s}};
  for (int64_t n = 1; n < side && !status; n *= 2) {
    g.number[0] = (double)n;
    status = step(call, &g, 0, x);
  }
  if (!status && g.x[0] == x)
    status = txCallStatus(call, clVectorClone(&g.x[0], x));
  if (status && g.x[0] != x)
    clVectorDestroy(g.x[0]);
  else if (!status)
    call->result[0]->vector = g.x[0];
  return status;
}

/* The positions in y of what x holds, sorted by a bitonic network whose first step of a stage
 * mirrors, so that the smaller one of a pair always goes to the front and any length will do
 * (Batcher 1968). Equal entries keep their order; NaN counts as the largest. */
static clStatus sortPositions(txCall *call, txGather *g, bool down, bool descending) {
  static const char compare[] =
      "int n = %s, here = %s, there = here ^ int(N0);"
      " if (there >= n) return Y(i, j);"
      " int p = int(Y(i, j)), q = int(%s);"
      " float a = %s, b = %s;"
      " bool first = a != a || b != b ? (a == a) == %s || (a != a && b != b) : a %c b;"
      " if (a == b || (a != a && b != b)) first = p < q;"
      " return float((here < there) == first ? p : q);";
  char body[640];
  snprintf(body, sizeof body, compare, down ? "XR" : "XC", down ? "i" : "j",
           down ? "Y(there, j)" : "Y(i, there)", down ? "X(p - 1, j)" : "X(i, p - 1)",
           down ? "X(q - 1, j)" : "X(i, q - 1)", descending ? "false" : "true",
           descending ? '>' : '<');
  int64_t side = down ? g->shape.rows : g->shape.cols;
  g->body = down ? "return float(i + 1);" : "return float(j + 1);";
  clStatus status = step(call, g, 1, NULL);
  g->body = body;
  for (int64_t stage = 2; stage < 2 * side && !status; stage *= 2) {
    g->number[0] = (double)(stage - 1);
    status = step(call, g, 1, NULL);
    for (int64_t n = stage / 4; n >= 1 && !status; n /= 2) {
      g->number[0] = (double)n;
      status = step(call, g, 1, NULL);
    }
  }
  return status;
}

clStatus txRunSort(txCall *call) {
  bool down = call->operand[1].number == 1;
  clVector *x = NULL;
  clStatus status = txOperandVector(call, 0, &x);
  txGather g = {.shape = call->shape[0], .x = {x}, .size = {call->shape[0], call->shape[0]}};
  if (!status)
    status = sortPositions(call, &g, down, txOperandNumber(call, 2, 0) != 0);
  if (!status)
    status = txResultVector(call, 0, &g.out);
  g.body = down ? "return X(int(Y(i, j)) - 1, j);" : "return X(i, int(Y(i, j)) - 1);";
  if (!status)
    status = txGatherRun(call, &g);
  if (!status && call->results > 1)
    call->result[1]->vector = g.x[1];
  else
    clVectorDestroy(g.x[1]);
  return status;
}
