/* What the parts of the frame share. Its files ask only for those before them, in this order:
 *
 * what is shown     show_now.c, show_options.c, show_share.c, show_scene.c, show_help.c
 * what is in it     show_obstacles.c, show_strokes.c, show_state.c, show_curves.c
 * what is drawn     show_picture.c
 * time              show_choices.c (the grid), show_time.c
 * what changes it   show_files.c, show_change.c, show_form.c, show_sketch.c, show_panel.c,
 *                   show_mouse.c
 * what is laid out  show_bar.c, show_present.c, show_bench.c
 * keys, the loop    show_keys.c, show_window.c, and show.c: the run, with a window or without */
#ifndef DEMOS_COMMON_SHOW_PRIVATE_H
#define DEMOS_COMMON_SHOW_PRIVATE_H

#include "program/program.h"
#include "common/paint.h"
#include "common/probes.h"
#include "common/record.h"
#include "common/show.h"
#include "common/stats.h"
#include "common/strokes.h"
#include "common/text.h"
#include "common/window.h"

enum {
  DEMO_MOST_OPTIONS = 64,
  /* states to go back to */
  DEMO_KEPT = 24,
  DEMO_UNDO = 16,
  DEMO_CURVES = 4,
  DEMO_GROUPS = 12,
  DEMO_CURVE_NAME = 160,
  DEMO_MOST_FIELDS = 16,
  DEMO_MOST_SCENES = 64,
  DEMO_BUTTONS = 48,
  /* pictures whose time decides how fine a grid may be */
  DEMO_TIMINGS = 15,
  /* rows of a form, bytes of what is typed into one, of its label */
  DEMO_ROWS = 24,
  DEMO_ROW_TEXT = 512,
  DEMO_LABEL = 64,
  /* bytes */
  DEMO_EDITOR = 1 << 15
};

/* What stands in the rows of the scene's form. */
typedef struct demoForm {
  char text[DEMO_ROWS][DEMO_ROW_TEXT], label[DEMO_ROWS][DEMO_LABEL];
  /* something has been typed that does not run yet */
  bool typed[DEMO_ROWS];
  /* when it will; 0: nothing has */
  double due;
  /* what is wrong, empty: nothing; in which row, -1: in none of them; behind how many of its
   * characters, -1: the row as a whole */
  char complaint[1024];
  int wrong, column;
} demoForm;

/* Seconds that a cell costs in a picture of a scene (0: not known), and what does not depend on the
 * grid; what was measured last, on how many cells (0: nothing). */
typedef struct demoCost {
  double cell, picture, seconds, cells;
} demoCost;

/* The bar of one picture. */
typedef struct demoBar {
  demoButton button[DEMO_BUTTONS];
  int count;
  /* of the menus */
  const char *fields[DEMO_MOST_FIELDS + 1], *curves[DEMO_GROUPS + 2 + DEMO_DOCKS];
  char curve_names[DEMO_GROUPS + 2][DEMO_CURVE_NAME];
} demoBar;

