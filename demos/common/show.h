/* The frame of the interactive programs: one run loop for windows and for headless runs, with keys,
 * mouse, text, pictures, movies, statistics and saved states. A program describes itself in a
 * demoProgram and its main calls demoMain.
 *
 * Time passes in steps of the program, a few per picture, whatever the screen does: the same
 * arguments on the same device give the same pictures, in a window and without. Calls of a program
 * return TEXLA_OK, or an error with its message in show->error (demoCheck, demoOutOfMemory);
 * TEXLA_NOT_FINITE from `step` pauses a window. */
#ifndef DEMOS_COMMON_SHOW_H
#define DEMOS_COMMON_SHOW_H

#include <stdio.h>

#include "program/arguments.h"
#include "common/overlay.h"
#include "common/paint.h"
#include "common/scene.h"
#include "common/state.h"
#include "common/strokes.h"
#include "texla/io.h"
#include "texla/sim.h"

typedef enum demoRange {
  /* low..high */
  DEMO_FIXED,
  /* 0 and the largest value */
  DEMO_POSITIVE,
  /* around 0, as far as it takes */
  DEMO_SIGNED,
  /* around the mean, likewise */
  DEMO_CENTRED,
  /* as the values are: positive, or signed once some are negative, with colours of such a kind */
  DEMO_BY_VALUES
} demoRange;

/* What is to be seen. */
typedef struct demoView {
  /* grid layout, the grid's size or a multiple of it */
  const clVector *values;
  demoRange range;
  double low,
      /* DEMO_FIXED: at the ends of the colours; others: high is the least distance of an end, low
       * unused */
      high;
  clColormap colormap;
  /* not NULL: 0..1 in each cell, how much greyer the picture is there */
  const clVector *tint;
  /* as a surface in light from the upper left */
  bool lit;
  /* what is far larger than the rest may lie beyond the ends of the colours, as it does of surfaces
   * in light; DEMO_FIXED: values may lie there */
  bool clips;
  /* not NULL: paints all by itself, with `run` (demoPaintKernel); what stands above is left out */
  clKernel *kernel;
  const clKernelRun *run;
  /* ... at half the size */
  bool half;
  /* not NULL: the values as a surface seen from there; `aslant`, too */
  const demoCamera *camera;
  /* ... and a place in it is not that place of the domain: the mouse turns it, and does nothing
   * else */
  bool aslant;
  /* the range follows what grows at once, and calms down slowly; otherwise it follows smoothly */
  bool falling;
  /* ... and stays while they decay, so that this is seen, until little of it is used */
  bool keeps;
} demoView;

/* The left button at (x, y) in 0..1 of the domain, after it was at (x - dx, y - dy) one picture ago
 * or less. */
typedef struct demoTouch {
  double x, y, dx, dy;
  /* the button went down here: dx = dy = 0 */
  bool first;
  /* radius, in parts of the domain's height */
  double brush;
  /* by demoProgram.modes */
  int mode;
} demoTouch;

/* A row of the form in which a window shows the scene's text: a value of one of its lines. */
typedef struct demoFormRow {
  /* the line's first word, and the value's name in it: "" its first value, NULL all of it; u, v, w
   * and q stand for the scene's own names */
  const char *word, *name;
  /* "%s =", with the value's name in it, or else the word */
  const char *label;
  const char *help;
  /* it is one of these, the first one where it is not given; NULL: it is typed */
  const char *const *choices;
  /* the row so many places on has this value where one of both has it; 0: there is none */
  int twin;
  const char *shared;
  /* it is shown where the row so many places on is not empty; 0: always */
  int needs;
  /* starts the scene anew */
  bool anew;
} demoFormRow;

/* A column of --stats: the seconds of the passes whose names begin like this. */
typedef struct demoStage {
  const char *column;
  /* beginnings of names with spaces between: "flow predict,flow step"; NULL: all others */
  const char *kernels;
} demoStage;

/* The most columns of --stats that a program may have. */
enum { DEMO_COLUMNS = 64 };

typedef struct demoShow demoShow;

