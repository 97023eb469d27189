/* The bar of buttons: what keys do, for the mouse, and menus of scenes, fields, colours and tools.
 * */
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"

/* How a button looks, in strokes on a grid of 8 x 8 (demoButton), and what it does. */
typedef struct Plan {
  char key;
  const char *icon, *help;
} Plan;

static const char play[] = "m21l74l27f", pause[] = "m21l31l37l27fm51l61l67l57f";

/* What tools do begins with one of these words. */
static const struct {
  const char *word, *icon;
} tool_icons[] = {{"push", "m14l64sm42l74l46f"},
                  {"drop", "m46o3fm46o1s"},
                  {"add", "m41l65l25fm45o2f"},
                  {"paint", "m71l35sm26o2f"},
                  {"place or remove", "m41l47sm14l74sm44o2s"},
                  {"place", "m44o1fm41l42sm47l46sm14l24sm74l64sm22l33sm66l55sm62l53sm26l35s"},
                  {"remove", "m44o3sm22l66s"},
                  {"erase", "m15l41l74l47zm33l56s"},
                  {"take", "m15l41l74l47zm33l56s"},
                  {"raise", "m41l75l55l57l37l35l15f"},
                  {"lower", "m47l73l53l51l31l33l13f"},
                  {"draw an obstacle", "m22l62l66l26f"},
                  {"draw what absorbs", "m22o1fm62o1fm44o1fm26o1fm66o1f"},
                  {"draw", "m16l43l76l17zm44o1f"},
                  {"plot", "m16l72sm16o1fm72o1f"},
                  {"move", "m41l47sm14l74sm41l30l50fm47l38l58f"}};

static const char *toolIcon(const char *does) {
  int count = (int)(sizeof tool_icons / sizeof *tool_icons);
  for (int k = 0; k < count; k++)
    if (strncmp(does, tool_icons[k].word, strlen(tool_icons[k].word)) == 0)
      return tool_icons[k].icon;
  return "m44o3s";
}

static void add(demoBar *bar, demoButton button) {
  if (bar->count < DEMO_BUTTONS)
    bar->button[bar->count++] = button;
}

/* A button for each tool of the left mouse button. */
static void addTools(const demoShow *show, demoBar *bar) {
  const char *does;
  for (int k = 0; (does = demoShowMode(show, k)); k++)
    add(bar, (demoButton){.key = 'M',
                          .icon = toolIcon(does),
                          .help = does,
                          .on = k == show->own->mode,
                          .tool = k + 1});
}

/* Names of the scenes that come with the program, which are read once, and of a blank one that a
 * form fills. */
static clStatus listScenes(demoShow *show) {
  demoPrivate *o = show->own;
  if (o->titles[0])
    return TEXLA_OK;
  int count = 0;
  for (; show->program->scenes[count].name && count < DEMO_MOST_SCENES - 1; count++) {
    demoScene *scene = demoShowListScene(show, count);
    if (scene)
      o->titles[count] = strdup(scene->title);
    free(scene);
    if (!o->titles[count])
      return demoOutOfMemory(show);
  }
  if (!show->program->form)
    return TEXLA_OK;
  o->titles[count] = strdup("a blank field, for equations of your own");
  if (!o->titles[count])
    return demoOutOfMemory(show);
  return TEXLA_OK;
}

void demoShowForgetTitles(demoPrivate *o) {
  for (int k = 0; k < DEMO_MOST_SCENES; k++) {
    free(o->titles[k]);
    o->titles[k] = NULL;
  }
  free(o->sketches);
  o->sketches = NULL;
}

static int countOf(const char *const *names) {
  int count = 0;
  while (names[count])
    count++;
  return count;
}

/* What can be plotted, and where. */
static void listCurves(const demoShow *show, demoBar *bar) {
  static const char *const places[DEMO_DOCKS] = {
      "(plots below the picture)", "(plots to its right)", "(plots above it)",
      "(plots to its left)", "(plots over it, where they are dragged)"};
  const demoPrivate *o = show->own;
  int count = countOf(o->curve_groups);
  for (int k = 0; k < count; k++) {
    demoShowNameCurves(show, k, bar->curve_names[k]);
    bar->curves[k] = bar->curve_names[k];
  }
  bar->curves[0] = o->curve_groups[0];
  for (int k = 0; k < DEMO_DOCKS; k++)
    bar->curves[count + k] = places[k];
  bar->curves[count + DEMO_DOCKS] = NULL;
}

