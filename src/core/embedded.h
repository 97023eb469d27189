/* Files that the build puts into a program or library (cmake/embed.cmake). */
#ifndef TEXLA_CORE_EMBEDDED_H
#define TEXLA_CORE_EMBEDDED_H

#include <stddef.h>

/* A file as it was. The last entry of a table has no name. */
typedef struct txEmbedded {
  const char *name;
  /* With a zero behind the last byte, which `size` does not count. */
  const char *text;
  size_t size;
} txEmbedded;

#endif
