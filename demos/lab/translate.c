#include "translate.h"
#include "scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/formula_codes.h"
#include "texla/status.h"
#include "core/numbers.h"

/* A number for all cells, and the function in `parts_text` that it is made of. */
typedef struct TranslateTotal {
  clEvolutionTotal kind;
  char name[20];
} TranslateTotal;

typedef struct Text {
  char text[TRANSLATE_TEXT];
  size_t used;
} Text;

/* Operations follow each other as on a stack: the one at k has its values before it, the last of
 * them at k - 1. */
typedef struct Translator {
  const demoFormula *formula;
  const double *variable;
  /* where what ends with operation k begins */
  int first[DEMO_FORMULA];
  /* it is implicit, and 0 in the text */
  bool left_out[DEMO_FORMULA];
  int field;
  /* its constant multiples of dx(dx), dy(dy), dx(dy) and -lap(lap) */
  double second[2], mixed, fourth;
  /* CODE_DX, CODE_DY: what is written is meant at the face to the left, or below; 0: in cells */
  int face;
  /* functions, noises and totals so far */
  int *parts, *noises, *totals;
  TranslateTotal *total;
  /* their definitions */
  Text *parts_text;
} Translator;

/* What finds no room is cut off, which `translate` notices at the end. */
static void append(Text *t, const char *format, ...) TEXLA_PRINTF(2, 3);
static void append(Text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(t->text + t->used, sizeof t->text - t->used, format, arguments);
  va_end(arguments);
  t->used += (size_t)txWithin(n, 0, (int)(sizeof t->text - 1 - t->used));
}

/* A formula is a list of operations in reverse Polish order; these are its k-th. */
static int codeAt(const Translator *t, int k) {
  return t->formula->operation[k].code;
}

static double valueAt(const Translator *t, int k) {
  return t->formula->operation[k].value;
}

/* -1: it is none. */
static int variableAt(const Translator *t, int k) {
  if (codeAt(t, k) != CODE_VARIABLE)
    return -1;
  return (int)valueAt(t, k);
}

/* The last operation of value number i, of an operation with so many. */
static int argument(const Translator *t, int k, int i) {
  int at = k - 1;
  /* Values lie one behind the other; each begins where the one before it ends. */
  for (int skip = demoCodeValues(codeAt(t, k)) - 1; skip > i; skip--)
    at = t->first[at] - 1;
  return at;
}

/* Where the part of the formula begins that ends at k: where its first value begins. */
static void begin(Translator *t) {
  for (int k = 0; k < t->formula->count; k++) {
    t->first[k] = k;
    if (demoCodeValues(codeAt(t, k)))
      t->first[k] = t->first[argument(t, k, 0)];
  }
}

/* --- what is implicit --- */

/* Is it the field itself whose equation this is? */
static bool isField(const Translator *t, int k) {
  return variableAt(t, k) == DEMO_FIELD + t->field;
}

/* Numbers and parameters only; *value <- what they make. */
static bool isConstant(const Translator *t, int k, double *value) {
  demoFormula part = {.count = k + 1 - t->first[k]};
  for (int i = 0; i < part.count; i++) {
    int code = codeAt(t, t->first[k] + i), variable = variableAt(t, t->first[k] + i);
    part.operation[i].code = code;
    part.operation[i].value = valueAt(t, t->first[k] + i);
    if (demoOperations[code].kind >= KIND_FIELDS ||
        (code == CODE_VARIABLE && (variable < DEMO_PARAMETER || variable >= DEMO_FIELD)))
      return false;
  }
  *value = demoFormulaAt(&part, t->variable);
  return isfinite(*value);
}

static void collect(Translator *t, int k, double scale, int within);

/* Sums, signs, and products with constants are gone through. */
static void collectOfTwo(Translator *t, int k, double scale, int within) {
  double value = 0;
  int code = codeAt(t, k), a = argument(t, k, 0), b = argument(t, k, 1);
  if (code == CODE_ADD || code == CODE_SUBTRACT)
    collect(t, a, scale, within);
  if (code == CODE_ADD)
    collect(t, b, scale, within);
  else if (code == CODE_SUBTRACT)
    collect(t, b, -scale, within);
  else if (code == CODE_MULTIPLY && isConstant(t, a, &value))
    collect(t, b, scale * value, within);
  else if (code == CODE_MULTIPLY && isConstant(t, b, &value))
    collect(t, a, scale * value, within);
  else if (code == CODE_DIVIDE && isConstant(t, b, &value) && value != 0)
    collect(t, a, scale / value, within);
  else if (code == CODE_DIV && !within && isConstant(t, a, &value))
    collect(t, b, scale * value, CODE_LAP);
}

