/* What clSystemSolve does with a matrix: method, preconditioner, sign, scaling; for the method auto, chosen here. */
#ifndef TEXLA_SOLVERS_PLAN_H
#define TEXLA_SOLVERS_PLAN_H

#include "solvers/scaling.h"
#include "texla/solvers.h"

typedef struct txPlan {
  clSolverOptions solver;
  txScalingKind scaling;
  double sign;    /* -1: -A x = -b is solved */
  bool automatic; /* another plan may follow */
  int attempt;
  bool preconditioner_given;
  int64_t limit; /* iterations after which the next plan looks better; 0: none */
  char because[256];
} txPlan;

typedef struct txMatrixFacts {
  bool symmetric, positive, negative; /* the diagonal's sign, where it has one */
  bool zero_diagonal, grid;           /* a grid was given */
  bool m_matrix;                      /* nearly all other entries have the opposite sign */
  bool dominant;                      /* weakly, in nearly all rows */
} txMatrixFacts;

/* As far as the plan for these options asks. */
void txMatrixLookAt(txMatrixFacts *facts, const txRows *rows, const clSystemOptions *options);
void txPlanMake(txPlan *plan, const txMatrixFacts *facts, int32_t n, const clSystemOptions *options);
/* Nothing else is tried after this reason. */
bool txPlanEnds(clReason reason);
/* What to try when the plan has ended with `reason`; false: nothing. */
bool txPlanNext(txPlan *plan, const txMatrixFacts *facts, int32_t n, clReason reason);

#endif
