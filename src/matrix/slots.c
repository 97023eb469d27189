/* The storage slots: how many slots each block of rows gets, and filling them. */
#include "matrix/slots.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "matrix/csr.h"
#include "matrix/multivector.h"
#include "matrix/residual.h"
#include "vector/unpack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An entry in the csr matrix costs about as much as four slots; reading every row once more, as
 * two. */
enum { REST_COST = 4, REST_ROW_COST = 2 };

/* Value, column and a gathered x_j, in units of a dense entry (storage.h). */
enum { SLOT_COST = 6 };

/* Texels of a line of a cache, and so many that rows of them fall into the same few lines of a
 * small cache. */
enum { LINE = 4, SHARED = 64 };

/* The work of creation. */
typedef struct builder {
  clMatrix *A;
  const char *call;
  const clTriplets *T;
  txSlots *slots;
  /* Where the entries of each row begin; without runs that is known, else `own`. */
  const int64_t *start;
  int64_t *own;
  /* The size of the two textures, in texels. */
  int width;
  int height;
} builder;

/* A multiple of the group that wastes least: up to 8 slots are one group. */
static void roundSlots(txSlotBlock *block, int wanted) {
  block->group = wanted;
  block->slots = wanted;
  if (wanted <= TX_SLOTS_GROUP)
    return;
  block->slots = 2 * wanted;
  for (int group = TX_SLOTS_GROUP; group > TX_SLOTS_GROUP / 2; group--) {
    int slots = (wanted + group - 1) / group * group;
    if (slots < block->slots) {
      block->slots = slots;
      block->group = group;
    }
  }
}

/* The elements of `count` texture rows from `first` on. */
static void elementsOf(const txLayout *layout, int first, int count, int64_t *from, int64_t *to) {
  int64_t end = (int64_t)(first + count) * layout->row;
  *from = first * layout->row;
  *to = end < layout->length ? end : layout->length;
}

/* The number of slots that costs least for rows [from, to), entries beyond it going to the rest;
 * *over counts those. */
static int cheapestSlots(const builder *b, int64_t from, int64_t to, int64_t *over, int *longest) {
  /* longer[k] becomes the number of rows that have k entries. */
  int64_t longer[TX_SLOTS_MOST + 1] = {0};
  int64_t beyond = 0;
  *longest = 0;
  for (int64_t i = from; i < to; i++) {
    int64_t n = b->start[i + 1] - b->start[i];
    int m = (int)txLeast64(n, TX_SLOTS_MOST);
    beyond += n - m;
    longer[m]++;
    *longest = txMost(*longest, m);
  }
  int64_t rows = 0, best = INT64_MAX;
  int cheapest = *longest;
  for (int k = *longest; k >= 0; k--) {
    int64_t cost = k * (to - from) + REST_COST * beyond;
    if (cost < best) {
      best = cost;
      cheapest = k;
      *over = beyond;
    }
    rows += longer[k];
    beyond += rows;
  }
  return cheapest;
}

/* Slots per unit of texture rows. A rest pays only when it saves more than a further pass over the
 * rows costs. */
static void chooseSlots(const builder *b, int units, int unit, int *wanted) {
  const txLayout *layout = &b->A->row_layout;
  int64_t saved = 0;
  int longest[TX_SLOTS_BLOCKS];
  bool needed = false;
  for (int u = 0; u < units; u++) {
    int64_t from, to, over = 0;
    int first = u * unit, count = txLeast(layout->height - first, unit);
    elementsOf(layout, first, count, &from, &to);
    wanted[u] = cheapestSlots(b, from, to, &over, &longest[u]);
    saved += (longest[u] - wanted[u]) * (to - from) - REST_COST * over;
    for (int64_t i = from; i < to && !needed; i++)
      needed = b->start[i + 1] - b->start[i] > TX_SLOTS_MOST;
  }
  if (!needed && saved < REST_ROW_COST * layout->length)
    memcpy(wanted, longest, (size_t)units * sizeof *wanted);
}

/* Appends blocks of `slots` slots for texture rows [first, first + count), as low as the textures'
 * height demands. */
