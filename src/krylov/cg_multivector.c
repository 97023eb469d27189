#include "core/allocate.h"
#include "core/try.h"
#include "krylov/cg_multivector.h"

#include <stdlib.h>

static const char call[] = "clSolver (cg)";

/* As many multivectors as the solver's options ask for; D^-1 is the same in all lanes. */
static clStatus cgMultivectorAllocate(clSolver *s, txManyColumns *many) {
  clVector **const vectors[] = {many->x, many->b, many->r, many->p, many->q};
  const txLayout *layout = &s->vector[0]->layout;
  TRY(txTextureCreate(&many->norms, s->context, call, TX_RGBA32F, 2, TX_GROUPS));
  for (int i = 0; i < 5; i++)
    for (int g = 0; TX_MULTIVECTOR * g < s->columns; g++)
      TRY(txMultivectorCreate(&vectors[i][g], s->context, call, layout));
  if (!s->inverse)
    return TEXLA_OK;
  const clVector *four[TX_MULTIVECTOR] = {s->inverse, s->inverse, s->inverse, s->inverse};
  TRY(txMultivectorCreate(&many->inverse, s->context, call, layout));
  return txMultivectorGather(call, many->inverse, four, TX_MULTIVECTOR);
}

clStatus txManyCreate(clSolver *s) {
  s->many =
      txAllocate(txContextError(s->context), call, 1, sizeof *s->many, "several right-hand sides");
  if (!s->many)
    return TEXLA_OUT_OF_MEMORY;
  s->many->sums = s->inverse ? 4 : 3;
  return cgMultivectorAllocate(s, s->many);
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

/* The right-hand sides of a multivector: the last one may have lanes to spare. */
static int inGroup(const clSolver *s, int g) {
  int left = s->count - TX_MULTIVECTOR * g;
  return left < TX_MULTIVECTOR ? left : TX_MULTIVECTOR;
}

clStatus txManyLoad(clSolver *s) {
  for (int g = 0; g < s->groups; g++) {
    const clVector *x[TX_MULTIVECTOR] = {0};
    for (int k = 0; k < inGroup(s, g); k++)
      x[k] = s->x[TX_MULTIVECTOR * g + k];
    TRY(txMultivectorGather(call, s->many->x[g], x, inGroup(s, g)));
    TRY(txMultivectorGather(call, s->many->b[g], s->b + TX_MULTIVECTOR * g, inGroup(s, g)));
  }
  return txManyNorms(s, s->many->b, TX_NORM_B);
}

/* What is not wanted goes to vectors that are scratch by now. From zero, the start is known. */
clStatus txManyStore(clSolver *s, const bool *keep) {
  clVector *const spare[TX_MULTIVECTOR] = {s->vector[0], s->vector[1], s->vector[2], s->best};
  for (int g = 0; g < s->groups; g++) {
    clVector *x[TX_MULTIVECTOR];
    for (int k = 0; k < inGroup(s, g); k++) {
      int j = TX_MULTIVECTOR * g + k;
      x[k] = keep && keep[j] && !s->from_zero ? spare[k] : s->x[j];
    }
    TRY(txMultivectorScatter(call, x, inGroup(s, g), s->many->x[g]));
  }
  for (int j = 0; j < s->count && keep && s->from_zero; j++) {
    if (keep[j])
      TRY(clVectorClear(s->x[j]));
  }
  return TEXLA_OK;
}

clStatus txManyDirections(clSolver *s, int count, clVector *const *p) {
  for (int g = 0; TX_MULTIVECTOR * g < count; g++)
    TRY(txMultivectorScatter(call, p + TX_MULTIVECTOR * g, inGroup(s, g), s->many->p[g]));
  return TEXLA_OK;
}

clStatus txManyResidual(clSolver *s) {
  const txManyColumns *many = s->many;
  return txMultivectorMultiply(
      call, &(txMultiProduct){s->A, s->groups, many->r, many->x, many->b, -1, 1});
}

clStatus txManyNorms(clSolver *s, clVector *const *v, int column) {
  txReduction squares = {.term = "sum[0] += at(s0, p) * at(s0, p);", .sums = s->groups};
  if (s->groups > 1)
    squares.term = "sum[0] += at(s0, p) * at(s0, p); sum[1] += at(s1, p) * at(s1, p);";
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
  /* Without M, r.Mr is r.r. */
  if (sums < 4)
    row[3] = row[1];
}
