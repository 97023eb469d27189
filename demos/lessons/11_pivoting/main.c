/* Lesson 11: elimination needs large pivots; to find one is a reduction that remembers where. */
#include "lesson.h"

/* The order of the systems. */
enum { N = 128 };

/* The largest error of the solution of A x = b with x = 1, and a picture of the factors. */
static void factor(clContext *context, const clTriplets *T, clPivoting pivoting, double *worst) {
  float ones[N], rounded[N];
  double x[N], b[N];
  clDense *A, *X, *L, *B;
  clPlu *plu;
  clPluReport report;
  for (int i = 0; i < N; i++)
    x[i] = 1;
  clTripletsMulVector(b, T, x);
  for (int i = 0; i < N; i++)
    rounded[i] = (float)b[i];
  OK(clDenseCreate(&A, context, N, N));
  OK(clDenseCreate(&B, context, N, 1));
  OK(clDenseCreateLike(&X, B));
  OK(clDenseUploadTriplets(A, T));
  OK(clDenseUpload(B, rounded, 1));
  OK(clPluCreate(&plu, context, N, N,
                 &(clPluOptions){.elimination = {.pivoting = pivoting, .tolerance = -1}}));
  OK(clPluFactor(plu, A, &report));
  OK(clPluSolve(plu, TEXLA_NO_TRANSPOSE, X, B));
  OK(clDenseDownload(X, ones, 1));
  *worst = 0;
  for (int i = 0; i < N; i++)
    *worst = fmax(*worst, fabs((double)ones[i] - 1));
  printf("%-12s smallest pivot %8.1e, growth %8.1e, error %.1e\n", clPivotingName(pivoting),
         report.smallest_pivot, report.growth, *worst);
  static float entries[N * N], shown[N * N];
  OK(clDenseCreate(&L, context, N, N));
  OK(clDenseCopy(L, clPluFactors(plu)));
  OK(clDenseDownload(L, entries, N));
  /* row 0 at the top, magnitudes in powers of ten */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      shown[(N - 1 - i) * N + j] = log10f(fabsf(entries[i * N + j]) + 1e-9f);
  lessonField(clPivotingName(pivoting), shown, N, N, TEXLA_COLORMAP_MAGMA, -2, 6);
  clPluDestroy(plu);
  clDense *all[] = {A, B, X, L};
  for (int k = 0; k < 4; k++)
    clDenseDestroy(all[k]);
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clVector *column;
  clFloat *value, *row, *place;
  /* A pivot search by itself: the element of largest magnitude, and where it is. */
  float found[3], numbers[1000];
  for (int i = 0; i < 1000; i++)
    numbers[i] = i == 737 ? -9 : sinf((float)i);
  OK(clVectorCreate(&column, context, 1000));
  OK(clVectorUpload(column, numbers));
  OK(clFloatCreate(&value, context));
  OK(clFloatCreate(&row, context));
  OK(clFloatCreate(&place, context));
  /* three numbers that stay on the device */
  OK(clVectorArgMax(value, row, place, column));
  OK(clFloatDownload(value, &found[0]));
  OK(clFloatDownload(row, &found[1]));
  OK(clFloatDownload(place, &found[2]));
  long long element = (long long)found[1] * clVectorRowLength(column) + (long long)found[2];
  printf("largest magnitude: %g, element %lld\n", found[0], element);
  lessonExpect(found[0] == -9 && element == 737, "the search finds the element and its place");

  /* The same elimination with a search in each column and without one. */
  double none, partial;
  OK(clGenerateDense(&T, N, 5, NULL));
  /* a matrix with nothing wrong but its first entry */
  T->value[0] = 1e-6;
  factor(context, T, TEXLA_PIVOT_PARTIAL, &partial);
  factor(context, T, TEXLA_PIVOT_NONE, &none);
  lessonExpect(none > 100 * partial, "a small pivot ruins the solution");
  clTripletsDestroy(T);
  clVectorDestroy(column);
  clFloatDestroy(value);
  clFloatDestroy(row);
  clFloatDestroy(place);
  return lessonEnd();
}