/* A derivative of the field itself behind another one, both of constant factor. */
static void collectSecond(Translator *t, int k, double scale, int within) {
  int code = codeAt(t, k);
  if (within == CODE_LAP && code == CODE_LAP)
    t->fourth -= scale;
  else if (within == code)
    t->second[code == CODE_DY] += scale;
  else if (within != CODE_LAP && code != CODE_LAP)
    t->mixed += scale;
  t->left_out[k] = within == code;
}

/* The part of the formula that ends at k comes with this factor, and behind `within`: CODE_LAP,
 * CODE_DX, CODE_DY, or 0; CODE_VARIABLE: multiples of the field itself are collected. */
static void collect(Translator *t, int k, double scale, int within) {
  int code = codeAt(t, k);
  bool derivative = code == CODE_LAP || code == CODE_DX || code == CODE_DY;
  if (within == CODE_VARIABLE && isField(t, k)) {
    t->second[0] += scale;
    t->left_out[k] = true;
  } else if (within == CODE_LAP && isField(t, k)) {
    t->second[0] += scale;
    t->second[1] += scale;
    t->left_out[k] = true;
  } else if (within && derivative && isField(t, k - 1))
    collectSecond(t, k, scale, within);
  else if (!within && derivative)
    collect(t, k - 1, scale, code);
  else if (code == CODE_NEGATE)
    collect(t, k - 1, -scale, within);
  else if (demoCodeValues(code) == 2)
    collectOfTwo(t, k, scale, within);
}

/* D of the implicit D lap(u): the most that second derivatives diffuse in any direction. What they
 * diffuse less in others is explicit, and held down by D. */
static double diffusionOf(const Translator *t) {
  double mixed = 0;
  if (t->second[0] > 0 && t->second[1] > 0)
    mixed = t->mixed;
  return (t->second[0] + t->second[1] + hypot(t->second[0] - t->second[1], mixed)) / 2;
}

/* --- how often fields are differentiated --- */

/* What an operation adds to it for its value number i. */
static int orderOf(int code, int i) {
  switch (code) {
  case CODE_LAP:
    return 2;
  case CODE_DIV:
    /* div(c grad a), of which c is the first one */
    return 1 + i;
  case CODE_UP:
    return i == 2;
  case CODE_ADV:
  case CODE_DX:
  case CODE_DY:
  case CODE_ROOTLAP:
    return 1;
  default:
    return 0;
  }
}

/* Goes down from the part that ends at operation k, which is differentiated so often. */
static void findOrders(const Translator *t, int k, int above, int order[TEXLA_EVOLUTION_FIELDS]) {
  int code = codeAt(t, k), field = variableAt(t, k) - DEMO_FIELD;
  if (t->left_out[k])
    return;
  if (field >= 0)
    order[field] = txMost(order[field], above);
  for (int i = 0; i < demoCodeValues(code); i++)
    findOrders(t, argument(t, k, i), above + orderOf(code, i), order);
}

/* --- text --- */

static void write(Translator *t, Text *out, int k, const char *at);

/* All values are vec4, four neighbours in a row at a time; what depends on no place is the same in
 * all. */
static void writeVariable(Translator *t, Text *out, int variable, const char *at) {
  if (variable >= DEMO_FIELD)
    append(out, "%c(%s)", demoLetters[variable - DEMO_FIELD], at);
  else if (variable >= DEMO_PARAMETER)
    append(out, "vec4(parameter(%d))", variable - DEMO_PARAMETER);
  else if (variable == DEMO_X)
    append(out, "at_x(%s)", at);
  else if (variable == DEMO_Y)
    append(out, "at_y(%s)", at);
  else if (variable >= DEMO_IMAGE)
    append(out, "given_%d(%s)", variable - DEMO_IMAGE, at);
  else if (variable == DEMO_T)
    append(out, "vec4(at_t)");
  else
    append(out, "vec4(%.9g)", t->variable[variable]);
}

/* What is differentiated becomes a function, whose name is written to `name`; a field is one
 * already. */
