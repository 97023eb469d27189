/* Lesson 12: a symmetric matrix is half a matrix; a rotated triangle fills the free corner, and no
 * texel is wasted. */
#include "lesson.h"

/* The order that is drawn; those of the matrix that is factored, A is N x K. */
enum { M = 9, N = 200, K = 400 };

/* The place of entry (i, j) of a triangle with m rows: the left half of the columns stays, the rest
 * is turned around. */
static int place(int m, int i, int j) {
  int w = (m + 1) / 2, even = m % 2 == 0;
  return j < w ? (i + even) * w + j : (m - 1 - i) * w + m - even - j;
}

/* The triangle in a square, half of which is empty, and in a rectangle that is full. */
static void drawLayout(void) {
  float full[M * M], rectangle[M * ((M + 1) / 2)];
  int w = (M + 1) / 2, used[M * ((M + 1) / 2)] = {0};
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      /* a colour for each column */
      full[(M - 1 - i) * M + j] = j <= i ? (float)j + 3 : 0;
      if (j <= i) {
        int k = place(M, i, j);
        rectangle[(M - 1 - k / w) * w + k % w] = (float)j + 3;
        used[k]++;
      }
    }
  for (int k = 0; k < M * w; k++)
    lessonExpect(used[k] == 1, "each texel holds one entry");
  lessonField("full", full, M, M, TEXLA_COLORMAP_TURBO, 0, M + 3);
  lessonField("rectangle", rectangle, w, M, TEXLA_COLORMAP_TURBO, 0, M + 3);
}

int main(int argc, char **argv) {
  static float a[N * K], d[K], lower[N * N], packed_lower[N * N];
  clContext *context = lessonBegin(argc, argv);
  drawLayout();
  clDense *A, *C, *L;
  clPacked *P, *Q;
  clVector *D;
  clCholesky *full, *half;
  int width, height;
  for (int i = 0; i < N * K; i++)
    a[i] = sinf((float)i) + (i % K == i / K);
  for (int k = 0; k < K; k++)
    d[k] = 1 + (float)(k % 3);
  OK(clDenseCreate(&A, context, N, K));
  OK(clDenseCreate(&C, context, N, N));
  OK(clDenseCreateLike(&L, C));
  OK(clVectorCreate(&D, context, K));
  OK(clDenseUpload(A, a, K));
  OK(clVectorUpload(D, d));
  OK(clPackedCreate(&P, context, N, TEXLA_PACKING_2X2));
  OK(clPackedCreate(&Q, context, N, TEXLA_PACKING_2X2));
  /* C <- A D^2 A^T, its lower triangle */
  OK(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, D, 0));
  OK(clPackedSyrk(P, 1, TEXLA_NO_TRANSPOSE, A, D, 0));
  /* C = L L^T, once in a square and once in half the texels. */
  OK(clCholeskyCreate(&full, context, N, NULL));
  OK(clCholeskyCreate(&half, context, N, &(clCholeskyOptions){.packed = true}));
  OK(clCholeskyFactor(full, C, NULL));
  OK(clCholeskyFactorPacked(half, P, NULL));
  OK(clCholeskyLower(full, L));
  OK(clDenseDownload(L, lower, N));
  OK(clCholeskyLowerPacked(half, Q));
  OK(clPackedDownload(Q, packed_lower, N));
  /* The two factors differ by roundings alone; they are compared in parts of their rows'
   * diagonals. */
  double apart = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      apart = fmax(apart, fabs((double)(lower[i * N + j] - packed_lower[i * N + j]) /
                               (double)lower[i * N + i]));
  clPackedTexels(P, &width, &height);
  printf("n = %d: full %d x %d texels, packed %d x %d\n", N, N / 2, N / 2, width, height);
  printf("largest difference of the two factors, relative to the diagonal: %.1e\n", apart);
  lessonExpect(apart < 1e-5, "full and packed storage have the same factor");
  lessonExpect(width * height <= (N / 2 + 1) * N / 4, "the packed triangle takes half the texels");
  clCholeskyDestroy(full);
  clCholeskyDestroy(half);
  clPackedDestroy(P);
  clPackedDestroy(Q);
  clDenseDestroy(A);
  clDenseDestroy(C);
  clDenseDestroy(L);
  clVectorDestroy(D);
  return lessonEnd();
}
