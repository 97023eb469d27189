/* The vector operators, one row each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "core/try.h"
#include "suite.h"

static const float A = 0.5f, B = 2;

typedef struct Data {
  int64_t n;
  clVector *x, *y, *z[2];
  clFloat *s[2], *row, *column;
  float *hx, *hy, *hz;
  /* the CPU's scalar result */
  double number;
} Data;

typedef struct Operator {
  const char *name;
  txBenchRun device, cpu;
  /* vectors */
  int reads, writes;
  /* the exact result in double: of a vector ... */
  double (*element)(const Data *d, int64_t i);
  /* ... or a scalar, and what its error scales with */
  double (*total)(const Data *d, double *scale);
} Operator;

#define DEVICE(name, call)                                                                         \
  static clStatus device##name(void *user, int64_t i) {                                            \
    Data *d = user;                                                                                \
    clVector *z = d->z[i & 1];                                                                     \
    clFloat *s = d->s[i & 1];                                                                      \
    (void)z, (void)s;                                                                              \
    return call;                                                                                   \
  }
#define CPU(name, call)                                                                            \
  static clStatus cpu##name(void *user, int64_t i) {                                               \
    Data *d = user;                                                                                \
    (void)i;                                                                                       \
    call;                                                                                          \
    return TEXLA_OK;                                                                               \
  }

/* Every second repetition of y + a x subtracts, so that y stays what it is. */
static float sign(int64_t i) {
  return (i >> 1) & 1 ? -A : A;
}

DEVICE(Fill, clVectorFill(z, B))
DEVICE(Copy, clVectorCopy(z, d->x))
DEVICE(Scale, clVectorScale(z, B, NULL, d->x))
DEVICE(Axpy, clVectorAxpy(z, sign(i), NULL, d->x))
DEVICE(Triad, clVectorAdd(z, 1, NULL, d->y, A, NULL, d->x))
DEVICE(Add, clVectorAdd(z, A, NULL, d->x, B, NULL, d->y))
DEVICE(Mul, clVectorMul(z, d->x, d->y))
DEVICE(Div, clVectorDiv(z, d->x, d->y))
DEVICE(Sum, clVectorSum(s, d->x))
DEVICE(Dot, clVectorDot(s, d->x, d->y))
DEVICE(Norm, clVectorNorm(s, d->x))
DEVICE(Min, clVectorMin(s, d->x))
DEVICE(AbsMax, clVectorAbsMax(s, d->x))
DEVICE(ArgMax, clVectorArgMax(s, d->row, d->column, d->x))
DEVICE(Upload, clVectorUpload(z, d->hx))
DEVICE(Download, clVectorDownload(d->x, d->hz))

CPU(Fill, txCpuFill(d->hz, B, d->n))
CPU(Copy, txCpuCopy(d->hz, d->hx, d->n))
CPU(Scale, txCpuScale(d->hz, B, d->hx, d->n))
CPU(Axpy, txCpuAxpy(d->hz, sign(2 * i), d->hx, d->n))
CPU(Triad, txCpuTriad(d->hz, d->hy, A, d->hx, d->n))
CPU(Add, txCpuAdd(d->hz, A, d->hx, B, d->hy, d->n))
CPU(Mul, txCpuMul(d->hz, d->hx, d->hy, d->n))
CPU(Div, txCpuDiv(d->hz, d->hx, d->hy, d->n))
CPU(Sum, d->number = txCpuSum(d->hx, d->n))
CPU(Dot, d->number = txCpuDot(d->hx, d->hy, d->n))
CPU(Norm, d->number = sqrt(txCpuDot(d->hx, d->hx, d->n)))
CPU(Min, d->number = txCpuMin(d->hx, d->n))
CPU(AbsMax, d->number = txCpuAbsMax(d->hx, d->n))
CPU(ArgMax, d->number = (double)txCpuArgMax(d->hx, d->n))

