/* The loop over iterations: submit, look at the history a fixed lag behind, decide. */
#include "gl/observe.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"
#include "krylov/cg_multivector.h"
#include "krylov/history.h"

#include <math.h>

clStatus txIterateSubmit(clSolver *s, int64_t count) {
  for (int64_t i = 0; i < count; i++, s->iteration++) {
    txScopeEnter(s->context, "iteration", s->iteration);
    TRY(txScopeLeave(s->context, s->method->step(s, s->x[0], s->b[0], s->iteration)));
  }
  return TEXLA_OK;
}

/* The caller's x, where steps leave it elsewhere. */
clStatus txIterateDeliver(clSolver *s) {
  if (s->groups)
    return txManyStore(s, NULL);
  if (!s->method->finish)
    return TEXLA_OK;
  return s->method->finish(s, s->x[0], s->iteration);
}

/* x at the start, and where a method wanders also x at the start of stretches, as long as one waits
 * for its residual. */
static clStatus iterateKeep(clSolver *s, txProgress *p) {
  clVector *copy = s->best;
  bool wanted = s->iteration == p->start;
  if (s->candidate) {
    copy = s->candidate;
    wanted = p->copied < 0;
  }
  if (s->groups || !copy || !wanted)
    return TEXLA_OK;
  p->copied = s->iteration;
  return clVectorCopy(copy, s->x[0]);
}

/* After these reasons x may be anything. */
static bool mayBeWorse(clReason reason) {
  return reason == TEXLA_REASON_DIVERGED || reason == TEXLA_REASON_BREAKDOWN ||
         reason == TEXLA_REASON_NAN || reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE ||
         reason == TEXLA_REASON_BAD_PRECONDITIONER;
}

/* x where the caller has it: the last one, or where that is worse, also than the start, the best
 * that was kept. Of several right-hand sides the callers still have the start. */
static clStatus deliverBest(clSolver *s, txProgress *p) {
  bool keep_start[TX_COLUMNS] = {false};
  for (int j = 0; j < s->count; j++) {
    txStanding *at = &p->column[j];
    double best = at->first;
    if (s->candidate && !s->groups)
      best = p->best;
    bool failed = mayBeWorse(at->reason) || at->last > at->first;
    keep_start[j] = failed && isfinite(best) && !(at->last <= best);
    if (keep_start[j])
      at->last = best;
  }
  if (s->groups)
    return txManyStore(s, keep_start);
  if (!keep_start[0])
    return txIterateDeliver(s);
  if (!s->best)
    return clVectorClear(s->x[0]);
  return clVectorCopy(s->x[0], s->best);
}

static int64_t iterateSmaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* How many iterations from k on go to the device before the next look: a few at first, then an
 * eighth of what was done, but no more than half of those that seem to be left; never across the
 * end of the ring. A function of k and of the residuals seen, so that runs repeat.
 *
 * Less than FEW are not worth a look, unless an iteration takes long: one that applies a hierarchy
 * or, where the host shades, one of large vectors. [shallow water 512^2, 10 iterations a step,
 * llvmpipe: 10 submitted instead of 12] */
static int64_t segmentLength(const clSolver *s, const txProgress *p, int64_t k) {
  enum { FEW = 4, MOST = 64, LARGE = 1 << 16 };
  bool applies = s->preconditioner.apply && !s->inverse,
       large = s->vector[0]->layout.length >= LARGE && txContextTraits(s->context)->host_shades;
  int64_t first = applies ? 1 : FEW;
  int64_t least = large ? 1 : first;
  int64_t n = iterateSmaller(txMost64(k / 8, first), MOST);
  n = txMost64(iterateSmaller(n, (txHistoryEnd(s, p) - k) / 2), least);
  n = iterateSmaller(n, s->options.max_iterations - k);
  return iterateSmaller(n, TX_HISTORY - k % TX_HISTORY);
}

/* Segments overlap: while one is on its way to the host, the next is being computed. But where the
 * host shades, waiting costs less than iterations in vain. [cg to 1e-5 on 128^2, llvmpipe: 22.2 ms
 * of processor time instead of 27.2, 283 iterations submitted instead of 349] */
static clStatus iterateSegment(clSolver *s, txProgress *p, txSegment *pending, txSegment *next) {
  bool overlap = !txContextTraits(s->context)->host_shades;
  int64_t first = s->iteration;
  TRY(iterateKeep(s, p));
  TRY(txIterateSubmit(s, segmentLength(s, p, first)));
  TRY(txHistoryRead(s, overlap ? next : pending, first, s->iteration - first));
  if (pending->read)
    TRY(txHistoryJudge(s, pending, p));
  *pending = *next;
  *next = (txSegment){0};
  return TEXLA_OK;
}

