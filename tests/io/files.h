/* Files for tests, and the shared data. */
#ifndef TEXLA_TESTS_IO_FILES_H
#define TEXLA_TESTS_IO_FILES_H

#include <errno.h>
#include <sys/sysmacros.h>

#include "folder.h"

/* A group set-up: *state <- a new empty folder. */
static inline int testFolderCreate(void **state) {
  Folder *folder = *state = calloc(1, sizeof *folder);
  if (!folder)
    return -1;
  folderCreate(folder);
  return 0;
}

/* The number of files in the folder; removes them, too, when asked to. */
static inline int testFolderCount(Folder *folder, bool empty) {
  int count = 0;
  DIR *directory = opendir(folder->name);
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
      count++;
      if (empty)
        unlink(folderPath(folder, entry->d_name));
    }
  if (directory)
    closedir(directory);
  return count;
}

static inline int testFolderDestroy(void **state) {
  FREED Folder *folder = *state;
  testFolderCount(folder, true);
  int result = rmdir(folder->name);
  return result;
}

static inline void testWriteFile(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* The contents with a zero behind them; the caller frees them. size may be NULL. */
static inline char *testReadFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  size_t length = (size_t)ftell(file);
  rewind(file);
  char *bytes = calloc(length + 1, 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, length, file), length);
  fclose(file);
  if (size)
    *size = length;
  return bytes;
}

/* path <- a device that is always full; false when there is none (then skip()). As root it is a
 * node in the folder: a broken writer could replace the system's own. */
static inline bool testFullDevice(Folder *folder, char path[512]) {
  snprintf(path, 512, "%s", geteuid() == 0 ? folderPath(folder, "full") : "/dev/full");
  if (geteuid() == 0 && mknod(path, S_IFCHR | 0600, makedev(1, 7)) != 0 && errno != EEXIST)
    return false;
  FILE *file = fopen(path, "wb");
  if (file)
    fclose(file);
  return file != NULL;
}

/* path <- a file or folder of the shared data; false when there is none (then skip()). */
static inline bool testDataPath(char path[512], const char *name) {
  const char *folder = getenv("TEXLA_DATA_DIR");
  if (folder)
    snprintf(path, 512, "%s/%s", folder, name);
  else
    snprintf(path, 512, "%s/../shared/data/%s", TEXLA_SOURCE_DIR, name);
  return access(path, R_OK) == 0;
}

#endif
