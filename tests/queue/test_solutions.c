/* Every operation that factors or solves, on matrices of random shapes and units, against what is
 * known of the result: products of factors, solutions that the right-hand sides were made of,
 * residuals in double. And nothing in the table is without an oracle. */
#include "queue.h"
#include "texla/solver.h"

enum { SIDE = 24, MOST = SIDE * SIDE, ROUNDS = 24 };

static clQueue *q;
static int tried, wrong;
static uint64_t random_state;

static int setQueue(void **state) {
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int endQueue(void **state) {
  clQueueDestroy(q);
  return 0;
}

static int below(int n) {
  return (int)(randomBits(&random_state) % (uint32_t)n);
}

static void begin(void) {
  tried = wrong = 0;
  random_state = 3;
}

static void end(const char *what) {
  print_message("%s: %d tried, %d right\n", what, tried, tried - wrong);
  assert_int_equal(wrong, 0);
}

/* The largest error, in units of `size`, must not exceed `most`. */
static void judge(const char *name, int rows, int cols, double off, double size, double most) {
  tried++;
  if (off <= most * size)
    return;
  if (wrong++ < 20)
    print_message("%s of %d x %d: off by %.3g beside %.3g, more than %.3g of it\n", name, rows,
                  cols, off, size, most);
}

/* A round's units: 1, huge, tiny; and where its operands are. */
static double unitOf(int round) {
  static const double units[] = {1, 0x1p50, 0x1p-50};
  return units[round % 3];
}
static bool isSingle(int round) {
  return round / 3 % 2;
}

/* A value of the device where it is to be a single one. */
static clQueueOperand operandOf(double *a, int rows, int cols, bool single) {
  clQueueId id = put(q, a, rows, cols);
  clQueueOperand operand[] = {{id, 0}, {0, 1}};
  if (single)
    QCHECK(clQueueSubmit(q, "times", operand, 2, &id, 1, &error));
  return (clQueueOperand){id, 0};
}

static void submit(const char *name, const clQueueOperand *operand, int operands, clQueueId *result,
                   int results) {
  QCHECK(clQueueSubmit(q, name, operand, operands, result, results, &error));
}

/* Columns of numbers that single precision holds, with a diagonal that keeps them independent. */
static void fill(double *a, int rows, int cols, double unit) {
  for (int k = 0; k < rows * cols; k++) {
    double v = randomUnit(&random_state);
    if (k % rows == k / rows)
      v += 4;
    a[k] = unit * (double)(float)v;
  }
}

/* The largest magnitude of a - b c, and of a itself. */
static void difference(const double *a, const double *b, const double *c, int m, int k, int n,
                       double *off, double *size) {
  *off = *size = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = a[i + m * j];
      *size = fmax(*size, fabs(sum));
      for (int p = 0; p < k; p++)
        sum -= b[i + m * p] * c[p + k * j];
      *off = fmax(*off, fabs(sum));
      if (isnan(sum))
        *off = NAN;
    }
}

static void multiply(double *c, const double *a, const double *b, int m, int k, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int p = 0; p < k; p++)
        sum += a[i + m * p] * b[p + k * j];
      c[i + m * j] = sum;
    }
}

/* ---- Factors --------------------------------------------------------------------------------- */

/* Row p_i of A is row i of the others. */
static bool permute(double *to, const double *a, const double *p, int m, int n) {
  bool seen[SIDE] = {false};
  for (int i = 0; i < m; i++) {
    int from = (int)p[i] - 1;
    if (from < 0 || from >= m || seen[from])
      return false;
    seen[from] = true;
    for (int j = 0; j < n; j++)
      to[i + m * j] = a[from + m * j];
  }
  return true;
}

/* L <- the lower part of F, ones on its diagonal; U <- the upper one. With `crout` the other way
 * round. */
static void split(const double *F, int n, bool crout, double *L, double *U) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int k = i + n * j;
      bool ours = i > j || (crout && i == j);
      L[k] = ours ? F[k] : i == j;
      U[k] = ours ? crout && i == j : F[k];
    }
}