typedef struct demoProgram {
  const char *name, *summary;
  /* lines of --help */
  const char *examples;
  /* that come with it: demoScenes */
  const txEmbedded *scenes;
  /* of their lines, besides those of all programs */
  const demoRule *rules;
  /* the one that is shown, filled before `create`; begins with a demoScene */
  void *scene;
  size_t scene_size;
  /* names, NULL behind the last one */
  const char *const *fields;
  /* the program's own; saved states keep their numbers and choices */
  const txOption *options;
  /* the name of the option --with, where it has another one; NULL: it has not */
  const char *with;
  /* of the left button, NULL behind the last one; NULL: one */
  const char *const *modes;
  /* of each mode: the kind of lines that `paint` makes; 0: `touch` is called. NULL: of all modes */
  const demoStrokeKind *paints;
  /* what the left button, the right button does; NULL: nothing */
  const char *touch_help, *erase_help;
  /* groups of columns that are plotted over time, "drag,lift"; NULL behind the last one. NULL:
   * none */
  const char *const *curves;
  /* of --stats, "dt,kinetic_energy": what `measure` tells; energy_column is steady */
  const char *columns;
  /* the other lines of a scene that `with` makes where none was asked for, if one of its lines
   * begins with the first rule's word; NULL: `with` changes the first scene */
  const char *blank;
  /* of the scene's text; ends with a row without a word. NULL: there is none */
  const demoFormRow *form;
  /* their units, likewise; empty where there is none. NULL: all are numbers */
  const char *units;
  /* of the time, "s"; NULL: the scene's own */
  const char *time_unit;
  /* lines of --help about them; NULL: none */
  const char *column_words;
  int energy_column;
  /* not 0: of what --until-steady looks at, a change in parts per time; 0: the energy's */
  int change_column;
  /* NULL behind the last one */
  const demoStage *stages;
  /* of memory that a cell takes in all on a software renderer, measured: textures, solver, picture,
   * the driver's copies */
  int cell_bytes;

  /* Makes the simulation of show->options anew at time 0, at rest, with the scene's solid cells in
   * show->solid and show->walls; the last one is dropped if that works. */
  clStatus (*create)(void *self, demoShow *show);
  /* A scene that differs from the one that runs in its parameters' numbers: they count from the
   * next step on, without a start. False: this one needs a start, and nothing has changed. NULL:
   * all do */
  bool (*tune)(void *self, const demoScene *scene);
  /* show->solid and show->walls have changed (also after create), or what `paint` paints */
  clStatus (*obstacles)(void *self);
  /* puts in the scene's start */
  clStatus (*begin)(void *self);
  /* one time step; *time <- of the simulation */
  clStatus (*step)(void *self, double *time);
  clStatus (*view)(void *self, int field, demoView *view);
  /* what probes read if a kernel paints the view by itself; NULL: nothing */
  clStatus (*values)(void *self, const clVector **values);
  /* the scene's own name of a field; NULL: it has none. NULL: `fields` */
  const char *(*called)(void *self, int field);
  /* of arrows and streamlines; before `view`. NULL: there are none */
  clStatus (*vectors)(void *self, demoVectors *vectors);
  /* NULL: nothing */
  clStatus (*touch)(void *self, const demoTouch *touch);
  /* The same as `touch`, of a mode that `paints`: a dab of the brush, which becomes a part of the
   * scene's text. After `create` those of the scene come anew. NULL: there are none */
  clStatus (*paint)(void *self, const demoTouch *touch);
  /* ... and these belong to the scene's start: they come after `begin`, and later ones are no
   * parts */
  bool paints_start;
  /* Of what `touch` has placed: the word of the scene's lines that have been replaced by others,
   * which it writes into the file, if there is one. NULL: nothing has been placed. NULL: never */
  const char *(*list)(void *self, FILE *file);
  /* what a number amounts to while its option is not given; NULL: 0 */
  double (*own)(void *self, const char *option);
  /* Saves or loads what `touch` has placed; loading puts it into the simulation. For undo and saved
   * states. NULL: nothing */
  clStatus (*placed)(void *self, demoState *state);
  /* forgets what `touch` has placed, before `create`; NULL: nothing */
  void (*clear)(void *self);
  /* one per column */
  clStatus (*measure)(void *self, double *values);
  /* rgb <- what a scene looks like at first in a place, x and y of the variables, in heights of its
   * domain: from its formulas alone, for a small picture in a menu. NULL: there are none */
  void (*sketch)(const demoScene *scene, const double variable[DEMO_VARIABLES], uint8_t rgb[3]);
  /* over a picture; NULL: nothing */
  void (*draw)(void *self, demoOverlay *overlay);
  /* does `draw` have plots, now? NULL: never */
  bool (*plots)(void *self);
  /* is there something to plot of this group of curves, now? NULL: always */
  bool (*has_curves)(void *self, int group);
  /* at the end of a run: writes files of its own; NULL: nothing */
  clStatus (*finish)(void *self);
  /* a line on the picture: time, iterations, residual */
  void (*tell)(void *self, char *text, size_t size);
  /* lines behind the scene's title at the start; NULL: none */
  void (*announce)(void *self, FILE *file);
  /* --verbose: prints on standard error */
  void (*describe)(void *self);
  /* --profile */
  clStatus (*profile)(void *self, FILE *file);
  /* saves or loads all that a step reads and writes */
  clStatus (*state)(void *self, demoState *state);
  void (*destroy)(void *self);
} demoProgram;

