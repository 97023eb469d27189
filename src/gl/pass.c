/* Runs a pass: checks, program, framebuffer, inputs (inputs.c), draw calls (draw.c), event. */
#include "gl/gl.h"
#include "core/try.h"

/* The targets, each layer on its own; the count may exceed the room. */
static int listTargets(const txPass *pass, txAttachment out[TX_MAX_TARGETS]) {
  int n = 0;
  for (int t = 0; t < TX_MAX_TARGETS && pass->target[t]; t++) {
    const txTexture *target = pass->target[t];
    int layer = target->layers > 1 ? pass->first_layer : 0;
    for (; layer < target->layers; layer++, n++)
      if (n < TX_MAX_TARGETS)
        out[n] = (txAttachment){target, layer};
  }
  return n;
}

static int countSources(const txPass *pass) {
  int n = 0;
  while (n < TX_MAX_SOURCES && pass->source[n].name)
    n++;
  return n;
}

/* All of one size, each only once, of this context, and no more than the device takes. */
static clStatus checkTargets(clContext *context, const char *call, const txPass *pass,
                             int targets) {
  if (targets < 1 || targets > context->info.max_targets)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call,
                  "pass %s has %d targets, but the device takes 1 to %d", pass->kernel, targets,
                  context->info.max_targets);
  const txTexture *first = pass->target[0];
  for (int t = 0; t < TX_MAX_TARGETS && pass->target[t]; t++) {
    const txTexture *target = pass->target[t];
    if (target->context != context)
      return txFail(&context->error, TEXLA_FOREIGN_CONTEXT, call,
                    "pass %s: a target of another context", pass->kernel);
    if (target->width != first->width || target->height != first->height)
      return txFail(&context->error, TEXLA_BAD_SHAPE, call,
                    "pass %s: targets of %d x %d and %d x %d texels", pass->kernel, first->width,
                    first->height, target->width, target->height);
    for (int other = 0; other < t; other++)
      if (pass->target[other] == target)
        return txFail(&context->error, TEXLA_BAD_ARGUMENT, call, "pass %s: a target occurs twice",
                      pass->kernel);
  }
  return TEXLA_OK;
}

/* Sampling a texture that is being rendered is undefined and OpenGL does not tell. */
static clStatus passCheckSource(clContext *context, const char *call, const txPass *pass,
                                const txTexture *source) {
  if (source->context != context)
    return txFail(&context->error, TEXLA_FOREIGN_CONTEXT, call,
                  "pass %s: a source of another context", pass->kernel);
  for (int t = 0; t < TX_MAX_TARGETS; t++)
    if (pass->target[t] == source)
      return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                    "pass %s: its target is also a source", pass->kernel);
  return TEXLA_OK;
}

static clStatus checkBlocks(clContext *context, const char *call, const txPass *pass) {
  GLint most = 0;
  if (!pass->blocks.count)
    return TEXLA_OK;
  glGetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &most);
  if (pass->blocks.bytes > (size_t)most)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call,
                  "pass %s has uniform blocks of %zu bytes, but the device takes at most %d",
                  pass->kernel, pass->blocks.bytes, (int)most);
  return TEXLA_OK;
}

/* What OpenGL would leave undefined, or refuse with a number. */
static clStatus checkPass(clContext *context, const char *call, const txPass *pass, int targets,
                          int sources) {
  if (pass->overfull)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call,
                  "pass %s has no room for \"%s\": it takes %d sources and %d uniforms",
                  pass->kernel, pass->overfull, TX_MAX_SOURCES, TX_MAX_UNIFORMS);
  if (context->es && pass->geometry)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call,
                  "pass %s: OpenGL ES has no geometry shaders", pass->kernel);
  TRY(checkTargets(context, call, pass, targets));
  TRY(checkBlocks(context, call, pass));
  for (int s = 0; s < sources; s++)
    TRY(passCheckSource(context, call, pass, pass->source[s].texture));
  for (int s = 0; s < TX_MAX_SCALARS; s++)
    if (pass->scalar[s])
      TRY(passCheckSource(context, call, pass, pass->scalar[s]));
  return TEXLA_OK;
}

