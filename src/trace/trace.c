/* A trace's life: it begins in a folder of its own, hears of passes, and ends as a page. */
#include "trace/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/try.h"
#include "platform/platform.h"

static const char start_call[] = "clTraceStart", finish_call[] = "clTraceFinish";

/* List number k; NULL behind the last. */
static txTraceList *listsOf(txTrace *t, int k) {
  txTraceList *const all[] = {&t->passes, &t->contents, &t->shaders, &t->paths, &t->reads, NULL};
  return all[k];
}

/* The limit of a trace's size in bytes. */
static size_t traceLimitOf(const txTrace *t) {
  return (size_t)t->choice.megabytes << 20;
}

/* The passes' own lines may take a quarter more than the rest: a long run's course is seen where
 * its numbers are not. */
static bool roomForPasses(const txTrace *t) {
  return !t->no_memory && t->passes.size < traceLimitOf(t) / 4;
}

/* All lists together count against the limit. */
static bool roomForPictures(const txTrace *t) {
  return t->passes.size + t->contents.size + t->shaders.size + t->paths.size + t->reads.size <
         traceLimitOf(t);
}

/* ---- What passes call ------------------------------------------------------------------------ */

/* The pass under way is recorded without what its textures hold. */
static void forgetContents(txTrace *t) {
  for (int i = 0; i < TX_MAX_SOURCES; i++)
    t->source[i] = -1;
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    t->scalar[i] = -1;
  for (int i = 0; i < TX_MAX_TARGETS; i++)
    t->before[i] = -1;
}

/* What a texture holds before the pass. */
static int64_t capture(txTrace *t, const txTexture *texture) {
  return txTraceContent(t, texture, (txRect){0, 0, 0, 0}, -1, -1);
}

/* What the pass reads, and what it will leave of its targets, before it is drawn. */
static void captureSources(txTrace *t, const txPassReport *report) {
  const txPass *pass = report->pass;
  forgetContents(t);
  for (int i = 0; i < TX_MAX_SOURCES && pass->source[i].name; i++)
    t->source[i] = capture(t, pass->source[i].texture);
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    if (pass->scalar[i])
      t->scalar[i] = capture(t, pass->scalar[i]);
  for (int i = 0; i < TX_MAX_TARGETS && pass->target[i] && !txTraceDrawsAll(report); i++)
    t->before[i] = capture(t, pass->target[i]);
}

/* Says whether endPass shall hear of the pass, too. */
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
    forgetContents(t);
  return true;
}

/* The pass has been drawn, so its targets hold the result. */
static void endPass(txObserver *observer, const txPassReport *report) {
  txTrace *t = (txTrace *)observer;
  txTraceRecord(t, report);
}

/* Ends the lock by closing the folder. */
static void freeTrace(txTrace *t) {
  if (!t)
    return;
  for (int k = 0; listsOf(t, k); k++) {
    txTraceList *list = listsOf(t, k);
    if (list->file)
      fclose(list->file);
    free(list->text);
  }
  txTableFree(&t->content);
  txTableFree(&t->shader);
  txTableFree(&t->path);
  txTableFree(&t->read);
  txFolderRelease(t->lock);
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
                 "their textures held; choose fewer, or a larger size (%s)",
                 (long long)chosen, (long long)report.recorded, (long long)report.pictured,
                 report.path);
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Makes and locks the folder; false where another trace is being written there, or with errno
 * set. */
static bool takeFolder(txTrace *t, const char *path) {
  if (!txFolderCreate(path) && errno != EEXIST)
    return false;
  t->lock = txFolderClaim(path);
  return t->lock != -1;
}

/* The folder itself, or the first of its subfolders 2, 3, ... that is free: contexts work side by
 * side. */
static clStatus openFolder(txTrace *t, clError *error, const char *folder) {
  char path[FILENAME_MAX];
  bool taken = takeFolder(t, folder);
  snprintf(path, sizeof path, "%s", folder);
  for (int k = 2; !taken && errno == EWOULDBLOCK && k < 1000; k++)
    if (snprintf(path, sizeof path, "%s/%d", folder, k) < (int)sizeof path)
      taken = takeFolder(t, path);
  if (!taken)
    return txFail(error, TEXLA_IO_ERROR, start_call, "cannot make the folder %s for a trace: %s",
                  path, strerror(errno));
  if (!txPathWritable(path))
    return txFail(error, TEXLA_IO_ERROR, start_call, "cannot write a trace into the folder %s: %s",
                  path, strerror(errno));
  t->folder = txCopyText(error, start_call, path, "a trace");
  if (!t->folder)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* The lists are files in memory; the first flush makes list->text. */
static clStatus openLists(txTrace *t, clError *error) {
  for (int k = 0; listsOf(t, k); k++) {
    txTraceList *list = listsOf(t, k);
    list->file = txMemoryOpen(&list->text, &list->size);
    if (!list->file || !txMemoryFlush(list->file, &list->text, &list->size))
      return txFail(error, TEXLA_OUT_OF_MEMORY, start_call, "no memory for a trace");
  }
  return TEXLA_OK;
}

/* A context has one trace at a time. */
clStatus clTraceStart(clContext *context, const clTraceOptions *options) {
  TRY(txContextEnter(context, start_call));
  clError *error = txContextError(context);
  if (!options || !options->folder || !*options->folder)
    return txFail(error, TEXLA_BAD_ARGUMENT, start_call, "a trace needs the name of a folder");
  if (txContextObserver(context))
    return txFail(error, TEXLA_BAD_ARGUMENT, start_call, "the context is being traced already");
  txTrace *t = txAllocate(error, start_call, 1, sizeof *t, "a trace");
  if (!t)
    return TEXLA_OUT_OF_MEMORY;
  *t = (txTrace){.observer = {beginPass, endPass, closeTrace}, .context = context, .lock = -1};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTraceChoose(&t->choice, error, start_call, options->choose));
  TRY_CLEANUP(openFolder(t, error, options->folder));
  TRY_CLEANUP(openLists(t, error));
  txContextObserve(context, &t->observer);
  t = NULL;
cleanup:
  freeTrace(t);
  return status;
}

/* Where memory ended in the middle of an object the lists are no JSON. */
static bool listsAreWhole(txTrace *t) {
  for (int k = 0; listsOf(t, k); k++) {
    txTraceList *list = listsOf(t, k);
    if (ferror(list->file) || !txMemoryFlush(list->file, &list->text, &list->size))
      return false;
  }
  return true;
}

/* The page and its data, unless memory ended. */
static clStatus traceFinish(txTrace *t, clTraceReport *report) {
  clTraceReport none;
  if (!listsAreWhole(t))
    return txFail(txContextError(t->context), TEXLA_OUT_OF_MEMORY, finish_call,
                  "no memory for the trace: nothing is written (choose fewer passes)");
  if (!report)
    report = &none;
  return txTraceWrite(t, report);
}

/* The trace is gone afterwards, whether its files could be written or not. */
clStatus clTraceFinish(clContext *context, clTraceReport *report) {
  if (!context)
    return TEXLA_BAD_ARGUMENT;
  if (!txContextObserver(context))
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, finish_call, "no trace was begun");
  txTrace *t = (txTrace *)txContextObserver(context);
  txContextObserve(context, NULL);
  clStatus status = traceFinish(t, report);
  freeTrace(t);
  return status;
}

void clTraceEnter(clContext *context, const char *name, int64_t index) {
  txScopeEnter(context, name, index);
}

void clTraceLeave(clContext *context) {
  txScopeLeave(context, TEXLA_OK);
}
