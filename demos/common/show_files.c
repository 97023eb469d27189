/* What is written while a window is open: films, screenshots, curves, and a command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/try.h"
#include "platform/platform.h"

/* Pictures keep the size that they have now, whatever the window does later. */
clStatus demoShowStartRecord(demoShow *show, const char *out, bool live) {
  demoPrivate *o = show->own;
  TRY(demoShowFit(show));
  char *comment = demoShowDescribe(show);
  if (!comment)
    return demoOutOfMemory(show);
  clStatus status =
      demoRecordOpen(&o->record, out, demoSceneOf(show)->name, comment, o->image.width,
                     o->image.height, (int)o->frame, live, &show->error);
  free(comment);
  return status;
}

/* The folder of --out, or the one in which the film of that name lies. */
static void folderOf(const char *out, char folder[4096]) {
  snprintf(folder, 4096, "%s", out);
  if (!demoRecordIsFilm(out))
    return;
  char *slash = strrchr(folder, '/');
  if (!slash)
    snprintf(folder, 4096, ".");
  else if (slash == folder)
    slash[1] = 0;
  else
    *slash = 0;
}

/* A screenshot holds what it takes to show the same again. */
static clStatus writeScreenshot(demoShow *show, demoFrames *shots) {
  demoPrivate *o = show->own;
  char folder[4096], name[64];
  folderOf(show->options.out, folder);
  snprintf(name, sizeof name, "%s-screenshot", demoSceneOf(show)->name);
  TRY(demoShowFit(show));
  TRY(demoShowRead(show));
  TRY(demoFramesOpen(shots, folder, name, o->image.width, o->image.height, &show->error));
  TRY(demoFramesKeep(shots, o->image.rgb, &show->error));
  return demoShowSign(show, shots->last);
}

void demoShowShoot(demoShow *show) {
  demoPrivate *o = show->own;
  demoFrames shots;
  o->shoots = false;
  if (writeScreenshot(show, &shots)) {
    demoShowComplain(show, "no screenshot");
    return;
  }
  demoShowSay(show, "saved", shots.last);
  demoWindowGive(o->window, shots.last);
}

/* What was written: where, how many pictures, how long they run. */
static void tellRecord(demoShow *show, const demoRecord *r) {
  char text[4300];
  int count = r->frames.count - r->first;
  if (*r->path)
    snprintf(text, sizeof text, "%s: %d pictures, %.1f seconds, %d x %d", r->path, count,
             (double)count / r->rate, r->frames.width, r->frames.height);
  else
    snprintf(text, sizeof text, "%s: %d pictures, %d x %d", r->frames.folder, count,
             r->frames.width, r->frames.height);
  demoShowSay(show, "recorded", text);
  snprintf(show->own->notice, sizeof show->own->notice, "recorded %.1000s", text);
  show->own->noticed = demoSeconds() + 4;
}

void demoShowEndFilm(demoShow *show) {
  demoPrivate *o = show->own;
  bool was = o->record.open;
  clError error = {0};
  if (demoRecordClose(&o->record, &error))
    demoShowSay(show, "recording failed:", error.message);
  else if (was)
    tellRecord(show, &o->record);
}

/* A film with a number that is free; without ffmpeg pictures in the folder. What fails is said, and
 * nothing ends. */
void demoShowBeginFilm(demoShow *show) {
  demoPrivate *o = show->own;
  const char *out = show->options.out, *ending = ".mp4";
  bool film = demoRecordIsFilm(out);
  char stem[4128];
  int number = 0;
  demoFrames folder;
  clStatus status = TEXLA_OK;
  if (film) {
    ending = strrchr(out, '.');
    snprintf(stem, sizeof stem, "%.*s", (int)(ending - out), out);
  } else {
    snprintf(stem, sizeof stem, "%.4080s/%s", out, demoSceneOf(show)->name);
    status = demoFramesOpen(&folder, out, "", 1, 1, &show->error);
  }
  do
    snprintf(o->film, sizeof o->film, "%s-%04d%s", stem, number++, ending);
  while (txPathLook(o->film, NULL) != TX_PATH_NOTHING);
  if (!status)
    status = demoShowStartRecord(show, o->film, true);
  if (status == TEXLA_UNSUPPORTED && !film) {
    demoShowComplain(show, "");
    status = demoShowStartRecord(show, out, true);
  }
  if (status)
    demoShowComplain(show, "");
  else if (*o->record.path)
    demoShowSay(show, "recording into", o->film);
  else
    demoShowSay(show, "recording into", out);
}

static clStatus writePicture(demoShow *show) {
  demoPrivate *o = show->own;
  TRY(demoShowRead(show));
  return demoRecordWrite(&o->record, o->image.rgb, &show->error);
}

/* The picture goes into the recording, where that wants one. */
clStatus demoShowFilm(demoShow *show) {
  demoPrivate *o = show->own;
  if (!demoRecordDue(&o->record) || writePicture(show) == TEXLA_OK)
    return TEXLA_OK;
  demoShowComplain(show, "");
  demoRecordClose(&o->record, NULL);
  return TEXLA_OK;
}

/* Beside the screenshots. */
void demoShowWriteCurves(demoShow *show) {
  char path[4400];
  if (demoShowKeepCurves(show, path, sizeof path)) {
    demoShowComplain(show, "no curves");
    return;
  }
  demoShowSay(show, "saved", path);
  demoWindowGive(show->own->window, path);
}

void demoShowCopy(demoShow *show) {
  char text[8192];
  if (demoShowCommand(show, text, sizeof text)) {
    demoShowComplain(show, "");
    return;
  }
  demoWindowCopy(show->own->window, text);
  demoShowSay(show, "copied:", text);
  snprintf(show->own->notice, sizeof show->own->notice, "copied: %.1100s", text);
  show->own->noticed = demoSeconds() + 4;
}
