#include "scenes.h"

#include <math.h>
#include <stdlib.h>

static bool inDisc(double x, double y, double cx, double cy, double radius) {
  return hypot(x - cx, y - cy) < radius;
}

/* Smoke: two sources that sway a little, and a ball in the way. */
static bool smokeBall(double x, double y, double width) {
  return inDisc(x, y, 0.5 * width + 0.01, 0.55, 0.09);
}

static const double turn = 6.28318530717959;

static clStatus smokeFeed(clFlow *flow, const demoShow *show) {
  clFlowInfo info = clFlowInspect(flow);
  double rate = info.dt > 0 ? fmin(info.dt, 0.05) : 0.01,
         sway = 0.012 * sin(7 * info.time + turn * demoRandom(show, 0));
  double push = sin(11 * info.time + turn * demoRandom(show, 1)) + demoRandom(show, 16 + info.steps) - 0.5;
  return clFlowSplat(flow, info.width / 2 + sway, 0.06, 0.045, 0.5 * rate * push, 0, 4 * rate);
}

static const double discX = 0.45, discY = 0.505, discRadius = 0.1;

static bool cylinderDisc(double x, double y, double width) {
  (void)width;
  return inDisc(x, y, discX, discY, discRadius);
}

/* The stream from the beginning. */
static clStatus windBegin(clFlow *flow, const demoShow *show) {
  (void)show;
  clFlowInfo info = clFlowInspect(flow);
  size_t n = (size_t)info.nx * (size_t)info.ny;
  float *u = malloc(n * sizeof *u);
  for (size_t k = 0; k < n && u; k++)
    u[k] = 1;
  clStatus status = u ? clFlowUpload(flow, u, NULL, NULL) : TEXLA_OUT_OF_MEMORY;
  free(u);
  return status;
}

/* A push wakes the vortices. */
static clStatus cylinderBegin(clFlow *flow, const demoShow *show) {
  clStatus status = windBegin(flow, show);
  double push = demoRandom(show, 0) < 0.5 ? 0.8 : -0.8;
  return status ? status : clFlowSplat(flow, discX + 3 * discRadius, discY, discRadius, 0, push, 0);
}

/* Threads of dye. */
static clStatus windFeed(clFlow *flow, const demoShow *show) {
  (void)show;
  clFlowInfo info = clFlowInspect(flow);
  double rate = info.dt > 0 ? info.dt : 0.005;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 7 && !status; k++)
    status = clFlowSplat(flow, 0.08, 0.2 + 0.1 * k, 0.014, 0, 0, 40 * rate);
  return status;
}

/* Two threads of dye that pass the disc on both sides. */
static clStatus cylinderFeed(clFlow *flow, const demoShow *show) {
  (void)show;
  clFlowInfo info = clFlowInspect(flow);
  double rate = info.dt > 0 ? info.dt : 0.005;
  clStatus status = clFlowSplat(flow, discX - 2 * discRadius, discY + 0.45 * discRadius, 0.018, 0, 0, 40 * rate);
  return status ? status : clFlowSplat(flow, discX - 2 * discRadius, discY - 0.45 * discRadius, 0.018, 0, 0, 40 * rate);
}

/* The cavity: bands of dye that the lid winds up. */
static clStatus cavityBegin(clFlow *flow, const demoShow *show) {
  (void)show;
  clFlowInfo info = clFlowInspect(flow);
  size_t n = (size_t)info.nx * (size_t)info.ny;
  float *dye = malloc(n * sizeof *dye);
  for (size_t k = 0; k < n && dye; k++)
    dye[k] = (float)(0.5 - 0.5 * cos(2 * 3.14159265358979 * 5 * ((double)(k / (size_t)info.nx) + 0.5) / info.ny));
  clStatus status = dye ? clFlowUpload(flow, NULL, NULL, dye) : TEXLA_OUT_OF_MEMORY;
  free(dye);
  return status;
}

static clStatus jetFeed(clFlow *flow, const demoShow *show) {
  clFlowInfo info = clFlowInspect(flow);
  double rate = info.dt > 0 ? info.dt : 0.005, push = sin(9 * info.time + turn * demoRandom(show, 0));
  return clFlowSplat(flow, 0.05, 0.5, 0.03, 0, 2.5 * rate * push, 0);
}

static bool stepBlock(double x, double y, double width) {
  (void)width;
  return x < 0.6 && y < 0.5;
}

