/* Algebraic multigrid: its parts on the host against dense arithmetic, its cycles by how fast they
 * are. */
#include "problem.h"

#include "multigrid/aggregation.h"
#include "multigrid/amg.h"
#include "multigrid/host_inverse.h"

static double *denseOf(const clTriplets *A) {
  double *a = calloc((size_t)A->rows * (size_t)A->cols, sizeof *a);
  for (int64_t k = 0; k < A->count; k++)
    a[(int64_t)A->row[k] * A->cols + A->col[k]] += A->value[k];
  return a;
}

static clTriplets *randomMatrix(int rows, int cols, uint64_t seed) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, rows, cols, rows, NULL), TEXLA_OK);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      if (randomUnit(&seed) > 0.4)
        assert_int_equal(clTripletsAdd(A, i, j, randomUnit(&seed), NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* A rows x inner times B inner x cols is the dense product, and its entries are in order. */
static void checkProduct(int rows, int inner, int cols) {
  OWN(clTriplets) *A = randomMatrix(rows, inner, 1), *B = randomMatrix(inner, cols, 2), *C = NULL;
  assert_int_equal(txTripletsProduct(&C, A, B, NULL), TEXLA_OK);
  for (int64_t k = 1; k < C->count; k++)
    assert_true(C->row[k - 1] < C->row[k] ||
                (C->row[k - 1] == C->row[k] && C->col[k - 1] < C->col[k]));
  FREED double *a = denseOf(A), *b = denseOf(B), *c = denseOf(C);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double sum = 0;
      for (int k = 0; k < inner; k++)
        sum += a[i * inner + k] * b[k * cols + j];
      assert_true(fabs(sum - c[i * cols + j]) < 2e-15 * inner);
    }
}

/* Small ones have rows and columns without entries; the rows of the last one are too long to be
 * sorted by insertion. */
static void testProduct(void **state) {
  checkProduct(1, 1, 1);
  checkProduct(7, 11, 5);
  checkProduct(9, 2, 3);
  checkProduct(131, 40, 203);
}

/* ||A G A - A|| for G = txInvert(A): a generalized inverse, the inverse where there is one. */
static void checkInverseBy(double tolerance, const double *a, int n, int rank) {
  int found = -1;
  size_t count = (size_t)n * (size_t)n;
  FREED double *g = malloc(count * sizeof *g), *ag = calloc(count, sizeof *ag);
  memcpy(g, a, count * sizeof *g);
  assert_int_equal(txInvert(g, n, tolerance, &found, "test", NULL), TEXLA_OK);
  assert_int_equal(found, rank);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        ag[i * n + j] += a[i * n + k] * g[k * n + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += ag[i * n + k] * a[k * n + j];
      assert_true(fabs(sum - a[i * n + j]) < 1e-9);
      assert_true(rank < n || fabs(ag[i * n + j] - (i == j)) < 1e-9);
    }
}

/* With complete pivoting, and with partial pivoting, which tells no rank but the full one. */
static void checkInverse(const double *a, int n, int rank) {
  checkInverseBy(1e-10, a, n, rank);
  if (rank == n)
    checkInverseBy(0, a, n, n);
}

static void testInverse(void **state) {
  OWN(clTriplets) *A = randomMatrix(23, 23, 3);
  FREED double *a = denseOf(A);
  checkInverse(a, 23, 23);
  /* two rows that depend on others */
  for (int j = 0; j < 23; j++)
    a[5 * 23 + j] = a[7 * 23 + j] - 2 * a[11 * 23 + j], a[3 * 23 + j] = a[7 * 23 + j];
  checkInverse(a, 23, 21);
  checkInverse((double[]){0, 1, 1, 0}, 2, 2);
  checkInverse((double[]){1, -1, -1, 1}, 2, 1);
  checkInverse((double[]){0}, 1, 0);
  int rank = -1;
  double singular[] = {1, -1, -1, 1}, nothing[] = {NAN, NAN, NAN, NAN};
  assert_int_equal(txInvert(singular, 2, 0, &rank, "test", NULL), TEXLA_OK);
  assert_int_equal(rank, 1);
  assert_int_equal(txInvert(nothing, 2, 0, &rank, "test", NULL), TEXLA_OK);
  assert_int_equal(rank, 0);
}

/* The graph Laplacian of a grid: rows sum to zero. */
static clTriplets *neumann(int nx, int ny) {
  clTriplets *A = convection(nx, ny, 0, 0);
  FREED double *sum = calloc((size_t)A->rows, sizeof *sum);
  for (int64_t k = 0; k < A->count; k++)
    sum[A->row[k]] += A->value[k];
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      A->value[k] -= sum[A->row[k]];
  return A;
}

/* Where A maps ones to zero, P interpolates them exactly, and R A P maps the coarse ones to
 * zero. */
static void testCoarsening(void **state) {
  OWN(clTriplets) *A = neumann(13, 11);
  double ones[143], fine[143], coarse[143];
  for (int i = 0; i < 143; i++)
    ones[i] = 1;
  txAggregation c;
  assert_int_equal(txAggregate(&c, A, &(txNearNull){.vectors = 1, .v = ones}, 0.08, 2, NULL),
                   TEXLA_OK);
  assert_true(c.A->rows >= 10 && c.A->rows <= 40);
  assert_true(clTripletsIsSymmetric(c.A, 1e-12));
  clTripletsMulVector(fine, c.P, c.near.v);
  clTripletsMulVector(coarse, c.A, c.near.v);
  for (int i = 0; i < 143; i++)
    assert_true(fabs(fine[i] - 1) < 1e-13);
  for (int i = 0; i < c.A->rows; i++)
    assert_true(fabs(coarse[i]) < 1e-12);
  txAggregationDestroy(&c);
}

static void testNothingToCoarsen(void **state) {
  AT_END(problemDestroy)
  problem p = problemCreate(*state, matrixOf(3, (double[]){2, 0, 0, 0, 3, 0, 0, 0, 4}), NULL);
  txAggregation c;
  const txNearNull near = {.vectors = 1, .v = (double[]){1, 1, 1}};
  assert_int_equal(txAggregate(&c, p.A, &near, 0.08, 1, NULL), TEXLA_OK);
  assert_null(c.P);
  clSolverReport report =
      problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = p.A});
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_int_equal(report.iterations, 1);
}

