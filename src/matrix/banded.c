/* Banded storage (K4): finds the diagonals, the grid behind them and the constant ones; uploads the
 * rest. */
#include "matrix/banded.h"
#include "core/try.h"
#include "matrix/residual.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "vector/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a / b rounded down, also for a negative a; b > 0. */
static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* What is left of a by that division, in [0, b). */
static int64_t floorMod(int64_t a, int64_t b) {
  return a - b * floorDiv(a, b);
}

/* The number of a diagonal among those that are not empty; -1 where it is. */
static int bandedSlotOf(const txOffsets *o, const clTriplets *T, int64_t offset) {
  return o->slot[offset + T->rows - 1] - 1;
}

/* The slot that owns the vector of slot s: that of k mod n where it exists. */
static int bandedOwnerOf(const txOffsets *o, const clTriplets *T, int s) {
  int32_t k = o->offset[s];
  if (T->rows != T->cols || k >= 0)
    return s;
  int opposing = bandedSlotOf(o, T, k + T->rows);
  return opposing >= 0 ? opposing : s;
}

/* How many of the rows [from, to) of a run have a value other than 0 in the place of entry e, its
 * first row's. */
static int64_t countNonzeros(const txRows *rows, const txRun *run, int64_t e, int64_t from,
                             int64_t to) {
  int64_t count = 0;
  if (!rows->zeros)
    return to - from;
  for (int64_t i = from; i < to; i++)
    count += (float)rows->A->value[e + i * run->length] != 0;
  return count;
}

/* Diagonals [*first, *end) may have entries. */
static void markOffsets(txOffsets *o, const txRows *rows, int64_t *first, int64_t *end) {
  const clTriplets *T = rows->A;
  *first = *end = 0;
  for (txRun run = txRunAt(rows, 0, T->rows); run.row < T->rows;
       run = txRunNext(rows, &run, T->rows))
    for (int64_t e = run.entry; e < run.entry + run.length; e++) {
      int64_t count = countNonzeros(rows, &run, e, 0, run.count), k = T->col[e] - run.row;
      if (count)
        o->slot[k + T->rows - 1] = 1;
      o->nonzeros += count;
      *first = k < *first ? k : *first;
      *end = k >= *end ? k + 1 : *end;
    }
}

/* Marks the diagonals that have an entry, then numbers them in ascending order. */
clStatus txOffsetsFind(txOffsets *out, clError *error, const char *call, const txRows *rows) {
  const clTriplets *T = rows->A;
  int64_t first, end;
  size_t possible = (size_t)T->rows + (size_t)T->cols - 1;
  txOffsets o = {
      .slot = txAllocate(error, call, possible, sizeof *o.slot, "the diagonals of a matrix")};
  if (!o.slot)
    return TEXLA_OUT_OF_MEMORY;
  markOffsets(&o, rows, &first, &end);
  for (int64_t k = first; k < end; k++)
    if (bandedSlotOf(&o, T, k) >= 0)
      o.slot[k + T->rows - 1] = ++o.count;
  o.offset =
      txAllocate(error, call, (size_t)o.count, sizeof *o.offset, "the diagonals of a matrix");
  o.sides = txAllocate(error, call, (size_t)o.count, 1, "the diagonals of a matrix");
  if (!o.offset || !o.sides) {
    txOffsetsFree(&o);
    return TEXLA_OUT_OF_MEMORY;
  }
  for (int64_t k = first; k < end; k++)
    if (bandedSlotOf(&o, T, k) >= 0)
      o.offset[bandedSlotOf(&o, T, k)] = (int32_t)k;
  for (int s = 0; s < o.count; s++)
    o.shared += bandedOwnerOf(&o, T, s) == s;
  *out = o;
  return TEXLA_OK;
}

void txOffsetsFree(txOffsets *offsets) {
  free(offsets->slot);
  free(offsets->offset);
  free(offsets->sides);
  *offsets = (txOffsets){0};
}

/* The next rows of a run, from `from` on, that lie on one side of the place where their entry steps
 * over the end of a grid row of nx, and then lies at (dx - nx, dy + 1). Returns where they end. */
static int64_t oneSide(const txRun *run, int64_t from, int64_t nx, int64_t dx, bool *over) {
  int64_t x = (run->row + from) % nx;
  *over = x + dx >= nx;
  int64_t side = nx - dx;
  if (*over)
    side = nx;
  return txLeast64(from + side - x, run->count);
}

