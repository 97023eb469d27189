/* Matrix Market reader (R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats,
 * NISTIR 5935).
 *
 * A file has a header line, comment lines that begin with %, a line of sizes, and entries. In the
 * format `coordinate` an entry is "row column value", counted from 1; in the format `array` it is
 * a value, and all of them follow column by column. Of a symmetric matrix only the lower triangle
 * is there.
 *
 * Files come from anywhere, so nothing in them is believed: each number is checked, memory follows
 * what was read and not what was promised, and messages name the line. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/triplets.h"
#include "core/try.h"
#include "io/matrix_market.h"
#include "io/number.h"
#include "platform/platform.h"
#include "texla/io.h"

enum {
  TX_LINE_SIZE = 1 << 16,
  TX_HEADER_WORDS = 5,
  TX_FIRST_CAPACITY = 1 << 16,
  /* Bytes that are read from the file at once, and fewest that are worth several threads. */
  TX_BLOCK = 1 << 22,
  TX_WORTH = 1 << 16
};

/* The words of the header. */
typedef enum fileFormat { FORMAT_COORDINATE, FORMAT_ARRAY, FORMATS } fileFormat;
typedef enum fileField {
  FIELD_REAL,
  FIELD_DOUBLE,
  FIELD_INTEGER,
  FIELD_PATTERN,
  FIELD_COMPLEX,
  FIELDS
} fileField;
typedef enum fileSymmetry {
  GENERAL,
  SYMMETRIC,
  SKEW_SYMMETRIC,
  HERMITIAN,
  SYMMETRIES
} fileSymmetry;

/* A file that is being read. `entries` are the values that the file stores: of a symmetric matrix
 * about half of all. */
typedef struct reader {
  FILE *file;
  const char *path, *call;
  clError *error;
  /* A part of the file with room for `room` bytes: what lies before `at` has been taken, what lies
   * before `end` is there. */
  char *text;
  size_t room, at, end;
  /* The last line that was taken, and what is left of it; NULL at the end of the file. */
  int64_t line;
  char *cursor;
  /* Up to this line they are taken one by one. */
  int64_t careful;
  fileFormat format;
  fileField field;
  fileSymmetry symmetry;
  int64_t rows, cols, entries;
  clTriplets *matrix;
} reader;

/* Fails with the file and, once one was read, the line in front of the message. */
TEXLA_PRINTF(3, 4)
static clStatus matrixMarketFail(reader *r, clStatus status, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (r->line == 0)
    return txFail(r->error, status, r->call, "%s: %s", r->path, message);
  return txFail(r->error, status, r->call, "%s:%lld: %s", r->path, (long long)r->line, message);
}

/* A file that ends too early is cut off more often than wrong, so the message counts. */
static clStatus failAtEnd(reader *r, int64_t found) {
  return matrixMarketFail(r, TEXLA_BAD_FILE, "the file ends after %lld of %lld entries",
                          (long long)found, (long long)r->entries);
}

/* Moves what has not been taken to the front, and reads as much as there is room for. */
static clStatus readMore(reader *r) {
  memmove(r->text, r->text + r->at, r->end - r->at);
  r->end -= r->at;
  r->at = 0;
  r->end += fread(r->text + r->end, 1, r->room - r->end, r->file);
  if (ferror(r->file))
    return matrixMarketFail(r, TEXLA_IO_ERROR, "cannot read: %s", strerror(errno));
  return TEXLA_OK;
}

/* Takes one line, without its end. */
static clStatus matrixMarketReadLine(reader *r) {
  r->cursor = NULL;
  if (!memchr(r->text + r->at, '\n', r->end - r->at))
    TRY(readMore(r));
  if (r->at == r->end)
    return TEXLA_OK;
  char *line = r->text + r->at, *end = memchr(line, '\n', r->end - r->at);
  size_t length = r->end - r->at;
  if (end)
    length = (size_t)(end - line);
  r->line++;
  if (memchr(line, 0, length < TX_LINE_SIZE ? length : TX_LINE_SIZE))
    return matrixMarketFail(r, TEXLA_BAD_FILE, "a zero byte: this is not a text file");
  if (length >= TX_LINE_SIZE)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "the line is longer than %d characters",
                            TX_LINE_SIZE - 1);
  line[length] = 0;
  r->at += length + (end != NULL);
  r->cursor = line;
  return TEXLA_OK;
}

