/* sqrt(-lap) of a field: what is left after smoothings of many lengths, weighted. Smoothing number
 * j has the weights 1 4 6 4 1 at cells 2^(j - 1) apart, after those before it; its symbol S_j(k) is
 * close to that of a Gaussian. With p = 2 - 2 cos(h k_x), q = 2 - 2 cos(h k_y)
 *     h |k| = a (p + q) + b p q + sum over j of w_j (1 - S_j(k))
 * within 0.5 % for wavelengths from 3.2 to 512 cells in all directions, 1.5 % too little at 2.8
 * cells: a, b and w are the least squares fit of the ratio of both sides. */
#include "sim/evolution.h"
#include "core/try.h"
#include "sim/options.h"

#include <string.h>

enum { SMOOTHINGS = 9 };

/* The kernels of a smoothing: along x, of cells less than a texel of four apart or farther; along
 * y. */
enum { SMOOTH_NEAR, SMOOTH_FAR, SMOOTH_UP };

/* a and b belong to the four cells beside a cell and to the four at its corners. */
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
  static const char *const along[] = {
      [SMOOTH_NEAR] = "#define NEAR\n", [SMOOTH_FAR] = "", [SMOOTH_UP] = "#define UP\n"};
  bool any = false;
  for (int f = 0; f < e->options.fields; f++) {
    if (!rate || !strstr(rate, name[f]))
      continue;
    TRY(clVectorCreateGrid(&e->root[f], e->context, e->options.nx, e->options.ny));
    any = true;
  }
  if (!any)
    return TEXLA_OK;
  for (int s = 0; s < 4 * e->options.fields; s++)
    if (e->edge || e->mirror[s / 4][s % 4] != 1)
      return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionCreate",
                    "rootlap needs edges that are periodic or of no flux");
  for (int k = 0; k < 3; k++)
    TRY(txEvolutionKernel(&e->smooth[k], e, "evolution smooth", along[k],
                          "#include \"sim/evolution_smooth.frag\"\n"));
  return TEXLA_OK;
}

/* to <- `from` smoothed along an axis. After the second axis the sum grows by w_j (1 - S_j) y, of
 * which the terms w_j y of all j are added at once, with the first smoothing. */
static clStatus smooth(clEvolution *e, int f, int j, int axis, clVector *from, clVector *to,
                       clVector *sum) {
  clKernelRun run = txEvolutionRun(e, (clVector *[]){from, from, from, from});
  double all = 0;
  for (int k = 0; k < SMOOTHINGS; k++)
    all += weights[k];
  float spacing[2] = {0};
  spacing[axis] = (float)(1 << j);
  double scale = 1;
  if (j == 0)
    scale = all / e->options.h;
  run.parameter[TX_EVOLUTION_SHARED] = (clKernelParameter){
      "taps", 4, {spacing[0], spacing[1], (float)scale, (float)(weights[j] / e->options.h)}};
  run.output[0] = to;
  if (axis) {
    run.input[e->options.fields] = (clKernelInput){"sum", sum};
    run.output[1] = e->root[f];
  }
  int kernel = SMOOTH_NEAR;
  if (1 << j >= 4)
    kernel = SMOOTH_FAR;
  if (axis)
    kernel = SMOOTH_UP;
  return clKernelExecute(e->smooth[kernel], &run);
}

clStatus txEvolutionRoots(clEvolution *e, clVector *const y[]) {
  for (int f = 0; f < e->options.fields; f++) {
    if (!e->root[f])
      continue;
    clVector *smoothed = y[f], *sum = y[f];
    for (int j = 0; j < SMOOTHINGS; j++) {
      TRY(smooth(e, f, j, 0, smoothed, e->work[0], NULL));
      TRY(smooth(e, f, j, 1, e->work[0], e->work[1], sum));
      smoothed = e->work[1];
      sum = e->root[f];
    }
  }
  return TEXLA_OK;
}
