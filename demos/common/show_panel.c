/* The panel: options that are changed while the program runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"

/* Numbers and choices, but not when the run ends, and not the grid. */
static bool isShown(const txOption *option) {
  static const char *const left_out[] = {"frames",       "time", "until-steady", "seed",
                                         "bench-window", "low",  "high"};
  for (int k = 0; k < 7; k++)
    if (strcmp(option->name, left_out[k]) == 0)
      return false;
  return option->kind == TX_OPTION_INTEGER || option->kind == TX_OPTION_REAL ||
         option->kind == TX_OPTION_CHOICE;
}

static double ownValue(const demoShow *show, const txOption *option) {
  if (option->target == &show->options.field)
    return demoField(show);
  if (option->target == &show->options.colormap)
    return show->own->map;
  if (option->kind == TX_OPTION_CHOICE)
    return -1;
  if (strcmp(option->name, "steps-per-frame") == 0)
    return (double)demoSteps(show);
  if (!show->program->own)
    return 0;
  return show->program->own(show->self, option->name);
}

/* --- the scene's text --- */

/* The text that runs, with that number for a parameter. */
static clStatus runWith(demoShow *show, const char *name, double value) {
  char *text = demoShowSetParameter(demoShowSceneText(show), name, value);
  if (!text)
    return demoOutOfMemory(show);
  clStatus status = demoShowRunText(show, text, true);
  free(text);
  return status;
}

/* A parameter's line gets the number, in the text that runs, and in one that is being typed. What
 * is not finite is started anew. */
static clStatus setParameter(demoShow *show, int k) {
  demoPrivate *o = show->own;
  const char *name = o->slider_item[k].name;
  char *typed = NULL;
  clStatus status = TEXLA_OK;
  if (o->edited)
    typed = demoShowSetParameter(o->editor, name, o->slider[k]);
  if (*o->message || !demoShowTune(show, name, o->slider[k]))
    status = runWith(show, name, o->slider[k]);
  if (typed) {
    snprintf(o->editor, DEMO_EDITOR, "%s", typed);
    o->edited = true;
  }
  free(typed);
  return status;
}

/* A file that can be shown by --scene. */
static void keepText(demoShow *show) {
  demoPrivate *o = show->own;
  char path[4200];
  snprintf(path, sizeof path, "%s.scene", demoSceneOf(show)->name);
  if (demoShowWriteScene(show, path, o->editor, "save")) {
    demoShowComplain(show, "");
    return;
  }
  demoShowSay(show, "saved", path);
  demoWindowGive(o->window, path);
}

static clStatus edit(demoShow *show, demoPanelAct act) {
  demoPrivate *o = show->own;
  switch (act) {
  case DEMO_RUN:
  case DEMO_RESTART:
    return demoShowRunText(show, o->editor, act == DEMO_RUN);
  case DEMO_REVERT:
    o->edited = false;
    *o->complaint = 0;
    return TEXLA_OK;
  case DEMO_KEEP:
    keepText(show);
    return TEXLA_OK;
  default:
    return TEXLA_OK;
  }
}

/* --- what is shown --- */

/* The value that the scene began with; one of a parameter that was typed since then is its own. */
static double firstValue(const demoPrivate *o, const demoParameter *parameter) {
  for (int k = 0; k < DEMO_PARAMETERS; k++)
    if (strcmp(o->first_parameter[k].name, parameter->name) == 0)
      return o->first_parameter[k].value;
  return parameter->value;
}

/* Parameter k of the scene as an option of its own, whose bounds lie outside of what it may be. */
static demoPanelItem sliderOf(demoPrivate *o, const demoParameter *p, int k) {
  txOption *option = &o->slider_item[k];
  o->slider[k] = p->value;
  *option = (txOption){.name = p->name,
                       .kind = TX_OPTION_REAL,
                       .target = &o->slider[k],
                       .help = "a parameter of the scene",
                       .least = -INFINITY,
                       .most = INFINITY};
  if (*p->unit)
    option->unit = p->unit;
  if (p->least < p->most) {
    option->least = nextafter(p->least, -INFINITY);
    option->most = nextafter(p->most, INFINITY);
  }
  double first = firstValue(o, p);
  return (demoPanelItem){
      .option = option, .own = p->value, .differs = p->value != first, .first = first};
}

