/* One context for all functions of a test: cmocka_run_group_tests(tests, setUp,
 * testContextDestroy). Include it last: other headers have parameters called `context`. */
#ifndef TEXLA_TESTS_ONE_CONTEXT_H
#define TEXLA_TESTS_ONE_CONTEXT_H

#include "common.h"

static clContext *context;
#define CHECK(call) assertOk(context, call)

static inline int setUp(void **state) {
  int failed = testContextCreate(state);
  context = *state;
  return failed;
}

#endif
