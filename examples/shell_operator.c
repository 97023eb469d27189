/* A matrix that nobody stores: conjugate gradients for -Laplace u + c u = f on a periodic grid,
 * where A x is a kernel of one's own ("shell"), and so is the preconditioner, here the inverse of
 * the diagonal. */
#include <math.h>
#include <stdio.h>

#include <texla/texla.h>

enum { SIDE = 96 };
static const float shift = 0.5f;

typedef struct Helmholtz {
  clKernel *kernel;
} Helmholtz;

static const char stencil[] =
    "uniform sampler2D x;\n"
    "uniform float c;\n"
    "vec4 kernel() {\n"
    "  return (4. + c) * texel(x) - neighbours(x, 1, 0) - neighbours(x, -1, 0)\n"
    "         - neighbours(x, 0, 1) - neighbours(x, 0, -1);\n"
    "}\n";

/* y <- A x: one pass */
static clStatus multiply(void *user, clVector *y, const clVector *x) {
  const Helmholtz *h = user;
  clKernelRun run = {.output = {y}, .input = {{"x", x}}, .parameter = {{"c", 1, {shift}}}};
  return clKernelExecute(h->kernel, &run);
}

/* z <- r / (4 + c) */
static clStatus precondition(void *user, clVector *z, const clVector *r) {
  (void)user;
  return clVectorScale(z, 1 / (4 + shift), NULL, r);
}

static clStatus solve(clContext *context, clSolverReport *report, double *error) {
  Helmholtz h = {0};
  clVector *x = NULL, *b = NULL;
  clMatrix *A = NULL;
  clSolver *solver = NULL;
  clFloat *worst = NULL;
  float value = 0;
  clStatus status = clKernelCreate(&h.kernel, context, "helmholtz", stencil);
  if (!status)
    status = clVectorCreateGrid(&x, context, SIDE, SIDE);
  if (!status)
    status = clVectorCreateLike(&b, x);
  /* the solution that we know */
  if (!status)
    status = clVectorFill(x, 1);
  if (!status)
    status = multiply(&h, b, x);
  if (!status)
    status = clVectorClear(x);
  if (!status)
    status = clMatrixCreateShell(
        &A, context, SIDE * SIDE, SIDE * SIDE,
        &(clShellOptions){.product = {multiply, &h}, .grid_nx = SIDE, .grid_ny = SIDE});
  clSolverOptions options = {
      .method = TEXLA_METHOD_CG, .tolerance = 1e-6, .shell = {precondition, NULL}};
  if (!status)
    status = clSolverCreate(&solver, A, &options);
  if (!status)
    status = clSolverSolve(solver, x, b, report);
  if (!status)
    status = clFloatCreate(&worst, context);
  if (!status)
    status = clVectorFill(b, 1);
  if (!status)
    status = clVectorAxpy(x, -1, NULL, b);
  if (!status)
    status = clVectorAbsMax(worst, x);
  if (!status)
    status = clFloatDownload(worst, &value);
  *error = (double)value;

  clFloatDestroy(worst);
  clSolverDestroy(solver);
  clMatrixDestroy(A);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clKernelDestroy(h.kernel);
  return status;
}

int main(void) {
  clContext *context = NULL;
  clError error = {0};
  clSolverReport report = {0};
  double worst = 0;
  if (clContextCreate(&context, NULL, &error))
    return fprintf(stderr, "%s\n", error.message), 2;
  clStatus status = solve(context, &report, &worst);
  if (status)
    fprintf(stderr, "%s\n", clContextError(context)->message);
  printf("%s after %lld iterations, max |x - 1| = %.1e\n", clReasonText(report.reason),
         (long long)report.iterations, worst);
  clContextDestroy(context);
  return status ? 1 : 0;
}
