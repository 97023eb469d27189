#include "common/formula.h"
#include "common/formula_codes.h"
#include "core/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* brackets and signs */
  DEEPEST = 64,
  /* within each other, lap and div counted twice */
  MOST_DERIVATIVES = 4,
  LONGEST_NUMBER = 64,
  /* cells of a subscript */
  FARTHEST = 3
};

#define OPERATION(code, name, values, kind, value, glsl)                                           \
  [CODE_##code] = {name, values, KIND_##kind, glsl},
const demoOperation demoOperations[DEMO_CODES] = {DEMO_OPERATIONS(OPERATION)};

static const char *const variableName[] = {"x", "y", "w", "h", "t", "n", "nu"};
/* before w, the width */
static const char *const fieldName[] = {"u", "v", "w", "q"};
const char demoLetters[] = "uvwq";

typedef struct Reader {
  /* wrong: the place of the first complaint */
  const char *at, *end, *wrong;
  demoFormula *out;
  const demoNamed *named;
  int count, depth;
  /* that it may ask for; 0: none, and no derivatives */
  int fields;
  /* it may also ask for what the host alone has: it is part of other formulas */
  bool both;
  /* derivatives, now */
  int within;
  char *complaint;
} Reader;

/* The first thing that is wrong is told; what follows from it is not. */
static void complain(Reader *r, const char *at, const char *what, const char *name, int length) {
  if (r->wrong)
    return;
  r->wrong = at;
  int used = snprintf(r->complaint, DEMO_COMPLAINT, "%s%.*s", what, txLeast(length, 40), name);
  if (length)
    snprintf(r->complaint + used, DEMO_COMPLAINT - (size_t)used, "'");
}

static void emit(Reader *r, int code, double value) {
  if (r->out->count == DEMO_FORMULA)
    complain(r, r->at,
             "this formula is too long: give a part of it a name with 'let', or simplify it", "",
             0);
  if (r->wrong)
    return;
  r->out->operation[r->out->count].code = code;
  r->out->operation[r->out->count++].value = value;
}

static void skipSpace(Reader *r) {
  while (r->at < r->end && isspace((unsigned char)*r->at))
    r->at++;
}

/* Takes `token` if it stands here. */
static bool take(Reader *r, const char *token) {
  size_t length = strlen(token);
  skipSpace(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, token, length) != 0)
    return false;
  r->at += length;
  return true;
}

static void expectToken(Reader *r, const char *token, const char *message) {
  if (!r->wrong && !take(r, token))
    complain(r, r->at, message, "", 0);
}

static void readSum(Reader *r);
static void readFormula(Reader *r);

static void readUnary(Reader *r);

static bool isDigit(const Reader *r, const char *at) {
  return at < r->end && isdigit((unsigned char)*at);
}

/* Where a number ends that begins there: digits with a point, and an exponent, if digits follow. */
static const char *endOfNumber(const Reader *r, const char *at) {
  while (isDigit(r, at) || (at < r->end && *at == '.'))
    at++;
  const char *digits = at + 1;
  if (at == r->end || (*at | 32) != 'e')
    return at;
  if (digits < r->end && (*digits == '-' || *digits == '+'))
    digits++;
  if (!isDigit(r, digits))
    return at;
  while (isDigit(r, digits))
    digits++;
  return digits;
}

/* A name or a bracket right behind a number is multiplied by it: 2u is 2 * u, 2u^2 is 2 * u^2. */
static void readNumber(Reader *r) {
  char copy[LONGEST_NUMBER + 1], *end;
  const char *after = endOfNumber(r, r->at);
  int length = (int)txLeast64(after - r->at, LONGEST_NUMBER);
  snprintf(copy, sizeof copy, "%.*s", length, r->at);
  double value = strtod(copy, &end);
  if (*end || !isfinite(value))
    complain(r, r->at, "this is no number: '", copy, length);
  emit(r, CODE_CONSTANT, value);
  r->at = after;
  if (r->wrong || r->at == r->end || !(isalpha((unsigned char)*r->at) || *r->at == '('))
    return;
  readUnary(r);
  emit(r, CODE_MULTIPLY, 0);
}

static bool isName(const char *name, size_t length, const char *other) {
  return other && strlen(other) == length && memcmp(name, other, length) == 0;
}

