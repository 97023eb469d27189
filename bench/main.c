/* The program texla-bench, which `texla bench` starts. */
#include <stdio.h>

#include "bench.h"
#include "program/program.h"

int main(int argc, char **argv) {
  return txProgramEnd("texla bench", txBenchMain(argc, argv));
}