/* The scene's parameters, then the options. */
static int listItems(demoShow *show, demoPanelItem *items, uint64_t *old, const char **fields) {
  demoPrivate *o = show->own;
  const demoScene *scene = demoSceneOf(show);
  int count = 0;
  demoShowListFields(show, fields);
  for (int k = 0; k < scene->parameters; k++)
    items[count++] = sliderOf(o, &scene->parameter[k], k);
  for (int k = 0; o->table[k].name; k++)
    if (isShown(&o->table[k])) {
      memcpy(&old[count], o->table[k].target, demoShowOptionSize(&o->table[k]));
      items[count] = (demoPanelItem){&o->table[k],
                                     ownValue(show, &o->table[k]),
                                     NULL,
                                     o->scenes[k],
                                     demoShowNumber(&o->table[k]) != o->first[k],
                                     o->first[k]};
      if (o->table[k].target == &show->options.field)
        items[count].choices = fields;
      count++;
    }
  return count;
}

static bool isSlider(const demoPrivate *o, const txOption *option) {
  return option && option >= o->slider_item && option < o->slider_item + DEMO_PARAMETERS;
}

static bool fillEditor(demoPrivate *o, const char *text) {
  if (!o->editor)
    o->editor = calloc(1, DEMO_EDITOR);
  if (o->editor && !o->edited)
    snprintf(o->editor, DEMO_EDITOR, "%s", text);
  return o->editor;
}

/* There is no panel: that is said, once for each key. */
static void complainOfBuild(demoShow *show) {
  txFail(&show->error, TEXLA_UNSUPPORTED, "the panel",
         "this program was built without Dear ImGui (package libimgui-dev)");
  demoShowComplain(show, "");
  show->own->panel = show->own->edits = false;
}

/* What was pressed is answered as a key is, with the next picture. */
static void takeButton(demoPrivate *o, const demoBar *bar, const demoPanelView *view) {
  if (view->pressed < 0)
    return;
  const demoButton *b = &bar->button[view->pressed];
  o->clicked = b->key;
  o->picked = view->picked;
  o->tool = b->tool;
}

static clStatus answer(demoShow *show, const demoPanelItem *items, const uint64_t *old, int changed,
                       const demoPanelView *view) {
  demoPrivate *o = show->own;
  TRY(edit(show, view->act));
  if (changed < 0 && view->held >= 0 && isSlider(o, items[view->held].option) && !*o->message)
    demoShowTune(show, items[view->held].option->name, view->number);
  if (changed < 0)
    return TEXLA_OK;
  const txOption *option = items[changed].option;
  if (isSlider(o, option))
    return setParameter(show, (int)(option - o->slider_item));
  return demoShowChange(show, option, &old[changed]);
}

/* What the panel shows of a number or a choice. */
static double shownValue(const demoPanelItem *item) {
  const txOption *option = item->option;
  double value = demoShowNumber(option);
  bool choice = option->kind == TX_OPTION_CHOICE;
  bool below = option->least < option->most && value < option->least;
  if (choice && value < 0)
    return item->own;
  if (!choice && (value == 0 || below))
    return item->own;
  return value;
}

/* Another one for another text, nearly always. */
static double sumOf(const char *text) {
  double sum = 0;
  for (int k = 0; text[k]; k++)
    sum += (k + 1) * text[k];
  return sum;
}

/* Another number where anything that tellPlaces tells has changed, nearly always. */
static double sumOfPlaces(const demoPrivate *o, const demoPanelItem *items, int count,
                          const demoPanelView *view) {
  double sum = 17. * (view->first[1] + view->last[1]) + view->first[0];
  for (int k = 0; k < count && o->panel; k++)
    sum += (k + 1) * (items[k].place[0] + 4099. * items[k].place[1] + items[k].reset[0] +
                      shownValue(&items[k]));
  for (int k = 0; k < view->lines && o->panel; k++)
    sum += (k + 0.5) * (view->line[k].place[1] + 4099. * sumOf(view->line[k].text));
  return sum;
}

/* --verbose: where buttons, rows and numbers are, and what these show, whenever that changes; tests
 * press them there. */
