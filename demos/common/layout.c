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

/* As much of `wanted` pixels as fits, at most two fifths of the room; 0 where that is less than
 * `few` lines of text: plots that small show nothing. */
static int shrunk(const demoWants *wants, int room, int wanted, int least, int few) {
  int size = txLeast(wanted, txLeast(room - least, 2 * room / 5));
  if (size < few * wants->line)
    return 0;
  return size;
}

static demoArea cutPlots(demoArea *left, const demoWants *wants) {
  const int across = wants->width / 3, up = wants->height / 3, *size = wants->plots;
  const int width = shrunk(wants, left->right - left->left, size[0], across, 9);
  const int height = shrunk(wants, left->bottom - left->top, size[1], up, 5);
  switch (wants->dock) {
  case DEMO_RIGHT:
    return cutRight(left, width, across);
  case DEMO_LEFT:
    return cutLeft(left, width, across);
  case DEMO_ABOVE:
    return cutTop(left, height, up);
  case DEMO_BELOW:
    return cutBottom(left, height, up);
  default:
    return (demoArea){left->left, left->bottom, left->left, left->bottom};
  }
}

/* Where floating plots are on one axis, at most as long as what is left for the picture, and within
 * it. */
static void floatAlong(int from, int to, int length, double middle, int *low, int *high) {
  length = txLeast(length, to - from);
  *low = txWithin((int)middle - length / 2, from, to - length);
  *high = *low + length;
}

static demoArea floatingPlots(demoArea left, const demoWants *wants) {
  demoArea area;
  floatAlong(left.left, left.right, 2 * wants->plots[0], wants->middle[0] * wants->width,
             &area.left, &area.right);
  floatAlong(left.top, left.bottom, wants->plots[1], wants->middle[1] * wants->height, &area.top,
             &area.bottom);
  return area;
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
  if (wants->dock == DEMO_FLOATING)
    l.plots = floatingPlots(left, wants);
  l.field = fit(left, wants->aspect, wants->fills);
  /* the colours stand beside the picture, unless plots may be there */
  int apart = left.right - l.field.left - l.field.width;
  if (wants->dock != DEMO_FLOATING) {
    l.colours.left -= apart;
    l.colours.right -= apart;
  }
  return l;
}
