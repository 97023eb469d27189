/* What somebody waits for who starts a program: systems from files, and the first picture of a
 * demo; with empty caches, texla's own and the driver's, and with those that the run before has
 * filled. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"
#include "program/program.h"
#include "suite.h"
#include "texla/io.h"

/* Characters of a path, arguments of a program, runs of each case without --runs and at most. */
enum { PATH = 512, WORDS = 8, RUNS = 3, MOST = 20 };

/* A program beside this one with its arguments, in which "small" and "large" are files of systems
 * and "out" is a folder; and a size for the report. */
typedef struct Plan {
  const char *name;
  const char *argument[WORDS];
} Plan;

static const Plan plans[] = {
    {"solve, small", {"texla", "solve", "small", "--quiet"}},
    {"solve, auto", {"texla", "solve", "large", "--solver", "auto", "--quiet"}},
    {"navier-stokes", {"navier-stokes", "--headless", "--frames", "1", "--out", "out", "--quiet"}},
    {"shallow-water", {"shallow-water", "--headless", "--frames", "1", "--out", "out", "--quiet"}},
    {"wave", {"wave", "--headless", "--frames", "1", "--out", "out", "--quiet"}},
    {"lab", {"lab", "--headless", "--frames", "1", "--out", "out", "--quiet"}},
};

/* The folder of this suite's files, that of this program, and where arguments are put together. */
typedef struct Job {
  char folder[PATH / 4], programs[PATH / 2];
  char text[WORDS][PATH];
  const char *word[WORDS + 1];
} Job;

/* Seconds on the wall, and of all processors for the program. */
typedef struct Time {
  double wall, work;
} Time;

/* For nftw: what stands in a folder comes before the folder itself. */
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
static void clearCaches(const Job *j) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/cache", j->folder);
  removeFolder(path);
  txFolderCreate(path);
  setenv("XDG_CACHE_HOME", path, 1);
}

/* A file of the five-point matrix, symmetric. */
static clStatus writeSystem(const Job *j, const char *name, int32_t side) {
  clTriplets *A = NULL;
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", j->folder, name);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clGeneratePoisson2d(&A, side, side, NULL));
  TRY_CLEANUP(clMatrixMarketWrite(path, A, true, NULL, NULL));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* The words of a plan as the program is called: its file, and files in the folder. */
static void prepare(Job *j, const Plan *plan) {
  int n = 0;
  for (; n < WORDS && plan->argument[n]; n++) {
    const char *word = plan->argument[n];
    bool file = !strcmp(word, "small") || !strcmp(word, "large") || !strcmp(word, "out");
    char text[PATH];
    if (n == 0)
      snprintf(text, sizeof text, "%s/%s", j->programs, word);
    else if (file)
      snprintf(text, sizeof text, "%s/%s", j->folder, word);
    else
      snprintf(text, sizeof text, "%s", word);
    memcpy(j->text[n], text, sizeof text);
    j->word[n] = j->text[n];
  }
  j->word[n] = NULL;
}

/* Seconds on all processors, of the programs that have ended. */
static double workOfChildren(void) {
  struct rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* One run, from its call to its end. */
static bool runOnce(const Job *j, Time *time) {
  char output[PATH];
  txProcess process;
  int signal = 0;
  double work = workOfChildren(), start = txNow();
  if (txProcessStart(&process, j->word, 1))
    return false;
  /* What it prints is read, so that it never waits for a full pipe. */
  while (txProcessRead(&process, output, sizeof output) == sizeof output)
    continue;
  txProcessClose(&process);
  bool good = txProcessWait(&process, &signal) == 0 && !signal;
  *time = (Time){txNow() - start, workOfChildren() - work};
  return good;
}

/* Both lists become sorted. */
static void report(txBench *bench, const Plan *plan, bool cold, double *wall, double *work,
                   int runs) {
  const char *caches = "filled";
  if (cold)
    caches = "empty";
  txBenchSort(wall, runs);
  txBenchSort(work, runs);
  if (bench->table)
    printf("  %-18s caches %-6s  min %9.1f ms, median %9.1f ms; processors %9.1f ms\n", plan->name,
           caches, wall[0] * 1e3, wall[runs / 2] * 1e3, work[runs / 2] * 1e3);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "name", plan->name);
  txJsonString(json, "caches", caches);
  txJsonInteger(json, "runs", runs);
  txJsonNumber(json, "seconds_min", wall[0]);
  txJsonNumber(json, "seconds_median", wall[runs / 2]);
  txJsonNumber(json, "seconds_processors", work[runs / 2]);
  txJsonClose(json);
}

/* Programs that were not built are left out. */
static bool isThere(Job *j, const Plan *plan) {
  prepare(j, plan);
  if (access(j->word[0], X_OK) == 0)
    return true;
  fprintf(stderr, "texla bench: %s is not there\n", j->word[0]);
  return false;
}

/* A program that ends badly is told, and has no row. */
static clStatus runPlan(txBench *bench, Job *j, const Plan *plan, bool cold) {
  double wall[MOST], work[MOST];
  int runs = RUNS;
  if (bench->quick)
    runs = 1;
  if (bench->runs)
    runs = txLeast(bench->runs, MOST);
  for (int k = 0; k < runs; k++) {
    Time time;
    if (cold)
      clearCaches(j);
    if (!runOnce(j, &time)) {
      fprintf(stderr, "texla bench: %s did not end well\n", j->word[0]);
      return TEXLA_OK;
    }
    wall[k] = time.wall;
    work[k] = time.work;
  }
  report(bench, plan, cold, wall, work, runs);
  return TEXLA_OK;
}

/* A folder for files, and the one where the other programs lie. */
static clStatus create(Job *j, const txBench *bench) {
  snprintf(j->folder, sizeof j->folder, "%.80s/texla-bench-XXXXXX", txBenchTemporary());
  if (!mkdtemp(j->folder) || !txProgramPath(j->programs, sizeof j->programs))
    return TEXLA_IO_ERROR;
  char *last = strrchr(j->programs, '/');
  if (last)
    *last = 0;
  TRY(writeSystem(j, "small", (int32_t)txBenchSide(bench, 64, 128)));
  return writeSystem(j, "large", (int32_t)txBenchSide(bench, 64, 1024));
}

/* Filled caches are those that the last run with empty ones has left. */
clStatus txBenchPrograms(txBench *bench) {
  Job j = {.folder = ""};
  char before[PATH] = "";
  const char *caches = getenv("XDG_CACHE_HOME");
  if (caches)
    snprintf(before, sizeof before, "%s", caches);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, 1));
  TRY_CLEANUP(create(&j, bench));
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
    for (int cold = 1; cold >= 0 && isThere(&j, &plans[k]); cold--)
      TRY_CLEANUP(runPlan(bench, &j, &plans[k], cold));
cleanup:
  if (*j.folder)
    removeFolder(j.folder);
  if (*before)
    setenv("XDG_CACHE_HOME", before, 1);
  else
    unsetenv("XDG_CACHE_HOME");
  return status;
}
