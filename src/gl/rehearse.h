/* For a page in a browser, whose device is another process: each question is a wait, and while it
 * waits it answers nobody. */
#ifndef TEXLA_GL_REHEARSE_H
#define TEXLA_GL_REHEARSE_H

#include "gl/context.h"

/* What is to be computed can be rehearsed: calls do what they always do, but wait for nothing, and
 * all that is read is zero. The first time programs are begun and nothing is drawn, so that they
 * are compiled side by side; the second time it is drawn, since drivers compile once more at a
 * program's first draw. What a rehearsal has computed is worth nothing: its objects have to be made
 * or filled anew. */
typedef enum txRehearsal { TX_IN_EARNEST, TX_BEGINNING, TX_DRAWING } txRehearsal;
TX_COMPANION void txContextRehearse(clContext *context, txRehearsal rehearsal);
/* Whether the device has done with what the last rehearsal began. */
TX_COMPANION bool txContextRehearsed(clContext *context);

/* While its context is borrowed (txContextBorrow) a browser is not asked for errors by every call:
 * this asks for those since the last time. */
TX_COMPANION clStatus txContextCheck(clContext *context);

#endif