static clTriplets *testMatrix(int kind, int n) {
  clTriplets *A = NULL;
  if (kind == 1)
    assert_int_equal(clGenerateFemPlate(&A, n, NULL), TEXLA_OK);
  else if (kind == 2)
    assert_int_equal(clGenerateAnisotropic(&A, n, n, 0.01, NULL), TEXLA_OK);
  if (!A)
    A = convection(n, n, kind == 3 ? 0.5 : 0, 0);
  return A;
}

static int64_t iterationsOf(clContext *context, int kind, int n, const clSolverOptions *options,
                            clStorage storage) {
  clTriplets *A = testMatrix(kind, n);
  AT_END(problemDestroy)
  problem p = problemCreate(context, A, &(clMatrixOptions){.storage = storage});
  clSolverOptions o = *options;
  o.host = A;
  o.tolerance = 1e-5;
  clSolverReport report = problemSolve(&p, &o);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(trueResidual(&p) <= 2e-5);
  return report.iterations;
}

/* The number of iterations hardly grows with the grid. */
/* One level only, on a grid: its inverse must have the grid's layout. */
static void testSmallGrid(void **state) {
  clTriplets *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, 17, 17, NULL), TEXLA_OK);
  AT_END(problemDestroy)
  problem p = problemCreate(*state, A, &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED});
  clSolverReport report = problemSolve(
      &p, &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = A, .tolerance = 1e-5});
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.iterations <= 2);
}

