/* Pictures and films with texts: PNG chunks, whose checksums are made right, and GIF comments. */
#include "fuzz/fuzz.h"

#include "common/film_text.h"
#include "common/png_text.h"

#include <unistd.h>

#define SIGNATURE "\x89PNG\r\n\x1a\n"
#define HEADER                                                                                     \
  "\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x00\x00\x00\x00"
#define END "\x00\x00\x00\x00IEND\x00\x00\x00\x00"

const char *fuzzSeed(int k, size_t *size) {
  static const char text[] =
      SIGNATURE HEADER "\x00\x00\x00\x0btEXttexla\x00lab f\x00\x00\x00\x00" END;
  static const char gif[] = "GIF89a\x01\x00\x01\x00\x00\x00\x00!\xfe\x0ctexla lab\na\x00;";
  static const char *const seeds[] = {text, gif, NULL};
  static const size_t sizes[] = {sizeof text - 1, sizeof gif - 1};
  if (seeds[k])
    *size = sizes[k];
  return seeds[k];
}

static uint32_t numberAt(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t sumOf(const uint8_t *bytes, size_t count) {
  uint32_t sum = 0xffffffff;
  for (size_t k = 0; k < count; k++) {
    sum ^= bytes[k];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/* The checksum of each chunk that is there as a whole. */
static void mend(uint8_t *bytes, size_t size) {
  for (size_t at = 8; size >= 12 && at <= size - 12;) {
    uint32_t length = numberAt(bytes + at);
    if (length > size - at - 12)
      return;
    uint32_t sum = sumOf(bytes + at + 4, length + 4);
    for (int k = 0; k < 4; k++)
      bytes[at + 8 + length + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
    at += 12 + length;
  }
}

/* The ending decides which reader it is. */
static const char *gifNamed(const char *path) {
  static char name[64];
  snprintf(name, sizeof name, "/dev/shm/texla-fuzz-%ld.gif", (long)getpid());
  unlink(name);
  fuzzAssert(symlink(path, name) == 0);
  return name;
}

static void check(clStatus status, char *text, const clError *error) {
  fuzzAssert(status == TEXLA_OK || (!text && error->message[0]));
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clError error = {0};
  char *bytes = fuzzText(data, size), *text = NULL;
  mend((uint8_t *)bytes, size);
  const char *path = fuzzFile(bytes, size);
  clStatus status = demoPngGetText(&text, path, "texla", &error);
  check(status, text, &error);
  path = gifNamed(path);
  status = demoFilmGetText(&text, path, "texla ", &error);
  check(status, text, &error);
  unlink(path);
  free(bytes);
  return 0;
}
