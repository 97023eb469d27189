/* The ways between grids (clTransfer) beside each other: time of a V(2,2) cycle, and what it leaves
 * of the residual of A x = 0. */
#include <math.h>
#include <stdlib.h>

#include "suite.h"
#include "core/numbers.h"
#include "core/try.h"
#include "texla/io.h"
#include "texla/multigrid.h"
#include "platform/platform.h"

enum { CYCLES = 9, LATE = 4 };

/* A transfer by name. */
typedef struct Way {
  const char *name;
  clTransfer transfer;
} Way;

static const Way ways[] = {{"stencil", TEXLA_TRANSFER_STENCIL},
                           {"matrix product", TEXLA_TRANSFER_MATRIX},
                           {"bilinear filter", TEXLA_TRANSFER_FILTER}};

/* Cycles for one of them: x begins as noise, b stays 0. */
typedef struct Trial {
  clMultigrid *mg;
  clVector *x, *b;
  clFloat *norm;
  /* of a cycle: the shortest, the mean of late ones */
  double seconds, reduction;
} Trial;

/* White noise has errors of all frequencies. */
static clStatus create(Trial *t, txBench *bench, int32_t side, clTransfer transfer) {
  clTriplets *A = NULL;
  int64_t n = (int64_t)side * side;
  float *noise = txBenchArray(n, 0);
  clStatus status = TEXLA_OK;
  if (!noise)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clGeneratePoisson2d(&A, side, side, NULL));
  TRY_CLEANUP(txBenchUse(bench, n));
  TRY_CLEANUP(clMultigridCreate(&t->mg, bench->context, A, side, side,
                                &(clMultigridOptions){.transfer = transfer}));
  TRY_CLEANUP(clVectorCreateGrid(&t->x, bench->context, side, side));
  TRY_CLEANUP(clVectorCreateLike(&t->b, t->x));
  TRY_CLEANUP(clFloatCreate(&t->norm, bench->context));
  txBenchNoise(noise, n, 42, -1, 1);
  TRY_CLEANUP(clVectorUpload(t->x, noise));
cleanup:
  txBenchFree(noise, 0);
  clTripletsDestroy(A);
  return status;
}

/* Also what has never been made. */
static void destroy(Trial *t) {
  clMultigridDestroy(t->mg);
  clVectorDestroy(t->x);
  clVectorDestroy(t->b);
  clFloatDestroy(t->norm);
}

/* For A x = 0 the error is x itself; late in the iteration it falls as the residual does. */
static clStatus run(Trial *t, const txBench *bench) {
  float norm[CYCLES] = {0};
  t->seconds = INFINITY;
  for (int k = 0; k < CYCLES; k++) {
    double start = txNow();
    TRY(clMultigridCycle(t->mg, t->x, t->b));
    TRY(clContextSynchronize(bench->context));
    t->seconds = fmin(t->seconds, txNow() - start);
    TRY(clVectorNorm(t->norm, t->x));
    TRY(clFloatDownload(t->norm, &norm[k]));
  }
  t->reduction = pow((double)norm[CYCLES - 1] / (double)norm[CYCLES - 1 - LATE], 1.0 / LATE);
  return TEXLA_OK;
}

/* A line below the rows, and an object of its own. */
static void reportTrial(txBench *bench, const Way *way, int32_t side, const Trial *t) {
  if (bench->table)
    printf("  transfer by %-16s %9.3f ms a cycle, which leaves %.3f of the error\n", way->name,
           t->seconds * 1e3, t->reduction);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "transfer", way->name);
  txJsonInteger(json, "size", (int64_t)side * side);
  txJsonNumber(json, "seconds_min", t->seconds);
  txJsonNumber(json, "reduction", t->reduction);
  txJsonClose(json);
}

/* One way, unless the device has not got it. */
static clStatus runWay(txBench *bench, const Way *way, int32_t side) {
  Trial t = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&t, bench, side, way->transfer));
  TRY_CLEANUP(run(&t, bench));
  reportTrial(bench, way, side, &t);
cleanup:
  destroy(&t);
  return txBenchForgive(bench, way->name, status);
}

clStatus txBenchTransfers(txBench *bench, int32_t side) {
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
    TRY(runWay(bench, &ways[k], side));
  return TEXLA_OK;
}
