/* Element-wise operators against double precision: every shape, every way in which operands may be
 * the same. */
#include "common.h"
#include "oracle/vector.h"

static const double eps = FLT_EPSILON;
/* eps: roundings of a sum of two products */
static const double arithmetic = 2;
/* eps: division need not be correctly rounded */
static const double division = 4;

/* device factors */
enum { A = 0, B = 1 };
static const float a = 1.5f, b = -0.3f, alpha = -0.7f, beta = 2.25f;
static clFloat *factor[2];

typedef clStatus (*Run)(clVector *z, const clVector *x, const clVector *y);
typedef double (*Formula)(double x, double y, double *scale);

typedef struct Operator {
  const char *name;
  Run run;
  Formula formula;
  /* in eps */
  double tolerance;
  /* z is y */
  bool updates;
} Operator;

static double product(double p, double *scale) {
  *scale = fabs(p);
  return p;
}
static clStatus runFill(clVector *z, const clVector *x, const clVector *y) {
  (void)x, (void)y;
  return clVectorFill(z, b);
}
static double fill(double x, double y, double *scale) {
  (void)x, (void)y;
  return product((double)b, scale);
}
static clStatus runClear(clVector *z, const clVector *x, const clVector *y) {
  (void)x, (void)y;
  return clVectorClear(z);
}
static double clear(double x, double y, double *scale) {
  (void)x, (void)y;
  return product(0, scale);
}
static clStatus runCopy(clVector *z, const clVector *x, const clVector *y) {
  (void)y;
  return clVectorCopy(z, x);
}
static double copy(double x, double y, double *scale) {
  (void)y;
  return product(x, scale);
}
static clStatus runScale(clVector *z, const clVector *x, const clVector *y) {
  (void)y;
  return clVectorScale(z, a, factor[A], x);
}
static double scaled(double x, double y, double *scale) {
  (void)y;
  return product((double)a * (double)alpha * x, scale);
}
static clStatus runScalePlain(clVector *z, const clVector *x, const clVector *y) {
  (void)y;
  return clVectorScale(z, a, NULL, x);
}
static double scaledPlain(double x, double y, double *scale) {
  (void)y;
  return product((double)a * x, scale);
}
static clStatus runAxpy(clVector *z, const clVector *x, const clVector *y) {
  (void)y;
  return clVectorAxpy(z, a, factor[A], x);
}
static double axpy(double x, double y, double *scale) {
  double p = (double)a * (double)alpha * x;
  *scale = fabs(p) + fabs(y);
  return y + p;
}
static clStatus runAdd(clVector *z, const clVector *x, const clVector *y) {
  return clVectorAdd(z, a, factor[A], x, b, factor[B], y);
}
static double add(double x, double y, double *scale) {
  double p = (double)a * (double)alpha * x, q = (double)b * (double)beta * y;
  *scale = fabs(p) + fabs(q);
  return p + q;
}
static clStatus runAddHalf(clVector *z, const clVector *x, const clVector *y) {
  return clVectorAdd(z, a, NULL, x, b, factor[B], y);
}
static double addHalf(double x, double y, double *scale) {
  double p = (double)a * x, q = (double)b * (double)beta * y;
  *scale = fabs(p) + fabs(q);
  return p + q;
}
static clStatus runAddLess(clVector *z, const clVector *x, const clVector *y) {
  return clVectorAdd(z, a, factor[A], x, -1, NULL, y);
}
static double addLess(double x, double y, double *scale) {
  double p = (double)a * (double)alpha * x;
  *scale = fabs(p) + fabs(y);
  return p - y;
}
static double mul(double x, double y, double *scale) {
  return product(x * y, scale);
}
static double divide(double x, double y, double *scale) {
  return product(x / y, scale);
}
static double divideZ(double x, double y, double *scale) {
  return product(y == 0 ? 0 : x / y, scale);
}

static const Operator operators[] = {{"fill", runFill, fill, 0, false},
                                     {"clear", runClear, clear, 0, false},
                                     {"copy", runCopy, copy, 0, false},
                                     {"scale", runScale, scaled, arithmetic, false},
                                     {"scale by a", runScalePlain, scaledPlain, arithmetic, false},
                                     {"axpy", runAxpy, axpy, arithmetic, true},
                                     {"add", runAdd, add, arithmetic, false},
                                     {"add without alpha", runAddHalf, addHalf, arithmetic, false},
                                     {"add less y", runAddLess, addLess, arithmetic, false},
                                     {"mul", clVectorMul, mul, arithmetic, false},
                                     {"div", clVectorDiv, divide, division, false},
                                     {"divZ", clVectorDivZ, divideZ, division, false}};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* Which of z, x, y (0, 1, 2) each operand is. */
