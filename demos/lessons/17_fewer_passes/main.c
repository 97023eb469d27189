/* Lesson 17: the same iteration in fewer passes. Each step of the way is measured. */
#include "lesson.h"

/* Grids from 64^2 to 512^2, ways, texels that a fragment sums, iterations before the residual. */
enum { SIZES = 4, WAYS = 5, STRIP = 64, CHECKED = 120 };

/* The system, the vectors of conjugate gradients, scalars on the device, and our kernels. */
static struct {
  clMatrix *A;
  clVector *x, *r, *p, *q, *part, *total;
  clFloat *rr, *old, *pq, *alpha, *beta;
  clKernel *move_x, *move_r, *move_xr, *turn, *partial, *sum, *step;
  clSolver *solver;
} my;

/* A kernel that takes two scalars divides them itself, 0 where the denominator is 0. */
#define QUOTIENT                                                                                   \
  "uniform sampler2D x, r, p, q;\n"                                                                \
  "float quotient() { return scalar.y == 0. ? 0. : scalar.x / scalar.y; }\n"

/* x += alpha p, r -= alpha q and p = r + beta p; with two targets the first two at once. */
static const char move_x[] =
    QUOTIENT "vec4 kernel() { return texel(x) + quotient() * texel(p); }\n";
static const char move_r[] =
    QUOTIENT "vec4 kernel() { return texel(r) - quotient() * texel(q); }\n";
static const char turn[] = QUOTIENT "vec4 kernel() { return texel(r) + quotient() * texel(p); }\n";
static const char move_xr[] = QUOTIENT "void kernel(out vec4 y[2]) {\n"
                                       "  y[0] = texel(x) + quotient() * texel(p);\n"
                                       "  y[1] = texel(r) - quotient() * texel(q);\n"
                                       "}\n";

/* p.q, r.r and q.q of a strip of texels, one below the other. */
static const char partial[] = "uniform sampler2D r, p, q;\n"
                              "uniform float strip;\n"
                              "vec4 kernel() {\n"
                              "  ivec2 first = ivec2(gl_FragCoord.xy) * ivec2(1, int(strip));\n"
                              "  vec4 sums = vec4(0.);\n"
                              "  for (int k = 0; k < int(strip); k++) {\n"
                              "    ivec2 at = first + ivec2(0, k);\n"
                              "    vec4 a = texelFetch(r, at, 0), b = texelFetch(p, at, 0);\n"
                              "    vec4 c = texelFetch(q, at, 0);\n"
                              "    sums += vec4(dot(b, c), dot(a, a), dot(c, c), 0.);\n"
                              "  }\n"
                              "  return sums;\n"
                              "}\n";
/* The sums of all strips become one texel. */
static const char sum[] = "uniform sampler2D part;\n"
                          "vec4 kernel() {\n"
                          "  ivec2 size = textureSize(part, 0);\n"
                          "  vec4 sums = vec4(0.);\n"
                          "  for (int j = 0; j < size.y; j++)\n"
                          "    for (int i = 0; i < size.x; i++)\n"
                          "      sums += texelFetch(part, ivec2(i, j), 0);\n"
                          "  return sums;\n"
                          "}\n";

/* The next r.r is (r - alpha q).(r - alpha q) = alpha^2 q.q - r.r, since r.q = p.q. */
static const char step[] = "uniform sampler2D x, r, p, q, total;\n"
                           "void kernel(out vec4 y[3]) {\n"
                           "  vec4 sums = texelFetch(total, ivec2(0), 0); // p.q, r.r, q.q\n"
                           "  float alpha = sums.x == 0. ? 0. : sums.y / sums.x;\n"
                           "  float next = alpha * alpha * sums.z - sums.y;\n"
                           "  float beta = sums.y == 0. ? 0. : next / sums.y;\n"
                           "  y[0] = texel(x) + alpha * texel(p);\n"
                           "  y[1] = texel(r) - alpha * texel(q);\n"
                           "  y[2] = y[1] + beta * texel(p);\n"
                           "}\n";

