/* LU without pivoting over a collection of matrices (C3): Crout's method in order on the CPU (CM),
 * the fixed-point iteration on the device (ICM) and PLU. Effective bandwidth is counted as in the
 * document: three matrices read, two written, whatever the iteration really moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection.h"
#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"

enum { MOST_RESULTS = 4096, KINDS = 3, DEFAULT_MOST = 4096 };

/* One matrix and what was found. Fields without a meaning (a method failed) are NAN. */
typedef struct Result {
  /* reason: empty where all went well */
  char name[TX_BENCH_NAME], reason[TX_BENCH_REASON];
  int n;
  int64_t entries;
  /* seconds */
  double cm, cm_double, icm, plu;
  /* max |A - L U|: CM, CM in double, ICM */
  double difference[KINDS];
  /* max |A| */
  double largest;
  /* the last method's first bad one, counted from 0 */
  int pivot;
  /* of ICM: what is asked for */
  clCroutSweep sweep;
  int section;
  clCroutReport report;
} Result;

/* All results of a run. */
typedef struct Set {
  txBenchCollection collection;
  txBench *bench;
  Result *results;
  int count;
} Set;

/* The error relative to the matrix's largest entry. */
static double errorOf(const Result *r, int kind) {
  if (r->largest > 0)
    return r->difference[kind] / r->largest;
  return r->difference[kind];
}

/* ---- One matrix ------------------------------------------------------------------------------ */

/* The matrix A and room for its factors Z = L + U - I, in double and in single precision, row by
 * row; and A on the device. */
typedef struct Problem {
  int n;
  double *A, *Z;
  float *a, *z;
  clDense *device;
} Problem;

/* Also what has never been made. */
static void release(Problem *p) {
  free(p->A);
  free(p->Z);
  free(p->a);
  free(p->z);
  clDenseDestroy(p->device);
}

/* In double, in single precision, and on the device; entries that are given twice are summed. */
static clStatus load(Problem *p, txBench *bench, const clTriplets *T) {
  size_t n = (size_t)T->rows, count = n * n;
  *p = (Problem){.n = T->rows};
  p->A = calloc(count, sizeof *p->A);
  p->Z = malloc(count * sizeof *p->Z);
  p->a = malloc(count * sizeof *p->a);
  p->z = malloc(count * sizeof *p->z);
  if (!p->A || !p->Z || !p->a || !p->z)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < T->count; k++)
    p->A[(size_t)T->row[k] * n + (size_t)T->col[k]] += T->value[k];
  for (size_t k = 0; k < count; k++)
    p->a[k] = (float)p->A[k];
  TRY(txBenchUse(bench, (int64_t)p->n * p->n));
  TRY(clDenseCreate(&p->device, bench->context, p->n, p->n));
  return clDenseUpload(p->device, p->a, p->n);
}

/* max |A - L U| in double, row by row; zeros of L cost nothing. */
static double differenceOf(const Problem *p, const double *Z) {
  size_t n = (size_t)p->n;
  double worst = 0, *row = malloc(n * sizeof *row);
  for (size_t i = 0; i < n && row; i++) {
    for (size_t j = 0; j < n; j++)
      row[j] = p->A[i * n + j];
    for (size_t k = 0; k <= i; k++) {
      double l = Z[i * n + k];
      if (l == 0)
        continue;
      row[k] -= l;
      for (size_t j = k + 1; j < n; j++)
        row[j] -= l * Z[k * n + j];
    }
    for (size_t j = 0; j < n; j++)
      worst = txLarger(worst, fabs(row[j]));
  }
  free(row);
  return worst;
}

/* Factors in single precision, their product in double. */
static double differenceOfFloats(const Problem *p, const float *z) {
  size_t count = (size_t)p->n * (size_t)p->n;
  for (size_t k = 0; k < count; k++)
    p->Z[k] = (double)z[k];
  return differenceOf(p, p->Z);
}

/* A factorization, which leaves its factors in p and what it tells in r. */
typedef clStatus (*Method)(const txBench *bench, Problem *p, Result *r);

/* Crout's method in order, in double: what the others are compared with. */
static clStatus runDouble(const txBench *bench, Problem *p, Result *r) {
  (void)bench;
  return clCroutHost(p->Z, p->A, p->n, TEXLA_CROUT_SCALE_NONE, &r->pivot, NULL);
}

