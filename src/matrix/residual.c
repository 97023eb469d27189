/* Residuals in double-float: what all storages share, the lower parts of the entries, the public
 * calls. */
#include "matrix/residual.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "gl/traits.h"
#include "matrix/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void txResidualPass(txPass *pass, char *text, size_t n, const char *defines, const txResidual *r) {
  const clDoubleVector *b = r->b;
  snprintf(text, n, "%s%s%s%s", txDoubleFloatDefine(r->A->context), defines,
           r->pair ? "#define PAIR\n" : "", txFullDefine(&b->high.layout));
  pass->defines = text;
  txPassSource(pass, "b", b->high.texture, TX_EDGE);
  txPassSource(pass, "b_low", b->low.texture, TX_EDGE);
  if (!r->pair)
    txPassUniform(pass, (txUniform){"factor", 1, {r->factor}, NULL, false});
}

clStatus txResidualRun(const char *call, txPass *pass, const char *defines, const txResidual *r) {
  enum { MORE = 256 };
  size_t n = strlen(defines) + MORE;
  char *text = txAllocate(txContextError(r->A->context), call, n, 1, "a shader");
  if (!text)
    return TEXLA_OUT_OF_MEMORY;
  txResidualPass(pass, text, n, defines, r);
  clStatus status =
      r->pair ? txVectorsRun(call, pass, (clVector *const[]){&r->pair->high, &r->pair->low}, 2)
              : txVectorRun(call, pass, r->single);
  free(text);
  return status;
}

/* Points cannot be added up in double-float by blending: another storage of the same matrix does
 * it. */
clStatus txTwinResidual(const char *call, const txResidual *r) {
  txResidual twin = *r;
  twin.A = r->A->twin;
  if (!twin.A)
    return txFail(
        txContextError(r->A->context), TEXLA_UNSUPPORTED, call,
        "a matrix in the storage points must be created with clMatrixOptions.double_float");
  return twin.A->operations->residual(call, &twin);
}

/* b - low x in double-float: low x is small enough for single precision. */
static clStatus subtractLow(const char *call, clDoubleVector **out, const txResidual *r) {
  clVector product = {.context = r->A->context, .layout = r->b->high.layout};
  clStatus status = txDoubleVectorReserve(out, product.context, call, &product.layout);
  if (!status)
    status = txLayoutTexture(&product.texture, product.context, call, &product.layout);
  if (!status)
    status =
        r->A->low->operations->multiply(call, &product, 1, r->A->low, false, &r->x->high, 0, NULL);
  if (!status)
    status = txDoubleAddSingle(call, *out, -1, &product, 1, r->b);
  txTextureDestroy(product.texture);
  return status;
}

clStatus txMatrixResidual(const char *call, const txResidual *residual) {
  txResidual r = *residual;
  clDoubleVector *b = NULL;
  clStatus status = txDoubleFloatCheck(r.A->context, call);
  if (!status && !r.A->operations->residual)
    status = txFail(txContextError(r.A->context), TEXLA_UNSUPPORTED, call,
                    "an operator of one's own has no residual in double-float");
  if (!status && r.A->low) {
    status = subtractLow(call, &b, &r);
    r.b = b;
  }
  if (!status)
    status = r.A->operations->residual(call, &r);
  clDoubleVectorDestroy(b);
  return status;
}

static float lowOf(double v) {
  float hi, lo;
  txDoubleSplit(v, &hi, &lo);
  return lo;
}

/* Counts entries that single precision rounds; of rows that have the same values the first is
 * enough. */
static void countLow(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const txRows *rows = user;
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    for (int64_t i = 0; i < run.count; i += run.alike)
      for (int64_t e = run.entry + i * run.length; e < run.entry + (i + 1) * run.length; e++)
        sum[0] += (double)run.alike * (lowOf(rows->A->value[e]) != 0);
}

/* What rounding to single precision leaves of the entries, as a matrix of its own; *out <- NULL
 * where that is nothing. */
static clStatus collectLow(clTriplets **out, const txRows *rows, clError *error) {
  const clTriplets *T = rows->A;
  clTriplets *low = NULL;
  double count[TX_SUMS];
  txParallel(T->rows, countLow, (void *)rows, count);
  clStatus status =
      count[0] > 0 ? clTripletsCreate(&low, T->rows, T->cols, (int64_t)count[0], error) : TEXLA_OK;
  for (int64_t k = 0; k < T->count && low && !status; k++)
    if (lowOf(T->value[k]) != 0)
      status = clTripletsAdd(low, T->row[k], T->col[k], (double)lowOf(T->value[k]), error);
  if (!status && low)
    status = clTripletsCompress(low, error);
  if (status)
    clTripletsDestroy(low);
  else
    *out = low;
  return status;
}

/* A matrix that has A's layouts, without what transposed products need. */
static clStatus createBeside(clMatrix **out, const clMatrix *A, const clTriplets *T,
                             clStorage storage) {
  txRows rows;
  clMatrixOptions o = txMatrixLike(A, storage);
  o.linear = !A->row_layout.grid;
  clStatus status = txRowsFind(&rows, T, "clMatrixCreate", txContextError(A->context));
  if (status)
    return status;
  status = txMatrixCreate(out, A->context, &rows, &o, false);
  txRowsForget(&rows);
  return status;
}

clStatus txMatrixAddLow(clMatrix *A, const txRows *rows) {
  clTriplets *low = NULL;
  clStatus status = collectLow(&low, rows, txContextError(A->context));
  if (!status && low)
    status = createBeside(&A->low, A, low, A->storage);
  if (!status && A->storage == TEXLA_STORAGE_POINTS)
    status = createBeside(&A->twin, A, rows->A, TEXLA_STORAGE_SLOTS);
  clTripletsDestroy(low);
  return status;
}
