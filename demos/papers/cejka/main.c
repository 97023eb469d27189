/* Cejka 2022, tables 3.4 to 3.8: Crout's method in order (CM) and as an iteration (ICM), single and
 * double precision, over a set of matrices. */
#include "icm.h"

enum { METHODS = 4, MOST = 80 };
/* CM and ICM in single precision, in double (ICM: double-float). */
static const char *const names[METHODS] = {"CM, single", "ICM, single", "CM, double",
                                           "ICM, double-float"};

/* A matrix and its results; NaN: no factors. */
typedef struct Result {
  const PaperMatrix *A;
  clContext *context;
  double seconds[METHODS], error[METHODS], largest;
  IcmReport icm;
  /* the factors, and A in single precision */
  double *z;
  float *a;
  int method;
  bool ok;
} Result;

/* Small ones of the collections; 494_bus and bcsstk03 are in Cejka's table 3.2. */
static const char *const small[] = {
    "LFAT5",    "LF10",    "cage5",   "bcsstk01", "mesh1e1",       "bfwa62",   "bcsstk02",
    "bcsstk03", "arc130",  "rajat11", "fidap001", "mcca",          "fs_183_6", "pyamg_recirc_flow",
    "494_bus",  "plat362", "hor_131", "bcsstk20", "Trefethen_500", "olm500"};
static const char *const large[] = {"pyamg_bar", "662_bus",  "nos3",     "sherman1", "olm1000",
                                    "cage8",     "bcsstk09", "bcsstk26", "bcsstk13"};

static void runHost(Result *r) {
  size_t n = (size_t)r->A->n;
  clError error;
  if (r->method == 2) {
    r->ok = clCroutHost(r->z, r->A->a, r->A->n, TEXLA_CROUT_SCALE_NONE, NULL, &error) == TEXLA_OK;
    return;
  }
  float *z = paperAllocate(n * n, sizeof *z);
  r->ok = clCroutHostFloat(z, r->a, r->A->n, TEXLA_CROUT_SCALE_NONE, NULL, &error) == TEXLA_OK;
  for (size_t k = 0; k < n * n; k++)
    r->z[k] = (double)z[k];
  free(z);
}

static void run(void *user) {
  Result *r = user;
  if (r->method % 2 == 0)
    runHost(r);
  else
    r->ok = icmFactor(r->context, r->A, r->z, &(IcmOptions){.single = r->method == 1}, &r->icm);
}

static void measure(Result *r) {
  size_t entries = (size_t)r->A->n * (size_t)r->A->n;
  r->z = paperAllocate(entries, sizeof *r->z);
  r->a = paperAllocate(entries, sizeof *r->a);
  for (size_t k = 0; k < entries; k++) {
    r->a[k] = (float)r->A->a[k];
    r->largest = fmax(r->largest, fabs(r->A->a[k]));
  }
  for (r->method = 0; r->method < METHODS; r->method++) {
    r->seconds[r->method] = paperTime(paperChoose(1, 3, 100), run, r);
    r->error[r->method] = NAN;
    if (r->ok)
      r->error[r->method] = paperDifference(r->A, r->z);
  }
  paperRow("%s | %d | %.4f | %.4f | %.4f | %.4f | %.1e | %.1e | %.1e | %.1e | %d", r->A->name,
           r->A->n, r->seconds[0], r->seconds[1], r->seconds[2], r->seconds[3], r->error[0],
           r->error[1], r->error[2], r->error[3], r->icm.most_sweeps);
  free(r->z);
  free(r->a);
}

/* Without a folder of matrices: random and dominant, as a generator of dense files makes them. */
static void makeDense(PaperMatrix *A, int n) {
  *A = (PaperMatrix){.n = n, .a = paperAllocate((size_t)n * (size_t)n, sizeof *A->a)};
  snprintf(A->name, sizeof A->name, "dense%d", n);
  for (int k = 0; k < n * n; k++)
    A->a[k] = paperRandom() + (k % (n + 1) == 0) * n;
}

