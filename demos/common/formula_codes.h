/* What formulas consist of: formula.c reads and computes them, a program may translate them. */
#ifndef DEMOS_COMMON_FORMULA_CODES_H
#define DEMOS_COMMON_FORMULA_CODES_H

/* A formula becomes operations on a stack. All that is known of one is its line here:
 *     X(code, name in formulas, values, kind, in double of a, b and c, in GLSL of $1, $2 and $3)
 * NULL: an operator, which has no name; or no function in GLSL. */
#define DEMO_OPERATIONS(X)                                                                         \
  X(CONSTANT, NULL, 0, PLAIN, 0, NULL)                                                             \
  /* demoVariable, in `value` */                                                                   \
  X(VARIABLE, NULL, 0, PLAIN, 0, NULL)                                                             \
  X(NEGATE, NULL, 1, PLAIN, -a, "(-$1)")                                                           \
  X(ABS, "abs", 1, PLAIN, fabs(a), "abs($1)")                                                      \
  X(SIGN, "sign", 1, PLAIN, (a > 0) - (a < 0), "sign($1)")                                         \
  X(SQRT, "sqrt", 1, PLAIN, sqrt(a), "sqrt($1)")                                                   \
  X(EXP, "exp", 1, PLAIN, exp(a), "exp($1)")                                                       \
  X(LOG, "log", 1, PLAIN, log(a), "log($1)")                                                       \
  X(SIN, "sin", 1, PLAIN, sin(a), "sin($1)")                                                       \
  X(COS, "cos", 1, PLAIN, cos(a), "cos($1)")                                                       \
  X(TAN, "tan", 1, PLAIN, tan(a), "tan($1)")                                                       \
  X(ASIN, "asin", 1, PLAIN, asin(a), "asin($1)")                                                   \
  X(ACOS, "acos", 1, PLAIN, acos(a), "acos($1)")                                                   \
  X(ATAN, "atan", 1, PLAIN, atan(a), "atan($1)")                                                   \
  X(SINH, "sinh", 1, PLAIN, sinh(a), "sinh($1)")                                                   \
  X(COSH, "cosh", 1, PLAIN, cosh(a), "cosh($1)")                                                   \
  X(TANH, "tanh", 1, PLAIN, tanh(a), "tanh(clamp($1, -40., 40.))")                                 \
  X(FLOOR, "floor", 1, PLAIN, floor(a), "floor($1)")                                               \
  X(CEIL, "ceil", 1, PLAIN, ceil(a), "ceil($1)")                                                   \
  X(RANDOM, "random", 1, HOST, demoFormulaRandom(variable[DEMO_SEED], a), NULL)                    \
  X(ADD, NULL, 2, PLAIN, a + b, "($1 + $2)")                                                       \
  X(SUBTRACT, NULL, 2, PLAIN, a - b, "($1 - $2)")                                                  \
  X(MULTIPLY, NULL, 2, PLAIN, a *b, "$1 * $2")                                                     \
  X(DIVIDE, NULL, 2, PLAIN, a / b, "$1 / ($2)")                                                    \
  X(POWER, NULL, 2, PLAIN, pow(a, b), "power($1, $2)")                                             \
  X(LESS, NULL, 2, PLAIN, a < b, "vec4(lessThan($1, $2))")                                         \
  X(MORE, NULL, 2, PLAIN, a > b, "vec4(greaterThan($1, $2))")                                      \
  X(AT_MOST, NULL, 2, PLAIN, a <= b, "vec4(lessThanEqual($1, $2))")                                \
  X(AT_LEAST, NULL, 2, PLAIN, a >= b, "vec4(greaterThanEqual($1, $2))")                            \
  X(AND, NULL, 2, PLAIN, a != 0 && b != 0, "truth($1) * truth($2)")                                \
  X(OR, NULL, 2, PLAIN, a != 0 || b != 0, "max(truth($1), truth($2))")                             \
  X(MIN, "min", 2, PLAIN, fmin(a, b), "min($1, $2)")                                               \
  X(MAX, "max", 2, PLAIN, fmax(a, b), "max($1, $2)")                                               \
  X(HYPOT, "hypot", 2, PLAIN, hypot(a, b), "hypot($1, $2)")                                        \
  X(ATAN2, "atan2", 2, PLAIN, atan2(a, b), "atan($1, $2)")                                         \
  X(MOD, "mod", 2, PLAIN, a - b * floor(a / b), "mod($1, $2)")                                     \
  X(IF, "if", 3, PLAIN, a != 0 ? b : c, "choose($1, $2, $3)")                                      \
  X(SMOOTH, "smooth", 3, PLAIN, smoothStep(a, b, c), "ramp($1, $2, $3)")                           \
  /* k dW / dt */                                                                                  \
  X(NOISE, "noise", 1, FIELDS, 0, NULL)                                                            \
  /* the value so many cells to the right and up: u[1, 0]; both are in `value` (demoShift) */      \
  X(SHIFT, NULL, 1, FIELDS, 0, NULL)                                                               \
  /* of all cells; the last two are min(a) and max(a) */                                           \
  X(MEAN, "mean", 1, TOTAL, 0, NULL)                                                               \
  X(INTEGRAL, "integral", 1, TOTAL, 0, NULL)                                                       \
  X(LEAST, NULL, 1, TOTAL, 0, NULL)                                                                \
  X(MOST, NULL, 1, TOTAL, 0, NULL)                                                                 \
  /* sqrt(-lap) of a field */                                                                      \
  X(ROOTLAP, "rootlap", 1, DERIVATIVE, 0, NULL)                                                    \
  X(LAP, "lap", 1, DERIVATIVE, 0, NULL)                                                            \
  X(DX, "dx", 1, DERIVATIVE, 0, NULL)                                                              \
  X(DY, "dy", 1, DERIVATIVE, 0, NULL)                                                              \
  /* div(c, u) = div(c grad u) */                                                                  \
  X(DIV, "div", 2, DERIVATIVE, 0, NULL)                                                            \
  /* up(a, b, u) = a u_x + b u_y, adv(a, b, u) = (a u)_x + (b u)_y */                              \
  X(UP, "up", 3, DERIVATIVE, 0, NULL)                                                              \
  X(ADV, "adv", 3, DERIVATIVE, 0, NULL)

#define DEMO_CODE(code, ...) CODE_##code,
typedef enum demoCode { DEMO_OPERATIONS(DEMO_CODE) DEMO_CODES } demoCode;

/* Which formulas may ask for it: all; those computed on the host; those of fields; the last three
 * are told apart by programs. */
typedef enum demoKind { KIND_PLAIN, KIND_HOST, KIND_FIELDS, KIND_TOTAL, KIND_DERIVATIVE } demoKind;

typedef struct demoOperation {
  const char *name;
  /* from the stack */
  int values;
  demoKind kind;
  const char *glsl;
} demoOperation;

/* By demoCode. */
extern const demoOperation demoOperations[DEMO_CODES];

static inline int demoCodeValues(int code) {
  return demoOperations[code].values;
}

/* What CODE_SHIFT keeps in its value, and what that says of an axis. */
static inline double demoShift(int i, int j) {
  return i + 64 * j;
}

static inline int demoShiftAlong(double value, int axis) {
  int all = (int)value, i = (all + 64 * 64 + 32) % 64 - 32;
  return axis ? (all - i) / 64 : i;
}

#endif
