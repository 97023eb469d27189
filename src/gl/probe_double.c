/* Does double-float arithmetic survive this device's compiler? A residual and a scalar product,
 * which some compilers spoil that leave a lone two-sum as it is, compared with the same in
 * double. */
#include "gl/gl.h"
#include "core/try.h"

#include <math.h>
#include <stdio.h>

enum { TEXELS = 16, N = 4 * TEXELS, COUNT = 12 };
static const char call[] = "clContextCreate";
/* Allowed errors, relative to the sum of magnitudes. Single precision loses 2^-24. */
static const double allowed = 0x1p-42;

typedef struct numbers {
  float hi[N], lo[N];
} numbers;

/* Double-float numbers of either sign, 2^-6 to 2^6. */
static void fillNumbers(numbers *x) {
  uint32_t seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    double v = ldexp(1 + (double)(seed >> 5) * 0x1p-27, (int)(seed >> 3) % 12 - 6);
    seed = seed * 1664525u + 1013904223u;
    v *= (seed >> 7 & 1 ? 1 : -1) * (1 + (double)(seed >> 8) * 0x1p-46);
    x->hi[i] = (float)v;
    x->lo[i] = (float)(v - (double)x->hi[i]);
  }
}

/* Element i of the texel k further on. */
static double at(const numbers *x, int i, int k) {
  int j = (i + 4 * k) % N;
  return (double)x->hi[j] + (double)x->lo[j];
}

/* What shaders/gl/probe_double.frag must find in place i. */
static bool isRight(const numbers *x, const numbers *r, int i, int count) {
  double sum = 0, size = 0;
  if (!count) {
    sum = at(x, i, 9);
    size = fabs(sum);
  }
  for (int k = 0; k < (count ? count : 5); k++) {
    double p = at(x, i, k);
    if (count)
      p *= at(x, i, k + 1);
    else
      p *= -(double)x->hi[(i + 4 * k + 12) % N];
    sum += p;
    size += fabs(p);
  }
  return fabs((double)r->hi[i] + (double)r->lo[i] - sum) <= allowed * size &&
         fabsf(r->lo[i]) <= 0x1p-23f * fabsf(r->hi[i]);
}

static clStatus compare(clContext *context, txTexture *const t[4], const numbers *x, int count,
                        bool *right) {
  numbers r;
  txRect all = {0, 0, TEXELS, 1};
  txPass pass = {
      .kernel = "probe_double",
      .defines = txDoubleFloatDefine(context),
      .target = {t[2], t[3]},
      .source = {{"hi", t[0], TX_EDGE}, {"lo", t[1], TX_EDGE}},
      .uniform = {{"step_x", 1, {1.0f / TEXELS}}, {"count", 1, {(float)count}, .integer = true}}};
  TRY(txPassRun(context, call, &pass));
  TRY(txTextureRead(t[2], call, all, r.hi));
  TRY(txTextureRead(t[3], call, all, r.lo));
  for (int i = 0; i < N; i++)
    *right = *right && isRight(x, &r, i, count);
  return TEXLA_OK;
}

/* Both computations with the arithmetic of that kind. A shader that does not compile is not right
 * either; memory that ends is an error. */
static clStatus isKindRight(clContext *context, txTexture *const t[4], const numbers *x,
                            bool *right) {
  *right = true;
  clStatus status = compare(context, t, x, 0, right);
  if (!status)
    status = compare(context, t, x, COUNT, right);
  *right = *right && !status;
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

static const char fused[] = "#extension GL_ARB_gpu_shader5 : enable\n#define FUSED\n";

/* *right <- does fma round once? x x - float(x x) is what rounding the square has lost. A short
 * program, since compiling both computations in vain takes as long as all other probes. */
static clStatus isFused(clContext *context, txTexture *const t[4], const numbers *x, bool *right) {
  float square[N], lost[N];
  txRect all = {0, 0, TEXELS, 1};
  txPass pass = {.kernel = "probe",
                 .defines = fused,
                 .target = {t[2]},
                 .source = {{"x", t[0], TX_EDGE}, {"y", t[1], TX_EDGE}}};
  for (int i = 0; i < N; i++)
    square[i] = (float)(-(double)x->hi[i] * (double)x->hi[i]);
  *right = true;
  TRY(txTextureWrite(t[1], call, all, square));
  TRY(txPassRun(context, call, &pass));
  TRY(txTextureRead(t[2], call, all, lost));
  for (int i = 0; i < N; i++)
    *right = *right && (double)lost[i] == (double)x->hi[i] * (double)x->hi[i] + (double)square[i];
  return TEXLA_OK;
}

/* A shader that does not compile is not right; memory that ends is an error. */
static clStatus probeFused(clContext *context, txTexture *const t[4], const numbers *x, int *kind) {
  bool right = false;
  if (*kind < 2)
    return TEXLA_OK;
  clStatus status = isFused(context, t, x, &right);
  if (status || !right)
    *kind = 1;
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

clStatus txProbeDoubleFloat(clContext *context, int *kind) {
  txTexture *t[4] = {NULL};
  txRect all = {0, 0, TEXELS, 1};
  numbers x;
  fillNumbers(&x);
  /* The fused operation is an extension's. */
  if (context->plain && *kind > 1)
    *kind = 1;
  clStatus status = TEXLA_OK;
  for (int i = 0; i < 4; i++)
    TRY_CLEANUP(txTextureCreate(&t[i], context, call, TX_RGBA32F, TEXELS, 1));
  TRY_CLEANUP(txTextureWrite(t[0], call, all, x.hi));
  TRY_CLEANUP(probeFused(context, t, &x, kind));
  TRY_CLEANUP(txTextureWrite(t[1], call, all, x.lo));
  for (bool right = false; *kind > 0; --*kind) {
    TRY_CLEANUP(isKindRight(context, t, &x, &right));
    if (right)
      break;
  }
cleanup:
  for (int i = 0; i < 4; i++)
    txTextureDestroy(t[i]);
  return status;
}

const char *txDoubleFloatDefine(const clContext *context) {
  return context->traits.double_float == 2 ? fused : "";
}

clStatus txDoubleFloatCheck(clContext *context, const char *caller) {
  if (context->traits.double_float)
    return TEXLA_OK;
  return txFail(&context->error, TEXLA_UNSUPPORTED, caller,
                "double-float arithmetic does not come out right on this device "
                "(trait.double_float); compute in double on the host");
}
