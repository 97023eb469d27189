#include "krylov/incomplete.h"
#include "core/allocate.h"
#include "core/rows.h"
#include "core/try.h"
#include "matrix/gather.h"
#include "vector/run.h"

#include <math.h>
#include <stdlib.h>

static const char call[] = "clSolverCreate";
/* IC(0): the diagonal is enlarged by this part of itself, then by ten times as much, ... */
static const double first_shift = 1e-3;
enum { SHIFTS = 6 };

static void *incompleteAllocate(clContext *context, size_t count, size_t size) {
  return txAllocate(txContextError(context), call, count, size, "an incomplete factorization");
}

/* ---- The pattern: which products belong to an entry ------------------------------------------ */

/* Row i of A begins with entry row[i]. `by_col` lists the entries column by column with ascending
 * rows, and column j begins there at col[j]. diagonal[i] is the entry (i, i). `entry` has 4 numbers
 * for each entry and `pairs` 4 for each two pairs, as shaders/krylov/incomplete_sweep.frag reads
 * them. */
typedef struct pattern {
  clContext *context;
  const clTriplets *A;
  int64_t *row;
  int64_t *col;
  int32_t *by_col;
  int32_t *diagonal;
  int32_t *entry;
  int32_t *pairs;
  int64_t texels, capacity;
} pattern;

static void patternFree(pattern *p) {
  free(p->row);
  free(p->col);
  free(p->by_col);
  free(p->diagonal);
  free(p->entry);
  free(p->pairs);
}

/* start[i + 1] <- how many indices are at most i. */
static void countStarts(int64_t *start, const int32_t *index, int64_t count, int32_t n) {
  for (int64_t e = 0; e < count; e++)
    start[index[e] + 1]++;
  for (int32_t i = 0; i < n; i++)
    start[i + 1] += start[i];
}

/* Entries by row are sorted already; by column they are sorted by counting. */
static clStatus indexEntries(pattern *p) {
  const clTriplets *A = p->A;
  int32_t n = A->rows;
  for (int32_t i = 0; i < n; i++)
    p->diagonal[i] = -1;
  countStarts(p->row, A->row, A->count, n);
  countStarts(p->col, A->col, A->count, n);
  /* Here col[j] moves on to where column j ends, ... */
  for (int64_t e = 0; e < A->count; e++) {
    p->by_col[p->col[A->col[e]]++] = (int32_t)e;
    if (A->row[e] == A->col[e])
      p->diagonal[A->row[e]] = (int32_t)e;
  }
  /* ... which is where the next one begins. */
  for (int32_t j = n; j > 0; j--)
    p->col[j] = p->col[j - 1];
  p->col[0] = 0;
  for (int32_t i = 0; i < n; i++)
    if (p->diagonal[i] < 0)
      return txFail(txContextError(p->context), TEXLA_SINGULAR, call,
                    "the diagonal of A is zero in row %d: an incomplete factorization needs it",
                    i + 1);
  return TEXLA_OK;
}

/* Room for one more texel of pairs. */
static bool incompleteReserve(pattern *p) {
  if (p->texels < p->capacity)
    return true;
  int64_t capacity = p->capacity ? 2 * p->capacity : 1024;
  int32_t *pairs = txReallocate(txContextError(p->context), call, p->pairs, (size_t)capacity * 4,
                                sizeof *pairs, "an incomplete factorization");
  if (!pairs)
    return false;
  p->pairs = pairs;
  p->capacity = capacity;
  return true;
}

/* Appends a pair of entry e, the `number`th; a pair that does not exist yet points to the zero
 * behind the entries. */
static bool addPair(pattern *p, int number, int32_t left, int32_t above) {
  if (number % 2 == 0) {
    if (!incompleteReserve(p))
      return false;
    int32_t zero = (int32_t)p->A->count, *texel = p->pairs + 4 * p->texels++;
    texel[2] = zero;
    texel[3] = zero;
  }
  int32_t *texel = p->pairs + 4 * (p->texels - 1) + 2 * (number % 2);
  texel[0] = left;
  texel[1] = above;
  return true;
}

/* The pairs (i, k), (k, j) of entry e = (i, j), k < min(i, j): row i and column j are walked side
 * by side. */
static bool findPairs(pattern *p, int64_t e) {
  const clTriplets *A = p->A;
  int32_t i = A->row[e], j = A->col[e], end = i < j ? i : j;
  int64_t left = p->row[i], above = p->col[j];
  int number = 0;
  while (left < p->row[i + 1] && above < p->col[j + 1]) {
    int32_t k = A->col[left], row = A->row[p->by_col[above]];
    if (k >= end || row >= end)
      break;
    if (k == row && !addPair(p, number++, (int32_t)left, p->by_col[above]))
      return false;
    left += k <= row;
    above += row <= k;
  }
  return true;
}

