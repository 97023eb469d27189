/* Numbered PNG pictures in a folder: DIR/NAME-0000.png, ... */
#ifndef DEMOS_COMMON_FRAMES_H
#define DEMOS_COMMON_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "texla/status.h"

typedef struct demoFrames {
  const char *name;
  /* absolute */
  char folder[4096];
  int width, height, count;
  /* the path of the last picture */
  char last[4352];
} demoFrames;

/* Makes the folder unless it is there, and fails where no picture can be written into it. */
clStatus demoFramesOpen(demoFrames *frames, const char *folder, const char *name, int width,
                        int height, clError *error);

/* Removes the pictures NAME-NNNN.png of an earlier run, from number `first` on. */
void demoFramesClear(const demoFrames *frames, int first);

/* Writes the next picture (rgb: top row first), over one of an earlier run. */
clStatus demoFramesWrite(demoFrames *frames, const uint8_t *rgb, clError *error);

/* The same under the first number that is free. */
clStatus demoFramesKeep(demoFrames *frames, const uint8_t *rgb, clError *error);

#endif
