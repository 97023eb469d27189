/* Several right-hand sides at once: each must end as it would alone. */
#include <float.h>
#include <math.h>

#include "folder.h"
#include "matrices.h"
#include "oracle/vector.h"
#include "texla/system.h"

#include "one_context.h"

static const double eps = FLT_EPSILON;
enum { MOST = 8 };

/* A system with `count` right-hand sides. */
typedef struct Block {
  clTriplets *A;
  clMatrix *matrix;
  int64_t n;
  int count;
  clVector *x[MOST], *b[MOST];
  float *host_b[MOST], *host_x;
  clSolverReport report[MOST];
} Block;

/* Takes over A. The right-hand sides are zeros. */
static Block makeBlock(clTriplets *A, const clMatrixOptions *options, int count) {
  Block s = {.A = A, .n = A->rows, .count = count};
  CHECK(clMatrixCreate(&s.matrix, context, A, options));
  s.host_x = calloc((size_t)s.n, sizeof *s.host_x);
  for (int j = 0; j < count; j++) {
    CHECK(clMatrixCreateVector(&s.x[j], s.matrix, TEXLA_DOMAIN));
    CHECK(clMatrixCreateVector(&s.b[j], s.matrix, TEXLA_RANGE));
    s.host_b[j] = calloc((size_t)s.n, sizeof *s.host_b[j]);
  }
  return s;
}

static void destroyBlock(Block *s) {
  for (int j = 0; j < MOST; j++) {
    clVectorDestroy(s->x[j]);
    clVectorDestroy(s->b[j]);
    free(s->host_b[j]);
  }
  free(s->host_x);
  clMatrixDestroy(s->matrix);
  clTripletsDestroy(s->A);
}

static void upload(Block *s) {
  for (int j = 0; j < s->count; j++) {
    CHECK(clVectorUpload(s->b[j], s->host_b[j]));
    CHECK(clVectorClear(s->x[j]));
  }
}

/* Right-hand sides of very different difficulty, in turns: zero, an eigenvector of the Poisson
 * matrix, noise, large noise, one point. */
static void fillMixed(Block *s, int nx, int ny) {
  for (int j = 0; j < s->count; j++) {
    float most = j % 5 == 3 ? 1000 : 1;
    if (j % 5 >= 2)
      oracleFill(s->host_b[j], s->n, (uint32_t)j + 5, -most, most);
    for (int64_t i = 0; i < s->n; i++) {
      double u = (double)(i % nx + 1) / (nx + 1), v = (double)(i / nx + 1) / (ny + 1),
             pi = acos(-1);
      if (j % 5 == 1)
        s->host_b[j][i] = (float)(sin(pi * u) * sin(pi * v));
      if (j % 5 == 4)
        s->host_b[j][i] = i == s->n / 3;
    }
  }
  upload(s);
}

