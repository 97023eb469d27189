#include "system/scaling.h"
#include "core/allocate.h"
#include "core/balance.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/try.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSystemSolve";

/* The power of two near 1 / sqrt(v); 1 for 0. */
double txScalingRoot(double v) {
  int e = 0;
  frexp(v, &e);
  if (v == 0)
    return 1;
  return ldexp(1, -(int)floor(e / 2.0));
}

/* The power of two near 1 / v; 1 for 0. That of a subnormal number would be infinite: rows stop
 * before it, and columns make up for what is missing. */
static double inverse(double v) {
  enum { MOST = 1000 };
  int e = 0;
  frexp(v, &e);
  if (v == 0)
    return 1;
  return ldexp(1, txLeast(1 - e, MOST));
}

/* What the loops below work on. */
typedef struct loop {
  const txScaling *s;
  txScalingKind kind;
  double sign, *value;
} loop;

/* The same; mostly it is that of the row before, which is seen without taking numbers apart: the
 * factor's square times v is in [1/2, 2). */
static double rootAfter(double before, double v) {
  double scaled = before * before * v;
  if (scaled >= 0.5 && scaled < 2)
    return before;
  return txScalingRoot(v);
}

/* The factor of row i, whose entries are [k, end), after that of the row before; for
 * TX_SCALE_UNIFORM its largest magnitude. */
static double lookAtRow(const clTriplets *A, int64_t i, int64_t k, int64_t end, txScalingKind kind,
                        double before) {
  double largest = 0, diagonal = 0;
  for (; k < end; k++) {
    double v = fabs(A->value[k]);
    if (v > largest)
      largest = v;
    if (A->col[k] == i)
      diagonal = v;
  }
  if (kind == TX_SCALE_DIAGONAL && diagonal > 0)
    return rootAfter(before, diagonal);
  if (kind == TX_SCALE_DIAGONAL)
    return rootAfter(before, largest);
  if (kind == TX_SCALE_UNIFORM)
    return largest;
  return inverse(largest);
}

/* Rows that are alike have one factor. */
static void scaleRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const txRows *rows = &l->s->rows;
  double factor = 1;
  (void)sum;
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    for (int64_t i = 0, k = run.entry; i < run.count; i += run.alike, k += run.alike * run.length) {
      factor = lookAtRow(rows->A, run.row + i, k, k + run.length, l->kind, factor);
      for (int64_t j = 0; j < run.alike; j++)
        l->s->row[run.row + i + j] = factor;
    }
}

/* Columns after the rows, as LAPACK's geequb does it. */
static void scaleColumns(const txScaling *s) {
  const clTriplets *A = s->rows.A;
  memset(s->col, 0, (size_t)A->cols * sizeof *s->col);
  for (txRun run = txRunAt(&s->rows, 0, A->rows); run.row < A->rows;
       run = txRunNext(&s->rows, &run, A->rows))
    for (int64_t e = run.entry; e < run.entry + run.length; e++)
      for (int64_t i = 0; i < run.count; i++) {
        double *out = s->col + A->col[e] + i;
        double v = fabs(A->value[e + i * run.length]) * s->row[run.row + i];
        if (v > *out)
          *out = v;
      }
  for (int32_t j = 0; j < A->cols; j++)
    s->col[j] = inverse(s->col[j]);
}

/* Exponents of the factors that are furthest apart. */
static int rangeOf(const double *factor, int64_t n) {
  int least = INT_MAX, most = INT_MIN;
  for (int64_t i = 0; i < n; i++) {
    int e = ilogb(factor[i]);
    least = txLeast(e, least);
    most = txMost(e, most);
  }
  return most - least;
}

/* The sizes of all entries that are not zero. */
static clStatus findSizes(txSizes *out, const clTriplets *A, clError *error) {
  int64_t count = 0;
  int32_t next = 0;
  TRY(txSizesCreate(out, A->rows, A->cols, A->count, call, error));
  for (int64_t k = 0; k < A->count; k++) {
    int e = 0;
    while (next <= A->row[k])
      out->start[next++] = count;
    if (A->value[k] == 0)
      continue;
    frexp(A->value[k], &e);
    out->col[count] = A->col[k];
    out->exponent[count++] = (int16_t)e;
  }
  while (next <= A->rows)
    out->start[next++] = count;
  return TEXLA_OK;
}

/* Exponents as far from 0 in rows as in columns: neither factor leaves double's range before their
 * product does. */
static int32_t middleOf(const int32_t *exponent, int32_t n) {
  int32_t least = INT32_MAX, most = INT32_MIN;
  for (int32_t i = 0; i < n; i++) {
    least = txLeast(exponent[i], least);
    most = txMost(exponent[i], most);
  }
  return (least + most) / 2;
}

/* factor[i] <- 2^(exponent[i] + shift); false where that is out of range. */
static bool takeExponents(double *factor, const int32_t *exponent, int32_t n, int32_t shift) {
  enum { RANGE = 1000 };
  for (int32_t i = 0; i < n; i++) {
    int32_t e = exponent[i] + shift;
    if (e < -RANGE || e > RANGE)
      return false;
    factor[i] = ldexp(1, e);
  }
  return true;
}

/* Where rows or columns are of very different sizes, largest entries of rows first say too little:
 * both are chosen together. */
