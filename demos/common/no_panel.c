#include "common/panel.h"

#if !TEXLA_HAVE_IMGUI

#include <stddef.h>

bool demoPanelBuilt(void) {
  return false;
}

bool demoPanelApart(void) {
  return false;
}

demoPanel *demoPanelCreate(void *glfw, const char *font, float pixels) {
  (void)glfw, (void)font, (void)pixels;
  return NULL;
}

void demoPanelDestroy(demoPanel *panel) {
  (void)panel;
}

bool demoPanelTakesMouse(const demoPanel *panel, double x, double y) {
  (void)panel, (void)x, (void)y;
  return false;
}

bool demoPanelCloseMenu(demoPanel *panel) {
  (void)panel;
  return false;
}

bool demoPanelTakesKeys(const demoPanel *panel) {
  (void)panel;
  return false;
}

void demoPanelTakeKeys(demoPanel *panel) {
  (void)panel;
}

int demoPanelDraw(demoPanel *panel, const char *title, demoPanelItem *items, int count,
                  demoPanelView *view) {
  (void)panel, (void)title, (void)items, (void)count, (void)view;
  return -1;
}

#else

/* panel.cpp */
typedef int demoHasPanel;

#endif
