/* Pictures in a row: numbered PNG files in a folder, or a GIF or MP4 film by the program ffmpeg. */
#ifndef DEMOS_COMMON_RECORD_H
#define DEMOS_COMMON_RECORD_H

#include <pthread.h>

#include "common/frames.h"
#include "core/output.h"
#include "platform/platform.h"

enum { DEMO_WAITING = 4 };

/* Pictures that wait for ffmpeg, which a thread of its own feeds: so who makes them need not. */
typedef struct demoFeed {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t change;
  /* a ring of DEMO_WAITING pictures, each to be written so many times */
  uint8_t *picture[DEMO_WAITING];
  int copies[DEMO_WAITING];
  /* of the ring; taken, and put in, so far */
  int64_t taken, put;
  /* copies of the last picture, at the end */
  int rest;
  /* ends: nothing more comes; failed: nothing more can be written */
  bool ends, failed;
  txProcess *process;
  size_t bytes;
} demoFeed;

typedef struct demoRecord {
  /* width, height and count of both kinds */
  demoFrames frames;
  /* count before the first picture */
  int first;
  /* of the film; empty: a folder */
  char path[4096];
  /* what the film says of itself; NULL: nothing */
  char *comment;
  /* where the film is written before it is whole */
  txOutput output;
  txProcess ffmpeg;
  bool open;
  /* pictures in a second of the film */
  int rate;
  /* NULL: pictures are written when they come, one after the other */
  demoFeed *feed;
  /* of a clock, at the first picture of a feed */
  double began;
} demoRecord;

/* `out` ends in .gif or .mp4, or it is a folder; files in it begin with `name` and count from
 * `first`. Says at once what cannot work. A `live` film runs as fast as its pictures come: each is
 * shown until the next one, and they are encoded beside the simulation; other films show all their
 * pictures equally long. A film keeps `comment` ("": nothing) in its metadata. */
clStatus demoRecordOpen(demoRecord *record, const char *out, const char *name, const char *comment,
                        int width, int height, int first, bool live, clError *error);
/* Is a picture wanted now? Of a live film as many as it shows are, of all others each. */
bool demoRecordDue(const demoRecord *record);

/* top row first */
clStatus demoRecordWrite(demoRecord *record, const uint8_t *rgb, clError *error);

/* Ends a film and waits until it is there, with all its pictures; otherwise what stood in its place
 * stays. Does nothing when nothing is open. */
clStatus demoRecordClose(demoRecord *record, clError *error);

/* Does `out` name a film? */
bool demoRecordIsFilm(const char *out);

#endif
