/* Formulas of scene files: read once, then computed in double at many places.
 *
 * Numbers, names, + - * / and ^, 2u for 2 * u, the comparisons < > <= >= (1 where they hold, 0
 * elsewhere), & (the product of two such), | (at least one), and the functions of
 * formula_codes.h: smooth(x, a, b) rises from 0 at a to 1 at b; if(c, a, b) is a where c is not 0;
 * random(k) is number k of the series that --seed chooses, 0 <= random < 1. */
#ifndef DEMOS_COMMON_FORMULA_H
#define DEMOS_COMMON_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* What each formula may ask for, beside pi and the names that a scene gives to formulas of its
 * own. */
typedef enum demoVariable {
  /* x, y: the place, in heights of the domain, from its lower left corner */
  DEMO_X,
  /* y */
  DEMO_Y,
  /* w: the domain's width */
  DEMO_W,
  /* h: the width of a cell */
  DEMO_H,
  /* t: the time */
  DEMO_T,
  /* n: how often this has happened */
  DEMO_N,
  /* nu: the viscosity */
  DEMO_NU,
  DEMO_SEED,
  /* pictures that a scene has named, at this place */
  DEMO_IMAGE,
  /* the numbers that a scene calls parameters, and ... */
  DEMO_PARAMETER = DEMO_IMAGE + 2,
  /* ... u, v, w, q: demoFormulaReadFields */
  DEMO_FIELD = DEMO_PARAMETER + 12,
  DEMO_VARIABLES = DEMO_FIELD + 4
} demoVariable;

/* Of the fields, in their order. */
extern const char demoLetters[];

enum { DEMO_FORMULA = 256 /* operations */, DEMO_NAME = 32, DEMO_COMPLAINT = 240 };

typedef struct demoFormula {
  /* 0: none */
  int count;
  struct {
    int code;
    double value;
  } operation[DEMO_FORMULA];
} demoFormula;

typedef struct demoNamed {
  char name[DEMO_NAME];
  demoFormula formula;
} demoNamed;

/* Reads a formula from [text, end); those that have names may be used in it. NULL, or where it is
 * wrong, with what is in `complaint`. */
const char *demoFormulaRead(demoFormula *out, const char *text, const char *end,
                            const demoNamed *named, int count, char complaint[DEMO_COMPLAINT]);

/* The same of a formula that may ask for the first `fields` of u, v, w, q, their neighbours
 * u[1, 0], derivatives lap(a), dx(a), dy(a), div(c, a) = div(c grad a), up(a, b, c), adv(a, b, c)
 * of what is made of them, rootlap(u) = sqrt(-lap) u, noise(k), and mean(a), min(a), max(a),
 * integral(a) over the domain; not for n, nu and random numbers, unless `both`: then the formula is
 * part of others. Such formulas are translated (lab/translate.h), not computed here. */
const char *demoFormulaReadFields(demoFormula *out, const char *text, const char *end,
                                  const demoNamed *named, int count, int fields, bool both,
                                  char complaint[DEMO_COMPLAINT]);

/* Of a place at which a formula is wrong: the length of the name there that nobody knows and that
 * is not used as a function; 0: something else is wrong. */
size_t demoFormulaUnknown(const char *at, const char *end);

/* An empty formula is 0. */
double demoFormulaAt(const demoFormula *formula, const double variable[DEMO_VARIABLES]);

/* Does it ask for a variable that is no parameter, or for random numbers? */
bool demoFormulaVaries(const demoFormula *formula);

/* Number `index` of the series of a seed, 0 <= x < 1. */
double demoFormulaRandom(double seed, double index);

#endif
