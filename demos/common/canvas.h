/* A picture that is put together in a window's OpenGL context: the numbers that texla has painted into a texture of its own, and the
 * overlay's rectangles. Nothing is read back and no pixel is uploaded. */
#ifndef DEMOS_COMMON_CANVAS_H
#define DEMOS_COMMON_CANVAS_H

#include "common/overlay.h"
#include "texla/vector.h"

typedef struct demoCanvas demoCanvas;

/* NULL when there is no memory, or no program can be linked. The context is current, and its entry points are loaded (texla does that as
 * it adopts the context). */
demoCanvas *demoCanvasCreate(int width, int height);
void demoCanvasDestroy(demoCanvas *canvas); /* NULL is allowed */

/* The canvas <- the picture (numbers red + 256 green + 65536 blue, first row at the bottom; of the canvas's size, or half of it), and the
 * overlay on it. */
void demoCanvasDraw(demoCanvas *canvas, const clVectorView *picture, const demoOverlay *overlay);

/* Copies the canvas onto x, y, width, height of the window, counted from its lower left corner; black around it. */
void demoCanvasShow(const demoCanvas *canvas, const int place[4]);

#endif
