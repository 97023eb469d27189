#include "common/mask.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

#include <errno.h>
#include <string.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

clStatus demoMaskRead(uint8_t *solid, int nx, int ny, const char *path, clError *error) {
  int width, height, ignored;
  errno = 0;
  uint8_t *pixels = stbi_load(path, &width, &height, &ignored, 2); /* grey and alpha */
  if (!pixels)
    return txFail(error, TEXLA_BAD_FILE, "--obstacles", "cannot read the PNG picture %s: %s", path,
                  errno ? strerror(errno) : stbi_failure_reason());
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int64_t x = (int64_t)i * width / nx, y = (int64_t)(ny - 1 - j) * height / ny;
      const uint8_t *p = pixels + 2 * (y * width + x);
      solid[(int64_t)j * nx + i] = p[0] < 128 && p[1] >= 128;
    }
  stbi_image_free(pixels);
  return TEXLA_OK;
}
