#include "io/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

/* Releases everything and leaves the output closed. */
static void release(txOutput *output) {
  if (output->file && output->file != stdout)
    fclose(output->file);
  free(output->temporary);
  free(output->path);
  *output = (txOutput){0};
}

/* Creates a file that did not exist before: path.tmp0, path.tmp1, ... */
static void openTemporary(txOutput *output) {
  size_t size = strlen(output->path) + 16;
  output->temporary = malloc(size);
  if (!output->temporary)
    return;
  for (int k = 0; k < 1000 && !output->file; k++) {
    snprintf(output->temporary, size, "%s.tmp%d", output->path, k);
    output->file = fopen(output->temporary, "wbx");
    if (!output->file && errno != EEXIST)
      return;
  }
}

/* Sets output->file, or leaves it NULL with the reason in errno. */
static void openFile(txOutput *output, const char *path) {
  struct stat info;
  bool exists = stat(path, &info) == 0;
  output->path = exists ? realpath(path, NULL) : strdup(path); /* a link stays a link */
  if (!output->path || (exists && access(path, W_OK) != 0))
    return;
  if (exists && !S_ISREG(info.st_mode)) {
    output->file = fopen(path, "wb");
    return;
  }
  openTemporary(output);
  if (output->file && exists && fchmod(fileno(output->file), info.st_mode & 07777) != 0)
    errno = 0; /* another user's file system may keep no modes: not worth failing */
}

clStatus txOutputOpen(txOutput *output, const char *path, const char *call, clError *error) {
  *output = (txOutput){.call = call};
  if (!path || !*path)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the output has no file name");
  if (strcmp(path, "-") == 0) {
    output->file = stdout;
    return TEXLA_OK;
  }
  errno = 0;
  openFile(output, path);
  if (output->file)
    return TEXLA_OK;
  int reason = errno;
  release(output);
  return txFail(error, TEXLA_IO_ERROR, call, "cannot write %s: %s", path, reason ? strerror(reason) : "out of memory");
}

clStatus txOutputCommit(txOutput *output, clError *error) {
  errno = 0;
  bool good = fflush(output->file) == 0 && !ferror(output->file);
  int reason = errno;
  if (output->file != stdout && fclose(output->file) != 0 && good) {
    good = false;
    reason = errno;
  }
  output->file = NULL;
  if (good && output->temporary && rename(output->temporary, output->path) != 0) {
    good = false;
    reason = errno;
  }
  clStatus status = TEXLA_OK;
  if (!good)
    status = txFail(error, TEXLA_IO_ERROR, output->call, "writing %s failed: %s",
                    output->path ? output->path : "standard output", reason ? strerror(reason) : "write error");
  if (!good && output->temporary)
    remove(output->temporary);
  release(output);
  return status;
}

void txOutputAbort(txOutput *output) {
  if (output->temporary)
    remove(output->temporary);
  release(output);
}