static void testIterationsStayFew(void **state) {
  static const clSolverOptions options[] = {
      {.preconditioner = TEXLA_PRECONDITIONER_AMG},
      {.preconditioner = TEXLA_PRECONDITIONER_AMG, .cycle = TEXLA_CYCLE_W},
      {.preconditioner = TEXLA_PRECONDITIONER_AMG, .cycle = TEXLA_CYCLE_F},
      {.method = TEXLA_METHOD_AMG},
  };
  static const int most[] = {12, 10, 10, 20};
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < 4; k++) {
      int64_t small = iterationsOf(*state, kind, 32, &options[k], TEXLA_STORAGE_AUTO);
      int64_t large = iterationsOf(*state, kind, 101, &options[k], TEXLA_STORAGE_AUTO);
      assert_true(large <= most[k]);
      assert_true(large <= small + 6);
    }
}

static void testOtherMethodsAndStorages(void **state) {
  const clSolverOptions gmres = {.method = TEXLA_METHOD_GMRES,
                                 .preconditioner = TEXLA_PRECONDITIONER_AMG};
  const clSolverOptions bicgstab = {.method = TEXLA_METHOD_BICGSTAB,
                                    .preconditioner = TEXLA_PRECONDITIONER_AMG};
  assert_true(iterationsOf(*state, 3, 60, &gmres, TEXLA_STORAGE_AUTO) <= 20);
  assert_true(iterationsOf(*state, 3, 60, &bicgstab, TEXLA_STORAGE_SLOTS) <= 14);
  assert_true(iterationsOf(*state, 0, 60, &gmres, TEXLA_STORAGE_CSR) <= 14);
}

/* u.Mv = v.Mu, u.Mu > 0: a preconditioner for conjugate gradients. Reads nothing back where no
 * level is on the host, else the residual. */
static void checkSymmetric(void **state, bool host) {
  AT_END(problemDestroy) problem p = problemCreate(*state, testMatrix(1, 45), NULL);
  txAmg *amg = NULL;
  clVector *z = NULL;
  clFloat *s = NULL;
  float uMv, vMu, uMu;
  uint64_t seed = 5;
  assertOk(*state, txAmgCreate(&amg, p.matrix, p.A, NULL, 1, TEXLA_CYCLE_V, host));
  assert_true(txAmgLevels(amg) >= 2);
  assertOk(*state, clVectorCreateLike(&z, p.x));
  assertOk(*state, clFloatCreate(&s, *state));
  for (int64_t i = 0; i < p.n; i++)
    p.host_x[i] = (float)randomUnit(&seed);
  assertOk(*state, clVectorUpload(p.x, p.host_x));
  int64_t before = clContextStatistics(*state).readbacks;
  assertOk(*state, txAmgApply(amg, z, p.x));
  assert_int_equal(clContextStatistics(*state).readbacks, before + host);
  assertOk(*state, clVectorDot(s, z, p.b));
  assertOk(*state, clFloatDownload(s, &uMv));
  assertOk(*state, clVectorDot(s, z, p.x));
  assertOk(*state, clFloatDownload(s, &uMu));
  assertOk(*state, txAmgApply(amg, z, p.b));
  assertOk(*state, clVectorDot(s, z, p.x));
  assertOk(*state, clFloatDownload(s, &vMu));
  assert_true(uMu > 0);
  assert_true(fabs((double)uMv - (double)vMu) <= 1e-4 * (double)uMu);
  txAmgDestroy(amg);
  clVectorDestroy(z);
  clFloatDestroy(s);
}

static void testSymmetric(void **state) {
  checkSymmetric(state, false);
  checkSymmetric(state, true);
}

/* Levels on the host do what they do on the device, also after other values; a level that can be
 * neither coarsened nor inverted is smoothed there, too. */
