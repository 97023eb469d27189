/* The program of a room's tests: `test_ROOM NAME [CASE]` runs tests/ROOM/test_NAME.c, or only those
 * of its cases whose name is CASE (* stands for any characters). The table of names is generated
 * (room.cmake). */
#ifndef TEXLA_TESTS_ROOM_H
#define TEXLA_TESTS_ROOM_H

#include "common.h"

/* A test file's `main`, which takes arguments or does not. */
typedef struct Test {
  const char *name;
  int (*plain)(void);
  int (*with_arguments)(int argc, char **argv);
} Test;

static inline int listTests(const Test *test, const char *program) {
  fprintf(stderr, "usage: %s NAME [CASE]\n\nNames:\n", program);
  for (; test->name; test++)
    fprintf(stderr, "  %s\n", test->name);
  return 2;
}

static inline int runTest(const Test *tests, int argc, char **argv) {
  const Test *test = tests;
  while (test->name && (argc < 2 || strcmp(test->name, argv[1]) != 0))
    test++;
  if (!test->name)
    return listTests(tests, argv[0]);
  if (test->with_arguments)
    return test->with_arguments(argc - 1, argv + 1);
  if (argc > 2)
    cmocka_set_test_filter(argv[2]);
  return test->plain();
}

#endif