static double norm(const double *v, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

/* ||b - A x||_2 / ||b||_2 in double */
static double trueResidual(Block *s, int j) {
  double *x = calloc((size_t)s->n, sizeof *x), *b = calloc((size_t)s->n, sizeof *b);
  CHECK(clVectorDownload(s->x[j], s->host_x));
  for (int64_t i = 0; i < s->n; i++) {
    x[i] = (double)s->host_x[i];
    b[i] = (double)s->host_b[j][i];
  }
  double r = clTripletsResidual(NULL, s->A, x, b), scale = norm(b, s->n);
  free(x);
  free(b);
  return scale > 0 ? r / scale : r;
}

static clStatus solveMany(Block *s, clSolverOptions options) {
  clSolver *solver = NULL;
  options.columns = s->count;
  CHECK(clSolverCreate(&solver, s->matrix, &options));
  clStatus status =
      clSolverSolveMany(solver, s->count, s->x, (const clVector *const *)s->b, s->report);
  if (status < 0)
    fail_msg("%s", clContextError(context)->message);
  for (int j = 0; j < s->count; j++) {
    int64_t count = 0;
    const double *history = clSolverHistoryOf(solver, j, &count);
    assert_non_null(history);
    assert_int_equal(count, s->report[j].iterations + 1);
  }
  clSolverDestroy(solver);
  return status;
}

/* The same right-hand side alone. */
static clSolverReport solveAlone(Block *s, int j, const clSolverOptions *options) {
  clSolver *solver = NULL;
  clVector *x = NULL;
  clSolverReport report = {0};
  CHECK(clVectorCreateLike(&x, s->x[0]));
  CHECK(clSolverCreate(&solver, s->matrix, options));
  assert_true(clSolverSolve(solver, x, s->b[j], &report) >= 0);
  clSolverDestroy(solver);
  clVectorDestroy(x);
  return report;
}

/* Each ends like it does alone; the sums of products are ordered differently, hence a little
 * freedom. */
static void checkAgainstAlone(Block *s, const clSolverOptions *options) {
  assert_int_equal(solveMany(s, *options), TEXLA_OK);
  for (int j = 0; j < s->count; j++) {
    clSolverReport alone = solveAlone(s, j, options);
    const clSolverReport *report = &s->report[j];
    assert_int_equal(report->reason, TEXLA_REASON_CONVERGED);
    assert_true(report->residual <= 1.001 * options->tolerance);
    assert_true(j % 5 == 1 ||
                llabs(report->iterations - alone.iterations) <= 1 + alone.iterations / 20);
    /* r is that of x but for the rounding of steps; an eigenvector's x is large beside b, as the
     * condition number says */
    double rounding = 20 * eps * (double)report->iterations + (j % 5 == 1 ? eps * (double)s->n : 0);
    assert_true(trueResidual(s, j) <= options->tolerance + rounding);
    if (j % 5 == 0)
      assert_true(report->iterations == 0 && report->residual == 0);
    /* rounding makes the eigenvector of a large matrix less than one */
    if (j % 5 == 1)
      assertWithin(report->iterations, 1, s->n > 2000 ? 10 : 1);
  }
}

static void testAsAlone(void **state) {
  (void)state;
  static const int sizes[][3] = {{1, 1, 3},   {2, 1, 4},   {1, 3, 8},   {5, 1, 2},
                                 {17, 13, 8}, {31, 64, 5}, {101, 67, 7}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      Block s = makeBlock(poisson(sizes[i][0], sizes[i][1]), NULL, sizes[i][2]);
      clSolverOptions options = {.tolerance = 1e-5,
                                 .preconditioner = jacobi ? TEXLA_PRECONDITIONER_JACOBI
                                                          : TEXLA_PRECONDITIONER_NONE};
      fillMixed(&s, sizes[i][0], sizes[i][1]);
      checkAgainstAlone(&s, &options);
      destroyBlock(&s);
    }
}

static void testAllStorages(void **state) {
  (void)state;
  static const clMatrixOptions options[] = {
      {.storage = TEXLA_STORAGE_DENSE},
      {.storage = TEXLA_STORAGE_BANDED},
      {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
      {.storage = TEXLA_STORAGE_CSR},
      {.storage = TEXLA_STORAGE_SLOTS},
      {.grid_nx = 13, .grid_ny = 15},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    Block s = makeBlock(poisson(13, 15), &options[i], 6);
    fillMixed(&s, 13, 15);
    checkAgainstAlone(&s, &(clSolverOptions){.tolerance = 1e-5});
    destroyBlock(&s);
  }
}

/* What has ended is left alone: its x is the same to the last bit whatever the others do. */
static void testEndedColumnsStay(void **state) {
  (void)state;
  enum { NX = 23, NY = 19 };
  Block s = makeBlock(poisson(NX, NY), NULL, 3);
  float *first = calloc(NX * NY, sizeof *first);
  for (int others = 0; others < 2; others++) {
    fillMixed(&s, NX, NY);
    if (!others)
      CHECK(clVectorClear(s.b[2]));
    assert_int_equal(solveMany(&s, (clSolverOptions){.tolerance = 1e-5}), TEXLA_OK);
    assert_int_equal(s.report[1].iterations, 1);
    assert_true(others ? s.report[2].iterations > 20 : s.report[2].iterations == 0);
    CHECK(clVectorDownload(s.x[1], s.host_x));
    if (!others)
      memcpy(first, s.host_x, NX * NY * sizeof *first);
  }
  assert_memory_equal(first, s.host_x, NX * NY * sizeof *first);
  free(first);
  destroyBlock(&s);
}

/* One that fails does not touch the others. */
static void testReasons(void **state) {
  (void)state;
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, 40, 40, 40, NULL), TEXLA_OK);
  for (int32_t i = 0; i < 40; i++)
    assert_int_equal(clTripletsAdd(A, i, i, i < 38 ? i + 1 : 38 - i, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  Block s = makeBlock(A, NULL, 5);
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 38; i++)
      s.host_b[j][i] = j == 2 ? 0 : 1;
  s.host_b[1][3] = NAN;
  /* in the direction in which A is negative */
  s.host_b[2][39] = 1;
  /* no x has this */
  s.host_b[3][38] = 1;
  upload(&s);
  assert_int_equal(solveMany(&s, (clSolverOptions){.tolerance = 1e-5, .max_iterations = 300}),
                   TEXLA_NOT_CONVERGED);
  assert_int_equal(s.report[0].reason, TEXLA_REASON_CONVERGED);
  assert_int_equal(s.report[1].reason, TEXLA_REASON_NAN);
  assert_int_equal(s.report[2].reason, TEXLA_REASON_NOT_POSITIVE_DEFINITE);
  assert_true(s.report[3].reason != TEXLA_REASON_CONVERGED &&
              s.report[3].reason != TEXLA_REASON_NAN);
  assert_int_equal(s.report[4].reason, TEXLA_REASON_CONVERGED);
  assert_true(trueResidual(&s, 0) <= 2e-5 && trueResidual(&s, 4) <= 2e-5);
  for (int j = 0; j < 5; j++) {
    CHECK(clVectorDownload(s.x[j], s.host_x));
    for (int i = 0; i < 40; i++)
      assert_true(isfinite(s.host_x[i]) && (j != 1 || s.host_x[i] == 0));
  }
  destroyBlock(&s);
}

static void testMaxIterations(void **state) {
  (void)state;
  Block s = makeBlock(poisson(29, 31), NULL, 5);
  fillMixed(&s, 29, 31);
  assert_int_equal(solveMany(&s, (clSolverOptions){.tolerance = 1e-5, .max_iterations = 7}),
                   TEXLA_NOT_CONVERGED);
  assert_int_equal(s.report[0].reason, TEXLA_REASON_CONVERGED);
  assert_int_equal(s.report[1].reason, TEXLA_REASON_CONVERGED);
  for (int j = 2; j < 5; j++) {
    assert_int_equal(s.report[j].reason, TEXLA_REASON_MAX_ITERATIONS);
    assert_int_equal(s.report[j].iterations, 7);
    assert_true(fabs(trueResidual(&s, j) - s.report[j].residual) <= 1e-5);
  }
  destroyBlock(&s);
}

/* Textbook CG in double: x after `count` iterations from zero. */
static void oracleCg(double *x, const clTriplets *A, const float *b, int count) {
  int64_t n = A->rows;
  double *v = calloc((size_t)(3 * n), sizeof *v), *r = v, *p = v + n, *q = v + 2 * n, rr = 0;
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0;
    p[i] = r[i] = (double)b[i];
    rr += r[i] * r[i];
  }
  for (int k = 0; k < count && rr > 0; k++) {
    double pq = 0, old = rr;
    clTripletsMulVector(q, A, p);
    for (int64_t i = 0; i < n; i++)
      pq += p[i] * q[i];
    rr = 0;
    for (int64_t i = 0; i < n; i++) {
      x[i] += old / pq * p[i];
      r[i] -= old / pq * q[i];
      rr += r[i] * r[i];
    }
    for (int64_t i = 0; i < n; i++)
      p[i] = r[i] + rr / old * p[i];
  }
  free(v);
}

