/* The options of the programs: on the command line, in saved states and in pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/try.h"

static bool isParameter(const demoPrivate *o, int k) {
  static const char *const not_kept[] = {"frames", "time", "until-steady", "bench-window"},
                           *const flags[] = {"lines", "no-text", "no-colour-bar", "fill"};
  bool kept = o->table[k].kind >= TX_OPTION_INTEGER;
  for (int i = 0; i < 4; i++) {
    kept &= strcmp(o->table[k].name, not_kept[i]) != 0;
    kept |= strcmp(o->table[k].name, flags[i]) == 0;
  }
  return kept;
}

size_t demoShowOptionSize(const txOption *option) {
  if (option->kind == TX_OPTION_FLAG)
    return sizeof(bool);
  /* int64_t, double, int[2] */
  if (option->kind == TX_OPTION_CHOICE)
    return sizeof(int);
  return 8;
}

/* The value as a command line has it. */
static void printValue(char *text, size_t size, const txOption *option) {
  const int *integers = option->target;
  switch (option->kind) {
  case TX_OPTION_FLAG:
    *text = 0;
    return;
  case TX_OPTION_INTEGER:
    snprintf(text, size, "%lld", (long long)*(const int64_t *)option->target);
    return;
  case TX_OPTION_REAL:
    snprintf(text, size, "%.17g", *(const double *)option->target);
    return;
  case TX_OPTION_SIZE:
    snprintf(text, size, "%dx%d", integers[0], integers[1]);
    return;
  default:
    snprintf(text, size, "%s", option->choices[integers[0]]);
  }
}

/* False: a value that has been given back to the scene, as the next scene does it. */
static bool isSet(const txOption *option) {
  bool bounded = option->least < option->most;
  switch (option->kind) {
  case TX_OPTION_FLAG:
    return *(const bool *)option->target;
  case TX_OPTION_INTEGER:
    return !bounded || (double)*(const int64_t *)option->target >= option->least;
  case TX_OPTION_REAL:
    return !bounded || *(const double *)option->target > option->least;
  case TX_OPTION_CHOICE:
    return *(const int *)option->target >= 0;
  default:
    return true;
  }
}

/* Those of the options that are `wanted`, each by its name and value in this form, "--%s %s ". */
static size_t listOptions(const demoShow *show, const bool *wanted, const char *form, char *text,
                          size_t size) {
  const demoPrivate *o = show->own;
  char value[64];
  size_t used = 0;
  *text = 0;
  for (int k = 0; o->table[k].name && used + 2 * sizeof value < size; k++) {
    if (!isParameter(o, k) || !wanted[k] || !isSet(&o->table[k]))
      continue;
    printValue(value, sizeof value, &o->table[k]);
    used += (size_t)snprintf(text + used, size - used, form, o->table[k].name, value);
  }
  return used;
}

void demoShowSaveOptions(demoShow *show, demoState *state) {
  demoPrivate *o = show->own;
  char text[4096];
  const demoCamera *c = &show->options.camera;
  for (int k = 0; k < DEMO_MOST_OPTIONS; k++) {
    bool turned = o->table[k].target == &c->azimuth || o->table[k].target == &c->tilt;
    o->kept[k] |= o->given[k] || turned;
  }
  size_t used = listOptions(show, o->kept, "%s=%s\n", text, sizeof text);
  demoStateBytes(state, "options", text, used);
}

size_t demoShowListChanged(const demoShow *show, const char *form, char *text, size_t size) {
  const demoPrivate *o = show->own;
  bool wanted[DEMO_MOST_OPTIONS] = {false};
  for (int k = 0; o->table[k].name; k++) {
    bool changed = demoShowNumber(&o->table[k]) != o->first[k];
    wanted[k] = o->given[k] || changed || o->table[k].kind == TX_OPTION_SIZE;
  }
  return listOptions(show, wanted, form, text, size);
}

/* An option from a file; one of the command line goes before it, but the size must be the
 * file's. */
