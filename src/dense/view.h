/* Views inside: checks, and views as blocks of whole texels where they are such, else as copies
 * that are. */
#ifndef TEXLA_DENSE_VIEW_H
#define TEXLA_DENSE_VIEW_H

#include "dense/entries.h"

/* Fails unless the view's matrix exists, belongs to `context`, which keeps the message, and holds
 * all of the view. */
clStatus txViewCheck(const char *call, clContext *context, const char *name, clDenseView V);
/* ... or is not in 2 x 2 packing. */
clStatus txViewCheckPacked(const char *call, clContext *context, const char *name, clDenseView V);

/* The shape of op(V). */
typedef struct txViewSize {
  int rows, cols;
} txViewSize;
txViewSize txViewSizeOf(clTranspose op, clDenseView V);

bool txViewIsWhole(clDenseView V);
/* The view consists of whole texels: it begins at an even row and column, and ends at such or where
 * the matrix ends. */
bool txViewIsAligned(clDenseView V);
/* Its texels then. */
txRect txViewRect(clDenseView V);

/* *out <- a new matrix: factor * op(V), 2 x 2 packed. With factor 0 the values of V do not
 * matter. */
clStatus txViewTake(clDense **out, const char *call, clTranspose op, float factor, clDenseView V);
/* V <- A, of the same shape. A's contents are undefined afterwards (the two may have changed
 * textures). */
clStatus txViewPut(const char *call, clDenseView V, clDense *A);

/* A view as an operand that passes read: where its texels are, and the copy that holds them, if one
 * was needed. */
typedef struct txOperand {
  const txTexture *texture;
  /* its first texel */
  int x, y;
  clDense *copy;
} txOperand;
clStatus txOperandOpen(txOperand *out, const char *call, clDenseView V);
void txOperandClose(txOperand *operand);

#endif
