/* Numbers as text, without the C library's locale. */
#include "io/number.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mantissa of 64 bits takes 19 digits; no double needs more than 767 to be rounded correctly. */
enum { TX_MANTISSA_DIGITS = 19, TX_DIGITS_KEPT = 800 };

/* A number as an integer times 10^exponent. `mantissa` is the integer of the first 19 of its
 * `count` digits; zeros in front are none of them. `any`: a digit was seen, if only a zero. */
typedef struct decimal {
  const char *text;
  uint64_t mantissa;
  int64_t count, exponent;
  bool any;
} decimal;

static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/* The digits before or behind the point (`fraction`). */
static const char *parseDigits(const char *p, decimal *d, bool fraction) {
  for (; isDigit(*p); p++) {
    d->any = true;
    if (d->count < TX_MANTISSA_DIGITS) {
      d->mantissa = 10 * d->mantissa + (uint64_t)(*p - '0');
      d->exponent -= fraction;
    } else {
      d->exponent += !fraction;
    }
    d->count += d->count > 0 || *p != '0';
  }
  return p;
}

/* high + low, of which low is at most half a unit in high's last place. */
typedef struct twoDoubles {
  double high, low;
} twoDoubles;

static twoDoubles addSmaller(double a, double b) {
  double sum = a + b;
  return (twoDoubles){sum, b - (sum - a)};
}

/* a b, exactly: both are split into halves whose products are exact (Dekker 1971). */
static twoDoubles multiplyDoubles(double a, double b) {
  const double half = 0x1p27 + 1;
  double a_high = half * a, b_high = half * b;
  a_high -= a_high - a;
  b_high -= b_high - b;
  double a_low = a - a_high, b_low = b - b_high, product = a * b;
  double rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return (twoDoubles){product, rest};
}

