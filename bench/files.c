/* What files and programs take: clMatrixMarketRead beside a plain loop of fgets, strtol and strtod;
 * whole programs with empty caches, texla's own and the driver's, and with filled ones. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/platform.h"
#include "program/program.h"
#include "suite.h"

enum { PATH = 512, WORDS = 8 };

/* A file, what was written to it, and what the loop has found in it. */
typedef struct File {
  char path[PATH];
  clTriplets *written, *read;
  int32_t *row, *col;
  double *value, seconds;
} File;

static void removePath(void *path) {
  remove(path);
}

/* What the last repetition has read is freed first, which takes no part of the time. */
static clStatus readFile(txBench *bench, void *data, int64_t i) {
  File *d = data;
  (void)bench, (void)i;
  clTripletsDestroy(d->read);
  d->read = NULL;
  double start = txNow();
  clStatus status = clMatrixMarketRead(&d->read, d->path, NULL);
  d->seconds = txNow() - start;
  return status;
}

/* No check, no sorting, no other forms. */
static clStatus loopOverLines(txBench *bench, void *data, int64_t i) {
  File *d = data;
  char line[256];
  FILE *file = fopen(d->path, "r");
  (void)bench, (void)i;
  if (!file)
    return TEXLA_IO_ERROR;
  do
    if (!fgets(line, sizeof line, file))
      break;
  while (*line == '%');
  for (int64_t k = 0; k < d->written->count && fgets(line, sizeof line, file); k++) {
    char *end;
    d->row[k] = (int32_t)strtol(line, &end, 10) - 1;
    d->col[k] = (int32_t)strtol(end, &end, 10) - 1;
    d->value[k] = strtod(end, NULL);
  }
  fclose(file);
  return TEXLA_OK;
}

/* The number of entries that differ from those written. */
static clStatus check(txBench *bench, void *data, double *error) {
  const File *d = data;
  const clTriplets *A = d->written, *B = d->read;
  (void)bench;
  *error = fabs((double)(A->count - B->count));
  for (int64_t k = 0; k < A->count && A->count == B->count; k++)
    *error += A->row[k] != B->row[k] || A->col[k] != B->col[k] || A->value[k] != B->value[k];
  return TEXLA_OK;
}

static const bool whole = true, digits = false;
static const txBenchCase cases[] = {
    {"read, whole numbers", readFile, 1, "GB/s", .peer = {{"strtod", loopOverLines}},
     .check = check, .options = &whole},
    {"read, 17 digits", readFile, 1, "GB/s", .peer = {{"strtod", loopOverLines}}, .check = check,
     .options = &digits}};

/* Whole numbers are read by a short way; the others have to be rounded correctly. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  File *d = data;
  struct stat file;
  for (int64_t k = 0; k < d->written->count && c->options == &digits; k++)
    d->written->value[k] *= 1 + (double)(k % 1009) / 3027;
  TRY(clMatrixMarketWrite(d->path, d->written, false, NULL, NULL));
  if (stat(d->path, &file))
    return TEXLA_IO_ERROR;
  bench->measure = (double)file.st_size;
  c->seconds = &d->seconds;
  snprintf(c->size, sizeof c->size, "%lld", (long long)d->written->count);
  return TEXLA_OK;
}

static void dropRead(void *data) {
  clTripletsDestroy(((File *)data)->read);
}

static clStatus prepare(txBench *bench, void *data, int32_t side) {
  File *d = data;
  char *path = d->path;
  snprintf(path, sizeof d->path, "%.400s/texla-bench-%ld.mtx", txBenchTemporary(), (long)getpid());
  TX_BENCH_GENERATE(&d->written, clGeneratePoisson2d(&d->written, side, side, NULL));
  TRY(bench->status);
  d->row = (int32_t *)(void *)txBenchZeros(bench, d->written->count);
  d->col = (int32_t *)(void *)txBenchZeros(bench, d->written->count);
  d->value = txBenchDoubles(bench, d->written->count);
  txBenchKeep(bench, TEXLA_OK, &path, removePath);
  txBenchKeep(bench, TEXLA_OK, &d, dropRead);
  return bench->status;
}

const txBenchSuite txBenchFiles = {.name = "files",
                                   .size = {1024},
                                   .quick = 64,
                                   .bytes = sizeof(File),
                                   .prepare = prepare,
                                   .begin = begin,
                                   TX_BENCH_CASES(cases)};

/* ---- Whole programs ---- */

/* A program beside this one with its arguments, in which "small" and "large" are files of systems
 * and "out" is a folder; `cold`: with empty caches. */
typedef struct Plan {
  const char *argument[WORDS];
  bool cold;
} Plan;

/* The folder of the files, that of the programs, the caches before, and the program that runs. */
typedef struct Programs {
  char folder[PATH / 4], programs[PATH / 2], caches[PATH], text[WORDS][PATH];
  const char *word[WORDS + 1];
  const Plan *plan;
  double seconds;
} Programs;

