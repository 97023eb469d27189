/* Vectors over a picture: arrows, or streamlines. All on the device: nothing is read back. */
#ifndef DEMOS_COMMON_STREAMS_H
#define DEMOS_COMMON_STREAMS_H

#include "core/embedded.h"
#include "texla/sim.h"

/* What the demos draw with (shaders/demo): whoever makes a kernel of it adds the table to the
 * context first (txShadersAdd). */
extern const txEmbedded demoShaders[];

/* A field of vectors on the grid. */
typedef struct demoVectors {
  const clVector *u, *v;
  /* u and v are on the right and the top faces of cells; otherwise in their centres */
  bool faces;
  /* ... and free of divergence, as streamlines need it */
  bool closed;
} demoVectors;

typedef struct demoStreams demoStreams;

clStatus demoStreamsCreate(demoStreams **out, clContext *context, int nx, int ny);
/* NULL is allowed */
void demoStreamsDestroy(demoStreams *streams);

/* most <- the largest |u| and |v|, which stay on the device. */
clStatus demoStreamsMeasure(demoStreams *streams, const demoVectors *vectors,
                            const clFloat *most[2]);

/* *out <- the stream function psi of vectors that are `closed`, *most <- its largest magnitude: u =
 * psi_y and v = -psi_x, in cells: the element of a cell is the value in its upper right corner. It
 * is the sum of -v along the lowest row, then of u up the columns, which other ways lead to as
 * well, since no cell has a divergence; and its lines of equal values are streamlines, with equal
 * fluxes between them. Owned by `streams`. */
clStatus demoStreamsFunction(demoStreams *streams, const demoVectors *vectors, const clVector **out,
                             const clFloat **most);

#endif
