#include "core/output.h"
#include "core/try.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "platform/platform.h"

static void closeFile(txOutput *output) {
  if (output->file && output->file != stdout)
    fclose(output->file);
  output->file = NULL;
}

/* Releases everything and leaves the output closed. */
static void outputRelease(txOutput *output) {
  closeFile(output);
  free(output->temporary);
  free(output->path);
  *output = (txOutput){0};
}

/* The first of path.KIND0, path.KIND1, ... for which `make` succeeds, or NULL with the reason in
 * errno. */
static char *freeName(const char *path, const char *kind,
                      bool (*make)(const char *name, void *user), void *user) {
  size_t size = strlen(path) + strlen(kind) + 16;
  char *name = malloc(size);
  for (int k = 0; name && k < 1000; k++) {
    snprintf(name, size, "%s.%s%d", path, kind, k);
    if (make(name, user))
      return name;
    if (errno != EEXIST)
      break;
  }
  free(name);
  return NULL;
}

/* Gives the file its first name; there must be none of that name yet. */
static bool linkUnnamed(const char *name, void *user) {
  return txFileName(((txOutput *)user)->file, name);
}

/* With a name that was free. */
static bool createFile(const char *name, void *user) {
  txOutput *output = user;
  output->file = txFileCreate(name);
  return output->file != NULL;
}

/* Sets output->file, or leaves it NULL with the reason in errno. */
static void outputOpenFile(txOutput *output, const char *path) {
  unsigned mode = 0;
  txPathKind kind = txPathLook(path, &mode);
  /* The file that a symbolic link leads to is replaced, and the link stays one; a link that leads
   * nowhere is refused. */
  bool exists = kind != TX_PATH_NOTHING || txPathIsLink(path);
  output->path = exists ? txFileReal(path) : strdup(path);
  if (!output->path || (exists && !txPathWritable(path)))
    return;
  if (exists && kind != TX_PATH_FILE) {
    output->file = fopen(path, "wb");
    return;
  }
  output->file = txFileUnnamed(output->path);
  output->unnamed = output->file != NULL;
  if (!output->unnamed)
    output->temporary = freeName(output->path, "tmp", createFile, output);
  /* A file system may keep no modes, which is not worth failing for. */
  if (output->file && exists && !txFileKeepMode(output->file, mode))
    errno = 0;
}

/* A device or a pipe is written directly: it could not be replaced. */
clStatus txOutputOpen(txOutput *output, const char *path, const char *call, clError *error) {
  *output = (txOutput){.call = call};
  if (!path || !*path)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the output has no file name");
  if (strcmp(path, "-") == 0) {
    output->file = stdout;
    return TEXLA_OK;
  }
  errno = 0;
  outputOpenFile(output, path);
  if (output->file)
    return TEXLA_OK;
  int reason = errno;
  outputRelease(output);
  if (!reason || reason == ENOMEM)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "cannot write %s: out of memory", path);
  return txFail(error, TEXLA_IO_ERROR, call, "cannot write %s: %s", path, strerror(reason));
}

/* Why the destination could not be written; without a reason it is the C library that knows no
 * better. */
static clStatus outputFail(const txOutput *output, int reason, clError *error) {
  const char *why = reason ? strerror(reason) : "write error";
  const char *path = output->path ? output->path : "standard output";
  clStatus status = TEXLA_IO_ERROR;
  if (reason == ENOMEM)
    status = TEXLA_OUT_OF_MEMORY;
  return txFail(error, status, output->call, "writing %s failed: %s", path, why);
}

/* Why is forgotten by now, but one more byte meets the same obstacle. */
int txOutputReason(FILE *file) {
  clearerr(file);
  errno = 0;
  if (fputc('\n', file) != EOF)
    fflush(file);
  return txFileReason();
}

/* Everything is in the file, and the file on the disk, before it takes its name: after a crash of
 * the machine there is the old content or the new one. */
