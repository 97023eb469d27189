/* What the device can do at best: minimal passes that only write, only fetch, only multiply and
 * add. */
#include <stdlib.h>

#include "core/try.h"
#include "gl/pass.h"
#include "suite.h"
#include "platform/platform.h"

enum { WIDTH = 1024, STEPS = 128, CHAINS = 8, ARITHMETIC_ROWS = 64, LONGEST_STRIP = 128 };

/* A texture to fetch from, and targets of three sizes, two of each; the host has as many
 * numbers. */
struct txBenchProbes {
  clContext *context;
  txTexture *source, *full[2], *strips[2], *small[2];
  /* texels that a fragment of the fetch limit sums, found by chooseStrip */
  int strip;
  /* the CPU's side: what is read, what is written */
  float *x, *z;
  /* of either, and of the source */
  int64_t n;
};

/* Only writes: nothing is fetched and nothing computed. */
static clStatus fill(txBenchProbes *p, int64_t i) {
  txPass pass = {
      .kernel = "limit_fill", .target = {p->full[i & 1]}, .uniform = {{"value", 1, {1.5f}}}};
  return txPassRun(p->context, "fill limit", &pass);
}

/* A fragment sums a strip of texels, so that there is little to write. */
static clStatus fetch(txBenchProbes *p, int64_t i) {
  char defines[32];
  snprintf(defines, sizeof defines, "#define STRIP %d\n", p->strip);
  float height = (float)p->source->height;
  int rows = p->source->height / p->strip;
  txPass pass = {.kernel = "limit_fetch",
                 .defines = defines,
                 .target = {p->strips[i & 1]},
                 .source = {{"x", p->source, TX_EDGE}},
                 .uniform = {{"span", 2, {1, (float)p->strips[0]->height / height}},
                             {"stride", 1, {(float)rows / height}}},
                 .rect = {0, 0, WIDTH, rows},
                 .work = p->strip};
  return txPassRun(p->context, "fetch limit", &pass);
}

/* Chains of multiply-adds on a small target. */
static clStatus arithmetic(txBenchProbes *p, int64_t i) {
  char defines[48];
  snprintf(defines, sizeof defines, "#define STEPS %d\n#define CHAINS %d\n", STEPS, CHAINS);
  txPass pass = {.kernel = "limit_arithmetic",
                 .defines = defines,
                 .target = {p->small[i & 1]},
                 .uniform = {{"factor", 1, {0.999f}}, {"term", 1, {0.001f}}}};
  return txPassRun(p->context, "arithmetic limit", &pass);
}

/* NULL without probes: nothing is measured then. */
clContext *txBenchProbeContext(const txBenchProbes *p) {
  if (!p)
    return NULL;
  return p->context;
}

/* In the order of txBenchLimit. */
clStatus txBenchProbeRun(txBenchProbes *p, txBenchLimit kind, int64_t i) {
  clStatus (*const run[])(txBenchProbes *, int64_t) = {fill, fetch, arithmetic};
  return run[kind](p, i);
}

/* Bytes that are written, bytes that are fetched, flops. */
double txBenchProbeWork(const txBenchProbes *p, txBenchLimit kind) {
  double work[] = {4.0 * (double)p->n, 4.0 * (double)p->n,
                   2.0 * 4 * CHAINS * STEPS * WIDTH * ARITHMETIC_ROWS};
  return work[kind];
}

/* Arithmetic needs but a small target. */
int64_t txBenchProbeElements(const txBenchProbes *p, txBenchLimit kind) {
  if (kind == TX_BENCH_ARITHMETIC)
    return 4 * WIDTH * ARITHMETIC_ROWS;
  return p->n;
}

/* They stay the probes' own. */
int64_t txBenchProbeArrays(const txBenchProbes *p, float **x, float **z) {
  *x = p->x;
  *z = p->z;
  return p->n;
}

/* The strip's length that fetches fastest; the first run of each compiles its shader. */
static clStatus chooseStrip(txBenchProbes *p) {
  int best = 0;
  double least = 0;
  for (int strip = 8; strip <= LONGEST_STRIP; strip *= 2) {
    p->strip = strip;
    for (int run = -1; run < 5; run++) {
      double start = txNow();
      TRY(fetch(p, run & 1));
      TRY(clContextSynchronize(p->context));
      double seconds = txNow() - start;
      if (run >= 0 && (!best || seconds < least)) {
        best = strip;
        least = seconds;
      }
    }
  }
  p->strip = best;
  return TEXLA_OK;
}

/* Two of each target, as repetitions alternate. */
static clStatus createTextures(txBenchProbes *p, int height) {
  static const char call[] = "texla bench";
  TRY(txTextureCreate(&p->source, p->context, call, TX_RGBA32F, WIDTH, height));
  for (int i = 0; i < 2; i++) {
    TRY(txTextureCreate(&p->full[i], p->context, call, TX_RGBA32F, WIDTH, height));
    TRY(txTextureCreate(&p->strips[i], p->context, call, TX_RGBA32F, WIDTH, height / 8));
    TRY(txTextureCreate(&p->small[i], p->context, call, TX_RGBA32F, WIDTH, ARITHMETIC_ROWS));
  }
  TRY(txTextureWrite(p->source, call, (txRect){0, 0, WIDTH, height}, p->x));
  return chooseStrip(p);
}

/* Fetches and writes are as many as those of the suites, so that caches do as much for both. */
clStatus txBenchProbesCreate(txBench *bench, int64_t elements) {
  txBenchProbes *p = bench->probes = calloc(1, sizeof *p);
  /* whole strips of every length */
  int64_t block = 4 * WIDTH * LONGEST_STRIP;
  int64_t n = (elements + block - 1) / block * block;
  if (!p)
    return TEXLA_OUT_OF_MEMORY;
  *p = (txBenchProbes){
      .context = bench->context, .n = n, .x = txBenchArray(n, 0), .z = txBenchArray(n, 0)};
  if (!p->x || !p->z)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(p->x, n, 1, -1, 1);
  return createTextures(p, (int)(n / (4 * WIDTH)));
}

/* Also what has never been made. */
void txBenchProbesDestroy(txBench *bench) {
  txBenchProbes *p = bench->probes;
  if (!p)
    return;
  txTextureDestroy(p->source);
  for (int i = 0; i < 2; i++) {
    txTextureDestroy(p->full[i]);
    txTextureDestroy(p->strips[i]);
    txTextureDestroy(p->small[i]);
  }
  txBenchFree(p->x, 0);
  txBenchFree(p->z, 0);
  free(p);
  bench->probes = NULL;
}
