#include "common/strokes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"

enum { WORDS = 10, LINE = 160 };

/* By demoStrokeKind. */
static const char *const words[WORDS] = {"draw", "erase",  "move",  "raise", "lower",
                                         "slow", "absorb", "clear", "paint", "take"};

/* No domain is so long. */
static const double farthest = 65536;

double demoStrokeRounded(double length) {
  char text[64];
  double rounded = 0;
  snprintf(text, sizeof text, "%.4f", length);
  txNumberParse(text, &rounded);
  return rounded;
}

/* --- reading --- */

static const char *skipSpaces(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

/* Behind a word, or where it should have been: NULL. */
static const char *skipWord(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  at = skipSpaces(at, end);
  if ((size_t)(end - at) < length || memcmp(at, word, length) != 0)
    return NULL;
  at += length;
  if (at < end && *at != ' ' && *at != '\t' && *at != ',')
    return NULL;
  return at;
}

/* A number and the comma behind it, if there is one; NULL: there is no number. */
static const char *readNumber(const char *at, const char *end, double *value) {
  at = skipSpaces(at, end);
  if (at < end)
    at = txNumberParse(at, value);
  else
    at = NULL;
  if (!at || at > end)
    return NULL;
  at = skipSpaces(at, end);
  if (at < end && *at != ',')
    return NULL;
  return at + (at < end);
}

static const char *readPlace(const char *at, const char *end, double place[2]) {
  for (int k = 0; k < 2; k++) {
    at = readNumber(at, end, &place[k]);
    if (!at || !(place[k] >= -farthest && place[k] <= farthest))
      return NULL;
  }
  return at;
}

/* The word, the brush and the first place; returns what follows, NULL: it is no stroke. */
static const char *readBegin(const char *begin, const char *end, demoStroke *stroke) {
  const char *at = NULL;
  *stroke = (demoStroke){.begins = true};
  for (int k = 0; k < WORDS && !at; k++) {
    at = skipWord(begin, end, words[k]);
    stroke->kind = (demoStrokeKind)k;
  }
  if (at && stroke->kind != DEMO_MOVE) {
    at = readNumber(at, end, &stroke->radius);
    if (!(stroke->radius > 0 && stroke->radius <= farthest))
      at = NULL;
    const char *after = NULL;
    if (at && stroke->kind <= DEMO_ERASE)
      after = skipWord(at, end, "square");
    stroke->square = after;
    if (after && after < end)
      at = skipSpaces(after, end) + 1;
  }
  if (at)
    at = readPlace(at, end, stroke->from);
  memcpy(stroke->to, stroke->from, sizeof stroke->to);
  return at;
}

/* Goes through a line of which the beginning has been read. */
static bool readWays(demoStroke stroke, const char *at, const char *end,
                     void (*take)(void *user, const demoStroke *stroke), void *user) {
  int ways = 0;
  if (take && stroke.kind != DEMO_MOVE)
    take(user, &stroke);
  stroke.begins = stroke.kind == DEMO_MOVE;
  for (; at && at < end; ways++) {
    at = readPlace(at, end, stroke.to);
    if (at && take)
      take(user, &stroke);
    memcpy(stroke.from, stroke.to, sizeof stroke.from);
  }
  return at && (stroke.kind != DEMO_MOVE || ways == 1);
}

bool demoStrokeRead(const char *begin, const char *end,
                    void (*take)(void *user, const demoStroke *stroke), void *user) {
  demoStroke stroke;
  const char *at = readBegin(begin, end, &stroke);
  if (!at || !readWays(stroke, at, end, NULL, NULL))
    return false;
  return !take || readWays(stroke, at, end, take, user);
}

/* --- writing --- */

/* The line of a brush's first way, or of an obstacle that is moved. */
static void writeLine(char line[LINE], const demoStroke *s) {
  char brush[48] = "";
  if (s->kind != DEMO_MOVE)
    snprintf(brush, sizeof brush, "%.4f, %s", s->radius, s->square ? "square, " : "");
  size_t used = (size_t)snprintf(line, LINE, "%-6s %s%.4f, %.4f", words[s->kind], brush, s->from[0],
                                 s->from[1]);
  if (s->kind == DEMO_MOVE)
    used += (size_t)snprintf(line + used, LINE - used, ", %.4f, %.4f", s->to[0], s->to[1]);
  snprintf(line + used, LINE - used, "\n");
}

/* Where the line begins that ends at this place. */
static size_t beginOfLine(const char *text, size_t end) {
  while (end > 0 && text[end - 1] != '\n')
    end--;
  return end;
}

char *demoStrokeAppend(char *text, const demoStroke *s, bool joined) {
  char line[LINE];
  size_t length = text ? strlen(text) : 0;
  writeLine(line, s);
  if (joined && length > 0 && s->kind == DEMO_MOVE) {
    length = beginOfLine(text, length - 1);
  } else if (joined && length > 0) {
    snprintf(line, sizeof line, ", %.4f, %.4f\n", s->to[0], s->to[1]);
    /* in place of the line's end */
    length--;
  }
  char *longer = realloc(text, length + strlen(line) + 1);
  if (longer)
    memcpy(longer + length, line, strlen(line) + 1);
  else
    free(text);
  return longer;
}
