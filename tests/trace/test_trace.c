/* A trace changes no result, holds what was drawn, and says what went wrong. */
#include "folder.h"
#include "oracle/vector.h"
#include "texla/texla.h"

#include "one_context.h"

static Folder folder;

static int makeFolder(void **state) {
  folderCreate(&folder);
  return 0;
}

static int removeFolder(void **state) {
  folderDestroy(&folder);
  return 0;
}

static char *readText(const char *name) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder.name, name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  char *text = calloc(size + 1, 1);
  rewind(file);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  return text;
}

/* The numbers behind the first "values" after `at`: base64. */
static size_t decode(const char *at, float *out, size_t most) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char *bytes = (unsigned char *)out;
  size_t n = 0;
  const char *p = strstr(at, "\"values\":\"");
  assert_non_null(p);
  uint32_t bits = 0;
  int have = 0;
  for (p += 10; *p != '"' && *p != '='; p++) {
    bits = bits << 6 | (uint32_t)(strchr(digits, *p) - digits);
    have += 6;
    if (have >= 8 && n < 4 * most)
      bytes[n++] = (unsigned char)(bits >> (have -= 8));
  }
  return n / 4;
}

/* The content that pass `number` drew into its target. */
static const char *contentOf(const char *json, int64_t number) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"pass\":%lld,", (long long)number);
  const char *at = strstr(json, wanted);
  assert_non_null(at);
  return at;
}

static void start(const char *choose) {
  CHECK(clTraceStart(context, &(clTraceOptions){.folder = folder.name, .choose = choose}));
}

/* z <- 2 x + 3 y, as doubles have it. */
static void holdsWhatWasDrawn(void **state) {
  enum { NX = 9, NY = 5, N = NX * NY };
  float x[N], y[N], z[N], texels[4 * 3 * NY];
  clVector *X, *Y, *Z;
  oracleFill(x, N, 1, -1, 1);
  oracleFill(y, N, 2, -1, 1);
  CHECK(clVectorCreateGrid(&X, context, NX, NY));
  CHECK(clVectorCreateGrid(&Y, context, NX, NY));
  CHECK(clVectorCreateGrid(&Z, context, NX, NY));
  CHECK(clVectorUpload(X, x));
  CHECK(clVectorUpload(Y, y));
  start(NULL);
  CHECK(clVectorAdd(Z, 2, NULL, X, 3, NULL, Y));
  clTraceReport report;
  CHECK(clTraceFinish(context, &report));
  CHECK(clVectorDownload(Z, z));
  assert_int_equal(report.passes, 1);
  assert_int_equal(report.recorded, 1);
  assert_int_equal(report.pictured, 1);
  FREED char *json = readText("trace.json");
  const char *drawn = contentOf(json, 1);
  assert_int_equal(decode(drawn, texels, 4 * 3 * NY), 4 * 3 * NY);
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < 12; i++) {
      float traced = texels[12 * j + i];
      assert_true(traced == (i < NX ? z[NX * j + i] : 0));
      if (i < NX)
        assert_true(fabs((double)traced - 2 * (double)x[NX * j + i] - 3 * (double)y[NX * j + i]) <
                    1e-6);
    }
  assert_non_null(strstr(json, "\"kernel\":\"add\""));
  assert_non_null(strstr(json, "clVectorAdd"));
  clVectorDestroy(X);
  clVectorDestroy(Y);
  clVectorDestroy(Z);
}

static clStatus solve(clContext *c, double *x, clSystemReport *report) {
  OWN(clTriplets) *A = NULL;
  clError error;
  double b[36];
  for (int i = 0; i < 36; i++)
    b[i] = x[i] = i % 7 - 3;
  testOk(clGeneratePoisson2d(&A, 6, 6, &error), &error, "poisson", __FILE__, __LINE__);
  clStatus status =
      clSystemSolve(c, A, b, x, &(clSystemOptions){.solver.method = TEXLA_METHOD_CG}, report);
  return status;
}

static void changesNothing(void **state) {
  double plain[36], traced[36];
  clSystemReport report[2] = {{0}, {0}};
  CHECK(solve(context, plain, &report[0]));
  /* with all that it needs, once */
  CHECK(clContextSynchronize(context));
  clContextCounters before = clContextStatistics(context);
  start(NULL);
  CHECK(solve(context, traced, &report[1]));
  clTraceReport trace;
  CHECK(clTraceFinish(context, &trace));
  assert_memory_equal(plain, traced, sizeof plain);
  assert_int_equal(report[0].iterations, report[1].iterations);
  assert_int_equal(report[0].passes, report[1].passes);
  assert_int_equal(report[0].readbacks, report[1].readbacks);
  assert_int_equal(trace.passes, report[1].passes);
  assert_int_equal(clContextStatistics(context).bytes_used, before.bytes_used);
  char *json = readText("trace.json");
  assert_non_null(
      strstr(json, "[[\"clSystem solve\"],[\"cg\"],[\"iteration\",1],[\"clMatrixMulVector\"]]"));
  free(json);
  clSystemReportClear(&report[0]);
  clSystemReportClear(&report[1]);
}

