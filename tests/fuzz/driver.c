/* Without libFuzzer: each seed, and inputs that differ from seeds in a few places. The argument is
 * their number (3000). */
#include "fuzz/fuzz.h"

enum { LARGEST = 4096 };
static const char *const words[] = {
    "0",        "-1",      "1e308", "nan", "inf", "2147483648", "-9223372036854775809",
    "1e-400",   "%",       "\n",    "\r",  " ",   "\"",         "\\",
    "#include", "general", "--",    "=",   "x",   "\xff\xfe",   "99999999999999999999"};
enum { WORDS = sizeof words / sizeof *words };

static uint32_t bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

static size_t insert(uint8_t *data, size_t size, size_t at, const void *bytes, size_t count) {
  if (size + count > LARGEST)
    return size;
  memmove(data + at + count, data + at, size - at);
  memcpy(data + at, bytes, count);
  return size + count;
}

/* One change: a bit, a byte, a word, a part left out, a part twice. */
static size_t change(uint8_t *data, size_t size, uint64_t *state) {
  size_t at = 0, length = 0;
  if (size) {
    at = bits(state) % size;
    length = 1 + bits(state) % (size - at < 32 ? size - at : 32);
  }
  const char *word = words[bits(state) % WORDS];
  uint8_t part[32];
  switch (bits(state) % 5) {
  case 0:
    if (size)
      data[at] ^= (uint8_t)(1 << bits(state) % 8);
    return size;
  case 1:
    if (size)
      data[at] = (uint8_t)bits(state);
    return size;
  case 2:
    return insert(data, size, at, word, strlen(word));
  case 3:
    memmove(data + at, data + at + length, size - at - length);
    return size - length;
  default:
    memcpy(part, data + at, length);
    return insert(data, size, at, part, length);
  }
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int main(int argc, char **argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  long runs = argc > 1 ? strtol(argv[1], NULL, 10) : 3000;
  uint8_t data[LARGEST];
  uint64_t state = 1;
  int seeds = 0;
  size_t size = 0;
  for (const char *seed; (seed = fuzzSeed(seeds, &size)); seeds++, size = 0)
    LLVMFuzzerTestOneInput((const uint8_t *)seed, size ? size : strlen(seed));
  for (long k = 0; k < runs; k++) {
    size = 0;
    const char *seed = fuzzSeed((int)(k % seeds), &size);
    size = size ? size : strlen(seed);
    size = size < LARGEST ? size : LARGEST;
    memcpy(data, seed, size);
    for (uint32_t changes = 1 + bits(&state) % 6; changes > 0; changes--)
      size = change(data, size, &state);
    LLVMFuzzerTestOneInput(data, size);
  }
  fprintf(stderr, "%d seeds, %ld inputs\n", seeds, runs);
  return 0;
}
