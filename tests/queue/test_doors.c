/* Random systems of all kinds through two doors, clSystemSolve and the queue's `solve`: each has
 * the verdict that the way in which the matrix was made asks for, and an x that holds in long
 * double. TEXLA_DOORS=N: so many; TEXLA_DOORS_FILE: where they are written, with the verdicts, for
 * python/test_doors.py and octave/doors.m. */
#include "queue.h"
#include "texla/system.h"
#include "core/numbers.h"

#ifdef __SANITIZE_ADDRESS__
enum { LONG = 500 };
#else
enum { LONG = 10000 };
#endif
enum { MOST = 60 };
typedef enum kind {
  GENERAL,
  DEFINITE,
  NEARLY,
  INDEFINITE,
  GRADED,
  DOMINANT,
  SINGULAR,
  INCONSISTENT,
  TALL,
  WIDE,
  KINDS
} kind;
static const char *const names[] = {"general", "definite", "nearly symmetric", "indefinite",
                                    "graded",  "dominant", "singular",         "inconsistent",
                                    "tall",    "wide"};

/* A, m x n, column after column. If `made` it is singular: column c is the sum of a and b. */
typedef struct problem {
  kind kind;
  int m, n, a, b, c;
  bool sparse;
  double A[MOST * MOST], right[MOST], x[MOST];
} problem;

static uint64_t state;
static clContext *context;
static clQueue *q;

static int below(int n) {
  return (int)(randomBits(&state) % (uint32_t)n);
}

/* A multiple of 1/64, so that sums of columns are exact. */
static double entry(const problem *p) {
  if (p->sparse && below(4))
    return 0;
  return (below(129) - 64) / 64.0;
}

/* Rows and columns of powers of two between 2^-20 and 2^20. */
static void grade(problem *p) {
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < p->n; k++) {
      double factor = ldexp(1, below(41) - 20);
      for (int l = 0; l < p->n; l++)
        p->A[side ? l + p->m * k : k + p->m * l] *= factor;
    }
}

static void symmetrize(problem *p) {
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < i; j++)
      p->A[i + p->m * j] = p->A[j + p->m * i];
}

/* Column c is made, and right sides to go with it: A times whole numbers, or anything. */
static void makeSingular(problem *p) {
  p->a = below(p->n);
  p->b = (p->a + 1 + below(p->n - 1)) % p->n;
  do
    p->c = below(p->n);
  while (p->c == p->a || p->c == p->b);
  for (int i = 0; i < p->m; i++)
    p->A[i + p->m * p->c] = p->A[i + p->m * p->a] + p->A[i + p->m * p->b];
}

static void fill(problem *p, int round) {
  p->kind = (kind)(round % KINDS);
  p->sparse = below(2);
  p->m = p->n = p->kind >= SINGULAR ? 3 + below(MOST - 2) : below(MOST + 1);
  if (p->kind == TALL)
    p->n = 1 + below(p->m - 1);
  if (p->kind == WIDE)
    p->m = 1 + below(p->n - 1);
  for (int k = 0; k < p->m * p->n; k++)
    p->A[k] = entry(p);
  if (p->kind == DEFINITE || p->kind == NEARLY || p->kind == INDEFINITE)
    symmetrize(p);
  for (int k = 0; k < txLeast(p->m, p->n) && p->kind != SINGULAR && p->kind != INCONSISTENT; k++) {
    double sign = p->kind == INDEFINITE && k % 2 ? -1 : 1;
    p->A[k + p->m * k] += sign * (p->kind == GENERAL ? 4 : 2 * MOST);
  }
  if (p->kind == NEARLY && p->n > 1)
    p->A[1] += ldexp(1, -20 - below(20));
  if (p->kind == GRADED)
    grade(p);
  if (p->kind == SINGULAR || p->kind == INCONSISTENT)
    makeSingular(p);
  for (int i = 0; i < p->m; i++)
    p->right[i] = p->kind == SINGULAR ? 0 : randomUnit(&state);
  for (int j = 0; j < p->n && p->kind == SINGULAR; j++)
    for (int i = 0, x = below(9) - 4; i < p->m; i++)
      p->right[i] += x * p->A[i + p->m * j];
}

/* r = b - A x in long double: the componentwise backward error, ||r||, and ||A^T r|| beside
 * ||A|| ||r||. */
typedef struct truth {
  double backward, residual, size, gradient;
} truth;

static truth examine(const problem *p, const double *x) {
  long double r[MOST], square = 0, all = 0, g = 0, b = 0;
  truth t = {0};
  for (int i = 0; i < p->m; i++) {
    long double terms = fabs(p->right[i]);
    r[i] = p->right[i];
    for (int j = 0; j < p->n; j++) {
      r[i] -= (long double)p->A[i + p->m * j] * x[j];
      terms += fabsl((long double)p->A[i + p->m * j] * x[j]);
    }
    if (terms > 0)
      t.backward = fmax(t.backward, (double)(fabsl(r[i]) / terms));
    square += r[i] * r[i];
    b += (long double)p->right[i] * p->right[i];
  }
  for (int j = 0; j < p->n; j++) {
    long double sum = 0;
    for (int i = 0; i < p->m; i++) {
      sum += p->A[i + p->m * j] * r[i];
      all += (long double)p->A[i + p->m * j] * p->A[i + p->m * j];
    }
    g += sum * sum;
  }
  t.residual = (double)sqrtl(square);
  t.size = (double)sqrtl(b);
  t.gradient = (double)sqrtl(g / fmaxl(all * fmaxl(square, b), LDBL_MIN));
  return t;
}

/* The matrix that was made has no other null vector, unless it is small or sparse: then it is
 * orthogonal to the shortest solution. */
