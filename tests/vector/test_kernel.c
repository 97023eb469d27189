/* clKernel: users' shaders. */
#include "common.h"
#include "oracle/vector.h"

#include "texla/kernel.h"

static const double eps = FLT_EPSILON;

static clKernel *newKernel(clContext *context, const char *name, const char *source) {
  clKernel *kernel = NULL;
  assertOk(context, clKernelCreate(&kernel, context, name, source));
  return kernel;
}

static clVector *newVector(clContext *context, OracleShape shape, const float *values) {
  clVector *x = NULL;
  assertOk(context, oracleCreate(&x, context, shape));
  if (values)
    assertOk(context, clVectorUpload(x, values));
  return x;
}

static void elementwiseWithMaskedPadding(void **state) {
  clContext *context = *state;
  OWN(clKernel) *kernel = newKernel(context, "affine",
                                    "uniform sampler2D x;\n"
                                    "uniform vec2 line;\n"
                                    "vec4 kernel() { return line.x * texel(x) + line.y; }\n");
  for (int s = 0; s < oracle_shape_count; s++) {
    int64_t n = oracleLength(oracle_shapes[s]);
    FREED float *values = malloc((size_t)n * sizeof *values);
    FREED double *wanted = malloc((size_t)n * sizeof *wanted),
                 *scale = malloc((size_t)n * sizeof *scale);
    oracleFill(values, n, 6, -1, 1);
    for (int64_t i = 0; i < n; i++) {
      wanted[i] = 3 * (double)values[i] + 2;
      scale[i] = 5;
    }
    OWN(clVector) *x = newVector(context, oracle_shapes[s], values),
                  *y = newVector(context, oracle_shapes[s], NULL);
    clKernelRun run = {.output = {y}, .input = {{"x", x}}, .parameter = {{"line", 2, {3, 2}}}};
    assertOk(context, clKernelExecute(kernel, &run));
    assert_true(oracleHolds("affine", y, wanted, scale, eps));
    /* in place */
    run.output[0] = x;
    assertOk(context, clKernelExecute(kernel, &run));
    assert_true(oracleHolds("affine in place", x, wanted, scale, eps));
  }
}

static void neighboursOfTheGrid(void **state) {
  static const OracleShape shapes[] = {{1, 1}, {2, 3},  {3, 2},  {4, 4}, {5, 7},
                                       {8, 3}, {13, 5}, {31, 2}, {64, 9}};
  clContext *context = *state;
  OWN(clKernel) *kernel =
      newKernel(context, "shift",
                "uniform sampler2D x;\n"
                "uniform vec2 by;\n"
                "vec4 kernel() { return neighbours(x, int(by.x), int(by.y)); }\n");
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    int nx = shapes[s].nx, ny = shapes[s].ny;
    float values[64 * 9];
    double wanted[64 * 9];
    oracleFill(values, nx * ny, 7, 1, 2);
    OWN(clVector) *x = newVector(context, shapes[s], values),
                  *y = newVector(context, shapes[s], NULL);
    for (int dy = -2; dy <= 2; dy++)
      for (int dx = -9; dx <= 9; dx++) {
        for (int i = 0; i < nx * ny; i++) {
          int column = i % nx + dx, row = i / nx + dy;
          bool inside = column >= 0 && column < nx && row >= 0 && row < ny;
          wanted[i] = inside ? (double)values[row * nx + column] : 0;
        }
        clKernelRun run = {
            .output = {y}, .input = {{"x", x}}, .parameter = {{"by", 2, {(float)dx, (float)dy}}}};
        assertOk(context, clKernelExecute(kernel, &run));
        assert_true(oracleHolds("neighbours", y, wanted, NULL, 0));
      }
  }
}

