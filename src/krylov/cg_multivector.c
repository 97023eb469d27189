#include "core/allocate.h"
#include "krylov/cg_multivector.h"
#include "gl/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolver (cg)";

static clStatus allocate(clSolver *s, txManyColumns *many) {
  clVector **const vectors[] = {many->x, many->b, many->r, many->p, many->q};
  const txLayout *layout = &s->vector[0]->layout;
  clStatus status = txTextureCreate(&many->norms, s->context, call, TX_RGBA32F, 2, TX_GROUPS);
  for (int i = 0; i < 5; i++)
    for (int g = 0; TX_MULTIVECTOR * g < s->columns && !status; g++)
      status = txMultivectorCreate(&vectors[i][g], s->context, call, layout);
  if (status || !s->inverse)
    return status;
  const clVector *four[TX_MULTIVECTOR] = {s->inverse, s->inverse, s->inverse, s->inverse};
  status = txMultivectorCreate(&many->inverse, s->context, call, layout);
  return status ? status : txMultivectorGather(call, many->inverse, four, TX_MULTIVECTOR);
}

clStatus txManyCreate(clSolver *s) {
  s->many =
      txAllocate(txContextError(s->context), call, 1, sizeof *s->many, "several right-hand sides");
  if (!s->many)
    return TEXLA_OUT_OF_MEMORY;
  s->many->sums = s->inverse ? 4 : 3;
  return allocate(s, s->many);
}

void txManyDestroy(txManyColumns *many) {
  if (!many)
    return;
  clVector **const vectors[] = {many->x, many->b, many->r, many->p, many->q};
  for (int i = 0; i < 5; i++)
    for (int g = 0; g < TX_GROUPS; g++)
      clVectorDestroy(vectors[i][g]);
  clVectorDestroy(many->inverse);
  txTextureDestroy(many->norms);
  free(many);
}

static int inGroup(const clSolver *s, int g) {
  int left = s->count - TX_MULTIVECTOR * g;
  return left < TX_MULTIVECTOR ? left : TX_MULTIVECTOR;
}

clStatus txManyLoad(clSolver *s) {
  clStatus status = TEXLA_OK;
  for (int g = 0; g < s->groups && !status; g++) {
    const clVector *x[TX_MULTIVECTOR] = {0};
    for (int k = 0; k < inGroup(s, g); k++)
      x[k] = s->x[TX_MULTIVECTOR * g + k];
    status = txMultivectorGather(call, s->many->x[g], x, inGroup(s, g));
    if (!status)
      status = txMultivectorGather(call, s->many->b[g], s->b + TX_MULTIVECTOR * g, inGroup(s, g));
  }
  return status ? status : txManyNorms(s, s->many->b, TX_NORM_B);
}

clStatus txManyStore(clSolver *s, const bool *keep) {
  clVector *const spare[TX_MULTIVECTOR] = {s->vector[0], s->vector[1], s->vector[2], s->best};
  clStatus status = TEXLA_OK;
  for (int g = 0; g < s->groups && !status; g++) {
    clVector *x[TX_MULTIVECTOR];
    for (int k = 0; k < inGroup(s, g); k++) {
      int j = TX_MULTIVECTOR * g + k;
      x[k] = keep && keep[j] && !s->from_zero ? spare[k] : s->x[j];
    }
    status = txMultivectorScatter(call, x, inGroup(s, g), s->many->x[g]);
  }
  for (int j = 0; j < s->count && keep && s->from_zero && !status; j++)
    status = keep[j] ? clVectorClear(s->x[j]) : TEXLA_OK;
  return status;
}

clStatus txManyDirections(clSolver *s, int count, clVector *const *p) {
  clStatus status = TEXLA_OK;
  for (int g = 0; TX_MULTIVECTOR * g < count && !status; g++)
    status = txMultivectorScatter(call, p + TX_MULTIVECTOR * g, inGroup(s, g), s->many->p[g]);
  return status;
}

clStatus txManyResidual(clSolver *s) {
  const txManyColumns *many = s->many;
  return txMultivectorMultiply(
      call, &(txMultiProduct){s->A, s->groups, many->r, many->x, many->b, -1, 1});
}

clStatus txManyNorms(clSolver *s, clVector *const *v, int column) {
  txReduction squares = {
      .term = s->groups > 1 ? "sum[0] += at(s0, p) * at(s0, p); sum[1] += at(s1, p) * at(s1, p);"
                            : "sum[0] += at(s0, p) * at(s0, p);",
      .sums = s->groups};
  for (int g = 0; g < s->groups; g++)
    squares.source[g] = v[g];
  txPass final = {
      .kernel = "sums_final", .target = {s->many->norms}, .rect = {column, 0, 1, s->groups}};
  return txReduce(call, &squares, &final);
}

void txManySquares(const clSolver *s, float squares[TX_GROUPS][4]) {
  for (int j = 0; j < TX_COLUMNS; j++)
    squares[j / TX_MULTIVECTOR][j % TX_MULTIVECTOR] =
        txSquareOf(s->column[s->groups ? j : 0].tolerance);
}

void txManyProducts(const clSolver *s, const float *texels, int64_t count, int64_t i, int j,
                    float row[4]) {
  int sums = s->many->sums, first = sums * (j / TX_MULTIVECTOR);
  for (int m = 0; m < sums; m++)
    row[m] = texels[4 * (i + (first + m) * count) + j % TX_MULTIVECTOR];
  /* r.Mr = r.r */
  if (sums < 4)
    row[3] = row[1];
}

/* Measured with the matrix itself: an iteration for all, or as many of one. Both have begun, and
 * their vectors are not the same, so that they can take turns. */
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
  s->groups = columns > 1 ? (columns + TX_MULTIVECTOR - 1) / TX_MULTIVECTOR : 0;
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

clStatus txManyWorthWhile(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                          bool *yes) {
  /* unknowns up to which passes cost more than what they do */
  enum { SMALL = 1 << 15 };
  tuningCase c = {s, count, x[0], b[0]};
  int64_t n = clMatrixRows(s->A);
  int columns = count;
  clStatus status = clSolverInit(s, x[0], b[0]);
  if (!status)
    status = clSolverInitMany(s, count, x, b);
  /* is there memory for what is made at first use? */
  if (!status)
    status = runCase(&c, count);
  if (!status && n > SMALL) {
    char key[64];
    snprintf(key, sizeof key, "cg.columns.%s.%d.%d.%d", clStorageName(clMatrixStorage(s->A)),
             digits(n), digits(s->A->count / n), count);
    status = txTuningChoose(s->context, key, (int[]){1, count}, 2, runCase, &c, count, &columns);
  }
  s->x[0] = NULL;
  *yes = columns > 1;
  return status;
}
