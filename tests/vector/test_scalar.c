/* Arithmetic of clFloats against double precision, in every aliasing. */
#include "common.h"

#include "texla/scalar.h"

/* division and square root need not be correctly rounded */
static const double tolerance = 4 * FLT_EPSILON;

typedef clStatus (*Run)(clFloat *s, const clFloat *a, const clFloat *b);
typedef double (*Formula)(double a, double b);

static double add(double a, double b) {
  return a + b;
}
static double sub(double a, double b) {
  return a - b;
}
static double mul(double a, double b) {
  return a * b;
}
static double divide(double a, double b) {
  return a / b;
}
static double divideZ(double a, double b) {
  return b == 0 ? 0 : a / b;
}
static clStatus runCopy(clFloat *s, const clFloat *a, const clFloat *b) {
  (void)b;
  return clFloatCopy(s, a);
}
static double copy(double a, double b) {
  (void)b;
  return a;
}
static clStatus runSqrt(clFloat *s, const clFloat *a, const clFloat *b) {
  (void)b;
  return clFloatSqrt(s, a);
}
static double root(double a, double b) {
  (void)b;
  return a < 0 ? (double)NAN : sqrt(a);
}

static const struct {
  const char *name;
  Run run;
  Formula formula;
} operators[] = {{"add", clFloatAdd, add},       {"sub", clFloatSub, sub},
                 {"mul", clFloatMul, mul},       {"div", clFloatDiv, divide},
                 {"divZ", clFloatDivZ, divideZ}, {"copy", runCopy, copy},
                 {"sqrt", runSqrt, root}};

static bool isClose(double got, double wanted) {
  if (isnan(wanted))
    return isnan(got);
  return got == wanted || fabs(got - wanted) <= tolerance * fabs(wanted);
}

static double get(clContext *context, const clFloat *s) {
  float value = -12345;
  assertOk(context, clFloatDownload(s, &value));
  return (double)value;
}

static void everyOperatorInEveryAliasing(void **state) {
  static const int aliases[][3] = {{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {0, 1, 1}, {1, 1, 1}};
  static const float values[][2] = {{6, 3},        {1.5f, -0.3f}, {-2, 7},        {0, 0},
                                    {5, 0},        {0, -4},       {1e30f, 1e30f}, {2, 1e-10f},
                                    {16777216, 3}, {INFINITY, 2}, {NAN, 1},       {1, NAN}};
  clContext *context = *state;
  clFloat *s[3] = {0};
  for (int k = 0; k < 3; k++)
    assertOk(context, clFloatCreate(&s[k], context));
  for (size_t o = 0; o < sizeof operators / sizeof *operators; o++)
    for (int k = 0; k < 5; k++)
      for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        const int *at = aliases[k];
        const float start[3] = {99, values[v][0], values[v][1]};
        for (int i = 0; i < 3; i++)
          assertOk(context, clFloatUpload(s[i], start[i]));
        assertOk(context, operators[o].run(s[at[0]], s[at[1]], s[at[2]]));
        double wanted = operators[o].formula((double)start[at[1]], (double)start[at[2]]);
        double got = get(context, s[at[0]]);
        wanted = fabs(wanted) > (double)FLT_MAX ? copysign(INFINITY, wanted) : wanted;
        if (!isClose(got, wanted))
          print_error("%s(%g, %g): %g\n", operators[o].name, (double)start[at[1]],
                      (double)start[at[2]], got);
        assert_true(isClose(got, wanted));
        for (int i = 1; i < 3; i++)
          assert_true(i == at[0] || isClose(get(context, s[i]), (double)start[i]));
      }
  for (int k = 0; k < 3; k++)
    clFloatDestroy(s[k]);
}

static void sixThirds(void **state) {
  clContext *context = *state;
  OWN(clFloat) *six = NULL, *three = NULL;
  assertOk(context, clFloatCreate(&six, context));
  assertOk(context, clFloatCreate(&three, context));
  assertOk(context, clFloatUpload(six, 6));
  assertOk(context, clFloatUpload(three, 3));
  assertOk(context, clFloatDiv(six, six, three));
  if (clContextInspect(context)->probes.exact_division)
    assert_true(get(context, six) == 2);
}

static void wrongOperands(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  clFloat *s = NULL, *foreign = NULL;
  assertOk(context, clFloatCreate(&s, context));
  assertOk(other, clFloatCreate(&foreign, other));
  assertOk(context, clFloatUpload(s, 5));
  assertFails(context, clFloatAdd(s, s, NULL), TEXLA_BAD_ARGUMENT,
              "clFloatAdd: no operand may be NULL");
  assertFails(context, clFloatMul(NULL, s, s), TEXLA_BAD_ARGUMENT,
              "clFloatMul: no operand may be NULL");
  assertFails(context, clFloatCopy(NULL, s), TEXLA_BAD_ARGUMENT,
              "clFloatCopy: no operand may be NULL");
  assert_int_equal(clFloatSqrt(NULL, NULL), TEXLA_BAD_ARGUMENT);
  assertFails(context, clFloatSub(s, s, foreign), TEXLA_FOREIGN_CONTEXT,
              "clFloatSub: the operands belong to");
  assertFails(context, clFloatSqrt(s, foreign), TEXLA_FOREIGN_CONTEXT,
              "clFloatSqrt: the operands belong to");
  assert_true(get(context, s) == 5);
  clFloatDestroy(s);
  clFloatDestroy(foreign);
  clContextDestroy(other);
}

TEST_MAIN(testContextCreate, testContextDestroy, everyOperatorInEveryAliasing, sixThirds,
          wrongOperands)
