/* PETSc: conjugate gradients alone, with BoomerAMG and with PETSc's own algebraic multigrid;
 * defaults but for the norm, which is that of the residual. */
#include <petscksp.h>
#include <string.h>

#include "peers.h"

/* This process's rows, one by one; at most 5 entries here, 2 of other processes. */
static PetscErrorCode assemble(Mat *A, const Problem *p) {
  PetscInt rows = p->counts[p->rank];
  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, 5, NULL, 2,
                         NULL, A));
  for (PetscInt row = p->ranges[p->rank]; row < p->ranges[p->rank] + rows; row++) {
    int column[5];
    double value[5];
    PetscInt columns[5], n = rowOf(p->side, (int)row, column, value);
    for (PetscInt k = 0; k < n; k++)
      columns[k] = column[k];
    PetscCall(MatSetValues(*A, 1, &row, n, columns, value, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Conjugate gradients to the norm of the residual, and the preconditioner that the kind names. */
static PetscErrorCode choose(KSP ksp, const char *kind, double tolerance) {
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(ksp, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, 50000));
  PetscCall(KSPGetPC(ksp, &pc));
  if (!strcmp(kind, "cg+hypre")) {
    PetscCall(PCSetType(pc, PCHYPRE));
    PetscCall(PCHYPRESetType(pc, "boomeramg"));
  } else if (!strcmp(kind, "cg+gamg")) {
    PetscCall(PCSetType(pc, PCGAMG));
  } else {
    PetscCall(PCSetType(pc, PCNONE));
  }
  PetscFunctionReturn(0);
}

/* The vectors live in p's arrays. */
static PetscErrorCode solve(const Problem *p, const char *kind, double tolerance, Result *r) {
  Mat A;
  Vec b, x;
  KSP ksp;
  PetscInt iterations = 0, rows = p->counts[p->rank];
  PetscFunctionBeginUser;
  PetscCall(assemble(&A, p));
  PetscCall(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, p->b, &b));
  PetscCall(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, p->x, &x));
  PetscCall(VecSet(x, 0));
  double start = seconds();
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(choose(ksp, kind, tolerance));
  PetscCall(KSPSetUp(ksp));
  r->setup = seconds() - start;
  start = seconds();
  PetscCall(KSPSolve(ksp, b, x));
  r->solve = seconds() - start;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  r->iterations = (int)iterations;
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  PetscFunctionReturn(0);
}

/* A failure is told by PETSc itself. */
int solvePetsc(const Problem *p, const char *kind, double tolerance, Result *result) {
  return solve(p, kind, tolerance, result) != 0;
}