/* The exact results. z holds y before the operation. */
static double exactFill(const Data *d, int64_t i) {
  (void)d, (void)i;
  return (double)B;
}
/* Of elements: what each becomes. */
static double exactCopy(const Data *d, int64_t i) {
  return (double)d->hx[i];
}
static double exactScale(const Data *d, int64_t i) {
  return (double)B * (double)d->hx[i];
}
static double exactAxpy(const Data *d, int64_t i) {
  return (double)d->hy[i] + (double)A * (double)d->hx[i];
}
static double exactAdd(const Data *d, int64_t i) {
  return (double)A * (double)d->hx[i] + (double)B * (double)d->hy[i];
}
static double exactMul(const Data *d, int64_t i) {
  return (double)d->hx[i] * (double)d->hy[i];
}
static double exactDiv(const Data *d, int64_t i) {
  return (double)d->hx[i] / (double)d->hy[i];
}
/* Of reductions: *scale <- what their rounding errors are in parts of, the sum of the magnitudes.
 * */
static double exactSum(const Data *d, double *scale) {
  double sum = 0;
  for (int64_t i = 0; i < d->n; i++) {
    sum += (double)d->hx[i];
    *scale += fabs((double)d->hx[i]);
  }
  return sum;
}
static double exactDot(const Data *d, double *scale) {
  double sum = 0;
  for (int64_t i = 0; i < d->n; i++) {
    sum += (double)d->hx[i] * (double)d->hy[i];
    *scale += fabs((double)d->hx[i] * (double)d->hy[i]);
  }
  return sum;
}
/* Squares do not cancel: the error is in parts of the norm itself. */
static double exactNorm(const Data *d, double *scale) {
  double sum = 0;
  for (int64_t i = 0; i < d->n; i++)
    sum += (double)d->hx[i] * (double)d->hx[i];
  return *scale = sqrt(sum);
}
/* A choice has no rounding error; 1 keeps the difference as it is. */
static double exactMin(const Data *d, double *scale) {
  double least = INFINITY;
  for (int64_t i = 0; i < d->n; i++)
    least = fmin(least, (double)d->hx[i]);
  *scale = 1;
  return least;
}
/* The first one of those that are equally large, as the device finds it. */
static int64_t largest(const Data *d) {
  int64_t best = 0;
  for (int64_t i = 1; i < d->n; i++)
    if (fabsf(d->hx[i]) > fabsf(d->hx[best]))
      best = i;
  return best;
}
static double exactAbsMax(const Data *d, double *scale) {
  *scale = 1;
  return fabs((double)d->hx[largest(d)]);
}
static double exactArgMax(const Data *d, double *scale) {
  *scale = 1;
  return (double)largest(d);
}

static const Operator operators[] = {
    {"fill", deviceFill, cpuFill, 0, 1, exactFill, NULL},
    {"copy", deviceCopy, cpuCopy, 1, 1, exactCopy, NULL},
    {"scale", deviceScale, cpuScale, 1, 1, exactScale, NULL},
    {"axpy", deviceAxpy, cpuAxpy, 2, 1, exactAxpy, NULL},
    {"z = y + a x", deviceTriad, cpuTriad, 2, 1, exactAxpy, NULL},
    {"add", deviceAdd, cpuAdd, 2, 1, exactAdd, NULL},
    {"mul", deviceMul, cpuMul, 2, 1, exactMul, NULL},
    {"div", deviceDiv, cpuDiv, 2, 1, exactDiv, NULL},
    {"sum", deviceSum, cpuSum, 1, 0, NULL, exactSum},
    {"dot", deviceDot, cpuDot, 2, 0, NULL, exactDot},
    {"norm", deviceNorm, cpuNorm, 1, 0, NULL, exactNorm},
    {"min", deviceMin, cpuMin, 1, 0, NULL, exactMin},
    {"absmax", deviceAbsMax, cpuAbsMax, 1, 0, NULL, exactAbsMax},
    {"argmax", deviceArgMax, cpuArgMax, 1, 0, NULL, exactArgMax},
    {"upload", deviceUpload, cpuCopy, 0, 0, exactCopy, NULL},
    {"download", deviceDownload, cpuCopy, 0, 0, exactCopy, NULL},
};

/* What a case runs with: the data begin it, so that the operators see them alone. */
typedef struct Job {
  Data data;
  const Operator *op;
} Job;

/* The Euclidean norm of the difference, relative to the exact result. Operators that add to z begin
 * with y in it. */
static clStatus vectorError(Job *job, bool peer, double *error) {
  Data *d = &job->data;
  bool download = job->op->device == deviceDownload;
  clStatus status = clVectorUpload(d->z[0], d->hy);
  memcpy(d->hz, d->hy, (size_t)d->n * sizeof *d->hz);
  if (!status)
    status = (peer ? job->op->cpu : job->op->device)(d, 0);
  if (!status && !peer && !download)
    status = clVectorDownload(d->z[0], d->hz);
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < d->n && !status; i++) {
    double exact = job->op->element(d, i);
    difference += ((double)d->hz[i] - exact) * ((double)d->hz[i] - exact);
    norm += exact * exact;
  }
  *error = sqrt(difference / norm);
  return status;
}

