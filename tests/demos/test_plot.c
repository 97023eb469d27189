/* The names of curves above their plot: whole where there is room for rows of them, otherwise in
 * one row; never beyond the plot's edges, nor over the curves. */
#include "common.h"
#include "common/plot.h"
#include "common/text.h"
#include "core/numbers.h"

enum { CURVES = 3, WIDTH = 900, HEIGHT = 400 };

static const char *const names[] = {"behind the dam", "below the dam", "in the plain", NULL};

/* top[k] <- the first row of the mark beside curve k's name, -1 without one; returns the first row
 * of the plot's ground. */
static int marksOf(int width, int height, int top[CURVES]) {
  const float value[CURVES][2] = {{0, 1}, {1, 2}, {2, 3}};
  const demoFrame field = {0, 0, WIDTH, HEIGHT, (double)WIDTH / HEIGHT};
  const int box[4] = {10, HEIGHT - 10 - height, 10 + width, HEIGHT - 10};
  demoOverlay overlay = {.width = 0};
  demoOverlayBegin(&overlay, WIDTH, HEIGHT, &field);
  demoPlot(&overlay, box, &(demoCurves){&value[0][0], 2, CURVES, 2, names});
  assert_false(overlay.incomplete);
  int ground = HEIGHT;
  for (int k = 0; k < CURVES; k++)
    top[k] = -1;
  for (int r = 0; r < overlay.count; r++) {
    demoRectangle one = overlay.list[r];
    if (one.cover < 255 && one.right - one.left > width)
      ground = one.top;
    for (int k = 0; k < CURVES; k++)
      if (one.right - one.left == DEMO_LINE && one.bottom - one.top == 3 &&
          memcmp(one.rgb, demoPlotColour(k), 3) == 0)
        top[k] = one.top;
    /* the ground of a text is a little wider than it is */
    assert_true(one.left >= box[0] - DEMO_LINE / 2 && one.right <= box[2] + DEMO_LINE / 2);
  }
  demoOverlayClear(&overlay);
  return ground;
}

static void aWideOneHasOneRow(void **state) {
  int top[CURVES], ground = marksOf(860, 120, top);
  assert_int_equal(ground, HEIGHT - 130);
  assert_true(top[0] >= 0);
  assert_int_equal(top[1], top[0]);
  assert_int_equal(top[2], top[0]);
  assert_true(top[0] < ground);
}

static void aNarrowOneHasRows(void **state) {
  int widest = 0, top[CURVES];
  for (int k = 0; k < CURVES; k++)
    widest = txMost(widest, demoTextWidth(names[k]));
  int ground = marksOf(widest + 8 * DEMO_LINE, 10 * DEMO_LINE, top);
  assert_int_equal(top[1] - top[0], DEMO_LINE);
  assert_int_equal(top[2] - top[1], DEMO_LINE);
  assert_int_equal(ground, HEIGHT - 10 - 8 * DEMO_LINE);
  assert_true(top[2] < ground);
}

static void aLowOneIsCut(void **state) {
  int top[CURVES], ground = marksOf(300, 4 * DEMO_LINE, top);
  assert_int_equal(ground, HEIGHT - 10 - 4 * DEMO_LINE);
  assert_true(top[0] >= 0);
  assert_int_equal(top[1], top[0]);
  assert_int_equal(top[2], top[0]);
}

TEST_MAIN(NULL, NULL, aWideOneHasOneRow, aNarrowOneHasRows, aLowOneIsCut)