/* Its values go onto the stack from left to right, then comes the operation. */
static void callFunction(Reader *r, int code) {
  int values = demoCodeValues(code);
  expectToken(r, "(", "a function needs its values in brackets");
  for (int k = 0; k < values && !r->wrong; k++) {
    readFormula(r);
    if (r->fields && (code == CODE_MIN || code == CODE_MAX) && k == 0 && take(r, ")")) {
      emit(r, code == CODE_MIN ? CODE_LEAST : CODE_MOST, 0);
      return;
    }
    if (k + 1 < values)
      expectToken(r, ",", "this function needs more values: a comma is missing");
    else
      expectToken(r, ")", "')' is missing");
  }
  emit(r, code, 0);
}

/* What a scene has named is written where the name stands: there are no calls at run time. */
static void insert(Reader *r, const demoFormula *formula) {
  for (int k = 0; k < formula->count; k++)
    emit(r, formula->operation[k].code, formula->operation[k].value);
}

/* Which of `count` names is this? -1: none. */
static int placeOf(const char *name, size_t length, const char *const *names, int count) {
  for (int k = 0; k < count; k++)
    if (isName(name, length, names[k]))
      return k;
  return -1;
}

static bool asksForFields(const demoFormula *f) {
  for (int k = 0; k < f->count; k++)
    if (demoOperations[f->operation[k].code].kind >= KIND_FIELDS ||
        (f->operation[k].code == CODE_VARIABLE && f->operation[k].value >= (double)DEMO_FIELD))
      return true;
  return false;
}

static bool asksForHost(const demoFormula *f) {
  for (int k = 0; k < f->count; k++)
    if (demoOperations[f->operation[k].code].kind == KIND_HOST ||
        (f->operation[k].code == CODE_VARIABLE &&
         (f->operation[k].value == DEMO_N || f->operation[k].value == DEMO_NU)))
      return true;
  return false;
}

/* What a scene has named goes before what all formulas know. */
static bool readVariable(Reader *r, const char *name, size_t length) {
  const double pi = 3.14159265358979323846;
  int place = placeOf(name, length, fieldName, r->fields);
  if (place >= 0) {
    emit(r, CODE_VARIABLE, DEMO_FIELD + place);
    return true;
  }
  for (int k = 0; k < r->count; k++)
    if (isName(name, length, r->named[k].name)) {
      if (!r->both && ((!r->fields && asksForFields(&r->named[k].formula)) ||
                       (r->fields && asksForHost(&r->named[k].formula))))
        return false;
      insert(r, &r->named[k].formula);
      return true;
    }
  bool is_pi = isName(name, length, "pi");
  place = placeOf(name, length, variableName, (int)(sizeof variableName / sizeof *variableName));
  if (is_pi)
    emit(r, CODE_CONSTANT, pi);
  else if (place >= 0 && !(r->fields && !r->both && (place == DEMO_N || place == DEMO_NU)))
    emit(r, CODE_VARIABLE, place);
  else
    return false;
  return true;
}

/* Derivatives need fields; random numbers are made by the processor. */
static bool isKnown(const Reader *r, int code) {
  if (code < 0)
    return false;
  demoKind kind = demoOperations[code].kind;
  return kind == KIND_PLAIN || r->both || (kind == KIND_HOST) == !r->fields;
}

/* The function of this name; -1: there is none. */
static int functionOf(const char *name, size_t length) {
  for (int code = 0; code < DEMO_CODES; code++)
    if (isName(name, length, demoOperations[code].name))
      return code;
  return -1;
}

static void complainOfName(Reader *r, const char *name, size_t length) {
  static const char *const fields[] = {"", "u", "u, v", "u, v, w", "u, v, w, q"};
  bool first = r->wrong == NULL;
  complain(r, name, "nothing is called '", name, (int)length);
  size_t used = strlen(r->complaint);
  if (r->fields && first)
    used += (size_t)snprintf(r->complaint + used, DEMO_COMPLAINT - used, "; there are %s",
                             fields[r->fields]);
  for (int k = 0; k < r->count && first && used < DEMO_COMPLAINT; k++)
    used += (size_t)snprintf(r->complaint + used, DEMO_COMPLAINT - used, "%s%s",
                             k || r->fields ? ", " : "; named are ", r->named[k].name);
}

