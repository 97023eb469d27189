/* Every operation that places, chooses or weighs entries, and products, against loops in double: on
 * matrices of random shapes, from one entry to several texels, of noise, integers, huge and tiny
 * numbers, NaN and Inf. */
#include "queue.h"

enum { MOST = 40 * 40, ROUNDS = 24 };

typedef struct Matrix {
  int rows, cols;
  /* column after column; and what rounding may change of each entry, in FLT_EPSILON */
  double value[MOST], rounding[MOST];
} Matrix;

static clQueue *q;
static int tried, wrong;
static bool on_device;
static uint64_t random_state;
/* The matrices of a trial are large; they live here. */
static Matrix x, y, z, w, wanted, found;

static int setQueue(void **state) {
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int endQueue(void **state) {
  clQueueDestroy(q);
  return 0;
}

/* From 0 to n - 1. */
static int below(int n) {
  return (int)(randomBits(&random_state) % (uint32_t)n);
}

static double *at(Matrix *A, int i, int j) {
  return &A->value[i + A->rows * j];
}

static void shape(Matrix *A, int rows, int cols) {
  assert_true(rows * cols <= MOST);
  A->rows = rows;
  A->cols = cols;
  memset(A->rounding, 0, sizeof A->rounding);
}

/* Numbers of single precision, so that both sides begin with the same ones. */
static void fill(Matrix *A, int rows, int cols, int content) {
  int n = rows * cols;
  shape(A, rows, cols);
  for (int k = 0; k < n; k++) {
    double v = 3 * randomUnit(&random_state);
    if (content == 1)
      v = round(2 * v);
    if (content == 2)
      v *= 1e15;
    if (content == 3)
      v *= 1e-15;
    A->value[k] = (double)(float)v;
  }
  if (content == 4)
    A->value[below(n)] = NAN;
  if (content == 5)
    A->value[below(n)] = INFINITY;
}

/* Integers from `least` to `most`. */
static void fillIndices(Matrix *A, int rows, int cols, int least, int most) {
  shape(A, rows, cols);
  for (int k = 0; k < rows * cols; k++)
    A->value[k] = least + below(most - least + 1);
}

/* What is put as doubles moves on the host. A product with 1 is a value of the device, and moves
 * there: each trial is made with both. */
static clQueueOperand operandOf(Matrix *A) {
  clQueueId id = put(q, A->value, A->rows, A->cols);
  clQueueOperand operand[] = {{id, 0}, {0, 1}};
  if (on_device)
    QCHECK(clQueueSubmit(q, "times", operand, 2, &id, 1, &error));
  return (clQueueOperand){id, 0};
}

static clQueueOperand number(double v) {
  return (clQueueOperand){0, v};
}

static bool agrees(double a, double b, double rounding) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  if (isinf(a) || isinf(b))
    return a == b;
  return fabs(a - b) <= (double)FLT_EPSILON * rounding;
}

/* Runs an operation and compares its only result with `wanted`. */
static void compare(const char *name, const clQueueOperand *operand, int operands) {
  clQueueId id = 0;
  QCHECK(clQueueSubmit(q, name, operand, operands, &id, 1, &error));
  fetch(q, id, found.value, wanted.rows, wanted.cols);
  for (int k = 0; k < wanted.rows * wanted.cols; k++) {
    tried++;
    if (agrees(found.value[k], wanted.value[k], wanted.rounding[k]))
      continue;
    if (wrong++ < 20)
      print_message("%s, result %d x %d: entry (%d, %d) is %.9g instead of %.9g\n", name,
                    wanted.rows, wanted.cols, k % wanted.rows + 1, k / wanted.rows + 1,
                    found.value[k], wanted.value[k]);
  }
}

static void begin(void) {
  tried = wrong = 0;
  random_state = 1;
}

/* The contents change with every trial, where the operands are after six of them. */
static int contentOf(int round) {
  on_device = round / 6 % 2;
  return round % 6;
}

