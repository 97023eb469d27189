#include "dense/triangular.h"
#include "core/allocate.h"
#include "core/try.h"
#include "dense/dense.h"
#include "dense/view.h"
#include "vector/run.h"

#include <stdio.h>
#include <stdlib.h>

/* substitution repeats work: many columns want smaller blocks */
enum { BASE = 16, WIDE_BASE = 4, WIDE = 64 };

/* What the recursion works on. */
typedef struct work {
  const char *call;
  const txTriangular *T;
  /* of the same width; row 0 of `solved` is the first one of `rect` */
  txTexture *B, *solved;
  txRect rect;
  int rows, cols;
  /* texels of a diagonal block that one pass solves */
  int base;
} work;

/* op(T) is lower triangular. */
static bool isForward(const txTriangular *T) {
  return (T->triangle == TEXLA_TRIANGLE_LOWER) == (T->op == TEXLA_NO_TRANSPOSE);
}

/* A diagonal block by one pass: a fragment substitutes for all unknowns up to its own. */
static clStatus triangularSubstitute(const work *w, int first, int count) {
  const txTriangular *T = w->T;
  char text[96];
  snprintf(text, sizeof text, "#define MOST %d\n%s%s%s", w->base,
           txWhen(!isForward(T), "#define BACKWARD\n"),
           txWhen(T->op == TEXLA_TRANSPOSE, "#define TRANSPOSED\n"),
           txWhen(T->unit, "#define UNIT\n"));
  txPass pass = {
      .kernel = "triangular",
      .defines = text,
      .target = {w->solved},
      .source = {{"t", T->texture, TX_EDGE}, {"b", w->B, TX_EDGE}},
      .uniform =
          {{"corner", 2, {(float)(T->x + first), (float)(T->y + first)}, .integer = true},
           {"place", 3, {(float)count, (float)(w->rect.y + first), (float)first}, .integer = true}},
      .rect = {w->rect.x, first, w->rect.width, count},
      .work = (int64_t)count * count};
  return txPassRun(w->B->context, w->call, &pass);
}

/* A diagonal block whose inverse is there is a product. */
static clStatus multiplyInverse(const work *w, int first, int count) {
  txProduct p = {.target = w->solved,
                 .rect = {w->rect.x, first, w->rect.width, count},
                 .rows = 2 * (first + count),
                 .cols = w->cols,
                 .alpha = 1,
                 .a = {w->T->inverse, 0, w->T->y + first, TEXLA_NO_TRANSPOSE},
                 .b = {w->B, w->rect.x, w->rect.y + first, TEXLA_NO_TRANSPOSE},
                 .inner = count};
  return txProductRun(w->B->context, w->call, &p, NULL);
}

/* X[first .. first + count] <- op(T)^-1 B there */
static clStatus triangularSolveBlock(const work *w, int first, int count) {
  if (w->T->inverse)
    return multiplyInverse(w, first, count);
  return triangularSubstitute(w, first, count);
}

/* B[row ..] -= op(T)[row .., col ..] X[col ..] */
static clStatus triangularUpdate(const work *w, int row, int rows, int col, int cols) {
  const txTriangular *T = w->T;
  int x = T->x + col, y = T->y + row;
  if (T->op == TEXLA_TRANSPOSE) {
    x = T->x + row;
    y = T->y + col;
  }
  txRect rect = {w->rect.x, w->rect.y + row, w->rect.width, rows};
  txProduct p = {.target = w->B,
                 .rect = rect,
                 .rows = w->rows,
                 .cols = w->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {T->texture, x, y, T->op},
                 .b = {w->solved, w->rect.x, col, TEXLA_NO_TRANSPOSE},
                 .inner = cols,
                 .c = {w->B, rect.x, rect.y, TEXLA_NO_TRANSPOSE}};
  return txProductRun(w->B->context, w->call, &p, NULL);
}

/* Halved again and again: both halves, and between them the product of one with the block beside
 * it. */
static clStatus triangularSolve(const work *w, int first, int count) {
  int base = w->base;
  if (count <= base)
    return triangularSolveBlock(w, first, count);
  int half = base * ((count / base + 1) / 2), rest = count - half;
  if (isForward(w->T)) {
    TRY(triangularSolve(w, first, half));
    TRY(triangularUpdate(w, first + half, rest, first, half));
    return triangularSolve(w, first + half, rest);
  }
  TRY(triangularSolve(w, first + half, rest));
  TRY(triangularUpdate(w, first, half, first + half, rest));
  return triangularSolve(w, first, half);
}

/* Solutions go into a texture of their own, since products must not read what they write. */
clStatus txTriangularSolve(const char *call, const txTriangular *T, txTexture *B, txRect rect,
                           int rows, int cols) {
  work w = {.call = call, .T = T, .B = B, .rect = rect, .rows = rows, .cols = cols};
  w.base = WIDE_BASE;
  if (T->inverse)
    w.base = T->inverse->width;
  else if (rect.width <= WIDE)
    w.base = BASE;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&w.solved, B->context, call, B->format, B->width, T->texels));
  TRY_CLEANUP(triangularSolve(&w, 0, T->texels));
  TRY_CLEANUP(txTexelsCopy(call, B, rect, w.solved, rect.x, 0));
cleanup:
  txTextureDestroy(w.solved);
  return status;
}

