#include "common/window.h"

#include "common/canvas.h"
#include "common/text.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/glfw_platform.h"
#include "platform/platform.h"

#if TEXLA_HAVE_GLFW

#include <GLFW/glfw3.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct demoWindow {
  GLFWwindow *glfw;
  /* that was asked for last, and what it became; all 0: nothing was */
  int size[2], chosen[2];
  /* place and size, before it took the whole screen */
  int before[4];
  /* of the framebuffer, and where the field was in it, when it was drawn last */
  int pixels[2];
  demoFrame field;
  /* over the picture they take the mouse */
  demoArea plots;
  /* made at the first picture */
  demoCanvas *canvas;
  /* when it has been asked for */
  demoPanel *panel;
  demoInput input;
  /* the last point, in pixels of the window */
  double x, y;
  /* where the pointer was last seen, once it has `moved`: GLFW tells where it is by now */
  double cursor[2];
  /* when the next frame is due */
  double next;
  double since, rate;
  /* since then */
  int frames;
  bool moved;
  /* the last press of a button was the panel's, ... */
  bool taken;
  /* ... or beside the picture: so many of those, and the last one has been let go */
  int drags;
  bool dropped;
  /* a key, just now, whose character follows */
  bool pressed;
  /* a picture; before, the mouse means nothing */
  bool shown;
  /* nothing moves but what the user does, who did something last then */
  bool rests;
  double stirred;
};

/* pixels between two points */
static const double frameTime = 1. / 60, dragDistance = 6;

/* A place of the window in pixels of its framebuffer; false: there is none. */
static bool findPixel(const demoWindow *w, double x, double y, double pixel[2]) {
  int width, height;
  glfwGetWindowSize(w->glfw, &width, &height);
  if (width < 1 || height < 1 || !w->shown)
    return false;
  pixel[0] = x * w->pixels[0] / width;
  pixel[1] = y * w->pixels[1] / height;
  return true;
}

/* Where in the domain is a place of the window? False: outside. */
static bool findPlace(const demoWindow *w, double x, double y, double at[2]) {
  double pixel[2];
  if (!findPixel(w, x, y, pixel))
    return false;
  at[0] = (pixel[0] - w->field.left) / w->field.width;
  at[1] = 1 - (pixel[1] - w->field.top) / w->field.height;
  return at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1;
}

/* Are plots there? */
static bool isPlot(const demoWindow *w, double x, double y) {
  double pixel[2];
  return findPixel(w, x, y, pixel) && pixel[0] >= w->plots.left && pixel[0] < w->plots.right &&
         pixel[1] >= w->plots.top && pixel[1] < w->plots.bottom;
}

/* A drag that begins beside the picture, or over it at plots, or goes on. */
static void addDrag(demoWindow *w, double x, double y, bool first) {
  if (!findPixel(w, x, y, w->input.to))
    return;
  if (first) {
    w->input.drag = ++w->drags;
    w->dropped = false;
    w->input.from[0] = w->input.to[0];
    w->input.from[1] = w->input.to[1];
  }
}

static void addPoint(demoWindow *w, double x, double y, bool first, bool right) {
  double at[2] = {0, 0};
  bool inside = findPlace(w, x, y, at) && !(first && isPlot(w, x, y));
  w->x = x;
  w->y = y;
  /* a drag belongs to where it began */
  if (first) {
    w->taken = demoPanelTakesMouse(w->panel, x, y);
    w->input.drag = 0;
  }
  if (!w->taken && (w->input.drag || (first && !inside)))
    addDrag(w, x, y, first);
  if (!inside || w->input.points == DEMO_POINTS || w->taken || w->input.drag)
    return;
  w->input.point[w->input.points].x = at[0];
  w->input.point[w->input.points].y = at[1];
  w->input.point[w->input.points].right = right;
  w->input.point[w->input.points++].first = first;
}

/* The user does something. */
static demoWindow *stir(GLFWwindow *glfw) {
  demoWindow *w = glfwGetWindowUserPointer(glfw);
  w->stirred = glfwGetTime();
  return w;
}

/* Its size is another one, or something has left what it covered. */
static void onRefresh(GLFWwindow *glfw) {
  stir(glfw);
}

static void onButton(GLFWwindow *glfw, int button, int action, int modifiers) {
  (void)modifiers;
  demoWindow *w = stir(glfw);
  if (!w->moved)
    glfwGetCursorPos(glfw, &w->cursor[0], &w->cursor[1]);
  bool right = button == GLFW_MOUSE_BUTTON_RIGHT;
  if ((right || button == GLFW_MOUSE_BUTTON_LEFT) && action == GLFW_PRESS)
    addPoint(w, w->cursor[0], w->cursor[1], true, right);
  w->dropped |= action == GLFW_RELEASE;
}

