/* What nearly every test starts with: cmocka, a context, and checks that print texla's message. */
#ifndef TEXLA_TESTS_COMMON_H
#define TEXLA_TESTS_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "choose.h"
#include "level.h"
#include "own.h"
#include "texla/context.h"

/* Ends the case as skipped, with the reason that run.sh shows. */
static inline void testSkip(const char *reason) {
  print_message("skipped: %s\n", reason);
  skip();
}

static inline void testOk(clStatus status, const clError *error, const char *text, const char *file,
                          int line) {
  if (status)
    print_error("%s: status %d: %s\n", text, (int)status, error->message);
  _assert_true(status == TEXLA_OK, text, file, line);
}

static inline void testFails(clStatus status, const clError *error, clStatus wanted,
                             const char *message, const char *text, const char *file, int line) {
  if (status != wanted || !strstr(error->message, message))
    print_error("%s: status %d: %s\n", text, (int)status, error->message);
  _assert_true(status == wanted, text, file, line);
  _assert_true(strstr(error->message, message) != NULL, message, file, line);
}

static inline void testWithin(int64_t value, int64_t least, int64_t most, const char *text,
                              const char *file, int line) {
  if (value < least || value > most)
    print_error("%s: %lld, not from %lld to %lld\n", text, (long long)value, (long long)least,
                (long long)most);
  _assert_true(value >= least && value <= most, text, file, line);
}

/* `call` must succeed; otherwise the context's message is printed. */
#define assertOk(context, call) testOk((call), clContextError(context), #call, __FILE__, __LINE__)
/* `call` must return `status` and leave a message in the context that contains `text`. */
#define assertFails(context, call, status, text)                                                   \
  testFails((call), clContextError(context), (status), (text), #call, __FILE__, __LINE__)

/* cmocka's assert_in_range compares without signs, and cmocka 2 warns of it. */
#define assertWithin(value, least, most)                                                           \
  testWithin((int64_t)(value), (int64_t)(least), (int64_t)(most), #value, __FILE__, __LINE__)

/* A linear congruential generator: the same numbers everywhere. Arrays: oracleFill
 * (oracle/vector.h). */
static inline uint32_t randomBits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

/* Uniform in [-1, 1). */
static inline double randomUnit(uint64_t *state) {
  return (double)randomBits(state) * 0x1p-31 - 1;
}

/* Is it OpenGL ES (TEXLA_DEVICE=gles)? There are no geometry shaders, timers and borders then. */
static inline bool testIsEs(const clContext *context) {
  return !strncmp(clContextInspect(context)->version, "OpenGL ES ", 10);
}

static inline clContext *testContextWith(clContextOptions options) {
  clContext *context = NULL;
  clError error = {0};
  options.no_tuning_cache = true;
  /* what most tests are about: no worker threads to wake */
  if (!options.elements)
    options.elements = 4096;
  testOk(clContextCreate(&context, &options, &error), &error, "clContextCreate", __FILE__,
         __LINE__);
  return context;
}

/* In a browser each look at OpenGL's errors waits for another process: reads have to do, which
 * look, too (web/web.cmake). */
#ifndef TEXLA_TESTS_DEBUG
#define TEXLA_TESTS_DEBUG true
#endif

/* Group set-up and tear-down: *state is a context that reports OpenGL errors. */
static inline int testContextCreate(void **state) {
  *state = testContextWith((clContextOptions){.debug = TEXLA_TESTS_DEBUG});
  return 0;
}

static inline int testContextDestroy(void **state) {
  clContextDestroy(*state);
  return 0;
}

#endif
