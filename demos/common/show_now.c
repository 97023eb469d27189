/* What the programs and all parts of the frame ask: which scene, field and text are shown now, and
 * where a message goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/lines.h"
#include "common/show_private.h"
#include "core/error.h"
#include "platform/platform.h"

const demoScene *demoSceneOf(const demoShow *show) {
  return show->program->scene;
}

int64_t demoSteps(const demoShow *show) {
  if (show->options.steps)
    return show->options.steps;
  return demoSceneOf(show)->steps;
}

bool demoLooks(const demoShow *show, int64_t steps) {
  int64_t pictures = 16;
  if (show->options.headless)
    pictures = 1;
  /* what the first look compiles is compiled with what the first step does */
  return steps == 1 || steps % (pictures * demoSteps(show)) == 0;
}

int demoField(const demoShow *show) {
  if (show->options.field >= 0)
    return show->options.field;
  return demoSceneOf(show)->field;
}

const char *demoShowField(const demoShow *show, int field) {
  const demoProgram *program = show->program;
  if (program->fields[field] && program->called)
    return program->called(show->self, field);
  return program->fields[field];
}

void demoShowListFields(const demoShow *show, const char *fields[DEMO_MOST_FIELDS + 1]) {
  int count = 0;
  while (count < DEMO_MOST_FIELDS && demoShowField(show, count)) {
    fields[count] = demoShowField(show, count);
    count++;
  }
  fields[count] = NULL;
}

int demoScale(const demoShow *show) {
  return show->own->scale;
}

void demoVariables(const demoShow *show, double variable[DEMO_VARIABLES]) {
  const int *size = show->options.size;
  memset(variable, 0, DEMO_VARIABLES * sizeof *variable);
  variable[DEMO_W] = (double)size[0] / size[1];
  variable[DEMO_H] = 1. / size[1];
  variable[DEMO_SEED] = (double)show->options.seed;
  demoSceneParameters(demoSceneOf(show), variable);
}

const char *demoShowSceneText(const demoShow *show) {
  const demoPrivate *o = show->own;
  if (o->scene < 0)
    return o->scene_text;
  return show->program->scenes[o->scene].text;
}

bool demoShowIsDrawn(const demoShow *show) {
  const char *strokes = show->own->strokes;
  return (strokes && *strokes) || demoProbesDiffer(&show->own->probes, demoSceneOf(show)) ||
         (show->program->list && show->program->list(show->self, NULL));
}

/* A text without lines that begin with one of these words (NULL: with none); the caller's, NULL: no
 * memory. */
static char *linesWithout(const char *text, const char *const *words, int count) {
  char *rest = strdup(text);
  for (int k = 0; k < count && rest; k++) {
    char *less = demoLinesWithout(rest, words[k]);
    free(rest);
    rest = less;
  }
  return rest;
}

char *demoShowWhole(const demoShow *show, const char *text) {
  const char *strokes = show->own->strokes, *replaced = NULL;
  char *whole = NULL, *rest = NULL;
  size_t size = 0;
  FILE *file = txMemoryOpen(&whole, &size);
  if (!file)
    return NULL;
  if (show->program->list)
    replaced = show->program->list(show->self, NULL);
  rest = linesWithout(text, (const char *const[]){replaced, "probe", "along"}, 3);
  if (rest)
    fputs(rest, file);
  demoProbesWrite(&show->own->probes, file);
  if (replaced)
    show->program->list(show->self, file);
  if (strokes)
    fputs(strokes, file);
  bool complete = txMemoryFlush(file, &whole, &size) && rest;
  fclose(file);
  free(rest);
  if (complete)
    return whole;
  free(whole);
  return NULL;
}

/* --- messages --- */

clStatus demoCheck(demoShow *show, clStatus status) {
  if (status >= 0)
    return TEXLA_OK;
  show->error = *clContextError(show->context);
  return status;
}

clStatus demoOutOfMemory(demoShow *show) {
  return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "the scene",
                "no memory for %d x %d points and their picture; a smaller --size needs less",
                show->own->nx, show->own->ny);
}

/* Where messages go. */
FILE *demoShowMessages(const demoShow *show) {
  if (demoStatsToOutput(&show->own->stats))
    return stderr;
  return stdout;
}

void demoShowSay(const demoShow *show, const char *what, const char *name) {
  if (!show->own->common.quiet)
    printf("%s: %s %s\n", show->program->name, what, name);
  fflush(stdout);
}

/* What went wrong is said, here and in the window for some seconds, and nothing ends. */
void demoShowComplain(demoShow *show, const char *what) {
  const double seconds = 6;
  demoPrivate *o = show->own;
  snprintf(o->notice, sizeof o->notice, "%.60s%s%s", what, *what ? ": " : "", show->error.message);
  o->noticed = demoSeconds() + seconds;
  demoShowSay(show, o->notice, "");
  show->error = (clError){0};
}