static void testHostAndDevice(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, testMatrix(1, 60), NULL);
  txAmg *amg[2] = {NULL};
  clVector *z[2] = {NULL};
  uint64_t seed = 7;
  double norm = 0, apart = 0;
  for (int64_t i = 0; i < p.n; i++)
    p.host_x[i] = (float)randomUnit(&seed);
  assertOk(*state, clVectorUpload(p.b, p.host_x));
  for (clCycle kind = TEXLA_CYCLE_V; kind <= TEXLA_CYCLE_F; kind++) {
    for (int k = 0; k < 2; k++) {
      assertOk(*state, txAmgCreate(&amg[k], p.matrix, p.A, NULL, 1, kind, k));
      assertOk(*state, txAmgUpdate(amg[k], p.matrix, p.A, NULL));
      assertOk(*state, clVectorCreateLike(&z[k], p.x));
      assertOk(*state, txAmgApply(amg[k], z[k], p.b));
    }
    assert_true(txAmgLevels(amg[0]) >= 3);
    assert_int_equal(txAmgLevels(amg[0]), txAmgLevels(amg[1]));
    float *device = calloc((size_t)p.n, sizeof *device), *host = p.host_x;
    assertOk(*state, clVectorDownload(z[0], device));
    assertOk(*state, clVectorDownload(z[1], host));
    for (int64_t i = 0; i < p.n; i++) {
      norm += (double)device[i] * (double)device[i];
      apart += ((double)device[i] - (double)host[i]) * ((double)device[i] - (double)host[i]);
    }
    assert_true(sqrt(apart / norm) < 1e-5);
    free(device);
    for (int k = 0; k < 2; k++) {
      txAmgDestroy(amg[k]);
      clVectorDestroy(z[k]);
    }
  }
}

/* A plate of nx x ny squares in plane stress (E = 1, nu = 0.3), the left edge clamped: two unknowns
 * at each of (ny + 1) nx points. `modes`: two translations and a rotation, 3 columns. */
enum { LENGTH = 60, WIDTH = 6, POINTS = LENGTH * (WIDTH + 1), UNKNOWNS = 2 * POINTS };

/* k <- the stiffness of a square, by 2 x 2 points of Gauss */
static void squareStiffness(double k[8][8]) {
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double nu = 0.3, c = 1 / (1 - nu * nu),
               D[3][3] = {{c, c * nu, 0}, {c * nu, c, 0}, {0, 0, c * (1 - nu) / 2}};
  memset(k, 0, 64 * sizeof(double));
  for (int g = 0; g < 4; g++) {
    double x = corner[g][0] / sqrt(3), y = corner[g][1] / sqrt(3), B[3][8] = {{0}};
    for (int a = 0; a < 4; a++) {
      double dx = corner[a][0] * (1 + corner[a][1] * y) / 2,
             dy = corner[a][1] * (1 + corner[a][0] * x) / 2;
      B[0][2 * a] = B[2][2 * a + 1] = dx;
      B[1][2 * a + 1] = B[2][2 * a] = dy;
    }
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        for (int m = 0; m < 3; m++)
          for (int l = 0; l < 3; l++)
            k[i][j] += B[m][i] * D[m][l] * B[l][j] / 4;
  }
  /* so that sums are exact, and symmetric */
  for (int i = 0; i < 64; i++)
    k[i / 8][i % 8] = ldexp(nearbyint(ldexp(k[i / 8][i % 8], 40)), -40);
}

/* Of point (i, j), i from 1 on: points with i = 0 are clamped. */
static int32_t unknownOf(int i, int j, int axis) {
  return i < 1 ? -1 : 2 * ((i - 1) * (WIDTH + 1) + j) + axis;
}