static void factors(void **state) {
  double a[MOST], moved[MOST], L[MOST], U[MOST], F[MOST], p[SIDE], off, size;
  begin();
  for (int round = 0; round < ROUNDS; round++) {
    int m = 1 + below(SIDE), n = 1 + below(SIDE), k = m < n ? m : n;
    clQueueId id[3];
    fill(a, m, n, unitOf(round));
    clQueueOperand A = operandOf(a, m, n, isSingle(round));
    submit("lu", &A, 1, id, 3);
    fetch(q, id[0], L, m, k);
    fetch(q, id[1], U, k, n);
    fetch(q, id[2], p, 1, m);
    bool permuted = permute(moved, a, p, m, n);
    difference(moved, L, U, m, k, n, &off, &size);
    judge("lu", m, n, permuted ? off : INFINITY, size, 4 * k * (double)FLT_EPSILON);
    fill(a, n, n, unitOf(round));
    A = operandOf(a, n, n, isSingle(round));
    submit("factor", &A, 1, id, 2);
    fetch(q, id[0], F, n, n);
    fetch(q, id[1], p, 1, n);
    split(F, n, false, L, U);
    permuted = permute(moved, a, p, n, n);
    difference(moved, L, U, n, n, n, &off, &size);
    judge("factor", n, n, permuted ? off : INFINITY, size, 4 * n * (double)FLT_EPSILON);
    /* without pivoting: large diagonals */
    for (int i = 0; i < n; i++)
      a[i + n * i] = unitOf(round) * 2 * n;
    A = operandOf(a, n, n, isSingle(round));
    submit("crout", &A, 1, id, 1);
    fetch(q, id[0], F, n, n);
    split(F, n, true, L, U);
    difference(a, L, U, n, n, n, &off, &size);
    judge("crout", n, n, off, size, 4 * n * (double)FLT_EPSILON);
  }
  end("factors");
}

/* By elimination with row pivoting, in double. */
static double determinantOf(const double *a, int n) {
  double w[MOST], value = 1;
  memcpy(w, a, sizeof w);
  for (int k = 0; k < n; k++) {
    int row = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(w[i + n * k]) > fabs(w[row + n * k]))
        row = i;
    if (row != k)
      value = -value;
    for (int j = 0; j < n; j++) {
      double v = w[k + n * j];
      w[k + n * j] = w[row + n * j];
      w[row + n * j] = v;
    }
    value *= w[k + n * k];
    for (int i = k + 1; i < n; i++) {
      double factor = w[i + n * k] / w[k + n * k];
      for (int j = k; j < n; j++)
        w[i + n * j] -= factor * w[k + n * j];
    }
  }
  return value;
}

static void inverses(void **state) {
  double a[MOST], one[MOST], inverse[MOST], found, off, size;
  begin();
  for (int round = 0; round < ROUNDS; round++) {
    int n = 1 + below(SIDE / 2);
    clQueueId id[2];
    fill(a, n, n, unitOf(round));
    clQueueOperand A = operandOf(a, n, n, isSingle(round));
    submit("inverse", &A, 1, id, 1);
    submit("determinant", &A, 1, id + 1, 1);
    fetch(q, id[0], inverse, n, n);
    fetch(q, id[1], &found, 1, 1);
    for (int k = 0; k < n * n; k++)
      one[k] = k % (n + 1) == 0;
    difference(one, a, inverse, n, n, n, &off, &size);
    judge("inverse", n, n, off, size, 1e-4);
    double wanted = determinantOf(a, n);
    judge("determinant", n, n, fabs(found - wanted), fabs(wanted), 1e-4);
  }
  end("inverses and determinants");
}

/* Rows of small integers, some of which are sums of those before: ranks and columns of pivots are
 * those of elimination in double, whose numbers are far from its rounding. */