/* Powers of ten that are exact. */
enum { EXACT_POWER = 22 };
static const double power[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static twoDoubles numberMultiply(twoDoubles a, double b) {
  twoDoubles p = multiplyDoubles(a.high, b);
  return addSmaller(p.high, p.low + a.low * b);
}

static twoDoubles numberDivide(twoDoubles a, double b) {
  double quotient = a.high / b;
  twoDoubles p = multiplyDoubles(quotient, b);
  return addSmaller(quotient, ((a.high - p.high) - p.low + a.low) / b);
}

/* The value as the sum of two doubles, with an error far below the last place of the first. False
 * where that leaves open which double is nearest, and where a number is too large or too small. */
static bool convertTwice(const decimal *d, double *value) {
  enum { RANGE = 250 };
  if (d->count > TX_MANTISSA_DIGITS || d->exponent > RANGE || d->exponent < -RANGE ||
      FLT_EVAL_METHOD != 0)
    return false;
  double rounded = (double)d->mantissa;
  twoDoubles v = {rounded, (double)(int64_t)(d->mantissa - (uint64_t)rounded)};
  for (int left = (int)d->exponent; left > 0; left -= EXACT_POWER)
    v = numberMultiply(v, power[txLeast(left, EXACT_POWER)]);
  for (int left = (int)-d->exponent; left > 0; left -= EXACT_POWER)
    v = numberDivide(v, power[txLeast(left, EXACT_POWER)]);
  double margin = v.high * 0x1p-90;
  *value = v.high + (v.low - margin);
  return *value == v.high + (v.low + margin);
}

/* Clinger's fast path: mantissa and power of ten are both exact, so one rounding gives the right
 * double. */
static bool convertExactly(const decimal *d, double *value) {
  if (d->count > TX_MANTISSA_DIGITS || d->mantissa > UINT64_C(1) << 53 ||
      d->exponent > EXACT_POWER || d->exponent < -EXACT_POWER)
    return false;
  double mantissa = (double)d->mantissa;
  if (d->exponent < 0)
    *value = mantissa / power[-d->exponent];
  else
    *value = mantissa * power[d->exponent];
  return true;
}

/* The value, or the bound that it exceeds: -limit or limit. */
static int64_t within(int64_t value, int64_t limit) {
  if (value > limit)
    return limit;
  if (value < -limit)
    return -limit;
  return value;
}

/* Left to strtod: without a decimal point, so that it reads the text alike in every locale. */
static double convertText(const decimal *d) {
  char text[TX_DIGITS_KEPT + 1 + TX_NUMBER_SIZE];
  int kept = 0;
  for (const char *p = d->text; kept < d->count && kept < TX_DIGITS_KEPT; p++)
    if (*p != '.' && (kept > 0 || *p != '0'))
      text[kept++] = *p;
  int64_t exponent = d->exponent;
  if (kept > TX_MANTISSA_DIGITS)
    exponent -= kept - TX_MANTISSA_DIGITS;
  /* Beyond it every number of 800 digits is 0 or Inf. */
  int64_t limit = 20000;
  text[kept] = 'e';
  txIntegerFormat(text + kept + 1, within(exponent, limit));
  return strtod(text, NULL);
}

static double numberConvert(const decimal *d) {
  double value = 0;
  if (d->count == 0 || convertExactly(d, &value) || convertTwice(d, &value))
    return value;
  return convertText(d);
}

/* Matches a lower-case word, whatever the case of the text. */
static const char *numberParseWord(const char *p, const char *word) {
  for (; *word; p++, word++)
    if ((*p | 0x20) != *word)
      return NULL;
  return p;
}

/* Words that IEEE 754 has for numbers that have no digits. */
static const char *parseSpecial(const char *p, double *value) {
  static const struct {
    const char *word;
    double value;
  } special[] = {{"nan", NAN}, {"infinity", INFINITY}, {"inf", INFINITY}};
  for (size_t k = 0; k < sizeof special / sizeof *special; k++) {
    const char *end = numberParseWord(p, special[k].word);
    if (end) {
      *value = special[k].value;
      return end;
    }
  }
  return NULL;
}

/* Digits, a point, digits, an exponent; all but one digit may be left out. */
static const char *parseUnsigned(const char *p, double *value) {
  decimal d = {.text = p};
  p = parseDigits(p, &d, false);
  if (*p == '.')
    p = parseDigits(p + 1, &d, true);
  if (!d.any)
    return NULL;
  char letter = (char)(*p | 0x20);
  if (letter == 'e' || letter == 'd') {
    int64_t exponent;
    p = txIntegerParse(p + 1, &exponent);
    if (!p)
      return NULL;
    d.exponent += within(exponent, INT32_MAX);
  }
  *value = numberConvert(&d);
  return p;
}

/* The sign is not part of the digits, so that -0 keeps it. */
const char *txNumberParse(const char *text, double *value) {
  const char *p = text + (*text == '-' || *text == '+'), *end;
  double magnitude;
  if (isDigit(*p) || *p == '.')
    end = parseUnsigned(p, &magnitude);
  else
    end = parseSpecial(p, &magnitude);
  if (end)
    *value = *text == '-' ? -magnitude : magnitude;
  return end;
}

/* An integer that is too large is still larger than every limit it is compared with. */
const char *txIntegerParse(const char *text, int64_t *value) {
  const char *p = text + (*text == '-' || *text == '+');
  if (!isDigit(*p))
    return NULL;
  int64_t sum = 0;
  for (; isDigit(*p); p++) {
    int digit = *p - '0';
    if (sum > (INT64_MAX - digit) / 10)
      sum = INT64_MAX;
    else
      sum = 10 * sum + digit;
  }
  *value = *text == '-' ? -sum : sum;
  return p;
}

/* Digits come out from the last one on; the smallest integer has no positive counterpart, so its
 * magnitude is unsigned. */
size_t txIntegerFormat(char text[TX_NUMBER_SIZE], int64_t value) {
  char reversed[TX_NUMBER_SIZE];
  size_t count = 0, length = 0;
  uint64_t rest = (uint64_t)value;
  if (value < 0)
    rest = 0 - rest;
  do {
    reversed[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0)
    text[length++] = '-';
  while (count > 0)
    text[length++] = reversed[--count];
  text[length] = 0;
  return length;
}

/* Whole numbers need no point, and are written faster. */
size_t txNumberFormat(char text[TX_NUMBER_SIZE], double value) {
  if (fabs(value) < 1e15 && value == trunc(value) && !(value == 0 && signbit(value)))
    return txIntegerFormat(text, (int64_t)value);
  snprintf(text, TX_NUMBER_SIZE, "%.17g", value);
  /* The locale's decimal point, whatever its bytes, becomes '.'. */
  size_t length = 0;
  for (const char *p = text; *p; p++) {
    if (strchr("0123456789+-enaif", *p))
      text[length++] = *p;
    else if (text[length - 1] != '.')
      text[length++] = '.';
  }
  text[length] = 0;
  return length;
}