static void texelNeighbours(void **state) {
  clContext *context = *state;
  const OracleShape shape = {12, 3};
  float values[36];
  double wanted[36];
  oracleFill(values, 36, 7, 1, 2);
  for (int i = 0; i < 36; i++) {
    int column = i % 12 + 4, row = i / 12 - 1;
    wanted[i] = column < 12 && row >= 0 ? (double)values[row * 12 + column] : 0;
  }
  OWN(clVector) *x = newVector(context, shape, values);
  OWN(clKernel) *kernel =
      newKernel(context, "right and below",
                "uniform sampler2D x;\nvec4 kernel() { return texel(x, ivec2(1, -1)); }\n");
  const clKernelRun run = {.output = {x}, .input = {{"x", x}}};
  assertOk(context, clKernelExecute(kernel, &run));
  assert_true(oracleHolds("texel neighbours", x, wanted, NULL, 0));
}

/* Several outputs, among them the inputs, swapped: every one sees the old values. */
static void severalOutputs(void **state) {
  clContext *context = *state;
  const OracleShape shape = {4099, 0};
  float a[4099], b[4099];
  double sum[4099], old_a[4099], old_b[4099];
  oracleFill(a, 4099, 1, 1, 2);
  oracleFill(b, 4099, 2, 1, 2);
  for (int i = 0; i < 4099; i++) {
    old_a[i] = (double)a[i];
    old_b[i] = (double)b[i];
    sum[i] = old_a[i] + old_b[i];
  }
  OWN(clVector) *x = newVector(context, shape, a), *y = newVector(context, shape, b),
                *z = newVector(context, shape, NULL);
  OWN(clKernel) *kernel =
      newKernel(context, "swap",
                "uniform sampler2D x, y;\n"
                "void kernel(out vec4 v[OUTPUTS]) {\n"
                "  v[0] = texel(y);\n  v[1] = texel(x);\n  v[2] = texel(x) + texel(y);\n}\n");
  const clKernelRun run = {.output = {x, y, z}, .input = {{"x", x}, {"y", y}}};
  assertOk(context, clKernelExecute(kernel, &run));
  assert_true(oracleHolds("x", x, old_b, NULL, 0));
  assert_true(oracleHolds("y", y, old_a, NULL, 0));
  assert_true(oracleHolds("z", z, sum, NULL, eps));
}

static void scalarsAndParameters(void **state) {
  clContext *context = *state;
  clVector *x = newVector(context, (OracleShape){6, 0}, NULL);
  clFloat *s[3] = {0};
  for (int k = 0; k < 3; k++) {
    assertOk(context, clFloatCreate(&s[k], context));
    assertOk(context, clFloatUpload(s[k], (float)(k + 2)));
  }
  clKernel *kernel = newKernel(
      context, "constants",
      "uniform float a;\nuniform vec2 b;\nuniform vec3 c;\nuniform vec4 d;\n"
      "vec4 kernel() {\n"
      "  return vec4(scalar.x + 10. * scalar.y + 100. * scalar.z + 1000. * scalar.w + a +\n"
      "              b.y + c.z + d.w);\n}\n");
  const clKernelRun run = {.output = {x},
                           /* 2, 3, 1, 4 */
                           .scalar = {s[0], s[1], NULL, s[2]},
                           .parameter = {{"a", 1, {0.5f}},
                                         {"b", 2, {9, 0.25f}},
                                         {"c", 3, {9, 9, 0.125f}},
                                         {"d", 4, {9, 9, 9, 0.0625f}}}};
  const double v = 4132.9375, wanted[6] = {v, v, v, v, v, v};
  assertOk(context, clKernelExecute(kernel, &run));
  assert_true(oracleHolds("constants", x, wanted, NULL, 0));
  clKernelDestroy(kernel);
  clVectorDestroy(x);
  for (int k = 0; k < 3; k++)
    clFloatDestroy(s[k]);
}

