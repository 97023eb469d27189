/* Cejka 2022, sections 2.3 and 3.4.4: time and error over the size of a section; the optimizations
 * of tables 3.10 and 3.11 by tolerance and shape of a section; table 1.7. In double-float. */
#include "icm.h"

enum { MOST = 8, SIZES = 8, WAYS = 5, KINDS = 2 };
/* Sections of a device that holds few threads: ParSecGPU's. 512 rows were his; smaller ones keep
 * the parts of a small matrix as many. */
static const char *const ways[WAYS] = {"Base: one section, 0.005", "ConvRow005", "ConvRow0",
                                       "ParSecGPU: sections of 32", "ICM"};
static const double published[WAYS][3] = {{2140.83, NAN, NAN},
                                          {57.79, .1559, 8.57963e-5},
                                          {143.68, .0397, 1.25712e-10},
                                          {89.91, .7004, 4.07454e-10},
                                          {43.88, .0595, 1.25712e-10}};

/* Dominant: a band of 9 diagonals and a dense matrix. */
static void makeMatrix(PaperMatrix *A, int n, bool dense) {
  *A = (PaperMatrix){.n = n, .a = paperAllocate((size_t)n * (size_t)n, sizeof *A->a)};
  snprintf(A->name, sizeof A->name, dense ? "dense%d" : "band%d", n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (dense || abs(i - j) <= 4)
        A->a[i * n + j] = paperRandom() + (i == j) * (dense ? n / 2. : 6);
}

static IcmOptions optionsOf(int way, int n) {
  int rows = n / 4;
  const IcmOptions all[WAYS] = {{.section = n, .tolerance = .005},
                                {.section = rows, .tolerance = .005, .rows = true},
                                {.section = rows, .rows = true},
                                {.section = 32},
                                {.section = rows}};
  return all[way];
}

static double run(clContext *context, const PaperMatrix *A, const IcmOptions *options,
                  double *error, IcmReport *report) {
  double *z = paperAllocate((size_t)A->n * (size_t)A->n, sizeof *z), start = lessonSeconds();
  bool finite = icmFactor(context, A, z, options, report);
  double seconds = lessonSeconds() - start;
  *error = paperDifference(A, z);
  lessonExpect(finite, "the factors of a dominant matrix are finite");
  free(z);
  return seconds;
}

/* Section 2.3: tolerance 0 and 0.005. */
static void study(clContext *context, const PaperMatrix *A) {
  double size[SIZES], seconds[SIZES], error[KINDS][SIZES];
  char name[128];
  int count = 0;
  snprintf(name, sizeof name, "Sections of %s: tolerance 0, and 0.005", A->name);
  paperTable(name, "section | seconds | sweeps | error | seconds 0.005 | sweeps | error");
  for (int s = 8; s <= A->n && count < SIZES; s *= 2, count++) {
    IcmReport report[KINDS];
    double time[KINDS];
    size[count] = s;
    for (int k = 0; k < KINDS; k++)
      time[k] = run(context, A, &(IcmOptions){.section = s, .tolerance = k * .005},
                    &error[k][count], &report[k]);
    seconds[count] = time[0];
    paperRow("%d | %.3f | %d | %.1e | %.3f | %d | %.1e", s, time[0], (int)report[0].sweeps,
             error[0][count], time[1], (int)report[1].sweeps, error[1][count]);
    lessonExpect(error[0][count] < 1e-9, "with tolerance 0 any section is exact");
    lessonExpect(error[1][count] < 1, "a tolerance leaves an error of its size");
  }
  snprintf(name, sizeof name, "cejka_sections_%s", A->name);
  paperPlot(&(PaperPlot){name, "Error over the size of a section", "rows of a section",
                         "max |A - L U|", true, true},
            (PaperCurve[]){{"tolerance 0", size, error[0], count, false},
                           {"tolerance 0.005", size, error[1], count, false}},
            2);
  snprintf(name, sizeof name, "cejka_section_times_%s", A->name);
  paperPlot(&(PaperPlot){name, "Time over the size of a section", "rows of a section", "seconds",
                         true, true},
            &(PaperCurve){"tolerance 0", size, seconds, count, false}, 1);
}

/* Tables 3.10 and 3.11. */
static void compareWays(clContext *context, const PaperMatrix *matrices, int count) {
  paperTable("Tables 3.10, 3.11: total seconds, mean and median of the errors",
             "optimization | seconds | mean | median | published seconds | mean | median");
  for (int w = 0; w < WAYS; w++) {
    double total = 0, errors[MOST];
    const double *p = published[w];
    for (int k = 0; k < count; k++) {
      IcmReport report;
      IcmOptions options = optionsOf(w, matrices[k].n);
      total += run(context, &matrices[k], &options, &errors[k], &report);
    }
    PaperStatistics s = paperStatistics(errors, count);
    paperRow("%s | %.3f | %.1e | %.1e | %.2f | %.4g | %.4g", ways[w], total, s.mean, s.median, p[0],
             p[1], p[2]);
    lessonExpect(w < 2 || s.largest < 1e-9, "without a tolerance the errors are rounding");
    lessonExpect(w > 1 || s.largest < 1, "with 0.005 they stay below 1");
  }
}

/* Products of matrices of ones and tenths. */
typedef struct Product {
  clContext *context;
  clKernel *naive;
  clVector *a, *b, *c;
  clDense *A, *B, *C;
  int n;
} Product;

static void multiplyNaively(void *user) {
  Product *p = user;
  OK(clKernelExecute(p->naive, &(clKernelRun){.output = {p->c},
                                              .input = {{"a", p->a}, {"b", p->b}},
                                              .parameter = {{"size", 1, {(float)p->n}}}}));
  OK(clContextSynchronize(p->context));
}

static void multiplyReusing(void *user) {
  Product *p = user;
  OK(clDenseMultiply(p->C, 1, TEXLA_NO_TRANSPOSE, p->A, TEXLA_NO_TRANSPOSE, p->B, 0));
  OK(clContextSynchronize(p->context));
}

/* Table 1.7: a fragment that fetches all it needs, and tiles that fetch once for many entries (his
 * shared memory). */
static void compareProducts(clContext *context) {
  static const char source[] = "uniform sampler2D a, b; uniform float size;\n"
                               "vec4 kernel() {\n"
                               "  ivec2 at = ivec2(gl_FragCoord.xy); vec4 sum = vec4(0.);\n"
                               "  for (int k = 0; k < int(size); k++)\n"
                               "    sum += texelFetch(a, ivec2(k >> 2, at.y), 0)[k & 3] *\n"
                               "           texelFetch(b, ivec2(at.x, k), 0);\n"
                               "  return sum;\n"
                               "}\n";
  paperTable("Table 1.7: product of n x n matrices, ms",
             "n | without reuse | with reuse | ratio (published: 2.2, 2.5, 2.3 at 160, 800, 1600)");
  for (int n = 160; n <= paperChoose(160, 320, 1600); n *= n < 320 ? 2 : 5) {
    Product p = {.context = context, .n = n};
    OK(clKernelCreate(&p.naive, context, "naive", source));
    OK(clVectorCreateGrid(&p.a, context, n, n));
    OK(clVectorCreateLike(&p.b, p.a));
    OK(clVectorCreateLike(&p.c, p.a));
    OK(clDenseCreate(&p.A, context, n, n));
    OK(clDenseCreateLike(&p.B, p.A));
    OK(clDenseCreateLike(&p.C, p.A));
    OK(clVectorFill(p.a, 1));
    OK(clVectorFill(p.b, .1f));
    OK(clDenseFill(p.A, 1));
    OK(clDenseFill(p.B, .1f));
    double without = paperTime(10, multiplyNaively, &p), with = paperTime(10, multiplyReusing, &p);
    float *c = paperAllocate((size_t)n * (size_t)n, sizeof *c);
    OK(clVectorDownload(p.c, c));
    lessonExpect(fabsf(c[n + 1] - .1f * (float)n) < 1e-4f * (float)n, "entries are n / 10");
    paperRow("%d | %.3f | %.3f | %.2f", n, 1e3 * without, 1e3 * with, without / with);
    free(c);
    clKernelDestroy(p.naive);
    clVectorDestroy(p.a);
    clVectorDestroy(p.b);
    clVectorDestroy(p.c);
    clDenseDestroy(p.A);
    clDenseDestroy(p.B);
    clDenseDestroy(p.C);
  }
}

int main(int argc, char **argv) {
  PaperMatrix matrices[MOST];
  clContext *context = paperBegin(argc, argv, "Cejka 2022: sections and tolerances");
  int count = 0, n = paperChoose(64, 256, 1024);
  makeMatrix(&matrices[count++], n, false);
  makeMatrix(&matrices[count++], n, true);
  makeMatrix(&matrices[count++], n / 2, false);
  makeMatrix(&matrices[count++], n / 2, true);
  study(context, &matrices[0]);
  study(context, &matrices[1]);
  compareWays(context, matrices, count);
  compareProducts(context);
  for (int k = 0; k < count; k++)
    free(matrices[k].a);
  return paperEnd();
}