static clStatus appendBlocks(builder *b, int first, int count, int slots) {
  const txLayout *layout = &b->A->row_layout;
  int limit = clContextInspect(b->A->context)->max_texture_size;
  txSlotBlock block = {.first = first};
  roundSlots(&block, slots);
  int most = count;
  if (block.slots)
    most = limit / block.slots;
  for (; block.first < first + count; block.first += block.height) {
    block.height = txLeast(first + count - block.first, most);
    if (b->height + block.height * block.slots > limit) {
      b->width += layout->width;
      b->height = 0;
    }
    block.left = b->width - layout->width;
    block.bottom = b->height;
    b->height += block.height * block.slots;
    txSlotBlock *grown = txReallocate(txContextError(b->A->context), b->call, b->slots->block,
                                      (size_t)b->slots->blocks + 1, sizeof *grown, "slots");
    if (!grown)
      return TEXLA_OUT_OF_MEMORY;
    b->slots->block = grown;
    grown[b->slots->blocks++] = block;
  }
  return TEXLA_OK;
}

/* Neighbouring units with as many slots become one block. */
static clStatus createBlocks(builder *b) {
  int height = b->A->row_layout.height, limit = clContextInspect(b->A->context)->max_texture_size;
  int unit = (height + TX_SLOTS_BLOCKS - 1) / TX_SLOTS_BLOCKS, units = (height + unit - 1) / unit;
  int wanted[TX_SLOTS_BLOCKS];
  chooseSlots(b, units, unit, wanted);
  b->width = b->A->row_layout.width;
  for (int u = 0, next; u < units; u = next) {
    for (next = u + 1; next < units && wanted[next] == wanted[u];)
      next++;
    int end = txLeast(next * unit, height);
    TRY(appendBlocks(b, u * unit, end - u * unit, wanted[u]));
  }
  if (b->width > b->A->row_layout.width)
    b->height = limit;
  if (b->width % SHARED == 0 && b->width < limit)
    b->width += LINE;
  if (b->width > limit)
    return txFail(txContextError(b->A->context), TEXLA_TOO_LARGE, b->call,
                  "the slots of the %d x %d matrix need a texture of %d x %d texels, but the "
                  "device's limit is %d x "
                  "%d; the storage csr takes less",
                  b->A->rows, b->A->cols, b->width, b->height, limit, limit);
  return TEXLA_OK;
}

/* The rows of a block, and where they are written; position NULL: is known. */
typedef struct filling {
  const builder *b;
  const txSlotBlock *block;
  int64_t from;
  float *value;
  int32_t *position;
} filling;

/* A position as the device has it: a float, where it is exact, takes the place of the integer. */
static int32_t encode(const txSlots *s, int32_t position) {
  float exact = (float)position;
  if (!s->wide)
    memcpy(&position, &exact, sizeof exact);
  return position;
}

/* Writes row i's values into its slots, which begin at number `at` and lie `step` apart; free slots
 * hold 0. */
static void fillValues(const filling *f, int64_t i, int64_t at, int64_t step) {
  const builder *b = f->b;
  int64_t k = b->start[i], end = b->start[i + 1];
  for (int s = 0; s < f->block->slots; s++, k++, at += step)
    f->value[at] = k < end ? (float)b->T->value[k] : 0;
}

/* Free slots have a position that is read anyway. */
static void fillPositions(const filling *f, int64_t i, int64_t at, int64_t step) {
  const builder *b = f->b;
  int64_t k = b->start[i], end = b->start[i + 1];
  int32_t near = encode(b->slots, 0);
  for (int s = 0; s < f->block->slots; s++, k++, at += step) {
    if (k < end)
      near = encode(b->slots, txGatherPosition(&b->slots->gather, &b->A->col_layout, b->T->col[k]));
    f->position[at] = near;
  }
}

/* Row by row of the vector's texture. */
static void slotsFillRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const filling *f = user;
  const txSlotBlock *block = f->block;
  const int64_t row = f->b->A->row_layout.row, step = 4 * (int64_t)f->b->width;
  (void)sum;
  for (int64_t i = f->from + first, end = f->from + last; i < end;) {
    int64_t y = i / row, begin = y * row, next = txLeast64(end, begin + row);
    int64_t at = (block->bottom + (y - block->first) * block->slots) * step + 4 * block->left;
    for (; i < next; i++) {
      fillValues(f, i, at + i - begin, step);
      if (f->position)
        fillPositions(f, i, at + i - begin, step);
    }
  }
}

