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

typedef struct Job {
  clMatrix *A;
  clSolver *solver;
  clVector *x, *b;
  /* of sums since the last product */
  int levels;
  /* the shortest of each in a run */
  double seconds[PASSES];
} Job;

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

static clStatus iterate(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  clStatus status = clVectorClear(j->x);
  if (!status)
    status = clSolverInit(j->solver, j->x, j->b);
  /* its passes are no iteration's */
  for (int k = 0; k < PASSES; k++)
    j->seconds[k] = INFINITY;
  if (!status)
    status = clSolverIterate(j->solver, ITERATIONS);
  for (int k = 0; k < PASSES; k++)
    j->seconds[k] = j->seconds[k] < INFINITY ? j->seconds[k] : 0;
  return status;
}

static clStatus create(Job *j, clContext *context, int32_t side) {
  clTriplets *A = NULL;
  clStatus status = clGeneratePoisson2d(&A, side, side, NULL);
  if (!status)
    status = clMatrixCreate(&j->A, context, A, NULL);
  clTripletsDestroy(A);
  if (!status)
    status = clSolverCreate(&j->solver, j->A, &(clSolverOptions){.method = TEXLA_METHOD_CG});
  if (!status)
    status = clMatrixCreateVector(&j->x, j->A, TEXLA_DOMAIN);
  if (!status)
    status = clMatrixCreateVector(&j->b, j->A, TEXLA_RANGE);
  TRY(status);
  return clVectorFill(j->b, 1);
}

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
  clError error;
  const clContextOptions profiled = {
      .elements = (int64_t)side * side, .profile = true, .listener = listen, .listener_user = &j};
  clStatus status = txProgramOpenWith(&bench->context, bench->program, false, &profiled, &error);
  if (status) {
    txProgramFail(bench->program, &error);
    bench->context = usual;
    return status;
  }
  status = create(&j, bench->context, side);
  if (!status)
    status = runRows(bench, &j, side);
  status = txBenchForgive(bench, "an iteration pass by pass", status);
  clVectorDestroy(j.x);
  clVectorDestroy(j.b);
  clSolverDestroy(j.solver);
  clMatrixDestroy(j.A);
  clContextDestroy(bench->context);
  bench->context = usual;
  return status;
}
