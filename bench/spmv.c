/* Matrix-vector products in every storage, beside texla's own product on the host in double. */
#include "suite.h"

/* A matrix on the device and on the host, with x and the results. */
typedef struct Data {
  clTriplets *T;
  clMatrix *A;
  clVector *x, *y[2];
  float *hx;
  /* x, and products. */
  double *x64, *y64;
} Data;

static clStatus onDevice(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  (void)bench;
  return clMatrixMulVector(d->y[i & 1], d->A, d->x);
}

static clStatus onHost(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  (void)bench, (void)i;
  clTripletsMulVector(d->y64, d->T, d->x64);
  return TEXLA_OK;
}

/* ||y - A x|| / ||A x|| */
static clStatus check(txBench *bench, void *data, double *error) {
  Data *d = data;
  double off = 0, size = 0, *got = d->y64 + d->T->rows;
  TRY(onHost(bench, d, 0));
  TRY(onDevice(bench, d, 0));
  TRY(clVectorDownloadDouble(d->y[0], got));
  for (int32_t k = 0; k < d->T->rows; k++) {
    off += (got[k] - d->y64[k]) * (got[k] - d->y64[k]);
    size += d->y64[k] * d->y64[k];
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}

/* A storage, and the bytes of an index beside each entry; -1: no entry is fetched. */
typedef struct Storage {
  clMatrixOptions options;
  double index_bytes;
} Storage;
static const Storage general = {{.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true}, 0},
                     constant = {{.storage = TEXLA_STORAGE_BANDED}, -1},
                     slots = {{.storage = TEXLA_STORAGE_SLOTS}, 4},
                     csr = {{.storage = TEXLA_STORAGE_CSR}, 4},
                     points = {{.storage = TEXLA_STORAGE_POINTS}, 4},
                     full = {{.storage = TEXLA_STORAGE_DENSE}, 0};
#define CASE(name, storage)                                                                        \
  {                                                                                                \
    name, onDevice, 2, "GFLOP/s", .peer = {{"host", onHost}}, .check = check,                      \
                                  .options = &(storage)                                            \
  }
static const txBenchCase large[] = {CASE("5-point, general", general),
                                    CASE("5-point, constant", constant)};
static const txBenchCase all[] = {
    CASE("5-point, general", general), CASE("5-point, constant", constant),
    CASE("5-point, slots", slots), CASE("5-point, csr", csr), CASE("5-point, points", points)};
static const txBenchCase plate[] = {CASE("9-point, general", general),
                                    CASE("9-point, constant", constant)};
static const txBenchCase dense[] = {CASE("dense", full)};

/* The least that is moved: x and y once, and each entry with its index. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  const Storage *storage = c->options;
  double n = 4. * d->T->rows / bench->measure;
  c->needs[TX_BENCH_FILL] = n;
  c->needs[TX_BENCH_FETCH] = n + fmax(0, 4 + storage->index_bytes) * (storage->index_bytes >= 0);
  c->needs[TX_BENCH_ARITHMETIC] = 2;
  snprintf(c->size, sizeof c->size, "%d", (int)d->T->rows);
  TX_BENCH_MAKE(clMatrix, &d->A, bench->context, d->T, &storage->options);
  TRY(bench->status);
  txBenchKeep(bench, clMatrixCreateVector(&d->x, d->A, TEXLA_DOMAIN), &d->x, txDropclVector);
  for (int i = 0; i < 2; i++)
    txBenchKeep(bench, clMatrixCreateVector(&d->y[i], d->A, TEXLA_RANGE), &d->y[i], txDropclVector);
  TRY(bench->status);
  return clVectorUpload(d->x, d->hx);
}

/* The measure is the number of entries. */
static clStatus prepare(txBench *bench, Data *d) {
  TRY(bench->status);
  int32_t n = d->T->rows;
  bench->measure = (double)d->T->count;
  d->hx = txBenchNoiseOf(bench, n, 42, -1, 1);
  d->x64 = txBenchDoubles(bench, n);
  d->y64 = txBenchDoubles(bench, 2 * (int64_t)n);
  TRY(bench->status);
  for (int32_t i = 0; i < n; i++)
    d->x64[i] = (double)d->hx[i];
  return txBenchProbesCreate(bench, n);
}
static clStatus preparePoisson(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  TX_BENCH_GENERATE(&d->T, clGeneratePoisson2d(&d->T, size, size, NULL));
  return prepare(bench, d);
}
static clStatus preparePlate(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  TX_BENCH_GENERATE(&d->T, clGenerateFemPlate(&d->T, size, NULL));
  return prepare(bench, d);
}
static clStatus prepareFull(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  TX_BENCH_GENERATE(&d->T, clGenerateDense(&d->T, size, 42, NULL));
  return prepare(bench, d);
}

#define SUITE(usual, how, list)                                                                    \
  {                                                                                                \
    .name = "spmv", .size = {usual}, .quick = 256, .bytes = sizeof(Data), .prepare = how,          \
    .begin = begin, TX_BENCH_CASES(list)                                                           \
  }
const txBenchSuite txBenchSpmvLarge = SUITE(2048, preparePoisson, large),
                   txBenchSpmv = SUITE(1024, preparePoisson, all),
                   txBenchPlate = SUITE(1024, preparePlate, plate),
                   txBenchFull = SUITE(2048, prepareFull, dense);
