#include "common/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/film_text.h"
#include "common/stats.h"
#include "core/error.h"
#include "core/try.h"
#include "platform/platform.h"

static bool endsWith(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && txCompareLetters(text + n - m, end) == 0;
}

bool demoRecordIsFilm(const char *out) {
  return endsWith(out, ".gif") || endsWith(out, ".mp4");
}

static clStatus startFilm(demoRecord *r, const char *const *arguments, clError *error) {
  int failed = txProcessStart(&r->ffmpeg, arguments, 0);
  if (failed)
    txOutputAbort(&r->output);
  if (failed == ENOENT)
    return txFail(error, TEXLA_UNSUPPORTED, "--out",
                  "%s needs the program ffmpeg, which is not installed; a folder for PNG pictures "
                  "needs nothing",
                  r->path);
  if (failed)
    return txFail(error, TEXLA_UNSUPPORTED, "--out", "cannot start ffmpeg for %s: %s", r->path,
                  strerror(failed));
  return TEXLA_OK;
}

/* How many pictures the film has, by ffprobe, which comes with ffmpeg; -1 where that cannot be
 * told. */
static int64_t countPictures(const demoRecord *r) {
  char name[4200] = "file:", text[64] = "";
  const char *format = endsWith(r->path, ".gif") ? "gif" : "mov";
  const char *arguments[] = {"ffprobe",
                             "-v",
                             "error",
                             "-protocol_whitelist",
                             "file",
                             "-f",
                             format,
                             "-count_packets",
                             "-select_streams",
                             "v:0",
                             "-show_entries",
                             "stream=nb_read_packets",
                             "-of",
                             "csv=p=0",
                             name,
                             NULL};
  txProcess ffprobe;
  int ended;
  txOutputName(&r->output, name + 5, sizeof name - 5);
  if (txProcessStart(&ffprobe, arguments, 1) != 0)
    return -1;
  size_t length = txProcessRead(&ffprobe, text, sizeof text - 1);
  txProcessClose(&ffprobe);
  if (txProcessWait(&ffprobe, &ended) != 0 || ended || length == 0)
    return 0;
  return strtoll(text, NULL, 10);
}

/* What films differ in: pictures in a second, and what ffmpeg is told. */
typedef struct Format {
  int rate;
  const char *filter, *format, *setting, *value;
} Format;

static const Format mp4 = {30, "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p", "mp4", "-crf", "18"};
static const Format gif = {
    25,
    "scale='min(640,iw)':-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=full[p];"
    "[b][p]paletteuse=dither=bayer:bayer_scale=4",
    "gif", "-loop", "0"};

static clStatus openFilm(demoRecord *r, bool live, clError *error) {
  const Format *film = &mp4;
  if (endsWith(r->path, ".gif"))
    film = &gif;
  /* whatever the name looks like */
  char size[32], rate[16], destination[4200] = "file:";
  char *comment = malloc(strlen(r->comment) + sizeof "comment=");
  if (!comment)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--out", "no memory for a film");
  sprintf(comment, "comment=%s", r->comment);
  clStatus status = txOutputOpen(&r->output, r->path, "--out", error);
  if (status) {
    free(comment);
    return status;
  }
  r->rate = film->rate;
  snprintf(rate, sizeof rate, "%d", r->rate);
  snprintf(size, sizeof size, "%dx%d", r->frames.width, r->frames.height);
  txOutputName(&r->output, destination + 5, sizeof destination - 5);
  /* What is encoded while it is simulated must not take its time. */
  const char *preset = "medium";
  if (live)
    preset = "ultrafast";
  const char *arguments[] = {
      "ffmpeg",   "-hide_banner", "-loglevel",  "error", "-y",         "-f",          "rawvideo",
      "-pix_fmt", "rgb24",        "-s",         size,    "-r",         rate,          "-i",
      "pipe:0",   "-vf",          film->filter, "-f",    film->format, film->setting, film->value,
      "-preset",  preset,         "-metadata",  comment, destination,  NULL};
  status = startFilm(r, arguments, error);
  free(comment);
  return status;
}

