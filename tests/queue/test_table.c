/* Rows of the table that are more than a formula, against plain loops in double: order, factors,
 * least squares, tridiagonal systems, storages. */
#include "queue.h"

static clQueue *q;

static int setQueue(void **state) {
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int endQueue(void **state) {
  clQueueDestroy(q);
  return 0;
}

static double *noise(int64_t n, uint64_t seed) {
  double *a = malloc((size_t)n * sizeof *a);
  for (int64_t k = 0; k < n; k++)
    a[k] = randomUnit(&seed);
  return a;
}

static void submit(const char *name, const clQueueOperand *operand, int operands, clQueueId *result,
                   int results) {
  QCHECK(clQueueSubmit(q, name, operand, operands, result, results, &error));
}

static double product(const double *a, const double *b, int m, int k, int i, int j) {
  double sum = 0;
  for (int p = 0; p < k; p++)
    sum += a[i + m * p] * b[p + k * j];
  return sum;
}

/* Along columns and rows of many lengths; equal entries keep their order. */
static void testOrder(void **state) {
  static const int lengths[] = {1, 2, 3, 17, 64, 257};
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int dim = 1; dim <= 2; dim++) {
      enum { OTHER = 3 };
      int n = lengths[l], step = 1, next = n, rows = n, cols = OTHER, last_rows = 1,
          last_cols = OTHER;
      if (dim == 2)
        step = rows = last_rows = OTHER, next = last_cols = 1, cols = n;
      double *a = noise(n * OTHER, 3 + (uint64_t)n), *up = malloc((size_t)(n * OTHER) * sizeof *up),
             position[OTHER];
      FREED double *at = malloc((size_t)(n * OTHER) * sizeof *at),
                   *sums = malloc((size_t)(n * OTHER) * sizeof *sums);
      for (int k = 0; k < n * OTHER; k++)
        a[k] = floor(20 * a[k]);
      if (n > 2)
        a[next + step] = NAN;
      clQueueId A = put(q, a, rows, cols), sorted[2], last = 0;
      clQueueOperand operand[] = {{A, 0}, {0, dim}, {0, 0}};
      for (int descending = 0; descending < 2; descending++) {
        operand[2].number = descending;
        submit("sort", operand, 3, sorted, 2);
        fetch(q, sorted[0], up, rows, cols);
        fetch(q, sorted[1], at, rows, cols);
        for (int c = 0; c < OTHER; c++)
          for (int k = 0; k < n; k++) {
            int here = c * next + k * step, from = (int)at[here] - 1;
            double value = up[here], source = a[c * next + from * step];
            assert_true(value == source || (isnan(value) && isnan(source)));
            if (!k)
              continue;
            double before = up[here - step];
            bool in_order =
                descending ? isnan(before) || before >= value : isnan(value) || before <= value;
            assert_true(in_order && (before != value || at[here - step] < at[here]));
          }
      }
      for (int least = 0; least < 2; least++) {
        submit(least ? "argmin" : "argmax", operand, 2, &last, 1);
        fetch(q, last, position, last_rows, last_cols);
        for (int c = 0; c < OTHER; c++) {
          int best = 0;
          for (int k = 1; k < n; k++) {
            double value = a[c * next + k * step], before = a[c * next + best * step];
            if (isnan(before) || (least ? value < before : value > before))
              best = k;
          }
          assert_true(position[c] == best + 1);
        }
      }
      submit("cumsum", operand, 2, &last, 1);
      fetch(q, last, sums, rows, cols);
      for (int c = 0; c < OTHER; c++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += a[c * next + k * step];
          assert_true(sums[c * next + k * step] == sum || isnan(sum));
        }
      }
      free(a), free(up);
    }
}

