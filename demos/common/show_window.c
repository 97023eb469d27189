/* The loop of a window: a look at what the user does, steps, a picture. */
#include <math.h>
#include <stdio.h>

#include "common/show_private.h"
#include "core/try.h"
#include "gl/context.h"
#include "gl/rehearse.h"

/* pictures from one state that is kept to the next, and from one question for errors to the next,
 * where each waits for another process; those at the beginning that are not counted */
enum { KEEP_EVERY = 20, ASK_EVERY = 30, WARM = 10 };

/* --verbose: what the window cost; read-backs are the solver's and the range's, never the picture's
 * unless it is recorded. */
static void tellFrames(demoShow *show, int64_t shown, double rate) {
  if (show->own->common.verbose)
    fprintf(stderr,
            "%s: %lld pictures in the window, %.1f a second, the first one after %.2f s, %lld "
            "read-backs\n",
            show->program->name, (long long)shown, rate, show->own->first_shown,
            (long long)clContextStatistics(show->context).readbacks);
}

/* The scene as it begins, before the shaders of its steps are compiled. It is no picture of the
 * run: what is recorded is the same with it and without. */
static clStatus showBeginning(demoShow *show) {
  demoPrivate *o = show->own;
  demoWindowPicture(o->window, o->image.width, o->image.height);
  TRY(demoShowPaint(show));
  TRY(demoShowPresent(show));
  o->range = 0;
  if (o->first_shown == 0)
    o->first_shown = demoSeconds() - o->began;
  return TEXLA_OK;
}

/* --- --bench-window --- */

/* A touch in the middle now and then, as a mouse makes it just after a picture has been shown; not
 * before the first step, where it would belong to the scene. */
static void touchSometimes(demoShow *show, demoInput *input, int64_t shown) {
  const int every = 10;
  demoPrivate *o = show->own;
  if (!o->bench || !shown || shown % every != 0 || input->points)
    return;
  input->points = 1;
  input->point[0].x = input->point[0].y = 0.5;
  input->point[0].first = true;
  input->point[0].right = false;
  o->touched = o->last_shown;
}

static void takeAnswer(demoPrivate *o) {
  o->last_shown = demoSeconds();
  if (o->touched <= 0)
    return;
  double seconds = o->last_shown - o->touched;
  o->answered += seconds;
  o->slowest = fmax(o->slowest, seconds);
  o->touches++;
  o->touched = 0;
}

static void tellBench(const demoShow *show, int64_t shown, double rate) {
  const demoPrivate *o = show->own;
  if (!o->bench || shown < 1)
    return;
  double answer = o->touches ? o->answered / o->touches : 0;
  printf("%s: %s, %d x %d: window %.2f s, first picture %.2f s, %.1f pictures a second, mouse to "
         "picture %.0f ms (at most %.0f)\n",
         show->program->name, demoSceneOf(show)->name, o->nx, o->ny, o->opened, o->first_shown,
         rate, 1e3 * answer, 1e3 * o->slowest);
}

/* --- the run --- */

/* What a picture has taken that began then. A browser's device works on after it: there it is the
 * time between two. */
static double secondsOf(demoPrivate *o, double begin) {
  double seconds = demoSeconds() - begin, between = begin - o->looked;
  o->looked = begin;
  if (demoPanelApart())
    return fmax(seconds, between);
  return seconds;
}

/* Does nothing move until the user does something? */
static bool rests(const demoPrivate *o) {
  bool waits = demoSeconds() < o->noticed || o->form.due > 0 || o->clicked;
  return o->paused && !waits && !o->record.open && !o->bench;
}

/* --verbose: F12 has come, and what came before it is shown. Tests wait for that. */
static void tellMarks(demoShow *show, const demoInput *input) {
  demoPrivate *o = show->own;
  for (int k = 0; k < input->keys; k++)
    if (input->key[k] == DEMO_MARK && o->common.verbose)
      fprintf(stderr, "%s: mark %d\n", show->program->name, ++o->marks);
}

