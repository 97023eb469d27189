/* Panels of a QR factorization: Householder reflections of up to 32 columns on the device, one pass
 * each (shaders/triangle/qr_panel.glsl tells how a panel is laid out). The fragments reflect rows;
 * some more of them reflect rows in strips once again, and sum what the next reflection needs,
 * which its vertex shader adds up. Columns are taken as they come. */
#ifndef TEXLA_TRIANGLE_QR_PANEL_H
#define TEXLA_TRIANGLE_QR_PANEL_H

#include "dense/entries.h"

/* columns, at most; groups of four */
enum { TX_QR_PANEL = 32, TX_QR_GROUPS = 8 };

typedef struct txQrPanel {
  clContext *context;
  const char *call;
  /* the panel, in turns; a layer for each group */
  txTexture *side[2];
  /* which of the two was rendered last */
  int current;
  /* a bit for each group that was not rendered then */
  int in_other;
  /* of the panel at hand */
  int rows, cols;
} txQrPanel;

/* For matrices of up to so many rows. */
clStatus txQrPanelCreate(txQrPanel *out, clContext *context, const char *call, int rows);
void txQrPanelDestroy(txQrPanel *panel);

/* Reflects the columns of P, 2 x 2 packed, from row `from` on, times `unit`, a power of two near 1
 * / their length. upper, cols x cols, row by row <- their R, of P itself. Blocks. */
clStatus txQrPanelFactor(txQrPanel *panel, const clDense *P, int from, float unit, float *upper);
/* V <- the vectors of the first reflections, rows x as many columns as V has. */
clStatus txQrPanelVectors(const txQrPanel *panel, clDense *V);

#endif
