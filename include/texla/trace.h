/**
 * @file
 * Traces: every pass of a context as a page that a browser opens: its shader, sources, targets and
 * what they hold, where each number came from, and how long it took. docs/trace.md tells how to
 * read one.
 *
 * A trace begins by a call, or without any in each context that is created while the environment
 * variable TEXLA_TRACE names a folder (TEXLA_TRACE_CHOOSE then says what, as
 * clTraceOptions::choose). It ends with clTraceFinish or with the context. Tracing changes no
 * result, but it reads back what every pass has written: a traced run takes many times as long.
 *
 * Errors: each call lists its own. Ownership: a trace belongs to its context.
 *
 * Threads: calls belong to the context's thread.
 *
 * @since 0.3 */
#ifndef TEXLA_TRACE_H
#define TEXLA_TRACE_H

#include "texla/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is traced, and where to. */
typedef struct clTraceOptions {
  /**
   * gets index.html, which needs nothing else, and the same as trace.json; made where it is
   * missing, but not its parent. Where another context is writing a trace there, this one goes into
   * its subfolder 2, 3, ... */
  const char *folder;
  /**
   * a list with commas between, NULL: everything. `pass=1-200`       passes by number, the first
   * one of the trace is 1 `iteration=0-3`    those of these iterations of a solver, or steps of a
   * simulation `cg*`              those whose shader, operator or an operation around it has such a
   * name; of several, any `size=64`          MiB that the page may have (32) `texels=4096`      a
   * texture with more of them is stored as a smaller picture `pictures`         also a PNG file of
   * each target in the folder `pictures` */
  const char *choose;
} clTraceOptions;

/** What a trace has become. */
typedef struct clTraceReport {
  /** that ran while it was on, and steps that the host computed between them */
  int64_t passes;
  /** that the page shows; all that were chosen, unless it became too large */
  int64_t recorded;
  /** ... with what their textures held */
  int64_t pictured;
  /** of index.html */
  int64_t bytes;
  /** of index.html */
  char path[4096];
} clTraceReport;

/**
 * Begins a trace of all that the context does from now on.
 * @param context  not NULL, not traced yet
 * @param options  not NULL, with a folder; texts are copied
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also: a word of the list is not understood), TEXLA_IO_ERROR
 *         (the folder cannot be written to), TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clTraceStart(clContext *context, const clTraceOptions *options);

/**
 * Ends the trace and writes the page. Destroying a context does the same, and says in its log what
 * went wrong or was left out.
 * @param context  not NULL
 * @param report   <- what was written; NULL is allowed
 * @return TEXLA_OK (also where the size was not enough for all), TEXLA_BAD_ARGUMENT (no trace was
 *         begun), TEXLA_IO_ERROR (the disk is full; nothing is left of the page),
 *         TEXLA_OUT_OF_MEMORY (the trace stopped early; the page is written as far as it came) */
TEXLA_API clStatus clTraceFinish(clContext *context, clTraceReport *report);

/**
 * Names what a program does next: passes until the matching clTraceLeave have this name in their
 * path. Costs next to nothing where no trace is on.
 * @param context  NULL is allowed
 * @param name     lives until the matching leave; "iteration" and "step" are what
 *         clTraceOptions::choose calls iterations
 * @param index    its number; negative: it has none */
TEXLA_API void clTraceEnter(clContext *context, const char *name, int64_t index);
/** Ends what the last clTraceEnter began.
 * @param context  NULL is allowed */
TEXLA_API void clTraceLeave(clContext *context);

#ifdef __cplusplus
}
#endif
#endif
