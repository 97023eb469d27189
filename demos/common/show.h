/* The frame of the interactive programs: one run loop for windows and for headless runs, with keys, mouse, text, pictures,
 * movies, statistics and saved states. A program describes itself in a demoProgram and its main calls demoMain.
 *
 * Time passes in steps of the program, a few per picture, whatever the screen does: the same arguments on the same device
 * give the same pictures, in a window and without. Calls of a program return TEXLA_OK, or an error with its message in
 * show->error (demoCheck, demoOutOfMemory); TEXLA_NOT_FINITE from `step` pauses a window. */
#ifndef DEMOS_COMMON_SHOW_H
#define DEMOS_COMMON_SHOW_H

#include <stdio.h>

#include "cli/arguments.h"
#include "common/overlay.h"
#include "common/paint.h"
#include "common/scene.h"
#include "common/state.h"
#include "texla/io.h"
#include "texla/texla.h"

typedef enum demoRange {
  DEMO_FIXED,    /* low..high */
  DEMO_POSITIVE, /* 0 and the largest value */
  DEMO_SIGNED,   /* around 0, as far as it takes */
  DEMO_CENTRED   /* around the mean, likewise */
} demoRange;

/* What is to be seen. */
typedef struct demoView {
  const clVector *values; /* grid layout, the grid's size or a multiple of it */
  demoRange range;
  double low,
      high; /* DEMO_FIXED: at the ends of the colours; others: high is the least distance of an end, low unused */
  clColormap colormap;
  const clVector *tint; /* not NULL: 0..1 in each cell, how much greyer the picture is there */
  bool lit;             /* as a surface in light from the upper left */
  bool clips; /* what is far larger than the rest may lie beyond the ends of the colours, as it does of surfaces in
                         * light; DEMO_FIXED: values may lie there */
  clKernel *kernel; /* not NULL: paints all by itself, with `run` (demoPaintKernel); what stands above is left out */
  const clKernelRun *run;
  bool half;                /* ... at half the size */
  const demoCamera *camera; /* not NULL: the values as a surface seen from there; `aslant`, too */
  bool aslant;  /* ... and a place in it is not that place of the domain: the mouse turns it, and does nothing else */
  bool falling; /* the range follows what grows at once, and calms down slowly; otherwise it follows smoothly */
} demoView;

/* The left button at (x, y) in 0..1 of the domain, after it was at (x - dx, y - dy) one picture ago or less. */
typedef struct demoTouch {
  double x, y, dx, dy;
  bool first;   /* the button went down here: dx = dy = 0 */
  double brush; /* radius, in parts of the domain's height */
  int mode;     /* by demoProgram.modes */
} demoTouch;

/* A column of --stats: the seconds of the passes whose names begin like this. */
typedef struct demoStage {
  const char *column;
  const char *kernels; /* beginnings of names with spaces between: "flow predict,flow step"; NULL: all others */
} demoStage;

typedef struct demoShow demoShow;

