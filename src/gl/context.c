/* Life of a context: platform, entry points, limits, probes; errors, log, counters. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "gl/displays.h"
#include "gl/shader_files.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX
#define GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX 0x9047
#endif

clError *txContextError(clContext *context) {
  return context ? &context->error : NULL;
}

const clError *clContextError(const clContext *context) {
  static const clError none = {TEXLA_BAD_ARGUMENT, "there is no context"};
  return context ? &context->error : &none;
}

const clContextInfo *clContextInspect(const clContext *context) {
  return context ? &context->info : NULL;
}

/* Buffers that wait for their next use are as textures in the pool. */
clContextCounters clContextCount(const clContext *context) {
  clContextCounters count = context ? context->counters : (clContextCounters){0};
  size_t waiting =
      context ? context->blocks_bytes + txUploadsBytes(context) + context->downloads.bytes : 0;
  count.bytes_used -= waiting;
  count.bytes_pooled += waiting;
  return count;
}

bool clContextTuning(const clContext *context, int index, const char **key, int *value) {
  if (!context || index < 0 || index >= context->tunings)
    return false;
  *key = context->tuning[index].key;
  *value = context->tuning[index].value;
  return true;
}

void txContextLog(const clContext *context, clLogLevel level, const char *format, ...) {
  if (!context->options.log || level > context->options.log_level)
    return;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  context->options.log(context->options.log_user, level, text);
}

clStatus txContextEnter(clContext *context, const char *call) {
  if (!context)
    return TEXLA_BAD_ARGUMENT;
  if (context->closed)
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "the context of this object was destroyed");
  if (context->lost)
    return txContextLose(context, call, context->lost);
  if (txPlatformEnter(context->platform))
    return TEXLA_OK;
  if (txPlatformLost(context->platform))
    return txContextLose(context, call, "the driver has lost the context");
  if (context->options.adopt)
    return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                  "the adopted OpenGL context is not current in this thread; make it current "
                  "(as with eglMakeCurrent, glfwMakeContextCurrent) and call again");
  return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                "the context could not be made current; is it in use by another thread?");
}

clStatus txContextSame(clContext *a, const clContext *b, const char *call) {
  if (a == b)
    return TEXLA_OK;
  return txFail(&a->error, TEXLA_FOREIGN_CONTEXT, call,
                "the operands belong to different contexts");
}

void txContextRetain(clContext *context) {
  context->references++;
}

void txContextRelease(clContext *context) {
  if (--context->references == 0)
    free(context);
}

/* Bounded: without a current context some drivers return an error for ever. */
GLenum txGlClearErrors(void) {
  GLenum first = glGetError(), code = first;
  for (int i = 0; i < 16 && code != GL_NO_ERROR; i++)
    code = glGetError();
  return first;
}

clStatus txGlCheck(clContext *context, const char *call, const char *what) {
  GLenum code = txGlClearErrors();
  if (code == GL_NO_ERROR)
    return TEXLA_OK;
  if (code == GL_CONTEXT_LOST)
    return txContextLose(context, call, "the driver has lost the context");
  if (code == GL_OUT_OF_MEMORY)
    return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call,
                  "%s: the device is out of memory (%zu bytes in use)", what,
                  context->counters.bytes_used);
  return txFail(&context->error, TEXLA_DEVICE_ERROR, call, "%s: OpenGL error 0x%04x", what, code);
}

static void GLAPIENTRY debugMessage(GLenum source, GLenum type, GLuint id, GLenum severity,
                                    GLsizei length, const GLchar *message, const void *user) {
  (void)source, (void)id, (void)length;
  if (severity != GL_DEBUG_SEVERITY_NOTIFICATION && type != GL_DEBUG_TYPE_PERFORMANCE)
    txContextLog(user, TEXLA_LOG_WARNING, "OpenGL: %s", message);
}

static bool hasGlExtension(const char *name) {
  GLint n = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &n);
  for (GLint i = 0; i < n; i++)
    if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name))
      return true;
  return false;
}

/* The GPU's own memory where the driver tells it, else three quarters of the machine's. */
static size_t memoryLimit(void) {
  if (hasGlExtension("GL_NVX_gpu_memory_info")) {
    GLint kib = 0;
    glGetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, &kib);
    if (kib > 0)
      return (size_t)kib * 1024 / 10 * 9;
  }
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? (size_t)pages / 4 * 3 * (size_t)bytes : (size_t)1 << 31;
}

static const char *keepString(clContext *context, int slot, GLenum name) {
  const char *text = (const char *)glGetString(name);
  snprintf(context->strings[slot], sizeof context->strings[slot], "%s", text ? text : "unknown");
  return context->strings[slot];
}

