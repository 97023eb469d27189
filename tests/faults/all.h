/* All scenarios, each with a name for messages. */
#ifndef TEXLA_TESTS_FAULTS_ALL_H
#define TEXLA_TESTS_FAULTS_ALL_H

#include "faults/most.h"
#include "faults/factors.h"
#include "faults/fields.h"

static const Scenario scenarios[] = {
    {"vectors", vectors},
    {"kernels", kernels},
    {"banded", banded},
    {"slots", slots},
    {"points", points},
    {"columns", columns},
    {"product", product},
    {"plu", plu},
    {"echelon", echelon},
    {"cholesky", cholesky},
    {"householder", householder},
    {"crout", crout},
    {"cg", conjugateGradients},
    {"gmres", gmres},
    {"bicgstab", bicgstab},
    {"multigrid", multigrid},
    {"amg", algebraicMultigrid},
    {"factored", factored},
    {"wave", wave},
    {"flow", flow},
    {"water", water},
    {"tridiagonal", tridiagonal},
    {"normal", normalEquations},
    {"orthogonal", orthogonal},
    {"jacobi", damped},
    {"ic0", incompleteCholesky},
    {"cycles", cycles},
    {"amg cycles", algebraicCycles},
    {"factored cholesky", factoredCholesky},
    {"auto", chosen},
    {"kept", kept},
    {"kept hierarchy", keptHierarchy},
    {"kept factors", keptFactors},
    {"red-black", redBlack},
    {"halves", halves},
    {"lines", lines},
    {"transfers", transfers},
    {"doubles", doubles},
    {"packed", packed},
    {"inverse", inverse},
    {"exchanged", exchanged},
    {"maccormack", maccormack},
    {"midpoint", midpoint},
    {"flow by cg", conjugateFlow},
    {"open wave", openWave},
    {"five diagonals", fiveDiagonals},
    {"saved flow", savedFlow},
    {"streaks", streaks},
    {"saved wave", savedWave},
    {"saved water", savedWater},
    {"filter", filtered},
    {"several", several},
    {"batch", batch},
    {"two columns", twoColumns},
    {"shell", shell},
    {"rows", rows},
    {"residuals", residuals},
    {"traced", traced},
    {"reductions", reductions},
    {"elements", elements},
    {"pairs", pairs},
    {"dense", denseOperators},
    {"views", views},
    {"triangles", triangles},
    {"factors of plu", factorsOfPlu},
    {"factors of cholesky", factorsOfCholesky},
    {"factors of crout", factorsOfCrout},
    {"factors of qr", factorsOfQr},
    {"weighted", weighted},
    {"by hand", byHand},
    {"grids to the end", gridsToTheEnd},
    {"zebra", zebra},
    {"evolution", evolution},
    {"stiff evolution", stiffEvolution},
    {"explicit evolution", explicitEvolution},
    {"root evolution", rootEvolution},
    {"inks", inks},
    {"measured flow", measuredFlow},
    {"tides", tides},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* In the short form all scenarios of a program share a context, since each new one costs as much as
 * the scenario: the driver compiles what is common to all shaders again. In the long form each has
 * its own, and depends on none before it. */
static clContext *sharedContext;
/* whether a scenario has it; one that failed has not given it back, and left it in disorder */
static bool sharedIsTaken;

static inline clContext *scenarioContext(void) {
  if (testLong())
    return testContextWith((clContextOptions){0});
  if (!sharedContext || sharedIsTaken)
    sharedContext = testContextWith((clContextOptions){0});
  sharedIsTaken = true;
  return sharedContext;
}

static inline void scenarioContextDone(clContext *context) {
  if (context == sharedContext)
    sharedIsTaken = false;
  else
    clContextDestroy(context);
}

/* Group tear-down. */
static inline int sharedContextDestroy(void **state) {
  clContextDestroy(sharedContext);
  return 0;
}

static inline void assertSame(const Scenario *s, const double *result, const double *wanted,
                              const char *when) {
  for (int k = 0; k < RESULTS; k++)
    if (!(fabs(result[k] - wanted[k]) <= 1e-4 * (1 + fabs(wanted[k]))))
      fail_msg("%s: result %d is %g, not %g, %s", s->name, k, result[k], wanted[k], when);
}

#endif
