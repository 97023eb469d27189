/* Double-float beside single precision on the device and double on the CPU, on the five-point
 * Poisson matrix. */
#include <math.h>
#include <stdlib.h>

#include "suite.h"
#include "core/try.h"
#include "texla/io.h"

/* x and b in single precision, in double-float and in double. */
typedef struct Data {
  int64_t n;
  clTriplets *A;
  clMatrix *matrix;
  /* single */
  clVector *x, *b, *r[2];
  /* the same in double-float */
  clDoubleVector *dx, *db, *dr[2];
  clDouble *s[2];
  double *hx, *hb, *hr, number;
} Data;

/* An operator on the device, beside the same in double. */
typedef struct Operator {
  const char *name;
  txBenchRun device, cpu;
  /* vectors of floats, at least */
  double fills, fetches;
  /* of an element, as if in double */
  double flops;
  clStatus (*error)(Data *d, double *error);
} Operator;

/* A function of the type txBenchRun; results in turns. */
#define RUN(name, call)                                                                            \
  static clStatus name(void *user, int64_t i) {                                                    \
    Data *d = user;                                                                                \
    (void)i;                                                                                       \
    return call;                                                                                   \
  }

RUN(residualSingle,
    clMatrixVectorOp(d->r[i & 1], TEXLA_OP_B_MINUS_AX, d->matrix, TEXLA_NO_TRANSPOSE, d->x, d->b))
RUN(residualRounded, clMatrixResidualRounded(d->r[i & 1], 1, d->matrix, d->dx, d->db))
RUN(residualDouble, clMatrixResidualDouble(d->dr[i & 1], d->matrix, d->dx, d->db))
RUN(axpySingle, clVectorAdd(d->r[i & 1], 1, NULL, d->b, 0.5f, NULL, d->x))
RUN(axpyDouble, clDoubleVectorAdd(d->dr[i & 1], 1, NULL, d->db, 0.5, NULL, d->dx))
RUN(dotOfSingles, clVectorDotDouble(d->s[i & 1], d->x, d->b))
RUN(dotDouble, clDoubleVectorDot(d->s[i & 1], d->dx, d->db))
RUN(uploadDouble, clDoubleVectorUpload(d->dr[i & 1], d->hx))

/* b - A x in double. */
static clStatus cpuResidual(void *user, int64_t i) {
  Data *d = user;
  (void)i;
  clTripletsResidual(d->hr, d->A, d->hx, d->hb);
  return TEXLA_OK;
}

/* b + x / 2 in double. */
static clStatus cpuAxpy(void *user, int64_t i) {
  Data *d = user;
  (void)i;
  for (int64_t k = 0; k < d->n; k++)
    d->hr[k] = d->hb[k] + 0.5 * d->hx[k];
  return TEXLA_OK;
}

/* x.b in double. */
static clStatus cpuDot(void *user, int64_t i) {
  Data *d = user;
  (void)i;
  d->number = 0;
  for (int64_t k = 0; k < d->n; k++)
    d->number += d->hx[k] * d->hb[k];
  return TEXLA_OK;
}

/* What an upload is compared with. */
static clStatus cpuCopy(void *user, int64_t i) {
  Data *d = user;
  (void)i;
  for (int64_t k = 0; k < d->n; k++)
    d->hr[k] = d->hx[k];
  return TEXLA_OK;
}

/* ||got - exact|| / ||exact||, got on the device in single or in double-float; the last run of the
 * CPU is exact. */
static clStatus errorOf(Data *d, const clVector *single, const clDoubleVector *pair,
                        double *error) {
  double *got = malloc((size_t)d->n * sizeof *got), difference = 0, norm = 0;
  clStatus status = TEXLA_OK;
  if (!got)
    return TEXLA_OUT_OF_MEMORY;
  if (single)
    TRY_CLEANUP(clVectorDownloadDouble(single, got));
  else
    TRY_CLEANUP(clDoubleVectorDownload(pair, got));
  for (int64_t k = 0; k < d->n; k++) {
    difference += (got[k] - d->hr[k]) * (got[k] - d->hr[k]);
    norm += d->hr[k] * d->hr[k];
  }
  *error = sqrt(difference / norm);
cleanup:
  free(got);
  return status;
}

/* Of results in single precision, whose rounding is all that it shows. */
static clStatus singleError(Data *d, double *error) {
  return errorOf(d, d->r[0], NULL, error);
}

/* Of results in double-float. */
static clStatus pairError(Data *d, double *error) {
  return errorOf(d, NULL, d->dr[0], error);
}

/* In parts of the sum of magnitudes, as rounding errors of sums are. */
static clStatus dotError(Data *d, double *error) {
  double value = 0, size = 0;
  TRY(clDoubleDownload(d->s[0], &value));
  for (int64_t k = 0; k < d->n; k++)
    size += fabs(d->hx[k] * d->hb[k]);
  *error = fabs(value - d->number) / size;
  return TEXLA_OK;
}

