/* Numbers as text, the same in every locale (printf and strtod follow the application's). */
#ifndef TEXLA_IO_NUMBER_H
#define TEXLA_IO_NUMBER_H

#include "platform/companion.h"

#include <stddef.h>
#include <stdint.h>

/* Room for any formatted number and the 0 behind it. */
enum { TX_NUMBER_SIZE = 40 };

/* Reads a decimal number (exponent letters e, d; also nan, inf, infinity) at the start of `text`,
 * correctly rounded; beyond double it gives +-Inf. Returns the end of the number, or NULL when
 * there is none. */
TX_COMPANION const char *txNumberParse(const char *text, double *value);

/* The same for an integer, which saturates at +-INT64_MAX. */
TX_COMPANION const char *txIntegerParse(const char *text, int64_t *value);

/* Writes value so that it reads back exactly (%.17g; whole numbers without a point). Returns the
 * length. */
TX_COMPANION size_t txNumberFormat(char text[TX_NUMBER_SIZE], double value);
/* The same for an integer. */
size_t txIntegerFormat(char text[TX_NUMBER_SIZE], int64_t value);

#endif
