/* The numbers of a texture that was read back. */
#include <string.h>

#include "trace/trace.h"

/* What fills a texel lies beyond the object's size, which its meaning tells (gl/texture.h). */
bool txTraceHolds(const txTexture *t, int x, int y, int lane) {
  const int64_t *size = t->meaning.size;
  const char *kind = t->meaning.kind;
  if (!kind)
    return true;
  if (!strcmp(kind, "vector") || !strcmp(kind, "diagonal"))
    return 4 * (int64_t)x + lane < size[1] && y * size[1] + 4 * (int64_t)x + lane < size[0];
  if (!strcmp(kind, "values") || !strcmp(kind, "positions") || !strcmp(kind, "ranges"))
    return ((int64_t)y << size[1]) + x < size[0];
  if (!strcmp(kind, "multivector") || !strcmp(kind, "unpacked"))
    return x < size[1] && y * size[1] + x < size[0];
  if (!strcmp(kind, "dense"))
    return y * size[2] + lane / size[3] < size[0] && x * size[3] + lane % size[3] < size[1];
  return true;
}

double txTraceValue(const txTraceImage *m, size_t i) {
  if (m->integer)
    return (double)((const int32_t *)m->values)[i];
  return (double)((const float *)m->values)[i];
}
