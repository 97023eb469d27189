/* Which scene is shown: one that comes with the program, one of a file, or one of a saved state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/input.h"

enum { LARGEST_FILE = 1 << 20 };

static bool isFile(const char *name) {
  size_t length = strlen(name);
  return length > 6 && strcmp(name + length - 6, ".scene") == 0;
}

/* A file's name without folders and ending. */
static void nameOf(char name[DEMO_NAME], const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  int length = (int)strcspn(base, ".");
  snprintf(name, DEMO_NAME, "%.*s", length < DEMO_NAME ? length : DEMO_NAME - 1, base);
}

static clStatus noScene(demoShow *show, const char *asked) {
  const demoSceneText *scenes = show->program->scenes;
  char names[1024] = "";
  int count = 0;
  size_t used = 0;
  for (; scenes[count].name && used < sizeof names; count++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", count ? ", " : "", scenes[count].name);
  const char *nearest = txNearestName(asked, &scenes[0].name, count, sizeof *scenes);
  return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--scene", "'%s' must be one of %s, or a file FILE.scene%s%s%s",
                asked, names, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

clStatus demoShowFindScene(demoShow *show) {
  const char *asked = show->options.scene;
  demoPrivate *o = show->own;
  if (o->scene_text) /* it was loaded */
    return TEXLA_OK;
  o->scene = asked && isFile(asked) ? -1 : 0;
  if (!asked || o->scene < 0)
    return TEXLA_OK;
  const demoSceneText *scenes = show->program->scenes;
  while (scenes[o->scene].name && strcmp(scenes[o->scene].name, asked) != 0)
    o->scene++;
  return scenes[o->scene].name ? TEXLA_OK : noScene(show, asked);
}

static clStatus readFile(demoShow *show) {
  char *text = NULL;
  const char *path = show->options.scene;
  clStatus status = txInputRead(&text, NULL, path, LARGEST_FILE, "--scene", &show->error);
  if (!status && !text)
    status = txFail(&show->error, TEXLA_IO_ERROR, "--scene", "cannot open %s: there is no such file", path);
  if (status)
    return status;
  free(show->own->scene_text);
  show->own->scene_text = text;
  nameOf(show->own->scene_name, path);
  return TEXLA_OK;
}

/* The first word of a line. */
static const char *wordOf(const char *line, size_t *length) {
  line += strspn(line, " \t\n;");
  *length = strcspn(line, " \t\n;");
  return line;
}

/* Does one of the lines, with semicolons between, begin with that word? */
static bool replaces(const char *lines, const char *word, size_t length) {
  for (size_t n = 0; *lines; lines += strcspn(lines, ";"), lines += *lines == ';') {
    const char *first = wordOf(lines, &n);
    if (n > 0 && n == length && strncmp(first, word, n) == 0)
      return true;
  }
  return false;
}

/* A scene's text, with other lines instead of those that begin with the same words. The caller's; NULL: no memory. */
static char *varied(const char *text, const char *lines) {
  char *out = malloc(strlen(text) + strlen(lines) + 3), *end = out;
  while (out && *text) {
    size_t length = strcspn(text, "\n"), n = 0;
    const char *word = wordOf(text, &n);
    bool stays = word > text + length || n == 0 || !replaces(lines, word, n);
    if (stays) {
      memcpy(end, text, length);
      end += length;
    }
    *end++ = '\n'; /* lines keep their numbers */
    text += length + (text[length] == '\n');
  }
  for (; out && *lines; lines++)
    *end++ = (char)(*lines == ';' ? '\n' : *lines);
  if (out)
    memcpy(end, "\n", 2);
  return out;
}

/* --with: the scene that was asked for becomes one of its own. */
static clStatus vary(demoShow *show, const char *name, const char *text) {
  demoPrivate *o = show->own;
  char *own = varied(text, show->options.with);
  if (!own)
    return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "--with", "no memory for the scene %s", name);
  if (o->scene >= 0)
    snprintf(o->scene_name, sizeof o->scene_name, "%s", name);
  free(o->scene_text);
  o->scene_text = own;
  o->scene = -1;
  o->varied = true;
  return TEXLA_OK;
}

static clStatus parse(const demoShow *show, demoScene *scene, const char *name, const char *text, const char *file,
                      clError *error) {
  snprintf(scene->name, sizeof scene->name, "%s", name);
  return demoSceneRead(scene, show->program->rules, show->program->fields, text, file, error);
}

clStatus demoShowReadScene(demoShow *show) {
  demoPrivate *o = show->own;
  bool own = o->scene < 0, file = own && show->options.scene && isFile(show->options.scene) && !show->options.load;
  clStatus status = file ? readFile(show) : TEXLA_OK;
  if (status)
    return status;
  const char *name = own ? o->scene_name : show->program->scenes[o->scene].name;
  const char *text = own ? o->scene_text : show->program->scenes[o->scene].text;
  if (show->options.with && (own || !o->varied)) {
    status = vary(show, name, text);
    if (status)
      return status;
    name = o->scene_name;
    text = o->scene_text;
  }
  demoScene *scene = calloc(1, show->program->scene_size);
  if (!scene)
    return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "--scene", "no memory for the scene %s", name);
  status = parse(show, scene, name, text, file ? show->options.scene : name, &show->error);
  if (!status)
    memcpy(show->program->scene, scene, show->program->scene_size);
  free(scene);
  return status;
}

void demoShowNextScene(demoShow *show) {
  demoPrivate *o = show->own;
  o->scene = show->program->scenes[o->scene + 1].name ? o->scene + 1 : o->scene_text ? -1 : 0;
}

demoScene *demoShowListScene(const demoShow *show, int k) {
  demoScene *scene = calloc(1, show->program->scene_size);
  const demoSceneText *text = &show->program->scenes[k];
  clError error = {0};
  if (scene && parse(show, scene, text->name, text->text, text->name, &error))
    fprintf(stderr, "%s: %s\n", show->program->name, error.message);
  return scene;
}

void demoShowSaveScene(const demoShow *show, demoState *state) {
  const demoPrivate *o = show->own;
  char name[DEMO_NAME] = "";
  const char *text = o->scene < 0 ? o->scene_text : show->program->scenes[o->scene].text;
  snprintf(name, sizeof name, "%s", demoSceneOf(show)->name);
  char *copy = strdup(text); /* demoStateBytes takes what it may change */
  demoStateBytes(state, "scene name", name, sizeof name);
  if (copy)
    demoStateBytes(state, "scene", copy, strlen(copy));
  free(copy);
}

clStatus demoShowLoadScene(demoShow *show) {
  demoPrivate *o = show->own;
  const char *name = demoStateText(o->loaded, "scene name"), *asked = show->options.scene;
  if (!name)
    return txFail(&show->error, TEXLA_BAD_FILE, "--load", "%s has no part 'scene name'", show->options.load);
  snprintf(o->scene_name, sizeof o->scene_name, "%s", name);
  if (asked && strcmp(asked, o->scene_name) != 0)
    return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--load", "%s holds --scene %s: leave --scene out",
                  show->options.load, o->scene_name);
  const char *text = demoStateText(o->loaded, "scene");
  o->scene_text = text ? strdup(text) : NULL;
  o->scene = -1;
  return o->scene_text ? TEXLA_OK
                       : txFail(&show->error, TEXLA_BAD_FILE, "--load", "%s has no part 'scene'", show->options.load);
}
