/* The grid behind a matrix, where nobody has named one. */
#ifndef TEXLA_SYSTEM_GRID_H
#define TEXLA_SYSTEM_GRID_H

#include "core/rows.h"
#include "texla/context.h"

/* Is A, whose rows come from the points of a grid one grid row after the other, an operator that
 * cycles of geometric multigrid reduce for certain? Then n <- the grid's columns and rows.
 *
 * Such an operator couples each point with its four neighbours, or with its eight; couplings have
 * the sign opposite to the diagonal's and add up to no more than it, and those of one direction
 * keep within a factor of each other over the whole grid. False also where there is no memory to
 * find out. */
bool txSystemGrid(int n[2], const clContext *context, const txRows *rows);

#endif
