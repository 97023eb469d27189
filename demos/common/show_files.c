/* What is written while a window is open: films, screenshots, curves, and a command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/show_private.h"

clStatus demoShowStartRecord(demoShow *show, const char *out, bool live) {
  demoPrivate *o = show->own;
  clStatus status = demoShowFit(show);
  if (status)
    return status;
  char *comment = demoShowDescribe(show);
  if (!comment)
    return demoOutOfMemory(show);
  status = demoRecordOpen(&o->record, out, demoSceneOf(show)->name, comment, o->image.width,
                          o->image.height, (int)o->frame, live, &show->error);
  free(comment);
  return status;
}

void demoShowShoot(demoShow *show) {
  demoPrivate *o = show->own;
  demoFrames shots;
  char folder[4096], name[64];
  snprintf(folder, sizeof folder, "%s", show->options.out);
  /* beside it */
  if (demoRecordIsFilm(folder)) {
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  }
  o->shoots = false;
  snprintf(name, sizeof name, "%s-screenshot", demoSceneOf(show)->name);
  clStatus status = demoShowFit(show);
  if (!status)
    status = demoShowRead(show);
  if (!status)
    status = demoFramesOpen(&shots, *folder ? folder : "/", name, o->image.width, o->image.height,
                            &show->error);
  if (!status)
    status = demoFramesKeep(&shots, o->image.rgb, &show->error);
  if (!status)
    status = demoShowSign(show, shots.last);
  if (status) {
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
  const char *out = show->options.out;
  bool film = demoRecordIsFilm(out);
  int stem = (int)(film ? strrchr(out, '.') - out : (ptrdiff_t)strlen(out)), number = 0;
  demoFrames folder;
  clStatus status = TEXLA_OK;
  if (!film)
    status = demoFramesOpen(&folder, out, "", 1, 1, &show->error);
  do
    snprintf(o->film, sizeof o->film, "%.*s%s%s-%04d%s", stem, out, film ? "" : "/",
             film ? "" : demoSceneOf(show)->name, number++, film ? out + stem : ".mp4");
  while (access(o->film, F_OK) == 0);
  if (!status)
    status = demoShowStartRecord(show, o->film, true);
  if (status == TEXLA_UNSUPPORTED && !film) {
    demoShowComplain(show, "");
    status = demoShowStartRecord(show, out, true);
  }
  if (status)
    demoShowComplain(show, "");
  else
    demoShowSay(show, "recording into", *o->record.path ? o->film : out);
}

/* The picture goes into the recording, where that wants one. */
clStatus demoShowFilm(demoShow *show) {
  demoPrivate *o = show->own;
  if (!demoRecordDue(&o->record))
    return TEXLA_OK;
  clStatus status = demoShowRead(show);
  if (!status)
    status = demoRecordWrite(&o->record, o->image.rgb, &show->error);
  if (!status)
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
