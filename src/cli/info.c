/* texla info: the devices of this machine, and what the chosen one is and does. Each part of the
 * report is written twice, for programs (JSON) and for people; both ask the context alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "gl/context.h"
#include "program/program.h"
#include "io/json.h"

/* More graphics cards than machines have. */
enum { MOST_DEVICES = 32, NAMED_DEVICES = 1 };

/* Devices beside those of the list, which are asked for by name alone. */
static const char *const named[NAMED_DEVICES] = {"window"};

/* Below the options in --help. */
static const char notes[] = "Examples:\n"
                            "  texla info\n"
                            "  texla info --device llvmpipe --json\n";

/* One run of the command, with all devices, usable or not. */
typedef struct Info {
  txProgram program;
  txCommon common;
  bool json;
  /* those that have an index, of which there are device_count, and those that only have a name */
  clDevice devices[MOST_DEVICES], named[NAMED_DEVICES];
  int device_count;
  clContext *context;
} Info;

/* A yes-or-no probe, its key in JSON, and what each answer means. */
typedef struct Probe {
  const char *key, *name;
  /* the answer, and the sentence for each */
  bool good;
  const char *yes, *no;
} Probe;
/* As many as listProbes names. */
enum { PROBES = 12 };

/* What is measured of a device's arithmetic, with what each answer means for results. */
static void listProbes(const clProbes *p, Probe list[static PROBES]) {
  const Probe probes[PROBES] = {
      {"exact_division", "exact division", p->exact_division,
       "quotients that are integers come out exact: 6 / 3 = 2",
       "6 / 3 is not exactly 2: division is a rounded reciprocal"},
      {"large_integers", "large integers", p->large_integers,
       "+ and * are exact for integers up to 2^24", "integers below 2^24 lose digits"},
      {"round_add", "rounded + and -", p->round_add, "sums are the nearest float, as IEEE 754 says",
       "sums may be off by more than half a unit in the last place"},
      {"round_mul", "rounded *", p->round_mul, "products are the nearest float, as IEEE 754 says",
       "products may be off by more than half a unit in the last place"},
      {"two_sum", "two-sum", p->two_sum,
       "rounding errors of sums can be recovered: compensated sums work",
       "the compiler removes compensated sums, unless they are guarded (trait.double_float)"},
      {"nan_kept", "NaN", p->nan_kept, "NaN survives and is recognized",
       "NaN may get lost: it cannot be relied on"},
      {"inf_kept", "infinity", p->inf_kept, "+Inf and -Inf survive", "infinities may get lost"},
      {"denormals", "denormals", p->denormals, "numbers below 1.2e-38 keep their value",
       "numbers below 1.2e-38 become zero"},
      {"r32f_renderable", "R32F targets", p->r32f_renderable, "one float to a texel can be written",
       "textures of one float to a texel cannot be written"},
      {"rgba32f_renderable", "RGBA32F targets", p->rgba32f_renderable,
       "four floats to a texel can be written",
       "textures of four floats to a texel cannot be written"},
      {"filterable", "filtering", p->filterable, "the hardware interpolates float textures",
       "float textures are not interpolated"},
      {"blendable", "blending", p->blendable, "the hardware adds into float textures",
       "nothing can be added into float textures"},
  };
  for (int k = 0; k < PROBES; k++)
    list[k] = probes[k];
}

/* What a device that has a name is. */
static void describeNamed(clDevice *d, const char *name) {
  clContext *context = NULL;
  clError why = {0};
  /* A context is made and destroyed; what it would measure is not kept. */
  const clContextOptions options = {.device = name, .no_tuning_cache = true};
  snprintf(d->platform, sizeof d->platform, "%s", name);
  d->usable = clContextCreate(&context, &options, &why) == TEXLA_OK;
  if (!d->usable) {
    snprintf(d->renderer, sizeof d->renderer, "%.120s", why.message);
    return;
  }
  const clContextInfo *info = clContextInspect(context);
  d->software = info->software;
  snprintf(d->vendor, sizeof d->vendor, "%s", info->vendor);
  snprintf(d->renderer, sizeof d->renderer, "%s", info->renderer);
  clContextDestroy(context);
}

/* JSON. */

/* Of a device that cannot be used, its place for a name says why. */
static void writeDevice(txJson *json, const clDevice *d) {
  txJsonString(json, "platform", d->platform);
  txJsonBool(json, "usable", d->usable);
  txJsonBool(json, "software", d->software);
  const char *vendor = NULL, *renderer = NULL, *problem = d->renderer;
  if (d->usable) {
    vendor = d->vendor;
    renderer = d->renderer;
    problem = NULL;
  }
  txJsonString(json, "vendor", vendor);
  txJsonString(json, "renderer", renderer);
  txJsonString(json, "problem", problem);
  txJsonClose(json);
}

