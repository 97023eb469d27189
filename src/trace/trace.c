/* A trace's life: it begins in a folder of its own, hears of passes, and ends as a page. */
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/allocate.h"

static const char start_call[] = "clTraceStart", finish_call[] = "clTraceFinish";

/* Lists. */

void txTraceBegin(txTraceList *list, txJson *json) {
  if (list->count)
    fputs(",\n", list->file);
  txJsonStart(json, list->file);
  json->compact = true;
  txJsonObject(json, NULL);
}

int64_t txTraceEnd(txTraceList *list, txJson *json) {
  txJsonClose(json);
  /* so that list->size is right */
  fflush(list->file);
  return list->count++;
}

static txTraceList *listsOf(txTrace *t, int k) {
  txTraceList *const all[] = {&t->passes, &t->contents, &t->shaders, &t->paths, &t->reads};
  return k < (int)(sizeof all / sizeof *all) ? all[k] : NULL;
}

static size_t limitOf(const txTrace *t) {
  return (size_t)t->choice.megabytes << 20;
}

/* The passes' own lines may take a quarter more than the rest: a long run's course is seen where
 * its numbers are not. */
static bool roomForPasses(const txTrace *t) {
  return !t->no_memory && t->passes.size < limitOf(t) / 4;
}

static bool roomForPictures(const txTrace *t) {
  return t->passes.size + t->contents.size + t->shaders.size + t->paths.size + t->reads.size <
         limitOf(t);
}

/* Callbacks. */

static void captureSources(txTrace *t, const txPassReport *report) {
  const txPass *pass = report->pass;
  for (int i = 0; i < TX_MAX_SOURCES && pass->source[i].name; i++)
    t->source[i] = txTraceContent(t, pass->source[i].texture, (txRect){0, 0, 0, 0}, -1, -1);
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    t->scalar[i] =
        pass->scalar[i] ? txTraceContent(t, pass->scalar[i], (txRect){0, 0, 0, 0}, -1, -1) : -1;
  for (int i = 0; i < TX_MAX_TARGETS && pass->target[i]; i++)
    t->before[i] = txTraceDrawsAll(report)
                       ? -1
                       : txTraceContent(t, pass->target[i], (txRect){0, 0, 0, 0}, -1, -1);
}

static bool beginPass(txObserver *observer, const txPassReport *report) {
  txTrace *t = (txTrace *)observer;
  t->seen++;
  if (!txTraceChosen(&t->choice, t->context, report, t->seen))
    return false;
  t->chosen++;
  if (!roomForPasses(t))
    return false;
  if (roomForPictures(t))
    captureSources(t, report);
  else
    for (int i = 0; i < TX_MAX_SOURCES; i++)
      t->source[i] = t->before[i % TX_MAX_TARGETS] = t->scalar[i % TX_MAX_SCALARS] = -1;
  return true;
}

static void endPass(txObserver *observer, const txPassReport *report) {
  txTrace *t = (txTrace *)observer;
  txTraceRecord(t, report);
}

static void freeTrace(txTrace *t) {
  txTraceList *list;
  for (int k = 0; (list = listsOf(t, k)); k++) {
    if (list->file)
      fclose(list->file);
    free(list->text);
  }
  txTableFree(&t->content);
  txTableFree(&t->shader);
  txTableFree(&t->path);
  txTableFree(&t->read);
  if (t->lock >= 0)
    close(t->lock);
  free(t->folder);
  free(t);
}

/* The context goes: nobody is there to hear a status, so the log does. */
static void closeTrace(txObserver *observer) {
  txTrace *t = (txTrace *)observer;
  clContext *context = t->context;
  clTraceReport report;
  int64_t chosen = t->chosen;
  if (clTraceFinish(context, &report)) {
    txContextLog(context, TEXLA_LOG_WARNING, "%s", clContextError(context)->message);
    return;
  }
  bool all = report.pictured == chosen;
  txContextLog(context, TEXLA_LOG_INFO, "trace of %lld passes: %s (%.1f MB)",
               (long long)report.recorded, report.path, (double)report.bytes * 1e-6);
  if (!all)
    txContextLog(context, TEXLA_LOG_WARNING,
                 "the trace became too large: of %lld passes %lld are in it, and %lld with what "
                 "their textures held; choose "
                 "fewer, or a larger size (%s)",
                 (long long)chosen, (long long)report.recorded, (long long)report.pictured,
                 report.path);
}

