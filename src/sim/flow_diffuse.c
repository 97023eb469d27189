/* Implicit diffusion of a flow's velocity or dye: (1 - l L) x = start, by sweeps where l is small,
 * by cycles of multigrid where it is not and all sides are simple. */
#include "sim/flow.h"
#include "core/try.h"
#include "sim/chebyshev.h"
#include "sim/kernels.h"

#include <math.h>

clStatus txFlowStarts(clFlow *flow) {
  for (int k = 0; k < 3; k++)
    if (!flow->start[k])
      TRY(clVectorCreateLike(&flow->start[k], flow->u));
  return TEXLA_OK;
}

/* What kernels of diffusion read: the fields, and what they are to become without diffusion. */
static clKernelRun inputsOf(const clFlow *flow, clVector *const field[3]) {
  static const char *const name[] = {"u_0", "v_0", "dye_0"};
  static const int place[] = {TX_FLOW_U, TX_FLOW_V, TX_FLOW_DYE};
  clKernelRun run = txFlowInputs(flow);
  for (int k = 0; k < 3; k++) {
    if (!field[k])
      continue;
    run.input[place[k]].vector = field[k];
    txRunInput(&run, name[k], flow->start[k]);
  }
  return run;
}

/* Sweeps of Jacobi's method with Chebyshev's weights. */
static clStatus sweeps(clFlow *flow, clVector *const field[3], double l, double rho, int n) {
  int outputs = 0;
  clKernelRun run = inputsOf(flow, field);
  if (flow->gates[1])
    TRY(clVectorCopy(flow->gates[1], flow->rim));
  for (int k = 0; k < 3; k++)
    if (field[k])
      run.output[outputs++] = field[k];
  for (int k = 0; k < n; k++) {
    run.input[TX_FLOW_RIM].vector = flow->rim;
    run.parameter[1] =
        (clKernelParameter){"rates", 3, {(float)l, 0, (float)txChebyshevWeight(k, n, rho)}};
    if (field[0])
      TRY(txFlowStage(flow, TX_FLOW_DIFFUSE, flow->diffuse, &run));
    else
      TRY(txRunFields(flow->diffuse_dye, &run));
  }
  return TEXLA_OK;
}

/* The change as a solution of (1 - l L) e = start - (1 - l L) x, which is zero where x is given. */
static clStatus cycles(clFlow *flow, clVector *const field[3], double l) {
  const clFlowOptions *o = &flow->options;
  clVector *const left[] = {flow->rhs, flow->q, flow->rhs};
  clKernel *defect = flow->defect;
  int outputs = 0;
  if (!field[0])
    defect = flow->defect_dye;
  clKernelRun run = inputsOf(flow, field);
  run.parameter[1] = (clKernelParameter){"rates", 3, {(float)l, 0, 0}};
  for (int k = 0; k < 3; k++)
    if (field[k])
      run.output[outputs++] = left[k];
  TRY(txRunFields(defect, &run));
  if (!flow->helmholtz)
    TRY(txHelmholtzCreate(&flow->helmholtz, flow->context, o->nx, o->ny, txFlowPeriodic(o, 0),
                          txFlowPeriodic(o, 1)));
  int cycles = txHelmholtzCycles(flow->options.nx, flow->options.ny, l);
  for (int k = 0; k < 3; k++) {
    if (!field[k])
      continue;
    TRY(txHelmholtzSolve(flow->helmholtz, flow->z, left[k], l, cycles, flow->change[k]));
    TRY(clVectorAdd(field[k], 1, NULL, field[k], 1, NULL, flow->z));
  }
  return TEXLA_OK;
}

/* The circle of the next larger rate that is known holds that of l, since they grow with it; that
 * of a larger one than all comes closer to 1 by that factor at most. */
static double spreadOf(const clFlow *flow, double l) {
  int r = 0;
  while (r < TX_FLOW_RATES && txFlowRate(r) < l)
    r++;
  if (r == TX_FLOW_RATES)
    return 1 - (1 - flow->spreads[r - 1]) * txFlowRate(r - 1) / l;
  return flow->spreads[r];
}

/* The eigenvalues of the matrix, divided by its diagonal, lie within 1 - rho .. 1 + rho. */
clStatus txFlowDiffuse(clFlow *flow, clVector *const field[3], double l) {
  const clFlowOptions *o = &flow->options;
  double rho = 4 * l / (1 + 4 * l);
  if (flow->distance)
    rho = fmax(rho, spreadOf(flow, l));
  int n = txChebyshevSweeps(rho);
  if (n > txHelmholtzMostSweeps(flow->context, o->nx, o->ny) && flow->simple &&
      txHelmholtzCycles(o->nx, o->ny, l))
    return cycles(flow, field, l);
  return sweeps(flow, field, l, rho, n);
}
