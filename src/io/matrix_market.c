/* Matrix Market reader (R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats,
 * NISTIR 5935). */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/allocate.h"
#include "io/number.h"
#include "texla/io.h"

enum { TX_LINE_SIZE = 1 << 16, TX_HEADER_WORDS = 5, TX_FIRST_CAPACITY = 1 << 16 };

typedef enum Format { FORMAT_COORDINATE, FORMAT_ARRAY, FORMATS } Format;
typedef enum Field {
  FIELD_REAL,
  FIELD_DOUBLE,
  FIELD_INTEGER,
  FIELD_PATTERN,
  FIELD_COMPLEX,
  FIELDS
} Field;
typedef enum Symmetry { GENERAL, SYMMETRIC, SKEW_SYMMETRIC, HERMITIAN, SYMMETRIES } Symmetry;

typedef struct Reader {
  FILE *file;
  const char *path, *call;
  clError *error;
  /* number of the line in `text` */
  int64_t line;
  /* what is left of it; NULL at the end of the file */
  const char *cursor;
  Format format;
  Field field;
  Symmetry symmetry;
  /* entries: values that the file stores */
  int64_t rows, cols, entries;
  clTriplets *matrix;
  char text[TX_LINE_SIZE];
} Reader;

/* Fails with the file and, once one was read, the line in front of the message. */
TEXLA_PRINTF(3, 4)
static clStatus fail(Reader *r, clStatus status, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (r->line == 0)
    return txFail(r->error, status, r->call, "%s: %s", r->path, message);
  return txFail(r->error, status, r->call, "%s:%lld: %s", r->path, (long long)r->line, message);
}

static clStatus failAtEnd(Reader *r, int64_t found) {
  return fail(r, TEXLA_BAD_FILE, "the file ends after %lld of %lld entries", (long long)found,
              (long long)r->entries);
}

/* Reads one line into r->text. */
static clStatus readLine(Reader *r) {
  size_t length = 0;
  int c = getc_unlocked(r->file);
  r->cursor = NULL;
  if (c != EOF)
    r->line++;
  for (; c != EOF && c != '\n'; c = getc_unlocked(r->file)) {
    if (c == 0)
      return fail(r, TEXLA_BAD_FILE, "a zero byte: this is not a text file");
    if (length == TX_LINE_SIZE - 1)
      return fail(r, TEXLA_BAD_FILE, "the line is longer than %d characters", TX_LINE_SIZE - 1);
    r->text[length++] = (char)c;
  }
  if (ferror(r->file))
    return fail(r, TEXLA_IO_ERROR, "cannot read: %s", strerror(errno));
  r->text[length] = 0;
  if (c != EOF || length > 0)
    r->cursor = r->text;
  return TEXLA_OK;
}

static bool isBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* True when nothing is left on the line. */
static bool atLineEnd(Reader *r) {
  while (isBlank(*r->cursor))
    r->cursor++;
  return *r->cursor == 0;
}

/* Goes to the next line that is neither blank nor a comment. */
static clStatus nextLine(Reader *r) {
  clStatus status;
  do
    status = readLine(r);
  while (status == TEXLA_OK && r->cursor && (atLineEnd(r) || *r->cursor == '%'));
  return status;
}

/* Takes the number that ends at `end` (NULL: there was none) off the line. */
static clStatus accept(Reader *r, const char *end, const char *what) {
  if (!end && *r->cursor == 0)
    return fail(r, TEXLA_BAD_FILE, "%s is missing", what);
  if (!end || (*end && !isBlank(*end)))
    return fail(r, TEXLA_BAD_FILE, "%s is not %s: '%.24s'", what,
                r->field == FIELD_INTEGER ? "an integer" : "a number", r->cursor);
  r->cursor = end;
  return TEXLA_OK;
}

static clStatus readInteger(Reader *r, int64_t *value, const char *what) {
  (void)atLineEnd(r);
  return accept(r, txIntegerParse(r->cursor, value), what);
}

static clStatus readIndex(Reader *r, int32_t *index, int64_t size, const char *what) {
  int64_t value = 0;
  clStatus status = readInteger(r, &value, what);
  if (status == TEXLA_OK && (value < 1 || value > size))
    return fail(r, TEXLA_BAD_FILE, "%s %lld is outside 1..%lld", what, (long long)value,
                (long long)size);
  *index = (int32_t)(value - 1);
  return status;
}

