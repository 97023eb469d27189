/* Obstacles from pictures. */
#include "fuzz/fuzz.h"

#include "common/mask.h"

const char *fuzzSeed(int k, size_t *size) {
  /* 2 x 2 pixels, grey */
  static const char seed[] = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x02"
                             "\x08\x00\x00\x00\x00\x57\xdd\x52\xf8"
                             "\x00\x00\x00\x0eIDAT\x78\x9c\x63\x60\xf8\xcf\xc0\xc0\xf0\x1f\x00\x06"
                             "\x04\x01\xff\x96\x4a\x1d\xd1\x00\x00\x00\x00"
                             "IEND\xae\x42\x60\x82";
  *size = sizeof seed - 1;
  return k == 0 ? seed : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t solid[7 * 5];
  clError error = {0};
  clStatus status = demoMaskRead(solid, 7, 5, fuzzFile(data, size), &error);
  fuzzAssert(status == TEXLA_OK || error.message[0]);
  return 0;
}
