/**
 * @file
 * Simulations on texla: waves, shallow water, flows, evolution equations. The library texla_sim,
 * which stands on texla; it includes texla/texla.h. */
#ifndef TEXLA_SIM_H
#define TEXLA_SIM_H

#include "texla/texla.h"
#include "texla/wave.h"
#include "texla/water.h"
#include "texla/flow.h"
#include "texla/evolution.h"
#include "texla/terrain.h"

#endif
