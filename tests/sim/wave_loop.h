/* Waves by plain loops in double precision: what clWave's explicit scheme does, point by point. */
#ifndef TESTS_SIM_WAVE_LOOP_H
#define TESTS_SIM_WAVE_LOOP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "texla/wave.h"

typedef struct WaveLoop {
  clWaveInfo info;
  /* nx * ny each; p, q: the layers' fluxes right of and above a point */
  double *now, *before, *p, *q;
  /* (s / c)^2, 0 in walls */
  double *medium;
  clWaveSource source[TEXLA_WAVE_SOURCES];
  int sources;
} WaveLoop;

static inline int loopPoints(const WaveLoop *w) {
  return w->info.nx * w->info.ny;
}

static inline WaveLoop loopCreate(const clWaveInfo *info) {
  WaveLoop w = {.info = *info};
  double **all[] = {&w.now, &w.before, &w.p, &w.q, &w.medium};
  for (int k = 0; k < 5; k++)
    *all[k] = calloc((size_t)loopPoints(&w), sizeof(double));
  for (int k = 0; k < loopPoints(&w); k++)
    w.medium[k] = 1;
  return w;
}

static inline void loopDestroy(WaveLoop *w) {
  free(w->now);
  free(w->before);
  free(w->p);
  free(w->q);
  free(w->medium);
}

static inline void loopMedium(WaveLoop *w, const float *speed, const uint8_t *solid) {
  for (int k = 0; k < loopPoints(w); k++) {
    w->medium[k] = speed ? (double)speed[k] * (double)speed[k] : 1;
    if (solid && solid[k])
      w->medium[k] = 0;
  }
}

/* The neighbour of (i, j) on an axis (dx or dy is -1 or 1): its index; -1: none, -2: zero is held
 * there. */
static inline int loopBeside(const WaveLoop *w, int i, int j, int dx, int dy) {
  const clWaveInfo *f = &w->info;
  int x = i + dx, y = j + dy, side = dx ? (dx + 1) / 2 : 2 + (dy + 1) / 2;
  if (x >= 0 && x < f->nx && y >= 0 && y < f->ny)
    return y * f->nx + x;
  if (f->edge[side] == TEXLA_WAVE_EDGE_PERIODIC)
    return (y + f->ny) % f->ny * f->nx + (x + f->nx) % f->nx;
  return f->edge[side] == TEXLA_WAVE_EDGE_FIXED ? -2 : -1;
}

/* w (u' - u) over one link, the weight alone where u is NULL. */
static inline double loopLink(const WaveLoop *w, const double *u, int i, int j, int dx, int dy) {
  int here = j * w->info.nx + i, there = loopBeside(w, i, j, dx, dy);
  double a = w->medium[here], b = a * (there == -2), beside = 0;
  if (there >= 0)
    b = w->medium[there];
  double weight = a * b > 0 ? 2 / (1 / a + 1 / b) : 0;
  weight *= there == -2 ? 2 : 1;
  if (!u)
    return weight;
  if (there >= 0)
    beside = u[there];
  return weight * (beside - u[here]);
}

/* h^2 / c^2 div(s^2 grad u) */
static inline double loopLaplacian(const WaveLoop *w, const double *u, int i, int j) {
  return loopLink(w, u, i, j, -1, 0) + loopLink(w, u, i, j, 1, 0) + loopLink(w, u, i, j, 0, -1) +
         loopLink(w, u, i, j, 0, 1);
}

/* What the sources add to u_tt at (i, j). */
static inline double loopForce(const WaveLoop *w, int i, int j) {
  const double turn = 2 * 3.14159265358979323846;
  const clWaveInfo *f = &w->info;
  double sum = 0, offset[2] = {0.5, 0.5};
  for (int k = 0; k < w->sources; k++) {
    const clWaveSource *s = &w->source[k];
    double t = f->time, angle = turn * s->turns * t;
    double px = (i + offset[0]) * f->h - (s->x + s->vx * t + s->orbit * cos(angle));
    double py = (j + offset[1]) * f->h - (s->y + s->vy * t + s->orbit * sin(angle));
    /* the nearest image */
    px -= f->edge[0] == TEXLA_WAVE_EDGE_PERIODIC ? f->width * round(px / f->width) : 0;
    py -= f->edge[2] == TEXLA_WAVE_EDGE_PERIODIC ? f->height * round(py / f->height) : 0;
    double length = s->dx * s->dx + s->dy * s->dy,
           along = length > 0 ? (px * s->dx + py * s->dy) / length : 0;
    along = fmax(-1, fmin(1, along));
    double least = hypot(px - along * s->dx, py - along * s->dy);
    double rise = t < s->ramp ? pow(sin(turn / 4 * t / s->ramp), 2) : 1;
    sum += s->amplitude * rise * cos(turn * (s->frequency * t + s->phase)) *
           exp(-pow(least / s->radius, 2));
  }
  return w->medium[j * f->nx + i] > 0 ? sum : 0;
}

