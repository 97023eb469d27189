/* Operations of sparse matrices against the same ones of dense operands, which take other ways: on
 * random matrices of odd shapes. Those that say so stay sparse; and what no memory could hold with
 * its zeros is computed, or refused with advice. */
#include "queue.h"

static clQueue *q;
static int tried;

static int setQueue(void **state) {
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int endQueue(void **state) {
  clQueueDestroy(q);
  print_message("operations of sparse matrices: %d tried, %d right\n", tried, tried);
  return 0;
}

enum { M = 7, N = 5, MOST = 4096 };

/* Some zeros, some whole columns and rows of zeros, halves, both signs. */
static void fill(double *a, int count, unsigned seed) {
  for (int k = 0; k < count; k++) {
    seed = seed * 1664525 + 1013904223;
    a[k] = seed >> 30 ? 0 : (double)((seed >> 20) % 17) / 2 - 4;
  }
}

/* Some zeros are entries, too. */
static clQueueId putSparse(const double *a, int rows, int cols) {
  OWN(clTriplets) *T = NULL;
  clQueueId id = 0;
  QCHECK(clTripletsCreate(&T, rows, cols, 0, &error));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      if (a[i + rows * j] != 0 || (i + j) % 3 == 1)
        QCHECK(clTripletsAdd(T, i, j, a[i + rows * j], &error));
  QCHECK(clQueuePutTriplets(q, &id, T, &error));
  return id;
}

/* The operation of both: as many numbers, and the same ones. */
static void compare(const char *name, const clQueueOperand *sparse, const clQueueOperand *dense,
                    int operands, bool stays) {
  static double seen[MOST], wanted[MOST];
  clQueueId s = 0, d = 0;
  int64_t rows, cols, other_rows, other_cols;
  QCHECK(clQueueSubmit(q, name, sparse, operands, &s, 1, &error));
  QCHECK(clQueueSubmit(q, name, dense, operands, &d, 1, &error));
  QCHECK(clQueueShape(q, s, &rows, &cols, &error));
  QCHECK(clQueueShape(q, d, &other_rows, &other_cols, &error));
  assert_true(rows == other_rows && cols == other_cols && rows * cols <= MOST);
  if (clQueueIsSparse(q, s) != stays)
    fail_msg("%s: sparse is %d", name, !stays);
  fetch(q, s, seen, rows, cols);
  fetch(q, d, wanted, rows, cols);
  for (int64_t k = 0; k < rows * cols; k++)
    if (!(fabs(seen[k] - wanted[k]) <= 1e-5 * (1 + fabs(wanted[k]))))
      fail_msg("%s: entry %lld is %g instead of %g", name, (long long)k, seen[k], wanted[k]);
  tried++;
  QCHECK(clQueueRelease(q, s, &error));
  QCHECK(clQueueRelease(q, d, &error));
}

/* Two matrices of the same shape, each also dense. */
typedef struct sample {
  clQueueId sparse[2], dense[2];
} sample;

static sample sampleOf(unsigned seed, int rows, int cols) {
  static double a[2][MOST];
  sample s;
  for (int k = 0; k < 2; k++) {
    fill(a[k], rows * cols, 2 * seed + (unsigned)k);
    s.sparse[k] = putSparse(a[k], rows, cols);
    s.dense[k] = put(q, a[k], rows, cols);
  }
  return s;
}

static void compareBoth(const char *name, sample s, bool stays) {
  compare(name, (clQueueOperand[]){{s.sparse[0], 0}, {s.sparse[1], 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {s.dense[1], 0}}, 2, stays);
}

/* Numbers on either side. */
static void compareNumber(const char *name, sample s, double c, bool stays) {
  compare(name, (clQueueOperand[]){{s.sparse[0], 0}, {0, c}},
          (clQueueOperand[]){{s.dense[0], 0}, {0, c}}, 2, stays);
}

static void testPairs(void **state) {
  static const char *const both[] = {"plus", "minus", "times", "max2", "min2", "lt",
                                     "gt",   "ne",    "and",   "or",   "hypot"};
  static const char *const none[] = {"le", "ge", "eq"};
  for (unsigned seed = 0; seed < 6; seed++) {
    sample s = sampleOf(seed, M + (int)seed % 2, N);
    for (size_t k = 0; k < sizeof both / sizeof *both; k++)
      compareBoth(both[k], s, true);
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
      compareBoth(none[k], s, false);
    compareNumber("power", s, 2, true);
    compareNumber("power", s, 0, false);
    compareNumber("gt", s, 0, true);
    compareNumber("ge", s, 1.5, true);
    compareNumber("lt", s, 1.5, false);
    compareNumber("ne", s, 0, true);
    compareNumber("eq", s, -2, true);
    compareNumber("eq", s, 0, false);
    compareNumber("max2", s, -1, true);
    compareNumber("max2", s, 1, false);
    compareNumber("mod", s, -3, true);
    compareNumber("rem", s, 1.5, true);
    compareNumber("rdivide", s, 4, true);
    compare("lt", (clQueueOperand[]){{0, 0.5}, {s.sparse[0], 0}},
            (clQueueOperand[]){{0, 0.5}, {s.dense[0], 0}}, 2, true);
  }
}

/* Rows, columns and whole matrices of factors. */
static void testScales(void **state) {
  double factor[M * N];
  sample s = sampleOf(11, M, N);
  for (int k = 0; k < M * N; k++)
    factor[k] = 0.5 + k;
  static const int64_t shape[][2] = {{M, N}, {M, 1}, {1, N}, {1, 1}};
  for (int k = 0; k < 4; k++) {
    clQueueId f = put(q, factor, shape[k][0], shape[k][1]);
    compare("times", (clQueueOperand[]){{s.sparse[0], 0}, {f, 0}},
            (clQueueOperand[]){{s.dense[0], 0}, {f, 0}}, 2, true);
    compare("times", (clQueueOperand[]){{f, 0}, {s.sparse[0], 0}},
            (clQueueOperand[]){{f, 0}, {s.dense[0], 0}}, 2, true);
    compare("rdivide", (clQueueOperand[]){{s.sparse[0], 0}, {f, 0}},
            (clQueueOperand[]){{s.dense[0], 0}, {f, 0}}, 2, k > 0);
  }
  factor[3] = 0;
  clQueueId quotient = submit2(q, "rdivide", s.sparse[0], put(q, factor, M, 1));
  QFAILS(clQueueWait(q, quotient, -1, &error), TEXLA_NOT_FINITE, "entry (4, 1) of operand 2 is 0");
}

static void testFolds(void **state) {
  static const char *const folds[] = {"sum", "prod", "max", "min", "argmax", "argmin"};
  static const int shape[][2] = {{M, N}, {1, N}, {M, 1}, {2, 3}, {1, 1}};
  for (unsigned seed = 0; seed < 40; seed++) {
    sample s = sampleOf(seed, shape[seed % 5][0], shape[seed % 5][1]);
    for (size_t k = 0; k < sizeof folds / sizeof *folds; k++)
      for (int dim = 1; dim <= 2; dim++)
        compareNumber(folds[k], s, dim, false);
  }
}

static void testMoves(void **state) {
  double list[] = {4, 1, 4, 35}, rows[] = {7, 2, 2}, column[] = {3, 0, -1, 2, 5, 0, 1};
  sample s = sampleOf(23, M, N), v = sampleOf(29, M, 1);
  clQueueId at = put(q, list, 2, 2), some = put(q, rows, 1, 3), c = put(q, column, M, 1);
  static const double numbers[][4] = {{5, 7}, {35, 1}, {1, 35}};
  for (int k = 0; k < 3; k++)
    compare("reshape", (clQueueOperand[]){{s.sparse[0], 0}, {0, numbers[k][0]}, {0, numbers[k][1]}},
            (clQueueOperand[]){{s.dense[0], 0}, {0, numbers[k][0]}, {0, numbers[k][1]}}, 3, true);
  compare("repmat", (clQueueOperand[]){{s.sparse[0], 0}, {0, 2}, {0, 3}},
          (clQueueOperand[]){{s.dense[0], 0}, {0, 2}, {0, 3}}, 3, true);
  compare("resize", (clQueueOperand[]){{s.sparse[0], 0}, {0, 9}, {0, 3}},
          (clQueueOperand[]){{s.dense[0], 0}, {0, 9}, {0, 3}}, 3, true);
  compare("select", (clQueueOperand[]){{s.sparse[0], 0}, {at, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {at, 0}}, 2, true);
  compare("index", (clQueueOperand[]){{s.sparse[0], 0}, {some, 0}, {0, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {some, 0}, {0, 0}}, 3, true);
  for (int k = -2; k <= 2; k += 2) {
    compareNumber("diagonal", s, k, false);
    compareNumber("diagonal_matrix", v, k, true);
    compareNumber("tril", s, k, true);
    compareNumber("triu", s, k, true);
  }
  compareBoth("horzcat", s, true);
  compareBoth("vertcat", s, true);
  compareBoth("kron", s, true);
  compare("horzcat", (clQueueOperand[]){{s.sparse[0], 0}, {c, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {c, 0}}, 2, true);
  compare("horzcat", (clQueueOperand[]){{c, 0}, {s.sparse[0], 0}},
          (clQueueOperand[]){{c, 0}, {s.dense[0], 0}}, 2, true);
  compare("multiply", (clQueueOperand[]){{c, 0}, {s.sparse[0], 0}, {0, 1}, {0, 0}},
          (clQueueOperand[]){{c, 0}, {s.dense[0], 0}, {0, 1}, {0, 0}}, 4, false);
  compare("multiply", (clQueueOperand[]){{s.dense[1], 0}, {s.sparse[0], 0}, {0, 0}, {0, 1}},
          (clQueueOperand[]){{s.dense[1], 0}, {s.dense[0], 0}, {0, 0}, {0, 1}}, 4, false);
}

/* Where one place is written twice the last entry counts. */
static void testWrites(void **state) {
  double rows[] = {7, 2, 2}, cols[] = {1, 5}, values[] = {1, 2, 3, 4, 0, 6}, list[] = {9, 35, 9};
  sample s = sampleOf(31, M, N);
  clQueueId i = put(q, rows, 1, 3), j = put(q, cols, 2, 1), w = put(q, values, 3, 2),
            k = put(q, list, 3, 1), three = put(q, values, 1, 3);
  compare("write", (clQueueOperand[]){{s.sparse[0], 0}, {i, 0}, {j, 0}, {w, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {i, 0}, {j, 0}, {w, 0}}, 4, true);
  compare("write", (clQueueOperand[]){{s.sparse[0], 0}, {0, 3}, {0, 0}, {0, 7}},
          (clQueueOperand[]){{s.dense[0], 0}, {0, 3}, {0, 0}, {0, 7}}, 4, true);
  compare("write_select", (clQueueOperand[]){{s.sparse[0], 0}, {k, 0}, {three, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {k, 0}, {three, 0}}, 3, true);
  compare("write_select", (clQueueOperand[]){{s.sparse[0], 0}, {0, 1}, {0, 0}},
          (clQueueOperand[]){{s.dense[0], 0}, {0, 1}, {0, 0}}, 3, true);
  QCHECK(clQueueSubmit(q, "write_select", (clQueueOperand[]){{s.sparse[0], 0}, {0, 36}, {0, 1}}, 3,
                       &k, 1, &error));
  QFAILS(clQueueWait(q, k, -1, &error), TEXLA_BAD_ARGUMENT, "index 36 is out of bound 35");
}

/* 100000 x 100000 with its zeros would need 40 GB. */
static void testLarge(void **state) {
  enum { LARGE = 100000 };
  clTriplets *T = NULL;
  clQueueId A = 0, B = 0;
  double x;
  QCHECK(clTripletsCreate(&T, LARGE, LARGE, 0, &error));
  for (int k = 0; k < LARGE; k++)
    QCHECK(clTripletsAdd(T, k, k, k == 5 ? -2 : 1, &error));
  QCHECK(clQueuePutTriplets(q, &A, T, &error));
  clTripletsDestroy(T);
  B = submit2(q, "vertcat", A, submit2(q, "times", A, A));
  QCHECK(clQueueSubmit(q, "sum", (clQueueOperand[]){{B, 0}, {0, 1}}, 2, &B, 1, &error));
  QCHECK(clQueueSubmit(q, "min", (clQueueOperand[]){{B, 0}, {0, 2}}, 2, &B, 1, &error));
  fetch(q, B, &x, 1, 1);
  assert_true(x == 2);
  QFAILS(clQueueSubmit(q, "plus", (clQueueOperand[]){{A, 0}, {0, 1}}, 2, &B, 1, &error),
         TEXLA_TOO_LARGE, "use parts of the sparse operand");
  QFAILS(clQueueSubmit(q, "kron", (clQueueOperand[]){{A, 0}, {A, 0}}, 2, &B, 1, &error),
         TEXLA_TOO_LARGE, "the result would be 10000000000 x 10000000000");
  B = submit1(q, "sqrt", A);
  QFAILS(clQueueWait(q, B, -1, &error), TEXLA_NOT_FINITE, "entry (6, 6) would be no real number");
}

TEST_MAIN(setQueue, endQueue, testPairs, testScales, testFolds, testMoves, testWrites, testLarge)
