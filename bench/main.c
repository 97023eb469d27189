/* The program texla-bench, which `texla bench` starts. */
#include <stdio.h>

#include "bench.h"
#include "program/arguments.h"

int main(int argc, char **argv) {
  int status = txBenchMain(argc, argv);
  if ((fflush(stdout) != 0 || ferror(stdout)) && status != TX_EXIT_BAD) {
    perror("texla bench: writing standard output failed");
    status = TX_EXIT_BAD;
  }
  return status;
}
