/* Textures from a pool: the only memory texla uses on the device. */
#ifndef TEXLA_GL_TEXTURE_H
#define TEXLA_GL_TEXTURE_H

#include "platform/companion.h"
#include "gl/context.h"

typedef enum txFormat {
  TX_R32F,
  TX_RG32F,
  TX_RGBA32F,
  TX_R32I,
  TX_RGBA32I,
  TX_RG32I,
  TX_FORMAT_COUNT
} txFormat;

/* What the numbers in a texture are: for messages and traces; no pass depends on it. The sizes by
 * kind:
 *   vector       length, elements to a texture row, whether that is a grid   (vector/layout.h)
 *   multivector  the same, for each lane
 *   diagonal     the same, and two diagonals k that share it: element i is a_{i,i+k}
 *   unpacked     the same, one element to a texel                            (vector/unpack.h)
 *   dense        rows, columns, rows and columns to a texel, row by row      (dense/dense.h)
 *   packed       a lower triangle: order, texels of its side                 (triangle/lower.h)
 *   panel        columns, rows, its first column and row in the matrix, columns of that
 *                (shaders/elimination/panel.glsl)
 *   values, positions, ranges  of csr: items, log2 of those in a row of texels; positions: also
 *                              log2 of those in a row of x, and elements
 *                in a row of x; ranges: whether they are rows                (matrix/csr.h)
 *   slots, slot positions  length and elements to a texture row of the result, log2 of positions
 *                          and elements in a row of x; parts:
 *                left, bottom, first, height, slots of each block            (matrix/slots.h)
 *   scalar, history (texel k: iteration k)                                   none */
typedef struct txMeaning {
  /* NULL: unknown */
  const char *kind;
  int64_t size[5];
  /* Five numbers for each part. They live as long as the texture. */
  const int *part;
  int parts;
} txMeaning;

typedef struct txTexture {
  clContext *context;
  txFormat format;
  int width, height;
  /* 1 for a 2D texture; more make it a 2D array. */
  int layers;
  /* OpenGL's */
  unsigned name;
  /* The number of its contents: no others in this context have the same. */
  int64_t version;
  txMeaning meaning;
  /* The next one in the pool's list. */
  struct txTexture *next;
} txTexture;

size_t txFormatBytes(txFormat format);

/* A width x height texture; its contents are undefined (txTextureClear) unless it is written or
 * rendered whole. Refuses sizes beyond the device's and bytes beyond the context's limit before it
 * allocates. */
TX_COMPANION clStatus txTextureCreate(txTexture **out, clContext *context, const char *call,
                                      txFormat format, int width, int height);
/* A 2D array of such textures: a sampler2DArray reads them all, and a pass that has it as a target
 * renders each layer as a target of its own. It is neither cleared nor transferred. */
clStatus txLayersCreate(txTexture **out, clContext *context, const char *call, txFormat format,
                        int width, int height, int layers);
/* Gives it back to the pool; NULL is allowed. */
TX_COMPANION void txTextureDestroy(txTexture *texture);
/* How what an operation rendered becomes its result: it takes the place of *texture, whose former
 * texture is destroyed. Where `status` is a failure, it is destroyed itself, and *texture stays.
 * Returns `status`. */
clStatus txTextureReplace(txTexture **texture, txTexture *rendered, clStatus status);
/* Each takes the other's place. */
void txTextureExchange(txTexture **a, txTexture **b);

TX_COMPANION clStatus txTextureClear(txTexture *texture, const char *call);

typedef struct txRect {
  int x, y, width, height;
} txRect;
/* Transfers a rectangle; components as the format has them, rows tightly packed. Read blocks and
 * counts as a read-back. */
TX_COMPANION clStatus txTextureWrite(txTexture *texture, const char *call, txRect rect,
                                     const void *values);
TX_COMPANION clStatus txTextureRead(const txTexture *texture, const char *call, txRect rect,
                                    void *values);
clStatus txLayerRead(const txTexture *texture, int layer, const char *call, txRect rect,
                     void *values);

/* Large read-backs from a graphics card: `take` gets all texels, row by row, in memory of the
 * driver that it may only read. */
typedef void (*txTake)(void *user, const void *texels);
bool txDownloadWorthWhile(const clContext *context, size_t bytes);
clStatus txTextureReadMapped(const txTexture *texture, const char *call, txTake take, void *user);

/* Asynchronous read through a pixel buffer and a fence. Finish copies (values may be NULL) and
 * frees. */
typedef struct txRead txRead;
TX_COMPANION clStatus txReadStart(txRead **out, const txTexture *texture, const char *call,
                                  txRect rect);
bool txReadReady(const txRead *read);
TX_COMPANION clStatus txReadFinish(txRead *read, const char *call, void *values);

#endif
