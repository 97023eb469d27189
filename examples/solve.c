/* Solves A x = b for a matrix in a file, in double precision by refinement: solve A.mtx [b.mtx]
 * [x.mtx]. */
#include <stdio.h>
#include <stdlib.h>

#include <texla/texla.h>

/* b from a file, or A times ones. The caller frees it. */
static double *rightHandSide(const clTriplets *A, const char *path, clError *error) {
  int64_t count = 0;
  double *b = NULL;
  if (path) {
    if (clMatrixMarketReadVector(&b, &count, path, error) || count == A->rows)
      return b;
    fprintf(stderr, "b has %lld numbers, A has %d rows\n", (long long)count, A->rows);
    exit(2);
  }
  double *ones = malloc((size_t)A->cols * sizeof *ones);
  b = malloc((size_t)A->rows * sizeof *b);
  for (int32_t j = 0; j < A->cols; j++)
    ones[j] = 1;
  clTripletsMulVector(b, A, ones);
  free(ones);
  return b;
}

int main(int argc, char **argv) {
  clContext *context = NULL;
  clTriplets *A = NULL;
  clError error = {0};
  if (argc < 2)
    return fprintf(stderr, "usage: solve A.mtx [b.mtx] [x.mtx]\n"), 2;
  if (clContextCreate(&context, NULL, &error) || clMatrixMarketRead(&A, argv[1], &error))
    return fprintf(stderr, "%s\n", error.message), 2;
  double *b = rightHandSide(A, argc > 2 ? argv[2] : NULL, &error),
         *x = calloc((size_t)A->cols, sizeof *x);
  if (!b || !x)
    return fprintf(stderr, "%s\n", error.message), 2;

  clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO}, .refine = true};
  clSystemReport report = {0};
  clStatus status = clSystemSolve(context, A, b, x, &options, &report);
  if (status < 0)
    fprintf(stderr, "%s\n", clContextError(context)->message);
  else
    printf("%s by %s with %s: %lld iterations, ||b - A x|| / ||b|| = %.2e\n",
           clReasonText(report.reason), clMethodName(report.method),
           clPreconditionerName(report.preconditioner), (long long)report.iterations,
           report.residual);
  if (status == TEXLA_OK && argc > 3)
    status = clMatrixMarketWriteVector(argv[3], x, A->cols, "x", &error);

  clSystemReportClear(&report);
  clTripletsDestroy(A);
  clContextDestroy(context);
  free(b);
  free(x);
  return status ? 1 : 0;
}
