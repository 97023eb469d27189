/* How programs begin and end: messages, exit statuses, their context, and what can be refused
 * before the work begins. */
#include "program/program.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "core/try.h"
#include "platform/platform.h"

const char *txProgramMessage(const clError *error) {
  const char *message = error->message;
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  size_t length = strspn(message, letters);
  if (strncmp(message, "cl", 2) == 0 && strncmp(message + length, ": ", 2) == 0)
    return message + length + 2;
  return message;
}

int txProgramFail(const txProgram *program, const clError *error) {
  fprintf(stderr, "%s: %s\n", program->name, txProgramMessage(error));
  return TX_EXIT_BAD;
}

int txProgramExit(const txProgram *program, clStatus status, bool good, const clError *error) {
  if (status < 0)
    return txProgramFail(program, error);
  if (good)
    return TX_EXIT_GOOD;
  return TX_EXIT_NOT_CONVERGED;
}

int txProgramEnd(const char *name, int status) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  int reason = txOutputReason(stdout);
  if (reason == EPIPE || status == TX_EXIT_BAD)
    return TX_EXIT_BAD;
  fprintf(stderr, "%s: writing standard output failed: %s\n", name, strerror(reason));
  return TX_EXIT_BAD;
}

clStatus txProgramTake(clError *error, const clContext *context, clStatus status) {
  if (status < 0)
    *error = *clContextError(context);
  return status;
}

bool txProgramIsStandard(const char *path) {
  return path && strcmp(path, "-") == 0;
}

const char *txPlural(int64_t count) {
  if (count == 1)
    return "";
  return "s";
}

FILE *txProgramSummary(const char *path) {
  if (txProgramIsStandard(path))
    return stderr;
  return stdout;
}

/* The context's log, as clContextOptions has it: warnings, with --verbose all. */
static void printLog(void *user, clLogLevel level, const char *message) {
  const txProgram *program = user;
  if (program->common->verbose || (level == TEXLA_LOG_WARNING && !program->common->quiet))
    fprintf(stderr, "%s: %s\n", program->name, message);
}

/* A tuning file is also written to: nothing but a tuning table, or nothing at all, may stand in
 * it. */
static clStatus checkTuning(const char *path, clError *error) {
  static const char head[] = "# texla";
  if (!path)
    return TEXLA_OK;
  FILE *file = fopen(path, "rb");
  if (!file && errno != ENOENT)
    return txFail(error, TEXLA_IO_ERROR, "--tuning", "cannot open %s: %s", path, strerror(errno));
  if (!file)
    return txProgramCheckOutput(path, error);
  char text[sizeof head] = "";
  size_t length = fread(text, 1, sizeof head - 1, file);
  bool failed = ferror(file) != 0, good = length == 0 || strcmp(text, head) == 0;
  fclose(file);
  if (failed)
    return txFail(error, TEXLA_IO_ERROR, "--tuning", "cannot read %s: %s", path, strerror(errno));
  if (!good)
    return txFail(error, TEXLA_BAD_FILE, "--tuning",
                  "%s is not a tuning table: its first line must begin with '%s'", path, head);
  return TEXLA_OK;
}

void txProgramPrepare(clContextOptions *options, const txProgram *program) {
  txProgramPlaceMemory();
  options->device = program->common->device;
  options->tuning = program->common->tuning;
  options->trace = program->common->trace;
  options->trace_choose = program->common->trace_choose;
  options->log = printLog;
  options->log_level = TEXLA_LOG_WARNING;
  if (program->common->verbose)
    options->log_level = TEXLA_LOG_DEBUG;
  options->log_user = (void *)program;
}

clStatus txProgramOpenWith(clContext **out, const txProgram *program, bool adopt,
                           const clContextOptions *more, clError *error) {
  clContextOptions options = *more;
  options.adopt = adopt;
  TRY(checkTuning(program->common->tuning, error));
  txProgramPrepare(&options, program);
  return clContextCreate(out, &options, error);
}

clStatus txProgramOpen(clContext **out, const txProgram *program, int64_t elements,
                       clError *error) {
  return txProgramOpenWith(out, program, false, &(clContextOptions){.elements = elements}, error);
}

clStatus txProgramCheckOutput(const char *path, clError *error) {
  if (!path || txProgramIsStandard(path))
    return TEXLA_OK;
  /* opening and closing a pipe would end its reader */
  if (txPathLook(path, NULL) == TX_PATH_OTHER) {
    if (!txPathWritable(path))
      return txFail(error, TEXLA_IO_ERROR, "clOutput", "cannot write %s: %s", path,
                    strerror(errno));
    return TEXLA_OK;
  }
  txOutput output;
  TRY(txOutputOpen(&output, path, "clOutput", error));
  txOutputAbort(&output);
  return TEXLA_OK;
}

/* The name without links in its folder of a file that need not exist; the caller frees it. */
static char *realName(const char *path) {
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  char folder[4096] = ".";
  if (name > path)
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
  char *real = txFileReal(folder), *whole = NULL;
  size_t size = (real ? strlen(real) : 0) + strlen(name) + 2;
  if (real)
    whole = malloc(size);
  if (whole)
    snprintf(whole, size, "%s/%s", real, name);
  free(real);
  return whole;
}

bool txProgramIsSameFile(const char *a, const char *b) {
  if (!a || !b || txProgramIsStandard(a) || txProgramIsStandard(b) ||
      txPathLook(a, NULL) == TX_PATH_OTHER)
    return false;
  if (strcmp(a, b) == 0 || txPathSame(a, b))
    return true;
  char *real_a = realName(a), *real_b = realName(b);
  bool same = real_a && real_b && strcmp(real_a, real_b) == 0;
  free(real_a);
  free(real_b);
  return same;
}

clStatus txProgramCheckOutputs(const char *const *paths, int count, clError *error) {
  for (int k = 0; k < count; k++) {
    TRY(txProgramCheckOutput(paths[k], error));
    for (int other = 0; other < k; other++)
      if (txProgramIsSameFile(paths[k], paths[other]))
        return txFail(error, TEXLA_BAD_ARGUMENT, "clOutput",
                      "two outputs would be the same file: %s and %s; give each its own name",
                      paths[other], paths[k]);
  }
  return TEXLA_OK;
}

clStatus txProgramCheckMemory(double bytes, const char *what, clError *error) {
  const double gibibyte = 1 << 30;
  double memory = (double)txMemory();
  if (bytes <= memory)
    return TEXLA_OK;
  return txFail(error, TEXLA_TOO_LARGE, "clMemory",
                "%s takes about %.0f GiB of memory, but this machine has %.0f GiB", what,
                ceil(bytes / gibibyte), floor(memory / gibibyte));
}