static clStatus outputFinish(txOutput *output, clError *error) {
  int reason = 0;
  bool good = !ferror(output->file);
  if (!good)
    reason = txOutputReason(output->file);
  bool own = output->temporary || output->unnamed;
  if (good && (fflush(output->file) != 0 || (own && !txFileSync(output->file)))) {
    reason = txFileReason();
    good = false;
  }
  if (good && output->unnamed) {
    output->temporary = freeName(output->path, "tmp", linkUnnamed, output);
    good = output->temporary != NULL;
    reason = txFileReason();
  }
  if (output->file != stdout && fclose(output->file) != 0 && good) {
    reason = txFileReason();
    good = false;
  }
  output->file = NULL;
  if (!good)
    return outputFail(output, reason, error);
  return TEXLA_OK;
}

static bool linkFile(const char *name, void *user) {
  return txFileLink(user, name);
}

/* What stood in an output's place before. */
typedef struct formerFile {
  bool existed, placed;
  /* A second name of what stood there; NULL where nothing did, or on a file system without such
   * links. */
  char *kept;
} formerFile;

/* The file takes its name. What stood there keeps a second one, until all files of the set have
 * theirs. */
static clStatus outputPlace(const txOutput *output, formerFile *former, clError *error) {
  if (!output->temporary)
    return TEXLA_OK;
  former->existed = txPathLook(output->path, NULL) != TX_PATH_NOTHING;
  if (former->existed)
    former->kept = freeName(output->path, "old", linkFile, output->path);
  former->placed = txFileReplace(output->temporary, output->path);
  if (!former->placed)
    return outputFail(output, errno, error);
  return TEXLA_OK;
}

/* Drops the second name, after the former file has its place again when that is wanted. */
static void outputSettle(const txOutput *output, formerFile *former, bool back) {
  if (back && former->placed && former->kept && txFileReplace(former->kept, output->path))
    former->kept[0] = 0;
  if (back && former->placed && !former->existed)
    remove(output->path);
  if (former->kept && former->kept[0])
    remove(former->kept);
  free(former->kept);
}

/* Finishes all files before the first one takes its place. */
static clStatus placeAll(txOutput *outputs, formerFile *former, int count, clError *error) {
  for (int k = 0; k < count; k++)
    if (outputs[k].file)
      TRY(outputFinish(&outputs[k], error));
  for (int k = 0; k < count; k++)
    TRY(outputPlace(&outputs[k], &former[k], error));
  return TEXLA_OK;
}

/* After a failure those that have taken their places already give them back. */
clStatus txOutputCommitAll(txOutput *outputs, int count, clError *error) {
  formerFile *former =
      txAllocate(error, "output", (size_t)count, sizeof *former, "the names of files");
  if (!former) {
    for (int k = 0; k < count; k++)
      txOutputAbort(&outputs[k]);
    return TEXLA_OUT_OF_MEMORY;
  }
  clStatus status = placeAll(outputs, former, count, error);
  for (int k = 0; k < count; k++) {
    outputSettle(&outputs[k], &former[k], status != TEXLA_OK);
    if (former[k].placed)
      outputRelease(&outputs[k]);
    else
      txOutputAbort(&outputs[k]);
  }
  free(former);
  return status;
}

/* A single file needs no second name of what stood there: rename replaces it in one step. */
clStatus txOutputCommit(txOutput *output, clError *error) {
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(outputFinish(output, error));
  if (output->temporary && !txFileReplace(output->temporary, output->path))
    TRY_CLEANUP(outputFail(output, errno, error));
  outputRelease(output);
  return TEXLA_OK;
cleanup:
  txOutputAbort(output);
  return status;
}

/* Windows removes no file that is open. */
void txOutputAbort(txOutput *output) {
  closeFile(output);
  if (output->temporary)
    remove(output->temporary);
  outputRelease(output);
}

void txOutputName(const txOutput *output, char *name, size_t size) {
  const char *current = output->path;
  if (output->temporary)
    current = output->temporary;
  if (output->unnamed)
    txFileUnnamedPath(output->file, name, size);
  else
    snprintf(name, size, "%s", current);
}
