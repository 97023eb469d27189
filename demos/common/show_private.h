/* What the parts of the frame share: show.c (the run), show_arguments.c, show_window.c (what happens in a window). */
#ifndef DEMOS_COMMON_SHOW_PRIVATE_H
#define DEMOS_COMMON_SHOW_PRIVATE_H

#include "cli/program.h"
#include "common/paint.h"
#include "common/probes.h"
#include "common/record.h"
#include "common/show.h"
#include "common/stats.h"
#include "common/text.h"
#include "common/window.h"

enum {
  DEMO_MOST_OPTIONS = 48,
  DEMO_KEPT = 24 /* states to go back to */,
  DEMO_UNDO = 16,
  DEMO_CURVES = 4,
  DEMO_GROUPS = 12,
  DEMO_MOST_FIELDS = 16,
  DEMO_EDITOR = 1 << 15 /* bytes */
};

typedef struct demoPrivate {
  txProgram cli;
  txCommon common;
  txOption table[DEMO_MOST_OPTIONS];
  bool given[DEMO_MOST_OPTIONS];  /* on the command line */
  bool kept[DEMO_MOST_OPTIONS];   /* to be saved: given, or loaded */
  bool scenes[DEMO_MOST_OPTIONS]; /* a choice that the scene makes, while it is not given */
  const char *maps[TEXLA_COLORMAP_COUNT + 1];
  int scene;        /* its place among the program's; -1: a file's, or a saved state's */
  char *scene_text; /* of a file or a state */
  bool varied;      /* --with and --set have been heeded */
  bool typed;       /* the text has been changed in the window: its file is not read any more */
  int wrong[2];     /* line and column of what was wrong in the last text; column 0: all of the line */
  char scene_name[DEMO_NAME];
  demoState *loaded;
  demoWindow *window;
  clError no_window;
  demoPaint *paint;
  demoOverlay overlay;
  demoImage image; /* the picture with its overlay, once it has been read */
  bool read;
  demoRecord record;
  demoStats stats;
  char film[4160];   /* the name of a recording that a key has begun */
  int nx, ny, scale; /* cells; pixels per cell in files, along each axis */
  bool aslant;       /* demoView's */
  bool barred;       /* the picture has a colour bar, of this map */
  clColormap map;
  bool fills; /* the field fills the window, whatever the shape of its cells becomes */
  bool sized; /* by the user */
  double time, range, energy, change, brush;
  double drawing, stepping;         /* seconds in all */
  int64_t steps, frame, done, made; /* done: steps since the program began; made: for the last picture */
  double x, y;                      /* of the last touch */
  double stroke[2];                 /* where an obstacle was drawn last, in cells */
  uint8_t *rest, *moved;            /* while an obstacle is moved: all others, and this one where it was; NULL: none */
  int grip[2];                      /* the cell where it was taken */
  int mode;                         /* of the left button */
  demoProbes probes;
  const char *curve_groups[DEMO_GROUPS + 2]; /* "none" before the program's */
  float curve[DEMO_CURVES][DEMO_SAMPLES];    /* what is plotted over time: a ring, ... */
  int curve_samples, curve_group;            /* ... of so many so far, of this group */
  float *values;                             /* of the field that is shown, on the host, while `valued` */
  int columns, rows;
  bool valued, looks, inside; /* looks: the value under the cursor is wanted; inside: the cursor is in the picture */
  double cursor[2];           /* in heights of the domain */
  struct {
    demoState *state;
    double time;
  } past[DEMO_KEPT]; /* the oldest first */
  int keeps;
  bool lines;           /* of equal values */
  bool below, above;    /* values lie beyond the ends of the colours */
  char *editor;         /* the scene's text in the window, DEMO_EDITOR bytes; NULL: not yet */
  bool edits, edited;   /* it is shown; something has been typed that does not run yet */
  char complaint[1024]; /* what is wrong with it; empty: nothing */
  double slider[DEMO_PARAMETERS];
  txOption slider_item[DEMO_PARAMETERS];
  bool panel, holds;          /* the panel is shown; the range of the colours is held, ... */
  double held[2], ends[2];    /* ... at this; what it was last */
  demoState *undo[DEMO_UNDO]; /* obstacles, and what the program has placed, before the last strokes */
  int undos;
  bool own_solid, square; /* own_solid: obstacles have been drawn, and R leaves them; square: the brush */
  char notice[1200];      /* what went wrong, ... */
  double noticed;         /* ... shown until then */
  bool paused, over, no_bar, no_text, help, erases, shoots;
  bool drawn;         /* stones that the simulation does not know yet */
  double taken;       /* until then it need not */
  char message[1024]; /* why it pauses */
} demoPrivate;

