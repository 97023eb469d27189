/* Solution of exercise 15: a film without waiting. Frame k is read while the steps towards frame k
 * + 1 are computed. */
#include "lesson.h"

#include <string.h>

/* Points along a side, pictures of the film, steps between two of them. */
enum { SIDE = 64, FRAMES = 12, STEPS = 10 };
static float film[2][FRAMES][SIDE * SIDE];

/* The same wave each time: one drop in a basin. */
static clWave *water(clContext *context) {
  clWave *wave;
  OK(clWaveCreate(&wave, context, &(clWaveOptions){.nx = SIDE, .ny = SIDE}));
  OK(clWaveDrop(wave, .4, .6, .06, 1));
  return wave;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clWave *wave = water(context);
  /* waits for each frame */
  for (int k = 0; k < FRAMES; k++) {
    OK(clWaveStep(wave, STEPS));
    OK(clVectorDownload(clWaveHeight(wave), film[0][k]));
  }
  clWaveDestroy(wave);

  wave = water(context);
  clRead *before = NULL, *now;
  int ready = 0;
  for (int k = 0; k < FRAMES; k++) {
    OK(clWaveStep(wave, STEPS));
    /* as the heights are at this moment, whatever comes later */
    OK(clVectorReadStart(&now, clWaveHeight(wave)));
    if (before) {
      ready += clReadReady(before);
      OK(clReadFinish(before, film[1][k - 1]));
    }
    before = now;
  }
  OK(clReadFinish(before, film[1][FRAMES - 1]));
  printf("%d of %d frames were there before they were asked for\n", ready, FRAMES - 1);
  lessonExpect(memcmp(film[0], film[1], sizeof film[0]) == 0, "both films are the same");
  lessonField("last", film[1][FRAMES - 1], SIDE, SIDE, TEXLA_COLORMAP_DIVERGING, -.2f, .2f);
  clWaveDestroy(wave);
  return lessonEnd();
}