static bool matrixMarketIsBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* True when nothing is left on the line; else the cursor is on the next word. */
static bool atLineEnd(reader *r) {
  while (matrixMarketIsBlank(*r->cursor))
    r->cursor++;
  return *r->cursor == 0;
}

/* Goes to the next line that is neither blank nor a comment. */
static clStatus matrixMarketNextLine(reader *r) {
  do {
    TRY(matrixMarketReadLine(r));
  } while (r->cursor && (atLineEnd(r) || *r->cursor == '%'));
  return TEXLA_OK;
}

/* Takes the number that ends at `end` off the line. NULL says that there was none, and a number
 * with letters behind it is none either. */
static clStatus matrixMarketAccept(reader *r, const char *end, const char *what) {
  if (!end && *r->cursor == 0)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "%s is missing", what);
  const char *expected = r->field == FIELD_INTEGER ? "an integer" : "a number";
  if (!end || (*end && !matrixMarketIsBlank(*end)))
    return matrixMarketFail(r, TEXLA_BAD_FILE, "%s is not %s: '%.24s'", what, expected, r->cursor);
  r->cursor += end - r->cursor;
  return TEXLA_OK;
}

/* Blanks in front of it are skipped. */
static clStatus readInteger(reader *r, int64_t *value, const char *what) {
  (void)atLineEnd(r);
  return matrixMarketAccept(r, txIntegerParse(r->cursor, value), what);
}

/* A row or a column, which the file counts from 1. */
static clStatus readIndex(reader *r, int32_t *index, int64_t size, const char *what) {
  int64_t value = 0;
  TRY(readInteger(r, &value, what));
  if (value < 1 || value > size)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "%s %lld is outside 1..%lld", what, (long long)value,
                            (long long)size);
  *index = (int32_t)(value - 1);
  return TEXLA_OK;
}

/* An integer may be written as 3.0 or 3e0. */
static clStatus readValue(reader *r, double *value) {
  (void)atLineEnd(r);
  const char *end = txNumberParse(r->cursor, value);
  if (end && r->field == FIELD_INTEGER && isfinite(*value) && *value != trunc(*value))
    end = NULL;
  TRY(matrixMarketAccept(r, end, "the value"));
  if (!isfinite(*value))
    return matrixMarketFail(r, TEXLA_NOT_FINITE,
                            "the value is NaN, infinite or overflows double precision");
  return TEXLA_OK;
}

/* A line holds one entry, and nothing behind it. */
static clStatus expectLineEnd(reader *r) {
  if (!atLineEnd(r))
    return matrixMarketFail(r, TEXLA_BAD_FILE, "unexpected text: '%.24s'", r->cursor);
  return TEXLA_OK;
}

/* Splits the line into lower-case words and returns how many there are, at most `limit`: one more
 * than expected is enough to see that there are too many. */
static int splitWords(char *text, const char *words[], int limit) {
  int count = 0;
  for (char *p = text; *p && count < limit;) {
    while (matrixMarketIsBlank(*p))
      p++;
    if (*p)
      words[count++] = p;
    for (; *p && !matrixMarketIsBlank(*p); p++)
      if (*p >= 'A' && *p <= 'Z')
        *p = (char)(*p | 0x20);
    if (*p)
      *p++ = 0;
  }
  return count;
}

/* *index <- the place of `word` in names[0..count). */
static clStatus findWord(reader *r, int *index, const char *word, const char *const names[],
                         int count) {
  for (int k = 0; k < count; k++)
    if (strcmp(word, names[k]) == 0) {
      *index = k;
      return TEXLA_OK;
    }
  char list[128] = "";
  for (int k = 0; k < count; k++) {
    const char *separator = k > 0 ? ", " : "";
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", separator, names[k]);
  }
  return matrixMarketFail(r, TEXLA_BAD_FILE, "unknown word '%.24s' in the header (expected: %s)",
                          word, list);
}

/* Refuses the combinations that have no meaning, or none in real arithmetic. A skew-symmetric
 * pattern would need values of both signs. */
static clStatus checkHeader(reader *r) {
  const char *kind = r->field == FIELD_COMPLEX ? "complex" : "hermitian";
  if (r->field == FIELD_COMPLEX || r->symmetry == HERMITIAN)
    return matrixMarketFail(r, TEXLA_UNSUPPORTED,
                            "%s matrices are not supported: texla computes with real numbers",
                            kind);
  if (r->field == FIELD_PATTERN && r->format == FORMAT_ARRAY)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "an array cannot be a pattern");
  if (r->field == FIELD_PATTERN && r->symmetry == SKEW_SYMMETRIC)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "a pattern cannot be skew-symmetric");
  return TEXLA_OK;
}

