#include "bench.h"

#include <stdio.h>

int txBenchMain(int argc, char **argv) {
  (void)argc;
  fprintf(stderr, "texla %s: there are no benchmarks in this build\n", argv[0]);
  return 2;
}
