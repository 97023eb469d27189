/* The window of a page in a browser: a canvas, whose place and size the page decides
 * (web/simulation.js). What the user does on it comes through the functions whose names begin with
 * demoPage; what the page shall do goes through those of web/library.js. */
#include "common/window.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <math.h>
#include <stdlib.h>

#include "common/canvas.h"
#include "common/page.h"
#include "core/allocate.h"
#include "core/numbers.h"

struct demoWindow {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context;
  /* of the canvas, in pixels of the screen, and how many of these stand for one */
  int size[2];
  double density;
  /* where the field was when it was drawn last, and that size then */
  demoFrame field;
  int pixels[2];
  /* made at the first picture */
  demoCanvas *canvas;
  demoPanel *panel;
  demoInput input;
  double cursor[2];
  double since, rate, told;
  /* since then */
  int frames;
  bool over, shown, leaves;
  /* a picture is a task of its own, and that has not come yet */
  bool posted;
  /* the last picture is all that there is to see; and when something came that may change it, in
   * milliseconds */
  bool rests;
  double woken;
};

/* What the browser calls for each picture. */
typedef struct Loop {
  bool (*next)(void *user);
  int (*end)(void *user);
  void *user;
} Loop;

/* The page has one. */
static demoWindow page = {.size = {640, 480}, .density = 1};
static Loop loop;

static const char canvas[] = "#picture";

/* --- what the page tells --- */

EMSCRIPTEN_KEEPALIVE void demoPageWake(void) {
  page.woken = emscripten_get_now();
}

/* Where in the domain is a pixel of the canvas? False: outside. */
static bool findPlace(double x, double y, double at[2]) {
  if (!page.shown || page.field.width < 1 || page.field.height < 1)
    return false;
  at[0] = (x - page.field.left) / page.field.width;
  at[1] = 1 - (y - page.field.top) / page.field.height;
  return at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1;
}

EMSCRIPTEN_KEEPALIVE bool demoPagePoint(double x, double y, bool first, bool right, int finger) {
  demoInput *input = &page.input;
  double at[2];
  demoPageWake();
  if (!findPlace(x, y, at) || input->points == DEMO_POINTS)
    return false;
  input->point[input->points].x = at[0];
  input->point[input->points].y = at[1];
  input->point[input->points].first = first;
  input->point[input->points].right = right;
  input->point[input->points++].finger = finger % DEMO_FINGERS;
  return true;
}

EMSCRIPTEN_KEEPALIVE void demoPageHover(double x, double y, bool over) {
  demoPageWake();
  page.over = over;
  page.cursor[0] = x;
  page.cursor[1] = y;
}

EMSCRIPTEN_KEEPALIVE void demoPageWheel(double clicks) {
  demoPageWake();
  page.input.wheel += clicks;
}

EMSCRIPTEN_KEEPALIVE void demoPageKey(int key) {
  demoInput *input = &page.input;
  demoPageWake();
  if (input->keys == DEMO_KEYS)
    return;
  input->before[input->keys] = input->points;
  input->key[input->keys++] = (char)key;
}

EMSCRIPTEN_KEEPALIVE void demoPageSize(int width, int height, double density) {
  demoPageWake();
  page.size[0] = txMost(width, 1);
  page.size[1] = txMost(height, 1);
  page.density = density;
}

/* --- the window --- */

clStatus demoWindowOpen(demoWindow **out, const char *title, int width, int height,
                        clError *error) {
  (void)title, (void)width, (void)height;
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.antialias = false;
  wanted.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
  page.context = emscripten_webgl_create_context(canvas, &wanted);
  if (page.context <= 0)
    return txFail(error, TEXLA_NO_DEVICE, "no window", "this browser gives no WebGL 2");
  emscripten_webgl_make_context_current(page.context);
  page.since = emscripten_get_now();
  *out = &page;
  return TEXLA_OK;
}

void demoWindowClose(demoWindow *w) {
  if (!w)
    return;
  demoCanvasDestroy(w->canvas);
  demoPanelDestroy(w->panel);
  emscripten_webgl_destroy_context(w->context);
}

static void showNow(void *unused) {
  (void)unused;
  page.posted = page.rests = false;
  if (loop.next(loop.user)) {
    if (!page.rests)
      demoPageWake();
    return;
  }
  emscripten_cancel_main_loop();
  emscripten_force_exit(loop.end(loop.user));
}

