/* Scenes as text. A line is a name and, with commas between them, what belongs to it: values in
 * their order, then others by name.
 *
 *     # a wake                                   what stands behind # is a remark
 *     title   wake of a cylinder
 *     size    320, 120
 *     let     r = hypot(x - 0.45, y - 0.505)     a name for a formula, in the lines that follow
 *     solid   r < 0.1
 *     left    inflow, u = 1
 *     parameter D = 0.1, 0, 1, m^2/s             a name for a number, which may be changed from 0
 *                                                to 1, and its unit, if any
 *     fields  prey, hunter                       where there are equations: names for u, v ..., as
 *             good as these
 *     image   map = "map.png"                    ... and for the grey, 0 to 1, of a PNG
 *     u' =    D * lap(u)                         a '=' behind the name is the same as none
 *     probe   0.3, 0.5                           the field is measured there, and plotted over time
 *     along   0.1, 0.5, 0.9, 0.5                 ... and along this line
 *
 * A table of rules says which lines there are and where their values go. */
#ifndef DEMOS_COMMON_SCENE_H
#define DEMOS_COMMON_SCENE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/formula.h"
#include "core/embedded.h"
#include "texla/status.h"

enum {
  DEMO_TEXT = 128,
  DEMO_UNIT = 16,
  DEMO_LETS = 28,
  DEMO_PROBES = 64,
  DEMO_IMAGES = DEMO_PARAMETER - DEMO_IMAGE,
  DEMO_PARAMETERS = DEMO_FIELD - DEMO_PARAMETER,
  DEMO_CALLED = DEMO_VARIABLES - DEMO_FIELD
};

/* A number that a scene has named, and what it may be changed to while the scene runs. */
typedef struct demoParameter {
  char name[DEMO_NAME];
  double value, least, most;
  /* empty: none is told */
  char unit[DEMO_UNIT];
} demoParameter;

/* What all scenes have; a program's own begin with it. */
typedef struct demoScene {
  /* of the file */
  char name[DEMO_NAME];
  char title[DEMO_TEXT], about[DEMO_TEXT];
  /* of the grid, when none is asked for */
  int size[2];
  /* per picture */
  int steps;
  /* shown first */
  int field;
  int lets, parameters, names, images;
  /* lines of what was drawn by hand */
  int strokes;
  /* places where a field is measured (common/probes.h), in heights; and the line along which it is
   * plotted, from here to there: none where both are the same place */
  int probes;
  double probe[DEMO_PROBES][2], along[2][2];
  /* parameters and the fields' names, too */
  demoNamed let[DEMO_LETS];
  /* the fields' names, in the order of u, v, w, q */
  char called[DEMO_CALLED][DEMO_NAME];
  /* files of pictures that have names */
  char image[DEMO_IMAGES][DEMO_TEXT];
  /* where it could not be read: line and column, from 1; column 0: the whole line */
  int wrong[2];
  /* ... because nobody knows this name; empty: because of something else */
  char missing[DEMO_NAME];
  demoParameter parameter[DEMO_PARAMETERS];
} demoScene;

typedef enum demoEntryKind {
  DEMO_END,
  /* int <- its place among `words` */
  DEMO_WORD,
  /* bool <- true, when its name is there, without a value */
  DEMO_FLAG,
  /* char[DEMO_TEXT] <- the rest of the line */
  DEMO_REST,
  /* int <- a whole number */
  DEMO_WHOLE,
  /* double <- a formula without variables */
  DEMO_NUMBER,
  /* float, likewise */
  DEMO_SINGLE,
  /* demoFormula */
  DEMO_FORMULAS,
  /* demoFormula, which may ask for fields and their derivatives */
  DEMO_RATES,
  /* demoEdge: name = formula, or name: word = formula; of fields, but no derivatives */
  DEMO_EDGES,
  /* the rest of a line of what was drawn by hand (common/strokes.h), which is checked; the frame
   * draws it */
  DEMO_STROKES
} demoEntryKind;

typedef struct demoEdge {
  /* 0: none; its place among `words`, from 1; 1 without a word */
  int kind;
  demoFormula formula;
} demoEdge;

typedef struct demoEntry {
  /* NULL: by its place, before all that have names; it must be there */
  const char *name;
  demoEntryKind kind;
  /* within what the rule fills */
  size_t offset;
  /* of a DEMO_WORD, and what stands behind the name of a DEMO_EDGES; NULL behind the last one */
  const char *const *words;
  /* of a number; both 0: any */
  double least, most;
  /* by its place, and may be left out: the last one, and a word before `name = value` */
  bool optional;
} demoEntry;

typedef struct demoRule {
  const char *name;
  /* a DEMO_END behind the last one */
  const demoEntry *entries;
  /* of what it fills, within the scene */
  size_t offset;
  bool needed;
  /* a list: so many lines at most; 0: a single line */
  int most;
  /* of a list: of an element, and where the scene has their number (int) */
  size_t size, count;
} demoRule;

/* The rules of such lines: of one, and of those for obstacles that can be drawn. */
extern const demoEntry demoStrokeEntries[];
#define DEMO_STROKE_RULE(name)                                                                     \
  { name, demoStrokeEntries, 0, false, INT_MAX, 0, offsetof(demoScene, strokes) }
#define DEMO_STROKE_RULES                                                                          \
  DEMO_STROKE_RULE("draw"), DEMO_STROKE_RULE("erase"), DEMO_STROKE_RULE("move")

/* The scenes that the build has put into the program, in the order of its files' names. */
extern const txEmbedded demoScenes[];

/* Fills a scene that is all zeros; `rules` end with one without a name, and `fields` are the words
 * of the line `field`. The message begins "file:line: ", and scene->wrong has the place. */
clStatus demoSceneRead(demoScene *scene, const demoRule *rules, const char *const *fields,
                       const char *text, const char *file, clError *error);

/* Puts the scene's parameters into what formulas may ask for. */
void demoSceneParameters(const demoScene *scene, double variable[DEMO_VARIABLES]);

/* The formula at a place in cells of a grid of that size; all but x and y out of `variable`. */
double demoValueAt(const demoFormula *formula, const double variable[DEMO_VARIABLES],
                   const int size[2], const double place[2]);

/* values[j * nx + i] <- the formula at x = (i + shift[0]) w / nx, y = (j + shift[1]) / ny, with w
 * and the others out of `variable`. */
void demoTabulate(float *values, const demoFormula *formula, const double variable[DEMO_VARIABLES],
                  const int size[2], const double shift[2]);

#endif
