/* Krueger and Westermann: waves by three schemes with their energies, conjugate gradients and
 * multigrid over sizes, transfers by a matrix and by the bilinear unit, points. */
#include "paper.h"

/* A drop in a closed basin: energy over time, relative to its start. */
static void runWaves(clContext *context) {
  enum { STEPS = 40, SCHEMES = 3 };
  static const char *const names[] = {"explicit", "levels t + 1 and t (the slides')",
                                      "1/4, 1/2, 1/4 (conserving)"};
  static double time[STEPS + 1], energy[SCHEMES][STEPS + 1];
  PaperCurve curves[SCHEMES];
  int side = paperChoose(32, 128, 1024);
  paperTable("Energy of a drop after 40 steps, relative to its start", "scheme | energy");
  for (int s = 0; s < SCHEMES; s++) {
    clWave *wave;
    OK(clWaveCreate(&wave, context,
                    &(clWaveOptions){.nx = side, .ny = side, .scheme = (clWaveScheme)s}));
    OK(clWaveDrop(wave, .5, .5, .1, 1));
    OK(clWaveStep(wave, 1));
    for (int k = 0; k <= STEPS; k++) {
      time[k] = k;
      OK(clWaveEnergy(wave, &energy[s][k]));
      OK(clWaveStep(wave, 1));
    }
    for (int k = STEPS; k >= 0; k--)
      energy[s][k] /= energy[s][0];
    curves[s] = (PaperCurve){names[s], time, energy[s], STEPS + 1, false};
    paperRow("%s | %.4f", names[s], energy[s][STEPS]);
    clWaveDestroy(wave);
  }
  lessonExpect(fabs(energy[0][STEPS] - 1) < .02, "the explicit scheme keeps its energy");
  lessonExpect(energy[1][STEPS] < .99, "two levels damp the wave");
  lessonExpect(fabs(energy[2][STEPS] - 1) < .02, "three levels keep its energy");
  paperPlot(
      &(PaperPlot){"krueger_energy", "Energy over time steps", "step", "energy", false, false},
      curves, SCHEMES);
}

/* One solution of Poisson's equation with the right-hand side A 1. */
typedef struct Solution {
  clContext *context;
  clTriplets *A;
  double *x, *b;
  clMethod method;
  int iterations;
} Solution;

static void solve(void *user) {
  Solution *s = user;
  clSystemReport report = {0};
  for (int i = 0; i < s->A->rows; i++)
    s->x[i] = 0;
  OK(clSystemSolve(s->context, s->A, s->b, s->x,
                   &(clSystemOptions){.solver = {.method = s->method, .tolerance = 1e-5}},
                   &report));
  s->iterations = (int)report.iterations;
  clSystemReportClear(&report);
}

static void runSolvers(clContext *context) {
  enum { MOST = 8 };
  double n[MOST], seconds[2][MOST];
  int count = 0, last = paperChoose(64, 256, 2048);
  const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_MG};
  paperTable("Poisson's equation on N x N points to 1e-5, with setup",
             "N | cg s | iterations | multigrid s | cycles");
  for (int side = last / 8; side <= last; side *= 2, count++) {
    Solution s = {.context = context};
    int iterations[2];
    size_t unknowns = (size_t)side * (size_t)side;
    OK(clGeneratePoisson2d(&s.A, side, side, NULL));
    s.x = paperAllocate(unknowns, sizeof *s.x);
    s.b = paperAllocate(unknowns, sizeof *s.b);
    for (size_t i = 0; i < unknowns; i++)
      s.x[i] = 1;
    clTripletsMulVector(s.b, s.A, s.x);
    for (int k = 0; k < 2; k++) {
      s.method = methods[k];
      seconds[k][count] = paperTime(3, solve, &s);
      iterations[k] = s.iterations;
      for (size_t i = 0; i < unknowns; i++)
        if (fabs(s.x[i] - 1) > .05)
          lessonExpect(false, "the solution is 1");
    }
    n[count] = side;
    paperRow("%d | %.4f | %d | %.4f | %d", side, seconds[0][count], iterations[0],
             seconds[1][count], iterations[1]);
    lessonExpect(iterations[1] < 15, "multigrid's cycles do not grow with N");
    free(s.x);
    free(s.b);
    clTripletsDestroy(s.A);
  }
  paperPlot(
      &(PaperPlot){"krueger_solvers", "Poisson's equation to 1e-5", "N", "seconds", true, true},
      (PaperCurve[]){{"conjugate gradients", n, seconds[0], count, false},
                     {"multigrid", n, seconds[1], count, false}},
      2);
}