/* Lesson 7: one operator for each line of the algorithm. */
static void line_by_line(void) {
  OK(clMatrixMulVector(my.q, my.A, my.p));
  OK(clVectorDot(my.pq, my.p, my.q));
  OK(clFloatDivZ(my.alpha, my.rr, my.pq));
  OK(clVectorAxpy(my.x, 1, my.alpha, my.p));
  OK(clVectorAxpy(my.r, -1, my.alpha, my.q));
  OK(clFloatCopy(my.old, my.rr));
  OK(clVectorDot(my.rr, my.r, my.r));
  OK(clFloatDivZ(my.beta, my.rr, my.old));
  OK(clVectorAdd(my.p, 1, NULL, my.r, 1, my.beta, my.p));
}

/* One of our kernels: y0, and y1 where it has two targets; a / b is its quotient. */
static void run(clKernel *kernel, clVector *y0, clVector *y1, const clFloat *a, const clFloat *b) {
  OK(clKernelExecute(kernel,
                     &(clKernelRun){.output = {y0, y1},
                                    .input = {{"x", my.x}, {"r", my.r}, {"p", my.p}, {"q", my.q}},
                                    .scalar = {a, b},
                                    .keeps_zero = true}));
}

/* No pass: names change places, not numbers. */
static void exchange(clFloat **a, clFloat **b) {
  clFloat *c = *a;
  *a = *b;
  *b = c;
}

/* The operators that use a quotient divide themselves, and names are exchanged instead of copied.
 * */
static void dividing(void) {
  OK(clMatrixMulVector(my.q, my.A, my.p));
  OK(clVectorDot(my.pq, my.p, my.q));
  run(my.move_x, my.x, NULL, my.rr, my.pq);
  run(my.move_r, my.r, NULL, my.rr, my.pq);
  exchange(&my.rr, &my.old);
  OK(clVectorDot(my.rr, my.r, my.r));
  run(my.turn, my.p, NULL, my.rr, my.old);
}

/* x and r come from one pass with two targets. */
static void together(void) {
  OK(clMatrixMulVector(my.q, my.A, my.p));
  OK(clVectorDot(my.pq, my.p, my.q));
  run(my.move_xr, my.x, my.r, my.rr, my.pq);
  exchange(&my.rr, &my.old);
  OK(clVectorDot(my.rr, my.r, my.r));
  run(my.turn, my.p, NULL, my.rr, my.old);
}

/* All sums in one reduction, all updates in one pass. */
static void merged(void) {
  float strip = (float)(clVectorLength(my.x) / clVectorLength(my.part));
  OK(clMatrixMulVector(my.q, my.A, my.p));
  OK(clKernelExecute(
      my.partial, &(clKernelRun){.output = {my.part},
                                 .input = {{"r", my.r, true}, {"p", my.p, true}, {"q", my.q, true}},
                                 .parameter = {{"strip", 1, {strip}}}}));
  OK(clKernelExecute(my.sum,
                     &(clKernelRun){.output = {my.total}, .input = {{"part", my.part, true}}}));
  OK(clKernelExecute(
      my.step,
      &(clKernelRun){
          .output = {my.x, my.r, my.p},
          .input = {{"x", my.x}, {"r", my.r}, {"p", my.p}, {"q", my.q}, {"total", my.total, true}},
          .keeps_zero = true}));
}

/* clSolver does it, as of now, in the merged way. */
static void library(void) {
  OK(clSolverIterate(my.solver, 1));
}

/* The ways in the order in which they get shorter. */
static const struct {
  const char *name;
  void (*iterate)(void);
  /* that must move in an iteration, for each unknown */
  int bytes;
} way[WAYS] = {{"line by line", line_by_line, 56},
               {"dividing where it is used", dividing, 56},
               {"x and r together", together, 56},
               {"one reduction, one update", merged, 48},
               {"the library's", library, 48}};

/* x = 0, r = p = b, and b is one everywhere. */
static void start(void) {
  OK(clVectorClear(my.x));
  OK(clVectorFill(my.r, 1));
  OK(clVectorCopy(my.p, my.r));
  OK(clVectorDot(my.rr, my.r, my.r));
  OK(clVectorFill(my.q, 1));
  OK(clSolverInit(my.solver, my.x, my.q));
}

/* All that depends on the size, for side x side points. */
static clTriplets *begin(clContext *context, int side) {
  clTriplets *T;
  OK(clGeneratePoisson2d(&T, side, side, NULL));
  OK(clMatrixCreate(&my.A, context, T, NULL));
  OK(clSolverCreate(&my.solver, my.A, NULL));
  clVector **vector[] = {&my.x, &my.r, &my.p, &my.q};
  for (int k = 0; k < 4; k++)
    OK(clMatrixCreateVector(vector[k], my.A, TEXLA_DOMAIN));
  OK(clVectorCreateGrid(&my.part, context, side, side / (side < STRIP ? side : STRIP)));
  OK(clVectorCreate(&my.total, context, 4));
  return T;
}

