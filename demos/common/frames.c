#include "common/frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "platform/platform.h"
#include "texla/io.h"

/* mkdir -p */
static bool makeFolder(const char *path) {
  char part[4096];
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
    errno = ENAMETOOLONG;
    return false;
  }
  for (char *at = part + 1; *at; at++)
    if (*at == '/') {
      *at = 0;
      if (!txFolderCreate(part) && errno != EEXIST)
        return false;
      *at = '/';
    }
  return txFolderCreate(part) || errno == EEXIST;
}

clStatus demoFramesOpen(demoFrames *frames, const char *folder, const char *name, int width,
                        int height, clError *error) {
  char *absolute = NULL;
  *frames = (demoFrames){.name = name, .width = width, .height = height};
  if (makeFolder(folder))
    absolute = txFileReal(folder);
  if (absolute && txPathLook(absolute, NULL) != TX_PATH_FOLDER)
    errno = ENOTDIR;
  else if (absolute && txPathWritable(absolute) && strlen(absolute) < sizeof frames->folder)
    snprintf(frames->folder, sizeof frames->folder, "%s", absolute);
  free(absolute);
  if (!*frames->folder)
    return txFail(error, TEXLA_IO_ERROR, "--out", "cannot write pictures into %s: %s", folder,
                  strerror(errno));
  return TEXLA_OK;
}

/* The number in NAME-NNNN.png; -1: it is called otherwise. */
static long numberOf(const demoFrames *frames, const char *file) {
  size_t length = strlen(frames->name), digits;
  if (strncmp(file, frames->name, length) != 0 || file[length] != '-')
    return -1;
  file += length + 1;
  digits = strspn(file, "0123456789");
  return digits >= 4 && digits < 10 && strcmp(file + digits, ".png") == 0 ? strtol(file, NULL, 10)
                                                                          : -1;
}

typedef struct stale {
  const demoFrames *frames;
  int first;
} stale;

static bool removeStale(void *user, const char *name) {
  const stale *s = user;
  char path[sizeof s->frames->folder + 300];
  if (numberOf(s->frames, name) >= s->first) {
    snprintf(path, sizeof path, "%s/%s", s->frames->folder, name);
    remove(path);
  }
  return true;
}

void demoFramesClear(const demoFrames *frames, int first) {
  txFolderList(frames->folder, removeStale, &(stale){frames, first});
}

static void nextPath(demoFrames *frames) {
  snprintf(frames->last, sizeof frames->last, "%s/%.200s-%04d.png", frames->folder, frames->name,
           frames->count++);
}

clStatus demoFramesWrite(demoFrames *frames, const uint8_t *rgb, clError *error) {
  nextPath(frames);
  return clPngWrite(frames->last, rgb, frames->width, frames->height, error);
}

clStatus demoFramesKeep(demoFrames *frames, const uint8_t *rgb, clError *error) {
  do
    nextPath(frames);
  while (txPathLook(frames->last, NULL) != TX_PATH_NOTHING);
  return clPngWrite(frames->last, rgb, frames->width, frames->height, error);
}
