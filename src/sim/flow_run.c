/* What kernels of a flow read, and a stage of a step. */
#include "sim/flow.h"
#include "core/try.h"
#include "sim/kernels.h"

#include <string.h>

clKernelRun txFlowInputs(const clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  clKernelRun run = {.input = {{"u", flow->u},
                               {"v", flow->v},
                               {"p", flow->p},
                               {"dye", flow->dye},
                               {"rim", flow->rim, true},
                               {"open_u", flow->open_u},
                               {"open_v", flow->open_v},
                               {"fluid", flow->fluid},
                               {"pressure", flow->p}},
                     .parameter = {{"cells",
                                    4,
                                    {(float)o->nx, (float)o->ny, (float)txFlowPeriodic(o, 0),
                                     (float)txFlowPeriodic(o, 1)}}}};
  if (flow->distance) {
    txRunInput(&run, "wall_u", flow->wall[0]);
    txRunInput(&run, "wall_v", flow->wall[1]);
  }
  return run;
}

clStatus txFlowStage(clFlow *flow, int stage, clKernel *kernel, const clKernelRun *fields) {
  if (!flow->gates[0])
    return txRunFields(kernel, fields);
  clKernelRun run = *fields;
  txRunParameter(&run, "gates", 2, txFlowGate(&flow->options, TEXLA_SIDE_LEFT),
                 txFlowGate(&flow->options, TEXLA_SIDE_BOTTOM), 0, 0);
  /* This kernel is one of the rim's texels, and all others are of another shape. */
  for (int k = 0; run.input[k].name; k++)
    run.input[k].any_layout = true;
  run.input[TX_FLOW_RIM].any_layout = false;
  txRunInput(&run, "rim_0", flow->gates[1]);
  memset(run.output, 0, sizeof run.output);
  run.output[0] = flow->gates[0];
  TRY(clKernelExecute(flow->gate[stage], &run));
  TRY(txRunFields(kernel, fields));
  clVector *next = flow->gates[0];
  flow->gates[0] = flow->rim;
  flow->rim = next;
  return TEXLA_OK;
}