/* The first line: "%%MatrixMarket matrix FORMAT FIELD SYMMETRY", in upper or lower case. */
static clStatus readHeader(reader *r) {
  static const char *const objects[] = {"matrix"}, *const formats[FORMATS] = {"coordinate",
                                                                              "array"};
  static const char *const fields[FIELDS] = {"real", "double", "integer", "pattern", "complex"};
  static const char *const symmetries[SYMMETRIES] = {"general", "symmetric", "skew-symmetric",
                                                     "hermitian"};
  TRY(matrixMarketReadLine(r));
  if (!r->cursor)
    return matrixMarketFail(r, TEXLA_BAD_FILE,
                            "the file is empty; a Matrix Market file begins with %%%%MatrixMarket");
  const char *words[TX_HEADER_WORDS + 1];
  int count = splitWords(r->cursor, words, TX_HEADER_WORDS + 1);
  if (count == 0 || strcmp(words[0], "%%matrixmarket") != 0)
    return matrixMarketFail(
        r, TEXLA_BAD_FILE,
        "not a Matrix Market file: the first line must begin with %%%%MatrixMarket");
  if (count != TX_HEADER_WORDS)
    return matrixMarketFail(r, TEXLA_BAD_FILE,
                            "the header must be '%%%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
  int object, format = 0, field = 0, symmetry = 0;
  TRY(findWord(r, &object, words[1], objects, 1));
  TRY(findWord(r, &format, words[2], formats, FORMATS));
  TRY(findWord(r, &field, words[3], fields, FIELDS));
  TRY(findWord(r, &symmetry, words[4], symmetries, SYMMETRIES));
  r->format = (fileFormat)format;
  r->field = (fileField)field;
  r->symmetry = (fileSymmetry)symmetry;
  return checkHeader(r);
}

/* Row and column numbers have 32 bits everywhere in texla. */
static clStatus matrixMarketCheckSizes(reader *r) {
  if (r->rows < 1 || r->cols < 1 || r->entries < 0)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "the sizes must be positive");
  if (r->rows > INT32_MAX || r->cols > INT32_MAX)
    return matrixMarketFail(r, TEXLA_TOO_LARGE, "%lld x %lld: more than %d rows or columns",
                            (long long)r->rows, (long long)r->cols, INT32_MAX);
  if (r->symmetry != GENERAL && r->rows != r->cols)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "a symmetric matrix cannot be %lld x %lld",
                            (long long)r->rows, (long long)r->cols);
  return TEXLA_OK;
}

/* How many values the file of an array stores: of a symmetric one the lower triangle, of a
 * skew-symmetric one what lies below the diagonal. */
static int64_t arrayEntries(const reader *r) {
  if (r->symmetry == GENERAL)
    return r->rows * r->cols;
  if (r->symmetry == SYMMETRIC)
    return r->rows * (r->rows + 1) / 2;
  return r->rows * (r->rows - 1) / 2;
}

/* The line "rows cols" (array) or "rows cols entries" (coordinate). */
static clStatus matrixMarketReadSizes(reader *r) {
  TRY(matrixMarketNextLine(r));
  if (!r->cursor)
    return matrixMarketFail(r, TEXLA_BAD_FILE, "the file ends before the line with the sizes");
  TRY(readInteger(r, &r->rows, "the number of rows"));
  TRY(readInteger(r, &r->cols, "the number of columns"));
  if (r->format == FORMAT_COORDINATE)
    TRY(readInteger(r, &r->entries, "the number of entries"));
  TRY(expectLineEnd(r));
  TRY(matrixMarketCheckSizes(r));
  if (r->format == FORMAT_ARRAY)
    r->entries = arrayEntries(r);
  return TEXLA_OK;
}

