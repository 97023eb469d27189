#include "common/frames.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  struct stat info;
  *frames = (demoFrames){.name = name, .width = width, .height = height};
  if (makeFolder(folder))
    absolute = txFileReal(folder);
  if (absolute && stat(absolute, &info) == 0 && !S_ISDIR(info.st_mode))
    errno = ENOTDIR;
  else if (absolute && access(absolute, W_OK | X_OK) == 0 &&
           strlen(absolute) < sizeof frames->folder)
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

void demoFramesClear(const demoFrames *frames, int first) {
  char path[sizeof frames->folder + 300];
  DIR *folder = opendir(frames->folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (numberOf(frames, entry->d_name) >= first) {
      snprintf(path, sizeof path, "%s/%s", frames->folder, entry->d_name);
      unlink(path);
    }
  if (folder)
    closedir(folder);
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
  while (access(frames->last, F_OK) == 0);
  return clPngWrite(frames->last, rgb, frames->width, frames->height, error);
}
