/* Numbers as text, both ways, against strtod and printf. */
#include "common.h"

#include <locale.h>

#include "io/number.h"

static uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double randomDouble(void) {
  uint64_t bits = 0;
  for (int k = 0; k < 5; k++)
    bits = bits << 15 ^ (uint64_t)rand();
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void assertParsesLikeStrtod(const char *text) {
  char *end;
  double expected = strtod(text, &end), value = -1;
  const char *parsed = txNumberParse(text, &value);
  if (parsed != end || bitsOf(value) != bitsOf(expected))
    fail_msg("'%s' gives %.17g, not %.17g", text, value, expected);
}

static void parseRoundsLikeStrtod(void **state) {
  static const char *const texts[] = {"0",
                                      "-0",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "-.5e1",
                                      "00012.5000",
                                      "1e22",
                                      "1e23",
                                      "9007199254740993",
                                      "9007199254740992e22",
                                      "123456789012345678",
                                      "12345678901234567890",
                                      "0.1",
                                      "1e-5",
                                      "4.9e-324",
                                      "2.4e-324",
                                      "2.5e-324",
                                      "1e-400",
                                      "1.7976931348623157e308",
                                      "1.7976931348623159e308",
                                      "1e309",
                                      "-1e999999999999999999999",
                                      "1e-999999999999999999",
                                      "0e99999",
                                      "0.000000000000000000000000000000000000000000001",
                                      "1000000000000000000000000000000000000000000e-42",
                                      "2.2250738585072011e-308",
                                      "1 2",
                                      "1\t",
                                      "1%",
                                      "5e-1x"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    assertParsesLikeStrtod(texts[k]);
  char text[3000];
  for (int k = 0; k < 100000; k++) {
    snprintf(text, sizeof text, "%.*g", 1 + k % 20, randomDouble());
    if (text[0] != 'n' && text[1] != 'n' && text[0] != 'i' && text[1] != 'i')
      assertParsesLikeStrtod(text);
  }
  /* 3/2 of the smallest double in full is a tie; one more digit decides it. */
  int length = snprintf(text, sizeof text, "%.1075Lf", 0x3p-1075L);
  assertParsesLikeStrtod(text);
  for (const char *digit = "01"; *digit; digit++) {
    text[length] = *digit;
    text[length + 1] = 0;
    assertParsesLikeStrtod(text);
  }
  text[length - 1] = '4';
  assertParsesLikeStrtod(text);
  memset(text, '7', sizeof text - 1);
  text[sizeof text - 1] = 0;
  text[2] = '.';
  assertParsesLikeStrtod(text);
}

/* Texts of 17 to 21 digits as close as these can be to the middle between two doubles, over the
 * whole range of exponents. */
static void parseDecidesCloseCases(void **state) {
  char text[64];
  for (int k = 0; k < 100000; k++) {
    double value = fabs(randomDouble());
    if (!(value < DBL_MAX / 2) || value == 0)
      continue;
    long double middle = (value + (long double)nextafter(value, INFINITY)) / 2;
    int length = snprintf(text, sizeof text, "%.*Le", 16 + k % 5, middle);
    assertParsesLikeStrtod(text);
    char *last = strchr(text, 'e') - 1;
    assert_true(last > text && length < (int)sizeof text);
    *last = (char)('0' + (*last - '0' + 1) % 10);
    assertParsesLikeStrtod(text);
  }
  /* The middle itself, exactly: rounded to even. */
  for (int k = 0; k < 20000; k++) {
    int64_t mantissa = INT64_C(1) << 53 | ((int64_t)rand() << 20 ^ rand()), exponent = k % 10;
    snprintf(text, sizeof text, "%lld%s", (long long)(2 * (mantissa % (INT64_C(1) << 54)) + 1),
             &"0000000000"[10 - exponent]);
    assertParsesLikeStrtod(text);
  }
}

static void parseKnowsFortranAndSpecialNumbers(void **state) {
  double value = 0;
  assert_non_null(txNumberParse("1.5D+02", &value));
  assert_true(value == 150);
  const char *words[] = {"nan", "-NaN", "inf", "+Infinity", "-INF"};
  for (int k = 0; k < 5; k++) {
    const char *end = txNumberParse(words[k], &value);
    assert_non_null(end);
    assert_int_equal(*end, 0);
    assert_true(k < 2 ? isnan(value) : isinf(value) && (value < 0) == (k == 4));
  }
  const char *none[] = {"", "+", "-", ".", "e5", "1e", "1e+", "--1", "x1", "na", "+.e1", " 1"};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
    value = 42;
    assert_null(txNumberParse(none[k], &value));
    assert_true(value == 42);
  }
  /* hexadecimal is not read as such */
  const char *end = txNumberParse("0x10", &value);
  assert_int_equal(*end, 'x');
}

static void integersSaturate(void **state) {
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {{"0", 0},
               {"-17", -17},
               {"+0012", 12},
               {"9223372036854775806", INT64_MAX - 1},
               {"9223372036854775807", INT64_MAX},
               {"9223372036854775808", INT64_MAX},
               {"1152921504606846976000000000000", INT64_MAX},
               {"-99999999999999999999", -INT64_MAX}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    int64_t value = 1;
    const char *end = txIntegerParse(cases[k].text, &value);
    assert_non_null(end);
    assert_int_equal(*end, 0);
    assert_true(value == cases[k].value);
  }
  int64_t value = 1;
  assert_null(txIntegerParse("", &value));
  assert_null(txIntegerParse("-", &value));
  assert_null(txIntegerParse("a", &value));
  assert_int_equal(*txIntegerParse("1.5", &value), '.');
}

static void formatReadsBackExactly(void **state) {
  char text[TX_NUMBER_SIZE];
  const double special[] = {0,    -0.,  1,    -1,      0.1,     1e14,     999999999999999,
                            1e15, 1e16, 1e17, DBL_MAX, DBL_MIN, 0x1p-1074};
  for (int k = 0; k < 100000; k++) {
    double value = k % 2 ? randomDouble() : rand() - RAND_MAX / 2, back = 42;
    if (k < 13)
      value = special[k];
    if (!isfinite(value))
      continue;
    size_t length = txNumberFormat(text, value);
    assert_int_equal(length, strlen(text));
    assert_non_null(txNumberParse(text, &back));
    assert_true(bitsOf(back) == bitsOf(value));
  }
  txNumberFormat(text, 1e15 - 1);
  assert_string_equal(text, "999999999999999");
  txNumberFormat(text, -0.5);
  assert_string_equal(text, "-0.5");
  txIntegerFormat(text, INT64_MIN);
  assert_string_equal(text, "-9223372036854775808");
  txNumberFormat(text, -INFINITY);
  assert_string_equal(text, "-inf");
}

static void theLocaleDoesNotMatter(void **state) {
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                         "fr_FR.utf8",  "ps_AF.UTF-8", "ps_AF"};
  bool found = false;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (setlocale(LC_NUMERIC, names[k])) {
      found = true;
      char text[TX_NUMBER_SIZE];
      double value = 0;
      size_t length = txNumberFormat(text, -1234.5e-20);
      assert_int_equal(length, strlen(text));
      assert_int_equal(*txNumberParse("1234567890.12345678901234567", &value), 0);
      setlocale(LC_NUMERIC, "C");
      assert_null(strchr(text, ','));
      assert_true(strtod(text, NULL) == -1234.5e-20);
      assert_true(value == 1234567890.12345678901234567);
    }
  if (!found)
    testSkip("no locale with a decimal comma");
}

TEST_MAIN(NULL, NULL, parseRoundsLikeStrtod, parseDecidesCloseCases,
          parseKnowsFortranAndSpecialNumbers, integersSaturate, formatReadsBackExactly,
          theLocaleDoesNotMatter)
