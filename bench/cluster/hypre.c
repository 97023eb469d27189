/* hypre on the rectangles of texla-mpi cg: structured conjugate gradients, with PFMG or without a
 * preconditioner. */
#include <HYPRE.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include "cluster/peers.h"
#include "peers/five_point.h"

/* A system of hypre's: the grid's nx x ny points, of which this rank has those from low to high. */
typedef struct Structured {
  HYPRE_StructGrid grid;
  HYPRE_StructStencil stencil;
  HYPRE_StructMatrix A;
  HYPRE_StructVector b, x;
  HYPRE_Int low[2], high[2];
  int nx, ny;
} Structured;

/* This rank's points. */
static size_t pointsOf(const Structured *s) {
  return (size_t)(s->high[0] - s->low[0] + 1) * (size_t)(s->high[1] - s->low[1] + 1);
}

/* Rows of five values each, point after point. */
static void fillMatrix(Structured *s) {
  HYPRE_Int entry[5] = {0, 1, 2, 3, 4};
  double *value = malloc(pointsOf(s) * 5 * sizeof *value), *v = value;
  for (int j = s->low[1]; j <= s->high[1] && value; j++)
    for (int i = s->low[0]; i <= s->high[0]; i++, v += 5)
      fivePoint(v, i, j, s->nx, s->ny);
  if (value)
    HYPRE_StructMatrixSetBoxValues(s->A, s->low, s->high, 5, entry, value);
  HYPRE_StructMatrixAssemble(s->A);
  free(value);
}

/* Zeros, or with `right` the right-hand side of texla-mpi cg, noise in [-1, 1) that depends on a
 * point's number alone: txMpiRightSide, but in double. */
static void createVector(HYPRE_StructVector *v, Structured *s, bool right) {
  double *value = calloc(pointsOf(s), sizeof *value), *at = value;
  for (int j = s->low[1]; j <= s->high[1] && value && right; j++)
    for (int i = s->low[0]; i <= s->high[0]; i++) {
      uint64_t number = (uint64_t)((int64_t)j * s->nx + i);
      *at++ = (double)(uint32_t)(number * 2654435761u) * 0x1p-31 - 1;
    }
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, s->grid, v);
  HYPRE_StructVectorInitialize(*v);
  HYPRE_StructVectorSetBoxValues(*v, s->low, s->high, value);
  HYPRE_StructVectorAssemble(*v);
  free(value);
}

/* Grid, stencil, matrix and vectors. */
static void create(Structured *s) {
  HYPRE_Int offset[5][2] = FIVE_POINT_OFFSETS;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 2, &s->grid);
  HYPRE_StructGridSetExtents(s->grid, s->low, s->high);
  HYPRE_StructGridAssemble(s->grid);
  HYPRE_StructStencilCreate(2, 5, &s->stencil);
  for (int k = 0; k < 5; k++)
    HYPRE_StructStencilSetElement(s->stencil, k, offset[k]);
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, s->grid, s->stencil, &s->A);
  HYPRE_StructMatrixInitialize(s->A);
  fillMatrix(s);
  createVector(&s->b, s, true);
  createVector(&s->x, s, false);
}

static void destroy(Structured *s) {
  HYPRE_StructVectorDestroy(s->b);
  HYPRE_StructVectorDestroy(s->x);
  HYPRE_StructMatrixDestroy(s->A);
  HYPRE_StructStencilDestroy(s->stencil);
  HYPRE_StructGridDestroy(s->grid);
}

/* The norm is that of the residual, as texla's is, not that of the preconditioned one. */
bool txPeerHypre(int nx, int ny, const int low[2], const int high[2], bool multigrid,
                 double tolerance, txPeerResult *result) {
  Structured s = {.low = {low[0], low[1]}, .high = {high[0], high[1]}, .nx = nx, .ny = ny};
  HYPRE_StructSolver solver, precond = NULL;
  HYPRE_Int iterations = 0;
  HYPRE_Init();
  create(&s);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  HYPRE_StructPCGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructPCGSetTol(solver, tolerance);
  HYPRE_StructPCGSetMaxIter(solver, 100000);
  HYPRE_StructPCGSetTwoNorm(solver, 1);
  if (multigrid) {
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &precond);
    HYPRE_StructPFMGSetMaxIter(precond, 1);
    HYPRE_StructPFMGSetTol(precond, 0);
    HYPRE_StructPFMGSetZeroGuess(precond);
    HYPRE_StructPCGSetPrecond(solver, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, precond);
  }
  HYPRE_StructPCGSetup(solver, s.A, s.b, s.x);
  result->setup = MPI_Wtime() - start;
  start = MPI_Wtime();
  HYPRE_StructPCGSolve(solver, s.A, s.b, s.x);
  MPI_Barrier(MPI_COMM_WORLD);
  result->seconds = MPI_Wtime() - start;
  HYPRE_StructPCGGetNumIterations(solver, &iterations);
  result->iterations = (int)iterations;
  HYPRE_StructPCGDestroy(solver);
  if (precond)
    HYPRE_StructPFMGDestroy(precond);
  destroy(&s);
  return true;
}
