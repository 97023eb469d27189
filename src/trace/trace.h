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

/* Objects of JSON, one a line, in memory: `text` of `size` bytes, `count` of them, written through
 * `file`. */
typedef struct txTraceList {
  FILE *file;
  char *text;
  size_t size;
  int64_t count;
} txTraceList;

/* Places in the lists are kept in tables: contents by version, shaders, paths and reads by hash.
 *
 * Of the pass under way, `before` holds the contents of its targets where they are not drawn over,
 * `source` and `scalar` what it reads. `seen` counts passes and steps of the host, so that it is
 * the number, from 1, of the one under way; `chosen` of them were wanted, `recorded` are in the
 * trace, `pictured` with all contents. picture[0] is the pass that the last PNG file is of, and
 * picture[1] says which of its pictures. After `no_memory` nothing more is recorded. */
typedef struct txTrace {
  /* The first member, as the callbacks get its address. */
  txObserver observer;
  clContext *context;
  /* The folder's name, and the folder itself, open and locked. */
  char *folder;
  intptr_t lock;
  txTraceChoice choice;
  txTraceList passes, contents, shaders, paths, reads;
  txTable content, shader, path, read;
  int64_t before[TX_MAX_TARGETS];
  int64_t source[TX_MAX_SOURCES], scalar[TX_MAX_SCALARS];
  int64_t seen;
  int64_t recorded, pictured, chosen;
  int64_t picture[2];
  bool no_memory;
} txTrace;

/* What was read of a texture: float or int32_t, layer after layer. */
typedef struct txTraceImage {
  const txTexture *texture;
  int channels;
  bool integer;
  void *values;
  double least, most;
} txTraceImage;

/* In list.c: a list's next object, whose place in the list txTraceEnd returns; and members of it
 * that JSON has no type for. */
void txTraceBegin(txTraceList *list, txJson *json);
int64_t txTraceEnd(txTraceList *list, txJson *json);
void txTraceBase64(txJson *json, const char *key, const void *bytes, size_t count);
void txTraceRect(txJson *json, txRect rect);

/* In image.c: number i; and does this lane hold a number, or does it only fill its texel? Where the
 * meaning of a texture is unknown each lane holds one. */
double txTraceValue(const txTraceImage *image, size_t i);
bool txTraceHolds(const txTexture *texture, int x, int y, int lane);

/* In pictures.c: a PNG file of an image, the next one of this pass; where that fails, it says so
 * once and makes no more. */
void txTracePicture(txTrace *trace, const txTraceImage *image, int64_t pass);

/* In contents.c: the place of what a texture holds now, -1 where it is not recorded. Where `base`
 * is not -1, only `rect` has changed since that content. */
int64_t txTraceContent(txTrace *trace, const txTexture *texture, txRect rect, int64_t base,
                       int64_t pass);

/* In reads.c: the place of which texels this stage of a pass read, -1 where that is not known. */
int64_t txTraceReads(txTrace *trace, const txPassReport *report, txStage stage);

/* In record.c: the pass that has just been drawn; and does it leave nothing of what its targets
 * held before? */
void txTraceRecord(txTrace *trace, const txPassReport *report);
bool txTraceDrawsAll(const txPassReport *report);

/* In page.c: the files of the trace. */
clStatus txTraceWrite(txTrace *trace, clTraceReport *report);

#endif
