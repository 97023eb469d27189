#include "common/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"
#include "core/output.h"
#include "core/try.h"

enum { NAME = 32, HEAD = 16, TAIL = 8, FORMAT = 1, ORDER = 0x01020304 };
static const char magic[] = "TEXLASIM";

struct demoState {
  clError *error;
  clStatus status;
  bool loads;
  const char *path;
  /* the whole file, without the hash */
  uint8_t *bytes;
  size_t length, capacity;
  char *text;
};

static uint64_t hashOf(const uint8_t *bytes, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < length; k++)
    hash = (hash ^ bytes[k]) * 1099511628211u;
  return hash;
}

/* The first failure is kept, and what follows does nothing: callers look once, at the end. */
static void append(demoState *s, const void *bytes, size_t count) {
  if (!s->status && s->length + count > s->capacity) {
    size_t capacity = 2 * s->capacity + count;
    uint8_t *larger = realloc(s->bytes, capacity);
    if (!larger) {
      s->status = txFail(s->error, TEXLA_OUT_OF_MEMORY, "--save", "no memory for the state");
      return;
    }
    s->bytes = larger;
    s->capacity = capacity;
  }
  if (s->status || !count)
    return;
  memcpy(s->bytes + s->length, bytes, count);
  s->length += count;
}

clStatus demoStateCreate(demoState **out, clError *error) {
  const uint32_t head[] = {FORMAT, ORDER};
  demoState *s = calloc(1, sizeof *s);
  if (!s)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--save", "no memory for the state");
  s->error = error;
  append(s, magic, 8);
  append(s, head, sizeof head);
  clStatus status = s->status;
  if (status)
    demoStateDestroy(s);
  else
    *out = s;
  return status;
}

static clStatus readFile(demoState *s) {
  char *text;
  TRY(txInputRead(&text, &s->length, s->path, SIZE_MAX / 2, "--load", s->error));
  if (!text)
    return txFail(s->error, TEXLA_IO_ERROR, "--load", "cannot open %s: there is no such file",
                  s->path);
  s->bytes = (uint8_t *)text;
  return TEXLA_OK;
}

/* Is the file one of ours, and whole? */
static clStatus check(demoState *s) {
  uint32_t head[2] = {0};
  uint64_t hash = 0;
  if (s->length < HEAD || memcmp(s->bytes, magic, 8) != 0)
    return txFail(s->error, TEXLA_BAD_FILE, "--load", "%s is not a saved state", s->path);
  memcpy(head, s->bytes + 8, sizeof head);
  if (head[1] != ORDER)
    return txFail(s->error, TEXLA_BAD_FILE, "--load",
                  "%s was saved on a machine with another byte order", s->path);
  if (head[0] != FORMAT)
    return txFail(s->error, TEXLA_BAD_FILE, "--load",
                  "%s has format %u, but this program reads format %d", s->path, (unsigned)head[0],
                  FORMAT);
  bool whole = s->length >= HEAD + TAIL;
  if (whole) {
    s->length -= TAIL;
    memcpy(&hash, s->bytes + s->length, sizeof hash);
  }
  if (!whole || hash != hashOf(s->bytes, s->length))
    return txFail(s->error, TEXLA_BAD_FILE, "--load",
                  "%s is damaged: it is cut off, or bytes have changed", s->path);
  return TEXLA_OK;
}

clStatus demoStateRead(demoState **out, const char *path, clError *error) {
  demoState *s = calloc(1, sizeof *s);
  if (!s)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--load", "no memory for the state");
  *s = (demoState){.error = error, .loads = true, .path = path};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(readFile(s));
  TRY_CLEANUP(check(s));
  *out = s;
  return TEXLA_OK;
cleanup:
  demoStateDestroy(s);
  return status;
}

