/* Small pictures of scenes for their menu: how each begins, by its formulas alone. */
#include <math.h>
#include <stdlib.h>

#include "common/show_private.h"

enum { WIDTH = DEMO_SKETCH_WIDTH, HEIGHT = DEMO_SKETCH_HEIGHT, BYTES = 3 * WIDTH * HEIGHT };

/* The whole domain in the middle; what lies beside it stays. */
static void sketchScene(const demoShow *show, const demoScene *scene, uint8_t *rgb) {
  double variable[DEMO_VARIABLES] = {0};
  double aspect = (double)scene->size[0] / scene->size[1];
  double high = fmin(HEIGHT, (double)WIDTH / aspect), left = 0.5 * ((double)WIDTH - aspect * high);
  double bottom = 0.5 * ((double)HEIGHT - high);
  variable[DEMO_W] = aspect;
  variable[DEMO_H] = 1. / scene->size[1];
  variable[DEMO_SEED] = (double)show->options.seed;
  demoSceneParameters(scene, variable);
  for (int k = 0; k < WIDTH * HEIGHT; k++) {
    double x = (k % WIDTH + 0.5 - left) / high, y = (HEIGHT - k / WIDTH - 0.5 - bottom) / high;
    variable[DEMO_X] = x;
    variable[DEMO_Y] = y;
    if (x > 0 && x < aspect && y > 0 && y < 1)
      show->program->sketch(scene, variable, rgb + 3 * k);
  }
}

void demoShowSketch(demoShow *show) {
  demoPrivate *o = show->own;
  int count = 0;
  while (show->program->scenes[count].name && count < DEMO_MOST_SCENES - 1)
    count++;
  if (o->sketches || !show->program->sketch)
    return;
  /* one more for a blank field */
  o->sketches = calloc((size_t)count + 1, BYTES);
  for (int k = 0; k < count && o->sketches; k++) {
    demoScene *scene = demoShowListScene(show, k);
    if (scene)
      sketchScene(show, scene, o->sketches + k * BYTES);
    free(scene);
  }
}
