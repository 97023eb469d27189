/* A trace while it is being recorded. Passes, textures' contents, shaders and paths are written as
 * JSON as they come, one a line; the page (page.c) joins the four lists. What occurs again is
 * written once: a content by its texture's version, a program and a path by their hashes. */
#ifndef TEXLA_TRACE_TRACE_H
#define TEXLA_TRACE_TRACE_H

#include <stdio.h>

#include "gl/observe.h"
#include "io/json.h"
#include "texla/trace.h"
#include "trace/choose.h"
#include "trace/table.h"

/* Objects of JSON, one a line, in memory. */
typedef struct txTraceList {
  FILE *file;
  char *text;
  size_t size;
  int64_t count;
} txTraceList;

typedef struct txTrace {
  /* first: the callbacks get its address */
  txObserver observer;
  clContext *context;
  char *folder;
  /* the folder, open and locked */
  int lock;
  txTraceChoice choice;
  txTraceList passes, contents, shaders, paths, reads;
  txTable content, shader, path, read;
  /* of the pass under way: its targets' contents, where they are not drawn over */
  int64_t before[TX_MAX_TARGETS];
  int64_t source[TX_MAX_SOURCES], scalar[TX_MAX_SCALARS];
  /* passes, and steps of the host; the number of the one under way, from 1 */
  int64_t seen;
  int64_t recorded, pictured, chosen;
  /* the pass that the last PNG file is of, and which of its pictures */
  int64_t picture[2];
  /* nothing more is recorded */
  bool no_memory;
} txTrace;

/* A list's next object; its place in the list is list->count before txTraceEnd. */
void txTraceBegin(txTraceList *list, txJson *json);
int64_t txTraceEnd(txTraceList *list, txJson *json);

/* contents.c: the place of what a texture holds now; -1: not recorded. `rect` and `base`: only that
 * part has changed since `base` (-1: all of it). */
int64_t txTraceContent(txTrace *trace, const txTexture *texture, txRect rect, int64_t base,
                       int64_t pass);
/* after another member */
void txTraceBase64(txJson *json, const char *key, const void *bytes, size_t count);
/* What was read of a texture. */
typedef struct txTraceImage {
  const txTexture *texture;
  int channels;
  bool integer;
  /* layer after layer, float or int32_t */
  void *values;
  double least, most;
} txTraceImage;
double txTraceValue(const txTraceImage *image, size_t i);
/* Does this lane hold a number, or only fill its texel? Where the meaning is unknown each does. */
bool txTraceHolds(const txTexture *texture, int x, int y, int lane);
/* pictures.c: a PNG file of it, the next one of this pass; where that fails, it says so once and
 * makes no more. */
void txTracePicture(txTrace *trace, const txTraceImage *image, int64_t pass);
/* record.c */
void txTraceRecord(txTrace *trace, const txPassReport *report);
bool txTraceDrawsAll(const txPassReport *report);
/* reads.c: the place of which texels this stage of a pass read; -1: not known. */
int64_t txTraceReads(txTrace *trace, const txPassReport *report, txStage stage);
/* page.c */
clStatus txTraceWrite(txTrace *trace, clTraceReport *report);

#endif
