/* Jung and O'Leary 2008, kernels 1 to 5: A D^2 A^T as a sum of outer products, a pass for each
 * column of A, and Cholesky's factorization, two passes for each column; beside the library's
 * blocks. A clKernel covers a rectangle: here fragments above the diagonal keep zeros; the
 * document, and clDenseSyrk, draw triangles. */
#include "paper.h"

/* Four entries of row at.y from column 4 at.x on. Kernels 1 and 2. */
static const char outer[] =
    "uniform sampler2D C, A, d; uniform float k;\n"
    "float entry(sampler2D s, int x, int y) { return texelFetch(s, ivec2(x >> 2, y), 0)[x & 3]; }\n"
    "vec4 kernel() {\n"
    "  ivec2 at = ivec2(gl_FragCoord.xy); vec4 c = texel(C);\n"
    "  float b = entry(d, int(k), 0) * entry(A, int(k), at.y);\n"
    "  for (int t = 0; t < 4; t++)\n"
    "    if (4 * at.x + t <= at.y) c[t] += b * entry(A, int(k), 4 * at.x + t);\n"
    "  return c;\n"
    "}\n";
/* Kernels 3 and 4: the root of the pivot, and the column below it. */
static const char normalize[] =
    "uniform sampler2D L; uniform float k;\n"
    "vec4 kernel() {\n"
    "  ivec2 at = ivec2(gl_FragCoord.xy); int c = int(k); vec4 l = texel(L);\n"
    "  float root = sqrt(texelFetch(L, ivec2(c >> 2, c), 0)[c & 3]);\n"
    "  if (c >> 2 == at.x && at.y >= c) l[c & 3] = at.y == c ? root : l[c & 3] / root;\n"
    "  return l;\n"
    "}\n";
/* Kernel 5: l_ij -= l_ik l_jk right of column k. */
static const char subtract[] =
    "uniform sampler2D L; uniform float k;\n"
    "float column(int y) { return texelFetch(L, ivec2(int(k) >> 2, y), 0)[int(k) & 3]; }\n"
    "vec4 kernel() {\n"
    "  ivec2 at = ivec2(gl_FragCoord.xy); vec4 l = texel(L);\n"
    "  for (int t = 0; t < 4; t++) {\n"
    "    int j = 4 * at.x + t;\n"
    "    if (j > int(k) && j <= at.y) l[t] -= column(at.y) * column(j);\n"
    "  }\n"
    "  return l;\n"
    "}\n";

typedef struct Work {
  clContext *context;
  int m, n;
  /* A is m x n, C m x m; the same in the library's packing; D, and its squares as a grid */
  clVector *a, *c, *squares, *d;
  clDense *A, *C;
  clKernel *outer, *normalize, *subtract;
  clCholesky *cholesky;
} Work;

static void column(const clKernel *kernel, clVector *x, const char *name, int k) {
  OK(clKernelExecute(
      (clKernel *)(uintptr_t)kernel,
      &(clKernelRun){.output = {x}, .input = {{name, x}}, .parameter = {{"k", 1, {(float)k}}}}));
}

static void byColumns(void *user) {
  const Work *w = user;
  OK(clVectorFill(w->c, 0));
  for (int k = 0; k < w->n; k++)
    OK(clKernelExecute(
        w->outer, &(clKernelRun){.output = {w->c},
                                 .input = {{"C", w->c}, {"A", w->a, true}, {"d", w->squares, true}},
                                 .parameter = {{"k", 1, {(float)k}}}}));
  for (int k = 0; k < w->m; k++) {
    column(w->normalize, w->c, "L", k);
    column(w->subtract, w->c, "L", k);
  }
  OK(clContextSynchronize(w->context));
}

static void byBlocks(void *user) {
  const Work *w = user;
  OK(clDenseSyrk(w->C, 1, TEXLA_NO_TRANSPOSE, w->A, w->d, 0));
  OK(clCholeskyFactor(w->cholesky, w->C, NULL));
  OK(clContextSynchronize(w->context));
}

/* Largest difference of the factors, relative to the diagonal of the row. */
static double compare(const Work *w) {
  size_t entries = (size_t)w->m * (size_t)w->m;
  float *x = paperAllocate(entries, sizeof *x), *y = paperAllocate(entries, sizeof *y);
  double worst = 0;
  OK(clCholeskyLower(w->cholesky, w->C));
  OK(clDenseDownload(w->C, x, w->m));
  OK(clVectorDownload(w->c, y));
  for (int i = 0; i < w->m; i++)
    for (int j = 0; j <= i; j++)
      worst = fmax(worst, fabs((double)((x[i * w->m + j] - y[i * w->m + j]) / x[i * w->m + i])));
  free(x);
  free(y);
  return worst;
}

static void measure(clContext *context, int m) {
  Work w = {.context = context, .m = m, .n = 2 * m};
  float *a = paperAllocate((size_t)m * (size_t)w.n, sizeof *a),
        *d = paperAllocate((size_t)w.n, sizeof *d);
  for (int k = 0; k < m * w.n; k++)
    a[k] = (float)paperRandom() + (float)(k % w.n == k / w.n) * (float)m / 8;
  OK(clVectorCreateGrid(&w.a, context, w.n, m));
  OK(clVectorCreateGrid(&w.c, context, m, m));
  OK(clVectorCreateGrid(&w.squares, context, w.n, 1));
  OK(clVectorCreate(&w.d, context, w.n));
  OK(clDenseCreate(&w.A, context, m, w.n));
  OK(clDenseCreate(&w.C, context, m, m));
  OK(clKernelCreate(&w.outer, context, "outer", outer));
  OK(clKernelCreate(&w.normalize, context, "normalize", normalize));
  OK(clKernelCreate(&w.subtract, context, "subtract", subtract));
  OK(clCholeskyCreate(&w.cholesky, context, m, NULL));
  OK(clVectorUpload(w.a, a));
  OK(clDenseUpload(w.A, a, w.n));
  for (int k = 0; k < w.n; k++)
    d[k] = 1 + (float)(k % 3);
  OK(clVectorUpload(w.d, d));
  for (int k = 0; k < w.n; k++)
    d[k] *= d[k];
  OK(clVectorUpload(w.squares, d));
  double columns = paperTime(3, byColumns, &w), blocks = paperTime(3, byBlocks, &w),
         apart = compare(&w);
  paperRow("%d | %.2f | %.2f | %.1e", m, 1e3 * columns, 1e3 * blocks, apart);
  lessonExpect(apart < 1e-4, "both ways have the same factor");
  clVector *const vectors[] = {w.a, w.c, w.squares, w.d};
  for (int k = 0; k < 4; k++)
    clVectorDestroy(vectors[k]);
  clDenseDestroy(w.A);
  clDenseDestroy(w.C);
  clKernelDestroy(w.outer);
  clKernelDestroy(w.normalize);
  clKernelDestroy(w.subtract);
  clCholeskyDestroy(w.cholesky);
  free(a);
  free(d);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Jung and O'Leary 2008: column by column");
  paperTable("A D^2 A^T (m x 2m) and its Cholesky factor, ms",
             "m | columns | library's blocks | difference of the factors");
  for (int m = 32; m <= paperChoose(32, 128, 1024); m *= 2)
    measure(context, m);
  return paperEnd();
}
