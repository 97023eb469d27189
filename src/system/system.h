/* A whole system while it is being solved: what its parts (setup, rounds, plans) share. */
#ifndef TEXLA_SYSTEM_SYSTEM_H
#define TEXLA_SYSTEM_SYSTEM_H

#include "krylov/frame.h"
#include "system/direct.h"
#include "system/null_space.h"
#include "system/plan.h"
#include "system/refine.h"

/* A right-hand side. */
typedef struct txTask {
  clSystemReport *report;
  txGoal goal;
  txRefinement refinement;
  clReason reason; /* TEXLA_REASON_NONE: open */
  double floor;    /* what a round can be expected to give */
  int64_t budget;  /* iterations left */
  int cycles;      /* of multigrid in the next round, if that is not to look at them (rounds.c); else 0 */
} txTask;

/* The right-hand sides of a batch, and what a plan needs on the device. */
typedef struct txSystem {
  clContext *context;
  const clTriplets *A;
  clSystemOptions kept;
  const clSystemOptions *options; /* kept */
  int count;                      /* right-hand sides that are expected */
  txTask task[TX_COLUMNS];
  int tasks, columns; /* in this batch; that the solver takes at once */
  bool from_zero;     /* all start values are zero */
  double b_norm;      /* of a single right-hand side; negative: not known yet */
  txRows rows;
  txNullSpace null_space;
  txMatrixFacts facts;
  txPlan plan;
  txScaling scale;
  float *single;                  /* on its way to or from the device */
  clMatrix *matrix;               /* of this plan or, until the device is set up, of the last one */
  clMatrixOptions matrix_options; /* that it was created with */
  bool refines_on_device;         /* the matrix has what residuals in double-float take */
  clVector *device_x[TX_COLUMNS], *device_b[TX_COLUMNS];
  clSolver *solver;
  txDirect *direct; /* of a plan that is direct, from its first right-hand side on */
  double target;
  int64_t done;   /* iterations before the round, for the monitor, */
  double factor;  /* and what makes its residuals relative to b */
  double seconds; /* that the last plan's rounds have taken */
  bool ready;     /* to be solved with */
  bool reused;    /* the hierarchy of algebraic multigrid has the aggregates of values before these, */
  double
      effort; /* with which a solution takes more iterations for each digit than this, which it took with their own (0: not known), */
  bool worn;                             /* many more: other values get a new one */
  double setup_seconds;                  /* of a setup that no report has told of */
  int64_t setup_passes, setup_readbacks; /* likewise */
} txSystem;

/* One that is kept, with a matrix of its own. It must stay where it is: monitors point to it. */
struct clSystem {
  txSystem system;
  clTriplets *A;
};

/* check.c: what a system is made from; right-hand sides and start values, where what is seen of them on the way is kept. */
clStatus txSystemCheck(clContext *context, const clTriplets *A, int count, const clSystemOptions *options);
clStatus txSystemCheckVectors(txSystem *s, const clTriplets *A, int count, const double *b, const double *x);

/* setup.c: A looked at, the plan made, the device set up for it; and for a plan that follows. */
clStatus txSystemSetUp(txSystem *s);
clStatus txSystemSetUpDevice(txSystem *s);
void txSystemReleaseDevice(txSystem *s); /* all but the matrix, whose pattern serves the next setup */

/* rounds.c: the iterative plan for all tasks that are open, in rounds of refinement. */
clStatus txRoundsSolve(txSystem *s);
/* ||b - A x|| / ||b|| of the x that is there */
double txTaskResidual(const txTask *t);
/* Appends a round's residuals, times factor, to the report's history. Its first value is the last round's end, measured anew. */
clStatus txReportAppend(clSystemReport *report, const double *values, int64_t count, double factor, clError *error);

#endif
