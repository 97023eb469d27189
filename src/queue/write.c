/* Writes into matrices: they touch what they write. They happen on the host, in the operand's own
 * memory where nobody else needs it (txCall.take), and the device gets the matrix when the next
 * operation on it asks for it: a series of writes is one transfer. */
#include "queue/write.h"
#include "core/try.h"
#include "queue/sparse_parts.h"

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

/* x_k <- value, counted down the columns, in the form that hostForm has left. */
static void writeSet(txValue *v, int64_t k, double value) {
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

/* Fails where a position lies beyond `side`, as Octave's own matrices do. */
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

/* Position n of the list, counted from 0. */
static int64_t writePosition(const list *l, int64_t n) {
  if (l->at)
    return (int64_t)l->at[n] - 1;
  return l->first + n;
}

/* As many values as places, or one for all of them. */
static clStatus writeCheckCount(txCall *call, int k, int64_t count) {
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
  TRY(writeCheckCount(call, 3, row.count * col.count));
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
      writeSet(call->result[0], writePosition(&row, i) + s.rows * writePosition(&col, j), value);
    }
  return TEXLA_OK;
}

/* x(k) = w */
clStatus txRunWriteSelect(txCall *call) {
  txShape s = call->shape[0], w = call->operand[2].shape;
  list k;
  double *values;
  TRY(listOf(call, 1, s.rows * s.cols, &k));
  TRY(writeCheckCount(call, 2, k.count));
  TRY(valuesOf(call, 2, &values));
  TRY(hostForm(call));
  double value = call->operand[2].number;
  bool many = w.rows * w.cols > 1;
  if (values)
    value = values[0];
  for (int64_t n = 0; n < k.count; n++) {
    if (many)
      value = values[n];
    writeSet(call->result[0], writePosition(&k, n), value);
  }
  return TEXLA_OK;
}

/* What is written into a sparse matrix, at that place of row after row. Of several at one place the
 * last one counts. */
typedef struct written {
  int64_t place, order;
  double value;
} written;

/* For qsort: by places, at one place in the order in which it was written. */
static int byPlace(const void *a, const void *b) {
  const written *x = a, *y = b;
  if (x->place == y->place)
    return (x->order > y->order) - (x->order < y->order);
  return (x->place > y->place) - (x->place < y->place);
}

/* Of entries (row, col) of x, in the order of w; where col is NULL the rows are positions down the
 * columns. The caller frees *out. */
static clStatus writeCollect(txCall *call, const list *row, const list *col, written **out) {
  int last = call->operands - 1;
  txShape s = call->shape[0], w = call->operand[last].shape;
  int64_t count = row->count;
  double *values;
  if (col)
    count *= col->count;
  TRY(writeCheckCount(call, last, count));
  TRY(valuesOf(call, last, &values));
  *out = txCallAllocate(call, (size_t)count + 1, sizeof **out, "what is written");
  if (!*out)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t n = 0; n < count; n++) {
    int64_t i = writePosition(row, n % row->count), j = i / s.rows;
    if (col)
      j = writePosition(col, n / row->count);
    (*out)[n] = (written){i % s.rows * s.cols + j, n, call->operand[last].number};
    if (values)
      (*out)[n].value = values[n % (w.rows * w.cols)];
  }
  qsort(*out, (size_t)count, sizeof **out, byPlace);
  (*out)[count].place = INT64_MAX;
  return TEXLA_OK;
}

/* Entries of x and what is written are merged. */
static clStatus merge(txCall *call, clTriplets *T, const written *w) {
  const clTriplets *A = txSparseOperand(call, 0);
  for (int64_t k = 0; k < A->count; k++) {
    int64_t place = (int64_t)A->row[k] * A->cols + A->col[k];
    while (w->place < place)
      w++;
    if (w->place != place)
      TRY(txSparseAdd(call, T, A->row[k], A->col[k], A->value[k]));
  }
  return TEXLA_OK;
}

/* x with the new entries, in both forms of writing; what is written as zero stays no entry. */
clStatus txWriteTriplets(txCall *call, clTriplets *T) {
  txShape s = call->shape[0];
  list row, col, *both = NULL;
  written *w = NULL;
  int64_t side = s.rows * s.cols;
  clStatus status = TEXLA_OK;
  if (!strcmp(call->operation->name, "write")) {
    side = s.rows;
    both = &col;
    TRY(listOf(call, 2, s.cols, &col));
  }
  TRY(listOf(call, 1, side, &row));
  TRY_CLEANUP(writeCollect(call, &row, both, &w));
  TRY_CLEANUP(merge(call, T, w));
  for (int64_t n = 0; w[n].place < INT64_MAX; n++)
    if (w[n + 1].place != w[n].place)
      TRY_CLEANUP(txSparseAdd(call, T, w[n].place / s.cols, w[n].place % s.cols, w[n].value));
cleanup:
  free(w);
  return status;
}

/* Entry n of an operand; a single one stands for all. */
static double writeEntryOf(const txCall *call, const double *const *x, int k, int64_t n) {
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
      TRY(writeCheckCount(call, k, count));
  TRY(txResultHost(call, 0, &out));
  for (int64_t n = 0; n < count; n++) {
    double i = writeEntryOf(call, x, 0, n), j = writeEntryOf(call, x, 1, n);
    if (i >= 1 && j >= 1 && i <= (double)s.rows && j <= (double)s.cols)
      out[(int64_t)i - 1 + s.rows * ((int64_t)j - 1)] += writeEntryOf(call, x, 2, n);
  }
  return TEXLA_OK;
}
