/* An iteration of conjugate gradients pass by pass: five-point matrix with constant
 * coefficients. */
#include <math.h>
#include <string.h>

#include "program/program.h"
#include "core/try.h"
#include "problem.h"
#include "suite.h"
#include "texla/io.h"

enum { ITERATIONS = 80, PASSES = 5 };

/* The kernel of each pass; a second and further level of sums has the same one as the first. */
enum { FIRST_SUMS = 1, MORE_SUMS = 2 };
static const struct {
  const char *name, *kernel;
} pass[PASSES] = {{"pass: product", "banded"},
                  {"pass: sums", "reduce"},
                  {"pass: more sums", "reduce"},
                  {"pass: history", "reduce_vec4"},
                  {"pass: x, r and p", "cg_merged"}};

/* The system, and what the listener has seen of its passes. */
typedef struct Job {
  clMatrix *A;
  clSolver *solver;
  clVector *x, *b;
  /* of sums since the last product */
  int levels;
  /* the shortest of each in a run */
  double seconds[PASSES];
} Job;

/* The kernel tells which pass it was; a second level of sums comes after the first. */
static void listen(void *user, const clPassEvent *event) {
  Job *j = user;
  int k = 0;
  while (k < PASSES && strcmp(event->kernel, pass[k].kernel) != 0)
    k++;
  if (k == 0)
    j->levels = 0;
  if (k == FIRST_SUMS && j->levels++)
    k = MORE_SUMS;
  if (k < PASSES)
    j->seconds[k] = fmin(j->seconds[k], event->seconds);
}

/* From zero; seconds[k] <- the shortest of each pass, 0 where there was none. */
static clStatus iterate(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  TRY(clVectorClear(j->x));
  TRY(clSolverInit(j->solver, j->x, j->b));
  /* its passes are no iteration's */
  for (int k = 0; k < PASSES; k++)
    j->seconds[k] = INFINITY;
  TRY(clSolverIterate(j->solver, ITERATIONS));
  for (int k = 0; k < PASSES; k++)
    if (isinf(j->seconds[k]))
      j->seconds[k] = 0;
  return TEXLA_OK;
}

/* b = 1; the iteration goes on whatever the residual is. */
static clStatus create(Job *j, clContext *context, int32_t side) {
  clTriplets *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clGeneratePoisson2d(&A, side, side, NULL));
  TRY_CLEANUP(clMatrixCreate(&j->A, context, A, NULL));
  TRY_CLEANUP(clSolverCreate(&j->solver, j->A, &(clSolverOptions){.method = TEXLA_METHOD_CG}));
  TRY_CLEANUP(clMatrixCreateVector(&j->x, j->A, TEXLA_DOMAIN));
  TRY_CLEANUP(clMatrixCreateVector(&j->b, j->A, TEXLA_RANGE));
  TRY_CLEANUP(clVectorFill(j->b, 1));
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* A row for each pass that there is. */
static clStatus runRows(txBench *bench, Job *j, int32_t side) {
  /* which passes there are */
  TRY(iterate(j, 0));
  for (int k = 0; k < PASSES; k++) {
    txBenchCase c = {.name = pass[k].name,
                     .user = j,
                     .device = iterate,
                     .seconds = &j->seconds[k],
                     .work = 1,
                     .unit = "passes/s"};
    snprintf(c.size, sizeof c.size, "%lld", (long long)side * side);
    if (j->seconds[k] > 0)
      TRY(txBenchRunCase(bench, &c));
  }
  return TEXLA_OK;
}

/* On a context of its own that waits for every pass: together they take longer than an iteration
 * does otherwise. */
clStatus txBenchPasses(txBench *bench, int32_t side) {
  Job j = {0};
  clContext *usual = bench->context;
  clStatus status = TEXLA_OK;
  TRY(txBenchProfile(bench, (int64_t)side * side, listen, &j));
  TRY_CLEANUP(create(&j, bench->context, side));
  TRY_CLEANUP(runRows(bench, &j, side));
cleanup:
  status = txBenchForgive(bench, "an iteration pass by pass", status);
  clVectorDestroy(j.x);
  clVectorDestroy(j.b);
  clSolverDestroy(j.solver);
  clMatrixDestroy(j.A);
  clContextDestroy(bench->context);
  bench->context = usual;
  return status;
}