/* The profile NACA 0015, chord 0.7, turned by 14 degrees; or, with --obstacles, what a picture shows. */
static bool wing(double x, double y, double width) {
  (void)width;
  const double chord = 0.7, angle = 0.244, dx = (x - 0.35) / chord, dy = (y - 0.56) / chord;
  double s = dx * cos(angle) - dy * sin(angle), t = dx * sin(angle) + dy * cos(angle);
  double half = 0.75 * (0.2969 * sqrt(fmax(s, 0)) - s * (0.126 + s * (0.3516 - s * (0.2843 - 0.1015 * s))));
  return s > 0 && s < 1 && fabs(t) < fmax(half, 0.006);
}

/* A pair of vortices that moves along (dx, dy): two opposite jets of dye. */
static clStatus vorticesBegin(clFlow *flow, const demoShow *show) {
  static const double pair[4][5] = {
      {0.2, 0.5, 1.6, 0.02, 1}, {0.8, 0.5, -1.6, -0.02, 0.6}, {0.5, 0.15, 0.03, 1.1, 0.4}, {0.5, 0.87, 0, -1.1, 0.8}};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 4 && !status; k++)
    status = clFlowSplat(flow, pair[k][0] + 0.02 * (demoRandom(show, k) - 0.5), pair[k][1], 0.07, pair[k][2],
                         pair[k][3], pair[k][4]);
  return status;
}

#define WALL                                                                                                           \
  { TEXLA_FLOW_NO_SLIP }
#define SLIP                                                                                                           \
  { TEXLA_FLOW_FREE_SLIP }
#define OPEN                                                                                                           \
  { TEXLA_FLOW_OUTFLOW }

const Scene sceneList[SCENES] = {
    {.scene = {"smoke", "rising smoke", {320, 400}, 4, TEXLA_FLOW_DYE},
     .length = 0.1,
     .fade = 0.5,
     .dye_most = 0.8,
     .options = {.side = {SLIP, SLIP, WALL, OPEN}, .buoyancy = 1.5, .decay = 0.15, .cfl = 1.5, .dt_max = 0.02},
     .solid = smokeBall,
     .feed = smokeFeed},
    {.scene = {"cavity", "lid-driven cavity", {129, 129}, 20, TEXLA_FLOW_DYE},
     .length = 1,
     .re = 1000,
     .fade = 0.6,
     .dye_most = 1,
     .options = {.side = {WALL, WALL, WALL, {TEXLA_FLOW_NO_SLIP, {1}}}, .scheme = TEXLA_FLOW_DONOR_CELL},
     .begin = cavityBegin},
    {.scene = {"cylinder", "wake of a cylinder", {320, 120}, 16, TEXLA_FLOW_VORTICITY},
     .length = 0.2,
     .re = 150,
     .fade = 0.12,
     .dye_most = 1,
     .options = {.side = {{TEXLA_FLOW_INFLOW, {1}}, OPEN, SLIP, SLIP}, .scheme = TEXLA_FLOW_DONOR_CELL, .gamma = 0.3},
     .solid = cylinderDisc,
     .begin = cylinderBegin,
     .feed = cylinderFeed},
    {.scene = {"jet", "jet", {384, 192}, 6, TEXLA_FLOW_DYE},
     .length = 0.12,
     .re = 3000,
     .fade = 0.15,
     .dye_most = 1,
     .options = {.side = {{TEXLA_FLOW_INFLOW, {1}, 0.44f, 0.56f, .dye = 1}, OPEN, SLIP, SLIP}},
     .feed = jetFeed},
    {.scene = {"step", "flow over a step", {480, 120}, 16, TEXLA_FLOW_SPEED},
     .length = 0.5,
     .re = 400,
     .fade = 0.15,
     .dye_most = 1,
     .options = {.side = {{TEXLA_FLOW_INFLOW, {1.5f}, 0.5f, 1, .parabolic = true, .dye = 1}, OPEN, WALL, WALL},
                 .scheme = TEXLA_FLOW_DONOR_CELL,
                 .gamma = 0.3},
     .solid = stepBlock},
    {.scene = {"vortices", "colliding vortices", {256, 256}, 4, TEXLA_FLOW_VORTICITY},
     .length = 0.1,
     .re = 4000,
     .fade = 0.4,
     .dye_most = 1,
     .options = {.side = {SLIP, SLIP, SLIP, SLIP}},
     .begin = vorticesBegin},
    {.scene = {"obstacle", "an obstacle in the wind", {400, 160}, 16, TEXLA_FLOW_FIELDS},
     .length = 0.7,
     .re = 2000,
     .fade = 0.15,
     .dye_most = 1,
     .options = {.side = {{TEXLA_FLOW_INFLOW, {1}}, OPEN, SLIP, SLIP}, .scheme = TEXLA_FLOW_DONOR_CELL, .gamma = 0.6},
     .solid = wing,
     .begin = windBegin,
     .feed = windFeed},
};