/* Those that have a number, then those that only have a name. */
static void writeDevices(txJson *json, const Info *info) {
  txJsonArray(json, "devices");
  for (int k = 0; k < info->device_count; k++) {
    txJsonObject(json, NULL);
    txJsonInteger(json, "index", k);
    writeDevice(json, &info->devices[k]);
  }
  txJsonClose(json);
  txJsonArray(json, "named_devices");
  for (int k = 0; k < NAMED_DEVICES; k++) {
    txJsonObject(json, NULL);
    txJsonString(json, "name", named[k]);
    writeDevice(json, &info->named[k]);
  }
  txJsonClose(json);
}

/* What bounds the size of problems: the sides of textures, what a pass may read and write, the
 * longest vector. */
static void writeLimits(txJson *json, const clContextInfo *c) {
  txJsonObject(json, "limits");
  txJsonInteger(json, "texture_size", c->max_texture_size);
  txJsonInteger(json, "targets", c->max_targets);
  txJsonInteger(json, "sources", c->max_sources);
  txJsonInteger(json, "vector_length", c->max_vector_length);
  txJsonClose(json);
}

/* The probes are computations of the device itself, not what its driver claims. */
static void writeProbes(txJson *json, const clProbes *p) {
  Probe probes[PROBES];
  listProbes(p, probes);
  txJsonObject(json, "probes");
  for (int k = 0; k < PROBES; k++)
    txJsonBool(json, probes[k].key, probes[k].good);
  txJsonNumber(json, "division_ulps", (double)p->division_ulps);
  txJsonClose(json);
}

/* In bytes; `pooled` is kept for the next texture of the same shape. */
static void writeMemory(txJson *json, const clContext *context) {
  clContextCounters count = clContextStatistics(context);
  txJsonObject(json, "memory");
  txJsonInteger(json, "limit", (int64_t)clContextInspect(context)->memory_limit);
  txJsonInteger(json, "used", (int64_t)count.bytes_used);
  txJsonInteger(json, "pooled", (int64_t)count.bytes_pooled);
  txJsonInteger(json, "peak", (int64_t)count.bytes_peak);
  txJsonInteger(json, "programs", count.programs_kept);
  txJsonClose(json);
}

/* Which variant has won on this device, by the name of what was measured. */
static void writeTuning(txJson *json, const clContext *context) {
  const char *key;
  int value;
  txJsonObject(json, "tuning");
  for (int k = 0; clContextTuning(context, k, &key, &value); k++)
    txJsonInteger(json, key, value);
  txJsonClose(json);
}

/* The same as the text, for programs. */
static void writeJson(const Info *info) {
  /* Devices come first, since one may look for another one. */
  const clContextInfo *c = clContextInspect(info->context);
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  writeDevices(&json, info);
  txJsonString(&json, "vendor", c->vendor);
  txJsonString(&json, "renderer", c->renderer);
  txJsonString(&json, "version", c->version);
  txJsonString(&json, "glsl", c->glsl);
  txJsonString(&json, "platform", c->platform);
  txJsonBool(&json, "software", c->software);
  txJsonInteger(&json, "threads", c->threads);
  writeLimits(&json, c);
  writeProbes(&json, &c->probes);
  writeMemory(&json, info->context);
  writeTuning(&json, info->context);
  txJsonClose(&json);
}

/* Text. */

/* A device that cannot be used says why in the place of its renderer. */
static void printListed(FILE *file, const char *name, const clDevice *d) {
  if (d->usable)
    fprintf(file, "  %-7s %s%s\n", name, d->renderer, d->software ? " (software)" : "");
  else
    fprintf(file, "  %-7s not usable: %s\n", name, d->renderer);
}

/* One line a device, by the number or name that --device takes. */
static void printDevices(const Info *info, FILE *file) {
  fprintf(file, "Devices (choose one with --device INDEX or NAME)\n");
  for (int k = 0; k < info->device_count; k++) {
    char index[16];
    snprintf(index, sizeof index, "%d", k);
    printListed(file, index, &info->devices[k]);
  }
  for (int k = 0; k < NAMED_DEVICES; k++)
    printListed(file, named[k], &info->named[k]);
}

/* Names and limits of the one that was chosen. */
static void printDevice(const clContextInfo *c) {
  printf("\nChosen device\n");
  printf("  vendor           %s\n", c->vendor);
  printf("  renderer         %s\n", c->renderer);
  /* OpenGL ES says so itself. */
  const char *api = "OpenGL ";
  if (!strncmp(c->version, api, strlen(api)))
    api = "";
  printf("  version          %s%s, GLSL %s\n", api, c->version, c->glsl);
  printf("  reached by       %s%s\n", c->platform, c->software ? ", software" : "");
  if (c->software)
    printf("  worker threads   %d for each large problem; texla shades small ones in its own\n",
           c->threads);
  printf("\nLimits\n");
  printf("  texture size     %d x %d texels\n", c->max_texture_size, c->max_texture_size);
  printf("  targets          %d textures written by one pass\n", c->max_targets);
  printf("  sources          %d textures read by one pass\n", c->max_sources);
  printf("  longest vector   %" PRId64 " elements\n", c->max_vector_length);
}

