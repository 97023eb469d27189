/* Runs of kernels that are put together bit by bit: what is added stands behind what is there. A
 * name that a kernel does not read may be among them, so that kernels share what they are given. */
#ifndef TEXLA_SIM_KERNELS_H
#define TEXLA_SIM_KERNELS_H

#include "core/embedded.h"
#include "gl/shader_files.h"
#include "texla/kernel.h"

/* The shaders of shaders/sim, which this library has in it: each simulation adds them to its
 * context (txShadersAdd). */
extern const txEmbedded txSimShaderFiles[];

/* How many inputs a run has, which is the place of the next one. */
int txRunInputs(const clKernelRun *run);
void txRunInput(clKernelRun *run, const char *name, const clVector *vector);
/* The first `count` of a, b, c, d. */
void txRunParameter(clKernelRun *run, const char *name, int count, double a, double b, double c,
                    double d);

/* A kernel on fields of a grid: texels that have four others on all sides run it without RIM, that
 * is without what the grid's rim needs (shaders/sim/flow.glsl, evolution.glsl). */
clStatus txRunFields(clKernel *kernel, const clKernelRun *run);
/* The same where this is worth while from `least` texels on. */
clStatus txRunSplit(clKernel *kernel, const clKernelRun *run, int least);

#endif
