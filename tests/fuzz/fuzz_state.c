/* Saved states of the demos, with a checksum that is right: parts of any kind, numbers that no run
 * writes. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "common/state.h"

/* "TEXLASIM", format, byte order; then parts of 32 + 8 bytes and their content. */
#define HEAD "TEXLASIM\x01\x00\x00\x00\x04\x03\x02\x01"
#define PART(name, length)                                                                         \
  name "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"  \
       "\x00\x00\x00\x00\x00"                                                                      \
       "\x00" length "\x00\x00\x00\x00\x00\x00\x00"

/* A text, two numbers, and a float. */
#define STATE(number, single)                                                                      \
  HEAD PART("text", "\x04") "abcd" PART("nums", "\x10") number                                     \
      "\x00\x00\x00\x00\x00\x00\x00\x40" PART("flts", "\x04") single
#define ONE "\x00\x00\x00\x00\x00\x00\xf0\x3f"
#define NOT_FINITE "\x00\x00\x00\x00\x00\x00\xf8\x7f"

const char *fuzzSeed(int k, size_t *size) {
  static const char seed[][sizeof STATE(ONE, "\x00\x00\x80\x3f")] = {
      STATE(ONE, "\x00\x00\x80\x3f"), STATE(NOT_FINITE, "\x00\x00\x80\x3f"),
      STATE(ONE, "\x00\x00\xc0\x7f")};
  *size = sizeof seed[0] - 1;
  return k < 3 ? seed[k] : NULL;
}

static char *withHash(const uint8_t *data, size_t size) {
  uint64_t hash = 14695981039346656037u;
  char *bytes = malloc(size + sizeof hash);
  fuzzAssert(bytes);
  for (size_t k = 0; k < size; k++)
    hash = (hash ^ data[k]) * 1099511628211u;
  memcpy(bytes, data, size);
  memcpy(bytes + size, &hash, sizeof hash);
  return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *bytes = withHash(data, size);
  demoState *state = NULL;
  clError error = {0};
  double numbers[2] = {0};
  float values[1] = {0};
  clStatus status = demoStateRead(&state, fuzzFile(bytes, size + 8), &error);
  fuzzAssert(status == TEXLA_OK ? state != NULL : error.message[0] != 0);
  if (state) {
    demoStateHas(state, "text");
    demoStateText(state, "text");
    demoStateNumbers(state, "nums", numbers, 2);
    demoStateFloats(state, "flts", values, 1);
    if (!demoStateStatus(state))
      fuzzAssert(fabs(numbers[0]) <= 0x1p53 && fabs(numbers[1]) <= 0x1p53 && isfinite(values[0]));
  }
  demoStateDestroy(state);
  free(bytes);
  return 0;
}