/* Steps, the picture, and what is recorded of both; none of it draws into the window. */
static clStatus compute(demoShow *show, int64_t shown, bool runs) {
  demoPrivate *o = show->own;
  if (runs)
    TRY(demoShowSurvive(show, demoShowAdvance(show)));
  if (runs && !*o->message && shown % KEEP_EVERY == KEEP_EVERY - 1)
    TRY(demoShowKeep(show));
  o->paused |= o->over;
  TRY(demoShowPaint(show));
  if (o->shoots)
    demoShowShoot(show);
  /* a film shows the pause, too, and what is done in it */
  if (runs || o->record.feed)
    return demoShowFilm(show);
  return TEXLA_OK;
}

/* Meanwhile the window's context is texla's; a page's always is. */
static clStatus computeAlone(demoShow *show, int64_t shown, bool runs) {
  if (demoPanelApart()) {
    TRY(compute(show, shown, runs));
    if (runs && shown % ASK_EVERY)
      return TEXLA_OK;
    return demoCheck(show, txContextCheck(show->context));
  }
  TRY(demoCheck(show, txContextBorrow(show->context)));
  clStatus status = compute(show, shown, runs);
  txContextGiveBack(show->context);
  return status;
}

/* One look at what the user does, one picture. */
static clStatus runOnce(demoShow *show, demoInput *input, int64_t shown) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  touchSometimes(show, input, shown);
  TRY(demoShowReact(show, input));
  bool runs = !o->paused;
  TRY(computeAlone(show, shown, runs));
  TRY(demoShowPresent(show));
  takeAnswer(o);
  tellMarks(show, input);
  if (rests(o))
    demoWindowRest(o->window);
  bool quiet = runs && !o->record.open && !o->own_solid && !input->keys && !o->panel && !o->edits;
  double seconds = secondsOf(o, begin);
  if (!quiet || !demoShowTimed(show, seconds))
    return TEXLA_OK;
  clStatus status = demoShowRestart(show, false);
  o->regridded = true;
  return status;
}

/* The pictures that have been shown, and how it goes; `before`: they were shown before `begin`. */
typedef struct Run {
  demoShow *show;
  bool began;
  clStatus (*start)(demoShow *show);
  demoInput input;
  int64_t shown, most, before;
  double begin;
  clStatus status;
  int (*end)(demoShow *show, clStatus status);
} Run;

/* The scene's beginning is shown, and the clock runs. */
static void begin(Run *run) {
  run->began = true;
  run->status = run->start(run->show);
  if (!run->status)
    run->status = showBeginning(run->show);
  if (!run->status && run->show->options.record)
    run->status = demoShowStartRecord(run->show, run->show->options.out, false);
  run->begin = demoSeconds();
}

/* Of a page the first pictures of its browser's are for compilers. */
static bool prepare(Run *run) {
  bool ready = false;
  run->status = demoShowRehearse(run->show, &ready);
  if (!run->status && ready)
    begin(run);
  return !run->status;
}

/* The loop's body, for the desktop and the browser alike. */
static bool nextPicture(void *user) {
  Run *run = user;
  if (!run->began)
    return prepare(run);
  /* the rate is that of pictures whose shaders are there */
  if (run->shown == WARM) {
    run->begin = demoSeconds();
    run->before = WARM;
  }
  if (run->status || (run->most && run->shown >= run->most) || demoShowInterrupted() ||
      !demoWindowNext(run->show->own->window, &run->input))
    return false;
  run->status = runOnce(run->show, &run->input, run->shown++);
  return !run->status;
}

static int endRun(void *user) {
  Run *run = user;
  double seconds = demoSeconds() - run->begin;
  tellFrames(run->show, run->shown, (double)(run->shown - run->before) / seconds);
  tellBench(run->show, run->shown, (double)(run->shown - run->before) / seconds);
  if (!run->status)
    demoShowEndFilm(run->show);
  if (!run->status)
    run->status = demoShowTake(run->show);
  return run->end(run->show, run->status);
}

int demoShowRunWindow(demoShow *show, clStatus (*start)(demoShow *show),
                      int (*end)(demoShow *show, clStatus status)) {
  demoPrivate *o = show->own;
  Run run = {
      .show = show, .start = start, .most = o->bench ? o->bench : show->options.frames, .end = end};
  if (!demoPanelApart())
    begin(&run);
  return demoWindowRun(o->window, nextPicture, endRun, &run);
}
