/* The product of the storage dense. A row of fragments is too few for a device and a whole row of A
 * too long for a loop and for a serial sum: both directions make partial sums, in parts that lie
 * one above the other, and then join them. */
#include "matrix/columns.h"
#include "core/numbers.h"
#include "core/try.h"
#include "matrix/gather.h"
#include "matrix/multivector.h"

#include <stdio.h>

enum { FRAGMENTS = 8192, LONGEST = 64, SHORTEST = 4, JOINED = 64 };

void txColumnsMatrix(txPass *pass, const clMatrix *A) {
  const txDense *dense = A->data;
  pass->source[0] = (txSource){"A", dense->texture, TX_EDGE};
  if (dense->across) {
    pass->defines = "#define ACROSS\n";
    txPassIntegers(pass, "across", 1, dense->across, 0);
  }
  txPassIntegers(pass, "image", 2, A->row_layout.width, A->row_layout.height);
}

/* A pass that joins each `span` of the `parts` images in `partial`. */
static txPass joiningPass(const txTexture *partial, int height, int parts, int span) {
  txPass pass = {.kernel = "parts", .source = {{"partial", partial, TX_EDGE}}, .work = span};
  txPassIntegers(&pass, "height", 1, height, 0);
  txPassIntegers(&pass, "parts", 1, parts, 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  return pass;
}

/* *partial <- fewer parts, which hold the same sums. */
static clStatus joinSome(const char *call, const clVector *y, txTexture **partial, int *parts) {
  enum { SPAN = JOINED / 2 };
  int height = y->layout.height, joined = txCeilDiv(*parts, SPAN);
  txTexture *target = NULL;
  txPass pass = joiningPass(*partial, height, *parts, SPAN);
  TRY(txPassInto(&target, y->context, call, &pass, TX_RGBA32F, (*partial)->width, joined * height));
  txTextureDestroy(*partial);
  *partial = target;
  *parts = joined;
  return TEXLA_OK;
}

/* y <- ca (the sum of `parts` images in `partial`) + cb b; destroys partial. */
static clStatus joinParts(const char *call, clVector *y, float ca, txTexture *partial, int parts,
                          float cb, const clVector *b) {
  clStatus status = TEXLA_OK;
  char defines[64] = "#define LAST\n";
  while (parts > JOINED)
    TRY_CLEANUP(joinSome(call, y, &partial, &parts));
  txPass pass = joiningPass(partial, y->layout.height, parts, parts);
  txCombine(&pass, defines, sizeof defines, ca, cb, b);
  TRY_CLEANUP(txVectorRun(call, &pass, y));
cleanup:
  txTextureDestroy(partial);
  return status;
}

/* Runs the pass of partial sums into `parts` images of y, then joins them. */
static clStatus runParts(const char *call, clVector *y, float ca, txPass *pass, int parts, float cb,
                         const clVector *b) {
  txTexture *partial = NULL;
  TRY(txPassInto(&partial, y->context, call, pass, TX_RGBA32F, y->layout.width,
                 y->layout.height * parts));
  return joinParts(call, y, ca, partial, parts, cb, b);
}

/* y <- ca A x + cb b; x is linear. */
static clStatus forward(const char *call, clVector *y, float ca, const clMatrix *A,
                        const clVector *x, float cb, const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size;
  int count = (int)txCeilDiv64(x->layout.length, 4), texels = y->layout.width * y->layout.height;
  int parts = txCeilDiv(count, LONGEST);
  int wanted = txLeast(txCeilDiv(FRAGMENTS, texels), txCeilDiv(count, SHORTEST));
  parts = txLeast(txMost(parts, wanted), limit / y->layout.height);
  int span = txCeilDiv(count, parts);
  txPass pass = {.kernel = "columns", .work = 5 * (int64_t)span};
  txColumnsMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  txPassIntegers(&pass, "x_shift", 1, txLinearShift(&x->layout), 0);
  txPassIntegers(&pass, "x_count", 1, count, 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  return runParts(call, y, ca, &pass, txCeilDiv(count, span), cb, b);
}

/* y <- ca A^T x + cb b; y is linear. */
static clStatus backward(const char *call, clVector *y, float ca, const clMatrix *A,
                         const clVector *x, float cb, const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size, w = x->layout.width,
      h = x->layout.height;
  /* parts */
  int most = limit / y->layout.height;
  int span_x = (int)txLeast64(w, LONGEST), span_y = (int)txLeast64(h, LONGEST / span_x);
  while ((int64_t)txCeilDiv(w, span_x) * txCeilDiv(h, span_y) > most)
    if (span_y < h)
      span_y = (int)txLeast64(h, 2 * (int64_t)span_y);
    else
      span_x = (int)txLeast64(w, 2 * (int64_t)span_x);
  txPass pass = {.kernel = "columns_transposed", .work = 5 * (int64_t)span_x * span_y};
  txColumnsMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  txPassIntegers(&pass, "span", 2, span_x, span_y);
  txPassIntegers(&pass, "parts_x", 1, txCeilDiv(w, span_x), 0);
  txPassIntegers(&pass, "y_shift", 1, txLinearShift(&y->layout), 0);
  txPassIntegers(&pass, "y_height", 1, y->layout.height, 0);
  return runParts(call, y, ca, &pass, txCeilDiv(w, span_x) * txCeilDiv(h, span_y), cb, b);
}

/* x in the linear layout that the kernels want. */
static clStatus forwardFromGrid(const char *call, clVector *y, float ca, const clMatrix *A,
                                const clVector *x, float cb, const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txVectorCreate(&linear, A->context, call, &dense->columns));
  TRY_CLEANUP(clVectorCopy(linear, x));
  TRY_CLEANUP(forward(call, y, ca, A, linear, cb, b));
cleanup:
  clVectorDestroy(linear);
  return status;
}

/* The result is linear first, and scaled and added up when it has its own layout. */
static clStatus backwardToGrid(const char *call, clVector *y, float ca, const clMatrix *A,
                               const clVector *x, float cb, const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL, *grid = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txVectorCreate(&linear, A->context, call, &dense->columns));
  TRY_CLEANUP(txVectorCreate(&grid, A->context, call, &A->col_layout));
  TRY_CLEANUP(backward(call, linear, 1, A, x, 0, NULL));
  TRY_CLEANUP(clVectorCopy(grid, linear));
  if (b)
    TRY_CLEANUP(clVectorAdd(y, ca, NULL, grid, cb, NULL, b));
  else
    TRY_CLEANUP(clVectorScale(y, ca, NULL, grid));
cleanup:
  clVectorDestroy(linear);
  clVectorDestroy(grid);
  return status;
}