/* The same in single precision, as the device computes. */
static clStatus runFloat(const txBench *bench, Problem *p, Result *r) {
  (void)bench;
  return clCroutHostFloat(p->z, p->a, p->n, TEXLA_CROUT_SCALE_NONE, &r->pivot, NULL);
}

/* With set-up, as in the document; the matrix is on the device. */
static clStatus runIteration(const txBench *bench, Problem *p, Result *r) {
  clCrout *crout = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clCroutCreate(&crout, bench->context, p->n,
                            &(clCroutOptions){.section = r->section, .sweep = r->sweep}));
  status = clCroutFactor(crout, p->device, &r->report);
  r->pivot = r->report.pivot;
  TRY_CLEANUP(status);
  TRY_CLEANUP(clDenseDownload(clCroutFactors(crout), p->z, p->n));
cleanup:
  clCroutDestroy(crout);
  return status;
}

/* With pivoting; a matrix without full rank has factors, too. */
static clStatus runPlu(const txBench *bench, Problem *p, Result *r) {
  clPlu *plu = NULL;
  (void)r;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clPluCreate(&plu, bench->context, p->n, p->n, NULL));
  TRY_CLEANUP(clPluFactor(plu, p->device, NULL));
cleanup:
  clPluDestroy(plu);
  if (status == TEXLA_RANK_DEFICIENT)
    return TEXLA_OK;
  return status;
}

/* *seconds <- the median of a few runs, of one where it takes long; NAN when the method fails. On
 * the device one run before them is not timed: programs are compiled and variants chosen at their
 * first use. */
static clStatus timeMethod(const txBench *bench, Problem *p, Result *r, Method method,
                           double *seconds) {
  enum { RUNS = 5 };
  double taken[RUNS], total = 0;
  int runs = 0, most = RUNS;
  if (bench->runs)
    most = txLeast(bench->runs, RUNS);
  if (bench->quick)
    most = 1;
  *seconds = NAN;
  bool device = method == runIteration || method == runPlu;
  if (device)
    TRY(method(bench, p, r));
  while (runs < most && (runs == 0 || total < 1)) {
    double start = txNow();
    TRY(method(bench, p, r));
    total += taken[runs++] = txNow() - start;
  }
  txBenchSort(taken, runs);
  *seconds = taken[runs / 2];
  return TEXLA_OK;
}

/* What fails for the matrix's sake is a result; what fails otherwise ends the run. */
static clStatus forgive(Result *r, const char *method, clStatus status) {
  size_t used = strlen(r->reason), left = sizeof r->reason - used;
  char *text = r->reason + used;
  const char *pivots = "zero or not finite: ", *others = "";
  if (used)
    pivots = others = ", ";
  if (status == TEXLA_SINGULAR && r->pivot >= 0)
    snprintf(text, left, "%s%s pivot %d", pivots, method, r->pivot + 1);
  else if (status == TEXLA_SINGULAR || status == TEXLA_NOT_CONVERGED || status == TEXLA_NOT_FINITE)
    snprintf(text, left, "%s%s %s", others, method, clStatusText(status));
  else
    return status;
  return TEXLA_OK;
}

/* Four methods one after the other; one that fails leaves NaN and a reason. */
static clStatus measure(const txBench *bench, Problem *p, Result *r) {
  TRY(forgive(r, "CM double", timeMethod(bench, p, r, runDouble, &r->cm_double)));
  if (!isnan(r->cm_double))
    r->difference[1] = differenceOf(p, p->Z);
  TRY(forgive(r, "CM", timeMethod(bench, p, r, runFloat, &r->cm)));
  if (!isnan(r->cm))
    r->difference[0] = differenceOfFloats(p, p->z);
  TRY(forgive(r, "ICM", timeMethod(bench, p, r, runIteration, &r->icm)));
  if (!isnan(r->icm))
    r->difference[2] = differenceOfFloats(p, p->z);
  return forgive(r, "PLU", timeMethod(bench, p, r, runPlu, &r->plu));
}

/* ---- Reports --------------------------------------------------------------------------------- */

/* The document's effective bandwidth in GB/s. */
static double bandwidth(int n, size_t bytes, double seconds) {
  return 5.0 * n * n * (double)bytes / seconds * 1e-9;
}

static const char *const error_names[KINDS] = {"error_cm", "error_cm_double", "error_icm"};
static const char *const difference_names[KINDS] = {"difference_cm", "difference_cm_double",
                                                    "difference_icm"};

/* Numbers that do not exist are left out. */
static void putNumber(txJson *json, const char *key, double value) {
  if (!isnan(value))
    txJsonNumber(json, key, value);
}