static clStatus iterate(clSolver *s, txProgress *p) {
  txSegment pending = {0}, next = {0};
  clStatus status = TEXLA_OK;
  while (txProgressOpen(s, p) && s->iteration < s->options.max_iterations)
    TRY_CLEANUP(iterateSegment(s, p, &pending, &next));
  if (txProgressOpen(s, p) && pending.read)
    TRY_CLEANUP(txHistoryJudge(s, &pending, p));
cleanup:
  txReadFinish(pending.read, "clSolverSolve", NULL);
  txReadFinish(next.read, "clSolverSolve", NULL);
  return status;
}

/* From zero the first residual is b, and the look after the first iteration sees both. */
static bool iterateWorthALook(const clSolver *s) {
  return s->iteration > 0 || !s->from_zero || !(s->column[0].tolerance < 1);
}

/* An iteration that is a cycle of multigrid takes so long that waiting for one number costs little
 * in comparison: none is done in vain. The look before iteration k sees the residual of x_k, and
 * what else step k - 1 has left. */
static clStatus iterateWaiting(clSolver *s, txProgress *p) {
  TRY(iterateKeep(s, p));
  if (s->options.max_iterations > 0 && !iterateWorthALook(s))
    TRY(txIterateSubmit(s, 1));
  while (txProgressOpen(s, p) && s->iteration < s->options.max_iterations) {
    txSegment look;
    int64_t k = s->iteration, count = k > p->begun && k % TX_HISTORY ? 2 : 1;
    if (s->method->measure)
      TRY(s->method->measure(s, k));
    TRY(txHistoryRead(s, &look, k + 1 - count, count));
    TRY(txHistoryJudge(s, &look, p));
    if (txProgressOpen(s, p))
      TRY(txIterateSubmit(s, 1));
  }
  return TEXLA_OK;
}

static clStatus iterateRun(clSolver *s, txProgress *p) {
  if (s->preconditioner.cycle)
    return iterateWaiting(s, p);
  return iterate(s, p);
}

/* Has the residual that is carried along become another one than that of x? Rounds of refinement,
 * which begin from zero, look at the true one themselves. */
static bool deceives(const clSolver *s, const txProgress *p, int j) {
  bool carried = s->method->restarts || s->method->direction;
  return carried && !s->from_zero && txHistoryDeceives(s, p, j);
}

/* The right-hand sides that a new start may help, which are open again. Every start has to gain an
 * iteration. */
static bool reopen(const clSolver *s, txProgress *p) {
  int64_t begun = p->begun;
  bool any = false;
  for (int j = 0; j < s->count; j++) {
    txStanding *at = &p->column[j];
    bool broken = s->method->restarts && at->reason == TEXLA_REASON_BREAKDOWN;
    begun = txMost64(begun, at->iterations);
    if (at->iterations > p->begun && (broken || deceives(s, p, j))) {
      at->reason = TEXLA_REASON_NONE;
      any = true;
    }
  }
  if (any)
    p->begun = begun;
  return any;
}

/* From x_k on as at the start. */
static clStatus iterateRestart(clSolver *s, txProgress *p) {
  while (reopen(s, p)) {
    s->iteration = p->begun;
    s->begun = p->begun;
    s->residuals = p->begun;
    p->copied = -1;
    TRY(s->method->start(s, s->x[0], s->b[0]));
    TRY(iterateRun(s, p));
  }
  return TEXLA_OK;
}

/* x_max's residual, where nothing was decided before; and the first one where nothing was seen yet,
 * by which the last one is judged. */
static clStatus iterateFinish(clSolver *s, txProgress *p) {
  txSegment last;
  int64_t max = s->options.max_iterations, from = max;
  if (s->residuals <= p->start)
    from = p->start;
  if (s->method->measure)
    TRY(s->method->measure(s, max));
  TRY(txHistoryRead(s, &last, from, max + 1 - from));
  TRY(txHistoryJudge(s, &last, p));
  txProgressEnd(s, p, TEXLA_REASON_MAX_ITERATIONS);
  return TEXLA_OK;
}

/* A run ends with x where the caller has it, whatever the reason. */
clStatus txIterateSolve(clSolver *s, txProgress *p) {
  TRY(txHistoryReadNorm(s, p));
  TRY(iterateRun(s, p));
  TRY(iterateRestart(s, p));
  if (txProgressOpen(s, p))
    TRY(iterateFinish(s, p));
  return deliverBest(s, p);
}