/* The sides on which a run has entries on a diagonal, of which entry e is the first: 1, 2 or
 * both. */
static int sidesOf(const txOffsets *o, const txRows *rows, const txRun *run, int64_t e,
                   int64_t nx) {
  int sides = 0, slot = bandedSlotOf(o, rows->A, rows->A->col[e] - run->row);
  bool over;
  for (int64_t from = 0, to; slot >= 0 && sides != 3 && from < run->count; from = to) {
    to = oneSide(run, from, nx, floorMod(o->offset[slot], nx), &over);
    if (countNonzeros(rows, run, e, from, to))
      sides |= 1 << over;
  }
  return sides;
}

/* No diagonal has entries on both sides of the ends of grid rows: in the grid each is one shift,
 * without a wrap. */
static bool fitsGrid(const txOffsets *o, const txRows *rows, int64_t nx) {
  int32_t n = rows->A->rows;
  bool fits = true;
  memset(o->sides, 0, (size_t)o->count);
  for (txRun run = txRunAt(rows, 0, n); fits && run.row < n; run = txRunNext(rows, &run, n))
    for (int64_t e = run.entry; fits && e < run.entry + run.length; e++) {
      int slot = bandedSlotOf(o, rows->A, rows->A->col[e] - run.row);
      if (slot < 0)
        continue;
      o->sides[slot] |= (char)sidesOf(o, rows, &run, e, nx);
      fits = o->sides[slot] != 3;
    }
  return fits;
}

/* Vectors of long narrow grids would be padded too much. */
static bool bandedIsGrid(txLayout *out, const clContext *context, const txOffsets *o,
                         const txRows *rows, int64_t nx) {
  int32_t n = rows->A->rows;
  enum { NARROW = 16, SMALL = 4096 };
  return nx > 1 && nx < n && n % nx == 0 && (nx >= NARROW || n <= SMALL) &&
         txLayoutGrid(out, context, (int)nx, (int)(n / nx)) && fitsGrid(o, rows, nx);
}

/* A grid stencil reaches the next row with its first far diagonals: nx is one of the shortest
 * offsets, give or take the stencil's reach. */
static bool findGrid(txLayout *out, const clContext *context, const txOffsets *o,
                     const txRows *rows) {
  enum { FAR = 2, TRIES = 8 };
  static const int reach[] = {0, 1, -1, 2, -2, 3, -3, 4, -4};
  int first = 0;
  while (first < o->count && o->offset[first] < FAR)
    first++;
  for (int r = 0; r < (int)(sizeof reach / sizeof *reach); r++)
    for (int s = first; s < o->count && s < first + TRIES; s++)
      if (bandedIsGrid(out, context, o, rows, (int64_t)o->offset[s] + reach[r]))
        return true;
  return false;
}

/* One shift of a diagonal while its entries are looked at. */
typedef struct candidate {
  txDiagonal d;
  int64_t count;
  bool varies;
} candidate;

/* Candidate 2 * slot + side. */
static void placeCandidates(candidate *c, const txOffsets *o, const txLayout *layout) {
  for (int s = 0; s < o->count; s++) {
    int64_t k = o->offset[s];
    c[2 * s].d = (txDiagonal){.dx = k};
    if (layout->grid) {
      c[2 * s].d = (txDiagonal){.dx = floorMod(k, layout->row), .dy = floorDiv(k, layout->row)};
      c[2 * s + 1].d = (txDiagonal){.dx = c[2 * s].d.dx - layout->row, .dy = c[2 * s].d.dy + 1};
    }
  }
}

/* So many entries of one value; zeros are none. */
static void bandedMeet(candidate *c, float value, int64_t count) {
  if (value == 0)
    return;
  c->varies |= c->count && c->d.value != value;
  c->count += count;
  c->d.value = value;
}

/* Is one of the numbers that lie `step` apart another one than the first? */
static bool isOther(const double *v, int64_t step, int64_t count) {
  bool other = false;
  for (int64_t i = 1; i < count; i++)
    other |= (float)v[i * step] != (float)*v;
  return other;
}

