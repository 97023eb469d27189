/* Runs a pass: checks, program, framebuffer, sources, uniforms, draw calls, event. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fetches per draw call: a longer pass is split, because drivers stop or drop draws that run for
 * seconds. */
static const int64_t longest_draw = (int64_t)1 << 31;

struct txVertices {
  clContext *context;
  GLuint array, buffer;
  int64_t count;
  /* of each */
  int floats;
  size_t bytes;
};

clStatus txVerticesCreate(txVertices **out, clContext *context, const char *call, const float *data,
                          int64_t count, const int *components, int attributes) {
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  int floats = 0;
  for (int i = 0; i < attributes; i++)
    floats += components[i];
  size_t stride = (size_t)floats * sizeof(float), bytes = stride * (size_t)count;
  if (count < 1 || count > INT32_MAX)
    return txFail(&context->error, TEXLA_TOO_LARGE, call, "%lld vertices are not between 1 and %d",
                  (long long)count, INT32_MAX);
  status = txMemoryTake(context, call, bytes);
  if (status)
    return status;
  txVertices *v = txAllocate(&context->error, call, 1, sizeof *v, "vertices");
  if (!v) {
    txMemoryGive(context, bytes);
    return TEXLA_OUT_OF_MEMORY;
  }
  *v = (txVertices){.context = context, .count = count, .floats = floats, .bytes = bytes};
  txGlState state;
  txGlSave(context, &state);
  glGenVertexArrays(1, &v->array);
  glGenBuffers(1, &v->buffer);
  glBindVertexArray(v->array);
  glBindBuffer(GL_ARRAY_BUFFER, v->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, data, GL_STATIC_DRAW);
  size_t offset = 0;
  for (int i = 0; i < attributes; i++) {
    glEnableVertexAttribArray((GLuint)i);
    glVertexAttribPointer((GLuint)i, components[i], GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const void *)offset);
    offset += (size_t)components[i] * sizeof(float);
  }
  status = txGlCheck(context, call, "uploading vertices");
  txGlRestore(context, &state);
  if (status) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
    txMemoryGive(context, bytes);
    free(v);
    return status;
  }
  context->counters.uploads++;
  txContextRetain(context);
  *out = v;
  return TEXLA_OK;
}

int txVerticesFloats(const txVertices *v) {
  return v->floats;
}

clStatus txVerticesRead(const txVertices *v, const char *call, int64_t first, int64_t count,
                        float *data) {
  clStatus status = txContextEnter(v->context, call);
  if (status)
    return status;
  txGlState state;
  txGlSave(v->context, &state);
  glBindBuffer(GL_ARRAY_BUFFER, v->buffer);
  size_t bytes = (size_t)v->floats * sizeof *data;
  glGetBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(bytes * (size_t)first),
                     (GLsizeiptr)(bytes * (size_t)count), data);
  status = txGlCheck(v->context, call, "reading vertices");
  txGlRestore(v->context, &state);
  return status;
}

void txVerticesDestroy(txVertices *v) {
  if (!v)
    return;
  clContext *context = v->context;
  txMemoryGive(context, v->bytes);
  if (!context->closed && txPlatformEnter(context->platform)) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
  }
  free(v);
  txContextRelease(context);
}

/* The targets, each layer on its own; the count may exceed the room. */
static int listTargets(const txPass *pass, txAttachment out[TX_MAX_TARGETS]) {
  int n = 0;
  for (int t = 0; t < TX_MAX_TARGETS && pass->target[t]; t++)
    for (int i = pass->target[t]->layers > 1 ? pass->first_layer : 0; i < pass->target[t]->layers;
         i++, n++)
      if (n < TX_MAX_TARGETS)
        out[n] = (txAttachment){pass->target[t], i};
  return n;
}

static int countSources(const txPass *pass) {
  int n = 0;
  while (n < TX_MAX_SOURCES && pass->source[n].name)
    n++;
  return n;
}

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
static clStatus checkSource(clContext *context, const char *call, const txPass *pass,
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

static clStatus checkPass(clContext *context, const char *call, const txPass *pass, int targets,
                          int sources) {
  if (pass->overfull)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call,
                  "pass %s has no room for \"%s\": it takes %d sources and %d uniforms",
                  pass->kernel, pass->overfull, TX_MAX_SOURCES, TX_MAX_UNIFORMS);
  clStatus status = checkTargets(context, call, pass, targets);
  if (!status)
    status = checkBlocks(context, call, pass);
  for (int s = 0; s < sources && !status; s++)
    status = checkSource(context, call, pass, pass->source[s].texture);
  for (int s = 0; s < TX_MAX_SCALARS && !status; s++)
    if (pass->scalar[s])
      status = checkSource(context, call, pass, pass->scalar[s]);
  return status;
}

