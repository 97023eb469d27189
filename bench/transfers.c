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

typedef struct Way {
  const char *name;
  clTransfer transfer;
} Way;

static const Way ways[] = {{"stencil", TEXLA_TRANSFER_STENCIL},
                           {"matrix product", TEXLA_TRANSFER_MATRIX},
                           {"bilinear filter", TEXLA_TRANSFER_FILTER}};

typedef struct Trial {
  clMultigrid *mg;
  clVector *x, *b;
  clFloat *norm;
  /* of a cycle: the shortest, the mean of late ones */
  double seconds, reduction;
} Trial;

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

static void destroy(Trial *t) {
  clMultigridDestroy(t->mg);
  clVectorDestroy(t->x);
  clVectorDestroy(t->b);
  clFloatDestroy(t->norm);
}

/* For A x = 0 the error is x itself; late in the iteration it falls as the residual does. */
static clStatus run(Trial *t, const txBench *bench) {
  float norm[CYCLES] = {0};
  clStatus status = TEXLA_OK;
  t->seconds = INFINITY;
  for (int k = 0; k < CYCLES && !status; k++) {
    double start = txNow();
    status = clMultigridCycle(t->mg, t->x, t->b);
    if (!status)
      status = clContextSynchronize(bench->context);
    t->seconds = fmin(t->seconds, txNow() - start);
    if (!status)
      status = clVectorNorm(t->norm, t->x);
    if (!status)
      status = clFloatDownload(t->norm, &norm[k]);
  }
  t->reduction = pow((double)norm[CYCLES - 1] / (double)norm[CYCLES - 1 - LATE], 1.0 / LATE);
  return status;
}

static void reportTrial(txBench *bench, const Way *way, int32_t side, const Trial *t) {
  txJson *json = &bench->writer;
  if (bench->table) {
    printf("  transfer by %-16s %9.3f ms a cycle, which leaves %.3f of the error\n", way->name,
           t->seconds * 1e3, t->reduction);
  }
  if (!bench->json)
    return;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
  txJsonString(json, "transfer", way->name);
  txJsonInteger(json, "size", (int64_t)side * side);
  txJsonNumber(json, "seconds_min", t->seconds);
  txJsonNumber(json, "reduction", t->reduction);
  txJsonClose(json);
}

clStatus txBenchTransfers(txBench *bench, int32_t side) {
  clStatus status = TEXLA_OK;
  for (size_t k = 0; k < sizeof ways / sizeof *ways && !status; k++) {
    Trial t = {0};
    status = create(&t, bench, side, ways[k].transfer);
    if (!status)
      status = run(&t, bench);
    if (!status)
      reportTrial(bench, &ways[k], side, &t);
    destroy(&t);
    status = txBenchForgive(bench, ways[k].name, status);
  }
  return status;
}
