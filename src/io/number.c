/* Numbers as text, without the C library's locale. */
#include "io/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No double needs more than 767 significant digits to be rounded correctly. */
enum { TX_DIGITS_KEPT = 800, TX_MANTISSA_DIGITS = 19 };

/* A number as an integer of `count` digits times 10^exponent: this form has no decimal point, so
 * that strtod reads it alike in every locale.
 *
 * `digits` are those that are kept, with room for an exponent behind them, and `mantissa` is the
 * first 19 of them. `any`: a digit was seen, if only a zero. */
typedef struct decimal {
  char digits[TX_DIGITS_KEPT + 1 + TX_NUMBER_SIZE];
  int count;
  bool any;
  uint64_t mantissa;
  int64_t exponent;
} decimal;

static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/* The digits before or behind the point (`fraction`). Zeros in front only move the exponent, and
 * so do digits that no rounding depends on. */
static const char *parseDigits(const char *p, decimal *d, bool fraction) {
  for (; isDigit(*p); p++) {
    d->any = true;
    if (d->count == 0 && *p == '0') {
      d->exponent -= fraction;
    } else if (d->count == TX_DIGITS_KEPT) {
      d->exponent += !fraction;
    } else {
      if (d->count < TX_MANTISSA_DIGITS)
        d->mantissa = 10 * d->mantissa + (uint64_t)(*p - '0');
      d->digits[d->count++] = *p;
      d->exponent -= fraction;
    }
  }
  return p;
}

/* Clinger's fast path: mantissa and power of ten are both exact, so one rounding gives the right
 * double. */
static bool convertExactly(const decimal *d, double *value) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (d->count > TX_MANTISSA_DIGITS || d->mantissa > UINT64_C(1) << 53 || llabs(d->exponent) > 22)
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

/* What the fast path cannot do is left to strtod, on text without a decimal point. */
static double convert(decimal *d) {
  double value = 0;
  if (d->count == 0 || convertExactly(d, &value))
    return value;
  /* Beyond it every number of 800 digits is 0 or Inf. */
  int64_t limit = 20000;
  d->digits[d->count] = 'e';
  txIntegerFormat(d->digits + d->count + 1, within(d->exponent, limit));
  return strtod(d->digits, NULL);
}

/* Matches a lower-case word, whatever the case of the text. */
static const char *parseWord(const char *p, const char *word) {
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
    const char *end = parseWord(p, special[k].word);
    if (end) {
      *value = special[k].value;
      return end;
    }
  }
  return NULL;
}

/* Digits, a point, digits, an exponent; all but one digit may be left out. */
static const char *parseUnsigned(const char *p, double *value) {
  decimal d;
  d.count = 0;
  d.any = false;
  d.mantissa = 0;
  d.exponent = 0;
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
  *value = convert(&d);
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
