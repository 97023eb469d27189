/* Conjugate gradients over all ranks: against one process, for grids in rectangles and rows of
 * files. */
#include "several.h"

#include "texla/io.h"
#include "texla/matrix.h"
#include "texla/system.h"

#include <string.h>
#include <unistd.h>

/* b_i = a function of the number of the row */
static float right(int64_t i) {
  return (float)(1 + (double)((i * 7919) % 101) / 50);
}

static clVector *rightSide(const clClusterMatrix *A) {
  clVector *b = NULL;
  int64_t n = clClusterMatrixLocal(A);
  float *value = calloc((size_t)n + 1, sizeof *value);
  CHECK_OK(clClusterMatrixCreateVector(&b, A));
  for (int64_t i = 0; i < n; i++)
    value[i] = right(clClusterMatrixNumber(A, i));
  CHECK_OK(clVectorUpload(b, value));
  free(value);
  return b;
}

/* All elements, by the numbers of their rows; on all ranks. */
static double *gather(const clClusterMatrix *A, const clVector *x) {
  int64_t all = clClusterMatrixRows(A), n = clClusterMatrixLocal(A);
  double *values = calloc((size_t)all, sizeof *values);
  float *local = calloc((size_t)n + 1, sizeof *local);
  CHECK_OK(clVectorDownload(x, local));
  for (int64_t i = 0; i < n; i++)
    values[clClusterMatrixNumber(A, i)] = (double)local[i];
  MPI_Allreduce(MPI_IN_PLACE, values, (int)all, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(local);
  return values;
}

/* Operands of the last rank that do not fit: all ranks are told, none waits, and A goes on. */
static void testRefusedProduct(clClusterMatrix *A) {
  bool last = clClusterRank(cluster) == clClusterSize(cluster) - 1;
  clVector *x = rightSide(A), *y = NULL;
  char rank[32];
  CHECK_OK(clClusterMatrixCreateVector(&y, A));
  snprintf(rank, sizeof rank, "rank %d: ", clClusterSize(cluster) - 1);
  for (int k = 0; k < 2; k++) {
    const clVector *given = x;
    if (last && k == 0)
      given = NULL;
    else if (last)
      given = y;
    CHECK(clClusterMatrixMultiply(y, A, given) == TEXLA_BAD_ARGUMENT);
    CHECK(strncmp(clContextError(clClusterContext(cluster))->message, rank, strlen(rank)) == 0);
  }
  clVectorDestroy(x);
  clVectorDestroy(y);
}

static void testProduct(clClusterMatrix *A, const clTriplets *whole) {
  clVector *b = rightSide(A), *y = NULL;
  CHECK_OK(clClusterMatrixCreateVector(&y, A));
  CHECK_OK(clClusterMatrixMultiply(y, A, b));
  double *x = calloc((size_t)whole->rows, sizeof *x),
         *right_y = calloc((size_t)whole->rows, sizeof *right_y);
  for (int i = 0; i < whole->rows; i++)
    x[i] = (double)right(i);
  clTripletsMulVector(right_y, whole, x);
  double *mine = gather(A, y);
  for (int i = 0; i < whole->rows; i++)
    CHECK(fabs(mine[i] - right_y[i]) <= 4e-6 * (1 + fabs(right_y[i])));
  free(mine);
  free(x);
  free(right_y);
  clVectorDestroy(b);
  clVectorDestroy(y);
}

/* The iterations of one process. */
static int64_t alone(const clTriplets *whole, clPreconditioner preconditioner) {
  clContext *context = clClusterContext(cluster);
  clMatrix *A = NULL;
  clSolver *solver = NULL;
  clVector *x = NULL, *b = NULL;
  clSolverOptions options = {.preconditioner = preconditioner, .tolerance = 1e-5};
  clSolverReport report;
  float *value = calloc((size_t)whole->rows, sizeof *value);
  for (int i = 0; i < whole->rows; i++)
    value[i] = right(i);
  CHECK_OK(clMatrixCreate(&A, context, whole, NULL));
  CHECK_OK(clMatrixCreateVector(&x, A, TEXLA_RANGE));
  CHECK_OK(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  CHECK_OK(clVectorUpload(b, value));
  CHECK_OK(clSolverCreate(&solver, A, &options));
  CHECK_OK(clSolverSolve(solver, x, b, &report));
  clSolverDestroy(solver);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clMatrixDestroy(A);
  free(value);
  return report.iterations;
}

static int64_t solve(clClusterMatrix *A, const clTriplets *whole, clPreconditioner preconditioner) {
  clVector *b = rightSide(A), *x = NULL;
  clSolverOptions options = {.preconditioner = preconditioner, .tolerance = 1e-5};
  clSolverReport report;
  double residual;
  CHECK_OK(clClusterMatrixCreateVector(&x, A));
  CHECK_OK(clClusterSolve(A, x, b, &options, &report));
  CHECK(report.reason == TEXLA_REASON_CONVERGED && report.residual <= 1e-5);
  CHECK_OK(clClusterResidual(A, x, b, &residual));
  if (clClusterRank(cluster) == 0 && getenv("TEXLA_TEST_VERBOSE"))
    fprintf(stderr, "%d ranks, %lld rows, %s: %lld iterations, residual %g\n",
            clClusterSize(cluster), (long long)clClusterMatrixRows(A),
            clPreconditionerName(preconditioner), (long long)report.iterations, residual);
  /* single precision: the recursive residual is smaller */
  CHECK(residual < 1e-3);
  double *mine = gather(A, x), *side = calloc((size_t)whole->rows, sizeof *side), size = 0;
  for (int i = 0; i < whole->rows; i++) {
    side[i] = (double)right(i);
    size += side[i] * side[i];
  }
  CHECK(clTripletsResidual(NULL, whole, mine, side) < 1e-3 * sqrt(size));
  free(mine);
  free(side);
  clVectorDestroy(b);
  clVectorDestroy(x);
  return report.iterations;
}

/* Elements of its neighbours' that a rank of a px x py grid needs. */
static int64_t haloOf(int nx, int ny, int px, int py) {
  int rank = clClusterRank(cluster), p = rank % px, q = rank / px;
  if (q >= py)
    return 0;
  int w = nx * (p + 1) / px - nx * p / px, h = ny * (q + 1) / py - ny * q / py;
  return (int64_t)h * ((p > 0) + (p < px - 1)) + (int64_t)w * ((q > 0) + (q < py - 1));
}

/* What ten iterations more receive is what docs/cluster.md says: the halo, and the sums of a
 * reduction. */
static void testVolume(int nx, int ny, int px, int py, clPreconditioner preconditioner) {
  clClusterMatrix *A = NULL;
  CHECK_OK(clClusterPoisson2d(&A, cluster, nx, ny, px, py));
  clVector *b = rightSide(A), *x = NULL;
  CHECK_OK(clClusterMatrixCreateVector(&x, A));
  int64_t bytes[2];
  for (int k = 0; k < 2; k++) {
    clSolverOptions options = {.preconditioner = preconditioner, .max_iterations = 10 * (k + 1)};
    int64_t before = clClusterTraffic(cluster).bytes;
    CHECK_OK(clVectorClear(x));
    CHECK_FAILS(clClusterSolve(A, x, b, &options, NULL), TEXLA_NOT_CONVERGED);
    bytes[k] = clClusterTraffic(cluster).bytes - before;
  }
  int64_t sums = clClusterSize(cluster) > 1 ? 4 * (int64_t)sizeof(double) : 0;
  CHECK(bytes[1] - bytes[0] == 10 * (4 * haloOf(nx, ny, px, py) + sums));
  clVectorDestroy(x);
  clVectorDestroy(b);
  clClusterMatrixDestroy(A);
}

/* Refinement: the residual of the whole matrix in double is that of the report, and small. */
static void testRefine(clClusterMatrix *A, const clTriplets *whole,
                       clPreconditioner preconditioner) {
  int64_t n = clClusterMatrixLocal(A);
  double *x = calloc(2 * (size_t)n + 1, sizeof *x), *b = x + n,
         *all = calloc(2 * (size_t)whole->rows, sizeof *all), *side = all + whole->rows, size = 0;
  for (int64_t i = 0; i < n; i++)
    b[i] = (double)right(clClusterMatrixNumber(A, i));
  clSolverOptions options = {.preconditioner = preconditioner, .tolerance = 1e-11};
  clClusterRefineReport report;
  CHECK_OK(clClusterRefine(A, x, b, &options, &report));
  CHECK(report.reason == TEXLA_REASON_CONVERGED && report.residual <= 1e-11 && report.rounds >= 2);
  for (int64_t i = 0; i < n; i++)
    all[clClusterMatrixNumber(A, i)] = x[i];
  MPI_Allreduce(MPI_IN_PLACE, all, whole->rows, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < whole->rows; i++) {
    side[i] = (double)right(i);
    size += side[i] * side[i];
  }
  CHECK(clTripletsResidual(NULL, whole, all, side) < 2e-11 * sqrt(size));
  /* as in one process: x is as exact as double allows */
  CHECK_OK(clClusterRefine(A, x, b, &(clSolverOptions){.tolerance = 1e-300}, &report));
  CHECK(report.reason == TEXLA_REASON_EXACT && report.residual <= 1e-11);
  free(x);
  free(all);
}

static void testGrid(int nx, int ny, int px, int py, bool multigrid) {
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  CHECK_OK(clGeneratePoisson2d(&whole, nx, ny, NULL));
  CHECK_OK(clClusterPoisson2d(&A, cluster, nx, ny, px, py));
  CHECK(clClusterMatrixRows(A) == nx * ny);
  testRefusedProduct(A);
  testProduct(A, whole);
  if (multigrid) {
    CHECK(solve(A, whole, TEXLA_PRECONDITIONER_MG) <= 9);
  } else {
    int64_t many = solve(A, whole, TEXLA_PRECONDITIONER_NONE),
            one = alone(whole, TEXLA_PRECONDITIONER_NONE);
    CHECK(many >= one - 1 && many <= one + 1);
    many = solve(A, whole, TEXLA_PRECONDITIONER_JACOBI);
    CHECK(many >= one - 1 && many <= one + 1);
  }
  if (nx * ny < 2000)
    testRefine(A, whole, multigrid ? TEXLA_PRECONDITIONER_MG : TEXLA_PRECONDITIONER_JACOBI);
  clTripletsDestroy(whole);
  clClusterMatrixDestroy(A);
}

/* A symmetric matrix with entries far from the diagonal, through a file. */
static void testFile(void) {
  enum { N = 203 };
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  char path[64];
  int id = (int)getpid();
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "/tmp/texla-cg-%d.mtx", id);
  CHECK_OK(clTripletsCreate(&whole, N, N, 5 * N, NULL));
  for (int i = 0; i < N; i++) {
    CHECK_OK(clTripletsAdd(whole, i, i, 4.5 + i % 3, NULL));
    for (int k = 1; k <= 64; k *= 8)
      if (i + k < N) {
        CHECK_OK(clTripletsAdd(whole, i, i + k, -0.7, NULL));
        CHECK_OK(clTripletsAdd(whole, i + k, i, -0.7, NULL));
      }
  }
  CHECK_OK(clTripletsCompress(whole, NULL));
  if (clClusterRank(cluster) == 0)
    CHECK_OK(clMatrixMarketWrite(path, whole, true, NULL, NULL));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(clClusterMatrixRead(&A, cluster, path));
  testRefusedProduct(A);
  testProduct(A, whole);
  int64_t one = alone(whole, TEXLA_PRECONDITIONER_JACOBI),
          many = solve(A, whole, TEXLA_PRECONDITIONER_JACOBI);
  CHECK(many >= one - 1 && many <= one + 1);
  CHECK(solve(A, whole, TEXLA_PRECONDITIONER_AMG) <= 2 * one);
  clVector *b = rightSide(A), *x = NULL;
  CHECK_OK(clClusterMatrixCreateVector(&x, A));
  CHECK_FAILS(
      clClusterSolve(A, x, b, &(clSolverOptions){.preconditioner = TEXLA_PRECONDITIONER_MG}, NULL),
      TEXLA_UNSUPPORTED);
  CHECK_FAILS(clClusterSolve(A, x, b, &(clSolverOptions){.method = TEXLA_METHOD_GMRES}, NULL),
              TEXLA_UNSUPPORTED);
  clVectorDestroy(b);
  clVectorDestroy(x);
  clClusterMatrixDestroy(A);
  clTripletsDestroy(whole);
  MPI_Barrier(MPI_COMM_WORLD);
  if (clClusterRank(cluster) == 0)
    remove(path);
}

/* A grid's matrix through a file, large enough for levels that are spread over ranks: the number of
 * iterations hardly grows with theirs. */
static void testAggregation(void) {
  enum { NX = 61, NY = 67 };
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  char path[64];
  int id = (int)getpid();
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, sizeof path, "/tmp/texla-amg-%d.mtx", id);
  CHECK_OK(clGeneratePoisson2d(&whole, NX, NY, NULL));
  if (clClusterRank(cluster) == 0)
    CHECK_OK(clMatrixMarketWrite(path, whole, true, NULL, NULL));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(clClusterMatrixRead(&A, cluster, path));
  testRefine(A, whole, TEXLA_PRECONDITIONER_AMG);
  /* each rank by itself: 35 on six */
  CHECK(solve(A, whole, TEXLA_PRECONDITIONER_AMG) <= 8);
  clClusterMatrixDestroy(A);
  clTripletsDestroy(whole);
  MPI_Barrier(MPI_COMM_WORLD);
  if (clClusterRank(cluster) == 0)
    remove(path);
}

