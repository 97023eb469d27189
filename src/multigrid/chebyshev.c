#include "multigrid/chebyshev.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/try.h"
#include "matrix/matrix.h"
#include "vector/run.h"

#include <math.h>
#include <stdlib.h>

enum { POWER_ITERATIONS = 8 };
static const char call[] = "clSolver (chebyshev)";

/* The polynomial of `degree` steps for eigenvalues of D^-1 A in [largest / ratio, largest].
 * `inverse` holds D^-1; r and d are the residual and the direction of a step. */
struct txChebyshev {
  const clMatrix *A;
  clVector *inverse, *r, *d;
  int degree;
  double ratio, largest;
};

/* The bits of splitmix64's number i. */
static void writeRandom(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  float *values = user;
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    uint64_t z = (uint64_t)i * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    float size = (float)(z >> 40) / 33554432.0f + 0.5f;
    values[i] = z & 1 ? size : -size;
  }
}

void txRandomNumbers(float *values, int64_t n) {
  txParallel(n, writeRandom, values, NULL);
}

static clStatus fillRandom(clVector *v) {
  int64_t n = clVectorLength(v);
  float *values = txAllocate(txContextError(v->context), call, (size_t)n, sizeof *values,
                             "the numbers of a matrix");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  txRandomNumbers(values, n);
  clStatus status = clVectorUpload(v, values);
  free(values);
  return status;
}

/* d <- d / ||d|| */
static clStatus chebyshevNormalize(txChebyshev *c, clFloat *norm, clFloat *one) {
  TRY(clVectorNorm(norm, c->d));
  TRY(clFloatDivZ(norm, one, norm));
  return clVectorScale(c->d, 1, norm, c->d);
}

/* ||D^-1 A v|| for a normalized v that has been multiplied a number of times. A few products do not
 * leave the range of numbers: only then is it normalized again. */
static clStatus chebyshevPowerIteration(txChebyshev *c, clFloat *norm, clFloat *one) {
  enum { FEW = 3 };
  TRY(fillRandom(c->d));
  for (int k = 0; k < POWER_ITERATIONS; k++) {
    if ((k && k % FEW == 0) || k + 1 == POWER_ITERATIONS)
      TRY(chebyshevNormalize(c, norm, one));
    TRY(clMatrixMulVector(c->r, c->A, c->d));
    TRY(clVectorMul(c->d, c->inverse, c->r));
  }
  return clVectorNorm(norm, c->d);
}

/* The power iteration approaches the largest eigenvalue from below: a tenth is added to its
 * estimate. */
static clStatus chebyshevEstimateLargest(txChebyshev *c) {
  clContext *context = c->A->context;
  clFloat *norm = NULL, *one = NULL;
  float largest = 0;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&norm, context));
  TRY_CLEANUP(clFloatCreate(&one, context));
  TRY_CLEANUP(clFloatUpload(one, 1));
  TRY_CLEANUP(chebyshevPowerIteration(c, norm, one));
  TRY_CLEANUP(clFloatDownload(norm, &largest));
  if (!(isfinite(largest) && largest > 0))
    TRY_CLEANUP(
        txFail(txContextError(context), TEXLA_SINGULAR, call,
               "the largest eigenvalue of D^-1 A seems to be %g: no polynomial can be made for it",
               (double)largest));
  c->largest = 1.1 * (double)largest;
cleanup:
  clFloatDestroy(norm);
  clFloatDestroy(one);
  return status;
}

clStatus txChebyshevUpdate(txChebyshev *c, const clMatrix *A, bool bounded) {
  c->A = A;
  TRY(txInverseDiagonal(&c->inverse, A));
  if (bounded)
    return TEXLA_OK;
  return chebyshevEstimateLargest(c);
}

