/* What the options of all simulations have in common: numbers that must make sense, defaults, and
 * the names of a grid's sides. */
#ifndef TEXLA_SIM_OPTIONS_H
#define TEXLA_SIM_OPTIONS_H

#include <stdbool.h>

/* A length, a time step, a speed: a finite number above zero. */
bool txIsPositive(double value);
/* A viscosity, a rate: a finite number that is zero or above it. */
bool txIsAtLeastZero(double value);

/* In options zero stands for what is usual. */
void txUsual(double *value, double usual);
void txUsualInteger(int *value, int usual);

/* For messages: "left", "right", "bottom", "top", in the order of clGridSide. */
const char *txSideName(int side);

/* Does from .. to, in parts of a side's length, lie within it? to = 0 means up to its end. */
bool txIsPartOfSide(double from, double to);

#endif