/* --- live films --- */

/* The thread: hands over what waits, until nothing more comes. */
static void *run(void *user) {
  demoFeed *f = user;
  pthread_mutex_lock(&f->lock);
  for (;;) {
    while (f->taken == f->put && !f->ends)
      pthread_cond_wait(&f->change, &f->lock);
    if (f->taken == f->put)
      break;
    int place = (int)(f->taken % DEMO_WAITING), copies = f->copies[place];
    bool failed = f->failed;
    pthread_mutex_unlock(&f->lock);
    for (int k = 0; k < copies && !failed; k++)
      failed = !txProcessFeed(f->process, f->picture[place], f->bytes);
    pthread_mutex_lock(&f->lock);
    f->failed = failed;
    f->taken++;
  }
  bool failed = f->failed || !f->put;
  for (int k = 0; k < f->rest && !failed; k++)
    failed = !txProcessFeed(f->process, f->picture[(f->put - 1) % DEMO_WAITING], f->bytes);
  pthread_mutex_unlock(&f->lock);
  return NULL;
}

static void freeFeed(demoFeed *f) {
  for (int k = 0; k < DEMO_WAITING; k++)
    free(f->picture[k]);
  pthread_cond_destroy(&f->change);
  pthread_mutex_destroy(&f->lock);
  free(f);
}

/* Starts the thread of a film that has been opened. */
static clStatus startFeed(demoRecord *r, clError *error) {
  demoFeed *f = calloc(1, sizeof *f);
  if (!f)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--out", "no memory for a film");
  pthread_mutex_init(&f->lock, NULL);
  pthread_cond_init(&f->change, NULL);
  f->process = &r->ffmpeg;
  f->bytes = 3 * (size_t)r->frames.width * (size_t)r->frames.height;
  bool whole = true;
  for (int k = 0; k < DEMO_WAITING; k++) {
    f->picture[k] = malloc(f->bytes);
    whole &= f->picture[k] != NULL;
  }
  if (whole && pthread_create(&f->thread, NULL, run, f) == 0) {
    r->feed = f;
    r->began = demoSeconds();
    return TEXLA_OK;
  }
  freeFeed(f);
  return txFail(error, TEXLA_OUT_OF_MEMORY, "--out", "no memory for pictures of a film");
}

/* How many pictures of a live film are missing by now; the first one is at once. */
static int missing(const demoRecord *r) {
  double seconds = demoSeconds() - r->began;
  int64_t fed = r->frames.count - r->first;
  return (int)((int64_t)(seconds * r->rate) + 1 - fed);
}

bool demoRecordDue(const demoRecord *r) {
  if (!r->open)
    return false;
  return !r->feed || missing(r) > 0;
}

/* Puts a picture where it waits; where there is no room the next one stands in for it. */
static clStatus putPicture(demoRecord *r, const uint8_t *rgb, clError *error) {
  demoFeed *f = r->feed;
  pthread_mutex_lock(&f->lock);
  bool room = f->put - f->taken < DEMO_WAITING, failed = f->failed;
  pthread_mutex_unlock(&f->lock);
  int copies = missing(r), place = (int)(f->put % DEMO_WAITING);
  if (failed)
    return txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg takes no more pictures for %s", r->path);
  if (!room || copies < 1)
    return TEXLA_OK;
  memcpy(f->picture[place], rgb, f->bytes);
  f->copies[place] = copies;
  r->frames.count += copies;
  pthread_mutex_lock(&f->lock);
  f->put++;
  pthread_cond_signal(&f->change);
  pthread_mutex_unlock(&f->lock);
  return TEXLA_OK;
}