static void onMove(GLFWwindow *glfw, double x, double y) {
  demoWindow *w = stir(glfw);
  w->cursor[0] = x;
  w->cursor[1] = y;
  w->moved = true;
  bool left = glfwGetMouseButton(glfw, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
  bool right = glfwGetMouseButton(glfw, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
  if ((left || right) && hypot(x - w->x, y - w->y) >= dragDistance)
    addPoint(w, x, y, false, !left);
}

static void onWheel(GLFWwindow *glfw, double x, double y) {
  (void)x;
  demoWindow *w = stir(glfw);
  if (!demoPanelTakesMouse(w->panel, w->cursor[0], w->cursor[1]))
    w->input.wheel += y;
}

static void addKey(demoWindow *w, char key) {
  if (w->input.keys == DEMO_KEYS)
    return;
  w->input.before[w->input.keys] = w->input.points;
  w->input.key[w->input.keys++] = key;
}

/* Keys without a character, and with control; of the others onCharacter gets the character, once
 * for each press. */
static void onKey(GLFWwindow *glfw, int key, int scancode, int action, int modifiers) {
  demoWindow *w = stir(glfw);
  const char *name = glfwGetKeyName(key, scancode);
  /* also from a text that is being typed */
  bool escapes = key == GLFW_KEY_ESCAPE || key == GLFW_KEY_F12;
  w->pressed = action == GLFW_PRESS && (escapes || !demoPanelTakesKeys(w->panel));
  if (!w->pressed)
    return;
  if (key == GLFW_KEY_ESCAPE)
    addKey(w, DEMO_ESCAPE);
  else if (key == GLFW_KEY_F12)
    addKey(w, DEMO_MARK);
  else if (key == GLFW_KEY_F1)
    addKey(w, 'H');
  else if (key == GLFW_KEY_TAB)
    addKey(w, DEMO_TAB);
  else if (key == GLFW_KEY_F11)
    addKey(w, DEMO_FULL);
  else if (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT)
    addKey(w, key == GLFW_KEY_LEFT ? ',' : '.');
  else if ((modifiers & GLFW_MOD_CONTROL) && name && (*name == 'z' || *name == 'Z'))
    addKey(w, 'U');
}

static void onCharacter(GLFWwindow *glfw, unsigned character) {
  demoWindow *w = stir(glfw);
  if (w->pressed && character >= ' ' && character <= '~')
    addKey(w, (char)toupper((int)character));
  w->pressed = false;
}

double demoWindowDensity(const demoWindow *w) {
  float across = 1, up = 1;
  glfwGetWindowContentScale(w->glfw, &across, &up);
  return fmax((double)across, 1);
}

/* The picture as large as leaves a border on the screen, up to 1200 pixels; but high enough for
 * most of the help, whose lines are at least 13 pixels. */
static void chooseSize(const demoWindow *w, int *width, int *height) {
  /* pixels above and below the picture: two rows of buttons, three lines */
  const int beside = (int)(2 * 24 + 3.5 * 16);
  int area[4] = {0, 0, 1024, 768};
  GLFWmonitor *monitor = glfwGetPrimaryMonitor();
  if (monitor)
    glfwGetMonitorWorkarea(monitor, &area[0], &area[1], &area[2], &area[3]);
  double density = demoWindowDensity(w), more = beside * density;
  double fit = fmin(0.95 * area[2] / *width, (0.9 * area[3] - more) / *height);
  double scale = fmin(fmin(fit, 8), fmax(1, floor(1200 * density / *width)));
  *width = (int)fmax(fmin(420 * density, 0.95 * area[2]), *width * scale);
  *height = (int)fmax(*height * scale + more, fmin(32 * 13 * density, 0.9 * area[3]));
}

static clStatus noWindow(clError *error) {
  const char *text = NULL;
  glfwGetError(&text);
  return txFail(error, TEXLA_NO_DEVICE, "no window", "%s", text ? text : "GLFW does not say why");
}

static clStatus openGlfw(demoWindow *w, const char *title, clError *error) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  w->glfw = glfwCreateWindow(640, 480, title, NULL, NULL);
  if (!w->glfw)
    return noWindow(error);
  glfwMakeContextCurrent(w->glfw);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(w->glfw, w);
  glfwSetMouseButtonCallback(w->glfw, onButton);
  glfwSetCursorPosCallback(w->glfw, onMove);
  glfwSetScrollCallback(w->glfw, onWheel);
  glfwSetKeyCallback(w->glfw, onKey);
  glfwSetCharCallback(w->glfw, onCharacter);
  glfwSetWindowRefreshCallback(w->glfw, onRefresh);
  w->next = w->since = glfwGetTime();
  return TEXLA_OK;
}

clStatus demoWindowOpen(demoWindow **out, const char *title, int width, int height,
                        clError *error) {
#ifdef GLFW_PLATFORM /* GLFW 3.4 */
  txGlfwChoosePlatform(glfwPlatformSupported, glfwInitHint);
#endif
  txShaderCacheRoom();
  if (!glfwInit())
    return noWindow(error);
  demoWindow *w = txAllocate(error, "no window", 1, sizeof *w, "one");
  if (!w) {
    glfwTerminate();
    return TEXLA_OUT_OF_MEMORY;
  }
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openGlfw(w, title, error));
  if (width > 0)
    demoWindowPicture(w, width, height);
  *out = w;
  return TEXLA_OK;
cleanup:
  demoWindowClose(w);
  return status;
}

