/* Brodtkorb 2007, figures 4.4, 4.9 and 4.12: error of each entry as a picture, the mean of five
 * runs; mean error over the size. Products of integers are exact below 2^24. */
#include "measure.h"

enum { RUNS = 5, SIZES = 5 };

static void addProductError(clContext *context, const float *a, int n, double *error) {
  size_t entries = (size_t)n * (size_t)n;
  float *c = paperAllocate(entries, sizeof *c);
  clDense *A, *C;
  OK(clDenseCreate(&A, context, n, n));
  OK(clDenseCreateLike(&C, A));
  OK(clDenseUpload(A, a, n));
  OK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, A, 0));
  OK(clDenseDownload(C, c, n));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = -(double)c[i * n + j];
      for (int k = 0; k < n; k++)
        sum += (double)a[i * n + k] * (double)a[k * n + j];
      error[i * n + j] += fabs(sum);
    }
  clDenseDestroy(A);
  clDenseDestroy(C);
  free(c);
}

/* A x = row sums, solved by Gauss-Jordan: mean of |x_i - 1| (figure 4.9). */
static double eliminationError(clContext *context, const float *a, int n) {
  int cols = n + 1;
  float *g = paperAllocate((size_t)n * (size_t)cols, sizeof *g);
  double mean = 0;
  clDense *G, *R;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      g[i * cols + j] = a[i * n + j];
      sum += (double)a[i * n + j];
    }
    g[i * cols + n] = (float)sum;
  }
  OK(clDenseCreate(&G, context, n, cols));
  OK(clDenseCreateLike(&R, G));
  OK(clDenseUpload(G, g, cols));
  OK(clDenseRref(R, G, NULL, NULL, NULL));
  OK(clDenseDownload(R, g, cols));
  for (int i = 0; i < n; i++)
    mean += fabs((double)g[i * cols + n] - 1) / n;
  clDenseDestroy(G);
  clDenseDestroy(R);
  free(g);
  return mean;
}

static void addPluError(clContext *context, const float *a, int n, double *error) {
  measurePluError(context, a, n, TEXLA_PIVOT_PARTIAL, error);
}

typedef void (*AddError)(clContext *context, const float *a, int n, double *error);

/* Mean error of an entry over five matrices, and its picture. */
static double meanError(clContext *context, AddError add, int n, float diagonal,
                        const char *picture) {
  size_t entries = (size_t)n * (size_t)n;
  double *error = paperAllocate(entries, sizeof *error), mean = 0, largest = 0;
  float *field = paperAllocate(entries, sizeof *field);
  for (int r = 0; r < RUNS; r++) {
    float *a = measureRandom(n, n, diagonal);
    add(context, a, n, error);
    free(a);
  }
  for (size_t k = 0; k < entries; k++) {
    mean += error[k] / RUNS / (double)entries;
    largest = fmax(largest, error[k] / RUNS);
    /* row 0 of a picture is at the bottom */
    field[((size_t)n - 1 - k / (size_t)n) * (size_t)n + k % (size_t)n] = (float)(error[k] / RUNS);
  }
  if (picture)
    paperPicture(picture, field, n, n, 0, (float)largest);
  free(error);
  free(field);
  return mean;
}

/* Integers multiply exactly: entries of C stay below 2^24. */
static void checkIntegers(clContext *context, int n) {
  float *a = measureRandom(n, n, 0);
  double *error = paperAllocate((size_t)n * (size_t)n, sizeof *error), sum = 0;
  for (int k = 0; k < n * n; k++)
    a[k] = floorf(a[k]);
  addProductError(context, a, n, error);
  for (int k = 0; k < n * n; k++)
    sum += error[k];
  paperText("Product of %d x %d integers from 0 to 9: largest sum of errors %g.", n, n, sum);
  lessonExpect(sum == 0, "integers below 2^24 multiply exactly");
  free(a);
  free(error);
}

int main(int argc, char **argv) {
  double n[SIZES], product[SIZES], plu[SIZES], elimination[SIZES];
  clContext *context = paperBegin(argc, argv, "Brodtkorb 2007: errors");
  int largest = paperChoose(80, 320, 960);
  paperTable("Mean error of an entry, mean of five; of x_i of Gauss-Jordan",
             "n | product | PLU, large diagonal | Gauss-Jordan");
  for (int s = 0; s < SIZES; s++) {
    int size = largest * (s + 1) / SIZES;
    const char *names[] = {NULL, NULL};
    if (s == SIZES - 1) {
      names[0] = "brodtkorb_product_error";
      names[1] = "brodtkorb_plu_error";
    }
    float *a = measureRandom(size, size, (float)size);
    n[s] = size;
    product[s] = meanError(context, addProductError, size, 0, names[0]);
    plu[s] = meanError(context, addPluError, size, 100, names[1]);
    elimination[s] = eliminationError(context, a, size);
    free(a);
    paperRow("%d | %.2e | %.2e | %.2e", size, product[s], plu[s], elimination[s]);
    lessonExpect(product[s] < 1e-6 * 25 * size, "the product's error is rounding");
    lessonExpect(plu[s] < 1e-4 && elimination[s] < 1e-4, "the factors' errors are rounding");
  }
  paperText("Published, PLU (figure 4.12): mean error of an entry at most 1.0827e-05, largest "
            "3.8586e-05; relative errors below 0.001 %%.");
  checkIntegers(context, 96);
  paperPlot(&(PaperPlot){"brodtkorb_errors", "Figures 4.4b, 4.9, 4.12b: mean error over n", "n",
                         "error", false, true},
            (PaperCurve[]){{"product", n, product, SIZES, false},
                           {"PLU", n, plu, SIZES, false},
                           {"x of Gauss-Jordan", n, elimination, SIZES, false}},
            3);
  return paperEnd();
}