/* A product or a transfer. */
typedef struct Transfer {
  const clMatrix *P;
  clVector *fine, *coarse;
  clFloat *sum;
} Transfer;

static void byMatrix(void *user) {
  const Transfer *t = user;
  float read;
  OK(clMatrixMulVector(t->coarse, t->P, t->fine));
  OK(clVectorSum(t->sum, t->coarse));
  OK(clFloatDownload(t->sum, &read));
}

static void byFilter(void *user) {
  const Transfer *t = user;
  float read;
  OK(clVectorRescale(t->coarse, t->fine));
  OK(clVectorSum(t->sum, t->coarse));
  OK(clFloatDownload(t->sum, &read));
}

/* Restriction N^2 -> (N / 2)^2: the mean of four, as a matrix in each storage and by one quad. */
static void runTransfers(clContext *context) {
  static const clStorage storages[] = {TEXLA_STORAGE_SLOTS, TEXLA_STORAGE_CSR,
                                       TEXLA_STORAGE_POINTS};
  static const char *const names[] = {"slots", "csr", "points"};
  int side = paperChoose(32, 256, 1024), half = side / 2;
  size_t entries = (size_t)side * (size_t)side;
  float *value = paperAllocate(entries, sizeof *value),
        *exact = paperAllocate(entries / 4, sizeof *exact),
        *got = paperAllocate(entries / 4, sizeof *got);
  clTriplets *T;
  Transfer t;
  OK(clTripletsCreate(&T, half * half, side * side, (int64_t)entries, NULL));
  for (int k = 0; k < side * side; k++) {
    int row = k / side / 2 * half + k % side / 2;
    value[k] = (float)paperRandom();
    exact[row] += value[k] / 4;
    OK(clTripletsAdd(T, row, k, .25, NULL));
  }
  OK(clTripletsCompress(T, NULL));
  OK(clVectorCreateGrid(&t.fine, context, side, side));
  OK(clVectorCreateGrid(&t.coarse, context, half, half));
  OK(clFloatCreate(&t.sum, context));
  OK(clVectorUpload(t.fine, value));
  paperTable("Restriction by a matrix and by the bilinear filter, with a sum",
             "way | ms | largest error");
  for (int way = 0; way < 4; way++) {
    double worst = 0, seconds;
    const char *name = "bilinear filter";
    clMatrix *P = NULL;
    clVector *x = NULL, *y = NULL;
    Transfer at = t;
    if (way < 3) {
      name = names[way];
      OK(clMatrixCreate(&P, context, T, &(clMatrixOptions){.storage = storages[way]}));
      OK(clMatrixCreateVector(&x, P, TEXLA_DOMAIN));
      OK(clMatrixCreateVector(&y, P, TEXLA_RANGE));
      OK(clVectorUpload(x, value));
      at = (Transfer){P, x, y, t.sum};
      seconds = paperTime(5, byMatrix, &at);
    } else {
      seconds = paperTime(5, byFilter, &at);
    }
    OK(clVectorDownload(at.coarse, got));
    for (size_t k = 0; k < entries / 4; k++)
      worst = fmax(worst, fabs((double)(got[k] - exact[k])));
    paperRow("%s | %.3f | %.1e", name, 1e3 * seconds, worst);
    /* the filter's weights have at least 8 bits */
    lessonExpect(worst < (way < 3 ? 1e-6 : 1. / 128), "the restriction is the mean of four");
    clVectorDestroy(x);
    clVectorDestroy(y);
    clMatrixDestroy(P);
  }
  clVectorDestroy(t.fine);
  clVectorDestroy(t.coarse);
  clFloatDestroy(t.sum);
  clTripletsDestroy(T);
  free(value);
  free(exact);
  free(got);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Krueger and Westermann: linear algebra on GPUs");
  runWaves(context);
  runSolvers(context);
  runTransfers(context);
  return paperEnd();
}