/* Behind the entries stand a zero and a one. An entry is divided by its last number: u_ij by the
 * pivot l_ii, all others by one. */
static bool findAllPairs(pattern *p) {
  const clTriplets *A = p->A;
  int32_t one = (int32_t)A->count + 1;
  for (int64_t e = 0; e < A->count + 2; e++) {
    int32_t *entry = p->entry + 4 * e;
    entry[0] = (int32_t)p->texels;
    if (e < A->count && !findPairs(p, e))
      return false;
    entry[1] = (int32_t)p->texels;
    entry[2] = one;
    if (e < A->count && A->row[e] < A->col[e])
      entry[2] = p->diagonal[A->row[e]];
    entry[3] = 0;
  }
  return true;
}

static clStatus patternCreate(pattern *p, clContext *context, const clTriplets *A) {
  size_t n = (size_t)A->rows, count = (size_t)A->count;
  *p = (pattern){.context = context, .A = A};
  p->row = incompleteAllocate(context, n + 1, sizeof *p->row);
  p->col = incompleteAllocate(context, n + 1, sizeof *p->col);
  p->by_col = incompleteAllocate(context, count, sizeof *p->by_col);
  p->diagonal = incompleteAllocate(context, n, sizeof *p->diagonal);
  p->entry = incompleteAllocate(context, (count + 2) * 4, sizeof *p->entry);
  if (!p->row || !p->col || !p->by_col || !p->diagonal || !p->entry)
    return TEXLA_OUT_OF_MEMORY;
  TRY(indexEntries(p));
  if (!findAllPairs(p))
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* ---- The sweeps, on the device --------------------------------------------------------------- */

/* The pattern on the device, A's values, and the factors before and after a sweep. */
typedef struct tables {
  txTable entry, pairs, a, z[2];
} tables;

static void tablesDestroy(tables *t) {
  txTextureDestroy(t->entry.texture);
  txTextureDestroy(t->pairs.texture);
  txTextureDestroy(t->a.texture);
  txTextureDestroy(t->z[0].texture);
  txTextureDestroy(t->z[1].texture);
}

static clStatus tablesCreate(tables *t, clContext *context, const pattern *p, const float *a,
                             const float *start) {
  int64_t count = p->A->count + 2;
  TRY(txTableCreate(&t->entry, context, call, TX_RGBA32I, p->entry, count));
  TRY(txTableCreate(&t->pairs, context, call, TX_RGBA32I, p->pairs, p->texels));
  TRY(txTableCreate(&t->a, context, call, TX_R32F, a, count));
  TRY(txTableCreate(&t->z[0], context, call, TX_R32F, start, count));
  return txTableCreate(&t->z[1], context, call, TX_R32F, NULL, count);
}

static clStatus incompleteSweep(clContext *context, const tables *t, int from, int64_t count,
                                int64_t work) {
  txPass pass = {.kernel = "incomplete_sweep",
                 .target = {t->z[1 - from].texture},
                 .source = {{"a", t->a.texture, TX_EDGE},
                            {"z", t->z[from].texture, TX_EDGE},
                            {"entry", t->entry.texture, TX_EDGE},
                            {"pairs", t->pairs.texture, TX_EDGE}},
                 .uniform = {{"z_shift", 1, {(float)t->a.shift}, .integer = true},
                             {"pairs_shift", 1, {(float)t->pairs.shift}, .integer = true},
                             {"count", 1, {(float)count}, .integer = true}},
                 .work = work};
  return txPassRun(context, call, &pass);
}

/* The rows that are full, then what is in the last one. */
static clStatus readTable(const txTable *t, int64_t count, float *values) {
  int64_t width = (int64_t)1 << t->shift, whole = count >> t->shift,
          rest = count - (whole << t->shift);
  if (whole)
    TRY(txTextureRead(t->texture, call, (txRect){0, 0, (int)width, (int)whole}, values));
  if (rest)
    TRY(txTextureRead(t->texture, call, (txRect){0, (int)whole, (int)rest, 1},
                      values + (whole << t->shift)));
  return TEXLA_OK;
}

/* a: A with its diagonal enlarged, then 0 and 1; start: L = the lower triangle, U = D^-1 times the
 * upper one, then 0 and 1. */
static void startValues(float *a, float *start, const pattern *p, double shift) {
  const clTriplets *A = p->A;
  for (int64_t e = 0; e < A->count; e++) {
    int32_t i = A->row[e], j = A->col[e];
    double v = A->value[e], pivot = 1;
    if (i == j)
      v *= 1 + shift;
    if (i < j)
      pivot = A->value[p->diagonal[i]] * (1 + shift);
    a[e] = (float)v;
    start[e] = (float)(v / pivot);
  }
  for (int k = 0; k < 2; k++) {
    a[A->count + k] = (float)k;
    start[A->count + k] = (float)k;
  }
}

/* values <- the factors after so many sweeps, with 0 and 1 behind them */
static clStatus runSweeps(float *values, clContext *context, const pattern *p, double shift,
                          int sweeps) {
  int64_t count = p->A->count + 2;
  float *a = incompleteAllocate(context, (size_t)count, sizeof *a);
  tables t = {0};
  if (!a)
    return TEXLA_OUT_OF_MEMORY;
  startValues(a, values, p, shift);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(tablesCreate(&t, context, p, a, values));
  for (int k = 0; k < sweeps; k++)
    TRY_CLEANUP(incompleteSweep(context, &t, k % 2, count, 4 + 5 * p->texels / count));
  TRY_CLEANUP(readTable(&t.z[sweeps % 2], count, values));
cleanup:
  free(a);
  tablesDestroy(&t);
  return status;
}

clStatus txIncompleteFactor(double *z, clContext *context, const clTriplets *host, int sweeps,
                            double shift) {
  pattern p;
  float *values = incompleteAllocate(context, (size_t)host->count + 2, sizeof *values);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(patternCreate(&p, context, host));
  if (!values)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(runSweeps(values, context, &p, shift, sweeps));
  for (int64_t e = 0; e < host->count; e++)
    z[e] = (double)values[e];
cleanup:
  patternFree(&p);
  free(values);
  return status;
}

/* ---- Application ----------------------------------------------------------------------------- */

/* The preconditioner: L = (1 + E) D and U = 1 + F, with D^-1 in `inverse`. The pattern stays for
 * other values. */
typedef struct incomplete {
  txIncompleteOptions options;
  pattern pattern;
  clMatrix *E, *F;
  clVector *inverse;
  clVector *w[2];
} incomplete;

static void incompleteDestroy(void *data) {
  incomplete *m = data;
  if (!m)
    return;
  patternFree(&m->pattern);
  clMatrixDestroy(m->E);
  clMatrixDestroy(m->F);
  clVectorDestroy(m->inverse);
  clVectorDestroy(m->w[0]);
  clVectorDestroy(m->w[1]);
  free(m);
}

/* y <- an approximation of (1 + T)^-1 b by `sweeps` steps y <- b - T y from y = b. y and `other`
 * are scratch in turns: the last step renders into `last`, so that nothing is copied. */
static clStatus solveTriangle(const incomplete *m, const clMatrix *T, clVector *last,
                              clVector *other, const clVector *b) {
  const clVector *from = b;
  int sweeps = m->options.triangle_sweeps ? m->options.triangle_sweeps : TX_TRIANGLE_SWEEPS;
  for (int k = 1; k <= sweeps; k++) {
    clVector *to = (sweeps - k) % 2 ? other : last;
    TRY(clMatrixVectorOp(to, TEXLA_OP_B_MINUS_AX, T, TEXLA_NO_TRANSPOSE, from, b));
    from = to;
  }
  return TEXLA_OK;
}

static clStatus incompleteApply(void *data, clVector *z, const clVector *r) {
  incomplete *m = data;
  TRY(solveTriangle(m, m->E, m->w[0], m->w[1], r));
  TRY(clVectorMul(m->w[0], m->inverse, m->w[0]));
  return solveTriangle(m, m->F, z, m->w[1], m->w[0]);
}

/* E: l_ij / l_jj below the diagonal. F: u_ij above it or, with `symmetric`, E^T, which the fixed
 * point has and its sweeps only approach. */
static clStatus incompleteAddEntry(clTriplets *T, const pattern *p, const double *z, int64_t e,
                                   bool upper, bool symmetric, clError *error) {
  int32_t i = p->A->row[e], j = p->A->col[e];
  double lower = z[e] / z[p->diagonal[j]];
  if (i > j && !upper)
    return clTripletsAdd(T, i, j, lower, error);
  if (i > j && symmetric)
    return clTripletsAdd(T, j, i, lower, error);
  if (i < j && upper && !symmetric)
    return clTripletsAdd(T, i, j, z[e], error);
  return TEXLA_OK;
}

static clStatus setTriangle(clMatrix **out, const clMatrix *A, const pattern *p, const double *z,
                            bool upper, bool symmetric) {
  const clTriplets *host = p->A;
  clTriplets *T = NULL;
  clError *error = txContextError(A->context);
  clMatrixOptions options = txMatrixLike(A, TEXLA_STORAGE_AUTO);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, host->rows, host->cols, host->count, error));
  for (int64_t e = 0; e < host->count; e++)
    TRY_CLEANUP(incompleteAddEntry(T, p, z, e, upper, symmetric, error));
  TRY_CLEANUP(clTripletsCompress(T, error));
  TRY_CLEANUP(txMatrixSet(out, A->context, T, &options));
