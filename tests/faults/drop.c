/* Preloaded, it drops a program's draws, reads, or both, without an error: TEXLA_DROP="draws 100"
 * is from the 100th draw on. A file TEXLA_DROP_COUNT gets the number of those that there were. */
#define _GNU_SOURCE
#include <GL/gl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count, first;
static char kind[8];

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("TEXLA_DROP");
  if (!text || sscanf(text, "%7s %ld", kind, &first) != 2)
    first = 0;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("TEXLA_DROP_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "%ld\n", count);
  fclose(file);
}

static bool dropped(const char *what) {
  bool counts = strcmp(kind, "both") == 0 || strcmp(kind, what) == 0;
  count += counts;
  return counts && first > 0 && count >= first;
}

void glDrawArrays(GLenum mode, GLint from, GLsizei vertices) {
  void (*next)(GLenum, GLint, GLsizei);
  *(void **)&next = dlsym(RTLD_NEXT, "glDrawArrays");
  if (!dropped("draws"))
    next(mode, from, vertices);
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                  void *pixels) {
  void (*next)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
  *(void **)&next = dlsym(RTLD_NEXT, "glReadPixels");
  if (!dropped("reads"))
    next(x, y, width, height, format, type, pixels);
}