/* A place is told as row and column of the vector's texture. */
static clStatus scalarError(Job *job, bool peer, double *error) {
  Data *d = &job->data;
  float value = 0, row = 0, column = 0;
  clStatus status = (peer ? job->op->cpu : job->op->device)(d, 0);
  if (!status)
    status = clFloatDownload(d->s[0], &value);
  if (!status && job->op->device == deviceArgMax) {
    status = clFloatDownload(d->row, &row);
    if (!status)
      status = clFloatDownload(d->column, &column);
  }
  double result = job->op->device == deviceArgMax
                      ? (double)row * (double)clVectorRowLength(d->x) + (double)column
                      : (double)value;
  double scale = 0, exact = job->op->total(d, &scale);
  *error = fabs((peer ? d->number : result) - exact) / scale;
  return status;
}

/* An operator has exact elements, or an exact total. */
static clStatus check(void *user, bool peer, double *error) {
  Job *job = user;
  if (job->op->element)
    return vectorError(job, peer, error);
  return scalarError(job, peer, error);
}

/* y is away from zero, so that quotients are harmless. */
static clStatus createData(txBench *bench, Data *d) {
  clVector **vector[] = {&d->x, &d->y, &d->z[0], &d->z[1]};
  clFloat **number[] = {&d->s[0], &d->s[1], &d->row, &d->column};
  clStatus status = TEXLA_OK;
  d->hx = txBenchArray(d->n, 0);
  d->hy = txBenchArray(d->n, 0);
  d->hz = txBenchArray(d->n, 0);
  if (!d->hx || !d->hy || !d->hz)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(d->hx, d->n, 42, -1, 1);
  txBenchNoise(d->hy, d->n, 43, 0.5f, 1.5f);
  for (int k = 0; k < 4 && !status; k++) {
    status = clVectorCreate(vector[k], bench->context, d->n);
    if (!status)
      status = clFloatCreate(number[k], bench->context);
  }
  if (!status)
    status = clVectorUpload(d->x, d->hx);
  TRY(status);
  return clVectorUpload(d->y, d->hy);
}

/* Also what has never been made. */
static void destroyData(Data *d) {
  clVectorDestroy(d->x);
  clVectorDestroy(d->y);
  for (int k = 0; k < 2; k++) {
    clVectorDestroy(d->z[k]);
    clFloatDestroy(d->s[k]);
  }
  clFloatDestroy(d->row);
  clFloatDestroy(d->column);
  txBenchFree(d->hx, 0);
  txBenchFree(d->hy, 0);
  txBenchFree(d->hz, 0);
}

/* Rates are of bytes that must be moved: each vector once. */
static clStatus runOperator(txBench *bench, Job *job) {
  const Operator *op = job->op;
  double bytes = 4.0 * (double)job->data.n;
  int moved = op->reads + op->writes;
  txBenchCase c = {.name = op->name,
                   .user = job,
                   .device = op->device,
                   .peer = {{"cpu_openmp", op->cpu}},
                   .check = check,
                   /* a transfer moves the vector once over the bus */
                   .work = bytes * (moved ? moved : 1),
                   .unit = "GB/s",
                   .needs = {op->writes * bytes, op->reads * bytes}};
  snprintf(c.size, sizeof c.size, "%lld", (long long)job->data.n);
  return txBenchRunCase(bench, &c);
}

/* Its vectors are larger than caches, unless --size says something else. */
clStatus txBenchVector(txBench *bench) {
  int64_t side = txBenchSide(bench, 256, 2048);
  Job job = {.data = {.n = side * side}};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, job.data.n));
  TRY_CLEANUP(createData(bench, &job.data));
  TRY_CLEANUP(txBenchProbesCreate(bench, job.data.n));
  TRY_CLEANUP(txBenchLimitRows(bench));
  for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
    job.op = &operators[k];
    TRY_CLEANUP(runOperator(bench, &job));
  }
cleanup:
  txBenchProbesDestroy(bench);
  destroyData(&job.data);
  return status;
}