typedef struct demoPrivate {
  txProgram cli;
  txCommon common;
  txOption table[DEMO_MOST_OPTIONS];
  /* on the command line */
  bool given[DEMO_MOST_OPTIONS];
  /* to be saved: given, or loaded */
  bool kept[DEMO_MOST_OPTIONS];
  /* a choice that the scene makes, while it is not given */
  bool scenes[DEMO_MOST_OPTIONS];
  const char *maps[TEXLA_COLORMAP_COUNT + 1];
  /* its place among the program's; -1: a file's, or a saved state's */
  int scene;
  /* the one among them whose text has been changed; -1: none */
  int basis;
  /* of a file or a state */
  char *scene_text;
  /* --with and --set have been heeded */
  bool varied;
  /* the text has been changed in the window: its file is not read any more */
  bool typed;
  /* line and column of what was wrong in the last text; column 0: all of the line */
  int wrong[2];
  char scene_name[DEMO_NAME];
  demoState *loaded;
  demoWindow *window;
  clError no_window;
  demoPaint *paint;
  demoOverlay overlay;
  /* the picture with its overlay, once it has been read */
  demoImage image;
  bool read;
  demoRecord record;
  demoStats stats;
  /* the name of a recording that a key has begun */
  char film[4160];
  /* cells; pixels per cell in files, along each axis */
  int nx, ny, scale;
  /* demoView's */
  bool aslant;
  /* the picture has a colour bar, of this map */
  bool barred;
  clColormap map;
  /* the field fills the window, whatever the shape of its cells becomes */
  bool fills;
  /* values below zero have been seen, of a field that has colours by its values */
  bool negative;
  /* by the user */
  bool sized;
  double time, range, energy, change, brush;
  /* seconds in all */
  double drawing, stepping;
  /* the grid follows the device's speed; what each scene's pictures cost; what has been measured
   * since the scene's start */
  bool adapts;
  demoCost cost[DEMO_MOST_SCENES];
  double timing[DEMO_TIMINGS];
  int timings;
  /* the grid has just been exchanged for another one */
  bool regridded;
  /* --bench-window: pictures, 0: it is not asked for; when a touch began that no picture shows yet,
   * 0: none; the time from touch to picture, of all and the longest */
  int64_t bench;
  double touched, answered, slowest, last_shown;
  int touches;
  /* so many marks (F12) have been told */
  int marks;
  /* when the last look at the user began */
  double looked;
  /* when the program began, and how long it took to the first picture in a window */
  double began, first_shown;
  /* that a page has been through (show_rehearse.c) */
  int rehearsals;
  /* whether it is in one, on a coarser grid */
  bool rehearses;
  /* ... and to the window with the scene's name */
  double opened;
  /* done: steps since the program began; made: for the last picture */
  int64_t steps, frame, done, made;
  /* of each finger's last touch */
  double x[DEMO_FINGERS], y[DEMO_FINGERS];
  /* what was drawn last, and the lines of text that draw all again (NULL: none) */
  demoStroke stroke;
  char *strokes;
  /* while an obstacle is moved: what all others cover, and this one where it was; NULL: none */
  float *rest, *moved;
  /* the cell where it was taken */
  int grip[2];
  /* of the left button */
  int mode;
  /* titles of the program's scenes, once they have been listed */
  char *titles[DEMO_MOST_SCENES + 1];
  /* small pictures of them, once their menu has been opened; NULL: not yet */
  uint8_t *sketches;
  /* a button that was pressed: its key, ... */
  char clicked;
  /* ... the item of its menu, -1: none; ... */
  int picked;
  /* ... and the tool that it chooses, from 1 on */
  int tool;
  /* where the bar stands, in rows of so many buttons, and the panel */
  demoArea bar_area, side;
  int bar_row;
  /* where picture and plots have been told to be */
  demoLayout told;
  /* a sum of where things have been told to be, and of their values */
  double places;
  /* of the help: the first line that is shown */
  int help_line;
  /* of the options, at first; of the scene's parameters, before they were changed */
  double first[DEMO_MOST_OPTIONS];
  demoParameter first_parameter[DEMO_PARAMETERS];
  demoProbes probes;
  /* "none" before the program's */
  const char *curve_groups[DEMO_GROUPS + 2];
  /* what is plotted over time: a ring, ... */
  float curve[DEMO_CURVES][DEMO_SAMPLES];
  double curve_time[DEMO_SAMPLES];
  /* ... of so many so far, of this group */
  int curve_samples, curve_group;
  /* of the field that is shown, on the host, while `valued` */
  float *values;
  int columns, rows;
  /* looks: the value under the cursor is wanted; inside: the cursor is in the picture */
  bool valued, looks, inside;
  /* in heights of the domain */
  double cursor[2];
  struct {
    demoState *state;
    double time;
  } past[DEMO_KEPT]; /* the oldest first */
  int keeps;
  /* values lie beyond the ends of the colours */
  bool below, above;
  /* the scene's text in the window, DEMO_EDITOR bytes; NULL: not yet */
  char *editor;
  /* it is shown; something has been typed that does not run yet */
  bool edits, edited;
  /* what is wrong with it; empty: nothing */
  char complaint[1024];
  demoForm form;
  double slider[DEMO_PARAMETERS];
  txOption slider_item[DEMO_PARAMETERS];
  /* the panel is shown */
  bool panel;
  /* the range of the colours, as it was last */
  double ends[2];
  /* obstacles, and what the program has placed, before the last strokes */
  demoState *undo[DEMO_UNDO];
  int undos;
  /* own_solid: something has been drawn, and R leaves it; square: the brush; draws: a stroke goes
   * on that has begun */
  bool own_solid, square, draws;
  /* what went wrong, ... */
  char notice[1200];
  /* ... shown until then */
  double noticed;
  bool paused, over, no_bar, no_text, no_buttons, help, shoots;
  /* where plots stand; the middle of those over the picture, in parts of the window */
  demoDock dock;
  double plots_middle[2];
  /* the last drag beside the picture, by its number, moves them: it has taken them so far from
   * their middle */
  bool moves_plots;
  int drag;
  double grip_plots[2];
  /* stones that the simulation does not know yet */
  bool drawn;
  /* until then it need not */
  double taken;
  /* why it pauses */
  char message[1024];
} demoPrivate;

