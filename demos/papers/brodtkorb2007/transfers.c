/* Brodtkorb 2007: packings of a matrix (section 3.1, B1): transfers, and conversions on the device;
 * pivot measures of 2 x 2 blocks (4.1.2, figure 4.5) beside single rows. The thesis has no figures
 * for either. */
#include "measure.h"

enum { PACKINGS = 4, PIVOTINGS = 3, RUNS = 5 };

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

/* Means of RUNS matrices of random entries in [0, 10). */
static void comparePivots(clContext *context, int n) {
  static const clPivoting pivotings[PIVOTINGS] = {TEXLA_PIVOT_PARTIAL, TEXLA_PIVOT_BLOCK_HARM,
                                                  TEXLA_PIVOT_BLOCK_GEOM};
  double error[PIVOTINGS] = {0};
  for (int r = 0; r < RUNS; r++) {
    float *a = measureRandom(n, n, 0);
    for (int p = 0; p < PIVOTINGS; p++)
      error[p] += measurePluError(context, a, n, pivotings[p], NULL) / RUNS;
    free(a);
  }
  paperTable("Pivot measures: mean error of an entry of P A - L U", "pivots | n | mean error");
  for (int p = 0; p < PIVOTINGS; p++)
    paperRow("%s | %d | %.1e", clPivotingName(pivotings[p]), n, error[p]);
  lessonExpect(error[0] < 1e-5, "the error of partial pivoting is rounding");
  lessonExpect(error[0] < error[1] && error[0] < error[2], "single rows are the most exact");
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
