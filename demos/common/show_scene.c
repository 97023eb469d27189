/* Which scene is shown: one that comes with the program, one of a file, or one of a saved state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/lines.h"
#include "common/show_private.h"
#include "core/error.h"
#include "core/input.h"
#include "core/try.h"
#include "io/number.h"

enum { LARGEST_FILE = 1 << 20 };

static bool endsIn(const char *name, const char *end) {
  size_t length = strlen(name), n = strlen(end);
  return length > n && strcmp(name + length - n, end) == 0;
}

static bool isFile(const char *name) {
  return endsIn(name, ".scene");
}

/* A file's name without folders and ending. */
static void nameOf(char name[DEMO_NAME], const char *path) {
  const char *slash = strrchr(path, '/'), *base = path;
  if (slash)
    base = slash + 1;
  snprintf(name, DEMO_NAME, "%.*s", (int)strcspn(base, "."), base);
}

static clStatus noScene(demoShow *show, const char *asked) {
  const txEmbedded *scenes = show->program->scenes;
  char names[1024] = "";
  int count = 0;
  size_t used = 0;
  for (; scenes[count].name && used < sizeof names; count++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", count ? ", " : "",
                             scenes[count].name);
  const char *nearest = txNearestName(asked, &scenes[0].name, count, sizeof *scenes);
  char hint[64] = "";
  if (nearest)
    snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest);
  return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--scene",
                "'%s' must be one of %s, or a file FILE.scene, FILE.png, FILE.mp4 or FILE.gif%s",
                asked, names, hint);
}

clStatus demoShowFindScene(demoShow *show) {
  const char *asked = show->options.scene;
  demoPrivate *o = show->own;
  /* it was loaded */
  if (o->scene_text)
    return TEXLA_OK;
  o->scene = 0;
  if (asked && (isFile(asked) || demoShowIsPicture(asked)))
    o->scene = -1;
  if (asked && demoShowIsPicture(asked)) {
    nameOf(o->scene_name, asked);
    return demoShowTakePicture(show, asked, &o->scene_text);
  }
  if (!asked || o->scene < 0)
    return TEXLA_OK;
  const txEmbedded *scenes = show->program->scenes;
  while (scenes[o->scene].name && strcmp(scenes[o->scene].name, asked) != 0)
    o->scene++;
  if (!scenes[o->scene].name)
    return noScene(show, asked);
  return TEXLA_OK;
}

static clStatus readFile(demoShow *show) {
  char *text = NULL;
  size_t length = 0;
  const char *path = show->options.scene;
  TRY(txInputRead(&text, &length, path, LARGEST_FILE, "--scene", &show->error));
  if (!text)
    TRY(txFail(&show->error, TEXLA_IO_ERROR, "--scene", "cannot open %s: there is no such file",
               path));
  if (strlen(text) < length) {
    free(text);
    return txFail(&show->error, TEXLA_BAD_FILE, "--scene",
                  "%s: a zero byte: this is not a text file", path);
  }
  free(show->own->scene_text);
  show->own->scene_text = text;
  nameOf(show->own->scene_name, path);
  return TEXLA_OK;
}

/* --- what is shown --- */

static clStatus parse(const demoShow *show, demoScene *scene, const char *name, const char *text,
                      const char *file, clError *error) {
  snprintf(scene->name, sizeof scene->name, "%s", name);
  return demoSceneRead(scene, show->program->rules, show->program->fields, text, file, error);
}

static const char *nameOfScene(const demoShow *show) {
  const demoPrivate *o = show->own;
  if (o->scene < 0)
    return o->scene_name;
  return show->program->scenes[o->scene].name;
}

static bool isOwnFile(const demoShow *show) {
  const demoPrivate *o = show->own;
  return o->scene < 0 && !o->typed && show->options.scene && isFile(show->options.scene) &&
         !show->options.load;
}

/* The scene becomes one of its own, of this text, which it takes; NULL: no memory. */
static clStatus takeText(demoShow *show, char *text) {
  demoPrivate *o = show->own;
  if (!text)
    return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "--scene", "no memory for the scene %s",
                  nameOfScene(show));
  if (o->scene >= 0) {
    snprintf(o->scene_name, sizeof o->scene_name, "%s", show->program->scenes[o->scene].name);
    o->basis = o->scene;
  }
  free(o->scene_text);
  o->scene_text = text;
  o->scene = -1;
  return TEXLA_OK;
}

