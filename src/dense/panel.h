/* Panels: the columns of a matrix that are being eliminated, and the rows that change places because of it. Shared by the LU
 * factorization and by Gauss-Jordan; shaders/dense/panel.glsl tells how a panel is laid out. Nothing here waits for the device. */
#ifndef TEXLA_DENSE_PANEL_H
#define TEXLA_DENSE_PANEL_H

#include "dense/entries.h"

enum { TX_PANEL = 30, TX_PANEL_GROUPS = 8 }; /* columns of a panel, at most; its groups of four */

typedef struct txPanels {
  clContext *context;
  int rows, cols; /* of the matrix */
  bool jordan;
  clPivoting pivoting; /* not complete */
  float tolerance;
  int rows_at_once, candidates_at_once; /* whose fetches do not wait for each other, where pivots are searched */
  bool in_pairs;                        /* two columns a pass, with partial pivoting */
  txTexture *side[2];                   /* the panel, in turns; a layer for each group */
  int current;                          /* which of the two was rendered last */
  int in_other;                         /* a bit for each group that was not rendered then */
  txTexture *moves;                     /* three rows for each panel, see shaders/dense/panel_moves.frag */
  txTexture *gathered;                  /* rows on their way */
  txTexture *transform;                 /* Gauss-Jordan: E */
  txVertices *quads;
} txPanels;

/* For matrices of one shape; `panels` is how many will be recorded. */
clStatus txPanelsCreate(txPanels *out, clContext *context, const char *call, int rows, int cols, int panels,
                        bool jordan);
void txPanelsDestroy(txPanels *panels);

/* One panel of A: columns [col, col + width), rows from `row` on; even all three but the last width. */
typedef struct txPanel {
  int number, row, col, width;
  int steps; /* columns that are eliminated: no more than there are rows */
  int left;  /* LU: the first column in which rows move */
} txPanel;

/* Eliminates the panel, in place, and moves rows of A:
 *   LU            the pivots' rows come to the top of the panel; L and U stand in its columns
 *   Gauss-Jordan  rows stay; the panel's columns hold the reduced ones, the pivots' rows are zero right of the panel and wait,
 *                 as they were, in the top of `gathered`, for A += transform * gathered */
clStatus txPanelEliminate(txPanels *panels, const char *call, txTexture *A, const txPanel *panel);

/* The first row of each panel's moves, for the host: 4 floats for each of TX_PANEL steps. Blocks. `count` panels. */
clStatus txPanelsRead(const txPanels *panels, const char *call, int count, float *moves);

#endif