/* What the two textures mean. */
static clStatus describePlaces(const builder *b) {
  txSlots *s = b->slots;
  s->place = txAllocate(txContextError(b->A->context), b->call, (size_t)s->blocks + 1,
                        sizeof *s->place, "slots");
  if (!s->place)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < s->blocks; k++) {
    const txSlotBlock *from = &s->block[k];
    memcpy(s->place[k], (int[]){from->left, from->bottom, from->first, from->height, from->slots},
           sizeof *s->place);
  }
  txMeaning meaning = {
      "slots",
      {b->A->row_layout.length, b->A->row_layout.row, s->gather.shift, b->A->col_layout.row},
      s->place[0],
      s->blocks};
  s->value->meaning = meaning;
  meaning.kind = "slot positions";
  s->position->meaning = meaning;
  return TEXLA_OK;
}

/* position NULL: the textures are there, and only values are written. */
static clStatus slotsUpload(const builder *b, const float *value, const int32_t *position) {
  txSlots *s = b->slots;
  txRect all = {0, 0, b->width, b->height};
  if (position)
    TRY(txTextureCreate(&s->value, b->A->context, b->call, TX_RGBA32F, b->width, b->height));
  TRY(txTextureWrite(s->value, b->call, all, value));
  if (!position)
    return TEXLA_OK;
  txFormat format = s->wide ? TX_RGBA32I : TX_RGBA32F;
  TRY(txTextureCreate(&s->position, b->A->context, b->call, format, b->width, b->height));
  TRY(describePlaces(b));
  return txTextureWrite(s->position, b->call, all, position);
}

/* Rows are written by several threads: each has its own slots. */
static clStatus fillSlots(builder *b, bool positions) {
  /* A matrix without entries has a texture all the same. */
  if (!b->height)
    b->height = 1;
  size_t n = (size_t)b->width * (size_t)b->height * 4;
  clError *error = txContextError(b->A->context);
  clStatus status = TEXLA_OK;
  int32_t *position = NULL;
  float *value = txAllocate(error, b->call, n, sizeof *value, "slots");
  if (positions)
    position = txAllocate(error, b->call, n, sizeof *position, "slots");
  if (!value || (positions && !position))
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int k = 0; k < b->slots->blocks; k++) {
    const txSlotBlock *block = &b->slots->block[k];
    int64_t from, to;
    elementsOf(&b->A->row_layout, block->first, block->height, &from, &to);
    txParallel(to - from, slotsFillRows, &(filling){b, block, from, value, position}, NULL);
  }
  TRY_CLEANUP(slotsUpload(b, value, position));
cleanup:
  free(value);
  free(position);
  return status;
}

/* The entries that found no slot. */
static clStatus collectRest(const builder *b, clTriplets **out) {
  const clTriplets *T = b->T;
  clError *error = txContextError(b->A->context);
  clTriplets *rest = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&rest, T->rows, T->cols, 0, error));
  for (int k = 0; k < b->slots->blocks; k++) {
    const txSlotBlock *block = &b->slots->block[k];
    int64_t from, to;
    elementsOf(&b->A->row_layout, block->first, block->height, &from, &to);
    for (int64_t i = from; i < to; i++)
      for (int64_t e = b->start[i] + block->slots; e < b->start[i + 1]; e++)
        TRY_CLEANUP(clTripletsAdd(rest, T->row[e], T->col[e], T->value[e], error));
  }
  *out = rest;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(rest);
  return status;
}

/* The rest's pattern is that of A, so that it takes new values as A does. */
static clStatus updateRest(const builder *b, const clTriplets *rest) {
  txRows rows;
  TRY(txRowsFind(&rows, rest, b->call, txContextError(b->A->context)));
  clStatus status = txCsrStorage.update(b->slots->rest, b->call, &rows);
  txRowsForget(&rows);
  return status;
}

/* Creates the rest's matrix or, where it is there, writes its values. */
static clStatus fillRest(const builder *b) {
  clTriplets *rest = NULL;
  TRY(collectRest(b, &rest));
  clStatus status = TEXLA_OK;
  if (b->slots->rest)
    TRY_CLEANUP(updateRest(b, rest));
  else if (rest->count)
    TRY_CLEANUP(
        txMatrixCreateBeside(&b->slots->rest, b->A, rest, TEXLA_STORAGE_CSR, &txCsrStorage));
cleanup:
  clTripletsDestroy(rest);
  return status;
}

