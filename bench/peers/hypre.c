/* hypre: the structured multigrids PFMG (as it comes, and with red-black sweeps and coarse matrices
 * that keep five points) and SMG, and BoomerAMG as it comes. */
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "five_point.h"
#include "peers.h"

/* A system for the structured solvers; this process has the grid's rows from low[1] to high[1]. */
typedef struct Structured {
  HYPRE_StructGrid grid;
  HYPRE_StructStencil stencil;
  HYPRE_StructMatrix A;
  HYPRE_StructVector b, x;
  HYPRE_Int low[2], high[2];
} Structured;

/* Rows of five values each, point after point. */
static void fillMatrix(Structured *s, const Problem *p) {
  HYPRE_Int entry[5] = {0, 1, 2, 3, 4};
  double *value = malloc((size_t)p->counts[p->rank] * 5 * sizeof *value), *v = value;
  for (int j = p->first; j < p->last && value; j++)
    for (int i = 0; i < p->side; i++, v += 5)
      fivePoint(v, i, j, p->side, p->side);
  if (value)
    HYPRE_StructMatrixSetBoxValues(s->A, s->low, s->high, 5, entry, value);
  HYPRE_StructMatrixAssemble(s->A);
  free(value);
}

/* This process's part of b or of x. */
static void createVector(HYPRE_StructVector *v, Structured *s, double *values) {
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, s->grid, v);
  HYPRE_StructVectorInitialize(*v);
  HYPRE_StructVectorSetBoxValues(*v, s->low, s->high, values);
  HYPRE_StructVectorAssemble(*v);
}

/* x begins as zero. */
static void createStructured(Structured *s, const Problem *p) {
  HYPRE_Int offset[5][2] = FIVE_POINT_OFFSETS;
  *s = (Structured){.low = {0, p->first}, .high = {p->side - 1, p->last - 1}};
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 2, &s->grid);
  HYPRE_StructGridSetExtents(s->grid, s->low, s->high);
  HYPRE_StructGridAssemble(s->grid);
  HYPRE_StructStencilCreate(2, 5, &s->stencil);
  for (int k = 0; k < 5; k++)
    HYPRE_StructStencilSetElement(s->stencil, k, offset[k]);
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, s->grid, s->stencil, &s->A);
  HYPRE_StructMatrixInitialize(s->A);
  fillMatrix(s, p);
  memset(p->x, 0, (size_t)p->counts[p->rank] * sizeof *p->x);
  createVector(&s->b, s, p->b);
  createVector(&s->x, s, p->x);
}

/* In the order in which they depend on each other. */
static void destroyStructured(Structured *s) {
  HYPRE_StructVectorDestroy(s->b);
  HYPRE_StructVectorDestroy(s->x);
  HYPRE_StructMatrixDestroy(s->A);
  HYPRE_StructStencilDestroy(s->stencil);
  HYPRE_StructGridDestroy(s->grid);
}

/* SMG: semicoarsening with plane solves, robust and dear. */
static void runSmg(Structured *s, double tolerance, Result *r) {
  HYPRE_StructSolver solver;
  HYPRE_Int iterations = 0;
  double start = seconds();
  HYPRE_StructSMGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructSMGSetTol(solver, tolerance);
  HYPRE_StructSMGSetMaxIter(solver, 100);
  HYPRE_StructSMGSetup(solver, s->A, s->b, s->x);
  r->setup = seconds() - start;
  start = seconds();
  HYPRE_StructSMGSolve(solver, s->A, s->b, s->x);
  r->solve = seconds() - start;
  HYPRE_StructSMGGetNumIterations(solver, &iterations);
  HYPRE_StructSMGDestroy(solver);
  r->iterations = (int)iterations;
}

/* PFMG: semicoarsening with point smoothers. Relaxation 2 is red-black Gauss-Seidel, RAP type 1
 * keeps five points on coarse grids where the Galerkin product has nine. */
static void runPfmg(Structured *s, int red_black, double tolerance, Result *r) {
  HYPRE_StructSolver solver;
  HYPRE_Int iterations = 0;
  double start = seconds();
  HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_StructPFMGSetTol(solver, tolerance);
  HYPRE_StructPFMGSetMaxIter(solver, 100);
  if (red_black) {
    HYPRE_StructPFMGSetRelaxType(solver, 2);
    HYPRE_StructPFMGSetRAPType(solver, 1);
  }
  HYPRE_StructPFMGSetup(solver, s->A, s->b, s->x);
  r->setup = seconds() - start;
  start = seconds();
  HYPRE_StructPFMGSolve(solver, s->A, s->b, s->x);
  r->solve = seconds() - start;
  HYPRE_StructPFMGGetNumIterations(solver, &iterations);
  HYPRE_StructPFMGDestroy(solver);
  r->iterations = (int)iterations;
}

