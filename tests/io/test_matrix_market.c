/* Matrix Market: what is read, written and refused, with which messages. */
#include "common.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "io/files.h"
#include "texla/io.h"

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define REAL COORDINATE "real general\n"
#define ARRAY "%%MatrixMarket matrix array "

/* Reads `text` through a file. */
static clStatus readText(Folder *folder, const char *text, size_t size, clTriplets **out,
                         clError *error) {
  char path[512];
  snprintf(path, sizeof path, "%s", folderPath(folder, "a.mtx"));
  testWriteFile(path, text, size);
  return clMatrixMarketRead(out, path, error);
}

/* The matrix as text, row by row: "1 0; 0 2". */
static void assertMatrix(const clTriplets *A, const char *expected) {
  char text[1000] = "";
  size_t length = 0;
  for (int32_t i = 0; i < A->rows; i++)
    for (int32_t j = 0; j < A->cols; j++) {
      double value = 0;
      for (int64_t k = 0; k < A->count; k++)
        if (A->row[k] == i && A->col[k] == j)
          value += A->value[k];
      const char *before = j ? " " : "; ";
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%.17g",
                                 i || j ? before : "", value);
    }
  assert_string_equal(text, expected);
}

static void readsEveryKind(void **state) {
  static const struct {
    const char *text, *expected;
    int64_t count;
  } cases[] = {
      {REAL "2 2 2\n1 1 1.5\n2 1 -2e1\n", "1.5 0; -20 0", 2},
      {COORDINATE "double general\n1 1 1\n1 1 7\n", "7", 1},
      {COORDINATE "integer general\n1 2 2\n1 2 9007199254740993\n1 1 3.0\n", "3 9007199254740992",
       2},
      {COORDINATE "pattern general\n2 3 2\n2 3\n1 1\n", "1 0 0; 0 0 1", 2},
      {COORDINATE "real symmetric\n2 2 2\n1 1 4\n2 1 -1\n", "4 -1; -1 0", 3},
      {COORDINATE "pattern symmetric\n2 2 1\n2 1\n", "0 1; 1 0", 2},
      {COORDINATE "real skew-symmetric\n2 2 1\n2 1 3\n", "0 -3; 3 0", 2},
      {ARRAY "real general\n2 3\n1\n2\n3\n4\n0\n6\n", "1 3 0; 2 4 6", 5},
      {ARRAY "integer symmetric\n2 2\n1\n2\n3\n", "1 2; 2 3", 4},
      {ARRAY "real skew-symmetric\n3 3\n1\n2\n3\n", "0 -1 -2; 1 0 -3; 2 3 0", 6},
      {ARRAY "real skew-symmetric\n1 1\n", "0", 0},
      {ARRAY "real general\n2 2\n 1 2\n\n%c\n3\t4", "1 3; 2 4", 4},
      {REAL "3 3 0\n", "0 0 0; 0 0 0; 0 0 0", 0},
      /* free form: case, comments, blank lines, tabs, CRLF, no end of line, signs, Fortran
       * exponents */
      {"%%matrixMARKET MATRIX Coordinate REAL General \r\n% c\r\n\r\n%\r\n \t2\t2 2 \r\n%c\r\n1 2 "
       "+1d2\r\n  % c\r\n\t2 "
       "1  -.5\t\r\n\r\n%c",
       "0 100; -0.5 0", 2},
      /* duplicates, also of a symmetric file, and an explicit zero */
      {REAL "2 2 4\n2 2 1\n1 1 0\n2 2 2\n2 2 4\n", "0 0; 0 7", 2},
      {COORDINATE "real symmetric\n2 2 3\n2 1 1\n2 1 2\n2 2 5\n", "0 3; 3 5", 3},
      {REAL "1 1 1\n1 1 1e-400\n", "0", 1},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    OWN(clTriplets) *A = NULL;
    clError error = {0};
    clStatus status = readText(*state, cases[k].text, strlen(cases[k].text), &A, &error);
    if (status != TEXLA_OK)
      fail_msg("%s\n%s", cases[k].text, error.message);
    assertMatrix(A, cases[k].expected);
    assert_int_equal(A->count, cases[k].count);
  }
}