/* --- show_now.c: what is shown now --- */

/* A field's name; NULL: the scene has no such field. */
const char *demoShowField(const demoShow *show, int field);
/* The names of all fields, NULL behind the last one. */
void demoShowListFields(const demoShow *show, const char *fields[DEMO_MOST_FIELDS + 1]);
/* The scene as it is shown, owned by `own`. */
const char *demoShowSceneText(const demoShow *show);
/* Has something been drawn into the scene, or placed in it? */
bool demoShowIsDrawn(const demoShow *show);
/* A scene's text with the lines that draw and place it again: the caller's; NULL: no memory. */
char *demoShowWhole(const demoShow *show, const char *text);
/* Standard output, or standard error where the statistics go to standard output. */
FILE *demoShowMessages(const demoShow *show);
void demoShowSay(const demoShow *show, const char *what, const char *name);
/* show->error becomes a message in the window */
void demoShowComplain(demoShow *show, const char *what);

/* --- show_options.c --- */

/* The name of the option --with, which some programs call otherwise. */
const char *demoShowWith(const demoProgram *program);
/* fills own->table */
void demoShowListOptions(demoShow *show);
/* The bytes of an option's value: a number, a choice, or the two numbers of a size. */
size_t demoShowOptionSize(const txOption *option);
/* an option's value: a number, or the place of a choice; 0: it is neither */
double demoShowNumber(const txOption *option);
void demoShowSaveOptions(demoShow *show, demoState *state);
/* The options that are not as the program begins, and the size, each in the form "--%s %s ". */
size_t demoShowListChanged(const demoShow *show, const char *form, char *text, size_t size);
/* Options out of a file, a line NAME=VALUE each; those of the command line go before them. */
clStatus demoShowTakeOptions(demoShow *show, const char *from, const char *text);

/* --- show_share.c: a picture holds what it takes to show the same again --- */

/* A screenshot gets the scene, the options and the program's name. */
clStatus demoShowSign(demoShow *show, const char *path);
/* The same as one text, for films; the caller's. NULL: no memory. */
char *demoShowDescribe(demoShow *show);
/* Is this the name of a picture or a film? */
bool demoShowIsPicture(const char *name);
/* ... and gives it back: its options count, *scene <- its scene's text, the caller's */
clStatus demoShowTakePicture(demoShow *show, const char *path, char **scene);
/* A file that --scene takes up: the text with what has been drawn. */
clStatus demoShowWriteScene(demoShow *show, const char *path, const char *text, const char *call);
/* text <- the command line of what is shown; a scene that was changed becomes a file. */
clStatus demoShowCommand(demoShow *show, char *text, size_t size);

/* --- show_scene.c --- */

/* the one that --scene asks for, or that was loaded; the first one otherwise */
clStatus demoShowFindScene(demoShow *show);
/* its text, anew from the user's file; a wrong one leaves the scene that was shown */
clStatus demoShowReadScene(demoShow *show);
/* a file's or a state's own one comes last */
void demoShowNextScene(demoShow *show);
/* The scene becomes one of its own, of this text, at the next start; a wrong text changes
 * nothing. */
clStatus demoShowTypeScene(demoShow *show, const char *text);
/* A text with another value of one of its parameters: the caller's; NULL: no memory. */
char *demoShowSetParameter(const char *text, const char *name, double value);
/* Scene number k of those that come with the program, in memory that the caller frees; NULL: none
 * (or no memory). */
demoScene *demoShowListScene(const demoShow *show, int k);
/* *out <- what a text says, in memory that the caller frees, also where it is wrong; own->wrong <-
 * where. */
clStatus demoShowParse(demoShow *show, const char *text, demoScene **out);
/* a field without anything in it, to be filled by the form; at the next start */
clStatus demoShowBlank(demoShow *show);
void demoShowSaveScene(const demoShow *show, demoState *state);
/* Another number for a parameter of the scene that runs, in its text too, if that takes no start;
 * false: it does, and nothing has changed. */
bool demoShowTune(demoShow *show, const char *name, double value);
clStatus demoShowLoadScene(demoShow *show);

/* --- show_help.c --- */

