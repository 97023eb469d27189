/* What all lessons share, so that each of them is about one thing: a device, checks, pictures,
 * curves, a list of passes.
 *
 * Every lesson takes --check (no pictures, fails where something that it teaches is not so) and
 * --out DIR (where its pictures go). */
#ifndef TEXLA_DEMOS_LESSON_H
#define TEXLA_DEMOS_LESSON_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <texla/sim.h>

/* OK(call): a call that must succeed. Otherwise the program ends with the context's message. */
#define OK(call) lessonOk((call), #call)
void lessonOk(clStatus status, const char *call);

/* Reads the arguments, opens a device: the lesson's own context. */
clContext *lessonBegin(int argc, char **argv);
/* Closes it. Returns what main returns: 1 where an expectation was not met. */
int lessonEnd(void);

/* What the lesson claims. It says so where it is not true. */
void lessonExpect(bool is_so, const char *claim);

/* A picture NAME.png of the numbers lo (first colour) to hi; lo = hi takes the smallest and the
 * largest. Row 0 is at the bottom. */
void lessonField(const char *name, const float *values, int width, int height, clColormap map,
                 float lo, float hi);
/* The same of a vector, `width` elements to a row. */
void lessonPicture(const char *name, const clVector *x, int width, clColormap map, float lo,
                   float hi);

/* A drawing NAME.svg of curves over their index, with a logarithmic axis for y. `first` and `last`
 * are the ends of the other axis; NULL for the indices. */
typedef struct LessonCurve {
  const char *label;
  /* positive */
  const double *y;
  int count;
} LessonCurve;
void lessonCurves(const char *name, const char *title, const char *first, const char *last,
                  const LessonCurve *curve, int count);

/* From lessonWatch on passes are noted; lessonPasses prints them, equal ones in a row as one line,
 * and stops. Returns how many. */
void lessonWatch(void);
int lessonPasses(void);

/* Wall clock. */
double lessonSeconds(void);

#endif