static const int aliases[][3] = {{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {0, 1, 1}, {1, 1, 1}};
enum { ALIASES = sizeof aliases / sizeof *aliases };

typedef struct Case {
  OracleShape shape;
  int64_t n;
  float *value[3];
  clVector *vector[3];
  double *wanted, *scale, *kept;
} Case;

static void createCase(Case *c, clContext *context, OracleShape shape) {
  c->shape = shape;
  c->n = oracleLength(shape);
  for (int k = 0; k < 3; k++) {
    c->value[k] = malloc((size_t)c->n * sizeof(float));
    oracleFill(c->value[k], c->n, (uint64_t)k, k == 2 ? 0.5 : -2, 2);
    assertOk(context, oracleCreate(&c->vector[k], context, shape));
  }
  c->wanted = malloc((size_t)c->n * sizeof(double));
  c->scale = malloc((size_t)c->n * sizeof(double));
  c->kept = malloc((size_t)c->n * sizeof(double));
}

static void destroyCase(Case *c) {
  for (int k = 0; k < 3; k++) {
    free(c->value[k]);
    clVectorDestroy(c->vector[k]);
  }
  free(c->wanted);
  free(c->scale);
  free(c->kept);
}

static void runOperator(Case *c, clContext *context, const Operator *o, const int alias[3]) {
  for (int k = 0; k < 3; k++)
    assertOk(context, clVectorUpload(c->vector[k], c->value[k]));
  const float *x = c->value[alias[1]], *y = c->value[alias[2]];
  for (int64_t i = 0; i < c->n; i++)
    c->wanted[i] = o->formula((double)x[i], (double)y[i], &c->scale[i]);
  assertOk(context, o->run(c->vector[alias[0]], c->vector[alias[1]], c->vector[alias[2]]));
  assert_true(oracleHolds(o->name, c->vector[alias[0]], c->wanted, c->scale, o->tolerance * eps));
  /* operands that are not the result keep their values */
  for (int k = 1; k < 3; k++) {
    if (k == alias[0])
      continue;
    for (int64_t i = 0; i < c->n; i++)
      c->kept[i] = (double)c->value[k][i];
    assert_true(oracleHolds("an operand", c->vector[k], c->kept, NULL, 0));
  }
}

static void everyOperatorOnEveryShape(void **state) {
  for (int s = 0; s < oracle_shape_count; s++) {
    Case c;
    createCase(&c, *state, oracle_shapes[s]);
    for (int o = 0; o < OPERATORS; o++)
      for (int k = 0; k < ALIASES; k++)
        if (!operators[o].updates || aliases[k][0] == aliases[k][2])
          runOperator(&c, *state, &operators[o], aliases[k]);
    destroyCase(&c);
  }
}

static void divisionByZero(void **state) {
  clContext *context = *state;
  const float x[7] = {1, -1, 0, 2, 0, -3, INFINITY}, y[7] = {0, 0, 0, 4, 5, -0.0f, 0};
  const double quotient[7] = {INFINITY, -INFINITY, NAN, 0.5, 0, INFINITY, INFINITY},
               none[7] = {0, 0, 0, 0.5, 0, 0, 0};
  clVector *v[3] = {0};
  for (int k = 0; k < 3; k++)
    assertOk(context, clVectorCreate(&v[k], context, 7));
  assertOk(context, clVectorUpload(v[0], x));
  assertOk(context, clVectorUpload(v[1], y));
  assertOk(context, clVectorDiv(v[2], v[0], v[1]));
  assert_true(oracleHolds("div", v[2], quotient, NULL, division * eps));
  assertOk(context, clVectorDivZ(v[2], v[0], v[1]));
  assert_true(oracleHolds("divZ", v[2], none, NULL, division * eps));
  for (int k = 0; k < 3; k++)
    clVectorDestroy(v[k]);
}

/* A factor of NaN spoils the padding as it spoils the elements; quotients are clean again. */
static void paddingAfterFactorsWithoutNumbers(void **state) {
  clContext *context = *state;
  const double all_inf[5] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}, zero[5] = {0};
  OWN(clVector) *x = NULL, *y = NULL;
  assertOk(context, clVectorCreate(&x, context, 5));
  assertOk(context, clVectorCreate(&y, context, 5));
  assertOk(context, clVectorFill(x, 2));
  assertOk(context, clVectorScale(y, INFINITY, NULL, x));
  float values[5];
  assertOk(context, clVectorDownload(y, values));
  for (int i = 0; i < 5; i++)
    assert_true(values[i] == INFINITY);
  /* 2 / Inf */
  assertOk(context, clVectorDivZ(x, x, y));
  assert_true(oracleHolds("divZ by Inf", x, zero, NULL, 0));
  assertOk(context, clVectorFill(y, INFINITY));
  assert_true(oracleHolds("fill with Inf", y, all_inf, NULL, 0));
}

