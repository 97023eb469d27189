/* Solution of exercise 2: two substances that react and spread (Gray and Scott), two outputs of one
 * pass. */
#include "lesson.h"

/* Points along a side, and explicit steps of length 1. */
enum { SIDE = 128, STEPS = 3000 };

/* u feeds the reaction u + 2 v -> 3 v and is fed itself; v decays. Both spread, u twice as fast. */
static const char react[] =
    "uniform sampler2D u, v;\n"
    "uniform float feed, kill;\n"
    "vec4 laplace(sampler2D s) {\n"
    "  return neighbours(s, -1, 0) + neighbours(s, 1, 0) + neighbours(s, 0, -1)\n"
    "         + neighbours(s, 0, 1) - 4. * texel(s);\n"
    "}\n"
    "void kernel(out vec4 y[OUTPUTS]) {\n"
    "  vec4 a = texel(u), b = texel(v), reaction = a * b * b;\n"
    "  y[0] = a + .2 * laplace(u) - reaction + feed * (1. - a);\n"
    "  y[1] = b + .1 * laplace(v) + reaction - (feed + kill) * b;\n"
    "}\n";

/* A grid with one value, and another one in a small rectangle. */
static clVector *filled(clContext *context, float outside, float inside) {
  static float value[SIDE * SIDE];
  clVector *x;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      value[j * SIDE + i] = abs(i - 50) < 8 && abs(j - 70) < 5 ? inside : outside;
  OK(clVectorCreateGrid(&x, context, SIDE, SIDE));
  OK(clVectorUpload(x, value));
  return x;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clVector *u = filled(context, 1, 0.5f), *v = filled(context, 0, 0.5f);
  clFloat *most;
  float value;
  clKernel *kernel;
  OK(clKernelCreate(&kernel, context, "react", react));
  /* Feed and kill rates at which spots grow and split. */
  clKernelRun run = {.output = {u, v},
                     .input = {{"u", u}, {"v", v}},
                     .parameter = {{"feed", 1, {.037f}}, {"kill", 1, {.06f}}}};
  /* texla renders elsewhere and exchanges: an output may be an input */
  for (int step = 0; step < STEPS; step++)
    OK(clKernelExecute(kernel, &run));
  OK(clFloatCreate(&most, context));
  OK(clVectorMax(most, v));
  OK(clFloatDownload(most, &value));
  printf("after %d steps v is at most %.2f: the pattern feeds on u and lives\n", STEPS, value);
  lessonExpect(value > 0.2f && value < 1, "the pattern lives");
  lessonPicture("coral", v, SIDE, TEXLA_COLORMAP_VIRIDIS, 0, 0.4f);
  clFloatDestroy(most);
  clKernelDestroy(kernel);
  clVectorDestroy(u);
  clVectorDestroy(v);
  return lessonEnd();
}
