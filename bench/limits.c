/* What the device can do at best: minimal passes that only write, only fetch, only multiply and
 * add. */
#include <stdlib.h>

#include "gl/pass.h"
#include "suite.h"
#include "platform/platform.h"

enum { WIDTH = 1024, STEPS = 128, CHAINS = 8, ARITHMETIC_ROWS = 64, LONGEST_STRIP = 128 };

/* A texture to fetch from, and targets of three sizes, two of each. */
struct txBenchProbes {
  clContext *context;
  txTexture *source, *full[2], *strips[2], *small[2];
  /* Texels that a fragment of the fetch limit sums, found by chooseStrip. */
  int strip;
  /* Numbers in the source. */
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

/* In the order of txBenchLimit. */
clStatus txBenchProbeRun(txBench *bench, txBenchLimit kind, int64_t i) {
  clStatus (*const run[])(txBenchProbes *, int64_t) = {fill, fetch, arithmetic};
  return run[kind](bench->probes, i);
}

/* Bytes that are written, bytes that are fetched, flops. */
double txBenchProbeWork(const txBenchProbes *p, txBenchLimit kind) {
  double work[] = {4.0 * (double)p->n, 4.0 * (double)p->n,
                   2.0 * 4 * CHAINS * STEPS * WIDTH * ARITHMETIC_ROWS};
  return work[kind];
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

static void dropTexture(void *texture) {
  txTextureDestroy(texture);
}

static txTexture *textureOf(txBench *bench, int height) {
  txTexture *texture = NULL;
  txBenchKeep(bench,
              txTextureCreate(&texture, bench->context, "texla bench", TX_RGBA32F, WIDTH, height),
              &texture, dropTexture);
  return texture;
}

/* Fetches and writes are as many as those of the suites, so that caches do as much for both. Two of
 * each target, because repetitions alternate. */
clStatus txBenchProbesCreate(txBench *bench, int64_t elements) {
  /* Whole strips of every length. */
  int64_t block = 4 * WIDTH * LONGEST_STRIP, n = (elements + block - 1) / block * block;
  int height = (int)(n / (4 * WIDTH));
  const float *noise = txBenchNoiseOf(bench, n, 1, -1, 1);
  txBenchProbes *p = calloc(1, sizeof *p);
  txBenchKeep(bench, p ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &p, free);
  TRY(bench->status);
  *p = (txBenchProbes){.context = bench->context, .n = n, .source = textureOf(bench, height)};
  for (int i = 0; i < 2; i++) {
    p->full[i] = textureOf(bench, height);
    p->strips[i] = textureOf(bench, height / 8);
    p->small[i] = textureOf(bench, ARITHMETIC_ROWS);
  }
  TRY(bench->status);
  TRY(txTextureWrite(p->source, "texla bench", (txRect){0, 0, WIDTH, height}, noise));
  bench->probes = p;
  return chooseStrip(p);
}