typedef struct BadFile {
  clStatus status;
  const char *message, *text;
  /* 0: strlen(text) */
  size_t size;
} BadFile;

static void assertRefused(Folder *folder, BadFile file) {
  clTriplets *A = NULL;
  clError error = {0};
  clStatus status =
      readText(folder, file.text, file.size ? file.size : strlen(file.text), &A, &error);
  if (status != file.status || !strstr(error.message, file.message) || A)
    fail_msg("'%.60s': status %d, '%s'; expected %d, '%s'", file.text, status, error.message,
             file.status, file.message);
  assert_int_equal(error.status, status);
  assert_int_equal(strncmp(error.message, "clMatrixMarketRead: /", 21), 0);
}

static void badHeadersAreRefused(void **state) {
  const BadFile files[] = {
      {TEXLA_BAD_FILE, "a.mtx: the file is empty; a Matrix Market file begins with %%MatrixMarket",
       "", 0},
      {TEXLA_BAD_FILE, "a.mtx:1: not a Matrix Market file", "\n", 0},
      {TEXLA_BAD_FILE, ":1: not a Matrix Market file", "1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":1: not a Matrix Market file", "\x89PNG\r\n\x1a\n\xff\xfe%s%n", 0},
      {TEXLA_BAD_FILE, ":1: a zero byte",
       "\x7f"
       "ELF\0\0",
       6},
      {TEXLA_BAD_FILE, ":1: the header must be '%%MatrixMarket matrix FORMAT",
       "%%MatrixMarket matrix coordinate\n", 0},
      {TEXLA_BAD_FILE, ":1: the header must be",
       "%%MatrixMarket matrix coordinate real general 1\n", 0},
      {TEXLA_BAD_FILE, "unknown word 'vector' in the header (expected: matrix)",
       "%%MatrixMarket vector coordinate real general\n", 0},
      {TEXLA_BAD_FILE, "unknown word 'list' in the header (expected: coordinate, array)",
       "%%MatrixMarket matrix list real general\n", 0},
      {TEXLA_BAD_FILE, "unknown word 'quaternion'", COORDINATE "quaternion general\n1 1 1\n1 1 1\n",
       0},
      {TEXLA_BAD_FILE, "unknown word 'upper'", COORDINATE "real upper\n1 1 1\n1 1 1\n", 0},
      {TEXLA_UNSUPPORTED, ":1: complex matrices", COORDINATE "complex general\n1 1 1\n1 1 1 0\n",
       0},
      {TEXLA_UNSUPPORTED, ":1: complex matrices", COORDINATE "Complex Hermitian\n1 1 1\n1 1 1 0\n",
       0},
      {TEXLA_UNSUPPORTED, ":1: hermitian matrices", COORDINATE "real Hermitian\n1 1 1\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, "an array cannot be a pattern", ARRAY "pattern general\n1 1\n", 0},
      {TEXLA_BAD_FILE, "a pattern cannot be skew-symmetric",
       COORDINATE "pattern skew-symmetric\n1 1 0\n", 0},
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    assertRefused(*state, files[k]);
}

static void badSizesAreRefused(void **state) {
  const BadFile files[] = {
      {TEXLA_BAD_FILE, ":2: the file ends before the line with the sizes", REAL "%\n", 0},
      {TEXLA_BAD_FILE, ":2: the number of entries is missing", REAL "2 2\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":2: the number of columns is not a number: 'x'", REAL "2 x\n", 0},
      {TEXLA_BAD_FILE, ":2: the number of rows is not a number: '2.5", REAL "2.5 2 1\n", 0},
      {TEXLA_BAD_FILE, ":2: unexpected text: '4'", REAL "2 2 1 4\n", 0},
      {TEXLA_BAD_FILE, ":2: unexpected text: '4'", ARRAY "real general\n2 2 4\n", 0},
      {TEXLA_BAD_FILE, ":2: the sizes must be positive", REAL "0 2 0\n", 0},
      {TEXLA_BAD_FILE, ":2: the sizes must be positive", REAL "2 -2 1\n", 0},
      {TEXLA_BAD_FILE, ":2: the sizes must be positive", REAL "2 2 -1\n", 0},
      {TEXLA_TOO_LARGE, ":2: 2147483648 x 2: more than 2147483647 rows",
       REAL "2147483648 2 1\n1 1 1\n", 0},
      {TEXLA_TOO_LARGE, "more than 2147483647", REAL "2 99999999999999999999999 1\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":2: a symmetric matrix cannot be 2 x 3",
       COORDINATE "real symmetric\n2 3 0\n", 0},
      /* sizes that lie must not make the reader allocate what they promise */
      {TEXLA_BAD_FILE, ":3: the file ends after 1 of 1152921504606846976 entries",
       REAL "2 2 1152921504606846976\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, "the file ends after 1 of 9223372036854775807",
       REAL "2 2 999999999999999999999\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: the file ends after 1 of 4611686014132420609 entries",
       ARRAY "real general\n2147483647 2147483647\n1\n", 0},
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    assertRefused(*state, files[k]);
}

static void badEntriesAreRefused(void **state) {
  const BadFile files[] = {
      {TEXLA_BAD_FILE, ":3: the file ends after 1 of 2 entries", REAL "2 2 2\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":5: more data than the 1 entries", REAL "2 2 1\n1 1 1\n\n2 2 1\n", 0},
      {TEXLA_BAD_FILE, ":3: the file ends after 3 of 4 entries", ARRAY "real general\n2 2\n1 2 3",
       0},
      {TEXLA_BAD_FILE, ":3: unexpected text: '5'", ARRAY "real general\n2 2\n1 2 3 4 5", 0},
      {TEXLA_BAD_FILE, ":4: more data than the 4 entries", ARRAY "real general\n2 2\n1 2 3 4\n5",
       0},
      {TEXLA_BAD_FILE, ":3: row 3 is outside 1..2", REAL "2 9 1\n3 1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: row 0 is outside 1..2", REAL "2 9 1\n0 1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: column -1 is outside 1..9", REAL "2 9 1\n1 -1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: column 4294967297 is outside", REAL "2 9 1\n1 4294967297 1\n", 0},
      {TEXLA_BAD_FILE, ":3: column 9223372036854775807 is outside",
       REAL "2 9 1\n1 99999999999999999999 1\n", 0},
      {TEXLA_BAD_FILE, ":3: row is not a number: 'a 1 1'", REAL "2 9 1\na 1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: row is not a number: '1,1,1'", REAL "2 9 1\n1,1,1\n", 0},
      {TEXLA_BAD_FILE, ":3: column is missing", REAL "2 9 1\n1\n", 0},
      {TEXLA_BAD_FILE, ":3: the value is missing", REAL "2 9 1\n1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: the value is not a number: '1.2.3'", REAL "2 9 1\n1 1 1.2.3\n", 0},
      {TEXLA_BAD_FILE, ":3: the value is not a number: '1e'", REAL "2 9 1\n1 1 1e\n", 0},
      {TEXLA_BAD_FILE, ":3: the value is not a number: '0x10'", REAL "2 9 1\n1 1 0x10\n", 0},
      {TEXLA_BAD_FILE, ":3: the value is not an integer: '1.5'",
       COORDINATE "integer general\n2 9 1\n1 1 1.5\n", 0},
      {TEXLA_BAD_FILE, ":3: unexpected text: '0'", REAL "2 9 1\n1 1 1 0\n", 0},
      {TEXLA_BAD_FILE, ":3: unexpected text: '1'", COORDINATE "pattern general\n2 9 1\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":4: (1, 2) is above the diagonal",
       COORDINATE "real symmetric\n2 2 2\n2 1 1\n1 2 1\n", 0},
      {TEXLA_BAD_FILE, ":3: (1, 1) is not below the diagonal",
       COORDINATE "real skew-symmetric\n2 2 1\n1 1 1\n", 0},
      {TEXLA_BAD_FILE, ":3: a zero byte", REAL "1 1 1\n1 1 1\0junk",
       sizeof(REAL "1 1 1\n1 1 1\0junk") - 1},
      {TEXLA_NOT_FINITE, ":3: the value is NaN", REAL "2 9 1\n1 1 nan\n", 0},
      {TEXLA_NOT_FINITE, ":3: the value is NaN", REAL "2 9 1\n1 1 -Inf\n", 0},
      {TEXLA_NOT_FINITE, ":3: the value is NaN", REAL "2 9 1\n1 1 1e309\n", 0},
      {TEXLA_NOT_FINITE, ":3: the value is NaN", COORDINATE "integer general\n2 9 1\n1 1 inf\n", 0},
      {TEXLA_NOT_FINITE, ":3: the value is NaN", ARRAY "real general\n1 1\nNaN\n", 0},
  };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    assertRefused(*state, files[k]);
}

/* Every prefix of a good file is either refused or, when only white space is gone, read. */
static void everyTruncationIsRefused(void **state) {
  const char text[] = COORDINATE "real symmetric\n% c\n3 3 3\n1 1 10\n2 1 2e1\n3 3 1\n";
  for (size_t size = 0; size < sizeof text - 1; size++) {
    OWN(clTriplets) *A = NULL;
    clError error = {0};
    clStatus status = readText(*state, text, size, &A, &error);
    if (size >= sizeof text - 2) {
      assert_int_equal(status, TEXLA_OK);
      assert_int_equal(A->count, 4);
    } else {
      assert_int_equal(status, TEXLA_BAD_FILE);
      assert_null(A);
    }
  }
}

static void garbageIsRefused(void **state) {
  srand(1);
  char text[400] = REAL;
  /* with and without a good header; with and without zero bytes */
  for (int k = 0; k < (testLong() ? 2000 : 500); k++) {
    for (size_t n = k % 2 ? strlen(REAL) : 0; n < sizeof text; n++)
      text[n] = (char)(k % 4 < 2 ? rand() % 256 : "0123456789 \n\r\t.-+eE%naif"[rand() % 24]);
    clTriplets *A = NULL;
    clStatus status = readText(*state, text, sizeof text, &A, NULL);
    assert_true(status < 0);
    assert_null(A);
  }
}

/* A file of `lines` entries, some hundred kilobytes and more, as row, column and value follow from
 * the number of a line. `change` takes the place of line `at` of the file, counted from 1. */
enum { LARGE = 300000, LARGE_ROWS = 1000 };

static char *largeText(const char *header, const char *ending, bool values, int at,
                       const char *change, size_t *size) {
  char *text = malloc(40 * (size_t)LARGE + 1000), *p = text;
  p += sprintf(p, "%s%d %d %d%s", header, LARGE_ROWS, LARGE_ROWS, LARGE, ending);
  for (int k = 0; k < LARGE; k++) {
    int i = k / 300 + 1, j = 1 + k % 300 % i;
    if (k + 3 == at)
      p += sprintf(p, "%s%s", change, ending);
    else if (values)
      p += sprintf(p, "%d %d %.17g%s", i, j, (k - 7) * 0.1 / (1 + k % 77), ending);
    else
      p += sprintf(p, "%d %d%s", i, j, ending);
  }
  *size = (size_t)(p - text);
  return text;
}

/* The sum of what the lines say, each in its place. */
static void assertLarge(const clTriplets *A, bool values, int sign) {
  FREED double *sum = calloc(LARGE_ROWS * LARGE_ROWS, sizeof *sum);
  for (int k = 0; k < LARGE; k++) {
    int i = k / 300, j = k % 300 % (i + 1);
    double value = values ? (k - 7) * 0.1 / (1 + k % 77) : 1;
    sum[i * LARGE_ROWS + j] += value;
    if (sign && i != j)
      sum[j * LARGE_ROWS + i] += sign * value;
  }
  for (int64_t k = 0; k < A->count; k++) {
    double *wanted = &sum[(int64_t)A->row[k] * LARGE_ROWS + A->col[k]];
    assert_true(A->value[k] == *wanted);
    *wanted = 0;
  }
  for (int k = 0; k < LARGE_ROWS * LARGE_ROWS; k++)
    assert_true(sum[k] == 0);
}

static void largeFilesAreRead(void **state) {
  static const struct {
    const char *header, *ending;
    bool values;
    int sign;
  } cases[] = {{REAL, "\n", true, 0},
               {REAL, "\r\n", true, 0},
               {REAL, "\n% a comment\n\n", true, 0},
               {REAL, "  \t\n", true, 0},
               {COORDINATE "real symmetric\n", "\n", true, 1},
               {COORDINATE "pattern general\n", "\n", false, 0},
               {COORDINATE "pattern symmetric\n", "\r\n", false, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    size_t size;
    FREED char *text = largeText(cases[k].header, cases[k].ending, cases[k].values, 0, "", &size);
    OWN(clTriplets) *A = NULL;
    clError error = {0};
    if (readText(*state, text, size, &A, &error))
      fail_msg("case %zu: %s", k, error.message);
    assertLarge(A, cases[k].values, cases[k].sign);
  }
}

/* Whatever is wrong far inside of a file is found, with its line. */
static void largeFilesKeepTheirLines(void **state) {
  static const struct {
    const char *header, *change, *message;
    int at;
  } cases[] = {
      {REAL, "1 1 x", ":200000: the value is not a number: 'x'", 200000},
      {REAL, "1001 1 2", ":12345: row 1001 is outside 1..1000", 12345},
      {REAL, "1 0 2", ":300002: column 0 is outside 1..1000", 300002},
      {REAL, "1 1 2 3", ":3: unexpected text: '3'", 3},
      {REAL, "1 1.5 2", ":4000: column is not a number: '1.5 2'", 4000},
      {REAL, "12 5", ":4000: the value is missing", 4000},
      {REAL, "1 1 1e999", ":4000: the value is NaN, infinite or overflows", 4000},
      {COORDINATE "integer general\n", "1 1 1", ":3: the value is not an integer", 200},
      {COORDINATE "real symmetric\n", "1 2 1", ":299999: (1, 2) is above the diagonal", 299999},
      {REAL, "", ":300002: the file ends after 299999 of 300000 entries", 4000},
      {REAL, "1 1 1\n2 2 2", ":300003: more data than the 300000 entries", 4000}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    if (!testTakes(k))
      continue;
    size_t size;
    FREED char *text = largeText(cases[k].header, "\n", true, cases[k].at, cases[k].change, &size);
    assertRefused(*state, (BadFile){k == 6 ? TEXLA_NOT_FINITE : TEXLA_BAD_FILE, cases[k].message,
                                    text, size});
  }
  size_t size;
  FREED char *text = largeText(REAL, "\n", true, 0, "", &size);
  text[size / 2] = 0;
  assertRefused(*state, (BadFile){TEXLA_BAD_FILE, ": a zero byte", text, size});
}

static void longLinesAreRefused(void **state) {
  size_t size = 100000;
  FREED char *text = malloc(size);
  assert_non_null(text);
  memset(text, '1', size);
  memcpy(text, REAL, strlen(REAL));
  assertRefused(*state, (BadFile){TEXLA_BAD_FILE, ":2: the line is longer than 65535", text, size});
}

static void unreadablePathsAreErrors(void **state) {
  Folder *folder = *state;
  clTriplets *A = NULL;
  clError error = {0};
  assert_int_equal(clMatrixMarketRead(&A, folderPath(folder, "missing.mtx"), &error),
                   TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "missing.mtx: No such file or directory"));
  assert_int_equal(clMatrixMarketRead(&A, folder->name, &error), TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "Is a directory"));
  assert_int_equal(clMatrixMarketRead(&A, NULL, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clMatrixMarketRead(NULL, "x", &error), TEXLA_BAD_ARGUMENT);
  assert_null(A);
}

static void pipesAndStandardInputWork(void **state) {
  Folder *folder = *state;
  const char *text = REAL "2 2 1\n2 1 3\n";
  assert_int_equal(mkfifo(folderPath(folder, "pipe"), 0600), 0);
  pid_t child = fork();
  if (child == 0) {
    FILE *file = fopen(folderPath(folder, "pipe"), "w");
    fputs(text, file);
    fclose(file);
    _exit(0);
  }
  clTriplets *A = NULL;
  assert_int_equal(clMatrixMarketRead(&A, folderPath(folder, "pipe"), NULL), TEXLA_OK);
  assertMatrix(A, "0 0; 3 0");
  clTripletsDestroy(A);
  assert_int_equal(waitpid(child, NULL, 0), child);

  testWriteFile(folderPath(folder, "a.mtx"), text, strlen(text));
  assert_non_null(freopen(folderPath(folder, "a.mtx"), "r", stdin));
  assert_int_equal(clMatrixMarketRead(&A, "-", NULL), TEXLA_OK);
  assertMatrix(A, "0 0; 3 0");
  clTripletsDestroy(A);
  clError error = {0};
  /* used up */
  assert_int_equal(clMatrixMarketRead(&A, "-", &error), TEXLA_BAD_FILE);
  assert_string_equal(error.message, "clMatrixMarketRead: standard input: the file is empty; a "
                                     "Matrix Market file begins with %%MatrixMarket");
}

static void vectorsAreReadWhole(void **state) {
  Folder *folder = *state;
  static const char *const texts[] = {ARRAY "real general\n3 1\n1\n0\n-3\n",
                                      ARRAY "real general\n1 3\n1\n0\n-3\n",
                                      REAL "3 1 3\n3 1 -4\n1 1 1\n3 1 1\n"};
  for (int k = 0; k < 3; k++) {
    testWriteFile(folderPath(folder, "b.mtx"), texts[k], strlen(texts[k]));
    FREED double *x = NULL;
    int64_t count = 0;
    assert_int_equal(clMatrixMarketReadVector(&x, &count, folder->path, NULL), TEXLA_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(x, ((double[]){1, 0, -3}), 3 * sizeof *x);
  }
  double *x = NULL;
  int64_t count = -7;
  clError error = {0};
  testWriteFile(folderPath(folder, "b.mtx"), REAL "2 3 0\n", strlen(REAL "2 3 0\n"));
  assert_int_equal(clMatrixMarketReadVector(&x, &count, folder->path, &error), TEXLA_BAD_SHAPE);
  assert_non_null(strstr(error.message, "is 2 x 3"));
  testWriteFile(folderPath(folder, "b.mtx"), "?", 1);
  assert_int_equal(clMatrixMarketReadVector(&x, &count, folder->path, &error), TEXLA_BAD_FILE);
  assert_int_equal(strncmp(error.message, "clMatrixMarketReadVector: /", 27), 0);
  static const char sparse[] =
      "%%MatrixMarket matrix coordinate real general\n2147483647 1 1\n1 1 1\n";
  testWriteFile(folderPath(folder, "sparse"), sparse, sizeof sparse - 1);
  assert_int_equal(clMatrixMarketReadVector(&x, &count, folder->path, &error), TEXLA_TOO_LARGE);
  assert_non_null(strstr(error.message, "has 2147483647 elements, but only 1 entries"));
  assert_int_equal(clMatrixMarketReadVector(&x, NULL, folder->path, &error), TEXLA_BAD_ARGUMENT);
  assert_null(x);
  assert_int_equal(count, -7);
}

static void assertFileBeginsWith(const char *path, const char *start) {
  FREED char *text = testReadFile(path, NULL);
  if (strncmp(text, start, strlen(start)) != 0)
    fail_msg("%.200s\ndoes not begin with\n%s", text, start);
}

static void assertEqual(const clTriplets *A, const clTriplets *B) {
  assert_int_equal(A->rows, B->rows);
  assert_int_equal(A->cols, B->cols);
  assert_int_equal(A->count, B->count);
  size_t n = (size_t)A->count;
  assert_memory_equal(A->row, B->row, n * sizeof *A->row);
  assert_memory_equal(A->col, B->col, n * sizeof *A->col);
  assert_memory_equal(A->value, B->value, n * sizeof *A->value);
}

static void matricesSurviveARoundTrip(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a.mtx");
  const double values[] = {
      0.1, 1. / 3, -0., DBL_MAX, DBL_MIN, 0x1p-1074, -7, 1e15, 123456789012345680.};
  clTriplets *A = NULL, *B = NULL;
  assert_int_equal(clTripletsCreate(&A, 40, 50, 0, NULL), TEXLA_OK);
  for (int32_t k = 0; k < 300; k++)
    assert_int_equal(clTripletsAdd(A, k * 7 % 40, k * 11 % 50, k < 9 ? values[k] : cos(k), NULL),
                     TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  assert_int_equal(clMatrixMarketWrite(path, A, false, "two lines\r\nof comment\n", NULL),
                   TEXLA_OK);
  assert_int_equal(clMatrixMarketRead(&B, path, NULL), TEXLA_OK);
  assertEqual(A, B);
  assertFileBeginsWith(path, REAL "% two lines\n% of comment\n40 50 ");
  clError error = {0};
  assert_int_equal(clMatrixMarketWrite(path, A, true, NULL, &error), TEXLA_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "the 40 x 50 matrix is not symmetric"));
  clTripletsDestroy(A);
  clTripletsDestroy(B);
  assert_int_equal(clGenerateFemPlate(&A, 5, NULL), TEXLA_OK);
  assert_int_equal(clMatrixMarketWrite(path, A, true, NULL, NULL), TEXLA_OK);
  assert_int_equal(clMatrixMarketRead(&B, path, NULL), TEXLA_OK);
  assertEqual(A, B);
  assertFileBeginsWith(path, COORDINATE "real symmetric\n25 25 97\n");
  clTripletsDestroy(A);
  clTripletsDestroy(B);
  assert_int_equal(clMatrixMarketWrite(path, NULL, false, NULL, NULL), TEXLA_BAD_ARGUMENT);
}

static void vectorsSurviveARoundTrip(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "x.mtx");
  double x[] = {0.1, 0, -1. / 3, DBL_MAX, 0x1p-1074, 1e6}, *back = NULL;
  int64_t count = 0;
  assert_int_equal(clMatrixMarketWriteVector(path, x, 6, "x", NULL), TEXLA_OK);
  assert_int_equal(clMatrixMarketReadVector(&back, &count, path, NULL), TEXLA_OK);
  assert_int_equal(count, 6);
  assert_memory_equal(x, back, sizeof x);
  free(back);
  /* failures leave the file as it is */
  clError error = {0};
  FREED char *before = testReadFile(path, NULL);
  x[2] = NAN;
  assert_int_equal(clMatrixMarketWriteVector(path, x, 6, NULL, &error), TEXLA_NOT_FINITE);
  assert_int_equal(clMatrixMarketWriteVector(path, x, 0, NULL, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clMatrixMarketWriteVector(path, NULL, 6, NULL, &error), TEXLA_BAD_ARGUMENT);
  FREED char *after = testReadFile(path, NULL);
  assert_string_equal(after, before);
}

static void arraysAreWrittenByColumns(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "X.mtx");
  double x[] = {1, 2, 3, -4, 0.1, 6};
  clTriplets *X = NULL;
  clError error = {0};
  assert_int_equal(clMatrixMarketWriteArray(path, x, 3, 2, "X", NULL), TEXLA_OK);
  assert_int_equal(clMatrixMarketRead(&X, path, NULL), TEXLA_OK);
  assert_true(X->rows == 3 && X->cols == 2 && X->count == 6);
  for (int k = 0; k < 6; k++)
    assert_true(X->value[k] == x[3 * X->col[k] + X->row[k]]);
  clTripletsDestroy(X);
  assert_int_equal(clMatrixMarketWriteArray(path, x, 0, 2, NULL, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clMatrixMarketWriteArray(path, NULL, 3, 2, NULL, &error), TEXLA_BAD_ARGUMENT);
  x[5] = INFINITY;
  assert_int_equal(clMatrixMarketWriteArray(path, x, 3, 2, NULL, &error), TEXLA_NOT_FINITE);
  assert_non_null(strstr(error.message, "element 5 of the matrix"));
}

static void standardOutputWorks(void **state) {
  Folder *folder = *state;
  fflush(stdout);
  int saved = dup(STDOUT_FILENO);
  FILE *file = fopen(folderPath(folder, "out"), "w");
  assert_non_null(file);
  dup2(fileno(file), STDOUT_FILENO);
  fclose(file);
  double x = 5;
  clStatus status = clMatrixMarketWriteVector("-", &x, 1, NULL, NULL);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  assert_int_equal(status, TEXLA_OK);
  FREED char *text = testReadFile(folderPath(folder, "out"), NULL);
  assert_string_equal(text, ARRAY "real general\n1 1\n5\n");
}

/* Finds the row of INDEX.tsv for `name`: rows, columns and non-zeros of the whole matrix. */
static bool findInIndex(const char *index, const char *name, long long sizes[3]) {
  size_t length = strlen(name);
  for (const char *line = index; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, name, length) == 0 && line[length] == '\t')
      return sscanf(line + length, "%lld %lld %lld", &sizes[0], &sizes[1], &sizes[2]) == 3;
  }
  return false;
}

static void realMatricesMatchTheirIndex(void **state) {
  char path[512], file[1024];
  if (!testDataPath(path, "matrices/INDEX.tsv"))
    testSkip("no real matrices (TEXLA_DATA_DIR)");
  char *index = testReadFile(path, NULL);
  assert_true(testDataPath(path, "matrices"));
  DIR *directory = opendir(path);
  assert_non_null(directory);
  int files = 0, indexed = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    char *suffix = strrchr(entry->d_name, '.');
    if (!suffix || strcmp(suffix, ".mtx") != 0)
      continue;
    clTriplets *A = NULL;
    clError error = {0};
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (clMatrixMarketRead(&A, file, &error) != TEXLA_OK)
      fail_msg("%s", error.message);
    long long sizes[3], nonzeros = 0;
    for (int64_t k = 0; k < A->count; k++)
      nonzeros += A->value[k] != 0;
    *suffix = 0;
    files++;
    if (findInIndex(index, entry->d_name, sizes)) {
      indexed++;
      if (A->rows != sizes[0] || A->cols != sizes[1] || nonzeros != sizes[2])
        fail_msg("%s is %d x %d with %lld non-zeros", file, A->rows, A->cols, nonzeros);
    }
    clTripletsDestroy(A);
  }
  closedir(directory);
  free(index);
  print_message("%d files, %d of them in the index\n", files, indexed);
  assert_true(indexed >= 80 && files >= indexed);
}

TEST_MAIN(testFolderCreate, testFolderDestroy, readsEveryKind, badHeadersAreRefused,
          badSizesAreRefused, badEntriesAreRefused, everyTruncationIsRefused, garbageIsRefused,
          largeFilesAreRead, largeFilesKeepTheirLines, longLinesAreRefused,
          unreadablePathsAreErrors, pipesAndStandardInputWork, vectorsAreReadWhole,
          matricesSurviveARoundTrip, vectorsSurviveARoundTrip, arraysAreWrittenByColumns,
          standardOutputWorks, realMatricesMatchTheirIndex)
