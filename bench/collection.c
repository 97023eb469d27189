/* Going through a folder of matrices: what the suites crout and precond share. A run writes a row
 * as soon as it has one, so that it may be interrupted and called again. */
#include "collection.h"
#include "core/numbers.h"
#include "core/try.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Of a folder; further files are left out. */
enum { MOST_FILES = 4096 };

/* SUITE.ending in the page's folder. */
static FILE *openFile(const txBench *bench, const char *ending, const char *mode) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s.%s", bench->html, bench->suite, ending);
  if (length >= (int)sizeof path)
    return NULL;
  return fopen(path, mode);
}

/* Rows that the suite takes; a last one that was cut off is none. */
static clStatus readRows(txBenchCollection *c) {
  char line[2048];
  FILE *old = openFile(c->bench, "csv", "r");
  clStatus status = TEXLA_OK;
  while (old && c->count < MOST_FILES && fgets(line, sizeof line, old)) {
    char *end = strchr(line, '\n');
    if (!end || strcmp(line, c->head) == 0)
      continue;
    /* The suite sees the row without its end, the table keeps it with it. */
    *end = '\0';
    if (!c->restore(c->user, line))
      continue;
    *end = '\n';
    c->done[c->count] = strdup(line);
    if (c->done[c->count])
      c->count++;
    else
      TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  }
cleanup:
  if (old)
    fclose(old);
  return status;
}

/* Rows of an earlier run are read, so that a run that was interrupted goes on. */
clStatus txBenchCollectionOpen(txBenchCollection *c) {
  c->done = calloc(MOST_FILES, sizeof *c->done);
  if (!c->done)
    return TEXLA_OUT_OF_MEMORY;
  if (!c->bench->html)
    return TEXLA_OK;
  TRY(readRows(c));
  c->csv = openFile(c->bench, "csv", "w");
  c->log = openFile(c->bench, "log", "a");
  if (!c->csv || !c->log)
    return TEXLA_IO_ERROR;
  fputs(c->head, c->csv);
  for (int i = 0; i < c->count; i++)
    fputs(c->done[i], c->csv);
  fflush(c->csv);
  return TEXLA_OK;
}

/* Also what has never been opened. */
void txBenchCollectionClose(txBenchCollection *c) {
  for (int i = 0; i < c->count; i++)
    free(c->done[i]);
  free(c->done);
  if (c->csv)
    fclose(c->csv);
  if (c->log)
    fclose(c->log);
}

/* A row begins with the matrix's name and a comma. */
static bool isDone(const txBenchCollection *c, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < c->count; i++)
    if (strncmp(c->done[i], name, length) == 0 && c->done[i][length] == ',')
      return true;
  return false;
}

/* The log says where a long run is. */
static void say(const txBenchCollection *c, int number, int of, const char *name,
                const char *what) {
  if (c->log) {
    fprintf(c->log, "%d of %d  %s  %s\n", number, of, name, what);
    fflush(c->log);
  }
}

/* A matrix that an earlier run has measured is passed over. */
clStatus txBenchCollectionAdd(txBenchCollection *c, const char *name, const clTriplets *A,
                              int number, int of) {
  char reason[TX_BENCH_REASON] = "";
  if (isDone(c, name))
    return TEXLA_OK;
  say(c, number, of, name, "begins");
  TRY(c->measure(c->user, name, A, reason));
  if (c->csv)
    fflush(c->csv);
  if (!*reason)
    snprintf(reason, sizeof reason, "done");
  say(c, number, of, name, reason);
  return TEXLA_OK;
}

/* For scandir. */
static int isMatrix(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 4 && strcmp(entry->d_name + length - 4, ".mtx") == 0;
}

/* A file that cannot be read is left out with its reason. */
static clStatus runFile(txBenchCollection *c, const char *file, int number, int of) {
  char path[4096], name[TX_BENCH_NAME];
  clTriplets *A = NULL;
  clError error = {0};
  snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
  snprintf(path, sizeof path, "%s/%s", c->bench->folder, file);
  if (isDone(c, name))
    return TEXLA_OK;
  if (clMatrixMarketRead(&A, path, &error)) {
    fprintf(stderr, "texla bench: %s is left out: %s\n", file, error.message);
    return TEXLA_OK;
  }
  clStatus status = txBenchCollectionAdd(c, name, A, number, of);
  clTripletsDestroy(A);
  return status;
}

bool txBenchReason(const char *row, int at, char *reason) {
  const char *end = at ? strrchr(row + at, '"') : NULL;
  if (!end)
    return false;
  snprintf(reason, TX_BENCH_REASON, "%.*s", (int)(end - row - at), row + at);
  return true;
}

/* In alphabetical order, so that runs can be compared. */
clStatus txBenchCollectionRun(txBenchCollection *c) {
  struct dirent **list = NULL;
  if (!c->bench->folder)
    return c->generated(c);
  int count = scandir(c->bench->folder, &list, isMatrix, alphasort);
  clStatus status = TEXLA_OK;
  if (count <= 0)
    fprintf(stderr, "texla bench: no .mtx file in '%s'\n", c->bench->folder);
  for (int i = 0; i < txLeast(count, MOST_FILES); i++)
    TRY_CLEANUP(runFile(c, list[i]->d_name, i + 1, count));
cleanup:
  for (int i = 0; i < count; i++)
    free(list[i]);
  free(list);
  return status;
}

/* All methods of these suites are for square matrices, and some of them take n^3 operations. */
bool txBenchLeftOut(const txBench *bench, const clTriplets *A, int most, char *reason) {
  int rows = most;
  if (bench->most)
    rows = (int)bench->most;
  if (A->rows != A->cols)
    snprintf(reason, TX_BENCH_REASON, "%d x %d, not square", A->rows, A->cols);
  else if (A->rows > rows)
    snprintf(reason, TX_BENCH_REASON, "more than %d rows (--most)", rows);
  return A->rows != A->cols || A->rows > rows;
}
