/* What stands beyond the edges of a clEvolution, and its totals. A cell beyond an edge is `mirror`
 * times the cell within plus a number, by which weight u + slope u_n = value halfway between both.
 * These numbers are a small grid: row 4 field + side, along the side. */
#include "sim/evolution.h"
#include "core/allocate.h"
#include "core/try.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lengthOf(const clEvolution *e) {
  return (int)fmax(e->options.nx, e->options.ny);
}

/* Weight and slope have one sign: otherwise the ghost might be any multiple of the cell. */
static clStatus setMirror(clEvolution *e, int f, int s) {
  const clEvolutionSide *side = &e->options.side[s];
  double weight = side->edge == TEXLA_EVOLUTION_FIXED, slope = 1 - weight;
  if (side->edge == TEXLA_EVOLUTION_MIXED) {
    weight = side->weight[f];
    slope = side->slope[f];
  }
  double sum = weight / 2 + slope / e->options.h;
  if (!isfinite((float)sum) || weight * slope < 0 || sum == 0)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                  "weight (%g) and slope (%g) of field %d on side %d must be finite, of one sign, "
                  "and not both 0",
                  weight, slope, f, s);
  e->mirror[f][s] = (slope / e->options.h - weight / 2) / sum;
  e->scale[f][s] = 1 / sum;
  return TEXLA_OK;
}

/* The values that the options give. */
static clStatus uploadValues(clEvolution *e) {
  int n = lengthOf(e), fields = e->options.fields;
  float *values = txAllocate(txEvolutionError(e), "clEvolutionCreate", (size_t)(4 * n * fields),
                             sizeof *values, "values on edges");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int row = 0; row < 4 * fields; row++)
    for (int k = 0; k < n; k++)
      values[row * n + k] =
          (float)(e->scale[row / 4][row % 4] * e->options.side[row % 4].value[row / 4]);
  clStatus status = clVectorUpload(e->edge, values);
  free(values);
  return status;
}

/* The user's text, whose lines count from 1, is called by evolution_edge.glsl. */
static clStatus createKernel(clEvolution *e, const char *text) {
  static const char form[] = "#define FIELDS %d\n#include \"sim/evolution_edge.glsl\"\n#line 1\n%s"
                             "\n#line 1\nvec4 kernel() { return beyond(); }\n";
  size_t size = strlen(text) + sizeof form + 16;
  char *source = txAllocate(txEvolutionError(e), "clEvolutionCreate", size, 1, "a shader");
  if (!source)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(source, size, form, e->options.fields, text);
  clStatus status = clKernelCreate(&e->edge_kernel, e->context, "edges", source);
  free(source);
  return status;
}

clStatus txEvolutionCreateEdges(clEvolution *e, const char *text) {
  bool any = text != NULL;
  for (int f = 0; f < e->options.fields; f++)
    for (int s = 0; s < 4; s++) {
      TRY(setMirror(e, f, s));
      any |= e->options.side[s].edge >= TEXLA_EVOLUTION_FIXED && e->options.side[s].value[f] != 0;
    }
  if (!any)
    return TEXLA_OK;
  TRY(clVectorCreateGrid(&e->edge, e->context, lengthOf(e), 4 * e->options.fields));
  if (text)
    return createKernel(e, text);
  return uploadValues(e);
}

clStatus txEvolutionEdges(clEvolution *e, clVector *const y[], double time) {
  static const char *const value[] = {"value_u", "value_v", "value_w", "value_q"};
  static const char *const scale[] = {"scale_u", "scale_v", "scale_w", "scale_q"};
  if (!e->edge_kernel)
    return TEXLA_OK;
  clKernelRun run = txEvolutionRun(e, y);
  run.parameter[0].value[3] = (float)time;
  clKernelParameter *given = run.parameter + TX_EVOLUTION_SHARED - 3;
  memmove(run.parameter + 1, given, 3 * sizeof *given);
  memset(run.parameter + 4, 0, sizeof run.parameter - 4 * sizeof *given);
  for (int f = 0; f < e->options.fields; f++) {
    run.input[f].any_layout = true;
    const double *a = e->scale[f];
    const clEvolutionSide *side = e->options.side;
    txRunParameter(&run, value[f], 4, side[0].value[f], side[1].value[f], side[2].value[f],
                   side[3].value[f]);
    txRunParameter(&run, scale[f], 4, a[0], a[1], a[2], a[3]);
  }
  run.output[0] = e->edge;
  return clKernelExecute(e->edge_kernel, &run);
}

/* --- what is given of each cell --- */

clStatus txEvolutionCreateGiven(clEvolution *e, const clEvolutionOptions *o) {
  int n = o->nx * o->ny, inputs = 3 * o->fields + (e->edge != NULL) + (o->domain != NULL);
  for (int k = 0; k < TEXLA_EVOLUTION_GIVEN && o->given[k]; k++, inputs++) {
    TRY(clVectorCreateGrid(&e->given[k], e->context, o->nx, o->ny));
    TRY(clVectorUpload(e->given[k], o->given[k]));
  }
  for (int f = 0; f < o->fields; f++)
    inputs += e->root[f] != NULL;
  if (inputs > 16)
    return txFail(txEvolutionError(e), TEXLA_TOO_LARGE, "clEvolutionCreate",
                  "fields, roots, given cells, domain and edges take %d textures of 16", inputs);
  if (!o->domain)
    return TEXLA_OK;
  for (int k = 0; k < n; k++) {
    e->cells += o->domain[k] == 1;
    if (o->domain[k] != 0 && o->domain[k] != 1)
      return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                    "the domain is %g in cell %d: it must be 0 or 1", (double)o->domain[k], k);
  }
  if (!e->cells)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                  "no cell is within the domain");
  TRY(clVectorCreateGrid(&e->domain, e->context, o->nx, o->ny));
  return clVectorUpload(e->domain, o->domain);
}

/* --- totals --- */

clStatus txEvolutionCreateTotals(clEvolution *e, const clEvolutionOptions *o) {
  static const char *const outside[] = {"0.", "3e38", "-3e38"};
  for (int k = 0; k < TEXLA_EVOLUTION_TOTALS && o->total[k]; k++) {
    if ((unsigned)o->total_kind[k] > TEXLA_EVOLUTION_MOST)
      return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                    "total %d is of an unknown kind %d", k, (int)o->total_kind[k]);
    TRY(clFloatCreate(&e->total[k], e->context));
    TRY(txEvolutionPictureKernel(&e->total_kernel[k], e, o->total[k], outside[o->total_kind[k]]));
  }
  return TEXLA_OK;
}

clStatus txEvolutionTotals(clEvolution *e, clVector *const y[], double time) {
  static clStatus (*const reduce[])(clFloat *, const clVector *) = {clVectorSum, clVectorMin,
                                                                    clVectorMax};
  for (int k = 0; k < TEXLA_EVOLUTION_TOTALS && e->total[k]; k++) {
    clKernelRun run = txEvolutionRun(e, y);
    run.parameter[0].value[3] = (float)time;
    run.output[0] = e->work[1];
    TRY(txEvolutionExecute(e, e->total_kernel[k], &run));
    TRY(reduce[e->options.total_kind[k]](e->total[k], e->work[1]));
  }
  return TEXLA_OK;
}