/* A whole number of cells, at most FARTHEST. */
static int readCells(Reader *r) {
  int sign = 1 - 2 * take(r, "-"), digit = -1;
  skipSpace(r);
  if (isDigit(r, r->at))
    digit = *r->at++ - '0';
  if (digit < 0 || digit > FARTHEST || isDigit(r, r->at))
    complain(r, r->at,
             "a number of cells from -3 to 3 is missing: u[1, 0] is the cell to the right", "", 0);
  return sign * digit;
}

/* [i, j] behind the name of a field, or of what is made of fields. */
static void readShift(Reader *r) {
  if (r->wrong || !r->fields || !take(r, "["))
    return;
  int i = readCells(r);
  expectToken(r, ",", "cells to the right and cells up are missing: u[1, 0]");
  int j = readCells(r);
  expectToken(r, "]", "']' is missing");
  emit(r, CODE_SHIFT, demoShift(i, j));
}

static void readName(Reader *r) {
  const char *name = r->at;
  while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_'))
    r->at++;
  size_t length = (size_t)(r->at - name);
  if (readVariable(r, name, length)) {
    readShift(r);
    return;
  }
  int code = functionOf(name, length);
  if (!isKnown(r, code))
    complainOfName(r, name, length);
  else if (demoOperations[code].kind == KIND_DERIVATIVE && code != CODE_ROOTLAP) {
    int order = 2 - (code == CODE_DX || code == CODE_DY);
    r->within += order;
    if (r->within > MOST_DERIVATIVES)
      complain(
          r, name,
          "more than fourth derivatives: give one of those within each other a field of its own",
          "", 0);
    callFunction(r, code);
    r->within -= order;
  } else
    callFunction(r, code);
  const demoFormula *f = r->out;
  if (code == CODE_ROOTLAP && !r->wrong &&
      (f->operation[f->count - 2].code != CODE_VARIABLE ||
       f->operation[f->count - 2].value < (double)DEMO_FIELD))
    complain(r, name, "rootlap takes one of the fields, no formula", "", 0);
}

static void readAtom(Reader *r) {
  skipSpace(r);
  if (r->at == r->end)
    complain(r, r->at, "a value is missing", "", 0);
  else if (isdigit((unsigned char)*r->at) || *r->at == '.')
    readNumber(r);
  else if (isalpha((unsigned char)*r->at))
    readName(r);
  else if (take(r, "(")) {
    readFormula(r);
    expectToken(r, ")", "')' is missing");
  } else
    complain(r, r->at, "a value is missing before '", r->at, 1);
}

/* -x ^ y is -(x ^ y), and x ^ -y is allowed. */
static void readUnary(Reader *r) {
  if (++r->depth > DEEPEST)
    complain(r, r->at, "too many brackets and signs within each other", "", 0);
  if (!r->wrong && take(r, "-")) {
    readUnary(r);
    emit(r, CODE_NEGATE, 0);
  } else if (!r->wrong) {
    readAtom(r);
    if (!r->wrong && take(r, "^")) {
      readUnary(r);
      emit(r, CODE_POWER, 0);
    }
  }
  r->depth--;
}

/* Does a name or a bracket come next? */
static bool beginsValue(Reader *r) {
  skipSpace(r);
  return r->at < r->end && (isalpha((unsigned char)*r->at) || *r->at == '(');
}

/* One or several operands with `first` or `second` between them, from the left: the codes of what
 * these words do. */
static void readChain(Reader *r, void (*readOperand)(Reader *), const char *first, int doesFirst,
                      const char *second, int doesSecond) {
  readOperand(r);
  while (!r->wrong) {
    int code = doesFirst;
    if (!take(r, first)) {
      if (!take(r, second))
        return;
      code = doesSecond;
    }
    readOperand(r);
    emit(r, code, 0);
  }
}

/* Values that follow each other are multiplied: D lap(u), u (1 - u). */
static void readProduct(Reader *r) {
  readChain(r, readUnary, "*", CODE_MULTIPLY, "/", CODE_DIVIDE);
  while (!r->wrong && beginsValue(r)) {
    readChain(r, readUnary, "*", CODE_MULTIPLY, "/", CODE_DIVIDE);
    emit(r, CODE_MULTIPLY, 0);
  }
}

static void readSum(Reader *r) {
  readChain(r, readProduct, "+", CODE_ADD, "-", CODE_SUBTRACT);
}