static void writePart(Translator *t, int k, char name[20]) {
  int variable = variableAt(t, k);
  if (codeAt(t, k) == CODE_ROOTLAP && !t->face) {
    snprintf(name, 20, "rootlap_%c", demoLetters[variableAt(t, k - 1) - DEMO_FIELD]);
    return;
  }
  if (variable >= DEMO_FIELD && !t->left_out[k] && !t->face) {
    snprintf(name, 20, "%c", demoLetters[variable - DEMO_FIELD]);
    return;
  }
  Text body = {.used = 0};
  write(t, &body, k, "i, j");
  snprintf(name, 20, "part_%d", ++*t->parts);
  append(t->parts_text, "vec4 %s(int i, int j) { return %s; }\n", name, body.text);
}

/* True if `derivative` stands in the part that ends at k, within no other one. */
static bool differentiates(const Translator *t, int k, int derivative) {
  int code = codeAt(t, k);
  bool other = demoOperations[code].kind >= KIND_TOTAL || code == CODE_SHIFT;
  bool found = code == derivative;
  for (int i = 0; i < demoCodeValues(code) && !other && !found; i++)
    found = differentiates(t, argument(t, k, i), derivative);
  return found;
}

/* dx of what has a dx in it takes that at faces, where it reaches one cell, not two: dx(dx(u)) has
 * the weights 1, -2, 1, and dx(c * dx(u)) loses nothing. */
static void writeCompact(Translator *t, Text *out, int k, const char *at) {
  static const char *const next[] = {[CODE_DX] = "NEXT_X", [CODE_DY] = "NEXT_Y"};
  char name[20];
  t->face = codeAt(t, k);
  writePart(t, k - 1, name);
  t->face = 0;
  append(out, "%s(%s, %s)", next[codeAt(t, k)], name, at);
}

/* At a face: the mean of the cells on both sides, or their difference for a derivative across. */
static void writeAtFace(Translator *t, Text *out, int k) {
  static const char *const beside[] = {[CODE_DX] = "i - 1, j", [CODE_DY] = "i, j - 1"};
  static const char *const last[] = {[CODE_DX] = "LAST_X", [CODE_DY] = "LAST_Y"};
  char name[20];
  int face = t->face;
  t->face = 0;
  if (codeAt(t, k) == face) {
    writePart(t, k - 1, name);
    append(out, "%s(%s, i, j)", last[face], name);
  } else {
    append(out, "(0.5 * (");
    write(t, out, k, beside[face]);
    append(out, " + ");
    write(t, out, k, "i, j");
    append(out, "))");
  }
  t->face = face;
}

/* The same at a place that is so many cells away. */
static void writeShifted(Translator *t, Text *out, int k, const char *at) {
  char name[20];
  int comma = (int)strcspn(at, ",");
  writePart(t, k - 1, name);
  append(out, "%s(%.*s + %d%s + %d)", name, comma, at, demoShiftAlong(valueAt(t, k), 0), at + comma,
         demoShiftAlong(valueAt(t, k), 1));
}

/* A number for all cells, of what becomes a function of its own: those within it come before it. */
static void writeTotal(Translator *t, Text *out, int k) {
  static const char *const scale[] = {[CODE_MEAN] = " / float(CELLS)",
                                      [CODE_INTEGRAL] = " * grid.z * grid.z",
                                      [CODE_LEAST] = "",
                                      [CODE_MOST] = ""};
  char name[20];
  int code = codeAt(t, k), n;
  writePart(t, k - 1, name);
  n = (*t->totals)++;
  append(out, "vec4(total(%d)%s)", n, scale[code]);
  if (n >= TEXLA_EVOLUTION_TOTALS)
    return;
  t->total[n] = (TranslateTotal){.kind = TEXLA_EVOLUTION_SUM};
  if (code == CODE_LEAST)
    t->total[n].kind = TEXLA_EVOLUTION_LEAST;
  if (code == CODE_MOST)
    t->total[n].kind = TEXLA_EVOLUTION_MOST;
  snprintf(t->total[n].name, sizeof t->total[n].name, "%s", name);
}

/* Macros of the evolution's shader take the name of a function of a place. What has been left out,
 * since it is implicit, is 0. */