clStatus demoShowStart(demoShow *show);   /* the scene anew, at time 0 */
clStatus demoShowStep(demoShow *show);    /* one */
clStatus demoShowPicture(demoShow *show); /* the steps of one picture */
/* The values of the field that is shown, or of none (value NULL) where a picture is made of something else. One read-back, if any. */
clStatus demoShowValues(demoShow *show, demoFieldValues *field);
FILE *demoShowMessages(const demoShow *show);             /* where messages go */
clStatus demoShowState(demoShow *show, demoState *state); /* saves or loads the frame's part, then the program's */
clStatus demoShowNow(demoShow *show, demoState **out);    /* a state of now in memory, to be loaded; the caller's */
clStatus demoShowSave(demoShow *show);                    /* --save */
clStatus demoShowKeep(demoShow *show);                    /* the state of now, to go back to */
clStatus demoShowBack(demoShow *show);                    /* to the last state kept that lies before now */
void demoShowForget(demoShow *show);                      /* all kept states */
clStatus demoShowPaint(demoShow *show);                   /* the picture, on the device */
/* Where the field lies in a picture of `size` pixels, beside its bar. */
demoFrame demoShowFrame(const demoShow *show, const int size[2]);
/* own->overlay <- what stands over such a picture. */
clStatus demoShowOverlay(demoShow *show, const int size[2], const demoFrame *field);
clStatus demoShowFit(demoShow *show);  /* own->image: the size of what is shown, with its bar beside it */
clStatus demoShowRead(demoShow *show); /* own->image <- picture and overlay, for files; one read-back a picture */
clStatus demoShowStartRecord(demoShow *show, const char *out);
clColormap demoShowColormap(demoShow *show, clColormap own);
/* A line of the help: the key, and from DEMO_KEY_COLUMN on what it does; false behind the last one. */
enum { DEMO_KEY_COLUMN = 14, DEMO_KEY_LINE = 96 };
bool demoShowKeys(const demoShow *show, int line, char text[DEMO_KEY_LINE]);

/* --- scenes, show_scene.c --- */

clStatus
demoShowFindScene(demoShow *show); /* the one that --scene asks for, or that was loaded; the first one otherwise */
clStatus demoShowReadScene(
    demoShow *show); /* its text, anew from the user's file; a wrong one leaves the scene that was shown */
void demoShowNextScene(demoShow *show);              /* a file's or a state's own one comes last */
const char *demoShowSceneText(const demoShow *show); /* as it is shown, owned by `own` */
/* The scene becomes one of its own, of this text, at the next start; a wrong text changes nothing. */
clStatus demoShowTypeScene(demoShow *show, const char *text);
/* A text with another value of one of its parameters: the caller's; NULL: no memory. */
char *demoShowSetParameter(const char *text, const char *name, double value);
/* Scene number k of those that come with the program, in memory that the caller frees; NULL: none (or no memory). */
demoScene *demoShowListScene(const demoShow *show, int k);
void demoShowSaveScene(const demoShow *show, demoState *state);
/* Another number for a parameter of the scene that runs, in its text too, if that takes no start; false: it does, and nothing has changed. */
bool demoShowTune(demoShow *show, const char *name, double value);
clStatus demoShowLoadScene(demoShow *show);

/* --- */

void demoShowListOptions(demoShow *show); /* fills own->table */
void demoShowWriteDetails(const demoShow *show, char *text, size_t size);
void demoShowWriteNotes(const demoShow *show, char *text, size_t size);
void demoShowSaveOptions(demoShow *show, demoState *state);
clStatus demoShowLoad(demoShow *show); /* reads --load: own->loaded and the options that the file holds */

clStatus demoShowRunWindow(demoShow *show);
void demoShowSay(const demoShow *show, const char *what, const char *name);
void demoShowComplain(demoShow *show, const char *what); /* show->error becomes a message in the window */
/* Draws the panel and the editor, as far as they are shown, and does what they say: show_panel.c */
clStatus demoShowPanel(demoShow *show);
const char *demoShowField(const demoShow *show, int field); /* its name; NULL: the scene has no such field */

/* --- curves over time, show_curves.c --- */

/* Takes what `measure` has told. */
void demoShowTakeCurves(demoShow *show, const double *values);
void demoShowCurves(demoShow *show); /* draws them */

/* --- the mouse, show_mouse.c --- */

const char *demoShowMode(const demoShow *show, int mode); /* what the left button does; NULL: there is no such mode */
void demoShowPointer(demoShow *show, const demoInput *input);                     /* where it is, and the wheel */
clStatus demoShowMouse(demoShow *show, const demoInput *input, int from, int to); /* what it did: these points */
void demoShowBrush(demoShow *show);                                               /* its outline, over the picture */
clStatus demoShowUndo(demoShow *show);                                            /* the last stroke */
void demoShowForgetUndo(demoShow *show);

/* --- obstacles, show_obstacles.c --- */

/* Obstacles and what the program has placed: saves or loads them. */
clStatus demoShowPlaced(demoShow *show, demoState *state);
void demoShowKeepPlaced(demoShow *show); /* for undo: before a stroke */
/* Draws or erases a stroke from the last place on (all lengths in cells); true when something changed. */
bool demoShowDraw(demoShow *show, double x, double y, bool first);
/* Moves the obstacle that was taken at the `first` place of a drag, likewise. */
bool demoShowMove(demoShow *show, double x, double y, bool first);
clStatus demoShowTake(demoShow *show); /* the simulation gets obstacles that it does not know yet */

#endif
