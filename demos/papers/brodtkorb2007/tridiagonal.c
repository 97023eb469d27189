/* Brodtkorb 2007, section 4.1.4: thousands of tridiagonal systems, one in a column of texels; sub,
 * main, super diagonal and right-hand side in R, G, B, A; a pass for each row forwards, one for
 * each row backwards. Beside the library's blocks, which take all rows at once. */
#include "paper.h"

/* r becomes row `row` without its sub diagonal: multiplier b / r, not r / b as 4.1.3 has it. */
static const char forward[] =
    "uniform sampler2D systems, before; uniform float row;\n"
    "vec4 kernel() {\n"
    "  vec4 r = texelFetch(systems, ivec2(int(gl_FragCoord.x), int(row)), 0), q = texel(before);\n"
    "  float m = row > 0. ? r.x / q.y : 0.;\n"
    "  return vec4(0., r.y - m * q.z, r.z, r.w - m * q.w);\n"
    "}\n";
/* The unknown, in A. */
static const char backward[] = "uniform sampler2D row, next; uniform float last;\n"
                               "vec4 kernel() {\n"
                               "  vec4 r = texel(row); float x = last > 0. ? 0. : texel(next).w;\n"
                               "  return vec4(0., 0., 0., (r.w - r.z * x) / r.y);\n"
                               "}\n";

typedef struct Work {
  clContext *context;
  int systems, rows;
  /* all of them, and each row of texels */
  clVector *all, **row;
  clKernel *forward, *backward;
  clTridiagonal *T;
  clVector *band[4], *x;
} Work;

static void byRows(void *user) {
  const Work *w = user;
  for (int i = 0; i < w->rows; i++)
    OK(clKernelExecute(w->forward, &(clKernelRun){.output = {w->row[i]},
                                                  .input = {{"systems", w->all, true},
                                                            {"before", w->row[i > 0 ? i - 1 : 0]}},
                                                  .parameter = {{"row", 1, {(float)i}}}}));
  for (int i = w->rows - 1; i >= 0; i--) {
    bool last = i == w->rows - 1;
    OK(clKernelExecute(w->backward,
                       &(clKernelRun){.output = {w->row[i]},
                                      .input = {{"row", w->row[i]}, {"next", w->row[i + !last]}},
                                      .parameter = {{"last", 1, {(float)last}}}}));
  }
  OK(clContextSynchronize(w->context));
}

static void byBlocks(void *user) {
  const Work *w = user;
  const clTridiagonalBands A = {.sub = w->band[0], .main = w->band[1], .super = w->band[2]};
  OK(clTridiagonalSolve(w->T, w->x, &A, w->band[3]));
  OK(clContextSynchronize(w->context));
}

/* Largest error of either solution, whose unknowns are ones. */
static double worstOf(const Work *w, float *values) {
  double worst = 0;
  OK(clVectorDownload(w->x, values));
  for (int k = 0; k < w->systems * w->rows; k++)
    worst = fmax(worst, fabs((double)values[k] - 1));
  for (int i = 0; i < w->rows; i++) {
    OK(clVectorDownload(w->row[i], values));
    for (int s = 0; s < w->systems; s++)
      worst = fmax(worst, fabs((double)values[4 * s + 3] - 1));
  }
  return worst;
}

static void measure(clContext *context, int systems, int rows) {
  Work w = {.context = context, .systems = systems, .rows = rows};
  size_t count = (size_t)systems * (size_t)rows;
  float *all = paperAllocate(4 * count, sizeof *all), *band = paperAllocate(count, sizeof *band);
  w.row = paperAllocate((size_t)rows, sizeof *w.row);
  for (size_t k = 0; k < count; k++) {
    float *t = all + 4 * k;
    int i = (int)(k / (size_t)systems);
    t[0] = (float)(i > 0) * -(float)paperRandom();
    t[2] = (float)(i < rows - 1) * -(float)paperRandom();
    t[1] = 3;
    t[3] = t[0] + t[1] + t[2];
  }
  OK(clVectorCreateGrid(&w.all, context, 4 * systems, rows));
  OK(clVectorUpload(w.all, all));
  OK(clVectorCreateGrid(&w.x, context, systems, rows));
  for (int b = 0; b < 4; b++) {
    for (size_t k = 0; k < count; k++)
      band[k] = all[4 * k + (size_t)b];
    OK(clVectorCreateLike(&w.band[b], w.x));
    OK(clVectorUpload(w.band[b], band));
  }
  for (int i = 0; i < rows; i++)
    OK(clVectorCreateGrid(&w.row[i], context, 4 * systems, 1));
  OK(clKernelCreate(&w.forward, context, "forward", forward));
  OK(clKernelCreate(&w.backward, context, "backward", backward));
  OK(clTridiagonalCreate(&w.T, context, systems, rows,
                         &(clTridiagonalOptions){.axis = TEXLA_AXIS_Y}));
  double by_rows = paperTime(3, byRows, &w), blocks = paperTime(3, byBlocks, &w),
         worst = worstOf(&w, all);
  paperRow("%d | %d | %.3f | %.3f | %.1e", systems, rows, 1e3 * by_rows, 1e3 * blocks, worst);
  lessonExpect(worst < 1e-5, "both ways find the ones");
  for (int i = 0; i < rows; i++)
    clVectorDestroy(w.row[i]);
  for (int b = 0; b < 4; b++)
    clVectorDestroy(w.band[b]);
  clVectorDestroy(w.all);
  clVectorDestroy(w.x);
  clKernelDestroy(w.forward);
  clKernelDestroy(w.backward);
  clTridiagonalDestroy(w.T);
  free(w.row);
  free(all);
  free(band);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Brodtkorb 2007: tridiagonal systems row by row");
  paperTable("Figures 4.13, 4.14: ms for all systems",
             "systems | rows | row by row | library's blocks | largest error");
  for (int rows = 32; rows <= paperChoose(32, 128, 2048); rows *= 4)
    for (int systems = 64; systems <= paperChoose(64, 1024, 4096); systems *= 4)
      measure(context, systems, rows);
  return paperEnd();
}