/* By the kind's name. */
int solveStruct(const Problem *p, const char *kind, double tolerance, Result *result) {
  Structured s;
  createStructured(&s, p);
  if (!strcmp(kind, "smg"))
    runSmg(&s, tolerance, result);
  else
    runPfmg(&s, !strcmp(kind, "pfmg-rb"), tolerance, result);
  HYPRE_StructVectorGetBoxValues(s.x, s.low, s.high, p->x);
  destroyStructured(&s);
  return 0;
}

/* A system for BoomerAMG: compressed rows (ParCSR), which are filled by number (IJ). */
typedef struct Assembled {
  HYPRE_IJMatrix matrix;
  HYPRE_IJVector right, solution;
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector b, x;
  HYPRE_BigInt *index;
  HYPRE_Int count;
} Assembled;

/* This process's rows, one by one. */
static void fillRows(Assembled *a, const Problem *p) {
  for (int row = p->first * p->side; row < p->last * p->side; row++) {
    int column[5];
    double value[5];
    HYPRE_Int n = rowOf(p->side, row, column, value);
    HYPRE_BigInt at = row, columns[5];
    for (int k = 0; k < n; k++)
      columns[k] = column[k];
    HYPRE_IJMatrixSetValues(a->matrix, 1, &n, &at, columns, value);
  }
  HYPRE_IJMatrixAssemble(a->matrix);
}

/* *object <- the vector that solvers take, which is part of *v. */
static void assembleVector(HYPRE_IJVector *v, void **object, const Assembled *a, HYPRE_BigInt low,
                           double *values) {
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, low, low + a->count - 1, v);
  HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(*v);
  HYPRE_IJVectorSetValues(*v, a->count, a->index, values);
  HYPRE_IJVectorAssemble(*v);
  HYPRE_IJVectorGetObject(*v, object);
}

/* Not 0: no memory. */
static int assemble(Assembled *a, const Problem *p) {
  HYPRE_BigInt low = (HYPRE_BigInt)p->first * p->side, high = (HYPRE_BigInt)p->last * p->side - 1;
  *a = (Assembled){.count = p->counts[p->rank]};
  a->index = malloc((size_t)a->count * sizeof *a->index);
  if (!a->index)
    return 1;
  for (HYPRE_Int k = 0; k < a->count; k++)
    a->index[k] = low + k;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, low, high, low, high, &a->matrix);
  HYPRE_IJMatrixSetObjectType(a->matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(a->matrix);
  fillRows(a, p);
  HYPRE_IJMatrixGetObject(a->matrix, (void **)&a->A);
  memset(p->x, 0, (size_t)a->count * sizeof *p->x);
  assembleVector(&a->right, (void **)&a->b, a, low, p->b);
  assembleVector(&a->solution, (void **)&a->x, a, low, p->x);
  return 0;
}

/* Classical algebraic multigrid with the defaults of the library. */
int solveBoomer(const Problem *p, const char *kind, double tolerance, Result *r) {
  Assembled a;
  HYPRE_Solver solver;
  HYPRE_Int iterations = 0;
  (void)kind;
  if (assemble(&a, p))
    return 1;
  double start = seconds();
  HYPRE_BoomerAMGCreate(&solver);
  HYPRE_BoomerAMGSetTol(solver, tolerance);
  HYPRE_BoomerAMGSetMaxIter(solver, 100);
  HYPRE_BoomerAMGSetPrintLevel(solver, 0);
  HYPRE_BoomerAMGSetup(solver, a.A, a.b, a.x);
  r->setup = seconds() - start;
  start = seconds();
  HYPRE_BoomerAMGSolve(solver, a.A, a.b, a.x);
  r->solve = seconds() - start;
  HYPRE_BoomerAMGGetNumIterations(solver, &iterations);
  r->iterations = (int)iterations;
  HYPRE_BoomerAMGDestroy(solver);
  HYPRE_IJVectorGetValues(a.solution, a.count, a.index, p->x);
  HYPRE_IJVectorDestroy(a.right);
  HYPRE_IJVectorDestroy(a.solution);
  HYPRE_IJMatrixDestroy(a.matrix);
  free(a.index);
  return 0;
}