static clStatus readValue(Reader *r, double *value) {
  (void)atLineEnd(r);
  const char *end = txNumberParse(r->cursor, value);
  if (end && r->field == FIELD_INTEGER && isfinite(*value) && *value != trunc(*value))
    end = NULL;
  clStatus status = accept(r, end, "the value");
  if (status == TEXLA_OK && !isfinite(*value))
    return fail(r, TEXLA_NOT_FINITE, "the value is NaN, infinite or overflows double precision");
  return status;
}

static clStatus expectLineEnd(Reader *r) {
  return atLineEnd(r) ? TEXLA_OK : fail(r, TEXLA_BAD_FILE, "unexpected text: '%.24s'", r->cursor);
}

/* Splits the line into lower-case words and returns how many there are, at most `limit`. */
static int splitWords(char *text, const char *words[], int limit) {
  int count = 0;
  for (char *p = text; *p && count < limit;) {
    while (isBlank(*p))
      p++;
    if (*p)
      words[count++] = p;
    for (; *p && !isBlank(*p); p++)
      if (*p >= 'A' && *p <= 'Z')
        *p = (char)(*p | 0x20);
    if (*p)
      *p++ = 0;
  }
  return count;
}

/* *index <- the place of `word` in names[0..count). */
static clStatus findWord(Reader *r, int *index, const char *word, const char *const names[],
                         int count) {
  for (int k = 0; k < count; k++)
    if (strcmp(word, names[k]) == 0) {
      *index = k;
      return TEXLA_OK;
    }
  char list[128] = "";
  for (int k = 0; k < count; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "", names[k]);
  return fail(r, TEXLA_BAD_FILE, "unknown word '%.24s' in the header (expected: %s)", word, list);
}

/* Refuses the combinations that have no meaning, or none in real arithmetic. */
static clStatus checkHeader(Reader *r) {
  if (r->field == FIELD_COMPLEX || r->symmetry == HERMITIAN)
    return fail(r, TEXLA_UNSUPPORTED,
                "%s matrices are not supported: texla computes with real numbers",
                r->field == FIELD_COMPLEX ? "complex" : "hermitian");
  if (r->field == FIELD_PATTERN && r->format == FORMAT_ARRAY)
    return fail(r, TEXLA_BAD_FILE, "an array cannot be a pattern");
  if (r->field == FIELD_PATTERN && r->symmetry == SKEW_SYMMETRIC)
    return fail(r, TEXLA_BAD_FILE, "a pattern cannot be skew-symmetric");
  return TEXLA_OK;
}

