/* How an operator on a grid is rendered: where it may differ by place, or all at once. */
#ifndef TEXLA_MULTIGRID_GRID_RENDER_H
#define TEXLA_MULTIGRID_GRID_RENDER_H

#include "multigrid/grid.h"

/* Renders `y` on `grid`: the interior, then the frame around it, or all at once. `variant`:
 * defines; `uniform`: inside, coefficients are uniforms; `plain`: texels may be shifted, except at
 * the ends of a periodic axis. y becomes what was rendered. */
clStatus txGridRender(const char *call, clVector *y, const txGrid *grid, txPass *pass,
                      const char *variant, bool uniform, bool plain);

/* Its parts, for what is rendered by several passes: the target, what the pass says of it, y
 * becomes the target. */
clStatus txGridBegin(const char *call, const clVector *y, const txGrid *grid, txPass *pass);
clStatus txGridDraw(const char *call, clContext *context, txPass *pass, const char *variant,
                    const char *more);
clStatus txGridEnd(clVector *y, txPass *pass, clStatus status);

/* The defines of txGridRender's two programs: what is looked up one by one around the interior
 * (txGridElements), and whether coefficients are uniforms inside. Grids without an interior get the
 * same text, so that they share the program of the rim. */
enum { TX_RIM_TEXT = 64 };
void txGridRim(char text[TX_RIM_TEXT], const char *elements, bool uniform);

/* Where an operator on `grid` is the same everywhere. */
txRect txGridInterior(const txGrid *grid);
/* The defines of shaders/multigrid/grid_sweep.frag that make it compute b - A x. */
const char *txGridResidualVariant(const txGrid *grid);
/* The define of programs that look neighbours up one by one around the interior, where an axis is
 * periodic; else nothing. */
const char *txGridElements(const txGrid *grid);

/* What shaders/multigrid/grid.glsl reads; and the coefficients, D for the residual, else its
 * inverse. */
void txGridAddShape(txPass *pass, const txGrid *A);
/* Of that, the points along both axes and whether these are periodic. */
void txGridAddSize(txPass *pass, const txGrid *A);
/* How the axes are coarsened, to a grid of so many points. */
void txGridAddCoarsening(txPass *pass, const txGrid *A, const int coarse[2]);
void txGridAddCoefficients(txPass *pass, const txGrid *A, bool residual);

#endif
