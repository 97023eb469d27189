/* WebGL 2 in a browser, by Emscripten: OpenGL ES 3.0 without what waits or maps memory. Each
 * context has a canvas, which is never shown, or is the page's own (the device "canvas": the
 * field `canvas` of Emscripten's Module). Both may be an OffscreenCanvas: a worker computes as a
 * page does. */
#include "gl/platform.h"

#include "core/allocate.h"
#include "core/try.h"
#include "gl/gl.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clContextCreate";

typedef struct webPlatform {
  txPlatform base;
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context;
  /* Whether the canvas is the page's. */
  bool of_page;
} webPlatform;

/* Emscripten finds canvases by a name: so this one has a name for as long as its context is being
 * made. False where there is none. */
EM_JS(int, txWebNameCanvas, (int of_page), {
  let canvas = null;
  if (of_page)
    canvas = Module["canvas"];
  else if (typeof OffscreenCanvas != "undefined")
    canvas = new OffscreenCanvas(16, 16);
  else if (typeof document != "undefined")
    canvas = document.createElement("canvas");
  if (!canvas)
    return 0;
  specialHTMLTargets["!texla"] = canvas;
  return 1;
});
EM_JS(void, txWebForgetCanvas, (void), { delete specialHTMLTargets["!texla"]; });

/* A browser keeps some sixteen contexts, and closes the oldest one for another. One that nobody
 * needs goes at once where it is lost, not when the garbage is collected. */
EM_JS(void, txWebLose, (int context), {
  const extension = GL.contexts[context].GLctx.getExtension("WEBGL_lose_context");
  if (extension)
    extension.loseContext();
});

static void *current(void) {
  return (void *)emscripten_webgl_get_current_context();
}

/* A lost context is not: then `enter` fails, too, and says why. */
static bool isCurrent(const txPlatform *base) {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = ((const webPlatform *)base)->context;
  return emscripten_webgl_get_current_context() == context &&
         !emscripten_is_webgl_context_lost(context);
}

static bool enter(txPlatform *base) {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = ((const webPlatform *)base)->context;
  emscripten_webgl_make_context_current(context);
  return isCurrent(base);
}

static void leave(void) {
  emscripten_webgl_make_context_current(0);
}

static bool isLost(void) {
  return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context());
}

static void destroy(txPlatform *base) {
  webPlatform *platform = (webPlatform *)base;
  if (platform->context > 0 && !platform->of_page)
    txWebLose(platform->context);
  if (platform->context > 0)
    emscripten_webgl_destroy_context(platform->context);
  free(platform);
}

static EMSCRIPTEN_WEBGL_CONTEXT_HANDLE createContext(void) {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = false;
  wanted.depth = false;
  wanted.antialias = false;
  wanted.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
  return emscripten_webgl_create_context("!texla", &wanted);
}

static clStatus openCanvas(webPlatform *platform, clError *error) {
  if (!txWebNameCanvas(platform->of_page))
    return txFail(error, TEXLA_NO_DEVICE, call,
                  "there is no canvas: the device \"canvas\" needs Module.canvas, and the others a "
                  "page, or a browser that has OffscreenCanvas in workers");
  platform->context = createContext();
  txWebForgetCanvas();
  if (platform->context <= 0)
    return txFail(error, TEXLA_NO_DEVICE, call,
                  "the browser gives no WebGL 2 context: it is too old, its graphics are switched "
                  "off, or too many pages use them");
  enter(&platform->base);
  return TEXLA_OK;
}

static clStatus createOn(txPlatform **out, clContext *context, bool of_page, clError *error) {
  webPlatform *platform = txAllocate(error, call, 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  platform->of_page = of_page;
  clStatus status = openCanvas(platform, error);
  if (status) {
    destroy(&platform->base);
    return status;
  }
  context->info.platform = "WebGL 2";
  *out = &platform->base;
  return TEXLA_OK;
}

static clStatus create(txPlatform **out, clContext *context, const char *device, clError *error) {
  if (strcmp(device, "auto") != 0 && strcmp(device, "0") != 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "unknown device \"%s\": the browser chooses the GPU, so use auto, or canvas",
                  device);
  return createOn(out, context, false, error);
}

static clStatus createCanvas(txPlatform **out, clContext *context, const char *device,
                             clError *error) {
  (void)device;
  return createOn(out, context, true, error);
}

const txPlatformKind txPlatformWeb = {.listed = "WebGL 2",
                                      .create = create,
                                      .current = current,
                                      .isCurrent = isCurrent,
                                      .enter = enter,
                                      .leave = leave,
                                      .isLost = isLost,
                                      .destroy = destroy};
const txPlatformKind txPlatformCanvas = {.device = "canvas",
                                         .listed = "WebGL 2",
                                         .create = createCanvas,
                                         .current = current,
                                         .isCurrent = isCurrent,
                                         .enter = enter,
                                         .leave = leave,
                                         .isLost = isLost,
                                         .destroy = destroy};

/* The browser's own word for all devices is "WebKit WebGL". Some browsers tell no other. */
const char *txRenderer(void) {
  const GLenum unmasked = 0x9246; /* UNMASKED_RENDERER_WEBGL */
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_get_current_context();
  if (emscripten_webgl_enable_extension(context, "WEBGL_debug_renderer_info"))
    return (const char *)glGetString(unmasked);
  return (const char *)glGetString(GL_RENDERER);
}

bool txDeviceIsApart(void) {
  return true;
}

bool txTellsCompiled(void) {
  return emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                           "KHR_parallel_shader_compile");
}

clStatus txBufferTake(clContext *context, const char *of, size_t first, size_t bytes,
                      void *values) {
  (void)context, (void)of;
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, (GLintptr)first, (GLsizeiptr)bytes, values);
  return TEXLA_OK;
}

/* Entry points are there from the beginning; extensions, which a context has to ask for, are not.
 * Without the others there is no blending into floats, and no linear filter of them: the probes of
 * a context find that. */
clStatus txLoad(clError *error) {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_get_current_context();
  emscripten_webgl_enable_extension(context, "EXT_float_blend");
  emscripten_webgl_enable_extension(context, "OES_texture_float_linear");
  if (emscripten_webgl_enable_extension(context, "EXT_color_buffer_float"))
    return TEXLA_OK;
  return txFail(error, TEXLA_NO_DEVICE, call,
                "this device draws no textures of 32-bit floats (WebGL's extension "
                "EXT_color_buffer_float), as some telephones do not: texla needs them");
}
