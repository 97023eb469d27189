/* The plan of an iterative Crout factorization: sections, the groups in which they converge, and
 * what of them is not zero. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "crout/crout.h"
#include "dense/entries.h"

#include <stdlib.h>

enum { ENTRIES_TILE = 8, ROW_BITS = 64 };

/* ---- Sections and groups --------------------------------------------------------------------- */

static void addSection(clCrout *c, int row, int col) {
  int texels = c->r->texture->width;
  c->index[row * c->across + col] = c->count;
  c->sections[c->count++] = (txSection){.row = row,
                                        .col = col,
                                        .x = col * c->side,
                                        .y = row * c->side,
                                        .width = txLeast(c->side, texels - col * c->side),
                                        .height = txLeast(c->side, texels - row * c->side)};
}

static void endGroup(clCrout *c, int first) {
  if (c->count > first)
    c->groups[c->group_count++] = (txSectionGroup){.first = first, .count = c->count - first};
}

/* A section needs those above it and to its left, whose row and column add up to less. */
static void planAntidiagonals(clCrout *c) {
  for (int d = 0; d < 2 * c->across - 1; d++) {
    int first = c->count;
    for (int row = 0; row <= d; row++)
      if (row < c->across && d - row < c->across)
        addSection(c, row, d - row);
    endGroup(c, first);
  }
}

static void planSequence(clCrout *c) {
  for (int k = 0; k < c->across; k++) {
    int first = c->count;
    addSection(c, k, k);
    endGroup(c, first);
    for (int i = k + 1; i < c->across; i++) {
      first = c->count;
      addSection(c, i, k);
      addSection(c, k, i);
      endGroup(c, first);
    }
  }
}

/* The sections as kernels find them: x, y, width and height, a texel each. */
static clStatus createTable(clCrout *c, const char *call) {
  int height = (c->count + TX_SECTION_TABLE - 1) / TX_SECTION_TABLE;
  float *texel = txAllocate(txContextError(c->context), call, (size_t)height * TX_SECTION_TABLE,
                            4 * sizeof *texel, "the table of sections");
  if (!texel)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < c->count; i++) {
    const txSection *s = &c->sections[i];
    const float values[4] = {(float)s->x, (float)s->y, (float)s->width, (float)s->height};
    for (int k = 0; k < 4; k++)
      texel[4 * i + k] = values[k];
  }
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&c->table, c->context, call, TX_RGBA32F, TX_SECTION_TABLE, height));
  TRY_CLEANUP(txTextureWrite(c->table, call, (txRect){0, 0, TX_SECTION_TABLE, height}, texel));
cleanup:
  free(texel);
  return status;
}

/* In whole tiles of either kind of sweep. */
static int wholeTiles(int rows) {
  return (rows + 15) / 16 * 16;
}

/* n / 10 rows, at least 256 and at most 1024. */
static int defaultRows(int n) {
  int rows = n / 10;
  if (rows < 256)
    rows = 256;
  if (rows > 1024)
    rows = 1024;
  return wholeTiles(rows);
}

clStatus txCroutPlan(clCrout *c, const char *call) {
  clError *error = txContextError(c->context);
  int rows = defaultRows(c->n);
  if (c->options.section)
    rows = txLeast(c->options.section, wholeTiles(c->n));
  c->side = (rows + 1) / 2;
  c->across = (c->r->texture->width + c->side - 1) / c->side;
  c->tile = c->options.sweep == TEXLA_CROUT_SWEEP_ENTRIES ? ENTRIES_TILE : TX_CROUT_TILE;
  while (c->side % c->tile)
    c->tile /= 2;
  c->tiles = (c->r->texture->width + c->tile - 1) / c->tile;
  c->words = (c->tiles + ROW_BITS - 1) / ROW_BITS;
  size_t all = (size_t)c->across * (size_t)c->across;
  c->sections = txAllocate(error, call, all, sizeof *c->sections, "sections");
  c->index = txAllocate(error, call, all, sizeof *c->index, "sections");
  c->groups = txAllocate(error, call, all, sizeof *c->groups, "sections");
  c->filled =
      txAllocate(error, call, (size_t)c->tiles * (size_t)c->words, sizeof *c->filled, "tiles");
  if (!c->sections || !c->index || !c->groups || !c->filled)
    return TEXLA_OUT_OF_MEMORY;
  if (c->options.order == TEXLA_CROUT_ORDER_SEQUENTIAL)
    planSequence(c);
  else
    planAntidiagonals(c);
  if (c->options.sweep == TEXLA_CROUT_SWEEP_TILES) {
    c->plan =
        txAllocate(error, call, (size_t)c->tiles * (size_t)c->tiles, sizeof *c->plan, "tiles");
    c->level = txAllocate(error, call, (size_t)txCroutMostLevels(c), sizeof *c->level,
                          "the tiles' levels");
    if (!c->plan || !c->level)
      return TEXLA_OUT_OF_MEMORY;
  }
  TRY(txTextureCreate(&c->fill, c->context, call, TX_R32F, c->tiles, c->tiles));
  return createTable(c, call);
}

