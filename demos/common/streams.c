#include "common/streams.h"

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
  clStatus status = clFloatCreate(&s->most[0], context);
  if (!status)
    status = clFloatCreate(&s->most[1], context);
  if (status)
    demoStreamsDestroy(s);
  else
    *out = s;
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
  clStatus status = clVectorAbsMax(s->most[0], vectors->u);
  most[0] = s->most[0];
  most[1] = s->most[1];
  return status ? status : clVectorAbsMax(s->most[1], vectors->v);
}

static clStatus prepare(demoStreams *s) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 2 && !status && !s->psi[k]; k++) {
    status = clVectorCreateGrid(&s->psi[k], s->context, s->nx, s->ny);
    if (!status)
      status = clVectorCreateGrid(&s->line[k], s->context, s->nx, 1);
  }
  if (!status && !s->row)
    status = clKernelCreate(&s->row, s->context, "demo stream row",
                            "#include \"demo_stream_row.frag\"\n");
  if (!status && !s->begin)
    status = clKernelCreate(&s->begin, s->context, "demo stream begin",
                            "#include \"demo_stream_begin.frag\"\n");
  if (!status && !s->scan)
    status = clKernelCreate(&s->scan, s->context, "demo scan", "#include \"demo_scan.frag\"\n");
  return status;
}

/* x[0] <- its sums along an axis of n elements. */
static clStatus sum(demoStreams *s, clVector *x[2], bool up, int n) {
  clStatus status = TEXLA_OK;
  for (int step = 1; step < n && !status; step *= 2) {
    const clKernelRun run = {
        .output = {x[1]},
        .input = {{"x", x[0], false}},
        .parameter = {{"step", 2, {up ? 0 : (float)step, up ? (float)step : 0}}},
    };
    status = clKernelExecute(s->scan, &run);
    clVector *other = x[0];
    x[0] = x[1];
    x[1] = other;
  }
  return status;
}

clStatus demoStreamsFunction(demoStreams *s, const demoVectors *vectors, const clVector **out,
                             const clFloat **most) {
  clStatus status = prepare(s);
  const clKernelRun row = {.output = {s->line[0]}, .input = {{"v", vectors->v, true}}};
  if (!status)
    status = clKernelExecute(s->row, &row);
  if (!status)
    status = sum(s, s->line, false, s->nx);
  const clKernelRun begin = {.output = {s->psi[0]},
                             .input = {{"u", vectors->u, false}, {"row", s->line[0], true}}};
  if (!status)
    status = clKernelExecute(s->begin, &begin);
  if (!status)
    status = sum(s, s->psi, true, s->ny);
  *out = s->psi[0];
  *most = s->most[0];
  return status ? status : clVectorAbsMax(s->most[0], s->psi[0]);
}
