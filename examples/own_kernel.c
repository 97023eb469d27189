/* A fragment shader of one's own on vectors: Conway's game of life, a cell to an element, a step to
 * a pass. A glider on a torus is back where it was, moved by one cell, every four steps. */
#include <stdio.h>

#include <texla/texla.h>

enum { SIDE = 16, STEPS = 4 * SIDE };

static const char life[] =
    "uniform sampler2D cells;\n"
    "vec4 kernel() {\n"
    "  vec4 near = vec4(0.), self = texel(cells);\n"
    "  for (int dy = -1; dy <= 1; dy++)\n"
    "    for (int dx = -1; dx <= 1; dx++)\n"
    "      near += neighbours(cells, dx, dy); // zero outside of the grid\n"
    "  near -= self;\n"
    "  return vec4(equal(near, vec4(3.))) + self * vec4(equal(near, vec4(2.)));\n"
    "}\n";

static void print(const float *cell) {
  for (int j = SIDE - 1; j >= 0; j--) {
    for (int i = 0; i < SIDE; i++)
      putchar(cell[j * SIDE + i] > 0 ? '#' : '.');
    putchar('\n');
  }
}

int main(void) {
  static float cell[SIDE * SIDE];
  const int glider[5][2] = {{1, 13}, {2, 12}, {0, 11}, {1, 11}, {2, 11}};
  clContext *context = NULL;
  clVector *now = NULL, *next = NULL;
  clKernel *kernel = NULL;
  clError error = {0};
  if (clContextCreate(&context, NULL, &error))
    return fprintf(stderr, "%s\n", error.message), 2;
  for (int k = 0; k < 5; k++)
    cell[glider[k][1] * SIDE + glider[k][0]] = 1;

  clStatus status = clVectorCreateGrid(&now, context, SIDE, SIDE);
  if (!status)
    status = clVectorCreateLike(&next, now);
  if (!status)
    status = clVectorUpload(now, cell);
  if (!status)
    status = clKernelCreate(&kernel, context, "life", life);
  for (int k = 0; k < 20 && !status; k++) {
    clKernelRun run = {.output = {next}, .input = {{"cells", now}}};
    status = clKernelExecute(kernel, &run);
    clVector *old = now;
    now = next;
    next = old;
  }
  if (!status)
    status = clVectorDownload(now, cell);
  if (status)
    fprintf(stderr, "%s\n", clContextError(context)->message);
  else
    print(cell);

  clKernelDestroy(kernel);
  clVectorDestroy(now);
  clVectorDestroy(next);
  clContextDestroy(context);
  return status ? 1 : 0;
}