/* The name of a file that all ranks know. */
static void nameFile(char path[64], const char *what) {
  int id = (int)getpid();
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, 64, "/tmp/texla-%s-%d.mtx", what, id);
}

static double factorAt(int i) {
  /* 2^-28 .. 2^28 */
  return ldexp(1, 7 * (i * 13 % 9 - 4));
}

/* D A D with A from a grid and D over seventeen decimal digits: what one process makes of it, on
 * any number of ranks. b = D A 1. */
static void testScaling(void) {
  enum { NX = 47, NY = 41, N = NX * NY };
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  char path[64], side[64];
  nameFile(path, "scaled");
  nameFile(side, "side");
  CHECK_OK(clGeneratePoisson2d(&whole, NX, NY, NULL));
  double *b = calloc(3 * N, sizeof *b), *x = b + N, *mine = x + N;
  for (int64_t k = 0; k < whole->count; k++) {
    b[whole->row[k]] += factorAt(whole->row[k]) * whole->value[k];
    whole->value[k] *= factorAt(whole->row[k]) * factorAt(whole->col[k]);
  }
  if (clClusterRank(cluster) == 0) {
    CHECK_OK(clMatrixMarketWrite(path, whole, true, NULL, NULL));
    CHECK_OK(clMatrixMarketWriteVector(side, b, N, NULL, NULL));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(clClusterMatrixRead(&A, cluster, path));
  CHECK_OK(clClusterVectorRead(mine, A, side));
  int64_t n = clClusterMatrixLocal(A);
  for (int64_t i = 0; i < n; i++) {
    int row = (int)clClusterMatrixNumber(A, i);
    CHECK(mine[i] == b[row]);
    x[i] = 1 / factorAt(row);
  }
  CHECK_OK(clClusterMatrixMultiplyHost(x, A, x));
  for (int64_t i = 0; i < n; i++)
    CHECK(fabs(x[i] - mine[i]) <= 1e-13 * factorAt((int)clClusterMatrixNumber(A, i)));
  clSystemReport one = {0};
  clSystemOptions options = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_AMG, .tolerance = 1e-10}};
  CHECK_OK(clSystemSolve(clClusterContext(cluster), whole, b, x, &options, &one));
  clClusterRefineReport report;
  memset(x, 0, N * sizeof *x);
  CHECK_OK(clClusterRefine(A, x, mine, &options.solver, &report));
  CHECK(report.residual <= 1e-10 && report.iterations <= one.iterations + 4);
  clSystemReportClear(&one);
  /* D A D in single precision times D^-1 1 is b */
  clVector *y = NULL, *ones = NULL;
  float *value = calloc(N + 1, sizeof *value);
  CHECK_OK(clClusterMatrixCreateVector(&ones, A));
  CHECK_OK(clClusterMatrixCreateVector(&y, A));
  for (int64_t i = 0; i < n; i++)
    value[i] = (float)(1 / factorAt((int)clClusterMatrixNumber(A, i)));
  CHECK_OK(clVectorUpload(ones, value));
  CHECK_OK(clClusterMatrixMultiply(y, A, ones));
  CHECK_OK(clVectorDownload(y, value));
  for (int64_t i = 0; i < n; i++)
    CHECK((double)value[i] == mine[i]);
  /* without refinement: residuals of the scaled system, x of A */
  clSolverReport plain;
  double residual;
  CHECK_OK(clVectorClear(ones));
  CHECK_OK(clClusterSolve(A, ones, y, &(clSolverOptions){.tolerance = 1e-5}, &plain));
  CHECK_OK(clClusterResidual(A, ones, y, &residual));
  CHECK(plain.iterations < 200 && residual < 1e-3);
  free(value);
  clVectorDestroy(ones);
  clVectorDestroy(y);
  clClusterMatrixDestroy(A);
  clTripletsDestroy(whole);
  free(b);
  MPI_Barrier(MPI_COMM_WORLD);
  if (clClusterRank(cluster) == 0)
    CHECK(remove(path) == 0 && remove(side) == 0);
}

