/* What formulas consist of: formula.c reads and computes them, a program may translate them. */
#ifndef DEMOS_COMMON_FORMULA_CODES_H
#define DEMOS_COMMON_FORMULA_CODES_H

/* A formula becomes operations on a stack. Those of one value, of two, of three follow each
 * other. */
typedef enum demoCode {
  CODE_CONSTANT,
  /* + demoVariable, in `value` */
  CODE_VARIABLE,
  CODE_NEGATE,
  CODE_ABS,
  CODE_SQRT,
  CODE_EXP,
  CODE_LOG,
  CODE_SIN,
  CODE_COS,
  CODE_TAN,
  CODE_ASIN,
  CODE_ATAN,
  CODE_TANH,
  CODE_FLOOR,
  CODE_RANDOM,
  /* k noise: of rates, as derivatives */
  CODE_NOISE,
  /* sqrt(-lap) of a field */
  CODE_ROOTLAP,
  /* this and the next two: of fields, as CODE_DIV */
  CODE_LAP,
  CODE_DX,
  CODE_DY,
  CODE_ADD,
  CODE_SUBTRACT,
  CODE_MULTIPLY,
  CODE_DIVIDE,
  CODE_POWER,
  CODE_LESS,
  CODE_MORE,
  CODE_AT_MOST,
  CODE_AT_LEAST,
  CODE_AND,
  CODE_OR,
  CODE_MIN,
  CODE_MAX,
  CODE_HYPOT,
  CODE_MOD,
  /* div(c, u) = div(c grad u) */
  CODE_DIV,
  CODE_IF,
  CODE_SMOOTH
} demoCode;

/* How many values it takes from the stack. */
static inline int demoCodeValues(int code) {
  return (code >= CODE_NEGATE) + (code >= CODE_ADD) + (code >= CODE_IF);
}

#endif