/* The other way round. */
static void end(clTriplets *T) {
  clVector *vector[] = {my.x, my.r, my.p, my.q, my.part, my.total};
  for (int k = 0; k < 6; k++)
    clVectorDestroy(vector[k]);
  clSolverDestroy(my.solver);
  clMatrixDestroy(my.A);
  clTripletsDestroy(T);
}

/* Passes of the second iteration. */
static int64_t passes(clContext *context, int w) {
  start();
  way[w].iterate();
  int64_t before = clContextStatistics(context).passes;
  way[w].iterate();
  return clContextStatistics(context).passes - before;
}

/* ||b - A x|| / ||b|| after some iterations, in double. */
static double residual(const clTriplets *T, int w) {
  static double x[256 * 256], b[256 * 256];
  start();
  for (int k = 0; k < CHECKED; k++)
    way[w].iterate();
  OK(clVectorDownloadDouble(my.x, x));
  for (int k = 0; k < clVectorLength(my.x); k++)
    b[k] = 1;
  return clTripletsResidual(NULL, T, x, b) / sqrt((double)clVectorLength(my.x));
}

/* Seconds of an iteration: the best of five rounds. */
static double seconds(clContext *context, int w) {
  double least = INFINITY;
  for (int round = 0; round < 5; round++) {
    start();
    way[w].iterate();
    OK(clContextSynchronize(context));
    double begin = lessonSeconds();
    for (int k = 0; k < 16; k++)
      way[w].iterate();
    OK(clContextSynchronize(context));
    least = fmin(least, (lessonSeconds() - begin) / 16);
  }
  return least;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  double time[WAYS][SIZES], left[WAYS];
  int64_t count[WAYS];
  clFloat **scalar[] = {&my.rr, &my.old, &my.pq, &my.alpha, &my.beta};
  for (int k = 0; k < 5; k++)
    OK(clFloatCreate(scalar[k], context));
  /* What is compiled once, for all sizes. */
  const struct {
    clKernel **kernel;
    const char *name, *text;
  } source[] = {{&my.move_x, "move_x", move_x},    {&my.move_r, "move_r", move_r},
                {&my.move_xr, "move_xr", move_xr}, {&my.turn, "turn", turn},
                {&my.partial, "partial", partial}, {&my.sum, "sum", sum},
                {&my.step, "step", step}};
  for (int k = 0; k < 7; k++)
    OK(clKernelCreate(source[k].kernel, context, source[k].name, source[k].text));
  for (int size = 0; size < SIZES; size++) {
    clTriplets *T = begin(context, 64 << size);
    for (int w = 0; w < WAYS; w++) {
      if (size == 0) {
        count[w] = passes(context, w);
        left[w] = residual(T, w);
      }
      time[w][size] = seconds(context, w);
    }
    end(T);
  }
  /* All ways side by side: what they cost, and that they solve the same system. */
  printf("%-26s passes  bytes  residual     64^2    128^2    256^2    512^2\n", "");
  for (int w = 0; w < WAYS; w++) {
    printf("%-26s %6lld  %5d   %.1e", way[w].name, (long long)count[w], way[w].bytes, left[w]);
    for (int size = 0; size < SIZES; size++)
      printf("  %4.0f us", 1e6 * time[w][size]);
    printf("\n");
    lessonExpect(fabs(left[w] / left[0] - 1) < .2, "all ways come to the same x");
    lessonExpect(w == 0 || w == WAYS - 1 || count[w] < count[w - 1], "each way has fewer passes");
  }
  lessonCurves("iteration", "seconds of an iteration over size", "64^2", "512^2",
               (LessonCurve[]){{"line by line", time[0], SIZES},
                               {"together", time[2], SIZES},
                               {"merged", time[3], SIZES},
                               {"library", time[4], SIZES}},
               4);
  for (int k = 0; k < 5; k++)
    clFloatDestroy(*scalar[k]);
  for (int k = 0; k < 7; k++)
    clKernelDestroy(*source[k].kernel);
  return lessonEnd();
}
