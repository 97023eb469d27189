/* Colour maps: their ends, their order, what is not a number. */
#include "common.h"

#include "texla/io.h"

enum { STEPS = 1023, LARGEST_STEP = 4, TABLE_TOLERANCE = 2 /* of 255 */ };
/* of 100; 8-bit colours are this coarse near black */
static const double lightnessTolerance = 1;

/* CIELAB lightness, 0 to 100, of an sRGB colour. */
static double lightness(clColormap map, double t) {
  uint8_t rgb[3];
  clColormapColor(rgb, map, t);
  const double weight[] = {0.2126, 0.7152, 0.0722};
  double y = 0;
  for (int c = 0; c < 3; c++) {
    double v = rgb[c] / 255.;
    y += weight[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
  }
  return y > 216. / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static void assertColour(clColormap map, double t, int r, int g, int b, int tolerance) {
  uint8_t rgb[3];
  clColormapColor(rgb, map, t);
  if (abs(rgb[0] - r) > tolerance || abs(rgb[1] - g) > tolerance || abs(rgb[2] - b) > tolerance)
    fail_msg("%s(%g) = (%d, %d, %d), not (%d, %d, %d)", clColormapName(map), t, rgb[0], rgb[1],
             rgb[2], r, g, b);
}

static void endsAreClampedAndNanIsMagenta(void **state) {
  for (int k = 0; k < TEXLA_COLORMAP_COUNT; k++) {
    uint8_t low[3], high[3], rgb[3];
    clColormapColor(low, (clColormap)k, 0);
    clColormapColor(high, (clColormap)k, 1);
    const double below[] = {-1e-9, -5, -1e300, -INFINITY}, above[] = {1 + 1e-9, 7, 1e300, INFINITY};
    for (int n = 0; n < 4; n++) {
      clColormapColor(rgb, (clColormap)k, below[n]);
      assert_memory_equal(rgb, low, 3);
      clColormapColor(rgb, (clColormap)k, above[n]);
      assert_memory_equal(rgb, high, 3);
    }
    assertColour((clColormap)k, NAN, 255, 0, 255, 0);
  }
}

static void mapsAreContinuousAndAvoidTheNanColour(void **state) {
  for (int k = 0; k < TEXLA_COLORMAP_COUNT; k++) {
    uint8_t previous[3], rgb[3];
    clColormapColor(previous, (clColormap)k, 0);
    for (int n = 0; n <= STEPS; n++) {
      clColormapColor(rgb, (clColormap)k, (double)n / STEPS);
      for (int c = 0; c < 3; c++)
        assert_true(abs(rgb[c] - previous[c]) <= LARGEST_STEP);
      assert_true(abs(rgb[0] - 255) + rgb[1] + abs(rgb[2] - 255) > 60);
      memcpy(previous, rgb, 3);
    }
  }
}

static void lightnessRises(void **state) {
  const clColormap maps[] = {TEXLA_COLORMAP_VIRIDIS, TEXLA_COLORMAP_MAGMA, TEXLA_COLORMAP_GREY};
  for (int k = 0; k < 3; k++) {
    double first = lightness(maps[k], 0), last = lightness(maps[k], 1);
    assert_true(last - first > 70);
    for (int n = 1; n <= STEPS; n++)
      assert_true(lightness(maps[k], (double)n / STEPS) >
                  lightness(maps[k], (n - 1.) / STEPS) - lightnessTolerance);
    /* sixteen visible steps */
    for (int n = 1; n <= 16; n++)
      assert_true(lightness(maps[k], n / 16.) > lightness(maps[k], (n - 1) / 16.) + 1);
  }
}

static void divergingIsBalanced(void **state) {
  for (int n = 0; n <= STEPS; n++) {
    double t = 0.5 * n / STEPS, left = lightness(TEXLA_COLORMAP_DIVERGING, t);
    assert_true(fabs(left - lightness(TEXLA_COLORMAP_DIVERGING, 1 - t)) < 2 * lightnessTolerance);
    assert_true(fabs(left - (36 + 120 * t)) < 2 * lightnessTolerance);
  }
  uint8_t rgb[3];
  clColormapColor(rgb, TEXLA_COLORMAP_DIVERGING, 0.1);
  /* blue */
  assert_true(rgb[2] > rgb[0] + 80);
  clColormapColor(rgb, TEXLA_COLORMAP_DIVERGING, 0.9);
  /* red */
  assert_true(rgb[0] > rgb[2] + 80);
  clColormapColor(rgb, TEXLA_COLORMAP_DIVERGING, 0.5);
  /* white */
  assert_true(rgb[0] == rgb[1] && rgb[1] == rgb[2] && rgb[0] > 230);
}

static void knownColoursAreMet(void **state) {
  assertColour(TEXLA_COLORMAP_VIRIDIS, 0, 68, 1, 84, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_VIRIDIS, 128 / 255., 33, 145, 140, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_VIRIDIS, 232 / 255., 194, 223, 35, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_VIRIDIS, 1, 253, 231, 37, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_MAGMA, 128 / 255., 183, 55, 121, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_MAGMA, 38 / 255., 38, 17, 89, 4);
  assertColour(TEXLA_COLORMAP_MAGMA, 1, 252, 253, 191, TABLE_TOLERANCE);
  assertColour(TEXLA_COLORMAP_GREY, 0.2, 51, 51, 51, 0);
  assertColour(TEXLA_COLORMAP_GREY, 0.5, 128, 128, 128, 0);
}

TEST_MAIN(NULL, NULL, endsAreClampedAndNanIsMagenta, mapsAreContinuousAndAvoidTheNanColour,
          lightnessRises, divergingIsBalanced, knownColoursAreMet)
