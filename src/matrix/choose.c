/* Which storage a matrix gets when nobody asked for one: the one whose product should take the
 * least time, of those that fit the device. */
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"
#include "matrix/banded.h"

#include <math.h>

const txStorage *const txStorages[TX_STORAGES] = {
    [TEXLA_STORAGE_DENSE] = &txDenseStorage,   [TEXLA_STORAGE_BANDED] = &txBandedStorage,
    [TEXLA_STORAGE_POINTS] = &txPointsStorage, [TEXLA_STORAGE_CSR] = &txCsrStorage,
    [TEXLA_STORAGE_SLOTS] = &txSlotsStorage,
};

/* Row lengths and diagonals, which decide what a product costs in each storage. */
static clStatus lookAt(txLook *out, clContext *context, const char *call, const txRows *rows) {
  const clTriplets *T = rows->A;
  txLook look = {
      .context = context, .rows = rows, .usual = 2 * (T->count / T->rows + 1), .diagonals = -1};
  for (txRun run = txRunAt(rows, 0, T->rows); run.row < T->rows;
       run = txRunNext(rows, &run, T->rows)) {
    look.longest = txMost64(look.longest, run.length);
    look.beyond += run.count * txMost64(0, run.length - look.usual);
  }
  txOffsets offsets = {0};
  TRY(txOffsetsFind(&offsets, txContextError(context), call, rows));
  look.diagonals = offsets.shared;
  look.diagonal_entries = offsets.nonzeros;
  txOffsetsFree(&offsets);
  *out = look;
  return TEXLA_OK;
}

/* Of two that take as long, the later one in the list: it gathers, and wastes nothing where the
 * estimate is wrong. */
clStatus txStorageChoose(clStorage *storage, clContext *context, const char *call,
                         const txRows *rows, char *why, size_t n) {
  txLook look;
  TRY(lookAt(&look, context, call, rows));
  clStorage best = TEXLA_STORAGE_SLOTS;
  double least = INFINITY;
  for (int s = TX_STORAGES - 1; s > TEXLA_STORAGE_AUTO; s--) {
    if (!txStorages[s]->cost)
      continue;
    double cost = txStorages[s]->cost(&look);
    if (cost < least) {
      least = cost;
      best = (clStorage)s;
    }
  }
  txStorages[best]->reason(&look, why, n);
  *storage = best;
  return TEXLA_OK;
}
