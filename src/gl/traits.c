#include "gl/traits.h"
#include "core/try.h"
#include "core/numbers.h"
#include "gl/gl.h"
#include "platform/platform.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char call[] = "clContextCreate";

const txTraits *txContextTraits(const clContext *context) {
  return &context->traits;
}

/* Waits without work: some drivers' glFinish asks over and over. */
static void waitIdly(void) {
  GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  do
    txSleep(50e-6);
  while (glClientWaitSync(fence, 0, 0) == GL_TIMEOUT_EXPIRED);
  glDeleteSync(fence);
}

/* What the host's processors work for so many rounds of multiply-adds; the least of three times.
 * *tick <- what their clock can tell apart. */
static clStatus hostWork(clContext *context, txTexture *target, int rounds, double *seconds,
                         double *tick) {
  txPass pass = {.kernel = "probe_load",
                 .target = {target},
                 .uniform = {{"rounds", 1, {(float)rounds}, .integer = true}}};
  *seconds = INFINITY;
  for (int i = 0; i < 3; i++) {
    double start = txWorkTime(tick);
    TRY(txPassRun(context, call, &pass));
    waitIdly();
    *seconds = fmin(*seconds, txWorkTime(tick) - start);
  }
  return TEXLA_OK;
}

/* *noticed <- does a pass over side x side texels take the host's time for its arithmetic? */
static clStatus measureSide(clContext *context, int side, int *noticed, double *tick) {
  enum { ROUNDS = 1024 };
  txTexture *target = NULL;
  double little = 0, much = 0;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&target, context, call, TX_RGBA32F, side, side));
  TRY_CLEANUP(hostWork(context, target, 1, &little, tick));
  TRY_CLEANUP(hostWork(context, target, ROUNDS, &much, tick));
  *noticed = much - little > fmax(4e-4, 2 * *tick);
cleanup:
  txTextureDestroy(target);
  return status;
}

/* A pass and one with a thousand times its arithmetic differ by what the shaders compute; textures
 * grow until that is too much for a graphics card's driver to spend, or more than processors could
 * do unnoticed. */
static clStatus measureHost(clContext *context, int *host_shades) {
  const double coarse = 1e-3;
  double tick = 0;
  int most = 128;
  *host_shades = 0;
  for (int side = 16; side <= most && !*host_shades; side *= 2) {
    TRY(measureSide(context, side, host_shades, &tick));
    if (tick > coarse)
      most = 1024;
  }
  return TEXLA_OK;
}

/* *seconds <- the time of so many passes over one texel, each in another texture than the one
 * before, and of reading the last one: the mean of some rounds, the least of three such. */
static clStatus timePasses(clContext *context, int passes, int rounds, double *seconds) {
  txTexture *target[2] = {NULL, NULL};
  txPass pass = {.kernel = "probe_load", .uniform = {{"rounds", 1, {1}, .integer = true}}};
  float texel[4];
  clStatus status = TEXLA_OK;
  *seconds = INFINITY;
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(txTextureCreate(&target[i], context, call, TX_RGBA32F, 1, 1));
  for (int run = 0; run < 3; run++) {
    double start = txNow();
    for (int i = 0; i < rounds * passes; i++) {
      pass.target[0] = target[i % 2];
      TRY_CLEANUP(txPassRun(context, call, &pass));
      if (i % passes == passes - 1)
        TRY_CLEANUP(txTextureRead(target[i % 2], call, (txRect){0, 0, 1, 1}, texel));
    }
    *seconds = fmin(*seconds, (txNow() - start) / rounds);
  }
cleanup:
  for (int i = 0; i < 2; i++)
    txTextureDestroy(target[i]);
  return status;
}

enum { PASSES = 32 };

static clStatus measurePass(clContext *context, int *pass_ns) {
  double all = 0;
  TRY(timePasses(context, PASSES, 1, &all));
  *pass_ns = all < 1 ? (int)(all / PASSES * 1e9) : 1000000000;
  return TEXLA_OK;
}

bool txTraitsNamedSoftware(const char *renderer) {
  static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Basic Render"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(renderer, names[i]))
      return true;
  return false;
}

/* Where the device is another process, as in a browser, the time that it takes of the host's
 * processors is not to be had, but waiting tells: processors that shade answer a read in the time
 * of some passes, a graphics card in that of many. That is a guess: in Chromium it was 4 to 20
 * passes on llvmpipe. (Browsers' clocks are coarse: so several reads.) */
static clStatus measureWait(clContext *context, int *host_shades) {
  enum { READS = 8, SOME = 16 };
  double first = 0, all = 0;
  TRY(timePasses(context, 1, READS, &first));
  TRY(timePasses(context, PASSES, READS, &all));
  *host_shades = first < SOME * (all - first) / (PASSES - 1);
  return TEXLA_OK;
}

