/* Brodtkorb 2007, figures 4.3, 4.8, 4.11 and tables B.1 to B.3: times over sizes that are perturbed
 * by 0 to 10, fitted by a + b n^3; the speed-up is the ratio of the b. */
#include "measure.h"

enum { WORKS = 6, MOST = 24 };
static const char *const names[WORKS] = {
    "product, single pass",        "product, passes of 64 terms",
    "Gauss-Jordan of n x (n + 1)", "PLU",
    "product, loop on one core",   "PLU, loop on one core"};
/* a and b of the thesis: GeForce 7800 GT, and MATLAB 2006 for the last two. */
static const double published[WORKS][2] = {{1.26e-2, 3.93e-10},  {2.28e-2, 2.86e-10},
                                           {6.29e-2, 2.61e-10},  {4.11e-2, 1.97e-10},
                                           {-1.74e-2, 7.93e-10}, {6.10e-2, 3.32e-10}};

/* Their curves at our sizes. */
static void plot(const char *name, const char *title, const double *n, double seconds[][MOST],
                 const Work *works, int count, int sizes) {
  PaperCurve curves[2 * WORKS];
  double fit[WORKS][MOST];
  for (int w = 0; w < count; w++) {
    const double *p = published[works[w]];
    for (int k = 0; k < sizes; k++)
      fit[w][k] = p[0] + p[1] * n[k] * n[k] * n[k];
    curves[2 * w] = (PaperCurve){names[works[w]], n, seconds[works[w]], sizes, false};
    curves[2 * w + 1] = (PaperCurve){"published fit", n, fit[w], sizes, true};
  }
  paperPlot(&(PaperPlot){name, title, "n", "seconds", true, true}, curves, 2 * count);
}

/* Noise of small sizes can make a coefficient negative: then there is no ratio. */
static void compare(const char *name, double host, double device, const char *published_ratio) {
  if (host > 0 && device > 0)
    paperRow("%s | %.2f | %s", name, host / device, published_ratio);
  else
    paperRow("%s | - | %s", name, published_ratio);
}

int main(int argc, char **argv) {
  static double n[MOST], seconds[WORKS][MOST];
  double b[WORKS];
  clContext *context = paperBegin(argc, argv, "Brodtkorb 2007: times over sizes");
  int sizes = 0, last = paperChoose(96, 640, 3584);
  paperTable("Seconds", "n | single pass | passes | Gauss-Jordan | PLU | host product | host PLU");
  for (int base = last / 8; base <= last; base += last / 8) {
    int size = base + (int)(11 * paperRandom());
    n[sizes] = size;
    for (int w = 0; w < WORKS; w++)
      seconds[w][sizes] = measureSeconds(context, (Work)w, size);
    paperRow("%d | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f", size, seconds[0][sizes],
             seconds[1][sizes], seconds[2][sizes], seconds[3][sizes], seconds[4][sizes],
             seconds[5][sizes]);
    sizes++;
  }
  paperTable("Fits a + b n^3", "work | a | b | published a | published b");
  for (int w = 0; w < WORKS; w++) {
    double c[2];
    paperFit(c, (const int[]){0, 3}, 2, n, seconds[w], NULL, sizes);
    b[w] = c[1];
    paperRow("%s | %.2e | %.2e | %.2e | %.2e", names[w], c[0], c[1], published[w][0],
             published[w][1]);
  }
  paperTable("Speed-up, the ratio of the b (4.7)", "work | ours | published");
  compare("product, single pass", b[HOST_PRODUCT], b[SINGLE_PASS], "2.02");
  compare("product, passes", b[HOST_PRODUCT], b[MULTI_PASS], "2.77");
  compare("Gauss-Jordan against PLU", b[HOST_PLU], b[GAUSS_JORDAN], "1.35");
  compare("PLU", b[HOST_PLU], b[PLU], "1.69");
  plot("brodtkorb_product", "Figure 4.3: matrix product", n, seconds,
       (const Work[]){SINGLE_PASS, MULTI_PASS, HOST_PRODUCT}, 3, sizes);
  plot("brodtkorb_gauss_jordan", "Figure 4.8: Gauss-Jordan beside PLU", n, seconds,
       (const Work[]){GAUSS_JORDAN, HOST_PLU}, 2, sizes);
  plot("brodtkorb_plu", "Figure 4.11: PLU", n, seconds, (const Work[]){PLU, HOST_PLU}, 2, sizes);
  return paperEnd();
}
