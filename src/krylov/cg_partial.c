#include "krylov/cg_partial.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"
#include "matrix/banded.h"

#include <stdio.h>
#include <stdlib.h>

enum { R, P, Q };
static const char call[] = "clSolver (cg)";

/* A ring of the partial results of SLOTS iterations, `rows` rows of texels each: a result is the
 * sum of STRIP texels of the vectors. These lie in a column where vectors are small enough for
 * caches, up to IN_COLUMNS texels; else blocks of WIDE x 2 results read memory in its order, and
 * the rows are an even number. Those of first .. end - 1 are not in the history yet. */
enum { SLOTS = 64, STRIP = 128, MOST_SUMS = 2048, WIDE = 4, IN_COLUMNS = 1 << 17 };
typedef struct partialSums {
  txTexture *ring;
  bool columns;
  int rows;
  int64_t first, end;
} partialSums;

_Static_assert(TX_HISTORY % SLOTS == 0, "a column of the history tells the slot");

clStatus txPartialCreate(clSolver *s) {
  const txLayout *layout = &s->vector[R]->layout;
  bool columns =
      layout->height % STRIP == 0 && (int64_t)layout->width * layout->height <= IN_COLUMNS;
  int rows = 2 * txCeilDiv(layout->height, 2 * STRIP);
  if (columns)
    rows = layout->height / STRIP;
  bool few = layout->height >= STRIP && (columns || layout->width % WIDE == 0) &&
             (int64_t)rows * layout->width <= MOST_SUMS;
  if (!txContextTraits(s->context)->host_shades || s->options.sum.apply || !few)
    return TEXLA_OK;
  partialSums *own = txAllocate(txContextError(s->context), call, 1, sizeof *own, "sums");
  s->own = own;
  if (!own)
    return TEXLA_OUT_OF_MEMORY;
  own->columns = columns;
  own->rows = rows;
  return txTextureCreate(&own->ring, s->context, call, TX_RGBA32F, layout->width, SLOTS * rows);
}

void txPartialDestroy(clSolver *s) {
  partialSums *own = s->own;
  if (!own)
    return;
  txTextureDestroy(own->ring);
  free(own);
  s->own = NULL;
}

bool txPartialUsed(const clSolver *s) {
  return s->own && !s->groups;
}

/* Neighbours come from blocks of 2 x 2 fragments, which have to be whole. */
static bool findStencil(const clSolver *s, float five[3]) {
  return txPartialUsed(s) && s->vector[P]->layout.width % 2 == 0 &&
         s->vector[P]->layout.height % 2 == 0 && txBandedFive(s->A, five);
}

bool txPartialStencil(const clSolver *s) {
  float five[3];
  return findStencil(s, five);
}

/* The ring, and how much of it an iteration has. */
static void giveRing(const partialSums *own, txPass *pass) {
  txPassSource(pass, "sums", own->ring, TX_EDGE);
  txPassIntegers(pass, "sums_size", 2, own->ring->width, own->rows);
}

static void giveStencil(txPass *pass, const float five[3], txRect rect) {
  pass->inside = rect;
  txPassUniform(pass, (txUniform){"five", 3, {five[0], five[1], five[2]}});
}

/* The size of a texel of the vectors. */
static void giveTexel(const clSolver *s, txPass *pass) {
  const txTexture *p = s->vector[P]->texture;
  txPassUniform(pass, (txUniform){"texel_size", 2, {1 / (float)p->width, 1 / (float)p->height}});
}

/* The columns of the history follow each other up to the end of its ring. */
clStatus txPartialRecord(clSolver *s) {
  partialSums *own = s->own;
  while (txPartialUsed(s) && own->first < own->end) {
    int column = (int)(own->first % TX_HISTORY);
    int count = (int)txLeast64(own->end - own->first, TX_HISTORY - column);
    txPass pass = {.kernel = "cg_record",
                   .target = {s->history},
                   .rect = {column, 0, count, 1},
                   .work = (int64_t)own->rows * own->ring->width};
    giveRing(own, &pass);
    TRY(txPassRun(s->context, call, &pass));
    own->first += count;
  }
  return TEXLA_OK;
}

/* Iteration k follows the last one, or is that once more, or begins a run. */
static clStatus cgPartialMakeRoom(clSolver *s, int64_t k) {
  partialSums *own = s->own;
  if (own->end - own->first == SLOTS)
    TRY(txPartialRecord(s));
  if (k != own->end && k + 1 != own->end)
    own->first = k;
  own->first = txLeast64(own->first, k);
  own->end = k + 1;
  return TEXLA_OK;
}

clStatus txPartialMeasure(clSolver *s, int64_t k) {
  const partialSums *own = s->own;
  clVector *const *v = s->vector;
  float five[3];
  bool computed = findStencil(s, five);
  char defines[64];
  TRY(cgPartialMakeRoom(s, k));
  snprintf(defines, sizeof defines, "%s%s%s", txWhen(s->inverse, "#define DIAGONAL\n"),
           txWhen(computed, "#define FIVE\n"), txWhen(own->columns, "#define COLUMNS\n"));
  int row = (int)(k % SLOTS) * own->rows;
  txPass pass = {.kernel = "cg_products",
                 .target = {own->ring},
                 .rect = {0, row, own->ring->width, own->rows},
                 .source = {{"p", v[P]->texture, TX_EDGE}, {"r", v[R]->texture, TX_EDGE}},
                 .defines = defines,
                 .work = 4 * STRIP};
  if (s->inverse)
    txPassSource(&pass, "inverted", s->inverse->texture, TX_EDGE);
  giveTexel(s, &pass);
  if (computed)
    giveStencil(&pass, five, pass.rect);
  else
    txPassSource(&pass, "q", v[Q]->texture, TX_EDGE);
  txPassUniform(&pass, (txUniform){"first", 1, {(float)row}});
  txPassIntegers(&pass, "steps", 1, own->ring->width / WIDE, 0);
  return txPassRun(s->context, call, &pass);
}

const char *txPartialGive(const clSolver *s, txPass *pass, int64_t k) {
  const txLayout *layout = &s->vector[P]->layout;
  float five[3];
  giveRing(s->own, pass);
  txPassIntegers(pass, "sums_slot", 1, (int)(k % SLOTS), 0);
  if (!findStencil(s, five))
    return "#define PARTIAL\n";
  giveTexel(s, pass);
  giveStencil(pass, five, (txRect){0, 0, layout->width, layout->height});
  return "#define PARTIAL\n#define FIVE\n";
}
