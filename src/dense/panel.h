/* Panels: the columns of a matrix that are being eliminated, and the rows that change places because of it. Shared by the LU
 * factorization and by Gauss-Jordan; shaders/dense/panel.glsl tells how a panel is laid out. Nothing here waits for the device. */
#ifndef TEXLA_DENSE_PANEL_H
#define TEXLA_DENSE_PANEL_H

#include "dense/entries.h"
#include "dense/host_panel.h"

enum { TX_PANEL = 30, TX_PANEL_GROUPS = 8 }; /* columns of a panel on the device, at most; its groups of four */
enum { TX_PANEL_MOVES = 3 };                 /* rows of `moves` for each panel */

typedef struct txPanels {
  clContext *context;
  int rows, cols; /* of the matrix */
  bool jordan;
  int most;     /* columns of a panel */
  bool on_host; /* LU with partial pivoting: panels are read, factored by the host and written back (panel_host.c) */
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
  txHostPanel host;
  txTexture *inverse;       /* LU: of the diagonal blocks of L, as txTriangularInvert leaves them; half a block wide */
  txRead *read;             /* the texels of the panel that is factored next are under way; NULL: they are not */
  float *records, *sources; /* on the host: what txPanelsRead will give; a panel's rows of `moves` */
} txPanels;

/* For matrices of one shape; `steps` is how many columns will be eliminated. on_host: how many panels of TX_PANEL columns the host
 * takes at once, 0: the device eliminates. */
clStatus txPanelsCreate(txPanels *out, clContext *context, const char *call, int rows, int cols, int steps, bool jordan,
                        int on_host);
void txPanelsDestroy(txPanels *panels);

/* One panel of A: columns [col, col + width), rows from `row` on; even all three but the last width. */
typedef struct txPanel {
  int number, row, col, width;
  int steps; /* columns that are eliminated: no more than there are rows */
  int left;  /* LU: the first column in which rows move */
} txPanel;

/* Where the host eliminates: what is in the panel is on its way there, while the device goes on with what it is told. Nothing may write into the
 * panel until it has been eliminated. */
clStatus txPanelBegin(txPanels *panels, const char *call, const txTexture *A, const txPanel *panel);

/* Eliminates the panel, in place, and moves rows of A:
 *   LU            the pivots' rows come to the top of the panel; L and U stand in its columns, L's inverses in `inverse`
 *   Gauss-Jordan  rows stay; the panel's columns hold the reduced ones, the pivots' rows are zero right of the panel and wait,
 *                 as they were, in the top of `gathered`, for A += transform * gathered */
clStatus txPanelEliminate(txPanels *panels, const char *call, txTexture *A, const txPanel *panel);

/* panel_host.c: the same up to the moves of rows: the panel's columns, rows still in their places, and its moves. Blocks. */
clStatus txPanelEliminateOnHost(txPanels *panels, const char *call, txTexture *A, const txPanel *panel);

/* The first row of each panel's moves, for the host: 4 floats for each of `most` steps. Blocks. `count` panels. */
clStatus txPanelsRead(const txPanels *panels, const char *call, int count, float *moves);

#endif
