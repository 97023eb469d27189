/* The history of residuals: read at a fixed lag, recorded, judged. */
#include "krylov/history.h"
#include "core/allocate.h"
#include "core/try.h"
#include "krylov/cg_multivector.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool txProgressOpen(const clSolver *s, const txProgress *p) {
  bool open = false;
  for (int j = 0; j < s->count; j++)
    open = open || !p->column[j].reason;
  return open;
}

void txProgressEnd(const clSolver *s, txProgress *p, clReason reason) {
  for (int j = 0; j < s->count; j++)
    if (!p->column[j].reason)
      p->column[j].reason = reason;
}

/* The square of the residual that is small enough for right-hand side j. */
static double historyLimitOf(const clSolver *s, const txProgress *p, int j) {
  return fmax((double)txSquareOf(s->column[j].tolerance) * p->column[j].bb,
              (double)txSquareOf(s->options.absolute));
}

/* What a residual says; TEXLA_REASON_NONE to go on. `slack` covers the last bit of the device's own
 * test. */
static clReason historyJudge(const clSolver *s, const txProgress *p, int j, double rr) {
  const double slack = 1 + 1e-6, limit = historyLimitOf(s, p, j);
  const txStanding *at = &p->column[j];
  if (isnan(rr) || isinf(rr) || isnan(at->bb) || isinf(at->bb))
    return TEXLA_REASON_NAN;
  if (rr <= limit * slack)
    return TEXLA_REASON_CONVERGED;
  if (s->options.divergence > 0 &&
      rr * slack > s->options.divergence * s->options.divergence * at->rr0)
    return TEXLA_REASON_DIVERGED;
  return TEXLA_REASON_NONE;
}

static clStatus historyRecord(clSolver *s, txColumn *column, int64_t k, double rr) {
  if (k >= column->capacity) {
    int64_t capacity = 2 * k + 1024;
    double *grown = txReallocate(txContextError(s->context), "clSolverSolve", column->residual,
                                 (size_t)capacity, sizeof *grown, "the history");
    if (!grown)
      return TEXLA_OUT_OF_MEMORY;
    column->residual = grown;
    column->capacity = capacity;
  }
  /* One of several may have waited for a new start of all. */
  for (int64_t i = column->residuals; i > 0 && i < k; i++)
    column->residual[i] = column->residual[i - 1];
  column->residual[k] = sqrt(rr);
  column->residuals = k + 1;
  return TEXLA_OK;
}

/* The rows that an iteration fills: two of a vector, all sums of multivectors. */
static int historyRows(const clSolver *s) {
  return s->groups ? s->many->sums * s->groups : 2;
}

clStatus txHistoryRead(clSolver *s, txSegment *seg, int64_t first, int64_t count) {
  if (s->method->record)
    TRY(s->method->record(s));
  *seg = (txSegment){NULL, first, count};
  return txReadStart(&seg->read, s->history, "clSolverSolve",
                     (txRect){(int)(first % TX_HISTORY), 0, (int)count, historyRows(s)});
}

/* The ||b||^2 that iteration 0 needs, read together with the first segment. */
clStatus txHistoryReadNorm(const clSolver *s, txProgress *p) {
  txTexture *norms = s->bb->texture;
  txRect rect = {0, 0, 1, 1};
  if (s->groups) {
    norms = s->many->norms;
    rect.height = s->groups;
  }
  return txReadStart(&p->bb_read, norms, "clSolverSolve", rect);
}

static clStatus readNorm(const clSolver *s, txProgress *p) {
  float bb[TX_COLUMNS] = {0};
  if (!p->bb_read)
    return TEXLA_OK;
  clStatus status = txReadFinish(p->bb_read, "clSolverSolve", bb);
  p->bb_read = NULL;
  TRY(status);
  for (int j = 0; j < s->count; j++)
    p->column[j].bb = (double)bb[j];
  return TEXLA_OK;
}

/* The residual of the x that was copied has come. */
static void judgeCopy(clSolver *s, txProgress *p, double rr) {
  p->copied = -1;
  if (!s->candidate || !(rr < p->best))
    return;
  clVector *better = s->candidate;
  s->candidate = s->best;
  s->best = better;
  p->best = rr;
}

/* x_k's residual has come. */
static clStatus judgeResidual(clSolver *s, txProgress *p, int j, int64_t k, double rr) {
  txStanding *at = &p->column[j];
  /* A run that goes on knows that of its beginning. */
  if (k == p->begun && (k == 0 || p->begun > p->start))
    at->rr0 = rr;
  if (k == p->start)
    at->first = rr;
  if (k == p->copied)
    judgeCopy(s, p, rr);
  at->last = rr;
  at->iterations = k;
  at->reason = historyJudge(s, p, j, rr);
  return historyRecord(s, &s->column[j], k, rr);
}