typedef struct demoProgram {
  const char *name, *summary;
  const char *examples;        /* lines of --help */
  const demoSceneText *scenes; /* that come with it: demoScenes */
  const demoRule *rules;       /* of their lines, besides those of all programs */
  void *scene;                 /* the one that is shown, filled before `create`; begins with a demoScene */
  size_t scene_size;
  const char *const *fields;           /* names, NULL behind the last one */
  const txOption *options;             /* the program's own; saved states keep their numbers and choices */
  const char *with;                    /* the name of the option --with, where it has another one; NULL: it has not */
  const char *const *modes;            /* of the left button, NULL behind the last one; NULL: one */
  const char *touch_help, *erase_help; /* what the left button, the right button does; NULL: nothing */
  const char *const
      *curves; /* groups of columns that are plotted over time, "drag,lift"; NULL behind the last one. NULL: none */
  const char *columns;      /* of --stats, "dt,kinetic_energy": what `measure` tells; energy_column is steady */
  const char *column_words; /* lines of --help about them; NULL: none */
  int energy_column;
  int change_column;       /* not 0: of what --until-steady looks at, a change in parts per time; 0: the energy's */
  const demoStage *stages; /* NULL behind the last one */
  int cell_bytes; /* of memory that a cell takes in all on a software renderer, measured: textures, solver, picture, the driver's copies */

  /* Makes the simulation of show->options anew at time 0, at rest, with the scene's solid cells in show->solid; the last
   * one is dropped if that works. */
  clStatus (*create)(void *self, demoShow *show);
  /* A scene that differs from the one that runs in its parameters' numbers: they count from the next step on, without a start. False: this one needs a
   * start, and nothing has changed. NULL: all do */
  bool (*tune)(void *self, const demoScene *scene);
  clStatus (*obstacles)(void *self);          /* show->solid has changed (also after create) */
  clStatus (*begin)(void *self);              /* puts in the scene's start */
  clStatus (*step)(void *self, double *time); /* one time step; *time <- of the simulation */
  clStatus (*view)(void *self, int field, demoView *view);
  const char *(*called)(void *self, int field); /* the scene's own name of a field; NULL: it has none. NULL: `fields` */
  clStatus (*vectors)(void *self,
                      demoVectors *vectors); /* of arrows and streamlines; before `view`. NULL: there are none */
  clStatus (*touch)(void *self, const demoTouch *touch); /* NULL: nothing */
  double (*own)(void *self, const char *option); /* what a number amounts to while its option is not given; NULL: 0 */
  /* Saves or loads what `touch` has placed; loading puts it into the simulation. For undo and saved states. NULL: nothing */
  clStatus (*placed)(void *self, demoState *state);
  void (*clear)(void *self);                       /* forgets what `touch` has placed, before `create`; NULL: nothing */
  clStatus (*measure)(void *self, double *values); /* one per column */
  void (*draw)(void *self, demoOverlay *overlay);  /* over a picture; NULL: nothing */
  clStatus (*finish)(void *self);                  /* at the end of a run: writes files of its own; NULL: nothing */
  void (*tell)(void *self, char *text, size_t size); /* a line on the picture: time, iterations, residual */
  void (*announce)(void *self, FILE *file);          /* lines behind the scene's title at the start; NULL: none */
  void (*describe)(void *self);                      /* --verbose: prints on standard error */
  clStatus (*profile)(void *self, FILE *file);       /* --profile */
  clStatus (*state)(void *self, demoState *state);   /* saves or loads all that a step reads and writes */
  void (*destroy)(void *self);
} demoProgram;

typedef struct demoOptions {
  int field, colormap; /* -1: the scene's own */
  int over;            /* demoOver */
  int curves;          /* 0: none, k: group k - 1 of the program's */
  int size[2];
  int64_t steps;                           /* per picture */
  int64_t frames;                          /* 0: not given */
  int64_t seed;                            /* of demoRandom */
  double dt;                               /* 0: the program's own */
  double end, steady;                      /* 0: not given */
  bool headless, record, lines, unwritten; /* unwritten: pictures are painted and stay on the device */
  const char *scene, *with, *set, *obstacles, *probes, *probe_csv, *out, *stats, *profile, *save, *load;
} demoOptions;

struct demoShow { /* for the programs: what is above the line */
  demoOptions options;
  clContext *context;
  uint8_t *solid; /* nx * ny, row 0 at the bottom */
  clError error;
  /* --- */
  const demoProgram *program;
  void *self;
  struct demoPrivate *own;
};

/* The program's main function. Runs what the arguments ask for; returns the exit status. */
int demoMain(const demoProgram *program, void *self, int argc, char **argv);

const demoScene *demoSceneOf(const demoShow *show);
int64_t demoSteps(const demoShow *show); /* per picture, now */
int demoField(const demoShow *show);     /* that is shown */
int demoScale(const demoShow *show);     /* pixels per cell */

/* Keeps the message of a call on the context; what is not an error becomes TEXLA_OK. */
clStatus demoCheck(demoShow *show, clStatus status);
clStatus demoOutOfMemory(demoShow *show);

/* What the scene's formulas may ask for, in a domain of height 1, with the scene's parameters; the place, time and viscosity are 0. */
void demoVariables(const demoShow *show, double variable[DEMO_VARIABLES]);

/* show->solid <- 1 where one of the formulas is not 0, in the middle of a cell. */
clStatus demoSolid(demoShow *show, const demoFormula *formulas, int count, const double variable[DEMO_VARIABLES]);

#endif
