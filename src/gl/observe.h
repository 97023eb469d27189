/* Who watches a context: the tracer (src/trace) hears of every pass before and after it was drawn,
 * and reads textures in between. What it does changes nothing that can be seen of the context:
 * errors, counters and tuning stay as they are. */
#ifndef TEXLA_GL_OBSERVE_H
#define TEXLA_GL_OBSERVE_H

#include "platform/companion.h"
#include "gl/pass.h"

typedef struct txPassReport {
  const char *call;
  const txPass *pass;
  /* The rectangle of the target that is rendered, in texels. */
  txRect rect;
  int64_t draws;
  /* How long it took on the device; a step of the host: on the host. */
  double seconds;
} txPassReport;

typedef struct txObserver {
  /* Before a pass. Where it returns false, `end` is not called and nothing is timed. */
  bool (*begin)(struct txObserver *observer, const txPassReport *report);
  void (*end)(struct txObserver *observer, const txPassReport *report);
  /* The context is about to be destroyed, and the observer goes with it. */
  void (*close)(struct txObserver *observer);
} txObserver;

/* The one observer of a context; NULL: none. */
TX_COMPANION void txContextObserve(clContext *context, txObserver *observer);
TX_COMPANION txObserver *txContextObserver(const clContext *context);

/* What the host computes between two passes, told as a pass of shape TX_HOST: its name (`kernel`),
 * the textures that are read back and those that are written then, and the rectangle of the latter.
 * Nothing but the trace depends on it; an end without a beginning is ignored. */
void txHostBegin(clContext *context, const char *call, const txPass *step);
void txHostEnd(clContext *context);

/* Where a pass comes from: the operations that are under way, outermost first; the innermost one is
 * the call that txPassRun gets. A few instructions each, so that they are noted whether somebody
 * watches or not. Each enter has its leave. */
enum { TX_MOST_SCOPES = 16 };
typedef struct txScope {
  /* A text that lives as long as the program. */
  const char *name;
  /* The number of an iteration, a level or a panel; negative where it has none. */
  int64_t index;
} txScope;
/* Opens and closes a scope. Both ignore a context that is NULL. */
TX_COMPANION void txScopeEnter(clContext *context, const char *name, int64_t index);
/* Returns `status`, so that a function can end with it. */
TX_COMPANION clStatus txScopeLeave(clContext *context, clStatus status);
/* The list; *count <- how many. */
const txScope *txScopesOf(const clContext *context, int *count);

/* A shader of a pass as it is compiled, without the version's line: includes are resolved, and
 * "#line N" says that the next line is line N % TX_LINES of file[N / TX_LINES]. */
enum { TX_LINES = 100000, TX_SHADER_FILES = 32 };
typedef struct txShaderText {
  /* The caller frees the text; NULL where the pass has no such shader. */
  char *text;
  char file[TX_SHADER_FILES][64];
  int files;
} txShaderText;
clStatus txShaderAssemble(txShaderText *out, clContext *context, const char *call,
                          const txPass *pass, txStage stage);
/* Draws the pass once more, into an RGBA32F texture: where fetch number `which` of one of its
 * shaders looks (source + 1, x, y, layer; 0 where it has fewer fetches), or how many it has
 * (TX_FETCHES), or where the vertex is in device coordinates (TX_PLACES).
 *   TX_FRAGMENT  the target has the size of the pass's targets: each fragment at its own texel. Not
 *                for points, which share texels
 *   TX_VERTEX    vertex k, of txPassVertices(pass), is at texel (k % width, k / width)
 *   TX_GEOMETRY  a target of one texel */
enum { TX_FETCHES = -1, TX_PLACES = -2 };
clStatus txPassNote(clContext *context, const char *call, const txPass *pass, txStage stage,
                    txTexture *target, int which);
int64_t txPassVertices(const txPass *pass);
/* What is equal for passes with the same program, and different for others. */
uint64_t txProgramHash(const txPass *pass);

#endif
