/* Pictures in a row: numbered PNG files in a folder, or a GIF or MP4 film by the program ffmpeg. */
#ifndef DEMOS_COMMON_RECORD_H
#define DEMOS_COMMON_RECORD_H

#include "common/frames.h"
#include "core/output.h"
#include "platform/platform.h"

typedef struct demoRecord {
  /* width, height and count of both kinds */
  demoFrames frames;
  /* count before the first picture */
  int first;
  /* of the film; empty: a folder */
  char path[4096];
  /* where the film is written before it is whole */
  txOutput output;
  txProcess ffmpeg;
  bool open;
} demoRecord;

/* `out` ends in .gif or .mp4, or it is a folder; files in it begin with `name` and count from
 * `first`. Says at once what cannot work. */
clStatus demoRecordOpen(demoRecord *record, const char *out, const char *name, int width,
                        int height, int first, clError *error);
/* top row first */
clStatus demoRecordWrite(demoRecord *record, const uint8_t *rgb, clError *error);

/* Ends a film and waits until it is there, with all its pictures; otherwise what stood in its place
 * stays. Does nothing when nothing is open. */
clStatus demoRecordClose(demoRecord *record, clError *error);

/* Does `out` name a film? */
bool demoRecordIsFilm(const char *out);

#endif