/* What the browser calls before it puts a picture together. Where it waits for pictures the next
 * one is prepared while that is done, so that the device has no pause: in a task behind this one.
 * Elsewhere the user sees at once what a mouse has done. What nobody changes is not drawn again;
 * texts are told some time after they have changed. */
static void showNext(void *unused) {
  const double lull = 500, smooth = 50;
  if (page.posted || (page.rests && emscripten_get_now() - page.woken > lull))
    return;
  if (page.rests || page.rate >= smooth) {
    showNow(unused);
    return;
  }
  page.posted = true;
  emscripten_set_immediate(showNow, NULL);
}

int demoWindowRun(demoWindow *w, bool (*next)(void *user), int (*end)(void *user), void *user) {
  const bool stays = true;
  (void)w;
  loop = (Loop){next, end, user};
  emscripten_set_main_loop_arg(showNext, NULL, 0, stays);
  return 0;
}

static void countFrame(demoWindow *w) {
  double now = emscripten_get_now();
  w->frames++;
  if (now - w->since < 500)
    return;
  w->rate = 1e3 * w->frames / (now - w->since);
  w->since = now;
  w->frames = 0;
}

/* The browser has waited. */
bool demoWindowNext(demoWindow *w, demoInput *input) {
  int size[2];
  countFrame(w);
  emscripten_get_canvas_element_size(canvas, &size[0], &size[1]);
  if (size[0] != w->size[0] || size[1] != w->size[1])
    emscripten_set_canvas_element_size(canvas, w->size[0], w->size[1]);
  w->input.inside = w->over && findPlace(w->cursor[0], w->cursor[1], w->input.cursor);
  *input = w->input;
  w->input.points = w->input.keys = 0;
  w->input.wheel = 0;
  return !w->leaves;
}

void demoWindowRest(demoWindow *w) {
  w->rests = true;
}

/* A page is left by the browser's own means. */
void demoWindowLeave(demoWindow *w) {
  (void)w;
}

void demoWindowPicture(demoWindow *w, int width, int height) {
  (void)width, (void)height;
  w->shown = false;
}

void demoWindowFull(demoWindow *w) {
  (void)w;
  demoPageFull();
}

void demoWindowCopy(demoWindow *w, const char *text) {
  (void)w;
  demoPageCopy(text);
}

double demoWindowDensity(const demoWindow *w) {
  return fmax(w->density, 1);
}

void demoWindowSize(const demoWindow *w, int size[2]) {
  size[0] = w->size[0];
  size[1] = w->size[1];
}

clStatus demoWindowDraw(demoWindow *w, const clVectorView *picture, const demoOverlay *overlay,
                        clError *error) {
  if (!w->canvas)
    w->canvas = demoCanvasCreate();
  if (!w->canvas)
    return txFail(error, TEXLA_NO_DEVICE, "the window", "its context cannot draw a picture");
  w->pixels[0] = overlay->width;
  w->pixels[1] = overlay->height;
  w->field = overlay->field;
  demoCanvasDraw(w->canvas, picture, overlay);
  return TEXLA_OK;
}

bool demoWindowPanel(demoWindow *w, const char *title, demoPanelItem *items, int count,
                     demoPanelView *view, int *changed) {
  if (!w->panel)
    w->panel = demoPanelCreate(NULL, NULL, 0);
  *changed = demoPanelDraw(w->panel, title, items, count, view);
  return w->panel;
}

/* Numbers that change all the time can be read when they do so a few times a second. */
bool demoWindowTell(demoWindow *w, const char *above, const char *below) {
  const double milliseconds = 150;
  double now = emscripten_get_now();
  if (now - w->told >= milliseconds) {
    demoPageTell(above, below);
    w->told = now;
  }
  return true;
}

void demoWindowGive(demoWindow *w, const char *path) {
  (void)w;
  demoPageGive(path);
}

bool demoWindowCloseMenu(demoWindow *w) {
  (void)w;
  return true;
}

void demoWindowShow(demoWindow *w) {
  demoPageShown(!w->shown);
  w->shown = true;
}

void demoWindowTitle(demoWindow *w, const char *title) {
  (void)w, (void)title;
}

double demoWindowRate(const demoWindow *w) {
  return w->rate;
}
