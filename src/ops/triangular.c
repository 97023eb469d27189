#include "ops/triangular.h"

#include <stdio.h>
#include <stdlib.h>

enum { BASE = 16, WIDE_BASE = 4, WIDE = 64 }; /* substitution repeats work: many columns want smaller blocks */

clStatus txTexelsCopy(const char *call, txTexture *target, txRect rect, const txTexture *source, int x, int y) {
  txPass pass = {.kernel = "texels_copy",
                 .target = {target},
                 .source = {{"a", source, TX_EDGE}},
                 .uniform = {{"shift", 2, {(float)(x - rect.x), (float)(y - rect.y)}, .integer = true}},
                 .rect = rect};
  return txPassRun(target->context, call, &pass);
}

/* What the recursion works on. */
typedef struct work {
  const char *call;
  const txTriangular *T;
  txTexture *B, *solved; /* of the same width; row 0 of `solved` is the first one of `rect` */
  txRect rect;
  int rows, cols;
  int base; /* texels of a diagonal block that one pass solves */
} work;

/* op(T) is lower triangular. */
static bool isForward(const txTriangular *T) {
  return (T->triangle == TEXLA_LOWER) == (T->op == TEXLA_NORMAL);
}

static clStatus substitute(const work *w, int first, int count) {
  const txTriangular *T = w->T;
  char text[96];
  snprintf(text, sizeof text, "#define MOST %d\n%s%s%s", w->base, isForward(T) ? "" : "#define BACKWARD\n",
           T->op == TEXLA_TRANSPOSED ? "#define TRANSPOSED\n" : "", T->unit ? "#define UNIT\n" : "");
  txPass pass = {.kernel = "triangular",
                 .defines = text,
                 .target = {w->solved},
                 .source = {{"t", T->texture, TX_EDGE}, {"b", w->B, TX_EDGE}},
                 .uniform = {{"corner", 2, {(float)(T->x + first), (float)(T->y + first)}, .integer = true},
                             {"place", 3, {(float)count, (float)(w->rect.y + first), (float)first}, .integer = true}},
                 .rect = {w->rect.x, first, w->rect.width, count},
                 .work = (int64_t)count * count};
  return txPassRun(w->B->context, w->call, &pass);
}

static clStatus multiplyInverse(const work *w, int first, int count) {
  txProduct p = {.target = w->solved,
                 .rect = {w->rect.x, first, w->rect.width, count},
                 .rows = 2 * (first + count),
                 .cols = w->cols,
                 .alpha = 1,
                 .a = {w->T->inverse, 0, w->T->y + first, TEXLA_NORMAL},
                 .b = {w->B, w->rect.x, w->rect.y + first, TEXLA_NORMAL},
                 .inner = count};
  return txProductRun(w->B->context, w->call, &p, -1);
}

/* X[first .. first + count] <- op(T)^-1 B there */
static clStatus solveBlock(const work *w, int first, int count) {
  return w->T->inverse ? multiplyInverse(w, first, count) : substitute(w, first, count);
}

/* B[row ..] -= op(T)[row .., col ..] X[col ..] */
static clStatus update(const work *w, int row, int rows, int col, int cols) {
  const txTriangular *T = w->T;
  bool turned = T->op == TEXLA_TRANSPOSED;
  txRect rect = {w->rect.x, w->rect.y + row, w->rect.width, rows};
  txProduct p = {.target = w->B,
                 .rect = rect,
                 .rows = w->rows,
                 .cols = w->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {T->texture, T->x + (turned ? row : col), T->y + (turned ? col : row), T->op},
                 .b = {w->solved, w->rect.x, col, TEXLA_NORMAL},
                 .inner = cols,
                 .c = {w->B, rect.x, rect.y, TEXLA_NORMAL}};
  return txProductRun(w->B->context, w->call, &p, -1);
}

static clStatus solve(const work *w, int first, int count) {
  int base = w->base;
  if (count <= base)
    return solveBlock(w, first, count);
  int half = base * ((count / base + 1) / 2), rest = count - half;
  bool forward = isForward(w->T);
  clStatus status = forward ? solve(w, first, half) : solve(w, first + half, rest);
  if (!status)
    status = forward ? update(w, first + half, rest, first, half) : update(w, first, half, first + half, rest);
  if (!status)
    status = forward ? solve(w, first + half, rest) : solve(w, first, half);
  return status;
}

