/* Solution of exercise 3: the largest element, by a pyramid of one's own. */
#include "lesson.h"

/* Numbers along each side: no power of two. */
enum { SIDE = 50 };

/* A texel holds four numbers of a row, each of which is compared with those of the other texels
 * in its own lane. Beyond the last texel stands that one again, and beyond the last number of a row
 * the first of its texel: zeros would be larger than negative numbers. */
static const char largest[] =
    "uniform sampler2D x;\n"
    "uniform float columns, rows;\n"
    "vec4 at(ivec2 t) {\n"
    "  t = min(t, ivec2((columns - 1.) / 4., rows - 1.));\n"
    "  vec4 four = texelFetch(x, t, 0), column = vec4(4 * t.x) + vec4(0., 1., 2., 3.);\n"
    "  return mix(four.xxxx, four, lessThan(column, vec4(columns)));\n"
    "}\n"
    "vec4 kernel() {\n"
    "  ivec2 t = 2 * ivec2(gl_FragCoord.xy); // this texel stands for 2 x 2 of x\n"
    "  return max(max(at(t), at(t + ivec2(1, 0))), max(at(t + ivec2(0, 1)), at(t + ivec2(1, "
    "1))));\n"
    "}\n";

int main(int argc, char **argv) {
  static float value[SIDE * SIDE];
  clContext *context = lessonBegin(argc, argv);
  clVector *x, *half;
  clKernel *kernel;
  for (int i = 0; i < SIDE * SIDE; i++)
    value[i] = sinf((float)i) * (float)(i % 1000) - 1000;
  float expected = value[0];
  for (int i = 1; i < SIDE * SIDE; i++)
    expected = fmaxf(expected, value[i]);

  OK(clVectorCreateGrid(&x, context, SIDE, SIDE));
  OK(clVectorUpload(x, value));
  OK(clKernelCreate(&kernel, context, "largest", largest));
  /* until one texel is left in each row; half of 13 texels are 7 */
  int columns = SIDE, rows = SIDE;
  while (columns > 4 || rows > 4) {
    clKernelRun run = {.input = {{"x", x, .any_layout = true}},
                       .parameter = {{"columns", 1, {(float)columns}}, {"rows", 1, {(float)rows}}}};
    columns = 4 * ((columns + 7) / 8);
    rows = (rows + 1) / 2;
    OK(clVectorCreateGrid(&half, context, columns, rows));
    run.output[0] = half;
    OK(clKernelExecute(kernel, &run));
    clVectorDestroy(x);
    x = half;
  }
  /* 4 x 4 numbers at most: the last step is the host's */
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