/* The numbers that shaders/gl/probe_uniforms.frag is given in case n, and what it must make of
 * them. */
static void uniformCase(txPass *pass, int n, float expected[2]) {
  const float v = (float)(n + 1);
  const txUniform all[] = {{"a", 1, {v}},
                           {"b", 2, {10 * v, 20}},
                           {"c", 3, {30, 40 * v, 50}},
                           {"d", 4, {60, 70, 80 * v, 90}},
                           {"i", 1, {3 * v}, .integer = true},
                           {"k", 2, {5, 7 * v}, .integer = true}};
  memcpy(pass->uniform, all, sizeof all);
  expected[0] = 131 * v + 320;
  expected[1] = 10 * v + 5;
}

/* One program renders targets of several heights, one after the other, each cleared before: a
 * driver may take a fragment's place or a uniform from the pass before. (Mesa's softpipe does so
 * where a fragment shader has no uniform left, so that gl_FragCoord.y is that of a target of
 * another height.) */
static clStatus checkUniforms(clContext *context, bool *right) {
  enum { CASES = 4, WIDTH = 3, HIGHEST = 17 };
  static const int height[CASES] = {HIGHEST, 1, 2, 5};
  txTexture *target[CASES] = {NULL};
  float expected[CASES][2], texel[WIDTH * HIGHEST][4];
  clStatus status = TEXLA_OK;
  *right = true;
  for (int n = 0; n < CASES; n++) {
    txPass pass = {.kernel = "probe_uniforms"};
    uniformCase(&pass, n, expected[n]);
    TRY_CLEANUP(txTextureCreate(&target[n], context, call, TX_RGBA32F, WIDTH, height[n]));
    pass.target[0] = target[n];
    TRY_CLEANUP(txTextureClear(target[n], call));
    TRY_CLEANUP(txPassRun(context, call, &pass));
  }
  for (int n = 0; n < CASES; n++) {
    TRY_CLEANUP(txTextureRead(target[n], call, (txRect){0, 0, WIDTH, height[n]}, texel));
    for (int t = 0; t < WIDTH * height[n]; t++)
      *right = *right && texel[t][0] == expected[n][0] && texel[t][1] == expected[n][1] &&
               texel[t][2] == (float)(t % WIDTH) && texel[t][3] == (float)(t / WIDTH);
  }
cleanup:
  for (int n = 0; n < CASES; n++)
    txTextureDestroy(target[n]);
  return status;
}

/* On where it is wanted and computes right. A program that does not compile so is not right
 * either. */