/* One object; numbers that do not exist are left out. */
static void writeResult(txBench *bench, const Result *r) {
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "matrix", r->name);
  txJsonInteger(json, "n", r->n);
  txJsonInteger(json, "entries", r->entries);
  putNumber(json, "seconds_cm", r->cm);
  putNumber(json, "seconds_cm_double", r->cm_double);
  putNumber(json, "seconds_icm", r->icm);
  putNumber(json, "seconds_plu", r->plu);
  putNumber(json, "bandwidth_cm", bandwidth(r->n, sizeof(float), r->cm));
  putNumber(json, "bandwidth_cm_double", bandwidth(r->n, sizeof(double), r->cm_double));
  putNumber(json, "bandwidth_icm", bandwidth(r->n, sizeof(float), r->icm));
  putNumber(json, "speed_up", r->cm / r->icm);
  for (int k = 0; k < KINDS; k++)
    putNumber(json, error_names[k], errorOf(r, k));
  for (int k = 0; k < KINDS; k++)
    putNumber(json, difference_names[k], r->difference[k]);
  if (!isnan(r->icm)) {
    txJsonInteger(json, "section", r->report.section);
    txJsonInteger(json, "sections", r->report.sections);
    txJsonInteger(json, "skipped", r->report.skipped);
    txJsonInteger(json, "most_sweeps", r->report.most_sweeps);
    txJsonInteger(json, "sweeps", r->report.sweeps);
    txJsonInteger(json, "passes", r->report.passes);
  }
  txJsonString(json, "left out because", r->reason);
  txJsonClose(json);
}

/* A dash where there is none. */
static void printNumber(double value, double factor, int width) {
  if (isnan(value))
    printf(" %*s", width, "-");
  else
    printf(" %*.4g", width, value * factor);
}

/* One line; times are in milliseconds. */
static void printResult(const Result *r) {
  printf("%-24s %6d", r->name, r->n);
  printNumber(r->cm, 1e3, 9);
  printNumber(r->cm_double, 1e3, 9);
  printNumber(r->icm, 1e3, 9);
  printNumber(r->plu, 1e3, 9);
  printNumber(r->cm / r->icm, 1, 8);
  for (int k = 0; k < KINDS; k++)
    printNumber(errorOf(r, k), 1, 10);
  if (!isnan(r->icm))
    printf(" %6d %4d", r->report.most_sweeps, r->report.skipped);
  if (*r->reason)
    printf("  %s", r->reason);
  printf("\n");
  fflush(stdout);
}

/* Both forms may be asked for. */
static void report(txBench *bench, const Result *r) {
  if (bench->table)
    printResult(r);
  writeResult(bench, r);
}

/* Mean, maximum, median and deviation over the set. */
static void reportStatistics(txBench *bench, const char *name, double *values, int count) {
  double sum = 0, squares = 0;
  if (count == 0)
    return;
  txBenchSort(values, count);
  for (int i = 0; i < count; i++)
    sum += values[i];
  /* Of an even number the median is the mean of the two in the middle. */
  double mean = sum / count, middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
  for (int i = 0; i < count; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  double deviation = sqrt(squares / txMost(count - 1, 1));
  if (bench->table)
    printf("  %-16s of %d matrices: mean %.3g, largest %.3g, median %.3g, deviation %.3g\n", name,
           count, mean, values[count - 1], middle, deviation);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "statistics", name);
  txJsonInteger(json, "matrices", count);
  txJsonNumber(json, "mean", mean);
  txJsonNumber(json, "largest", values[count - 1]);
  txJsonNumber(json, "median", middle);
  txJsonNumber(json, "deviation", deviation);
  txJsonClose(json);
}

/* What statistics are made of: a number of a result, NaN where it has none. */
typedef double (*Figure)(const Result *r, int kind);

/* max |A - L U|. */
static double differenceIn(const Result *r, int kind) {
  return r->difference[kind];
}

/* Of the fixed point on the device over Crout's method in single precision on the host. */
static double speedUp(const Result *r, int kind) {
  (void)kind;
  return r->cm / r->icm;
}

/* `values` has room for a number of each matrix. */
static void reportFigure(const Set *set, double *values, const char *name, Figure figure,
                         int kind) {
  int count = 0;
  for (int i = 0; i < set->count; i++) {
    double value = figure(&set->results[i], kind);
    if (!isnan(value))
      values[count++] = value;
  }
  reportStatistics(set->bench, name, values, count);
}

