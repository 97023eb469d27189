#include "vector/layout.h"
#include "core/try.h"

#include "core/numbers.h"

#include <stdio.h>

/* Rows are the same for all linear vectors of a device, but for those that fill the largest texture
 * and need rows as wide as that. */
bool txLayoutLinear(txLayout *out, const clContext *context, int64_t length) {
  int64_t limit = clContextInspect(context)->max_texture_size;
  int64_t width = txLeast64(TX_LINEAR_WIDTH, limit);
  /* Only the whole square holds so many. */
  if (length > 4 * width * limit)
    width = limit;
  int64_t texels = length / 4 + (length % 4 != 0), rows = (texels + width - 1) / width;
  *out = (txLayout){.length = length,
                    .row = 4 * width,
                    .width = (int)txLeast64(texels, width),
                    .height = (int)txLeast64(rows, limit)};
  return length >= 1 && length <= clContextInspect(context)->max_vector_length;
}

/* A grid row starts a texture row, so that a neighbour in the grid is a neighbour among the
 * texels. */
bool txLayoutGrid(txLayout *out, const clContext *context, int nx, int ny) {
  int limit = clContextInspect(context)->max_texture_size;
  *out = (txLayout){(int64_t)nx * ny, nx, nx / 4 + (nx % 4 != 0), ny, true, false};
  return nx >= 1 && ny >= 1 && out->width <= limit && ny <= limit &&
         out->length <= clContextInspect(context)->max_vector_length;
}

/* One element of each of four vectors to a texel: four times as wide, where it fits. */
bool txLayoutMultivector(txLayout *out, const clContext *context, const txLayout *vector) {
  int64_t width = 4 * (int64_t)vector->width, limit = clContextInspect(context)->max_texture_size;
  if (width > vector->row)
    width = vector->row;
  *out = *vector;
  out->width = (int)txLeast64(width, limit);
  out->multivector = true;
  return width <= limit;
}

/* Width and height follow from length and row. */
bool txLayoutEqual(const txLayout *a, const txLayout *b) {
  return a->length == b->length && a->row == b->row && a->multivector == b->multivector;
}

const char *txLayoutText(const txLayout *layout, char *text, size_t n) {
  if (layout->grid)
    snprintf(text, n, "grid %lld x %lld", (long long)layout->row,
             (long long)(layout->length / layout->row));
  else
    snprintf(text, n, "linear of length %lld", (long long)layout->length);
  return text;
}

/* What the texture holds is noted in it for messages and traces. */
clStatus txLayoutTexture(txTexture **out, clContext *context, const char *call,
                         const txLayout *layout) {
  TRY(txTextureCreate(out, context, call, TX_RGBA32F, layout->width, layout->height));
  (*out)->meaning = (txMeaning){layout->multivector ? "multivector" : "vector",
                                {layout->length, layout->row, layout->grid}};
  return TEXLA_OK;
}

/* The last row may be shorter than the others; the shader compares with where it ends. */
void txLayoutExtent(const txLayout *layout, float extent[3]) {
  int64_t last = (layout->length - 1) / layout->row;
  extent[0] = (float)layout->row;
  extent[1] = (float)last;
  extent[2] = (float)(layout->length - last * layout->row);
}

const char *txFullDefine(const txLayout *layout) {
  int64_t room = 4 * (int64_t)layout->width * layout->height;
  return room == layout->length ? "#define FULL\n" : "";
}
