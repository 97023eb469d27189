/* Crout's factorization: in order on the CPU, and as a fixed-point iteration on the device, sweep
 * by sweep. */
#include "dense/dense_cases.h"

#include "texla/crout.h"
#include "texla/io.h"

#include "one_context.h"

/* ---- Oracles --------------------------------------------------------------------------------- */

/* One sweep of the fixed-point iteration over all of Z, in double: the new z from the old ones. */
static void oracleSweep(double *next, const double *z, const double *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < (i < j ? i : j); k++)
        sum += z[i * n + k] * z[k * n + j];
      double v = a[i * n + j] - sum;
      next[i * n + j] = i >= j ? v : v / z[i * n + i];
    }
}

static double *oracleIterate(const double *a, int n, int sweeps) {
  double *z = malloc((size_t)(n * n) * sizeof *z), *next = malloc((size_t)(n * n) * sizeof *next);
  memcpy(z, a, (size_t)(n * n) * sizeof *z);
  for (int t = 0; t < sweeps; t++) {
    oracleSweep(next, z, a, n);
    double *old = z;
    z = next;
    next = old;
  }
  free(next);
  return z;
}

/* max |A - L U| / max (|L| |U|), both from Z */
static double factorError(const double *a, const double *z, int n) {
  double worst = 0, scale = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int k = 0; k <= (i < j ? i : j); k++) {
        double p = z[i * n + k] * (k == j ? 1 : z[k * n + j]);
        sum += p;
        size += fabs(p);
      }
      worst = fabs(a[i * n + j] - sum) <= worst ? worst : fabs(a[i * n + j] - sum);
      scale = fmax(scale, size);
    }
  return scale > 0 ? worst / scale : worst;
}

typedef enum kind { DOMINANT, SPD, BANDED, BLOCKS, ARROW, SCATTERED, KINDS } kind;

/* Matrices with factors without pivoting, rounded to single precision. */
static float *matrix(kind which, int n) {
  float *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      bool kept = which == DOMINANT || which == SPD || (which == BANDED && abs(i - j) <= 3) ||
                  (which == BLOCKS && i / 5 == j / 5) ||
                  (which == ARROW && (i == n - 1 || j == n - 1)) ||
                  (which == SCATTERED && caseNoise(22, i, j) > 0.98);
      int low = i, high = j;
      swapIf(j < i, &low, &high);
      double v = which == SPD ? caseNoise(21, low, high) : caseNoise(20, i, j);
      if (i == j)
        a[i * n + j] = (float)n + (float)i / 8;
      else if (kept)
        a[i * n + j] = (float)v;
    }
  return a;
}

/* ---- The CPU --------------------------------------------------------------------------------- */

static void host_factors_every_size(void **state) {
  for (int n = 1; n <= 67; n = testNextSize(n))
    for (int scaling = TEXLA_CROUT_SCALE_NONE; scaling <= TEXLA_CROUT_SCALE_BOTH; scaling++) {
      FREED float *a = matrix(n % 2 ? DOMINANT : SPD, n),
                  *zf = malloc((size_t)(n * n) * sizeof *zf);
      FREED double *A = caseDoubles(a, n * n), *Z = malloc((size_t)(n * n) * sizeof *Z);
      assert_int_equal(clCroutHost(Z, A, n, (clCroutScaling)scaling, NULL, NULL), TEXLA_OK);
      assert_true(factorError(A, Z, n) < 4 * n * 0x1p-52);
      assert_int_equal(clCroutHostFloat(zf, a, n, (clCroutScaling)scaling, NULL, NULL), TEXLA_OK);
      FREED double *rounded = caseDoubles(zf, n * n);
      assert_true(factorError(A, rounded, n) < 4 * n * 0x1p-23);
    }
}