/* Rows [from, to) of a run, whose entries in the place of e belong to the candidate. */
static void lookAtEntries(candidate *c, const txRows *rows, const txRun *run, int64_t e,
                          int64_t from, int64_t to) {
  const double *v = rows->A->value + e + from * run->length;
  bool alike = run->alike == run->count;
  if (rows->zeros && !alike) {
    for (int64_t i = 0; i < to - from; i++)
      bandedMeet(c, (float)v[i * run->length], 1);
    return;
  }
  bandedMeet(c, (float)*v, to - from);
  if (!alike && !c->varies)
    c->varies = isOther(v, run->length, to - from);
}

/* What all entries of a diagonal have in common: are they one number? */
static void lookAtDiagonals(candidate *c, const txOffsets *o, const txLayout *layout,
                            const txRows *rows) {
  int32_t n = rows->A->rows;
  for (txRun run = txRunAt(rows, 0, n); run.row < n; run = txRunNext(rows, &run, n))
    for (int64_t e = run.entry; e < run.entry + run.length; e++) {
      int slot = bandedSlotOf(o, rows->A, rows->A->col[e] - run.row);
      bool over = false;
      for (int64_t from = 0, to = run.count; slot >= 0 && from < run.count; from = to) {
        if (layout->grid)
          to = oneSide(&run, from, layout->row, c[2 * slot].d.dx, &over);
        lookAtEntries(&c[2 * slot + over], rows, &run, e, from, to);
      }
    }
}

static int64_t bandedMagnitude(int64_t a) {
  return a < 0 ? -a : a;
}

/* How many entries a whole diagonal has. */
static int64_t fullCount(const txDiagonal *d, const clMatrix *A) {
  const txLayout *layout = &A->row_layout;
  if (layout->grid)
    return (layout->row - bandedMagnitude(d->dx)) * (layout->height - bandedMagnitude(d->dy));
  int64_t end = A->cols - d->dx;
  return txLeast64(end, A->rows) - txMost64(0, -d->dx);
}

/* Numbers the vectors that are needed; owner[s] is the one of slot s. Returns how many. */
static int assignTextures(candidate *c, int *owner, const txOffsets *o, const clMatrix *A,
                          const clTriplets *T, bool general) {
  int textures = 0;
  for (int s = 0; s < o->count; s++)
    owner[s] = -1;
  for (int i = 0; i < 2 * o->count; i++) {
    int s = bandedOwnerOf(o, T, i / 2);
    c[i].d.texture = -1;
    if (!c[i].count || (!general && !c[i].varies && c[i].count == fullCount(&c[i].d, A)))
      continue;
    if (owner[s] < 0)
      owner[s] = textures++;
    c[i].d.texture = owner[s];
  }
  return textures;
}

static int compareDiagonals(const void *a, const void *b) {
  const txDiagonal *x = a, *y = b;
  if (x->texture != y->texture)
    return x->texture - y->texture;
  if (x->dy != y->dy)
    return (x->dy > y->dy) - (x->dy < y->dy);
  return (x->dx > y->dx) - (x->dx < y->dx);
}

/* Stored diagonals are as long as vectors, so that a matrix with few entries on many diagonals may
 * need more than there is. */
static clStatus checkBytes(const clMatrix *A, const char *call, int textures) {
  const txLayout *layout = &A->row_layout;
  size_t each = (size_t)layout->width * (size_t)layout->height * txFormatBytes(TX_RGBA32F);
  size_t used = clContextStatistics(A->context).bytes_used,
         limit = clContextInspect(A->context)->memory_limit;
  if ((size_t)textures > (limit - used) / each)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call,
                  "%d stored diagonals of the %d x %d matrix need %zu more bytes on the device "
                  "each, but %zu of %zu are in "
                  "use; try another storage",
                  textures, A->rows, A->cols, each, used, limit);
  return TEXLA_OK;
}

/* Each stored diagonal becomes a vector. */
static clStatus bandedUpload(clMatrix *A, const char *call, const float *values) {
  txBanded *banded = A->data;
  const txLayout *layout = &A->row_layout;
  for (int t = 0; t < banded->textures; t++) {
    TRY(txLayoutTexture(&banded->texture[t], A->context, call, layout));
    TRY(txLayoutWrite(banded->texture[t], call, layout, values + (int64_t)t * A->rows));
    A->bytes += (int64_t)layout->width * layout->height * (int64_t)txFormatBytes(TX_RGBA32F);
  }
  return TEXLA_OK;
}