static clTriplets *elasticPlate(double *modes) {
  double k[8][8];
  clTriplets *A = emptyMatrix(UNKNOWNS, UNKNOWNS);
  squareStiffness(k);
  for (int e = 0; e < LENGTH * WIDTH; e++) {
    const int i = e / WIDTH, j = e % WIDTH,
              at[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
    for (int a = 0; a < 8; a++)
      for (int b = 0; b < 8; b++) {
        int32_t row = unknownOf(at[a / 2][0], at[a / 2][1], a % 2),
                col = unknownOf(at[b / 2][0], at[b / 2][1], b % 2);
        if (row >= 0 && col >= 0)
          assert_int_equal(clTripletsAdd(A, row, col, k[a][b], NULL), TEXLA_OK);
      }
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  memset(modes, 0, 3 * UNKNOWNS * sizeof *modes);
  for (int i = 1; i <= LENGTH; i++)
    for (int j = 0; j <= WIDTH; j++) {
      modes[unknownOf(i, j, 0)] = modes[UNKNOWNS + unknownOf(i, j, 1)] = 1;
      modes[2 * UNKNOWNS + unknownOf(i, j, 0)] = -j;
      modes[2 * UNKNOWNS + unknownOf(i, j, 1)] = i;
    }
  return A;
}

/* P reproduces all three modes away from the clamped edge, and unknowns of a point stay
 * together. */
static void testRigidBodyModes(void **state) {
  double modes[3 * UNKNOWNS], back[UNKNOWNS];
  OWN(clTriplets) *A = elasticPlate(modes);
  txNearNull near = {.vectors = 3, .v = modes};
  txAggregation c;
  assert_int_equal(txNodesFind(&near, A, NULL), TEXLA_OK);
  assert_int_equal(near.nodes, POINTS);
  assert_int_equal(txAggregate(&c, A, &near, 0.08, 2.5, NULL), TEXLA_OK);
  assert_int_equal(c.P->cols, 3 * c.near.nodes);
  assert_true(clTripletsIsSymmetric(A, 0));
  for (int m = 0; m < 3; m++) {
    clTripletsMulVector(back, c.P, c.near.v + (int64_t)m * c.P->cols);
    /* the first column of points feels the edge */
    for (int i = 2 * (WIDTH + 1); i < UNKNOWNS; i++)
      assert_true(fabs(back[i] - modes[m * UNKNOWNS + i]) < 1e-10 * LENGTH);
  }
  free(near.first);
  txAggregationDestroy(&c);
}

static void assertSameMatrix(const clTriplets *A, const clTriplets *B) {
  size_t n = (size_t)A->count;
  assert_int_equal(A->count, B->count);
  assert_memory_equal(A->row, B->row, n * sizeof *A->row);
  assert_memory_equal(A->col, B->col, n * sizeof *A->col);
  assert_memory_equal(A->value, B->value, n * sizeof *A->value);
}

/* Other values along the old positions: bit for bit what they would give by themselves, as they are
 * joined alike. */
static void checkUpdate(clTriplets *A, txNearNull near) {
  txAggregation kept, fresh;
  uint64_t seed = 5;
  bool fits = false, bounded = false;
  assert_int_equal(txAggregate(&kept, A, &near, 0.08, 2, NULL), TEXLA_OK);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] *= 3;
  for (int32_t i = 0; i < A->rows; i++)
    near.v[i] *= 1 + 0.1 * randomUnit(&seed);
  assert_int_equal(txAggregate(&fresh, A, &near, 0.08, 1.5, NULL), TEXLA_OK);
  assert_memory_equal(kept.aggregates.of, fresh.aggregates.of,
                      (size_t)A->rows * sizeof *kept.aggregates.of);
  /* P would do for these values, but not for this near null space */
  txAggregationLook(&kept, A, 1.5, &bounded);
  assert_true(kept.stays && bounded);
  assert_int_equal(txAggregationUpdate(&kept, A, &near, 1.5, &fits, NULL), TEXLA_OK);
  assert_true(fits);
  assertSameMatrix(kept.P, fresh.P);
  assertSameMatrix(kept.R, fresh.R);
  assertSameMatrix(kept.A, fresh.A);
  assert_memory_equal(kept.near.v, fresh.near.v,
                      (size_t)kept.A->rows * (size_t)near.vectors * sizeof *kept.near.v);
  txAggregationDestroy(&kept);
  txAggregationDestroy(&fresh);
}

static void testOtherValues(void **state) {
  double ones[1000], modes[3 * UNKNOWNS];
  for (int i = 0; i < 1000; i++)
    ones[i] = 1;
  OWN(clTriplets) *A = neumann(13, 11), *plate = elasticPlate(modes), *line = NULL;
  checkUpdate(A, (txNearNull){.vectors = 1, .v = ones});
  txNearNull near = {.vectors = 3, .v = modes};
  assert_int_equal(txNodesFind(&near, plate, NULL), TEXLA_OK);
  checkUpdate(plate, near);
  /* some entries are weak */
  assert_int_equal(clGenerateAnisotropic(&line, 30, 30, 0.001, NULL), TEXLA_OK);
  checkUpdate(line, (txNearNull){.vectors = 1, .v = ones});
  free(near.first);
}

/* The entries in row i, column j and the other way round are multiplied. */
static void scalePair(clTriplets *A, int32_t i, int32_t j, double factor) {
  for (int64_t k = 0; k < A->count; k++)
    if ((A->row[k] == i && A->col[k] == j) || (A->row[k] == j && A->col[k] == i))
      A->value[k] *= factor;
}

/* The coarser matrix is P^T A P, by dense arithmetic, and R is P^T. */
static void checkGalerkin(const txAggregation *c, const clTriplets *A) {
  const clTriplets *P = c->P;
  int n = P->rows, m = P->cols;
  FREED double *a = denseOf(A), *p = denseOf(P), *r = denseOf(c->R), *coarse = denseOf(c->A);
  for (int I = 0; I < m; I++)
    for (int J = 0; J < m; J++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n && p[i * m + I] != 0; j++)
          sum += p[i * m + I] * a[i * n + j] * p[j * m + J];
      assert_true(fabs(sum - coarse[I * m + J]) < 1e-12);
    }
  for (int i = 0; i < n; i++)
    for (int I = 0; I < m; I++)
      assert_true(r[I * n + i] == p[i * m + I]);
}

