/* The report of `texla check`: the device, a line for each group of cases, what was measured. It
 * holds nothing personal: no names of hosts or users, no paths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "platform/platform.h"

/* Cases that were tried. */
typedef struct Count {
  int right, missing, wrong;
} Count;

/* In one line, without folders: messages of shaders name files. */
static void writeMessage(FILE *file, const char *message) {
  while (*message) {
    size_t word = strcspn(message, " \n"), folder = word;
    while (folder > 0 && message[folder - 1] != '/')
      folder--;
    fprintf(file, "%.*s ", (int)(word - folder), message + folder);
    message += word;
    message += strspn(message, " \n");
  }
  fputc('\n', file);
}

/* What is wrong with a case: an error, or the first wrong number. */
static void writeWrong(FILE *file, const txTrial *t, clStatus status) {
  fprintf(file, "wrong: %s: ", t->name);
  if (status < 0)
    writeMessage(file, clContextError(t->context)->message);
  else if (status > 0)
    fprintf(file, "%s\n", clStatusText(status));
  else
    fprintf(file, "number %" PRId64 " is %.9g, wanted %.9g (within %.1e)\n", t->wrong,
            t->got[t->wrong], t->wanted[t->wrong], t->allowed);
}

static void writeCount(FILE *file, const char *name, const Count *count) {
  fprintf(file, "%-14s%6d right, %d not here, %d wrong", name, count->right, count->missing,
          count->wrong);
}

/* What a device cannot do is no mistake; of wrong cases the first one is written. */
static void tryGroup(FILE *file, txTrial *t, const txTrialGroup *group, Count *all) {
  Count count = {0};
  for (int k = 0; k < group->cases; k++) {
    t->wrong = -1;
    clStatus status = group->run(t, k);
    bool good = status == TEXLA_OK && t->wrong < 0;
    count.right += good;
    count.missing += status == TEXLA_UNSUPPORTED;
    if (good || status == TEXLA_UNSUPPORTED)
      continue;
    if (!count.wrong++)
      writeWrong(file, t, status);
  }
  writeCount(file, group->name, &count);
  fputc('\n', file);
  fflush(file);
  all->right += count.right;
  all->missing += count.missing;
  all->wrong += count.wrong;
}

/* Versions, driver, limits. */
static void writeDevice(FILE *file, clContext *context) {
  const clContextInfo *c = clContextInspect(context);
  char system[80];
  txSystemName(system, sizeof system);
  fprintf(file, "texla check %s on %s, %d processors\n", TEXLA_VERSION, system, txProcessors());
  fprintf(file, "vendor    %s\nrenderer  %s\nversion   %s, GLSL %s\n", c->vendor, c->renderer,
          c->version, c->glsl);
  fprintf(file, "reached   %s, %s, %d threads\n", c->platform,
          c->software ? "software" : "a device of its own", c->threads);
  fprintf(file, "limits    textures %d, targets %d, sources %d, memory %zu MiB\n\n",
          c->max_texture_size, c->max_targets, c->max_sources, c->memory_limit >> 20);
}

/* What was measured of the device: traits and probes, several to a line. */
static void writeTraits(FILE *file, clContext *context) {
  const char *key;
  int value, at = 0;
  for (int k = 0; clContextTuning(context, k, &key, &value); k++) {
    if (strncmp(key, "trait.", 6) != 0 && strncmp(key, "probe.", 6) != 0)
      continue;
    char text[128];
    int length = snprintf(text, sizeof text, " %s %d", key, value);
    if (at > 0 && at + length > 78) {
      fputc('\n', file);
      at = 0;
    }
    at += fprintf(file, "%s", text);
  }
  fputc('\n', file);
}

/* Those of algebra first. */
static const txTrialGroup *groupAt(int index) {
  int algebra = 0;
  while (txTrialsAlgebra(algebra))
    algebra++;
  if (index < algebra)
    return txTrialsAlgebra(index);
  return txTrialsSimulation(index - algebra);
}

const char *txCheckGroup(int index) {
  const txTrialGroup *group = groupAt(index);
  return group ? group->name : NULL;
}

int txCheckWrite(FILE *file, clContext *context, const txCheckOptions *options) {
  Count all = {0};
  const txTrialGroup *group;
  txTrial *t = malloc(sizeof *t);
  if (!t)
    return TEXLA_OUT_OF_MEMORY;
  t->context = context;
  t->vary = options->vary;
  double start = txNow();
  writeDevice(file, context);
  for (int k = 0; (group = groupAt(k)); k++)
    if (!options->only || strcmp(options->only, group->name) == 0)
      tryGroup(file, t, group, &all);
  writeCount(file, "all", &all);
  fprintf(file, ", in %.1f s\n\nMeasured:\n", txNow() - start);
  writeTraits(file, context);
  free(t);
  return all.wrong;
}
