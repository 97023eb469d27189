#include "core/allocate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *report(clError *error, const char *call, size_t count, size_t size, const char *what) {
  txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for %s (%.0f bytes)", what,
         (double)count * (double)size);
  return NULL;
}

void *txAllocate(clError *error, const char *call, size_t count, size_t size, const char *what) {
  size_t n = count > 0 ? count : 1;
  void *memory = n <= SIZE_MAX / size ? calloc(n, size) : NULL;
  return memory ? memory : report(error, call, count, size, what);
}

void *txReallocate(clError *error, const char *call, void *memory, size_t count, size_t size,
                   const char *what) {
  size_t n = count > 0 ? count : 1;
  void *grown = n <= SIZE_MAX / size ? realloc(memory, n * size) : NULL;
  return grown ? grown : report(error, call, count, size, what);
}

char *txCopyText(clError *error, const char *call, const char *text, const char *what) {
  size_t n = strlen(text) + 1;
  char *copy = txAllocate(error, call, n, 1, what);
  return copy ? memcpy(copy, text, n) : NULL;
}
