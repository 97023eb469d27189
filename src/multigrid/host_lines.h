/* Lines of a grid on the host: for each row or each column the tridiagonal system of what A couples
 * within it. */
#ifndef TEXLA_MULTIGRID_HOST_LINES_H
#define TEXLA_MULTIGRID_HOST_LINES_H

#include "multigrid/stencil.h"

typedef struct txHostLines txHostLines;

/* The lines along axis 0 (rows) or 1 (columns) of a grid whose rows lie `stride` numbers apart. */
clStatus txHostLinesCreate(txHostLines **out, const txStencil *s, int axis, int stride,
                           const char *call, clError *error);
/* NULL is allowed */
void txHostLinesDestroy(txHostLines *lines);

/* v <- T^-1 v for all lines at once, where v is point (0, 0). */
void txHostLinesSolve(const txHostLines *lines, float *v);

#endif