static void echelonForms(void **state) {
  begin();
  for (int round = 0; round < 2 * ROUNDS; round++) {
    enum { FEW = 6 };
    int m = 1 + below(FEW), n = 1 + below(FEW), rank = 0;
    double a[FEW * FEW], w[FEW * FEW], R[FEW * FEW], columns[FEW], count, pivots[FEW] = {0};
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        a[i + m * j] = below(5) - 2;
        if (i > 1 && i % 2)
          a[i + m * j] = a[i - 1 + m * j] - 2 * a[i - 2 + m * j];
      }
    memcpy(w, a, sizeof w);
    for (int j = 0; j < n && rank < m; j++) {
      int row = rank;
      for (int i = rank; i < m; i++)
        if (fabs(w[i + m * j]) > fabs(w[row + m * j]))
          row = i;
      if (fabs(w[row + m * j]) < 1e-9)
        continue;
      double pivot = w[row + m * j];
      for (int c = 0; c < n; c++) {
        double v = w[rank + m * c];
        w[rank + m * c] = w[row + m * c] / pivot;
        if (row != rank)
          w[row + m * c] = v;
      }
      for (int i = 0; i < m; i++) {
        double factor = w[i + m * j];
        for (int c = 0; c < n && i != rank; c++)
          w[i + m * c] -= factor * w[rank + m * c];
      }
      pivots[rank++] = j + 1;
    }
    clQueueId id[3];
    clQueueOperand A = operandOf(a, m, n, isSingle(round));
    submit("rref", &A, 1, id, 3);
    fetch(q, id[0], R, m, n);
    fetch(q, id[1], columns, 1, m < n ? m : n);
    fetch(q, id[2], &count, 1, 1);
    double off = fabs(count - rank);
    for (int k = 0; k < rank; k++)
      off = fmax(off, fabs(columns[k] - pivots[k]));
    for (int k = 0; k < m * n; k++)
      off = fmax(off, fabs(R[k] - (k % m < rank ? w[k] : 0)));
    judge("rref", m, n, off, 1, 1e-4);
  }
  end("echelon forms");
}

/* ---- Solutions ------------------------------------------------------------------------------- */

/* b = A x of whole numbers x. What was put as doubles comes back to double accuracy; of more
 * columns than rows the shortest solution, which is not longer than x. */
static void systems(void **state) {
  double a[MOST], b[MOST], x[MOST], found[MOST], off, size;
  begin();
  for (int round = 0; round < 2 * ROUNDS; round++) {
    int m = 1 + below(SIDE), n = round % 4 ? 1 + below(SIDE) : m, k = 1 + below(3);
    bool single = isSingle(round);
    fill(a, m, n, unitOf(round));
    for (int e = 0; e < n * k; e++)
      x[e] = below(9) - 4;
    multiply(b, a, x, m, n, k);
    clQueueOperand operand[] = {operandOf(a, m, n, single), operandOf(b, m, k, single)};
    clQueueId id;
    submit("solve", operand, 2, &id, 1);
    fetch(q, id, found, n, k);
    double most = single ? 2e-3 : 1e-11;
    difference(b, a, found, m, n, k, &off, &size);
    judge("solve (residual)", m, n, off, size + unitOf(round), most);
    double length = 0, wanted = 0, farthest = 0;
    for (int e = 0; e < n * k; e++) {
      length = hypot(length, found[e]);
      wanted = hypot(wanted, x[e]);
      farthest = fmax(farthest, fabs(found[e] - x[e]));
    }
    if (m >= n)
      judge("solve", m, n, farthest, 1 + wanted, most);
    else
      judge("solve (length)", m, n, length, 1 + wanted, 1 + most);
  }
  end("systems");
}

/* Where the last column is the first one, the shortest of the solutions has the same number for
 * both. */
static void shortestSolutions(void **state) {
  double a[MOST], b[MOST], x[MOST], found[MOST], off, size;
  begin();
  for (int round = 0; round < ROUNDS; round++) {
    int m = 2 + below(SIDE - 1), n = round % 3 ? 2 + below(SIDE - 1) : m, k = 1 + below(3);
    fill(a, m, n, 1);
    memcpy(a + m * (n - 1), a, (size_t)m * sizeof *a);
    for (int e = 0; e < n * k; e++)
      x[e] = below(9) - 4;
    multiply(b, a, x, m, n, k);
    clQueueOperand operand[] = {operandOf(a, m, n, false), operandOf(b, m, k, false), {0, 1}};
    clQueueId id;
    submit("solve", operand, 3, &id, 1);
    fetch(q, id, found, n, k);
    difference(b, a, found, m, n, k, &off, &size);
    judge("solve (residual)", m, n, off, size + 1, 1e-11);
    for (int c = 0; c < k; c++)
      judge("solve (shortest)", m, n, fabs(found[n * c] - found[n * c + n - 1]), 10, 1e-11);
  }
  end("shortest solutions");
}

/* A five-point matrix of a grid of SIDE / 2 rows and columns, with a term along x that makes it
 * unsymmetric where asked for. */