static void testFactors(void **state) {
  enum { M = 23, N = 14 };
  double *a = noise(M * N, 5), spd[N * N], f[N * N], Q[M * M], R[M * N], p[N], column;
  clQueueId A = put(q, a, M, N), result[3];
  for (int full = 0; full < 2; full++) {
    int k = full ? M : N;
    submit("qr", (clQueueOperand[]){{A, 0}, {0, 1}, {0, !full}}, 3, result, 3);
    fetch(q, result[0], Q, M, k);
    fetch(q, result[1], R, k, N);
    fetch(q, result[2], p, 1, N);
    for (int j = 0; j < N; j++)
      for (int i = 0; i < M; i++)
        assert_true(fabs(product(Q, R, M, k, i, j) - a[i + M * ((int)p[j] - 1)]) < 1e-5);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++) {
        double dot = 0;
        for (int m = 0; m < M; m++)
          dot += Q[m + M * i] * Q[m + M * j];
        assert_true(fabs(dot - (i == j)) < 1e-5);
      }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      spd[i + N * j] = i == j;
      for (int m = 0; m < M; m++)
        spd[i + N * j] += a[m + M * i] * a[m + M * j];
    }
  /* only one triangle counts */
  for (int lower = 0; lower < 2; lower++) {
    double half[N * N];
    for (int k = 0; k < N * N; k++) {
      bool kept = lower ? k % N >= k / N : k % N <= k / N;
      half[k] = kept ? spd[k] : 1e3;
    }
    submit("cholesky", (clQueueOperand[]){{put(q, half, N, N), 0}, {0, lower}}, 2, result, 2);
    fetch(q, result[0], f, N, N);
    fetch(q, result[1], &column, 1, 1);
    assert_true(column == 0);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
          sum += lower ? f[i + N * k] * f[j + N * k] : f[k + N * i] * f[k + N * j];
        assert_true(fabs(sum - spd[i + N * j]) < 1e-4);
        assert_true(lower ? i >= j || f[i + N * j] == 0 : i <= j || f[i + N * j] == 0);
      }
  }
  spd[5 + N * 5] = -1;
  clQueueId S = put(q, spd, N, N);
  submit("cholesky", (clQueueOperand[]){{S, 0}}, 1, result, 2);
  fetch(q, result[1], &column, 1, 1);
  assert_true(column == 6);
  submit("cholesky", (clQueueOperand[]){{S, 0}}, 1, result, 1);
  QFAILS(clQueueWait(q, result[0], -1, &error), TEXLA_SINGULAR, "cholesky: ");
  submit("syrk", (clQueueOperand[]){{submit1(q, "transpose", A), 0}}, 1, result, 1);
  fetch(q, result[0], f, N, N);
  spd[5 + N * 5] = f[5 + N * 5];
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      assert_true(fabs(f[i + N * j] - spd[i + N * j] + (i == j && i != 5)) < 1e-4);
  free(a);
}

/* Tall: the residual is orthogonal to the columns. Wide: the solution solves, and is orthogonal to
 * the null space. */
static void testLeastSquares(void **state) {
  enum { M = 40, N = 9, K = 2 };
  double *a = noise(M * N, 8), *b = noise(M * K, 9), w[M], x[M * K], turned[M * N], y[N * K];
  for (int i = 0; i < M; i++)
    w[i] = i % 7 ? 1 + i % 3 : 0;
  clQueueId A = put(q, a, M, N), B = put(q, b, M, K), result = 0;
  for (int weighted = 0; weighted < 2; weighted++) {
    if (weighted)
      submit("least_squares", (clQueueOperand[]){{A, 0}, {B, 0}, {put(q, w, M, 1), 0}}, 3, &result,
             1);
    else
      result = submit2(q, "solve", A, B);
    fetch(q, result, x, N, K);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++) {
        double dot = 0;
        for (int i = 0; i < M; i++)
          dot += (weighted ? w[i] : 1) * a[i + M * j] * (b[i + M * k] - product(a, x, M, N, i, k));
        assert_true(fabs(dot) < 1e-12);
      }
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      turned[j + N * i] = a[i + M * j];
  clQueueId T = put(q, turned, N, M), C = put(q, y, N, 0);
  fetch(q, submit2(q, "solve", T, C), x, M, 0);
  memcpy(y, b, sizeof y);
  C = put(q, y, N, K);
  fetch(q, submit2(q, "solve", T, C), x, M, K);
  for (int k = 0; k < K; k++)
    for (int i = 0; i < N; i++)
      assert_true(fabs(product(turned, x, N, M, i, k) - y[i + N * k]) < 1e-11);
  /* x = A^T z for some z: fitting it leaves nothing */
  double z[N];
  clQueueId X = put(q, x, M, 1);
  fetch(q, submit2(q, "solve", A, X), z, N, 1);
  for (int i = 0; i < M; i++)
    assert_true(fabs(product(a, z, M, N, i, 0) - x[i]) < 1e-11);
  QFAILS(
      clQueueSubmit(q, "least_squares", (clQueueOperand[]){{T, 0}, {C, 0}}, 2, &result, 1, &error),
      TEXLA_BAD_SHAPE, "not fewer rows than columns");
  w[3] = -1;
  submit("least_squares", (clQueueOperand[]){{A, 0}, {B, 0}, {put(q, w, M, 1), 0}}, 3, &result, 1);
  QFAILS(clQueueWait(q, result, -1, &error), TEXLA_BAD_ARGUMENT, "weight 4 is -1");
  free(a), free(b);
}

