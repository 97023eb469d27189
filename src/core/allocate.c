#include "core/allocate.h"
#include "platform/platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* From so many bytes on pages are worth a thought. */
enum { LARGE = 1 << 22 };

static void allocateReport(clError *error, const char *call, size_t count, size_t size,
                           const char *what) {
  txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for %s (%.0f bytes)", what,
         (double)count * (double)size);
}

void *txAllocate(clError *error, const char *call, size_t count, size_t size, const char *what) {
  size_t n = count + !count;
  void *memory = NULL;
  if (n <= SIZE_MAX / size)
    memory = calloc(n, size);
  if (!memory)
    allocateReport(error, call, count, size, what);
  else if (n * size >= LARGE)
    txMemoryLarge(memory, n * size);
  return memory;
}

void *txReallocate(clError *error, const char *call, void *memory, size_t count, size_t size,
                   const char *what) {
  size_t n = count + !count;
  void *grown = NULL;
  if (n <= SIZE_MAX / size)
    grown = realloc(memory, n * size);
  if (!grown)
    allocateReport(error, call, count, size, what);
  else if (n * size >= LARGE)
    txMemoryLarge(grown, n * size);
  return grown;
}

char *txCopyText(clError *error, const char *call, const char *text, const char *what) {
  size_t n = strlen(text) + 1;
  char *copy = txAllocate(error, call, n, 1, what);
  if (copy)
    memcpy(copy, text, n);
  return copy;
}
