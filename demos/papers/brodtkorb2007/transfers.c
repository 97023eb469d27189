/* Brodtkorb 2007: packings of a matrix (section 3.1, B1): transfers, and conversions on the device;
 * pivot measures of 2 x 2 blocks (4.1.2, figure 4.5) beside single rows. The thesis has no figures
 * for either. */
#include "measure.h"

enum { PACKINGS = 4, PIVOTINGS = 3, MATRICES = 200, ORDER = 6 };

typedef struct Transfer {
  clDense *packed, *plain;
  float *a;
  int n;
} Transfer;

/* Nothing waits for an upload but the download after it. */
static void roundTrip(void *user) {
  const Transfer *t = user;
  OK(clDenseUpload(t->packed, t->a, t->n));
  OK(clDenseDownload(t->packed, t->a, t->n));
}

static void download(void *user) {
  const Transfer *t = user;
  OK(clDenseDownload(t->packed, t->a, t->n));
}

static void convert(void *user) {
  const Transfer *t = user;
  OK(clDenseCopy(t->packed, t->plain));
  OK(clContextSynchronize(clDenseContext(t->plain)));
}

static void measurePacking(clContext *context, clPacking packing, int n) {
  Transfer t = {.a = measureRandom(n, n, 0), .n = n};
  OK(clDenseCreateWithPacking(&t.packed, context, n, n, packing));
  OK(clDenseCreateWithPacking(&t.plain, context, n, n, TEXLA_PACKING_1X1));
  OK(clDenseUpload(t.plain, t.a, n));
  double both = paperTime(5, roundTrip, &t), down = paperTime(5, download, &t),
         conversion = paperTime(5, convert, &t), first = (double)t.a[n + 1];
  OK(clDenseDownload(t.packed, t.a, n));
  lessonExpect(first == (double)t.a[n + 1], "a packing changes no entry");
  paperRow("%s | %d | %.2f | %.2f | %.3f | %.2f", clPackingName(packing), n, 1e3 * both, 1e3 * down,
           1e3 * conversion, 8e-9 * n * n / both);
  clDenseDestroy(t.packed);
  clDenseDestroy(t.plain);
  free(t.a);
}

/* Does this pivoting factor A? What the library calls rank deficient is refused here. */
static bool factors(clContext *context, const float *a, int n, clPivoting pivoting) {
  clDense *A;
  clPlu *plu;
  OK(clDenseCreate(&A, context, n, n));
  OK(clDenseUpload(A, a, n));
  OK(clPluCreate(&plu, context, n, n, &(clPluOptions){.elimination = {.pivoting = pivoting}}));
  clPluReport report = {0};
  clStatus status = clPluFactor(plu, A, &report);
  clPluDestroy(plu);
  clDenseDestroy(A);
  return status == TEXLA_OK && report.rank == n;
}

/* Integers from -1 to 1: blocks of 2 x 2 are often singular where the matrix is not. */
static void comparePivots(clContext *context, int n) {
  static const clPivoting pivotings[PIVOTINGS] = {TEXLA_PIVOT_PARTIAL, TEXLA_PIVOT_BLOCK_HARM,
                                                  TEXLA_PIVOT_BLOCK_GEOM};
  int count = 0, factored[PIVOTINGS] = {0}, some = paperChoose(40, MATRICES, MATRICES);
  while (count < some) {
    float *a = measureRandom(ORDER, ORDER, 0);
    for (int k = 0; k < ORDER * ORDER; k++)
      a[k] = floorf(a[k] * .3f) - 1;
    bool regular = factors(context, a, ORDER, TEXLA_PIVOT_PARTIAL);
    for (int p = 0; p < PIVOTINGS && regular; p++)
      factored[p] += factors(context, a, ORDER, pivotings[p]);
    count += regular;
    free(a);
  }
  paperTable("Pivot measures: regular 6 x 6 matrices of -1, 0, 1 that are factored; mean error of "
             "an entry of P A - L U, random entries in [0, 10)",
             "pivots | factored | of | n | mean error");
  double error[PIVOTINGS];
  float *a = measureRandom(n, n, 0);
  for (int p = 0; p < PIVOTINGS; p++) {
    error[p] = measurePluError(context, a, n, pivotings[p], NULL);
    paperRow("%s | %d | %d | %d | %.1e", clPivotingName(pivotings[p]), factored[p], count, n,
             error[p]);
  }
  free(a);
  lessonExpect(factored[0] == count, "single rows factor every regular matrix");
  lessonExpect(factored[1] < count, "blocks do not: [0 1; 1 0] has no regular pivot");
  lessonExpect(error[0] <= error[1] && error[0] <= error[2], "single rows are the most exact");
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Brodtkorb 2007: packings and pivot measures");
  paperTable("Transfers of n x n numbers, and their conversion from one number a texel",
             "texel | n | up and down, ms | down, ms | conversion, ms | GB/s");
  for (int p = 0; p < PACKINGS; p++)
    for (int n = 128; n <= paperChoose(128, 1024, 4096); n *= 8)
      measurePacking(context, (clPacking)p, n);
  comparePivots(context, paperChoose(64, 256, 1024));
  return paperEnd();
}
