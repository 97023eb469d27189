/* Powers of two for rows and columns: what the duals of an assignment promise. */

#include "common.h"
#include "core/balance.h"

/* The scaled exponent of the entry in place k of row i. */
static int scaled(const txSizes *s, const int32_t *row, const int32_t *col, int32_t i, int64_t k) {
  return s->exponent[k] + row[i] + col[s->col[k]];
}

/* No scaled entry above 1, and one of at least 1/2 in each row that has any. */
static void check(const txSizes *s, const int32_t *row, const int32_t *col) {
  for (int32_t i = 0; i < s->rows; i++) {
    int most = -1000;
    for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
      if (scaled(s, row, col, i, k) > most)
        most = scaled(s, row, col, i, k);
    assert_true(most == 0 || s->start[i] == s->start[i + 1]);
  }
}

static txSizes create(int32_t rows, int32_t cols) {
  txSizes s;
  clError error = {0};
  assert_int_equal(txSizesCreate(&s, rows, cols, (int64_t)rows * cols, "test", &error), TEXLA_OK);
  s.start[0] = 0;
  return s;
}

/* Appends an entry to row i, the last one so far. */
static void add(txSizes *s, int32_t i, int32_t j, int exponent) {
  int64_t k = s->start[i + 1]++;
  s->col[k] = j;
  s->exponent[k] = (int16_t)exponent;
}

static void balance(const txSizes *s, int32_t **row, int32_t **col) {
  clError error = {0};
  *row = malloc((size_t)s->rows * sizeof **row);
  *col = malloc((size_t)s->cols * sizeof **col);
  assert_int_equal(txBalance(*row, *col, s, "test", &error), TEXLA_OK);
  check(s, *row, *col);
}

/* Finds row i a column of its own among entries of at least 1/2, by Kuhn's method. */
static bool match(const txSizes *s, const int32_t *row, const int32_t *col, int32_t i, bool *seen,
                  int32_t *owner) {
  for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
    int32_t j = s->col[k];
    if (seen[j] || scaled(s, row, col, i, k) < 0)
      continue;
    seen[j] = true;
    if (owner[j] < 0 || match(s, row, col, owner[j], seen, owner)) {
      owner[j] = i;
      return true;
    }
  }
  return false;
}

/* D B E, with a diagonal and a part of the other entries: each row has an entry of at least 1/2
 * in a column of its own, as far as there are columns. */
static void randomMatricesAreBalanced(void **state) {
  uint64_t random = 7;
  for (int c = 0; c < 200; c++) {
    int32_t m = 1 + c % 13, n = 1 + c / 13 % 11, *row, *col, owner[11], matched = 0;
    int rows[13], cols[11];
    for (int i = 0; i < 13; i++)
      rows[i] = (int)(150 * randomUnit(&random));
    for (int j = 0; j < 11; j++)
      cols[j] = (int)(150 * randomUnit(&random));
    AT_END(txSizesDestroy) txSizes s = create(m, n);
    for (int32_t i = 0; i < m; i++) {
      s.start[i + 1] = s.start[i];
      for (int32_t j = 0; j < n; j++)
        if (randomUnit(&random) > -0.6 || i % n == j % m)
          add(&s, i, j, rows[i] + cols[j] - (int)(1.5 + 1.5 * randomUnit(&random)));
    }
    balance(&s, &row, &col);
    for (int32_t j = 0; j < n; j++)
      owner[j] = -1;
    for (int32_t i = 0; i < m; i++) {
      bool seen[11] = {false};
      matched += match(&s, row, col, i, seen, owner);
    }
    assert_int_equal(matched, m < n ? m : n);
    free(row);
    free(col);
  }
}

/* Exponents -i j / n make searches long: looked at without a bound, each entry is seen hundreds of
 * times. What is given up then is a row's own column, not the bounds of entries. */
static void longSearchesEnd(void **state) {
  enum { N = 1200 };
  int32_t *row, *col;
  AT_END(txSizesDestroy) txSizes s = create(N, N);
  for (int32_t i = 0; i < N; i++) {
    s.start[i + 1] = s.start[i];
    for (int32_t j = 0; j < N; j++)
      add(&s, i, j, -i * j / N);
  }
  balance(&s, &row, &col);
  free(row);
  free(col);
}

TEST_MAIN(NULL, NULL, randomMatricesAreBalanced, longSearchesEnd)