cleanup:
  clTripletsDestroy(T);
  return status;
}

static clStatus setInverse(incomplete *m, const clMatrix *A, const pattern *p, const double *z) {
  float *d = incompleteAllocate(A->context, (size_t)A->rows, sizeof *d);
  if (!d)
    return TEXLA_OUT_OF_MEMORY;
  for (int32_t i = 0; i < A->rows; i++)
    d[i] = (float)(1 / z[p->diagonal[i]]);
  clStatus status = TEXLA_OK;
  if (!m->inverse)
    TRY_CLEANUP(clMatrixCreateVector(&m->inverse, A, TEXLA_RANGE));
  TRY_CLEANUP(clVectorUpload(m->inverse, d));
cleanup:
  free(d);
  return status;
}

/* The first pivot that will not do, -1: none; any entry that is not finite counts as its row's. */
static int32_t incompleteBadPivot(const pattern *p, const double *z, bool positive) {
  for (int64_t e = 0; e < p->A->count; e++)
    if (!isfinite(z[e]))
      return p->A->row[e];
  for (int32_t i = 0; i < p->A->rows; i++) {
    double pivot = z[p->diagonal[i]];
    if (pivot == 0 || (positive && pivot < 0))
      return i;
  }
  return -1;
}

/* Factors, for IC(0) with a larger diagonal until all pivots are positive. */
static clStatus incompleteFactor(double *z, float *values, clContext *context, const pattern *p,
                                 bool symmetric, int sweeps) {
  double shift = 0;
  int32_t bad = -1;
  for (int k = 0; k < SHIFTS; k++) {
    TRY(runSweeps(values, context, p, shift, sweeps));
    for (int64_t e = 0; e < p->A->count; e++)
      z[e] = (double)values[e];
    bad = incompleteBadPivot(p, z, symmetric);
    if (bad < 0)
      return TEXLA_OK;
    if (shift > 0)
      shift *= 10;
    else
      shift = first_shift;
  }
  return txFail(
      txContextError(context), TEXLA_SINGULAR, call,
      "the incomplete factorization breaks down in row %d: another preconditioner is needed",
      bad + 1);
}

