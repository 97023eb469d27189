#include "common/layout.h"
#include "core/numbers.h"

/* How much of `room` pixels may be cut off: `size`, or nothing where that would leave the picture
 * less than `least`. */
static int fitting(int room, int size, int least) {
  if (room - size < least)
    return 0;
  return size;
}

/* Cuts pixels off one side of what is left; returns them, an empty area where they do not fit. */
static demoArea cutTop(demoArea *left, int size, int least) {
  demoArea area = *left;
  size = fitting(left->bottom - left->top, size, least);
  left->top += size;
  area.bottom = left->top;
  return area;
}

static demoArea cutBottom(demoArea *left, int size, int least) {
  demoArea area = *left;
  size = fitting(left->bottom - left->top, size, least);
  left->bottom -= size;
  area.top = left->bottom;
  return area;
}

static demoArea cutLeft(demoArea *left, int size, int least) {
  demoArea area = *left;
  size = fitting(left->right - left->left, size, least);
  left->left += size;
  area.right = left->left;
  return area;
}

static demoArea cutRight(demoArea *left, int size, int least) {
  demoArea area = *left;
  size = fitting(left->right - left->left, size, least);
  left->right -= size;
  area.left = left->right;
  return area;
}

int demoLayoutRow(const demoWants *wants) {
  if (wants->button <= 0)
    return 1;
  return txMost(wants->width / wants->button, 1);
}

static int barHeight(const demoWants *wants) {
  int row = demoLayoutRow(wants);
  return (wants->buttons + row - 1) / row * wants->button;
}

/* The largest rectangle of the domain's shape, in the middle. */
static demoFrame fit(demoArea area, double aspect, bool fills) {
  demoFrame f = {
      .width = area.right - area.left, .height = area.bottom - area.top, .aspect = aspect};
  int width = f.width, height = f.height;
  if (!fills && width > aspect * height)
    f.width = (int)(aspect * height + 0.5);
  else if (!fills)
    f.height = (int)(width / aspect + 0.5);
  if (f.width < 1)
    f.width = 1;
  if (f.height < 1)
    f.height = 1;
  f.left = area.left + (width - f.width) / 2;
  f.top = area.top + (height - f.height) / 2;
  return f;
}

/* The space between two lines is an eighth of one. */
static int lines(const demoWants *wants, int count) {
  return count * wants->line + wants->line / 4 * (count > 0);
}

static demoArea cutPlots(demoArea *left, const demoWants *wants) {
  if (wants->plots_right)
    return cutRight(left, wants->plots, wants->width / 3);
  if (wants->plots)
    return cutBottom(left, wants->plots, wants->height / 3);
  return (demoArea){left->left, left->bottom, left->right, left->bottom};
}

demoLayout demoLayoutOf(const demoWants *wants) {
  demoArea left = {0, 0, wants->width, wants->height};
  int across = wants->width / 2, up = wants->height / 2;
  demoLayout l;
  l.bar = cutTop(&left, barHeight(wants), up);
  l.panel = cutLeft(&left, wants->panel, across);
  l.foot = cutBottom(&left, lines(wants, wants->foot), up);
  l.head = cutTop(&left, lines(wants, wants->head), up);
  l.plots = cutPlots(&left, wants);
  l.colours = cutRight(&left, wants->colours, across / 2);
  l.field = fit(left, wants->aspect, wants->fills);
  return l;
}
