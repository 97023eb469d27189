/* The table: every operation can be listed, found and run; results against plain loops; refusals of
 * each kind of operand. */
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

/* Operands of a shape that all take: 2 x 2, regular, positive; numbers that all take, but where a
 * row says otherwise. */
static int operandsFor(const clQueueOperationInfo *o, clQueueId A, clQueueId V,
                       clQueueOperand *operand) {
  static const struct {
    /* A, V: the matrix, a column; digits: that number */
    const char *name, *kinds;
  } special[] = {{"diagonal_matrix", "V0"}, {"reshape", "A22"},
                 {"cg", "AV051"},           {"bicgstab", "AV051"},
                 {"gmres", "AV051"},        {"iterate", "AV051"},
                 {"write", "A121"},         {"write_select", "A31"},
                 {"multigrid", "AV"},       {"syrk", "AV"},
                 {"least_squares", "AV"},   {"tridiagonal", "141A"},
                 {"multiply", "AA"},        {"rref", "A"}};
  const char *kinds = o->operands;
  for (size_t k = 0; k < sizeof special / sizeof *special; k++)
    if (!strcmp(o->name, special[k].name))
      kinds = special[k].kinds;
  int n = (int)strlen(kinds);
  for (int k = 0; k < n; k++)
    if (kinds[k] == 'V')
      operand[k] = (clQueueOperand){V, 0};
    else if (strchr("Amv", kinds[k]))
      operand[k] = (clQueueOperand){A, 0};
    else if (kinds[k] >= '0' && kinds[k] <= '9')
      operand[k] = (clQueueOperand){0, kinds[k] - '0'};
    else
      operand[k] = (clQueueOperand){0, 1};
  return n;
}

/* Every operation can be listed, runs, and counts its operands and results. */
static void testAll(void **state) {
  clQueueOperationInfo o;
  double a[] = {4, 1, 1, 3}, v[] = {2, 1};
  clQueueId A = put(q, a, 2, 2), V = put(q, v, 2, 1);
  int count = 0;
  for (; clQueueOperation(count, &o); count++) {
    clQueueOperand operand[TEXLA_QUEUE_OPERANDS] = {{0}};
    clQueueId result[TEXLA_QUEUE_RESULTS];
    int n = operandsFor(&o, A, V, operand);
    /* a full 2 x 2 matrix is no stencil */
    bool grid = !strcmp(o.name, "multigrid");
    QCHECK(clQueueSubmit(q, o.name, operand, n, result, o.results, &error));
    for (int k = 0; k < o.results && !grid; k++) {
      clStatus status = clQueueWait(q, result[k], 60, &error);
      if (status)
        print_error("%s\n", o.name);
      QCHECK(status);
    }
    assert_true(strlen(o.help) > 0);
    QFAILS(clQueueSubmit(q, o.name, operand, 0, result, 1, &error), TEXLA_BAD_ARGUMENT,
           "0 operands instead of");
    QFAILS(clQueueSubmit(q, o.name, operand, n, result, o.results + 1, &error), TEXLA_BAD_ARGUMENT,
           "results instead of");
  }
  assert_true(count > 90);
  assert_false(clQueueOperation(-1, &o));
}

/* A map, a broadcast, a gather and a fold of several passes. */
static void testKernels(void **state) {
  enum { M = 37, N = 300 };
  double *a = malloc(M * N * sizeof *a), *seen = malloc(M * N * sizeof *seen), column[M];
  uint64_t random = 5;
  for (int k = 0; k < M * N; k++)
    a[k] = (double)(randomBits(&random) % 16);
  for (int i = 0; i < M; i++)
    column[i] = i;
  clQueueId A = put(q, a, M, N), V = put(q, column, M, 1), S = 0, T = submit1(q, "transpose", A);
  fetch(q, submit2(q, "plus", submit2(q, "times", A, A), V), seen, M, N);
  for (int k = 0; k < M * N; k++)
    assert_true(seen[k] == a[k] * a[k] + k % M);
  fetch(q, T, seen, N, M);
  for (int k = 0; k < M * N; k++)
    assert_true(seen[k / M + k % M * N] == a[k]);
  QCHECK(clQueueSubmit(q, "sum", (clQueueOperand[]){{A, 0}, {0, 2}}, 2, &S, 1, &error));
  fetch(q, S, seen, M, 1);
  for (int i = 0; i < M; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++)
      sum += a[i + M * j];
    assert_true(seen[i] == sum);
  }
  clQueueId chosen = 0;
  double rows[] = {3, 1, 3};
  QCHECK(clQueueSubmit(q, "index", (clQueueOperand[]){{A, 0}, {put(q, rows, 1, 3), 0}, {0, 7}}, 3,
                       &chosen, 1, &error));
  fetch(q, chosen, seen, 3, 1);
  assert_true(seen[0] == a[2 + M * 6] && seen[1] == a[M * 6] && seen[2] == a[2 + M * 6]);
  free(a);
  free(seen);
}

/* Doubles are refined to, sparse or dense; floats are not. */
static void testSolve(void **state) {
  enum { N = 30 };
  double a[N * N], b[N], x[N], y[N];
  uint64_t random = 7;
  OWN(clTriplets) *T = NULL;
  QCHECK(clTripletsCreate(&T, N, N, 0, &error));
  for (int k = 0; k < N * N; k++) {
    a[k] = randomUnit(&random) + (k % (N + 1) == 0 ? N : 0);
    QCHECK(clTripletsAdd(T, k % N, k / N, a[k], &error));
  }
  QCHECK(clTripletsCompress(T, &error));
  for (int i = 0; i < N; i++)
    x[i] = randomUnit(&random);
  clTripletsMulVector(b, T, x);
  clQueueId sparse = 0, B = put(q, b, N, 1);
  QCHECK(clQueuePutTriplets(q, &sparse, T, &error));
  clQueueId from[] = {put(q, a, N, N), sparse};
  for (int form = 0; form < 2; form++) {
    fetch(q, submit2(q, "solve", from[form], B), y, N, 1);
    for (int i = 0; i < N; i++)
      assert_true(fabs(y[i] - x[i]) < 1e-12);
  }
  fetch(q, submit2(q, "multiply", sparse, put(q, x, N, 1)), y, N, 1);
  for (int i = 0; i < N; i++)
    assert_true(fabs(y[i] - b[i]) < 1e-4);
}

TEST_MAIN(setQueue, endQueue, testAll, testKernels, testSolve)