static void end(const char *what) {
  print_message("%s: %d entries tried, %d right\n", what, tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

/* ---- Matrices made of numbers ---------------------------------------------------------------- */

static void madeOfNumbers(void **state) {
  begin();
  for (int round = 0; round < ROUNDS; round++) {
    int m = 1 + below(30), n = 1 + below(30);
    double first = (double)(float)randomUnit(&random_state),
           last = (double)(float)(2 + randomUnit(&random_state));
    shape(&wanted, m, n);
    for (int k = 0; k < m * n; k++)
      wanted.value[k] = first;
    compare("fill", (clQueueOperand[]){number(first), number(m), number(n)}, 3);
    for (int k = 0; k < m * n; k++)
      wanted.value[k] = k % m == k / m ? first : 0;
    compare("identity", (clQueueOperand[]){number(first), number(m), number(n)}, 3);
    shape(&wanted, 1, n);
    for (int j = 0; j < n; j++) {
      wanted.value[j] = j == n - 1 ? last : first + (last - first) * j / (n - 1);
      wanted.rounding[j] = 12;
    }
    compare("linspace", (clQueueOperand[]){number(first), number(1), number(n), number(last)}, 4);
  }
  end("made of numbers");
}

/* The mean of n numbers of variance v is within 5 sqrt(v / n), and no two seeds give the same. */
static void randomNumbers(void **state) {
  enum { SIDE = 40 };
  const char *names[] = {"random", "normal"};
  const double means[] = {0.5, 0}, variances[] = {1.0 / 12, 1};
  double before = NAN;
  for (int k = 0; k < 8; k++) {
    const double n = SIDE * SIDE, mean = means[k % 2], variance = variances[k % 2];
    double sum = 0, squares = 0;
    clQueueId id = 0;
    clQueueOperand operand[] = {number(1 + k / 2), number(SIDE), number(SIDE)};
    QCHECK(clQueueSubmit(q, names[k % 2], operand, 3, &id, 1, &error));
    fetch(q, id, found.value, SIDE, SIDE);
    for (int e = 0; e < SIDE * SIDE; e++) {
      sum += found.value[e];
      squares += (found.value[e] - mean) * (found.value[e] - mean);
      if (k % 2 == 0)
        assert_true(found.value[e] > 0 && found.value[e] < 1);
    }
    assert_true(fabs(sum / n - mean) < 5 * sqrt(variance / n));
    assert_true(fabs(squares / n - variance) < 5 * variance * sqrt(2 / n));
    assert_true(found.value[0] != before);
    before = found.value[0];
  }
}

/* ---- Entries that move ----------------------------------------------------------------------- */

/* The shapes of one operand change. */
static void shapesChange(int content) {
  int m = 1 + below(12), n = 1 + below(12), copies = 1 + below(3), beside = 1 + below(3);
  fill(&x, m, n, content);
  clQueueOperand X = operandOf(&x);
  shape(&wanted, n, m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      *at(&wanted, i, j) = *at(&x, j, i);
  compare("transpose", &X, 1);
  for (int rows = 1; rows <= m * n; rows++) {
    if (m * n % rows)
      continue;
    memcpy(wanted.value, x.value, sizeof x.value);
    shape(&wanted, rows, m * n / rows);
    compare("reshape", (clQueueOperand[]){X, number(rows), number(m * n / rows)}, 3);
  }
  int rows = 1 + below(16), cols = 1 + below(16);
  shape(&wanted, rows, cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      *at(&wanted, i, j) = i < m && j < n ? *at(&x, i, j) : 0;
  compare("resize", (clQueueOperand[]){X, number(rows), number(cols)}, 3);
  shape(&wanted, m * copies, n * beside);
  for (int i = 0; i < wanted.rows; i++)
    for (int j = 0; j < wanted.cols; j++)
      *at(&wanted, i, j) = *at(&x, i % m, j % n);
  compare("repmat", (clQueueOperand[]){X, number(copies), number(beside)}, 3);
}

static void twoAreJoined(int content) {
  int m = 1 + below(12), n = 1 + below(6), k = 1 + below(6);
  fill(&x, m, n, content);
  fill(&y, m, k, content);
  shape(&wanted, m, n + k);
  memcpy(wanted.value, x.value, (size_t)(m * n) * sizeof *x.value);
  memcpy(wanted.value + m * n, y.value, (size_t)(m * k) * sizeof *y.value);
  compare("horzcat", (clQueueOperand[]){operandOf(&x), operandOf(&y)}, 2);
  fill(&y, k, n, content);
  shape(&wanted, m + k, n);
  for (int i = 0; i < m + k; i++)
    for (int j = 0; j < n; j++)
      *at(&wanted, i, j) = i < m ? *at(&x, i, j) : *at(&y, i - m, j);
  compare("vertcat", (clQueueOperand[]){operandOf(&x), operandOf(&y)}, 2);
  fill(&x, 1 + below(6), 1 + below(6), content);
  shape(&wanted, x.rows * k, x.cols * n);
  for (int i = 0; i < wanted.rows; i++)
    for (int j = 0; j < wanted.cols; j++) {
      *at(&wanted, i, j) = *at(&x, i / k, j / n) * *at(&y, i % k, j % n);
      wanted.rounding[i + wanted.rows * j] = fabs(*at(&wanted, i, j));
    }
  compare("kron", (clQueueOperand[]){operandOf(&x), operandOf(&y)}, 2);
}

static void diagonals(int content) {
  int m = 1 + below(12), n = 1 + below(12), d = below(m + n - 1) - (m - 1);
  fill(&x, m, n, content);
  clQueueOperand operand[] = {operandOf(&x), number(d)};
  shape(&wanted, m, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      *at(&wanted, i, j) = j - i <= d ? *at(&x, i, j) : 0;
  compare("tril", operand, 2);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      *at(&wanted, i, j) = j - i >= d ? *at(&x, i, j) : 0;
  compare("triu", operand, 2);
  int count = 0;
  for (int i = 0; i < m; i++)
    if (i + d >= 0 && i + d < n)
      wanted.value[count++] = *at(&x, i, i + d);
  shape(&wanted, count, 1);
  compare("diagonal", operand, 2);
  fill(&x, m, 1, content);
  operand[0] = operandOf(&x);
  int side = m + abs(d);
  memset(wanted.value, 0, sizeof wanted.value);
  shape(&wanted, side, side);
  int down = d < 0 ? -d : 0, right = down + d;
  for (int k = 0; k < m; k++)
    *at(&wanted, k + down, k + right) = x.value[k];
  compare("diagonal_matrix", operand, 2);
}

static void entriesMove(void **state) {
  begin();
  for (int round = 0; round < ROUNDS; round++) {
    int content = contentOf(round);
    shapesChange(content);
    twoAreJoined(content);
    diagonals(content);
  }
  end("moves");
}

/* ---- Entries that are chosen ----------------------------------------------------------------- */

static void chosenAreRead(int content) {
  int m = 1 + below(12), n = 1 + below(12), rows = 1 + below(15), cols = 1 + below(15);
  fill(&x, m, n, content);
  clQueueOperand X = operandOf(&x);
  fillIndices(&y, 1, rows, 1, m);
  fillIndices(&z, 1, cols, 1, n);
  shape(&wanted, rows, cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      *at(&wanted, i, j) = *at(&x, (int)y.value[i] - 1, (int)z.value[j] - 1);
  compare("index", (clQueueOperand[]){X, operandOf(&y), operandOf(&z)}, 3);
  shape(&wanted, rows, n);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      *at(&wanted, i, j) = *at(&x, (int)y.value[i] - 1, j);
  compare("index", (clQueueOperand[]){X, operandOf(&y), number(0)}, 3);
  fillIndices(&y, rows, cols, 1, m * n);
  shape(&wanted, rows, cols);
  for (int k = 0; k < rows * cols; k++)
    wanted.value[k] = x.value[(int)y.value[k] - 1];
  compare("select", (clQueueOperand[]){X, operandOf(&y)}, 2);
}

static void chosenAreWritten(int content) {
  int m = 1 + below(12), n = 1 + below(12), rows = 1 + below(m), cols = 1 + below(n);
  fill(&x, m, n, content);
  fill(&w, rows, cols, content);
  clQueueOperand X = operandOf(&x), W = operandOf(&w);
  /* Row i takes w's row y_i, 0: none. */
  fillIndices(&y, m, 1, 0, rows);
  fillIndices(&z, 1, n, 0, cols);
  shape(&wanted, m, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int r = (int)y.value[i], c = (int)z.value[j];
      *at(&wanted, i, j) = r && c ? *at(&w, r - 1, c - 1) : *at(&x, i, j);
    }
  if (m > 1 && n > 1)
    compare("assign", (clQueueOperand[]){X, operandOf(&y), operandOf(&z), W}, 4);
  fillIndices(&y, m, n, 0, rows * cols);
  for (int k = 0; k < m * n; k++) {
    int from = (int)y.value[k];
    wanted.value[k] = from ? w.value[from - 1] : x.value[k];
  }
  compare("assign_select", (clQueueOperand[]){X, operandOf(&y), W}, 3);
  /* The last one counts where a place is named twice. */
  fillIndices(&y, rows, 1, 1, m);
  fillIndices(&z, cols, 1, 1, n);
  memcpy(wanted.value, x.value, sizeof x.value);
  for (int j = 0; j < cols; j++)
    for (int i = 0; i < rows; i++)
      *at(&wanted, (int)y.value[i] - 1, (int)z.value[j] - 1) = *at(&w, i, j);
  compare("write", (clQueueOperand[]){X, operandOf(&y), operandOf(&z), W}, 4);
  fillIndices(&y, rows, cols, 1, m * n);
  memcpy(wanted.value, x.value, sizeof x.value);
  for (int k = 0; k < rows * cols; k++)
    wanted.value[(int)y.value[k] - 1] = w.value[k];
  compare("write_select", (clQueueOperand[]){X, operandOf(&y), W}, 3);
}

static void entriesAreChosen(void **state) {
  begin();
  for (int round = 0; round < 2 * ROUNDS; round++) {
    int content = contentOf(round);
    chosenAreRead(content);
    chosenAreWritten(content);
  }
  end("reads and writes of parts");
}

/* ---- Entries between others ------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

static void lookUp(int content) {
  int n = 2 + below(20), rows = 1 + below(12), cols = 1 + below(12), method = 1 + below(4);
  fill(&x, n, 1, 0);
  qsort(x.value, (size_t)n, sizeof *x.value, ascending);
  fill(&z, rows, cols, content);
  shape(&wanted, rows, cols);
  for (int k = 0; k < rows * cols; k++) {
    wanted.value[k] = 0;
    for (int p = 0; p < n; p++)
      wanted.value[k] += x.value[p] <= z.value[k];
  }
  compare("lookup", (clQueueOperand[]){operandOf(&x), operandOf(&z)}, 2);
  /* Of points (x, y) the last interval whose left end is at most z; within them. */
  fill(&y, n, 1, 0);
  fill(&z, rows, cols, 0);
  shape(&w, rows, cols);
  for (int k = 0; k < rows * cols; k++) {
    z.value[k] = fmin(fmax(z.value[k], x.value[0]), x.value[n - 1]);
    int p = 0;
    while (p < n - 2 && x.value[p + 1] <= z.value[k])
      p++;
    double a = x.value[p], b = x.value[p + 1], v = z.value[k], left = y.value[p],
           right = y.value[p + 1], t = (v - a) / (b - a);
    w.value[k] = p + 1;
    if (method == 1)
      wanted.value[k] = v == b ? right : left + (right - left) * t;
    else if (method == 2)
      wanted.value[k] = v - a < b - v ? left : right;
    else if (method == 3)
      wanted.value[k] = v >= b ? right : left;
    else
      wanted.value[k] = v <= a ? left : right;
    /* differences of neighbours are rounded beside the points themselves */
    if (method == 1)
      wanted.rounding[k] = 12 + 12 * fabs(right - left) * fmax(fabs(a), fabs(b)) / (b - a);
  }
  compare("interpolate",
          (clQueueOperand[]){operandOf(&x), operandOf(&y), operandOf(&z), operandOf(&w),
                             number(method)},
          5);
}

static void bilinear(int content) {
  int m = 2 + below(10), n = 2 + below(10), rows = 1 + below(12), cols = 1 + below(12);
  fill(&x, m, n, content % 2);
  shape(&y, rows, cols);
  shape(&z, rows, cols);
  shape(&wanted, rows, cols);
  for (int k = 0; k < rows * cols; k++) {
    /* some of them outside; quarters, which single precision holds */
    y.value[k] = below(4 * n + 8) / 4.0;
    z.value[k] = below(4 * m + 8) / 4.0;
    double u = y.value[k], v = z.value[k], sum = 0, size = 0;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double weight = fmax(0, 1 - fabs(v - 1 - i)) * fmax(0, 1 - fabs(u - 1 - j));
        sum += weight * *at(&x, i, j);
        size += weight * fabs(*at(&x, i, j));
      }
    bool inside = u >= 1 && u <= n && v >= 1 && v <= m;
    wanted.value[k] = inside ? sum : -7;
    wanted.rounding[k] = 8 * size;
  }
  compare("bilinear",
          (clQueueOperand[]){operandOf(&x), operandOf(&y), operandOf(&z), number(1), number(-7)},
          5);
}

static void convolve(int content) {
  fill(&x, 1 + below(10), 1 + below(10), content);
  fill(&y, 1 + below(6), 1 + below(6), content < 4 ? content : 0);
  int rows = x.rows + y.rows - 1, cols = x.cols + y.cols - 1, r = below(rows), c = below(cols);
  shape(&wanted, rows - r, cols - c);
  for (int i = 0; i < wanted.rows; i++)
    for (int j = 0; j < wanted.cols; j++) {
      double sum = 0, size = 0;
      for (int p = 0; p < y.rows; p++)
        for (int s = 0; s < y.cols; s++) {
          int row = i + r - p, col = j + c - s;
          if (row < 0 || row >= x.rows || col < 0 || col >= x.cols)
            continue;
          double term = *at(&x, row, col) * *at(&y, p, s);
          sum += term;
          size += fabs(term);
        }
      *at(&wanted, i, j) = sum;
      wanted.rounding[i + wanted.rows * j] = y.rows * y.cols * size;
    }
  compare("convolve",
          (clQueueOperand[]){operandOf(&x), operandOf(&y), number(r), number(c),
                             number(wanted.rows), number(wanted.cols)},
          6);
}

static void accumulate(int content) {
  int n = 1 + below(60), rows = 1 + below(8), cols = 1 + below(8);
  fillIndices(&x, n, 1, 0, rows);
  fillIndices(&y, n, 1, 0, cols);
  fill(&z, n, 1, content);
  memset(wanted.value, 0, sizeof wanted.value);
  shape(&wanted, rows, cols);
  for (int k = 0; k < n; k++) {
    int i = (int)x.value[k] - 1, j = (int)y.value[k] - 1;
    if (i < 0 || j < 0)
      continue;
    *at(&wanted, i, j) += z.value[k];
    wanted.rounding[i + rows * j] += fabs(z.value[k]);
  }
  compare(
      "accumulate",
      (clQueueOperand[]){operandOf(&x), operandOf(&y), operandOf(&z), number(rows), number(cols)},
      5);
}

/* Bilinear between cell centres, the nearest ones at the border; the device's filter weighs in
 * steps of 1/256. */
static void rescale(void) {
  int m = 1 + below(10), n = 1 + below(10), rows = 1 + below(20), cols = 1 + below(20);
  fill(&x, m, n, 0);
  shape(&wanted, rows, cols);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double v = fmin(fmax((i + 0.5) * m / rows - 0.5, 0), m - 1),
             u = fmin(fmax((j + 0.5) * n / cols - 0.5, 0), n - 1), sum = 0;
      for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++)
          sum += fmax(0, 1 - fabs(v - r)) * fmax(0, 1 - fabs(u - c)) * *at(&x, r, c);
      *at(&wanted, i, j) = sum;
      wanted.rounding[i + rows * j] = 0.06 / (double)FLT_EPSILON;
    }
  compare("rescale", (clQueueOperand[]){operandOf(&x), number(rows), number(cols)}, 3);
}

static void entriesBetweenOthers(void **state) {
  begin();
  for (int round = 0; round < 2 * ROUNDS; round++) {
    int content = contentOf(round);
    lookUp(content);
    bilinear(content);
    convolve(content);
    accumulate(content);
    rescale();
  }
  end("between others");
}

/* ---- Products -------------------------------------------------------------------------------- */

/* wanted <- op(x) op(y), and its rounding: of each term once, of sums as often as there are
 * terms. */
static void multiply(int turn_x, int turn_y) {
  int m = x.rows, k = x.cols, n = turn_y ? y.rows : y.cols;
  swapIf(turn_x, &m, &k);
  shape(&wanted, m, n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int p = 0; p < k; p++) {
        double a = turn_x ? *at(&x, p, i) : *at(&x, i, p);
        double b = turn_y ? *at(&y, j, p) : *at(&y, p, j);
        sum += a * b;
        size += fabs(a * b);
      }
      *at(&wanted, i, j) = sum;
      wanted.rounding[i + m * j] = (k + 2) * size;
    }
}

static void products(void **state) {
  begin();
  for (int round = 0; round < 4 * ROUNDS; round++) {
    int m = 1 + below(33), k = 1 + below(33), n = 1 + below(33), content = contentOf(round);
    int turn_x = round & 1, turn_y = round >> 1 & 1;
    int rows[] = {m, k}, cols[] = {k, n};
    swapIf(turn_x, &rows[0], &cols[0]);
    swapIf(turn_y, &rows[1], &cols[1]);
    fill(&x, rows[0], cols[0], content);
    fill(&y, rows[1], cols[1], content < 4 ? content : 0);
    multiply(turn_x, turn_y);
    clQueueOperand operand[] = {operandOf(&x), operandOf(&y), number(turn_x), number(turn_y)};
    compare("multiply", operand, 4);
    /* the same x without its zeros, in each storage; NaN and Inf beside zeros are not stored */
    if (content > 3)
      continue;
    for (int e = 0; e < x.rows * x.cols; e++)
      if (below(3))
        x.value[e] = 0;
    multiply(turn_x, turn_y);
    clQueueOperand sparse[] = {operandOf(&x), number(round / 4 % 6)};
    QCHECK(clQueueSubmit(q, "sparse", sparse, 2, &operand[0].id, 1, &error));
    compare("multiply", operand, 4);
    wanted = x;
    compare("full", operand, 1);
  }
  end("products");
}

static void sumsOfProducts(void **state) {
  begin();
  for (int round = 0; round < 2 * ROUNDS; round++) {
    int m = 1 + below(40), n = 1 + below(40), content = contentOf(round);
    fill(&x, m, n, content);
    fill(&y, m, n, content < 4 ? content : 1);
    double sum = 0, size = 0;
    for (int k = 0; k < m * n; k++) {
      sum += x.value[k] * y.value[k];
      size += fabs(x.value[k] * y.value[k]);
    }
    shape(&wanted, 1, 1);
    wanted.value[0] = sum;
    wanted.rounding[0] = 24 * size;
    compare("dot", (clQueueOperand[]){operandOf(&x), operandOf(&y)}, 2);
    sum = 0;
    for (int k = 0; k < m * n; k++)
      sum += x.value[k] * x.value[k];
    wanted.value[0] = sqrt(sum);
    wanted.rounding[0] = 24 * sqrt(sum);
    /* refused, as test_oracle shows */
    if (content < 4)
      compare("norm2", (clQueueOperand[]){operandOf(&x)}, 1);
    /* the lower triangle of x d^2 x^T */
    fill(&z, n, 1, content < 4 ? 0 : 1);
    shape(&wanted, m, m);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double value = 0, magnitude = 0;
        for (int p = 0; p < n && j <= i; p++) {
          double term = *at(&x, i, p) * *at(&x, j, p) * z.value[p] * z.value[p];
          value += term;
          magnitude += fabs(term);
        }
        *at(&wanted, i, j) = value;
        wanted.rounding[i + m * j] = (n + 4) * magnitude;
      }
    if (content < 4)
      compare("syrk", (clQueueOperand[]){operandOf(&x), operandOf(&z)}, 2);
  }
  end("sums of products");
}

TEST_MAIN(setQueue, endQueue, madeOfNumbers, randomNumbers, entriesMove, entriesAreChosen,
          entriesBetweenOthers, products, sumsOfProducts)
