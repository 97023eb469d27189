/* What is drawn by hand, as lines of a scene's text; lengths in heights of the domain:
 *
 *     draw   0.04, 0.5, 0.3, 0.55, 0.31     a round brush of this radius goes from place to place
 *     draw   0.04, square, 0.5, 0.3         a square one, which stays in one place
 *     erase  0.04, 0.5, 0.3                 likewise
 *     move   0.5, 0.3, 0.8, 0.4             what covers the first place is moved to the second one
 *     raise  0.1, 0.5, 0.3, 0.52, 0.3       a dab of a program's own brush in each place
 *
 * What is drawn in a window has been rounded to the digits of such a line before: from its text the
 * same is drawn again, bit for bit. */
#ifndef DEMOS_COMMON_STROKES_H
#define DEMOS_COMMON_STROKES_H

#include <stdbool.h>

typedef enum demoStrokeKind {
  /* obstacles */
  DEMO_DRAW,
  DEMO_ERASE,
  DEMO_MOVE,
  /* by a program: ground; media that waves pass; the fields of an equation */
  DEMO_RAISE,
  DEMO_LOWER,
  DEMO_SLOW,
  DEMO_ABSORB,
  DEMO_CLEAR,
  DEMO_PAINT,
  DEMO_TAKE
} demoStrokeKind;

/* One way of the brush, or of an obstacle; the first one of a line of the brush ends where it
 * begins. */
typedef struct demoStroke {
  demoStrokeKind kind;
  /* begins: it is the first one of its line */
  bool square, begins;
  double radius, from[2], to[2];
} demoStroke;

/* To the digits of a text. */
double demoStrokeRounded(double length);

/* Hands over the ways of a line in turn. False: this is no such line, and nothing was handed over.
 * `take` NULL: only that is found out. */
bool demoStrokeRead(const char *begin, const char *end,
                    void (*take)(void *user, const demoStroke *stroke), void *user);

/* A text (NULL: an empty one) with the stroke at its end: `joined` to what its last line says,
 * where a way of the brush goes on and a moved obstacle is moved farther. The caller's in place of
 * the old one; NULL: no memory. */
char *demoStrokeAppend(char *text, const demoStroke *stroke, bool joined);

#endif