/* The iterates themselves, by hand and in two parts, from a start value for none of them; no
 * read-back. */
static void testFixedCount(void **state) {
  (void)state;
  enum { NX = 37, NY = 29, COUNT = 15 };
  Block s = makeBlock(poisson(NX, NY), NULL, 7);
  double *exact = calloc(NX * NY, sizeof *exact);
  clSolver *solver = NULL;
  fillMixed(&s, NX, NY);
  CHECK(clSolverCreate(&solver, s.matrix, &(clSolverOptions){.columns = 8}));
  int64_t before = clContextStatistics(context).readbacks;
  CHECK(clSolverInitMany(solver, 7, s.x, (const clVector *const *)s.b));
  CHECK(clSolverIterate(solver, COUNT - 4));
  CHECK(clSolverIterate(solver, 4));
  assert_int_equal(clContextStatistics(context).readbacks, before);
  for (int j = 0; j < 7; j++) {
    double error = 0, scale = 0;
    /* an eigenvector needs one */
    oracleCg(exact, s.A, s.host_b[j], j % 5 == 1 ? 1 : COUNT);
    CHECK(clVectorDownload(s.x[j], s.host_x));
    for (int64_t i = 0; i < s.n; i++) {
      error = fmax(error, fabs((double)s.host_x[i] - exact[i]));
      scale = fmax(scale, fabs(exact[i]));
    }
    assert_true(error <= 200 * eps * scale);
  }
  clSolverDestroy(solver);
  free(exact);
  destroyBlock(&s);
}