static void writeDerivative(Translator *t, Text *out, int k, const char *at) {
  static const char *const derivative[] = {
      [CODE_LAP] = "LAP", [CODE_DX] = "DX",     [CODE_DY] = "DY",
      [CODE_DIV] = "DIV", [CODE_UP] = "UPWIND", [CODE_ADV] = "ADV"};
  char name[3][20];
  int code = codeAt(t, k), values = demoCodeValues(code);
  if (values == 1 && t->left_out[k - 1]) {
    append(out, "vec4(0)");
    return;
  }
  if ((code == CODE_DX || code == CODE_DY) && differentiates(t, k - 1, code)) {
    writeCompact(t, out, k, at);
    return;
  }
  for (int i = 0; i < values; i++)
    writePart(t, argument(t, k, i), name[i]);
  append(out, "%s(", derivative[code]);
  for (int i = 0; i < values; i++)
    append(out, "%s, ", name[i]);
  append(out, "%s)", at);
}

/* Small whole powers are products. */
static bool writePower(Translator *t, Text *out, int k, const char *at) {
  double exponent = valueAt(t, k - 1);
  if (codeAt(t, k) != CODE_POWER || codeAt(t, k - 1) != CODE_CONSTANT ||
      !(exponent == 2 || exponent == 3))
    return false;
  if (exponent == 2)
    append(out, "square(");
  else
    append(out, "cube(");
  write(t, out, argument(t, k, 0), at);
  append(out, ")");
  return true;
}

/* The GLSL of an operation, with its values for $1, $2 and $3. */
static void writeOperation(Translator *t, Text *out, int k, const char *at) {
  for (const char *c = demoOperations[codeAt(t, k)].glsl; *c; c++)
    if (*c == '$')
      write(t, out, argument(t, k, *++c - '1'), at);
    else
      append(out, "%c", *c);
}

/* Writes the part that ends at operation k, its values before it, at a place that is given as text.
 * */
static void write(Translator *t, Text *out, int k, const char *at) {
  int code = codeAt(t, k), variable = variableAt(t, k);
  bool derivative = demoOperations[code].kind == KIND_DERIVATIVE;
  if (t->left_out[k])
    append(out, "vec4(0)");
  else if (demoOperations[code].kind == KIND_TOTAL)
    writeTotal(t, out, k);
  else if (t->face &&
           (derivative || code == CODE_SHIFT || variable >= DEMO_FIELD || variable == DEMO_X ||
            variable == DEMO_Y || (variable >= DEMO_IMAGE && variable < DEMO_PARAMETER)))
    writeAtFace(t, out, k);
  else if (code == CODE_CONSTANT)
    append(out, "vec4(%.9g)", fmin(fmax(valueAt(t, k), -3e38), 3e38));
  else if (code == CODE_VARIABLE)
    writeVariable(t, out, variableAt(t, k), at);
  else if (code == CODE_NOISE) {
    append(out, "noise(%d, %s) * (", (*t->noises)++, at);
    write(t, out, k - 1, at);
    append(out, ")");
  } else if (code == CODE_ROOTLAP)
    append(out, "rootlap_%c(%s)", demoLetters[variableAt(t, k - 1) - DEMO_FIELD], at);
  else if (code == CODE_SHIFT)
    writeShifted(t, out, k, at);
  else if (derivative)
    writeDerivative(t, out, k, at);
  else if (!writePower(t, out, k, at))
    writeOperation(t, out, k, at);
}

/* What the equations call, component by component; pow alone knows no negative numbers. */
static const char helpers[] =
    "vec4 square(vec4 a) { return a * a; }\n"
    "vec4 cube(vec4 a) { return a * a * a; }\n"
    "vec4 truth(vec4 a) { return vec4(notEqual(a, vec4(0.))); }\n"
    "vec4 choose(vec4 c, vec4 a, vec4 b) { return mix(b, a, notEqual(c, vec4(0.))); }\n"
    "vec4 hypot(vec4 a, vec4 b) { return sqrt(a * a + b * b); }\n"
    "vec4 ramp(vec4 x, vec4 a, vec4 b) {\n"
    "  vec4 t = clamp((x - a) / (b - a), 0., 1.);\n"
    "  return t * t * (3. - 2. * t);\n"
    "}\n"
    "vec4 power(vec4 a, vec4 b) { // of negative numbers whole ones; pow knows none\n"
    "  vec4 p = pow(abs(a), b);\n"
    "  p = mix(p, vec4(1.), equal(b, vec4(0.)));\n"
    "  vec4 odd = mod(b, 2.), other = mix(p * (1. - 2. * odd), sqrt(a - abs(a)), "
    "notEqual(floor(b), b));\n"
    "  return mix(p, other, lessThan(a, vec4(0.)));\n"
    "}\n";

