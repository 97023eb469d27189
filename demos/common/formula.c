#include "common/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 /* brackets and signs */, LONGEST_NUMBER = 64 };

/* A formula becomes operations on a stack. Those of one value, of two, of three follow each other. */
typedef enum Code {
  CONSTANT,
  VARIABLE, /* + demoVariable, in `value` */
  NEGATE,
  ABS,
  SQRT,
  EXP,
  LOG,
  SIN,
  COS,
  TAN,
  ASIN,
  ATAN,
  TANH,
  FLOOR,
  RANDOM,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  POWER,
  LESS,
  MORE,
  AT_MOST,
  AT_LEAST,
  AND,
  OR,
  MIN,
  MAX,
  HYPOT,
  MOD,
  IF,
  SMOOTH
} Code;

static const char *const function[] = {
    [ABS] = "abs", [SQRT] = "sqrt", [EXP] = "exp",     [LOG] = "log",       [SIN] = "sin",     [COS] = "cos",
    [TAN] = "tan", [ASIN] = "asin", [ATAN] = "atan",   [TANH] = "tanh",     [MIN] = "min",     [MAX] = "max",
    [MOD] = "mod", [IF] = "if",     [FLOOR] = "floor", [RANDOM] = "random", [HYPOT] = "hypot", [SMOOTH] = "smooth"};
static const char *const variableName[] = {"x", "y", "w", "h", "t", "n", "nu"};

static int valuesOf(int code) {
  return code >= IF ? 3 : code >= ADD ? 2 : code >= NEGATE ? 1 : 0;
}

typedef struct Reader {
  const char *at, *end, *wrong; /* wrong: the place of the first complaint */
  demoFormula *out;
  const demoNamed *named;
  int count, depth;
  char *complaint;
} Reader;

static void complain(Reader *r, const char *at, const char *what, const char *name, int length) {
  if (r->wrong)
    return;
  r->wrong = at;
  snprintf(r->complaint, DEMO_COMPLAINT, "%s%.*s%s", what, length > 40 ? 40 : length, name, length ? "'" : "");
}

static void emit(Reader *r, int code, double value) {
  if (r->out->count == DEMO_FORMULA)
    complain(r, r->at, "this formula is too long: give a part of it a name with 'let', or simplify it", "", 0);
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

static void readNumber(Reader *r) {
  char copy[LONGEST_NUMBER + 1], *end;
  size_t length = (size_t)(r->end - r->at) < LONGEST_NUMBER ? (size_t)(r->end - r->at) : LONGEST_NUMBER, n = 0;
  while (n < length && (isalnum((unsigned char)r->at[n]) || r->at[n] == '.' ||
                        ((r->at[n] == '-' || r->at[n] == '+') && n && (r->at[n - 1] | 32) == 'e')))
    n++;
  memcpy(copy, r->at, n);
  copy[n] = 0;
  double value = strtod(copy, &end);
  if (*end || !isfinite(value))
    complain(r, r->at, "this is no number: '", copy, (int)n);
  emit(r, CONSTANT, value);
  r->at += n;
}

static bool isName(const char *name, size_t length, const char *other) {
  return other && strlen(other) == length && memcmp(name, other, length) == 0;
}

static void callFunction(Reader *r, int code) {
  int values = valuesOf(code);
  expectToken(r, "(", "a function needs its values in brackets");
  for (int k = 0; k < values && !r->wrong; k++) {
    readFormula(r);
    expectToken(r, k + 1 < values ? "," : ")",
                k + 1 < values ? "this function needs more values: a comma is missing" : "')' is missing");
  }
  emit(r, code, 0);
}

static void insert(Reader *r, const demoFormula *formula) {
  for (int k = 0; k < formula->count; k++)
    emit(r, formula->operation[k].code, formula->operation[k].value);
}

static void readName(Reader *r) {
  const double pi = 3.14159265358979323846;
  const char *name = r->at;
  while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_'))
    r->at++;
  size_t length = (size_t)(r->at - name);
  if (isName(name, length, "pi")) {
    emit(r, CONSTANT, pi);
    return;
  }
  for (int k = 0; k < (int)(sizeof variableName / sizeof *variableName); k++)
    if (isName(name, length, variableName[k])) {
      emit(r, VARIABLE, k);
      return;
    }
  for (int k = 0; k < r->count; k++)
    if (isName(name, length, r->named[k].name)) {
      insert(r, &r->named[k].formula);
      return;
    }
  for (int k = 0; k < (int)(sizeof function / sizeof *function); k++)
    if (isName(name, length, function[k])) {
      callFunction(r, k);
      return;
    }
  complain(r, name, "nothing is called '", name, (int)length);
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
    emit(r, NEGATE, 0);
  } else if (!r->wrong) {
    readAtom(r);
    if (!r->wrong && take(r, "^")) {
      readUnary(r);
      emit(r, POWER, 0);
    }
  }
  r->depth--;
}