static clQueueId gridMatrix(double along, clTriplets **T) {
  enum { N = SIDE / 2 };
  clQueueId id = 0;
  QCHECK(clTripletsCreate(T, N * N, N * N, 0, &error));
  for (int k = 0; k < N * N; k++) {
    int column = k % N, row = k / N;
    QCHECK(clTripletsAdd(*T, k, k, 4.01, &error));
    if (column > 0)
      QCHECK(clTripletsAdd(*T, k, k - 1, -1 - along, &error));
    if (column < N - 1)
      QCHECK(clTripletsAdd(*T, k, k + 1, -1 + along, &error));
    if (row > 0)
      QCHECK(clTripletsAdd(*T, k, k - N, -1, &error));
    if (row < N - 1)
      QCHECK(clTripletsAdd(*T, k, k + N, -1, &error));
  }
  QCHECK(clTripletsCompress(*T, &error));
  QCHECK(clQueuePutTriplets(q, &id, *T, &error));
  return id;
}

static void iterations(void **state) {
  enum { N = MOST / 4 };
  static const char *const names[] = {"cg", "multigrid", "iterate", "bicgstab", "gmres"};
  double b[N], x[N], r[N], report[4];
  begin();
  for (int k = 0; k < 10; k++) {
    const char *name = names[k % 5];
    const double tolerance = 1e-5;
    bool symmetric = k < 5;
    OWN(clTriplets) *T = NULL;
    clQueueId A = gridMatrix(symmetric ? 0 : 0.3, &T), id[2];
    for (int i = 0; i < N; i++)
      b[i] = randomUnit(&random_state);
    clQueueOperand operand[] = {{A, 0}, {put(q, b, N, 1), 0}, {0, tolerance}, {0, 500}, {0, 1}};
    /* the two that want a symmetric matrix */
    if (symmetric || k % 5 > 1) {
      submit(name, operand, 5, id, 2);
      fetch(q, id[0], x, N, 1);
      fetch(q, id[1], report, 1, 4);
      double residual = 0, size = 0;
      clTripletsResidual(r, T, x, b);
      for (int i = 0; i < N; i++) {
        residual = hypot(residual, r[i]);
        size = hypot(size, b[i]);
      }
      judge(name, N, N, residual, size, 1.01 * tolerance);
      judge("what it reports", N, N, fabs(report[1] - residual / size), tolerance, 1e-3);
      assert_int_equal((int)report[0], TEXLA_REASON_CONVERGED);
      assert_true(report[2] >= 1 && report[2] <= 500);
    }
  }
  end("iterations");
}

/* ---- The whole table ------------------------------------------------------------------------- */

/* Matrices without rows or columns are values, too: an operation has a result of the shape that it
 * says, or refuses in its own name. */
static void emptyMatrices(void **state) {
  static const int shapes[][2] = {{0, 0}, {0, 3}, {3, 0}};
  clQueueOperationInfo o;
  double nothing = 0;
  begin();
  for (int index = 0; clQueueOperation(index, &o); index++)
    for (int s = 0; s < 3; s++) {
      clQueueOperand operand[TEXLA_QUEUE_OPERANDS] = {{0}};
      clQueueId id[TEXLA_QUEUE_RESULTS];
      int n = (int)strlen(o.operands);
      for (int k = 0; k < n; k++) {
        operand[k] = (clQueueOperand){0, 1};
        if (strchr("mvV", o.operands[k]))
          operand[k] = (clQueueOperand){put(q, &nothing, shapes[s][0], shapes[s][1]), 0};
      }
      clStatus status = clQueueSubmit(q, o.name, operand, n, id, o.results, &error);
      for (int r = 0; r < o.results && status >= 0; r++) {
        int64_t rows = 0, cols = 0;
        double values[64];
        status = clQueueShape(q, id[r], &rows, &cols, &error);
        clHostMatrix out = doubles(values, rows, cols);
        if (status >= 0 && rows * cols <= 64)
          status = clQueueFetch(q, id[r], &out, 60, &error);
      }
      tried++;
      if (status < 0 && !strstr(error.message, o.name) && wrong++ < 20)
        print_message("%s of %d x %d: %s\n", o.name, shapes[s][0], shapes[s][1], error.message);
    }
  end("operations on empty matrices");
}

TEST_MAIN(setQueue, endQueue, factors, inverses, echelonForms, systems, shortestSolutions,
          iterations, emptyMatrices)
