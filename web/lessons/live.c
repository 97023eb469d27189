/* All lessons as one program for a page: `lessons 02_ping_pong main`, or its `solution`. Kernels that
 * a lesson writes itself leave their text in /kernels/NAME, and a file /own/NAME takes its place;
 * what the library's shaders are stands in /library. */
#include <texla/texla.h>

#include "gl/shader_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 256 };

/* Each main.c and solution.c is compiled with another name for its `main` (lessons.cmake). */
#define LESSON(folder, part, begin) int begin(int argc, char **argv);
#include "lessons.inc"
#undef LESSON

static const struct {
  const char *folder, *part;
  int (*begin)(int argc, char **argv);
} lessons[] = {
#define LESSON(folder, part, begin) {folder, part, begin},
#include "lessons.inc"
};

extern const txEmbedded txSimShaderFiles[];

static bool writeFile(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  if (file)
    fclose(file);
  return good;
}

/* A file's text, which the caller frees; NULL where there is none. */
static char *readFile(const char *path) {
  struct stat about;
  FILE *file = fopen(path, "r");
  char *text = NULL;
  if (file && !stat(path, &about))
    text = calloc((size_t)about.st_size + 1, 1);
  if (text && fread(text, 1, (size_t)about.st_size, file) != (size_t)about.st_size) {
    free(text);
    text = NULL;
  }
  if (file)
    fclose(file);
  return text;
}

/* Stands in for clKernelCreate in lessons (lessons.cmake). */
clStatus lessonKernelCreate(clKernel **out, clContext *context, const char *name,
                            const char *source);
clStatus lessonKernelCreate(clKernel **out, clContext *context, const char *name,
                            const char *source) {
  char path[PATH];
  snprintf(path, sizeof path, "/kernels/%s", name);
  writeFile(path, source);
  snprintf(path, sizeof path, "/own/%s", name);
  char *own = readFile(path);
  clStatus status = clKernelCreate(out, context, name, own ? own : source);
  free(own);
  return status;
}

static void giveShaders(const txEmbedded *table) {
  for (; table->name; table++) {
    char path[PATH];
    snprintf(path, sizeof path, "/library/%s", table->name);
    char *slash = strrchr(path, '/');
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
    writeFile(path, table->text);
  }
}

int main(int argc, char **argv) {
  mkdir("/library", 0777);
  mkdir("/kernels", 0777);
  giveShaders(txShaderFiles);
  giveShaders(txSimShaderFiles);
  char *arguments[] = {argv[0], "--out", "/frames", NULL};
  for (size_t k = 0; argc == 3 && k < sizeof lessons / sizeof *lessons; k++)
    if (!strcmp(lessons[k].folder, argv[1]) && !strcmp(lessons[k].part, argv[2]))
      return lessons[k].begin(3, arguments);
  fprintf(stderr, "there is no such lesson\n");
  return 2;
}