/* Memory of the storage, or for making it. */
static void *bandedAllocate(const clMatrix *A, const char *call, size_t count, size_t size) {
  return txAllocate(txContextError(A->context), call, count, size, "the diagonals of a matrix");
}

typedef struct gathering {
  const candidate *c;
  const txOffsets *o;
  const clMatrix *A;
  const txRows *rows;
  /* The elements of the stored diagonals, texture by texture. */
  float *values;
} gathering;

/* The elements of the stored diagonals in rows [first, last): each entry belongs to one of them. */
static void gatherRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const gathering *g = user;
  const txLayout *layout = &g->A->row_layout;
  (void)sum;
  for (txRun run = txRunAt(g->rows, first, last); run.row < last;
       run = txRunNext(g->rows, &run, last))
    for (int64_t e = run.entry; e < run.entry + run.length; e++) {
      int slot = bandedSlotOf(g->o, g->rows->A, g->rows->A->col[e] - run.row);
      bool over = false;
      for (int64_t from = 0, to = run.count; slot >= 0 && from < run.count; from = to) {
        if (layout->grid)
          to = oneSide(&run, from, layout->row, g->c[2 * slot].d.dx, &over);
        int texture = g->c[2 * slot + over].d.texture;
        for (int64_t i = from; i < to && texture >= 0; i++)
          g->values[texture * (int64_t)g->A->rows + run.row + i] =
              (float)g->rows->A->value[e + i * run.length];
      }
    }
}

/* Gathers the stored diagonals on the host and uploads them. */
static clStatus bandedStore(clMatrix *A, const char *call, const candidate *c, const txOffsets *o,
                            const txRows *rows) {
  txBanded *banded = A->data;
  size_t n = (size_t)banded->textures;
  TRY(checkBytes(A, call, banded->textures));
  if (!n)
    return TEXLA_OK;
  banded->texture = bandedAllocate(A, call, n, sizeof(txTexture *));
  if (!banded->texture)
    return TEXLA_OUT_OF_MEMORY;
  float *values = bandedAllocate(A, call, n * (size_t)A->rows, sizeof *values);
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(A->rows, gatherRows, &(gathering){c, o, A, rows, values}, NULL);
  clStatus status = bandedUpload(A, call, values);
  free(values);
  return status;
}

/* Which diagonals each texture holds: one, or two opposing ones, which are neighbours in the
 * list. */
static void nameDiagonals(const txBanded *banded, const txLayout *layout) {
  for (int i = banded->diagonals - 1; i >= 0; i--) {
    const txDiagonal *d = &banded->diagonal[i];
    int64_t k = d->dx + d->dy * layout->row;
    if (d->texture < 0)
      continue;
    txMeaning *meaning = &banded->texture[d->texture]->meaning;
    if (strcmp(meaning->kind, "diagonal") == 0)
      meaning->size[3] = k;
    else
      *meaning = (txMeaning){"diagonal", {layout->length, layout->row, layout->grid, k, k}};
  }
}