/* -div a grad u with a of two sizes: the constant is nearly mapped to zero by A, but not by the
 * scaled matrix. As many iterations as on one process. */
static void testJumps(void) {
  enum { NX = 50, NY = 40, N = NX * NY };
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  char path[64];
  nameFile(path, "jumps");
  CHECK_OK(clTripletsCreate(&whole, N, N, 5 * N, NULL));
  for (int k = 0; k < 4 * N; k++) {
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    int i = k / 4 % NX, j = k / 4 / NX, x = i + dx[k % 4], y = j + dy[k % 4];
    double here = (i / 8 + j / 8) % 2 ? 1000 : 1;
    double there = (x / 8 + y / 8) % 2 ? 1000 : 1;
    double a = 2 * here * there / (here + there);
    CHECK_OK(clTripletsAdd(whole, k / 4, k / 4, a, NULL));
    if (x >= 0 && y >= 0 && x < NX && y < NY)
      CHECK_OK(clTripletsAdd(whole, k / 4, y * NX + x, -a, NULL));
  }
  CHECK_OK(clTripletsCompress(whole, NULL));
  if (clClusterRank(cluster) == 0)
    CHECK_OK(clMatrixMarketWrite(path, whole, true, NULL, NULL));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(clClusterMatrixRead(&A, cluster, path));
  double *b = calloc(3 * N, sizeof *b), *x = b + N, *mine = x + N;
  for (int i = 0; i < N; i++)
    b[i] = (double)right(i);
  for (int64_t i = 0; i < clClusterMatrixLocal(A); i++)
    mine[i] = (double)right(clClusterMatrixNumber(A, i));
  clSystemReport one = {0};
  clSystemOptions options = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_AMG, .tolerance = 1e-8}};
  clClusterRefineReport report;
  CHECK_OK(clSystemSolve(clClusterContext(cluster), whole, b, x, &options, &one));
  memset(x, 0, N * sizeof *x);
  CHECK_OK(clClusterRefine(A, x, mine, &options.solver, &report));
  if (clClusterRank(cluster) == 0 && getenv("TEXLA_TEST_VERBOSE"))
    fprintf(stderr, "jumps: %lld iterations, %lld on one process\n", (long long)report.iterations,
            (long long)one.iterations);
  CHECK(report.iterations <= one.iterations + one.iterations / 2);
  clSystemReportClear(&one);
  clClusterMatrixDestroy(A);
  clTripletsDestroy(whole);
  free(b);
  MPI_Barrier(MPI_COMM_WORLD);
  if (clClusterRank(cluster) == 0)
    CHECK(remove(path) == 0);
}

