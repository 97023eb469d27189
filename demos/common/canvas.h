/* A picture that is put together in a window: the numbers that texla has painted into a texture of
 * its own, in the overlay's field, and the overlay's rectangles. Nothing is read back and no pixel
 * is uploaded. */
#ifndef DEMOS_COMMON_CANVAS_H
#define DEMOS_COMMON_CANVAS_H

#include <stdbool.h>

#include "common/overlay.h"
#include "texla/vector.h"

typedef struct demoCanvas demoCanvas;

/* NULL when there is no memory, or no program can be linked. The context is current, and its entry
 * points are loaded (texla does that as it adopts the context). */
demoCanvas *demoCanvasCreate(void);
/* NULL is allowed */
void demoCanvasDestroy(demoCanvas *canvas);

/* A texture of that size instead of the window, for a device without a display; false: the device
 * has none. */
bool demoCanvasOffscreen(demoCanvas *canvas, int width, int height);
/* Waits until all has been drawn. */
void demoCanvasFinish(void);

/* The window, whose size is the overlay's <- the picture (numbers red + 256 green + 65536 blue,
 * first row at the bottom), of any size, stretched over the overlay's field, or none (NULL); black
 * around it; and the overlay over all. */
void demoCanvasDraw(demoCanvas *canvas, const clVectorView *picture, const demoOverlay *overlay);

#endif
