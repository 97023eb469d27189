/* The form of a scene in the panel: its equations, starts and edges, each in a field of its own.
 * What is typed becomes a line of the scene's text and runs a moment later; names that nobody knows
 * become parameters, which have sliders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/lines.h"
#include "common/show_private.h"
#include "core/try.h"

/* seconds without a key after which what has been typed runs */
static const double pause_typing = 0.5;

/* The scene's own name of u, v, w, q, as "u" or as the beginning of "u'". */
static void nameOwn(const demoScene *scene, const char *name, char own[DEMO_NAME + 2]) {
  int field = (int)strcspn(demoLetters, (char[]){*name, 0});
  bool whole = *name && (!name[1] || strcmp(name + 1, "'") == 0);
  if (whole && field < scene->names)
    snprintf(own, DEMO_NAME + 2, "%s%s", scene->called[field], name + 1);
  else
    snprintf(own, DEMO_NAME + 2, "%s", name);
}

/* A row's word and name as the scene calls them. */
typedef struct Called {
  char word[DEMO_NAME + 2], room[DEMO_NAME + 2];
  /* NULL where the row has none */
  const char *name;
} Called;

static void callRow(const demoShow *show, const demoFormRow *row, Called *called) {
  const demoScene *scene = demoSceneOf(show);
  nameOwn(scene, row->word, called->word);
  called->name = NULL;
  if (!row->name)
    return;
  nameOwn(scene, row->name, called->room);
  called->name = called->room;
}

/* Where the row's value stands in a text: under the fields' own names, or under u, v, w, q. */
static bool findRow(const demoShow *show, const char *text, const demoFormRow *row,
                    demoSpan *value) {
  Called own;
  callRow(show, row, &own);
  return demoLinesFind(text, own.word, own.name, value) ||
         demoLinesFind(text, row->word, row->name, value) ||
         demoLinesFind(text, own.word, row->name, value) ||
         demoLinesFind(text, row->word, own.name, value);
}

static char *putRow(const demoShow *show, const char *text, const demoFormRow *row,
                    const char *value) {
  Called own;
  callRow(show, row, &own);
  if (demoLinesHave(text, row->word))
    return demoLinesWith(text, row->word, own.name, value);
  return demoLinesWith(text, own.word, own.name, value);
}

/* --- what is typed --- */

/* The text with a parameter of the name that it asks for and nobody knows; the same one where there
 * is no such name. *status <- of reading it. NULL: no memory. */
static char *nameMissing(demoShow *show, char *text, clStatus *status) {
  demoScene *scene = NULL;
  char words[DEMO_NAME + 16];
  *status = demoShowParse(show, text, &scene);
  bool misses = *status && scene && *scene->missing;
  if (misses) {
    snprintf(words, sizeof words, "parameter %s", scene->missing);
    misses = !demoLinesHave(text, words);
  }
  if (misses)
    text = demoLinesName(text, scene->missing);
  free(scene);
  return text;
}

/* The scene's text with what has been typed, and the parameters that this takes; *status <- of
 * reading it, and own->wrong the place. The caller's; NULL: no memory. */
static char *compose(demoShow *show, clStatus *status) {
  demoForm *form = &show->own->form;
  char *text = demoLinesForget(demoShowSceneText(show));
  *status = TEXLA_OUT_OF_MEMORY;
  for (int k = 0; text && show->program->form[k].word; k++) {
    if (!form->typed[k])
      continue;
    char *next = putRow(show, text, &show->program->form[k], form->text[k]);
    free(text);
    text = next;
  }
  for (int k = 0; text && k <= DEMO_PARAMETERS; k++) {
    char *next = nameMissing(show, text, status);
    if (next == text)
      break;
    free(text);
    text = next;
  }
  if (!text)
    return NULL;
  char *used = demoLinesForget(text);
  free(text);
  return used;
}

/* Where the line of that number begins. */
static size_t beginOf(const char *text, int line) {
  const char *at = text;
  for (int k = 1; k < line && *at; k++) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return (size_t)(at - text);
}

/* The message without the place in a text that the reader has not seen. */
static const char *withoutPlace(const char *message, const int wrong[2]) {
  const char *at = strstr(message, ": ");
  if (wrong[1] > 0)
    at = strstr(message, ": column ");
  if (at)
    at = strstr(at + 2, ": ");
  if (!at)
    return message;
  return at + 2;
}

