/* What the device measurably does with floats. Each probe is one tiny pass compared with the CPU's
 * IEEE 754 results. */
#include "gl/gl.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ADD, SUB, MUL, DIV, COPY, IS_NAN, TWO_SUM };
/* Elements of an operand, 16 texels. */
enum { N = 64 };

typedef struct probe {
  clContext *context;
  txTexture *x, *y, *z;
  clStatus status;
} probe;

/* z <- x op y on the device. After the first failure nothing more is tried. */
static void probeEvaluate(probe *p, int operation, const float *x, const float *y, float *z) {
  static const char call[] = "clContextCreate";
  txRect all = {0, 0, N / 4, 1};
  txPass pass = {.kernel = "probe",
                 .target = {p->z},
                 .source = {{"x", p->x, TX_EDGE}, {"y", p->y, TX_EDGE}},
                 .uniform = {{"operation", 1, {(float)operation}, .integer = true}}};
  if (!p->status)
    p->status = txTextureWrite(p->x, call, all, x);
  if (!p->status)
    p->status = txTextureWrite(p->y, call, all, y);
  if (!p->status)
    p->status = txPassRun(p->context, call, &pass);
  if (!p->status)
    p->status = txTextureRead(p->z, call, all, z);
}

/* A fixed stream of numbers in [1, 2) times powers of two in [2^-20, 2^20). */
static void fillPattern(float *x, uint32_t seed) {
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = ldexpf(1 + (float)(seed >> 9) / 8388608.0f, (int)(seed >> 3) % 20);
  }
}

/* What the host gets, correctly rounded. */
static float onHost(int operation, float x, float y) {
  switch (operation) {
  case MUL:
    return x * y;
  case ADD:
    return x + y;
  default:
    return x - y;
  }
}

static bool roundsCorrectly(probe *p, int operation) {
  float x[N], y[N], z[N] = {0};
  bool exact = true;
  for (uint32_t round = 0; round < 4; round++) {
    fillPattern(x, round);
    fillPattern(y, round + 77);
    probeEvaluate(p, operation, x, y, z);
    for (int i = 0; i < N; i++)
      exact = exact && z[i] == onHost(operation, x[i], y[i]);
  }
  return exact;
}

static float divisionUlps(probe *p) {
  float x[N], y[N], z[N] = {0};
  double worst = 0;
  for (uint32_t round = 0; round < 4; round++) {
    fillPattern(x, round);
    fillPattern(y, round + 77);
    probeEvaluate(p, DIV, x, y, z);
    for (int i = 0; i < N; i++) {
      double exact = (double)x[i] / (double)y[i];
      worst = fmax(worst, fabs((double)z[i] - exact) /
                              (double)(nextafterf((float)exact, INFINITY) - (float)exact));
    }
  }
  return (float)worst;
}

static bool exactDivision(probe *p) {
  float x[N], y[N], z[N] = {0};
  bool exact = true;
  for (int i = 0; i < N; i++) {
    y[i] = (float)(1 + i % 8);
    /* 6 / 3 is among the quotients, which some devices get wrong. */
    x[i] = y[i] * (float)(2 + i / 8);
  }
  probeEvaluate(p, DIV, x, y, z);
  for (int i = 0; i < N; i++)
    exact = exact && z[i] == (float)(2 + i / 8);
  return exact;
}

static bool largeIntegers(probe *p) {
  float x[N], y[N], z[N] = {0};
  bool exact = true;
  for (int i = 0; i < N; i++) {
    x[i] = 16777216.0f - 3.0f * (float)i;
    y[i] = 2.0f * (float)i;
  }
  probeEvaluate(p, ADD, x, y, z);
  for (int i = 0; i < N; i++)
    exact = exact && z[i] == 16777216.0f - (float)i;
  for (int i = 0; i < N; i++) {
    x[i] = 4095.0f - (float)i;
    y[i] = 4096.0f;
  }
  probeEvaluate(p, MUL, x, y, z);
  for (int i = 0; i < N; i++)
    exact = exact && z[i] == (4095.0f - (float)i) * 4096.0f;
  return exact;
}