/* What dx(dx(u)) and dy(dy(u)) are beyond D lap(u). */
static void writeRest(const Translator *t, Text *out, double diffusion) {
  for (int axis = 0; axis < 2; axis++)
    if (t->second[axis] != diffusion)
      append(out, " + vec4(%.9g) * SECOND_%c(%c, 0, 0)", t->second[axis] - diffusion, "XY"[axis],
             demoLetters[t->field]);
}

static bool translate(Translation *out, const demoFormula *rate, int count, bool rates,
                      const double variable[DEMO_VARIABLES]) {
  static const char form[] = "%svec4 picture() { return %s(0, 0); }\n";
  static Text parts, body;
  bool fits = true;
  int number = 0, noises = 0;
  TranslateTotal total[TEXLA_EVOLUTION_TOTALS];
  /* Functions of what is differentiated stand before the one that uses them. */
  parts.used = body.used = 0;
  out->totals = out->first_total;
  append(&parts, "%s", helpers);
  for (int f = 0; f < count; f++) {
    Translator t = {.formula = &rate[f],
                    .variable = variable,
                    .field = f,
                    .parts = &number,
                    .noises = &noises,
                    .totals = &out->totals,
                    .total = total,
                    .parts_text = &parts};
    begin(&t);
    if (rates && rate[f].count)
      collect(&t, rate[f].count - 1, 1, 0);
    out->diffusion[f] = diffusionOf(&t);
    out->fourth[f] = t.fourth;
    for (int g = 0; g < TEXLA_EVOLUTION_FIELDS; g++)
      out->order[f][g] = -1;
    if (rate[f].count)
      findOrders(&t, rate[f].count - 1, 0, out->order[f]);
    if (rates)
      append(&body, "  f[%d] = ", f);
    else
      append(&body, "  return ");
    if (rate[f].count)
      write(&t, &body, rate[f].count - 1, "0, 0");
    else
      append(&body, "vec4(0)");
    writeRest(&t, &body, out->diffusion[f]);
    append(&body, ";\n");
  }
  for (int k = out->first_total; k < out->totals && k < TEXLA_EVOLUTION_TOTALS; k++) {
    int used = snprintf(out->total[k], sizeof out->total[k], form, parts.text, total[k].name);
    fits &= used > 0 && (size_t)used < sizeof out->total[k];
    out->kind[k] = total[k].kind;
  }
  const char *head = "vec4 picture()";
  if (rates)
    head = "void rate(out vec4 f[FIELDS])";
  int n = snprintf(out->text, sizeof out->text, "%s%s {\n%s}\n", parts.text, head, body.text);
  return fits && n > 0 && (size_t)n < sizeof out->text && parts.used + 1 < sizeof parts.text &&
         body.used + 1 < sizeof body.text && out->totals <= TEXLA_EVOLUTION_TOTALS;
}

bool translateRates(Translation *out, const demoFormula *rate, int fields,
                    const double variable[DEMO_VARIABLES]) {
  out->first_total = 0;
  return translate(out, rate, fields, true, variable);
}

bool translatePicture(Translation *out, const demoFormula *formula, int first_total,
                      const double variable[DEMO_VARIABLES]) {
  out->first_total = first_total;
  return translate(out, formula, 1, false, variable);
}

/* The formula of a field at a side: a number becomes its value, anything else a line of text. */
static void translateEdge(TranslateEdges *out, Translator *t, int s, SceneEdge kind, Text *body) {
  int f = t->field, last = t->formula->count - 1;
  begin(t);
  out->weight[s][f] = kind == SCENE_VALUE;
  out->slope[s][f] = kind == SCENE_FLUX;
  if (isConstant(t, last, &out->value[s][f]))
    return;
  out->value[s][f] = 0;
  if (kind == SCENE_FLUX)
    collect(t, last, 1, CODE_VARIABLE);
  if (t->second[0] < 0)
    out->weight[s][f] = -t->second[0];
  else
    memset(t->left_out, 0, sizeof t->left_out);
  append(body, "  if (side == %d && field == %d)\n    return ", s, f);
  write(t, body, last, "0, 0");
  append(body, ";\n");
}