/* The numbers of slots differ between blocks where rows differ in length. */
static void slotsDescribe(clMatrix *A) {
  const txSlots *s = A->data;
  int fewest = s->block[0].slots, most = fewest;
  for (int k = 1; k < s->blocks; k++) {
    fewest = txLeast(fewest, s->block[k].slots);
    most = txMost(most, s->block[k].slots);
  }
  txMatrixDescribe(A, ", %d x %d, %lld entries, %d", A->rows, A->cols, (long long)A->count, fewest);
  if (most > fewest)
    txMatrixDescribe(A, " to %d", most);
  txMatrixDescribe(A, " slots a row");
  if (s->rest)
    txMatrixDescribe(A, ", %lld entries of long rows in csr", (long long)clMatrixEntries(s->rest));
}

static clStatus slotsFindStarts(builder *b, const txRows *rows) {
  b->start = rows->entry;
  if (!rows->runs)
    return TEXLA_OK;
  b->start = b->own = txRowStarts(b->A, b->call, rows);
  return b->start ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

/* Blocks first: they decide how large the textures are. */
static clStatus slotsCreate(clMatrix *A, const char *call, const txRows *rows,
                            const clMatrixOptions *options) {
  (void)options;
  txSlots *slots = A->data =
      txAllocate(txContextError(A->context), call, 1, sizeof *slots, "slots");
  if (!slots)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txGatherCreate(&slots->gather, A, call, rows));
  slots->wide = slots->gather.positions > 1 << 24;
  builder b = {.A = A, .call = call, .T = rows->A, .slots = slots};
  TRY(slotsFindStarts(&b, rows));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createBlocks(&b));
  TRY_CLEANUP(fillSlots(&b, true));
  TRY_CLEANUP(fillRest(&b));
  slotsDescribe(A);
cleanup:
  free(b.own);
  return status;
}

/* The blocks' entries for multivectors are made from the values when they are needed next. */
static clStatus slotsUpdate(clMatrix *A, const char *call, const txRows *rows) {
  txSlots *slots = A->data;
  for (int k = 0; k < slots->blocks; k++) {
    txTextureDestroy(slots->block[k].entries);
    slots->block[k].entries = NULL;
  }
  builder b = {.A = A,
               .call = call,
               .T = rows->A,
               .slots = slots,
               .width = slots->value->width,
               .height = slots->value->height};
  TRY(slotsFindStarts(&b, rows));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txGatherUpdate(&slots->gather, A, call, rows));
  TRY_CLEANUP(fillSlots(&b, false));
  if (slots->rest)
    TRY_CLEANUP(fillRest(&b));
cleanup:
  free(b.own);
  return status;
}

/* Whatever has been made so far. */
static void slotsDestroy(clMatrix *A) {
  txSlots *slots = A->data;
  if (!slots)
    return;
  txGatherDestroy(&slots->gather);
  txTextureDestroy(slots->value);
  txTextureDestroy(slots->position);
  clMatrixDestroy(slots->rest);
  for (int k = 0; slots->block && k < slots->blocks; k++)
    txTextureDestroy(slots->block[k].entries);
  free(slots->place);
  free(slots->block);
  free(slots);
}

/* All rows with as many slots as the longest has entries, or the usual ones and a rest in csr. */
static double cost(const txLook *look) {
  double rows = look->rows->A->rows,
         all = 2. * TX_COST_PASS + SLOT_COST * (double)look->longest * rows;
  double most = 4. * TX_COST_PASS + SLOT_COST * (double)look->usual * rows +
                TX_COST_CSR * (double)look->beyond;
  return fmin(all, most);
}

static void slotsReason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  snprintf(why, n, "rows of up to %lld entries, %.1f on average", (long long)look->longest,
           (double)T->count / T->rows);
}

const txStorage txSlotsStorage = {
    .create = slotsCreate,
    .destroy = slotsDestroy,
    .update = slotsUpdate,
    .multiply = txSlotsMultiply,
    .multiplySeveral = txSlotsMultiplySeveral,
    .residual = txSlotsResidual,
    .diagonal = txGatherDiagonal,
    .cost = cost,
    .reason = slotsReason,
};
