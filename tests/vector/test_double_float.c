/* Double-float numbers against long double: the operations of df64.glsl one by one, transfers,
 * vectors, sums. */
#include "double_float.h"
#include "one_context.h"

#include "texla/kernel.h"
#include "vector/double.h"

enum { N = 1003 };
static const long double u2 = 0x1p-48L;

/* A double with all its digits, of magnitude 10^-most to 10^most. */
static double anyNumber(uint64_t *state, double most) {
  double digits = 1 + ((double)randomBits(state) + (double)randomBits(state) * 0x1p-32) * 0x1p-32;
  return (randomUnit(state) < 0 ? -digits : digits) * pow(10, most * randomUnit(state));
}

static void fillAny(double *x, int64_t n, uint64_t seed, double most) {
  for (int64_t i = 0; i < n; i++)
    x[i] = anyNumber(&seed, most);
}

static clDoubleVector *vectorOf(const double *values, int64_t n) {
  clDoubleVector *x = NULL;
  CHECK(clDoubleVectorCreate(&x, context, n));
  CHECK(clDoubleVectorUpload(x, values));
  return x;
}

/* What the device has of x. */
static void readBoth(const clDoubleVector *x, double *values) {
  CHECK(clDoubleVectorDownload(x, values));
}

/* What is allowed, and what a float cannot hold. */
static void assertNear(long double value, long double exact, long double allowed, int64_t i,
                       const char *what) {
  allowed += clContextInspect(context)->probes.denormals ? 0x1p-148L : 0x1p-125L;
  if (!(fabsl(value - exact) <= allowed))
    fail_msg("%s, element %lld: %.20Lg instead of %.20Lg, more than %.3Lg apart", what,
             (long long)i, value, exact, allowed);
}

/* Every operation of shaders/include/df64.glsl, as kernels see it: y <- op(a, b) elementwise,
 * within bound u^2 of |y|, of the operands. */
typedef struct Operation {
  /* GLSL in pairs a, b */
  const char *text;
  long double (*exact)(long double a, long double b);
  /* operands are 10^-most to 10^most */
  double most;
  /* times u^2, of the result */
  double bound;
} Operation;

static long double add(long double a, long double b) {
  return a + b;
}
static long double subtract(long double a, long double b) {
  return a - b;
}
static long double multiply(long double a, long double b) {
  return a * b;
}
static long double divide(long double a, long double b) {
  return a / b;
}
static long double addHigh(long double a, long double b) {
  return a + (long double)(float)b;
}
static long double multiplyHigh(long double a, long double b) {
  return a * (long double)(float)b;
}
static long double rootOf(long double a, long double b) {
  (void)b;
  return sqrtl(fabsl(a));
}

static const Operation operations[] = {
    {"plus(a, b)", add, 30, 3},
    {"minus(a, b)", subtract, 30, 3},
    {"plus(a, b.hi)", addHigh, 30, 2},
    {"times(a, b)", multiply, 14, 7},
    {"times(a, b.hi)", multiplyHigh, 14, 3},
    {"over(a, b)", divide, 14, 20},
    {"quickTwoSum(plus(a, b).hi, plus(a, b).lo)", add, 30, 3},
};

static void run(const char *text, const clDoubleVector *a, const clDoubleVector *b,
                clDoubleVector *y) {
  char source[1024];
  snprintf(source, sizeof source,
           "#include \"include/df64.glsl\"\nuniform sampler2D ah, al, bh, bl;\n"
           "void kernel(out vec4 y[OUTPUTS]) {\n  pairs a = pairs(texel(ah), texel(al)), b = "
           "pairs(texel(bh), texel(bl));\n"
           "  pairs r = %s;\n  y[0] = r.hi;\n  y[1] = r.lo;\n}\n",
           text);
  OWN(clKernel) *kernel = NULL;
  CHECK(clKernelCreate(&kernel, context, text, source));
  CHECK(clKernelExecute(kernel, &(clKernelRun){.output = {&y->high, &y->low},
                                               .input = {{"ah", &a->high, false},
                                                         {"al", &a->low, false},
                                                         {"bh", &b->high, false},
                                                         {"bl", &b->low, false}}}));
}