static clStatus probeFlatUniforms(clContext *context, int *flat) {
  bool right = false;
  if (!*flat)
    return TEXLA_OK;
  /* Programs that have been made so far have ordinary uniforms. */
  txProgramsDestroy(context);
  clStatus status = checkUniforms(context, &right);
  *flat = !status && right;
  if (!*flat)
    txProgramsDestroy(context);
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

/* Off if passes that are drawn so compute wrong: a driver may have no logic operations that leave
 * floats alone. Draws that it drops meanwhile are no loss of the context. */
static clStatus probeCompiledOnce(clContext *context, int *most) {
  const int wanted = *most;
  bool right = false;
  if (!wanted)
    return TEXLA_OK;
  *most = INT_MAX;
  clStatus status = checkUniforms(context, &right);
  *most = wanted;
  if (!status && right)
    return TEXLA_OK;
  *most = 0;
  context->lost = NULL;
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

/* What was opened, whatever a file says. */
static clStatus addThreads(clContext *context, bool *added) {
  int known = -1;
  txTuningKnown(context, "trait.threads", &known);
  *added = known != context->traits.threads;
  if (!*added)
    return TEXLA_OK;
  return txTuningAdd(context, "trait.threads", context->traits.threads);
}

/* *value <- the table's line where it makes sense, else `usual`, which becomes one. */
static clStatus traitsSettle(clContext *context, const char *name, int usual, int most, int *value,
                             bool *added) {
  char key[64];
  snprintf(key, sizeof key, "trait.%s", name);
  if (txTuningKnown(context, key, value) && *value >= 0 && *value <= most)
    return TEXLA_OK;
  *value = usual;
  *added = true;
  return txTuningAdd(context, key, usual);
}

clStatus txTraitsFindHost(clContext *context, const char *renderer, int *host_shades) {
  *host_shades = txTraitsNamedSoftware(renderer);
  if (*host_shades)
    return TEXLA_OK;
  if (txDeviceIsApart())
    return measureWait(context, host_shades);
  return measureHost(context, host_shades);
}

/* What is measured of the device itself, unless the table knows it. */
static clStatus traitsMeasureAll(clContext *context, bool *added) {
  txTraits *t = &context->traits;
  TRY(addThreads(context, added));
  if (!txTuningKnown(context, "trait.host_shades", &t->host_shades))
    TRY(txTraitsFindHost(context, context->info.renderer, &t->host_shades));
  if (!txTuningKnown(context, "trait.pass_ns", &t->pass_ns))
    TRY(measurePass(context, &t->pass_ns));
  return TEXLA_OK;
}

/* What follows from it: usual values, which lines of the table may replace. */
static clStatus settleAll(clContext *context, bool *added) {
  /* Up to so many points one thread in C is three times as fast as passes; as fast as those of a
   * few workers up to more. */
  enum { HOST_POINTS = 256 * 256, FEW_WORKERS = 4 };
  txTraits *t = &context->traits;
  bool host = t->host_shades;
  int flush_every = 8, panel = 24, host_points = 0;
  if (host) {
    panel = 8;
    host_points = HOST_POINTS;
  }
  /* To a process apart each is a message, which takes processors' time, too. */
  if (host && !txDeviceIsApart())
    flush_every = 1;
  if (host && t->threads <= FEW_WORKERS)
    host_points *= 4;
  const struct {
    const char *name;
    int usual, most, *value;
  } list[] = {
      {"host_shades", host, 1, &t->host_shades},
      {"pass_ns", t->pass_ns, INT_MAX, &t->pass_ns},
      {"whole_triangle", host, 1, &t->whole_triangle},
      {"flush_every", flush_every, 1024, &t->flush_every},
      {"inner_programs", host, 1, &t->inner_programs},
      {"fine_derivatives", host && context->es, 1, &t->fine_derivatives},
      {"compiled_once", 0, INT_MAX, &t->compiled_once},
      {"two_columns", host, 1, &t->two_columns},
      {"panels_on_host", 2, 64, &t->panels_on_host},
      {"panel", panel, 1024, &t->panel},
      {"reflect_on_host", host, 1, &t->reflect_on_host},
      {"points_on_host", host_points, INT_MAX, &t->points_on_host},
      {"setup_on_host", host, 1, &t->setup_on_host},
      {"flat_uniforms", host, 1, &t->flat_uniforms},
      {"double_float", 2, 2, &t->double_float},
      {"double_guard", 0, TX_GUARDS - 1, &t->double_guard},
      {"upload_buffers", !host && !context->es, 1, &t->upload_buffers},
      {"refine_on_device", !host, 1, &t->refine_on_device},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    TRY(traitsSettle(context, list[i].name, list[i].usual, list[i].most, list[i].value, added));
  return TEXLA_OK;
}

/* OpenGL ES has no logic operations and no geometry shaders, and WebGL maps no buffers. Logic
 * operations serve llvmpipe alone, and virgl's server ends a context that has them with floats. */
static void refuseMissing(const clContext *context, txTraits *t) {
  if (context->es || strncmp(context->info.renderer, "llvmpipe", 8) != 0)
    t->compiled_once = 0;
  if (context->es) {
    t->two_columns = 0;
    t->upload_buffers = 0;
  }
}

/* The line of a trait that a probe has refused becomes what was found. */
static clStatus traitsCorrect(clContext *context, const char *key, int wanted, int found) {
  if (found == wanted)
    return TEXLA_OK;
  return txTuningAdd(context, key, found);
}

/* Whatever a file says: wrong answers are no choice. Probes come behind the first of them, in
 * programs as all later ones are. */
static clStatus refuseWrong(clContext *context) {
  txTraits *t = &context->traits;
  const txTraits wanted = *t;
  TRY(probeFlatUniforms(context, &t->flat_uniforms));
  TRY(traitsCorrect(context, "trait.flat_uniforms", wanted.flat_uniforms, t->flat_uniforms));
  TRY(probeCompiledOnce(context, &t->compiled_once));
  TRY(traitsCorrect(context, "trait.compiled_once", wanted.compiled_once, t->compiled_once));
  TRY(txProbe(context));
  TRY(txProbeDerivatives(context, &t->fine_derivatives));
  TRY(traitsCorrect(context, "trait.fine_derivatives", wanted.fine_derivatives,
                    t->fine_derivatives));
  TRY(txProbeDoubleFloat(context, t));
  TRY(traitsCorrect(context, "trait.double_guard", wanted.double_guard, t->double_guard));
  return traitsCorrect(context, "trait.double_float", wanted.double_float, t->double_float);
}

clStatus txTraitsMeasure(clContext *context) {
  bool added = false;
  TRY(traitsMeasureAll(context, &added));
  TRY(settleAll(context, &added));
  refuseMissing(context, &context->traits);
  context->info.software = context->traits.host_shades;
  txStarted(context, TX_START_TRAITS);
  if (!txProbesRecall(context)) {
    TRY(refuseWrong(context));
    TRY(txProbesKeep(context));
    added = true;
  }
  txStarted(context, TX_START_PROBES);
  if (added)
    txTuningSave(context);
  return TEXLA_OK;
}