/* What the driver computes differently from IEEE 754, found by small passes when the context was
 * made. */
static void printProbes(const clProbes *p) {
  Probe probes[PROBES];
  listProbes(p, probes);
  printf("\nSingle precision on this device, as measured\n");
  for (int k = 0; k < PROBES; k++) {
    const char *answer = "no", *meaning = probes[k].no;
    if (probes[k].good) {
      answer = "yes";
      meaning = probes[k].yes;
    }
    printf("  %-15s  %-3s  %s\n", probes[k].name, answer, meaning);
  }
  printf("  %-15s  %-3.2g  largest error of a / b seen, in units in the last place\n",
         "division error", (double)p->division_ulps);
}

/* In a unit that leaves few digits. */
static void printBytes(const char *name, size_t bytes) {
  if (bytes < 1 << 20)
    printf("  %-15s  %zu bytes\n", name, bytes);
  else
    printf("  %-15s  %.1f MiB\n", name, (double)bytes / (1 << 20));
}

/* What this context has taken so far, most of it while it was probed. */
static void printMemory(const clContext *context) {
  clContextCounters count = clContextStatistics(context);
  printf("\nTexture memory\n");
  printBytes("limit", clContextInspect(context)->memory_limit);
  printBytes("used", count.bytes_used);
  printBytes("kept for reuse", count.bytes_pooled);
  printBytes("peak", count.bytes_peak);
  printf("  programs         %lld compiled shaders\n", (long long)count.programs_kept);
}

/* The variants of kernels that were chosen for this device, with their times. */
static void printTuning(const clContext *context) {
  const char *key;
  int value;
  printf("\nTuning: the variants measured to be fastest here\n");
  if (!clContextTuning(context, 0, &key, &value))
    printf("  none yet: each is measured when it is first needed\n");
  for (int k = 0; clContextTuning(context, k, &key, &value); k++)
    /* What probes have found is kept in the same table, but is no choice. */
    if (strncmp(key, "probe.", 6) != 0)
      printf("  %-31s  %d\n", key, value);
}

/* What a program waits for before its first pass. */
static void printStart(const clContext *context) {
  const char *what;
  double seconds, all = 0;
  printf("\nBefore the first pass\n");
  for (int k = 0; txContextStart(context, k, &what, &seconds); k++) {
    printf("  %-15s  %.1f ms\n", what, 1e3 * seconds);
    all += seconds;
  }
  printf("  %-15s  %.1f ms\n", "together", 1e3 * all);
}

/* The list of devices needs no context; all else is about the one that was chosen. */
static int showInfo(Info *info) {
  clError error;
  if (clDeviceList(info->devices, MOST_DEVICES, &info->device_count, &error) != TEXLA_OK)
    return txProgramFail(&info->program, &error);
  if (info->device_count > MOST_DEVICES)
    info->device_count = MOST_DEVICES;
  for (int k = 0; k < NAMED_DEVICES; k++)
    describeNamed(&info->named[k], named[k]);
  clStatus status = txProgramOpen(&info->context, &info->program, 0, &error);
  if (status != TEXLA_OK) {
    txProgramFail(&info->program, &error);
    /* Somebody who has named a wrong device wants to see which there are. */
    if (status == TEXLA_NO_DEVICE || status == TEXLA_BAD_ARGUMENT)
      printDevices(info, stderr);
    return TX_EXIT_BAD;
  }
  if (info->json) {
    writeJson(info);
    return TX_EXIT_GOOD;
  }
  printDevices(info, stdout);
  printDevice(clContextInspect(info->context));
  printProbes(&clContextInspect(info->context)->probes);
  printMemory(info->context);
  if (info->common.verbose)
    printStart(info->context);
  printTuning(info->context);
  return TX_EXIT_GOOD;
}

/* `texla info`: no files, no problem; it opens the device and says what it is. */
int txInfoMain(int argc, char **argv) {
  Info info = {0};
  const txOption options[] = {
      {"json", TX_OPTION_FLAG, &info.json, NULL, "print everything as one JSON object"}, {0}};
  info.program = (txProgram){
      .name = "texla info",
      .summary = "Lists the OpenGL devices of this machine and shows what the chosen one is, "
                 "what it can hold and how its arithmetic behaves.",
      .options = options,
      .common = &info.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&info.program, &argc, argv, &status))
    return status;
  status = showInfo(&info);
  clContextDestroy(info.context);
  return status;
}
