/* Double-float arithmetic is promised only where the device's numbers allow it
 * (trait.double_float). */
#ifndef TEXLA_TESTS_DOUBLE_FLOAT_H
#define TEXLA_TESTS_DOUBLE_FLOAT_H

#include "common.h"
#include "gl/traits.h"

/* Ends the test, as skipped, on a device without it. */
static inline void needsDoubleFloat(const clContext *context) {
  if (txContextTraits(context)->double_float)
    return;
  testSkip("double-float does not come out right on this device (trait.double_float 0)");
}

#endif
