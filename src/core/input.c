#include "core/input.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/allocate.h"
#include "platform/platform.h"

/* As many of `size` bytes as the file has, or -1. Systems read less than 2 GiB in one call. */
static ssize_t readAll(int file, char *bytes, size_t size) {
  const size_t most = 1 << 30;
  size_t length = 0;
  while (length < size) {
    size_t part = size - length;
    if (part > most)
      part = most;
    ssize_t more = read(file, bytes + length, (unsigned)part);
    if (more < 0 && errno == EINTR)
      continue;
    if (more < 0)
      return -1;
    if (more == 0)
      break;
    length += (size_t)more;
  }
  return (ssize_t)length;
}

/* Reads at most what the file had when it was opened: it may grow meanwhile. */
static clStatus readFile(int file, char **text, size_t *length, const char *path, size_t most,
                         const char *call, clError *error) {
  struct stat info;
  if (fstat(file, &info) != 0)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: %s", path, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s: it is not a regular file", path);
  if ((uintmax_t)info.st_size > most)
    return txFail(error, TEXLA_TOO_LARGE, call, "%s has %lld bytes, and at most %zu are expected",
                  path, (long long)info.st_size, most);
  size_t size = (size_t)info.st_size;
  char *bytes = txAllocate(error, call, size + 1, 1, "the content of a file");
  if (!bytes)
    return TEXLA_OUT_OF_MEMORY;
  ssize_t count = readAll(file, bytes, size);
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
  close(file);
  return status;
}