/* The complaint stands at the row it is about: where own->wrong lies in the text. */
static void complain(demoShow *show, const char *text) {
  demoPrivate *o = show->own;
  demoForm *form = &o->form;
  size_t line = beginOf(text, o->wrong[0]), end = line + strcspn(text + line, "\n");
  bool placed = o->wrong[1] > 0;
  size_t column = 0;
  if (placed)
    column = (size_t)o->wrong[1] - 1;
  const char *row = "none";
  form->wrong = -1;
  snprintf(form->complaint, sizeof form->complaint, "%s",
           withoutPlace(show->error.message, o->wrong));
  for (int k = 0; show->program->form[k].word; k++) {
    demoSpan value;
    bool found = o->wrong[0] > 0 && findRow(show, text, &show->program->form[k], &value);
    bool within = found && value.begin >= line && value.end <= end;
    if (within && placed)
      within = line + column >= value.begin && line + column <= value.end;
    if (!within)
      continue;
    form->wrong = k;
    form->column = -1;
    if (placed)
      form->column = (int)(line + column - value.begin);
    row = form->label[k];
    break;
  }
  if (o->common.verbose)
    fprintf(stderr, "%s: form: %s: at %s, character %d\n", show->program->name, form->complaint,
            row, form->column);
  show->error = (clError){0};
}

/* Runs it. A start begins anew; an equation goes on from what is there. */
static clStatus runForm(demoShow *show) {
  demoPrivate *o = show->own;
  demoForm *form = &o->form;
  clStatus wrong, status = TEXLA_OK;
  char *text = compose(show, &wrong);
  bool anew = false;
  if (!text)
    return demoOutOfMemory(show);
  form->due = 0;
  for (int k = 0; show->program->form[k].word; k++)
    anew |= form->typed[k] && show->program->form[k].anew;
  if (wrong) {
    complain(show, text);
  } else if (strcmp(text, demoShowSceneText(show)) != 0) {
    status = demoShowRunText(show, text, !anew);
    snprintf(form->complaint, sizeof form->complaint, "%s", o->complaint);
    form->wrong = -1;
    if (*o->complaint)
      wrong = TEXLA_BAD_FILE;
    *o->complaint = 0;
  }
  if (!wrong)
    memset(form->typed, 0, sizeof form->typed);
  free(text);
  return status;
}

/* What is wrong is told while it is typed. */
static clStatus look(demoShow *show) {
  clStatus wrong;
  char *text = compose(show, &wrong);
  if (!text)
    return demoOutOfMemory(show);
  *show->own->form.complaint = 0;
  if (wrong)
    complain(show, text);
  free(text);
  return TEXLA_OK;
}

/* Some values two rows share: a domain that is periodic is so on both sides. */
static void pairRow(demoShow *show, int k) {
  const demoFormRow *row = &show->program->form[k];
  demoForm *form = &show->own->form;
  if (!row->twin || !row->shared)
    return;
  int twin = k + row->twin;
  if (strcmp(form->text[k], row->shared) != 0 && strcmp(form->text[twin], row->shared) != 0)
    return;
  memcpy(form->text[twin], form->text[k], DEMO_ROW_TEXT);
  form->typed[twin] = true;
}

/* --- what is shown --- */

/* What the text says, where nothing else is being typed. */
static void fillRow(demoShow *show, int k) {
  const demoFormRow *row = &show->program->form[k];
  demoForm *form = &show->own->form;
  const char *text = demoShowSceneText(show);
  demoSpan value = {0, 0};
  if (form->typed[k])
    return;
  bool found = findRow(show, text, row, &value);
  snprintf(form->text[k], DEMO_ROW_TEXT, "%.*s", (int)(value.end - value.begin),
           text + value.begin);
  if (!found && row->choices)
    snprintf(form->text[k], DEMO_ROW_TEXT, "%s", row->choices[0]);
}

int demoShowListForm(demoShow *show, demoPanelLine *lines) {
  demoForm *form = &show->own->form;
  const demoFormRow *rows = show->program->form;
  int count = 0;
  for (; rows && rows[count].word && count < DEMO_ROWS; count++) {
    const demoFormRow *row = &rows[count];
    char *label = form->label[count];
    Called own;
    fillRow(show, count);
    callRow(show, row, &own);
    if (own.name && *own.name)
      snprintf(label, DEMO_LABEL, row->label, own.name);
    else
      snprintf(label, DEMO_LABEL, row->label, own.word);
    lines[count] = (demoPanelLine){.label = label,
                                   .help = row->help,
                                   .choices = row->choices,
                                   .text = form->text[count],
                                   .room = DEMO_ROW_TEXT,
                                   .shown = !row->needs || *form->text[count + row->needs],
                                   .wrong = *form->complaint && form->wrong == count,
                                   .column = form->column};
  }
  return count;
}

clStatus demoShowTakeForm(demoShow *show, const demoPanelView *view) {
  demoForm *form = &show->own->form;
  if (!show->program->form)
    return TEXLA_OK;
  if (view->typed >= 0) {
    form->typed[view->typed] = true;
    form->due = demoSeconds() + pause_typing;
    pairRow(show, view->typed);
    TRY(look(show));
  }
  if (view->entered && form->due > 0)
    form->due = demoSeconds();
  if (form->due > 0 && demoSeconds() >= form->due)
    return runForm(show);
  return TEXLA_OK;
}
