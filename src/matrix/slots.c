/* The storage slots: how many slots each block of rows gets, and filling them. */
#include "matrix/slots.h"
#include "core/allocate.h"
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
  /* of each row's entries */
  int64_t *start;
  /* of the textures */
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
  /* rows of more than k entries */
  int64_t longer[TX_SLOTS_MOST + 1] = {0};
  int64_t beyond = 0;
  *longest = 0;
  for (int64_t i = from; i < to; i++) {
    int64_t n = b->start[i + 1] - b->start[i];
    int m = n < TX_SLOTS_MOST ? (int)n : TX_SLOTS_MOST;
    beyond += n - m;
    longer[m]++;
    *longest = m > *longest ? m : *longest;
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
    int first = u * unit, count = layout->height - first < unit ? layout->height - first : unit;
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
  int most = block.slots ? limit / block.slots : count;
  for (; block.first < first + count; block.first += block.height) {
    int left = first + count - block.first;
    block.height = left < most ? left : most;
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
  clStatus status = TEXLA_OK;
  b->width = b->A->row_layout.width;
  for (int u = 0, next; u < units && !status; u = next) {
    for (next = u + 1; next < units && wanted[next] == wanted[u];)
      next++;
    int end = next * unit < height ? next * unit : height;
    status = appendBlocks(b, u * unit, end - u * unit, wanted[u]);
  }
  if (b->width > b->A->row_layout.width)
    b->height = limit;
  if (b->width % SHARED == 0 && b->width < limit)
    b->width += LINE;
  if (!status && b->width > limit)
    status = txFail(txContextError(b->A->context), TEXLA_TOO_LARGE, b->call,
                    "the slots of the %d x %d matrix need a texture of %d x %d texels, but the "
                    "device's limit is %d x "
                    "%d; the storage csr takes less",
                    b->A->rows, b->A->cols, b->width, b->height, limit, limit);
  return status;
}

/* Writes row i's entries into the slots of its block; free slots hold 0 and a position that is read
 * anyway. position NULL: is known. */
static void fillRow(const builder *b, const txSlotBlock *block, int64_t i, float *value,
                    int32_t *position) {
  const txLayout *rows = &b->A->row_layout, *cols = &b->A->col_layout;
  int64_t u = block->left + i % rows->row / 4, k = b->start[i];
  int64_t v = block->bottom + (i / rows->row - block->first) * block->slots;
  int32_t near = 0;
  for (int s = 0; s < block->slots; s++, k++) {
    size_t at = (size_t)(((v + s) * b->width + u) * 4 + i % rows->row % 4);
    bool used = k < b->start[i + 1];
    if (used)
      near = txGatherPosition(&b->slots->gather, cols, b->T->col[k]);
    value[at] = used ? (float)b->T->value[k] : 0;
    if (position)
      position[at] = near;
  }
}

/* What the two textures mean. */
static clStatus describePlaces(const builder *b) {
  txSlots *s = b->slots;
  txTexture *const both[] = {s->value, s->position};
  s->place = txAllocate(txContextError(b->A->context), b->call, (size_t)s->blocks + 1,
                        sizeof *s->place, "slots");
  for (int k = 0; s->place && k < s->blocks; k++) {
    const txSlotBlock *from = &s->block[k];
    memcpy(s->place[k], (int[]){from->left, from->bottom, from->first, from->height, from->slots},
           sizeof *s->place);
  }
  for (int i = 0; s->place && i < 2; i++)
    both[i]->meaning = (txMeaning){
        i ? "slot positions" : "slots",
        {b->A->row_layout.length, b->A->row_layout.row, s->gather.shift, b->A->col_layout.row},
        s->place[0],
        s->blocks};
  return s->place ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
}

/* position NULL: the textures are there, and only values are written. */
static clStatus upload(const builder *b, const float *value, int32_t *position) {
  txSlots *s = b->slots;
  txRect all = {0, 0, b->width, b->height};
  size_t n = (size_t)b->width * (size_t)b->height * 4;
  clStatus status =
      position ? txTextureCreate(&s->value, b->A->context, b->call, TX_RGBA32F, b->width, b->height)
               : TEXLA_OK;
  if (!status)
    status = txTextureWrite(s->value, b->call, all, value);
  if (!position)
    return status;
  s->wide = s->gather.positions > 1 << 24;
  if (!status)
    status = txTextureCreate(&s->position, b->A->context, b->call,
                             s->wide ? TX_RGBA32I : TX_RGBA32F, b->width, b->height);
  /* in place: both have four bytes */
  for (size_t k = 0; k < n && !s->wide; k++) {
    float exact = (float)position[k];
    memcpy(&position[k], &exact, sizeof exact);
  }
  if (!status)
    status = describePlaces(b);
  return status ? status : txTextureWrite(s->position, b->call, all, position);
}

/* The rows of a block, and where they are written. */
typedef struct filling {
  const builder *b;
  const txSlotBlock *block;
  int64_t from;
  float *value;
  int32_t *position;
} filling;

static void fillRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const filling *f = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    fillRow(f->b, f->block, f->from + i, f->value, f->position);
}

