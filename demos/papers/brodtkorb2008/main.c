/* Brodtkorb 2008, section 5: the same times fitted by a + b n + c n^2 + d n^3, weighted by the
 * inverse of the time so that small sizes count; the speed-up is the ratio of the d. */
#include "measure.h"

enum { WORKS = 6, MOST = 24, TERMS = 4 };
static const char *const names[WORKS] = {
    "product, single pass",      "product, passes of 64 terms", "Gauss-Jordan", "PLU",
    "product, loop on one core", "PLU, loop on one core"};

/* The fit at x. */
static double valueOf(const double *c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

/* Noise of small sizes can make a coefficient negative: then there is no ratio. */
static void compare(const char *name, double host, double device, const char *published_ratio) {
  if (host > 0 && device > 0)
    paperRow("%s | %.2f | %s", name, host / device, published_ratio);
  else
    paperRow("%s | - | %s", name, published_ratio);
}

int main(int argc, char **argv) {
  static double n[MOST], seconds[WORKS][MOST], weight[MOST], fitted[WORKS][MOST];
  double d[WORKS];
  PaperCurve curves[2 * WORKS];
  clContext *context = paperBegin(argc, argv, "Brodtkorb 2008: weighted cubic fits");
  int sizes = 8, last = paperChoose(128, 640, 4096);
  for (int s = 0; s < sizes; s++)
    n[s] = last * (s + 1) / sizes;
  paperTable("Weighted fits a + b n + c n^2 + d n^3",
             "work | a | b | c | d | largest misfit relative to the time");
  for (int w = 0; w < WORKS; w++) {
    double c[TERMS], misfit = 0;
    for (int s = 0; s < sizes; s++) {
      seconds[w][s] = measureSeconds(context, (Work)w, (int)n[s]);
      weight[s] = 1 / seconds[w][s];
    }
    paperFit(c, (const int[]){0, 1, 2, 3}, TERMS, n, seconds[w], weight, sizes);
    for (int s = 0; s < sizes; s++) {
      fitted[w][s] = valueOf(c, n[s]);
      misfit = fmax(misfit, fabs(fitted[w][s] / seconds[w][s] - 1));
    }
    d[w] = c[3];
    curves[2 * w] = (PaperCurve){names[w], n, seconds[w], sizes, false};
    curves[2 * w + 1] = (PaperCurve){"its fit", n, fitted[w], sizes, true};
    paperRow("%s | %.2e | %.2e | %.2e | %.2e | %.2f", names[w], c[0], c[1], c[2], c[3], misfit);
  }
  paperTable("Speed-up, the ratio of the d", "work | ours | G70 | G80");
  compare("product, single pass", d[HOST_PRODUCT], d[SINGLE_PASS], "1.96 | 31.29");
  compare("product, passes", d[HOST_PRODUCT], d[MULTI_PASS], "3.04 | 14.25");
  compare("Gauss-Jordan against PLU", d[HOST_PLU], d[GAUSS_JORDAN], "1.07 | 4.27");
  compare("PLU", d[HOST_PLU], d[PLU], "1.48 | 7.55");
  /* The fit itself: a cubic is found from its values. */
  const double cubic[TERMS] = {.5, -2e-3, 3e-6, 4e-9};
  double values[MOST], found[TERMS];
  for (int s = 0; s < sizes; s++)
    values[s] = valueOf(cubic, n[s]);
  paperFit(found, (const int[]){0, 1, 2, 3}, TERMS, n, values, NULL, sizes);
  for (int t = 0; t < TERMS; t++)
    lessonExpect(fabs(found[t] / cubic[t] - 1) < 1e-6, "a cubic is fitted exactly");
  paperPlot(
      &(PaperPlot){"brodtkorb2008_product", "Figure 2: matrix product", "n", "seconds", true, true},
      (PaperCurve[]){curves[0], curves[1], curves[2], curves[3], curves[8], curves[9]}, 6);
  paperPlot(&(PaperPlot){"brodtkorb2008_factors", "Figure 3: Gauss-Jordan and PLU", "n", "seconds",
                         true, true},
            (PaperCurve[]){curves[4], curves[5], curves[6], curves[7], curves[10], curves[11]}, 6);
  return paperEnd();
}