/* E, F and D^-1 from A's values, along the pattern that is there. */
static clStatus setFactors(incomplete *m, const clMatrix *A) {
  const pattern *p = &m->pattern;
  const txIncompleteOptions *o = &m->options;
  size_t count = (size_t)p->A->count + 2;
  double *z = incompleteAllocate(A->context, count, sizeof *z);
  float *values = incompleteAllocate(A->context, count, sizeof *values);
  clStatus status = TEXLA_OK;
  if (!z || !values)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  int sweeps = o->factor_sweeps ? o->factor_sweeps : TX_FACTOR_SWEEPS;
  TRY_CLEANUP(incompleteFactor(z, values, A->context, p, o->symmetric, sweeps));
  TRY_CLEANUP(setTriangle(&m->E, A, p, z, false, o->symmetric));
  TRY_CLEANUP(setTriangle(&m->F, A, p, z, true, o->symmetric));
  TRY_CLEANUP(setInverse(m, A, p, z));
cleanup:
  free(z);
  free(values);
  return status;
}

static clStatus incompleteUpdate(void *data, const clMatrix *A, const clTriplets *host,
                                 const double *near) {
  incomplete *m = data;
  (void)near;
  m->pattern.A = host;
  clStatus status = setFactors(m, A);
  /* A on the host is the caller's, and may go. */
  m->pattern.A = NULL;
  return status;
}

clStatus txIncompleteCreate(txPreconditioner *out, const clMatrix *A, const clTriplets *host,
                            const txIncompleteOptions *options) {
  incomplete *m = incompleteAllocate(A->context, 1, sizeof *m);
  if (!m)
    return TEXLA_OUT_OF_MEMORY;
  m->options = *options;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(patternCreate(&m->pattern, A->context, host));
  for (int k = 0; k < 2; k++)
    TRY_CLEANUP(clMatrixCreateVector(&m->w[k], A, TEXLA_RANGE));
  TRY_CLEANUP(incompleteUpdate(m, A, host, NULL));
  *out = (txPreconditioner){.apply = incompleteApply,
                            .destroy = incompleteDestroy,
                            .update = incompleteUpdate,
                            .data = m};
  m = NULL;
cleanup:
  incompleteDestroy(m);
  return status;
}