/* The kernels want linear vectors of length cols; those of a grid are converted. */
clStatus txColumnsMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                           bool transposed, const clVector *x, float cb, const clVector *b) {
  bool grid = A->col_layout.grid;
  if (transposed && grid)
    return backwardToGrid(call, y, ca, A, x, cb, b);
  if (transposed)
    return backward(call, y, ca, A, x, cb, b);
  if (grid)
    return forwardFromGrid(call, y, ca, A, x, cb, b);
  return forward(call, y, ca, A, x, cb, b);
}

/* Each fragment fetches the four entries a_ii of its texel. */
clStatus txColumnsDiagonal(const char *call, clVector *d, const clMatrix *A) {
  txPass pass = {.kernel = "columns_diagonal", .work = 4};
  txColumnsMatrix(&pass, A);
  return txVectorRun(call, &pass, d);
}

/* The same with several vectors: partial sums in images of single vectors, four rows to a texel,
 * where an entry of A is fetched once for eight vectors; then a pass that joins and interleaves
 * them. */
enum { MULTI_FRAGMENTS = 8192, MULTI_SHORTEST = 16, MULTI_PARTS = 64 };

/* Each entry of A is fetched once and multiplied by the elements of all vectors. */
static clStatus sumSeveral(const char *call, const txMultiProduct *product, int span,
                           txTexture *const *sums) {
  const clMatrix *A = product->A;
  const txDense *dense = A->data;
  char defines[64];
  snprintf(defines, sizeof defines, "#define GROUPS %d\n%s", product->groups,
           txWhen(dense->across > 0, "#define ACROSS\n"));
  txPass pass = {
      .kernel = "multivector_columns",
      .defines = defines,
      .source = {{"A", dense->texture, TX_EDGE}, {"x0", product->x[0]->texture, TX_EDGE}},
      .work = (1 + product->groups) * (int64_t)span};
  if (product->groups > 1)
    pass.source[2] = (txSource){"x1", product->x[1]->texture, TX_EDGE};
  if (dense->across)
    txPassIntegers(&pass, "across", 1, dense->across, 0);
  txPassIntegers(&pass, "image", 2, A->row_layout.width, A->row_layout.height);
  txPassIntegers(&pass, "x_row", 1, (int)product->x[0]->layout.row, 0);
  txPassIntegers(&pass, "x_count", 1, A->cols, 0);
  txPassIntegers(&pass, "span", 1, span, 0);
  for (int k = 0; k < TX_MULTIVECTOR * product->groups; k++)
    pass.target[k] = sums[k];
  return txPassRun(A->context, call, &pass);
}