/* A line "row column value"; the entries of a pattern have no value, and become ones. */
static clStatus readEntry(reader *r) {
  int32_t i = 0, j = 0;
  double value = 1;
  TRY(readIndex(r, &i, r->rows, "row"));
  TRY(readIndex(r, &j, r->cols, "column"));
  if (r->field != FIELD_PATTERN)
    TRY(readValue(r, &value));
  TRY(expectLineEnd(r));
  if (r->symmetry == SYMMETRIC && i < j)
    return matrixMarketFail(
        r, TEXLA_BAD_FILE,
        "(%d, %d) is above the diagonal; a symmetric file holds the lower triangle", i + 1, j + 1);
  if (r->symmetry == SKEW_SYMMETRIC && i <= j)
    return matrixMarketFail(r, TEXLA_BAD_FILE,
                            "(%d, %d) is not below the diagonal, as a skew-symmetric file requires",
                            i + 1, j + 1);
  return clTripletsAdd(r->matrix, i, j, value, r->error);
}

/* ---- Many lines at once ---------------------------------------------------------------------- */

/* Lines in parts of about equal length: part p has those that end in its bytes, and line lines[p]
 * is the first of them. */
typedef struct block {
  const reader *r;
  const char *text;
  int64_t bytes, lines[TX_PARTS + 1];
  /* The place of the first entry. */
  int64_t first;
} block;

static void countLines(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  block *b = user;
  int64_t lines = 0, last = txPartBegin(b->bytes, end, TX_PARTS);
  (void)sum;
  for (int64_t k = txPartBegin(b->bytes, part, TX_PARTS); k < last; k++)
    lines += b->text[k] == '\n';
  b->lines[part + 1] = lines;
}

/* Blanks within a line. */
static const char *matrixMarketSkipBlanks(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r')
    p++;
  return p;
}

/* A row or a column, and the blanks around it; NULL: it is none, or something follows at once. */
static const char *takeIndex(const char *p, int64_t size, int32_t *index) {
  int64_t value = 0;
  for (p = matrixMarketSkipBlanks(p); *p >= '0' && *p <= '9' && value <= size; p++)
    value = 10 * value + (*p - '0');
  const char *end = matrixMarketSkipBlanks(p);
  *index = (int32_t)(value - 1);
  if (value < 1 || value > size || (end == p && *p != '\n'))
    return NULL;
  return end;
}

/* A line that readEntry would accept, in place k; returns the next one. NULL: that is for readEntry
 * to decide. */
static const char *takeEntry(const reader *r, const char *line, int64_t k) {
  clTriplets *A = r->matrix;
  double *value = &A->value[k];
  const char *p = takeIndex(line, r->rows, &A->row[k]);
  if (p)
    p = takeIndex(p, r->cols, &A->col[k]);
  *value = 1;
  if (p && r->field != FIELD_PATTERN)
    p = txNumberParse(p, value);
  if (!p)
    return NULL;
  p = matrixMarketSkipBlanks(p);
  bool whole = r->field != FIELD_INTEGER || *value == trunc(*value),
       placed = A->row[k] + (r->symmetry != SKEW_SYMMETRIC) > A->col[k] || r->symmetry == GENERAL;
  if (*p != '\n' || !whole || !placed || !isfinite(*value) || p - line >= TX_LINE_SIZE)
    return NULL;
  return p + 1;
}

/* The entries of a part; sum[0]: the parts in which some line is not as usual. */
static void takePart(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  const block *b = user;
  const char *line = b->text + txPartBegin(b->bytes, part, TX_PARTS);
  while (line > b->text && line[-1] != '\n')
    line--;
  for (int64_t k = b->lines[part]; k < b->lines[end] && line; k++)
    line = takeEntry(b->r, line, b->first + k);
  sum[0] += line == NULL;
}

/* Takes all whole lines that are there, on several threads, if each of them is an entry and nothing
 * about it is unusual. Else these are lines to be careful with. */
