/* The panel: options that are changed while the program runs. */
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"

/* Numbers and choices, but not when the run ends, and not the grid. */
static bool isShown(const txOption *option) {
  static const char *const left_out[] = {"frames", "time", "until-steady", "seed"};
  for (int k = 0; k < 4; k++)
    if (strcmp(option->name, left_out[k]) == 0)
      return false;
  return option->kind == TX_OPTION_INTEGER || option->kind == TX_OPTION_REAL || option->kind == TX_OPTION_CHOICE;
}

static size_t sizeOf(const txOption *option) {
  return option->kind == TX_OPTION_CHOICE ? sizeof(int) : sizeof(double);
}

static double ownValue(const demoShow *show, const txOption *option) {
  if (strcmp(option->name, "steps-per-frame") == 0)
    return (double)demoSteps(show);
  return show->program->own ? show->program->own(show->self, option->name) : 0;
}

/* The simulation is made anew with the options of now, and goes on from the state it has; where it cannot be made, the option gets
 * its `old` value back. */
static clStatus apply(demoShow *show, const txOption *option, const void *old) {
  demoState *state = NULL;
  clStatus status = demoShowNow(show, &state);
  if (status)
    return status;
  status = demoShowStart(show);
  if (status) {
    demoShowComplain(show, option->name);
    memcpy(option->target, old, sizeOf(option));
  }
  status = demoShowState(show, state);
  if (status) { /* what is kept does not fit: another scheme needs other fields */
    demoShowComplain(show, option->name);
    status = demoShowStart(show);
  }
  demoStateDestroy(state);
  return status;
}

static clStatus change(demoShow *show, const txOption *option, const void *old) {
  demoPrivate *o = show->own;
  for (int k = 0; o->table[k].name; k++)
    o->given[k] |= option == &o->table[k];
  o->range = 0;
  o->valued = false;
  if (option->target == &show->options.field)
    demoProbesForget(&o->probes);
  const void *const seen[] = {&show->options.field, &show->options.colormap, &show->options.steps, &show->options.over,
                              &show->options.curves};
  bool only = false;
  for (int k = 0; k < 5; k++)
    only |= option->target == seen[k];
  return only ? TEXLA_OK : apply(show, option, old);
}

clStatus demoShowPanel(demoShow *show) {
  demoPrivate *o = show->own;
  demoPanelItem items[DEMO_MOST_OPTIONS + DEMO_PARAMETERS];
  uint64_t old[DEMO_MOST_OPTIONS + DEMO_PARAMETERS];
  demoPanelView view = {o->brush, o->holds, {o->ends[0], o->ends[1]}};
  int count = 0, changed = -1;
  for (int k = 0; o->table[k].name; k++)
    if (isShown(&o->table[k])) {
      memcpy(&old[count], o->table[k].target, sizeOf(&o->table[k]));
      items[count++] = (demoPanelItem){&o->table[k], ownValue(show, &o->table[k])};
    }
  for (const txOption *s = show->program->sliders; s && s->name; s++) {
    memcpy(&old[count], s->target, sizeOf(s));
    items[count++] = (demoPanelItem){s, *(const double *)s->target};
  }
  if (!demoWindowPanel(o->window, demoSceneOf(show)->title, items, count, &view, &changed)) {
    txFail(&show->error, TEXLA_UNSUPPORTED, "the panel",
           "this program was built without Dear ImGui (package libimgui-dev)");
    demoShowComplain(show, "");
    o->panel = false;
    return TEXLA_OK;
  }
  o->brush = view.brush;
  o->holds = view.holds && view.range[0] < view.range[1];
  memcpy(o->held, view.range, sizeof o->held);
  return changed < 0 ? TEXLA_OK : change(show, items[changed].option, &old[changed]);
}
