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

/* A tuning file with the variants of kernels that all tests use (tuning.txt), which are not
 * measured then, and these lines of a test's own. */
static inline void folderWriteTuning(Folder *folder, const char *name, const char *lines) {
  FILE *file = fopen(folderPath(folder, name), "w"),
       *all = fopen(TEXLA_SOURCE_DIR "/tests/tuning.txt", "r");
  char line[256];
  assert_true(file && all);
  while (fgets(line, sizeof line, all))
    fputs(line, file);
  fputs(lines, file);
  fclose(all);
  fclose(file);
}

/* Removes the folder and all that is in it. */
static inline void folderRemove(const char *name) {
  char path[1024];
  DIR *directory = opendir(name);
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    snprintf(path, sizeof path, "%.700s/%.300s", name, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(path))
      folderRemove(path);
  }
  if (directory)
    closedir(directory);
  rmdir(name);
}

static inline void folderDestroy(Folder *folder) {
  folderRemove(folder->name);
}

#endif
