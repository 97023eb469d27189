/* Runs a pass: checks, program, framebuffer, sources, uniforms, draw calls, event. */
#include "gl/gl.h"

#include <stdlib.h>
#include <string.h>

/* Fetches per draw call: a longer pass is split into bands, because drivers stop or drop draws that run for seconds. */
static const int64_t longest_draw = (int64_t)1 << 31;

struct txVertices {
  clContext *context;
  GLuint array, buffer;
  int64_t count;
  size_t bytes;
};

clStatus txVerticesCreate(txVertices **out, clContext *context, const char *call, const float *data, int64_t count,
                          const int *components, int attributes) {
  clStatus status = txContextEnter(context, call);
  if (status)
    return status;
  int floats = 0;
  for (int i = 0; i < attributes; i++)
    floats += components[i];
  size_t stride = (size_t)floats * sizeof(float), bytes = stride * (size_t)count;
  if (bytes > context->info.memory_limit - context->counters.bytes_used || count > INT32_MAX)
    return txFail(&context->error, TEXLA_TOO_LARGE, call, "%lld vertices of %zu bytes exceed the device's memory",
                  (long long)count, stride);
  txVertices *v = calloc(1, sizeof *v);
  if (!v)
    return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call, "no memory for vertices");
  *v = (txVertices){.context = context, .count = count, .bytes = bytes};
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
    glVertexAttribPointer((GLuint)i, components[i], GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
    offset += (size_t)components[i] * sizeof(float);
  }
  status = txGlCheck(context, call, "uploading vertices");
  txGlRestore(context, &state);
  if (status) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
    free(v);
    return status;
  }
  context->counters.bytes_used += bytes;
  context->counters.uploads++;
  txContextRetain(context);
  *out = v;
  return TEXLA_OK;
}

void txVerticesDestroy(txVertices *v) {
  if (!v)
    return;
  clContext *context = v->context;
  context->counters.bytes_used -= v->bytes;
  if (!context->closed && txPlatformEnter(context->platform)) {
    glDeleteVertexArrays(1, &v->array);
    glDeleteBuffers(1, &v->buffer);
  }
  free(v);
  txContextRelease(context);
}

static int countTargets(const txPass *pass) {
  int n = 0;
  while (n < TX_MAX_TARGETS && pass->target[n])
    n++;
  return n;
}

static int countSources(const txPass *pass) {
  int n = 0;
  while (n < TX_MAX_SOURCES && pass->source[n].name)
    n++;
  return n;
}

/* Sampling a texture that is being rendered is undefined and OpenGL does not tell. */
static clStatus checkTargets(clContext *context, const char *call, const txPass *pass, int targets, int sources) {
  if (targets < 1 || targets > context->info.max_targets)
    return txFail(&context->error, TEXLA_UNSUPPORTED, call, "pass %s has %d targets, but the device takes 1 to %d",
                  pass->kernel, targets, context->info.max_targets);
  for (int t = 0; t < targets; t++) {
    if (pass->target[t]->context != context)
      return txFail(&context->error, TEXLA_FOREIGN_CONTEXT, call, "pass %s: a target of another context", pass->kernel);
    for (int s = 0; s < sources + TX_MAX_SCALARS; s++) {
      const txTexture *source = s < sources ? pass->source[s].texture : pass->scalar[s - sources];
      if (source == pass->target[t])
        return txFail(&context->error, TEXLA_BAD_ARGUMENT, call, "pass %s: its target is also a source", pass->kernel);
      if (source && source->context != context)
        return txFail(&context->error, TEXLA_FOREIGN_CONTEXT, call, "pass %s: a source of another context",
                      pass->kernel);
    }
  }
  return TEXLA_OK;
}

static const txUniformSlot *findSlot(const txProgram *program, const char *name) {
  for (int i = 0; i < program->slots; i++)
    if (!strcmp(program->slot[i].name, name))
      return &program->slot[i];
  return NULL;
}

static void bindTexture(const clContext *context, const txProgram *program, const char *name, const txTexture *texture,
                        txSampling sampling) {
  const txUniformSlot *slot = findSlot(program, name);
  if (!slot || slot->unit < 0)
    return;
  glActiveTexture(GL_TEXTURE0 + (GLenum)slot->unit);
  glBindTexture(GL_TEXTURE_2D, texture->name);
  glBindSampler((GLuint)slot->unit, context->sampler[sampling]);
}

/* `uniform vec2 <source>_texel`, where a shader has it, is 1 / size of that source. */
static void setTexelSize(const txProgram *program, const char *name, const txTexture *texture) {
  size_t n = strlen(name);
  for (int i = 0; i < program->slots; i++)
    if (!strncmp(program->slot[i].name, name, n) && !strcmp(program->slot[i].name + n, "_texel"))
      glUniform2f(program->slot[i].location, 1.0f / (float)texture->width, 1.0f / (float)texture->height);
}

