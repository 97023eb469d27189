/* Lesson 2: a texture that is rendered cannot be read, so iterations alternate between two. Heat
 * spreads over a plate. */
#include "lesson.h"

/* The plate has SIDE x SIDE points. */
enum { SIDE = 96, STEPS = 1500 };

/* An explicit step of the heat equation: each point goes towards the mean of its four
 * neighbours. Beyond the edge `neighbours` is zero: there it is cold. */
static const char heat[] = "uniform sampler2D u;\n"
                           "uniform float k;\n"
                           "vec4 kernel() {\n"
                           "  vec4 around = neighbours(u, -1, 0) + neighbours(u, 1, 0)\n"
                           "                + neighbours(u, 0, -1) + neighbours(u, 0, 1);\n"
                           "  return texel(u) + k * (around - 4. * texel(u));\n"
                           "}\n";

/* Hot (1) within a T, cold (0) elsewhere. */
static void letterT(float *u) {
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      u[j * SIDE + i] =
          (j > 60 && j < 75 && i > 20 && i < 76) || (j > 20 && j < 75 && i > 40 && i < 56);
}

/* All heat on the plate. */
static double sum(const float *u) {
  double total = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    total += (double)u[i];
  return total;
}

int main(int argc, char **argv) {
  static float u[SIDE * SIDE];
  clContext *context = lessonBegin(argc, argv);
  clVector *now, *next;
  clKernel *kernel;
  OK(clVectorCreateGrid(&now, context, SIDE, SIDE));
  OK(clVectorCreateLike(&next, now));
  OK(clKernelCreate(&kernel, context, "heat", heat));
  letterT(u);
  OK(clVectorUpload(now, u));
  double before = sum(u);

  for (int step = 0; step < STEPS; step++) {
    char name[32];
    snprintf(name, sizeof name, "step%d", step);
    if (step == 0 || step == 20 || step == 150)
      lessonPicture(name, now, SIDE, TEXLA_COLORMAP_MAGMA, 0, 1);
    clKernelRun run = {.output = {next}, .input = {{"u", now}}, .parameter = {{"k", 1, {0.2f}}}};
    /* reads now, renders next ... */
    OK(clKernelExecute(kernel, &run));
    clVector *swap = now;
    /* ... and then they change roles */
    now = next;
    next = swap;
  }
  lessonPicture("end", now, SIDE, TEXLA_COLORMAP_MAGMA, 0, 1);
  OK(clVectorDownload(now, u));
  printf("%d steps; heat on the plate: %.1f before, %.1f after: the cold edge took the rest\n",
         STEPS, before, sum(u));
  lessonExpect(sum(u) < before && sum(u) > 0,
               "heat leaves through the edge, but not all of it yet");

  clKernelDestroy(kernel);
  clVectorDestroy(now);
  clVectorDestroy(next);
  return lessonEnd();
}
