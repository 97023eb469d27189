/* What clSystemSolve does with a matrix: method, preconditioner, sign, scaling; for the method
 * auto, chosen here. */
#ifndef TEXLA_SYSTEM_PLAN_H
#define TEXLA_SYSTEM_PLAN_H

#include "system/scaling.h"
#include "texla/system.h"

typedef struct txPlan {
  clSolverOptions solver;
  txScalingKind scaling;
  /* -1: -A x = -b is solved */
  double sign;
  /* another plan may follow */
  bool automatic;
  /* a factorization has been tried, or is too dear */
  bool directly;
  /* this plan is a factorization in double on the host, after which none follows */
  bool on_host;
  /* up to so many unknowns it has the last word */
  int32_t host_most;
  /* plans with a large basis that have been tried */
  int bases;
  bool preconditioner_given;
  /* iterations after which the next plan looks better; 0: none */
  int64_t limit;
  char because[256];
} txPlan;

typedef struct txMatrixFacts {
  /* the diagonal's sign, where it has one */
  bool symmetric, positive, negative;
  /* a grid was given, or seen */
  bool zero_diagonal, grid;
  /* the one that was seen in A's offsets (grid.h); 0: none was looked for, or none is there */
  int seen[2];
  /* nearly all other entries have the opposite sign */
  bool m_matrix;
  /* weakly, in nearly all rows */
  bool dominant;
} txMatrixFacts;

/* As far as the plan for these options asks. */
void txMatrixLookAt(txMatrixFacts *facts, const txRows *rows, const clSystemOptions *options);
/* Would it help to know of a grid behind a matrix of which these facts are known? */
bool txPlanAsksForGrid(const txMatrixFacts *facts, int32_t n, const clSystemOptions *options);
/* As a preconditioner of the options: the one that suits cg's matrix. Nothing else knows it. */
enum { TX_PRECONDITIONER_CHOSEN = 100 };
void txPlanMake(txPlan *plan, const txMatrixFacts *facts, int32_t n,
                const clSystemOptions *options);
/* Nothing else is tried after this reason. */
bool txPlanEnds(clReason reason);
/* Is a factorization what to try next, if it can be afforded? Up to TX_DENSE unknowns it always
 * can. */
enum { TX_DENSE = 5000 };
/* Can a factorization in double on the host follow? It knows a singular matrix, and finds the
 * shortest of the solutions of least squares. */
bool txPlanHostFollows(const txPlan *plan, int32_t n);
bool txPlanAsksDirect(const txPlan *plan, clReason reason);
/* What to try when the plan has ended with `reason`; false: nothing. direct: a factorization can be
 * afforded; cost: what is said about it, NULL: nothing. */
bool txPlanNext(txPlan *plan, const txMatrixFacts *facts, int32_t n, clReason reason, bool direct,
                const char *cost);

#endif
