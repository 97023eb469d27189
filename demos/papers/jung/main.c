/* Jung and O'Leary 2008, tables 1 and 2: weighted least squares by the normal equations
 * A D^2 A^T x = A D^2 b, factored in single precision on the device and refined in double on the
 * host (their algorithm 1), beside the normal equations in double on one core. A is m x 2m. */
#include "paper.h"

#include <string.h>

enum { LIMIT = 100 };
static const double epsilon = 1e-8;

/* One problem and its solutions. */
typedef struct Problem {
  clContext *context;
  int m, n;
  /* A row by row, the diagonal of D^2, b; A D^2 b */
  double *a, *d2, *b, *g;
  /* factors of the host, of the device */
  double *c;
  float *l;
  double *x_host, *x, *r;
  double single_error, refined_error, seconds_factor, seconds_refine, seconds_host;
  int steps;
  bool converged;
} Problem;

static void create(Problem *p, clContext *context, int m, bool ill) {
  size_t rows = (size_t)m, cols = 2 * rows;
  *p = (Problem){.context = context, .m = m, .n = 2 * m};
  p->a = paperAllocate(rows * cols, sizeof *p->a);
  p->c = paperAllocate(rows * rows, sizeof *p->c);
  p->l = paperAllocate(rows * rows, sizeof *p->l);
  p->d2 = paperAllocate(cols, sizeof *p->d2);
  p->b = paperAllocate(cols, sizeof *p->b);
  p->g = paperAllocate(rows, sizeof *p->g);
  p->x = paperAllocate(rows, sizeof *p->x);
  p->x_host = paperAllocate(rows, sizeof *p->x_host);
  p->r = paperAllocate(rows + cols, sizeof *p->r);
  for (size_t k = 0; k < rows * cols; k++)
    p->a[k] = paperRandom();
  for (int k = 0; k < p->n; k++) {
    p->b[k] = paperRandom();
    p->d2[k] = paperRandom();
    if (ill)
      p->d2[k] = pow(10, -4 + 8. * k / (p->n - 1));
  }
  for (int i = 0; i < m; i++)
    for (int k = 0; k < p->n; k++)
      p->g[i] += p->a[i * p->n + k] * p->d2[k] * p->b[k];
}

static void destroy(Problem *p) {
  double *const all[] = {p->a, p->c, p->d2, p->b, p->g, p->x, p->x_host, p->r};
  for (int k = 0; k < 8; k++)
    free(all[k]);
  free(p->l);
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

static double dot(const double *x, const double *y, int n) {
  double sum[4] = {0};
  for (int i = 0; i + 3 < n; i += 4)
    for (int k = 0; k < 4; k++)
      sum[k] += x[i + k] * y[i + k];
  for (int i = n / 4 * 4; i < n; i++)
    sum[0] += x[i] * y[i];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

/* L L^T = C in place, row by row. */
static void factorHost(double *c, int m) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double left = c[(int64_t)i * m + j] - dot(c + (int64_t)i * m, c + (int64_t)j * m, j);
      if (i == j)
        c[(int64_t)i * m + j] = sqrt(left);
      else
        c[(int64_t)i * m + j] = left / c[(int64_t)j * m + j];
    }
}

/* x <- (L L^T)^-1 x, in double or, with the device's L, in single precision. */
static void solveHost(const double *l, double *x, int m) {
  for (int i = 0; i < m; i++)
    x[i] = (x[i] - dot(l + (int64_t)i * m, x, i)) / l[(int64_t)i * m + i];
  for (int i = m - 1; i >= 0; i--) {
    x[i] /= l[(int64_t)i * m + i];
    for (int j = 0; j < i; j++)
      x[j] -= l[(int64_t)i * m + j] * x[i];
  }
}
static void solveSingle(const float *l, double *right, int m) {
  float *x = paperAllocate((size_t)m, sizeof *x);
  for (int i = 0; i < m; i++)
    x[i] = (float)right[i];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= l[(int64_t)i * m + j] * x[j];
    x[i] /= l[(int64_t)i * m + i];
  }
  for (int i = m - 1; i >= 0; i--) {
    x[i] /= l[(int64_t)i * m + i];
    for (int j = 0; j < i; j++)
      x[j] -= l[(int64_t)i * m + j] * x[i];
  }
  for (int i = 0; i < m; i++)
    right[i] = (double)x[i];
  free(x);
}

