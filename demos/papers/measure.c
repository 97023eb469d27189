/* Operands that exist before a time begins, and one call of each work (measure.h). */
#include "measure.h"

#include <string.h>

/* The thesis' multi-pass product: terms of a pass. */
enum { TERMS = 64 };

typedef struct Operands {
  clContext *context;
  Work work;
  int n;
  float *a, *z;
  clDense *A, *B, *C;
  clPlu *plu;
} Operands;

float *measureRandom(int rows, int cols, float diagonal) {
  float *a = paperAllocate((size_t)rows * (size_t)cols, sizeof *a);
  for (int k = 0; k < rows * cols; k++)
    a[k] = (float)(10 * paperRandom());
  for (int i = 0; i < rows && i < cols; i++)
    a[i * cols + i] += diagonal;
  return a;
}

/* Row by row, a row of B at a time. */
static void multiplyHost(const Operands *o) {
  size_t n = (size_t)o->n;
  memset(o->z, 0, n * n * sizeof *o->z);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      for (size_t j = 0; j < n; j++)
        o->z[i * n + j] += o->a[i * n + k] * o->a[k * n + j];
}

static void swapRows(float *a, float *b, size_t n) {
  for (size_t j = 0; j < n; j++) {
    float t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

static void factorHost(const Operands *o) {
  size_t n = (size_t)o->n;
  float *z = o->z;
  memcpy(z, o->a, n * n * sizeof *z);
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabsf(z[i * n + k]) > fabsf(z[pivot * n + k]))
        pivot = i;
    swapRows(z + k * n, z + pivot * n, n);
    for (size_t i = k + 1; i < n; i++) {
      float l = z[i * n + k] /= z[k * n + k];
      for (size_t j = k + 1; j < n; j++)
        z[i * n + j] -= l * z[k * n + j];
    }
  }
}

static void run(void *user) {
  Operands *o = user;
  if (o->work == HOST_PRODUCT)
    multiplyHost(o);
  else if (o->work == HOST_PLU)
    factorHost(o);
  else if (o->work == SINGLE_PASS)
    OK(clDenseMultiply(o->C, 1, TEXLA_NO_TRANSPOSE, o->A, TEXLA_NO_TRANSPOSE, o->B, 0));
  else if (o->work == MULTI_PASS)
    OK(clDenseMultiplyPasses(o->C, 1, TEXLA_NO_TRANSPOSE, o->A, TEXLA_NO_TRANSPOSE, o->B, 0,
                             (o->n + TERMS - 1) / TERMS));
  else if (o->work == GAUSS_JORDAN)
    OK(clDenseRref(o->C, o->A, NULL, NULL, NULL));
  else
    OK(clPluFactor(o->plu, o->A, NULL));
  OK(clContextSynchronize(o->context));
}

double measureSeconds(clContext *context, Work work, int n) {
  Operands o = {.context = context, .work = work, .n = n};
  int cols = n + (work == GAUSS_JORDAN), runs = paperChoose(1, 3, 10);
  o.a = measureRandom(n, cols, 0);
  o.z = paperAllocate((size_t)n * (size_t)n, sizeof *o.z);
  OK(clDenseCreate(&o.A, context, n, cols));
  OK(clDenseCreate(&o.B, context, n, n));
  OK(clDenseCreate(&o.C, context, n, cols));
  OK(clPluCreate(&o.plu, context, n, n, NULL));
  OK(clDenseUpload(o.A, o.a, cols));
  if (work != GAUSS_JORDAN)
    OK(clDenseUpload(o.B, o.a, n));
  if (work >= HOST_PRODUCT)
    runs = 1;
  double seconds = paperTime(runs, run, &o);
  clPluDestroy(o.plu);
  clDenseDestroy(o.A);
  clDenseDestroy(o.B);
  clDenseDestroy(o.C);
  free(o.a);
  free(o.z);
  return seconds;
}

double measurePluError(clContext *context, const float *a, int n, clPivoting pivoting,
                       double *error) {
  size_t entries = (size_t)n * (size_t)n;
  float *l = paperAllocate(entries, sizeof *l), *u = paperAllocate(entries, sizeof *u);
  double mean = 0;
  clDense *A, *L, *U;
  clPlu *plu;
  OK(clDenseCreate(&A, context, n, n));
  OK(clDenseCreateLike(&L, A));
  OK(clDenseCreateLike(&U, A));
  OK(clDenseUpload(A, a, n));
  OK(clPluCreate(&plu, context, n, n, &(clPluOptions){.elimination = {.pivoting = pivoting}}));
  OK(clPluFactor(plu, A, NULL));
  OK(clPluSplit(plu, L, U));
  OK(clDenseDownload(L, l, n));
  OK(clDenseDownload(U, u, n));
  const int32_t *rows = clPluRows(plu);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = -(double)a[rows[i] * n + j];
      for (int k = 0; k <= i && k <= j; k++)
        sum += (double)l[i * n + k] * (double)u[k * n + j];
      mean += fabs(sum) / (double)entries;
      if (error)
        error[rows[i] * n + j] += fabs(sum);
    }
  clPluDestroy(plu);
  clDenseDestroy(A);
  clDenseDestroy(L);
  clDenseDestroy(U);
  free(l);
  free(u);
  return mean;
}
