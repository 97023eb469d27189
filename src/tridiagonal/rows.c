/* Row by row, as the document has it (B5): the chosen systems become the columns of a batch of
 * (sub, main, super, rhs) texels, a pass eliminates one row of all systems, or a few, and another
 * pass per row substitutes back. The next row is there before a pivot is chosen, so that rows can
 * be exchanged as LAPACK's gtsv does: 2 n passes, for systems that the blocks cannot solve. */
#include "tridiagonal/tridiagonal.h"
#include "core/numbers.h"
#include "core/try.h"

enum { COLUMNS = 4096 };

/* Columns that are being solved; textures [0] and [1] take turns. */
typedef struct chosen {
  const clTridiagonal *T;
  const char *call;
  const clTridiagonalBands *A;
  const clVector *rhs;
  int rows, blocks, at_once, columns;
  /* number of each column's system */
  txTexture *list;
  /* columns x rows */
  txTexture *batch;
  /* U, and what is left after a block */
  txTexture *upper[2];
  /* unknowns; for the right-hand side u of periodic systems */
  txTexture *x[2], *q[2];
} chosen;

/* What the passes over rows of the given grids have in common. */
static void addGiven(const chosen *c, txPass *pass, txDefines *defines) {
  txDefineIf(defines, txTridiagonalAlongX(c->T), "ALONG_X");
  txDefineIf(defines, c->T->options.periodic, "PERIODIC");
  txDefine(defines, "AT_ONCE", c->at_once);
  txTridiagonalAddBands(pass, defines, c->A, c->rhs);
  txTridiagonalSource(pass, "list", c->list);
  txPassUniform(pass, (txUniform){"rows", 1, {(float)c->rows}});
}

/* batch <- (sub, main, super, rhs) of each row of the columns' systems; `corner`: with the
 * right-hand side u of the rank-one term that makes a system periodic. */
static clStatus packBatch(const chosen *c, bool corner) {
  txDefines defines = {""};
  txPass pass = {
      .kernel = "tridiagonal_pack", .defines = defines.text, .target = {c->batch}, .work = 12};
  addGiven(c, &pass, &defines);
  txDefineIf(&defines, corner, "CORNER");
  return txPassRun(c->T->context, c->call, &pass);
}

/* The row of a texture in which a block's results lie. */
static txRect rowOf(const chosen *c, int block) {
  return (txRect){0, block / 2, c->columns, 1};
}

/* Eliminates `at_once` rows of all columns; two textures take turns as source and target. */
static clStatus forward(const chosen *c, const char *defines, int block) {
  txPass pass = {
      .kernel = "tridiagonal_forward",
      .defines = defines,
      .target = {c->upper[block % 2]},
      .source = {{"batch", c->batch, TX_EDGE}, {"before", c->upper[1 - block % 2], TX_EDGE}},
      .uniform = {{"rows", 1, {(float)c->rows}}, {"block", 1, {(float)block}}},
      .rect = rowOf(c, block)};
  return txPassRun(c->T->context, c->call, &pass);
}

/* Substitutes back through the rows of a block, from the unknowns of the block after it. */
static clStatus backward(const chosen *c, const char *defines, int block, txTexture *const x[2]) {
  txPass pass = {
      .kernel = "tridiagonal_backward",
      .defines = defines,
      .target = {x[block % 2]},
      .source = {{"upper", c->upper[block % 2], TX_EDGE}, {"after", x[1 - block % 2], TX_EDGE}},
      .uniform = {{"block", 1, {(float)block}}, {"blocks", 1, {(float)c->blocks}}},
      .rect = rowOf(c, block)};
  return txPassRun(c->T->context, c->call, &pass);
}

/* x <- the solutions of the batch, or, with `corner`, of its matrix and the right-hand side u */
static clStatus solveBatch(const chosen *c, bool corner, txTexture *const x[2]) {
  txDefines defines = {""};
  txDefine(&defines, "AT_ONCE", c->at_once);
  TRY(packBatch(c, corner));
  for (int block = 0; block < c->blocks; block++)
    TRY(forward(c, defines.text, block));
  for (int block = c->blocks - 1; block >= 0; block--)
    TRY(backward(c, defines.text, block, x));
  return TEXLA_OK;
}

