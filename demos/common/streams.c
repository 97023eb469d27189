#include "common/streams.h"
#include "core/try.h"
#include "gl/shader_files.h"

#include <stdlib.h>

struct demoStreams {
  clContext *context;
  int nx, ny;
  clFloat *most[2];
  /* made when the first stream function is wanted */
  clKernel *begin, *row, *scan;
  /* two of each: a sum is rendered from one into the other */
  clVector *psi[2], *line[2];
};

clStatus demoStreamsCreate(demoStreams **out, clContext *context, int nx, int ny) {
  demoStreams *s = calloc(1, sizeof *s);
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  *s = (demoStreams){.context = context, .nx = nx, .ny = ny};
  txShadersAdd(context, demoShaders);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&s->most[0], context));
  TRY_CLEANUP(clFloatCreate(&s->most[1], context));
  *out = s;
  return TEXLA_OK;
cleanup:
  demoStreamsDestroy(s);
  return status;
}

void demoStreamsDestroy(demoStreams *s) {
  if (!s)
    return;
  for (int k = 0; k < 2; k++) {
    clFloatDestroy(s->most[k]);
    clVectorDestroy(s->psi[k]);
    clVectorDestroy(s->line[k]);
  }
  clKernelDestroy(s->begin);
  clKernelDestroy(s->row);
  clKernelDestroy(s->scan);
  free(s);
}

clStatus demoStreamsMeasure(demoStreams *s, const demoVectors *vectors, const clFloat *most[2]) {
  most[0] = s->most[0];
  most[1] = s->most[1];
  TRY(clVectorAbsMax(s->most[0], vectors->u));
  return clVectorAbsMax(s->most[1], vectors->v);
}

/* What the first stream function needs; the next one finds it there. */
static clStatus prepare(demoStreams *s) {
  for (int k = 0; k < 2 && !s->psi[k]; k++) {
    TRY(clVectorCreateGrid(&s->psi[k], s->context, s->nx, s->ny));
    TRY(clVectorCreateGrid(&s->line[k], s->context, s->nx, 1));
  }
  if (!s->row)
    TRY(clKernelCreate(&s->row, s->context, "demo stream row",
                       "#include \"demo_stream_row.frag\"\n"));
  if (!s->begin)
    TRY(clKernelCreate(&s->begin, s->context, "demo stream begin",
                       "#include \"demo_stream_begin.frag\"\n"));
  if (!s->scan)
    TRY(clKernelCreate(&s->scan, s->context, "demo scan", "#include \"demo_scan.frag\"\n"));
  return TEXLA_OK;
}

/* x[0] <- its sums along an axis of n elements. */
static clStatus sum(demoStreams *s, clVector *x[2], bool up, int n) {
  for (int step = 1; step < n; step *= 2) {
    clKernelRun run = {
        .output = {x[1]}, .input = {{"x", x[0], false}}, .parameter = {{"step", 2, {0, 0}}}};
    run.parameter[0].value[up] = (float)step;
    TRY(clKernelExecute(s->scan, &run));
    clVector *other = x[0];
    x[0] = x[1];
    x[1] = other;
  }
  return TEXLA_OK;
}

clStatus demoStreamsFunction(demoStreams *s, const demoVectors *vectors, const clVector **out,
                             const clFloat **most) {
  TRY(prepare(s));
  const clKernelRun row = {.output = {s->line[0]}, .input = {{"v", vectors->v, true}}};
  TRY(clKernelExecute(s->row, &row));
  TRY(sum(s, s->line, false, s->nx));
  const clKernelRun begin = {.output = {s->psi[0]},
                             .input = {{"u", vectors->u, false}, {"row", s->line[0], true}}};
  TRY(clKernelExecute(s->begin, &begin));
  TRY(sum(s, s->psi, true, s->ny));
  *out = s->psi[0];
  *most = s->most[0];
  return clVectorAbsMax(s->most[0], s->psi[0]);
}