static clStatus fillSlots(builder *b, bool positions) {
  /* no entries at all */
  if (!b->height)
    b->height = 1;
  size_t n = (size_t)b->width * (size_t)b->height * 4;
  float *value = txAllocate(txContextError(b->A->context), b->call, n, sizeof *value, "slots");
  int32_t *position =
      positions ? txAllocate(txContextError(b->A->context), b->call, n, sizeof *position, "slots")
                : NULL;
  clStatus status = value && (position || !positions) ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < b->slots->blocks && !status; k++) {
    const txSlotBlock *block = &b->slots->block[k];
    int64_t from, to;
    elementsOf(&b->A->row_layout, block->first, block->height, &from, &to);
    txParallel(to - from, fillRows, &(filling){b, block, from, value, position}, NULL);
  }
  if (!status)
    status = upload(b, value, position);
  free(value);
  free(position);
  return status;
}

/* The entries that found no slot. */
static clStatus collectRest(const builder *b, clTriplets **out) {
  const clTriplets *T = b->T;
  clError *error = txContextError(b->A->context);
  clTriplets *rest = NULL;
  clStatus status = clTripletsCreate(&rest, T->rows, T->cols, 0, error);
  for (int k = 0; k < b->slots->blocks && !status; k++) {
    const txSlotBlock *block = &b->slots->block[k];
    int64_t from, to;
    elementsOf(&b->A->row_layout, block->first, block->height, &from, &to);
    for (int64_t i = from; i < to; i++)
      for (int64_t e = b->start[i] + block->slots; e < b->start[i + 1] && !status; e++)
        status = clTripletsAdd(rest, T->row[e], T->col[e], T->value[e], error);
  }
  *out = rest;
  return status;
}

static clStatus updateRest(const builder *b, const clTriplets *rest) {
  txRows rows;
  clStatus status = txRowsFind(&rows, rest, b->call, txContextError(b->A->context));
  if (status)
    return status;
  status = txCsrStorage.update(b->slots->rest, b->call, &rows);
  txRowsForget(&rows);
  return status;
}

/* Creates the rest's matrix or, where it is there, writes its values. */
static clStatus fillRest(const builder *b) {
  clTriplets *rest = NULL;
  clStatus status = collectRest(b, &rest);
  if (!status && b->slots->rest)
    status = updateRest(b, rest);
  else if (!status && rest->count) {
    clMatrixOptions options = txMatrixLike(b->A, TEXLA_STORAGE_CSR);
    status = clMatrixCreate(&b->slots->rest, b->A->context, rest, &options);
    if (!status)
      txMatrixForget(b->slots->rest);
  }
  clTripletsDestroy(rest);
  return status;
}

static void describe(clMatrix *A) {
  const txSlots *s = A->data;
  int fewest = s->block[0].slots, most = fewest;
  for (int k = 1; k < s->blocks; k++) {
    fewest = s->block[k].slots < fewest ? s->block[k].slots : fewest;
    most = s->block[k].slots > most ? s->block[k].slots : most;
  }
  txMatrixDescribe(A, ", %d x %d, %lld entries, %d", A->rows, A->cols, (long long)A->count, fewest);
  if (most > fewest)
    txMatrixDescribe(A, " to %d", most);
  txMatrixDescribe(A, " slots a row");
  if (s->rest)
    txMatrixDescribe(A, ", %lld entries of long rows in csr", (long long)clMatrixCount(s->rest));
}

