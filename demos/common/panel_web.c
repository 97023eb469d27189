/* The panel of a page in a browser. What the desktop's panel draws is told to the page as JSON,
 * whenever it changes; what the user does there comes through the functions whose names begin with
 * demoPage, and counts with the next picture. */
#include "common/panel.h"

#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/page.h"
#include "core/allocate.h"
#include "io/json.h"
#include "platform/platform.h"

/* What the user has done since the last picture; -1: not that. */
struct demoPanel {
  /* a button, and the item of its menu */
  int pressed, picked;
  /* a number that is set, one that is being dragged, and where it is */
  int set, held;
  double number;
  /* a line, and its text */
  int typed;
  bool entered;
  char *line;
  /* of the scene, with what shall be done with it */
  char *text;
  demoPanelAct act;
  /* brush and range; seen: they have been changed */
  bool seen, holds;
  double brush, range[2];
  /* what was told last, and when, in milliseconds */
  char *told;
  double when;
};

static const struct demoPanel nothing = {
    .pressed = -1, .picked = -1, .set = -1, .held = -1, .typed = -1};

/* The page has one. */
static struct demoPanel panel = {.pressed = -1, .picked = -1, .set = -1, .held = -1, .typed = -1};

/* --- what the page tells --- */

EMSCRIPTEN_KEEPALIVE void demoPagePress(int button, int picked) {
  demoPageWake();
  panel.pressed = button;
  panel.picked = picked;
}

/* A number or a choice is set, or, before that, dragged. */
EMSCRIPTEN_KEEPALIVE void demoPageNumber(int item, double value, bool dragged) {
  demoPageWake();
  panel.held = dragged ? item : -1;
  panel.set = dragged ? panel.set : item;
  panel.number = value;
}

EMSCRIPTEN_KEEPALIVE void demoPageLine(int line, const char *text, bool entered) {
  demoPageWake();
  free(panel.line);
  panel.line = strdup(text);
  panel.typed = line;
  panel.entered = entered;
}

EMSCRIPTEN_KEEPALIVE void demoPageText(const char *text, int act) {
  demoPageWake();
  free(panel.text);
  panel.text = strdup(text);
  panel.act = (demoPanelAct)act;
}

EMSCRIPTEN_KEEPALIVE void demoPageView(double brush, bool holds, double low, double high) {
  demoPageWake();
  panel.seen = true;
  panel.brush = brush;
  panel.holds = holds;
  panel.range[0] = low;
  panel.range[1] = high;
}

/* --- what it is told --- */

static void writeNames(txJson *json, const char *key, const char *const *names) {
  txJsonArray(json, key);
  for (int k = 0; names && names[k]; k++)
    txJsonString(json, NULL, names[k]);
  txJsonClose(json);
}

static double valueOf(const txOption *option) {
  if (option->kind == TX_OPTION_CHOICE)
    return *(const int *)option->target;
  if (option->kind == TX_OPTION_INTEGER)
    return (double)*(const int64_t *)option->target;
  return *(const double *)option->target;
}

static void writeItem(txJson *json, const demoPanelItem *item) {
  const txOption *o = item->option;
  txJsonObject(json, NULL);
  txJsonString(json, "name", o->name);
  txJsonString(json, "unit", o->unit);
  txJsonString(json, "help", o->help);
  txJsonBool(json, "whole", o->kind == TX_OPTION_INTEGER);
  txJsonNumber(json, "value", valueOf(o));
  txJsonNumber(json, "own", item->own);
  txJsonBool(json, "bounded", o->least < o->most);
  txJsonNumber(json, "least", o->least);
  txJsonNumber(json, "most", o->most);
  txJsonBool(json, "differs", item->differs);
  txJsonNumber(json, "first", item->first);
  if (o->kind == TX_OPTION_CHOICE) {
    writeNames(json, "choices", item->choices ? item->choices : o->choices);
    txJsonBool(json, "scenes", item->scenes);
  }
  txJsonClose(json);
}

static void writeButton(txJson *json, const demoButton *button) {
  txJsonObject(json, NULL);
  txJsonInteger(json, "key", button->key);
  txJsonString(json, "icon", button->icon);
  txJsonString(json, "help", button->help);
  txJsonBool(json, "on", button->on);
  txJsonInteger(json, "tool", button->tool);
  if (button->menu) {
    writeNames(json, "menu", button->menu);
    txJsonInteger(json, "current", button->current);
  }
  txJsonClose(json);
}

static void writeLine(txJson *json, const demoPanelLine *line) {
  txJsonObject(json, NULL);
  txJsonString(json, "label", line->label);
  txJsonString(json, "help", line->help);
  txJsonString(json, "text", line->text);
  txJsonBool(json, "shown", line->shown);
  txJsonBool(json, "wrong", line->wrong);
  txJsonInteger(json, "column", line->column);
  if (line->choices)
    writeNames(json, "choices", line->choices);
  txJsonClose(json);
}