/* A line of the help: the key, and from DEMO_KEY_COLUMN on what it does; false behind the last
 * one. */
enum { DEMO_KEY_COLUMN = 14, DEMO_KEY_LINE = 96 };
bool demoShowKeys(const demoShow *show, int line, char text[DEMO_KEY_LINE]);
void demoShowWriteDetails(const demoShow *show, char *text, size_t size);
void demoShowWriteNotes(const demoShow *show, char *text, size_t size);

/* --- show_obstacles.c --- */

/* no obstacles, for a grid that may be another one */
clStatus demoShowClearObstacles(demoShow *show);
/* Picture and simulation take show->solid and show->walls. */
clStatus demoShowTakeObstacles(demoShow *show);
/* --obstacles */
clStatus demoShowReadObstacles(demoShow *show, const char *path);
/* Obstacles and what the program has placed: saves or loads them. */
clStatus demoShowPlaced(demoShow *show, demoState *state);
/* ... as they are now, to be loaded; the caller's */
clStatus demoShowPlacedNow(demoShow *show, demoState **out);
/* for undo: before a stroke */
void demoShowKeepPlaced(demoShow *show);
void demoShowForgetUndo(demoShow *show);

/* --- show_strokes.c --- */

/* Draws or erases a stroke from the last place on (all lengths in cells); true when something
 * changed. */
bool demoShowDraw(demoShow *show, double x, double y, bool first);
/* Moves the obstacle that was taken at the `first` place of a drag, likewise. */
bool demoShowMove(demoShow *show, double x, double y, bool first);
/* A dab of the brush of a mode that paints, likewise; x, y: 0..1 of the domain. */
clStatus demoShowDab(demoShow *show, double x, double y, bool first);
/* What the lines of a text draw, of those that draw something (NULL: none). */
clStatus demoShowRedraw(demoShow *show, const char *text);

/* --- show_state.c --- */

/* saves or loads the frame's part, then the program's */
clStatus demoShowState(demoShow *show, demoState *state);
/* a state of now in memory, to be loaded; the caller's */
clStatus demoShowNow(demoShow *show, demoState **out);
/* --save */
clStatus demoShowSave(demoShow *show);
/* reads --load: own->loaded and the options that the file holds */
clStatus demoShowLoad(demoShow *show);
/* the state of now, to go back to */
clStatus demoShowKeep(demoShow *show);
/* to the last state kept that lies before now */
clStatus demoShowBack(demoShow *show);
/* all kept states */
void demoShowForget(demoShow *show);

/* --- show_curves.c: curves over time --- */

/* Is there something to tell of a group of curves, now? Group 0 is none of them. */
bool demoShowHasCurves(const demoShow *show, int group);
/* name <- its columns with their units */
void demoShowNameCurves(const demoShow *show, int group, char name[DEMO_CURVE_NAME]);
/* Takes what `measure` has told. */
void demoShowTakeCurves(demoShow *show, const double *values);
/* draws them */
void demoShowCurves(demoShow *show);
/* How many plots there are: the program's own, of probes, along a line, these. */
int demoShowPlots(const demoShow *show);
/* What is plotted becomes a CSV file with a number that is free, in the folder of --out, whose name
 * is told, and a PNG beside it. */
clStatus demoShowKeepCurves(demoShow *show, char *path, size_t size);

/* --- show_picture.c: what is drawn --- */

/* The values of the field that is shown, or of none (value NULL) where a picture is made of
 * something else. One read-back, if any. */
clStatus demoShowValues(demoShow *show, demoFieldValues *field);
/* the picture, on the device */
clStatus demoShowPaint(demoShow *show);
/* own->overlay <- what stands over a picture of that size, and its colours beside it. */
clStatus demoShowOverlay(demoShow *show, const demoLayout *layout, int width, int height);
/* own->image: the size of what is shown, with its bar beside it */
clStatus demoShowFit(demoShow *show);
/* own->image <- picture and overlay, for files; one read-back a picture */
clStatus demoShowRead(demoShow *show);
clColormap demoShowColormap(demoShow *show, clColormap own);

/* --- show_choices.c: what was chosen in the last window, and is now --- */

void demoShowRecall(demoShow *show);
void demoShowRemember(demoShow *show);
/* The grid of the scene: its own, that of --size, or a coarser one that the device holds at 30
 * pictures a second. */
void demoShowGrid(const demoShow *show, int size[2]);
/* Takes the seconds of a picture; true when the scene should begin anew on another grid. */
bool demoShowTimed(demoShow *show, double seconds);

