/* All scenarios, each with a name for messages. */
#ifndef TEXLA_TESTS_FAULTS_ALL_H
#define TEXLA_TESTS_FAULTS_ALL_H

#include "faults/variants.h"

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
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

#endif
