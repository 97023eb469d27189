/* Panels of factorizations on the host: a few columns, all of their rows, in the 2 x 2 texels in which they are read and written back. Rows stay in
 * their places. Eight columns at a time are eliminated, then all that is right of them takes these eight steps in one sweep. */
#ifndef TEXLA_DENSE_HOST_PANEL_H
#define TEXLA_DENSE_HOST_PANEL_H

#include "core/error.h"
#include "core/team.h"

#include <stdint.h>

enum {
  TX_HOST_PANEL_LINE = 16,
  TX_HOST_PANEL_BLOCK = 120
}; /* LU: rows at once, at most; the most columns of `block` */

/* Fills a panel's texels. */
typedef clStatus (*txHostPanelBring)(void *user, float *texels);

typedef struct txHostPanel {
  int rows, height, width; /* entries; texels */
  int steps;       /* columns that are eliminated, no more than there are rows; those after them take the steps, too */
  float tolerance; /* pivots up to it count as zero */
  int threads;     /* LU: at most so many share the work */
  int block;       /* LU: even; L's diagonal blocks of so many columns are inverted. 0: they are not */
  float *texels;   /* height x width */
  float *terms;    /* scratch */
  float *columns, *upper; /* LU: its own copy of the panel by columns, `lead` apart; U's rows */
  float *inverse;    /* LU: below each other, as texels of two rows and two columns: the inverses; half a block wide */
  int lead, aligned; /* column 0 begins `aligned` numbers after `columns`, where a vector may */
  int32_t *step;     /* of each of 2 height rows: 0, or after which step it became a pivot's (LU) */
  int32_t *source;   /* scratch for 2 height rows */
  int32_t *row;      /* LU: for each step the pivot's row, from the panel's first one on ... */
  float *value;      /* ... and its value, 0: there was none */
  txHostPanelBring bring; /* LU: called by one thread while the others start; NULL: the texels are there */
  void *user;
  clStatus status; /* LU: of `bring` */
} txHostPanel;

/* Memory for panels of up to so many rows and columns; txHostPanelDestroy also after a failure. */
clStatus txHostPanelCreate(txHostPanel *out, clError *error, const char *call, int rows, int columns);
void txHostPanelDestroy(txHostPanel *panel);

/* L U by partial pivoting: the largest entry, of equal ones that of the smaller row. U is left in the rows of pivots, L in the others and to the left
 * of their own step; a column without a pivot has zeros in L. Returns what `bring` does. */
clStatus txHostPanelLu(txHostPanel *panel);
/* Its work with AVX-512, of a txHostPanel. */
void txHostPanelLuWidest(void *user, txTeam *team, int member, int members);
/* L L^T, of the triangle that begins in the first texel; what is above is left. A pivot up to the tolerance becomes zero, and so does its column. */
void txHostPanelCholesky(txHostPanel *panel);

#endif
