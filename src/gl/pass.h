/* The pass: one shader program, its source textures, one or more target textures, a shape to
 * rasterize and a few uniforms. Everything texla computes is a list of these; tracing, timing,
 * error checks hang here and nowhere else.
 *
 *     txPass pass = {.kernel = "add",
 *                    .target = {z},
 *                    .source = {{"x", x}, {"y", y}},
 *                    .scalar = {alpha, beta},
 *                    .uniform = {{"factor", 2, {a, b}}}};
 *     return txPassRun(context, "clVectorAdd", &pass);
 *
 * A fragment shader reads this texel's coordinates from `uv` (0..1 over the target) and up to four
 * clFloat textures, sampled once per vertex, from `scalar`. See shaders/include/pass.glsl. */
#ifndef TEXLA_GL_PASS_H
#define TEXLA_GL_PASS_H

#include "platform/companion.h"
#include "gl/texture.h"

enum { TX_MAX_TARGETS = 8, TX_MAX_SOURCES = 16, TX_MAX_SCALARS = 4, TX_MAX_UNIFORMS = 20 };

typedef enum txSampling {
  TX_EDGE,
  TX_ZERO,
  TX_BILINEAR
} txSampling; /* nearest, clamped; nearest, zero outside; linear */

typedef struct txSource {
  /* The name of the sampler; one that the program does not use is ignored. */
  const char *name;
  const txTexture *texture;
  txSampling sampling;
} txSource;

typedef struct txUniform {
  /* The uniform is a float, vec2, vec3 or vec4 by `count`; with `integer` an int to ivec4, with
   * `array` an array of `count` vec4. */
  const char *name;
  int count;
  float value[4];
  /* Where it is not NULL: `count` vec4, for `uniform vec4 name[N]`. */
  const float *array;
  /* The values are integers, which must be below 2^24. */
  bool integer;
} txUniform;

/* Vertices for points and triangles: interleaved floats, attribute i has components[i] of them
 * (location i). */
typedef struct txVertices txVertices;
TX_COMPANION clStatus txVerticesCreate(txVertices **out, clContext *context, const char *call,
                                       const float *data, int64_t count, const int *components,
                                       int attributes);
/* How many floats each of the vertices has. */
int txVerticesFloats(const txVertices *vertices);
clStatus txVerticesRead(const txVertices *vertices, const char *call, int64_t first, int64_t count,
                        float *data);
/* NULL is allowed */
TX_COMPANION void txVerticesDestroy(txVertices *vertices);

/* Uniform blocks: what the context's one buffer of them holds, in equal parts. A pass that has some
 * is drawn once with each, side by side: in its rectangle with the first one, one width further
 * right with the next. The shader reads them as its only block, layout(std140). */
typedef struct txBlocks {
  int first, count;
  /* Bytes of one block, a multiple of 512 and at most 64 KB, or less where the device has less. */
  size_t bytes;
  /* Where it is not 0, number i leaves out the first i / slope rows of the rectangle. */
  int slope;
} txBlocks;
/* Fills that buffer with all texels of a texture, row by row, on the device; it holds them until it
 * is filled again. */
clStatus txBlocksFill(clContext *context, const char *call, const txTexture *texture);
/* The version of the contents of that texture; 0 where none has been taken yet. */
int64_t txBlocksVersion(const clContext *context);

/* TX_HOST: txHostBegin (observe.h) */
typedef enum txPrimitive { TX_RECT, TX_POINTS, TX_TRIANGLES, TX_HOST } txPrimitive;
typedef enum txStage { TX_FRAGMENT, TX_GEOMETRY, TX_VERTEX, TX_STAGES } txStage;

typedef struct txPass {
  /* The fragment shader is shaders/<kernel>.frag. */
  const char *kernel;
  /* A user's function instead of that file, behind shaders/include/kernel.glsl; `kernel` then only
   * names it. */
  const char *source_text;
  /* The vertex shader is shaders/<vertex>.vert; NULL means rect. */
  const char *vertex;
  /* shaders/<geometry>.geom: it sees six vertices, and emits the triangle that covers the
   * rectangle; NULL: none. Not for points and triangles */
  const char *geometry;
  /* "#define TERMS 5\n...": baked into the program, so part of its key; NULL: none */
  const char *defines;
  /* All of the same size, and none of them a source. NULL ends the list. */
  txTexture *target[TX_MAX_TARGETS];
  /* Of a target with several layers, this one and those after it are rendered. */
  int first_layer;
  /* All that the program samples. A name that is NULL ends the list. */
  txSource source[TX_MAX_SOURCES];
  /* Textures of one texel; NULL reads as 1. */
  const txTexture *scalar[TX_MAX_SCALARS];
  /* All uniforms that the program reads. A name that is NULL ends the list. */
  txUniform uniform[TX_MAX_UNIFORMS];
  /* The name of a source or uniform for which there was no room, so that the pass fails; NULL: all
   * found room. */
  const char *overfull;
  /* The texels of the target to rasterize; zero means all of it. */
  txRect rect;
  /* A part of it, or all of it, whose program lacks the define RIM that all others have; zero means
   * no such part. */
  txRect inside;
  /* Whether only what is around `inside` is drawn. */
  bool around;
  txBlocks blocks;
  txPrimitive shape;
  /* The vertices of points and triangles; NULL where the vertex shader makes all of gl_VertexID. */
  const txVertices *vertices;
  /* The vertices that are drawn; count 0 means to the end. */
  int64_t first, count;
  /* Where it is not 0, the fetches of the stage number notes - 1 are noted instead: txPassNote
   * (observe.h). */
  int notes;
  /* Whether the result is added to the target, by blending. */
  bool add;
  /* Fetches of a fragment, by which long draws are split; 0 means the number of sources. */
  int64_t work;
} txPass;

TX_COMPANION clStatus txPassRun(clContext *context, const char *call, const txPass *pass);
/* The same into a new texture, *out, which is the caller's; it becomes the pass's target. Where the
 * pass fails there is none. */
clStatus txPassInto(txTexture **out, clContext *context, const char *call, txPass *pass,
                    txFormat format, int width, int height);

/* Frees the programs whose source_text was this; a later pass compiles them again. */
void txProgramsForget(clContext *context, const char *source);
/* From now on such programs stay, as long as there is room: who makes the same kernels again and
 * again does not wait for compilers. */
TX_COMPANION void txProgramsKeep(clContext *context);

#endif