/* Is the pass to be timed? OpenGL ES has no such query. One at a time: an application may have one
 * of its own under way. */
static bool mayTime(const clContext *context, bool observed) {
  GLint other = 0;
  if (context->es)
    return false;
  if (!observed && !(context->options.listener && context->options.profile))
    return false;
  if (context->options.adopt)
    glGetQueryiv(GL_TIME_ELAPSED, GL_CURRENT_QUERY, &other);
  return !other;
}

/* Waits for the timer query. */
static double secondsOf(const clContext *context) {
  GLuint64 ns = 0;
  glGetQueryObjectui64v(context->query, GL_QUERY_RESULT, &ns);
  return (double)ns * 1e-9;
}

/* Textures that the program reads: what it was given beyond that is for other variants of its
 * shader. A scalar is a texture, too. */
static int countRead(clContext *context, const char *call, const txPass *pass, int sources) {
  const txShaderProgram *program;
  txPass rim = *pass;
  rim.inside = (txRect){0, 0, 0, 0};
  int count = 0;
  if (txProgramFind(context, call, &rim, &program))
    return sources;
  for (int i = 0; i < sources; i++)
    count += txSlotFind(context, program, pass->source[i].name) != NULL;
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    count += pass->scalar[i] != NULL;
  return count;
}

/* The listener hears of a pass; its time is told to those who asked for it. */
static void passReport(clContext *context, const char *call, const txPass *pass, txRect rect,
                       int targets, int sources, double seconds) {
  if (!context->options.listener)
    return;
  int reads = countRead(context, call, pass, sources);
  clPassEvent event = {pass->kernel, rect.width, rect.height, targets, reads, -1};
  if (context->options.profile)
    event.seconds = seconds;
  context->options.listener(context->options.listener_user, &event);
}

/* Draws the rectangles that are not empty with the program for this pass. */
static clStatus passRunParts(clContext *context, const char *call, const txPass *pass,
                             const txRect *rect, int count, int sources) {
  const txShaderProgram *program;
  TRY(txProgramFind(context, call, pass, &program));
  glUseProgram(program->name);
  TRY(txPassBind(context, call, program, pass, sources));
  for (int i = 0; i < count; i++)
    if (rect[i].width && rect[i].height)
      txPassDraw(context, program, pass, rect[i], sources);
  return TEXLA_OK;
}

/* The rectangle without `inside`, in up to four strips. */
static clStatus runRim(clContext *context, const char *call, const txPass *pass, txRect r,
                       int sources) {
  txPass rim = *pass;
  txRect in = pass->inside;
  rim.inside = (txRect){0, 0, 0, 0};
  int above = in.y + in.height, right = in.x + in.width;
  const txRect strip[] = {{r.x, r.y, r.width, in.y - r.y},
                          {r.x, above, r.width, r.y + r.height - above},
                          {r.x, in.y, in.x - r.x, in.height},
                          {right, in.y, r.x + r.width - right, in.height}};
  return passRunParts(context, call, &rim, strip, 4, sources);
}

/* Compiles what the pass will draw with: it must not fail half-way. */
static clStatus findPrograms(clContext *context, const char *call, const txPass *pass) {
  const txShaderProgram *program;
  txPass rim = *pass;
  rim.inside = (txRect){0, 0, 0, 0};
  TRY(txProgramFind(context, call, &rim, &program));
  if (pass->around)
    return TEXLA_OK;
  return txProgramFind(context, call, pass, &program);
}

/* Whether a part of the rectangle has a program of its own, and there is more than that part. */
static bool passHasRim(const txPass *pass, txRect rect) {
  txRect in = pass->inside;
  return in.width && (in.width < rect.width || in.height < rect.height);
}

