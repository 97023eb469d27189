/* Mistakes of the documents, each done wrong and right: two figures, of which the first shows the
 * mistake. Where it does not matter the host computes. */
#include "paper.h"

#include <string.h>

/* One line; the wrong figure is above `limit`, the right one below it. */
static void show(const char *where, const char *what, double wrong, double right, double limit) {
  paperRow("%s | %s | %.3g | %.3g", where, what, wrong, right);
  lessonExpect(!(wrong <= limit), what);
  lessonExpect(right <= limit, what);
}

/* ---- Krueger and Westermann ------------------------------------------------------------------ */

/* The donor-cell term d(uv)/dy for u = sin(x + y), v = 2 + cos(x - y) at (1, 1): relative error.
 * `half`: the product of the two sums is divided by this. */
static double donorError(double half, bool absolute, double gamma) {
  double h = 1e-3, flux[2];
  for (int k = 0; k < 2; k++) {
    double y = 1 + (k - .5) * h, v0 = 2 + cos(1 - h / 2 - y), v1 = 2 + cos(1 + h / 2 - y),
           u0 = sin(1 + y - h / 2), u1 = sin(1 + y + h / 2), v = v0 + v1;
    if (absolute)
      v = fabs(v);
    flux[k] = ((v0 + v1) * (u0 + u1) + gamma * v * (u0 - u1)) / half;
  }
  double exact = cos(2.) * (2 + 1) + sin(2.) * 0;
  return fabs((flux[1] - flux[0]) / h / exact - 1);
}

/* Flow to the left (v = -2): upwind means the value from above; without |v| the difference is
 * taken from the wrong side, and what it damps grows. Growth of the roughest wave in a step. */
static double upwindGrowth(bool absolute) {
  double v = -2, rough = 0;
  const double u[] = {1, -1, 1};
  double weight = v;
  if (absolute)
    weight = fabs(v);
  rough = (v * (u[1] + u[2]) + weight * (u[1] - u[2])) / 2 -
          (v * (u[0] + u[1]) + weight * (u[0] - u[1])) / 2;
  return (u[1] - .1 * rough) / u[1];
}

/* The pressure's gradient must take away what the velocity gains: dv/dt = -dp/dy with p = rho g y
 * balances g. */
static double restingColumn(double sign) {
  double gravity = -9.81, dp_dy = -9.81;
  return fabs(gravity + sign * dp_dy);
}

/* d2v/dx2 of v = x^2 y on a grid with dx = 2 dy. */
static double secondDerivative(double dx, double divisor) {
  return fabs((pow(1 + dx, 2) - 2 + pow(1 - dx, 2)) / (divisor * divisor) / 2 - 1);
}

/* What is left of the energy of a standing wave with lambda = 2 after 50 implicit steps: from
 * levels t + 1 and t, and from three levels with weights 1/4, 1/2, 1/4. */
static double energyLost(bool three) {
  double lambda = 2, last = 1, now = 1, next = 0, energy[2] = {0};
  for (int k = 0; k < 50; k++) {
    if (three)
      next = (2 * now - last - lambda * (now / 2 + last / 4)) / (1 + lambda / 4);
    else
      next = (2 * now - last - lambda * now / 2) / (1 + lambda / 2);
    double speed = next - now, mean = (next + now) / 2;
    energy[1] = speed * speed + lambda * mean * mean;
    if (!three) /* its potential energy is that of the levels' mean as well */
      energy[1] = speed * speed + lambda * (next * next + now * now) / 2;
    if (k == 0)
      energy[0] = energy[1];
    last = now;
    now = next;
  }
  return fabs(1 - energy[1] / energy[0]);
}

static void showSlides(void) {
  show("slides, Navier-Stokes", "dv/dt = +dp/dy: acceleration of water at rest", restingColumn(1),
       restingColumn(-1), 1e-9);
  show("slides, Navier-Stokes", "d2v/dx2 over dy^2, dx = 2 dy: relative error",
       secondDerivative(.2, .1), secondDerivative(.2, .2), 1e-9);
  show("slides, donor cell", "product of sums over 2, not 4: relative error",
       donorError(2, true, 0), donorError(4, true, 0), 1e-3);
  show("slides, donor cell", "upwind term without abs v: growth of the roughest wave",
       fabs(upwindGrowth(false)), fabs(upwindGrowth(true)), 1);
  show("slides, implicit wave", "levels t + 1 and t alone: energy lost in 50 steps",
       energyLost(false), energyLost(true), 1e-9);
}

/* F and G swapped in the right-hand side dF/dx + dG/dy, for F = x^2, G = 3 y at (1, 1). */
static void showRightHandSide(void) {
  double right = 2 * 1 + 3, swapped = 0 + 0;
  show("slides, Poisson equation", "F and G swapped: error of its right-hand side",
       fabs(swapped - right), fabs(2. + 3 - right), 1e-9);
}