static bool shortest(const problem *p) {
  double along = p->x[p->a] + p->x[p->b] - p->x[p->c], size = 1;
  for (int j = 0; j < p->n; j++)
    size = fmax(size, fabs(p->x[j]));
  return fabs(along) <= 1e-11 * size;
}

static clTriplets *tripletsOf(const problem *p) {
  clTriplets *T = NULL;
  QCHECK(clTripletsCreate(&T, p->m, p->n, 0, &error));
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++)
      if (p->A[i + p->m * j] != 0)
        QCHECK(clTripletsAdd(T, i, j, p->A[i + p->m * j], &error));
  QCHECK(clTripletsCompress(T, &error));
  return T;
}

/* By clSystemSolve, with the methods auto and plu by turns. */
static bool solvesHere(problem *p, const clTriplets *T, int round) {
  AT_END(clSystemReportClear) clSystemReport report = {0};
  clSystemOptions options = {.solver.method = TEXLA_METHOD_AUTO, .refine = true};
  if (round / KINDS % 2)
    options.solver.method = TEXLA_METHOD_PLU;
  memset(p->x, 0, sizeof p->x);
  clStatus status = clSystemSolve(context, T, p->right, p->x, &options, &report);
  assert_true(status >= 0);
  truth t = examine(p, p->x);
  bool solved = t.residual <= 1.001e-12 * t.size || t.backward <= 9 * DBL_EPSILON;
  bool right = clReasonSolved(report.reason) && solved;
  if (p->kind == INCONSISTENT)
    right = right || (report.reason == TEXLA_REASON_INCONSISTENT && t.gradient <= 1e-12);
  if (!right)
    print_message("clSystemSolve: %s (%s), residual %.3g of %.3g, backward error %.3g\n",
                  report.verdict, report.chosen_because, t.residual, t.size, t.backward);
  return right;
}

/* By the queue; of a singular matrix it is an error, or the shortest solution. */
static bool solvesThere(problem *p, const clTriplets *T, bool tolerant) {
  clQueueId id = 0, A = 0;
  clQueueOperand operand[] = {{0, 0}, {put(q, p->right, p->m, 1), 0}, {0, tolerant}};
  clHostMatrix out = doubles(p->x, p->n, 1);
  bool made = p->kind == SINGULAR || p->kind == INCONSISTENT;
  if (p->sparse)
    QCHECK(clQueuePutTriplets(q, &A, T, &error));
  else
    A = put(q, p->A, p->m, p->n);
  operand[0].id = A;
  QCHECK(clQueueSubmit(q, "solve", operand, 3, &id, 1, &error));
  clStatus status = clQueueFetch(q, id, &out, 60, &error);
  QCHECK(clQueueRelease(q, id, &error));
  QCHECK(clQueueRelease(q, A, &error));
  QCHECK(clQueueRelease(q, operand[1].id, &error));
  if (made && !tolerant)
    return status == TEXLA_SINGULAR;
  truth t = examine(p, p->x);
  bool right = status == TEXLA_OK && (t.backward <= 9 * DBL_EPSILON || t.gradient <= 1e-13);
  if (p->kind == SINGULAR)
    right = status == TEXLA_OK && t.residual <= 1e-12 * t.size && shortest(p);
  if (p->kind == INCONSISTENT)
    right = status == TEXLA_OK && shortest(p) && t.gradient <= 1e-12;
  if (!right)
    print_message("solve: status %d, %s; residual %.3g of %.3g, backward error %.3g, gradient "
                  "%.3g\n",
                  status, status < 0 ? error.message : "", t.residual, t.size, t.backward,
                  t.gradient);
  return right;
}

static void write(FILE *to, const problem *p) {
  fprintf(to, "%d %d %d %d\n", p->kind, p->m, p->n, p->sparse);
  for (int k = 0; k < p->m * p->n; k++)
    fprintf(to, "%.17g ", p->A[k]);
  for (int k = 0; k < p->m; k++)
    fprintf(to, "%.17g ", p->right[k]);
  for (int k = 0; k < p->n; k++)
    fprintf(to, "%.17g ", p->x[k]);
  fprintf(to, "\n");
}

static void randomSystems(void **unused) {
  (void)unused;
  static problem p;
  const char *asked = getenv("TEXLA_DOORS"), *path = getenv("TEXLA_DOORS_FILE");
  int count = testLong() ? LONG : 40, wrong = 0;
  if (asked)
    count = atoi(asked);
  FILE *to = path ? fopen(path, "w") : NULL;
  for (int round = 0; round < count; round++) {
    state = (uint64_t)round * 7919 + 1;
    fill(&p, round);
    OWN(clTriplets) *T = tripletsOf(&p);
    bool right = p.m != p.n || solvesHere(&p, T, round);
    right = solvesThere(&p, T, false) && right;
    right = solvesThere(&p, T, true) && right;
    if (to)
      write(to, &p);
    if (!right && wrong++ < 50)
      print_message("-- system %d: %s, %d x %d%s\n", round, names[p.kind], p.m, p.n,
                    p.sparse ? ", sparse" : "");
  }
  if (to)
    fclose(to);
  print_message("%d systems, %d right\n", count, count - wrong);
  assert_int_equal(wrong, 0);
}

static int openDoors(void **unused) {
  (void)unused;
  QCHECK(clContextCreate(&context, &(clContextOptions){.no_tuning_cache = true}, &error));
  q = queueWith((clQueueOptions){0});
  return 0;
}

static int closeDoors(void **unused) {
  (void)unused;
  clQueueDestroy(q);
  clContextDestroy(context);
  return 0;
}

TEST_MAIN(openDoors, closeDoors, randomSystems)