static void operationsKeepTheirBounds(void **state) {
  needsDoubleFloat(context);
  static double a[N], b[N], y[N];
  for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
    const Operation *o = &operations[k];
    fillAny(a, N, 2 * k + 1, o->most);
    fillAny(b, N, 2 * k + 2, o->most);
    /* cancellation: the first 1 to 40 bits */
    for (int i = 0; i < N / 3; i++)
      b[i] =
          (i % 2 ? a[i] : -a[i]) * (1 + ldexp(randomUnit(&(uint64_t){(uint64_t)i}), -i % 40 - 1));
    OWN(clDoubleVector) *x = vectorOf(a, N), *z = vectorOf(b, N), *r = vectorOf(b, N);
    readBoth(x, a);
    readBoth(z, b);
    run(o->text, x, z, r);
    readBoth(r, y);
    for (int i = 0; i < N; i++) {
      long double exact = o->exact((long double)a[i], (long double)b[i]);
      assertNear((long double)y[i], exact, (long double)o->bound * u2 * fabsl(exact), i, o->text);
    }
  }
}

/* Those on single pairs, in lane 0: a root, a comparison. */
static void rootsAndComparisons(void **state) {
  needsDoubleFloat(context);
  static double a[N], b[N], y[N];
  /* of a beside b */
  static const int of_order[] = {0, -1, 1};
  fillAny(a, N, 5, 25);
  for (int i = 0; i < N; i++) {
    a[i] = fabs(a[i]);
    b[i] = a[i] * (1 - of_order[i % 3] * 0x1p-40);
  }
  a[0] = b[0] = 0;
  OWN(clDoubleVector) *x = vectorOf(a, N), *z = vectorOf(b, N), *r = vectorOf(b, N);
  readBoth(x, a);
  run("a; for (int k = 0; k < 4; k++) { pair s = root(pair(a.hi[k], a.lo[k])); r.hi[k] = s.hi; "
      "r.lo[k] = s.lo; }",
      x, z, r);
  readBoth(r, y);
  for (int i = 0; i < N; i++) {
    long double exact = rootOf((long double)a[i], 0);
    assertNear((long double)y[i], exact, 10 * u2 * exact, i, "root");
  }
  run("a; for (int k = 0; k < 4; k++) { r.hi[k] = float(compared(pair(a.hi[k], a.lo[k]), "
      "pair(b.hi[k], b.lo[k]))); "
      "r.lo[k] = 0.; }",
      x, z, r);
  readBoth(r, y);
  for (int i = 1; i < N; i++)
    assert_true(y[i] == of_order[i % 3]);
}

static void checkTransfer(clDoubleVector *x, const char *what) {
  int64_t n = clDoubleVectorLength(x);
  double *in = malloc(2 * (size_t)n * sizeof *in), *out = in + n;
  assert_non_null(in);
  fillAny(in, n, (uint64_t)n, 30);
  CHECK(clDoubleVectorUpload(x, in));
  readBoth(x, out);
  for (int64_t i = 0; i < n; i++)
    assertNear((long double)out[i], (long double)in[i], u2 * fabsl((long double)in[i]), i, what);
  free(in);
}

static clDoubleVector *gridOf(int nx, int ny) {
  OWN(clVector) *like = NULL;
  clDoubleVector *x = NULL;
  CHECK(clVectorCreateGrid(&like, context, nx, ny));
  CHECK(clDoubleVectorCreateLike(&x, like));
  return x;
}

static void transfersKeep48Bits(void **state) {
  needsDoubleFloat(context);
  static const int64_t lengths[] = {1, 3, 4, 4096, 4097, 2 * 4096 + 5};
  static const int sides[][2] = {{1, 1}, {5, 3}, {8, 2}, {1, 9}};
  clDoubleVector *x = NULL;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    CHECK(clDoubleVectorCreate(&x, context, lengths[k]));
    checkTransfer(x, "linear");
    clDoubleVectorDestroy(x);
  }
  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
    x = gridOf(sides[k][0], sides[k][1]);
    checkTransfer(x, "grid");
    clDoubleVectorDestroy(x);
  }
  /* more elements to a row than a texture is wide */
  int wide = clContextInspect(context)->max_texture_size + 4;
  x = gridOf(wide, 1);
  checkTransfer(x, "wide");
  clDoubleVectorDestroy(x);
}

