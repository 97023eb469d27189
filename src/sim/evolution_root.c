/* sqrt(-lap) of a field: what is left after smoothings of many lengths, weighted. Smoothing number
 * j has the weights 1 4 6 4 1 at cells 2^(j - 1) apart, after those before it; its symbol S_j(k) is
 * close to that of a Gaussian. With p = 2 - 2 cos(h k_x), q = 2 - 2 cos(h k_y)
 *     h |k| = a (p + q) + b p q + sum over j of w_j (1 - S_j(k))
 * within 0.5 % for wavelengths from 3.2 to 512 cells in all directions, 1.5 % too little at 2.8
 * cells: a, b and w are the least squares fit of the ratio of both sides. */
#include "sim/evolution.h"

#include <string.h>

enum { SMOOTHINGS = 9 };

/* a, b */
static const double near_weight = 0.502809, corner_weight = -0.093529;
static const double weights[SMOOTHINGS] = {0.043131, 0.303174, 0.114199, 0.061431, 0.029241,
                                           0.014924, 0.007414, 0.003658, 0.003741};

void txEvolutionRootNear(const clEvolution *e, float factor[3]) {
  factor[0] = (float)((4 * near_weight + 4 * corner_weight) / e->options.h);
  factor[1] = (float)((near_weight + 2 * corner_weight) / e->options.h);
  factor[2] = (float)(corner_weight / e->options.h);
}

clStatus txEvolutionCreateRoots(clEvolution *e, const char *rate) {
  static const char *const name[] = {"rootlap_u", "rootlap_v", "rootlap_w", "rootlap_q"};
  clStatus status = TEXLA_OK;
  bool any = false;
  for (int f = 0; f < e->options.fields && !status; f++)
    if (rate && strstr(rate, name[f])) {
      status = clVectorCreateGrid(&e->root[f], e->context, e->options.nx, e->options.ny);
      any = true;
    }
  for (int s = 0; s < 4 && any; s++)
    if (e->options.side[s].edge == TEXLA_EVOLUTION_FIXED)
      return txFail(txContextError(e->context), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                    "rootlap needs edges that are periodic or of no flux");
  return status || !any ? status
                        : txEvolutionKernel(&e->smooth, e, "evolution smooth", "",
                                            "#include \"sim/evolution_smooth.frag\"\n");
}

/* to <- `from` smoothed along an axis; the second time also the sum. */
static clStatus smooth(clEvolution *e, int f, int j, int axis, clVector *from, clVector *to,
                       clVector *sum) {
  clKernelRun run = txEvolutionRun(e, (clVector *[]){from, from, from, from});
  double all = 0;
  for (int k = 0; k < SMOOTHINGS; k++)
    all += weights[k];
  float spacing = (float)(1 << j);
  double scale = j ? 1 : all / e->options.h;
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){
      "taps",
      4,
      {axis ? 0 : spacing, axis ? spacing : 0, (float)scale, (float)(weights[j] / e->options.h)}};
  run.output[0] = to;
  if (axis) {
    run.input[e->options.fields] = (clKernelInput){"sum", sum};
    run.output[1] = e->root[f];
  }
  return clKernelExecute(e->smooth, &run);
}

clStatus txEvolutionRoots(clEvolution *e, clVector *const y[]) {
  clStatus status = TEXLA_OK;
  for (int f = 0; f < e->options.fields; f++)
    for (int j = 0; j < SMOOTHINGS && e->root[f] && !status; j++) {
      status = smooth(e, f, j, 0, j ? e->work[1] : y[f], e->work[0], NULL);
      if (!status)
        status = smooth(e, f, j, 1, e->work[0], e->work[1], j ? e->root[f] : y[f]);
    }
  return status;
}
