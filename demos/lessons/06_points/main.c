/* Lesson 6: a sparse matrix without any pattern, drawn as points. Which pages of a small web are
 * important? */
#include "lesson.h"

/* Pages of the web, links between them, and iterations. */
enum { PAGES = 300, LINKS = 2400, STEPS = 40 };

/* A web: page j links to some i, small numbers being popular. p_ij = 1 / (links on page j). */
static clTriplets *web(float *spy) {
  clTriplets *P;
  clError error;
  int from[LINKS], to[LINKS], count[PAGES] = {0};
  unsigned state = 1;
  for (int k = 0; k < LINKS; k++) {
    float place = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
    to[k] = (int)(PAGES * place * place);
    /* each page has eight links */
    from[k] = k % PAGES;
    count[from[k]]++;
  }
  OK(clTripletsCreate(&P, PAGES, PAGES, LINKS, &error));
  for (int k = 0; k < LINKS; k++) {
    OK(clTripletsAdd(P, to[k], from[k], 1. / count[from[k]], &error));
    spy[(PAGES - 1 - to[k]) * PAGES + from[k]] = 1;
  }
  OK(clTripletsCompress(P, &error));
  return P;
}

/* x <- 0.85 P x + 0.15 / n, from the equal distribution: the chance to be on page i for one who
 * clicks at random. */
static void rank(clContext *context, const clTriplets *P, clStorage storage, float *x_out) {
  clMatrix *A;
  clVector *x, *y, *jump;
  OK(clMatrixCreate(&A, context, P, &(clMatrixOptions){.storage = storage}));
  OK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  OK(clVectorCreateLike(&y, x));
  OK(clVectorCreateLike(&jump, x));
  OK(clVectorFill(jump, 0.15f / PAGES));
  OK(clVectorFill(x, 1.f / PAGES));
  /* compiles its shaders */
  OK(clMatrixMulVector(y, A, x));
  OK(clVectorClear(y));
  OK(clContextSynchronize(context));
  double begin = lessonSeconds();
  for (int k = 0; k < STEPS; k++) {
    OK(clMatrixMulVector(y, A, x));
    OK(clVectorAdd(x, 0.85f, NULL, y, 1, NULL, jump));
  }
  OK(clVectorDownload(x, x_out));
  printf("%s: %.0f us for a step\n", clMatrixDescription(A),
         1e6 * (lessonSeconds() - begin) / STEPS);
  lessonWatch();
  OK(clMatrixMulVector(y, A, x));
  lessonPasses();
  clVectorDestroy(x);
  clVectorDestroy(y);
  clVectorDestroy(jump);
  clMatrixDestroy(A);
}

int main(int argc, char **argv) {
  static float spy[PAGES * PAGES], points[PAGES], rows[PAGES], slots[PAGES];
  clContext *context = lessonBegin(argc, argv);
  clTriplets *P = web(spy);
  lessonField("web", spy, PAGES, PAGES, TEXLA_COLORMAP_MAGMA, 0, 1);
  rank(context, P, TEXLA_STORAGE_POINTS, points);
  rank(context, P, TEXLA_STORAGE_CSR, rows);
  rank(context, P, TEXLA_STORAGE_SLOTS, slots);
  /* Three storages of one matrix must lead to the same ranks. */
  double sum = 0, apart = 0;
  for (int i = 0; i < PAGES; i++) {
    sum += (double)points[i];
    apart = fmax(apart, fabs((double)(points[i] - rows[i])) + fabs((double)(points[i] - slots[i])));
  }
  printf("chances sum up to %.6f; page 0 has %.4f, page %d %.4f\n", sum, points[0], PAGES - 1,
         points[PAGES - 1]);
  lessonExpect(fabs(sum - 1) < 1e-5, "chances sum up to 1");
  lessonExpect(apart < 1e-6, "all storages give the same");
  clTripletsDestroy(P);
  return lessonEnd();
}