/* Buttons of time, but for the first one, which changes. */
static const Plan in_time[] = {{'.', "m11l54l17fm61l71l77l67f", "a single time step"},
                               {',', "m77l34l71fm27l17l11l21f", "back by some time"},
                               {'R', "m64l44l44o3sm60l64l33f", "start anew; what was drawn stays"},
                               {'X', "m22l66sm62l26s", "start anew without what was drawn"},
                               {'-', "m14l74s", "fewer steps per picture: slower"},
                               {'+', "m14l74sm41l47s", "more steps per picture: faster"},
                               {'U', "m13l53l75l66l26sm31l13l35f", "undo the last stroke"}};

/* The last buttons of the bar; addRest knows which of them are on. */
static const Plan rest[] = {
    {'P', "m12l72sm14l74sm16l76sm32o1fm54o1fm26o1f", "numbers and choices, with sliders"},
    {'D', "m12l72sm14l54sm16l64s", "the scene's text, to be changed"},
    {'I', "m44o3sm44o1f", "the value under the pointer"},
    {'O', "m22l62l66l26z", "a square brush, or a round one"},
    {'W', "m12l72l76l16zm34l54s", "the window filled, or the domain's own shape"},
    {'T', "m22l62sm42l47s", "text"},
    {'S', "m12l72l76l16zm44o1f", "save a screenshot"},
    {'Y', "m11l51l55l15zm33l73l77l37z", "copy the command line of what is shown"},
    {'V', "m44o3f", "record a film; once more: stop"},
    {DEMO_FULL, "m13l11l31sm51l71l73sm75l77l57sm37l17l15s", "the whole screen"},
    {'H', "?", "help: all keys"},
    {DEMO_TAB, "m15l42l75s", "hide these buttons"}};

/* Go on or pause, and what else moves in time. */
static void addTime(const demoPrivate *o, demoBar *bar) {
  if (o->paused)
    add(bar, (demoButton){' ', play, "go on", false});
  else
    add(bar, (demoButton){' ', pause, "pause", false});
  for (int k = 0; k < (int)(sizeof in_time / sizeof *in_time); k++)
    add(bar, (demoButton){in_time[k].key, in_time[k].icon, in_time[k].help, false});
}

/* Fields, colours, and what is drawn over the picture and beside it. */
static void addLooks(demoShow *show, demoBar *bar) {
  const demoPrivate *o = show->own;
  add(bar, (demoButton){'F', "m13l41l73l45fm15l47l75s", "what is coloured", .menu = bar->fields,
                        .items = countOf(bar->fields), .current = demoField(show)});
  add(bar, (demoButton){'C', "m11l21l27l17fm31l51l57l37fm61l71l77l67f", "colours", .menu = o->maps,
                        .items = countOf(o->maps), .current = (int)o->map});
  add(bar, (demoButton){'B', "m31l51l57l37zm64l74s", "colour bar", !o->no_bar});
  add(bar, (demoButton){'L', "m44o3sm44o1s", "lines of equal values", show->options.lines});
  add(bar,
      (demoButton){'A', "m17l62sm40l71l73f", "arrows, streamlines, none", show->options.over > 0});
  add(bar, (demoButton){'E', "m11l17l77sm16l34l55l72s", "curves over time",
                        show->options.curves > 0, .menu = bar->curves,
                        .items = countOf(bar->curves), .current = show->options.curves});
  add(bar,
      (demoButton){'K', "m11l17l77sm41l45sm23l45l63s", "keep the curves as CSV and PNG", false});
}

/* The window itself, files, help. */
static void addRest(const demoPrivate *o, demoBar *bar) {
  const bool on[] = {o->panel, o->edits, o->looks,       o->square, o->fills, !o->no_text,
                     false,    false,    o->record.open, false,     o->help,  false};
  for (int k = 0; k < (int)(sizeof rest / sizeof *rest); k++)
    add(bar, (demoButton){rest[k].key, rest[k].icon, rest[k].help, on[k]});
}

/* From left to right. The bar's menus live as long as it does. */
clStatus demoShowListBar(demoShow *show, demoBar *bar) {
  demoPrivate *o = show->own;
  demoShowListFields(show, bar->fields);
  listCurves(show, bar);
  clStatus status = listScenes(show);
  bar->count = 0;
  add(bar, (demoButton){'N', "m11l31l33l13fm51l71l73l53fm11l31l33l13fm15l35l37l17fm55l75l77l57f",
                        "scenes", .menu = (const char *const *)o->titles,
                        .items = countOf((const char *const *)o->titles), .current = o->scene,
                        .sketches = o->sketches});
  addTime(o, bar);
  addLooks(show, bar);
  addTools(show, bar);
  addRest(o, bar);
  return status;
}