/* Whole systems, several of them; their true residuals are measured again. */
typedef struct Systems {
  clTriplets *A;
  int count;
  double *b, *x;
  clSystemReport report[16];
  clStatus status;
} Systems;

static Systems makeSystems(clTriplets *A, int count) {
  size_t size = (size_t)(A->rows * count);
  return (Systems){
      .A = A, .count = count, .b = calloc(size, sizeof(double)), .x = calloc(size, sizeof(double))};
}

static void solveSystems(Systems *s, const clSystemOptions *options) {
  int64_t n = s->A->rows;
  memset(s->x, 0, (size_t)(n * s->count) * sizeof *s->x);
  s->status = clSystemSolveMany(context, s->A, s->count, s->b, s->x, options, s->report);
  if (s->status < 0)
    fail_msg("%s", clContextError(context)->message);
  for (int j = 0; j < s->count; j++) {
    double scale = norm(s->b + j * n, n),
           r = clTripletsResidual(NULL, s->A, s->x + j * n, s->b + j * n);
    assert_true(fabs(s->report[j].residual - (scale > 0 ? r / scale : r)) <=
                1e-3 * s->report[j].residual + 1e-14);
    assert_true(s->report[j].history_count > s->report[j].iterations ||
                s->report[j].iterations == 0);
  }
}

static void clearReports(Systems *s) {
  for (int j = 0; j < s->count; j++)
    clSystemReportClear(&s->report[j]);
}

static void destroySystems(Systems *s) {
  clearReports(s);
  clTripletsDestroy(s->A);
  free(s->b);
  free(s->x);
}

/* Eight and three more, at once and in turn. */
static void testSystems(void **state) {
  (void)state;
  enum { NX = 23, NY = 19, N = NX * NY, COUNT = 11 };
  Systems s = makeSystems(poisson(NX, NY), COUNT);
  float *noise = calloc(N, sizeof *noise);
  for (int j = 0; j < COUNT; j++) {
    oracleFill(noise, N, (uint32_t)j + 1, -1, 1);
    for (int i = 0; i < N; i++) {
      double wave =
          sin(acos(-1) * (i % NX + 1) / (NX + 1)) * sin(acos(-1) * (i / NX + 1.0) / (NY + 1));
      if (j % 4 == 0)
        wave = 0;
      s.b[j * N + i] = j % 4 < 2 ? wave : ldexp((double)noise[i], 40 * (j % 4) - 100);
    }
  }
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    int64_t iterations[COUNT], passes[2] = {0, 0};
    for (int turns = 0; turns < 2; turns++) {
      clSystemOptions options = {
          .refine = true,
          .solver = {.preconditioner = (clPreconditioner)jacobi, .columns = turns ? 1 : 0}};
      solveSystems(&s, &options);
      assert_int_equal(s.status, TEXLA_OK);
      for (int j = 0; j < COUNT; j++) {
        const clSystemReport *r = &s.report[j];
        assert_int_equal(r->reason, TEXLA_REASON_CONVERGED);
        assert_true(r->residual <= 1e-12);
        assert_int_equal(r->iterations == 0, j % 4 == 0);
        if (turns && j % 4 != 1)
          assert_true(llabs(r->iterations - iterations[j]) <= 2 + r->iterations / 10);
        /* an eigenvector: what follows its first step corrects rounding errors */
        if (j % 4 == 1 && j + 1 < COUNT)
          assert_true(r->iterations < s.report[j + 1].iterations);
        iterations[j] = r->iterations;
        passes[turns] += r->passes;
      }
      clearReports(&s);
    }
    assert_true(2 * passes[0] < passes[1]);
  }
  free(noise);
  destroySystems(&s);
}