clStatus txChebyshevCreate(txChebyshev **out, const clMatrix *A, int degree, double ratio) {
  txChebyshev *c = txAllocate(txContextError(A->context), call, 1, sizeof *c, "a polynomial");
  if (!c)
    return TEXLA_OUT_OF_MEMORY;
  c->degree = degree;
  c->ratio = ratio;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clMatrixCreateVector(&c->r, A, TEXLA_RANGE));
  TRY_CLEANUP(clMatrixCreateVector(&c->d, A, TEXLA_RANGE));
  TRY_CLEANUP(txChebyshevUpdate(c, A, false));
  *out = c;
  c = NULL;
cleanup:
  txChebyshevDestroy(c);
  return status;
}

void txChebyshevDestroy(txChebyshev *c) {
  if (!c)
    return;
  clVectorDestroy(c->inverse);
  clVectorDestroy(c->r);
  clVectorDestroy(c->d);
  free(c);
}

double txChebyshevLargest(const txChebyshev *c) {
  return c->largest;
}

/* d <- c_0 d + c_1 D^-1 r and x <- x + d. */
static clStatus advance(txChebyshev *c, clVector *x, const clVector *r, const char *defines,
                        const float factor[2]) {
  txPass pass = {.kernel = "chebyshev",
                 .defines = defines,
                 .source = {{"r", r->texture, TX_EDGE}, {"inverted", c->inverse->texture, TX_EDGE}},
                 .uniform = {{"c", 2, {factor[0], factor[1]}}}};
  int i = 2;
  if (factor[0] != 0)
    pass.source[i++] = (txSource){"d", c->d->texture, TX_EDGE};
  if (r == c->r)
    pass.source[i] = (txSource){"x", x->texture, TX_EDGE};
  return txVectorsRun(call, &pass, (clVector *[]){x, c->d}, 2);
}

/* d_0 = D^-1 r / theta, d_k = rho_k rho_k-1 d_k-1 + 2 rho_k / delta D^-1 r with rho_k = 1 / (2
 * sigma - rho_k-1), sigma = theta / delta: Saad, Iterative Methods for Sparse Linear Systems,
 * algorithm 12.1. */
txChebyshevSteps txChebyshevBegin(double largest, double ratio) {
  double low = largest / ratio;
  return (txChebyshevSteps){.theta = (largest + low) / 2, .delta = (largest - low) / 2};
}

void txChebyshevNext(txChebyshevSteps *s, float c[2]) {
  double sigma = s->theta / s->delta, before = s->rho;
  s->rho = s->begun ? 1 / (2 * sigma - before) : 1 / sigma;
  c[0] = s->begun ? (float)(s->rho * before) : 0;
  c[1] = s->begun ? (float)(2 * s->rho / s->delta) : (float)(1 / s->theta);
  s->begun = true;
}

clStatus txChebyshevSmooth(txChebyshev *c, clVector *x, const clVector *b, bool zero) {
  txChebyshevSteps steps = txChebyshevBegin(c->largest, c->ratio);
  for (int k = 0; k < c->degree; k++) {
    bool start = zero && k == 0;
    const char *defines = txWhen(k == 0, "#define FIRST\n");
    float factor[2];
    txChebyshevNext(&steps, factor);
    if (!start)
      TRY(clMatrixVectorOp(c->r, TEXLA_OP_B_MINUS_AX, c->A, TEXLA_NO_TRANSPOSE, x, b));
    if (start)
      TRY(advance(c, x, b, "#define FIRST\n#define ZERO\n", factor));
    else
      TRY(advance(c, x, c->r, defines, factor));
  }
  return TEXLA_OK;
}

static clStatus chebyshevApply(void *data, clVector *z, const clVector *r) {
  return txChebyshevSmooth(data, z, r, true);
}

static void chebyshevDestroy(void *data) {
  txChebyshevDestroy(data);
}

static clStatus chebyshevUpdate(void *data, const clMatrix *A, const clTriplets *host,
                                const double *near) {
  (void)host, (void)near;
  return txChebyshevUpdate(data, A, false);
}

txPreconditioner txChebyshevPreconditioner(txChebyshev *c) {
  return (txPreconditioner){
      .apply = chebyshevApply, .destroy = chebyshevDestroy, .update = chebyshevUpdate, .data = c};
}