/* Finds out which diagonals are constant, and stores the others. */
static clStatus bandedBuild(clMatrix *A, const char *call, candidate *c, const txOffsets *o,
                            const txRows *rows, bool general) {
  txBanded *banded = A->data;
  banded->diagonal = bandedAllocate(A, call, 2 * (size_t)o->count, sizeof *banded->diagonal);
  if (!banded->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  int *owner = bandedAllocate(A, call, (size_t)o->count, sizeof *owner);
  if (!owner)
    return TEXLA_OUT_OF_MEMORY;
  placeCandidates(c, o, &A->row_layout);
  lookAtDiagonals(c, o, &A->row_layout, rows);
  banded->textures = assignTextures(c, owner, o, A, rows->A, general);
  free(owner);
  for (int i = 0; i < 2 * o->count; i++)
    if (c[i].count)
      banded->diagonal[banded->diagonals++] = c[i].d;
  /* In this order those that share a vector are neighbours. */
  qsort(banded->diagonal, (size_t)banded->diagonals, sizeof *banded->diagonal, compareDiagonals);
  for (int i = 1; i < banded->diagonals; i++)
    if (banded->diagonal[i].texture >= 0 &&
        banded->diagonal[i].texture == banded->diagonal[i - 1].texture)
      banded->diagonal[i].shared = banded->diagonal[i - 1].shared = true;
  TRY(bandedStore(A, call, c, o, rows));
  nameDiagonals(banded, &A->row_layout);
  return TEXLA_OK;
}

/* What `texla info` and clMatrixDescription tell of the storage. */
static void bandedDescribe(clMatrix *A, const txOffsets *o) {
  const txBanded *banded = A->data;
  char text[64];
  int constant = 0;
  while (constant < banded->diagonals && banded->diagonal[constant].texture < 0)
    constant++;
  txMatrixDescribe(A, ", %d diagonal%s", o->count, o->count == 1 ? "" : "s");
  if (constant && constant == banded->diagonals)
    txMatrixDescribe(A, " (all constant)");
  else if (constant)
    txMatrixDescribe(A, " (%d constant)", constant);
  if (A->row_layout.grid)
    txMatrixDescribe(A, ", %s", txLayoutText(&A->row_layout, text, sizeof text));
}

/* Whatever has been made so far. */
static void bandedDestroy(clMatrix *A) {
  txBanded *banded = A->data;
  if (!banded)
    return;
  for (int t = 0; banded->texture && t < banded->textures; t++)
    txTextureDestroy(banded->texture[t]);
  for (int t = 0; banded->unpacked && t < banded->textures; t++)
    txTextureDestroy(banded->unpacked[t]);
  free(banded->texture);
  free(banded->unpacked);
  free(banded->diagonal);
  free(banded->plan[0]);
  free(banded->plan[1]);
  free(banded);
  A->data = NULL;
}

/* The candidates are only needed while the storage is made. */
static clStatus bandedFill(clMatrix *A, const char *call, const txOffsets *offsets,
                           const txRows *rows, bool general) {
  clStatus status = TEXLA_OK;
  candidate *c = bandedAllocate(A, call, 2 * (size_t)offsets->count, sizeof *c);
  A->data = bandedAllocate(A, call, 1, sizeof(txBanded));
  if (!c || !A->data)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(bandedBuild(A, call, c, offsets, rows, general));
  bandedDescribe(A, offsets);
  free(c);
  return TEXLA_OK;
cleanup:
  bandedDestroy(A);
  free(c);
  return status;
}

/* Without a wish of the caller's the layout is a grid where the diagonals are those of a
 * stencil. */
static clStatus bandedCreate(clMatrix *A, const char *call, const txRows *rows,
                             const clMatrixOptions *options) {
  if (A->row_layout.row != A->col_layout.row)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "the rows and columns of the %d x %d matrix differ too much in number for the "
                  "banded storage",
                  A->rows, A->cols);
  txOffsets offsets;
  TRY(txOffsetsFind(&offsets, txContextError(A->context), call, rows));
  txLayout grid;
  if (A->rows == A->cols && !A->row_layout.grid && !options->linear &&
      findGrid(&grid, A->context, &offsets, rows))
    A->row_layout = A->col_layout = grid;
  clStatus status = bandedFill(A, call, &offsets, rows, options->general_diagonals);
  txOffsetsFree(&offsets);
  return status;
}

/* An entry of a full-length diagonal, in units of a dense one (storage.h); so many diagonals go
 * into a pass. */
enum { ENTRY_COST = 2, IN_ONE_PASS = 14 };

/* Passes, and the elements of stored diagonals; a guess that all of them are stored. */
static double bandedCost(const txLook *look) {
  const clTriplets *T = look->rows->A;
  txLayout rows, cols;
  double values = (double)look->diagonals * T->rows;
  bool fit = look->diagonals >= 0 && txLayoutLinear(&rows, look->context, T->rows) &&
             txLayoutLinear(&cols, look->context, T->cols) && rows.row == cols.row &&
             txLookFits(look, 4 * values);
  if (!fit)
    return INFINITY;
  return TX_COST_PASS * (look->diagonals / IN_ONE_PASS + 1.) + ENTRY_COST * values;
}

static void bandedReason(const txLook *look, char *why, size_t n) {
  snprintf(
      why, n, "%d diagonals, %.0f %% full", look->diagonals,
      txPercent((double)look->diagonal_entries, (double)look->diagonals * look->rows->A->rows));
}

const txStorage txBandedStorage = {
    .create = bandedCreate,
    .destroy = bandedDestroy,
    .multiply = txBandedMultiply,
    .multiplySeveral = txBandedMultiplySeveral,
    .residual = txBandedResidual,
    .diagonal = txBandedDiagonal,
    .cost = bandedCost,
    .reason = bandedReason,
};