/* The normal equations in double. */
static void runHost(Problem *p) {
  double start = lessonSeconds(), *row = p->r + p->m;
  for (int i = 0; i < p->m; i++) {
    for (int k = 0; k < p->n; k++)
      row[k] = p->a[(int64_t)i * p->n + k] * p->d2[k];
    for (int j = 0; j <= i; j++)
      p->c[(int64_t)i * p->m + j] = dot(row, p->a + (int64_t)j * p->n, p->n);
  }
  factorHost(p->c, p->m);
  memcpy(p->x_host, p->g, (size_t)p->m * sizeof *p->x_host);
  solveHost(p->c, p->x_host, p->m);
  p->seconds_host = lessonSeconds() - start;
}

/* L of the device, with A's way there and L's way back, as the document counts it. */
static void factorDevice(void *user) {
  Problem *p = user;
  size_t entries = (size_t)p->m * (size_t)p->n;
  float *single = paperAllocate(entries, sizeof *single),
        *d = paperAllocate((size_t)p->n, sizeof *d);
  clDense *A, *C;
  clVector *D;
  clCholesky *cholesky;
  for (size_t k = 0; k < entries; k++)
    single[k] = (float)p->a[k];
  for (int k = 0; k < p->n; k++)
    d[k] = (float)sqrt(p->d2[k]);
  OK(clDenseCreate(&A, p->context, p->m, p->n));
  OK(clDenseCreate(&C, p->context, p->m, p->m));
  OK(clVectorCreate(&D, p->context, p->n));
  OK(clDenseUpload(A, single, p->n));
  OK(clVectorUpload(D, d));
  OK(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, D, 0));
  OK(clCholeskyCreate(&cholesky, p->context, p->m, NULL));
  OK(clCholeskyFactor(cholesky, C, NULL));
  OK(clCholeskyLower(cholesky, C));
  OK(clDenseDownload(C, p->l, p->m));
  clCholeskyDestroy(cholesky);
  clDenseDestroy(A);
  clDenseDestroy(C);
  clVectorDestroy(D);
  free(single);
  free(d);
}

/* ||x - x_host|| / ||x_host||. */
static double errorOf(const Problem *p) {
  double *apart = p->r + p->m;
  for (int i = 0; i < p->m; i++)
    apart[i] = p->x[i] - p->x_host[i];
  return norm(apart, p->m) / norm(p->x_host, p->m);
}

/* r <- A D^2 (b - A^T x), in double. */
static void residual(Problem *p) {
  double *left = p->r + p->m;
  memcpy(left, p->b, (size_t)p->n * sizeof *left);
  for (int i = 0; i < p->m; i++)
    for (int k = 0; k < p->n; k++)
      left[k] -= p->a[(int64_t)i * p->n + k] * p->x[i];
  for (int k = 0; k < p->n; k++)
    left[k] *= p->d2[k];
  for (int i = 0; i < p->m; i++)
    p->r[i] = dot(left, p->a + (int64_t)i * p->n, p->n);
}

/* Algorithm 1. */
static void refine(Problem *p) {
  memcpy(p->x, p->g, (size_t)p->m * sizeof *p->x);
  solveSingle(p->l, p->x, p->m);
  p->single_error = errorOf(p);
  double start = lessonSeconds(), rest = INFINITY;
  while (p->steps < LIMIT && rest > epsilon) {
    residual(p);
    rest = norm(p->r, p->m);
    solveSingle(p->l, p->r, p->m);
    for (int i = 0; i < p->m; i++)
      p->x[i] += p->r[i];
    rest /= norm(p->x, p->m);
    p->steps++;
  }
  p->seconds_refine = lessonSeconds() - start;
  p->converged = rest <= epsilon;
  p->refined_error = errorOf(p);
}