typedef struct demoOptions {
  /* -1: the scene's own */
  int field, colormap;
  /* demoOver */
  int over;
  /* 0: none, k: group k - 1 of the program's */
  int curves;
  int size[2];
  /* per picture */
  int64_t steps;
  /* 0: not given */
  int64_t frames;
  /* of demoRandom */
  int64_t seed;
  /* from where surfaces are seen */
  demoCamera camera;
  /* the ends of the colours are held at these; not where they are the same */
  double ends[2];
  /* 0: the program's own */
  double dt;
  /* 0: not given */
  double end, steady;
  /* unwritten: pictures are painted and stay on the device */
  bool headless, record, lines, unwritten;
  const char *scene, *with, *set, *obstacles, *probes, *probe_csv, *out, *stats, *profile, *save,
      *load;
} demoOptions;

/* for the programs: what is above the line */
struct demoShow {
  demoOptions options;
  clContext *context;
  /* nx * ny, row 0 at the bottom: 1 in obstacles; and the distances of the cells' middles from
   * where these end, in cells, negative within (DEMO_FAR: there are none) */
  uint8_t *solid;
  float *walls;
  clError error;
  /* --- */
  const demoProgram *program;
  void *self;
  struct demoPrivate *own;
};

/* The program's main function. Runs what the arguments ask for; returns the exit status. */
int demoMain(const demoProgram *program, void *self, int argc, char **argv);

const demoScene *demoSceneOf(const demoShow *show);
/* per picture, now */
int64_t demoSteps(const demoShow *show);
/* After so many steps, is it time to look whether all is finite? For each picture of a run without
 * a window, for the first step and for some pictures of those in a window: who looks waits for the
 * device. */
bool demoLooks(const demoShow *show, int64_t steps);
/* that is shown */
int demoField(const demoShow *show);
/* pixels per cell */
int demoScale(const demoShow *show);

/* Keeps the message of a call on the context; what is not an error becomes TEXLA_OK. */
clStatus demoCheck(demoShow *show, clStatus status);
clStatus demoOutOfMemory(demoShow *show);

/* Saves or loads a vector's values as a part of a state. */
clStatus demoStateVector(demoShow *show, demoState *state, const char *name, clVector *vector);

/* What the scene's formulas may ask for, in a domain of height 1, with the scene's parameters; the
 * place, time and viscosity are 0. */
void demoVariables(const demoShow *show, double variable[DEMO_VARIABLES]);

/* show->solid <- 1 where one of the formulas is not 0, in the middle of a cell; show->walls, which
 * goes through cells. */
clStatus demoSolid(demoShow *show, const demoFormula *formulas, int count,
                   const double variable[DEMO_VARIABLES]);

#endif
