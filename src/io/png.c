/* PNG files by stb_image_write, with the compressor of zlib. */
#include "core/error.h"
#include "core/output.h"
#include "texla/io.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

/* stb's own compressor asserts, or writes through NULL, when memory ends while its result grows;
 * zlib's result has a bound that is allocated before. stb frees what is returned here, except where
 * memory ends right afterwards: then clPngWrite does. */
static _Thread_local unsigned char *compressed;

/* zlib's level: pictures of simulations take a sixth of the time of level 8, stb's own, and are 5 %
 * larger. */
enum { LEVEL = 5 };

/* stb's interface. NULL: no memory. */
static unsigned char *compressBytes(unsigned char *bytes, int count, int *size, int quality) {
  (void)quality;
  uLongf length = compressBound((uLong)count);
  unsigned char *result = length <= INT_MAX ? malloc(length) : NULL;
  if (result && compress2(result, &length, bytes, (uLong)count, LEVEL) != Z_OK) {
    free(result);
    result = NULL;
  }
  *size = (int)length;
  return compressed = result;
}

#define STBIW_ZLIB_COMPRESS compressBytes
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* stb_image_write counts bytes with int, and compressed data may grow a little. */
#define TX_PNG_BYTES_MAX (INT32_MAX / 2)

/* stb writes the file in pieces. */
static void writeBytes(void *context, void *data, int size) {
  txOutput *output = context;
  fwrite(data, 1, (size_t)size, output->file);
}

/* Row 0 is at the top, as PNG has it. A file that is there already is replaced when the new one
 * is whole. */
clStatus clPngWrite(const char *path, const uint8_t *rgb, int width, int height, clError *error) {
  const char *call = "clPngWrite";
  if (!rgb || width < 1 || height < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "%d x %d pixels%s", width, height,
                  rgb ? "" : " at NULL");
  if ((3 * (int64_t)width + 1) > TX_PNG_BYTES_MAX / height)
    return txFail(error, TEXLA_TOO_LARGE, call, "%d x %d pixels are more than a picture may have",
                  width, height);
  txOutput output;
  clStatus status = txOutputOpen(&output, path, call, error);
  if (status != TEXLA_OK)
    return status;
  compressed = NULL;
  if (!stbi_write_png_to_func(writeBytes, &output, width, height, 3, rgb, 3 * width)) {
    free(compressed);
    txOutputAbort(&output);
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory to compress %d x %d pixels", width,
                  height);
  }
  return txOutputCommit(&output, error);
}
