/* Preconditioners over a collection of matrices: incomplete factors by fixed-point sweeps beside
 * none, Jacobi and algebraic multigrid. Each system is solved twice, and the second time counts:
 * the first one compiles programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection.h"
#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"

enum { WAYS = 4, DEFAULT_MOST = 10000, MOST_ITERATIONS = 2000 };
/* of a solution, after which it is stopped; --seconds */
static const double most_seconds = 5;
/* what took longer is not run again */
static const double worth_twice = 2;

/* "incomplete" is ic0 for cg, ilu0 for bicgstab. */
static const char *const way_names[WAYS] = {"none", "jacobi", "incomplete", "amg"};
static const char csv_head[] =
    "matrix,n,entries,method,iterations_none,seconds_none,iterations_jacobi,seconds_jacobi,"
    "iterations_incomplete,seconds_incomplete,iterations_amg,seconds_amg,reason\n";

/* A system, by all ways. */
typedef struct Result {
  char name[TX_BENCH_NAME], method[16], reason[TX_BENCH_REASON];
  int n;
  int64_t entries;
  /* with setup; NAN: not solved */
  double iterations[WAYS], seconds[WAYS];
} Result;

/* All systems of a run. */
typedef struct Set {
  txBenchCollection collection;
  txBench *bench;
  /* of the systems that some way has solved */
  int solved[WAYS], fastest[WAYS], fewest[WAYS], systems;
} Set;

/* ---- One system ------------------------------------------------------------------------------ */

/* Incomplete Cholesky keeps the symmetry that conjugate gradients need. */
static clPreconditioner kindOf(int way, clMethod method) {
  static const clPreconditioner kinds[WAYS] = {TEXLA_PRECONDITIONER_NONE,
                                               TEXLA_PRECONDITIONER_JACOBI,
                                               TEXLA_PRECONDITIONER_ILU0, TEXLA_PRECONDITIONER_AMG};
  if (way == 2 && method == TEXLA_METHOD_CG)
    return TEXLA_PRECONDITIONER_IC0;
  return kinds[way];
}

/* user: when the solution is to be stopped */
static bool inTime(void *user, int64_t iteration, double residual) {
  (void)iteration, (void)residual;
  return txNow() < *(const double *)user;
}

/* A x = A 1 from x = 0, to 1e-6. *why <- of what kind a failure is, NULL: solved. */
static clStatus solve(const txBench *bench, const clTriplets *A, clMethod method, int way,
                      Result *r, const char **why) {
  int n = A->rows;
  double *b = calloc(2 * (size_t)n, sizeof *b), *x = b + n, start = txNow();
  double stop = start + most_seconds;
  if (bench->seconds)
    stop = start + (double)bench->seconds;
  clPreconditioner kind = kindOf(way, method);
  clSystemOptions options = {.solver = {.method = method,
                                        .preconditioner = kind,
                                        .max_iterations = bench->quick ? 200 : MOST_ITERATIONS,
                                        .monitor = inTime,
                                        .monitor_user = &stop}};
  clSystemReport report = {0};
  if (!b)
    return TEXLA_OUT_OF_MEMORY;
  /* The exact solution is 1 everywhere. */
  for (int i = 0; i < n; i++)
    x[i] = 1;
  clTripletsMulVector(b, A, x);
  memset(x, 0, (size_t)n * sizeof *x);
  clStatus status = clSystemSolve(bench->context, A, b, x, &options, &report);
  *why = NULL;
  if (status == TEXLA_OK && report.preconditioner != kind)
    *why = "breaks down";
  else if (status == TEXLA_OK)
    r->iterations[way] = (double)report.iterations, r->seconds[way] = txNow() - start;
  else if (status == TEXLA_NOT_CONVERGED)
    *why = clReasonText(report.reason);
  else if (status == TEXLA_SINGULAR || status == TEXLA_UNSUPPORTED || status == TEXLA_NOT_FINITE)
    *why = "cannot be set up";
  clSystemReportClear(&report);
  free(b);
  if (*why)
    return TEXLA_OK;
  return status;
}