/* Adds up the parts of four vectors and interleaves them. */
static clStatus joinSeveral(const char *call, const txMultiProduct *product, int parts,
                            txTexture *const *sums) {
  static const char *const name[TX_MULTIVECTOR] = {"s0", "s1", "s2", "s3"};
  const txLayout *image = &product->A->row_layout;
  for (int g = 0; g < product->groups; g++) {
    char defines[64] = "";
    txMultiProduct one = {product->A, 1,           &product->y[g], &product->x[g],
                          NULL,       product->ca, product->cb};
    if (product->b)
      one.b = &product->b[g];
    txPass pass = {
        .kernel = "multivector_parts",
        .uniform = {{"span", 1, {(float)product->y[g]->layout.width / (4 * (float)image->width)}},
                    {"step", 1, {1 / (float)parts}}},
        .work = TX_MULTIVECTOR * (int64_t)parts};
    txPassIntegers(&pass, "parts", 1, parts, 0);
    for (int k = 0; k < TX_MULTIVECTOR; k++)
      pass.source[k] = (txSource){name[k], sums[TX_MULTIVECTOR * g + k], TX_EDGE};
    TRY(txMultivectorRun(call, &pass, defines, sizeof defines, &one));
  }
  return TEXLA_OK;
}

/* As many parts as keep the device busy, but no more than its textures hold. */
clStatus txColumnsMultiplySeveral(const char *call, const txMultiProduct *product) {
  const clMatrix *A = product->A;
  const txLayout *image = &A->row_layout;
  txTexture *sums[TX_MULTIVECTOR * TX_GROUPS] = {0};
  int wanted = txCeilDiv(MULTI_FRAGMENTS, image->width * image->height);
  int count = txCeilDiv(A->cols, MULTI_SHORTEST);
  int most = txLeast(MULTI_PARTS, clContextInspect(A->context)->max_texture_size / image->height);
  int span = txCeilDiv(A->cols, txLeast(txLeast(wanted, count), most));
  int parts = txCeilDiv(A->cols, span);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_MULTIVECTOR * product->groups; k++)
    TRY_CLEANUP(txTextureCreate(&sums[k], A->context, call, TX_RGBA32F, image->width,
                                image->height * parts));
  TRY_CLEANUP(sumSeveral(call, product, span, sums));
  TRY_CLEANUP(joinSeveral(call, product, parts, sums));
cleanup:
  for (int k = 0; k < TX_MULTIVECTOR * TX_GROUPS; k++)
    txTextureDestroy(sums[k]);
  return status;
}
