/* Life of a context: platform, entry points, limits, probes; errors, log, counters. */
#include "gl/gl.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "gl/platform.h"
#include "gl/shader_files.h"
#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifndef GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX
#define GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX 0x9047
#endif

const clContextInfo *clContextInspect(const clContext *context) {
  return context ? &context->info : NULL;
}

/* Buffers that wait for their next use are counted as textures in the pool are. */
clContextCounters clContextStatistics(const clContext *context) {
  if (!context)
    return (clContextCounters){0};
  clContextCounters count = context->counters;
  size_t waiting = context->blocks_bytes + txUploadsBytes(context) + context->downloads.bytes;
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

static void GLAPIENTRY debugMessage(GLenum source, GLenum type, GLuint id, GLenum severity,
                                    GLsizei length, const GLchar *message, const void *user) {
  (void)source, (void)id, (void)length;
  if (severity != GL_DEBUG_SEVERITY_NOTIFICATION && type != GL_DEBUG_TYPE_PERFORMANCE)
    txContextLog(user, TEXLA_LOG_WARNING, "OpenGL: %s", message);
}

static bool driverHasExtension(const char *name) {
  GLint n = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &n);
  for (GLint i = 0; i < n; i++)
    if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name))
      return true;
  return false;
}

/* One that texla may use. */
static bool contextHasExtension(const clContext *context, const char *name) {
  return !context->plain && driverHasExtension(name);
}

size_t txMemoryClaimed(int kib, int again, size_t machine) {
  const int least = 64 << 10;
  const uint64_t bytes = (uint64_t)kib * 1024;
  if (kib != again || kib < least || bytes > machine)
    return 0;
  return (size_t)bytes;
}

/* Nine tenths of the device's own memory, or three quarters of the machine's. Mesa's software
 * renderers (23.1 and later) have the extension and answer with uninitialised memory. */
static size_t memoryLimit(const clContext *context) {
  GLint kib[2] = {0, 0};
  const bool software =
      context->traits.host_shades || txTraitsNamedSoftware(context->info.renderer);
  if (!software && contextHasExtension(context, "GL_NVX_gpu_memory_info"))
    for (int i = 0; i < 2; i++)
      glGetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, &kib[i]);
  const size_t claimed = txMemoryClaimed(kib[0], kib[1], txMemory());
  if (claimed)
    return claimed / 10 * 9;
  return txMemory() / 4 * 3;
}

static const char *keepString(clContext *context, int slot, const char *text) {
  snprintf(context->strings[slot], sizeof context->strings[slot], "%s", text ? text : "unknown");
  return context->strings[slot];
}

/* Is it new enough? ES 3.0 is what has the parts of OpenGL 3.3 that shaders need. */
static clStatus checkVersion(clContext *context, clError *error) {
  const clContextInfo *info = &context->info;
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  context->es = !strncmp(info->version, "OpenGL ES ", 10);
  context->plain = context->plain || context->es;
  int least = 33;
  const char *kind = "";
  if (context->es) {
    least = 30;
    kind = "ES ";
  }
  if (major * 10 + minor >= least)
    return TEXLA_OK;
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "%s has OpenGL %s%d.%d, but texla needs %d.%d", info->renderer, kind, major, minor,
                least / 10, least % 10);
}

/* What the driver tells of itself, and whether it has OpenGL 3.3. */
static clStatus inspect(clContext *context, clError *error) {
  clContextInfo *info = &context->info;
  if (!glGetString(GL_VERSION))
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                  "no OpenGL context is current in this thread");
  info->vendor = keepString(context, 0, (const char *)glGetString(GL_VENDOR));
  info->renderer = keepString(context, 1, txRenderer());
  info->version = keepString(context, 2, (const char *)glGetString(GL_VERSION));
  info->glsl = keepString(context, 3, (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION));
  if (strncmp(info->renderer, "llvmpipe", 8) != 0)
    info->threads = 0;
  context->traits.threads = info->threads;
  TRY(checkVersion(context, error));
  GLint targets = 0, buffers = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info->max_texture_size);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, context->viewport);
  glGetIntegerv(GL_MAX_COLOR_ATTACHMENTS, &targets);
  glGetIntegerv(GL_MAX_DRAW_BUFFERS, &buffers);
  glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &info->max_sources);
  info->max_targets = txLeast(targets, buffers);
  int64_t side = info->max_texture_size;
  info->max_vector_length = txLeast64(4 * side * side, INT32_MAX);
  return TEXLA_OK;
}