/* Values near the old ones keep P, and give another coarser matrix; one row that is far from what
 * it was gets a P of its own. */
static void testWayStays(void **state) {
  enum { N = 11 * 13, EDGE = 13 };
  double ones[N];
  uint64_t seed = 3;
  bool fits = false, bounded = false;
  OWN(clTriplets) *A = neumann(EDGE, N / EDGE), *before = NULL;
  txAggregation kept, fresh;
  for (int i = 0; i < N; i++)
    ones[i] = 1;
  txNearNull near = {.vectors = 1, .v = ones, .same = true};
  assert_int_equal(txAggregate(&kept, A, &near, 0.08, 2, NULL), TEXLA_OK);
  for (int i = 0; i < N; i++)
    scalePair(A, i, i, 1 + 0.1 * randomUnit(&seed));
  assert_int_equal(clTripletsTranspose(&before, kept.R, NULL), TEXLA_OK);
  txAggregationLook(&kept, A, 1, &bounded);
  assert_true(kept.stays && bounded);
  assert_int_equal(txAggregationUpdate(&kept, A, &near, 2, &fits, NULL), TEXLA_OK);
  assert_true(fits && kept.stays && kept.near.same);
  assertSameMatrix(kept.P, before);
  checkGalerkin(&kept, A);

  /* within an aggregate, so that it is none other */
  int at = N / 2;
  while (kept.aggregates.of[at] != kept.aggregates.of[at + 1])
    at++;
  scalePair(A, at, at + 1, 3);
  txAggregationLook(&kept, A, 1, &bounded);
  assert_false(kept.stays || bounded);
  txAggregationLook(&kept, A, 3, &bounded);
  assert_true(bounded);
  assert_int_equal(txAggregationUpdate(&kept, A, &near, 2, &fits, NULL), TEXLA_OK);
  assert_int_equal(txAggregate(&fresh, A, &near, 0.08, 2, NULL), TEXLA_OK);
  assert_true(fits && !kept.stays);
  assertSameMatrix(kept.P, fresh.P);
  checkGalerkin(&kept, A);
  /* it is this P that other values are now compared with */
  txAggregationLook(&kept, A, 1, &bounded);
  assert_true(kept.stays);
  txAggregationDestroy(&kept);
  txAggregationDestroy(&fresh);
}

/* Values that wander away in small steps, and then jump: a system that is kept takes about as many
 * iterations as one that begins with them. */
