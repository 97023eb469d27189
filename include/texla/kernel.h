/* clKernel: a fragment shader of your own, run as one pass over clVectors.
 *
 * The source is GLSL 330 without #version and main: it may #include texla's own files and defines
 *     vec4 kernel();                      // the four elements of one texel, for one output
 *     void kernel(out vec4 y[OUTPUTS]);   // for several outputs
 * Inputs are `uniform sampler2D name;`, read by
 *     texel(name)                         // this texel
 *     texel(name, ivec2(dx, dy))          // the texel dx to the right and dy rows up; zero outside of the texture
 *     neighbours(name, dx, dy)            // grid layout: these four elements shifted by dx columns and dy rows, that is
 *                                         // x(column + dx, row + dy); zero outside of the grid
 * clFloats are `scalar.x` ... `scalar.w` (1 where none was given), parameters are uniforms. All that the kernel reads must
 * be given at each run; what it does not read is ignored. Messages of the compiler name the kernel and its own line. */
#ifndef TEXLA_KERNEL_H
#define TEXLA_KERNEL_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clKernel clKernel;

/* Keeps copies of `name` (it appears in messages) and `source`; compiles at the first run, since the number of outputs is
 * known then. The context keeps compiled programs, for kernels with the same text too. The caller owns *out. */
TEXLA_API clStatus clKernelCreate(clKernel **out, clContext *context, const char *name, const char *source);
TEXLA_API void clKernelDestroy(clKernel *kernel); /* NULL is allowed */

typedef struct clKernelInput {
  const char *name; /* of the sampler, at most 63 characters */
  const clVector *vector;
  bool any_layout; /* length and layout may differ from the outputs': for inputs read by texelFetch alone */
} clKernelInput;
typedef struct clKernelParameter {
  const char *name; /* of the uniform: float, vec2, vec3 or vec4 */
  int count;        /* 1..4 */
  float value[4];
} clKernelParameter;

/* One pass. Outputs are distinct and agree in length and layout, inputs with them (see any_layout). An output may be an
 * input too: the kernel reads the old values. Lists end at the first NULL; zero means default. A failed call
 * (TEXLA_SHADER_ERROR: the source does not compile) leaves the outputs as they were. */
typedef struct clKernelRun {
  clVector *output[8];
  clKernelInput input[16];
  const clFloat *scalar[4]; /* NULL: 1 */
  clKernelParameter parameter[16];
  bool keeps_zero; /* the author promises that lanes beyond the length stay zero; otherwise texla masks them */
} clKernelRun;
TEXLA_API clStatus clKernelExecute(clKernel *kernel, const clKernelRun *run);

#ifdef __cplusplus
}
#endif
#endif
