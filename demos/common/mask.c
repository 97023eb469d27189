#include "common/mask.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

#include <errno.h>
#include <string.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

/* The pixels of a PNG, grey and alpha; the caller frees them. */
static uint8_t *load(int *width, int *height, const char *path, const char *option,
                     clError *error) {
  int ignored;
  errno = 0;
  uint8_t *pixels = stbi_load(path, width, height, &ignored, 2);
  if (!pixels)
    txFail(error, TEXLA_BAD_FILE, option, "cannot read the PNG picture %s: %s", path,
           errno ? strerror(errno) : stbi_failure_reason());
  return pixels;
}

static int clampTo(int i, int n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

clStatus demoMaskGrey(float *value, int nx, int ny, const char *path, const char *option,
                      clError *error) {
  int width, height;
  uint8_t *pixels = load(&width, &height, path, option, error);
  for (int k = 0; k < nx * ny && pixels; k++) {
    double x = (k % nx + 0.5) * width / nx - 0.5, y = (ny - 0.5 - k / nx) * height / ny - 0.5;
    /* x, y >= -1/2 */
    int i = (int)(x + 1) - 1, j = (int)(y + 1) - 1;
    double s = x - i, t = y - j, sum = 0;
    for (int c = 0; c < 4; c++) {
      const uint8_t *p =
          pixels + 2 * ((int64_t)clampTo(j + c / 2, height) * width + clampTo(i + c % 2, width));
      sum += (c % 2 ? s : 1 - s) * (c / 2 ? t : 1 - t) * p[0];
    }
    value[k] = (float)(sum / 255);
  }
  stbi_image_free(pixels);
  return pixels ? TEXLA_OK : error->status;
}

clStatus demoMaskRead(uint8_t *solid, int nx, int ny, const char *path, clError *error) {
  int width, height;
  uint8_t *pixels = load(&width, &height, path, "--obstacles", error);
  if (!pixels)
    return error->status;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int64_t x = (int64_t)i * width / nx, y = (int64_t)(ny - 1 - j) * height / ny;
      const uint8_t *p = pixels + 2 * (y * width + x);
      solid[(int64_t)j * nx + i] = p[0] < 128 && p[1] >= 128;
    }
  stbi_image_free(pixels);
  return TEXLA_OK;
}
