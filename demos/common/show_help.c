/* What --help and the help in a window say of scenes, keys and columns. */
#include <stdio.h>
#include <stdlib.h>

#include "common/show_private.h"

/* A line each, in the order of the bar's buttons as far as there are some. */
static const char *const keys[] = {
    "M             what the left button does: also probes, plots along a line, obstacles",
    "P             panel of numbers, choices, the scene's parameters",
    "D             the scene's text, to be changed: control and enter run it",
    "wheel, O      size of the brush, round or square",
    "U, control Z  undo the last stroke",
    "I             value under the pointer on, off",
    "space         pause, go on",
    ". ,           a single time step, back by some (also arrows)",
    "R             start anew; what was drawn stays",
    "X             start anew without it",
    "+ -           more or fewer steps per picture",
    "N             next scene",
    "F             next field",
    "C             next colours",
    "A             arrows, streamlines, none",
    "E, K          curves over time, moved by the mouse; K: as CSV and PNG",
    "L             lines of equal values on, off",
    "B             colour bar on, off",
    "W             the window filled, or the domain's own shape kept",
    "T             text on, off",
    "S             save a screenshot; --scene takes it up again",
    "Y             copy the command line of what is shown",
    "V             record, stop recording",
    "tab           the bar of buttons on, off",
    "F11           the whole screen, and back",
    "H, F1         this help; the wheel shows more of it",
    "escape        close the panel, the text, the help; then quit"};

/* Line `line` of the help: the mouse's buttons first, as the program has them, then the keys. */
bool demoShowKeys(const demoShow *show, int line, char text[DEMO_KEY_LINE]) {
  const char *const mouse[] = {show->program->touch_help, show->program->erase_help};
  static const char *const button[] = {"left button", "right button"};
  const char *given[2], *name[2];
  int buttons = 0, count = (int)(sizeof keys / sizeof *keys);
  for (int k = 0; k < 2; k++)
    if (mouse[k]) {
      name[buttons] = button[k];
      given[buttons++] = mouse[k];
    }
  if (line < buttons)
    snprintf(text, DEMO_KEY_LINE, "%-*s%s", DEMO_KEY_COLUMN, name[line], given[line]);
  else if (line - buttons < count)
    snprintf(text, DEMO_KEY_LINE, "%s", keys[line - buttons]);
  return line - buttons < count;
}

void demoShowWriteDetails(const demoShow *show, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "Scenes:\n");
  for (int k = 0; show->program->scenes[k].name && used < size; k++) {
    demoScene *scene = demoShowListScene(show, k);
    if (scene)
      used += (size_t)snprintf(text + used, size - used, "  %-18s%s, %d x %d\n",
                               show->program->scenes[k].name, scene->title, scene->size[0],
                               scene->size[1]);
    free(scene);
  }
  if (show->program->examples && used < size)
    snprintf(text + used, size - used, "\nExamples:\n%s", show->program->examples);
}

/* The columns of --stats. */
static void writeColumns(const demoShow *show, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "\nColumns of --stats:\n  step,time,%s\n",
                                 show->program->columns);
  if (show->program->column_words && used < size)
    used += (size_t)snprintf(text + used, size - used, "%s", show->program->column_words);
  if (used < size)
    used += (size_t)snprintf(text + used, size - used,
                             "  seconds       of the step, and of its parts on the device:\n    ");
  for (const demoStage *stage = show->program->stages; stage->column && used < size; stage++)
    used += (size_t)snprintf(text + used, size - used, "%.*s%s", stage > show->program->stages, ",",
                             stage->column);
  if (used < size)
    snprintf(text + used, size - used,
             "\n  drawing       seconds for pictures since the line before\n");
}

void demoShowWriteNotes(const demoShow *show, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "In the window:\n");
  char line[DEMO_KEY_LINE];
  for (int k = 0; demoShowKeys(show, k, line) && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, "  %s\n", line);
  if (used < size)
    writeColumns(show, text + used, size - used);
}