/* ---- Brodtkorb ------------------------------------------------------------------------------- */

/* Entries of a product of two 2 x 2 texels (r g; b a) that are wrong. */
static double wrongEntries(bool listing) {
  const double A[4] = {1, 2, 3, 4}, B[4] = {5, 6, 7, 8}, C[4] = {19, 22, 43, 50};
  /* A.rrbb * B.rgrg + A.ggaa * B.baba, and A.rgrg * B.rrbb + A.baba * B.ggaa */
  const int right[4][4] = {{0, 0, 2, 2}, {0, 1, 0, 1}, {1, 1, 3, 3}, {2, 3, 2, 3}},
            wrong[4][4] = {{0, 1, 0, 1}, {0, 0, 2, 2}, {2, 3, 2, 3}, {1, 1, 3, 3}};
  int count = 0;
  for (int k = 0; k < 4; k++) {
    const int(*s)[4] = right;
    if (listing)
      s = wrong;
    count += A[s[0][k]] * B[s[1][k]] + A[s[2][k]] * B[s[3][k]] != C[k];
  }
  return count;
}

/* P A = L U with p from clPluRows, and the same p read as A = P L U: max |difference|. */
static double permuted(clContext *context, bool thesis) {
  const float a[9] = {0, 1, 2, 4, 8, 4, 2, 0, 3};
  float l[9], u[9];
  double worst = 0;
  clDense *A, *L, *U;
  clPlu *plu;
  OK(clDenseCreate(&A, context, 3, 3));
  OK(clDenseCreateLike(&L, A));
  OK(clDenseCreateLike(&U, A));
  OK(clDenseUpload(A, a, 3));
  OK(clPluCreate(&plu, context, 3, 3, NULL));
  OK(clPluFactor(plu, A, NULL));
  OK(clPluSplit(plu, L, U));
  OK(clDenseDownload(L, l, 3));
  OK(clDenseDownload(U, u, 3));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int product = i, matrix = clPluRows(plu)[i];
      double sum = 0;
      if (thesis) { /* row p(i) of L U beside row i of A */
        product = matrix;
        matrix = i;
      }
      for (int k = 0; k < 3; k++)
        sum += (double)l[product * 3 + k] * (double)u[k * 3 + j];
      worst = fmax(worst, fabs(sum - (double)a[matrix * 3 + j]));
    }
  clPluDestroy(plu);
  clDenseDestroy(A);
  clDenseDestroy(L);
  clDenseDestroy(U);
  return worst;
}

/* A permutation whose 2 x 2 blocks are all singular. */
static const float permutation[16] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1};

/* Rank that a search for a pivot among 2 x 2 blocks misses: without a regular block in the first
 * two columns it ends at once. */
static double missedByBlocks(void) {
  const float *a = permutation;
  for (int i = 0; i < 4; i += 2)
    if (a[4 * i] * a[4 * i + 5] != a[4 * i + 1] * a[4 * i + 4])
      return 0;
  return 4;
}

static double missedByRows(clContext *context) {
  clDense *A;
  clPlu *plu;
  clPluReport report;
  OK(clDenseCreate(&A, context, 4, 4));
  OK(clDenseUpload(A, permutation, 4));
  OK(clPluCreate(&plu, context, 4, 4, NULL));
  OK(clPluFactor(plu, A, &report));
  clPluDestroy(plu);
  clDenseDestroy(A);
  return 4 - report.rank;
}

/* Water that a step creates: z' = z - sigma d((h + z) u) with sigma = dt / dx, and with g in it. */
static double waterCreated(double factor) {
  double dt = .01, dx = .1, flux = 2 * .3, exact = -dt / dx * flux;
  return fabs(factor * -dt / dx * flux - exact);
}

/* Deceleration by friction g u |u| / (C^2 (h + z)) where h = 2 and z = 0: over (h z) it is
 * infinite. */
static double friction(double depth) {
  double exact = 9.81 * .25 / (40 * 40 * 2.);
  return fabs(9.81 * .25 / (40 * 40 * depth) / exact - 1);
}

/* Level water of height 1 over a slope, depths 2, 1 and 0: a row of (5.5) must leave it. As printed
 * alpha is that of the next cell, not of the face before it. */
static double levelWater(bool printed) {
  const double mu = .4, left = 2.5, right = 1.5, next = 1;
  double last = right;
  if (printed)
    last = next;
  return fabs(-mu * left + (1 + mu * right + mu * left) - mu * last - 1);
}

/* The same for the last row of (5.7), off-diagonal `sign` a. */
static double lastRow(double sign) {
  const double a = .4;
  return fabs(sign * a + (1 + a) - 1);
}