/* Over all matrices for which a method has an answer. */
static clStatus reportAllStatistics(const Set *set) {
  double *values = malloc((size_t)(set->count + 1) * sizeof *values);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < KINDS; k++)
    reportFigure(set, values, difference_names[k], differenceIn, k);
  for (int k = 0; k < KINDS; k++)
    reportFigure(set, values, error_names[k], errorOf, k);
  reportFigure(set, values, "speed_up", speedUp, 0);
  free(values);
  return TEXLA_OK;
}

/* ---- The table that a run goes on with ------------------------------------------------------- */

static const char csv_head[] =
    "matrix,n,entries,seconds_cm,seconds_cm_double,seconds_icm,seconds_plu,largest,difference_cm,"
    "difference_cm_double,difference_icm,section,sections,skipped,most_sweeps,sweeps,passes,"
    "reason\n";

/* A row as soon as it is measured, so that a run may be interrupted. */
static void writeCsv(FILE *csv, const Result *r) {
  const clCroutReport *c = &r->report;
  fprintf(csv, "%s,%d,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%d,%lld,%lld,\"%s\"\n",
          r->name, r->n, (long long)r->entries, r->cm, r->cm_double, r->icm, r->plu, r->largest,
          r->difference[0], r->difference[1], r->difference[2], c->section, c->sections, c->skipped,
          c->most_sweeps, (long long)c->sweeps, (long long)c->passes, r->reason);
}

/* A row that is cut off, or of another version, is measured again. */
static bool readCsv(const char *line, Result *r) {
  long long entries, sweeps, passes;
  clCroutReport *c = &r->report;
  int at = 0,
      fields =
          sscanf(line, "%63[^,],%d,%lld,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d,%d,%d,%d,%lld,%lld,\"%n",
                 r->name, &r->n, &entries, &r->cm, &r->cm_double, &r->icm, &r->plu, &r->largest,
                 &r->difference[0], &r->difference[1], &r->difference[2], &c->section, &c->sections,
                 &c->skipped, &c->most_sweeps, &sweeps, &passes, &at);
  if (fields != 17 || !txBenchReason(line, at, r->reason))
    return false;
  r->entries = entries;
  c->sweeps = sweeps;
  c->passes = passes;
  return true;
}

/* Beyond the last place a row is told and left out of the statistics. */
static void add(Set *set, const Result *r) {
  report(set->bench, r);
  if (set->count < MOST_RESULTS)
    set->results[set->count++] = *r;
}

/* For txBenchCollectionOpen: a row that an earlier run has left. */
static bool restore(void *user, const char *row) {
  Result r = {0};
  if (!readCsv(row, &r))
    return false;
  add(user, &r);
  return true;
}

/* ---- The collection -------------------------------------------------------------------------- */

/* What errors are in parts of. */
static double largestEntry(const clTriplets *A) {
  double largest = 0;
  for (int64_t e = 0; e < A->count; e++)
    largest = fmax(largest, fabs(A->value[e]));
  return largest;
}

/* For txBenchCollectionAdd: one matrix by all methods, or why it is left out. */
static clStatus measureMatrix(void *user, const char *name, const clTriplets *T, char *reason) {
  Set *set = user;
  Result r = {.cm = NAN, .cm_double = NAN, .icm = NAN, .plu = NAN, .difference = {NAN, NAN, NAN}};
  clStatus status = TEXLA_OK;
  snprintf(r.name, sizeof r.name, "%s", name);
  r.n = T->rows;
  r.entries = T->count;
  r.largest = largestEntry(T);
  if (!txBenchLeftOut(set->bench, T, DEFAULT_MOST, r.reason)) {
    Problem p;
    status = load(&p, set->bench, T);
    if (status)
      status = forgive(&r, "upload", status);
    else
      status = measure(set->bench, &p, &r);
    release(&p);
  }
  TRY(status);
  add(set, &r);
  if (set->collection.csv)
    writeCsv(set->collection.csv, &r);
  snprintf(reason, TX_BENCH_REASON, "%s", r.reason);
  return TEXLA_OK;
}

