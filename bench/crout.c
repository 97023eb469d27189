/* LU without pivoting over a collection of matrices (C3): Crout's method in order on the CPU (CM), the fixed-point iteration on
 * the device (ICM) and PLU. Effective bandwidth is counted as in the document: three matrices read, two written, whatever the
 * iteration really moves. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { MOST_FILES = 4096, KINDS = 3, DEFAULT_MOST = 4096 };

/* One matrix and what was found. Fields without a meaning (a method failed) are NAN. */
typedef struct Result {
  char name[64], reason[160]; /* reason: empty where all went well */
  int n;
  int64_t entries;
  double cm, cm_double, icm, plu; /* seconds */
  double error[KINDS];            /* max |A - L U| / max |A|: CM, CM in double, ICM */
  clCroutReport report;
} Result;

typedef struct Collection {
  txBench *bench;
  Result *results;
  int count;
  FILE *csv, *log;
} Collection;

/* ---- One matrix ------------------------------------------------------------------------------------------------ */

typedef struct Problem {
  int n;
  double *A, *Z; /* row by row */
  float *a, *z;
  clDense *device;
} Problem;

static void release(Problem *p) {
  free(p->A);
  free(p->Z);
  free(p->a);
  free(p->z);
  clDenseDestroy(p->device);
}

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
  clStatus status = txBenchUse(bench, (int64_t)p->n * p->n);
  if (!status)
    status = clDenseCreate(&p->device, bench->context, p->n, p->n);
  return status ? status : clDenseUpload(p->device, p->a, p->n);
}

/* max |A - L U| / max |A| in double, row by row; zeros of L cost nothing. */
static double errorOf(const Problem *p, const double *Z) {
  size_t n = (size_t)p->n;
  double worst = 0, largest = 0, *row = malloc(n * sizeof *row);
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
    for (size_t j = 0; j < n; j++) {
      worst = fabs(row[j]) <= worst ? worst : fabs(row[j]);
      largest = fmax(largest, fabs(p->A[i * n + j]));
    }
  }
  free(row);
  return largest > 0 ? worst / largest : worst;
}

static double errorOfFloats(const Problem *p, const float *z) {
  size_t count = (size_t)p->n * (size_t)p->n;
  for (size_t k = 0; k < count; k++)
    p->Z[k] = (double)z[k];
  return errorOf(p, p->Z);
}

typedef clStatus (*Method)(const txBench *bench, Problem *p, Result *r);

static clStatus runDouble(const txBench *bench, Problem *p, Result *r) {
  (void)bench;
  (void)r;
  return clCroutHost(p->Z, p->A, p->n, TEXLA_CROUT_SCALE_NONE, NULL, NULL);
}

static clStatus runFloat(const txBench *bench, Problem *p, Result *r) {
  (void)bench;
  (void)r;
  return clCroutHostFloat(p->z, p->a, p->n, TEXLA_CROUT_SCALE_NONE, NULL, NULL);
}

/* With set-up, as in the document; the matrix is on the device. */
static clStatus runIteration(const txBench *bench, Problem *p, Result *r) {
  clCrout *crout = NULL;
  clStatus status = clCroutCreate(&crout, bench->context, p->n, &(clCroutOptions){.section = r->report.section});
  if (!status)
    status = clCroutFactor(crout, p->device, &r->report);
  if (!status)
    status = clDenseDownload(clCroutFactors(crout), p->z, p->n);
  clCroutDestroy(crout);
  return status;
}

