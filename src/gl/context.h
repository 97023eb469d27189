/* What the upper layers may ask of a context: its error, its counters, whether it can be worked on.
 * No OpenGL type. */
#ifndef TEXLA_GL_CONTEXT_H
#define TEXLA_GL_CONTEXT_H

#include "platform/companion.h"
#include "core/error.h"
#include "texla/context.h"

/* clContextCreate (src/trace/create.c) without what an environment variable may ask for beside
 * it. */
clStatus txContextCreate(clContext **out, const clContextOptions *options, clError *error);

/* Where calls on this context leave their message (NULL for NULL). */
TX_COMPANION clError *txContextError(clContext *context);

/* Makes the context's OpenGL context current in this thread. Every entry into src/gl does it. */
clStatus txContextEnter(clContext *context, const char *call);

/* TEXLA_FOREIGN_CONTEXT unless both are the same; the message names the call. */
clStatus txContextSame(clContext *a, const clContext *b, const char *call);

/* Around a function of the caller's, which cannot destroy the context. An error without a message
 * gets one that names `what`; a status that is none is an error. */
void txCallbackBegin(clContext *context);
clStatus txCallbackEnd(clContext *context, clStatus status, const char *call, const char *what);

/* Objects hold the context's memory while they live. */
void txContextRetain(clContext *context);
void txContextRelease(clContext *context);

/* Part `index` of what creating the context took; false behind the last one. Parts that the tuning
 * table knew take next to nothing. */
bool txContextStart(const clContext *context, int index, const char **what, double *seconds);

/* Between these two an adopted OpenGL context is texla's alone: its state is saved once and put
 * back once, not by every call, which in a browser takes most of a small pass. Neither nests;
 * both do nothing to a context of texla's own, and giving back does nothing where nothing is
 * borrowed. */
TX_COMPANION clStatus txContextBorrow(clContext *context);
TX_COMPANION void txContextGiveBack(clContext *context);
/* Somebody else has bound textures or samplers meanwhile (demos/common/canvas.c does). */
TX_COMPANION void txContextTouched(clContext *context);

TX_COMPANION void txContextLog(const clContext *context, clLogLevel level, const char *format, ...)
    TEXLA_PRINTF(3, 4);

#endif