/* Without a folder: a grid, a band and dense matrices, which fill all of the thesis's kinds. */
static clStatus runGenerated(txBenchCollection *c) {
  const int32_t offsets[] = {-20, -1, 0, 1, 20};
  int n = c->bench->quick ? 128 : 512;
  clTriplets *T[3] = {NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clGeneratePoisson2d(&T[0], n / 32, 32, NULL));
  TRY_CLEANUP(clGenerateBanded(&T[1], n, offsets, 5, 1, NULL));
  TRY_CLEANUP(clGenerateDominant(&T[2], n, 1, NULL));
  TRY_CLEANUP(txBenchCollectionAdd(c, "poisson2d", T[0], 1, 3));
  TRY_CLEANUP(txBenchCollectionAdd(c, "banded", T[1], 2, 3));
  TRY_CLEANUP(txBenchCollectionAdd(c, "dominant", T[2], 3, 3));
cleanup:
  for (int k = 0; k < 3; k++)
    clTripletsDestroy(T[k]);
  return status;
}

/* ---- The study ------------------------------------------------------------------------------- */

/* A size of sections: its time, its sweeps and passes. */
static void reportStudy(txBench *bench, const char *name, const Result *r) {
  if (bench->table)
    printf(
        "  study %-10s n = %d, sections of %4d rows: %9.3f ms, at most %4d sweeps, %lld passes\n",
        name, r->n, r->report.section, r->icm * 1e3, r->report.most_sweeps,
        (long long)r->report.passes);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "study", name);
  txJsonInteger(json, "n", r->n);
  txJsonInteger(json, "section", r->report.section);
  txJsonNumber(json, "seconds_icm", r->icm);
  txJsonInteger(json, "most_sweeps", r->report.most_sweeps);
  txJsonInteger(json, "sweeps", r->report.sweeps);
  txJsonInteger(json, "passes", r->report.passes);
  txJsonClose(json);
}

/* How sweeps and time depend on the size of a section, by sweeps of tiles and of entries. */
static clStatus study(txBench *bench, const char *name, const clTriplets *T) {
  static const char *const kinds[] = {"tiles", "entries"};
  Problem p;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(load(&p, bench, T));
  for (int sweep = 0; sweep < 2; sweep++)
    for (int section = 16; section < 2 * T->rows; section *= 2) {
      Result r = {.n = p.n, .sweep = (clCroutSweep)sweep, .section = section};
      char label[64];
      snprintf(label, sizeof label, "%s, %s", name, kinds[sweep]);
      TRY_CLEANUP(timeMethod(bench, &p, &r, runIteration, &r.icm));
      reportStudy(bench, label, &r);
    }
cleanup:
  release(&p);
  return status;
}

/* A dominant matrix, which stops to change early, a dense one with a full chain of dependencies,
 * and a band. */
static clStatus studies(txBench *bench) {
  const int32_t offsets[] = {-20, -1, 0, 1, 20};
  int n = bench->quick ? 96 : 512;
  clTriplets *T[3] = {NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clGenerateDominant(&T[0], n, 1, NULL));
  TRY_CLEANUP(clGenerateConditioned(&T[1], n, 100, true, 1, NULL));
  TRY_CLEANUP(clGenerateBanded(&T[2], n, offsets, 5, 1, NULL));
  TRY_CLEANUP(study(bench, "dominant", T[0]));
  TRY_CLEANUP(study(bench, "dense", T[1]));
  TRY_CLEANUP(study(bench, "banded", T[2]));
cleanup:
  for (int k = 0; k < 3; k++)
    clTripletsDestroy(T[k]);
  return status;
}

/* A folder of matrices, or three that are made; then statistics over all of them, and the study. */
clStatus txBenchCrout(txBench *bench) {
  Set set = {.bench = bench, .results = calloc(MOST_RESULTS, sizeof *set.results)};
  if (!set.results)
    return TEXLA_OUT_OF_MEMORY;
  set.collection = (txBenchCollection){.bench = bench,
                                       .head = csv_head,
                                       .user = &set,
                                       .restore = restore,
                                       .measure = measureMatrix,
                                       .generated = runGenerated};
  if (bench->table)
    printf("\n%-24s %6s %9s %9s %9s %9s %8s %10s %10s %10s %6s %4s\n", "crout", "n", "CM ms",
           "double", "ICM ms", "PLU ms", "CM/ICM", "error CM", "double", "ICM", "sweeps", "skip");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchCollectionOpen(&set.collection));
  TRY_CLEANUP(txBenchCollectionRun(&set.collection));
  TRY_CLEANUP(reportAllStatistics(&set));
  TRY_CLEANUP(studies(bench));
cleanup:
  txBenchCollectionClose(&set.collection);
  free(set.results);
  return status;
}
