/* Refinement over all ranks: the rounds of clSystemSolve (system/rounds.c), whose residuals are
 * those of the matrix as it was read or made, in double, summed up over the ranks. */
#include "core/try.h"
#include "mpi/checkpoint.h"
#include "mpi/solve.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterRefine";

/* A system of this rank's rows, with one right-hand side. */
typedef struct refining {
  clClusterMatrix *A;
  const clClusterCheckpoint *checkpoint;
  txSystem system;
  txTask task;
  clSystemReport report;
  txRanks ranks;
  /* with room for the halo; this rank's right-hand side; x on its way to a file */
  double *x, *b, *saving;
  /* the iterations at the last checkpoint */
  int64_t saved;
  /* of the checkpoints */
  clStatus status;
} refining;

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* x of other ranks behind the own ones. */
static void fetch(void *user, double *x) {
  clClusterMatrix *A = user;
  txHalo *h = &A->spread.halo;
  const double *others = txHaloFetch(h, x);
  memcpy(x + txSpreadOwnColumns(&A->spread), others, (size_t)h->received * sizeof *x);
}

static void sum(void *user, double *values, int count) {
  const clClusterMatrix *A = user;
  txSum(A->cluster, values, count, A->cluster->comm);
}

static void most(void *user, double *value) {
  const clClusterMatrix *A = user;
  txMaximum(A->cluster, value, 1, A->cluster->comm);
}

static double normOf(const refining *f, const double *v) {
  double own = txNorm(v, f->A->spread.local), square = own * own;
  txSum(f->A->cluster, &square, 1, f->A->cluster->comm);
  return sqrt(square);
}

/* ---- Checkpoints ----------------------------------------------------------------------------- */

/* x, with what the correction has come to so far. */
static clStatus save(refining *f, int64_t iterations) {
  int64_t n = f->A->spread.local;
  const txSystem *s = &f->system;
  const double *col = s->scale.col, length = f->task.refinement.scaled_norm;
  txCheckpoint p = {.vectors = 1,
                    .wide = true,
                    .method = "refine",
                    .preconditioner = "-",
                    .stand.iteration = iterations};
  txClusterMust(f->A->cluster, clVectorDownload(s->device_x[0], s->single));
  for (int64_t i = 0; i < n; i++)
    f->saving[i] = f->x[i] + length * col[i] * (double)s->single[i];
  f->saved = iterations;
  return txCheckpointSaveWide(f->A, f->checkpoint->save, &p, f->saving);
}

/* Is a checkpoint wanted, and the last one long ago? */
static bool isDue(const refining *f, int64_t iterations) {
  return f->checkpoint->save && iterations >= f->saved + txCheckpointEvery(f->checkpoint);
}

/* The caller's monitor is called by that of the system, for all iterations. */
static bool observe(void *user, int64_t iteration, double residual) {
  refining *f = user;
  int64_t now = f->system.done + f->system.solver->iteration;
  if (isDue(f, now))
    f->status = save(f, now);
  return !f->status && txSystemMonitor(&f->system, iteration, residual);
}