static void edgesOfTheRange(void **state) {
  needsDoubleFloat(context);
  const double in[] = {0.0,
                       -0.0,
                       INFINITY,
                       -INFINITY,
                       NAN,
                       1e300,
                       -1e39,
                       (double)FLT_MAX,
                       -(double)FLT_MAX,
                       0x1.fffffefp127,
                       0x1p127,
                       0x1.ffffffp127,
                       0x1p-126,
                       -0x1.123456789abp-110,
                       0x1p-130,
                       0x1p-149,
                       -0x1.8p-140,
                       1e-60,
                       4.9e-324,
                       0x1.ffffff8p3};
  enum { COUNT = sizeof in / sizeof *in };
  double out[COUNT];
  OWN(clDoubleVector) *x = vectorOf(in, COUNT);
  readBoth(x, out);
  for (int i = 0; i < COUNT; i++) {
    long double v = (long double)in[i];
    if (isnan(in[i]))
      assert_true(isnan(out[i]));
    else if (fabs(in[i]) > 0x1.ffffffp127)
      assert_true(isinf(out[i]) && signbit(out[i]) == signbit(in[i]));
    else
      assertNear((long double)out[i], v, u2 * fabsl(v), i, "edge");
  }
  assert_true(isinf(out[5]));
}

/* z <- a alpha x + b beta y and its shorter forms, also in place. */
static void vectorsAddUp(void **state) {
  needsDoubleFloat(context);
  static double x[N], y[N], z[N];
  const double a = 1.234567890123, b = -0x1.fffffffffp-1, given = 3.14159265358979;
  double alpha;
  fillAny(x, N, 11, 15);
  fillAny(y, N, 12, 15);
  /* cancellation */
  for (int i = 0; i < N; i += 3)
    y[i] = x[i] * a * given / 0x1.fffffffffp-1 * (1 + 1e-9);
  OWN(clDoubleVector) *dx = vectorOf(x, N), *dy = vectorOf(y, N), *dz = vectorOf(y, N);
  OWN(clDouble) *s = NULL;
  CHECK(clDoubleCreate(&s, context));
  CHECK(clDoubleUpload(s, given));
  CHECK(clDoubleDownload(s, &alpha));
  assertNear((long double)alpha, (long double)given, u2 * (long double)given, 0, "clDouble");
  readBoth(dx, x);
  readBoth(dy, y);
  CHECK(clDoubleVectorAdd(dz, a, s, dx, b, NULL, dy));
  readBoth(dz, z);
  for (int i = 0; i < N; i++) {
    long double p = (long double)a * (long double)alpha * (long double)x[i],
                q = (long double)b * (long double)y[i];
    assertNear((long double)z[i], p + q, 20 * u2 * (fabsl(p) + fabsl(q)), i, "add");
  }
  /* y <- y + b y */
  CHECK(clDoubleVectorAxpy(dy, b, NULL, dy));
  readBoth(dy, z);
  for (int i = 0; i < N; i++)
    assertNear((long double)z[i], (1 + (long double)b) * (long double)y[i],
               40 * u2 * fabsl((long double)y[i]), i, "axpy");
  CHECK(clDoubleVectorScale(dz, a, s, dx));
  readBoth(dz, z);
  for (int i = 0; i < N; i++) {
    long double p = (long double)a * (long double)alpha * (long double)x[i];
    assertNear((long double)z[i], p, 16 * u2 * fabsl(p), i, "scale");
  }
}

static void infiniteAndNanStay(void **state) {
  needsDoubleFloat(context);
  const double x[] = {INFINITY, -INFINITY, NAN, 3e38, 1, 0}, y[] = {1, 1, 1, 3e38, INFINITY, 2};
  double z[6], sum, zeros[6] = {0};
  OWN(clDoubleVector) *dx = vectorOf(x, 6), *dy = vectorOf(y, 6), *dz = vectorOf(y, 6);
  OWN(clDouble) *s = NULL;
  CHECK(clDoubleCreate(&s, context));
  CHECK(clDoubleVectorAdd(dz, 1, NULL, dx, 1, NULL, dy));
  readBoth(dz, z);
  assert_true(z[0] == INFINITY && z[1] == -INFINITY && isnan(z[2]) && z[3] == INFINITY &&
              z[4] == INFINITY && z[5] == 2);
  CHECK(clDoubleVectorDot(s, dx, dy));
  CHECK(clDoubleDownload(s, &sum));
  assert_true(isnan(sum));
  CHECK(clDoubleVectorNorm(s, dy));
  CHECK(clDoubleDownload(s, &sum));
  assert_true(sum == INFINITY);
  CHECK(clDoubleVectorUpload(dx, zeros));
  CHECK(clDoubleVectorNorm(s, dx));
  CHECK(clDoubleDownload(s, &sum));
  assert_true(sum == 0);
}