/* The Laplacian of a ring: its kernel are the constants. */
static void testInconsistentColumn(void **state) {
  (void)state;
  enum { N = 50, COUNT = 4 };
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, N, N, 3 * N, NULL), TEXLA_OK);
  for (int32_t i = 0; i < N; i++)
    for (int32_t j = i - 1; j <= i + 1; j++)
      assert_int_equal(clTripletsAdd(A, i, (j + N) % N, i == j ? 2 : -1, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  Systems s = makeSystems(A, COUNT);
  for (int i = 0; i < N; i++) {
    s.b[i] = i < N / 2 ? 1 : -1;
    /* no x has it */
    s.b[N + i] = 1;
    s.b[3 * N + i] = i - (N - 1) / 2.0;
  }
  solveSystems(&s, &(clSystemOptions){.solver.tolerance = 1e-6});
  assert_int_equal(s.status, TEXLA_NOT_CONVERGED);
  for (int j = 0; j < COUNT; j++)
    assert_int_equal(s.report[j].reason,
                     j == 1 ? TEXLA_REASON_INCONSISTENT : TEXLA_REASON_CONVERGED);
  destroySystems(&s);
}

/* One right-hand side never uses up the iterations of another. */
static void testBudgets(void **state) {
  (void)state;
  enum { NX = 40, N = NX * NX, COUNT = 3, MAX = 130 };
  Systems s = makeSystems(poisson(NX, NX), COUNT);
  for (int i = 0; i < N; i++) {
    s.b[i] = i == 5;
    s.b[N + i] =
        sin(acos(-1) * (i % NX + 1) / (NX + 1)) * sin(acos(-1) * (i / NX + 1.0) / (NX + 1)) +
        (i == 700) * 1e-3;
    s.b[2 * N + i] = i % 7 - 3;
  }
  solveSystems(&s, &(clSystemOptions){.solver = {.tolerance = 1e-13, .max_iterations = MAX}});
  assert_int_equal(s.status, TEXLA_NOT_CONVERGED);
  for (int j = 0; j < COUNT; j++) {
    assert_int_equal(s.report[j].reason, TEXLA_REASON_MAX_ITERATIONS);
    assert_int_equal(s.report[j].iterations, MAX);
  }
  destroySystems(&s);
}

/* A plan that fails for one of them: the other is not solved again. */
static void testPlans(void **state) {
  (void)state;
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, 2, 2, 4, NULL), TEXLA_OK);
  for (int32_t i = 0; i < 4; i++)
    assert_int_equal(clTripletsAdd(A, i / 2, i % 2, i == 0 || i == 3 ? 1 : 2, NULL), TEXLA_OK);
  Systems s = makeSystems(A, 3);
  /* (1, -1) sees the eigenvalue -1 */
  memcpy(s.b, (double[]){1, 1, 1, -1, 2, 2}, 6 * sizeof(double));
  solveSystems(&s, &(clSystemOptions){.solver.method = TEXLA_METHOD_AUTO, .refine = true});
  assert_int_equal(s.status, TEXLA_OK);
  for (int j = 0; j < 3; j++)
    assert_int_equal(s.report[j].method, j == 1 ? TEXLA_METHOD_PLU : TEXLA_METHOD_CG);
  assert_true(fabs(s.x[2] + 1) < 1e-12 && fabs(s.x[3] - 1) < 1e-12 &&
              fabs(s.x[4] - 2.0 / 3) < 1e-12);
  destroySystems(&s);
}

/* Where multivectors do not fit they are left out, and what was taken is given back. */
static void tryLittleMemory(const char *tuning) {
  enum { NX = 64, N = NX * NX, COUNT = 8 };
  clContext *usual = context;
  Systems s = makeSystems(poisson(NX, NX), COUNT);
  int refused = 0, in_turn = 0, at_once = 0;
  for (int j = 0; j < COUNT; j++)
    s.b[j * N + 17 * j] = 1;
  for (size_t limit = 100000; limit < 4000000; limit += limit / 3) {
    context = testContextWith((clContextOptions){.memory_limit = limit, .tuning = tuning});
    memset(s.x, 0, (size_t)N * COUNT * sizeof *s.x);
    clStatus status = clSystemSolveMany(context, s.A, COUNT, s.b, s.x, NULL, s.report);
    if (status < 0) {
      assert_int_equal(status, TEXLA_OUT_OF_MEMORY);
      assert_true(in_turn == 0 && at_once == 0);
      refused++;
    } else {
      assert_int_equal(status, TEXLA_OK);
      *(s.report[1].passes ? &in_turn : &at_once) += 1;
      assert_true(s.report[1].passes == 0 || at_once == 0);
      clearReports(&s);
    }
    clContextDestroy(context);
  }
  context = usual;
  assert_true(refused > 0 && in_turn > 0 && at_once > 0);
  destroySystems(&s);
}