/* The reasons of all ways stand beside each other in one text. */
static clStatus solveTwice(const txBench *bench, const clTriplets *A, clMethod method, int way,
                           Result *r) {
  const char *why = NULL;
  TRY(solve(bench, A, method, way, r, &why));
  if (!why && r->seconds[way] < worth_twice)
    TRY(solve(bench, A, method, way, r, &why));
  size_t used = strlen(r->reason);
  const char *between = "";
  if (used)
    between = "; ";
  if (why)
    snprintf(r->reason + used, sizeof r->reason - used, "%s%s: %s", between,
             clPreconditionerName(kindOf(way, method)), why);
  return TEXLA_OK;
}

/* cg is for symmetric matrices with a positive diagonal. */
static clMethod methodFor(const clTriplets *A) {
  int positive = 0;
  for (int64_t e = 0; e < A->count; e++)
    positive += A->row[e] == A->col[e] && A->value[e] > 0;
  if (positive == A->rows && clTripletsIsSymmetric(A, 1e-12))
    return TEXLA_METHOD_CG;
  return TEXLA_METHOD_BICGSTAB;
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* Which way has the smallest number; -1: none has one. */
static int least(const double *values) {
  int best = -1;
  for (int k = 0; k < WAYS; k++)
    if (!isnan(values[k]) && (best < 0 || values[k] < values[best]))
      best = k;
  return best;
}

/* One line a matrix; times are in milliseconds. */
static void print(const Result *r) {
  printf("%-32s %6d %9lld %-9s", r->name, r->n, (long long)r->entries, r->method);
  for (int k = 0; k < WAYS; k++)
    if (isnan(r->seconds[k]))
      printf(" %6s %9s", "-", "-");
    else
      printf(" %6.0f %9.2f", r->iterations[k], r->seconds[k] * 1e3);
  const char *fastest = "-";
  if (least(r->seconds) >= 0)
    fastest = way_names[least(r->seconds)];
  printf("  %-10s %s\n", fastest, r->reason);
  fflush(stdout);
}

/* One object; ways that did not solve it are left out. */
static void write(txBench *bench, const Result *r) {
  char key[32];
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "matrix", r->name);
  txJsonInteger(json, "n", r->n);
  txJsonInteger(json, "entries", r->entries);
  txJsonString(json, "method", r->method);
  for (int k = 0; k < WAYS; k++) {
    if (isnan(r->seconds[k]))
      continue;
    snprintf(key, sizeof key, "iterations_%s", way_names[k]);
    txJsonInteger(json, key, (int64_t)r->iterations[k]);
    snprintf(key, sizeof key, "seconds_%s", way_names[k]);
    txJsonNumber(json, key, r->seconds[k]);
  }
  if (least(r->seconds) >= 0)
    txJsonString(json, "fastest", way_names[least(r->seconds)]);
  txJsonString(json, "not solved", r->reason);
  txJsonClose(json);
}

/* Counts only systems that some way has solved: the others tell nothing of the ways. */
static void add(Set *set, const Result *r) {
  if (set->bench->table)
    print(r);
  write(set->bench, r);
  int fastest = least(r->seconds), fewest = least(r->iterations);
  if (fastest < 0)
    return;
  set->systems++;
  set->fastest[fastest]++;
  set->fewest[fewest]++;
  for (int k = 0; k < WAYS; k++)
    set->solved[k] += !isnan(r->seconds[k]);
}

/* How often each way led to a solution, was the fastest, and needed the fewest iterations. */
static void reportCounts(const Set *set) {
  for (int k = 0; k < WAYS; k++) {
    if (set->bench->table)
      printf("  %-10s solved %d of %d systems that one of them solves, fastest %d times, fewest "
             "iterations %d times\n",
             way_names[k], set->solved[k], set->systems, set->fastest[k], set->fewest[k]);
    txJson *json = txBenchReportObject(set->bench);
    if (!json)
      continue;
    txJsonString(json, "preconditioner", way_names[k]);
    txJsonInteger(json, "systems", set->systems);
    txJsonInteger(json, "solved", set->solved[k]);
    txJsonInteger(json, "fastest", set->fastest[k]);
    txJsonInteger(json, "fewest iterations", set->fewest[k]);
    txJsonClose(json);
  }
}

