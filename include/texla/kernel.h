/* clKernel: a fragment shader of your own, run as one pass over clVectors.
 *
 * The source is a GLSL 330 body: it may #include texla's own files ("include/layout.glsl") and defines
 *     vec4 kernel();                      // the four elements of one texel, for one output
 *     void kernel(out vec4 y[OUTPUTS]);   // for several outputs
 * with the inputs as `uniform sampler2D name;`, read by texel(name) (this texel), texel(name, ivec2(dx, dy)) (a texel
 * neighbour, zero outside) or, in the grid layout, neighbours(name, dx, dy) (the same four elements shifted by dx
 * columns, |dx| <= 4, and dy rows; zero outside), scalars as `scalar.x` ... `scalar.w`, and parameters as uniforms. */
#ifndef TEXLA_KERNEL_H
#define TEXLA_KERNEL_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clKernel clKernel;

/* Compiles at the first run (the number of outputs is known then). `name` appears in messages. */
TEXLA_API clStatus clKernelCreate(clKernel **out, clContext *context, const char *name, const char *source);
TEXLA_API void clKernelDestroy(clKernel *kernel); /* NULL is allowed */

typedef struct clKernelInput {
  const char *name; /* of the sampler */
  const clVector *vector;
} clKernelInput;
typedef struct clKernelParameter {
  const char *name; /* of the uniform: float, vec2, vec3 or vec4 */
  int count;        /* 1..4 */
  float value[4];
} clKernelParameter;

/* One pass. Outputs agree in length and layout, inputs with them (other layouts are allowed where only texelFetch is
 * used). An output may be an input too (ping-pong inside). Zero means default; unused slots are zero. */
typedef struct clKernelRun {
  clVector *output[8];
  clKernelInput input[16];
  const clFloat *scalar[4];
  clKernelParameter parameter[16];
  bool keeps_zero; /* the author promises that lanes beyond the length stay zero; otherwise texla masks them */
} clKernelRun;
TEXLA_API clStatus clKernelExecute(clKernel *kernel, const clKernelRun *run);

#ifdef __cplusplus
}
#endif
#endif