static int64_t recordedWith(const char *choose) {
  double x[36];
  clTraceReport report;
  start(choose);
  CHECK(solve(context, x, NULL));
  CHECK(clTraceFinish(context, &report));
  return report.recorded;
}

static void chooses(void **state) {
  assert_int_equal(recordedWith("pass=1-5"), 5);
  int64_t rounds = recordedWith("iteration=0,banded");
  assert_int_equal(recordedWith("iteration=0-1"), 6 * rounds);
  assert_int_equal(recordedWith("iteration=0-1,cg_*"), 2 * rounds);
  assert_int_equal(recordedWith("iteration=1,name=banded,cg_*,"), 2 * rounds);
  assert_int_equal(recordedWith("nothing"), 0);
  static const char *const wrong[] = {"pass=",       "pass=5-3",   "size=0",
                                      "iteration=x", "nonsense=1", "texels=1e3"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    assertFails(context,
                clTraceStart(context, &(clTraceOptions){.folder = folder.name, .choose = wrong[k]}),
                TEXLA_BAD_ARGUMENT, wrong[k]);
}

static void refuses(void **state) {
  char path[600];
  assertFails(context, clTraceStart(context, NULL), TEXLA_BAD_ARGUMENT, "folder");
  assertFails(context, clTraceFinish(context, NULL), TEXLA_BAD_ARGUMENT, "no trace");
  snprintf(path, sizeof path, "%s/no/folder", folder.name);
  assertFails(context, clTraceStart(context, &(clTraceOptions){.folder = path}), TEXLA_IO_ERROR,
              "no/folder");
  folderWrite(&folder, "file", "");
  snprintf(path, sizeof path, "%s/file", folder.name);
  assertFails(context, clTraceStart(context, &(clTraceOptions){.folder = path}), TEXLA_IO_ERROR,
              "file");
  start(NULL);
  assertFails(context, clTraceStart(context, &(clTraceOptions){.folder = folder.name}),
              TEXLA_BAD_ARGUMENT, "already");
  CHECK(clTraceFinish(context, NULL));
}

/* By an option and by the environment; two contexts at once, in folders of their own. */
static void tracesContexts(void **state) {
  double x[36];
  setenv("TEXLA_TRACE", folder.name, 1);
  setenv("TEXLA_TRACE_CHOOSE", "pass=1-2", 1);
  clContext *first = testContextWith((clContextOptions){0}),
            *second = testContextWith((clContextOptions){0});
  clContext *third = testContextWith((clContextOptions){.trace = ""});
  unsetenv("TEXLA_TRACE");
  unsetenv("TEXLA_TRACE_CHOOSE");
  assertOk(first, solve(first, x, NULL));
  assertOk(second, solve(second, x, NULL));
  assertFails(third, clTraceFinish(third, NULL), TEXLA_BAD_ARGUMENT, "no trace");
  clContextDestroy(first);
  clContextDestroy(second);
  clContextDestroy(third);
  char *page = readText("index.html"), *other = readText("2/index.html");
  assert_non_null(strstr(page, "\"recorded\":2"));
  assert_non_null(strstr(other, "\"recorded\":2"));
  assert_null(strstr(page, "@DATA@"));
  free(page);
  free(other);
  clContext *none = NULL;
  clError error = {0};
  clStatus status = clContextCreate(
      &none, &(clContextOptions){.trace = "/dev/null/t", .no_tuning_cache = true}, &error);
  testFails(status, &error, TEXLA_IO_ERROR, "/dev/null/t", "clContextCreate", __FILE__, __LINE__);
  assert_null(none);
}

static void staysSmall(void **state) {
  enum { N = 1 << 16 };
  clVector *x;
  clTraceReport report;
  CHECK(clVectorCreate(&x, context, N));
  start("size=1,texels=100000");
  for (int i = 0; i < 20; i++)
    CHECK(clVectorScale(x, 0.5f, NULL, x));
  CHECK(clTraceFinish(context, &report));
  assert_int_equal(report.recorded, 20);
  assert_true(report.pictured > 0 && report.pictured < 20);
  assert_true(report.bytes < 2 << 20);
  clVectorDestroy(x);
}

/* A product renders into more layers than one texel has room for. */
static void layersOverTheLimit(void **state) {
  enum { N = 96 };
  clDense *A, *B, *C;
  clTraceReport report;
  CHECK(clDenseCreate(&A, context, N, N));
  CHECK(clDenseCreateLike(&B, A));
  CHECK(clDenseCreateLike(&C, A));
  start("texels=1");
  CHECK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0));
  CHECK(clTraceFinish(context, &report));
  assert_true(report.recorded > 0);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, makeFolder, removeFolder)
  const struct CMUnitTest tests[] = {
      TEST(holdsWhatWasDrawn), TEST(changesNothing), TEST(chooses),           TEST(refuses),
      TEST(tracesContexts),    TEST(staysSmall),     TEST(layersOverTheLimit)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