static void copyConvertsLayouts(void **state) {
  clContext *context = *state;
  const OracleShape grids[] = {{1, 1},    {3, 5},    {5, 3},      {4, 4},   {31, 37},
                               {1, 4097}, {4097, 1}, {1003, 997}, {2, 6144}};
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
    int64_t n = oracleLength(grids[g]);
    OracleShape shapes[2] = {grids[g], {(int)n, 0}};
    FREED float *values = malloc((size_t)n * sizeof *values);
    FREED double *wanted = malloc((size_t)n * sizeof *wanted);
    oracleFill(values, n, 9, -1, 1);
    for (int64_t i = 0; i < n; i++)
      wanted[i] = (double)values[i];
    for (int from = 0; from < 2; from++) {
      OWN(clVector) *x = NULL, *y = NULL;
      assertOk(context, oracleCreate(&x, context, shapes[from]));
      assertOk(context, oracleCreate(&y, context, shapes[!from]));
      assertOk(context, clVectorUpload(x, values));
      assertOk(context, clVectorFill(y, 7));
      assertOk(context, clVectorCopy(y, x));
      assert_true(oracleHolds("copy between layouts", y, wanted, NULL, 0));
    }
  }
}

static void operandsMustAgree(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  clVector *x = NULL, *longer = NULL, *grid = NULL, *foreign = NULL;
  clFloat *s = NULL;
  assertOk(context, clVectorCreate(&x, context, 12));
  assertOk(context, clVectorCreate(&longer, context, 13));
  assertOk(context, clVectorCreateGrid(&grid, context, 3, 4));
  assertOk(other, clVectorCreate(&foreign, other, 12));
  assertOk(other, clFloatCreate(&s, other));
  assertOk(context, clVectorFill(x, 3));
  assertFails(context, clVectorAxpy(x, 1, NULL, longer), TEXLA_BAD_SHAPE,
              "clVectorAxpy: y is linear of length 12 but x is linear of length 13");
  assertFails(context, clVectorAxpy(x, 1, NULL, grid), TEXLA_BAD_SHAPE,
              "clVectorAxpy: y is linear of length 12 but x is grid 3 x 4 (clVectorCopy converts)");
  assertFails(context, clVectorAdd(x, 1, NULL, x, 1, NULL, grid), TEXLA_BAD_SHAPE,
              "clVectorAdd: z is linear of length 12 but y is grid 3 x 4 (clVectorCopy converts)");
  assertFails(context, clVectorMul(x, longer, x), TEXLA_BAD_SHAPE,
              "clVectorMul: z is linear of length 12 but x is");
  assertFails(context, clVectorCopy(x, longer), TEXLA_BAD_SHAPE,
              "clVectorCopy: y is linear of length 12 but x is");
  assertFails(context, clVectorScale(x, 1, NULL, foreign), TEXLA_FOREIGN_CONTEXT,
              "different contexts");
  assertFails(context, clVectorCopy(x, foreign), TEXLA_FOREIGN_CONTEXT,
              "clVectorCopy: the operands belong to");
  assertFails(context, clVectorScale(x, 1, s, x), TEXLA_FOREIGN_CONTEXT,
              "clVectorScale: the operands belong to");
  assertFails(context, clVectorAdd(x, 1, NULL, x, 1, s, x), TEXLA_FOREIGN_CONTEXT,
              "clVectorAdd: the operands");
  const double three[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
  assert_true(oracleHolds("after failed calls", x, three, NULL, 0));
  clVectorDestroy(x);
  clVectorDestroy(longer);
  clVectorDestroy(grid);
  clVectorDestroy(foreign);
  clFloatDestroy(s);
  clContextDestroy(other);
}

static void nullOperands(void **state) {
  clContext *context = *state;
  OWN(clVector) *x = NULL;
  assertOk(context, clVectorCreate(&x, context, 4));
  assertFails(context, clVectorCopy(NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorCopy: y must not be NULL");
  assertFails(context, clVectorCopy(x, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorCopy: x must not be NULL");
  assertFails(context, clVectorScale(x, 1, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorScale: x must not be NULL");
  assertFails(context, clVectorAxpy(NULL, 1, NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorAxpy: y must not be NULL");
  assertFails(context, clVectorAdd(x, 1, NULL, NULL, 1, NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorAdd: x must not be");
  assertFails(context, clVectorMul(x, x, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorMul: y must not be NULL");
  assertFails(context, clVectorDiv(NULL, x, x), TEXLA_BAD_ARGUMENT,
              "clVectorDiv: z must not be NULL");
  assert_int_equal(clVectorFill(NULL, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorClear(NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorDivZ(NULL, NULL, NULL), TEXLA_BAD_ARGUMENT);
}

static int setUp(void **state) {
  testContextCreate(state);
  const float values[2] = {alpha, beta};
  for (int k = 0; k < 2; k++) {
    assertOk(*state, clFloatCreate(&factor[k], *state));
    assertOk(*state, clFloatUpload(factor[k], values[k]));
  }
  return 0;
}

static int tearDown(void **state) {
  clFloatDestroy(factor[A]);
  clFloatDestroy(factor[B]);
  return testContextDestroy(state);
}

TEST_MAIN(setUp, tearDown, everyOperatorOnEveryShape, divisionByZero,
          paddingAfterFactorsWithoutNumbers, copyConvertsLayouts, operandsMustAgree, nullOperands)
