/* clKernel: a user's function as one pass; shaders/include/kernel.glsl calls it. */
#include "texla/kernel.h"
#include "core/try.h"
#include "core/allocate.h"
#include "gl/traits.h"
#include "vector/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_OUTPUTS = sizeof((clKernelRun *)0)->output / sizeof(clVector *),
  MAX_INPUTS = sizeof((clKernelRun *)0)->input / sizeof(clKernelInput),
  MAX_SCALARS = sizeof((clKernelRun *)0)->scalar / sizeof(clFloat *),
  MAX_PARAMETERS = sizeof((clKernelRun *)0)->parameter / sizeof(clKernelParameter)
};
_Static_assert((int)MAX_OUTPUTS <= (int)TX_MAX_TARGETS && (int)MAX_INPUTS <= (int)TX_MAX_SOURCES &&
                   (int)MAX_SCALARS <= (int)TX_MAX_SCALARS &&
                   (int)MAX_PARAMETERS + 2 <= (int)TX_MAX_UNIFORMS,
               "a run fits into a pass, beside the uniforms `extent` and `txTexel`");

static const char call_text[] = "clKernelExecute";

struct clKernel {
  clContext *context;
  char *name, *source;
};

/* Nothing is compiled yet: the program depends on how many outputs a run has. */
clStatus clKernelCreate(clKernel **out, clContext *context, const char *name, const char *source) {
  static const char call[] = "clKernelCreate";
  if (!out || !context || !name || !source)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context, name and source must not be NULL");
  TRY(txContextEnter(context, call));
  clKernel *kernel = txAllocate(txContextError(context), call, 1, sizeof *kernel, "a kernel");
  if (!kernel)
    return TEXLA_OUT_OF_MEMORY;
  txContextRetain(context);
  *kernel = (clKernel){context, txCopyText(txContextError(context), call, name, "a kernel"),
                       txCopyText(txContextError(context), call, source, "a kernel")};
  if (!kernel->name || !kernel->source) {
    clKernelDestroy(kernel);
    return TEXLA_OUT_OF_MEMORY;
  }
  *out = kernel;
  return TEXLA_OK;
}

/* Another kernel that is created with the same source compiles it again. */
void clKernelDestroy(clKernel *kernel) {
  if (!kernel)
    return;
  clContext *context = kernel->context;
  if (kernel->source)
    txProgramsForget(context, kernel->source);
  free(kernel->name);
  free(kernel->source);
  free(kernel);
  txContextRelease(context);
}

/* The outputs agree with each other and with the kernel's context, and none occurs twice. */
static clStatus checkOutputs(const clKernel *kernel, const clKernelRun *run, int *count) {
  clError *error = txContextError(kernel->context);
  int n = 0;
  while (n < MAX_OUTPUTS && run->output[n])
    n++;
  *count = n;
  if (!n)
    return txFail(error, TEXLA_BAD_ARGUMENT, call_text, "kernel %s has no output", kernel->name);
  TRY(txContextSame(kernel->context, run->output[0]->context, call_text));
  for (int i = 1; i < n; i++) {
    char name[24];
    snprintf(name, sizeof name, "output %d", i);
    TRY(txVectorsAgree(call_text, "output 0", run->output[0], name, run->output[i]));
    for (int k = 0; k < i; k++)
      if (run->output[k] == run->output[i])
        return txFail(error, TEXLA_BAD_ARGUMENT, call_text,
                      "kernel %s: outputs %d and %d are the same vector", kernel->name, k, i);
  }
  return TEXLA_OK;
}

/* An input of any layout is read by coordinates of the kernel's own choice; others agree with the
 * outputs. */
static clStatus addInput(const clKernel *kernel, const clKernelRun *run, int i, txPass *pass) {
  const clKernelInput *input = &run->input[i];
  if (!input->vector)
    return txFail(txContextError(kernel->context), TEXLA_BAD_ARGUMENT, call_text,
                  "kernel %s: input %s has no vector", kernel->name, input->name);
  pass->source[i] = (txSource){input->name, input->vector->texture, TX_ZERO};
  if (input->any_layout)
    return txContextSame(kernel->context, input->vector->context, call_text);
  return txVectorsAgree(call_text, "output 0", run->output[0], input->name, input->vector);
}

/* A parameter becomes a uniform of its name. */
static clStatus addParameter(const clKernel *kernel, const clKernelParameter *parameter,
                             txPass *pass) {
  if (parameter->count < 1 || parameter->count > 4)
    return txFail(txContextError(kernel->context), TEXLA_BAD_ARGUMENT, call_text,
                  "kernel %s: parameter %s has %d components, not 1 to 4", kernel->name,
                  parameter->name, parameter->count);
  txUniform uniform = {.name = parameter->name, .count = parameter->count};
  memcpy(uniform.value, parameter->value, sizeof uniform.value);
  txPassUniform(pass, uniform);
  return TEXLA_OK;
}

static clStatus kernelAddOperands(const clKernel *kernel, const clKernelRun *run, txPass *pass) {
  const txTexture *target = run->output[0]->texture;
  txUniform texel = {"txTexel", 2, {1 / (float)target->width, 1 / (float)target->height}};
  txPassUniform(pass, texel);
  for (int i = 0; i < MAX_INPUTS && run->input[i].name; i++)
    TRY(addInput(kernel, run, i, pass));
  for (int i = 0; i < MAX_SCALARS; i++)
    TRY(txPassScalar(call_text, pass, i, run->scalar[i], kernel->context));
  for (int i = 0; i < MAX_PARAMETERS && run->parameter[i].name; i++)
    TRY(addParameter(kernel, &run->parameter[i], pass));
  return TEXLA_OK;
}

/* No part of the outputs is known to be far from the end: every fragment runs the program for the
 * rim. */
clStatus clKernelExecute(clKernel *kernel, const clKernelRun *run) {
  return txKernelExecute(kernel, run, (txRect){0, 0, 0, 0});
}

/* The text decides whether the kernel computes in double-float: then it is given the arithmetic
 * that the device does right, and invariant outputs, which are one of its guards. */
clStatus txKernelExecute(clKernel *kernel, const clKernelRun *run, txRect inside) {
  if (!kernel || !run)
    return txFail(kernel ? txContextError(kernel->context) : NULL, TEXLA_BAD_ARGUMENT, call_text,
                  "kernel and run must not be NULL");
  int outputs;
  TRY(checkOutputs(kernel, run, &outputs));
  char defines[224];
  const char *arithmetic = "";
  bool double_float = strstr(kernel->source, "include/df64.glsl") != NULL;
  if (double_float) {
    TRY(txDoubleFloatCheck(kernel->context, call_text));
    arithmetic = txDoubleFloatDefine(kernel->context);
  }
  snprintf(defines, sizeof defines, "%s%s#define BORDERED\n#define OUTPUTS %d\n%s", arithmetic,
           txWhen(double_float, "#define INVARIANT\n"), outputs,
           txWhen(run->keeps_zero, "#define KEEPS_ZERO\n"));
  txPass pass = {
      .kernel = kernel->name, .source_text = kernel->source, .defines = defines, .inside = inside};
  TRY(kernelAddOperands(kernel, run, &pass));
  return txVectorsRun(call_text, &pass, run->output, outputs);
}