/* The slot of a uniform that is about to be given; NULL when the program does not use it. */
static const txUniformSlot *findSlot(const clContext *context, const txShaderProgram *program,
                                     const char *name) {
  for (int i = 0; i < program->slots; i++)
    if (!strcmp(program->slot[i].name, name)) {
      program->slot[i].given = context->counters.passes;
      return &program->slot[i];
    }
  return NULL;
}

static clStatus bindTexture(clContext *context, const char *call, const txPass *pass,
                            const txShaderProgram *program, const char *name,
                            const txTexture *texture, txSampling sampling, int source) {
  const txUniformSlot *slot = findSlot(context, program, name);
  if (!slot || slot->unit < 0)
    return TEXLA_OK;
  if ((slot->type == GL_SAMPLER_2D_ARRAY) != (texture->layers > 1))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s: the texture given for %s has %d layer%s", pass->kernel, name,
                  texture->layers, texture->layers > 1 ? "s" : "");
  glActiveTexture(GL_TEXTURE0 + (GLenum)slot->unit);
  glBindTexture(txTextureTarget(texture), texture->name);
  glBindSampler((GLuint)slot->unit, pass->notes
                                        ? txNotingSampler(context, source, texture, sampling)
                                        : context->sampler[sampling]);
  return TEXLA_OK;
}

/* `uniform vec2 <source>_texel`, where a shader has it, is 1 / size of that source. */
static void setTexelSize(const clContext *context, const txShaderProgram *program, const char *name,
                         const txTexture *texture) {
  char text[TX_NAME + 8];
  snprintf(text, sizeof text, "%s_texel", name);
  const txUniformSlot *slot = findSlot(context, program, text);
  if (slot)
    glUniform2f(slot->location, 1.0f / (float)texture->width, 1.0f / (float)texture->height);
}

static clStatus setUniform(clContext *context, const char *call, const txPass *pass,
                           const txShaderProgram *program, const txUniform *u) {
  static const GLenum types[2][4] = {{GL_FLOAT, GL_FLOAT_VEC2, GL_FLOAT_VEC3, GL_FLOAT_VEC4},
                                     {GL_INT, GL_INT_VEC2, GL_INT_VEC3, GL_INT_VEC4}};
  const txUniformSlot *slot = findSlot(context, program, u->name);
  if (!slot)
    return TEXLA_OK;
  if (slot->type != (u->array ? GL_FLOAT_VEC4 : types[u->integer][u->count - 1]))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s: uniform %s has another type than the %d %s given", pass->kernel,
                  u->name, u->count,
                  u->array     ? "vec4"
                  : u->integer ? "integers"
                               : "numbers");
  GLint at = slot->location, i[4];
  for (int k = 0; k < 4; k++)
    i[k] = u->integer ? (GLint)u->value[k] : 0;
  void (*const set_float[])(GLint, GLsizei, const GLfloat *) = {glUniform1fv, glUniform2fv,
                                                                glUniform3fv, glUniform4fv};
  void (*const set_int[])(GLint, GLsizei, const GLint *) = {glUniform1iv, glUniform2iv,
                                                            glUniform3iv, glUniform4iv};
  if (u->array)
    glUniform4fv(at, u->count, u->array);
  else if (u->integer)
    set_int[u->count - 1](at, 1, i);
  else
    set_float[u->count - 1](at, 1, u->value);
  return TEXLA_OK;
}

/* What a program reads must be given in each pass: otherwise it would see what an earlier pass
 * left. */
static clStatus checkGiven(clContext *context, const char *call, const txPass *pass,
                           const txShaderProgram *program) {
  for (int i = 0; i < program->slots; i++)
    if (program->slot[i].location >= 0 && program->slot[i].given != context->counters.passes)
      return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                    "pass %s reads %s \"%s\", which was not given", pass->kernel,
                    program->slot[i].unit >= 0 ? "the texture" : "the uniform",
                    program->slot[i].name);
  return TEXLA_OK;
}

static clStatus bindInputs(clContext *context, const char *call, const txShaderProgram *program,
                           const txPass *pass, int sources) {
  static const char *const scalar_name[TX_MAX_SCALARS] = {"txScalar0", "txScalar1", "txScalar2",
                                                          "txScalar3"};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < sources && !status; i++) {
    const txSource *s = &pass->source[i];
    status = bindTexture(context, call, pass, program, s->name, s->texture, s->sampling, i);
    setTexelSize(context, program, s->name, s->texture);
  }
  for (int i = 0; i < TX_MAX_SCALARS && !status; i++)
    status =
        bindTexture(context, call, pass, program, scalar_name[i],
                    pass->scalar[i] ? pass->scalar[i] : context->one, TX_EDGE, TX_MAX_SOURCES + i);
  for (int i = 0; i < TX_MAX_UNIFORMS && pass->uniform[i].name && !status; i++)
    status = setUniform(context, call, pass, program, &pass->uniform[i]);
  /* drawBlock sets it */
  findSlot(context, program, "txSpan");
  if (!status && program->blocks != (pass->blocks.count > 0))
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "pass %s has %d uniform blocks, but its shader reads %d", pass->kernel,
                  pass->blocks.count, program->blocks);
  return status ? status : checkGiven(context, call, pass, program);
}

