/* The #defines of a kernel's variant, put together piece by piece. */
#ifndef TEXLA_GL_DEFINES_H
#define TEXLA_GL_DEFINES_H

#include "platform/companion.h"

#include <stdbool.h>

/* Begins as {""}; `text` is what txPass.defines takes. */
typedef struct txDefines {
  char text[512];
} txDefines;

/* Appends "#define NAME value". */
TX_COMPANION void txDefine(txDefines *defines, const char *name, int value);

/* Appends "#define NAME 1" where the condition holds, else nothing. */
TX_COMPANION void txDefineIf(txDefines *defines, bool condition, const char *name);

/* Appends lines that are there already; NULL and "" are nothing. */
TX_COMPANION void txDefineText(txDefines *defines, const char *lines);

#endif
