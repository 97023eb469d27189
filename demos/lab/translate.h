/* Right-hand sides as GLSL for a clEvolution, and what of them it can treat implicitly. */
#ifndef DEMOS_LAB_TRANSLATE_H
#define DEMOS_LAB_TRANSLATE_H

#include "common/scene.h"
#include "texla/evolution.h"

enum { TRANSLATE_TEXT = 1 << 16 };

typedef struct Translation {
  /* for clEvolutionOptions::rate, or for clEvolutionPicture */
  char text[TRANSLATE_TEXT];
  /* what total(k) is in the text, from first_total on */
  char total[TEXLA_EVOLUTION_TOTALS][TRANSLATE_TEXT];
  clEvolutionTotal kind[TEXLA_EVOLUTION_TOTALS];
  int first_total, totals;
  double diffusion[TEXLA_EVOLUTION_FIELDS], fourth[TEXLA_EVOLUTION_FIELDS];
  /* how often the text differentiates field g in the rate of field f, at [f][g]; -1: it is not
   * there */
  int order[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS];
} Translation;

/* The right-hand sides of `fields` equations. Of each, terms of constant numbers times lap(u), and
 * times lap(lap(u)), of its own field are left out of the text and become D and -B: also where they
 * stand in sums, in brackets, and within lap. Numbers and parameters are out of `variable`;
 * parameters are asked for by number in the text, w and h are not. False: it becomes too long. */
bool translateRates(Translation *out, const demoFormula *rate, int fields,
                    const double variable[DEMO_VARIABLES]);

/* What is on the edges: weight u + slope u_n = value of each field at each side, and what the text
 * adds to the value (clEvolutionOptions::edges; empty: nothing). */
typedef struct TranslateEdges {
  char text[TRANSLATE_TEXT];
  double value[4][TEXLA_EVOLUTION_FIELDS], weight[4][TEXLA_EVOLUTION_FIELDS];
  double slope[4][TEXLA_EVOLUTION_FIELDS];
} TranslateEdges;

/* Multiples of the field itself in its flux outwards become its weight, if positive: they are
 * implicit then. `fixed` by side: fields of which nothing is given are 0 there. False: too long. */
bool translateEdges(TranslateEdges *out, const demoEdge given[4][TEXLA_EVOLUTION_FIELDS],
                    const bool fixed[4], int fields, const double variable[DEMO_VARIABLES]);

/* The power of 1 / h with which the fastest rate grows that a scheme treats explicitly, where D and
 * B are implicit or not: a time step that is stable for one h is so for another one in proportion
 * to h to this power. 2 for Schroedinger's equation, 1 for waves, 1/2 for those of deep water. */
double translateStiffness(const Translation *rates, int fields, bool implicit);

/* One formula, as `vec4 picture()`, whose totals are counted from first_total on. */
bool translatePicture(Translation *out, const demoFormula *formula, int first_total,
                      const double variable[DEMO_VARIABLES]);

/* The name of a function in it that pictures have not: rootlap or noise. NULL: there is none. */
const char *translateOfRates(const demoFormula *formula);

/* The first field from `fields` on that the formula asks for, or -1. */
int translateMissing(const demoFormula *formula, int fields);

#endif
