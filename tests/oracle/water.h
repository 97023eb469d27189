/* Shallow water in double precision, cell by cell: what clWater (include/texla/water.h) computes,
 * as plain loops. Dense Gaussian elimination for lines and a plain conjugate gradient loop for the
 * five-diagonal systems. */
#ifndef TEXLA_TESTS_ORACLE_WATER_H
#define TEXLA_TESTS_ORACLE_WATER_H

#include <stdint.h>

#include "texla/water.h"

typedef struct oracleWater {
  /* without zeros: what the library takes for zero must be given, dt too */
  clWaterOptions o;
  /* 1e9 in walls */
  double *ground;
  double *z, *before, *velocity[2];
  double *flux[2][2];
  double *work[12];
  double time;
  int64_t steps;
} oracleWater;

/* Fills in the defaults of `options` but dt. The caller destroys it. */
oracleWater *oracleWaterCreate(const clWaterOptions *options, const float *ground,
                               const uint8_t *solid);
void oracleWaterDestroy(oracleWater *water);
/* NULL: zeros */
void oracleWaterUpload(oracleWater *water, const float *z, const float *u, const float *v);
void oracleWaterStep(oracleWater *water, int64_t count);
double oracleWaterVolume(const oracleWater *water);

#endif
