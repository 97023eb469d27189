/* texla-bench-peers SIDE TOLERANCE RUNS: solves one problem with hypre and PETSc, for `texla bench
 * multigrid`. A line for each solver: library, solver, processes, seconds of the setup, least and
 * median seconds of the solution, iterations, true residual. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../noise.h"
#include "peers.h"
#if HAVE_HYPRE
#include <HYPRE_utilities.h>
#endif
#if HAVE_PETSC
#include <petscsys.h>
#endif

enum { MOST_RUNS = 20, ATTEMPTS = 8 };
/* seconds of a solution that is not repeated */
static const double long_run = 2;

/* A solver by its library's name and its own. */
typedef struct Entry {
  const char *library, *kind;
  Peer solve;
} Entry;

/* In the order of the report. */
static const Entry entries[] = {
#if HAVE_HYPRE
    {"hypre", "pfmg", solveStruct},    {"hypre", "pfmg-rb", solveStruct},
    {"hypre", "smg", solveStruct},     {"hypre", "boomeramg", solveBoomer},
#endif
#if HAVE_PETSC
    {"petsc", "cg+hypre", solvePetsc}, {"petsc", "cg+gamg", solvePetsc},
    {"petsc", "cg", solvePetsc},
#endif
};

/* All processes have come so far: what follows is timed for all. */
double seconds(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* Neighbours beyond the edges are left out. */
int rowOf(int side, int row, int column[5], double value[5]) {
  int i = row % side, j = row / side, n = 0;
  const int at[5] = {row - side, row - 1, row, row + 1, row + side};
  const int there[5] = {j > 0, i > 0, 1, i < side - 1, j < side - 1};
  for (int k = 0; k < 5; k++)
    if (there[k]) {
      column[n] = at[k];
      value[n] = -1;
      if (k == 2)
        value[n] = 4;
      n++;
    }
  return n;
}

/* Grid rows are dealt out evenly; all processes hold b, whose noise is that of texla-bench. Not
 * 0: no memory. */
static int create(Problem *p, int side) {
  size_t n = (size_t)side * (size_t)side;
  *p = (Problem){.side = side};
  MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
  p->first = (int)((long)side * p->rank / p->ranks);
  p->last = (int)((long)side * (p->rank + 1) / p->ranks);
  p->ranges = calloc((size_t)p->ranks, sizeof *p->ranges);
  p->counts = calloc((size_t)p->ranks, sizeof *p->counts);
  p->whole_b = calloc(n, sizeof *p->whole_b);
  p->whole_x = calloc(n, sizeof *p->whole_x);
  p->x = calloc(n, sizeof *p->x);
  float *noise = calloc(n, sizeof *noise);
  if (!p->ranges || !p->counts || !p->whole_b || !p->whole_x || !p->x || !noise)
    return 1;
  txBenchNoise(noise, (int64_t)n, 42, -1, 1);
  for (size_t k = 0; k < n; k++)
    p->whole_b[k] = (double)noise[k];
  free(noise);
  p->b = p->whole_b + (size_t)p->first * (size_t)side;
  for (int r = 0; r < p->ranks; r++) {
    p->ranges[r] = (int)((long)side * r / p->ranks) * side;
    p->counts[r] = (int)((long)side * (r + 1) / p->ranks) * side - p->ranges[r];
  }
  return 0;
}

/* ||b - A x|| / ||b|| of the last solution. */
static double trueResidual(const Problem *p) {
  double sum[2] = {0, 0}, result = 0;
  MPI_Gatherv(p->x, p->counts[p->rank], MPI_DOUBLE, p->whole_x, p->counts, p->ranges, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  for (int row = 0; p->rank == 0 && row < p->side * p->side; row++) {
    int column[5], n;
    double value[5], r = p->whole_b[row];
    n = rowOf(p->side, row, column, value);
    for (int k = 0; k < n; k++)
      r -= value[k] * p->whole_x[column[k]];
    sum[0] += r * r;
    sum[1] += p->whole_b[row] * p->whole_b[row];
  }
  result = sqrt(sum[0] / sum[1]);
  MPI_Bcast(&result, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return result;
}

/* For qsort, in ascending order. */
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Tightens what the library is asked for until the true residual is small enough, then takes the
 * time. */
static void measure(const Problem *p, const Entry *e, double tolerance, int runs) {
  Result r = {0};
  double asked = tolerance, residual = INFINITY, setup = INFINITY, time[MOST_RUNS];
  int failed = 0, done = 0;
  for (int k = 0; k < ATTEMPTS && residual > tolerance && !failed; k++) {
    if (k > 0)
      asked *= 0.5;
    failed = e->solve(p, e->kind, asked, &r);
    residual = trueResidual(p);
  }
  while (done < runs && !failed) {
    if (done || r.solve < long_run)
      failed = e->solve(p, e->kind, asked, &r);
    setup = fmin(setup, r.setup);
    time[done++] = r.solve;
    /* Rank 0 decides for all: their clocks differ. */
    int enough = r.solve > long_run;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough)
      break;
  }
  qsort(time, (size_t)done, sizeof *time, compare);
  if (p->rank == 0 && !failed)
    printf("%s %s %d %.6f %.6f %.6f %d %.3e\n", e->library, e->kind, p->ranks, setup, time[0],
           time[done / 2], r.iterations, residual);
  fflush(stdout);
}

/* PETSc's options and both libraries are begun once. */
int main(int argc, char **argv) {
  Problem p;
  MPI_Init(&argc, &argv);
#if HAVE_PETSC
  PetscOptionsSetValue(NULL, "-options_left", "no");
  PetscInitializeNoArguments();
#endif
#if HAVE_HYPRE
  HYPRE_Init();
#endif
  int side = 0, runs = 0;
  if (argc > 3) {
    side = atoi(argv[1]);
    runs = (int)fmin(atoi(argv[3]), MOST_RUNS);
  }
  int failed = side < 2 || side > 20000 || runs < 1 || create(&p, side);
  for (size_t k = 0; k < sizeof entries / sizeof *entries && !failed; k++)
    measure(&p, &entries[k], atof(argv[2]), runs);
#if HAVE_HYPRE
  HYPRE_Finalize();
#endif
#if HAVE_PETSC
  PetscFinalize();
#endif
  MPI_Finalize();
  return failed;
}
