/* Solvers of other libraries on one problem: the five-point Laplacian on side x side points with a
 * zero boundary, white noise on the right, in double, on as many MPI processes as there are; each
 * has a slab of grid rows. */
#ifndef TEXLA_BENCH_PEERS_H
#define TEXLA_BENCH_PEERS_H

/* The problem, and the memory of all solvers. */
typedef struct Problem {
  int side, rank, ranks;
  /* grid rows [first, last) are this process's */
  int first, last;
  /* of all processes: where their points begin, how many they are */
  int *ranges, *counts;
  /* this process's part; all of it, on rank 0 */
  double *b, *whole_b;
  /* the last solution, likewise */
  double *x, *whole_x;
} Problem;

typedef struct Result {
  /* seconds */
  double setup, solve;
  int iterations;
} Result;

/* One solution from zero until the library finds ||b - A x|| <= tolerance ||b||, in p->x; 0:
 * done. */
typedef int (*Peer)(const Problem *p, const char *kind, double tolerance, Result *result);
/* "pfmg", "pfmg-rb", "smg" */
int solveStruct(const Problem *p, const char *kind, double tolerance, Result *result);
int solveBoomer(const Problem *p, const char *kind, double tolerance, Result *result);
/* "cg+hypre", "cg+gamg", "cg" */
int solvePetsc(const Problem *p, const char *kind, double tolerance, Result *result);

/* Columns and values of a row of the matrix, in order; returns how many. */
int rowOf(int side, int row, int column[5], double value[5]);
/* after a barrier */
double seconds(void);

#endif