static void host_splits(void **state) {
  const double Z[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, lower[9] = {1, 0, 0, 4, 5, 0, 7, 8, 9},
               upper[9] = {1, 2, 3, 0, 1, 6, 0, 0, 1};
  double L[9], U[9];
  float Zf[9], Lf[9];
  clError error = {0};
  assert_int_equal(clCroutHostSplit(L, U, Z, 3, &error), TEXLA_OK);
  assert_memory_equal(L, lower, sizeof L);
  assert_memory_equal(U, upper, sizeof U);
  for (int k = 0; k < 9; k++)
    Zf[k] = (float)Z[k];
  /* in place */
  assert_int_equal(clCroutHostFloatSplit(Lf, Zf, Zf, 3, &error), TEXLA_OK);
  for (int k = 0; k < 9; k++)
    assert_true((double)Lf[k] == lower[k] && (double)Zf[k] == upper[k]);
  assert_int_equal(clCroutHostSplit(L, L, Z, 3, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clCroutHostSplit(L, U, Z, 0, &error), TEXLA_BAD_ARGUMENT);
}

/* [[2, 4], [6, 8]]: l = 2; 6, u = 2, l22 = 8 - 6 * 2 = -4. */
static void host_by_hand(void **state) {
  const double A[4] = {2, 4, 6, 8}, wanted[4] = {2, 2, 6, -4};
  for (int scaling = TEXLA_CROUT_SCALE_NONE; scaling <= TEXLA_CROUT_SCALE_BOTH; scaling++) {
    double Z[4] = {0};
    assert_int_equal(clCroutHost(Z, A, 2, (clCroutScaling)scaling, NULL, NULL), TEXLA_OK);
    for (int k = 0; k < 4; k++)
      assert_true(Z[k] == wanted[k]);
  }
}

/* Scaling keeps products from overflowing in single precision, and the factors are A's all the
 * same. */
static void host_scaling_helps(void **state) {
  const float A[4] = {1e30f, 1e25f, 1e30f, 4e25f};
  float Z[4] = {0};
  assert_int_equal(clCroutHostFloat(Z, A, 2, TEXLA_CROUT_SCALE_BOTH, NULL, NULL), TEXLA_OK);
  assert_true(fabsf(Z[1] / 1e-5f - 1) < 1e-6f && fabsf(Z[3] / 3e25f - 1) < 1e-6f);
}

static void host_refuses(void **state) {
  const double zero[9] = {1, 2, 3, 2, 4, 5, 1, 1, 1};
  double Z[9], nan[1] = {NAN};
  int pivot = -1;
  clError error = {0};
  assert_int_equal(clCroutHost(Z, zero, 3, TEXLA_CROUT_SCALE_NONE, &pivot, &error), TEXLA_SINGULAR);
  assert_int_equal(pivot, 1);
  assert_non_null(strstr(error.message, "pivot 2 of 3"));
  assert_int_equal(clCroutHost(Z, nan, 1, TEXLA_CROUT_SCALE_NONE, &pivot, &error),
                   TEXLA_NOT_FINITE);
  assert_int_equal(clCroutHost(Z, zero, 0, TEXLA_CROUT_SCALE_NONE, NULL, &error),
                   TEXLA_BAD_ARGUMENT);
  assert_int_equal(clCroutHost(Z, zero, 3, (clCroutScaling)9, NULL, &error), TEXLA_BAD_ARGUMENT);
}

/* ---- The device ------------------------------------------------------------------------------ */

typedef struct factored {
  int n;
  clDense *A;
  clCrout *crout;
  clCroutReport report;
  clStatus status;
} factored;

static factored factor(const float *a, int n, const clCroutOptions *options) {
  factored f = {.n = n, .A = denseUpload(context, a, n, n)};
  CHECK(clCroutCreate(&f.crout, context, n, options));
  f.status = clCroutFactor(f.crout, f.A, &f.report);
  return f;
}

static void release(factored *f) {
  clCroutDestroy(f->crout);
  clDenseDestroy(f->A);
}

/* Z on the device is the host's, up to single precision's rounding of sums in another order. */
static void assertLikeHost(const float *a, const factored *f) {
  int n = f->n;
  FREED double *A = caseDoubles(a, n * n), *Z = malloc((size_t)(n * n) * sizeof *Z);
  FREED float *z = caseDownload(context, clCroutFactors(f->crout));
  double *got = caseDoubles(z, n * n), largest = 0;
  assert_int_equal(clCroutHost(Z, A, n, TEXLA_CROUT_SCALE_NONE, NULL, NULL), TEXLA_OK);
  for (int k = 0; k < n * n; k++)
    largest = fmax(largest, fabs(Z[k]));
  for (int k = 0; k < n * n; k++)
    assert_true(fabs(got[k] - Z[k]) <= 8 * sqrt(n) * 0x1p-23 * largest);
  assert_true(factorError(A, got, n) < 4 * sqrt(n) * 0x1p-23);
  free(got);
}

/* Every size by tiles with two sections' sizes, and some by both kinds of sweeps with all. */
static void device_equals_host(void **state) {
  static const int sections[] = {0, 1, 2, 3, 7, 16, 1000, 24};
  for (int n = 1; n <= 67; n = testNextSize(n)) {
    FREED float *a = matrix((kind)(n % KINDS), n);
    bool all = n < 8 || n % 11 == 0;
    for (int i = 0; i < 16; i++) {
      if (!all && i != n % 8 && i != (n + 3) % 8)
        continue;
      AT_END(release)
      factored f = factor(a, n,
                          &(clCroutOptions){.section = sections[i % 8],
                                            .order = (clCroutOrder)((n + i) % 2),
                                            .sweep = (clCroutSweep)(i / 8)});
      assertOk(context, f.status);
      assert_int_equal(f.report.reason, TEXLA_REASON_CONVERGED);
      assertLikeHost(a, &f);
    }
  }
}

/* The fixed point is reached to the last bit: neither the order of the sections nor their being
 * drawn longer matters. */
static void orders_agree(void **state) {
  for (int kinds = 0; kinds < 2 * KINDS; kinds++) {
    FREED float *a = matrix((kind)(kinds / 2), 53);
    factored f[2];
    float *z[2];
    for (int order = 0; order < 2; order++) {
      f[order] = factor(a, 53,
                        &(clCroutOptions){.section = 12,
                                          .order = (clCroutOrder)order,
                                          .sweep = (clCroutSweep)(kinds % 2)});
      assertOk(context, f[order].status);
      z[order] = caseDownload(context, clCroutFactors(f[order].crout));
    }
    assert_memory_equal(z[0], z[1], 53 * 53 * sizeof *z[0]);
    for (int order = 0; order < 2; order++) {
      free(z[order]);
      release(&f[order]);
    }
  }
}

/* After t sweeps the device holds what the oracle holds after t sweeps. */
static void sweep_by_sweep(void **state) {
  int n = 23;
  FREED float *a = matrix(DOMINANT, n);
  FREED double *A = caseDoubles(a, n * n);
  for (int t = 1; t <= 12; t++) {
    factored f =
        factor(a, n, &(clCroutOptions){.max_sweeps = t, .sweep = TEXLA_CROUT_SWEEP_ENTRIES});
    float *z = caseDownload(context, clCroutFactors(f.crout));
    double *wanted = oracleIterate(A, n, t);
    assert_true(f.report.sweeps == t || f.status == TEXLA_OK);
    for (int k = 0; k < n * n; k++)
      assert_true(fabs((double)z[k] - wanted[k]) <= 1e-5 * (fabs(wanted[k]) + 1));
    free(wanted);
    free(z);
    release(&f);
  }
}

/* A sweep of tiles makes those final that the sweeps before have prepared, and draws no others: of
 * a dense matrix those whose row or column of tiles is the sweep's. */
static void sweep_by_sweep_of_tiles(void **state) {
  int n = 37;
  FREED float *a = matrix(DOMINANT, n);
  FREED double *A = caseDoubles(a, n * n), *wanted = malloc((size_t)(n * n) * sizeof *wanted);
  assert_int_equal(clCroutHost(wanted, A, n, TEXLA_CROUT_SCALE_NONE, NULL, NULL), TEXLA_OK);
  for (int t = 1; t <= 5; t++) {
    AT_END(release) factored f = factor(a, n, &(clCroutOptions){.max_sweeps = t});
    float *z = caseDownload(context, clCroutFactors(f.crout));
    assert_int_equal(f.status, t < 5 ? TEXLA_NOT_CONVERGED : TEXLA_OK);
    assert_int_equal(f.report.sweeps, t);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int k = i * n + j, tile = (i < j ? i : j) / 8;
        double expected = tile < t ? wanted[k] : A[k];
        assert_true(fabs((double)z[k] - expected) <= 1e-5 * (fabs(expected) + 1));
      }
    free(z);
  }
}

/* As many sweeps as the longest chain of tiles. (Blocks of 5: none lies across row 40.) */
static void chains_of_tiles(void **state) {
  static const struct {
    kind which;
    int n, section, sweeps;
  } cases[] = {{DOMINANT, 64, 0, 8}, {DOMINANT, 65, 0, 9}, {DOMINANT, 64, 16, 2},
               {BANDED, 64, 0, 8},   {ARROW, 64, 0, 2},    {BLOCKS, 64, 0, 5},
               {BLOCKS, 64, 8, 1},   {DOMINANT, 30, 6, 3}, {DOMINANT, 30, 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FREED float *a = matrix(cases[i].which, cases[i].n);
    AT_END(release)
    factored f = factor(a, cases[i].n, &(clCroutOptions){.section = cases[i].section});
    assertOk(context, f.status);
    assert_int_equal(f.report.most_sweeps, cases[i].sweeps);
  }
}

static void sweeps_end(void **state) {
  FREED float *a = matrix(DOMINANT, 64), *diagonal = calloc(64 * 64, sizeof *diagonal);
  factored f = factor(a, 64, &(clCroutOptions){.max_sweeps = 3});
  assert_int_equal(f.status, TEXLA_NOT_CONVERGED);
  assert_int_equal(f.report.reason, TEXLA_REASON_MAX_ITERATIONS);
  assert_int_equal(f.report.most_sweeps, 3);
  assertFails(context, clCroutSolve(f.crout, TEXLA_NO_TRANSPOSE, f.A, f.A), TEXLA_BAD_ARGUMENT,
              "must have gone well");
  release(&f);
  /* never more than two for each row of a section */
  f = factor(a, 64, &(clCroutOptions){.sweep = TEXLA_CROUT_SWEEP_ENTRIES});
  assertWithin(f.report.most_sweeps, 2, 2 * 64);
  release(&f);
  for (int i = 0; i < 64; i++)
    diagonal[65 * i] = 2;
  for (int sweep = 0; sweep < 2; sweep++) {
    f = factor(diagonal, 64, &(clCroutOptions){.section = 16, .sweep = (clCroutSweep)sweep});
    assertOk(context, f.status);
    assert_int_equal(f.report.sections, 16);
    assert_int_equal(f.report.skipped, 12);
    /* nothing depends on anything; changes of entries are looked at every few sweeps, and known one
     * look later */
    assertWithin(f.report.most_sweeps, 1, sweep == TEXLA_CROUT_SWEEP_ENTRIES ? 12 : 1);
    release(&f);
  }
}

/* Fill-in between sections is not forgotten: an arrow that points to the top left fills everything.
 * Of 520 rows there are more tiles than a word has bits. */
static void fill_in(void **state) {
  static const struct {
    int n, section;
    clCroutSweep sweep;
  } cases[] = {{40, 8, TEXLA_CROUT_SWEEP_TILES},
               {40, 8, TEXLA_CROUT_SWEEP_ENTRIES},
               {520, 0, TEXLA_CROUT_SWEEP_TILES}};
  for (int k = 0; k < 3; k++) {
    int n = cases[k].n;
    FREED float *a = calloc((size_t)(n * n), sizeof *a);
    for (int i = 0; i < n; i++) {
      a[i * n + i] = (float)(n + 20);
      a[i] = a[i * n] = i ? 1 : (float)(n + 20);
    }
    factored f =
        factor(a, n, &(clCroutOptions){.section = cases[k].section, .sweep = cases[k].sweep});
    assertOk(context, f.status);
    assert_int_equal(f.report.skipped, 0);
    assertLikeHost(a, &f);
    release(&f);
  }
}

/* Tiles side by side that are drawn as one begin their sums where any of them does: of tiles (3, 4)
 * and (3, 5), which fill in, the first one needs tiles (3, 2) and (2, 4), the second one (3, 0) and
 * (0, 5). */
static void tiles_side_by_side(void **state) {
  int n = 48;
  FREED float *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++)
    a[i * n + i] = 2;
  a[24 * n + 16] = a[16 * n + 32] = a[24 * n] = a[40] = 1;
  AT_END(release) factored f = factor(a, n, NULL);
  assertOk(context, f.status);
  assert_int_equal(f.report.most_sweeps, 2);
  assertLikeHost(a, &f);
}

static void tolerance_ends_earlier(void **state) {
  float *a = matrix(DOMINANT, 60);
  clCroutOptions options = {.section = 30, .sweep = TEXLA_CROUT_SWEEP_ENTRIES};
  AT_END(release) factored exact = factor(a, 60, &options);
  options.tolerance = 1e-3;
  AT_END(release) factored loose = factor(a, 60, &options);
  assertOk(context, loose.status);
  assert_true(loose.report.sweeps < exact.report.sweeps);
  float *z = caseDownload(context, clCroutFactors(loose.crout));
  double *A = caseDoubles(a, 60 * 60), *got = caseDoubles(z, 60 * 60);
  assert_true(factorError(A, got, 60) < 1e-3);
  free(z);
  free(A);
  free(got);
  free(a);
}

static void splits_and_solves(void **state) {
  for (int n = 1; n <= 45; n += 11) {
    float *a = matrix(DOMINANT, n), *ones = malloc((size_t)(3 * n) * sizeof *ones);
    AT_END(release) factored f = factor(a, n, &(clCroutOptions){.section = 10});
    clDense *L = NULL, *U = NULL, *B = NULL, *X = NULL;
    CHECK(clDenseCreateLike(&L, f.A));
    CHECK(clDenseCreateLike(&U, f.A));
    CHECK(clCroutSplit(f.crout, L, U));
    CHECK(clDenseMultiply(L, 1, TEXLA_NO_TRANSPOSE, L, TEXLA_NO_TRANSPOSE, U, 0));
    CHECK(clDenseAdd(L, 1, L, -1, f.A));
    float *difference = caseDownload(context, L);
    assert_true(caseLargest(difference, n * n) < 1e-5 * n);
    for (int k = 0; k < 3 * n; k++)
      ones[k] = 1 + (float)(k % 3);
    CHECK(clDenseCreate(&X, context, n, 3));
    CHECK(clDenseCreate(&B, context, n, 3));
    for (int op = 0; op < 2; op++) {
      CHECK(clDenseUpload(X, ones, 3));
      CHECK(clDenseMultiply(B, 1, (clTranspose)op, f.A, TEXLA_NO_TRANSPOSE, X, 0));
      CHECK(clCroutSolve(f.crout, (clTranspose)op, B, B));
      FREED float *x = caseDownload(context, B);
      for (int k = 0; k < 3 * n; k++)
        assert_true(fabsf(x[k] - ones[k]) < 1e-4f);
    }
    clDenseDestroy(L);
    clDenseDestroy(U);
    clDenseDestroy(B);
    clDenseDestroy(X);
    free(difference);
    free(ones);
    free(a);
  }
}

/* A zero pivot at `at` is reported there, in whatever section it lies. */
static void zero_pivots(void **state) {
  int n = 30;
  static const int places[] = {0, 1, 9, 10, 17, 29};
  for (int i = 0; i < 12; i++) {
    int at = places[i / 2];
    FREED float *a = calloc((size_t)(n * n), sizeof *a);
    for (int k = 0; k < n; k++) {
      a[k * n + k] = k == at ? 0 : 4;
      if (k > at)
        a[at * n + k] = a[k * n + at] = 1;
    }
    AT_END(release)
    factored f = factor(a, n, &(clCroutOptions){.section = 10, .sweep = (clCroutSweep)(i % 2)});
    assert_int_equal(f.status, TEXLA_SINGULAR);
    assert_int_equal(f.report.reason, TEXLA_REASON_BREAKDOWN);
    assert_int_equal(f.report.pivot, at);
    assert_non_null(strstr(clContextError(context)->message, "without pivoting"));
  }
}

/* Entries below 2^-126 may be zeros on the device: what has lost them is no factorization. */
static void underflow_is_named(void **state) {
  static const float sizes[] = {1e-38f, 1e-40f, 1e-44f, 0};
  for (int i = 0; i < 8; i++) {
    float s = sizes[i / 2], a[9] = {4 * s, s, 0, s, 3 * s, s, 0, s, 2 * s};
    AT_END(release) factored f = factor(a, 3, &(clCroutOptions){.sweep = (clCroutSweep)(i % 2)});
    assert_int_equal(f.status, TEXLA_SINGULAR);
    assert_int_equal(f.report.pivot, 0);
    assert_non_null(strstr(clContextError(context)->message, "underflows"));
  }
}

/* Values that grow beyond single precision are not converged. */
static void overflow_is_no_success(void **state) {
  int n = 12;
  FREED float *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = i == j ? 1e-20f : 1e20f * (float)caseNoise(4, i, j);
  for (int sweep = 0; sweep < 2; sweep++) {
    AT_END(release) factored f = factor(a, n, &(clCroutOptions){.sweep = (clCroutSweep)sweep});
    assert_int_equal(f.status, TEXLA_SINGULAR);
    assert_true(f.report.reason == TEXLA_REASON_DIVERGED ||
                f.report.reason == TEXLA_REASON_BREAKDOWN);
  }
}

/* Where it is only an entry that no pivot depends on, too: l_n1 overflows, but u_1n is zero. */
static void overflow_beside_pivots(void **state) {
  int n = 20;
  FREED float *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++)
    a[i * n + i] = 1;
  a[(n - 1) * n] = 1e30f;
  /* l_n2 = - l_n1 u_12 */
  a[1] = -1e30f;
  for (int sweep = 0; sweep < 2; sweep++) {
    AT_END(release)
    factored f = factor(a, n, &(clCroutOptions){.section = 10, .sweep = (clCroutSweep)sweep});
    assert_int_equal(f.status, TEXLA_SINGULAR);
  }
}

