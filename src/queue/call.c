/* What operations ask of a call: operands and results in some form, messages in the operation's
 * name.
 *
 * An operation takes an operand in the form that suits it, and the value makes that form from one
 * that it has (value.h). It makes a result in one form. So operations do not know of each other,
 * and what is computed in one form and needed in another is converted once. */
#include "queue/operations.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Messages begin with the operation's name, as those of calls do with the call's. */
clStatus txCallFail(const txCall *call, clStatus status, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return txFail(call->error, status, call->name, "%s", text);
}

void *txCallAllocate(const txCall *call, size_t count, size_t size, const char *what) {
  return txAllocate(call->error, call->name, count, size, what);
}

/* The context's message is about the call inside, and tells more than the status; information
 * passes. */
clStatus txCallStatus(const txCall *call, clStatus status) {
  if (status >= 0)
    return status;
  const clError *cause = clContextError(call->context);
  const char *message = clStatusText(status);
  if (cause->status == status && cause->message[0])
    message = cause->message;
  return txFail(call->error, status, call->name, "%s", message);
}

void txCallNoteSingular(const txCall *call, double rcond) {
  if (call->note && rcond > 0)
    snprintf(call->note, TX_NOTE, "matrix singular to machine precision, rcond = %g", rcond);
  else if (call->note)
    snprintf(call->note, TX_NOTE, "matrix singular to machine precision");
}

/* ---- Operands and results in a form ---------------------------------------------------------- */

/* What was made belongs to the result also when more fails, and is freed with it. */
clStatus txResultVector(txCall *call, int k, clVector **out) {
  txValue *v = call->result[k];
  clStatus status =
      txCallStatus(call, clVectorCreate(&v->vector, call->context, v->rows * v->cols));
  *out = v->vector;
  return status;
}

/* The packed form, for results of products and eliminations. */
clStatus txResultDense(txCall *call, int k, clDense **out) {
  txValue *v = call->result[k];
  clStatus status =
      txCallStatus(call, clDenseCreate(&v->dense, call->context, (int)v->rows, (int)v->cols));
  *out = v->dense;
  return status;
}

/* Column after column, for results that are known in double. */
clStatus txResultHost(txCall *call, int k, double **out) {
  txValue *v = call->result[k];
  v->host = txCallAllocate(call, (size_t)(v->rows * v->cols), sizeof(double), "a result");
  *out = v->host;
  if (!v->host)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* Operand k in the form that an operation wants; it is made where the value has other forms
 * only, and kept with it. */
clStatus txOperandVector(txCall *call, int k, clVector **out) {
  return txValueVector(call->operand[k].value, call->context, call->name, out, call->error);
}

clStatus txOperandDense(txCall *call, int k, clDense **out) {
  return txValueDense(call->operand[k].value, call->context, call->name, out, call->error);
}

clStatus txOperandHost(txCall *call, int k, double **out) {
  return txValueHost(call->operand[k].value, call->context, call->name, out, call->error);
}

bool txOperandIsSparse(const txCall *call, int k) {
  return call->operand[k].value && call->operand[k].value->triplets;
}

/* Sparse values are in double always. */
bool txOperandIsDouble(const txCall *call, int k) {
  return call->operand[k].value &&
         (call->operand[k].value->host || call->operand[k].value->triplets);
}

/* 0 is what callers give for an operand that they leave out. */
double txOperandNumber(const txCall *call, int k, double otherwise) {
  bool given = k < call->operands && call->operand[k].is_number && call->operand[k].number != 0;
  return given ? call->operand[k].number : otherwise;
}

/* Row by row: the values as they lie, then without zeros where they are not wanted. */
static clStatus fillTriplets(const txCall *call, clTriplets *T, const double *a, bool zeros) {
  clHostMatrix from = {TEXLA_HOST_DOUBLE, T->rows, T->cols, 1, T->rows, (void *)(uintptr_t)a};
  clHostMatrix to = {TEXLA_HOST_DOUBLE, T->rows, T->cols, T->cols, 1, T->value};
  txHostCopy(&to, &from);
  for (int32_t i = 0; i < T->rows; i++)
    for (int32_t j = 0; j < T->cols; j++) {
      double value = T->value[(int64_t)i * T->cols + j];
      if (!isfinite(value))
        return txCallFail(call, TEXLA_NOT_FINITE, "entry (%d, %d) is %g", i + 1, j + 1, value);
      T->row[T->count] = i;
      T->col[T->count] = j;
      T->value[T->count] = value;
      T->count += zeros || value != 0;
    }
  return TEXLA_OK;
}

/* Sorted by rows, as they are filled, so that nothing has to be compressed. */
clStatus txOperandTriplets(txCall *call, int k, bool zeros, clTriplets **out, clTriplets **made) {
  const txValue *v = call->operand[k].value;
  double *a;
  *made = NULL;
  *out = v->triplets;
  if (v->triplets)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandHost(call, k, &a));
  TRY_CLEANUP(
      clTripletsCreate(made, (int32_t)v->rows, (int32_t)v->cols, txValueLength(v), call->error));
  TRY_CLEANUP(fillTriplets(call, *made, a, zeros));
cleanup:
  if (status) {
    clTripletsDestroy(*made);
    *made = NULL;
  }
  *out = *made;
  return status;
}