/* Start. */

/* Makes and locks the folder; false where another trace is being written there, or with errno
 * set. */
static bool takeFolder(txTrace *t, const char *path) {
  if (mkdir(path, 0777) && errno != EEXIST)
    return false;
  t->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (t->lock < 0)
    return false;
  if (!flock(t->lock, LOCK_EX | LOCK_NB))
    return true;
  close(t->lock);
  t->lock = -1;
  errno = EWOULDBLOCK;
  return false;
}

/* The folder itself, or the first of its subfolders 2, 3, ... that is free: contexts work side by
 * side. */
static clStatus openFolder(txTrace *t, clError *error, const char *folder) {
  char path[PATH_MAX];
  bool taken = takeFolder(t, folder);
  snprintf(path, sizeof path, "%s", folder);
  for (int k = 2; !taken && errno == EWOULDBLOCK && k < 1000; k++)
    if (snprintf(path, sizeof path, "%s/%d", folder, k) < (int)sizeof path)
      taken = takeFolder(t, path);
  if (!taken)
    return txFail(error, TEXLA_IO_ERROR, start_call, "cannot make the folder %s for a trace: %s",
                  path, strerror(errno));
  if (access(path, W_OK))
    return txFail(error, TEXLA_IO_ERROR, start_call, "cannot write a trace into the folder %s: %s",
                  path, strerror(errno));
  t->folder = txCopyText(error, start_call, path, "a trace");
  return t->folder ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

static clStatus openLists(txTrace *t, clError *error) {
  txTraceList *list;
  /* which makes list->text */
  for (int k = 0; (list = listsOf(t, k)); k++)
    if (!(list->file = open_memstream(&list->text, &list->size)) || fflush(list->file))
      return txFail(error, TEXLA_OUT_OF_MEMORY, start_call, "no memory for a trace");
  return TEXLA_OK;
}

clStatus clTraceStart(clContext *context, const clTraceOptions *options) {
  clStatus status = txContextEnter(context, start_call);
  clError *error = txContextError(context);
  if (status)
    return status;
  if (!options || !options->folder || !*options->folder)
    return txFail(error, TEXLA_BAD_ARGUMENT, start_call, "a trace needs the name of a folder");
  if (txContextObserver(context))
    return txFail(error, TEXLA_BAD_ARGUMENT, start_call, "the context is being traced already");
  txTrace *t = txAllocate(error, start_call, 1, sizeof *t, "a trace");
  if (!t)
    return TEXLA_OUT_OF_MEMORY;
  *t = (txTrace){.observer = {beginPass, endPass, closeTrace}, .context = context, .lock = -1};
  status = txTraceChoose(&t->choice, error, start_call, options->choose);
  if (!status)
    status = openFolder(t, error, options->folder);
  if (!status)
    status = openLists(t, error);
  if (status)
    freeTrace(t);
  else
    txContextObserve(context, &t->observer);
  return status;
}

/* Where memory ended in the middle of an object the lists are no JSON. */
static bool listsAreWhole(txTrace *t) {
  txTraceList *list;
  for (int k = 0; (list = listsOf(t, k)); k++)
    if (ferror(list->file))
      return false;
  return true;
}

clStatus clTraceFinish(clContext *context, clTraceReport *report) {
  clTraceReport none;
  if (!context || !txContextObserver(context))
    return context ? txFail(txContextError(context), TEXLA_BAD_ARGUMENT, finish_call,
                            "no trace was begun")
                   : TEXLA_BAD_ARGUMENT;
  txTrace *t = (txTrace *)txContextObserver(context);
  txContextObserve(context, NULL);
  clStatus status =
      listsAreWhole(t)
          ? txTraceWrite(t, report ? report : &none)
          : txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, finish_call,
                   "no memory for the trace: nothing is written (choose fewer passes)");
  freeTrace(t);
  return status;
}

void clTraceEnter(clContext *context, const char *name, int64_t index) {
  txScopeEnter(context, name, index);
}

void clTraceLeave(clContext *context) {
  txScopeLeave(context, TEXLA_OK);
}
