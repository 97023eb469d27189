/* Panels: the columns of a matrix that are being eliminated, and the rows that change places
 * because of it. Shared by the LU factorization and by Gauss-Jordan; shaders/elimination/panel.glsl
 * tells how a panel is laid out. Nothing here waits for the device. */
#ifndef TEXLA_ELIMINATION_PANEL_H
#define TEXLA_ELIMINATION_PANEL_H

#include "dense/entries.h"
#include "elimination/host_panel.h"

/* columns of a panel on the device, at most; its groups of four */
enum { TX_PANEL = 30, TX_PANEL_GROUPS = 8 };
/* rows of `moves` for each panel */
enum { TX_PANEL_MOVES = 3 };

typedef struct txPanels {
  clContext *context;
  /* of the matrix */
  int rows, cols;
  bool jordan;
  /* columns of a panel */
  int most;
  /* LU with partial pivoting: panels are read, factored by the host and written back
   * (panel_host.c) */
  bool on_host;
  /* not complete */
  clPivoting pivoting;
  float tolerance;
  /* whose fetches do not wait for each other, where pivots are searched */
  int rows_at_once, candidates_at_once;
  /* two columns a pass, with partial pivoting */
  bool in_pairs;
  /* the panel, in turns; a layer for each group */
  txTexture *side[2];
  /* which of the two was rendered last */
  int current;
  /* a bit for each group that was not rendered then */
  int in_other;
  /* three rows for each panel, see shaders/elimination/panel_moves.frag */
  txTexture *moves;
  /* rows on their way */
  txTexture *gathered;
  /* Gauss-Jordan: E */
  txTexture *transform;
  txVertices *quads;
  txHostPanel host;
  /* LU: of the diagonal blocks of L, as txTriangularInvert leaves them; half a block wide */
  txTexture *inverse;
  /* the texels of the panel that is factored next are under way; NULL: they are not */
  txRead *read;
  /* on the host: what txPanelsRead will give; a panel's rows of `moves` */
  float *records, *sources;
} txPanels;

/* For matrices of one shape; `steps` is how many columns will be eliminated. on_host: how many
 * panels of TX_PANEL columns the host takes at once, 0: the device eliminates. */
clStatus txPanelsCreate(txPanels *out, clContext *context, const char *call, int rows, int cols,
                        int steps, bool jordan, int on_host);
void txPanelsDestroy(txPanels *panels);

/* One panel of A: columns [col, col + width), rows from `row` on; even all three but the last
 * width. */
typedef struct txPanel {
  int number, row, col, width;
  /* columns that are eliminated: no more than there are rows */
  int steps;
  /* LU: the first column in which rows move */
  int left;
} txPanel;

/* Where the host eliminates: what is in the panel is on its way there, while the device goes on
 * with what it is told. Nothing may write into the panel until it has been eliminated. */
clStatus txPanelBegin(txPanels *panels, const char *call, const txTexture *A, const txPanel *panel);

/* Eliminates the panel, in place, and moves rows of A:
 *   LU            the pivots' rows come to the top of the panel; L and U stand in its columns, L's
 *                 inverses in `inverse`
 *   Gauss-Jordan  rows stay; the panel's columns hold the reduced ones, the pivots' rows are zero
 *                 right of the panel and wait, as they were, in the top of `gathered`, for A +=
 *                 transform * gathered */
clStatus txPanelEliminate(txPanels *panels, const char *call, txTexture *A, const txPanel *panel);

/* panel_host.c: the same up to the moves of rows: the panel's columns, rows still in their places,
 * and its moves. Blocks. */
clStatus txPanelEliminateOnHost(txPanels *panels, const char *call, txTexture *A,
                                const txPanel *panel);

/* The first row of each panel's moves, for the host: 4 floats for each of `most` steps. Blocks.
 * `count` panels. */
clStatus txPanelsRead(const txPanels *panels, const char *call, int count, float *moves);

#endif