/* Blocks of rows with even and with odd numbers have textures of their own, so that a pass never
 * reads the one that it renders. */
static clStatus createTextures(chosen *c) {
  clContext *context = c->T->context;
  int rows = (c->blocks + 1) / 2;
  TRY(txTextureCreate(&c->batch, context, c->call, TX_RGBA32F, c->columns, c->rows));
  for (int i = 0; i < 2; i++) {
    TRY(txLayersCreate(&c->upper[i], context, c->call, TX_RGBA32F, c->columns, rows,
                       c->at_once + 1));
    TRY(txTextureCreate(&c->x[i], context, c->call, TX_RGBA32F, c->columns, rows));
    if (c->T->options.periodic)
      TRY(txTextureCreate(&c->q[i], context, c->call, TX_RGBA32F, c->columns, rows));
  }
  return TEXLA_OK;
}

static void destroyTextures(chosen *c) {
  txTexture *const all[] = {c->list, c->batch, c->upper[0], c->upper[1],
                            c->x[0], c->x[1],  c->q[0],     c->q[1]};
  for (int i = 0; i < (int)(sizeof all / sizeof *all); i++)
    txTextureDestroy(all[i]);
}

/* x <- the columns' unknowns at the places of their systems; the other systems stay. A periodic
 * system's solution is that of the batch less a multiple of q (Sherman and Morrison). */
static clStatus unpack(const chosen *c, clVector *x, const txTexture *columns) {
  txDefines defines = {""};
  txPass pass = {.kernel = "tridiagonal_unpack", .defines = defines.text, .work = 40};
  addGiven(c, &pass, &defines);
  txTridiagonalSource(&pass, "columns", columns);
  txTridiagonalSource(&pass, "old", x->texture);
  txTridiagonalSource(&pass, "even", c->x[0]);
  txTridiagonalSource(&pass, "odd", c->x[1]);
  if (c->T->options.periodic) {
    txTridiagonalSource(&pass, "even_corner", c->q[0]);
    txTridiagonalSource(&pass, "odd_corner", c->q[1]);
  }
  return txVectorRun(c->call, &pass, x);
}

/* Solves the systems list[0 .. columns - 1]. */
static clStatus solveColumns(chosen *c, clVector *x, const float *list) {
  txTexture *columns = NULL;
  clContext *context = c->T->context;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTridiagonalMap(c->T, c->call, &columns, list, c->columns, 1));
  TRY_CLEANUP(txTextureCreate(&c->list, context, c->call, TX_R32F, c->columns, 1));
  TRY_CLEANUP(txTextureWrite(c->list, c->call, (txRect){0, 0, c->columns, 1}, list));
  TRY_CLEANUP(createTextures(c));
  TRY_CLEANUP(solveBatch(c, false, c->x));
  if (c->T->options.periodic)
    TRY_CLEANUP(solveBatch(c, true, c->q));
  TRY_CLEANUP(unpack(c, x, columns));
cleanup:
  txTextureDestroy(columns);
  destroyTextures(c);
  return status;
}

/* A pass for every `at_once` rows, for as many of the listed systems at a time as textures are
 * wide. */
clStatus txTridiagonalRows(const clTridiagonal *T, const char *call, clVector *x,
                           const clTridiagonalBands *A, const clVector *rhs, const float *list,
                           int count, int at_once) {
  int rows = txTridiagonalLength(T);
  int limit = clContextInspect(T->context)->max_texture_size, most = txLeast(limit, COLUMNS);
  if (rows > limit)
    return txFail(txContextError(T->context), TEXLA_TOO_LARGE, call,
                  "%d rows are too many for solving row by row; the device's limit is %d", rows,
                  limit);
  clVector *result = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorClone(&result, x));
  for (int first = 0; first < count; first += most) {
    int columns = txLeast(count - first, most);
    chosen c = {T, call, A, rhs, rows, (rows + at_once - 1) / at_once, at_once, columns};
    TRY_CLEANUP(solveColumns(&c, result, list + first));
  }
  txTextureExchange(&x->texture, &result->texture);
cleanup:
  clVectorDestroy(result);
  return status;
}
