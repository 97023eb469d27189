#include "multigrid/cycle.h"

#include <stddef.h>

#include "gl/observe.h"

static clStatus enter(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  return v->ops->enter ? v->ops->enter(v->level) : TEXLA_OK;
}

static clStatus leave(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  return v->ops->leave ? v->ops->leave(v->level) : TEXLA_OK;
}

static clStatus run(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind);

/* Approximates e on level l, whose b is there: one cycle from zero, for W and F cycles a second
 * one. */
static clStatus visit(const txCycle *c, int l, bool symmetric, clCycle kind) {
  clStatus status = enter(c, l);
  if (!status)
    status = run(c, l, true, symmetric, kind);
  /* an F cycle's second visit is a V cycle */
  if (!status && kind != TEXLA_CYCLE_V && l < c->levels - 1)
    status = run(c, l, false, symmetric, kind == TEXLA_CYCLE_W ? TEXLA_CYCLE_W : TEXLA_CYCLE_V);
  return status ? status : leave(c, l);
}

static clStatus runLevel(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind) {
  const txCycleLevel *v = &c->level[l];
  if (l == c->levels - 1)
    return v->ops->solve(v->level);
  clStatus status = v->ops->smooth(v->level, zero ? TX_SMOOTH_FROM_ZERO : TX_SMOOTH_BEFORE);
  if (!status)
    status = v->ops->residual(v->level);
  if (!status)
    status = visit(c, l + 1, symmetric, kind);
  if (!status)
    status = v->ops->prolong(v->level, false);
  return status ? status
                : v->ops->smooth(v->level, symmetric ? TX_SMOOTH_REVERSED : TX_SMOOTH_AFTER);
}

static clStatus run(const txCycle *c, int l, bool zero, bool symmetric, clCycle kind) {
  txScopeEnter(c->context, "level", l);
  return txScopeLeave(c->context, runLevel(c, l, zero, symmetric, kind));
}

clStatus txCycleRun(const txCycle *c, bool zero, bool symmetric) {
  return run(c, 0, zero, symmetric, c->kind);
}

static clStatus start(const txCycle *c, int l) {
  const txCycleLevel *v = &c->level[l];
  if (l == c->levels - 1)
    return v->ops->solve(v->level);
  clStatus status = v->ops->restriction(v->level);
  if (!status)
    status = enter(c, l + 1);
  if (!status)
    status = start(c, l + 1);
  if (!status)
    status = leave(c, l + 1);
  if (!status)
    status = v->ops->prolong(v->level, true);
  return status ? status : run(c, l, false, false, c->kind);
}

clStatus txCycleStart(const txCycle *c) {
  return start(c, 0);
}