/* A singular matrix: where b is out of reach, that is said. */
static void testSingular(void) {
  enum { N = 40 };
  clClusterMatrix *A = NULL;
  clTriplets *whole = NULL;
  char path[64];
  nameFile(path, "singular");
  CHECK_OK(clTripletsCreate(&whole, N, N, 3 * N, NULL));
  for (int i = 0; i < N; i++) {
    CHECK_OK(clTripletsAdd(whole, i, i, i && i < N - 1 ? 2 : 1, NULL));
    if (i)
      CHECK_OK(clTripletsAdd(whole, i, i - 1, -1, NULL));
    if (i < N - 1)
      CHECK_OK(clTripletsAdd(whole, i, i + 1, -1, NULL));
  }
  CHECK_OK(clTripletsCompress(whole, NULL));
  if (clClusterRank(cluster) == 0)
    CHECK_OK(clMatrixMarketWrite(path, whole, true, NULL, NULL));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(clClusterMatrixRead(&A, cluster, path));
  double x[N + 1] = {0}, b[N + 1] = {0};
  int64_t n = clClusterMatrixLocal(A);
  /* the constant is out of reach, the rest not */
  for (int64_t i = 0; i < n; i++)
    b[i] = 0.05 + (clClusterMatrixNumber(A, i) % 2 ? 1 : -1);
  clClusterRefineReport report;
  CHECK_FAILS(clClusterRefine(A, x, b, &(clSolverOptions){.tolerance = 1e-8}, &report),
              TEXLA_NOT_CONVERGED);
  CHECK(report.reason == TEXLA_REASON_INCONSISTENT &&
        fabs(report.residual - 0.05 / hypot(1, 0.05)) < 1e-7);
  for (int64_t i = 0; i < n; i++)
    b[i] -= 0.05;
  CHECK_OK(clClusterRefine(A, x, b, &(clSolverOptions){.tolerance = 1e-8}, &report));
  clClusterMatrixDestroy(A);
  clTripletsDestroy(whole);
  MPI_Barrier(MPI_COMM_WORLD);
  if (clClusterRank(cluster) == 0)
    CHECK(remove(path) == 0);
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  int ranks = clClusterSize(cluster);
  testGrid(40, 33, 0, 0, false);
  testGrid(19, 50, ranks, 1, false);
  testVolume(40, 33, 1, ranks, TEXLA_PRECONDITIONER_NONE);
  int across = ranks % 2 ? ranks : 2;
  testVolume(40, 33, across, ranks / across, TEXLA_PRECONDITIONER_JACOBI);
  /* Some ranks have no points. */
  testGrid(3, 2, ranks > 2 ? 2 : 1, 1, false);
  /* The whole grid is gathered at once. */
  testGrid(30, 20, 0, 0, true);
  testGrid(140, 151, 0, 0, true);
  /* Two levels over ranks, whose parts begin at even and at odd points. */
  testGrid(301, 203, 0, 0, true);
  if (ranks == 4)
    testGrid(257, 260, 2, 2, true);
  testFile();
  testAggregation();
  testScaling();
  testJumps();
  testSingular();
  return clusterEnd();
}