static const Operator operators[] = {
    {"residual, single", residualSingle, cpuResidual, 1, 2, 10, singleError},
    {"residual, df64 to float", residualRounded, cpuResidual, 1, 4, 10, singleError},
    {"residual, df64", residualDouble, cpuResidual, 2, 4, 10, pairError},
    {"axpy, single", axpySingle, cpuAxpy, 1, 2, 2, singleError},
    {"axpy, df64", axpyDouble, cpuAxpy, 2, 4, 2, pairError},
    {"dot, df64 of floats", dotOfSingles, cpuDot, 0, 2, 2, dotError},
    {"dot, df64", dotDouble, cpuDot, 0, 4, 2, dotError},
    {"upload, doubles", uploadDouble, cpuCopy, 0, 0, 0, pairError},
};

/* An operator with its data, as a case's `user`. */
typedef struct Job {
  Data data;
  const Operator *op;
} Job;

/* The loop in double is exact, so that only the device has an error. */
static clStatus check(void *user, bool peer, double *error) {
  Job *job = user;
  *error = 0;
  TRY(job->op->cpu(&job->data, 0));
  if (peer)
    return TEXLA_OK;
  TRY(job->op->device(&job->data, 0));
  return job->op->error(&job->data, error);
}

/* x nearly solves A x = b: b is its product and a little more. */
static clStatus createHost(Data *d, int64_t side) {
  TRY(clGeneratePoisson2d(&d->A, (int32_t)side, (int32_t)side, NULL));
  float *noise = txBenchArray(d->n, 0);
  double **all[] = {&d->hx, &d->hb, &d->hr};
  for (int k = 0; k < 3; k++)
    *all[k] = calloc((size_t)d->n, sizeof **all[k]);
  if (!noise || !d->hx || !d->hb || !d->hr) {
    txBenchFree(noise, 0);
    return TEXLA_OUT_OF_MEMORY;
  }
  txBenchNoise(noise, d->n, 42, -1, 1);
  for (int64_t k = 0; k < d->n; k++)
    d->hx[k] = (double)noise[k];
  clTripletsMulVector(d->hb, d->A, d->hx);
  /* a float as well, so that all rows have the same numbers */
  for (int64_t k = 0; k < d->n; k++)
    d->hb[k] = (double)(float)(d->hb[k] + 1e-3 * (double)noise[d->n - 1 - k]);
  txBenchFree(noise, 0);
  return TEXLA_OK;
}

/* The same numbers in single precision and as pairs: x and b have no more digits than a float. */
static clStatus createDevice(txBench *bench, Data *d) {
  clVector **single[] = {&d->x, &d->b, &d->r[0], &d->r[1]};
  clDoubleVector **pair[] = {&d->dx, &d->db, &d->dr[0], &d->dr[1]};
  TRY(clMatrixCreate(&d->matrix, bench->context, d->A, NULL));
  for (int k = 0; k < 4; k++) {
    TRY(clMatrixCreateVector(single[k], d->matrix, TEXLA_RANGE));
    TRY(clDoubleVectorCreateLike(pair[k], *single[k]));
  }
  for (int k = 0; k < 2; k++)
    TRY(clDoubleCreate(&d->s[k], bench->context));
  TRY(clDoubleVectorUpload(d->dx, d->hx));
  TRY(clDoubleVectorUpload(d->db, d->hb));
  TRY(clVectorUploadDouble(d->x, d->hx));
  return clVectorUploadDouble(d->b, d->hb);
}

/* Also what has never been made. */
static void destroy(Data *d) {
  for (int k = 0; k < 2; k++) {
    clVectorDestroy(d->r[k]);
    clDoubleVectorDestroy(d->dr[k]);
    clDoubleDestroy(d->s[k]);
  }
  clVectorDestroy(d->x);
  clVectorDestroy(d->b);
  clDoubleVectorDestroy(d->dx);
  clDoubleVectorDestroy(d->db);
  clMatrixDestroy(d->matrix);
  clTripletsDestroy(d->A);
  free(d->hx);
  free(d->hb);
  free(d->hr);
}

/* An upload is counted in bytes, all else in operations. */
static clStatus runOperator(txBench *bench, Job *job) {
  const Operator *op = job->op;
  double n = (double)job->data.n;
  bool upload = op->flops == 0;
  txBenchCase c = {.name = op->name,
                   .user = job,
                   .device = op->device,
                   .peer = {{"cpu_double", op->cpu}},
                   .check = check,
                   .work = op->flops * n,
                   .unit = "GFLOP/s",
                   .needs = {4 * n * op->fills, 4 * n * op->fetches}};
  if (upload) {
    c.work = 8 * n;
    c.unit = "GB/s";
  }
  snprintf(c.size, sizeof c.size, "%lld", (long long)job->data.n);
  return txBenchForgive(bench, op->name, txBenchRunCase(bench, &c));
}

/* All operators on one matrix, beside the device's limits. */
clStatus txBenchPrecision(txBench *bench) {
  int64_t side = txBenchSide(bench, 256, 1024);
  Job job = {.data = {.n = side * side}};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, job.data.n));
  TRY_CLEANUP(createHost(&job.data, side));
  TRY_CLEANUP(createDevice(bench, &job.data));
  TRY_CLEANUP(txBenchProbesCreate(bench, job.data.n));
  TRY_CLEANUP(txBenchLimitRows(bench));
  for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
    job.op = &operators[k];
    TRY_CLEANUP(runOperator(bench, &job));
  }
cleanup:
  txBenchProbesDestroy(bench);
  destroy(&job.data);
  return status;
}