/* Objects that every pass needs, and the messages of debug contexts. */
static void createStateObjects(clContext *context) {
  glGenVertexArrays(1, &context->vertex_array);
  glGenQueries(1, &context->query);
  glGenSamplers(3, context->sampler);
  for (int i = 0; i < 3; i++) {
    GLint filter = i == TX_BILINEAR ? GL_LINEAR : GL_NEAREST;
    /* OpenGL ES has no borders: shaders/include/border.glsl. */
    bool border = i == TX_ZERO && !context->es;
    GLint wrap = border ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE;
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_WRAP_S, wrap);
    glSamplerParameteri(context->sampler[i], GL_TEXTURE_WRAP_T, wrap);
    if (border)
      glSamplerParameterfv(context->sampler[i], GL_TEXTURE_BORDER_COLOR, (const GLfloat[4]){0});
  }
  /* An application may have used it, whatever texla may use. */
  context->clip_control = driverHasExtension("GL_ARB_clip_control");
  if (context->options.debug && !context->options.adopt &&
      contextHasExtension(context, "GL_KHR_debug")) {
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
  context->info.memory_limit = SIZE_MAX;
  TRY(txTextureCreate(&context->one, context, call, TX_R32F, 1, 1));
  TRY(txTextureWrite(context->one, call, (txRect){0, 0, 1, 1}, &one));
  TRY(txTraitsMeasure(context));
  txCanaryStart(context);
  /* What was measured, a device has computed. */
  if (context->counters.passes)
    TRY(clContextSynchronize(context));
  txPoolTrim(context, 0);
  txUploadsDestroy(context);
  txDownloadsDestroy(context);
  context->info.memory_limit = context->options.memory_limit;
  if (!context->info.memory_limit)
    context->info.memory_limit = memoryLimit(context);
  context->options.listener = listener;
  /* What a probe found impossible is no error. */
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
  char path[FILENAME_MAX];
  for (int i = 0; txShaderFiles[i].name; i++)
    if (snprintf(path, sizeof path, "%s/%s", folder, txShaderFiles[i].name) < (int)sizeof path &&
        txPathLook(path, NULL) != TX_PATH_NOTHING)
      return true;
  return false;
}

/* The folder whose shaders replace embedded ones. A mistyped name, or the folder above or below,
 * would leave all as it was. */