/* The message about a line that stands on the command line says the line, not its number in a text
 * that the reader has never seen. */
static void quoteTyped(demoShow *show, const char *text) {
  const char *typed = show->options.with, *line = text;
  char option[DEMO_NAME], copy[256];
  for (int k = 1; k < show->own->wrong[0]; k++) {
    line = strchr(line, '\n');
    if (!line)
      return;
    line++;
  }
  if (!typed)
    return;
  snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
  const char *place = strstr(show->error.message, ": ");
  if (place)
    place = strstr(place + 2, ": ");
  if (!*copy || !strstr(typed, copy) || !place)
    return;
  clError old = show->error;
  snprintf(option, sizeof option, "--%s", demoShowWith(show->program));
  txFail(&show->error, old.status, option, "\"%s\": %s", copy,
         old.message + (place + 2 - show->error.message));
}

clStatus demoShowParse(demoShow *show, const char *text, demoScene **out) {
  *out = calloc(1, show->program->scene_size);
  if (!*out)
    return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "--scene", "no memory for the scene %s",
                  nameOfScene(show));
  const char *file = nameOfScene(show);
  if (isOwnFile(show))
    file = show->options.scene;
  clStatus status = parse(show, *out, nameOfScene(show), text, file, &show->error);
  memcpy(show->own->wrong, (*out)->wrong, sizeof show->own->wrong);
  if (status)
    quoteTyped(show, text);
  return status;
}

static clStatus noParameter(demoShow *show, const demoScene *scene, const char *text,
                            size_t length) {
  char names[256] = "it has none";
  size_t used = 0;
  for (int k = 0; k < scene->parameters && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%.*s%s", 2 * (k > 0), ", ",
                             scene->parameter[k].name);
  return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--set",
                "'%.*s' is not like NAME=NUMBER for a parameter of this scene (%s)", (int)length,
                text, names);
}

/* One of --set: NAME=X. */
static clStatus setOne(demoShow *show, const demoScene *scene, const char *text, size_t length) {
  char copy[128];
  snprintf(copy, sizeof copy, "%.*s", (int)length, text);
  char *number = strchr(copy, '=');
  if (!number)
    return noParameter(show, scene, text, length);
  *number++ = 0;
  double value = 0;
  const char *after = txNumberParse(number, &value);
  for (int k = 0; k < scene->parameters; k++) {
    const demoParameter *p = &scene->parameter[k];
    if (!after || *after || strcmp(copy, p->name) != 0)
      continue;
    if (p->least < p->most && !(value >= p->least && value <= p->most))
      return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--set",
                    "%s = %g is not within the scene's bounds, %g to %g", p->name, value, p->least,
                    p->most);
    return takeText(show, demoLinesParameter(demoShowSceneText(show), p->name, number));
  }
  return noParameter(show, scene, text, length);
}

/* Do lines that were typed say all that a scene needs, and was none asked for? */
static bool standAlone(const demoShow *show, const char *lines) {
  const demoProgram *program = show->program;
  if (!program->blank || show->options.scene || show->options.load)
    return false;
  return demoLinesHave(lines, program->rules[0].name) || demoLinesHave(lines, "fields");
}

/* --with: lines of the scene are exchanged, or a new one begins. */
static clStatus varyLines(demoShow *show, const char *lines) {
  if (!standAlone(show, lines))
    return takeText(show, demoLinesVaried(demoShowSceneText(show), lines));
  clStatus status = takeText(show, demoLinesVaried(show->program->blank, lines));
  show->own->basis = -1;
  snprintf(show->own->scene_name, sizeof show->own->scene_name, "%s", show->program->with);
  return status;
}

/* --with and --set: the scene that was asked for becomes one of its own. */
static clStatus vary(demoShow *show) {
  demoPrivate *o = show->own;
  demoScene *scene = NULL;
  clStatus status = TEXLA_OK;
  if (show->options.with)
    TRY_CLEANUP(varyLines(show, show->options.with));
  if (show->options.set)
    TRY_CLEANUP(demoShowParse(show, demoShowSceneText(show), &scene));
  for (const char *at = show->options.set; at && *at;) {
    size_t length = strcspn(at, ",");
    TRY_CLEANUP(setOne(show, scene, at, length));
    at += length + (at[length] == ',');
  }
cleanup:
  free(scene);
  o->varied = status == TEXLA_OK;
  return status;
}

