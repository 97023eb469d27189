/* clWave: what its files share. The calls, the schemes and the places of points are described in
 * texla/wave.h. */
#ifndef TEXLA_SIM_WAVE_H
#define TEXLA_SIM_WAVE_H

#include "gl/context.h"
#include "texla/kernel.h"
#include "texla/wave.h"

struct clWave {
  clContext *context;
  clWaveInfo info;
  /* of the implicit schemes */
  clSolverOptions solver;
  /* nx * ny */
  uint8_t *solid;
  /* ... */
  float *speed;
  /* ... for what is on its way to the device */
  float *host;
  /* (s / c)^2, 0 in walls: what shaders/sim/wave.glsl reads */
  clVector *medium;
  clMatrix *B;
  /* implicit: (1 + weight beta L) change = pull */
  clMatrix *A;
  clSolver *cg;
  clVector *change, *pull;
  /* x(t), x(t-1) */
  clVector *now, *before;
  clVector *work;
  /* of the absorbing layers (shaders/sim/wave_layer.frag); NULL: no edge absorbs */
  clVector *flux[2];
  /* force: NULL without sources, layer without absorbing edges */
  clKernel *force, *layer, *energy;
  clWaveSource source[TEXLA_WAVE_SOURCES];
  int sources;
  clFloat *kinetic, *potential;
};

static inline bool txWaveImplicit(const clWaveInfo *info) {
  return info->scheme != TEXLA_WAVE_EXPLICIT;
}

static inline bool txWavePeriodic(const clWaveInfo *info, int axis) {
  return info->edge[2 * axis] == TEXLA_WAVE_EDGE_PERIODIC;
}

/* Where messages about it go; NULL for none. */
static inline clError *txWaveError(const clWave *wave) {
  return wave ? txContextError(wave->context) : NULL;
}

/* What kernels may read; each takes what it names. `parameter` holds one so far. */
clKernelRun txWavePrepare(const clWave *wave);
/* A kernel for this wave's edges. */
clStatus txWaveKernel(clKernel **out, const clWave *wave, const char *name, const char *source);

/* Checks the options and fills in info. */
clStatus txWaveChoose(clWaveInfo *info, clContext *context, const char *call,
                      const clWaveOptions *options);
/* Is dt stable with this largest local speed? Fills in fastest, dt_max and beta. */
clStatus txWaveChooseStep(clWaveInfo *info, double fastest, clContext *context, const char *call);

/* The matrices and the medium from solid and speed. Fails without an effect on the device. */
clStatus txWaveBuild(clWave *wave, const char *call);

/* y <- y + dt^2 f(t) */
clStatus txWaveForce(clWave *wave, clVector *y);

#endif
