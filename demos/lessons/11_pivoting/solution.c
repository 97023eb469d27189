/* Solution of exercise 11: the inverse is what stands beside the identity in the echelon form of (A
 * I). */
#include "lesson.h"

/* The matrix is N x N, (A I) twice as wide. */
enum { N = 30 };

int main(int argc, char **argv) {
  static float values[N * 2 * N], inverse[N * N];
  clContext *context = lessonBegin(argc, argv);
  clDense *AI, *A, *X, *P;
  clTriplets *T;
  int rank, pivots[N];
  OK(clGenerateDense(&T, N, 11, NULL));
  /* elimination without pivoting could not even begin */
  T->value[0] = 0;
  for (int64_t k = 0; k < T->count; k++)
    values[T->row[k] * 2 * N + T->col[k]] = (float)T->value[k];
  for (int i = 0; i < N; i++)
    values[i * 2 * N + N + i] = 1;
  OK(clDenseCreate(&AI, context, N, 2 * N));
  OK(clDenseUpload(AI, values, 2 * N));
  OK(clDenseRref(AI, AI, NULL, &rank, pivots));
  OK(clDenseCreate(&A, context, N, N));
  OK(clDenseCreateLike(&X, A));
  OK(clDenseCreateLike(&P, A));
  OK(clDenseUploadTriplets(A, T));
  /* The right half of the echelon form, copied out of it. */
  OK(clDenseViewCopy(clDenseViewAll(X), TEXLA_NO_TRANSPOSE, clDenseViewBlock(AI, 0, N, N, N)));
  OK(clDenseMultiply(P, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, X, 0));
  OK(clDenseDownload(P, inverse, N));
  double worst = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      worst = fmax(worst, fabs((double)inverse[i * N + j] - (i == j)));
  printf("rank %d, the last pivot is in column %d, max |A X - I| = %.1e\n", rank, pivots[N - 1],
         worst);
  lessonExpect(rank == N && pivots[N - 1] == N - 1, "all pivots are in A's columns");
  lessonExpect(worst < 1e-3, "A times its inverse is the identity");
  clDense *all[] = {AI, A, X, P};
  for (int k = 0; k < 4; k++)
    clDenseDestroy(all[k]);
  clTripletsDestroy(T);
  return lessonEnd();
}