static clStatus inspect(clContext *context, clError *error) {
  clContextInfo *info = &context->info;
  GLint major = 0, minor = 0;
  if (!glGetString(GL_VERSION))
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                  "no OpenGL context is current in this thread");
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  info->vendor = keepString(context, 0, GL_VENDOR);
  info->renderer = keepString(context, 1, GL_RENDERER);
  info->version = keepString(context, 2, GL_VERSION);
  info->glsl = keepString(context, 3, GL_SHADING_LANGUAGE_VERSION);
  context->traits.threads = info->threads =
      strncmp(info->renderer, "llvmpipe", 8) ? 0 : info->threads;
  if (major * 10 + minor < 33)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                  "%s has OpenGL %d.%d, but texla needs 3.3", info->renderer, major, minor);
  GLint targets = 0, buffers = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info->max_texture_size);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, context->viewport);
  glGetIntegerv(GL_MAX_COLOR_ATTACHMENTS, &targets);
  glGetIntegerv(GL_MAX_DRAW_BUFFERS, &buffers);
  glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &info->max_sources);
  info->max_targets = targets < buffers ? targets : buffers;
  int64_t side = info->max_texture_size, longest = 4 * side * side;
  info->max_vector_length = longest < INT32_MAX ? longest : INT32_MAX;
  info->memory_limit =
      context->options.memory_limit ? context->options.memory_limit : memoryLimit();
  return TEXLA_OK;
}

static void createStateObjects(clContext *context) {
  glGenVertexArrays(1, &context->vertex_array);
  glGenQueries(1, &context->query);
  glGenSamplers(3, context->sampler);
  for (int i = 0; i < 3; i++) {
    GLint filter = i == TX_BILINEAR ? GL_LINEAR : GL_NEAREST;
    GLint wrap = i == TX_ZERO ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE;
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_WRAP_S, wrap);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_WRAP_T, wrap);
    glSamplerParameterfv(context->sampler[i], GL_TEXTURE_BORDER_COLOR, (const GLfloat[4]){0});
  }
  if (context->options.debug && !context->options.adopt && hasGlExtension("GL_KHR_debug")) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(debugMessage, context);
  }
}

/* The probes' passes are no part of what the context has done: no listener, no counters, no
 * limit. */
static clStatus measureDevice(clContext *context) {
  static const char call[] = "clContextCreate";
  const float one = 1;
  clPassListener listener = context->options.listener;
  context->options.listener = NULL;
  size_t limit = context->info.memory_limit;
  context->info.memory_limit = SIZE_MAX;
  clStatus status = txTextureCreate(&context->one, context, call, TX_R32F, 1, 1);
  if (!status)
    status = txTextureWrite(context->one, call, (txRect){0, 0, 1, 1}, &one);
  if (!status)
    status = txProbe(context);
  if (!status)
    status = txTraitsMeasure(context);
  txCanaryStart(context);
  /* what was measured, a device has computed */
  if (!status)
    status = clContextSynchronize(context);
  if (status)
    return status;
  txPoolTrim(context, 0);
  txUploadsDestroy(context);
  txDownloadsDestroy(context);
  context->info.memory_limit = limit;
  context->options.listener = listener;
  /* what a probe found impossible is no error */
  context->error = (clError){0};
  size_t bytes = context->counters.bytes_used;
  context->counters = (clContextCounters){.programs = context->programs,
                                          .programs_kept = context->programs,
                                          .bytes_used = bytes,
                                          .bytes_peak = bytes};
  return TEXLA_OK;
}

/* Has the folder a file of one of the embedded shaders' names? */
static bool holdsShaders(const char *folder) {
  char path[PATH_MAX];
  for (int i = 0; txShaderFiles[i].name; i++)
    if (snprintf(path, sizeof path, "%s/%s", folder, txShaderFiles[i].name) < (int)sizeof path &&
        access(path, F_OK) == 0)
      return true;
  return false;
}

/* The folder whose shaders replace embedded ones. A mistyped name, or the folder above or below,
 * would leave all as it was. */