/* --- show_time.c: a scene begins, and time passes --- */

/* The sizes of the grid and of its pictures. */
void demoShowMeasure(demoShow *show);
/* the scene anew, at time 0 */
clStatus demoShowStart(demoShow *show);
/* one */
clStatus demoShowStep(demoShow *show);
/* the steps of one picture */
clStatus demoShowAdvance(demoShow *show);

/* --- show_files.c: what a window writes; what fails is said there, and nothing ends --- */

clStatus demoShowStartRecord(demoShow *show, const char *out, bool live);
void demoShowBeginFilm(demoShow *show);
void demoShowEndFilm(demoShow *show);
/* The picture goes into the film, where that wants one. */
clStatus demoShowFilm(demoShow *show);
void demoShowShoot(demoShow *show);
void demoShowWriteCurves(demoShow *show);
/* The command line goes to the clipboard. */
void demoShowCopy(demoShow *show);

/* --- show_change.c: a simulation is changed while it runs --- */

/* An option has another value now, and had this one. */
clStatus demoShowChange(demoShow *show, const txOption *option, const void *old);
/* This text runs, from the state of now or from the beginning; of a wrong one own->complaint tells,
 * and what ran goes on. */
clStatus demoShowRunText(demoShow *show, const char *text, bool go_on);
/* From the beginning, with the obstacles that have been drawn, or, `clear`, without them. A scene
 * that cannot be read leaves what is shown. */
clStatus demoShowRestart(demoShow *show, bool clear);

/* --- show_form.c --- */

/* the rows of the scene's form as they are now, how many; and what was typed there */
int demoShowListForm(demoShow *show, demoPanelLine *lines);
clStatus demoShowTakeForm(demoShow *show, const demoPanelView *view);

/* --- show_sketch.c --- */

/* own->sketches, of all scenes that come with the program; not where memory ends */
void demoShowSketch(demoShow *show);

/* --- show_panel.c --- */

/* Draws the bar, the panel and the editor, as far as they are shown, and does what they say, but
 * for buttons, which the next look at the keys answers (own->clicked). */
clStatus demoShowPanel(demoShow *show, const demoBar *bar);

/* --- show_mouse.c --- */

/* what the left button does; NULL: there is no such mode */
const char *demoShowMode(const demoShow *show, int mode);
/* where it is, and the wheel */
void demoShowPointer(demoShow *show, const demoInput *input);
/* what it did: these points */
clStatus demoShowMouse(demoShow *show, const demoInput *input, int from, int to);
/* its outline, over the picture */
void demoShowBrush(demoShow *show);
/* the last stroke */
clStatus demoShowUndo(demoShow *show);
/* the simulation gets obstacles that it does not know yet */
clStatus demoShowTake(demoShow *show);

/* --- show_bar.c: buttons and their menus --- */

/* As things are now. */
clStatus demoShowListBar(demoShow *show, demoBar *bar);
void demoShowForgetTitles(struct demoPrivate *own);

/* --- show_present.c: what is laid out --- */

/* the picture on the screen, with all that stands beside it */
clStatus demoShowPresent(demoShow *show);
/* The window before there is a picture: the scene's name. */
clStatus demoShowSplash(demoShow *show);

/* --- show_bench.c --- */

/* --bench-window without a window: draws into a texture as a window would, and tells how fast. */
clStatus demoShowBench(demoShow *show);

/* --- show_keys.c --- */

/* Does what keys, buttons and the mouse ask for, in the order in which they came. */
clStatus demoShowReact(demoShow *show, demoInput *input);
/* A simulation that is not finite any more is a pause with a message, not an end. */
clStatus demoShowSurvive(demoShow *show, clStatus status);

/* --- show_rehearse.c --- */

/* A page's share of what comes before its first picture, once for each picture of the browser's.
 * *ready <- the scene can begin, with shaders that are there. */
clStatus demoShowRehearse(demoShow *show, bool *ready);

/* --- show_signals.c --- */

/* Ctrl-C and SIGTERM end the run after the current picture; a second one ends the program. */
void demoShowCatch(void);
/* The number of the signal that came; 0: none. */
int demoShowInterrupted(void);

/* --- show_window.c: the loop --- */

/* Begins the scene and comes to the `end` when the window is closed, with how the run went; returns
 * what that does. */
int demoShowRunWindow(demoShow *show, clStatus (*begin)(demoShow *show),
                      int (*end)(demoShow *show, clStatus status));

#endif