static clStatus runPlu(const txBench *bench, Problem *p, Result *r) {
  clPlu *plu = NULL;
  (void)r;
  clStatus status = clPluCreate(&plu, bench->context, p->n, p->n, NULL);
  if (!status)
    status = clPluFactor(plu, p->device, NULL);
  clPluDestroy(plu);
  return status == TEXLA_RANK_DEFICIENT ? TEXLA_OK : status;
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* *seconds <- the median of a few runs, of one where it takes long; NAN when the method fails. On the device one run before
 * them is not timed: programs are compiled and variants chosen at their first use. */
static clStatus timeMethod(const txBench *bench, Problem *p, Result *r, Method method, double *seconds) {
  enum { RUNS = 5 };
  double taken[RUNS], total = 0;
  int runs = 0, most = bench->quick ? 1 : bench->runs && bench->runs < RUNS ? bench->runs : RUNS;
  *seconds = NAN;
  bool device = method == runIteration || method == runPlu;
  if (device) {
    clStatus status = method(bench, p, r);
    if (status)
      return status;
  }
  while (runs < most && (runs == 0 || total < 1)) {
    double start = txBenchNow();
    clStatus status = method(bench, p, r);
    if (status)
      return status;
    total += taken[runs++] = txBenchNow() - start;
  }
  qsort(taken, (size_t)runs, sizeof *taken, compareDoubles);
  *seconds = taken[runs / 2];
  return TEXLA_OK;
}

static void explain(Result *r, const char *method, const char *why) {
  size_t used = strlen(r->reason);
  snprintf(r->reason + used, sizeof r->reason - used, "%s%s: %s", used ? "; " : "", method, why);
}

/* What fails for the matrix's sake is a result; what fails otherwise ends the run. */
static clStatus forgive(const txBench *bench, Result *r, const char *method, clStatus status) {
  if (status == TEXLA_SINGULAR || status == TEXLA_NOT_CONVERGED || status == TEXLA_NOT_FINITE) {
    bool device = strncmp(method, "CM", 2) != 0;
    explain(r, method, device ? clContextError(bench->context)->message : "a pivot is zero or not finite");
    return TEXLA_OK;
  }
  return status;
}

static clStatus measure(const txBench *bench, Problem *p, Result *r) {
  clStatus status = forgive(bench, r, "CM double", timeMethod(bench, p, r, runDouble, &r->cm_double));
  if (!status && !isnan(r->cm_double))
    r->error[1] = errorOf(p, p->Z);
  if (!status)
    status = forgive(bench, r, "CM", timeMethod(bench, p, r, runFloat, &r->cm));
  if (!status && !isnan(r->cm))
    r->error[0] = errorOfFloats(p, p->z);
  if (!status)
    status = forgive(bench, r, "ICM", timeMethod(bench, p, r, runIteration, &r->icm));
  if (!status && !isnan(r->icm))
    r->error[2] = errorOfFloats(p, p->z);
  return status ? status : forgive(bench, r, "PLU", timeMethod(bench, p, r, runPlu, &r->plu));
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

/* The document's effective bandwidth in GB/s. */
static double bandwidth(int n, size_t bytes, double seconds) {
  return 5.0 * n * n * (double)bytes / seconds * 1e-9;
}

/* Numbers that do not exist are left out. */
static void putNumber(txJson *json, const char *key, double value) {
  if (!isnan(value))
    txJsonNumber(json, key, value);
}

static void writeResult(txBench *bench, const Result *r) {
  txJson *json = &bench->writer;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
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
  putNumber(json, "error_cm", r->error[0]);
  putNumber(json, "error_cm_double", r->error[1]);
  putNumber(json, "error_icm", r->error[2]);
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

static void printNumber(double value, double factor, int width) {
  if (isnan(value))
    printf(" %*s", width, "-");
  else
    printf(" %*.4g", width, value * factor);
}

static void printResult(const Result *r) {
  printf("%-24s %6d", r->name, r->n);
  printNumber(r->cm, 1e3, 9);
  printNumber(r->cm_double, 1e3, 9);
  printNumber(r->icm, 1e3, 9);
  printNumber(r->plu, 1e3, 9);
  printNumber(r->cm / r->icm, 1, 8);
  for (int k = 0; k < KINDS; k++)
    printNumber(r->error[k], 1, 10);
  if (!isnan(r->icm))
    printf(" %6d %4d", r->report.most_sweeps, r->report.skipped);
  printf("%s%s\n", r->reason[0] ? "  " : "", r->reason);
  fflush(stdout);
}

static void report(txBench *bench, const Result *r) {
  if (bench->table)
    printResult(r);
  if (bench->json)
    writeResult(bench, r);
}

/* Mean, maximum, median and deviation over the set. */
static void reportStatistics(txBench *bench, const char *name, double *values, int count) {
  double sum = 0, squares = 0;
  if (count == 0)
    return;
  qsort(values, (size_t)count, sizeof *values, compareDoubles);
  for (int i = 0; i < count; i++)
    sum += values[i];
  double mean = sum / count, middle = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  for (int i = 0; i < count; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  double deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
  if (bench->table)
    printf("  %-16s of %d matrices: mean %.3g, largest %.3g, median %.3g, deviation %.3g\n", name, count, mean,
           values[count - 1], middle, deviation);
  if (!bench->json)
    return;
  txJson *json = &bench->writer;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
  txJsonString(json, "statistics", name);
  txJsonInteger(json, "matrices", count);
  txJsonNumber(json, "mean", mean);
  txJsonNumber(json, "largest", values[count - 1]);
  txJsonNumber(json, "median", middle);
  txJsonNumber(json, "deviation", deviation);
  txJsonClose(json);
}

static clStatus reportAllStatistics(const Collection *c) {
  static const char *const names[] = {"error_cm", "error_cm_double", "error_icm", "speed_up"};
  double *values = malloc((size_t)(c->count + 1) * sizeof *values);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k <= KINDS; k++) {
    int count = 0;
    for (int i = 0; i < c->count; i++) {
      const Result *r = &c->results[i];
      double value = k < KINDS ? r->error[k] : r->cm / r->icm;
      if (!isnan(value))
        values[count++] = value;
    }
    reportStatistics(c->bench, names[k], values, count);
  }
  free(values);
  return TEXLA_OK;
}

/* ---- The table that a run goes on with ------------------------------------------------------------------------- */

static const char csv_head[] = "matrix,n,entries,seconds_cm,seconds_cm_double,seconds_icm,seconds_plu,error_cm,"
                               "error_cm_double,error_icm,section,sections,skipped,most_sweeps,sweeps,passes,reason\n";

static void writeCsv(FILE *csv, const Result *r) {
  fprintf(csv, "%s,%d,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%d,%lld,%lld,\"%s\"\n", r->name, r->n,
          (long long)r->entries, r->cm, r->cm_double, r->icm, r->plu, r->error[0], r->error[1], r->error[2],
          r->report.section, r->report.sections, r->report.skipped, r->report.most_sweeps, (long long)r->report.sweeps,
          (long long)r->report.passes, r->reason);
  fflush(csv);
}

static bool readCsv(const char *line, Result *r) {
  long long entries, sweeps, passes;
  int at = 0, fields = sscanf(line, "%63[^,],%d,%lld,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d,%d,%d,%d,%lld,%lld,\"%n", r->name,
                              &r->n, &entries, &r->cm, &r->cm_double, &r->icm, &r->plu, &r->error[0], &r->error[1],
                              &r->error[2], &r->report.section, &r->report.sections, &r->report.skipped,
                              &r->report.most_sweeps, &sweeps, &passes, &at);
  const char *end = at ? strrchr(line + at, '"') : NULL;
  if (fields != 16 || !end)
    return false;
  r->entries = entries;
  r->report.sweeps = sweeps;
  r->report.passes = passes;
  snprintf(r->reason, sizeof r->reason, "%.*s", (int)(end - line - at), line + at);
  return true;
}

/* The rows of an earlier run; a last row that was cut off is measured again. */
static clStatus openTable(Collection *c) {
  char path[4096], line[1024];
  snprintf(path, sizeof path, "%s/crout.csv", c->bench->html);
  FILE *old = fopen(path, "r");
  while (old && c->count < MOST_FILES && fgets(line, sizeof line, old)) {
    Result r = {0};
    if (readCsv(line, &r))
      c->results[c->count++] = r;
  }
  if (old)
    fclose(old);
  c->csv = fopen(path, "w");
  snprintf(path, sizeof path, "%s/crout.log", c->bench->html);
  c->log = fopen(path, "a");
  if (!c->csv || !c->log)
    return TEXLA_IO_ERROR;
  fputs(csv_head, c->csv);
  for (int i = 0; i < c->count; i++) {
    writeCsv(c->csv, &c->results[i]);
    report(c->bench, &c->results[i]);
  }
  return TEXLA_OK;
}

static const Result *find(const Collection *c, const char *name) {
  for (int i = 0; i < c->count; i++)
    if (strcmp(c->results[i].name, name) == 0)
      return &c->results[i];
  return NULL;
}

static void say(const Collection *c, int number, int of, const char *name, const char *what) {
  if (c->log) {
    fprintf(c->log, "%d of %d  %s  %s\n", number, of, name, what);
    fflush(c->log);
  }
}

/* ---- The collection --------------------------------------------------------------------------------------------- */

static clStatus runMatrix(Collection *c, const char *name, const clTriplets *T, int number, int of) {
  Result r = {.cm = NAN, .cm_double = NAN, .icm = NAN, .plu = NAN, .error = {NAN, NAN, NAN}};
  int most = c->bench->most ? (int)c->bench->most : DEFAULT_MOST;
  clStatus status = TEXLA_OK;
  snprintf(r.name, sizeof r.name, "%s", name);
  r.n = T->rows;
  r.entries = T->count;
  say(c, number, of, name, "begins");
  if (T->rows != T->cols) {
    snprintf(r.reason, sizeof r.reason, "%d x %d, not square", T->rows, T->cols);
  } else if (T->rows > most) {
    snprintf(r.reason, sizeof r.reason, "more than %d rows (--most)", most);
  } else {
    Problem p;
    status = load(&p, c->bench, T);
    status = status ? forgive(c->bench, &r, "upload", status) : measure(c->bench, &p, &r);
    release(&p);
  }
  if (status)
    return status;
  say(c, number, of, name, r.reason[0] ? r.reason : "done");
  report(c->bench, &r);
  if (c->csv)
    writeCsv(c->csv, &r);
  c->results[c->count++] = r;
  return TEXLA_OK;
}

static int isMatrix(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 4 && strcmp(entry->d_name + length - 4, ".mtx") == 0;
}

static clStatus runFile(Collection *c, const char *file, int number, int of) {
  char path[4096], name[64];
  clTriplets *T = NULL;
  clError error = {0};
  snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
  snprintf(path, sizeof path, "%s/%s", c->bench->folder, file);
  if (find(c, name))
    return TEXLA_OK;
  if (clMatrixMarketRead(&T, path, &error)) {
    fprintf(stderr, "texla bench: %s is left out: %s\n", file, error.message);
    return TEXLA_OK;
  }
  clStatus status = runMatrix(c, name, T, number, of);
  clTripletsDestroy(T);
  return status;
}

static clStatus runFolder(Collection *c) {
  struct dirent **list = NULL;
  int count = scandir(c->bench->folder, &list, isMatrix, alphasort);
  clStatus status = TEXLA_OK;
  if (count <= 0)
    fprintf(stderr, "texla bench: no .mtx file in '%s'\n", c->bench->folder);
  for (int i = 0; i < count; i++) {
    if (!status && i < MOST_FILES)
      status = runFile(c, list[i]->d_name, i + 1, count);
    free(list[i]);
  }
  free(list);
  return status;
}

/* Without a folder: a grid, a band and dense matrices, which fill all of the thesis's kinds. */
static clStatus runGenerated(Collection *c) {
  const int32_t offsets[] = {-20, -1, 0, 1, 20};
  int n = c->bench->quick ? 128 : 512;
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 3 && !status; k++) {
    static const char *const names[] = {"poisson2d", "banded", "dominant"};
    clError error = {0};
    status = k == 0   ? clGeneratePoisson2d(&T, n / 32, 32, &error)
             : k == 1 ? clGenerateBanded(&T, n, offsets, 5, 1, &error)
                      : clGenerateDominant(&T, n, 1, &error);
    if (!status && !find(c, names[k]))
      status = runMatrix(c, names[k], T, k + 1, 3);
    clTripletsDestroy(T);
    T = NULL;
  }
  return status;
}

/* How sweeps and time depend on the size of a section, for dominant matrices with full and with banded patterns. */
static clStatus study(Collection *c, const char *name, const clTriplets *T) {
  Problem p;
  clStatus status = load(&p, c->bench, T);
  for (int section = 16; section < T->rows && !status; section *= 2) {
    Result r = {.report.section = section};
    status = timeMethod(c->bench, &p, &r, runIteration, &r.icm);
    if (status)
      break;
    if (c->bench->table)
      printf("  study %-10s n = %d, sections of %4d rows: %9.3f ms, at most %4d sweeps, %lld passes\n", name, p.n,
             section, r.icm * 1e3, r.report.most_sweeps, (long long)r.report.passes);
    if (!c->bench->json)
      continue;
    txJson *json = &c->bench->writer;
    txJsonObject(json, NULL);
    txJsonString(json, "suite", c->bench->suite);
    txJsonString(json, "study", name);
    txJsonInteger(json, "n", p.n);
    txJsonInteger(json, "section", section);
    txJsonNumber(json, "seconds_icm", r.icm);
    txJsonInteger(json, "most_sweeps", r.report.most_sweeps);
    txJsonInteger(json, "sweeps", r.report.sweeps);
    txJsonInteger(json, "passes", r.report.passes);
    txJsonClose(json);
  }
  release(&p);
  return status;
}

static clStatus studies(Collection *c) {
  const int32_t offsets[] = {-20, -1, 0, 1, 20};
  int n = c->bench->quick ? 96 : 512;
  clTriplets *T = NULL;
  clError error = {0};
  clStatus status = clGenerateDominant(&T, n, 1, &error);
  if (!status)
    status = study(c, "dominant", T);
  clTripletsDestroy(T);
  T = NULL;
  if (!status)
    status = clGenerateBanded(&T, n, offsets, 5, 1, &error);
  if (!status)
    status = study(c, "banded", T);
  clTripletsDestroy(T);
  return status;
}

clStatus txBenchCrout(txBench *bench) {
  Collection c = {.bench = bench, .results = calloc(MOST_FILES, sizeof *c.results)};
  if (!c.results)
    return TEXLA_OUT_OF_MEMORY;
  if (bench->table)
    printf("%-24s %6s %9s %9s %9s %9s %8s %10s %10s %10s %6s %4s\n", "  matrix", "n", "CM ms", "double", "ICM ms",
           "PLU ms", "CM/ICM", "error CM", "double", "ICM", "sweeps", "skip");
  clStatus status = bench->html ? openTable(&c) : TEXLA_OK;
  if (!status)
    status = bench->folder ? runFolder(&c) : runGenerated(&c);
  if (!status)
    status = reportAllStatistics(&c);
  if (!status)
    status = studies(&c);
  if (c.csv)
    fclose(c.csv);
  if (c.log)
    fclose(c.log);
  free(c.results);
  return status;
}