/* Its size suits such a picture: one of about the same shape was asked for before, or the user has
 * changed it. */
static bool suits(const demoWindow *w, int width, int height) {
  const double nearly = 0.1;
  int now[2];
  if (!w->size[0] || glfwGetWindowMonitor(w->glfw))
    return w->size[0];
  glfwGetWindowSize(w->glfw, &now[0], &now[1]);
  double shape = (double)width / height, before = (double)w->size[0] / w->size[1];
  return fabs(shape / before - 1) < nearly || now[0] != w->chosen[0] || now[1] != w->chosen[1];
}

void demoWindowPicture(demoWindow *w, int width, int height) {
  if (suits(w, width, height))
    return;
  w->size[0] = width;
  w->size[1] = height;
  w->shown = false;
  chooseSize(w, &width, &height);
  w->chosen[0] = width;
  w->chosen[1] = height;
  glfwSetWindowSize(w->glfw, width, height);
  glfwShowWindow(w->glfw);
  glfwMakeContextCurrent(w->glfw);
}

void demoWindowFull(demoWindow *w) {
  GLFWmonitor *monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
  if (glfwGetWindowMonitor(w->glfw)) {
    glfwSetWindowMonitor(w->glfw, NULL, w->before[0], w->before[1], w->before[2], w->before[3], 0);
  } else if (mode) {
    glfwGetWindowPos(w->glfw, &w->before[0], &w->before[1]);
    glfwGetWindowSize(w->glfw, &w->before[2], &w->before[3]);
    glfwSetWindowMonitor(w->glfw, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
}

void demoWindowCopy(demoWindow *w, const char *text) {
  glfwSetClipboardString(w->glfw, text);
}

void demoWindowRest(demoWindow *w) {
  w->rests = true;
}

void demoWindowLeave(demoWindow *w) {
  glfwSetWindowShouldClose(w->glfw, GLFW_TRUE);
}

void demoWindowClose(demoWindow *w) {
  if (!w)
    return;
  demoCanvasDestroy(w->canvas);
  demoPanelDestroy(w->panel);
  glfwTerminate();
  free(w);
}

static void countFrame(demoWindow *w, double now) {
  w->frames++;
  if (now - w->since >= 0.5) {
    w->rate = w->frames / (now - w->since);
    w->since = now;
    w->frames = 0;
  }
}

int demoWindowRun(demoWindow *w, bool (*next)(void *user), int (*end)(void *user), void *user) {
  (void)w;
  while (next(user))
    ;
  return end(user);
}

/* Until the time of the next picture; where nothing moves, until the user does something: what an
 * answer changes is there after some pictures. */
static double waitForNext(demoWindow *w) {
  const double answered = 0.2, rest = 0.5;
  double now = glfwGetTime(), next = w->next, stirred = w->stirred;
  bool rests = w->rests && now - stirred > answered;
  if (rests)
    next = now + rest;
  while (now < next && !glfwWindowShouldClose(w->glfw) && (!rests || w->stirred <= stirred)) {
    glfwWaitEventsTimeout(next - now);
    now = glfwGetTime();
  }
  /* the rate is that of what moves */
  if (rests) {
    w->since = now;
    w->frames = 0;
  }
  w->rests = false;
  return now;
}

bool demoWindowNext(demoWindow *w, demoInput *input) {
  glfwPollEvents();
  double now = waitForNext(w);
  /* no hurry after a delay */
  w->next = fmax(w->next + frameTime, now);
  countFrame(w, now);
  w->input.inside = w->moved && !demoPanelTakesMouse(w->panel, w->cursor[0], w->cursor[1]) &&
                    findPlace(w, w->cursor[0], w->cursor[1], w->input.cursor);
  demoPanelTakeKeys(w->panel);
  *input = w->input;
  w->input.points = w->input.keys = 0;
  if (w->dropped)
    w->input.drag = 0;
  w->input.wheel = 0;
  return !glfwWindowShouldClose(w->glfw);
}

void demoWindowSize(const demoWindow *w, int size[2]) {
  glfwGetFramebufferSize(w->glfw, &size[0], &size[1]);
  /* while it is an icon */
  size[0] = txMost(size[0], 1);
  size[1] = txMost(size[1], 1);
}

clStatus demoWindowDraw(demoWindow *w, const clVectorView *picture, const demoOverlay *overlay,
                        clError *error) {
  /* texla has loaded the entry points by now */
  if (!w->canvas)
    w->canvas = demoCanvasCreate();
  if (!w->canvas)
    return txFail(error, TEXLA_NO_DEVICE, "the window", "its context cannot draw a picture");
  w->pixels[0] = overlay->width;
  w->pixels[1] = overlay->height;
  w->field = overlay->field;
  w->plots = overlay->plots;
  demoCanvasDraw(w->canvas, picture, overlay);
  return TEXLA_OK;
}

bool demoWindowPanel(demoWindow *w, const char *title, demoPanelItem *items, int count,
                     demoPanelView *view, int *changed) {
  if (!w->panel)
    w->panel = demoPanelCreate(w->glfw, demoTextFont(), 15 * (float)demoWindowDensity(w));
  *changed = demoPanelDraw(w->panel, title, items, count, view);
  return w->panel;
}

bool demoWindowTell(demoWindow *w, const char *above, const char *below) {
  (void)w, (void)above, (void)below;
  return false;
}

void demoWindowGive(demoWindow *w, const char *path) {
  (void)w, (void)path;
}

bool demoWindowCloseMenu(demoWindow *w) {
  return demoPanelCloseMenu(w->panel);
}

void demoWindowShow(demoWindow *w) {
  glfwSwapBuffers(w->glfw);
  w->shown = true;
}

void demoWindowTitle(demoWindow *w, const char *title) {
  glfwSetWindowTitle(w->glfw, title);
}

double demoWindowRate(const demoWindow *w) {
  return w->rate;
}

#else

clStatus demoWindowOpen(demoWindow **out, const char *title, int width, int height,
                        clError *error) {
  (void)out, (void)title, (void)width, (void)height;
  return txFail(error, TEXLA_NO_DEVICE, "no window", "built without GLFW");
}

void demoWindowRest(demoWindow *window) {
  (void)window;
}

void demoWindowLeave(demoWindow *window) {
  (void)window;
}

void demoWindowFull(demoWindow *window) {
  (void)window;
}

void demoWindowCopy(demoWindow *window, const char *text) {
  (void)window, (void)text;
}

void demoWindowClose(demoWindow *window) {
  (void)window;
}

int demoWindowRun(demoWindow *window, bool (*next)(void *user), int (*end)(void *user),
                  void *user) {
  (void)window, (void)next;
  return end(user);
}

bool demoWindowNext(demoWindow *window, demoInput *input) {
  (void)window, (void)input;
  return false;
}

void demoWindowPicture(demoWindow *window, int width, int height) {
  (void)window, (void)width, (void)height;
}

double demoWindowDensity(const demoWindow *window) {
  (void)window;
  return 1;
}

void demoWindowSize(const demoWindow *window, int size[2]) {
  (void)window, (void)size;
}

clStatus demoWindowDraw(demoWindow *window, const clVectorView *picture, const demoOverlay *overlay,
                        clError *error) {
  (void)window, (void)picture, (void)overlay;
  return txFail(error, TEXLA_NO_DEVICE, "no window", "built without GLFW");
}

bool demoWindowPanel(demoWindow *window, const char *title, demoPanelItem *items, int count,
                     demoPanelView *view, int *changed) {
  (void)window, (void)title, (void)items, (void)count, (void)view;
  *changed = -1;
  return false;
}

bool demoWindowTell(demoWindow *window, const char *above, const char *below) {
  (void)window, (void)above, (void)below;
  return false;
}

void demoWindowGive(demoWindow *window, const char *path) {
  (void)window, (void)path;
}

bool demoWindowCloseMenu(demoWindow *window) {
  (void)window;
  return false;
}

void demoWindowShow(demoWindow *window) {
  (void)window;
}

void demoWindowTitle(demoWindow *window, const char *title) {
  (void)window, (void)title;
}

double demoWindowRate(const demoWindow *window) {
  (void)window;
  return 0;
}

#endif
