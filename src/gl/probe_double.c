/* Does double-float arithmetic survive this device's compiler, and which guard keeps it (include/
 * df64.glsl)? The kernels of a banded residual and of a scalar product's last level, compared with
 * the same in double: some compilers spoil them and leave a lone two-sum as it is. */
#include "gl/gl.h"
#include "core/try.h"

#include <math.h>
#include <stdio.h>

enum { TEXELS = 16, N = 4 * TEXELS, TERMS = 5 };
static const char call[] = "clContextCreate";
/* Allowed errors, relative to the sum of magnitudes. Single precision loses 2^-24. */
static const double allowed = 0x1p-42;

enum { PRECISE = 1 };

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

/* Constant diagonals, from the second one on. */
static const float value[4] = {1.1f, -3.7f, 0.3f, -0.9f};

/* Element i of the texel k further on, zero beyond the end. */
static double at(const numbers *x, int i, int k) {
  int j = i + 4 * k;
  if (j >= N)
    return 0;
  return (double)x->hi[j] + (double)x->lo[j];
}

static bool isNear(float hi, float lo, double exact, double size) {
  return fabs((double)hi + (double)lo - exact) <= allowed * size &&
         fabsf(lo) <= 0x1p-23f * fabsf(hi);
}

/* The residual in place i: x - A x, where row i of A has hi_i four places further on, and then
 * constants. */
static bool isResidual(const numbers *x, const numbers *r, int i) {
  double sum = at(x, i, 0), size = fabs(sum);
  for (int k = 0; k < TERMS; k++) {
    float a = k ? value[k - 1] : x->hi[i];
    double p = -(double)a * at(x, i, k + 1);
    sum += p;
    size += fabs(p);
  }
  return isNear(r->hi[i], r->lo[i], sum, size);
}

static bool isSquare(const numbers *x, float hi, float lo) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += at(x, i, 0) * at(x, i, 0);
  return isNear(hi, lo, sum, sum);
}

typedef struct probe {
  clContext *context;
  numbers x;
  /* Its halves, a residual's and a sum's. */
  txTexture *hi, *lo, *r_hi, *r_lo, *s_hi, *s_lo;
} probe;

/* The defines of the kernel in the arithmetic that the context's traits choose. */
static const char *probeDoubleDefinesOf(const probe *p, const char *more, char text[1024]) {
  snprintf(text, 1024, "%s%s", txDoubleFloatDefine(p->context), more);
  return text;
}

/* As src/matrix/banded_residual.c draws it. */
static clStatus checkResidual(const probe *p, bool *right) {
  static const char terms[] =
      "#define PAIR\n#define FULL\n#define TAPS 5\n#define VALUES 1\n#define TERMS "
      "pairs x0 = fetched(tap[0].xy); term(-at(d0), x0); "
      "pairs x1 = fetched(tap[1].xy); term(vec4(-value[0][0]), x1); "
      "pairs x2 = fetched(tap[2].xy); term(vec4(-value[0][1]), x2); "
      "pairs x3 = fetched(tap[3].xy); term(vec4(-value[0][2]), x3); "
      "pairs x4 = fetched(tap[4].xy); term(vec4(-value[0][3]), x4);\n";
  char text[1024];
  float tap[TERMS][4] = {{0}};
  numbers r;
  const txRect all = {0, 0, TEXELS, 1};
  for (int k = 0; k < TERMS; k++)
    tap[k][0] = (float)(k + 1) / TEXELS;
  const txPass pass = {.kernel = "banded_residual",
                       .defines = probeDoubleDefinesOf(p, terms, text),
                       .target = {p->r_hi, p->r_lo},
                       .source = {{"x", p->hi, TX_ZERO},
                                  {"x_low", p->lo, TX_ZERO},
                                  {"d0", p->hi, TX_EDGE},
                                  {"b", p->hi, TX_EDGE},
                                  {"b_low", p->lo, TX_EDGE}},
                       .uniform = {{"tap", TERMS, .array = tap[0]},
                                   {"value", 1, .array = value},
                                   {"scale", 2, {1, 1}},
                                   {"row_end", 3, {1e30f, 0, 0}}}};
  TRY(txPassRun(p->context, call, &pass));
  TRY(txTextureRead(p->r_hi, call, all, r.hi));
  TRY(txTextureRead(p->r_lo, call, all, r.lo));
  for (int i = 0; i < N; i++)
    *right = *right && isResidual(&p->x, &r, i);
  return TEXLA_OK;
}

/* x.x, as src/vector/reduce.c draws what is left of it. */
static clStatus probeDoubleCheckSquare(const probe *p, bool *right) {
  char text[1024];
  float s[2];
  const txRect one = {0, 0, 1, 1};
  const txPass pass = {.kernel = "double_final",
                       .defines = probeDoubleDefinesOf(
                           p,
                           "#define RESULT r\n#define TERM(p) accumulate(sum, pairs(at(s0, p), "
                           "at(s1, p)), pairs(at(s2, p), at(s3, p)))\n",
                           text),
                       .target = {p->s_hi, p->s_lo},
                       .source = {{"s0", p->hi, TX_EDGE},
                                  {"s1", p->lo, TX_EDGE},
                                  {"s2", p->hi, TX_EDGE},
                                  {"s3", p->lo, TX_EDGE}},
                       .uniform = {{"size", 2, {TEXELS, 1}}}};
  TRY(txPassRun(p->context, call, &pass));
  TRY(txTextureRead(p->s_hi, call, one, &s[0]));
  TRY(txTextureRead(p->s_lo, call, one, &s[1]));
  *right = *right && isSquare(&p->x, s[0], s[1]);
  return TEXLA_OK;
}

