#include "solvers/block.h"
#include "gl/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolver (cg)";

static clStatus allocate(clSolver *s, txBlock *block) {
  clVector **const vectors[] = {block->x, block->b, block->r, block->p, block->q};
  const txLayout *layout = &s->vector[0]->layout;
  clStatus status = txTextureCreate(&block->norms, s->context, call, TX_RGBA32F, 2, TX_GROUPS);
  for (int i = 0; i < 5; i++)
    for (int g = 0; TX_BUNDLE * g < s->columns && !status; g++)
      status = txBundleCreate(&vectors[i][g], s->context, call, layout);
  if (status || !s->inverse)
    return status;
  const clVector *four[TX_BUNDLE] = {s->inverse, s->inverse, s->inverse, s->inverse};
  status = txBundleCreate(&block->inverse, s->context, call, layout);
  return status ? status : txBundleGather(call, block->inverse, four, TX_BUNDLE);
}

clStatus txBlockCreate(clSolver *s) {
  s->block = calloc(1, sizeof *s->block);
  if (!s->block)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for several right-hand sides");
  s->block->sums = s->inverse ? 4 : 3;
  return allocate(s, s->block);
}

void txBlockDestroy(txBlock *block) {
  if (!block)
    return;
  clVector **const vectors[] = {block->x, block->b, block->r, block->p, block->q};
  for (int i = 0; i < 5; i++)
    for (int g = 0; g < TX_GROUPS; g++)
      clVectorDestroy(vectors[i][g]);
  clVectorDestroy(block->inverse);
  txTextureDestroy(block->norms);
  free(block);
}

static int inGroup(const clSolver *s, int g) {
  int left = s->count - TX_BUNDLE * g;
  return left < TX_BUNDLE ? left : TX_BUNDLE;
}

clStatus txBlockLoad(clSolver *s) {
  clStatus status = TEXLA_OK;
  for (int g = 0; g < s->groups && !status; g++) {
    const clVector *x[TX_BUNDLE] = {0};
    for (int k = 0; k < inGroup(s, g); k++)
      x[k] = s->x[TX_BUNDLE * g + k];
    status = txBundleGather(call, s->block->x[g], x, inGroup(s, g));
    if (!status)
      status = txBundleGather(call, s->block->b[g], s->b + TX_BUNDLE * g, inGroup(s, g));
  }
  return status ? status : txBlockNorms(s, s->block->b, TX_NORM_B);
}

clStatus txBlockStore(clSolver *s) {
  clStatus status = TEXLA_OK;
  for (int g = 0; g < s->groups && !status; g++)
    status = txBundleScatter(call, s->x + TX_BUNDLE * g, inGroup(s, g), s->block->x[g]);
  return status;
}

clStatus txBlockResidual(clSolver *s) {
  const txBlock *block = s->block;
  return txBundleMultiply(call, &(txBundleProduct){s->A, s->groups, block->r, block->x, block->b, -1, 1});
}

clStatus txBlockNorms(clSolver *s, clVector *const *v, int column) {
  txReduction squares = {.term = s->groups > 1 ? "sum[0] += at(s0, p) * at(s0, p); sum[1] += at(s1, p) * at(s1, p);"
                                               : "sum[0] += at(s0, p) * at(s0, p);",
                         .sums = s->groups};
  for (int g = 0; g < s->groups; g++)
    squares.source[g] = v[g];
  txPass final = {.kernel = "sums_final", .target = {s->block->norms}, .rect = {column, 0, 1, s->groups}};
  return txReduce(call, &squares, &final);
}

void txBlockSquares(const clSolver *s, float squares[TX_GROUPS][4]) {
  for (int j = 0; j < TX_COLUMNS; j++)
    squares[j / TX_BUNDLE][j % TX_BUNDLE] = txSquareOf(s->column[s->groups ? j : 0].tolerance);
}

void txBlockProducts(const clSolver *s, const float *texels, int64_t count, int64_t i, int j, float row[4]) {
  int sums = s->block->sums, first = sums * (j / TX_BUNDLE);
  for (int m = 0; m < sums; m++)
    row[m] = texels[4 * (i + (first + m) * count) + j % TX_BUNDLE];
  if (sums < 4)
    row[3] = row[1]; /* r.Mr = r.r */
}

/* Measured with the matrix itself: an iteration for all, or as many of one. Both have begun, and their vectors are not the same, so
 * that they can take turns. */
typedef struct tuningCase {
  clSolver *solver;
  int count;
  clVector *x;
  const clVector *b;
} tuningCase;

static clStatus runCase(void *user, int columns) {
  tuningCase *c = user;
  clSolver *s = c->solver;
  clStatus status = TEXLA_OK;
  s->count = columns;
  s->groups = columns > 1 ? (columns + TX_BUNDLE - 1) / TX_BUNDLE : 0;
  for (int64_t k = 0; k < c->count / columns && !status; k++)
    status = s->method->step(s, c->x, c->b, k);
  return status;
}

/* About log2 */
static int digits(int64_t n) {
  int d = 0;
  while (n >> (d + 1))
    d++;
  return d;
}

clStatus txBlockWorthWhile(clSolver *s, int count, clVector *const *x, const clVector *const *b, bool *yes) {
  enum { SMALL = 1 << 15 }; /* unknowns up to which passes cost more than what they do */
  tuningCase c = {s, count, x[0], b[0]};
  int64_t n = clMatrixRows(s->A);
  int columns = count;
  clStatus status = clSolverInit(s, x[0], b[0]);
  if (!status)
    status = clSolverInitMany(s, count, x, b);
  if (!status)
    status = runCase(&c, count); /* is there memory for what is made at first use? */
  if (!status && n > SMALL) {
    char key[64];
    snprintf(key, sizeof key, "cg.columns.%s.%d.%d.%d", clStorageName(clMatrixStorage(s->A)), digits(n),
             digits(s->A->count / n), count);
    status = txTuningChoose(s->context, key, (int[]){1, count}, 2, runCase, &c, count, &columns);
  }
  s->x[0] = NULL;
  *yes = columns > 1;
  return status;
}
