/* Every operation of a formula, and every one whose oracle is a line of C, against doubles: on
 * shapes from one entry to several texels, of noise, integers, huge and tiny numbers, NaN and
 * Inf. */
#include "queue.h"

static clQueue *q;
static int tried, wrong;

static int setQueue(void **state) {
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int endQueue(void **state) {
  clQueueDestroy(q);
  return 0;
}

typedef enum Content { NOISE, INTEGERS, HUGE_ONES, TINY, WITH_NAN, WITH_INF, CONTENTS } Content;
static const char *const content_names[] = {"noise", "integers", "huge", "tiny", "NaN", "Inf"};

enum { MOST = 20 * 20, SHAPES = 6 };
static const int shapes[SHAPES][2] = {{1, 1}, {1, 7}, {6, 1}, {3, 4}, {17, 9}, {2, 19}};

/* Numbers of single precision, so that both sides begin with the same ones. */
static void fill(double *a, int n, Content content, uint64_t seed) {
  for (int k = 0; k < n; k++) {
    double v = 3 * randomUnit(&seed);
    if (content == INTEGERS)
      v = round(2 * v);
    if (content == HUGE_ONES)
      v *= 1e30;
    if (content == TINY)
      v *= 1e-30;
    a[k] = (double)(float)v;
  }
  if (content == WITH_NAN)
    a[n / 2] = NAN;
  if (content == WITH_INF)
    a[n / 3] = n % 2 ? INFINITY : -INFINITY;
}

/* Is that what single precision makes of `wanted`, to `ulps` of FLT_EPSILON? Numbers below its
 * range may be zero, those beyond it are infinite. */
static bool agrees(double found, double wanted, double ulps) {
  if (isnan(wanted) || isnan(found))
    return isnan(wanted) && isnan(found);
  if (isinf(wanted) || isinf(found))
    return found == wanted || (isinf(found) && fabs(wanted) > (1 - 1e-5) * (double)FLT_MAX &&
                               (found > 0) == (wanted > 0));
  return fabs(found - wanted) <= ulps * (double)FLT_EPSILON * fabs(wanted) + 2 * (double)FLT_MIN;
}

static void judge(const char *name, Content content, const int shape[2], int place, double found,
                  double wanted, double ulps) {
  tried++;
  if (agrees(found, wanted, ulps))
    return;
  if (wrong++ < 20)
    print_message("%s of %s, %d x %d: entry %d is %.9g instead of %.9g\n", name,
                  content_names[content], shape[0], shape[1], place, found, wanted);
}

/* --- entry by entry --- */

static double signOf(double x) {
  return isnan(x) ? x : (x > 0) - (x < 0);
}
static double isFinite(double x) {
  return isfinite(x) != 0;
}
static double isNotNumber(double x) {
  return isnan(x) != 0;
}
static double isInfinite(double x) {
  return isinf(x) != 0;
}
static double negative(double x) {
  return -x;
}
static double not(double x) {
  return x == 0;
}
/* infinite at its poles, as Octave has it */
static double gammaOf(double x) {
  return x < 0 && x == floor(x) ? INFINITY : tgamma(x);
}
static double logGamma(double x) {
  return x < 0 ? NAN : lgamma(x);
}

static const struct {
  const char *name;
  double (*oracle)(double);
  double ulps;
  /* functions that single precision may be asked for at any number; others up to this magnitude */
  double most;
} ones[] = {
    {"uminus", negative, 0, INFINITY},
    {"not", not, 0, INFINITY},
    {"abs", fabs, 0, INFINITY},
    {"sign", signOf, 0, INFINITY},
    {"sqrt", sqrt, 2, INFINITY},
    {"exp", exp, 4, INFINITY},
    {"log", log, 4, INFINITY},
    {"sin", sin, 4, 100},
    {"cos", cos, 4, 100},
    {"tan", tan, 6, 100},
    {"atan", atan, 4, INFINITY},
    {"asin", asin, 4, INFINITY},
    {"acos", acos, 4, INFINITY},
    {"sinh", sinh, 6, INFINITY},
    {"cosh", cosh, 6, INFINITY},
    {"tanh", tanh, 6, INFINITY},
    {"asinh", asinh, 6, INFINITY},
    {"acosh", acosh, 8, INFINITY},
    {"atanh", atanh, 6, INFINITY},
    {"expm1", expm1, 6, INFINITY},
    {"log1p", log1p, 6, INFINITY},
    {"erf", erf, 8, INFINITY},
    {"erfc", erfc, 16, INFINITY},
    {"log2", log2, 4, INFINITY},
    {"log10", log10, 4, INFINITY},
    {"floor", floor, 0, INFINITY},
    {"ceil", ceil, 0, INFINITY},
    {"round", round, 0, INFINITY},
    {"fix", trunc, 0, INFINITY},
    {"isnan", isNotNumber, 0, INFINITY},
    {"isfinite", isFinite, 0, INFINITY},
    {"isinf", isInfinite, 0, INFINITY},
    {"gammaln", logGamma, 32, 1e30},
    {"gamma", gammaOf, 32, 30},
};

static void functionsOfOneAreThoseOfC(void **state) {
  double a[MOST], found[MOST];
  tried = wrong = 0;
  for (int o = 0; o < (int)(sizeof ones / sizeof *ones); o++)
    for (int c = 0; c < CONTENTS * SHAPES; c++) {
      Content content = (Content)(c % CONTENTS);
      const int *shape = shapes[c / CONTENTS];
      int n = shape[0] * shape[1];
      fill(a, n, content, (uint64_t)(c + 1));
      fetch(q, submit1(q, ones[o].name, put(q, a, shape[0], shape[1])), found, shape[0], shape[1]);
      for (int k = 0; k < n; k++)
        if (!(fabs(a[k]) > ones[o].most))
          judge(ones[o].name, content, shape, k, found[k], ones[o].oracle(a[k]), ones[o].ulps);
    }
  print_message("functions of one: %d entries tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

static double plus(double x, double y) {
  return x + y;
}
static double minus(double x, double y) {
  return x - y;
}
static double times(double x, double y) {
  return x * y;
}
static double quotient(double x, double y) {
  return x / y;
}
static double quotientOrZero(double x, double y) {
  return y == 0 ? 0 : x / y;
}
static double less(double x, double y) {
  return x < y;
}
static double atMost(double x, double y) {
  return x <= y;
}
static double greater(double x, double y) {
  return x > y;
}
static double atLeast(double x, double y) {
  return x >= y;
}
static double equal(double x, double y) {
  return x == y;
}
static double differs(double x, double y) {
  return x != y;
}
static double both(double x, double y) {
  return x != 0 && y != 0;
}
static double either(double x, double y) {
  return x != 0 || y != 0;
}
static const struct {
  const char *name;
  double (*oracle)(double, double);
  double ulps;
} twos[] = {
    {"plus", plus, 1},        {"minus", minus, 1},         {"times", times, 1},
    {"rdivide", quotient, 3}, {"divz", quotientOrZero, 3}, {"max2", fmax, 0},
    {"min2", fmin, 0},        {"atan2", atan2, 6},         {"lt", less, 0},
    {"le", atMost, 0},        {"gt", greater, 0},          {"ge", atLeast, 0},
    {"eq", equal, 0},         {"ne", differs, 0},          {"and", both, 0},
    {"or", either, 0},        {"hypot", hypot, 4},         {"power", pow, 32},
};

static void functionsOfTwoAreThoseOfC(void **state) {
  double a[MOST], b[MOST], found[MOST];
  tried = wrong = 0;
  for (int o = 0; o < (int)(sizeof twos / sizeof *twos); o++)
    for (int c = 0; c < CONTENTS * SHAPES; c++) {
      Content content = (Content)(c % CONTENTS);
      const int *shape = shapes[c / CONTENTS];
      int n = shape[0] * shape[1];
      fill(a, n, content, (uint64_t)(c + 1));
      fill(b, n, content == WITH_NAN ? INTEGERS : content, (uint64_t)(c + 1000));
      fetch(q,
            submit2(q, twos[o].name, put(q, a, shape[0], shape[1]), put(q, b, shape[0], shape[1])),
            found, shape[0], shape[1]);
      for (int k = 0; k < n; k++)
        judge(twos[o].name, content, shape, k, found[k], twos[o].oracle(a[k], b[k]), twos[o].ulps);
    }
  print_message("functions of two: %d entries tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

/* x - y n for the whole number n below x / y, or towards zero: the product is rounded beside x, and
 * a quotient that is nearly whole may be the next one. Of y = 0: x, or NaN. */
static void remaindersAreBetweenZeroAndY(void **state) {
  static const char *const names[] = {"mod", "rem"};
  double a[MOST], b[MOST], found[MOST];
  tried = wrong = 0;
  for (int c = 0; c < 2 * 4 * SHAPES; c++) {
    bool down = c % 2 == 0;
    Content content = (Content)(c / 2 % 4);
    const int *shape = shapes[c / 8];
    int n = shape[0] * shape[1];
    fill(a, n, content, (uint64_t)(c + 1));
    fill(b, n, content, (uint64_t)(c + 1000));
    fetch(q, submit2(q, names[c % 2], put(q, a, shape[0], shape[1]), put(q, b, shape[0], shape[1])),
          found, shape[0], shape[1]);
    for (int k = 0; k < n; k++) {
      double x = a[k], y = b[k], wanted = x - y * (down ? floor(x / y) : trunc(x / y));
      double off = fabs(remainder(found[k] - wanted, y)), sign = down ? y : x;
      bool good = off <= 2 * (double)FLT_EPSILON * (fabs(x) + fabs(y)) &&
                  fabs(found[k]) <= fabs(y) && !(found[k] * sign < 0);
      if (y == 0)
        good = down ? found[k] == x : isnan(found[k]);
      tried++;
      if (!good && wrong++ < 20)
        print_message("%s (%.9g, %.9g) is %.9g instead of %.9g\n", names[c % 2], x, y, found[k],
                      wanted);
    }
  }
  print_message("remainders: %d tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

static void functionsOfThreeAreThoseOfC(void **state) {
  double a[MOST], b[MOST], d[MOST], sum[MOST], chosen[MOST];
  tried = wrong = 0;
  for (int c = 0; c < CONTENTS * SHAPES; c++) {
    Content content = (Content)(c % CONTENTS);
    const int *shape = shapes[c / CONTENTS];
    int n = shape[0] * shape[1];
    fill(a, n, INTEGERS, (uint64_t)(c + 1));
    fill(b, n, content == HUGE_ONES ? NOISE : content, (uint64_t)(c + 1000));
    fill(d, n, content == WITH_NAN || content == WITH_INF ? NOISE : content, (uint64_t)(c + 2000));
    clQueueOperand operand[] = {{put(q, a, shape[0], shape[1]), 0},
                                {put(q, b, shape[0], shape[1]), 0},
                                {put(q, d, shape[0], shape[1]), 0}};
    clQueueId id[2] = {0};
    QCHECK(clQueueSubmit(q, "axpy", operand, 3, &id[0], 1, &error));
    QCHECK(clQueueSubmit(q, "merge", operand, 3, &id[1], 1, &error));
    fetch(q, id[0], sum, shape[0], shape[1]);
    fetch(q, id[1], chosen, shape[0], shape[1]);
    for (int k = 0; k < n; k++) {
      double product = b[k] * d[k], size = fabs(a[k]) + fabs(product);
      bool close = fabs(sum[k] - (a[k] + product)) <= 2 * (double)FLT_EPSILON * size;
      if (!close)
        judge("axpy", content, shape, k, sum[k], a[k] + product, 0);
      else
        tried++;
      judge("merge", content, shape, k, chosen[k], a[k] != 0 ? b[k] : d[k], 0);
    }
  }
  print_message("functions of three: %d entries tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

/* --- along a dimension --- */

typedef enum Fold { SUM, PRODUCT, LARGEST, SMALLEST, FOLDS } Fold;
static const char *const folds[] = {"sum", "prod", "max", "min"};
static const char *const scans[] = {"cumsum", "cumprod", "cummax", "cummin"};

static double folded(Fold fold, double so_far, double next) {
  if (fold == SUM)
    return so_far + next;
  if (fold == PRODUCT)
    return so_far * next;
  return fold == LARGEST ? fmax(so_far, next) : fmin(so_far, next);
}

/* Rounding of a sum is one of the sum of magnitudes. */
static bool sumAgrees(double found, double wanted, double magnitudes, int n) {
  return agrees(found, wanted, 4 * n) ||
         fabs(found - wanted) <= n * (double)FLT_EPSILON * magnitudes;
}

static void foldsAndScansAreLoops(void **state) {
  double a[MOST], found[MOST], running[MOST];
  tried = wrong = 0;
  for (int c = 0; c < FOLDS * 2 * CONTENTS * SHAPES; c++) {
    Fold fold = (Fold)(c % FOLDS);
    int dim = c / FOLDS % 2;
    Content content = (Content)(c / FOLDS / 2 % CONTENTS);
    const int *shape = shapes[c / FOLDS / 2 / CONTENTS];
    int n = shape[0] * shape[1], length = shape[dim], others = n / length;
    int step = 1, next = shape[0], rows = 1, cols = shape[1];
    if (dim)
      step = rows = shape[0], next = cols = 1;
    fill(a, n, content, (uint64_t)(c + 1));
    clQueueOperand operand[] = {{put(q, a, shape[0], shape[1]), 0}, {0, dim + 1}};
    clQueueId id = 0, scan = 0;
    QCHECK(clQueueSubmit(q, folds[fold], operand, 2, &id, 1, &error));
    QCHECK(clQueueSubmit(q, scans[fold], operand, 2, &scan, 1, &error));
    fetch(q, id, found, rows, cols);
    fetch(q, scan, running, shape[0], shape[1]);
    for (int j = 0; j < others; j++) {
      double value = a[j * next], magnitudes = fabs(value);
      for (int k = 1; k <= length; k++) {
        double here = running[j * next + (k - 1) * step], last = found[j];
        bool good = sumAgrees(here, value, magnitudes, k) &&
                    (k < length || sumAgrees(last, value, magnitudes, k));
        tried++;
        if (!good && wrong++ < 20)
          print_message("%s of %s along %d of %d x %d: %.9g, %.9g instead of %.9g\n", folds[fold],
                        content_names[content], dim + 1, shape[0], shape[1], here, last, value);
        if (k < length) {
          value = folded(fold, value, a[j * next + k * step]);
          magnitudes += fold == SUM ? fabs(a[j * next + k * step]) : 0;
        }
      }
    }
  }
  print_message("folds and scans: %d tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

/* --- factorizations --- */

/* NaN anywhere is an error or shows in what comes out: no factor is made of it. */
static void nothingIsMadeOfNaN(void **state) {
  static const struct {
    const char *name;
    int results;
    /* operand 2 is 1: column pivoting */
    bool pivots;
  } calls[] = {{"qr", 3},   {"qr", 3, true}, {"lu", 3},          {"factor", 2},   {"crout", 1},
               {"rref", 3}, {"inverse", 1},  {"determinant", 1}, {"cholesky", 1}, {"norm2", 1}};
  static const int sizes[] = {1, 2, 5, 18};
  double a[MOST], found[MOST];
  tried = wrong = 0;
  for (int c = 0; c < (int)(sizeof calls / sizeof *calls) * 4 * 3 * 2; c++) {
    int n = sizes[c % 4], o = c / 24;
    bool alone = c / 12 % 2;
    fill(a, n * n, INTEGERS, (uint64_t)(c + 1));
    for (int k = 0; k < n * n; k++) {
      if (alone)
        a[k] = 0;
      if (k % (n + 1) == 0)
        a[k] += 5 * n;
    }
    /* on and above the diagonal, which Cholesky reads */
    const int of_row[] = {0, n / 2, n / 2}, of_col[] = {0, n / 2, n - 1};
    int row = of_row[c / 4 % 3], col = of_col[c / 4 % 3];
    a[row + col * n] = NAN;
    if (alone)
      for (int k = 0; k < n; k++)
        if (k != row)
          a[k + col * n] = 0;
    clQueueId id[3] = {0};
    clQueueOperand operand[] = {{put(q, a, n, n), 0}, {0, 1}};
    clStatus status =
        clQueueSubmit(q, calls[o].name, operand, 1 + calls[o].pivots, id, calls[o].results, &error);
    bool shown = status < 0;
    for (int r = 0; r < calls[o].results && !shown; r++) {
      int64_t rows = 0, cols = 0;
      status = clQueueShape(q, id[r], &rows, &cols, &error);
      clHostMatrix out = doubles(found, rows, cols);
      if (status >= 0)
        status = clQueueFetch(q, id[r], &out, 60, &error);
      shown = status < 0;
      for (int64_t k = 0; k < rows * cols && !shown; k++)
        shown = isnan(found[k]);
    }
    tried++;
    if (!shown && wrong++ < 20)
      print_message("%s of order %d with NaN at (%d, %d)%s: nothing shows it\n", calls[o].name, n,
                    row, col, alone ? " beside zeros" : "");
  }
  print_message("matrices with NaN: %d tried, %d right\n", tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

TEST_MAIN(setQueue, endQueue, functionsOfOneAreThoseOfC, functionsOfTwoAreThoseOfC,
          remaindersAreBetweenZeroAndY, functionsOfThreeAreThoseOfC, foldsAndScansAreLoops,
          nothingIsMadeOfNaN)