/* ---- The collection -------------------------------------------------------------------------- */

/* A row as soon as it is measured, so that a run may be interrupted. */
static void writeCsv(FILE *csv, const Result *r) {
  fprintf(csv, "%s,%d,%lld,%s", r->name, r->n, (long long)r->entries, r->method);
  for (int k = 0; k < WAYS; k++)
    fprintf(csv, ",%.9g,%.9g", r->iterations[k], r->seconds[k]);
  fprintf(csv, ",\"%s\"\n", r->reason);
}

/* A row of an earlier run; one that is cut off is measured again. */
static bool restore(void *user, const char *row) {
  Result r = {0};
  long long entries = 0;
  double *i = r.iterations, *s = r.seconds;
  int at = 0, fields = sscanf(row, "%63[^,],%d,%lld,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,\"%n",
                              r.name, &r.n, &entries, r.method, &i[0], &s[0], &i[1], &s[1], &i[2],
                              &s[2], &i[3], &s[3], &at);
  if (fields != 12 || !txBenchReason(row, at, r.reason))
    return false;
  r.entries = entries;
  add(user, &r);
  return true;
}

/* What is too large or too small is a row with a reason. */
static clStatus measureMatrix(void *user, const char *name, const clTriplets *A, char *reason) {
  Set *set = user;
  Result r = {.n = A->rows, .entries = A->count, .method = "-"};
  snprintf(r.name, sizeof r.name, "%s", name);
  for (int k = 0; k < WAYS; k++)
    r.iterations[k] = r.seconds[k] = NAN;
  if (!txBenchLeftOut(set->bench, A, DEFAULT_MOST, r.reason)) {
    clMethod method = methodFor(A);
    snprintf(r.method, sizeof r.method, "%s", clMethodName(method));
    TRY(txBenchUse(set->bench, A->rows));
    for (int k = 0; k < WAYS; k++)
      TRY(solveTwice(set->bench, A, method, k, &r));
  }
  add(set, &r);
  if (set->collection.csv)
    writeCsv(set->collection.csv, &r);
  snprintf(reason, TX_BENCH_REASON, "%s", r.reason);
  return TEXLA_OK;
}

/* Without a folder: a grid, a stretched one, and a band. */
static clStatus runGenerated(txBenchCollection *c) {
  const int32_t offsets[] = {-20, -1, 0, 1, 20};
  int side = c->bench->quick ? 16 : 64;
  clTriplets *A[3] = {NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clGeneratePoisson2d(&A[0], side, side, NULL));
  TRY_CLEANUP(clGenerateAnisotropic(&A[1], side, side, 0.01, NULL));
  TRY_CLEANUP(clGenerateBanded(&A[2], side * side, offsets, 5, 1, NULL));
  TRY_CLEANUP(txBenchCollectionAdd(c, "poisson2d", A[0], 1, 3));
  TRY_CLEANUP(txBenchCollectionAdd(c, "anisotropic", A[1], 2, 3));
  TRY_CLEANUP(txBenchCollectionAdd(c, "banded", A[2], 3, 3));
cleanup:
  for (int k = 0; k < 3; k++)
    clTripletsDestroy(A[k]);
  return status;
}

/* A folder of matrices, or three that are made. */
clStatus txBenchPrecond(txBench *bench) {
  Set set = {.bench = bench};
  set.collection = (txBenchCollection){.bench = bench,
                                       .head = csv_head,
                                       .user = &set,
                                       .restore = restore,
                                       .measure = measureMatrix,
                                       .generated = runGenerated};
  if (bench->table)
    printf("\n%-32s %6s %9s %-9s %6s %9s %6s %9s %6s %9s %6s %9s  %s\n", "precond", "n", "entries",
           "method", "none", "ms", "jacobi", "ms", "incomp", "ms", "amg", "ms",
           "fastest, not solved");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchCollectionOpen(&set.collection));
  TRY_CLEANUP(txBenchCollectionRun(&set.collection));
  reportCounts(&set);
cleanup:
  txBenchCollectionClose(&set.collection);
  return status;
}
