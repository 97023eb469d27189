#ifndef TEXLA_CORE_TRIPLETS_H
#define TEXLA_CORE_TRIPLETS_H

#include "texla/triplets.h"

/* Makes room for `capacity` entries, no less than there are; what is new is undefined. After a
 * failure A is as it was (perhaps with spare memory behind an array). */
clStatus txTripletsReserve(clTriplets *A, int64_t capacity, const char *call, clError *error);

/* The first entry of a compressed A in row i or beyond: where a loop over rows begins. */
int64_t txTripletsRow(const clTriplets *A, int32_t i);

#endif
