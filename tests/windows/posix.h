/* What the tests call of POSIX and MinGW lacks; the build for Windows includes it in front of each
 * of them. */
#ifndef TEXLA_TESTS_WINDOWS_POSIX_H
#define TEXLA_TESTS_WINDOWS_POSIX_H

#include <direct.h> /* and io.h */
#include <stdlib.h>
#include <string.h>

#define mkdir(path, mode) _mkdir(path)

static inline int setenv(const char *name, const char *value, int replace) {
  (void)replace;
  return _putenv_s(name, value);
}

static inline int unsetenv(const char *name) {
  return _putenv_s(name, "");
}

static inline char *mkdtemp(char *name) {
  if (!_mktemp(name) || _mkdir(name))
    return NULL;
  return name;
}

static inline char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (copy)
    memcpy(copy, text, length);
  if (copy)
    copy[length] = 0;
  return copy;
}

#endif
