/**
 * @file
 * clKernel: a fragment shader of your own, run as one pass over clVectors.
 *
 * The source is GLSL 330 without a version line and main: it may include texla's own files and
 * defines
 *     vec4 kernel();                      // the four elements of one texel, for one output
 *     void kernel(out vec4 y[OUTPUTS]);   // for several outputs
 *
 * Inputs are `uniform sampler2D name;`, read by
 *     texel(name)                 // this texel
 *     texel(name, ivec2(dx, dy))  // the texel dx to the right and dy rows up; zero outside
 *     neighbours(name, dx, dy)    // grid layout: these four elements shifted by dx columns
 *                                 // and dy rows, x(column + dx, row + dy); zero outside
 *
 * Double-float numbers (the file include/df64.glsl) can be computed with where the device can
 * (TEXLA_UNSUPPORTED where not). clFloats are `scalar.x` ... `scalar.w` (1 where none was given),
 * parameters are uniforms. All that the kernel reads must be given at each run; what it does not
 * read is ignored. Messages of the compiler name the kernel and its own line; after a line "#line
 * N" they count from N.
 *
 * Threads: a kernel belongs to its context's thread. Nothing here waits for the device.
 *
 * Errors: each call lists its own. A failed run leaves its outputs as they were.
 *
 * Ownership: who creates a kernel destroys it; operands are not kept. Aliasing: outputs may be
 * inputs.
 *
 * @since 0.1 */
#ifndef TEXLA_KERNEL_H
#define TEXLA_KERNEL_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A shader of your own. */
typedef struct clKernel clKernel;

/**
 * Keeps a kernel's source. It is compiled at the first run, since the number of outputs is known
 * then, and once for each number.
 * @param out      the caller owns it; untouched where the call fails
 * @param context  on which it runs
 * @param name     for messages; copied
 * @param source   GLSL as above; copied
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (NULL), TEXLA_OUT_OF_MEMORY. Mistakes in the source are
 *         found by clKernelExecute. */
TEXLA_API clStatus clKernelCreate(clKernel **out, clContext *context, const char *name,
                                  const char *source);
/**
 * Frees the kernel and the programs compiled from it; another kernel with the same source compiles
 * again.
 * @param kernel  NULL is allowed */
TEXLA_API void clKernelDestroy(clKernel *kernel);

/** A vector that a kernel reads. */
typedef struct clKernelInput {
  /** of the sampler, at most 63 characters */
  const char *name;
  /** never NULL where there is a name */
  const clVector *vector;
  /** length and layout may differ from the outputs': for inputs read by texelFetch alone */
  bool any_layout;
} clKernelInput;
/** Numbers that a kernel reads. */
typedef struct clKernelParameter {
  /** of the uniform: float, vec2, vec3 or vec4 */
  const char *name;
  /** 1..4 */
  int count;
  /** the first `count` of them */
  float value[4];
} clKernelParameter;

/**
 * What a run reads and writes. Outputs are distinct and agree in length and layout, inputs with
 * them (see any_layout). An output may be an input too: the kernel reads the old values. Lists end
 * at the first NULL; zero means default. */
typedef struct clKernelRun {
  /** at least one; as many as are not NULL */
  clVector *output[8];
  /** as many as have a name */
  clKernelInput input[16];
  /** read as scalar.x, y, z and w; NULL: 1 */
  const clFloat *scalar[4];
  /** as many as have a name */
  clKernelParameter parameter[16];
  /** the author promises that lanes beyond the length stay zero; otherwise texla masks them */
  bool keeps_zero;
} clKernelRun;
/** One pass: every texel of the outputs <- kernel(). Nothing is waited for.
 * @param kernel  is compiled at its first run with so many outputs
 * @param run  read during the call only; a failed call leaves its outputs as they were
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (something that the kernel reads was not given, or has
 *         another type; an output twice), TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT,
 *         TEXLA_SHADER_ERROR (the message has the compiler's, with the kernel's own lines),
 *         TEXLA_UNSUPPORTED (double-float where the device has none), TEXLA_OUT_OF_MEMORY,
 *         TEXLA_DEVICE_ERROR */
TEXLA_API clStatus clKernelExecute(clKernel *kernel, const clKernelRun *run);

#ifdef __cplusplus
}
#endif
#endif