double txRelative(const txStanding *at) {
  if (at->bb > 0)
    return sqrt(at->last / at->bb);
  return sqrt(at->last);
}

int64_t txHistoryEnd(const clSolver *s, const txProgress *p) {
  double last = 0;
  for (int j = 0; j < s->count; j++) {
    const txColumn *column = &s->column[j];
    int64_t k = column->residuals - 1, before = k / 2 > p->start ? k / 2 : p->start;
    if (p->column[j].reason)
      continue;
    if (k <= before)
      return INT64_MAX;
    double fall = log(column->residual[before] / column->residual[k]) / (double)(k - before);
    double rest = log(column->residual[k] / sqrt(historyLimitOf(s, p, j)));
    if (!(fall > 0))
      return INT64_MAX;
    last = fmax(last, (double)k + rest / fall);
  }
  /* Without a tolerance it is infinite. */
  if (!(last < 1e15))
    return INT64_MAX;
  return (int64_t)last;
}

bool txHistoryDeceives(const clSolver *s, const txProgress *p, int j) {
  enum { FAR = 4 };
  const txColumn *column = &s->column[j];
  const txStanding *at = &p->column[j];
  double largest = 0;
  for (int64_t k = p->begun; k < column->residuals; k++)
    largest = fmax(largest, column->residual[k]);
  return at->reason == TEXLA_REASON_CONVERGED && largest > FAR * sqrt(at->bb) &&
         64 * (double)FLT_EPSILON * largest > sqrt(historyLimitOf(s, p, j));
}

/* Of several right-hand sides, the monitor sees the largest residual that still counts. */
static bool historyGoOn(const clSolver *s, const txProgress *p, int64_t k) {
  const clSolverOptions *o = &s->options;
  double largest = 0;
  for (int j = 0; j < s->count; j++)
    if (!p->column[j].reason)
      largest = fmax(largest, txRelative(&p->column[j]));
  return !o->monitor || o->monitor(o->monitor_user, k, largest);
}

/* Iteration k, texel i of those that were read, for right-hand side j. */
static clStatus judgeColumn(clSolver *s, txProgress *p, int j, const float *texels,
                            const txSegment *seg, int64_t i, bool fresh) {
  int64_t k = seg->first + i;
  float products[4];
  const float *row0 = texels + 4 * i, *row1 = texels + 4 * (i + seg->count);
  if (s->groups) {
    txManyProducts(s, texels, seg->count, i, j, products);
    row0 = products;
    row1 = products;
  }
  if (fresh)
    TRY(judgeResidual(s, p, j, k, (double)row0[1]));
  bool known = k < s->iteration || (s->method->ahead && fresh);
  if (!p->column[j].reason && s->method->judge && known)
    p->column[j].reason = s->method->judge(s, row0, row1, p->column[j].rr0);
  return TEXLA_OK;
}

/* Texel i of those that were read. A residual that is known already is passed over; an iteration
 * that is not submitted yet holds nothing else. */
static clStatus judgeIteration(clSolver *s, txProgress *p, const float *texels,
                               const txSegment *seg, int64_t i) {
  int64_t k = seg->first + i;
  bool fresh = k >= s->residuals;
  if (fresh)
    s->residuals = k + 1;
  for (int j = 0; j < s->count; j++)
    if (!p->column[j].reason)
      TRY(judgeColumn(s, p, j, texels, seg, i, fresh));
  if (txProgressOpen(s, p) && fresh && !historyGoOn(s, p, k))
    txProgressEnd(s, p, TEXLA_REASON_STOPPED);
  return TEXLA_OK;
}

/* The read ends here, whatever comes of it. */
clStatus txHistoryJudge(clSolver *s, txSegment *seg, txProgress *p) {
  static const char call[] = "clSolverSolve";
  float *texels =
      txAllocate(txContextError(s->context), call, (size_t)(seg->count * historyRows(s)) * 4,
                 sizeof *texels, "the history");
  clStatus status = txReadFinish(seg->read, call, texels);
  seg->read = NULL;
  TRY_CLEANUP(status);
  TRY_CLEANUP(readNorm(s, p));
  if (!texels)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t i = 0; i < seg->count && txProgressOpen(s, p); i++)
    TRY_CLEANUP(judgeIteration(s, p, texels, seg, i));
cleanup:
  free(texels);
  return status;
}
