/* Obstacles from pictures. */
#include "fuzz/fuzz.h"

#include "common/mask.h"

const char *fuzzSeed(int k, size_t *size) {
  /* 2 x 2 pixels, grey: signature, header, data, end */
  static const char seed[] =
      "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a"
      "\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\x00\x02\x08\x00"
      "\x00\x00\x00\x57\xdd\x52\xf8"
      "\x00\x00\x00\x0e\x49\x44\x41\x54\x78\xda\x63\x48\xf8\xc1\xf0\x9f\x01\x00"
      "\x07\xc4\x02\x58\x2b\x81\x3b\x9d"
      "\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
  /* the same with an empty part before its data */
  static const char empty[] =
      "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a"
      "\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\x00\x02\x08\x00"
      "\x00\x00\x00\x57\xdd\x52\xf8"
      "\x00\x00\x00\x00\x49\x44\x41\x54\x35\xaf\x06\x1e"
      "\x00\x00\x00\x0e\x49\x44\x41\x54\x78\xda\x63\x48\xf8\xc1\xf0\x9f\x01\x00"
      "\x07\xc4\x02\x58\x2b\x81\x3b\x9d"
      "\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";
  if (k == 0) {
    *size = sizeof seed - 1;
    return seed;
  }
  *size = sizeof empty - 1;
  return k == 1 ? empty : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  float cover[7 * 5];
  clError error = {0};
  clStatus status = demoMaskRead(cover, 7, 5, fuzzFile(data, size), &error);
  fuzzAssert(status == TEXLA_OK || error.message[0]);
  bool is_seed = false;
  for (int k = 0; k < 2; k++) {
    size_t length;
    const char *seed = fuzzSeed(k, &length);
    is_seed |= length == size && memcmp(seed, data, size) == 0;
  }
  fuzzAssert(status == TEXLA_OK || !is_seed || !TEXLA_HAVE_PNG);
  return 0;
}