static void readProduct(Reader *r) {
  readUnary(r);
  for (bool more = true; more && !r->wrong;) {
    int code = take(r, "*") ? MULTIPLY : take(r, "/") ? DIVIDE : CONSTANT;
    more = code != CONSTANT;
    if (more)
      readUnary(r);
    if (more)
      emit(r, code, 0);
  }
}

static void readSum(Reader *r) {
  readProduct(r);
  for (bool more = true; more && !r->wrong;) {
    int code = take(r, "+") ? ADD : take(r, "-") ? SUBTRACT : CONSTANT;
    more = code != CONSTANT;
    if (more)
      readProduct(r);
    if (more)
      emit(r, code, 0);
  }
}

static void readComparison(Reader *r) {
  readSum(r);
  if (r->wrong)
    return;
  int code = take(r, "<=") ? AT_MOST : take(r, ">=") ? AT_LEAST : take(r, "<") ? LESS : take(r, ">") ? MORE : CONSTANT;
  if (code == CONSTANT)
    return;
  readSum(r);
  emit(r, code, 0);
}

static void readFormula(Reader *r) {
  readComparison(r);
  for (bool more = true; more && !r->wrong;) {
    int code = take(r, "&") ? AND : take(r, "|") ? OR : CONSTANT;
    more = code != CONSTANT;
    if (more)
      readComparison(r);
    if (more)
      emit(r, code, 0);
  }
}

const char *demoFormulaRead(demoFormula *out, const char *text, const char *end, const demoNamed *named, int count,
                            char complaint[DEMO_COMPLAINT]) {
  Reader r = {.at = text, .end = end, .out = out, .named = named, .count = count, .complaint = complaint};
  out->count = 0;
  readFormula(&r);
  skipSpace(&r);
  if (r.at < end)
    complain(&r, r.at, "this does not belong to the formula: '", r.at, (int)(end - r.at));
  if (r.wrong)
    out->count = 0;
  return r.wrong;
}

bool demoFormulaVaries(const demoFormula *f) {
  for (int k = 0; k < f->count; k++)
    if (f->operation[k].code == VARIABLE || f->operation[k].code == RANDOM)
      return true;
  return false;
}

static double whole(double x) {
  return x > -1e15 && x < 1e15 ? floor(x) : 0;
}

double demoFormulaRandom(double seed, double index) {
  uint64_t x = (uint64_t)(int64_t)whole(seed) * 0x9e3779b97f4a7c15u + (uint64_t)(int64_t)whole(index); /* splitmix64 */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static double ofOne(int code, double a, const double *variable) {
  switch (code) {
  case NEGATE:
    return -a;
  case ABS:
    return fabs(a);
  case SQRT:
    return sqrt(a);
  case EXP:
    return exp(a);
  case LOG:
    return log(a);
  case SIN:
    return sin(a);
  case COS:
    return cos(a);
  case TAN:
    return tan(a);
  case ASIN:
    return asin(a);
  case ATAN:
    return atan(a);
  case TANH:
    return tanh(a);
  case FLOOR:
    return floor(a);
  default:
    return demoFormulaRandom(variable[DEMO_SEED], a);
  }
}

static double ofTwo(int code, double a, double b) {
  switch (code) {
  case ADD:
    return a + b;
  case SUBTRACT:
    return a - b;
  case MULTIPLY:
    return a * b;
  case DIVIDE:
    return a / b;
  case POWER:
    return pow(a, b);
  case LESS:
    return a < b;
  case MORE:
    return a > b;
  case AT_MOST:
    return a <= b;
  case AT_LEAST:
    return a >= b;
  case AND:
    return a != 0 && b != 0;
  case OR:
    return a != 0 || b != 0;
  case MIN:
    return fmin(a, b);
  case MAX:
    return fmax(a, b);
  case HYPOT:
    return hypot(a, b);
  default:
    return a - b * floor(a / b);
  }
}

static double ofThree(int code, const double v[3]) {
  if (code == IF)
    return v[0] != 0 ? v[1] : v[2];
  double t = fmin(fmax((v[0] - v[1]) / (v[2] - v[1]), 0), 1);
  return t * t * (3 - 2 * t);
}

double demoFormulaAt(const demoFormula *f, const double variable[DEMO_VARIABLES]) {
  double stack[DEMO_FORMULA + 1] = {0};
  int top = 0; /* what is on the stack */
  for (int k = 0; k < f->count; k++) {
    int code = f->operation[k].code, values = valuesOf(code);
    double value = f->operation[k].value, *first = stack + (top -= values);
    *first = code == CONSTANT   ? value
             : code == VARIABLE ? variable[(int)value]
             : values == 1      ? ofOne(code, first[0], variable)
             : values == 2      ? ofTwo(code, first[0], first[1])
                                : ofThree(code, first);
    top++;
  }
  return stack[0];
}
