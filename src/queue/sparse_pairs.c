/* Functions of two numbers, f(x, y), of sparse matrices entry by entry. They leave zeros zeros
 * where f(0, 0) = 0, or with a number c where f(0, c) = 0 or f(c, 0) = 0: then entries are all
 * that there is to do. */
#include "core/try.h"
#include "queue/sparse_parts.h"

#include <math.h>
#include <string.h>

static double plus(double x, double y) {
  return x + y;
}

static double minus(double x, double y) {
  return x - y;
}

static double times(double x, double y) {
  return x * y;
}

static double divided(double x, double y) {
  return x / y;
}

static double less(double x, double y) {
  return x < y;
}

static double atMost(double x, double y) {
  return x <= y;
}

static double greater(double x, double y) {
  return x > y;
}

static double atLeast(double x, double y) {
  return x >= y;
}

static double equal(double x, double y) {
  return x == y;
}

static double differ(double x, double y) {
  return x != y;
}

static double both(double x, double y) {
  return x != 0 && y != 0;
}

static double either(double x, double y) {
  return x != 0 || y != 0;
}

/* x - y floor(x / y), exactly: the remainder, moved to the sign of y. */
static double modulo(double x, double y) {
  double r = fmod(x, y);
  if (y == 0)
    return x;
  if (r != 0 && (r < 0) != (y < 0))
    r += y;
  return r;
}

/* Functions of two numbers, as C has them. */
typedef double (*pair)(double x, double y);

/* By the names of the table of operations. */
static const struct {
  const char *name;
  pair f;
} known[] = {{"plus", plus}, {"minus", minus}, {"times", times}, {"rdivide", divided},
             {"power", pow}, {"max2", fmax},   {"min2", fmin},   {"lt", less},
             {"le", atMost}, {"gt", greater},  {"ge", atLeast},  {"eq", equal},
             {"ne", differ}, {"and", both},    {"or", either},   {"mod", modulo},
             {"rem", fmod},  {"hypot", hypot}, {"atan2", atan2}};

/* NULL where the operation is no such function. */
static pair sparsePairsFind(const txCall *call) {
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (call->operation && !strcmp(known[k].name, call->operation->name))
      return known[k].f;
  return NULL;
}

/* f of what stands where an operand has no entry: zero, or its number. */
bool txSparseIsPair(const txCall *call) {
  pair f = sparsePairsFind(call);
  const txOperand *a = &call->operand[0], *b = &call->operand[1];
  bool fits = a->shape.rows == b->shape.rows && a->shape.cols == b->shape.cols;
  if (a->is_number)
    return f && b->sparse && f(a->number, 0) == 0;
  if (b->is_number)
    return f && a->sparse && f(0, b->number) == 0;
  return f && fits && a->sparse && b->sparse && f(0, 0) == 0;
}

/* An operand's entries from the first one on; those of a number have an end that never comes. */
typedef struct walk {
  const clTriplets *A;
  double number;
  int64_t at;
} walk;

/* Operand k from its beginning. */
static walk walkOf(const txCall *call, int k) {
  const txOperand *o = &call->operand[k];
  if (o->is_number)
    return (walk){.number = o->number};
  return (walk){.A = txSparseOperand(call, k)};
}

/* The place of the next entry, row by row. */
static int64_t sparsePairsPlaceOf(const walk *w) {
  if (!w->A || w->at == w->A->count)
    return INT64_MAX;
  return (int64_t)w->A->row[w->at] * w->A->cols + w->A->col[w->at];
}

/* The value at that place, behind which the walk then stands. */
static double sparsePairsTake(walk *w, int64_t place) {
  if (sparsePairsPlaceOf(w) != place)
    return w->number;
  return w->A->value[w->at++];
}

/* Entries are sorted by rows, so that two matrices are merged. */
clStatus txSparsePair(txCall *call, clTriplets *T) {
  pair f = sparsePairsFind(call);
  walk a = walkOf(call, 0), b = walkOf(call, 1);
  while (true) {
    int64_t first = sparsePairsPlaceOf(&a), second = sparsePairsPlaceOf(&b), place = first;
    if (second < first)
      place = second;
    if (place == INT64_MAX)
      return TEXLA_OK;
    double x = sparsePairsTake(&a, place), y = sparsePairsTake(&b, place);
    TRY(txSparseAdd(call, T, place / T->cols, place % T->cols, f(x, y)));
  }
}

/* 0 times infinity is no zero, nor is 0 / 0. */
static clStatus sparsePairsCheckFactors(txCall *call, int k, const double *factor, bool divide) {
  txShape s = call->operand[k].shape;
  for (int64_t n = 0; n < s.rows * s.cols; n++)
    if (!isfinite(factor[n]) || (divide && factor[n] == 0))
      return txCallFail(call, TEXLA_NOT_FINITE,
                        "entry (%lld, %lld) of operand %d is %g, and the sparse operand's zeros "
                        "would become NaN; give that one its zeros (full)",
                        (long long)(n % s.rows) + 1, (long long)(n / s.rows) + 1, k + 1, factor[n]);
  return TEXLA_OK;
}

/* Products with a dense operand, and quotients by one: entries stay where they are. Sides of 1
 * are repeated. */
clStatus txSparseScale(txCall *call, clTriplets *T) {
  int sparse = !call->operand[0].sparse, other = !sparse;
  const clTriplets *A = txSparseOperand(call, sparse);
  txShape s = call->operand[other].shape;
  double *factor;
  bool divide = strcmp(call->operation->name, "times") != 0;
  TRY(txOperandHost(call, other, &factor));
  TRY(sparsePairsCheckFactors(call, other, factor, divide));
  for (int64_t k = 0; k < A->count; k++) {
    int64_t i = A->row[k] % s.rows, j = A->col[k] % s.cols;
    double value = A->value[k];
    if (divide)
      value /= factor[i + s.rows * j];
    else
      value *= factor[i + s.rows * j];
    TRY(txSparseAdd(call, T, A->row[k], A->col[k], value));
  }
  return TEXLA_OK;
}
