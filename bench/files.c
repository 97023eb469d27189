/* Matrix Market files: clMatrixMarketRead, which checks, sorts and uses all processors, beside a
 * plain loop of fgets, strtol and strtod. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/try.h"
#include "platform/platform.h"
#include "suite.h"
#include "texla/io.h"

/* A file, what it was made of, and what both readers have found in it. */
typedef struct Job {
  char path[256];
  /* what was written, what was read last */
  clTriplets *written, *read;
  /* the peer's */
  int32_t *row, *col;
  double *value, seconds;
} Job;

/* What the last repetition has read goes first; that takes no part of the time. */
static clStatus readFile(void *user, int64_t i) {
  Job *j = user;
  (void)i;
  clTripletsDestroy(j->read);
  j->read = NULL;
  double start = txNow();
  clStatus status = clMatrixMarketRead(&j->read, j->path, NULL);
  j->seconds = txNow() - start;
  return status;
}

/* What somebody writes who needs such a file once: no check, no sorting, no other forms. */
static clStatus loopOverLines(void *user, int64_t i) {
  Job *j = user;
  char line[256];
  FILE *file = fopen(j->path, "r");
  (void)i;
  if (!file)
    return TEXLA_IO_ERROR;
  do
    if (!fgets(line, sizeof line, file))
      break;
  while (*line == '%');
  for (int64_t k = 0; k < j->written->count && fgets(line, sizeof line, file); k++) {
    char *end;
    j->row[k] = (int32_t)strtol(line, &end, 10) - 1;
    j->col[k] = (int32_t)strtol(end, &end, 10) - 1;
    j->value[k] = strtod(end, NULL);
  }
  fclose(file);
  return TEXLA_OK;
}

/* 0: each entry is what was written; the loop's are in the file's order, which is theirs. */
static clStatus check(void *user, bool peer, double *error) {
  const Job *j = user;
  const clTriplets *A = j->written, *B = j->read;
  size_t n = (size_t)A->count;
  const int32_t *row = B->row, *col = B->col;
  const double *value = B->value;
  if (peer) {
    row = j->row;
    col = j->col;
    value = j->value;
  }
  bool same = (peer || B->count == A->count) && !memcmp(row, A->row, n * sizeof *row) &&
              !memcmp(col, A->col, n * sizeof *col) && !memcmp(value, A->value, n * sizeof *value);
  *error = !same;
  return TEXLA_OK;
}

/* A file of five entries a row: whole numbers, or such as take 17 digits. */
static clStatus create(Job *j, int32_t side, bool whole) {
  snprintf(j->path, sizeof j->path, "%.200s/texla-bench-%ld.mtx", txBenchTemporary(),
           (long)getpid());
  TRY(clGeneratePoisson2d(&j->written, side, side, NULL));
  size_t n = (size_t)j->written->count;
  for (size_t k = 0; k < n && !whole; k++)
    j->written->value[k] *= 1 + (double)(k % 1009) / 3027;
  j->row = malloc(n * sizeof *j->row);
  j->col = malloc(n * sizeof *j->col);
  j->value = malloc(n * sizeof *j->value);
  if (!j->row || !j->col || !j->value)
    return TEXLA_OUT_OF_MEMORY;
  return clMatrixMarketWrite(j->path, j->written, false, NULL, NULL);
}

/* The file goes, too. */
static void destroy(Job *j) {
  remove(j->path);
  clTripletsDestroy(j->written);
  clTripletsDestroy(j->read);
  free(j->row);
  free(j->col);
  free(j->value);
}

/* The rate is that of the file's bytes. */
static clStatus runCase(txBench *bench, const char *name, bool whole) {
  Job j = {.path = ""};
  struct stat file;
  int32_t side = (int32_t)txBenchSide(bench, 64, 1024);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&j, side, whole));
  if (stat(j.path, &file))
    TRY_CLEANUP(TEXLA_IO_ERROR);
  txBenchCase c = {.name = name,
                   .user = &j,
                   .device = readFile,
                   .seconds = &j.seconds,
                   .peer = {{"cpu_strtod", loopOverLines}},
                   .check = check,
                   .work = (double)file.st_size,
                   .unit = "GB/s"};
  snprintf(c.size, sizeof c.size, "%lld", (long long)j.written->count);
  TRY_CLEANUP(txBenchRunCase(bench, &c));
cleanup:
  destroy(&j);
  return txBenchForgive(bench, name, status);
}

/* Whole numbers, which have a short way, and those that have to be rounded correctly. */
clStatus txBenchFiles(txBench *bench) {
  TRY(txBenchUse(bench, 1));
  TRY(runCase(bench, "read, whole numbers", true));
  return runCase(bench, "read, 17 digits", false);
}
