/* Matrix Market files by all ranks: rank 0 reads the head (io/matrix_market.h), each rank a part of
 * the entries, and then they go to those that want them. */
#include "mpi/market.h"
#include "core/try.h"
#include "platform/platform.h"
#include "io/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clMatrixMarketRead";

static clStatus bad(clError *error, const char *path, int64_t line, const char *what) {
  return txFail(error, TEXLA_BAD_FILE, call, "%s, line %lld: %s", path, (long long)line, what);
}

static const char *skipBlanks(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

/* A number behind blanks, as io/number.h reads it; NULL is handed on. */
static const char *parseInteger(const char *at, int64_t *value) {
  if (!at)
    return NULL;
  return txIntegerParse(skipBlanks(at), value);
}

static bool blank(const char *line) {
  return line[strspn(line, " \t\r\n")] == 0;
}

static clStatus openFile(FILE **file, const char *path, clError *error) {
  uint64_t size;
  *file = txStreamOpen(path, &size);
  if (*file)
    return TEXLA_OK;
  return txFail(error, TEXLA_IO_ERROR, call, "cannot open %s: %s", path, strerror(errno));
}

/* Rank 0 reads, and all learn what it has found. */
clStatus txMarketOpen(txMarketHead *head, clCluster *c, const char *path) {
  txMarketHead h = {0};
  clStatus status = TEXLA_OK;
  if (c->rank == 0)
    status = txMarketHeadRead(&h, path, call, &c->error);
  TRY(clClusterAgree(c, status, &c->error));
  txBcast(c, &h, (int)sizeof h, MPI_BYTE, 0, c->comm);
  *head = h;
  return TEXLA_OK;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* What a rank has read, sorted by who wants it. */
typedef struct part {
  clCluster *cluster;
  const txMarketHead *head;
  const char *path;
  txOwner owner;
  const void *user;
  char *text;
  /* of the next value, from 1 and from 0 */
  int64_t line, number;
  /* for each rank */
  txEntry **entry;
  size_t *count, *room;
} part;

/* A part ends behind a line (coordinate), or behind a number (array). */
static bool ends(const part *p, int ch) {
  if (p->head->array)
    return isspace(ch) != 0;
  return ch == '\n';
}

/* p->text <- `length` bytes from where the file stands, and those to the end of the last line. */
static clStatus readText(part *p, FILE *file, size_t length) {
  clError *error = &p->cluster->error;
  size_t room = length + 4096;
  int ch = 0;
  p->text = txAllocate(error, call, room + 1, 1, "a part of a file");
  if (!p->text)
    return TEXLA_OUT_OF_MEMORY;
  if (fread(p->text, 1, length, file) != length)
    return txFail(error, TEXLA_IO_ERROR, call, "cannot read %s", p->path);
  while (length && !ends(p, p->text[length - 1]) && length < room && (ch = getc(file)) != EOF)
    p->text[length++] = (char)ch;
  p->text[length] = 0;
  return TEXLA_OK;
}

/* The part of the bytes that begins with the first line after this rank's share begins, and ends
 * with the line in which the share ends. */
static clStatus load(part *p) {
  const txMarketHead *h = p->head;
  clCluster *c = p->cluster;
  int64_t bytes = h->end - h->begin, from = h->begin + bytes * c->rank / c->size,
          to = h->begin + bytes * (c->rank + 1) / c->size;
  FILE *file = NULL;
  TRY(openFile(&file, p->path, &c->error));
  size_t length = 0;
  int ch = 0;
  /* what begins before belongs to another rank */
  if (c->rank && !fseek(file, from - 1, SEEK_SET))
    while ((ch = getc(file)) != EOF && !ends(p, ch))
      from++;
  if (c->rank == 0)
    fseek(file, from, SEEK_SET);
  if (to > from)
    length = (size_t)(to - from);
  clStatus status = readText(p, file, length);
  fclose(file);
  return status;
}

/* Lines and numbers of the parts before this one: sums over the ranks before, of which rank 0 has
 * none (MPI leaves its result undefined). */
static void count(part *p) {
  int64_t mine[2] = {0, 0}, before[2] = {0, 0};
  for (const char *at = p->text; *at; at++)
    mine[0] += *at == '\n';
  for (const char *at = skipBlanks(p->text); *at && p->head->array; at = skipBlanks(at)) {
    mine[1]++;
    while (*at && !isspace((unsigned char)*at))
      at++;
  }
  MPI_Exscan(mine, before, 2, MPI_INT64_T, MPI_SUM, p->cluster->comm);
  if (p->cluster->rank == 0)
    before[0] = before[1] = 0;
  p->line = p->head->lines + 1 + before[0];
  p->number = before[1];
}

/* An entry for the rank that owns it. */
static clStatus keep(part *p, int64_t i, int64_t j, double value) {
  int to = p->owner(p->user, i, j);
  if (p->count[to] == p->room[to]) {
    size_t room = 2 * p->room[to] + 64;
    txEntry *more =
        txReallocate(&p->cluster->error, call, p->entry[to], room, sizeof *more, "entries");
    if (!more)
      return TEXLA_OUT_OF_MEMORY;
    p->entry[to] = more;
    p->room[to] = room;
  }
  p->entry[to][p->count[to]++] = (txEntry){i, j, value};
  return TEXLA_OK;
}

/* What stands in the file, and its mirror image where that is not told. */
static clStatus add(part *p, int64_t i, int64_t j, double value) {
  const txMarketHead *h = p->head;
  clError *error = &p->cluster->error;
  if (i < 0 || j < 0 || i >= h->rows || j >= h->cols)
    return bad(error, p->path, p->line, "a position outside of the matrix");
  if (!isfinite(value))
    return txFail(error, TEXLA_NOT_FINITE, call, "%s, line %lld: a value that is not finite",
                  p->path, (long long)p->line);
  if ((h->symmetry > 0 && j > i) || (h->symmetry < 0 && j >= i))
    return bad(error, p->path, p->line, "a position that is not in the lower triangle");
  TRY(keep(p, i, j, value));
  if (h->symmetry && i != j)
    TRY(keep(p, j, i, h->symmetry * value));
  return TEXLA_OK;
}

/* A coordinate file's part: an entry a line. */
static clStatus parseLines(part *p, int64_t *values) {
  for (char *at = p->text, *next; *at; at = next, p->line++) {
    next = at + strcspn(at, "\n");
    if (*next)
      *next++ = 0;
    if (blank(at))
      continue;
    int64_t i = 0, j = 0;
    double value = 1;
    const char *end = parseInteger(parseInteger(at, &i), &j);
    if (end && !p->head->pattern)
      end = txNumberParse(skipBlanks(end), &value);
    if (!end || !blank(end))
      return bad(&p->cluster->error, p->path, p->line, "not 'ROW COLUMN VALUE'");
    TRY(add(p, i - 1, j - 1, value));
    ++*values;
  }
  return TEXLA_OK;
}

/* Where number k of an array stands: column after column, of the lower triangle in symmetric
 * files. */
static void positionOf(const txMarketHead *h, int64_t k, int64_t *i, int64_t *j) {
  if (!h->symmetry) {
    *i = k % h->rows;
    *j = k / h->rows;
    return;
  }
  int64_t skip = h->symmetry < 0, n = h->rows - skip;
  double root =
      (double)n + 0.5 - sqrt(fmax(0, ((double)n + 0.5) * ((double)n + 0.5) - 2 * (double)k));
  int64_t col = (int64_t)root;
  while (col > 0 && col * n - col * (col - 1) / 2 > k)
    col--;
  while ((col + 1) * n - (col + 1) * col / 2 <= k)
    col++;
  *j = col;
  *i = k - (col * n - col * (col - 1) / 2) + col + skip;
}

static clStatus parseNumbers(part *p, int64_t *values) {
  for (const char *at = p->text, *end; *(at = skipBlanks(at)); at = end) {
    int64_t i, j;
    double value;
    end = txNumberParse(at, &value);
    if (!end || (*end && !isspace((unsigned char)*end)))
      return bad(&p->cluster->error, p->path, p->line, "not a number");
    if (p->number >= p->head->count)
      return txFail(&p->cluster->error, TEXLA_BAD_FILE, call, "%s: more than %lld values", p->path,
                    (long long)p->head->count);
    positionOf(p->head, p->number++, &i, &j);
    TRY(add(p, i, j, value));
    ++*values;
  }
  return TEXLA_OK;
}

/* Collective: each step ends with all ranks agreeing, before the next one waits for them. */
static clStatus parse(part *p) {
  clCluster *c = p->cluster;
  int64_t values = 0;
  p->entry = txAllocate(&c->error, call, (size_t)c->size, sizeof *p->entry, "entries");
  p->count = txAllocate(&c->error, call, 2 * (size_t)c->size, sizeof *p->count, "entries");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (p->entry && p->count) {
    p->room = p->count + c->size;
    status = load(p);
  }
  TRY(clClusterAgree(c, status, &c->error));
  count(p);
  if (p->head->array)
    status = parseNumbers(p, &values);
  else
    status = parseLines(p, &values);
  TRY(clClusterAgree(c, status, &c->error));
  txAllreduce(c, &values, 1, MPI_INT64_T, MPI_SUM, c->comm);
  if (values != p->head->count)
    return txFail(&c->error, TEXLA_BAD_FILE, call, "%s holds %lld values, but its header says %lld",
                  p->path, (long long)values, (long long)p->head->count);
  return TEXLA_OK;
}

/* What has been read goes to its owners. */
static clStatus send(txEntry **entries, size_t *count, const part *p) {
  size_t bytes;
  void *all;
  for (int r = 0; r < p->cluster->size; r++)
    p->count[r] *= sizeof(txEntry);
  TRY(txExchange(p->cluster, (void *const *)p->entry, p->count, &all, &bytes, NULL));
  *entries = all;
  *count = bytes / sizeof(txEntry);
  return TEXLA_OK;
}

clStatus txMarketRead(txEntry **entries, size_t *count, clCluster *c, const char *path,
                      const txMarketHead *head, txOwner owner, const void *user) {
  part p = {.cluster = c, .head = head, .path = path, .owner = owner, .user = user};
  clStatus status = parse(&p);
  free(p.text);
  if (status == TEXLA_OK)
    status = send(entries, count, &p);
  for (int r = 0; r < c->size && p.entry; r++)
    free(p.entry[r]);
  free(p.entry);
  free(p.count);
  return status;
}
