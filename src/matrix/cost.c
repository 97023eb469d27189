/* What the storages' costs are made of. */
#include "matrix/storage.h"

bool txLookFits(const txLook *look, double bytes) {
  size_t used = clContextStatistics(look->context).bytes_used;
  return bytes <= (double)(clContextInspect(look->context)->memory_limit - used);
}

double txPercent(double part, double whole) {
  if (whole <= 0)
    return 100;
  return 100 * part / whole;
}