static clStatus readHeader(Reader *r) {
  static const char *const objects[] = {"matrix"}, *const formats[FORMATS] = {"coordinate",
                                                                              "array"};
  static const char *const fields[FIELDS] = {"real", "double", "integer", "pattern", "complex"};
  static const char *const symmetries[SYMMETRIES] = {"general", "symmetric", "skew-symmetric",
                                                     "hermitian"};
  clStatus status = readLine(r);
  if (status != TEXLA_OK)
    return status;
  if (!r->cursor)
    return fail(r, TEXLA_BAD_FILE,
                "the file is empty; a Matrix Market file begins with %%%%MatrixMarket");
  const char *words[TX_HEADER_WORDS + 1];
  int count = splitWords(r->text, words, TX_HEADER_WORDS + 1);
  if (count == 0 || strcmp(words[0], "%%matrixmarket") != 0)
    return fail(r, TEXLA_BAD_FILE,
                "not a Matrix Market file: the first line must begin with %%%%MatrixMarket");
  if (count != TX_HEADER_WORDS)
    return fail(r, TEXLA_BAD_FILE,
                "the header must be '%%%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
  int object, format = 0, field = 0, symmetry = 0;
  if ((status = findWord(r, &object, words[1], objects, 1)) != TEXLA_OK ||
      (status = findWord(r, &format, words[2], formats, FORMATS)) != TEXLA_OK ||
      (status = findWord(r, &field, words[3], fields, FIELDS)) != TEXLA_OK ||
      (status = findWord(r, &symmetry, words[4], symmetries, SYMMETRIES)) != TEXLA_OK)
    return status;
  r->format = (Format)format;
  r->field = (Field)field;
  r->symmetry = (Symmetry)symmetry;
  return checkHeader(r);
}

static clStatus checkSizes(Reader *r) {
  if (r->rows < 1 || r->cols < 1 || r->entries < 0)
    return fail(r, TEXLA_BAD_FILE, "the sizes must be positive");
  if (r->rows > INT32_MAX || r->cols > INT32_MAX)
    return fail(r, TEXLA_TOO_LARGE, "%lld x %lld: more than %d rows or columns", (long long)r->rows,
                (long long)r->cols, INT32_MAX);
  if (r->symmetry != GENERAL && r->rows != r->cols)
    return fail(r, TEXLA_BAD_FILE, "a symmetric matrix cannot be %lld x %lld", (long long)r->rows,
                (long long)r->cols);
  return TEXLA_OK;
}

/* The line "rows cols" (array) or "rows cols entries" (coordinate). */
static clStatus readSizes(Reader *r) {
  clStatus status = nextLine(r);
  if (status == TEXLA_OK && !r->cursor)
    return fail(r, TEXLA_BAD_FILE, "the file ends before the line with the sizes");
  if (status != TEXLA_OK || (status = readInteger(r, &r->rows, "the number of rows")) != TEXLA_OK ||
      (status = readInteger(r, &r->cols, "the number of columns")) != TEXLA_OK)
    return status;
  if (r->format == FORMAT_COORDINATE)
    status = readInteger(r, &r->entries, "the number of entries");
  if (status != TEXLA_OK || (status = expectLineEnd(r)) != TEXLA_OK ||
      (status = checkSizes(r)) != TEXLA_OK)
    return status;
  if (r->format == FORMAT_ARRAY)
    r->entries = r->symmetry == GENERAL     ? r->rows * r->cols
                 : r->symmetry == SYMMETRIC ? r->rows * (r->rows + 1) / 2
                                            : r->rows * (r->rows - 1) / 2;
  return TEXLA_OK;
}

/* Adds a_ij = value and, for symmetric storage, its mirror image. */
static clStatus store(Reader *r, int32_t i, int32_t j, double value) {
  clStatus status = clTripletsAdd(r->matrix, i, j, value, r->error);
  if (status == TEXLA_OK && r->symmetry != GENERAL && i != j)
    status = clTripletsAdd(r->matrix, j, i, r->symmetry == SYMMETRIC ? value : -value, r->error);
  return status;
}

static clStatus readEntry(Reader *r) {
  int32_t i = 0, j = 0;
  double value = 1;
  clStatus status;
  if ((status = readIndex(r, &i, r->rows, "row")) != TEXLA_OK ||
      (status = readIndex(r, &j, r->cols, "column")) != TEXLA_OK ||
      (r->field != FIELD_PATTERN && (status = readValue(r, &value)) != TEXLA_OK) ||
      (status = expectLineEnd(r)) != TEXLA_OK)
    return status;
  if (r->symmetry == SYMMETRIC && i < j)
    return fail(r, TEXLA_BAD_FILE,
                "(%d, %d) is above the diagonal; a symmetric file holds the lower triangle", i + 1,
                j + 1);
  if (r->symmetry == SKEW_SYMMETRIC && i <= j)
    return fail(r, TEXLA_BAD_FILE,
                "(%d, %d) is not below the diagonal, as a skew-symmetric file requires", i + 1,
                j + 1);
  return store(r, i, j, value);
}

static clStatus readCoordinate(Reader *r) {
  for (int64_t k = 0; k < r->entries; k++) {
    clStatus status = nextLine(r);
    if (status == TEXLA_OK)
      status = r->cursor ? readEntry(r) : failAtEnd(r, k);
    if (status != TEXLA_OK)
      return status;
  }
  return TEXLA_OK;
}

/* Values column by column (of the lower triangle, if symmetric), any number of them on a line. */
static clStatus readArray(Reader *r) {
  int64_t k = 0;
  for (int32_t j = 0; j < r->cols; j++)
    for (int32_t i = r->symmetry == GENERAL     ? 0
                     : r->symmetry == SYMMETRIC ? j
                                                : j + 1;
         i < r->rows; i++, k++) {
      double value;
      clStatus status = atLineEnd(r) ? nextLine(r) : TEXLA_OK;
      if (status == TEXLA_OK)
        status = r->cursor ? readValue(r, &value) : failAtEnd(r, k);
      if (status == TEXLA_OK && value != 0)
        status = store(r, i, j, value);
      if (status != TEXLA_OK)
        return status;
    }
  return expectLineEnd(r);
}

static clStatus readMatrix(Reader *r) {
  clStatus status;
  if ((status = readHeader(r)) != TEXLA_OK || (status = readSizes(r)) != TEXLA_OK)
    return status;
  /* grows: a size may be a lie */
  int64_t capacity = r->entries < TX_FIRST_CAPACITY ? r->entries : TX_FIRST_CAPACITY;
  if ((status = clTripletsCreate(&r->matrix, (int32_t)r->rows, (int32_t)r->cols, capacity,
                                 r->error)) != TEXLA_OK ||
      (status = r->format == FORMAT_ARRAY ? readArray(r) : readCoordinate(r)) != TEXLA_OK ||
      (status = nextLine(r)) != TEXLA_OK)
    return status;
  if (r->cursor)
    return fail(r, TEXLA_BAD_FILE, "more data than the %lld entries that the sizes promise",
                (long long)r->entries);
  return clTripletsCompress(r->matrix, r->error);
}

static clStatus readPath(clTriplets **out, const char *path, const char *call, clError *error) {
  if (!out || !path)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s is NULL", out ? "path" : "output");
  bool standard = strcmp(path, "-") == 0;
  Reader *r = txAllocate(error, call, 1, sizeof *r, "reading a matrix");
  if (!r)
    return TEXLA_OUT_OF_MEMORY;
  r->path = standard ? "standard input" : path;
  r->call = call;
  r->error = error;
  r->file = standard ? stdin : fopen(path, "rb");
  clStatus status =
      r->file ? readMatrix(r)
              : txFail(error, TEXLA_IO_ERROR, call, "cannot open %s: %s", path, strerror(errno));
  if (r->file && !standard)
    fclose(r->file);
  if (status == TEXLA_OK)
    *out = r->matrix;
  else
    clTripletsDestroy(r->matrix);
  free(r);
  return status;
}

clStatus clMatrixMarketRead(clTriplets **out, const char *path, clError *error) {
  return readPath(out, path, "clMatrixMarketRead", error);
}

/* A few bytes of text must not take gigabytes: vectors of more than MOST_ELEMENTS have an entry for
 * so many elements at least. */
enum { MOST_ELEMENTS = 1 << 24, ELEMENTS_AN_ENTRY = 1024 };

clStatus clMatrixMarketReadVector(double **out, int64_t *count, const char *path, clError *error) {
  const char *call = "clMatrixMarketReadVector";
  if (!out || !count)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "an output is NULL");
  clTriplets *A = NULL;
  clStatus status = readPath(&A, path, call, error);
  if (status != TEXLA_OK)
    return status;
  int64_t n = A->rows > A->cols ? A->rows : A->cols;
  double *x = NULL;
  if (A->rows != 1 && A->cols != 1)
    status = txFail(error, TEXLA_BAD_SHAPE, call, "%s is %d x %d; a vector is n x 1 or 1 x n", path,
                    A->rows, A->cols);
  else if (n > MOST_ELEMENTS && n / ELEMENTS_AN_ENTRY > A->count)
    status = txFail(error, TEXLA_TOO_LARGE, call,
                    "%s has %lld elements, but only %lld entries: too few for a vector", path,
                    (long long)n, (long long)A->count);
  else if (!(x = txAllocate(error, call, (size_t)n, sizeof *x, "a vector")))
    status = TEXLA_OUT_OF_MEMORY;
  if (x) {
    /* one of the two is 0 */
    for (int64_t k = 0; k < A->count; k++)
      x[A->row[k] + A->col[k]] = A->value[k];
    *out = x;
    *count = n;
  }
  clTripletsDestroy(A);
  return status;
}