/* Tables 3.6 to 3.8. */
static void summarize(Result *results, int count) {
  static const double published[METHODS][5] = {{4540350.594, 268435500, 0, .125, 33580198.19},
                                               {36830.43, 2097152, 0, .031, 262296.394},
                                               {.0045, .25, 0, 2.3283e-10, .0314},
                                               {.0398, 2, 0, 4.6566e-10, .2566}};
  paperTable("Tables 3.7, 3.8: max |A - L U| over the set, ours and published",
             "method | matrices | mean | maximum | minimum | median | deviation");
  for (int m = 0; m < METHODS; m++) {
    double values[MOST];
    int some = 0;
    for (int i = 0; i < count; i++)
      if (isfinite(results[i].error[m]))
        values[some++] = results[i].error[m];
    PaperStatistics s = paperStatistics(values, some);
    const double *p = published[m];
    paperRow("%s | %d | %.3g | %.3g | %.3g | %.3g | %.3g", names[m], some, s.mean, s.largest,
             s.smallest, s.median, s.deviation);
    paperRow("published | 63 | %.5g | %.5g | %.5g | %.5g | %.5g", p[0], p[1], p[2], p[3], p[4]);
    if (m > 1)
      lessonExpect(s.median < 1e-9, "half of the errors in double are below 1e-9");
  }
  double total[METHODS] = {0};
  for (int i = 0; i < count; i++)
    for (int m = 0; m < METHODS; m++)
      total[m] += results[i].seconds[m];
  paperTable("Table 3.6: seconds over the set (published: 63 matrices, A100)",
             "precision | CM | ICM | published CM | published ICM32");
  paperRow("single | %.3g | %.3g | 2393.09 | 13.84", total[0], total[1]);
  paperRow("double | %.3g | %.3g | 2635.45 | 592.19", total[2], total[3]);
}

/* Figures 3.5, 3.8 and 3.10: against the number of the matrix, sorted by n. */
static void draw(const Result *results, int count) {
  double id[MOST], value[METHODS][MOST], speed[2][MOST], band[METHODS][MOST];
  PaperCurve errors[METHODS], bands[METHODS];
  for (int m = 0; m < METHODS; m++) {
    for (int i = 0; i < count; i++) {
      double n = results[i].A->n;
      id[i] = i + 1;
      value[m][i] = results[i].error[m];
      band[m][i] = 5 * n * n * (4 << m / 2) / results[i].seconds[m] * 1e-9;
      speed[m / 2][i] = results[i].seconds[m - m % 2] / results[i].seconds[m];
    }
    errors[m] = (PaperCurve){names[m], id, value[m], count, m % 2 == 0};
    bands[m] = (PaperCurve){names[m], id, band[m], count, m % 2 == 0};
  }
  paperPlot(&(PaperPlot){"cejka_errors", "max |A - L U| (figure 3.10)", "matrix, sorted by n",
                         "error", false, true},
            errors, METHODS);
  paperPlot(&(PaperPlot){"cejka_bandwidth", "Effective bandwidth (figure 3.8)",
                         "matrix, sorted by n", "GB/s", false, true},
            bands, METHODS);
  paperPlot(&(PaperPlot){"cejka_speed_up", "CM / ICM (figure 3.9)", "matrix, sorted by n",
                         "speed-up", false, true},
            (PaperCurve[]){{"single", id, speed[0], count, false},
                           {"double", id, speed[1], count, false}},
            2);
}

static int byOrder(const void *a, const void *b) {
  const PaperMatrix *x = a, *y = b;
  return x->n - y->n;
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Cejka 2022: Crout's method as an iteration");
  static PaperMatrix matrices[MOST];
  static Result results[MOST];
  int count = 0;
  for (int k = 0; k < paperChoose(10, 15, 20); k++)
    count += paperRead(&matrices[count], small[k]);
  for (int k = 0; k < paperChoose(0, 0, 9); k++)
    count += paperRead(&matrices[count], large[k]);
  for (int n = 40; n <= paperChoose(80, 320, 1280); n *= 2)
    makeDense(&matrices[count++], n);
  qsort(matrices, (size_t)count, sizeof *matrices, byOrder);
  paperTable("Tables 3.4, 3.5: seconds; max |A - L U|; sweeps of a section, at most",
             "matrix | n | CM | ICM | CM double | ICM double-float | error CM | ICM | CM double "
             "| ICM double-float | sweeps");
  for (int i = 0; i < count; i++) {
    results[i] = (Result){.A = &matrices[i], .context = context};
    measure(&results[i]);
  }
  summarize(results, count);
  draw(results, count);
  for (int i = 0; i < count; i++)
    free(matrices[i].a);
  return paperEnd();
}
