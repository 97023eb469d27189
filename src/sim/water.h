/* clWater: what its files share. The equations, the staggered grid and the calls are described in
 * texla/water.h. In this order files use those before them: options, kernels, five, state, and
 * water.c, where steps begin. */
#ifndef TEXLA_SIM_WATER_H
#define TEXLA_SIM_WATER_H

#include "gl/context.h"
#include "texla/kernel.h"
#include "texla/tridiagonal.h"
#include "texla/water.h"

/* The ground of walls: no level reaches it. */
#define TX_WATER_WALL 1e9f

/* Vectors that a step writes and reads again, of no use afterwards. */
enum {
  /* see shaders/sim/water_predict.frag */
  TX_WATER_STAR,
  TX_WATER_LINK,
  /* of faces */
  TX_WATER_DEPTH,
  TX_WATER_KNOWN,
  /* the tridiagonal systems */
  TX_WATER_LOWER,
  TX_WATER_MAIN,
  TX_WATER_UPPER,
  TX_WATER_RHS,
  TX_WATER_CHANGE,
  TX_WATER_FLOW,
  TX_WATER_PART,
  TX_WATER_WORK
};
enum { TX_WATER_VECTORS = TX_WATER_WORK + 1 };

enum { TX_WATER_PREDICT, TX_WATER_ROWS, TX_WATER_CORRECT, TX_WATER_UPDATE, TX_WATER_STAGES };
enum { TX_WATER_VIEWS = TEXLA_WATER_FIELDS - TEXLA_WATER_STORED };

typedef struct txWaterFive txWaterFive;

struct clWater {
  clContext *context;
  /* without zeros */
  clWaterOptions options;
  clWaterInfo info;
  /* before: the level before the last change of it */
  clVector *z, *before, *velocity[2];
  /* sill: the higher ground on both sides of a face; TX_WATER_WALL: closed for good */
  clVector *ground, *sill[2];
  /* conserving advection: by axis, of the last stage and the one before */
  clVector *flux[2][2];
  clVector *work[TX_WATER_VECTORS];
  /* by axis */
  clKernel *kernel[2][TX_WATER_STAGES];
  clKernel *settle, *drop, *view[TX_WATER_VIEWS];
  /* the alternating scheme's systems, by axis */
  clTridiagonal *lines[2];
  clFloat *number;
  /* NULL: TEXLA_WATER_ADI */
  txWaterFive *five;
  /* 3 nx ny */
  float *host;
};

/* Where messages about it go; NULL for none. */
static inline clError *txWaterError(const clWater *water) {
  return water ? txContextError(water->context) : NULL;
}

/* From one cell to the next along an axis. */
static inline double txWaterSpacing(const clWater *water, int axis) {
  return axis ? water->info.dy : water->info.dx;
}

/* Checks the options and fills in what is zero; fills info. */
clStatus txWaterChoose(clWaterOptions *options, clWaterInfo *info, clContext *context,
                       const char *call);
/* Chooses dt for the deepest water and checks it. */
clStatus txWaterChooseStep(clWater *water, double deepest, const char *call);

/* A kernel with this water's defines in front, for an axis. */
clStatus txWaterKernel(clKernel **out, const clWater *water, const char *name, int axis,
                       const char *file);

/* Runs a kernel of a stage. */
clStatus txWaterRun(const clWater *water, clKernel *kernel, const clKernelRun *run);
/* The rim's table, at a time, for a stage of so much time. */
void txWaterRim(clKernelRun *run, const clWater *water, double time, double duration);
/* What water_predict.frag reads. */
void txWaterPredict(clKernelRun *run, const clWater *water, int axis, double dt);

/* What the last stage has made, the level in `before` and the older flows, becomes the present. */
void txWaterAccept(clWater *water);

/* The five-diagonal scheme. */
clStatus txWaterFiveCreate(clWater *water, const char *call);
void txWaterFiveDestroy(txWaterFive *five);
/* Its matrix and solver for water->z and dt. */
clStatus txWaterFivePrepare(clWater *water);
clStatus txWaterFiveStep(clWater *water);

#endif