static clStatus loadOption(demoShow *show, const char *from, const char *line, size_t length) {
  demoPrivate *o = show->own;
  char text[128];
  snprintf(text, sizeof text, "%.*s", (int)length, line);
  char *value = strchr(text, '=');
  int k = 0;
  if (value)
    *value++ = 0;
  while (value && o->table[k].name && strcmp(o->table[k].name, text) != 0)
    k++;
  if (!value || !o->table[k].name || !isParameter(o, k))
    return txFail(&show->error, TEXLA_BAD_FILE, "taking options up",
                  "%s has an option '%s' that this program does not know", from, text);
  uint64_t given = 0;
  bool was = o->given[k];
  memcpy(&given, o->table[k].target, demoShowOptionSize(&o->table[k]));
  if (!txArgumentConvert(&o->cli, &o->table[k], value))
    return txFail(&show->error, TEXLA_BAD_FILE, "taking options up", "%s has a wrong value of %s",
                  from, text);
  bool same = memcmp(&given, o->table[k].target, demoShowOptionSize(&o->table[k])) == 0;
  if (was && !same && strcmp(text, "size") == 0)
    return txFail(&show->error, TEXLA_BAD_ARGUMENT, "taking options up",
                  "%s holds --%s %s: leave --%s out", from, text, value, text);
  o->kept[k] = true;
  if (was)
    memcpy(o->table[k].target, &given, demoShowOptionSize(&o->table[k]));
  return TEXLA_OK;
}

clStatus demoShowTakeOptions(demoShow *show, const char *from, const char *text) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    TRY(loadOption(show, from, text, length));
    text += length + (text[length] == '\n');
  }
  return TEXLA_OK;
}

double demoShowNumber(const txOption *option) {
  switch (option->kind) {
  case TX_OPTION_FLAG:
    return *(const bool *)option->target;
  case TX_OPTION_CHOICE:
    return *(const int *)option->target;
  case TX_OPTION_INTEGER:
    return (double)*(const int64_t *)option->target;
  case TX_OPTION_REAL:
    return *(const double *)option->target;
  default:
    return 0;
  }
}

const char *demoShowWith(const demoProgram *program) {
  if (program->with)
    return program->with;
  return "with";
}

/* Adds options, behind those that are there. */
static void addOptions(demoPrivate *o, const txOption *options, size_t count) {
  txOption *end = o->table;
  while (end->name)
    end++;
  memcpy(end, options, count * sizeof *options);
}

/* What is shown. */
static void addPicture(demoShow *show) {
  static const char *const overs[] = {"none", "arrows", "streamlines", NULL};
  demoPrivate *p = show->own;
  demoOptions *o = &show->options;
  const char *lines = "lines of a scene's text instead of those of its own that begin with the "
                      "same words";
  if (show->program->blank)
    lines = "a scene of its own, from a blank field where no line says start; with --scene, or "
            "without an equation for the first field: lines instead of those of that scene that "
            "begin with the same words";
  const txOption options[] = {
      {"scene", TX_OPTION_TEXT, &o->scene, "NAME|FILE",
       "what is shown: one of the scenes above (default: the first one), a text of your own "
       "(FILE.scene), or what a screenshot shows (FILE.png)"},
      {demoShowWith(show->program), TX_OPTION_TEXT, &o->with, "'LINE; LINE'", lines},
      {"set", TX_OPTION_TEXT, &o->set, "NAME=X,...",
       "other values of what the scene calls parameters"},
      {"size", TX_OPTION_SIZE, o->size, "NxM", "cells, columns x rows (default: the scene's own)"},
      {"field", TX_OPTION_CHOICE, &o->field, NULL, "what is coloured (default: the scene's own)",
       .choices = show->program->fields},
      {"colormap", TX_OPTION_CHOICE, &o->colormap, NULL, "colours (default: the field's own)",
       .choices = p->maps},
      {"lines", TX_OPTION_FLAG, &o->lines, NULL, "with lines of equal values"},
      {"no-text", TX_OPTION_FLAG, &p->no_text, NULL, "without text on the picture"},
      {"no-colour-bar", TX_OPTION_FLAG, &p->no_bar, NULL, "without the bar of colours"},
      {"fill", TX_OPTION_FLAG, &p->fills, NULL,
       "a window is filled, whatever shape the domain has"},
      {"low", TX_OPTION_REAL, &o->ends[0], "X",
       "of the colours, which end there and at --high (default: they follow the values)"},
      {"high", TX_OPTION_REAL, &o->ends[1], "X", "... the other end"},
      {"over", TX_OPTION_CHOICE, &o->over, NULL,
       "over the colours: arrows, or streamlines with equal flux between them (default: none)",
       .choices = overs},
      {"curves", TX_OPTION_CHOICE, &o->curves, NULL,
       "columns of --stats that are plotted over time (default: none)", .choices = p->curve_groups},
      {"obstacles", TX_OPTION_TEXT, &o->obstacles, "FILE.png",
       "obstacles instead of the scene's: what is dark"},
  };
  addOptions(p, options, sizeof options / sizeof *options);
}