static void setUniform(const txProgram *program, const txUniform *u) {
  const txUniformSlot *slot = findSlot(program, u->name);
  if (!slot)
    return;
  GLint at = slot->location;
  GLint i[4];
  if (u->array) {
    glUniform4fv(at, u->count, u->array);
  } else if (u->integer) {
    for (int k = 0; k < 4; k++)
      i[k] = (GLint)u->value[k];
    void (*const set[])(GLint, GLsizei, const GLint *) = {glUniform1iv, glUniform2iv, glUniform3iv, glUniform4iv};
    set[u->count - 1](at, 1, i);
  } else {
    void (*const set[])(GLint, GLsizei, const GLfloat *) = {glUniform1fv, glUniform2fv, glUniform3fv, glUniform4fv};
    set[u->count - 1](at, 1, u->value);
  }
}

static void bindInputs(const clContext *context, const txProgram *program, const txPass *pass, int sources) {
  static const char *const scalar_name[TX_MAX_SCALARS] = {"txScalar0", "txScalar1", "txScalar2", "txScalar3"};
  for (int i = 0; i < sources; i++) {
    bindTexture(context, program, pass->source[i].name, pass->source[i].texture, pass->source[i].sampling);
    setTexelSize(program, pass->source[i].name, pass->source[i].texture);
  }
  for (int i = 0; i < TX_MAX_SCALARS; i++)
    bindTexture(context, program, scalar_name[i], pass->scalar[i] ? pass->scalar[i] : context->one, TX_EDGE);
  for (int i = 0; i < TX_MAX_UNIFORMS && pass->uniform[i].name; i++)
    setUniform(program, &pass->uniform[i]);
}

/* Rasterizes rows [y, y + height) of the rectangle; uv runs over the whole target. */
static void drawBand(const txProgram *program, const txTexture *target, txRect r) {
  float w = (float)target->width, h = (float)target->height;
  const txUniformSlot *span = findSlot(program, "txSpan");
  if (span)
    glUniform4f(span->location, (float)r.width / w, (float)r.height / h, (float)r.x / w, (float)r.y / h);
  glViewport(r.x, r.y, r.width, r.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void drawRect(clContext *context, const txProgram *program, const txPass *pass, txRect r, int64_t work) {
  int64_t rows = longest_draw / ((int64_t)r.width * (work > 0 ? work : 1));
  if (rows < 1)
    rows = 1;
  for (int y = 0; y < r.height; y += (int)rows) {
    int height = r.height - y < rows ? r.height - y : (int)rows;
    drawBand(program, pass->target[0], (txRect){r.x, r.y + y, r.width, height});
    context->counters.draws++;
    if (y + height < r.height)
      glFlush();
    else
      break;
  }
}

static void drawVertices(clContext *context, const txPass *pass) {
  const txTexture *target = pass->target[0];
  int64_t count = pass->count ? pass->count : pass->vertices->count;
  glViewport(0, 0, target->width, target->height);
  glBindVertexArray(pass->vertices->array);
  glDrawArrays(pass->shape == TX_POINTS ? GL_POINTS : GL_TRIANGLES, (GLint)pass->first, (GLsizei)count);
  context->counters.draws++;
}

static void draw(clContext *context, const txProgram *program, const txPass *pass, txRect rect, int64_t work) {
  if (pass->add) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
  }
  glBindVertexArray(context->vertex_array);
  if (pass->shape == TX_RECT)
    drawRect(context, program, pass, rect, work);
  else
    drawVertices(context, pass);
  if (pass->add)
    glDisable(GL_BLEND);
}

static void report(clContext *context, const txPass *pass, txRect rect, int targets, int sources) {
  double seconds = -1;
  if (context->options.profile) {
    GLuint64 ns = 0;
    glGetQueryObjectui64v(context->query, GL_QUERY_RESULT, &ns);
    seconds = (double)ns * 1e-9;
  }
  clPassEvent event = {pass->kernel, rect.width, rect.height, targets, sources, seconds};
  context->options.listener(context->options.listener_user, &event);
}

static clStatus run(clContext *context, const char *call, const txPass *pass, int targets, int sources) {
  const txProgram *program;
  clStatus status = txProgramFind(context, call, pass, &program);
  if (!status)
    status = txFramebufferBind(context, call, pass->target, targets);
  if (status)
    return status;
  txRect rect = pass->rect;
  if (!rect.width)
    rect = (txRect){0, 0, pass->target[0]->width, pass->target[0]->height};
  bool timed = context->options.listener && context->options.profile;
  glUseProgram(program->name);
  bindInputs(context, program, pass, sources);
  if (timed)
    glBeginQuery(GL_TIME_ELAPSED, context->query);
  draw(context, program, pass, rect, pass->work ? pass->work : sources);
  if (timed)
    glEndQuery(GL_TIME_ELAPSED);
  context->counters.passes++;
  if (context->options.listener)
    report(context, pass, rect, targets, sources);
  return context->options.debug ? txGlCheck(context, call, pass->kernel) : TEXLA_OK;
}

clStatus txPassRun(clContext *context, const char *call, const txPass *pass) {
  clStatus status = txContextEnter(context, call);
  int targets = countTargets(pass), sources = countSources(pass);
  if (!status)
    status = checkTargets(context, call, pass, targets, sources);
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  status = run(context, call, pass, targets, sources);
  txGlRestore(context, &state);
  return status;
}
