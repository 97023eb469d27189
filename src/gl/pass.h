/* The pass: one shader program, its source textures, one or more target textures, a shape to rasterize and a few uniforms.
 * Everything texla computes is a list of these; tracing, timing, error checks hang here and nowhere else.
 *
 *     txPass pass = {.kernel = "add", .target = {z}, .source = {{"x", x}, {"y", y}}, .scalar = {alpha, beta},
 *                    .uniform = {{"factor", 2, {a, b}}}};
 *     return txPassRun(context, "clVectorAdd", &pass);
 *
 * A fragment shader reads this texel's coordinates from `uv` (0..1 over the target) and up to four clFloat textures,
 * sampled once per vertex, from `scalar`. See shaders/include/pass.glsl. */
#ifndef TEXLA_GL_PASS_H
#define TEXLA_GL_PASS_H

#include "gl/texture.h"

enum { TX_MAX_TARGETS = 8, TX_MAX_SOURCES = 16, TX_MAX_SCALARS = 4, TX_MAX_UNIFORMS = 20 };

typedef enum txSampling {
  TX_EDGE,
  TX_ZERO,
  TX_BILINEAR
} txSampling; /* nearest, clamped; nearest, zero outside; linear */

typedef struct txSource {
  const char *name; /* of the sampler uniform; a name the program does not use is ignored */
  const txTexture *texture;
  txSampling sampling;
} txSource;

typedef struct txUniform {
  const char *name; /* float, vec2, vec3, vec4 by `count`; with `array`: count vec4s; with `integer`: int .. ivec4 */
  int count;
  float value[4];
  const float *array; /* not NULL: `count` vec4s, for `uniform vec4 name[N]` */
  bool integer;       /* the values are integers (below 2^24) */
} txUniform;

/* Vertices for points and triangles: interleaved floats, attribute i has components[i] of them (location i). */
typedef struct txVertices txVertices;
clStatus txVerticesCreate(txVertices **out, clContext *context, const char *call, const float *data, int64_t count,
                          const int *components, int attributes);
int txVerticesFloats(const txVertices *vertices); /* of each */
clStatus txVerticesRead(const txVertices *vertices, const char *call, int64_t first, int64_t count, float *data);
void txVerticesDestroy(txVertices *vertices); /* NULL is allowed */

/* Uniform blocks: what the context's one buffer of them holds, in equal parts. A pass that has some is drawn once with each, side by side: in
 * its rectangle with the first one, one width further right with the next. The shader reads them as its only block, layout(std140). */
typedef struct txBlocks {
  int first, count;
  size_t bytes; /* of one; a multiple of 512, at most 64 KB (less where the device has less) */
  int slope;    /* not 0: number i leaves out the first i / slope rows of the rectangle */
} txBlocks;
/* Fills that buffer with all texels of a texture, row by row, on the device; it holds them until it is filled again. */
clStatus txBlocksFill(clContext *context, const char *call, const txTexture *texture);
int64_t txBlocksVersion(const clContext *context); /* of the contents of that texture; 0: none yet */

typedef enum txShape { TX_RECT, TX_POINTS, TX_TRIANGLES, TX_HOST } txShape; /* TX_HOST: txHostBegin (observe.h) */
typedef enum txStage { TX_FRAGMENT, TX_GEOMETRY, TX_VERTEX, TX_STAGES } txStage;

typedef struct txPass {
  const char *kernel; /* shaders/<kernel>.frag */
  const char
      *source_text;   /* a user's function instead of the file, after shaders/include/kernel.glsl; `kernel` names it */
  const char *vertex; /* shaders/<vertex>.vert; NULL: rect */
  const char *
      geometry; /* shaders/<geometry>.geom: it sees six vertices, and emits the triangle that covers the rectangle; NULL: none. Not
                           for points and triangles */
  const char *defines; /* "#define TERMS 5\n...": baked into the program, so part of its key; NULL: none */
  txTexture *target[TX_MAX_TARGETS];       /* same size all, NULL ends the list; never a source */
  int first_layer;                         /* of a target with several: it and those after it are rendered */
  txSource source[TX_MAX_SOURCES];         /* a NULL name ends the list; all that the program samples */
  const txTexture *scalar[TX_MAX_SCALARS]; /* 1x1; NULL reads as 1 */
  txUniform uniform[TX_MAX_UNIFORMS];      /* a NULL name ends the list; all that the program reads */
  txRect rect;                             /* texels of the target to rasterize; zero: all of it */
  txRect inside; /* a part of it, or all, whose program lacks the define RIM that all others have; zero: none */
  bool around;   /* only what is around `inside` is drawn */
  txBlocks blocks;
  txShape shape;
  const txVertices *vertices; /* points, triangles; NULL: the vertex shader makes all of gl_VertexID */
  int64_t first, count;       /* of the vertices; count 0: to the end */
  int notes;    /* not 0: the fetches of its stage number notes - 1 are noted instead: txPassNote (observe.h) */
  bool add;     /* blend: target += result */
  int64_t work; /* fetches per fragment, to split long draws; 0: the number of sources */
} txPass;

clStatus txPassRun(clContext *context, const char *call, const txPass *pass);

/* Frees the programs whose source_text was this; a later pass compiles them again. */
void txProgramsForget(clContext *context, const char *source);

#endif