static void otherLayoutsByTexelFetch(void **state) {
  clContext *context = *state;
  const float table[3] = {5, 6, 7};
  const double wanted[5] = {7, 7, 7, 7, 7};
  OWN(clVector) *x = newVector(context, (OracleShape){5, 0}, NULL),
                *t = newVector(context, (OracleShape){3, 0}, table);
  OWN(clKernel) *kernel = newKernel(
      context, "table",
      "uniform sampler2D t;\nvec4 kernel() { return texelFetch(t, ivec2(0), 0).zzzz; }\n");
  clKernelRun run = {.output = {x}, .input = {{"t", t}}};
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_SHAPE,
              "clKernelExecute: output 0 is linear of length 5 but t is linear of length 3");
  run.input[0].any_layout = true;
  assertOk(context, clKernelExecute(kernel, &run));
  assert_true(oracleHolds("table", x, wanted, NULL, 0));
}

/* Without the mask the author's own zeros count, and nothing else changes. */
static void keepsZeroLeavesTheMaskOut(void **state) {
  clContext *context = *state;
  const double one[5] = {1, 1, 1, 1, 1};
  OWN(clVector) *x = newVector(context, (OracleShape){5, 0}, NULL);
  OWN(clKernel) *kernel = newKernel(context, "one", "vec4 kernel() { return vec4(1.); }\n");
  clKernelRun run = {.output = {x}, .keeps_zero = true};
  assertOk(context, clKernelExecute(kernel, &run));
  /* the promise was not kept */
  OracleCheck broken = oracleCompare(x, one, NULL, 0);
  assert_int_equal(broken.padding, 3);
  assert_int_equal(broken.wrong, 0);
  run.keeps_zero = false;
  assertOk(context, clKernelExecute(kernel, &run));
  assert_true(oracleHolds("masked", x, one, NULL, 0));
}

static void messagesNameTheUsersLines(void **state) {
  clContext *context = *state;
  const double three[3] = {3, 3, 3};
  OWN(clVector) *x = newVector(context, (OracleShape){3, 0}, (const float[]){3, 3, 3});
  clKernelRun run = {.output = {x}, .input = {{"x", x}}};
  OWN(clKernel) *wrong = newKernel(context, "my kernel",
                                   "uniform sampler2D x;\n#include \"include/layout.glsl\"\n\n"
                                   "vec4 kernel() { return texel(x) + nothing; }\n");
  assertFails(context, clKernelExecute(wrong, &run), TEXLA_SHADER_ERROR,
              "clKernelExecute: shader my kernel does not compile:");
  assert_non_null(strstr(clContextError(context)->message, "\n  my kernel:4"));
  assert_non_null(strstr(clContextError(context)->message, "nothing"));
  OWN(clKernel) *missing = newKernel(context, "includes", "\n#include \"include/no.glsl\"\n");
  assertFails(context, clKernelExecute(missing, &run), TEXLA_SHADER_ERROR,
              "includes:2: there is no shader file \"include/no.glsl\" to include");
  OWN(clKernel) *absent = newKernel(context, "absent", "uniform sampler2D x;\n");
  assertFails(context, clKernelExecute(absent, &run), TEXLA_SHADER_ERROR, "shader absent does not");
  assert_true(oracleHolds("after failed runs", x, three, NULL, 0));
}

