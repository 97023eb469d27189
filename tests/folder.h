/* A temporary folder with a few files. */
#ifndef TEXLA_TESTS_FOLDER_H
#define TEXLA_TESTS_FOLDER_H

#include "common.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Folder {
  char name[64], path[512];
} Folder;

static inline void folderCreate(Folder *folder) {
  strcpy(folder->name, "/tmp/texla-test-XXXXXX");
  assert_non_null(mkdtemp(folder->name));
}

/* The path of a file in the folder; valid until the next call. */
static inline const char *folderPath(Folder *folder, const char *file) {
  snprintf(folder->path, sizeof folder->path, "%s/%s", folder->name, file);
  return folder->path;
}

static inline void folderWrite(Folder *folder, const char *name, const char *text) {
  FILE *file = fopen(folderPath(folder, name), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Removes the folder `name` in `parent` and all that is in it. */
static inline void folderRemove(int parent, const char *name) {
  int self = openat(parent, name, O_RDONLY | O_DIRECTORY);
  DIR *directory = self < 0 ? NULL : fdopendir(self);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
        unlinkat(self, entry->d_name, 0))
      folderRemove(self, entry->d_name);
  if (directory)
    closedir(directory);
  unlinkat(parent, name, AT_REMOVEDIR);
}

static inline void folderDestroy(Folder *folder) {
  folderRemove(AT_FDCWD, folder->name);
}

#endif