static clStatus findShaders(clContext *context, clError *error) {
  const char *option = context->options.shader_dir,
             *folder = option ? option : getenv("TEXLA_SHADER_DIR");
  const char *from = option ? "shader_dir" : "TEXLA_SHADER_DIR";
  struct stat info;
  if (!folder || !*folder)
    return TEXLA_OK;
  int reason = stat(folder, &info) ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
  if (reason)
    return txFail(error, TEXLA_IO_ERROR, "clContextCreate", "the folder of shaders '%s' (%s): %s",
                  folder, from, strerror(reason));
  if (!holdsShaders(folder))
    return txFail(error, TEXLA_IO_ERROR, "clContextCreate",
                  "the folder of shaders '%s' (%s) has none of texla's shaders, such as %s: name a "
                  "copy of shaders/",
                  folder, from, txShaderFiles[0].name);
  context->shader_dir = txCopyText(error, "clContextCreate", folder, "the context");
  return context->shader_dir ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

/* The pinned file, or NULL. Many processes may share the environment's, so it is only read. */
static const char *tuningFile(clContext *context) {
  if (context->options.tuning)
    return context->options.tuning;
  const char *shared = getenv("TEXLA_TUNING");
  context->tuning_shared = shared && *shared;
  return context->tuning_shared ? shared : NULL;
}

static clStatus open(clContext *context, clError *error) {
  const char *device = context->options.device ? context->options.device : getenv("TEXLA_DEVICE");
  const char *pinned = tuningFile(context);
  clStatus status = findShaders(context, error);
  if (status)
    return status;
  if (pinned &&
      !(context->tuning_path = txCopyText(error, "clContextCreate", pinned, "the context")))
    return TEXLA_OUT_OF_MEMORY;
  /* it may say how many threads there are to be */
  status = pinned ? txTuningLoad(context) : TEXLA_OK;
  if (status) {
    if (error)
      *error = context->error;
    return status;
  }
  context->info.platform = "adopted";
  if (!context->options.adopt)
    status = txPlatformCreate(context, device && *device ? device : "auto", error);
  else {
    context->info.threads = txThreadsWanted(&(clContextOptions){0}, -1);
    status = txPlatformAdopt(context, error);
  }
  if (!status)
    status = txLoad(error);
  if (!status)
    status = inspect(context, error);
  if (status)
    return status;
  context->options.device = context->options.shader_dir = context->options.tuning = NULL;
  /* the caller's text may go */
  context->options.trace = context->options.trace_choose = NULL;
  createStateObjects(context);
  if (!pinned)
    status = txTuningLoad(context);
  if (!status)
    status = measureDevice(context);
  if (status && error)
    *error = context->error;
  return status;
}

clStatus txContextCreate(clContext **out, const clContextOptions *options, clError *error) {
  if (!out)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clContextCreate", "out must not be NULL");
  clContext *context = txAllocate(error, "clContextCreate", 1, sizeof *context, "the context");
  if (!context)
    return TEXLA_OUT_OF_MEMORY;
  context->references = 1;
  if (options)
    context->options = *options;
  clStatus status = open(context, error);
  if (status) {
    clContextDestroy(context);
    return status;
  }
  *out = context;
  return TEXLA_OK;
}

/* Where the OpenGL context is out of reach (closed), its objects die with it. */
static void destroyObjects(clContext *context) {
  txTextureDestroy(context->one);
  txTextureDestroy(context->canary.texture);
  txPoolTrim(context, 0);
  txBlocksDestroy(context);
  txUploadsDestroy(context);
  txDownloadsDestroy(context);
  txProgramsDestroy(context);
  txFramebuffersDestroy(context);
  if (context->closed)
    return;
  glDeleteVertexArrays(1, &context->vertex_array);
  glDeleteQueries(1, &context->query);
  glDeleteSamplers(3, context->sampler);
  glDeleteSamplers(TX_MAX_SOURCES + TX_MAX_SCALARS, context->noting);
}

void clContextDestroy(clContext *context) {
  if (!context || context->closed)
    return;
  if (context->observer)
    context->observer->close(context->observer);
  if (context->vertex_array) {
    context->closed = !txPlatformEnter(context->platform);
    destroyObjects(context);
  }
  txPlatformDestroy(context->platform);
  context->platform = NULL;
  free(context->shader_dir);
  free(context->tuning_path);
  free(context->tuning);
  context->tuning = NULL;
  context->tunings = 0;
  context->closed = true;
  txContextRelease(context);
}

clStatus clContextTrim(clContext *context) {
  clStatus status = txContextEnter(context, "clContextTrim");
  if (status)
    return status;
  txPoolTrim(context, 0);
  txBlocksDestroy(context);
  txUploadsDestroy(context);
  txDownloadsDestroy(context);
  txProgramsDestroy(context);
  return txGlCheck(context, "clContextTrim", "freeing");
}

clStatus clContextSynchronize(clContext *context) {
  clStatus status = txContextEnter(context, "clContextSynchronize");
  if (status)
    return status;
  txGlState state;
  txGlSave(context, &state);
  glFinish();
  status = txGlCheck(context, "clContextSynchronize", "waiting");
  if (!status)
    status = txCanaryAsk(context, "clContextSynchronize");
  txGlRestore(context, &state);
  return status;
}