static void allThatIsReadMustBeGiven(void **state) {
  clContext *context = *state;
  OWN(clVector) *x = newVector(context, (OracleShape){3, 0}, NULL);
  OWN(clKernel) *kernel = newKernel(context, "needs",
                                    "uniform sampler2D x;\nuniform vec3 c;\n"
                                    "vec4 kernel() { return texel(x) + c.xyzx; }\n");
  clKernelRun run = {.output = {x}, .input = {{"x", x}}, .parameter = {{"c", 3, {1, 2, 3}}}};
  assertOk(context, clKernelExecute(kernel, &run));
  run.parameter[0].name = "d";
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_ARGUMENT,
              "pass needs reads the uniform \"c\", which was not given");
  run.parameter[0] = (clKernelParameter){"c", 2, {1, 2}};
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_ARGUMENT,
              "pass needs: uniform c has another type");
  run.parameter[0] = (clKernelParameter){"c", 5, {1, 2}};
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_ARGUMENT,
              "parameter c has 5 components, not 1 to 4");
  run.parameter[0] = (clKernelParameter){"c", 3, {1, 2, 3}};
  run.input[0].name = "y";
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_ARGUMENT,
              "pass needs reads the texture \"x\", which was not given");
  run.input[0].name = "x";
  run.input[0].vector = NULL;
  assertFails(context, clKernelExecute(kernel, &run), TEXLA_BAD_ARGUMENT,
              "kernel needs: input x has no vector");
  const double wanted[3] = {1, 2, 3};
  assert_true(oracleHolds("after failed runs", x, wanted, NULL, 0));
}

/* The most of everything that a run can hold. */
static void fullRun(void **state) {
  clContext *context = *state;
  char source[4096] = "";
  size_t used = 0;
  clKernelRun run = {0};
  static const char *const input[16] = {"i0", "i1", "i2",  "i3",  "i4",  "i5",  "i6",  "i7",
                                        "i8", "i9", "i10", "i11", "i12", "i13", "i14", "i15"};
  static const char *const parameter[16] = {"p0", "p1", "p2",  "p3",  "p4",  "p5",  "p6",  "p7",
                                            "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"};
  int inputs = clContextInspect(context)->max_sources < 17 ? 8 : 16;
  double sum = 0;
  for (int i = 0; i < 16; i++)
    used += (size_t)snprintf(source + used, sizeof source - used,
                             "uniform float p%d;\nuniform sampler2D i%d;\n", i, i);
  used += (size_t)snprintf(source + used, sizeof source - used,
                           "void kernel(out vec4 y[OUTPUTS]) {\n  vec4 s = vec4(0.)");
  for (int i = 0; i < 16; i++) {
    run.parameter[i] = (clKernelParameter){parameter[i], 1, {(float)(i + 1)}};
    used += (size_t)snprintf(source + used, sizeof source - used, " + p%d", i);
    sum += i + 1;
  }
  for (int i = 0; i < inputs; i++) {
    run.input[i] = (clKernelInput){input[i], newVector(context, (OracleShape){5, 0}, NULL)};
    assertOk(context, clVectorFill((clVector *)run.input[i].vector, (float)(100 * i)));
    used += (size_t)snprintf(source + used, sizeof source - used, " + texel(i%d)", i);
    sum += 100 * i;
  }
  snprintf(source + used, sizeof source - used,
           ";\n  for (int k = 0; k < OUTPUTS; k++) y[k] = s + float(k);\n}\n");
  for (int k = 0; k < 8; k++)
    run.output[k] = newVector(context, (OracleShape){5, 0}, NULL);
  OWN(clKernel) *kernel = newKernel(context, "full", source);
  assertOk(context, clKernelExecute(kernel, &run));
  for (int k = 0; k < 8; k++) {
    const double w = sum + k, wanted[5] = {w, w, w, w, w};
    assert_true(oracleHolds("full", run.output[k], wanted, NULL, 0));
    clVectorDestroy(run.output[k]);
  }
  for (int i = 0; i < inputs; i++)
    clVectorDestroy((clVector *)run.input[i].vector);
}

/* A number that no int holds is the last line that messages tell. */
static void linesBeyondInt(void **state) {
  clContext *context = *state;
  OWN(clVector) *x = newVector(context, (OracleShape){3, 0}, NULL);
  OWN(clKernel) *kernel = newKernel(context, "k",
                                    "#line 99999999999999999999\nvec4 kernel() {\n#line "
                                    "-99999999999999999999\n return nothing; }\n");
  assertFails(context, clKernelExecute(kernel, &(clKernelRun){.output = {x}}), TEXLA_SHADER_ERROR,
              "nothing");
}