static void checkSums(int64_t n, double most, bool cancel) {
  double *x = malloc(3 * (size_t)n * sizeof *x), *y = x + n, value;
  float *single = (float *)(x + 2 * n);
  assert_non_null(x);
  fillAny(x, n, (uint64_t)n + 3, most);
  fillAny(y, n, (uint64_t)n + 4, most);
  /* pairs that all but cancel */
  for (int64_t i = 1; i < n && cancel; i += 2) {
    x[i] = -x[i - 1] * (1 + 1e-8);
    y[i] = y[i - 1];
  }
  OWN(clDoubleVector) *dx = vectorOf(x, n), *dy = vectorOf(y, n);
  OWN(clDouble) *s = NULL;
  CHECK(clDoubleCreate(&s, context));
  readBoth(dx, x);
  readBoth(dy, y);
  long double dot = 0, size = 0, square = 0, in_single = 0, single_size = 0;
  CHECK(clVectorDownload(&dx->high, single));
  for (int64_t i = 0; i < n; i++) {
    dot += (long double)x[i] * (long double)y[i];
    size += fabsl((long double)x[i] * (long double)y[i]);
    square += (long double)x[i] * (long double)x[i];
    in_single += (long double)single[i] * (long double)(float)y[i];
    single_size += fabsl((long double)single[i] * (long double)(float)y[i]);
  }
  long double allowed = (200 + (long double)n / 65536) * u2;
  CHECK(clDoubleVectorDot(s, dx, dy));
  CHECK(clDoubleDownload(s, &value));
  assertNear((long double)value, dot, allowed * size, n, "dot");
  CHECK(clDoubleVectorNorm(s, dx));
  CHECK(clDoubleDownload(s, &value));
  assertNear((long double)value, sqrtl(square), allowed * sqrtl(square), n, "norm");
  CHECK(clVectorDotDouble(s, &dx->high, &dy->high));
  CHECK(clDoubleDownload(s, &value));
  assertNear((long double)value, in_single, allowed * single_size, n, "dot of floats");
  free(x);
}

static void sumsKeepTheirBounds(void **state) {
  needsDoubleFloat(context);
  checkSums(1, 10, false);
  checkSums(7, 14, true);
  checkSums(4099, 1, false);
  checkSums(4099, 13, false);
  checkSums(300007, 0.5, true);
}

static void layoutsAndConversions(void **state) {
  needsDoubleFloat(context);
  OWN(clDoubleVector) *grid = NULL, *line = NULL;
  OWN(clVector) *single = NULL;
  double in[15], out[15];
  float rounded[15];
  fillAny(in, 15, 9, 3);
  grid = gridOf(5, 3);
  CHECK(clVectorCreate(&single, context, 15));
  CHECK(clDoubleVectorCreateLike(&line, single));
  CHECK(clDoubleVectorUpload(grid, in));
  CHECK(clDoubleVectorCopy(line, grid));
  readBoth(grid, in);
  readBoth(line, out);
  assert_memory_equal(in, out, sizeof in);
  CHECK(clDoubleVectorToSingle(single, line));
  CHECK(clVectorDownload(single, rounded));
  for (int i = 0; i < 15; i++)
    assert_true(rounded[i] == (float)in[i]);
  CHECK(clDoubleVectorFromSingle(grid, single));
  readBoth(grid, out);
  for (int i = 0; i < 15; i++)
    assert_true(out[i] == (double)rounded[i]);
  assertFails(context, clDoubleVectorAxpy(grid, 1, NULL, line), TEXLA_BAD_SHAPE,
              "y is grid 5 x 3 but x is linear");
  assertFails(context, clDoubleVectorAxpy(grid, 1, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "x must not be NULL");
  assertFails(context, clDoubleVectorDot(NULL, grid, grid), TEXLA_BAD_ARGUMENT,
              "s must not be NULL");
  assertFails(context, clDoubleVectorUpload(grid, NULL), TEXLA_BAD_ARGUMENT, "must not be NULL");
  assertFails(context, clDoubleVectorCreate(&grid, context, 0), TEXLA_BAD_ARGUMENT, "length (0)");
  clDoubleVectorDestroy(NULL);
  clDoubleDestroy(NULL);
}

TEST_MAIN(setUp, testContextDestroy, operationsKeepTheirBounds, rootsAndComparisons,
          transfersKeep48Bits, edgesOfTheRange, vectorsAddUp, infiniteAndNanStay,
          sumsKeepTheirBounds, layoutsAndConversions)
