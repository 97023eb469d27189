/* The exercise of lesson 18: a kernel that breaks its promise is found without a look at it. */
#include "lesson.h"

/* A kernel that says `keeps_zero` and does not: the lanes behind the end become 1. */
static const char liar[] = "uniform sampler2D x;\n"
                           "vec4 kernel() { return texel(x) + 1.; }\n";

/* Whether the device's sum of x + 1 is the host's, for a vector of `length` zeros. */
static bool isRight(clContext *context, clKernel *kernel, int length, bool promised) {
  clVector *x, *y;
  clFloat *s;
  float sum;
  OK(clVectorCreate(&x, context, length));
  OK(clVectorCreateLike(&y, x));
  OK(clFloatCreate(&s, context));
  OK(clKernelExecute(kernel,
                     &(clKernelRun){.output = {y}, .input = {{"x", x}}, .keeps_zero = promised}));
  OK(clVectorSum(s, y));
  OK(clFloatDownload(s, &sum));
  clFloatDestroy(s);
  clVectorDestroy(x);
  clVectorDestroy(y);
  return sum == (float)length;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  static const char *const answer[] = {"wrong", "right"};
  clKernel *kernel;
  OK(clKernelCreate(&kernel, context, "liar", liar));
  printf("length    with the promise  without\n");
  for (int length = 1; length <= 9; length++) {
    bool promised = isRight(context, kernel, length, true);
    bool masked = isRight(context, kernel, length, false);
    printf("%6d    %-16s  %s\n", length, answer[promised], answer[masked]);
    lessonExpect(promised == (length % 4 == 0), "only multiples of four hide the lie");
    lessonExpect(masked, "texla masks what promises nothing");
  }
  clKernelDestroy(kernel);
  return lessonEnd();
}