static clStatus readBlock(reader *r) {
  clTriplets *A = r->matrix;
  double unusual[TX_SUMS];
  TRY(readMore(r));
  size_t end = r->end;
  while (end > 0 && r->text[end - 1] != '\n')
    end--;
  block b = {.r = r, .text = r->text, .bytes = (int64_t)end, .first = A->count};
  txParallelParts(b.bytes, TX_PARTS, countLines, &b, NULL);
  for (int p = 0; p < TX_PARTS; p++)
    b.lines[p + 1] += b.lines[p];
  int64_t lines = b.lines[TX_PARTS], wanted = A->count + lines;
  r->careful = r->line + txMost64(lines, 1);
  if (b.bytes < TX_WORTH || wanted > r->entries)
    return TEXLA_OK;
  if (wanted > A->capacity)
    TRY(txTripletsReserve(A, wanted + A->capacity / 2, r->call, r->error));
  txParallelParts(b.bytes, TX_PARTS, takePart, &b, unusual);
  if (unusual[0] > 0)
    return TEXLA_OK;
  A->count = wanted;
  r->at = end;
  r->line += lines;
  return TEXLA_OK;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* One entry a line, with blank lines and comments between them. */
static clStatus readCoordinate(reader *r) {
  while (r->matrix->count < r->entries) {
    if (r->line >= r->careful)
      TRY(readBlock(r));
    if (r->line >= r->careful)
      continue;
    TRY(matrixMarketNextLine(r));
    if (!r->cursor)
      return failAtEnd(r, r->matrix->count);
    TRY(readEntry(r));
  }
  return TEXLA_OK;
}

/* The first row of column j that the file of an array stores. */
static int32_t firstRow(const reader *r, int32_t j) {
  if (r->symmetry == GENERAL)
    return 0;
  if (r->symmetry == SYMMETRIC)
    return j;
  return j + 1;
}

/* Values column by column (of the lower triangle, if symmetric), any number of them on a line. */
static clStatus readArray(reader *r) {
  int64_t k = 0;
  for (int32_t j = 0; j < r->cols; j++)
    for (int32_t i = firstRow(r, j); i < r->rows; i++, k++) {
      double value;
      if (atLineEnd(r))
        TRY(matrixMarketNextLine(r));
      if (!r->cursor)
        return failAtEnd(r, k);
      TRY(readValue(r, &value));
      if (value != 0)
        TRY(clTripletsAdd(r->matrix, i, j, value, r->error));
    }
  return expectLineEnd(r);
}

/* The other triangle of a symmetric matrix: the same values, or their negatives in a skew-symmetric
 * one. */
static clStatus addMirrored(reader *r) {
  clTriplets *A = r->matrix;
  double sign = r->symmetry == SYMMETRIC ? 1 : -1;
  int64_t count = A->count, more = 0;
  for (int64_t k = 0; k < count; k++)
    more += A->row[k] != A->col[k];
  TRY(txTripletsReserve(A, count + more, r->call, r->error));
  for (int64_t k = 0; k < count; k++)
    if (A->row[k] != A->col[k]) {
      A->row[A->count] = A->col[k];
      A->col[A->count] = A->row[k];
      A->value[A->count++] = sign * A->value[k];
    }
  return TEXLA_OK;
}

/* Header, sizes and as many entries as these promise, not one more. */
static clStatus readMatrix(reader *r) {
  TRY(readHeader(r));
  TRY(matrixMarketReadSizes(r));
  /* The size may be a lie, so memory grows with what is there. */
  int64_t capacity = r->entries < TX_FIRST_CAPACITY ? r->entries : TX_FIRST_CAPACITY;
  TRY(clTripletsCreate(&r->matrix, (int32_t)r->rows, (int32_t)r->cols, capacity, r->error));
  if (r->format == FORMAT_ARRAY)
    TRY(readArray(r));
  else
    TRY(readCoordinate(r));
  TRY(matrixMarketNextLine(r));
  if (r->cursor)
    return matrixMarketFail(r, TEXLA_BAD_FILE,
                            "more data than the %lld entries that the sizes promise",
                            (long long)r->entries);
  if (r->symmetry != GENERAL)
    TRY(addMirrored(r));
  return clTripletsCompress(r->matrix, r->error);
}

/* The file of a path; "-" is standard input. *bytes <- its length, if that is known. */
static clStatus matrixMarketOpenFile(reader *r, uint64_t *bytes) {
  if (strcmp(r->path, "-") == 0) {
    r->path = "standard input";
    r->file = stdin;
    return TEXLA_OK;
  }
  r->file = txStreamOpen(r->path, bytes);
  if (!r->file)
    return txFail(r->error, TEXLA_IO_ERROR, r->call, "cannot open %s: %s", r->path,
                  strerror(errno));
  return TEXLA_OK;
}

/* A block, or all of a smaller file and any line. */
static clStatus matrixMarketMakeRoom(reader *r, uint64_t bytes) {
  r->room = TX_BLOCK;
  if (bytes > 0 && bytes < TX_BLOCK)
    r->room = (size_t)txMost64((int64_t)bytes, TX_LINE_SIZE);
  r->text = txAllocate(r->error, r->call, r->room + 1, 1, "a part of a file");
  if (!r->text)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

static void closeReader(reader *r) {
  if (!r)
    return;
  if (r->file && r->file != stdin)
    fclose(r->file);
  clTripletsDestroy(r->matrix);
  free(r->text);
  free(r);
}

static clStatus openReader(reader **out, const char *path, const char *call, clError *error) {
  reader *r = *out = txAllocate(error, call, 1, sizeof *r, "reading a matrix");
  uint64_t bytes = 0;
  if (!r)
    return TEXLA_OUT_OF_MEMORY;
  *r = (reader){.path = path, .call = call, .error = error};
  TRY(matrixMarketOpenFile(r, &bytes));
  return matrixMarketMakeRoom(r, bytes);
}

/* What was read before an error is of no use, and is freed. */
static clStatus readPath(clTriplets **out, const char *path, const char *call, clError *error) {
  if (!out || !path)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s is NULL", out ? "path" : "output");
  reader *r = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openReader(&r, path, call, error));
  TRY_CLEANUP(readMatrix(r));
  *out = r->matrix;
  r->matrix = NULL;
cleanup:
  closeReader(r);
  return status;
}

clStatus txMarketHeadRead(txMarketHead *head, const char *path, const char *call, clError *error) {
  static const int symmetry[SYMMETRIES] = {[SYMMETRIC] = 1, [SKEW_SYMMETRIC] = -1};
  reader *r = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openReader(&r, path, call, error));
  TRY_CLEANUP(readHeader(r));
  TRY_CLEANUP(matrixMarketReadSizes(r));
  *head = (txMarketHead){.rows = r->rows,
                         .cols = r->cols,
                         .count = r->entries,
                         .lines = r->line,
                         .begin = ftell(r->file) - (int64_t)(r->end - r->at),
                         .array = r->format == FORMAT_ARRAY,
                         .pattern = r->field == FIELD_PATTERN,
                         .symmetry = symmetry[r->symmetry]};
  if (head->begin < 0 || fseek(r->file, 0, SEEK_END))
    status = matrixMarketFail(r, TEXLA_IO_ERROR, "cannot read: %s", strerror(errno));
  head->end = ftell(r->file);
cleanup:
  closeReader(r);
  return status;
}