/* Rasterizes a part of the rectangle; uv runs over the whole target. The triangle has legs twice as
 * long as the rectangle. Software renderers clip it to the viewport, into two triangles, and shade
 * the tiles that the diagonal crosses with masks, for each of them. So for those the viewport is as
 * large as the triangle, and scissors cut it. */
static void drawBlock(const clContext *context, const txShaderProgram *program, const txPass *pass,
                      txRect r) {
  const txTexture *target = pass->target[0];
  const txUniformSlot *span = findSlot(context, program, "txSpan");
  bool whole = context->traits.whole_triangle,
       part = r.width < target->width || r.height < target->height;
  int width = whole ? txLeast(2 * r.width, context->viewport[0]) : r.width;
  int height = whole ? txLeast(2 * r.height, context->viewport[1]) : r.height;
  float w = (float)target->width, h = (float)target->height, rw = (float)r.width,
        rh = (float)r.height;
  const float place[8] = {rw / w,
                          rh / h,
                          (float)r.x / w,
                          (float)r.y / h,
                          2 * rw / (float)width,
                          2 * rh / (float)height};
  if (span)
    glUniform4fv(span->location, 2, place);
  glViewport(r.x, r.y, width, height);
  if (whole && part) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(r.x, r.y, r.width, r.height);
  }
  glDrawArrays(pass->geometry ? GL_TRIANGLES_ADJACENCY : GL_TRIANGLES, 0, pass->geometry ? 6 : 3);
  if (whole && part)
    glDisable(GL_SCISSOR_TEST);
}

/* Once with each uniform block, side by side. */
static void drawBlocks(clContext *context, const txShaderProgram *program, const txPass *pass,
                       txRect r) {
  const txBlocks *b = &pass->blocks;
  for (int i = 0; i < b->count; i++, r.x += r.width) {
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, context->blocks,
                      (GLintptr)((size_t)(b->first + i) * b->bytes), (GLsizeiptr)b->bytes);
    int above = b->slope ? i / b->slope : 0;
    drawBlock(context, program, pass, (txRect){r.x, r.y + above, r.width, r.height - above});
    context->counters.draws++;
  }
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

/* Between the parts of a long pass: drivers stop or drop what runs for seconds. */
static void countDraw(clContext *context, bool more) {
  context->counters.draws++;
  if (more)
    glFlush();
}

static void drawRect(clContext *context, const txShaderProgram *program, const txPass *pass,
                     txRect r, int64_t area) {
  int width = area < r.width ? (int)area : r.width;
  int64_t rows = area / width;
  int height = rows < r.height ? (int)rows : r.height;
  for (int y = 0; y < r.height; y += height)
    for (int x = 0; x < r.width; x += width) {
      int w = r.width - x < width ? r.width - x : width,
          h = r.height - y < height ? r.height - y : height;
      drawBlock(context, program, pass, (txRect){r.x + x, r.y + y, w, h});
      countDraw(context, x + w < r.width || y + h < r.height);
    }
}

int64_t txPassVertices(const txPass *pass) {
  if (pass->shape == TX_RECT)
    return pass->geometry ? 6 : 3;
  return pass->count || !pass->vertices ? pass->count : pass->vertices->count - pass->first;
}

static void drawVertices(clContext *context, const txPass *pass, int64_t area) {
  const txTexture *target = pass->target[0];
  int64_t end = pass->first + txPassVertices(pass);
  /* a triangle may cover everything: not split */
  int64_t step = pass->shape == TX_POINTS ? area : end;
  glViewport(0, 0, target->width, target->height);
  if (pass->vertices)
    glBindVertexArray(pass->vertices->array);
  for (int64_t at = pass->first; at < end; at += step) {
    int64_t n = end - at < step ? end - at : step;
    glDrawArrays(pass->shape == TX_POINTS ? GL_POINTS : GL_TRIANGLES, (GLint)at, (GLsizei)n);
    countDraw(context, at + n < end);
  }
}