/* Both in the arithmetic that the context's traits choose. A shader that does not compile is not
 * right either; memory that ends is an error. */
static clStatus isRight(const probe *p, bool *right) {
  *right = true;
  clStatus status = checkResidual(p, right);
  if (!status && *right)
    status = probeDoubleCheckSquare(p, right);
  *right = *right && !status;
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

#define EXTENSION "#extension GL_ARB_gpu_shader5 : enable\n"
static const char fused[] = EXTENSION "#define FUSED\n";

const char *txDoubleFloatDefine(const clContext *context) {
  static const char *const all[2][TX_GUARDS] = {
      {"", EXTENSION "#define PRECISE\n", "#define BITS\n"},
      {fused, EXTENSION "#define FUSED\n#define PRECISE\n",
       EXTENSION "#define FUSED\n#define BITS\n"}};
  return all[context->traits.double_float == 2][context->traits.double_guard];
}

/* *right <- does fma round once? x x - float(x x) is what rounding the square has lost. A short
 * program, since compiling the kernels in vain takes as long as all other probes. */
static clStatus isFused(const probe *p, bool *right) {
  float square[N], lost[N];
  const float *x = p->x.hi;
  const txRect all = {0, 0, TEXELS, 1};
  const txPass pass = {.kernel = "probe",
                       .defines = fused,
                       .target = {p->r_lo},
                       .source = {{"x", p->hi, TX_EDGE}, {"y", p->r_hi, TX_EDGE}}};
  for (int i = 0; i < N; i++)
    square[i] = (float)(-(double)x[i] * (double)x[i]);
  *right = true;
  TRY(txTextureWrite(p->r_hi, call, all, square));
  TRY(txPassRun(p->context, call, &pass));
  TRY(txTextureRead(p->r_lo, call, all, lost));
  for (int i = 0; i < N; i++)
    *right = *right && (double)lost[i] == (double)x[i] * (double)x[i] + (double)square[i];
  return TEXLA_OK;
}

/* A shader that does not compile is not right; memory that ends is an error. The fused operation is
 * an extension's. */
static clStatus probeFused(const probe *p, int *kind) {
  bool right = false;
  clStatus status = TEXLA_OK;
  if (*kind < 2)
    return TEXLA_OK;
  if (!p->context->plain)
    status = isFused(p, &right);
  if (status || !right)
    *kind = 1;
  return status == TEXLA_OUT_OF_MEMORY ? status : TEXLA_OK;
}

/* The first guard that holds, beginning with the one that is wanted. Precise variables are an
 * extension's. */
static clStatus probeGuards(const probe *p, int wanted, int *guard, bool *right) {
  for (int k = 0; k < TX_GUARDS && !*right; k++) {
    *guard = (wanted + k) % TX_GUARDS;
    if (*guard != PRECISE || !p->context->plain)
      TRY(isRight(p, right));
  }
  return TEXLA_OK;
}

static clStatus probeAll(probe *p, txTraits *traits) {
  const txRect all = {0, 0, TEXELS, 1};
  const int wanted = traits->double_guard;
  bool right = false;
  TRY(txTextureWrite(p->hi, call, all, p->x.hi));
  TRY(txTextureWrite(p->lo, call, all, p->x.lo));
  TRY(probeFused(p, &traits->double_float));
  while (traits->double_float > 0 && !right) {
    TRY(probeGuards(p, wanted, &traits->double_guard, &right));
    traits->double_float -= !right;
  }
  if (!right)
    traits->double_guard = wanted;
  return TEXLA_OK;
}

clStatus txProbeDoubleFloat(clContext *context, txTraits *traits) {
  probe p = {.context = context};
  txTexture **const texel[] = {&p.s_hi, &p.s_lo}, **const row[] = {&p.hi, &p.lo, &p.r_hi, &p.r_lo};
  clStatus status = TEXLA_OK;
  fillNumbers(&p.x);
  for (int i = 0; i < 4; i++)
    TRY_CLEANUP(txTextureCreate(row[i], context, call, TX_RGBA32F, TEXELS, 1));
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(txTextureCreate(texel[i], context, call, TX_R32F, 1, 1));
  TRY_CLEANUP(probeAll(&p, traits));
cleanup:
  for (int i = 0; i < 4; i++)
    txTextureDestroy(*row[i]);
  for (int i = 0; i < 2; i++)
    txTextureDestroy(*texel[i]);
  return status;
}

clStatus txDoubleFloatCheck(clContext *context, const char *caller) {
  if (context->traits.double_float)
    return TEXLA_OK;
  return txFail(&context->error, TEXLA_UNSUPPORTED, caller,
                "double-float arithmetic does not come out right on this device "
                "(trait.double_float); compute in double on the host");
}
