/* Where element i of a vector lives. One rule for both layouts: rows of `row` elements, four to a
 * texel, each row starting a texture row; element i is lane i % row % 4 of texel (i % row / 4, i /
 * row).
 *   linear  row is the same for all linear vectors of a device, so that an offset k is one constant
 *           (dx, dy) for all of them
 *   grid    row = nx */
#ifndef TEXLA_VECTOR_LAYOUT_H
#define TEXLA_VECTOR_LAYOUT_H

#include "gl/texture.h"

/* Texels in a row of a linear vector: wide enough for long vectors, narrow enough for short ones to
 * fill 4 x 4 blocks. */
enum { TX_LINEAR_WIDTH = 1024 };

typedef struct txLayout {
  int64_t length;
  /* Elements in a texture row. The last row may be shorter. */
  int64_t row;
  /* The size of the texture, in texels. */
  int width, height;
  bool grid;
  /* Four vectors, interleaved: lane k of texel (i % row, i / row) is element i of vector k
   * (matrix/multivector.h). */
  bool multivector;
} txLayout;

/* False when it does not fit into one texture of the device; *out is set all the same (for
 * messages). */
bool txLayoutLinear(txLayout *out, const clContext *context, int64_t length);
bool txLayoutGrid(txLayout *out, const clContext *context, int nx, int ny);

/* The multivector of four vectors of this layout. */
bool txLayoutMultivector(txLayout *out, const clContext *context, const txLayout *vector);

bool txLayoutEqual(const txLayout *a, const txLayout *b);
/* "linear of length 12", "grid 3 x 4" */
const char *txLayoutText(const txLayout *layout, char *text, size_t n);

/* A texture for a vector; its contents are undefined. */
clStatus txLayoutTexture(txTexture **out, clContext *context, const char *call,
                         const txLayout *layout);

/* The uniform `extent` of shaders/include/layout.glsl: row, last row, elements in the last row. */
void txLayoutExtent(const txLayout *layout, float extent[3]);
/* "#define FULL\n" where the layout has no padding, otherwise empty: the same file's masks then
 * cost nothing. */
const char *txFullDefine(const txLayout *layout);

#endif