static clStatus restart(refining *f) {
  const char *path = f->checkpoint->restart;
  txCheckpoint p;
  if (!path)
    return TEXLA_OK;
  TRY(txCheckpointHead(f->A, path, &p));
  TRY(txCheckpointLoadWide(f->A, path, &p, f->x));
  f->report.iterations = f->saved = p.stand.iteration;
  return TEXLA_OK;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* A rank without rows has an element that is zero. */
static clStatus allocate(refining *f) {
  clCluster *c = f->A->cluster;
  clError *error = &c->error;
  size_t n = (size_t)f->A->spread.local + 1, columns = (size_t)f->A->spread.host->cols;
  f->x = txAllocate(error, call, columns, sizeof *f->x, "refinement");
  f->b = txAllocate(error, call, n, sizeof *f->b, "refinement");
  f->saving = txAllocate(error, call, n, sizeof *f->saving, "refinement");
  f->system.single = txAllocate(error, call, n, sizeof *f->system.single, "refinement");
  if (!f->x || !f->b || !f->saving || !f->system.single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clClusterMatrixCreateVector(&f->system.device_x[0], f->A);
  if (status == TEXLA_OK)
    status = clClusterMatrixCreateVector(&f->system.device_b[0], f->A);
  if (status)
    c->error = *clContextError(c->context);
  return status;
}

/* Where all rows of a symmetric matrix sum to zero, the constant part of b is out of reach, as in
 * clSystemSolve. */
static void setGoal(refining *f) {
  const clSolverOptions *o = &f->system.kept.solver;
  clClusterMatrix *A = f->A;
  clCluster *c = A->cluster;
  int64_t n = A->spread.local, all = clClusterMatrixRows(A);
  double largest, other = n && !txRowsSumToZero(A->spread.host, &largest), total = 0;
  txGoal *g = &f->task.goal;
  g->b = f->b;
  g->norm = g->b_norm = normOf(f, f->b);
  g->wanted = g->limit = fmax(f->system.target * g->b_norm, o->absolute);
  txMaximum(c, &other, 1, c->comm);
  if (other > 0 || o->method != TEXLA_METHOD_CG)
    return;
  for (int64_t i = 0; i < n; i++)
    total += f->b[i];
  txSum(c, &total, 1, c->comm);
  for (int64_t i = 0; i < n; i++)
    f->b[i] -= total / (double)all;
  g->norm = normOf(f, f->b);
  g->outside = fabs(total) / sqrt((double)all);
  if (g->outside <= 0.99 * g->wanted)
    g->limit = sqrt((g->wanted - g->outside) * (g->wanted + g->outside));
}

/* What the rounds look at. */
static void setSystem(refining *f, const clSolverOptions *o) {
  clClusterMatrix *A = f->A;
  txSystem *s = &f->system;
  s->context = A->cluster->context;
  s->kept = (clSystemOptions){.solver = *o, .refine = true};
  s->options = &s->kept;
  if (!o->max_iterations)
    s->kept.solver.max_iterations = 10 * clClusterMatrixRows(A);
  s->task = &f->task;
  s->count = s->tasks = s->columns = 1;
  s->plan = (txPlan){.solver = *o, .sign = 1};
  s->facts.symmetric = o->method == TEXLA_METHOD_CG;
  s->target = 1e-12;
  if (o->tolerance > 0)
    s->target = o->tolerance;
  f->task.report = &f->report;
  f->ranks = (txRanks){fetch, sum, most, A};
}

static clStatus setUp(refining *f, const double *x, const double *b,
                      const clSolverOptions *options) {
  clClusterMatrix *A = f->A;
  txSystem *s = &f->system;
  clCluster *c = A->cluster;
  setSystem(f, options);
  TRY(txClusterMatrixKeep(A));
  s->A = A->spread.host;
  s->scale = A->scale;
  TRY(clClusterAgree(c, allocate(f), &c->error));
  if (A->spread.local) {
    memcpy(f->x, x, (size_t)A->spread.local * sizeof *x);
    memcpy(f->b, b, (size_t)A->spread.local * sizeof *b);
  }
  TRY(restart(f));
  clSolverOptions o = *options;
  o.monitor = observe;
  o.monitor_user = f;
  o.absolute = 0;
  /* each correction has its own */
  o.tolerance = 0.1;
  TRY(txClusterSolverCreate(&s->solver, A, &o));
  setGoal(f);
  txRefineStart(&f->task.refinement, s->A, f->b, f->task.goal.norm, f->x, false, &s->scale,
                &f->ranks);
  f->task.metric = s->scale;
  return TEXLA_OK;
}

/* All ranks have the same norms, and so the same number of rounds; a rank that fails ends all of
 * them. */
static clStatus solve(refining *f) {
  clCluster *c = f->A->cluster;
  txTask *t = &f->task;
  txClusterMust(c, txRoundsSolve(&f->system));
  TRY(f->status);
  /* it is in x */
  txClusterMust(c, clVectorClear(f->system.device_x[0]));
  if (t->refinement.norm > t->goal.limit && isDue(f, f->report.iterations))
    TRY(save(f, f->report.iterations));
  if (!clReasonSolved(t->reason))
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

clStatus clClusterRefineFrom(clClusterMatrix *A, double *x, const double *b,
                             const clSolverOptions *options, const clClusterCheckpoint *checkpoint,
                             clClusterRefineReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  static const clClusterCheckpoint none = {0};
  clSolverOptions o = {0};
  if (options)
    o = *options;
  refining f = {.A = A, .checkpoint = checkpoint};
  if (!checkpoint)
    f.checkpoint = &none;
  clStatus status = TEXLA_OK;
  if (A->spread.local && (!x || !b))
    status = txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "x and b must not be NULL");
  TRY_CLEANUP(clClusterAgree(c, status, &c->error));
  TRY_CLEANUP(setUp(&f, x, b, &o));
  status = solve(&f);
  if (status >= 0 && A->spread.local)
    memcpy(x, f.x, (size_t)A->spread.local * sizeof *x);
  if (status >= 0 && report)
    *report = (clClusterRefineReport){
        .reason = f.task.reason,
        .rounds = (int)f.report.restarts + (f.report.history_count > 0),
        .iterations = f.report.iterations,
        .residual = txGoalResidual(&f.task.goal, f.task.refinement.norm),
    };
cleanup:
  txRefineDestroy(&f.task.refinement);
  clSystemReportClear(&f.report);
  clSolverDestroy(f.system.solver);
  clVectorDestroy(f.system.device_x[0]);
  clVectorDestroy(f.system.device_b[0]);
  free(f.system.single);
  free(f.saving);
  free(f.b);
  free(f.x);
  return status;
}

clStatus clClusterRefine(clClusterMatrix *A, double *x, const double *b,
                         const clSolverOptions *options, clClusterRefineReport *report) {
  return clClusterRefineFrom(A, x, b, options, NULL, report);
}
