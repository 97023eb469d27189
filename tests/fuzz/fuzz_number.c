/* Numbers: as strtod reads them in the C locale, and back. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "io/number.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {"3.25",     "-1e-5",
                                      "1d10",     "nan",
                                      "-inf",     "12345678901234567890123",
                                      "4.9e-324", "1.7976931348623157e308",
                                      "0x10",     "+.5",
                                      NULL};
  (void)size;
  return seeds[k];
}

/* Only what both take: decimal digits, a point, an exponent e; strtod knows hexadecimal ones,
 * too. */
static bool isPlain(const char *text, const char *end) {
  return strspn(text, "+-0123456789.eE") >= (size_t)(end - text) && *end != 'x' && *end != 'X';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = fuzzText(data, size), *end = NULL, again[TX_NUMBER_SIZE];
  double value = 0, wanted, back = 0;
  int64_t integer = 0;
  const char *stop = txNumberParse(text, &value);
  if (stop && isPlain(text, stop)) {
    wanted = strtod(text, &end);
    fuzzAssert(end == stop && value == wanted);
  }
  if (stop && isfinite(value)) {
    fuzzAssert(txNumberFormat(again, value) < TX_NUMBER_SIZE);
    fuzzAssert(txNumberParse(again, &back) && back == value);
  }
  stop = txIntegerParse(text, &integer);
  fuzzAssert(!stop || (stop > text && stop <= text + strlen(text)));
  free(text);
  return 0;
}
