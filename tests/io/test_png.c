/* PNG pictures survive a round trip. */
#include "common.h"

#include "io/files.h"
#include "texla/io.h"

#if TEXLA_HAVE_PNG
#include <png.h>
#endif

#if TEXLA_HAVE_PNG
static void picturesSurviveARoundTrip(void **state) {
  static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {3, 2}, {17, 31}, {640, 480}};
  const char *path = folderPath(*state, "a.png");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int width = sizes[s][0], height = sizes[s][1];
    size_t bytes = 3 * (size_t)width * (size_t)height;
    FREED uint8_t *rgb = malloc(bytes);
    assert_non_null(rgb);
    /* smooth parts and noise */
    for (size_t k = 0; k < bytes; k++)
      rgb[k] = (uint8_t)(k % 1000 < 500 ? k / 7 : (size_t)rand());
    assert_int_equal(clPngWrite(path, rgb, width, height, NULL), TEXLA_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    /* three components of eight bits */
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    FREED uint8_t *back = malloc(bytes);
    assert_non_null(back);
    assert_true(png_image_finish_read(&image, NULL, back, 0, NULL));
    assert_memory_equal(rgb, back, bytes);
  }
}
#else
static void picturesSurviveARoundTrip(void **state) {
  testSkip("built without libpng");
}
#endif

static void failuresLeaveTheFile(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "b.png");
  const uint8_t rgb[12] = {0};
  clError error = {0};
  testWriteFile(path, "old", 3);
  assert_int_equal(clPngWrite(path, rgb, 0, 2, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clPngWrite(path, rgb, 2, -2, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clPngWrite(path, NULL, 2, 2, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clPngWrite(path, rgb, 100000, 100000, &error), TEXLA_TOO_LARGE);
  assert_string_equal(error.message,
                      "clPngWrite: 100000 x 100000 pixels are more than a picture may have");
  assert_int_equal(clPngWrite(path, rgb, INT32_MAX, 1, &error), TEXLA_TOO_LARGE);
  char *bytes = testReadFile(path, NULL);
  assert_string_equal(bytes, "old");
  free(bytes);
  assert_int_equal(clPngWrite(folderPath(folder, "no/b.png"), rgb, 2, 2, &error), TEXLA_IO_ERROR);
  char full[512];
  if (testFullDevice(folder, full))
    assert_int_equal(clPngWrite(full, rgb, 2, 2, &error), TEXLA_IO_ERROR);
}

TEST_MAIN(testFolderCreate, testFolderDestroy, picturesSurviveARoundTrip, failuresLeaveTheFile)