/* The solution for the identity; `unit` diagonals only, as L of LU has them. */
clStatus txTriangularInvert(const char *call, txTexture *inverse, const txTexture *T, int at,
                            int texels) {
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

/* A texture of pairs, which the host reads. */
clStatus txDiagonalRead(float **out, const char *call, const txTexture *T, int x, int y, int n) {
  int texels = n / 2 + n % 2;
  txPass pass = {.kernel = "dense_diagonal",
                 .source = {{"a", T, TX_EDGE}},
                 .uniform = {{"corner", 2, {(float)x, (float)y}, .integer = true}}};
  txTexture *diagonal = NULL;
  float *values = txAllocate(txContextError(T->context), call, (size_t)texels * 2, sizeof *values,
                             "a diagonal");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txPassInto(&diagonal, T->context, call, &pass, TX_RG32F, texels, 1));
  TRY_CLEANUP(txTextureRead(diagonal, call, (txRect){0, 0, texels, 1}, values));
  *out = values;
  values = NULL;
cleanup:
  txTextureDestroy(diagonal);
  free(values);
  return status;
}

clStatus txDiagonalZero(const char *call, const txTexture *T, int x, int y, int n, int *row) {
  float *values = NULL;
  *row = -1;
  TRY(txDiagonalRead(&values, call, T, x, y, n));
  for (int i = 0; i < n && *row < 0; i++) {
    if (values[i] == 0)
      *row = i;
  }
  free(values);
  return TEXLA_OK;
}

/* A system op(T) X = alpha B, or X op(T) = alpha B. */
typedef struct triangularSystem {
  clDenseSide side;
  clTriangle triangle;
  bool unit;
  clTranspose op;
  float alpha;
  clDenseView T, B;
} triangularSystem;

/* Fails unless T is square and fits B on its side. */
static clStatus checkSystem(const char *call, clDenseView X, const triangularSystem *s) {
  clContext *context = txDenseFirstContext(X.matrix, s->T.matrix);
  clDenseView T = s->T, B = s->B;
  TRY(txViewCheckPacked(call, context, "X", X));
  TRY(txViewCheckPacked(call, context, "T", T));
  TRY(txViewCheckPacked(call, context, "B", B));
  TRY(txDenseCheckOp(call, context, s->op));
  TRY(txDenseCheckFactor(call, context, "alpha", s->alpha));
  if ((s->side != TEXLA_DENSE_LEFT && s->side != TEXLA_DENSE_RIGHT) ||
      (s->triangle != TEXLA_TRIANGLE_LOWER && s->triangle != TEXLA_TRIANGLE_UPPER))
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "side (%d) and triangle (%d) must be of their lists", (int)s->side,
                  (int)s->triangle);
  int n = B.cols;
  const char *needed = "n x n, k x n and k x n";
  if (s->side == TEXLA_DENSE_LEFT) {
    n = B.rows;
    needed = "n x n, n x k and n x k";
  }
  if (T.rows == n && T.cols == n && X.rows == B.rows && X.cols == B.cols)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                "T is %d x %d, B %d x %d and X %d x %d (need %s)", T.rows, T.cols, B.rows, B.cols,
                X.rows, X.cols, needed);
}

/* Y <- op(T)^-1 Y, or from the right: its transpose. */
static clStatus solveTaken(const char *call, clDense *Y, const triangularSystem *s,
                           const txOperand *T) {
  bool flips = s->side == TEXLA_DENSE_RIGHT;
  bool turned = (s->op == TEXLA_TRANSPOSE) != flips;
  int zero = -1;
  if (!s->unit)
    TRY(txDiagonalZero(call, T->texture, T->x, T->y, s->T.rows, &zero));
  if (zero >= 0)
    return txFail(txContextError(Y->context), TEXLA_SINGULAR, call,
                  "entry (%d, %d) on the diagonal of T is zero", zero + 1, zero + 1);
  txTriangular t = {T->texture,
                    T->x,
                    T->y,
                    txViewRect(s->T).height,
                    s->triangle,
                    s->unit,
                    txTransposeWhen(turned),
                    NULL};
  txRect all = {0, 0, Y->texture->width, Y->texture->height};
  return txTriangularSolve(call, &t, Y->texture, all, Y->rows, Y->cols);
}

/* From the right, X op(T) = alpha B, by op(T)^T X^T = alpha B^T. */
static clStatus solveViews(const char *call, clDenseView X, const triangularSystem *s) {
  clTranspose turn = txTransposeWhen(s->side == TEXLA_DENSE_RIGHT);
  txOperand T = {0};
  clDense *Y = NULL, *back = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(checkSystem(call, X, s));
  TRY_CLEANUP(txOperandOpen(&T, call, s->T));
  TRY_CLEANUP(txViewTake(&Y, call, turn, s->alpha, s->B));
  TRY_CLEANUP(solveTaken(call, Y, s, &T));
  if (turn == TEXLA_TRANSPOSE)
    TRY_CLEANUP(txViewTake(&back, call, turn, 1, clDenseViewAll(Y)));
  TRY_CLEANUP(txViewPut(call, X, back ? back : Y));
cleanup:
  txOperandClose(&T);
  clDenseDestroy(Y);
  clDenseDestroy(back);
  return status;
}

clStatus clDenseTriangularSolve(clDense *X, clDenseSide side, clTriangle triangle, bool unit,
                                clTranspose op, float alpha, const clDense *T, const clDense *B) {
  triangularSystem s = {side, triangle, unit, op, alpha, clDenseViewAll(T), clDenseViewAll(B)};
  return solveViews("clDenseTriangularSolve", clDenseViewAll(X), &s);
}

clStatus clDenseViewTriangularSolve(clDenseView X, clDenseSide side, clTriangle triangle, bool unit,
                                    clTranspose op, float alpha, clDenseView T, clDenseView B) {
  triangularSystem s = {side, triangle, unit, op, alpha, T, B};
  return solveViews("clDenseViewTriangularSolve", X, &s);
}
