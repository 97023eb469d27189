/* The page in a browser: a script behind its own does what a reader does (tests/trace/page_actions.js) and compares what the page shows with
 * what was downloaded. Skipped where there is no chromium. */
#include "folder.h"
#include "oracle/vector.h"
#include "texla/texla.h"

#include "one_context.h"

enum { NX = 11, NY = 6, N = NX * NY, ROWS = 5, INNER = 4, COLS = 7 };

typedef struct Expected {
  float y[N], dot, C[ROWS * COLS];
  int64_t passes;
} Expected;

static void runProduct(Expected *e) {
  clTriplets *A = NULL;
  clMatrix *matrix = NULL;
  clVector *x = NULL, *y = NULL;
  clFloat *dot = NULL;
  clError error;
  float values[N];
  oracleFill(values, N, 1, -1, 1);
  testOk(clGeneratePoisson2d(&A, NX, NY, &error), &error, "poisson", __FILE__, __LINE__);
  CHECK(clMatrixCreate(&matrix, context, A,
                       &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED, .grid_nx = NX, .grid_ny = NY}));
  CHECK(clVectorCreateGrid(&x, context, NX, NY));
  CHECK(clVectorCreateGrid(&y, context, NX, NY));
  CHECK(clFloatCreate(&dot, context));
  CHECK(clVectorUpload(x, values));
  clTraceEnter(context, "my work", -1);
  clTraceEnter(context, "iteration", 7);
  CHECK(clMatrixMulVector(y, matrix, x));
  clTraceLeave(context);
  CHECK(clVectorDot(dot, x, y));
  clTraceLeave(context);
  CHECK(clVectorDownload(y, e->y));
  CHECK(clFloatDownload(dot, &e->dot));
  clFloatDestroy(dot);
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(matrix);
  clTripletsDestroy(A);
}

static void runDense(Expected *e) {
  clDense *A, *B, *C;
  float a[ROWS * INNER], b[INNER * COLS];
  oracleFill(a, ROWS * INNER, 2, -1, 1);
  oracleFill(b, INNER * COLS, 3, -1, 1);
  CHECK(clDenseCreate(&A, context, ROWS, INNER));
  CHECK(clDenseCreate(&B, context, INNER, COLS));
  CHECK(clDenseCreate(&C, context, ROWS, COLS));
  CHECK(clDenseUpload(A, a, INNER));
  CHECK(clDenseUpload(B, b, COLS));
  CHECK(clDenseMultiply(C, 1, TEXLA_DENSE_NORMAL, A, TEXLA_DENSE_NORMAL, B, 0));
  CHECK(clDenseDownload(C, e->C, COLS));
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
}

static void writeArray(FILE *file, const char *name, const float *values, int count) {
  fprintf(file, "%s: [", name);
  for (int i = 0; i < count; i++)
    fprintf(file, "%.9g,", (double)values[i]);
  fprintf(file, "],\n");
}

static void copyFile(FILE *to, const char *path) {
  FILE *from = fopen(path, "rb");
  assert_non_null(from);
  for (int c; (c = getc(from)) != EOF;)
    putc(c, to);
  fclose(from);
}

/* The page, and behind it what the reader does. */
static void writeTried(Folder *folder, const Expected *e) {
  FILE *file = fopen(folderPath(folder, "tried.html"), "w");
  assert_non_null(file);
  copyFile(file, folderPath(folder, "index.html"));
  fprintf(file, "<script>\nconst expected = {passes: %lld, nx: %d, ny: %d, rows: %d, cols: %d,\n", (long long)e->passes,
          NX, NY, ROWS, COLS);
  writeArray(file, "y", e->y, N);
  writeArray(file, "C", e->C, ROWS * COLS);
  fprintf(file, "dot: %.9g};\n", (double)e->dot);
  copyFile(file, TEXLA_SOURCE_DIR "/tests/trace/page_actions.js");
  fprintf(file, "</script>\n");
  assert_int_equal(fclose(file), 0);
}

static const char *findBrowser(void) {
  static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
  char command[128];
  for (int i = 0; i < 3; i++) {
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", names[i]);
    if (system(command) == 0)
      return names[i];
  }
  return NULL;
}

static void pageShowsWhatWasDownloaded(void **state) {
  (void)state;
  const char *browser = findBrowser();
  Folder folder;
  Expected e;
  clTraceReport report;
  folderCreate(&folder);
  CHECK(clTraceStart(context, &(clTraceOptions){.folder = folder.name}));
  runProduct(&e);
  runDense(&e);
  CHECK(clTraceFinish(context, &report));
  e.passes = report.recorded;
  assert_int_equal(report.recorded, report.pictured);
  writeTried(&folder, &e);
  char command[1024], line[1024];
  snprintf(command, sizeof command,
           "timeout 300 %s --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
           "--disable-component-update --disable-sync --user-data-dir=%s/profile --virtual-time-budget=20000 "
           "--dump-dom file://%s/tried.html 2>%s/messages",
           browser ? browser : "", folder.name, folder.name, folder.name);
  int good = 0, bad = 0, ended = 0;
  FILE *said = browser ? popen(command, "r") : NULL;
  while (said && fgets(line, sizeof line, said)) {
    good += strstr(line, "good: ") != NULL;
    bad += strstr(line, "BAD: ") != NULL;
    ended += !strcmp(line, "end\n");
    if (strstr(line, "BAD: "))
      print_error("%s", line);
  }
  if (said)
    pclose(said);
  folderDestroy(&folder);
  if (!browser) {
    print_message("no chromium: the page was not opened\n");
    skip();
  }
  assert_int_equal(bad, 0);
  assert_int_equal(ended, 1);
  assert_int_equal(good, 22);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pageShowsWhatWasDownloaded)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
