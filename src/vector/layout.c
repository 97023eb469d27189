#include "vector/layout.h"

#include <stdio.h>

bool txLayoutLinear(txLayout *out, const clContext *context, int64_t length) {
  int64_t limit = clContextInspect(context)->max_texture_size;
  int64_t width = TX_LINEAR_WIDTH < limit ? TX_LINEAR_WIDTH : limit;
  /* the whole square */
  if (length > 4 * width * limit)
    width = limit;
  int64_t texels = length / 4 + (length % 4 != 0), rows = (texels + width - 1) / width;
  *out = (txLayout){
      length, 4 * width, (int)(rows > 1 ? width : texels), (int)(rows <= limit ? rows : limit),
      false,  false};
  return length >= 1 && length <= clContextInspect(context)->max_vector_length;
}

bool txLayoutGrid(txLayout *out, const clContext *context, int nx, int ny) {
  int limit = clContextInspect(context)->max_texture_size;
  *out = (txLayout){(int64_t)nx * ny, nx, nx / 4 + (nx % 4 != 0), ny, true, false};
  return nx >= 1 && ny >= 1 && out->width <= limit && ny <= limit &&
         out->length <= clContextInspect(context)->max_vector_length;
}

bool txLayoutMultivector(txLayout *out, const clContext *context, const txLayout *vector) {
  int64_t width = 4 * (int64_t)vector->width, limit = clContextInspect(context)->max_texture_size;
  if (width > vector->row)
    width = vector->row;
  *out = *vector;
  out->width = (int)(width < limit ? width : limit);
  out->multivector = true;
  return width <= limit;
}

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

clStatus txLayoutTexture(txTexture **out, clContext *context, const char *call,
                         const txLayout *layout) {
  clStatus status = txTextureCreate(out, context, call, TX_RGBA32F, layout->width, layout->height);
  if (!status)
    (*out)->meaning = (txMeaning){layout->multivector ? "multivector" : "vector",
                                  {layout->length, layout->row, layout->grid}};
  return status;
}

void txLayoutExtent(const txLayout *layout, float extent[3]) {
  int64_t last = (layout->length - 1) / layout->row;
  extent[0] = (float)layout->row;
  extent[1] = (float)last;
  extent[2] = (float)(layout->length - last * layout->row);
}

const char *txFullDefine(const txLayout *layout) {
  return 4 * (int64_t)layout->width * layout->height == layout->length ? "#define FULL\n" : "";
}
