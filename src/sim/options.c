#include "sim/options.h"

#include <math.h>

/* The comparisons are such that a NaN is refused. */
bool txIsPositive(double value) {
  return value > 0 && isfinite(value);
}

bool txIsAtLeastZero(double value) {
  return value >= 0 && isfinite(value);
}

void txUsual(double *value, double usual) {
  if (*value == 0)
    *value = usual;
}

void txUsualInteger(int *value, int usual) {
  if (*value == 0)
    *value = usual;
}

const char *txSideName(int side) {
  static const char *const name[] = {"left", "right", "bottom", "top"};
  return name[side];
}

bool txIsPartOfSide(double from, double to) {
  double end = 1;
  if (to > 0)
    end = to;
  return from >= 0 && to <= 1 && from < end;
}
