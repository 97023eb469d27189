/* Fuzzing: a target takes any bytes, and must neither crash nor hang, leak, or break what it
 * asserts. Each file fuzz_*.c is one target. `make test` tries each with a few thousand inputs that
 * driver.c makes of its seeds, the same ones every time; `make fuzz` gives it to libFuzzer, which
 * looks for inputs that reach new code. */
#ifndef TEXLA_TESTS_FUZZ_FUZZ_H
#define TEXLA_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One input. What is wrong ends the program (fuzzAssert, a sanitizer). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Inputs to begin with: seed number k, its length in *size (0: as long as its text), NULL when
 * there are no more. */
const char *fuzzSeed(int k, size_t *size);

/* The path of a file with these bytes, which lives until the next call. */
const char *fuzzFile(const void *data, size_t size);

/* A temporary copy of the bytes with a zero behind them; the caller frees it. */
char *fuzzText(const uint8_t *data, size_t size);

#define fuzzAssert(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
