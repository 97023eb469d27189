/* What only a window shows: its areas, with buttons, texts, help and panel. */
#include <stdio.h>
#include <string.h>

#include "common/show_private.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/context.h"

/* a notice has at most so many lines */
enum { NOTICE_LINES = 4, HEAD_LINES = 1 + NOTICE_LINES, LINE = 256 };

/* The texts above the picture. */
typedef struct Head {
  char line[HEAD_LINES][LINE];
  int count;
} Head;

static void showTitle(const demoShow *show) {
  char title[256];
  const demoPrivate *o = show->own;
  const char *state = "  (H: help)";
  if (o->paused)
    state = " (paused: space goes on)";
  if (*o->message)
    state = " (not finite any more: R starts anew)";
  snprintf(title, sizeof title, "%s: %s, %.0f frames/s, time %.2f, %s%s", show->program->name,
           demoSceneOf(show)->title, demoWindowRate(o->window), o->time,
           demoShowField(show, demoField(show)), state);
  demoWindowTitle(o->window, title);
}

/* --- texts --- */

/* Adds a text in as many lines as it takes. */
static void addWrapped(Head *head, const char *text, int width) {
  while (*text && head->count < HEAD_LINES) {
    int fits = demoTextFits(text, width);
    if (fits < 1)
      fits = 1;
    snprintf(head->line[head->count++], LINE, "%.*s", fits, text);
    text += fits;
    text += strspn(text, " ");
  }
}

/* The scene and its state, then what has happened, or what the mouse does. */
static Head writeHead(const demoShow *show, const int size[2]) {
  const demoPrivate *o = show->own;
  const int margin = 12;
  Head head = {.count = 0};
  const char *state = "", *notice = "", *tool = demoShowMode(show, o->mode);
  if (o->aslant)
    tool = "turn the view";
  if (o->paused)
    state = "  paused: space goes on";
  if (o->paused && o->over)
    state = "  the end: R starts anew";
  if (*o->message)
    state = "  R starts anew";
  if (demoSeconds() < o->noticed)
    notice = o->notice;
  if (*o->message)
    notice = o->message;
  if (!o->no_text)
    snprintf(head.line[head.count++], LINE, "%s: %s%s%s", demoSceneOf(show)->title,
             demoShowField(show, demoField(show)), o->record.open ? "  recording" : "", state);
  if (*notice)
    addWrapped(&head, notice, size[0] - margin);
  else if (!o->no_text)
    snprintf(head.line[head.count++], LINE, "left button: %s   brush %.3f", tool, o->brush);
  return head;
}

static void writeLines(demoShow *show, const demoLayout *layout, const Head *head) {
  demoPrivate *o = show->own;
  char text[LINE], foot[LINE + 64], above[HEAD_LINES * LINE] = "";
  size_t used = 0;
  show->program->tell(show->self, text, sizeof text);
  snprintf(foot, sizeof foot, "%.0f pictures/s  %lld step%s each  %s", demoWindowRate(o->window),
           (long long)o->made, o->made == 1 ? "" : "s", text);
  if (!o->done && !o->paused)
    snprintf(foot, sizeof foot, "%d x %d cells: shaders are being compiled ...", o->nx, o->ny);
  for (int k = 0; k < head->count; k++)
    used += (size_t)snprintf(above + used, sizeof above - used, "%s\n", head->line[k]);
  if (demoWindowTell(o->window, above, foot))
    return;
  for (int k = 0; k < head->count; k++)
    demoTextIn(&o->overlay, &layout->head, k, head->line[k]);
  if (!o->no_text)
    demoTextIn(&o->overlay, &layout->foot, 0, foot);
}

/* The help, from line number help_line on; it takes the place of the picture and of the panel. */
static void writeHelp(demoShow *show, const demoFrame *f) {
  demoPrivate *o = show->own;
  const demoArea whole = {0, f->top, o->overlay.width, f->top + f->height};
  char line[DEMO_KEY_LINE], key[DEMO_KEY_COLUMN + 1];
  int count = 0, fit = f->height / DEMO_LINE - 1, column = 8 * DEMO_LINE;
  while (demoShowKeys(show, count, line))
    count++;
  if (o->help_line > count - fit)
    o->help_line = count - fit;
  if (o->help_line < 0)
    o->help_line = 0;
  demoShade(&o->overlay, whole.left, whole.top, whole.right, whole.bottom);
  demoShade(&o->overlay, whole.left, whole.top, whole.right, whole.bottom);
  for (int k = 0; k < fit && o->help_line + k < count; k++) {
    demoArea right = {column, whole.top, whole.right, whole.bottom};
    demoShowKeys(show, o->help_line + k, line);
    snprintf(key, sizeof key, "%.*s", DEMO_KEY_COLUMN, line);
    demoTextIn(&o->overlay, &whole, k, key);
    demoTextIn(&o->overlay, &right, k, line + DEMO_KEY_COLUMN);
  }
  if (o->help_line + fit < count)
    demoTextIn(&o->overlay, &whole, fit, "the wheel shows more");
}

/* --- the window --- */

/* What asks for room in a window of that size, with the bar's buttons and so many lines of text
 * above. */