static clTriplets *sharedMatrix(const char *name) {
  const char *root = getenv("TEXLA_DATA_DIR");
  char path[1024];
  clTriplets *T = NULL;
  snprintf(path, sizeof path, "%s/matrices/%s.mtx",
           root ? root : TEXLA_SOURCE_DIR "/../shared/data", name);
  return clMatrixMarketRead(&T, path, NULL) ? NULL : T;
}

/* A matrix of the shared folder by both sweeps, where Crout's method in order succeeds: as exact as
 * that. */
static bool factorShared(const char *name) {
  OWN(clTriplets) *T = sharedMatrix(name);
  if (!T)
    return false;
  int n = T->rows;
  FREED float *a = calloc((size_t)(n * n), sizeof *a),
              *host = malloc((size_t)(n * n) * sizeof *host);
  for (int64_t e = 0; e < T->count; e++)
    a[T->row[e] * n + T->col[e]] += (float)T->value[e];
  FREED double *A = caseDoubles(a, n * n);
  assert_int_equal(clCroutHostFloat(host, a, n, TEXLA_CROUT_SCALE_NONE, NULL, NULL), TEXLA_OK);
  double *z = caseDoubles(host, n * n), inOrder = factorError(A, z, n);
  for (int sweep = 0; sweep < 2; sweep++) {
    AT_END(release)
    factored f = factor(a, n, &(clCroutOptions){.section = 64, .sweep = (clCroutSweep)sweep});
    assertOk(context, f.status);
    float *got = caseDownload(context, clCroutFactors(f.crout));
    double *doubles = caseDoubles(got, n * n), error = factorError(A, doubles, n);
    if (!(error <= 4 * inOrder + 4 * 0x1p-24))
      fail_msg("%s by sweep %d: error %g, in order %g", name, sweep, error, inOrder);
    free(doubles);
    free(got);
  }
  free(z);
  return true;
}