/* 1: the measure harm of a block of zeros is not a number, and no comparison refuses it. */
static double isUndefined(bool guarded) {
  volatile double a11 = 0, a22 = 0;
  if (guarded && a11 + a22 == 0)
    return 0;
  return isnan(a11 * a22 / (a11 + a22));
}

static void showThesis(clContext *context) {
  show("thesis, listings 4.1, 4.2", "A.rgrg * B.rrbb + ...: wrong entries of four",
       wrongEntries(true), wrongEntries(false), 0);
  show("thesis, 4.1.3", "multiplier r / b: what is left below r = 2, b = 6", fabs(6 - 2. / 6 * 2),
       fabs(6 - 6. / 2 * 2), 1e-9);
  show("thesis, paper", "p read as A = P L U: largest difference", permuted(context, true),
       permuted(context, false), 1e-5);
  show("thesis, 2 x 2 pivots", "a permutation: rank that is missed", missedByBlocks(),
       missedByRows(context), 0);
  show("thesis, 4.1.2", "harm of a block of zeros: is NaN", isUndefined(false), isUndefined(true),
       0);
  show("thesis, (5.5)", "alpha at i + 1 for i + 1/2: error of level water", levelWater(true),
       levelWater(false), 1e-12);
  show("thesis, (5.7)", "last row has a for -a: error of level water", lastRow(1), lastRow(-1),
       1e-12);
  show("thesis, (5.6)", "g in sigma: water created in a step", waterCreated(9.81), waterCreated(1),
       1e-9);
  show("thesis, (5.6)", "friction over h z, z = 0: relative error", friction(0), friction(2), 1e-9);
}

/* ---- Cejka, Jung and O'Leary ----------------------------------------------------------------- */

/* Crout's fixed point of [4 2; 2 10] after 20 sweeps, from a_ij or, as (2.1), from z_ij: error of
 * z_22 = 9. */
static double fixedPoint(bool from_z) {
  const double a[4] = {4, 2, 2, 10};
  double z[4] = {4, 2, 2, 10};
  for (int sweep = 0; sweep < 20; sweep++) {
    const double *first = a;
    double next[4];
    if (from_z)
      first = z;
    next[0] = first[0];
    next[1] = first[1] / z[0];
    next[2] = first[2];
    next[3] = first[3] - z[2] * z[1];
    memcpy(z, next, sizeof z);
  }
  return fabs(z[3] - 9);
}

/* 1: a change that is NaN counts as converged. */
static double isMissed(bool negated) {
  volatile double change = (double)NAN, tolerance = 0;
  if (negated)
    return change <= tolerance;
  return !(change > tolerance);
}

/* 1: a file with n - 1 rows under a header that promises n is read. */
static double isRead(int rows) {
  char path[] = "/tmp/texla-papers-XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  clTriplets *T = NULL;
  clError error;
  fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n3 3 9\n");
  for (int k = 0; k < 3 * rows; k++)
    fprintf(file, "%d %d 1\n", k / 3 + 1, k % 3 + 1);
  fclose(file);
  clStatus status = clMatrixMarketRead(&T, path, &error);
  remove(path);
  clTripletsDestroy(T);
  return status == TEXLA_OK;
}

/* Entries of a packed triangle of 9 rows whose place is taken: the rotated part in the upper right
 * corner, or, as the caption has it, in the upper left one. */
static double collisions(bool left) {
  enum { M = 9, W = 5 };
  int used[M * W] = {0}, count = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j <= i; j++) {
      int y = i, x = j;
      if (j >= W) {
        y = M - 1 - i;
        x = M - j;
        if (left)
          x = W - 1 - x;
      }
      count += used[y * W + x]++ > 0;
    }
  return count;
}

static void showOthers(void) {
  show("Cejka, (2.1)", "z_ij instead of a_ij: error of z_22 after 20 sweeps", fixedPoint(true),
       fixedPoint(false), 1e-9);
  show("Cejka, kernel", "abs(NaN) > tol is false: NaN counts as converged", isMissed(false),
       isMissed(true), 0);
  double short_file = isRead(2), whole = isRead(3);
  paperRow("Cejka, generator | n - 1 rows under a header of n: read here | %g | %g", short_file,
           whole);
  lessonExpect(short_file == 0 && whole == 1, "a short file is refused, a whole one is read");
  show("Jung, section 3.3", "the upper left corner: entries whose place is taken", collisions(true),
       collisions(false), 0);
}

int main(int argc, char **argv) {
  clContext *context = paperBegin(argc, argv, "Mistakes of the documents, wrong and right");
  paperTable("Each mistake once", "document | what | wrong | right");
  showSlides();
  showRightHandSide();
  showThesis(context);
  showOthers();
  return paperEnd();
}
