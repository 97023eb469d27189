/* ESRI ASCII grids: six lines or so of keys and numbers, then the heights of all cells, row by row
 * from the north. In a clTerrain rows count from the south, as in all grids of texla. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/allocate.h"
#include "core/try.h"
#include "core/output.h"
#include "io/number.h"
#include "platform/platform.h"
#include "texla/terrain.h"

enum { WORD = 64, MOST_CELLS = 1 << 28 };
enum { COLS, ROWS, CORNER_X, CORNER_Y, CENTER_X, CENTER_Y, CELL, NODATA, KEYS };

static const char *const key_name[KEYS] = {"ncols",     "nrows",     "xllcorner", "yllcorner",
                                           "xllcenter", "yllcenter", "cellsize",  "NODATA_value"};
/* What stands in files that we write for a cell of no height, which is a NaN in memory. */
static const float no_data = -9999;

/* A file while it is read; `line` and `path` are for messages. */
typedef struct reader {
  FILE *file;
  const char *path;
  clError *error;
  int64_t line;
  char word[WORD];
  double value[KEYS];
  bool given[KEYS];
} reader;

/* With the file and the line in front of what is wrong. */
TEXLA_PRINTF(3, 4)
static clStatus fail(reader *r, clStatus status, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return txFail(r->error, status, "clTerrainRead", "%s:%lld: %s", r->path, (long long)r->line,
                message);
}

/* As isspace() in the C locale: what counts as blank must not depend on the user's. */
static bool isBlank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next word; empty at the end of the file. What is longer than any number is refused, so that a
 * binary file does not fill the memory. */
static clStatus readWord(reader *r) {
  int c = getc(r->file);
  size_t n = 0;
  for (; isBlank(c); c = getc(r->file))
    r->line += c == '\n';
  for (; c != EOF && !isBlank(c); c = getc(r->file)) {
    if (c == 0)
      return fail(r, TEXLA_BAD_FILE, "a zero byte: this is not a text file");
    if (n == WORD - 1)
      return fail(r, TEXLA_BAD_FILE, "'%.24s...' is too long for a number", r->word);
    r->word[n++] = (char)c;
    r->word[n] = 0;
  }
  r->word[n] = 0;
  if (ferror(r->file))
    return fail(r, TEXLA_IO_ERROR, "cannot read: %s", strerror(errno));
  if (c != EOF)
    ungetc(c, r->file);
  return TEXLA_OK;
}

/* *value <- the number in r->word, all of it. */
static clStatus parse(reader *r, double *value, const char *what) {
  const char *end = txNumberParse(r->word, value);
  if (!*r->word)
    return fail(r, TEXLA_BAD_FILE, "the file ends where %s is wanted", what);
  if (!end || *end)
    return fail(r, TEXLA_BAD_FILE, "%s is not a number: '%.24s'", what, r->word);
  return TEXLA_OK;
}

/* Keys and their numbers in any order, until a number stands where a key might; it stays in
 * r->word. */
static clStatus readHead(reader *r) {
  for (;;) {
    TRY(readWord(r));
    int k = 0;
    double ignored;
    while (k < KEYS && txCompareLetters(r->word, key_name[k]) != 0)
      k++;
    const char *end = txNumberParse(r->word, &ignored);
    if (k == KEYS && (!*r->word || (end && !*end)))
      return TEXLA_OK;
    if (k == KEYS)
      return fail(r, TEXLA_BAD_FILE, "unknown key '%.24s'", r->word);
    if (r->given[k])
      return fail(r, TEXLA_BAD_FILE, "%s is given twice", key_name[k]);
    r->given[k] = true;
    TRY(readWord(r));
    TRY(parse(r, &r->value[k], key_name[k]));
  }
}

/* Sizes are compared as doubles, before they become integers that might overflow. */
static clStatus checkHead(reader *r) {
  const double *v = r->value;
  if (!r->given[COLS] || !r->given[ROWS] || !r->given[CELL])
    return fail(r, TEXLA_BAD_FILE, "ncols, nrows and cellsize are needed before the heights");
  if (!(v[COLS] >= 1) || !(v[ROWS] >= 1) || v[COLS] != floor(v[COLS]) || v[ROWS] != floor(v[ROWS]))
    return fail(r, TEXLA_BAD_FILE, "ncols (%g) and nrows (%g) must be positive integers", v[COLS],
                v[ROWS]);
  if (v[COLS] * v[ROWS] > MOST_CELLS)
    return fail(r, TEXLA_TOO_LARGE, "%g x %g cells are more than %d", v[COLS], v[ROWS], MOST_CELLS);
  if (!(v[CELL] > 0) || !isfinite(v[CELL]))
    return fail(r, TEXLA_BAD_FILE, "cellsize (%g) must be positive and finite", v[CELL]);
  for (int k = CORNER_X; k <= CENTER_Y; k++)
    if (!isfinite(v[k]))
      return fail(r, TEXLA_NOT_FINITE, "%s (%g) must be finite", key_name[k], v[k]);
  return TEXLA_OK;
}

/* Is that what the file writes where a height is not known? Some write NaN. */
static bool isNothing(const reader *r, double value) {
  double nothing = r->value[NODATA];
  return r->given[NODATA] && (value == nothing || (isnan(value) && isnan(nothing)));
}

