#include "core/input.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "platform/platform.h"

/* Reads at most what the file had when it was opened: it may grow meanwhile. */
static clStatus readFile(int file, char **text, size_t *length, const char *path, size_t most,
                         const char *call, clError *error) {
  uint64_t bytes_there = 0;
  txPathKind kind = txFileLook(file, &bytes_there);
  if (kind == TX_PATH_NOTHING)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: %s", path, strerror(errno));
  if (kind != TX_PATH_FILE)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: it is not a regular file", path);
  if (bytes_there > most)
    return txFail(error, TEXLA_TOO_LARGE, call, "%s has %lld bytes, and at most %zu are expected",
                  path, (long long)bytes_there, most);
  size_t size = (size_t)bytes_there;
  char *bytes = txAllocate(error, call, size + 1, 1, "the content of a file");
  if (!bytes)
    return TEXLA_OUT_OF_MEMORY;
  int64_t count = txFileRead(file, bytes, size);
  if (count < 0) {
    int reason = errno;
    free(bytes);
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: %s", path, strerror(reason));
  }
  *text = bytes;
  if (length)
    *length = (size_t)count;
  return TEXLA_OK;
}

clStatus txInputRead(char **text, size_t *length, const char *path, size_t most, const char *call,
                     clError *error) {
  *text = NULL;
  int file = txFileOpen(path);
  if (file < 0 && errno == ENOENT)
    return TEXLA_OK;
  if (file < 0)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: %s", path, strerror(errno));
  clStatus status = readFile(file, text, length, path, most, call, error);
  txFileClose(file);
  return status;
}