static void writePair(txJson *json, const char *key, double a, double b) {
  txJsonArray(json, key);
  txJsonNumber(json, NULL, a);
  txJsonNumber(json, NULL, b);
  txJsonClose(json);
}

static void writeAll(txJson *json, const char *title, const demoPanelItem *items, int count,
                     const demoPanelView *view) {
  txJsonObject(json, NULL);
  txJsonString(json, "title", title);
  txJsonArray(json, "items");
  for (int k = 0; k < count; k++)
    writeItem(json, &items[k]);
  txJsonClose(json);
  txJsonArray(json, "buttons");
  for (int k = 0; k < view->buttons; k++)
    writeButton(json, &view->button[k]);
  txJsonClose(json);
  txJsonArray(json, "lines");
  for (int k = 0; k < view->lines; k++)
    writeLine(json, &view->line[k]);
  txJsonClose(json);
  txJsonString(json, "wrong", view->wrong);
  txJsonNumber(json, "brush", view->brush);
  txJsonBool(json, "holds", view->holds);
  writePair(json, "range", view->range[0], view->range[1]);
  txJsonString(json, "text", view->text);
  txJsonString(json, "shared", view->shared ? view->shared : "");
  txJsonString(json, "complaint", view->complaint);
  writePair(json, "place", view->place[0], view->place[1]);
  txJsonClose(json);
}

/* Some numbers change with each picture: what nobody has changed can wait. */
static void tell(const char *title, const demoPanelItem *items, int count,
                 const demoPanelView *view) {
  const double milliseconds = 100;
  char *text = NULL;
  size_t size = 0;
  FILE *file = NULL;
  if (emscripten_get_now() - panel.when < milliseconds)
    return;
  panel.when = emscripten_get_now();
  file = txMemoryOpen(&text, &size);
  if (!file)
    return;
  txJson json;
  txJsonStart(&json, file);
  json.compact = true;
  writeAll(&json, title, items, count, view);
  bool whole = txMemoryFlush(file, &text, &size);
  fclose(file);
  if (whole && (!panel.told || strcmp(text, panel.told) != 0)) {
    demoPagePanel(text);
    free(panel.told);
    panel.told = text;
    return;
  }
  free(text);
}

/* --- what counts now --- */

static int setNumber(demoPanelItem *items, int count) {
  const txOption *o = panel.set >= 0 && panel.set < count ? items[panel.set].option : NULL;
  if (!o)
    return -1;
  if (o->kind == TX_OPTION_CHOICE)
    *(int *)o->target = (int)panel.number;
  else if (o->kind == TX_OPTION_INTEGER)
    *(int64_t *)o->target = (int64_t)panel.number;
  else
    *(double *)o->target = panel.number;
  return panel.set;
}

static void takeLine(demoPanelView *view) {
  if (panel.typed < 0 || panel.typed >= view->lines)
    return;
  demoPanelLine *line = &view->line[panel.typed];
  if (panel.line && strcmp(line->text, panel.line) != 0) {
    snprintf(line->text, line->room, "%s", panel.line);
    view->typed = panel.typed;
  }
  view->entered = panel.entered;
}

static void takeView(demoPanelView *view) {
  if (!panel.seen)
    return;
  view->brush = panel.brush;
  view->holds = panel.holds;
  memcpy(view->range, panel.range, sizeof view->range);
}

int demoPanelDraw(demoPanel *unused, const char *title, demoPanelItem *items, int count,
                  demoPanelView *view) {
  (void)unused;
  tell(title, items, count, view);
  int changed = setNumber(items, count);
  if (panel.pressed >= 0 && panel.pressed < view->buttons) {
    view->pressed = panel.pressed;
    view->picked = panel.picked;
  }
  if (panel.held >= 0 && panel.held < count) {
    view->held = panel.held;
    view->number = panel.number;
  }
  takeLine(view);
  takeView(view);
  if (panel.text) {
    snprintf(view->text, view->room, "%s", panel.text);
    *view->edited = true;
    view->act = panel.act;
  }
  free(panel.line);
  free(panel.text);
  struct demoPanel told = panel;
  panel = nothing;
  panel.told = told.told;
  /* what comes of it is told at once */
  panel.when = changed >= 0 || view->pressed >= 0 || view->typed >= 0 ? 0 : told.when;
  return changed;
}

/* --- */

bool demoPanelBuilt(void) {
  return true;
}

bool demoPanelApart(void) {
  return true;
}

demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels) {
  (void)glfw, (void)font, (void)pixels;
  return &panel;
}

void demoPanelDestroy(demoPanel *unused) {
  (void)unused;
  free(panel.told);
  panel.told = NULL;
}

/* The page gives the canvas what is the canvas's. */
bool demoPanelTakesMouse(const demoPanel *unused, double x, double y) {
  (void)unused, (void)x, (void)y;
  return false;
}

bool demoPanelTakesKeys(const demoPanel *unused) {
  (void)unused;
  return false;
}

bool demoPanelCloseMenu(demoPanel *unused) {
  (void)unused;
  return false;
}

void demoPanelTakeKeys(demoPanel *unused) {
  (void)unused;
}
