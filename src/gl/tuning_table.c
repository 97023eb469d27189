/* The tuning table: lines of a key and a value, kept in the user's cache folder or in a pinned
 * file. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/input.h"
#include "core/output.h"
#include "core/try.h"
#include "platform/platform.h"
#include "texla/version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a file; a usual one has 2000. */
enum { LARGEST_TABLE = 65536 };

static txTuningEntry *findEntry(const clContext *context, const char *key) {
  for (int i = 0; i < context->tunings; i++)
    if (!strcmp(context->tuning[i].key, key))
      return &context->tuning[i];
  return NULL;
}

bool txTuningKnown(const clContext *context, const char *key, int *value) {
  const txTuningEntry *at = findEntry(context, key);
  if (at)
    *value = at->value;
  return at != NULL;
}

/* A key that is there already gets the new value. */
clStatus txTuningAdd(clContext *context, const char *key, int value) {
  txTuningEntry *at = findEntry(context, key);
  if (at) {
    at->value = value;
    return TEXLA_OK;
  }
  txTuningEntry *grown =
      txReallocate(&context->error, "tuning", context->tuning, (size_t)context->tunings + 1,
                   sizeof *grown, "the tuning table");
  if (!grown)
    return TEXLA_OUT_OF_MEMORY;
  context->tuning = grown;
  txTuningEntry *e = &grown[context->tunings++];
  snprintf(e->key, sizeof e->key, "%s", key);
  e->value = value;
  e->checked = false;
  return TEXLA_OK;
}

clStatus txTuningCheck(clContext *context, const char *key, txTuningRun run, void *user,
                       int fallback, int *value) {
  txTuningEntry *at = findEntry(context, key);
  if (!at || at->checked)
    return TEXLA_OK;
  const clError before = context->error;
  txObserver *observer = context->observer;
  context->observer = NULL;
  clStatus status = run(user, *value);
  context->observer = observer;
  if (status == TEXLA_OUT_OF_MEMORY)
    return status;
  context->error = before;
  if (status) {
    txContextLog(context, TEXLA_LOG_WARNING, "tuning %s: variant %d computes wrong here: %d", key,
                 *value, fallback);
    *value = fallback;
  }
  TRY(txTuningAdd(context, key, *value));
  findEntry(context, key)->checked = true;
  return TEXLA_OK;
}

/* The pinned file, or <cache>/texla/<renderer>-<texla>.tuning, one for every device and driver, for
 * each number of a software renderer's threads: what is fastest with and without them differs; and
 * for each version of texla, since a number of a table may mean another variant in the next. False
 * where there is no place for one, or its name is too long: a name that is cut off would be another
 * file's. */
static bool tuningPath(const clContext *context, char *path, size_t n, bool create) {
  if (context->tuning_path)
    return snprintf(path, n, "%s", context->tuning_path) < (int)n;
  if (context->options.no_tuning_cache)
    return false;
  char device[256], threads[16] = "";
  if (!txFolderCache(path, n))
    return false;
  if (context->info.threads || !strncmp(context->info.renderer, "llvmpipe", 8))
    snprintf(threads, sizeof threads, "-%d", context->info.threads);
  snprintf(device, sizeof device, "%.110s-%.90s%s-%.16s", context->info.renderer,
           context->info.version, threads, TEXLA_VERSION);
  for (char *c = device; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '.')
      *c = '_';
  size_t folder = strlen(path);
  if (folder + sizeof device + 32 >= n)
    return false;
  if (create) {
    txFolderCreate(path);
    strcpy(path + folder, "/texla");
    txFolderCreate(path);
  }
  snprintf(path + folder, n - folder, "/texla/%s.tuning", device);
  return true;
}

/* A line is "key value", a comment (#) or empty. */
static bool parseLine(const char *line, char key[64], int *value) {
  int end = 0;
  line += strspn(line, " \t\r");
  if (!*line || *line == '#')
    return key[0] = 0, true;
  return sscanf(line, "%63s %d %n", key, value, &end) == 2 && !line[end];
}

/* A pinned file decides results, so it must be right; lines of the cache that are not understood
 * are skipped. */
static clStatus parseTable(clContext *context, const char *path, char *text) {
  char key[64];
  int value = 0;
  for (int number = 1; text; number++) {
    char *line = text, *end = strchr(text, '\n');
    text = end ? end + 1 : NULL;
    if (end)
      *end = 0;
    bool good = parseLine(line, key, &value);
    if (!good && context->tuning_path)
      return txFail(&context->error, TEXLA_BAD_FILE, "clContextCreate",
                    "%s:%d: not a line of \"key value\"", path, number);
    else if (good && key[0])
      TRY(txTuningAdd(context, key, value));
  }
  return TEXLA_OK;
}

/* The pinned file. It must be readable; one that is not there is begun by the first measurement. */
static clStatus tuningTableLoadPinned(clContext *context) {
  static const char call[] = "clContextCreate";
  char path[FILENAME_MAX], *text = NULL;
  if (!tuningPath(context, path, sizeof path, false))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "the tuning file's name is too long: %.80s...", context->tuning_path);
  TRY(txInputRead(&text, NULL, path, LARGEST_TABLE, call, &context->error));
  clStatus status = parseTable(context, path, text);
  free(text);
  return status;
}

/* The cache's file, which is only a pity to miss. */
clStatus txTuningLoad(clContext *context) {
  char path[FILENAME_MAX], *text = NULL;
  clError error = {0};
  if (context->tuning_path)
    return tuningTableLoadPinned(context);
  if (!tuningPath(context, path, sizeof path, false))
    return TEXLA_OK;
  if (txInputRead(&text, NULL, path, LARGEST_TABLE, "clContextCreate", &error)) {
    txContextLog(context, TEXLA_LOG_WARNING, "the tuning table is not used: %s", error.message);
    return TEXLA_OK;
  }
  clStatus status = parseTable(context, path, text);
  free(text);
  return status;
}

/* A reader in another process never sees half a table. */
static clStatus writeTable(const clContext *context, const char *path, clError *error) {
  txOutput output;
  TRY(txOutputOpen(&output, path, "tuning", error));
  fprintf(output.file, "# texla: %s, %s\n", context->info.renderer, context->info.version);
  for (int i = 0; i < context->tunings; i++)
    fprintf(output.file, "%s %d\n", context->tuning[i].key, context->tuning[i].value);
  return txOutputCommit(&output, error);
}

void txTuningSave(clContext *context) {
  char path[FILENAME_MAX];
  clError error = {0};
  /* A pipe that nobody reads would be waited for. */
  if (context->tuning_shared || !tuningPath(context, path, sizeof path, true))
    return;
  txPathKind kind = txPathLook(path, NULL);
  if (kind != TX_PATH_NOTHING && kind != TX_PATH_FILE)
    return;
  if (writeTable(context, path, &error))
    txContextLog(context, TEXLA_LOG_WARNING, "the tuning table is not kept: %s", error.message);
}