static void tellPlaces(const demoShow *show, const demoBar *bar, const demoPanelItem *items,
                       int count, const demoPanelView *view) {
  demoPrivate *o = show->own;
  const demoArea *area = &o->bar_area;
  int rows = 1;
  if (bar->count > 0)
    rows = txCeilDiv(bar->count, o->bar_row);
  int size = (area->bottom - area->top) / rows;
  double sum = bar->count * size + sumOfPlaces(o, items, count, view);
  if (!o->common.verbose || sum == o->places)
    return;
  o->places = sum;
  if (view->last[1] > 0)
    fprintf(stderr, "%s: first item at %d %d\n%s: last item at %d %d\n%s: middle item at %d %d\n",
            show->program->name, view->first[0], view->first[1], show->program->name, view->last[0],
            view->last[1], show->program->name, view->last[0],
            (view->first[1] + view->last[1]) / 2);
  for (int k = 0; k < view->lines && o->panel; k++) {
    const demoPanelLine *line = &view->line[k];
    if (line->shown)
      fprintf(stderr, "%s: row %s at %d %d\n%s: text %s %s\n", show->program->name, line->label,
              line->place[0], line->place[1], show->program->name, line->label, line->text);
  }
  for (int k = 0; k < bar->count; k++)
    fprintf(stderr, "%s: button %s at %d %d\n", show->program->name, bar->button[k].help,
            k % o->bar_row * size + size / 2, k / o->bar_row * size + size / 2);
  for (int k = 0; k < count && o->panel; k++) {
    const txOption *option = items[k].option;
    const char *unit = option->unit ? option->unit : "";
    fprintf(stderr, "%s: number %s at %d %d\n", show->program->name, option->name,
            items[k].place[0], items[k].place[1]);
    fprintf(stderr, "%s: value %s = %.4g %s\n", show->program->name, option->name,
            shownValue(&items[k]), unit);
    if (items[k].differs)
      fprintf(stderr, "%s: reset %s at %d %d\n", show->program->name, option->name,
              items[k].reset[0], items[k].reset[1]);
  }
}

/* What the panel gets: all that it does not change stays -1 or as it was. */
static demoPanelView viewOf(demoShow *show, const demoBar *bar, bool *typed) {
  demoPrivate *o = show->own;
  return (demoPanelView){.text_line = DEMO_LINE,
                         .button = bar->button,
                         .buttons = bar->count,
                         .row = o->bar_row,
                         .bar = o->bar_area,
                         .side = o->side,
                         .opened = -1,
                         .pressed = -1,
                         .picked = -1,
                         .numbers = o->panel && !o->help,
                         .brush = o->brush,
                         .holds = show->options.ends[0] < show->options.ends[1],
                         .range = {o->ends[0], o->ends[1]},
                         .edits = o->edits,
                         .text = o->editor,
                         .room = DEMO_EDITOR,
                         .edited = typed,
                         .complaint = o->complaint,
                         .place = o->wrong,
                         .held = -1,
                         .typed = -1,
                         .wrong = o->form.complaint};
}

/* Two ends that are the same stand for colours that follow the values. */
static void holdEnds(demoShow *show, const demoPanelView *view) {
  double *ends = show->options.ends;
  bool holds = view->holds && view->range[0] < view->range[1];
  for (int k = 0; k < 2; k++)
    ends[k] = holds ? view->range[k] : 0;
}

/* One picture of the panel, and the answer to what has been done in it. */
clStatus demoShowPanel(demoShow *show, const demoBar *bar) {
  demoPrivate *o = show->own;
  demoPanelItem items[DEMO_MOST_OPTIONS + DEMO_PARAMETERS];
  uint64_t old[DEMO_MOST_OPTIONS + DEMO_PARAMETERS];
  const char *fields[DEMO_MOST_FIELDS + 1] = {NULL};
  if (!fillEditor(o, demoShowSceneText(show)))
    return demoOutOfMemory(show);
  demoPanelLine lines[DEMO_ROWS];
  int count = listItems(show, items, old, fields), changed = -1;
  bool typed = false;
  demoPanelView view = viewOf(show, bar, &typed);
  view.line = lines;
  view.lines = demoShowListForm(show, lines);
  char *shared = NULL;
  if (demoPanelApart() && demoShowIsDrawn(show))
    shared = demoShowWhole(show, demoShowSceneText(show));
  view.shared = shared;
  bool shown = demoWindowPanel(o->window, demoSceneOf(show)->title, items, count, &view, &changed);
  free(shared);
  if (!shown) {
    complainOfBuild(show);
    return TEXLA_OK;
  }
  if (view.opened >= 0 && bar->button[view.opened].key == 'N')
    demoShowSketch(show);
  o->edited |= typed;
  /* its place may be another one by now */
  if (typed && view.act == DEMO_TYPE)
    *o->complaint = 0;
  o->brush = view.brush;
  o->edits = view.edits;
  holdEnds(show, &view);
  takeButton(o, bar, &view);
  tellPlaces(show, bar, items, count, &view);
  TRY(demoShowTakeForm(show, &view));
  return answer(show, items, old, changed, &view);
}