static void wrongArguments(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  clVector *x = newVector(context, (OracleShape){3, 0}, NULL),
           *longer = newVector(context, (OracleShape){4, 0}, NULL);
  clVector *foreign = newVector(other, (OracleShape){3, 0}, NULL);
  clFloat *s = NULL;
  clKernel *kernel = NULL;
  assertOk(other, clFloatCreate(&s, other));
  assertFails(context, clKernelCreate(NULL, context, "k", ""), TEXLA_BAD_ARGUMENT,
              "clKernelCreate: out, context");
  assertFails(context, clKernelCreate(&kernel, context, NULL, ""), TEXLA_BAD_ARGUMENT,
              "clKernelCreate: out, context");
  assertFails(context, clKernelCreate(&kernel, context, "k", NULL), TEXLA_BAD_ARGUMENT,
              "clKernelCreate: out, context");
  assert_int_equal(clKernelCreate(&kernel, NULL, "k", ""), TEXLA_BAD_ARGUMENT);
  assert_null(kernel);
  kernel = newKernel(context, "k", "uniform sampler2D x;\nvec4 kernel() { return texel(x); }\n");
  assert_int_equal(clKernelExecute(NULL, &(clKernelRun){.output = {x}}), TEXLA_BAD_ARGUMENT);
  assertFails(context, clKernelExecute(kernel, NULL), TEXLA_BAD_ARGUMENT,
              "clKernelExecute: kernel and run must not");
  assertFails(context, clKernelExecute(kernel, &(clKernelRun){0}), TEXLA_BAD_ARGUMENT,
              "kernel k has no output");
  const clKernelRun twice = {.output = {x, x}, .input = {{"x", x}}},
                    uneven = {.output = {x, longer}};
  assertFails(context, clKernelExecute(kernel, &twice), TEXLA_BAD_ARGUMENT,
              "outputs 0 and 1 are the same vector");
  assertFails(context, clKernelExecute(kernel, &uneven), TEXLA_BAD_SHAPE,
              "output 0 is linear of length 3 but output 1");
  const clKernelRun out = {.output = {foreign}}, in = {.output = {x}, .input = {{"x", foreign}}};
  const clKernelRun scalar = {.output = {x}, .input = {{"x", x}}, .scalar = {s}};
  assertFails(context, clKernelExecute(kernel, &out), TEXLA_FOREIGN_CONTEXT,
              "clKernelExecute: the operands");
  assertFails(context, clKernelExecute(kernel, &in), TEXLA_FOREIGN_CONTEXT,
              "clKernelExecute: the operands");
  assertFails(context, clKernelExecute(kernel, &scalar), TEXLA_FOREIGN_CONTEXT,
              "clKernelExecute: the operands");
  clKernelDestroy(NULL);
  clVectorDestroy(x);
  clVectorDestroy(longer);
  clVectorDestroy(foreign);
  clFloatDestroy(s);
  clKernelDestroy(kernel);
  clContextDestroy(other);
}

static void outlivesItsContext(void **state) {
  clContext *context = testContextWith((clContextOptions){0});
  OWN(clVector) *x = newVector(context, (OracleShape){3, 0}, NULL);
  OWN(clKernel) *kernel = newKernel(context, "k", "vec4 kernel() { return vec4(0.); }\n");
  clContextDestroy(context);
  assertFails(context, clKernelExecute(kernel, &(clKernelRun){.output = {x}}), TEXLA_BAD_ARGUMENT,
              "was destroyed");
}

TEST_MAIN(testContextCreate, testContextDestroy, elementwiseWithMaskedPadding, neighboursOfTheGrid,
          texelNeighbours, severalOutputs, scalarsAndParameters, otherLayoutsByTexelFetch,
          keepsZeroLeavesTheMaskOut, messagesNameTheUsersLines, allThatIsReadMustBeGiven, fullRun,
          linesBeyondInt, wrongArguments, outlivesItsContext)
