/* What all kernels of a clEvolution have in front of them, and what they may read. */
#include "sim/evolution.h"
#include "core/allocate.h"
#include "gl/defines.h"
#include "sim/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool isPeriodic(const clEvolution *e, int axis) {
  return e->options.side[2 * axis].edge == TEXLA_EVOLUTION_PERIODIC;
}

/* What is periodic, how many fields there are and whether texels are cut by the end of a row is
 * known to the compiler, since each cell of each step would have to ask for it otherwise. */
clStatus txEvolutionKernel(clKernel **out, const clEvolution *e, const char *name,
                           const char *defines, const char *source) {
  txDefines own = {""};
  txDefine(&own, "FIELDS", e->options.fields);
  txDefineIf(&own, isPeriodic(e, 0), "PERIODIC_X");
  txDefineIf(&own, isPeriodic(e, 1), "PERIODIC_Y");
  txDefineIf(&own, e->edge != NULL, "EDGES");
  txDefineIf(&own, e->given[0] != NULL, "GIVEN_0");
  txDefineIf(&own, e->given[1] != NULL, "GIVEN_1");
  txDefineIf(&own, e->domain != NULL, "DOMAIN");
  txDefineIf(&own, e->options.domain_fixed, "DOMAIN_FIXED");
  if (e->domain)
    txDefine(&own, "CELLS", e->cells);
  txDefineIf(&own, e->options.nx % 4 != 0, "PARTIAL");
  size_t size = strlen(own.text) + strlen(defines) + strlen(source) + 64;
  char *text = txAllocate(txEvolutionError(e), name, size, 1, "a shader");
  if (!text)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(text, size, "%s%s#include \"sim/evolution.glsl\"\n%s", own.text, defines, source);
  clStatus status = clKernelCreate(out, e->context, name, text);
  free(text);
  return status;
}

/* By which factors and numbers cells beyond edges are made (src/sim/evolution_edges.c). */
static void setEdges(clKernelRun *run, const clEvolution *e) {
  static const char *const mirror[] = {"mirror_u", "mirror_v", "mirror_w", "mirror_q"};
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++) {
    run->parameter[1 + f] = (clKernelParameter){mirror[f], 4, {0}};
    for (int s = 0; s < 4; s++)
      run->parameter[1 + f].value[s] = (float)e->mirror[f][s];
  }
  run->parameter[5] = (clKernelParameter){"edge_row", 4, {0, 4, 8, 12}};
}

clStatus txEvolutionExecute(const clEvolution *e, clKernel *kernel, clKernelRun *run) {
  static const char *const given[] = {"data_0", "data_1"};
  for (int k = 0; k < TEXLA_EVOLUTION_GIVEN; k++)
    if (e->given[k])
      txRunInput(run, given[k], e->given[k]);
  if (e->domain)
    txRunInput(run, "domain", e->domain);
  if (e->edge) {
    txRunInput(run, "edge", e->edge);
    run->input[txRunInputs(run) - 1].any_layout = true;
  }
  return txRunFields(kernel, run);
}

/* Twelve numbers of the user's own are three vectors of four, as uniforms are handed over. */
clKernelRun txEvolutionRun(const clEvolution *e, clVector *const field[]) {
  static const char *const now[] = {"now_u", "now_v", "now_w", "now_q"};
  static const char *const parameter[] = {"parameter_0", "parameter_1", "parameter_2"};
  const clEvolutionOptions *o = &e->options;
  /* Where rows end with a texel there are no lanes beyond the end that a kernel might touch. */
  clKernelRun run = {
      .parameter = {{"grid", 4, {(float)o->nx, (float)o->ny, (float)o->h, (float)e->info.time}}},
      .keeps_zero = o->nx % 4 == 0};
  setEdges(&run, e);
  for (int k = 0; k < TEXLA_EVOLUTION_PARAMETERS; k++) {
    run.parameter[6 + k / 4].name = parameter[k / 4];
    run.parameter[6 + k / 4].count = 4;
    run.parameter[6 + k / 4].value[k % 4] = (float)o->parameter[k];
  }
  for (int f = 0; f < o->fields; f++)
    run.input[f] = (clKernelInput){now[f], field[f]};
  for (int k = 0; k < TEXLA_EVOLUTION_TOTALS; k++)
    run.scalar[k] = e->total[k];
  return run;
}

clStatus txEvolutionPictureKernel(clKernel **out, const clEvolution *e, const char *text,
                                  const char *outside) {
  static const char plain[] = "picture()", masked[] = "mix(vec4(%s), picture(), inside(0, 0))";
  char value[64];
  snprintf(value, sizeof value, plain);
  if (e->domain && outside)
    snprintf(value, sizeof value, masked, outside);
  size_t size = strlen(text) + sizeof value + 64;
  char *source = txAllocate(txEvolutionError(e), "clEvolutionPicture", size, 1, "a shader");
  if (!source)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(source, size, "#line 1\n%s\n#line 1\nvec4 kernel() { return %s; }\n", text, value);
  clStatus status = txEvolutionKernel(out, e, "picture", "", source);
  free(source);
  return status;
}
