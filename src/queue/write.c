/* Writes into matrices: they touch what they write. They happen on the host, in the operand's own
 * memory where nobody else needs it (txCall.take), and the device gets the matrix when the next
 * operation on it asks for it: a series of writes is one transfer. */
#include "queue/write.h"
#include "core/try.h"

#include <stdlib.h>
#include <string.h>

/* The result as a copy of operand 0 on the host, in double or single precision as that is; or its
 * own memory. */
static clStatus hostForm(txCall *call) {
  txValue *x = call->operand[0].value, *out = call->result[0];
  size_t n = (size_t)txValueLength(out);
  clVector *vector;
  double *host;
  if (x->triplets)
    TRY(txOperandHost(call, 0, &host));
  if (call->take) {
    out->host = x->host;
    out->single = x->single;
    x->host = NULL;
    x->single = NULL;
  }
  if (out->host || out->single)
    return TEXLA_OK;
  if (x->host) {
    TRY(txResultHost(call, 0, &host));
    memcpy(host, x->host, n * sizeof *host);
    return TEXLA_OK;
  }
  out->single = txCallAllocate(call, n, sizeof *out->single, "a copy");
  if (!out->single)
    return TEXLA_OUT_OF_MEMORY;
  if (x->single) {
    memcpy(out->single, x->single, n * sizeof *out->single);
    return TEXLA_OK;
  }
  TRY(txOperandVector(call, 0, &vector));
  return txCallStatus(call, clVectorDownload(vector, out->single));
}

static void set(txValue *v, int64_t k, double value) {
  if (v->host)
    v->host[k] = value;
  else
    v->single[k] = (float)value;
}

/* An operand on the host; *values is NULL for a number. */
static clStatus valuesOf(txCall *call, int k, double **values) {
  *values = NULL;
  if (call->operand[k].is_number)
    return TEXLA_OK;
  return txOperandHost(call, k, values);
}

/* The positions that an operand lists, counted from 0: one number, or the number 0 for all. */
typedef struct list {
  const double *at;
  int64_t first, count;
} list;

static clStatus listOf(txCall *call, int k, int64_t side, list *l) {
  const txOperand *o = &call->operand[k];
  double *at;
  TRY(valuesOf(call, k, &at));
  *l = (list){at, (int64_t)o->number - 1, o->shape.rows * o->shape.cols};
  if (!at && o->number == 0)
    *l = (list){NULL, 0, side};
  for (int64_t n = 0; n < l->count; n++) {
    int64_t p = l->first + n;
    if (at)
      p = (int64_t)at[n] - 1;
    if (p < 0 || p >= side)
      return txCallFail(call, TEXLA_BAD_ARGUMENT, "index %lld is out of bound %lld",
                        (long long)p + 1, (long long)side);
  }
  return TEXLA_OK;
}

static int64_t position(const list *l, int64_t n) {
  if (l->at)
    return (int64_t)l->at[n] - 1;
  return l->first + n;
}

static clStatus checkCount(txCall *call, int k, int64_t count) {
  txShape w = call->operand[k].shape;
  if (w.rows * w.cols == count || w.rows * w.cols == 1)
    return TEXLA_OK;
  return txCallFail(call, TEXLA_BAD_SHAPE, "%lld entries are written with %lld", (long long)count,
                    (long long)(w.rows * w.cols));
}

/* x(rows, cols) = w */
clStatus txRunWrite(txCall *call) {
  txShape s = call->shape[0], w = call->operand[3].shape;
  list row, col;
  double *values;
  TRY(listOf(call, 1, s.rows, &row));
  TRY(listOf(call, 2, s.cols, &col));
  TRY(checkCount(call, 3, row.count * col.count));
  TRY(valuesOf(call, 3, &values));
  TRY(hostForm(call));
  double value = call->operand[3].number;
  bool many = w.rows * w.cols > 1;
  if (values)
    value = values[0];
  for (int64_t j = 0; j < col.count; j++)
    for (int64_t i = 0; i < row.count; i++) {
      if (many)
        value = values[i + row.count * j];
      set(call->result[0], position(&row, i) + s.rows * position(&col, j), value);
    }
  return TEXLA_OK;
}

/* x(k) = w */
clStatus txRunWriteSelect(txCall *call) {
  txShape s = call->shape[0], w = call->operand[2].shape;
  list k;
  double *values;
  TRY(listOf(call, 1, s.rows * s.cols, &k));
  TRY(checkCount(call, 2, k.count));
  TRY(valuesOf(call, 2, &values));
  TRY(hostForm(call));
  double value = call->operand[2].number;
  bool many = w.rows * w.cols > 1;
  if (values)
    value = values[0];
  for (int64_t n = 0; n < k.count; n++) {
    if (many)
      value = values[n];
    set(call->result[0], position(&k, n), value);
  }
  return TEXLA_OK;
}

/* Entry n of an operand; a single one stands for all. */
static double entryOf(const txCall *call, const double *const *x, int k, int64_t n) {
  const txOperand *o = &call->operand[k];
  if (!x[k])
    return o->number;
  if (o->shape.rows * o->shape.cols == 1)
    return x[k][0];
  return x[k][n];
}

/* result(x_n, y_n) += z_n */
clStatus txRunAccumulate(txCall *call) {
  txShape s = call->shape[0];
  const double *x[3] = {NULL};
  double *values, *out;
  int64_t count = 1;
  for (int k = 0; k < 3; k++) {
    txShape o = call->operand[k].shape;
    if (!call->operand[k].is_number && o.rows * o.cols != 1)
      count = o.rows * o.cols;
  }
  for (int k = 0; k < 3 && count; k++) {
    TRY(valuesOf(call, k, &values));
    x[k] = values;
  }
  for (int k = 0; k < 3; k++)
    if (!call->operand[k].is_number)
      TRY(checkCount(call, k, count));
  TRY(txResultHost(call, 0, &out));
  for (int64_t n = 0; n < count; n++) {
    double i = entryOf(call, x, 0, n), j = entryOf(call, x, 1, n);
    if (i >= 1 && j >= 1 && i <= (double)s.rows && j <= (double)s.cols)
      out[(int64_t)i - 1 + s.rows * ((int64_t)j - 1)] += entryOf(call, x, 2, n);
  }
  return TEXLA_OK;
}