/* Returns when all that waits has been written. */
static void endFeed(demoRecord *r) {
  demoFeed *f = r->feed;
  if (!f)
    return;
  pthread_mutex_lock(&f->lock);
  /* the last picture is shown until now */
  if (f->put > 0 && missing(r) > 0) {
    f->rest = missing(r);
    r->frames.count += f->rest;
  }
  f->ends = true;
  pthread_cond_signal(&f->change);
  pthread_mutex_unlock(&f->lock);
  pthread_join(f->thread, NULL);
  freeFeed(f);
  r->feed = NULL;
}

/* --- pictures --- */

static void forgetComment(demoRecord *r) {
  free(r->comment);
  r->comment = NULL;
}

clStatus demoRecordOpen(demoRecord *r, const char *out, const char *name, const char *comment,
                        int width, int height, int first, bool live, clError *error) {
  clStatus status = TEXLA_OK;
  *r = (demoRecord){.frames = {.name = name, .width = width, .height = height}};
  r->comment = strdup(comment);
  if (!r->comment)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "--out", "no memory for a film");
  if (!demoRecordIsFilm(out))
    status = demoFramesOpen(&r->frames, out, name, width, height, error);
  else if (strlen(out) >= sizeof r->path)
    status = txFail(error, TEXLA_BAD_ARGUMENT, "--out", "the name of the film is too long");
  else {
    snprintf(r->path, sizeof r->path, "%s", out);
    status = openFilm(r, live, error);
  }
  if (!status && !*r->path)
    demoFramesClear(&r->frames, first);
  r->frames.count = r->first = first;
  r->open = !status;
  if (!status && *r->path && live)
    status = startFeed(r, error);
  if (status && r->open)
    demoRecordClose(r, NULL);
  if (status)
    forgetComment(r);
  return status;
}

clStatus demoRecordWrite(demoRecord *r, const uint8_t *rgb, clError *error) {
  if (!*r->path)
    return demoFramesWrite(&r->frames, rgb, error);
  if (r->feed)
    return putPicture(r, rgb, error);
  r->frames.count++;
  if (txProcessFeed(&r->ffmpeg, rgb, 3 * (size_t)r->frames.width * (size_t)r->frames.height))
    return TEXLA_OK;
  TRY(demoRecordClose(r, error));
  return txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg takes no more pictures for %s", r->path);
}

/* What ffmpeg has made is whole: it takes the place of what stood there. */
static clStatus keepFilm(demoRecord *r, clError *error) {
  char name[4200];
  txOutputName(&r->output, name, sizeof name);
  clStatus status = TEXLA_OK;
  if (endsWith(r->path, ".gif") && *r->comment)
    TRY_CLEANUP(demoFilmPutText(name, r->comment, error));
  return txOutputCommit(&r->output, error);
cleanup:
  txOutputAbort(&r->output);
  return status;
}

/* ffmpeg may end well and have written less than it was fed, on a full disk for instance: its
 * pictures are counted. */
static clStatus closeFilm(demoRecord *r, clError *error) {
  endFeed(r);
  int ended;
  txProcessClose(&r->ffmpeg);
  int status = txProcessWait(&r->ffmpeg, &ended);
  bool good = status == 0 && !ended;
  int64_t fed = r->frames.count - r->first, count = 0;
  if (good)
    count = countPictures(r);
  if (good && (count < 0 || count == fed))
    return keepFilm(r, error);
  txOutputAbort(&r->output);
  if (good)
    return txFail(error, TEXLA_IO_ERROR, "--out",
                  "ffmpeg has written only %lld of %lld pictures of %s: is there room on the disk?",
                  (long long)count, (long long)fed, r->path);
  if (ended)
    return txFail(error, TEXLA_IO_ERROR, "--out", "ffmpeg failed (signal %d) and has not made %s",
                  ended, r->path);
  return txFail(error, TEXLA_IO_ERROR, "--out",
                "ffmpeg failed (exit status %d) and has not made %s", status, r->path);
}

clStatus demoRecordClose(demoRecord *r, clError *error) {
  clStatus status = TEXLA_OK;
  if (r->open && *r->path)
    status = closeFilm(r, error);
  r->open = false;
  forgetComment(r);
  return status;
}