static clStatus drawParts(clContext *context, const char *call, const txPass *pass, txRect rect,
                          int sources) {
  if (!pass->around) {
    txRect part = pass->inside.width ? pass->inside : rect;
    TRY(passRunParts(context, call, pass, &part, 1, sources));
  }
  if (passHasRim(pass, rect))
    TRY(runRim(context, call, pass, rect, sources));
  return TEXLA_OK;
}

/* Draws, with the timer query around it; a failure may leave some of it drawn. Passes are flushed
 * so that they begin while the next ones are being prepared. */
static clStatus drawTimed(clContext *context, const char *call, const txPass *pass, txRect rect,
                          int sources, bool timed) {
  if (timed)
    glBeginQuery(GL_TIME_ELAPSED, context->query);
  clStatus status = drawParts(context, call, pass, rect, sources);
  if (context->traits.flush_every && context->counters.passes % context->traits.flush_every == 0)
    glFlush();
  if (timed)
    glEndQuery(GL_TIME_ELAPSED);
  return status;
}

/* All of the target where the pass names no part of it. */
static txRect passRectOf(const txPass *pass) {
  if (pass->rect.width)
    return pass->rect;
  return (txRect){0, 0, pass->target[0]->width, pass->target[0]->height};
}

static clStatus passRun(clContext *context, const char *call, const txPass *pass,
                        const txAttachment *target, int targets, int sources) {
  txRect rect = passRectOf(pass);
  if (passHasRim(pass, rect))
    TRY(findPrograms(context, call, pass));
  TRY(txFramebufferBind(context, call, target, targets));
  context->counters.passes++;
  int64_t draws = context->counters.draws;
  txPassReport seen = {.call = call, .pass = pass, .rect = rect, .seconds = -1};
  if (pass->blocks.count)
    seen.rect.width *= pass->blocks.count;
  bool observed = context->observer && txObserveBegin(context, &seen);
  /* The observer may have read textures. */
  if (observed)
    TRY(txFramebufferBind(context, call, target, targets));
  bool timed = mayTime(context, observed);
  clStatus status = drawTimed(context, call, pass, rect, sources, timed);
  for (int t = 0; t < targets; t++)
    txTextureChanged(target[t].texture);
  TRY(status);
  if (timed)
    seen.seconds = secondsOf(context);
  passReport(context, call, pass, rect, targets, sources, seen.seconds);
  if (observed) {
    seen.draws = context->counters.draws - draws;
    txObserveEnd(context, &seen);
  }
  if (context->options.debug)
    TRY(txGlCheck(context, call, pass->kernel));
  return TEXLA_OK;
}

/* A rehearsal begins the programs and draws nothing. */
static clStatus beginPrograms(clContext *context, const char *call, const txPass *pass) {
  const txShaderProgram *program;
  if (passHasRim(pass, passRectOf(pass)))
    return findPrograms(context, call, pass);
  return txProgramFind(context, call, pass, &program);
}

clStatus txPassRun(clContext *context, const char *call, const txPass *pass) {
  txAttachment target[TX_MAX_TARGETS];
  int targets = listTargets(pass, target), sources = countSources(pass);
  TRY(txContextEnter(context, call));
  TRY(checkPass(context, call, pass, targets, sources));
  if (context->rehearsal == TX_BEGINNING)
    return beginPrograms(context, call, pass);
  txGlState state;
  txGlSave(context, &state);
  clStatus status = passRun(context, call, pass, target, targets, sources);
  txGlRestore(context, &state);
  return status;
}

clStatus txPassInto(txTexture **out, clContext *context, const char *call, txPass *pass,
                    txFormat format, int width, int height) {
  txTexture *target = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&target, context, call, format, width, height));
  pass->target[0] = target;
  TRY_CLEANUP(txPassRun(context, call, pass));
  *out = target;
  target = NULL;
cleanup:
  txTextureDestroy(target);
  return status;
}