static void testValuesThatWander(void **state) {
  clContext *context = *state;
  enum { N = 70, STEPS = 7 };
  static double b[N * N], x[2][N * N];
  uint64_t seed = 11;
  OWN(clTriplets) *A = NULL;
  OWN(clSystem) *kept = NULL;
  const clSystemOptions options = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_AMG, .tolerance = 1e-7}};
  assert_int_equal(clGeneratePoisson2d(&A, N, N, NULL), TEXLA_OK);
  for (int i = 0; i < N * N; i++)
    b[i] = sin(i * (double)i);
  assertOk(context, clSystemCreate(&kept, context, A, 1, &options));
  for (int step = 0; step < STEPS; step++) {
    clSystemReport report[2] = {{0}};
    OWN(clSystem) *fresh = NULL;
    double size = step + 1 < STEPS ? 0.05 : 0.9;
    for (int64_t k = 0; k < A->count; k++)
      if (A->row[k] == A->col[k])
        A->value[k] *= 1 + size * (1 + randomUnit(&seed));
    memset(x, 0, sizeof x);
    assertOk(context, clSystemUpdateValues(kept, A->value));
    assertOk(context, clSystemCreate(&fresh, context, A, 1, &options));
    assertOk(context, clSystemSolveWith(kept, 1, b, x[0], &report[0]));
    assertOk(context, clSystemSolveWith(fresh, 1, b, x[1], &report[1]));
    assert_true(report[0].iterations <= report[1].iterations + 2);
    assert_true(clTripletsResidual(NULL, A, x[0], b) <= 1.01e-7 * sqrt(N * N / 2.));
    clSystemReportClear(&report[0]);
    clSystemReportClear(&report[1]);
  }
}

/* Values that are beyond single precision fail on the way: P has been smoothed by them, but has not
 * come to the levels. Finite values with the same D^-1 A do what they do without that failure. */
static void testAfterAFailure(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, testMatrix(0, 40), NULL);
  clTriplets *other = NULL, *large = NULL;
  uint64_t seed = 9;
  float *z[2];
  assert_int_equal(clTripletsTranspose(&other, p.A, NULL), TEXLA_OK);
  for (int64_t k = 0; k < other->count; k++)
    other->value[k] *= other->row[k] == other->col[k] ? 2.5 : 1;
  AT_END(problemDestroy) problem q = problemCreate(*state, other, NULL);
  assert_int_equal(clTripletsTranspose(&large, q.A, NULL), TEXLA_OK);
  for (int64_t k = 0; k < large->count; k++)
    large->value[k] *= 1e60;
  for (int64_t i = 0; i < p.n; i++)
    p.host_x[i] = (float)randomUnit(&seed);
  assertOk(*state, clVectorUpload(p.b, p.host_x));
  for (int failing = 0; failing < 2; failing++) {
    txAmg *amg = NULL;
    assertOk(*state, txAmgCreate(&amg, p.matrix, p.A, NULL, 1, TEXLA_CYCLE_V, true));
    if (failing)
      assertFails(*state, txAmgUpdate(amg, q.matrix, large, NULL), TEXLA_NOT_FINITE,
                  "beyond single precision");
    assertOk(*state, txAmgUpdate(amg, q.matrix, q.A, NULL));
    assertOk(*state, txAmgApply(amg, p.x, p.b));
    z[failing] = calloc((size_t)p.n, sizeof **z);
    assertOk(*state, clVectorDownload(p.x, z[failing]));
    txAmgDestroy(amg);
  }
  for (int64_t i = 0; i < p.n; i++)
    assert_true(fabsf(z[1][i] - z[0][i]) <= 1e-5f * fabsf(z[0][i]) + 1e-5f);
  free(z[0]);
  free(z[1]);
  clTripletsDestroy(large);
}

/* With a large diagonal the eigenvalues of D^-1 A end at 4/3, without it at 2: a system that gets
 * these values knows, as one that began with them. */
static void testLargerEigenvalues(void **state) {
  clContext *context = *state;
  enum { N = 40 };
  static double b[N * N], x[2][N * N];
  OWN(clTriplets) *A = NULL;
  OWN(clSystem) *kept = NULL, *fresh = NULL;
  clSystemReport report[2] = {{0}};
  const clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AMG, .tolerance = 1e-5}};
  assert_int_equal(clGeneratePoisson2d(&A, N, N, NULL), TEXLA_OK);
  for (int i = 0; i < N * N; i++)
    b[i] = sin(i * (double)i);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] *= A->row[k] == A->col[k] ? 3 : 1;
  assertOk(context, clSystemCreate(&kept, context, A, 1, &options));
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] /= A->row[k] == A->col[k] ? 3 : 1;
  assertOk(context, clSystemUpdateValues(kept, A->value));
  assertOk(context, clSystemCreate(&fresh, context, A, 1, &options));
  assertOk(context, clSystemSolveWith(kept, 1, b, x[0], &report[0]));
  assertOk(context, clSystemSolveWith(fresh, 1, b, x[1], &report[1]));
  assert_true(report[0].iterations <= report[1].iterations + 1);
  clSystemReportClear(&report[0]);
  clSystemReportClear(&report[1]);
}

