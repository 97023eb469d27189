/* The vector operators, one row each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "core/numbers.h"
#include "core/try.h"
#include "suite.h"

/* Powers of two, so that products with them are exact. */
static const float A = 0.5f, B = 2;

/* Operands and results of n numbers, on the device and on the host. */
typedef struct Data {
  int64_t n;
  clVector *x, *y, *z[2];
  /* results of reductions; the place that an argmax finds */
  clFloat *s[2], *row, *column;
  /* x, y and z of the host */
  float *hx, *hy, *hz;
  /* the CPU's scalar result */
  double number;
} Data;

/* A row: what the device does, what the CPU does, and what is right. */
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

/* Functions of the type txBenchRun. Those of the device write to z or s in turns. */
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
  return A * (float)txBenchSign(i >> 1);
}

/* Elements, reductions, transfers: what the library offers. */
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

/* The same as loops; transfers are held against a copy. */
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

/* The exact results, of elements: what each becomes. z holds y before the operation. */
static double exactFill(const Data *d, int64_t i) {
  (void)d, (void)i;
  return (double)B;
}
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

/* Name, device, CPU, vectors that are read and written, the exact element or total. */
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

/* The operator once, on the device or on the CPU. */
static clStatus runOnce(Job *job, bool peer) {
  if (peer)
    return job->op->cpu(&job->data, 0);
  return job->op->device(&job->data, 0);
}

/* The Euclidean norm of the difference, relative to the exact result. Operators that add to z begin
 * with y in it. */
static clStatus vectorError(Job *job, bool peer, double *error) {
  Data *d = &job->data;
  bool download = job->op->device == deviceDownload;
  TRY(clVectorUpload(d->z[0], d->hy));
  memcpy(d->hz, d->hy, (size_t)d->n * sizeof *d->hz);
  TRY(runOnce(job, peer));
  if (!peer && !download)
    TRY(clVectorDownload(d->z[0], d->hz));
  double difference = 0, norm = 0;
  for (int64_t i = 0; i < d->n; i++) {
    double exact = job->op->element(d, i);
    difference += ((double)d->hz[i] - exact) * ((double)d->hz[i] - exact);
    norm += exact * exact;
  }
  *error = sqrt(difference / norm);
  return TEXLA_OK;
}

/* What the device has found. A place is told as row and column of the vector's texture, since an
 * index of more than 2^24 is no float. */
static clStatus scalarOf(const Job *job, double *result) {
  const Data *d = &job->data;
  float value, row, column;
  TRY(clFloatDownload(d->s[0], &value));
  *result = (double)value;
  if (job->op->device != deviceArgMax)
    return TEXLA_OK;
  TRY(clFloatDownload(d->row, &row));
  TRY(clFloatDownload(d->column, &column));
  *result = (double)row * (double)clVectorRowLength(d->x) + (double)column;
  return TEXLA_OK;
}

/* In parts of what rounding errors scale with. */
static clStatus scalarError(Job *job, bool peer, double *error) {
  Data *d = &job->data;
  TRY(runOnce(job, peer));
  double result = d->number;
  if (!peer)
    TRY(scalarOf(job, &result));
  double scale = 0, exact = job->op->total(d, &scale);
  *error = fabs(result - exact) / scale;
  return TEXLA_OK;
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
  d->hx = txBenchArray(d->n, 0);
  d->hy = txBenchArray(d->n, 0);
  d->hz = txBenchArray(d->n, 0);
  if (!d->hx || !d->hy || !d->hz)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(d->hx, d->n, 42, -1, 1);
  txBenchNoise(d->hy, d->n, 43, 0.5f, 1.5f);
  for (int k = 0; k < 4; k++) {
    TRY(clVectorCreate(vector[k], bench->context, d->n));
    TRY(clFloatCreate(number[k], bench->context));
  }
  TRY(clVectorUpload(d->x, d->hx));
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
  /* A transfer moves the vector once over the bus. */
  int moved = txMost(op->reads + op->writes, 1);
  txBenchCase c = {.name = op->name,
                   .user = job,
                   .device = op->device,
                   .peer = {{"cpu_openmp", op->cpu}},
                   .check = check,
                   .work = bytes * moved,
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
