/* A whole system while it is being solved: what its parts (setup, rounds, plans) share. */
#ifndef TEXLA_SYSTEM_SYSTEM_H
#define TEXLA_SYSTEM_SYSTEM_H

#include "krylov/frame.h"
#include "system/direct.h"
#include "system/null_space.h"
#include "system/plan.h"
#include "system/refine.h"
#include "system/verdict.h"

/* A right-hand side. */
typedef struct txTask {
  clSystemReport *report;
  txGoal goal;
  txRefinement refinement;
  /* TEXLA_REASON_NONE: open */
  clReason reason;
  /* what a round can be expected to give */
  double floor;
  /* iterations left */
  int64_t budget;
  /* of multigrid in the next round, if that is not to look at them (rounds.c); else 0 */
  int cycles;
  /* what corrections are measured by: the scaling's rows or those in `weight` */
  txScaling metric;
  double *weight;
  /* tolerance ||D^-1 b||, ||D^-1 (b - A x)|| if it was asked for */
  double unit_limit, unit_norm;
  /* limit / residual, of the worse of both */
  double missing;
  /* ||b - A x|| of what a direct plan has found */
  double found;
  /* by the plan that has just run */
  bool ran;
} txTask;

/* The right-hand sides of a batch, and what a plan needs on the device. */
typedef struct txSystem {
  clContext *context;
  const clTriplets *A;
  clSystemOptions kept;
  /* kept */
  const clSystemOptions *options;
  /* right-hand sides that are expected */
  int count;
  txTask *task;
  /* in this batch; that the solver takes at once */
  int tasks, columns;
  /* all start values are zero */
  bool from_zero;
  /* of a single right-hand side; negative: not known yet */
  double b_norm;
  txRows rows;
  txNullSpace null_space;
  txMatrixFacts facts;
  txPlan plan;
  txScaling scale;
  /* on its way to or from the device */
  float *single;
  /* of this plan or, until the device is set up, of the last one */
  clMatrix *matrix;
  /* that it was created with */
  clMatrixOptions matrix_options;
  /* the matrix has what residuals in double-float take */
  bool refines_on_device;
  clVector *device_x[TX_COLUMNS], *device_b[TX_COLUMNS];
  clSolver *solver;
  /* factors of a plan that is direct */
  txDirect *direct;
  /* D^-1, of each row, 0 for a row without entries; NULL: the diagonal's magnitudes are alike */
  double *unit;
  bool zero_rows;
  /* the error with which the last plan ended */
  clStatus failed;
  double target;
  /* iterations before the round, for the monitor, */
  int64_t done;
  /* what makes its residuals relative to b, and what no x can reach, relative to b */
  double factor, outside;
  /* that the last plan's rounds have taken */
  double seconds;
  /* to be solved with */
  bool ready;
  /* the hierarchy of algebraic multigrid has the aggregates of values before these, */
  bool reused;
  /* with which a solution takes more iterations for each digit than this, which it took with their
   * own (0: not known), */
  double effort;
  /* many more: other values get a new one */
  bool worn;
  /* of a setup that no report has told of */
  double setup_seconds;
  /* likewise */
  int64_t setup_passes, setup_readbacks;
} txSystem;

/* One that is kept, with a matrix of its own. It must stay where it is: monitors point to it. */
struct clSystem {
  txSystem system;
  clTriplets *A;
};

/* setup.c: what a system is made from; right-hand sides and start values, where what is seen of
 * them on the way is kept. */
TX_COMPANION clStatus txSystemCheckMatrix(const clTriplets *A, clError *error);
clStatus txSystemCheck(clContext *context, const clTriplets *A, int count,
                       const clSystemOptions *options);
clStatus txSystemCheckVectors(txSystem *s, const clTriplets *A, int count, const double *b,
                              const double *x);

/* The solver's monitor, with the system for `user`; A looked at and the plan made; what
 * the plan needs on the device. */
TX_COMPANION bool txSystemMonitor(void *user, int64_t iteration, double residual);
clStatus txSystemLookAt(txSystem *s);
clStatus txSystemSetUpDevice(txSystem *s);
/* All but the matrix, whose pattern serves the next setup. */
void txSystemReleaseDevice(txSystem *s);

/* rounds.c: the plan for all tasks that are open, in rounds of refinement. */
TX_COMPANION clStatus txRoundsSolve(txSystem *s);
/* verdict.c: corrections are measured by the scaling. */
void txTaskMeasure(const txSystem *s, txTask *t);
/* What ||b - A x|| = norm means, with t->unit_norm and the backward error in the report if it is
 * within its limit. TEXLA_REASON_NONE: the goal is not reached yet. */
clReason txTaskJudge(const txSystem *s, txTask *t, double norm);
/* The same of the x that is there. */
clReason txTaskReached(const txSystem *s, txTask *t);
/* Iterations that the next plan may take. */
int64_t txTaskBudget(const txSystem *s, const txTask *t);
/* ||b - A x|| / ||b|| of the x that is there */
double txTaskResidual(const txTask *t);
/* Appends a round's residuals, times factor, to the report's history. Its first value is the last
 * round's end, measured anew. */
clStatus txReportAppend(clSystemReport *report, const double *values, int64_t count, double factor,
                        clError *error);

#endif