static clStatus findShaders(clContext *context, clError *error) {
  const char *folder = context->options.shader_dir, *from = "shader_dir";
  if (!folder) {
    folder = getenv("TEXLA_SHADER_DIR");
    from = "TEXLA_SHADER_DIR";
  }
  if (!folder || !*folder)
    return TEXLA_OK;
  txPathKind kind = txPathLook(folder, NULL);
  int reason = 0;
  if (kind == TX_PATH_NOTHING)
    reason = errno;
  else if (kind != TX_PATH_FOLDER)
    reason = ENOTDIR;
  if (reason)
    return txFail(error, TEXLA_IO_ERROR, "clContextCreate", "the folder of shaders '%s' (%s): %s",
                  folder, from, strerror(reason));
  if (!holdsShaders(folder))
    return txFail(error, TEXLA_IO_ERROR, "clContextCreate",
                  "the folder of shaders '%s' (%s) has none of texla's shaders, such as %s: name a "
                  "copy of shaders/",
                  folder, from, txShaderFiles[0].name);
  context->shader_dir = txCopyText(error, "clContextCreate", folder, "the context");
  if (!context->shader_dir)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* TEXLA_EXTENSIONS=none: any driver stands for one that has OpenGL 3.3 and no more, as macOS's
 * nearly is. */
static clStatus limit(clContext *context, clError *error) {
  const char *extensions = getenv("TEXLA_EXTENSIONS");
  if (!extensions || !*extensions)
    return TEXLA_OK;
  context->plain = !strcmp(extensions, "none");
  if (context->plain)
    return TEXLA_OK;
  return txFail(error, TEXLA_BAD_ARGUMENT, "clContextCreate",
                "TEXLA_EXTENSIONS is \"%s\": the only value that it can have is none", extensions);
}

/* The OpenGL context: the application's, or one of our own on the device that the options or the
 * environment name. */
static clStatus contextOpenPlatform(clContext *context, clError *error) {
  const char *device = context->options.device;
  context->info.platform = "adopted";
  if (context->options.adopt) {
    context->info.threads = txThreadsWanted(&(clContextOptions){0}, -1);
    return txPlatformAdopt(context, error);
  }
  if (!device)
    device = getenv("TEXLA_DEVICE");
  if (!device || !*device)
    device = "auto";
  return txPlatformCreate(context, device, error);
}

/* The pinned file, or NULL. Many processes may share the environment's, so it is only read. */
static const char *tuningFile(clContext *context) {
  if (context->options.tuning)
    return context->options.tuning;
  const char *shared = getenv("TEXLA_TUNING");
  context->tuning_shared = shared && *shared;
  return context->tuning_shared ? shared : NULL;
}

/* A pinned tuning file is read before a device is opened: it may say how many threads there are to
 * be. */
static clStatus contextLoadPinned(clContext *context, clError *error) {
  const char *pinned = tuningFile(context);
  if (!pinned)
    return TEXLA_OK;
  context->tuning_path = txCopyText(error, "clContextCreate", pinned, "the context");
  if (!context->tuning_path)
    return TEXLA_OUT_OF_MEMORY;
  return txTuningLoad(context);
}

/* What is done with an OpenGL context that is current. Messages go to context->error. */
static clStatus contextPrepare(clContext *context) {
  createStateObjects(context);
  context->tells_compiled = txTellsCompiled();
  if (!context->tuning_path)
    TRY(txTuningLoad(context));
  TRY(txContextBorrow(context));
  clStatus status = measureDevice(context);
  txContextGiveBack(context);
  return status;
}

/* The caller's texts may go once the context has been opened. */
static void forgetTexts(clContextOptions *options) {
  options->device = options->shader_dir = options->tuning = NULL;
  options->trace = options->trace_choose = NULL;
}

static clStatus openContext(clContext *context, clError *error) {
  TRY(findShaders(context, error));
  clStatus status = contextLoadPinned(context, error);
  if (status && error && context->error.status)
    *error = context->error;
  TRY(status);
  TRY(limit(context, error));
  context->started = txNow();
  if (!txShaderCacheRoom())
    txContextLog(
        context, TEXLA_LOG_WARNING,
        "no cache of shaders: its disk has less than 16 MiB of room; set XDG_CACHE_HOME to "
        "a folder with more");
  TRY(contextOpenPlatform(context, error));
  txStarted(context, TX_START_PLATFORM);
  TRY(txLoad(error));
  TRY(inspect(context, error));
  txStarted(context, TX_START_LOAD);
  forgetTexts(&context->options);
  status = contextPrepare(context);
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openContext(context, error));
  *out = context;
  return TEXLA_OK;
cleanup:
  clContextDestroy(context);
  return status;
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

void txCallbackBegin(clContext *context) {
  context->callbacks++;
  context->error = (clError){0};
}

clStatus txCallbackEnd(clContext *context, clStatus status, const char *call, const char *what) {
  clError *error = &context->error;
  const char *text = clStatusText(status);
  bool refused = context->refused;
  context->callbacks--;
  context->refused = false;
  if (refused)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%s has tried to destroy its context; destroy it after the call", what);
  if (!strcmp(text, clStatusText((clStatus)INT_MAX)))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "%s has returned %d, which is no clStatus", what,
                  (int)status);
  if (status < 0 && error->status != status)
    return txFail(error, status, call, "%s has failed: %s", what, text);
  return status;
}

/* Objects that outlive the context keep its memory, but nothing on the device. */
void clContextDestroy(clContext *context) {
  if (!context || context->closed)
    return;
  context->refused = context->callbacks > 0;
  if (context->refused)
    return;
  /* A trace is the parent's to write. */
  if (context->observer && !txPlatformForked(context->platform))
    context->observer->close(context->observer);
  if (context->vertex_array) {
    context->closed = !txPlatformEnter(context->platform);
    destroyObjects(context);
    if (!context->closed)
      txContextGiveBack(context);
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
  TRY(txContextEnter(context, "clContextTrim"));
  txPoolTrim(context, 0);
  txBlocksDestroy(context);
  txUploadsDestroy(context);
  txDownloadsDestroy(context);
  txProgramsDestroy(context);
  return txGlCheck(context, "clContextTrim", "freeing");
}

/* Also finds out whether the device still computes. */
clStatus clContextSynchronize(clContext *context) {
  TRY(txContextEnter(context, "clContextSynchronize"));
  if (context->rehearsal)
    return TEXLA_OK;
  txGlState state;
  txGlSave(context, &state);
  glFinish();
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txGlCheck(context, "clContextSynchronize", "waiting"));
  TRY_CLEANUP(txCanaryAsk(context, "clContextSynchronize"));
cleanup:
  txGlRestore(context, &state);
  return status;
}