clStatus txTriangularSolve(const char *call, const txTriangular *T, txTexture *B, txRect rect, int rows, int cols) {
  work w = {.call = call, .T = T, .B = B, .rect = rect, .rows = rows, .cols = cols};
  w.base = T->inverse ? TX_TRIANGLE : rect.width <= WIDE ? BASE : WIDE_BASE;
  clStatus status = txTextureCreate(&w.solved, B->context, call, B->format, B->width, T->texels);
  if (!status)
    status = solve(&w, 0, T->texels);
  if (!status)
    status = txTexelsCopy(call, B, rect, w.solved, rect.x, 0);
  txTextureDestroy(w.solved);
  return status;
}

clStatus txTriangularInvert(const char *call, txTexture *inverse, const txTexture *T, int at, int texels) {
  char text[64];
  snprintf(text, sizeof text, "#define MOST %d\n#define UNIT\n#define IDENTITY\n", TX_TRIANGLE);
  txPass pass = {.kernel = "triangular",
                 .defines = text,
                 .target = {inverse},
                 .source = {{"t", T, TX_EDGE}},
                 .uniform = {{"corner", 2, {(float)at, (float)at}, .integer = true},
                             {"place", 3, {(float)texels, 0, (float)at}, .integer = true}},
                 .rect = {0, at, texels, texels},
                 .work = (int64_t)texels * texels};
  return txPassRun(T->context, call, &pass);
}

clStatus txDiagonalZero(const char *call, const clDense *A, int *row) {
  int texels = A->texture->width < A->texture->height ? A->texture->width : A->texture->height;
  int n = A->rows < A->cols ? A->rows : A->cols;
  float *values = malloc((size_t)texels * 2 * sizeof *values);
  if (!values)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for a diagonal of %d", n);
  txPass pass = {.kernel = "dense_diagonal", .source = {{"a", A->texture, TX_EDGE}}};
  clStatus status = txTextureCreate(&pass.target[0], A->context, call, TX_RG32F, texels, 1);
  if (!status)
    status = txPassRun(A->context, call, &pass);
  if (!status)
    status = txTextureRead(pass.target[0], call, (txRect){0, 0, texels, 1}, values);
  txTextureDestroy(pass.target[0]);
  *row = -1;
  for (int i = 0; i < n && !status && *row < 0; i++)
    if (values[i] == 0)
      *row = i;
  free(values);
  return status;
}

static clStatus checkSystem(const char *call, const clDense *X, const clDense *T, const clDense *B) {
  clStatus status = txDenseCheckPacked(call, clDenseContext(T), "X", X);
  if (!status)
    status = txDenseCheckPacked(call, X->context, "T", T);
  if (!status)
    status = txDenseCheckPacked(call, X->context, "B", B);
  if (status)
    return status;
  if (T->rows != T->cols || B->rows != T->rows || X->rows != B->rows || X->cols != B->cols)
    return txFail(txContextError(X->context), TEXLA_BAD_SHAPE, call,
                  "T is %d x %d, B %d x %d and X %d x %d (need n x n, n x k and n x k)", T->rows, T->cols, B->rows,
                  B->cols, X->rows, X->cols);
  return TEXLA_OK;
}

clStatus clDenseTriangularSolve(clDense *X, clTriangle triangle, bool unit, clDenseOp op, const clDense *T,
                                const clDense *B) {
  static const char call[] = "clDenseTriangularSolve";
  int zero = -1;
  clStatus status = checkSystem(call, X, T, B);
  if (!status && !unit)
    status = txDiagonalZero(call, T, &zero);
  if (!status && zero >= 0)
    return txFail(txContextError(X->context), TEXLA_SINGULAR, call, "entry (%d, %d) on the diagonal of T is zero",
                  zero + 1, zero + 1);
  clDense *Y = NULL; /* T may be X */
  if (!status)
    status = clDenseClone(&Y, B);
  txTriangular t = {T ? T->texture : NULL, 0, 0, 0, triangle, unit, op, NULL};
  if (!status) {
    t.texels = T->texture->height;
    status = txTriangularSolve(call, &t, Y->texture, (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows,
                               Y->cols);
  }
  if (!status) {
    txTexture *old = X->texture;
    X->texture = Y->texture;
    Y->texture = old;
  }
  clDenseDestroy(Y);
  return status;
}
