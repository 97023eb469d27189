/* texla solve: what was asked for and what came of it, between solve.c and solve_report.c. */
#ifndef TEXLA_CLI_SOLVE_H
#define TEXLA_CLI_SOLVE_H

#include <stdio.h>

#include "cli/program.h"
#include "texla/system.h"

typedef struct txSolve {
  txProgram program;
  txCommon common;
  const char *matrix, *rhs, *near, *out, *history; /* paths; NULL: not given */
  int method, preconditioner, storage, cycle;      /* method auto: see the report for what was used */
  int grid[2];                                     /* columns x rows; 0: not given */
  double tolerance;                                /* 0: not given */
  int64_t restart, sweeps;                         /* 0: not given */
  int64_t max_iterations;                          /* 0: ten times the number of unknowns */
  bool json, refine;
  clTriplets *A;
  int columns;          /* right-hand sides */
  double *b, *x;        /* column after column */
  double *near_vectors; /* the near null space, or NULL */
  int near_count;
  clContext *context;
  clSystemReport *reports; /* of each */
  clSystemReport report;   /* of the one that is furthest from being solved, with the time and the passes of all */
} txSolve;

/* What happened, as a JSON object or as lines for a reader. */
void txSolveWriteJson(const txSolve *solve, FILE *file);
void txSolveWriteSummary(const txSolve *solve, FILE *file);

#endif