/* Aggregates along x do not fit strong couplings along y. */
static void testValuesThatDoNotFit(void **state) {
  enum { N = 20 };
  double ones[N * N];
  OWN(clTriplets) *A = NULL;
  txAggregation c;
  bool fits = true;
  assert_int_equal(clGenerateAnisotropic(&A, N, N, 0.001, NULL), TEXLA_OK);
  for (int i = 0; i < N * N; i++)
    ones[i] = 1;
  const txNearNull near = {.vectors = 1, .v = ones};
  assert_int_equal(txAggregate(&c, A, &near, 0.08, 2, NULL), TEXLA_OK);
  assert_int_equal(txAggregationUpdate(&c, A, &near, 2, &fits, NULL), TEXLA_OK);
  assert_true(fits);
  /* exchanged */
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] != A->col[k])
      A->value[k] *= fabs(A->value[k]) < 0.5 ? 1000 : 0.001;
  assert_int_equal(txAggregationUpdate(&c, A, &near, 2, &fits, NULL), TEXLA_OK);
  assert_false(fits);
  txAggregationDestroy(&c);
}

/* Conjugate gradients with amg on the plate: less than half of the iterations once it knows the
 * modes; through clSystemSolve, which scales them. */
static void testPlatesGain(void **state) {
  static double modes[3 * UNKNOWNS], b[UNKNOWNS], x[UNKNOWNS];
  OWN(clTriplets) *A = elasticPlate(modes);
  int64_t iterations[2];
  /* its own weight */
  for (int i = 0; i < UNKNOWNS; i++)
    b[i] = i % 2 ? 1e-3 : 0;
  for (int known = 0; known < 2; known++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    memset(x, 0, sizeof x);
    clSystemOptions o = {.solver = {.preconditioner = TEXLA_PRECONDITIONER_AMG}};
    o.solver.near_null_space = known ? modes : NULL;
    o.solver.near_null_count = known ? 3 : 0;
    assertOk(*state, clSystemSolve(*state, A, b, x, &o, &report));
    iterations[known] = report.iterations;
  }
  print_message("iterations with ones %d, with the modes %d\n", (int)iterations[0],
                (int)iterations[1]);
  assert_true(2 * iterations[1] < iterations[0]);
  clSystemOptions wrong = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_AMG, .near_null_count = 9}};
  wrong.solver.near_null_space = modes;
  assertFails(*state, clSystemSolve(*state, A, b, x, &wrong, NULL), TEXLA_BAD_ARGUMENT,
              "near_null_count (9)");
}

static void testErrors(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, convection(4, 4, 0, 0), NULL);
  clSolver *solver = NULL;
  assertFails(*state,
              clSolverCreate(&solver, p.matrix, &(clSolverOptions){.method = TEXLA_METHOD_AMG}),
              TEXLA_BAD_ARGUMENT, "A there");
  clTriplets *other = convection(3, 3, 0, 0);
  assertFails(*state,
              clSolverCreate(&solver, p.matrix,
                             &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = other}),
              TEXLA_BAD_ARGUMENT, "A there");
  assert_null(solver);
  clTripletsDestroy(other);
}

TEST_MAIN(testContextCreate, testContextDestroy, testProduct, testInverse, testCoarsening,
          testNothingToCoarsen, testIterationsStayFew, testOtherMethodsAndStorages, testSymmetric,
          testHostAndDevice, testErrors, testSmallGrid, testRigidBodyModes, testPlatesGain,
          testOtherValues, testWayStays, testValuesThatWander, testAfterAFailure,
          testLargerEigenvalues, testValuesThatDoNotFit)
