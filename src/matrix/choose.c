/* Which storage a matrix gets when nobody asked for one: the one whose product should take the
 * least time, of those that fit the device. */
#include "core/error.h"
#include "matrix/banded.h"

#include <math.h>

bool txLookFits(const txLook *look, double bytes) {
  size_t used = clContextCount(look->context).bytes_used;
  return bytes <= (double)(clContextInspect(look->context)->memory_limit - used);
}

double txPercent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 100;
}

static clStatus lookAt(txLook *out, clContext *context, const char *call, const txRows *rows) {
  const clTriplets *T = rows->A;
  txLook look = {
      .context = context, .rows = rows, .usual = 2 * (T->count / T->rows + 1), .diagonals = -1};
  for (txRun run = txRunAt(rows, 0, T->rows); run.row < T->rows;
       run = txRunNext(rows, &run, T->rows)) {
    look.longest = run.length > look.longest ? run.length : look.longest;
    look.beyond += run.length > look.usual ? run.count * (run.length - look.usual) : 0;
  }
  txOffsets offsets = {0};
  clStatus status = txOffsetsFind(&offsets, txContextError(context), call, rows);
  if (status)
    return status;
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
  clStatus status = lookAt(&look, context, call, rows);
  if (status)
    return status;
  clStorage best = TEXLA_STORAGE_SLOTS;
  double least = INFINITY;
  for (int s = TX_STORAGES - 1; s > TEXLA_STORAGE_AUTO; s--) {
    double cost = txStorages[s]->cost ? txStorages[s]->cost(&look) : INFINITY;
    if (cost < least) {
      least = cost;
      best = (clStorage)s;
    }
  }
  txStorages[best]->reason(&look, why, n);
  *storage = best;
  return TEXLA_OK;
}
