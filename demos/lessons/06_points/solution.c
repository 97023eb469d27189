/* Solution of exercise 6: A^T by drawing the same points elsewhere; x.(A y) = (A^T x).y. */
#include "lesson.h"

/* A matrix of order N with so many entries, some of which may stand in the same place. */
enum { N = 200, ENTRIES = 1500 };

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T, *transposed;
  clError error;
  OK(clTripletsCreate(&T, N, N, ENTRIES, &error));
  /* A linear congruential generator: the same matrix everywhere. */
  unsigned state = 7;
  for (int k = 0; k < ENTRIES; k++) {
    int i = (int)((state = state * 1664525u + 1013904223u) >> 16) % N,
        j = (int)((state = state * 1664525u + 1013904223u) >> 16) % N;
    OK(clTripletsAdd(T, i, j, (double)(k % 7) - 3, &error));
  }
  OK(clTripletsCompress(T, &error));
  OK(clTripletsCreate(&transposed, N, N, T->count, &error));
  /* all that changes: where a point is drawn, and where it reads */
  for (int64_t k = 0; k < T->count; k++)
    OK(clTripletsAdd(transposed, T->col[k], T->row[k], T->value[k], &error));
  OK(clTripletsCompress(transposed, &error));

  /* Both matrices as points; small integers, so that nothing is rounded. */
  clMatrix *A, *B;
  clVector *x, *y, *Ay, *Bx;
  clFloat *s, *t;
  float left, right;
  OK(clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}));
  OK(clMatrixCreate(&B, context, transposed, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}));
  clVector **vector[] = {&x, &y, &Ay, &Bx};
  for (int k = 0; k < 4; k++)
    OK(clMatrixCreateVector(vector[k], A, TEXLA_DOMAIN));
  float value[N];
  for (int i = 0; i < N; i++)
    value[i] = (float)(i % 5);
  OK(clVectorUpload(x, value));
  for (int i = 0; i < N; i++)
    value[i] = (float)(i % 3) - 1;
  OK(clVectorUpload(y, value));
  OK(clMatrixMulVector(Ay, A, y));
  OK(clMatrixMulVector(Bx, B, x));
  OK(clFloatCreate(&s, context));
  OK(clFloatCreate(&t, context));
  OK(clVectorDot(s, x, Ay));
  OK(clVectorDot(t, Bx, y));
  OK(clFloatDownload(s, &left));
  OK(clFloatDownload(t, &right));
  printf("x.(A y) = %g, (A^T x).y = %g\n", left, right);
  lessonExpect(left == right, "integers are added exactly, so both are the same number");
  for (int k = 0; k < 4; k++)
    clVectorDestroy(*vector[k]);
  clFloatDestroy(s);
  clFloatDestroy(t);
  clMatrixDestroy(A);
  clMatrixDestroy(B);
  clTripletsDestroy(T);
  clTripletsDestroy(transposed);
  return lessonEnd();
}