/* For nftw: what is in a folder comes before the folder itself. */
static int removeOne(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

/* With all that is in it; links are removed, not followed. */
static void removeFolder(const char *path) {
  enum { DESCRIPTORS = 16 };
  nftw(path, removeOne, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

/* An empty folder for texla's cache and the driver's, which programs that are started inherit. */
static void clearCaches(const Programs *d) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/cache", d->folder);
  removeFolder(path);
  txFolderCreate(path);
  setenv("XDG_CACHE_HOME", path, 1);
}

/* Seconds on all processors of the programs that have ended. */
static double workOfChildren(void) {
  struct rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* One run, from its call to its end. What it prints is read, so that it never waits for a full
 * pipe. */
static clStatus runProgram(txBench *bench, void *data, int64_t i) {
  Programs *d = data;
  char output[PATH];
  txProcess process;
  int signal = 0;
  (void)i;
  if (d->plan->cold)
    clearCaches(d);
  double work = workOfChildren(), start = txNow();
  if (txProcessStart(&process, d->word, 1))
    return TEXLA_UNSUPPORTED;
  while (txProcessRead(&process, output, sizeof output) == sizeof output)
    continue;
  txProcessClose(&process);
  int code = txProcessWait(&process, &signal);
  d->seconds = txNow() - start;
  bench->facts.work = workOfChildren() - work;
  return code || signal ? TEXLA_UNSUPPORTED : TEXLA_OK;
}

#define PLANS(name, ...)                                                                           \
  static const Plan name[] = {{{__VA_ARGS__, "--quiet"}, true}, {{__VA_ARGS__, "--quiet"}, false}}
PLANS(small, "texla", "solve", "small");
PLANS(large, "texla", "solve", "large", "--solver", "auto");
PLANS(navier_stokes, "navier-stokes", "--headless", "--frames", "1", "--out", "out");
PLANS(shallow_water, "shallow-water", "--headless", "--frames", "1", "--out", "out");
PLANS(wave, "wave", "--headless", "--frames", "1", "--out", "out");
PLANS(lab, "lab", "--headless", "--frames", "1", "--out", "out");
#define ROWS(name, plans)                                                                          \
  {name ", empty", runProgram, 1, "runs/s", .options = &(plans)[0]}, {                             \
    name ", filled", runProgram, 1, "runs/s", .options = &(plans)[1]                               \
  }
static const txBenchCase programs[] = {ROWS("solve, small", small),
                                       ROWS("solve, auto", large),
                                       ROWS("navier-stokes", navier_stokes),
                                       ROWS("shallow-water", shallow_water),
                                       ROWS("wave", wave),
                                       ROWS("lab", lab)};

/* The words of the program's call: its file, and files in the folder. Filled caches are those that
 * the last run with empty ones has left. */
static clStatus beginProgram(txBench *bench, void *data, txBenchCase *c) {
  Programs *d = data;
  int n = 0;
  (void)bench;
  d->plan = c->options;
  for (; n < WORDS && d->plan->argument[n]; n++) {
    const char *word = d->plan->argument[n], *folder = NULL;
    if (n == 0)
      folder = d->programs;
    else if (!strcmp(word, "small") || !strcmp(word, "large") || !strcmp(word, "out"))
      folder = d->folder;
    if (folder)
      snprintf(d->text[n], PATH, "%s/%s", folder, word);
    else
      snprintf(d->text[n], PATH, "%s", word);
    d->word[n] = d->text[n];
  }
  d->word[n] = NULL;
  c->seconds = &d->seconds;
  snprintf(c->size, sizeof c->size, "-");
  if (access(d->word[0], X_OK))
    c->run = NULL;
  return TEXLA_OK;
}

/* The caches of the user are back. */
static void dropPrograms(void *data) {
  const Programs *d = data;
  removeFolder(d->folder);
  if (*d->caches)
    setenv("XDG_CACHE_HOME", d->caches, 1);
  else
    unsetenv("XDG_CACHE_HOME");
}

static clStatus preparePrograms(txBench *bench, void *data, int32_t size) {
  static const char *const name[] = {"small", "large"};
  Programs *d = data;
  const int32_t side[] = {size < 128 ? size : 128, size};
  const char *caches = getenv("XDG_CACHE_HOME");
  if (caches)
    snprintf(d->caches, sizeof d->caches, "%s", caches);
  snprintf(d->folder, sizeof d->folder, "%.80s/texla-bench-XXXXXX", txBenchTemporary());
  if (!mkdtemp(d->folder))
    return TEXLA_IO_ERROR;
  txBenchKeep(bench, TEXLA_OK, &d, dropPrograms);
  if (!txProgramPath(d->programs, sizeof d->programs))
    return TEXLA_IO_ERROR;
  char *last = strrchr(d->programs, '/');
  if (last)
    *last = 0;
  for (int k = 0; k < 2; k++) {
    clTriplets *A = NULL;
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", d->folder, name[k]);
    TX_BENCH_GENERATE(&A, clGeneratePoisson2d(&A, side[k], side[k], NULL));
    TRY(bench->status);
    TRY(clMatrixMarketWrite(path, A, true, NULL, NULL));
  }
  return TEXLA_OK;
}

const txBenchSuite txBenchPrograms = {.name = "programs",
                                      .size = {1024},
                                      .quick = 64,
                                      .bytes = sizeof(Programs),
                                      .prepare = preparePrograms,
                                      .begin = beginProgram,
                                      TX_BENCH_CASES(programs)};