static void readComparison(Reader *r) {
  readSum(r);
  if (r->wrong)
    return;
  static const struct {
    const char *word;
    int code;
  } list[] = {{"<=", CODE_AT_MOST}, {">=", CODE_AT_LEAST}, {"<", CODE_LESS}, {">", CODE_MORE}};
  for (int k = 0; k < (int)(sizeof list / sizeof *list); k++)
    if (take(r, list[k].word)) {
      readSum(r);
      emit(r, list[k].code, 0);
      return;
    }
}

static void readFormula(Reader *r) {
  readChain(r, readComparison, "&", CODE_AND, "|", CODE_OR);
}

static const char *readAll(Reader *r) {
  r->out->count = 0;
  readFormula(r);
  skipSpace(r);
  if (r->at < r->end)
    complain(r, r->at, "this does not belong to the formula: '", r->at, (int)(r->end - r->at));
  if (r->wrong)
    r->out->count = 0;
  return r->wrong;
}

const char *demoFormulaRead(demoFormula *out, const char *text, const char *end,
                            const demoNamed *named, int count, char complaint[DEMO_COMPLAINT]) {
  Reader r = {
      .at = text, .end = end, .out = out, .named = named, .count = count, .complaint = complaint};
  return readAll(&r);
}

const char *demoFormulaReadFields(demoFormula *out, const char *text, const char *end,
                                  const demoNamed *named, int count, int fields, bool both,
                                  char complaint[DEMO_COMPLAINT]) {
  Reader r = {
      .at = text, .end = end, .out = out, .named = named, .count = count, .complaint = complaint};
  r.fields = fields;
  r.both = both;
  return readAll(&r);
}

size_t demoFormulaUnknown(const char *at, const char *end) {
  const char *after = at;
  if (at >= end || !isalpha((unsigned char)*at))
    return 0;
  while (after < end && (isalnum((unsigned char)*after) || *after == '_'))
    after++;
  size_t length = (size_t)(after - at);
  while (after < end && isspace((unsigned char)*after))
    after++;
  bool called = after < end && *after == '(';
  bool known = functionOf(at, length) >= 0;
  if (called || known)
    return 0;
  return length;
}

bool demoFormulaVaries(const demoFormula *f) {
  for (int k = 0; k < f->count; k++) {
    int code = f->operation[k].code;
    bool parameter = f->operation[k].value >= (double)DEMO_PARAMETER &&
                     f->operation[k].value < (double)DEMO_FIELD;
    if (code == CODE_RANDOM || (code == CODE_VARIABLE && !parameter))
      return true;
  }
  return false;
}

/* Beyond 2^53 or so there are no parts of a number any more, and int64_t ends near 9e18. */
static double whole(double x) {
  return x > -1e15 && x < 1e15 ? floor(x) : 0;
}

double demoFormulaRandom(double seed, double index) {
  /* splitmix64 */
  uint64_t x =
      (uint64_t)(int64_t)whole(seed) * 0x9e3779b97f4a7c15u + (uint64_t)(int64_t)whole(index);
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* From 0 at a to 1 at b. */
static double smoothStep(double x, double a, double b) {
  double t = fmin(fmax((x - a) / (b - a), 0), 1);
  return t * t * (3 - 2 * t);
}

#define VALUE(code, name, values, kind, value, glsl)                                               \
  case CODE_##code:                                                                                \
    return value;

/* An operation of up to three values, all of which have been computed. */
static double apply(int code, const double v[3], const double *variable) {
  const double a = v[0], b = v[1], c = v[2];
  switch (code) {
    DEMO_OPERATIONS(VALUE)
  default:
    return 0;
  }
}

double demoFormulaAt(const demoFormula *f, const double variable[DEMO_VARIABLES]) {
  double stack[DEMO_FORMULA + 3] = {0};
  /* what is on the stack */
  int top = 0;
  for (int k = 0; k < f->count; k++) {
    int code = f->operation[k].code, values = demoCodeValues(code);
    double value = f->operation[k].value;
    top -= values;
    double *first = stack + top;
    if (code == CODE_VARIABLE)
      *first = variable[(int)value];
    else if (values == 0)
      *first = value;
    else
      *first = apply(code, first, variable);
    top++;
  }
  return stack[0];
}