static void real_matrices(void **state) {
  static const char *const names[] = {"bcsstk01", "bcsstk03", "LF10",    "LFAT5",
                                      "mesh1e1",  "cage5",    "fs_183_1"};
  int found = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    found += factorShared(names[i]);
  if (!found)
    testSkip("no real matrices (TEXLA_DATA_DIR)");
}

static void bad_arguments(void **state) {
  OWN(clCrout) *crout = NULL;
  OWN(clDense) *A = NULL, *flat = NULL;
  assertFails(context, clCroutCreate(&crout, context, 0, NULL), TEXLA_BAD_ARGUMENT, "n (0)");
  assertFails(context, clCroutCreate(&crout, context, 4, &(clCroutOptions){.tolerance = NAN}),
              TEXLA_BAD_ARGUMENT, "nan");
  assertFails(context,
              clCroutCreate(&crout, context, 4, &(clCroutOptions){.order = (clCroutOrder)7}),
              TEXLA_BAD_ARGUMENT, "order (7)");
  assertFails(context,
              clCroutCreate(&crout, context, 4, &(clCroutOptions){.sweep = (clCroutSweep)7}),
              TEXLA_BAD_ARGUMENT, "sweep (7)");
  assertFails(context, clCroutCreate(NULL, context, 4, NULL), TEXLA_BAD_ARGUMENT,
              "must not be NULL");
  CHECK(clCroutCreate(&crout, context, 4, NULL));
  CHECK(clDenseCreate(&A, context, 4, 5));
  CHECK(clDenseCreateWithPacking(&flat, context, 4, 4, TEXLA_PACKING_1X1));
  assert_null(clCroutFactors(crout));
  assertFails(context, clCroutFactor(crout, A, NULL), TEXLA_BAD_SHAPE, "A is 4 x 5");
  assertFails(context, clCroutFactor(crout, flat, NULL), TEXLA_UNSUPPORTED, "2x2");
  assertFails(context, clCroutFactor(crout, NULL, NULL), TEXLA_BAD_ARGUMENT, "A must not be NULL");
  assertFails(context, clCroutSplit(crout, A, A), TEXLA_BAD_ARGUMENT, "must have gone well");
  clCroutDestroy(NULL);
}

TEST_MAIN(setUp, testContextDestroy, host_factors_every_size, host_splits, host_by_hand,
          host_scaling_helps, host_refuses, device_equals_host, orders_agree, sweep_by_sweep,
          sweep_by_sweep_of_tiles, chains_of_tiles, sweeps_end, fill_in, tiles_side_by_side,
          tolerance_ends_earlier, splits_and_solves, zero_pivots, underflow_is_named,
          overflow_is_no_success, overflow_beside_pivots, real_matrices, bad_arguments)