static clStatus create(clMatrix *A, const char *call, const txRows *rows,
                       const clMatrixOptions *options) {
  (void)options;
  txSlots *slots = A->data =
      txAllocate(txContextError(A->context), call, 1, sizeof *slots, "slots");
  builder b = {.A = A, .call = call, .T = rows->A, .slots = slots};
  if (!slots)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = txGatherCreate(&slots->gather, A, call, rows);
  if (status)
    return status;
  b.start = txRowStarts(A, call, rows);
  if (!b.start)
    return TEXLA_OUT_OF_MEMORY;
  status = createBlocks(&b);
  if (!status)
    status = fillSlots(&b, true);
  if (!status)
    status = fillRest(&b);
  if (!status)
    describe(A);
  free(b.start);
  return status;
}

/* The blocks' entries for multivectors are made from the values when they are needed next. */
static clStatus update(clMatrix *A, const char *call, const txRows *rows) {
  txSlots *slots = A->data;
  builder b = {A,
               call,
               rows->A,
               slots,
               txRowStarts(A, call, rows),
               slots->value->width,
               slots->value->height};
  clStatus status = b.start ? txGatherUpdate(&slots->gather, A, call, rows) : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = fillSlots(&b, false);
  if (!status && slots->rest)
    status = fillRest(&b);
  for (int k = 0; k < slots->blocks; k++) {
    txTextureDestroy(slots->block[k].entries);
    slots->block[k].entries = NULL;
  }
  free(b.start);
  return status;
}

static void destroy(clMatrix *A) {
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

/* The product of the storage slots: a pass per block of rows, then the long rows' rest
 * (shaders/matrix/slots.frag). */

void txSlotsPlace(txPass *pass, const txSlotBlock *block, int width, int height, int left,
                  int bottom, int w, int h) {
  float slots = (float)block->slots,
        middle = 0.5f + (float)bottom - slots * (0.5f + (float)block->first);
  txPassUniform(pass, (txUniform){"place",
                                  4,
                                  {(float)width / (float)w, slots * (float)height / (float)h,
                                   (float)left / (float)w, middle / (float)h}});
  txPassUniform(pass, (txUniform){"slot", 1, {1 / (float)h}});
}

static clStatus multiplyBlock(const char *call, txTexture *target, float ca, const txSlots *s,
                              const txSlotBlock *block, const txTexture *x, float cb,
                              const clVector *b) {
  float pitch = ldexpf(1, s->gather.shift);
  char defines[96];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s%s", block->group,
           block->slots > block->group ? "#define GROUPS\n" : "", s->wide ? "#define WIDE\n" : "");
  txPass pass = {.kernel = "slots",
                 .target = {target},
                 .source = {{"value", s->value, TX_EDGE},
                            {"position", s->position, TX_EDGE},
                            {"x", x, TX_EDGE}},
                 .rect = {0, block->first, target->width, block->height},
                 .work = 6 * (int64_t)block->slots + 1};
  txSlotsPlace(&pass, block, target->width, target->height, block->left, block->bottom,
               s->value->width, s->value->height);
  if (block->slots > block->group)
    txPassUniform(&pass,
                  (txUniform){"groups", 1, {(float)(block->slots / block->group)}, NULL, true});
  if (s->wide)
    txPassUniform(&pass, (txUniform){"x_shift", 1, {(float)s->gather.shift}, NULL, true});
  else
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  txCombine(&pass, defines, sizeof defines, ca, cb, b);
  return txPassRun(target->context, call, &pass);
}

static clStatus multiplyBlocks(const char *call, clVector *y, float ca, const txSlots *s,
                               const clVector *x, float cb, const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = txUnpack(&unpacked, call, x);
  for (int k = 0; k < s->blocks && !status; k++)
    status = multiplyBlock(call, y->texture, ca, s, &s->block[k], unpacked, cb, b);
  txTextureDestroy(unpacked);
  return status;
}

