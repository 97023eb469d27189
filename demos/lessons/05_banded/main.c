/* Lesson 5: a banded matrix is a handful of vectors; a diagonal and the opposing one share one of
 * them. */
#include "lesson.h"

/* Order of the small matrix that is drawn; side of the grid of the large one. */
enum { N = 16, SIDE = 64 };

/* The matrix with all its zeros, and the same as it is stored: row k has the diagonal with offset
 * k, entry (i, i + k mod n) in place i. */
static void draw(const clTriplets *T, const int *offset, int count) {
  float all[N * N] = {0}, diagonals[3 * N] = {0};
  for (int64_t e = 0; e < T->count; e++) {
    int i = T->row[e], j = T->col[e];
    all[(N - 1 - i) * N + j] = (float)T->value[e];
    for (int k = 0; k < count; k++)
      if ((j - i + N) % N == offset[k])
        diagonals[k * N + i] = (float)T->value[e];
  }
  lessonField("matrix", all, N, N, TEXLA_COLORMAP_DIVERGING, -2, 2);
  lessonField("diagonals", diagonals, N, count, TEXLA_COLORMAP_DIVERGING, -2, 2);
}

/* Bytes on the device, and the passes of one product. */
static size_t weigh(clContext *context, const clTriplets *T, const clMatrixOptions *options) {
  clMatrix *A;
  clVector *x, *y;
  size_t before = clContextStatistics(context).bytes_used;
  OK(clMatrixCreate(&A, context, T, options));
  size_t bytes = clContextStatistics(context).bytes_used - before;
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clMatrixCreateVector(&y, A, TEXLA_RANGE));
  static float wave[SIDE * SIDE];
  for (int k = 0; k < clVectorLength(x); k++)
    wave[k] = sinf(.3f * (float)(k % SIDE)) + cosf(.2f * (float)(k / SIDE));
  OK(clVectorUpload(x, wave));
  printf("%s: %zu bytes\n", clMatrixDescription(A), bytes);
  lessonWatch();
  OK(clMatrixMulVector(y, A, x));
  lessonPasses();
  clVectorDestroy(x);
  clVectorDestroy(y);
  clMatrixDestroy(A);
  return bytes;
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  clTriplets *T;
  clError error;
  OK(clTripletsCreate(&T, N, N, 3 * N, &error));
  /* a ring: each point is coupled with the next and the one before, around the end */
  for (int i = 0; i < N; i++) {
    OK(clTripletsAdd(T, i, i, 2, &error));
    OK(clTripletsAdd(T, i, (i + 1) % N, -1 - .05 * i, &error));
    OK(clTripletsAdd(T, i, (i + N - 1) % N, 1 - .05 * i, &error));
  }
  OK(clTripletsCompress(T, &error));
  draw(T, (int[]){0, 1, N - 1}, 3);
  /* otherwise a diagonal of one entry would be a number, and share nothing */
  clMatrixOptions vectors = {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true};
  size_t ring = weigh(context, T, &vectors);
  lessonExpect(ring == 3 * N * sizeof(float), "five diagonals of the ring take three vectors");
  clTripletsDestroy(T);

  /* five diagonals that are almost constant */
  OK(clGeneratePoisson2d(&T, SIDE, SIDE, &error));
  /* The same matrix in three storages, the narrowest first. */
  size_t as_numbers = weigh(context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED});
  size_t as_vectors = weigh(context, T, &vectors);
  size_t as_rows = weigh(context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_CSR});
  lessonExpect(as_numbers < as_vectors, "constant diagonals take less room than stored ones");
  lessonExpect(as_vectors < as_rows, "diagonals need no indices");
  clTripletsDestroy(T);
  return lessonEnd();
}