/* The document's columns; its last one is the speed-up. */
typedef struct Published {
  int m;
  double single, refined;
  int steps;
  double speed_up;
} Published;
static const Published published[2][4] = {{{512, 3.11e-4, 3.37e-13, 4, .49},
                                           {1024, 3.10e-4, 4.25e-13, 4, 1.94},
                                           {1536, 4.61e-4, 6.96e-13, 4, 2.40},
                                           {2048, 1.01e-3, 1.76e-12, 5, 2.48}},
                                          {{512, 2.92e-2, 1.16e-10, 7, .53},
                                           {1024, 7.19e-2, 2.01e-10, 10, 1.81},
                                           {1536, 9.35e-2, 2.37e-10, 13, 2.09},
                                           {2048, 1.13e-1, 3.41e-10, 15, 2.18}}};

/* The library's corrections for the same problem: conjugate gradients where plain ones are slow. */
static int stepsOfLibrary(Problem *p, int *gradients) {
  clTriplets *T;
  clLeastSquares *squares;
  clLeastSquaresReport report;
  double *d = paperAllocate((size_t)p->n, sizeof *d);
  OK(clTripletsCreate(&T, p->n, p->m, (int64_t)p->m * p->n, NULL));
  for (int k = 0; k < p->n; k++) {
    d[k] = sqrt(p->d2[k]);
    for (int i = 0; i < p->m; i++)
      OK(clTripletsAdd(T, k, i, p->a[(int64_t)i * p->n + k], NULL));
  }
  OK(clLeastSquaresCreate(&squares, p->context, T, NULL));
  OK(clLeastSquaresWeigh(squares, d));
  OK(clLeastSquaresSolve(squares, p->x, p->b, &report));
  *gradients = report.gradient_iterations;
  clLeastSquaresDestroy(squares);
  clTripletsDestroy(T);
  free(d);
  return report.iterations;
}

static void table(clContext *context, bool ill) {
  enum { SIZES = 4 };
  double x[SIZES], ours[SIZES], theirs[SIZES], at[SIZES];
  int count = 0, first = paperChoose(64, 128, 512), last = paperChoose(128, 512, 2048);
  const char *titles[] = {"Table 1: random problems", "Table 2: ill-conditioned problems"};
  paperTable(titles[ill], "m | error of x single | refined | steps | device s | refinement s | "
                          "host s | speed-up | library's steps (by gradients) | refined error");
  for (int m = first; m <= last; m = m < 512 ? 2 * m : m + 512) {
    Problem p;
    int gradients;
    create(&p, context, m, ill);
    runHost(&p);
    factorDevice(&p);
    double start = lessonSeconds();
    factorDevice(&p);
    p.seconds_factor = lessonSeconds() - start;
    refine(&p);
    lessonExpect(p.converged || ill, "algorithm 1 converges on a well-conditioned problem");
    lessonExpect(p.single_error < .5 || ill, "the first solution has a digit");
    lessonExpect(!p.converged || p.refined_error < 1e-8, "what has converged is right");
    int steps = stepsOfLibrary(&p, &gradients);
    double library = errorOf(&p);
    lessonExpect(library < 1e-8, "the library's solution is that of the host");
    x[count] = m;
    ours[count++] = p.seconds_host / (p.seconds_factor + p.seconds_refine);
    paperRow("%d | %.2e | %.2e | %d%s | %.3f | %.3f | %.3f | %.2f | %d (%d) | %.1e", m,
             p.single_error, p.refined_error, p.steps, p.converged ? "" : ", not converged",
             p.seconds_factor, p.seconds_refine, p.seconds_host, ours[count - 1], steps, gradients,
             library);
    destroy(&p);
  }
  paperTable("Published (GeForce 7800 GTX beside a Xeon of 3 GHz with MKL)",
             "m | error of x single | refined | steps | speed-up");
  for (int k = 0; k < SIZES; k++) {
    const Published *q = &published[ill][k];
    at[k] = q->m;
    theirs[k] = q->speed_up;
    paperRow("%d | %.2e | %.2e | %d | %.2f", q->m, q->single, q->refined, q->steps, q->speed_up);
  }
  const char *names[] = {"jung_speed_up", "jung_speed_up_ill"};
  paperPlot(&(PaperPlot){names[ill], "Speed-up against the normal equations in double", "m",
                         "speed-up", false, false},
            (PaperCurve[]){{"ours", x, ours, count, false}, {"published", at, theirs, SIZES, true}},
            2);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Jung and O'Leary 2008: weighted least squares");
  table(context, false);
  table(context, true);
  return paperEnd();
}
