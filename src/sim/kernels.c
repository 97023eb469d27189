#include "sim/kernels.h"

/* Lists of a run end with the first entry that has no name, as in a run of C's own initializers:
 * what is left out there is zero. */
int txRunInputs(const clKernelRun *run) {
  int count = 0;
  while (run->input[count].name)
    count++;
  return count;
}

void txRunInput(clKernelRun *run, const char *name, const clVector *vector) {
  run->input[txRunInputs(run)] = (clKernelInput){.name = name, .vector = vector};
}

void txRunParameter(clKernelRun *run, const char *name, int count, double a, double b, double c,
                    double d) {
  int k = 0;
  while (run->parameter[k].name)
    k++;
  run->parameter[k] = (clKernelParameter){name, count, {(float)a, (float)b, (float)c, (float)d}};
}
