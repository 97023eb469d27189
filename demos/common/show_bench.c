/* --headless --bench-window N: what a window shows, drawn into a texture, on a device without a
 * display. */
#include <stdio.h>

#include "common/canvas.h"
#include "common/show_private.h"
#include "core/error.h"
#include "core/try.h"
#include "vector/vector.h"

enum {
  WIDTH = 1920,
  HEIGHT = 1080,
  /* pictures at the beginning that are not counted */
  WARM = 10
};

/* A picture with its colours, and a line of text above and below it. The context is texla's own:
 * clVectorTexture would refuse to tell the texture's name. */
static clStatus draw(demoShow *show, demoCanvas *canvas) {
  demoPrivate *o = show->own;
  char text[256];
  demoTextFor(HEIGHT);
  const demoWants wants = {.width = WIDTH,
                           .height = HEIGHT,
                           .line = DEMO_LINE,
                           .colours = demoColorBarWidth(),
                           .head = 1,
                           .foot = 1,
                           .aspect = (double)o->nx / o->ny};
  const demoLayout layout = demoLayoutOf(&wants);
  TRY(demoShowPaint(show));
  TRY(demoShowOverlay(show, &layout, WIDTH, HEIGHT));
  demoTextIn(&o->overlay, &layout.head, 0, demoSceneOf(show)->title);
  show->program->tell(show->self, text, sizeof text);
  demoTextIn(&o->overlay, &layout.foot, 0, text);
  const clVector *painted = demoPaintPicture(o->paint);
  const clVectorView picture = {.name = painted->texture->name,
                                .width = painted->layout.width,
                                .height = painted->layout.height,
                                .row = painted->layout.row};
  demoCanvasDraw(canvas, &picture, &o->overlay);
  demoCanvasFinish();
  return TEXLA_OK;
}

/* *rate <- pictures a second, *steps <- how many each of them has */
static clStatus measure(demoShow *show, demoCanvas *canvas, int64_t pictures, double *rate,
                        double *steps) {
  double begin = 0;
  int64_t before = 0;
  for (int64_t k = 0; k < pictures + WARM && !show->own->over; k++) {
    if (k == WARM) {
      begin = demoSeconds();
      before = show->own->done;
    }
    TRY(demoShowAdvance(show));
    TRY(draw(show, canvas));
  }
  *rate = (double)pictures / (demoSeconds() - begin);
  *steps = (double)(show->own->done - before) / (double)pictures;
  return TEXLA_OK;
}

clStatus demoShowBench(demoShow *show) {
  const demoPrivate *o = show->own;
  double rate = 0, steps = 0;
  /* it is current from here on */
  TRY(demoCheck(show, clContextSynchronize(show->context)));
  demoCanvas *canvas = demoCanvasCreate();
  clStatus status = TEXLA_OK;
  if (!canvas || !demoCanvasOffscreen(canvas, WIDTH, HEIGHT))
    TRY_CLEANUP(txFail(&show->error, TEXLA_UNSUPPORTED, "--bench-window",
                       "this device cannot draw a picture of %d x %d", WIDTH, HEIGHT));
  TRY_CLEANUP(measure(show, canvas, o->bench, &rate, &steps));
  printf("%s: %s, %d x %d: without a display, %d x %d pixels: %.1f pictures a second of %.3g steps "
         "(the scene asks for %lld)\n",
         show->program->name, demoSceneOf(show)->name, o->nx, o->ny, WIDTH, HEIGHT, rate, steps,
         (long long)demoSteps(show));
cleanup:
  demoCanvasDestroy(canvas);
  return status;
}
