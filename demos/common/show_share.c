/* What is seen is passed on: as a command line, and in the texts of a picture, which --scene takes
 * up again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  char options[OPTIONS];
  demoShowListChanged(show, "%s=%s\n", options, sizeof options);
  TRY(demoPngPutText(path, scene_key, demoShowSceneText(show), &show->error));
  TRY(demoPngPutText(path, options_key, options, &show->error));
  return demoPngPutText(path, program_key, show->program->name, &show->error);
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

clStatus demoShowTakePicture(demoShow *show, const char *path, char **scene) {
  clStatus status = TEXLA_OK;
  char *program = NULL, *options = NULL;
  *scene = NULL;
  TRY_CLEANUP(needText(show, path, program_key, &program));
  TRY_CLEANUP(needText(show, path, options_key, &options));
  TRY_CLEANUP(needText(show, path, scene_key, scene));
  if (strcmp(program, show->program->name) != 0)
    status = txFail(&show->error, TEXLA_BAD_FILE, "--scene", "%s was made by %s, not by %s", path,
                    program, show->program->name);
  if (!status)
    status = demoShowTakeOptions(show, path, options);
cleanup:
  free(program);
  free(options);
  if (status) {
    free(*scene);
    *scene = NULL;
  }
  return status;
}

/* A text that was typed, or whose parameters have been changed, is kept as a file beside the
 * screenshots: path <- its name. */
static clStatus keepScene(demoShow *show, char path[PATH]) {
  txOutput output;
  int number = 0;
  FILE *file;
  do {
    snprintf(path, PATH, "%.4000s-%04d.scene", demoSceneOf(show)->name, number++);
    file = fopen(path, "r");
    if (file)
      fclose(file);
  } while (file);
  TRY(txOutputOpen(&output, path, "copy", &show->error));
  fputs(demoShowSceneText(show), output.file);
  return txOutputCommit(&output, &show->error);
}

clStatus demoShowCommand(demoShow *show, char *text, size_t size) {
  const demoPrivate *o = show->own;
  char scene[PATH];
  snprintf(scene, sizeof scene, "%s", demoSceneOf(show)->name);
  if (o->scene < 0 && !o->typed && show->options.scene)
    snprintf(scene, sizeof scene, "'%.4000s'", show->options.scene);
  else if (o->scene < 0)
    TRY(keepScene(show, scene));
  size_t used = (size_t)snprintf(text, size, "%s --scene %s ", show->program->name, scene);
  if (used < size)
    demoShowListChanged(show, "--%s %s ", text + used, size - used);
  text[strlen(text) - 1] = 0;
  return TEXLA_OK;
}