/* Doubles are refined to, results of operations are not; numbers stand for whole diagonals. */
static void testTridiagonal(void **state) {
  enum { N = 31, K = 7 };
  double *main = noise(N * K, 2), *b = noise(N * K, 4), x[N * K];
  for (int k = 0; k < N * K; k++)
    main[k] += 4;
  clQueueId D = put(q, main, N, K), B = put(q, b, N, K), result = 0;
  double ones[N], two[N];
  for (int i = 0; i < N; i++)
    ones[i] = -1, two[i] = 2;
  clQueueId column = put(q, ones, N, 1), other = put(q, two, N, 1);
  for (int form = 0; form < 8; form++) {
    bool periodic = form & 1, single = form & 2, columns = form & 4;
    clQueueOperand d = {D, 0}, a = {0, -1}, c = {0, 2};
    if (single)
      d.id = submit1(q, "abs", D);
    if (columns)
      a.id = column, c.id = other;
    submit("tridiagonal", (clQueueOperand[]){a, d, c, {B, 0}, {0, periodic}}, 5, &result, 1);
    fetch(q, result, x, N, K);
    for (int k = 0; k < K; k++)
      for (int i = 0; i < N; i++) {
        double before = 0, after = 0;
        if (i > 0 || periodic)
          before = x[(i + N - 1) % N + N * k];
        if (i < N - 1 || periodic)
          after = x[(i + 1) % N + N * k];
        double r = b[i + N * k] + before - main[i + N * k] * x[i + N * k] - 2 * after;
        assert_true(fabs(r) < (single ? 1e-5 : 1e-14));
      }
  }
  QFAILS(clQueueSubmit(q, "tridiagonal",
                       (clQueueOperand[]){{0, 1}, {D, 0}, {submit1(q, "transpose", B), 0}, {B, 0}},
                       4, &result, 1, &error),
         TEXLA_BAD_SHAPE, "31 x 7 and 7 x 31");
  free(main), free(b);
}

/* A sparse matrix in every storage; its transpose and its values, which stay doubles. */
static void testStorages(void **state) {
  enum { M = 30, N = 22 };
  clTriplets *T = NULL;
  double x[M], y[M], seen[M * N], *a = calloc(M * N, sizeof *a);
  uint64_t random = 77;
  QCHECK(clTripletsCreate(&T, M, N, 0, &error));
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      if (abs(i - j) < 2 || (i * 7 + j) % 11 == 0) {
        a[i + M * j] = randomUnit(&random);
        QCHECK(clTripletsAdd(T, i, j, a[i + M * j], &error));
      }
  QCHECK(clTripletsCompress(T, &error));
  for (int i = 0; i < M; i++)
    x[i] = randomUnit(&random);
  clQueueId A = 0, S = 0, dense = put(q, a, M, N), X = put(q, x, N, 1), Z = put(q, x, M, 1);
  QCHECK(clQueuePutTriplets(q, &A, T, &error));
  for (int storage = 0; storage <= 5; storage++)
    for (int from = 0; from < 2; from++) {
      submit("sparse", (clQueueOperand[]){{from ? dense : A, 0}, {0, storage}}, 2, &S, 1);
      fetch(q, submit2(q, "multiply", S, X), y, M, 1);
      for (int i = 0; i < M; i++)
        assert_true(fabs(y[i] - product(a, x, M, N, i, 0)) < 1e-5);
      fetch(q, submit2(q, "multiply", submit1(q, "transpose", S), Z), y, N, 1);
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < M; i++)
          sum += a[i + M * j] * x[i];
        assert_true(fabs(y[j] - sum) < 1e-5);
      }
    }
  fetch(q, S, seen, M, N);
  assert_memory_equal(seen, a, sizeof seen);
  submit("sparse", (clQueueOperand[]){{A, 0}, {0, 9}}, 2, &S, 1);
  QFAILS(clQueueWait(q, S, -1, &error), TEXLA_BAD_ARGUMENT, "no storage 9");
  clTripletsDestroy(T);
  QCHECK(clTripletsCreate(&T, 100000, 100000, 0, &error));
  QCHECK(clQueuePutTriplets(q, &A, T, &error));
  QCHECK(clQueueRead(q, A, &error));
  QFAILS(clQueueWait(q, A, -1, &error), TEXLA_TOO_LARGE, "a sparse 100000 x 100000 matrix");
  clTripletsDestroy(T);
  free(a);
}

TEST_MAIN(setQueue, endQueue, testOrder, testFactors, testLeastSquares, testTridiagonal,
          testStorages)
