/* Solution of exercise 0: ten numbers leave two lanes of the last texel empty, and they stay zero
 * whatever a kernel returns. */
#include "lesson.h"

enum { N = 10 };

static const char plus_one[] = "uniform sampler2D x;\n"
                               "vec4 kernel() {\n"
                               "  return texel(x) + 1.;\n"
                               "}\n";

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clVector *x;
  clKernel *kernel;
  clFloat *sum;
  float value;
  /* zeros */
  OK(clVectorCreate(&x, context, N));
  OK(clKernelCreate(&kernel, context, "plus_one", plus_one));
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {x}, .input = {{"x", x}}}));
  OK(clFloatCreate(&sum, context));
  /* adds whole texels: all twelve lanes */
  OK(clVectorSum(sum, x));
  OK(clFloatDownload(sum, &value));
  printf("ten elements, each 0 + 1, sum up to %g\n", value);
  lessonExpect(value == 10, "the lanes behind the end count for nothing");
  clFloatDestroy(sum);
  clKernelDestroy(kernel);
  clVectorDestroy(x);
  return lessonEnd();
}