bool translateEdges(TranslateEdges *out, const demoEdge given[4][TEXLA_EVOLUTION_FIELDS],
                    const bool fixed[4], int fields, const double variable[DEMO_VARIABLES]) {
  static Text parts, body;
  TranslateTotal total[TEXLA_EVOLUTION_TOTALS];
  int number = 0, noises = 0, totals = TEXLA_EVOLUTION_TOTALS;
  parts.used = body.used = 0;
  body.text[0] = 0;
  for (int s = 0; s < 4; s++)
    for (int f = 0; f < fields; f++) {
      Translator t = {.formula = &given[s][f].formula,
                      .variable = variable,
                      .field = f,
                      .parts = &number,
                      .noises = &noises,
                      .totals = &totals,
                      .total = total,
                      .parts_text = &parts};
      out->value[s][f] = 0;
      out->weight[s][f] = fixed[s];
      out->slope[s][f] = !fixed[s];
      if (given[s][f].kind)
        translateEdge(out, &t, s, (SceneEdge)given[s][f].kind, &body);
    }
  out->text[0] = 0;
  if (!body.used)
    return true;
  int n =
      snprintf(out->text, sizeof out->text,
               "%svec4 edge(int side, int field) {\n%s  return vec4(0);\n}\n", helpers, body.text);
  return n > 0 && (size_t)n < sizeof out->text && body.used + 1 < sizeof body.text;
}

/* The largest mean of the weights along a cycle of fields of which each is in the rate of the one
 * before: with rates k^w the fastest mode of wavenumber k grows or turns like k to this power. All
 * ways of so many steps from field to field, at [f][g] the heaviest one, -infinity: there is none,
 * are those of one step less with one more. */
static double heaviestCycle(double weight[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS],
                            int fields) {
  double way[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS], best = -INFINITY;
  memcpy(way, weight, sizeof way);
  for (int steps = 1; steps <= fields; steps++) {
    double longer[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS];
    for (int f = 0; f < fields; f++)
      best = fmax(best, way[f][f] / steps);
    for (int f = 0; f < fields; f++)
      for (int g = 0; g < fields; g++) {
        longer[f][g] = -INFINITY;
        for (int i = 0; i < fields; i++)
          longer[f][g] = fmax(longer[f][g], way[f][i] + weight[i][g]);
      }
    memcpy(way, longer, sizeof way);
  }
  return best;
}

/* Implicit terms of higher order than the explicit ones of a cycle of fields hold these down
 * whatever h is: a step divides a rate k^a by 1 + dt k^m. */
double translateStiffness(const Translation *rates, int fields, bool implicit) {
  double order[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS];
  double held[TEXLA_EVOLUTION_FIELDS][TEXLA_EVOLUTION_FIELDS];
  for (int f = 0; f < fields; f++) {
    double own = 0;
    if (rates->diffusion[f] != 0)
      own = 2;
    if (rates->fourth[f] != 0)
      own = 4;
    for (int g = 0; g < fields; g++) {
      order[f][g] = rates->order[f][g];
      if (rates->order[f][g] < 0)
        order[f][g] = -INFINITY;
      if (!implicit && f == g)
        order[f][g] = fmax(order[f][g], own);
      held[f][g] = order[f][g] - own * implicit;
    }
  }
  if (heaviestCycle(held, fields) <= 0)
    return 0;
  return heaviestCycle(order, fields);
}

/* rootlap(u) is a pass of its own before the rates, which a picture has not; noise belongs to a
 * step. */
const char *translateOfRates(const demoFormula *f) {
  for (int k = 0; k < f->count; k++) {
    if (f->operation[k].code == CODE_ROOTLAP)
      return "rootlap";
    if (f->operation[k].code == CODE_NOISE)
      return "noise";
  }
  return NULL;
}

/* The first field that the formula asks for and that has no equation; -1: there is none. */
int translateMissing(const demoFormula *f, int fields) {
  for (int k = 0; k < f->count; k++)
    if (f->operation[k].code == CODE_VARIABLE && f->operation[k].value >= DEMO_FIELD + fields)
      return (int)f->operation[k].value - DEMO_FIELD;
  return -1;
}
