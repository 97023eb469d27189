/* The areas of a window: within it, and none over another, from the smallest window to the
 * largest. */
#include "common.h"
#include "common/layout.h"

static bool isEmpty(demoArea a) {
  return a.left >= a.right || a.top >= a.bottom;
}

static bool overlap(demoArea a, demoArea b) {
  return !isEmpty(a) && !isEmpty(b) && a.left < b.right && b.left < a.right && a.top < b.bottom &&
         b.top < a.bottom;
}

static demoArea areaOf(demoFrame f) {
  return (demoArea){f.left, f.top, f.left + f.width, f.top + f.height};
}

/* Looks at one window; *field <- the part of it that the picture has. */
static void looksAt(const demoWants *w, double *field) {
  demoLayout l = demoLayoutOf(w);
  demoArea area[] = {l.bar, l.panel, l.head, l.foot, l.colours, areaOf(l.field), l.plots};
  int count = (int)(sizeof area / sizeof *area), picture = 5;
  for (int a = 0; a < count; a++) {
    assert_true(area[a].left >= 0 && area[a].top >= 0);
    assert_true(area[a].right <= w->width && area[a].bottom <= w->height);
    for (int b = 0; b < a; b++)
      if (w->dock != DEMO_FLOATING || b != picture)
        assert_false(overlap(area[a], area[b]));
  }
  *field = (double)l.field.width * l.field.height / w->width / w->height;
}

static void neverOverlap(void **state) {
  static const int size[][2] = {{420, 260},  {640, 480},   {800, 600},   {1024, 768}, {300, 900},
                                {1280, 720}, {1920, 1080}, {3840, 2160}, {1, 1},      {37, 1000}};
  static const double aspect[] = {0.2, 0.8, 1, 1.7, 8};
  for (int s = 0; s < (int)(sizeof size / sizeof *size); s++)
    for (int choice = 0; choice < DEMO_DOCKS << 5; choice++)
      for (int a = 0; a < 5; a++)
        for (int line = 13; line <= 80; line += 17) {
          demoWants w = {.width = size[s][0],
                         .height = size[s][1],
                         .line = line,
                         .buttons = 24,
                         .button = (choice & 1) * 2 * line,
                         .panel = (choice >> 1 & 1) * 20 * line,
                         .colours = (choice >> 2 & 1) * 6 * line,
                         .head = (choice >> 3 & 1) * 2,
                         .foot = choice >> 3 & 1,
                         .plots = {(choice >> 4 & 1) * 16 * line, (choice >> 4 & 1) * 8 * line},
                         .dock = (demoDock)(choice >> 5),
                         .middle = {0.5 * (a % 3), 0.5 * (a / 2)},
                         .aspect = aspect[a],
                         .fills = a == 4};
          double field;
          looksAt(&w, &field);
          assert_true(field > 0);
        }
}

/* The smallest window that is promised shows its picture, buttons, text and colours. */
static void smallWindows(void **state) {
  demoWants w = {.width = 420,
                 .height = 260,
                 .line = 13,
                 .buttons = 24,
                 .button = 24,
                 .colours = 80,
                 .head = 1,
                 .foot = 1,
                 .aspect = 1.5,
                 .fills = true};
  double field;
  looksAt(&w, &field);
  demoLayout l = demoLayoutOf(&w);
  assert_true(field > 0.4);
  assert_false(isEmpty(l.bar));
  assert_false(isEmpty(l.head));
  assert_false(isEmpty(l.foot));
  assert_false(isEmpty(l.colours));
  assert_int_equal(demoLayoutRow(&w), 17);
}

/* The picture keeps the domain's shape, in the middle of its place. */
static void keepsTheShape(void **state) {
  demoWants w = {.width = 1000, .height = 400, .line = 13, .aspect = 2};
  demoFrame f = demoLayoutOf(&w).field;
  assert_int_equal(f.width, 800);
  assert_int_equal(f.height, 400);
  assert_int_equal(f.left, 100);
  w.aspect = 5;
  f = demoLayoutOf(&w).field;
  assert_int_equal(f.width, 1000);
  assert_int_equal(f.height, 200);
  assert_int_equal(f.top, 100);
}

/* Plots stand at the edge that was chosen, or where they were put: also of all of the window, as
 * far as the picture reaches. */
static void plotsStand(void **state) {
  demoWants w = {.width = 800,
                 .height = 600,
                 .line = 13,
                 .head = 1,
                 .foot = 1,
                 .colours = 80,
                 .plots = {200, 100},
                 .aspect = 1,
                 .fills = true};
  demoLayout below = demoLayoutOf(&w);
  assert_true(below.plots.top >= below.field.top + below.field.height);
  w.dock = DEMO_ABOVE;
  demoLayout above = demoLayoutOf(&w);
  assert_true(above.plots.bottom <= above.field.top && above.plots.top >= above.head.bottom);
  w.dock = DEMO_LEFT;
  demoLayout left = demoLayoutOf(&w);
  assert_int_equal(left.plots.left, 0);
  assert_int_equal(left.plots.right, left.field.left);
  w.dock = DEMO_RIGHT;
  demoLayout right = demoLayoutOf(&w);
  assert_int_equal(right.plots.right, 800);
  assert_int_equal(right.plots.right - right.plots.left, 200);
  w.dock = DEMO_FLOATING;
  w.middle[0] = w.middle[1] = 0.5;
  demoLayout over = demoLayoutOf(&w);
  assert_int_equal(over.plots.left, 200);
  assert_int_equal(over.plots.right, 600);
  assert_int_equal(over.plots.top, 250);
  assert_int_equal(over.field.height, 600 - over.head.bottom - (600 - over.foot.top));
  w.middle[0] = w.middle[1] = 1;
  over = demoLayoutOf(&w);
  assert_int_equal(over.plots.right, over.colours.left);
  assert_int_equal(over.plots.bottom, over.foot.top);
}

TEST_MAIN(NULL, NULL, neverOverlap, smallWindows, keepsTheShape, plotsStand)
