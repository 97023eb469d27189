/* The page in a browser: a script behind its own does what a reader does
 * (tests/trace/page_actions.js) and compares what the page shows with what was downloaded. Skipped
 * where there is no chromium. */
#include "dense/product.h"
#include "folder.h"
#include "oracle/vector.h"
#include "texla/texla.h"

#include "one_context.h"

enum { NX = 11, NY = 6, N = NX * NY, ROWS = 5, INNER = 4, COLS = 7, ORDER = 13 };

typedef struct Expected {
  float y[N], dot, C[ROWS * COLS];
  /* sparse */
  float S[ORDER * ORDER], Sx[ORDER];
  int64_t passes;
} Expected;

static void runProduct(Expected *e) {
  OWN(clTriplets) *A = NULL;
  OWN(clMatrix) *matrix = NULL;
  OWN(clVector) *x = NULL, *y = NULL;
  OWN(clFloat) *dot = NULL;
  clError error;
  float values[N];
  oracleFill(values, N, 1, -1, 1);
  testOk(clGeneratePoisson2d(&A, NX, NY, &error), &error, "poisson", __FILE__, __LINE__);
  CHECK(clMatrixCreate(
      &matrix, context, A,
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
  CHECK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0));
  CHECK(clDenseDownload(C, e->C, COLS));
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
}

/* The same sparse matrix in the storages that look for the elements of x. */
static void runSparse(Expected *e) {
  static const clStorage storages[] = {TEXLA_STORAGE_POINTS, TEXLA_STORAGE_CSR,
                                       TEXLA_STORAGE_SLOTS};
  clTriplets *T;
  clError error;
  float values[ORDER * ORDER], x[ORDER];
  oracleFill(values, ORDER * ORDER, 4, 1, 2);
  oracleFill(x, ORDER, 5, -1, 1);
  testOk(clTripletsCreate(&T, ORDER, ORDER, 0, &error), &error, "triplets", __FILE__, __LINE__);
  for (int k = 0; k < ORDER * ORDER; k++) {
    int i = k / ORDER, j = k % ORDER;
    e->S[k] = i == j || (3 * i + 5 * j) % 7 == 0 ? values[k] : 0;
    if (e->S[k] != 0)
      testOk(clTripletsAdd(T, i, j, (double)e->S[k], &error), &error, "an entry", __FILE__,
             __LINE__);
  }
  for (int k = 0; k < 3; k++) {
    clMatrix *A;
    clVector *X, *Y;
    CHECK(clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = storages[k]}));
    CHECK(clMatrixCreateVector(&X, A, TEXLA_DOMAIN));
    CHECK(clMatrixCreateVector(&Y, A, TEXLA_RANGE));
    CHECK(clVectorUpload(X, x));
    CHECK(clMatrixMulVector(Y, A, X));
    CHECK(clVectorDownload(Y, e->Sx));
    clVectorDestroy(X);
    clVectorDestroy(Y);
    clMatrixDestroy(A);
  }
  clTripletsDestroy(T);
}

/* The sparse matrix again: a panel of it, its lower triangle packed, and its square by all variants
 * of the product. */
static void runPanelsAndProducts(const Expected *e) {
  clDense *A, *C;
  clPacked *P;
  CHECK(clDenseCreate(&A, context, ORDER, ORDER));
  CHECK(clDenseCreateLike(&C, A));
  CHECK(clDenseUpload(A, e->S, ORDER));
  CHECK(clPackedCreate(&P, context, ORDER, TEXLA_PACKING_2X2));
  CHECK(clPackedFromDense(P, A));
  CHECK(clPackedToDense(C, P, true));
  CHECK(clDenseRref(C, A, NULL, NULL, NULL));
  CHECK(clDenseDeterminant(&(clDeterminant){0}, A, NULL));
  for (int v = 0; v < TX_PRODUCT_VARIANTS; v++)
    CHECK(txDenseMultiply("product", C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, A, 0,
                          &txProductVariants[v]));
  clPackedDestroy(P);
  clDenseDestroy(A);
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

/* The page, whose policy also lets the test's own script run. */
static void copyPage(FILE *to, const char *path) {
  static const char directive[] = "script-src ";
  FILE *from = fopen(path, "rb");
  assert_non_null(from);
  size_t matched = 0;
  for (int c; (c = getc(from)) != EOF;) {
    putc(c, to);
    matched = c == directive[matched] ? matched + 1 : 0;
    if (directive[matched])
      continue;
    fputs("'nonce-test' ", to);
    matched = 0;
  }
  fclose(from);
}

/* The page, and behind it what the reader does. */
static void writeTried(Folder *folder, const Expected *e) {
  FILE *file = fopen(folderPath(folder, "tried.html"), "w");
  assert_non_null(file);
  copyPage(file, folderPath(folder, "index.html"));
  fprintf(file,
          "<script nonce=\"test\">\nconst expected = {passes: %lld, nx: %d, ny: %d, rows: %d, "
          "cols: %d, order: %d,\n",
          (long long)e->passes, NX, NY, ROWS, COLS, ORDER);
  writeArray(file, "y", e->y, N);
  writeArray(file, "C", e->C, ROWS * COLS);
  writeArray(file, "S", e->S, ORDER * ORDER);
  writeArray(file, "Sx", e->Sx, ORDER);
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
  if (testIsEs(context))
    testSkip("the page speaks of fetches, which are not noted on OpenGL ES");
  const char *browser = findBrowser();
  Folder folder;
  Expected e;
  clTraceReport report;
  folderCreate(&folder);
  CHECK(clTraceStart(context, &(clTraceOptions){.folder = folder.name}));
  runProduct(&e);
  runDense(&e);
  runSparse(&e);
  runPanelsAndProducts(&e);
  CHECK(clTraceFinish(context, &report));
  e.passes = report.recorded;
  assert_int_equal(report.recorded, report.pictured);
  writeTried(&folder, &e);
  char command[1024], line[1024];
  snprintf(command, sizeof command,
           "timeout 300 %s --headless --no-sandbox --disable-gpu --no-first-run "
           "--disable-background-networking "
           "--disable-component-update --disable-sync --user-data-dir=%s/profile "
           "--virtual-time-budget=20000 "
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
    testSkip("no chromium to open the page");
  }
  assert_int_equal(bad, 0);
  assert_int_equal(ended, 1);
  assert_int_equal(good, 38);
}

TEST_MAIN(setUp, testContextDestroy, pageShowsWhatWasDownloaded)
