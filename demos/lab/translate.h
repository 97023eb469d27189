/* Right-hand sides as GLSL for a clEvolution, and what of them it can treat implicitly. */
#ifndef DEMOS_LAB_TRANSLATE_H
#define DEMOS_LAB_TRANSLATE_H

#include "common/formula.h"
#include "texla/evolution.h"

enum { TRANSLATE_TEXT = 1 << 16 };

typedef struct Translation {
  /* for clEvolutionOptions::rate, or for clEvolutionPicture */
  char text[TRANSLATE_TEXT];
  double diffusion[TEXLA_EVOLUTION_FIELDS], fourth[TEXLA_EVOLUTION_FIELDS];
} Translation;

/* The right-hand sides of `fields` equations. Of each, terms of constant numbers times lap(u), and
 * times lap(lap(u)), of its own field are left out of the text and become D and -B: also where they
 * stand in sums, in brackets, and within lap. Numbers and parameters are out of `variable`;
 * parameters are asked for by number in the text, w and h are not. False: it becomes too long. */
bool translateRates(Translation *out, const demoFormula *rate, int fields,
                    const double variable[DEMO_VARIABLES]);

/* One formula, as `vec4 picture()`. */
bool translatePicture(Translation *out, const demoFormula *formula,
                      const double variable[DEMO_VARIABLES]);

/* Does it ask for sqrt(-lap)? A picture cannot. */
bool translateHasRoot(const demoFormula *formula);

/* The first field from `fields` on that the formula asks for, or -1. */
int translateMissing(const demoFormula *formula, int fields);

#endif
