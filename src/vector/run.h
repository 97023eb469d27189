/* What every operator on vectors does: check the operands, render, and hide the ping-pong. */
#ifndef TEXLA_VECTOR_RUN_H
#define TEXLA_VECTOR_RUN_H

#include "platform/companion.h"
#include "gl/pass.h"
#include "texla/kernel.h"
#include "vector/scalar.h"
#include "vector/vector.h"

/* Fails when a or b is NULL or when they differ in context, length or layout; b_name NULL: there is
 * no b. The names are for the message: "clVectorAxpy: y is grid 3 x 4 but x is linear of length
 * 12". */
clStatus txVectorsAgree(const char *call, const char *a_name, const clVector *a, const char *b_name,
                        const clVector *b);

/* Scalar number i of a pass on this context <- an optional factor; NULL leaves it 1. */
clStatus txPassScalar(const char *call, txPass *pass, int i, const clFloat *s, clContext *context);

/* Runs a pass whose targets are the textures of `output`; an output that is also a source is
 * rendered into a fresh texture and replaced (the pass must write all of it). Adds the uniform
 * `extent`. A failed call leaves the outputs as they were. */
clStatus txVectorsRun(const char *call, txPass *pass, clVector *const *output, int count);
clStatus txVectorRun(const char *call, txPass *pass, clVector *output);

/* The same for one clFloat. */
clStatus txScalarRun(const char *call, txPass *pass, clFloat *output);

/* The same for any textures: *textures[i] is replaced where it is a source. */
clStatus txTexturesRun(clContext *context, const char *call, txPass *pass,
                       txTexture **const *textures, int count);

/* clKernelExecute; `inside` are texels that have no lanes beyond the length, whose program lacks
 * the define RIM (txPass.inside). */
TX_COMPANION clStatus txKernelExecute(clKernel *kernel, const clKernelRun *run, txRect inside);

/* Appends a uniform to the list. A pass that has no room left fails when it runs, and names what
 * was one too many. */
void txPassUniform(txPass *pass, txUniform uniform);
/* The same for a uniform of type int or ivec2 (`count` 1 or 2). */
void txPassIntegers(txPass *pass, const char *name, int count, int a, int b);
/* Appends a source to the list. */
void txPassSource(txPass *pass, const char *name, const txTexture *texture, txSampling sampling);

/* The text where the condition holds, otherwise none: for defines that a program may do without. */
static inline const char *txWhen(bool condition, const char *text) {
  return condition ? text : "";
}

#endif