static clStatus balance(txScaling *s, clError *error) {
  enum { WIDE = 12, MOST = 20000000 };
  const clTriplets *A = s->rows.A;
  bool wide = rangeOf(s->row, A->rows) > WIDE || rangeOf(s->col, A->cols) > WIDE;
  if (!wide || A->count > MOST)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  txSizes sizes = {0};
  size_t m = (size_t)A->rows, n = (size_t)A->cols;
  int32_t *row = txAllocate(error, call, m + n, sizeof *row, "the factors of a scaling");
  double *factor = txAllocate(error, call, m + n, sizeof *factor, "the factors of a scaling");
  if (!row || !factor)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(findSizes(&sizes, A, error));
  TRY_CLEANUP(txBalance(row, row + m, &sizes, call, error));
  int32_t shift = (middleOf(row + m, A->cols) - middleOf(row, A->rows)) / 2;
  if (takeExponents(factor, row, A->rows, shift) &&
      takeExponents(factor + m, row + m, A->cols, 1 - shift)) {
    memcpy(s->row, factor, m * sizeof *factor);
    memcpy(s->col, factor + m, n * sizeof *factor);
  }
cleanup:
  txSizesDestroy(&sizes);
  free(row);
  free(factor);
  return status;
}

static void fill(double *v, double value, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    v[i] = value;
}

static bool isConstant(const double *v, int64_t n) {
  int64_t i = 1;
  while (i < n && v[i] == v[0])
    i++;
  return i >= n;
}

static double largestOf(const double *v, int64_t n) {
  double largest = 0;
  for (int64_t i = 0; i < n; i++)
    if (v[i] > largest)
      largest = v[i];
  return largest;
}

bool txScalingSpare(double factor) {
  const double room = 0x1p24;
  return factor < room && factor * room > 1;
}

/* By the rows' largest magnitudes, which s->row still holds. */
static void scaleUniformly(txScaling *s) {
  int64_t n = s->rows.A->rows;
  double factor = txScalingRoot(largestOf(s->row, n));
  s->unit = txScalingSpare(factor * factor);
  if (s->unit)
    factor = 1;
  fill(s->row, factor, n);
}

static void simplify(txScaling *s) {
  const clTriplets *A = s->rows.A;
  bool apart = s->col != s->row;
  s->unit = txScalingSpare(s->row[0] * s->col[0]) && isConstant(s->row, A->rows) &&
            (!apart || isConstant(s->col, A->cols));
  if (s->unit && (s->row[0] != 1 || s->col[0] != 1)) {
    fill(s->row, 1, A->rows);
    if (apart)
      fill(s->col, 1, A->cols);
  }
}

clStatus txScalingCreate(txScaling *out, const txRows *rows, txScalingKind kind, clError *error) {
  const clTriplets *A = rows->A;
  size_t m = (size_t)A->rows, n = (size_t)A->cols;
  txScaling s = {.row = txAllocate(error, call, m, sizeof(double), "the factors of a scaling"),
                 .rows = *rows};
  s.col = s.row;
  if (kind == TX_SCALE_ROWS_COLS)
    s.col = txAllocate(error, call, n, sizeof(double), "the factors of a scaling");
  if (!s.row || !s.col) {
    txScalingDestroy(&s);
    return TEXLA_OUT_OF_MEMORY;
  }
  txParallel(A->rows, scaleRows, &(loop){.s = &s, .kind = kind}, NULL);
  if (kind == TX_SCALE_ROWS_COLS) {
    scaleColumns(&s);
    clStatus status = balance(&s, error);
    if (status) {
      txScalingDestroy(&s);
      return status;
    }
  }
  if (kind == TX_SCALE_UNIFORM)
    scaleUniformly(&s);
  else
    simplify(&s);
  *out = s;
  return TEXLA_OK;
}

void txScalingDestroy(txScaling *s) {
  if (s->col != s->row)
    free(s->col);
  free(s->row);
  *s = (txScaling){0};
}

/* The scaled entries in double, which the device takes from here. */
static void scaleEntries(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const clTriplets *A = l->s->rows.A;
  for (int64_t k = first; k < last; k++) {
    double v = l->value[k] = l->sign * l->s->row[A->row[k]] * A->value[k] * l->s->col[A->col[k]];
    sum[0] += !isfinite(v);
  }
}

clStatus txScalingApply(txScaled *out, const txScaling *s, double sign, clError *error) {
  const clTriplets *A = s->rows.A;
  double unusable[TX_SUMS];
  *out = (txScaled){.A = *A, .rows = s->rows};
  out->rows.A = &out->A;
  if (sign == 1 && s->unit && !s->rows.too_big)
    return TEXLA_OK;
  out->rows = (txRows){0};
  out->value = out->A.value =
      txAllocate(error, call, (size_t)A->count + 1, sizeof *out->value, "a scaled matrix");
  if (!out->value)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(A->count, scaleEntries, &(loop){.s = s, .sign = sign, .value = out->value}, unusable);
  if (unusable[0] > 0)
    return txFail(error, TEXLA_NOT_FINITE, call,
                  "%.0f entries of A are not finite when A is scaled", unusable[0]);
  return txRowsFind(&out->rows, &out->A, call, error);
}

void txScaledDestroy(txScaled *s) {
  if (s->value)
    txRowsForget(&s->rows);
  free(s->value);
  *s = (txScaled){0};
}
