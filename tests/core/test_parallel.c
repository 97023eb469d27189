/* Loops on several threads: every element once, sums that do not depend on threads, norms of any
 * size. */
#include "core/parallel.h"
#include "common.h"

typedef struct vector {
  double *v, scale;
} vector;

static void touch(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  vector *a = user;
  for (int64_t i = first; i < last; i++) {
    a->v[i]++;
    sum[0]++;
    sum[1] += (double)i;
  }
}

static void testEveryElementOnce(void **state) {
  static const int64_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 32767, 32768, 100003};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int64_t n = sizes[k];
    double *v = calloc((size_t)n + 1, sizeof *v), sum[TX_SUMS];
    txParallel(n, touch, &(vector){.v = v}, sum);
    for (int64_t i = 0; i < n; i++)
      assert_true(v[i] == 1);
    assert_true(v[n] == 0);
    assert_true(sum[0] == (double)n && sum[1] == (double)n * (double)(n - 1) / 2);
    free(v);
  }
}

static void testCopies(void **state) {
  static const int64_t sizes[] = {0, 1, 65, 32767, 100003};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int64_t n = sizes[k];
    FREED char *from = malloc((size_t)n + 1), *to = calloc((size_t)n + 1, 1);
    for (int64_t i = 0; i <= n; i++)
      from[i] = (char)(i % 127 + 1);
    txParallelCopy(to, from, n);
    for (int64_t i = 0; i < n; i++)
      assert_true(to[i] == from[i]);
    assert_true(to[n] == 0);
  }
}

static void addSquares(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const vector *a = user;
  for (int64_t i = first; i < last; i++)
    sum[0] += (a->scale * a->v[i]) * (a->scale * a->v[i]);
}

static double norm(double *v, int64_t n) {
  vector a = {.v = v};
  return txParallelNorm(n, addSquares, &a, &a.scale, NULL);
}

static void testNorms(void **state) {
  enum { N = 70001 };
  static const double factors[] = {1, 1e-3, 1e200, 1e-200, 1e300, 1e-300};
  FREED double *v = malloc(N * sizeof *v);
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    /* N / 2 pairs of length 5, and one 4 */
    for (int i = 0; i < N; i++)
      v[i] = i % 2 ? 3 * factors[k] : -4 * factors[k];
    double exact = factors[k] * sqrt(25 * (N / 2) + 16);
    assert_true(fabs(norm(v, N) - exact) <= 1e-12 * exact);
    assert_true(norm(v, N) == norm(v, N));
  }
  v[N - 1] = INFINITY;
  assert_true(isnan(norm(v, N)));
  v[N - 1] = NAN;
  assert_true(isnan(norm(v, N)));
  for (int i = 0; i < N; i++)
    v[i] = 0;
  assert_true(norm(v, N) == 0);
}

TEST_MAIN(NULL, NULL, testEveryElementOnce, testCopies, testNorms)
