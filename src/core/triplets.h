#ifndef TEXLA_CORE_TRIPLETS_H
#define TEXLA_CORE_TRIPLETS_H

#include "texla/triplets.h"

/* The first entry of a compressed A in row i or beyond: where a loop over rows begins. */
int64_t txTripletsRow(const clTriplets *A, int32_t i);

#endif