/* Into a fresh texture, so that b may be y and a failed call leaves y as it was. */
static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  clStatus status = transposed ? txTransposed(call, A, &A) : TEXLA_OK;
  const txSlots *s = A->data;
  if (!status)
    status = txLayoutTexture(&fresh.texture, y->context, call, &y->layout);
  if (!status)
    status = multiplyBlocks(call, &fresh, ca, s, x, cb, b);
  if (!status && s->rest)
    status = txCsrStorage.multiply(call, &fresh, ca, s->rest, false, x, 1, &fresh);
  txTexture *unused = fresh.texture;
  if (!status) {
    unused = y->texture;
    y->texture = fresh.texture;
  }
  txTextureDestroy(unused);
  return status;
}

/* The same with several vectors: a multivector already is one row to a texel, where the elements of
 * four vectors are found with one fetch. */

/* The block's entries with one row to a texel, kept: four rows to a texel would be fetched four
 * times. A belongs to its one thread, so that this is safe although it is const. */
static clStatus unpackEntries(const char *call, const txSlots *s, txSlotBlock *block, int width) {
  txTexture *entries = NULL;
  if (block->entries)
    return TEXLA_OK;
  clStatus status = txTextureCreate(&entries, s->value->context, call, TX_RG32F, width,
                                    block->slots ? block->slots * block->height : 1);
  txPass pass = {
      .kernel = "multivector_entries",
      .target = {entries},
      .source = {{"value", s->value, TX_EDGE}, {"position", s->position, TX_EDGE}},
      .uniform = {{"corner", 2, {(float)block->left, (float)block->bottom}, NULL, true}}};
  if (!status)
    status =
        block->slots ? txPassRun(s->value->context, call, &pass) : txTextureClear(entries, call);
  if (status)
    txTextureDestroy(entries);
  else
    block->entries = entries;
  return status;
}

static clStatus multiplyBlockSeveral(const char *call, const txSlots *s, txSlotBlock *block,
                                     const txMultiProduct *product) {
  const txTexture *x = product->x[0]->texture, *y = product->y[0]->texture;
  clStatus status = s->wide ? TEXLA_OK : unpackEntries(call, s, block, y->width);
  if (status)
    return status;
  float pitch = ldexpf(1, s->gather.shift);
  char defines[128];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s", block->group,
           s->wide ? "#define WIDE\n" : "");
  txPass pass = {.kernel = "multivector_slots",
                 .rect = {0, block->first, y->width, block->height},
                 .work = (2 + product->groups) * (int64_t)block->slots + 1};
  txPassIntegers(&pass, "slots", 1, block->slots, 0);
  /* four rows to a texel */
  if (s->wide)
    txSlotsPlace(&pass, block, y->width, y->height, 4 * block->left, block->bottom,
                 4 * s->value->width, s->value->height);
  else
    txSlotsPlace(&pass, block, y->width, y->height, 0, 0, y->width, block->entries->height);
  if (s->wide) {
    pass.source[0] = (txSource){"value", s->value, TX_EDGE};
    pass.source[1] = (txSource){"position", s->position, TX_EDGE};
    txPassIntegers(&pass, "x_shift", 1, s->gather.shift, 0);
  } else {
    pass.source[0] = (txSource){"entries", block->entries, TX_EDGE};
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  }
  return txMultivectorDraw(call, &pass, defines, sizeof defines, product);
}

static clStatus multiplySeveral(const char *call, const txMultiProduct *product) {
  const txSlots *s = product->A->data;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < s->blocks && !status; k++)
    status = multiplyBlockSeveral(call, s, &s->block[k], product);
  txMultiProduct rest = txMultivectorAdding(product);
  return status || !s->rest ? status : txCsrMultiplySeveral(call, s->rest->data, &rest);
}

/* All rows with as many slots as the longest has entries, or the usual ones and a rest in csr. */
static double cost(const txLook *look) {
  double rows = look->rows->A->rows,
         all = 2. * TX_COST_PASS + SLOT_COST * (double)look->longest * rows;
  double most = 4. * TX_COST_PASS + SLOT_COST * (double)look->usual * rows +
                TX_COST_CSR * (double)look->beyond;
  return fmin(all, most);
}

static void reason(const txLook *look, char *why, size_t n) {
  const clTriplets *T = look->rows->A;
  snprintf(why, n, "rows of up to %lld entries, %.1f on average", (long long)look->longest,
           (double)T->count / T->rows);
}

const txStorage txSlotsStorage = {create,          destroy,         update,           multiply,
                                  multiplySeveral, txSlotsResidual, txGatherDiagonal, cost,
                                  reason};