/* The layers' damping rate times dt on an axis, at a place in grid steps from the domain's edge. */
static inline double loopDamping(const WaveLoop *w, int axis, double at) {
  const clWaveInfo *f = &w->info;
  double n = axis ? f->ny : f->nx, depth = 0, strength = 9;
  if (f->edge[2 * axis] == TEXLA_WAVE_EDGE_ABSORBING)
    depth = fmax(depth, 1 - at / f->layer);
  if (f->edge[2 * axis + 1] == TEXLA_WAVE_EDGE_ABSORBING)
    depth = fmax(depth, 1 - (n - at) / f->layer);
  return 1.5 * strength / f->layer * depth * depth * f->fastest * f->dt / f->h;
}

static inline void loopFluxes(WaveLoop *w) {
  for (int j = 0; j < w->info.ny; j++)
    for (int i = 0; i < w->info.nx; i++)
      for (int axis = 0; axis < 2; axis++) {
        double *flux = &(axis ? w->q : w->p)[j * w->info.nx + i], half = 0.5;
        int along = i, across = j;
        swapIf(axis, &along, &across);
        double a = half * loopDamping(w, axis, along + 1),
               b = half * loopDamping(w, !axis, across + 0.5);
        double rise =
            loopLink(w, w->now, i, j, !axis, axis) + loopLink(w, w->before, i, j, !axis, axis);
        if (loopBeside(w, i, j, !axis, axis) == -2)
          rise = 0;
        *flux = ((1 - a) * *flux + (b - a) * w->info.beta * rise) / (1 + a);
      }
}

static inline double loopLayer(const WaveLoop *w, int i, int j, double next) {
  int k = j * w->info.nx + i, west = loopBeside(w, i, j, -1, 0), south = loopBeside(w, i, j, 0, -1);
  double a = loopDamping(w, 0, i + 0.5) / 2, b = loopDamping(w, 1, j + 0.5) / 2;
  double fluxes = w->p[k] + w->q[k];
  if (west >= 0)
    fluxes -= w->p[west];
  if (south >= 0)
    fluxes -= w->q[south];
  return (next + (a + b) * w->before[k] - 4 * a * b * w->now[k] + fluxes) / (1 + a + b);
}

static inline void loopStep(WaveLoop *w) {
  clWaveInfo *f = &w->info;
  double *next = calloc((size_t)loopPoints(w), sizeof *next);
  if (f->layer)
    loopFluxes(w);
  for (int j = 0; j < f->ny; j++)
    for (int i = 0; i < f->nx; i++) {
      int k = j * f->nx + i;
      next[k] = 2 * w->now[k] - w->before[k] + f->beta * loopLaplacian(w, w->now, i, j);
      if (f->layer)
        next[k] = loopLayer(w, i, j, next[k]);
      next[k] = w->medium[k] > 0 ? next[k] + f->dt * f->dt * loopForce(w, i, j) : 0;
    }
  free(w->before);
  w->before = w->now;
  w->now = next;
  f->time = (double)++f->steps * f->dt;
}

/* now <- u, before <- u - dt v + dt^2 / 2 u_tt, in walls 0 */
static inline void loopStart(WaveLoop *w, const float *u, const float *v) {
  for (int k = 0; k < loopPoints(w); k++)
    w->now[k] = w->medium[k] > 0 ? (double)u[k] : 0;
  for (int k = 0; k < loopPoints(w); k++) {
    double pull = w->info.beta / 2 * loopLaplacian(w, w->now, k % w->info.nx, k / w->info.nx);
    w->before[k] = w->medium[k] > 0 ? w->now[k] - w->info.dt * (double)v[k] + pull : 0;
  }
}

#endif
