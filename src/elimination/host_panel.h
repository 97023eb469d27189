/* Panels of factorizations on the host: a few columns, all of their rows, in the 2 x 2 texels in
 * which they are read and written back. Rows stay in their places. Eight columns at a time are
 * eliminated, then all that is right of them takes these eight steps in one sweep. */
#ifndef TEXLA_ELIMINATION_HOST_PANEL_H
#define TEXLA_ELIMINATION_HOST_PANEL_H

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
  /* entries; texels */
  int rows, height, width;
  /* columns that are eliminated, no more than there are rows; those after them take the steps,
   * too */
  int steps;
  /* pivots up to it count as zero */
  float tolerance;
  /* LU: at most so many threads share the work. Their team is made for the first panel that is
   * worth it. */
  int threads;
  txTeam *team;
  /* LU: even; L's diagonal blocks of so many columns are inverted. 0: they are not */
  int block;
  /* height x width */
  float *texels;
  /* scratch */
  float *terms;
  /* LU: its own copy of the panel by columns, `lead` apart; U's rows */
  float *columns, *upper;
  /* LU: below each other, as texels of two rows and two columns: the inverses; half a block wide */
  float *inverse;
  /* column 0 begins `aligned` numbers after `columns`, where a vector may */
  int lead, aligned;
  /* of each of 2 height rows: 0, or after which step it became a pivot's (LU) */
  int32_t *step;
  /* scratch for 2 height rows */
  int32_t *source;
  /* LU: for each step the pivot's row, from the panel's first one on ... */
  int32_t *row;
  /* ... and its value, 0: there was none */
  float *value;
  /* LU: called by one thread while the others start; NULL: the texels are there */
  txHostPanelBring bring;
  void *user;
  /* LU: of `bring` */
  clStatus status;
} txHostPanel;

/* Memory for panels of up to so many rows and columns; txHostPanelDestroy also after a failure. */
clStatus txHostPanelCreate(txHostPanel *out, clError *error, const char *call, int rows,
                           int columns);
void txHostPanelDestroy(txHostPanel *panel);

/* L U by partial pivoting: the largest entry, of equal ones that of the smaller row. U is left in
 * the rows of pivots, L in the others and to the left of their own step; a column without a pivot
 * has zeros in L. Returns what `bring` does. */
clStatus txHostPanelLu(txHostPanel *panel);
/* Its work with AVX-512, of a txHostPanel. */
void txHostPanelLuWidest(void *user, txTeam *team, int member, int members);
/* L L^T, of the triangle that begins in the first texel; what is above is left. A pivot up to the
 * tolerance becomes zero, and so does its column. */
void txHostPanelCholesky(txHostPanel *panel);

#endif
