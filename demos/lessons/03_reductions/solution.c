/* Solution of exercise 3: the largest element, by a pyramid of one's own. */
#include "lesson.h"

/* Numbers along each side. */
enum { SIDE = 64 };

/* A texel holds four numbers of a row, each of which is compared with those of the other texels
 * in its own lane. */
static const char largest[] =
    "uniform sampler2D x;\n"
    "vec4 kernel() {\n"
    "  ivec2 t = 2 * ivec2(gl_FragCoord.xy); // this texel stands for 2 x 2 of x\n"
    "  return max(max(texelFetch(x, t, 0), texelFetch(x, t + ivec2(1, 0), 0)),\n"
    "             max(texelFetch(x, t + ivec2(0, 1), 0), texelFetch(x, t + ivec2(1, 1), 0)));\n"
    "}\n";

int main(int argc, char **argv) {
  static float value[SIDE * SIDE];
  clContext *context = lessonBegin(argc, argv);
  clVector *x, *half;
  clKernel *kernel;
  for (int i = 0; i < SIDE * SIDE; i++)
    value[i] = sinf((float)i) * (float)(i % 1000);
  float expected = value[0];
  for (int i = 1; i < SIDE * SIDE; i++)
    expected = fmaxf(expected, value[i]);

  OK(clVectorCreateGrid(&x, context, SIDE, SIDE));
  OK(clVectorUpload(x, value));
  OK(clKernelCreate(&kernel, context, "largest", largest));
  /* until one texel is left in each row */
  int columns = SIDE, rows = SIDE;
  while (columns > 4) {
    OK(clVectorCreateGrid(&half, context, columns /= 2, rows /= 2));
    clKernelRun run = {.output = {half}, .input = {{"x", x, .any_layout = true}}};
    OK(clKernelExecute(kernel, &run));
    clVectorDestroy(x);
    x = half;
  }
  /* 4 x 4 numbers: the last step is the host's */
  OK(clVectorDownload(x, value));
  float found = value[0];
  for (int i = 1; i < columns * rows; i++)
    found = fmaxf(found, value[i]);
  printf("largest: %g, by a loop: %g\n", found, expected);
  lessonExpect(found == expected, "the pyramid finds the largest element");
  clKernelDestroy(kernel);
  clVectorDestroy(x);
  return lessonEnd();
}
