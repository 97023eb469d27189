#include "common/mask.h"
#include "common/walls.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "platform/platform.h"

#include <errno.h>
#include <string.h>

#if TEXLA_HAVE_PNG
#include <png.h>

/* More would not be a map of a grid, but a small file that fills the memory. */
static const uint64_t most_pixels = (uint64_t)1 << 27;

/* Grey and alpha, 8 bits each, of a picture that has begun; the caller frees them. Samples of 16
 * bits are heights or colours like those of 8, not amounts of light. */
static uint8_t *finish(png_image *image, const char *path, const char *option, clError *error) {
  if ((uint64_t)image->width * image->height > most_pixels) {
    txFail(error, TEXLA_TOO_LARGE, option,
           "the PNG picture %s of %u x %u pixels has more than 2^27", path, image->width,
           image->height);
    return NULL;
  }
  image->format = PNG_FORMAT_GA;
  image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  uint8_t *pixels = txAllocate(error, option, PNG_IMAGE_SIZE(*image), 1, "a picture");
  if (!pixels)
    return NULL;
  if (png_image_finish_read(image, NULL, pixels, 0, NULL))
    return pixels;
  txFail(error, TEXLA_BAD_FILE, option, "cannot read the PNG picture %s: %s", path, image->message);
  free(pixels);
  return NULL;
}

/* The pixels of a PNG, grey and alpha; the caller frees them. libpng's simplified interface is made
 * for files of strangers: nothing jumps out of it, and it checks sizes, sums and what is unpacked.
 * */
static uint8_t *load(int *width, int *height, const char *path, const char *option,
                     clError *error) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  uint8_t *pixels = NULL;
  uint64_t size;
  FILE *file = txStreamOpen(path, &size);
  if (!file)
    txFail(error, TEXLA_BAD_FILE, option, "cannot read the PNG picture %s: %s", path,
           strerror(errno));
  else if (png_image_begin_read_from_stdio(&image, file))
    pixels = finish(&image, path, option, error);
  else
    txFail(error, TEXLA_BAD_FILE, option, "cannot read the PNG picture %s: %s", path,
           image.message);
  if (file)
    fclose(file);
  *width = (int)image.width;
  *height = (int)image.height;
  png_image_free(&image);
  return pixels;
}
#else
static uint8_t *load(int *width, int *height, const char *path, const char *option,
                     clError *error) {
  *width = *height = 0;
  txFail(error, TEXLA_UNSUPPORTED, option,
         "cannot read the PNG picture %s: this program was built without libpng", path);
  return NULL;
}
#endif

clStatus demoMaskGrey(float *value, int nx, int ny, const char *path, const char *option,
                      clError *error) {
  int width, height;
  uint8_t *pixels = load(&width, &height, path, option, error);
  for (int k = 0; k < nx * ny && pixels; k++) {
    double x = (k % nx + 0.5) * width / nx - 0.5, y = (ny - 0.5 - k / nx) * height / ny - 0.5;
    /* x, y >= -1/2 */
    int i = (int)(x + 1) - 1, j = (int)(y + 1) - 1;
    double right = x - i, lower = y - j, sum = 0;
    const double across[] = {1 - right, right}, down[] = {1 - lower, lower};
    for (int c = 0; c < 4; c++) {
      int column = txWithin(i + c % 2, 0, width - 1), row = txWithin(j + c / 2, 0, height - 1);
      sum += across[c % 2] * down[c / 2] * pixels[2 * ((int64_t)row * width + column)];
    }
    value[k] = (float)(sum / 255);
  }
  free(pixels);
  if (!pixels)
    return error->status;
  return TEXLA_OK;
}

clStatus demoMaskRead(float *cover, int nx, int ny, const char *path, clError *error) {
  int width, height;
  uint8_t *pixels = load(&width, &height, path, "--obstacles", error);
  if (!pixels)
    return error->status;
  for (int k = 0; k < nx * ny; k++) {
    int dark = 0;
    for (int s = 0; s < DEMO_PLACES; s++) {
      double place[2];
      demoWallsPlace(place, s);
      int x = (int)((k % nx + place[0]) / nx * width);
      int y = height - 1 - (int)((k / nx + place[1]) / ny * height);
      const uint8_t *p = pixels + 2 * ((int64_t)y * width + x);
      dark += p[0] < 128 && p[1] >= 128;
    }
    cover[k] = (float)dark / (float)DEMO_PLACES;
  }
  free(pixels);
  return TEXLA_OK;
}