clStatus demoStateWrite(demoState *s, const char *path, clError *error) {
  txOutput output;
  uint64_t hash = hashOf(s->bytes, s->length);
  TRY(s->status);
  TRY(txOutputOpen(&output, path, "--save", error));
  fwrite(s->bytes, 1, s->length, output.file);
  fwrite(&hash, sizeof hash, 1, output.file);
  return txOutputCommit(&output, error);
}

void demoStateRewind(demoState *s, clError *error) {
  s->loads = true;
  s->path = "what was kept";
  s->error = error;
}

size_t demoStateSize(const demoState *s) {
  return s->length;
}

void demoStateDestroy(demoState *s) {
  if (!s)
    return;
  free(s->bytes);
  free(s->text);
  free(s);
}

/* The content of a part and its length, or NULL. */
static const uint8_t *find(const demoState *s, const char *name, uint64_t *length) {
  for (size_t at = HEAD; at + NAME + sizeof *length <= s->length;
       at += NAME + sizeof *length + *length) {
    memcpy(length, s->bytes + at + NAME, sizeof *length);
    if (*length > s->length - at - NAME - sizeof *length)
      return NULL;
    if (strncmp((const char *)s->bytes + at, name, NAME) == 0)
      return s->bytes + at + NAME + sizeof *length;
  }
  return NULL;
}

static void load(demoState *s, const char *name, void *bytes, size_t count) {
  uint64_t length = 0;
  const uint8_t *content = find(s, name, &length);
  if (!content)
    s->status = txFail(s->error, TEXLA_BAD_FILE, "--load", "%s has no part '%s'", s->path, name);
  else if (length != count)
    s->status = txFail(s->error, TEXLA_BAD_FILE, "--load", "%s: part '%s' has %llu bytes, not %zu",
                       s->path, name, (unsigned long long)length, count);
  else
    memcpy(bytes, content, count);
}

void demoStateBytes(demoState *s, const char *name, void *bytes, size_t count) {
  char head[NAME] = "";
  uint64_t length = count;
  if (s->status)
    return;
  if (s->loads) {
    load(s, name, bytes, count);
    return;
  }
  for (size_t k = 0; name[k] && k < NAME - 1; k++)
    head[k] = name[k];
  append(s, head, NAME);
  append(s, &length, sizeof length);
  append(s, bytes, count);
}

/* A checksum does not tell what a number means: none that a conversion to an integer could not
 * take, and none that is not finite. */
static void refuse(demoState *s, const char *name, double value) {
  s->status =
      txFail(s->error, TEXLA_BAD_FILE, "--load",
             "%s: part '%s' holds the number %g, which no run writes", s->path, name, value);
}

void demoStateNumbers(demoState *s, const char *name, double *values, int count) {
  demoStateBytes(s, name, values, (size_t)count * sizeof *values);
  demoStateCheck(s, name, values, count, -0x1p53, 0x1p53);
}

void demoStateCheck(demoState *s, const char *name, const double *values, int count, double least,
                    double most) {
  for (int k = 0; k < count && s->loads && !s->status; k++)
    if (!(values[k] >= least && values[k] <= most))
      refuse(s, name, values[k]);
}

void demoStateFloats(demoState *s, const char *name, float *values, size_t count) {
  demoStateBytes(s, name, values, count * sizeof *values);
  for (size_t k = 0; k < count && s->loads && !s->status; k++)
    if (!isfinite(values[k]))
      refuse(s, name, (double)values[k]);
}

clStatus demoStateStatus(const demoState *s) {
  return s->status;
}

bool demoStateLoads(const demoState *s) {
  return s->loads;
}

bool demoStateHas(const demoState *s, const char *name) {
  uint64_t length;
  return find(s, name, &length) != NULL;
}

const char *demoStateText(demoState *s, const char *name) {
  uint64_t length = 0;
  const uint8_t *content = find(s, name, &length);
  free(s->text);
  s->text = NULL;
  if (content)
    s->text = calloc(1, (size_t)length + 1);
  if (s->text)
    memcpy(s->text, content, (size_t)length);
  return s->text;
}