/* Of programs that show a surface in a view that turns. */
static void addCamera(demoShow *show) {
  demoCamera *c = &show->options.camera;
  const txOption options[] = {
      {"azimuth", TX_OPTION_REAL, &c->azimuth, "DEGREES",
       "from where the view looks, around the upright axis (default: 66)", -360, 360},
      {"tilt", TX_OPTION_REAL, &c->tilt, "DEGREES",
       "... and how far down from the horizon (default: 43)", DEMO_FLATTEST - 1, DEMO_STEEPEST + 1},
  };
  const char *const *field = show->program->fields;
  while (*field && strcmp(*field, "view") != 0)
    field++;
  if (*field)
    addOptions(show->own, options, sizeof options / sizeof *options);
}

/* How a run goes: its steps, its end, where pictures go. */
static void addRun(demoShow *show) {
  const double most = 1e9;
  demoOptions *o = &show->options;
  const txOption options[] = {
      {"dt", TX_OPTION_REAL, &o->dt, "T", "time step (default: a stable one)", 0, INFINITY,
       .unit = show->program->time_unit},
      {"seed", TX_OPTION_INTEGER, &o->seed, "N",
       "of what is random in a scene: drops, how smoke and jets sway, where streaks start "
       "(default 0)",
       0, most},
      {"steps-per-frame", TX_OPTION_INTEGER, &o->steps, "N",
       "time steps from one picture to the next (default: the scene's; in a window fewer where "
       "they take long)",
       1, most},
      {"frames", TX_OPTION_INTEGER, &o->frames, "N",
       "end after N pictures (default: --headless 60; a window stays open)", 1, most},
      {"time", TX_OPTION_REAL, &o->end, "T", "end (a window: pause) at this time of the simulation",
       0, INFINITY},
      {"until-steady", TX_OPTION_REAL, &o->steady, "TOL",
       "end when the energy (of a flow: the velocity) changes by less, in parts per time", 0,
       INFINITY},
      {"headless", TX_OPTION_FLAG, &o->headless, NULL,
       "write pictures even where a window could be opened"},
      {"out", TX_OPTION_TEXT, &o->out, "DIR",
       "the folder for pictures and screenshots, made if need be (default frames); or FILM.gif, "
       "FILM.mp4, made by the program ffmpeg"},
      {"no-pictures", TX_OPTION_FLAG, &o->unwritten, NULL,
       "--headless: paint the pictures on the device, as a window does, but neither read nor write "
       "them: to see how fast it is"},
      {"record", TX_OPTION_FLAG, &o->record, NULL,
       "in a window, too: record from the first picture on"},
      {"bench-window", TX_OPTION_INTEGER, &show->own->bench, "N",
       "show N pictures in a window, then tell how many a second these were, how long the first "
       "one and the answer to the mouse took; with --headless draw them into a texture",
       1, most},
  };
  addOptions(show->own, options, sizeof options / sizeof *options);
}

/* Files beside the pictures. */
static void addFiles(demoShow *show) {
  demoOptions *o = &show->options;
  const txOption options[] = {
      {"stats", TX_OPTION_TEXT, &o->stats, "FILE.csv",
       "write a line per time step: energy, iterations, seconds of each stage (measured pass by "
       "pass, which takes time itself)"},
      {"profile", TX_OPTION_TEXT, &o->profile, "FILE.csv",
       "at the end write what is on the centre lines"},
      {"probes", TX_OPTION_TEXT, &o->probes, "X,Y;...",
       "places where the field that is shown is plotted; in heights of the domain, from its lower "
       "left corner"},
      {"probe-csv", TX_OPTION_TEXT, &o->probe_csv, "FILE.csv",
       "write the probes' values, a line for each and each time step"},
      {"save", TX_OPTION_TEXT, &o->save, "FILE", "at the end save the state and its options"},
      {"load", TX_OPTION_TEXT, &o->load, "FILE",
       "go on from a saved state, exactly; options given here go before its"},
  };
  addOptions(show->own, options, sizeof options / sizeof *options);
}

void demoShowListOptions(demoShow *show) {
  demoPrivate *o = show->own;
  addPicture(show);
  addCamera(show);
  addRun(show);
  addFiles(show);
  for (const txOption *own = show->program->options; own && own->name; own++)
    addOptions(o, own, 1);
  for (int k = 0; o->table[k].name; k++) {
    o->table[k].given = &o->given[k];
    o->first[k] = demoShowNumber(&o->table[k]);
    o->scenes[k] = o->table[k].kind == TX_OPTION_CHOICE && *(const int *)o->table[k].target < 0;
  }
}