/* The heights, of which the first one is in r->word. */
static clStatus readHeights(reader *r, clTerrain *t) {
  const int64_t n = (int64_t)t->nx * t->ny;
  for (int64_t k = 0; k < n; k++) {
    double value = 0;
    int row = t->ny - 1 - (int)(k / t->nx), column = (int)(k % t->nx);
    if (!*r->word)
      return fail(r, TEXLA_BAD_FILE, "the file ends after %lld of %lld heights", (long long)k,
                  (long long)n);
    TRY(parse(r, &value, "a height"));
    bool nothing = isNothing(r, value);
    if (!nothing && !isfinite((float)value))
      return fail(r, TEXLA_NOT_FINITE,
                  "height %g of cell (%d, %d) is not a finite number of single precision", value,
                  column, row);
    if (nothing)
      value = NAN;
    t->height[(int64_t)row * t->nx + column] = (float)value;
    TRY(readWord(r));
  }
  if (*r->word)
    return fail(r, TEXLA_BAD_FILE, "'%.24s' follows the last of %lld heights", r->word,
                (long long)n);
  return TEXLA_OK;
}

/* The corner of the grid may be told by the centre of its first cell, half a cell further. */
static clStatus readTerrain(reader *r, clTerrain *t) {
  const double *v = r->value;
  TRY(readHead(r));
  TRY(checkHead(r));
  *t = (clTerrain){
      .nx = (int)v[COLS], .ny = (int)v[ROWS], .cell = v[CELL], .x = v[CORNER_X], .y = v[CORNER_Y]};
  if (r->given[CENTER_X])
    t->x = v[CENTER_X] - v[CELL] / 2;
  if (r->given[CENTER_Y])
    t->y = v[CENTER_Y] - v[CELL] / 2;
  t->height = txAllocate(r->error, "clTerrainRead", (size_t)t->nx * (size_t)t->ny,
                         sizeof *t->height, "the cells");
  if (!t->height)
    return TEXLA_OUT_OF_MEMORY;
  return readHeights(r, t);
}

/* *out changes only when all of the file has been read. */
clStatus clTerrainRead(clTerrain *out, const char *path, clError *error) {
  static const char call[] = "clTerrainRead";
  if (!out || !path)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "out and path must not be NULL");
  reader r = {.file = stdin, .path = path, .error = error, .line = 1};
  uint64_t size;
  if (strcmp(path, "-") != 0)
    r.file = txStreamOpen(path, &size);
  clTerrain terrain = {0};
  if (!r.file)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot open %s: %s", path, strerror(errno));
  clStatus status = readTerrain(&r, &terrain);
  if (r.file != stdin)
    fclose(r.file);
  if (status)
    clTerrainFree(&terrain);
  else
    *out = terrain;
  return status;
}

/* The structure is the caller's, the heights are ours. */
void clTerrainFree(clTerrain *terrain) {
  if (!terrain)
    return;
  free(terrain->height);
  *terrain = (clTerrain){0};
}

/* An infinite height has no form in such files, and one that equals no_data would come back as
 * none. */
static clStatus checkTerrain(const clTerrain *t, const char *call, clError *error) {
  if (!t || !t->height || t->nx < 1 || t->ny < 1 || !(t->cell > 0) || !isfinite(t->cell) ||
      !isfinite(t->x) || !isfinite(t->y))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the terrain needs cells of positive size, heights and a finite corner");
  for (int64_t k = 0; k < (int64_t)t->nx * t->ny; k++)
    if (isinf(t->height[k]) || t->height[k] == no_data)
      return txFail(error, TEXLA_NOT_FINITE, call, "height %g of cell (%d, %d) cannot be written",
                    (double)t->height[k], (int)(k % t->nx), (int)(k / t->nx));
  return TEXLA_OK;
}

/* Numbers are written in as few digits as make the same number again. */
clStatus clTerrainWrite(const char *path, const clTerrain *terrain, clError *error) {
  static const char call[] = "clTerrainWrite";
  txOutput output;
  char x[TX_NUMBER_SIZE], y[TX_NUMBER_SIZE], cell[TX_NUMBER_SIZE];
  TRY(checkTerrain(terrain, call, error));
  TRY(txOutputOpen(&output, path, call, error));
  txNumberFormat(x, terrain->x);
  txNumberFormat(y, terrain->y);
  txNumberFormat(cell, terrain->cell);
  fprintf(output.file,
          "ncols %d\nnrows %d\nxllcorner %s\nyllcorner %s\ncellsize %s\nNODATA_value -9999\n",
          terrain->nx, terrain->ny, x, y, cell);
  for (int j = terrain->ny - 1; j >= 0; j--) {
    for (int i = 0; i < terrain->nx; i++) {
      float value = terrain->height[(int64_t)j * terrain->nx + i];
      if (isnan(value))
        value = no_data;
      txNumberFormat(x, (double)value);
      if (i > 0)
        fputc(' ', output.file);
      fputs(x, output.file);
    }
    fputc('\n', output.file);
  }
  return txOutputCommit(&output, error);
}
