#include "sim/kernels.h"
#include "vector/run.h"

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

/* Fewer texels than this are not worth another program, and four strips around an interior. Those
 * are as wide as the squares in which llvmpipe draws, so that none is drawn twice. */
enum { LEAST_SPLIT = 8192, MARGIN = 4 };

clStatus txRunFields(clKernel *kernel, const clKernelRun *run) {
  return txRunSplit(kernel, run, LEAST_SPLIT);
}

clStatus txRunSplit(clKernel *kernel, const clKernelRun *run, int least) {
  int width = run->output[0]->texture->width, height = run->output[0]->texture->height;
  txRect inside = {MARGIN, MARGIN, (width - MARGIN) / MARGIN * MARGIN - MARGIN,
                   (height - MARGIN) / MARGIN * MARGIN - MARGIN};
  if (width * height < least || width < 3 * MARGIN || height < 3 * MARGIN)
    inside = (txRect){0, 0, 0, 0};
  return txKernelExecute(kernel, run, inside);
}
