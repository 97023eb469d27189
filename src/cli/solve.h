/* texla solve: what was asked for and what came of it, between solve.c and solve_report.c. */
#ifndef TEXLA_CLI_SOLVE_H
#define TEXLA_CLI_SOLVE_H

#include <stdio.h>

#include "program/program.h"
#include "texla/system.h"

/* One run of the command. */
typedef struct txSolve {
  txProgram program;
  txCommon common;
  /* paths; NULL: not given */
  const char *matrix, *rhs, *near, *out, *history;
  /* method auto: see the report for what was used */
  int method, preconditioner, storage, cycle, host_levels;
  /* columns x rows; 0: not given */
  int grid[2];
  /* 0: not given */
  double tolerance;
  /* 0: not given */
  int64_t restart, sweeps;
  /* 0: ten times the number of unknowns */
  int64_t max_iterations;
  bool json, refine;
  clTriplets *A;
  /* right-hand sides */
  int columns;
  /* column after column */
  double *b, *x;
  /* the near null space, or NULL */
  double *near_vectors;
  int near_count;
  clContext *context;
  /* of each */
  clSystemReport *reports;
  /* of the one that is furthest from being solved, with the time and the passes of all */
  clSystemReport report;
} txSolve;

/* What happened, as a JSON object or as lines for a reader. */
void txSolveWriteJson(const txSolve *solve, FILE *file);
void txSolveWriteSummary(const txSolve *solve, FILE *file);

#endif
