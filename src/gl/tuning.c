/* The tuning table: measured once per device, kept in the user's cache folder or in a pinned file. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/numbers.h"

#include <ctype.h>
#include <float.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 7, MOST = 16 /* candidates */ };

static int *findEntry(const clContext *context, const char *key) {
  for (int i = 0; i < context->tunings; i++)
    if (!strcmp(context->tuning[i].key, key))
      return &context->tuning[i].value;
  return NULL;
}

bool txTuningKnown(const clContext *context, const char *key, int *value) {
  const int *at = findEntry(context, key);
  if (at)
    *value = *at;
  return at != NULL;
}

clStatus txTuningAdd(clContext *context, const char *key, int value) {
  int *at = findEntry(context, key);
  if (at) {
    *at = value;
    return TEXLA_OK;
  }
  txTuningEntry *grown = txReallocate(&context->error, "tuning", context->tuning, (size_t)(context->tunings + 1),
                                      sizeof *grown, "the tuning table");
  if (!grown)
    return TEXLA_OUT_OF_MEMORY;
  context->tuning = grown;
  txTuningEntry *e = &grown[context->tunings++];
  snprintf(e->key, sizeof e->key, "%s", key);
  e->value = value;
  return TEXLA_OK;
}

/* The pinned file, or <cache>/texla/<renderer>.tuning, one for every device and driver, and for each number of a software renderer's
 * threads: what is fastest with and without them differs. */
static bool tuningPath(const clContext *context, char *path, size_t n, bool create) {
  if (context->tuning_path)
    return snprintf(path, n, "%s", context->tuning_path) < (int)n;
  if (context->options.no_tuning_cache)
    return false;
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char folder[512], device[256], threads[16] = "";
  if (cache && *cache)
    snprintf(folder, sizeof folder, "%s", cache);
  else if (home && *home)
    snprintf(folder, sizeof folder, "%s/.cache", home);
  else
    return false;
  if (context->info.threads || !strncmp(context->info.renderer, "llvmpipe", 8))
    snprintf(threads, sizeof threads, "-%d", context->info.threads);
  snprintf(device, sizeof device, "%.120s-%.100s%s", context->info.renderer, context->info.version, threads);
  for (char *c = device; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '.')
      *c = '_';
  if (create) {
    mkdir(folder, 0777);
    strncat(folder, "/texla", sizeof folder - strlen(folder) - 1);
    mkdir(folder, 0777);
    return snprintf(path, n, "%s/%s.tuning", folder, device) < (int)n;
  }
  return snprintf(path, n, "%s/texla/%s.tuning", folder, device) < (int)n;
}

/* A line is "key value", a comment (#) or empty. */
static bool parseLine(const char *line, char key[64], int *value) {
  int end = 0;
  line += strspn(line, " \t\r\n");
  if (!*line || *line == '#')
    return key[0] = 0, true;
  return sscanf(line, "%63s %d %n", key, value, &end) == 2 && !line[end];
}

/* A pinned file decides results, so it must be right; a missing one is begun by the first measurement. Lines of the
 * cache that are not understood are skipped. */
clStatus txTuningLoad(clContext *context) {
  static const char call[] = "clContextCreate";
  const char *pinned = context->tuning_path;
  char path[1024], line[256], key[64];
  int value = 0, number = 0;
  bool known = tuningPath(context, path, sizeof path, false);
  if (pinned && !known)
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call, "the tuning file's name is too long: %.80s...", pinned);
  FILE *file = known ? fopen(path, "r") : NULL;
  if (!file && pinned && errno != ENOENT)
    return txFail(&context->error, TEXLA_IO_ERROR, call, "the tuning file %s: %s", path, strerror(errno));
  clStatus status = TEXLA_OK;
  while (file && !status && fgets(line, sizeof line, file)) {
    number++;
    if (!parseLine(line, key, &value)) {
      if (pinned)
        status = txFail(&context->error, TEXLA_BAD_FILE, call, "%s:%d: not a line of \"key value\"", path, number);
    } else if (key[0]) {
      status = txTuningAdd(context, key, value);
    }
  }
  if (file && !status && pinned && ferror(file)) /* a directory, for instance */
    status = txFail(&context->error, TEXLA_IO_ERROR, call, "the tuning file %s cannot be read", path);
  if (file)
    fclose(file);
  return status;
}

/* Beside its place, then renamed: a reader in another process never sees half a table. */
void txTuningSave(clContext *context) {
  char path[1024], part[1100];
  if (!tuningPath(context, path, sizeof path, true))
    return;
  snprintf(part, sizeof part, "%s.%ld.%p", path, (long)getpid(), (void *)context);
  FILE *file = fopen(part, "w");
  if (!file) {
    txContextLog(context, TEXLA_LOG_WARNING, "the tuning table cannot be written to %s", path);
    return;
  }
  fprintf(file, "# texla: %s, %s\n", context->info.renderer, context->info.version);
  for (int i = 0; i < context->tunings; i++)
    fprintf(file, "%s %d\n", context->tuning[i].key, context->tuning[i].value);
  if (fclose(file) || rename(part, path))
    remove(part);
}

static double measure(clContext *context, txTuningRun run, void *user, int value) {
  double start = txNow();
  return run(user, value) || clContextSynchronize(context) ? INFINITY : txNow() - start;
}

/* The shortest of several runs of each candidate, the first not counted. They take turns, so that other work on the machine
 * meets all of them; a variant that fails takes for ever. */
static void measureAll(clContext *context, const int *candidates, int count, txTuningRun run, void *user,
                       double *shortest) {
  for (int i = 0; i < count && i < MOST; i++)
    shortest[i] = measure(context, run, user, candidates[i]) < INFINITY ? DBL_MAX : INFINITY;
  for (int r = 0; r < RUNS; r++)
    for (int i = 0; i < count && i < MOST; i++)
      if (shortest[i] < INFINITY)
        shortest[i] = fmin(shortest[i], measure(context, run, user, candidates[i]));
}

clStatus txTuningChoose(clContext *context, const char *key, const int *candidates, int count, txTuningRun run,
                        void *user, int fallback, int *value) {
  const int *known = findEntry(context, key);
  for (int i = 0; known && i < count; i++)
    if (candidates[i] == *known) {
      *value = *known;
      return TEXLA_OK;
    }
  clError before = context->error;
  double best = INFINITY, shortest[MOST];
  measureAll(context, candidates, count, run, user, shortest);
  *value = fallback;
  for (int i = 0; i < count && i < MOST; i++) {
    txContextLog(context, TEXLA_LOG_DEBUG, "tuning %s: variant %d takes %.3g ms", key, candidates[i],
                 shortest[i] * 1e3);
    if (shortest[i] < best) {
      best = shortest[i];
      *value = candidates[i];
    }
  }
  context->error = before; /* a variant that fails is no error */
  if (best == INFINITY)
    return TEXLA_OK; /* perhaps there was no memory: nothing to remember */
  clStatus status = txTuningAdd(context, key, *value);
  if (!status)
    txTuningSave(context);
  return status;
}