/* Refinement on the host, and on the device, which takes memory of its own. */
static void testLittleMemory(void **state) {
  (void)state;
  Folder folder;
  folderCreate(&folder);
  folderWrite(&folder, "host", "trait.refine_on_device 0\n");
  folderWrite(&folder, "device", "trait.refine_on_device 1\n");
  tryLittleMemory(folderPath(&folder, "host"));
  tryLittleMemory(folderPath(&folder, "device"));
  folderDestroy(&folder);
}

static void testNothingLeaks(void **state) {
  (void)state;
  int64_t before = (int64_t)clContextStatistics(context).bytes_used;
  Block block = makeBlock(poisson(13, 15), &(clMatrixOptions){.storage = TEXLA_STORAGE_SLOTS}, 6);
  fillMixed(&block, 13, 15);
  assert_int_equal(solveMany(&block, (clSolverOptions){.tolerance = 1e-5}), TEXLA_OK);
  destroyBlock(&block);
  Systems s = makeSystems(poisson(13, 15), 3);
  s.b[7] = s.b[13 * 15] = 1;
  solveSystems(&s, &(clSystemOptions){.refine = true, .matrix.general_diagonals = true});
  destroySystems(&s);
  assert_int_equal((int64_t)clContextStatistics(context).bytes_used, before);
}

static void testErrors(void **state) {
  (void)state;
  Block s = makeBlock(poisson(4, 4), NULL, 4);
  const clVector *const *b = (const clVector *const *)s.b;
  clSolver *solver = NULL;
  assertFails(context, clSolverCreate(&solver, s.matrix, &(clSolverOptions){.columns = 9}),
              TEXLA_BAD_ARGUMENT, "columns (9) must be at most 8");
  assertFails(context,
              clSolverCreate(&solver, s.matrix,
                             &(clSolverOptions){.method = TEXLA_METHOD_GMRES, .columns = 2}),
              TEXLA_UNSUPPORTED, "cg without a preconditioner or with jacobi");
  assertFails(context,
              clSolverCreate(&solver, s.matrix,
                             &(clSolverOptions){.preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV,
                                                .columns = 2}),
              TEXLA_UNSUPPORTED, "cg without a preconditioner or with jacobi");
  assert_null(solver);
  CHECK(clSolverCreate(&solver, s.matrix, &(clSolverOptions){.columns = 3}));
  assertFails(context, clSolverSolveMany(solver, 4, s.x, b, NULL), TEXLA_BAD_ARGUMENT,
              "count (4) must be between");
  assertFails(context, clSolverSolveMany(solver, 0, s.x, b, NULL), TEXLA_BAD_ARGUMENT,
              "count (0) must be between");
  assertFails(context, clSolverSolveMany(solver, 2, NULL, b, NULL), TEXLA_BAD_ARGUMENT, "not NULL");
  assertFails(context, clSolverSolveMany(solver, 2, (clVector *[]){s.x[0], NULL}, b, NULL),
              TEXLA_BAD_ARGUMENT, "x_2 must not be NULL");
  assertFails(context, clSolverSolveMany(solver, 2, (clVector *[]){s.x[0], s.x[0]}, b, NULL),
              TEXLA_BAD_ARGUMENT, "no x may be another x or a b");
  assertFails(context, clSolverSolveMany(solver, 2, (clVector *[]){s.x[0], s.b[0]}, b, NULL),
              TEXLA_BAD_ARGUMENT, "no x may be another x or a b");
  clVector *other = NULL;
  CHECK(clVectorCreate(&other, context, 5));
  assertFails(context, clSolverSolveMany(solver, 2, (clVector *[]){s.x[0], other}, b, NULL),
              TEXLA_BAD_SHAPE, "x_2");
  assert_int_equal(clSolverSolveMany(NULL, 2, s.x, b, NULL), TEXLA_BAD_ARGUMENT);
  clVectorDestroy(other);
  clSolverDestroy(solver);
  destroyBlock(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAsAlone),          cmocka_unit_test(testAllStorages),
      cmocka_unit_test(testEndedColumnsStay), cmocka_unit_test(testReasons),
      cmocka_unit_test(testMaxIterations),    cmocka_unit_test(testFixedCount),
      cmocka_unit_test(testSystems),          cmocka_unit_test(testInconsistentColumn),
      cmocka_unit_test(testBudgets),          cmocka_unit_test(testPlans),
      cmocka_unit_test(testLittleMemory),     cmocka_unit_test(testNothingLeaks),
      cmocka_unit_test(testErrors),
  };
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
