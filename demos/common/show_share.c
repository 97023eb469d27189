/* What is seen is passed on: as a command line, and in the texts of a picture, which --scene takes
 * up again. What has been drawn or placed is lines of the scene's text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/film_text.h"
#include "common/png_text.h"
#include "common/show_private.h"
#include "core/error.h"
#include "core/output.h"
#include "core/try.h"

enum { OPTIONS = 4096, PATH = 4300 };

/* the keywords of a picture's texts */
static const char program_key[] = "texla program", options_key[] = "texla options",
                  scene_key[] = "texla scene";

clStatus demoShowSign(demoShow *show, const char *path) {
  char options[OPTIONS], *scene = demoShowWhole(show, demoShowSceneText(show));
  demoShowListChanged(show, "%s=%s\n", options, sizeof options);
  if (!scene)
    return demoOutOfMemory(show);
  clStatus status = demoPngPutText(path, scene_key, scene, &show->error);
  free(scene);
  TRY(status);
  TRY(demoPngPutText(path, options_key, options, &show->error));
  return demoPngPutText(path, program_key, show->program->name, &show->error);
}

/* "texla program NAME", options, an empty line, and the scene's text. */
char *demoShowDescribe(demoShow *show) {
  char options[OPTIONS], *text = NULL, *scene = demoShowWhole(show, demoShowSceneText(show));
  demoShowListChanged(show, "%s=%s\n", options, sizeof options);
  size_t size = sizeof program_key + strlen(show->program->name) + strlen(options) + 8;
  if (scene)
    text = malloc(size += strlen(scene));
  if (text)
    snprintf(text, size, "%s %s\n%s\n%s", program_key, show->program->name, options, scene);
  free(scene);
  return text;
}

static bool isPng(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".png") == 0;
}

bool demoShowIsPicture(const char *name) {
  return isPng(name) || demoRecordIsFilm(name);
}

/* The text is needed; the caller's. */
static clStatus needText(demoShow *show, const char *path, const char *key, char **text) {
  TRY(demoPngGetText(text, path, key, &show->error));
  if (*text)
    return TEXLA_OK;
  return txFail(&show->error, TEXLA_BAD_FILE, "--scene",
                "%s was not made in a window of %s: it has no scene in it", path,
                show->program->name);
}

/* What demoShowDescribe has written, in its parts; the caller's. */
static clStatus takeFilm(demoShow *show, const char *path, char **program, char **options,
                         char **scene) {
  char *text = NULL;
  TRY(demoFilmGetText(&text, path, program_key, &show->error));
  char *first = text ? strchr(text, '\n') : NULL, *second = first;
  /* the empty line */
  while (second && second[1] != '\n')
    second = strchr(second + 1, '\n');
  if (second) {
    *first = second[0] = 0;
    *program = strdup(text + sizeof program_key);
    *options = strdup(second > first ? first + 1 : "");
    *scene = strdup(second + 2);
  }
  free(text);
  if (!second)
    return txFail(&show->error, TEXLA_BAD_FILE, "--scene",
                  "%s was not made by %s: it has no scene in it", path, show->program->name);
  if (!*program || !*options || !*scene)
    return demoOutOfMemory(show);
  return TEXLA_OK;
}

static clStatus takePng(demoShow *show, const char *path, char **program, char **options,
                        char **scene) {
  TRY(needText(show, path, program_key, program));
  TRY(needText(show, path, options_key, options));
  return needText(show, path, scene_key, scene);
}

clStatus demoShowTakePicture(demoShow *show, const char *path, char **scene) {
  clStatus status = TEXLA_OK;
  char *program = NULL, *options = NULL;
  *scene = NULL;
  if (isPng(path))
    TRY_CLEANUP(takePng(show, path, &program, &options, scene));
  else
    TRY_CLEANUP(takeFilm(show, path, &program, &options, scene));
  if (strcmp(program, show->program->name) != 0)
    TRY_CLEANUP(txFail(&show->error, TEXLA_BAD_FILE, "--scene", "%s was made by %s, not by %s",
                       path, program, show->program->name));
  TRY_CLEANUP(demoShowTakeOptions(show, path, options));
cleanup:
  free(program);
  free(options);
  if (status) {
    free(*scene);
    *scene = NULL;
  }
  return status;
}

clStatus demoShowWriteScene(demoShow *show, const char *path, const char *text, const char *call) {
  txOutput output;
  char *whole = demoShowWhole(show, text);
  if (!whole)
    return demoOutOfMemory(show);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOutputOpen(&output, path, call, &show->error));
  fputs(whole, output.file);
  TRY_CLEANUP(txOutputCommit(&output, &show->error));
cleanup:
  free(whole);
  return status;
}

/* A text that was typed, or whose parameters have been changed, or into whose scene something has
 * been drawn, is kept as a file: path <- its name. */
static clStatus keepScene(demoShow *show, char path[PATH]) {
  int number = 0;
  FILE *file;
  do {
    snprintf(path, PATH, "%.4000s-%04d.scene", demoSceneOf(show)->name, number++);
    file = fopen(path, "r");
    if (file)
      fclose(file);
  } while (file);
  return demoShowWriteScene(show, path, demoShowSceneText(show), "copy");
}

clStatus demoShowCommand(demoShow *show, char *text, size_t size) {
  const demoPrivate *o = show->own;
  char scene[PATH];
  snprintf(scene, sizeof scene, "%s", demoSceneOf(show)->name);
  bool drawn = demoShowIsDrawn(show);
  if (o->scene < 0 && !o->typed && !drawn && show->options.scene)
    snprintf(scene, sizeof scene, "'%.4000s'", show->options.scene);
  else if (o->scene < 0 || drawn)
    TRY(keepScene(show, scene));
  size_t used = (size_t)snprintf(text, size, "%s --scene %s ", show->program->name, scene);
  if (used < size)
    demoShowListChanged(show, "--%s %s ", text + used, size - used);
  text[strlen(text) - 1] = 0;
  return TEXLA_OK;
}