clStatus demoShowReadScene(demoShow *show) {
  demoPrivate *o = show->own;
  demoScene *scene = NULL;
  clStatus status = TEXLA_OK;
  bool file = isOwnFile(show);
  if (file)
    TRY(readFile(show));
  if ((show->options.with || show->options.set) && (file || !o->varied))
    TRY(vary(show));
  TRY_CLEANUP(demoShowParse(show, demoShowSceneText(show), &scene));
  memcpy(show->program->scene, scene, show->program->scene_size);
  if (!o->typed || o->scene >= 0)
    memcpy(o->first_parameter, scene->parameter, sizeof o->first_parameter);
cleanup:
  free(scene);
  return status;
}

clStatus demoShowTypeScene(demoShow *show, const char *text) {
  demoScene *scene = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(demoShowParse(show, text, &scene));
  TRY_CLEANUP(takeText(show, strdup(text)));
  demoProbesOf(&show->own->probes, scene);
  show->own->typed = true;
cleanup:
  free(scene);
  return status;
}

char *demoShowSetParameter(const char *text, const char *name, double value) {
  char number[32];
  snprintf(number, sizeof number, "%.4g", value);
  return demoLinesParameter(text, name, number);
}

bool demoShowTune(demoShow *show, const char *name, double value) {
  const demoProgram *program = show->program;
  if (!program->tune)
    return false;
  char *text = demoShowSetParameter(demoShowSceneText(show), name, value);
  demoScene *scene = calloc(1, program->scene_size);
  clError error = {0};
  bool tuned = text && scene && !parse(show, scene, nameOfScene(show), text, "", &error) &&
               program->tune(show->self, scene);
  if (tuned) {
    memcpy(program->scene, scene, program->scene_size);
    takeText(show, text);
    show->own->typed = true;
  } else
    free(text);
  free(scene);
  return tuned;
}

clStatus demoShowBlank(demoShow *show) {
  const demoProgram *program = show->program;
  clStatus status = takeText(show, demoLinesWith(program->blank, program->rules->name, NULL, "0"));
  snprintf(show->own->scene_name, DEMO_NAME, "%s", program->with);
  show->own->typed = true;
  show->own->basis = -1;
  return status;
}

void demoShowNextScene(demoShow *show) {
  demoPrivate *o = show->own;
  o->scene++;
  if (show->program->scenes[o->scene].name)
    return;
  /* one of the user's own stands before the first one */
  o->scene = 0;
  if (o->scene_text)
    o->scene = -1;
}

demoScene *demoShowListScene(const demoShow *show, int k) {
  demoScene *scene = calloc(1, show->program->scene_size);
  const txEmbedded *text = &show->program->scenes[k];
  clError error = {0};
  if (scene && parse(show, scene, text->name, text->text, text->name, &error))
    fprintf(stderr, "%s: %s\n", show->program->name, error.message);
  return scene;
}

void demoShowSaveScene(const demoShow *show, demoState *state) {
  char name[DEMO_NAME] = "";
  const char *text = demoShowSceneText(show);
  snprintf(name, sizeof name, "%s", demoSceneOf(show)->name);
  /* demoStateBytes takes what it may change */
  char *copy = strdup(text);
  demoStateBytes(state, "scene name", name, sizeof name);
  if (copy)
    demoStateBytes(state, "scene", copy, strlen(copy));
  free(copy);
}

clStatus demoShowLoadScene(demoShow *show) {
  demoPrivate *o = show->own;
  const char *name = demoStateText(o->loaded, "scene name"), *asked = show->options.scene;
  if (!name)
    return txFail(&show->error, TEXLA_BAD_FILE, "--load", "%s has no part 'scene name'",
                  show->options.load);
  snprintf(o->scene_name, sizeof o->scene_name, "%s", name);
  if (asked && strcmp(asked, o->scene_name) != 0)
    return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--load",
                  "%s holds --scene %s: leave --scene out", show->options.load, o->scene_name);
  const char *text = demoStateText(o->loaded, "scene");
  if (text)
    o->scene_text = strdup(text);
  o->scene = -1;
  if (!o->scene_text)
    return txFail(&show->error, TEXLA_BAD_FILE, "--load", "%s has no part 'scene'",
                  show->options.load);
  return TEXLA_OK;
}
