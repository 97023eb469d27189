/* V, W and F cycles, and full multigrid, over levels that are tables of operations (cycle.h).
 * How many sweeps a level has is decided in setup.c (chooseSmoother); algebraic levels have
 * theirs in amg.c. */
#include "multigrid/cycle.h"
#include "core/try.h"

#include <stddef.h>

#include "gl/observe.h"

static clStatus cycleEnter(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  if (!v->ops->enter)
    return TEXLA_OK;
  return v->ops->enter(v->level);
}

static clStatus cycleLeave(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  if (!v->ops->leave)
    return TEXLA_OK;
  return v->ops->leave(v->level);
}

static clStatus cycleRun(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind);

/* Approximates e on level l, whose b is there: one cycle from zero, for W and F cycles a second
 * one. */
static clStatus cycleVisit(const txCycle *c, int l, bool symmetric, clCycle kind) {
  TRY(cycleEnter(c, l));
  TRY(cycleRun(c, l, true, symmetric, kind));
  /* An F cycle's second visit is a V cycle. */
  clCycle again = kind == TEXLA_CYCLE_F ? TEXLA_CYCLE_V : kind;
  if (kind != TEXLA_CYCLE_V && l < c->levels - 1)
    TRY(cycleRun(c, l, false, symmetric, again));
  return cycleLeave(c, l);
}

/* Smoothing, the correction by the coarser level, smoothing; on the coarsest level the solution. */
static clStatus runLevel(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind) {
  const txCycleLevel *v = &c->level[l];
  if (l == c->levels - 1)
    return v->ops->solve(v->level);
  TRY(v->ops->smooth(v->level, zero ? TX_SMOOTH_FROM_ZERO : TX_SMOOTH_BEFORE));
  TRY(v->ops->residual(v->level));
  TRY(cycleVisit(c, l + 1, symmetric, kind));
  TRY(v->ops->prolong(v->level, false));
  return v->ops->smooth(v->level, symmetric ? TX_SMOOTH_REVERSED : TX_SMOOTH_AFTER);
}

static clStatus cycleRun(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind) {
  txScopeEnter(c->context, "level", l);
  return txScopeLeave(c->context, runLevel(c, l, zero, symmetric, kind));
}

clStatus txCycleRun(const txCycle *c, bool zero, bool symmetric) {
  return cycleRun(c, 0, zero, symmetric, c->kind);
}

/* Full multigrid from level l on: the right-hand side goes down to the coarsest level, and what is
 * found there comes up, with one cycle on each finer level. */
static clStatus cycleStart(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  if (l == c->levels - 1)
    return v->ops->solve(v->level);
  TRY(v->ops->restriction(v->level));
  TRY(cycleEnter(c, l + 1));
  TRY(cycleStart(c, l + 1));
  TRY(cycleLeave(c, l + 1));
  TRY(v->ops->prolong(v->level, true));
  return cycleRun(c, l, false, false, c->kind);
}

clStatus txCycleStart(const txCycle *c) {
  return cycleStart(c, 0);
}