clStatus clMatrixMarketRead(clTriplets **out, const char *path, clError *error) {
  return readPath(out, path, "clMatrixMarketRead", error);
}

/* A few bytes of text must not take gigabytes: a vector of more than MOST_ELEMENTS elements has an
 * entry for every ELEMENTS_AN_ENTRY of them at least. */
enum { MOST_ELEMENTS = 1 << 24, ELEMENTS_AN_ENTRY = 1024 };

static const char vector_call[] = "clMatrixMarketReadVector";

/* All elements of the vector A, which is one row or one column. */
static clStatus spreadVector(double **out, int64_t *count, const clTriplets *A, const char *path,
                             clError *error) {
  int64_t n = A->rows > A->cols ? A->rows : A->cols;
  if (A->rows != 1 && A->cols != 1)
    return txFail(error, TEXLA_BAD_SHAPE, vector_call, "%s is %d x %d; a vector is n x 1 or 1 x n",
                  path, A->rows, A->cols);
  if (n > MOST_ELEMENTS && n / ELEMENTS_AN_ENTRY > A->count)
    return txFail(error, TEXLA_TOO_LARGE, vector_call,
                  "%s has %lld elements, but only %lld entries: too few for a vector", path,
                  (long long)n, (long long)A->count);
  double *x = txAllocate(error, vector_call, (size_t)n, sizeof *x, "a vector");
  if (!x)
    return TEXLA_OUT_OF_MEMORY;
  /* Either the row or the column is 0. */
  for (int64_t k = 0; k < A->count; k++)
    x[A->row[k] + A->col[k]] = A->value[k];
  *out = x;
  *count = n;
  return TEXLA_OK;
}

/* The file may be an array or coordinates; elements that coordinates leave out are zero. */
clStatus clMatrixMarketReadVector(double **out, int64_t *count, const char *path, clError *error) {
  const char *call = vector_call;
  if (!out || !count)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "an output is NULL");
  clTriplets *A = NULL;
  TRY(readPath(&A, path, call, error));
  clStatus status = spreadVector(out, count, A, path, error);
  clTripletsDestroy(A);
  return status;
}