void txCroutPlanDestroy(clCrout *c) {
  txVerticesDestroy(c->quads);
  txTextureDestroy(c->table);
  txTextureDestroy(c->fill);
  free(c->filled);
  free(c->plan);
  free(c->level);
  free(c->sections);
  free(c->index);
  free(c->groups);
}

/* ---- Fill-in by tiles ------------------------------------------------------------------------ */

/* Tile (i, j) is not zero where A's is not, or where for some k < min(i, j) both (i, k) and (k, j)
 * are not: row i takes the part of row k behind the diagonal. */
static void eliminateSymbolically(clCrout *c) {
  for (int k = 0; k < c->tiles; k++)
    for (int i = k + 1; i < c->tiles; i++) {
      if (!txCroutIsFilled(c, i, k))
        continue;
      const uint64_t *from = c->filled + k * c->words;
      uint64_t *row = c->filled + i * c->words;
      int word = k / ROW_BITS;
      row[word] |= from[word] & ~(((uint64_t)2 << k % ROW_BITS) - 1);
      for (word++; word < c->words; word++)
        row[word] |= from[word];
    }
}

static void setFilled(clCrout *c, const float *fill) {
  for (int k = 0; k < c->tiles * c->words; k++)
    c->filled[k] = 0;
  for (int i = 0; i < c->tiles; i++)
    for (int j = 0; j < c->tiles; j++)
      if (fill[i * c->tiles + j] != 0)
        c->filled[i * c->words + j / ROW_BITS] |= (uint64_t)1 << j % ROW_BITS;
}

static void getFilled(const clCrout *c, float *fill) {
  for (int i = 0; i < c->tiles; i++)
    for (int j = 0; j < c->tiles; j++)
      fill[i * c->tiles + j] = txCroutIsFilled(c, i, j);
}

/* ---- Quads: stretches of filled tiles in the rows of tiles of each section ------------------- */

static void addRow(txQuads *q, const clCrout *c, const txSection *s, int row) {
  int right = s->x + s->width, top = s->y + s->height, y = row * c->tile,
      end = (right + c->tile - 1) / c->tile;
  for (int col = s->x / c->tile; col < end; col++) {
    int first = col;
    while (col < end && txCroutIsFilled(c, row, col))
      col++;
    if (col > first)
      txQuadsAdd(q, txLeast(s->x, s->y), first * c->tile, y, txLeast(col * c->tile, right),
                 txLeast(y + c->tile, top));
  }
}

static void addSections(txQuads *q, clCrout *c) {
  for (int i = 0; i < c->count; i++) {
    txSection *s = &c->sections[i];
    s->first = q->vertices;
    for (int row = s->y / c->tile; row * c->tile < s->y + s->height; row++)
      addRow(q, c, s, row);
    s->vertices = q->vertices - s->first;
    s->empty = s->vertices == 0;
  }
}

/* Counted first, then stored. */
static clStatus createQuads(clCrout *c, const char *call) {
  txQuads q = {0};
  addSections(&q, c);
  /* A is zero */
  if (q.vertices == 0)
    return TEXLA_OK;
  q.data = txAllocate(txContextError(c->context), call, (size_t)q.vertices, 3 * sizeof *q.data,
                      "the tiles' corners");
  if (!q.data)
    return TEXLA_OUT_OF_MEMORY;
  q.vertices = 0;
  addSections(&q, c);
  clStatus status = txQuadsCreate(c, call, &q);
  free(q.data);
  return status;
}

clStatus txCroutFill(clCrout *c, const char *call, const clDense *A) {
  txRect all = {0, 0, c->tiles, c->tiles};
  float *fill = txAllocate(txContextError(c->context), call, (size_t)c->tiles * (size_t)c->tiles,
                           sizeof *fill, "tiles");
  if (!fill)
    return TEXLA_OUT_OF_MEMORY;
  txPass pass = {.kernel = "crout_tiles",
                 .target = {c->fill},
                 .source = {{"a", A->texture, TX_EDGE}},
                 .uniform = {{"tile", 1, {(float)c->tile}, .integer = true}},
                 .work = c->tile * c->tile};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txPassRun(c->context, call, &pass));
  TRY_CLEANUP(txTextureRead(c->fill, call, all, fill));
  setFilled(c, fill);
  eliminateSymbolically(c);
  getFilled(c, fill);
  TRY_CLEANUP(txTextureWrite(c->fill, call, all, fill));
  if (c->options.sweep == TEXLA_CROUT_SWEEP_ENTRIES)
    TRY_CLEANUP(createQuads(c, call));
  else
    TRY_CLEANUP(txCroutTilesPlan(c, call));
cleanup:
  free(fill);
  return status;
}
