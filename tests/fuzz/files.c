/* What targets share. */
#define _GNU_SOURCE
#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzzFile(const void *data, size_t size) {
  static char path[64];
  static int file = -1;
  if (file >= 0)
    close(file);
  file = memfd_create("fuzz", MFD_CLOEXEC);
  fuzzAssert(file >= 0 && write(file, data, size) == (ssize_t)size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return path;
}

char *fuzzText(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  fuzzAssert(text);
  memcpy(text, data, size);
  text[size] = 0;
  return text;
}

static void writeSeeds(const char *folder) {
  const char *seed;
  size_t size = 0;
  for (int k = 0; (seed = fuzzSeed(k, &size)); k++, size = 0) {
    char path[512];
    snprintf(path, sizeof path, "%s/seed-%d", folder, k);
    FILE *file = fopen(path, "wb");
    size = size ? size : strlen(seed);
    fuzzAssert(file && fwrite(seed, 1, size, file) == size && fclose(file) == 0);
  }
  exit(0);
}

/* libFuzzer calls this first. --seeds=FOLDER: writes the seeds there and ends. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (int k = 1; k < *argc; k++)
    if (strncmp((*argv)[k], "--seeds=", 8) == 0)
      writeSeeds((*argv)[k] + 8);
  return 0;
}
