/* Jung and O'Leary 2008, sections 3.3 and 4.3: A D^2 A^T and its Cholesky factor in the rectangular
 * packed format and in a full square: the same factor in half of the texels, in about the same
 * time. */
#include "paper.h"

typedef struct Work {
  clContext *context;
  clDense *A, *C, *L;
  clPacked *P;
  clVector *d;
  /* full, packed */
  clCholesky *cholesky[2];
} Work;

static void full(void *user) {
  const Work *w = user;
  OK(clDenseSyrk(w->C, 1, TEXLA_NO_TRANSPOSE, w->A, w->d, 0));
  OK(clCholeskyFactor(w->cholesky[0], w->C, NULL));
}

static void packed(void *user) {
  const Work *w = user;
  OK(clPackedSyrk(w->P, 1, TEXLA_NO_TRANSPOSE, w->A, w->d, 0));
  OK(clCholeskyFactorPacked(w->cholesky[1], w->P, NULL));
}

/* Largest difference of the factors, relative to the diagonal entry of the row. */
static double difference(const Work *w, int m) {
  size_t entries = (size_t)m * (size_t)m;
  float *l[2];
  double worst = 0;
  for (int k = 0; k < 2; k++) {
    l[k] = paperAllocate(entries, sizeof *l[k]);
    OK(clCholeskyLower(w->cholesky[k], w->L));
    OK(clDenseDownload(w->L, l[k], m));
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      worst =
          fmax(worst, fabs((double)(l[0][i * m + j] - l[1][i * m + j])) / (double)l[0][i * m + i]);
  free(l[0]);
  free(l[1]);
  return worst;
}

static void measure(clContext *context, int m) {
  Work w = {.context = context};
  float *a = paperAllocate((size_t)m * (size_t)(2 * m), sizeof *a);
  int width, height;
  for (int k = 0; k < 2 * m * m; k++)
    a[k] = (float)paperRandom() + (float)(k % (2 * m) == k / (2 * m)) * (float)m / 8;
  OK(clDenseCreate(&w.A, context, m, 2 * m));
  OK(clDenseUpload(w.A, a, 2 * m));
  OK(clVectorCreate(&w.d, context, 2 * m));
  OK(clVectorFill(w.d, 2));
  OK(clDenseCreate(&w.C, context, m, m));
  OK(clDenseCreateLike(&w.L, w.C));
  OK(clPackedCreate(&w.P, context, m, TEXLA_PACKING_2X2));
  for (int k = 0; k < 2; k++)
    OK(clCholeskyCreate(&w.cholesky[k], context, m, &(clCholeskyOptions){.packed = k}));
  double times[] = {paperTime(5, full, &w), paperTime(5, packed, &w)}, apart = difference(&w, m);
  int side = (m + 1) / 2;
  clPackedTexels(w.P, &width, &height);
  paperRow("%d | %.2f | %.2f | %.2f | %d | %d | %.1e", m, 1e3 * times[0], 1e3 * times[1],
           times[0] / times[1], side * side, width * height, apart);
  lessonExpect(width * height == side * (side + 1) / 2, "no texel of the packed format is unused");
  lessonExpect(apart < 1e-4, "full and packed storage have the same factor");
  for (int k = 0; k < 2; k++)
    clCholeskyDestroy(w.cholesky[k]);
  clPackedDestroy(w.P);
  clVectorDestroy(w.d);
  clDenseDestroy(w.A);
  clDenseDestroy(w.C);
  clDenseDestroy(w.L);
  free(a);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Jung and O'Leary 2008: packed against full");
  paperTable("A D^2 A^T (m x 2m) and its factor; published: full is 1 % faster at m = 2048",
             "m | full, ms | packed, ms | full / packed | texels full | packed | difference");
  for (int m = 63; m <= paperChoose(128, 512, 2048); m += m % 2 ? 1 : m - 1)
    measure(context, m);
  return paperEnd();
}
