#include "gl/defines.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void txDefineText(txDefines *defines, const char *lines) {
  size_t used = strlen(defines->text);
  if (!lines)
    return;
  /* The names are ours, so that what would not fit is an error of ours as well. */
  assert(used + strlen(lines) < sizeof defines->text);
  snprintf(defines->text + used, sizeof defines->text - used, "%s", lines);
}

void txDefine(txDefines *defines, const char *name, int value) {
  char line[96];
  snprintf(line, sizeof line, "#define %s %d\n", name, value);
  txDefineText(defines, line);
}

void txDefineIf(txDefines *defines, bool condition, const char *name) {
  if (condition)
    txDefine(defines, name, 1);
}