static demoWants wantsOf(const demoShow *show, const int size[2], int buttons, int lines) {
  const demoPrivate *o = show->own;
  const int plot_lines = 8, plot_columns = 16, panel_lines = 22, text_lines = 30;
  demoWants w = {.width = size[0],
                 .height = size[1],
                 .line = DEMO_LINE,
                 .buttons = buttons,
                 .button = 7 * DEMO_LINE / 4,
                 .head = lines,
                 .foot = !o->no_text,
                 .aspect = (double)o->nx / o->ny,
                 .fills = o->fills};
  /* a little smaller where they find room in one row then */
  if (buttons > 0 && buttons * w.button > size[0] && 5 * size[0] > 4 * buttons * w.button)
    w.button = size[0] / buttons;
  if (o->barred)
    w.colours = demoColorBarWidth();
  /* the page's own text about the run stands where the last line would be */
  if (demoPanelApart())
    w.buttons = w.head = 0;
  else if (o->panel && !o->help)
    w.panel = txLeast(panel_lines * DEMO_LINE, size[0] / 2);
  /* small windows have one line of text above */
  if (w.head > 1 && size[1] < text_lines * DEMO_LINE && demoSeconds() >= o->noticed)
    w.head = 1;
  w.dock = o->dock;
  memcpy(w.middle, o->plots_middle, sizeof w.middle);
  if (demoShowPlots(show)) {
    w.plots[0] = plot_columns * DEMO_LINE;
    w.plots[1] = plot_lines * DEMO_LINE;
  }
  return w;
}

/* Buttons, panel and editor, and what was done with them. */
static clStatus drawPanel(demoShow *show, const demoBar *bar, const demoLayout *layout, int row) {
  demoPrivate *o = show->own;
  o->bar_row = row;
  o->bar_area = layout->bar;
  o->side = layout->panel;
  return demoShowPanel(show, bar);
}

static void tellArea(const demoShow *show, const char *name, demoArea a) {
  fprintf(stderr, "%s: %s at %d %d, up to %d %d\n", show->program->name, name, a.left, a.top,
          a.right, a.bottom);
}

/* --verbose: where everything stands, whenever that changes. */
static void tellLayout(demoShow *show, const demoLayout *layout, const int size[2]) {
  demoPrivate *o = show->own;
  const demoFrame *f = &layout->field;
  if (!o->common.verbose || memcmp(&o->told, layout, sizeof *layout) == 0)
    return;
  o->told = *layout;
  fprintf(stderr, "%s: picture of %d x %d at %d %d in %d x %d\n", show->program->name, f->width,
          f->height, f->left, f->top, size[0], size[1]);
  tellArea(show, "buttons", layout->bar);
  tellArea(show, "panel", layout->panel);
  tellArea(show, "head", layout->head);
  tellArea(show, "foot", layout->foot);
  tellArea(show, "colours", layout->colours);
  tellArea(show, "plots", layout->plots);
}

/* Texture, overlay and panel, in this order: each covers what came before. */
static clStatus drawWindow(demoShow *show, const demoBar *bar, const demoLayout *layout, int row) {
  demoPrivate *o = show->own;
  clVectorView picture;
  TRY(demoCheck(show, clVectorTexture(&picture, demoPaintPicture(o->paint))));
  TRY(demoWindowDraw(o->window, &picture, &o->overlay, &show->error));
  txContextTouched(show->context);
  if (o->panel || o->edits || bar->count > 0 || demoPanelApart())
    TRY(drawPanel(show, bar, layout, row));
  demoWindowShow(o->window);
  return TEXLA_OK;
}

/* The window draws from the texture that holds the picture: nothing is read back. */
clStatus demoShowPresent(demoShow *show) {
  demoPrivate *o = show->own;
  demoBar bar = {.count = 0};
  int size[2];
  demoWindowSize(o->window, size);
  demoTextDensity(demoWindowDensity(o->window));
  demoTextFor(size[1]);
  clStatus status = TEXLA_OK;
  if (!o->no_buttons && demoPanelBuilt())
    status = demoShowListBar(show, &bar);
  Head head = writeHead(show, size);
  demoWants wants = wantsOf(show, size, bar.count, head.count);
  demoLayout layout = demoLayoutOf(&wants);
  tellLayout(show, &layout, size);
  if (status == TEXLA_OK)
    status = demoShowOverlay(show, &layout, size[0], size[1]);
  writeLines(show, &layout, &head);
  if (o->help)
    writeHelp(show, &layout.field);
  else
    demoShowBrush(show);
  demoTextDensity(1);
  if (status == TEXLA_OK)
    status = drawWindow(show, &bar, &layout, demoLayoutRow(&wants));
  showTitle(show);
  return status;
}

clStatus demoShowSplash(demoShow *show) {
  demoPrivate *o = show->own;
  const demoFrame whole = {.width = 1, .height = 1, .aspect = 1};
  char text[256];
  int size[2];
  demoWindowPicture(o->window, o->image.width, o->image.height);
  demoWindowSize(o->window, size);
  demoTextDensity(demoWindowDensity(o->window));
  demoTextFor(size[1]);
  demoOverlayBegin(&o->overlay, size[0], size[1], &whole);
  const demoArea area = {0, size[1] / 3, size[0], size[1]};
  demoTextIn(&o->overlay, &area, 0, demoSceneOf(show)->title);
  demoTextIn(&o->overlay, &area, 1, demoSceneOf(show)->about);
  snprintf(text, sizeof text, "%d x %d cells: shaders are being compiled ...", o->nx, o->ny);
  demoTextIn(&o->overlay, &area, 3, text);
  demoTextDensity(1);
  clStatus status = demoWindowDraw(o->window, NULL, &o->overlay, &show->error);
  if (!status)
    demoWindowShow(o->window);
  showTitle(show);
  o->opened = demoSeconds() - o->began;
  return status;
}
