/* Solution of exercise 5: the cyclic shift is one diagonal and its opposing one; n shifts are
 * none. */
#include "lesson.h"

/* An odd length: the last texel is not full. */
enum { N = 37 };

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clMatrix *A;
  clVector *x, *y;
  float before[N], once[N], after[N];
  clError error;
  OK(clTripletsCreate(&T, N, N, N, &error));
  for (int i = 0; i < N; i++) {
    /* offset 1, and for the last row 1 - n */
    OK(clTripletsAdd(T, i, (i + 1) % N, 1, &error));
    before[i] = (float)i;
  }
  OK(clTripletsCompress(T, &error));
  OK(clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED}));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&y, x));
  OK(clVectorUpload(x, before));
  for (int k = 0; k < N; k++) {
    /* y_i <- x_(i + 1 mod n) */
    OK(clMatrixMulVector(y, A, x));
    clVector *swap = x;
    x = y;
    y = swap;
    if (k == 0)
      OK(clVectorDownload(x, once));
  }
  OK(clVectorDownload(x, after));
  printf("%s\n", clMatrixDescription(A));
  printf("once: %g %g %g ... %g; %d times: %g %g %g ... %g\n", once[0], once[1], once[2],
         once[N - 1], N, after[0], after[1], after[2], after[N - 1]);
  for (int i = 0; i < N; i++) {
    lessonExpect(once[i] == before[(i + 1) % N], "one product shifts by one");
    lessonExpect(after[i] == before[i], "n products shift by nothing");
  }
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  return lessonEnd();
}