static void draw(clContext *context, const txShaderProgram *program, const txPass *pass,
                 txRect rect, int sources) {
  int64_t work = pass->work > 0 ? pass->work : sources > 0 ? sources : 1;
  /* fragments that one draw call may have */
  int64_t area = longest_draw / work;
  if (area < 1)
    area = 1;
  if (pass->add) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
  }
  glBindVertexArray(context->vertex_array);
  if (pass->blocks.count)
    drawBlocks(context, program, pass, rect);
  else if (pass->shape == TX_RECT)
    drawRect(context, program, pass, rect, area);
  else
    drawVertices(context, pass, area);
  if (pass->add)
    glDisable(GL_BLEND);
}

/* One query at a time: an application may have one of its own under way. */
static bool mayTime(const clContext *context) {
  GLint other = 0;
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
    count += findSlot(context, program, pass->source[i].name) != NULL;
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    count += pass->scalar[i] != NULL;
  return count;
}

static void report(clContext *context, const char *call, const txPass *pass, txRect rect,
                   int targets, int sources, double seconds) {
  int reads = countRead(context, call, pass, sources);
  clPassEvent event = {pass->kernel, rect.width, rect.height, targets, reads, seconds};
  context->options.listener(context->options.listener_user, &event);
}

/* Draws the rectangles that are not empty with the program for this pass. */
static clStatus runParts(clContext *context, const char *call, const txPass *pass,
                         const txRect *rect, int count, int sources) {
  const txShaderProgram *program;
  clStatus status = txProgramFind(context, call, pass, &program);
  if (status)
    return status;
  glUseProgram(program->name);
  status = bindInputs(context, call, program, pass, sources);
  for (int i = 0; i < count && !status; i++)
    if (rect[i].width && rect[i].height)
      draw(context, program, pass, rect[i], sources);
  return status;
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
  return runParts(context, call, &rim, strip, 4, sources);
}

/* Compiles what the pass will draw with: it must not fail half-way. */
static clStatus findPrograms(clContext *context, const char *call, const txPass *pass) {
  const txShaderProgram *program;
  txPass rim = *pass;
  rim.inside = (txRect){0, 0, 0, 0};
  clStatus status = txProgramFind(context, call, &rim, &program);
  return status || pass->around ? status : txProgramFind(context, call, pass, &program);
}

static clStatus run(clContext *context, const char *call, const txPass *pass,
                    const txAttachment *target, int targets, int sources) {
  txRect rect = pass->rect, in = pass->inside;
  if (!rect.width)
    rect = (txRect){0, 0, pass->target[0]->width, pass->target[0]->height};
  bool rim = in.width && (in.width < rect.width || in.height < rect.height);
  clStatus status = rim ? findPrograms(context, call, pass) : TEXLA_OK;
  if (!status)
    status = txFramebufferBind(context, call, target, targets);
  if (status)
    return status;
  context->counters.passes++;
  int64_t draws = context->counters.draws;
  txPassReport seen = {.call = call, .pass = pass, .rect = rect, .seconds = -1};
  seen.rect.width *= pass->blocks.count ? pass->blocks.count : 1;
  bool observed = context->observer && txObserveBegin(context, &seen);
  /* it may have read textures */
  if (observed)
    status = txFramebufferBind(context, call, target, targets);
  if (status)
    return status;
  bool timed =
      (observed || (context->options.listener && context->options.profile)) && mayTime(context);
  if (timed)
    glBeginQuery(GL_TIME_ELAPSED, context->query);
  if (!pass->around)
    status = runParts(context, call, pass, in.width ? &in : &rect, 1, sources);
  if (!status && rim)
    status = runRim(context, call, pass, rect, sources);
  /* passes begin while the next ones are being prepared */
  if (context->traits.flush_every && context->counters.passes % context->traits.flush_every == 0)
    glFlush();
  if (timed)
    glEndQuery(GL_TIME_ELAPSED);
  for (int t = 0; t < targets; t++)
    txTextureChanged(target[t].texture);
  if (status)
    return status;
  double seconds = timed ? secondsOf(context) : -1;
  if (context->options.listener)
    report(context, call, pass, rect, targets, sources, context->options.profile ? seconds : -1);
  if (observed) {
    seen.seconds = seconds;
    seen.draws = context->counters.draws - draws;
    txObserveEnd(context, &seen);
  }
  return context->options.debug ? txGlCheck(context, call, pass->kernel) : TEXLA_OK;
}

clStatus txPassRun(clContext *context, const char *call, const txPass *pass) {
  clStatus status = txContextEnter(context, call);
  txAttachment target[TX_MAX_TARGETS];
  int targets = listTargets(pass, target), sources = countSources(pass);
  if (!status)
    status = checkPass(context, call, pass, targets, sources);
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  status = run(context, call, pass, target, targets, sources);
  txGlRestore(context, &state);
  return status;
}
