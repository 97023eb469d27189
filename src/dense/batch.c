/* Many small products in one pass: the matrices are grids of blocks. */
#include "dense/view.h"

#include <stdio.h>

enum { MOST_UNROLLED = 16 /* texels: programs for the inner dimensions up to 32 */ };

typedef struct side {
  int rows, cols; /* of a block, in entries */
} side;

typedef struct batch {
  const char *call;
  int down, across;
  side a, b, c;
  bool a_turned, b_turned;
} batch;

/* A block's shape; blocks that are not alone must consist of whole texels. */
static clStatus divide(const batch *m, const char *name, const clDense *A, side *block) {
  clError *error = txContextError(A->context);
  *block = (side){A->rows / m->down, A->cols / m->across};
  if (A->rows % m->down || A->cols % m->across)
    return txFail(error, TEXLA_BAD_SHAPE, m->call, "%s is %d x %d, which %d x %d equal blocks do not fill", name,
                  A->rows, A->cols, m->down, m->across);
  if ((m->down > 1 && block->rows % 2) || (m->across > 1 && block->cols % 2))
    return txFail(error, TEXLA_BAD_SHAPE, m->call,
                  "blocks of %s are %d x %d: rows and columns must be even; add a row or column of zeros", name,
                  block->rows, block->cols);
  return TEXLA_OK;
}

static clStatus check(batch *m, clDense *C, float alpha, clDenseOp a_op, const clDense *A, clDenseOp b_op,
                      const clDense *B, float beta) {
  clContext *context = txDenseFirstContext(C, A);
  clStatus status = txDenseCheckPacked(m->call, context, "C", C);
  if (!status)
    status = txDenseCheckPacked(m->call, context, "A", A);
  if (!status)
    status = txDenseCheckPacked(m->call, context, "B", B);
  if (!status)
    status = txDenseCheckOp(m->call, context, a_op);
  if (!status)
    status = txDenseCheckOp(m->call, context, b_op);
  if (!status)
    status = txDenseCheckFactor(m->call, context, "alpha", alpha);
  if (!status)
    status = txDenseCheckFactor(m->call, context, "beta", beta);
  if (!status && (m->down < 1 || m->across < 1))
    status = txFail(txContextError(context), TEXLA_BAD_ARGUMENT, m->call, "%d x %d blocks: both must be at least 1",
                    m->down, m->across);
  if (!status)
    status = divide(m, "A", A, &m->a);
  if (!status)
    status = divide(m, "B", B, &m->b);
  return status ? status : divide(m, "C", C, &m->c);
}

static side turnIf(bool turned, side s) {
  return turned ? (side){s.cols, s.rows} : s;
}

static float texels(int entries) {
  return (float)((entries + 1) / 2);
}

static clStatus run(const batch *m, clDense *C, float alpha, const clDense *A, const clDense *B, float beta,
                    int inner) {
  char text[96];
  int count = (inner + 1) / 2, n = 0;
  if (count <= MOST_UNROLLED)
    n = snprintf(text, sizeof text, "#define INNER %d\n", count);
  snprintf(text + n, sizeof text - (size_t)n, "%s%s%s", m->a_turned ? "#define A_TRANSPOSED\n" : "",
           m->b_turned ? "#define B_TRANSPOSED\n" : "", beta != 0 ? "#define C\n" : "");
  float width = texels(m->c.cols), height = texels(m->c.rows);
  txPass pass = {
      .kernel = "batch",
      .defines = text,
      .source = {{"a", A->texture, TX_EDGE}, {"b", B->texture, TX_EDGE}, {beta != 0 ? "c" : NULL, C->texture, TX_EDGE}},
      .uniform = {{"blocks", 4, {width, height, 1 / width, 1 / height}},
                  {"sides", 4, {texels(m->a.cols), texels(m->a.rows), texels(m->b.cols), texels(m->b.rows)}},
                  {"terms", 3, {alpha, beta, (float)count}}},
      .work = 2 * count};
  return txDenseRun(m->call, &pass, C);
}

clStatus clDenseMultiplyBatch(clDense *C, float alpha, clDenseOp a_op, const clDense *A, clDenseOp b_op,
                              const clDense *B, float beta, int down, int across) {
  batch m = {.call = "clDenseMultiplyBatch",
             .down = down,
             .across = across,
             .a_turned = a_op == TEXLA_DENSE_TRANSPOSED,
             .b_turned = b_op == TEXLA_DENSE_TRANSPOSED};
  clStatus status = check(&m, C, alpha, a_op, A, b_op, B, beta);
  if (status)
    return status;
  side a = turnIf(m.a_turned, m.a), b = turnIf(m.b_turned, m.b);
  if (a.cols != b.rows || m.c.rows != a.rows || m.c.cols != b.cols)
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, m.call,
                  "blocks of op(A) are %d x %d and of op(B) %d x %d, but those of C %d x %d", a.rows, a.cols, b.rows,
                  b.cols, m.c.rows, m.c.cols);
  return run(&m, C, alpha, A, B, beta, a.cols);
}