static void specials(probe *p, clProbes *out) {
  float x[N] = {NAN, INFINITY, -INFINITY, 0}, y[N], z[N] = {0}, is_nan[N] = {0};
  /* The others are denormals. */
  for (int i = 4; i < N; i++)
    x[i] = ldexpf(1, -149 + i % 20);
  for (int i = 0; i < N; i++)
    y[i] = 1;
  probeEvaluate(p, COPY, x, y, z);
  probeEvaluate(p, IS_NAN, x, y, is_nan);
  out->nan_kept = isnan(z[0]) && is_nan[0] == 1 && is_nan[1] == 0 && is_nan[4] == 0;
  out->inf_kept = z[1] == INFINITY && z[2] == -INFINITY;
  probeEvaluate(p, MUL, x, y, z);
  out->denormals = !memcmp(z + 4, x + 4, (N - 4) * sizeof *x);
}

static bool twoSum(probe *p) {
  float x[N], y[N], z[N] = {0};
  bool exact = true;
  fillPattern(x, 5);
  fillPattern(y, 6);
  probeEvaluate(p, TWO_SUM, x, y, z);
  for (int i = 0; i < N; i++) {
    volatile float s = x[i] + y[i];
    exact = exact && (double)z[i] == (double)x[i] + (double)y[i] - (double)s;
  }
  return exact;
}

static bool renderable(clContext *context, txFormat format) {
  txTexture *t = NULL;
  bool ok = !txTextureCreate(&t, context, "clContextCreate", format, 4, 4) &&
            !txTextureClear(t, "clContextCreate");
  txTextureDestroy(t);
  return ok;
}

/* 1 + 1 by additive blending into a float target. */
static bool blendable(probe *p) {
  float x[N], y[N], z[N] = {0};
  bool ok = true;
  for (int i = 0; i < N; i++)
    x[i] = y[i] = 1;
  probeEvaluate(p, COPY, x, y, z);
  txPass pass = {.kernel = "probe",
                 .target = {p->z},
                 .source = {{"x", p->x, TX_EDGE}, {"y", p->y, TX_EDGE}},
                 .uniform = {{"operation", 1, {COPY}, .integer = true}},
                 .add = true};
  if (!p->status)
    p->status = txPassRun(p->context, "clContextCreate", &pass);
  if (!p->status)
    p->status = txTextureRead(p->z, "clContextCreate", (txRect){0, 0, N / 4, 1}, z);
  for (int i = 0; i < N; i++)
    ok = ok && z[i] == 2;
  return ok;
}

/* The mean of two texels by the bilinear filter: a copy into a target of half the width. */
static bool filterable(probe *p) {
  float x[N], z[N] = {0};
  bool ok = true;
  for (int i = 0; i < N; i++)
    x[i] = (float)(i / 4 % 2);
  txTexture *half = NULL;
  if (!p->status)
    p->status = txTextureCreate(&half, p->context, "clContextCreate", TX_RGBA32F, N / 8, 1);
  txPass pass = {.kernel = "probe",
                 .target = {half},
                 .source = {{"x", p->x, TX_BILINEAR}, {"y", p->y, TX_EDGE}},
                 .uniform = {{"operation", 1, {COPY}, .integer = true}}};
  if (!p->status)
    p->status = txTextureWrite(p->x, "clContextCreate", (txRect){0, 0, N / 4, 1}, x);
  if (!p->status)
    p->status = txPassRun(p->context, "clContextCreate", &pass);
  if (!p->status)
    p->status = txTextureRead(half, "clContextCreate", (txRect){0, 0, N / 8, 1}, z);
  for (int i = 0; i < N / 2; i++)
    ok = ok && z[i] == 0.5f;
  txTextureDestroy(half);
  return ok;
}

clStatus txProbe(clContext *context) {
  probe p = {.context = context};
  txTexture **texture[] = {&p.x, &p.y, &p.z};
  for (int i = 0; i < 3 && !p.status; i++)
    p.status = txTextureCreate(texture[i], context, "clContextCreate", TX_RGBA32F, N / 4, 1);
  clProbes *out = &context->info.probes;
  if (!p.status) {
    /* The device can render to such textures, or the passes below fail. */
    out->rgba32f_renderable = true;
    out->r32f_renderable = renderable(context, TX_R32F);
    out->exact_division = exactDivision(&p);
    out->large_integers = largeIntegers(&p);
    out->round_add = roundsCorrectly(&p, ADD) && roundsCorrectly(&p, SUB);
    out->round_mul = roundsCorrectly(&p, MUL);
    out->division_ulps = divisionUlps(&p);
    out->two_sum = twoSum(&p);
    specials(&p, out);
    out->blendable = blendable(&p);
    out->filterable = filterable(&p);
  }
  for (int i = 0; i < 3; i++)
    txTextureDestroy(*texture[i]);
  return p.status;
}
