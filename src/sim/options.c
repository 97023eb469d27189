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

/* In the order of clGridSide: the low side of an axis is even, the high one that plus 1, so that
 * side / 2 is the axis and side ^ 1 the side opposite. */
const char *txSideName(int side) {
  static const char *const name[] = {"left", "right", "bottom", "top"};
  return name[side];
}

/* A part has a length: it begins before it ends. */
bool txIsPartOfSide(double from, double to) {
  double end = 1;
  if (to > 0)
    end = to;
  return from >= 0 && to <= 1 && from < end;
}
