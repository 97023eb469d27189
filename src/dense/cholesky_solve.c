/* What a Cholesky factor is good for: solutions on the device, condition, determinant, refinement to double. */
#include "dense/cholesky.h"
#include "core/allocate.h"
#include "dense/cholesky_host.h"
#include "dense/triangular.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Y <- S Y */
static clStatus scaleRows(const clCholesky *c, const char *call, clDense *Y) {
  txPass pass = {.kernel = "rows_scale", .source = {{"a", Y->texture, TX_EDGE}, {"scale", c->scale, TX_EDGE}}};
  return txDenseRun(call, &pass, Y);
}

/* target[rect] <- rows of texels of `source`, as many, from row `from` on, in reverse order, entries too */
static clStatus reverseRows(const char *call, txTexture *target, txRect rect, const txTexture *source, int from) {
  txPass pass = {.kernel = "rows_reverse",
                 .target = {target},
                 .source = {{"a", source, TX_EDGE}},
                 .uniform = {{"last", 1, {(float)(from + rect.height - 1 + rect.y)}, .integer = true}},
                 .rect = rect};
  return txPassRun(target->context, call, &pass);
}

/* The solution with the turned part: it lies in the texture as an upper triangle, of which the rows of Y, in reverse order, are the
 * right-hand sides. */
static clStatus solveTurned(const clCholesky *c, const char *call, clDenseOp op, clDense *Y, int first, int texels) {
  txTriangular T = {c->factor, txCholeskyFactorOf(c).texels % 2, 0, texels, TEXLA_TRIANGLE_UPPER, false, op, NULL};
  txTexture *Z = NULL;
  int width = Y->texture->width;
  clStatus status = txTextureCreate(&Z, c->context, call, TX_RGBA32F, width, texels);
  txRect all = {0, 0, width, texels};
  if (!status)
    status = reverseRows(call, Z, all, Y->texture, first);
  if (!status)
    status = txTriangularSolve(call, &T, Z, all, 2 * texels, Y->cols);
  if (!status)
    status = reverseRows(call, Y->texture, (txRect){0, first, width, texels}, Z, 0);
  txTextureDestroy(Z);
  return status;
}

/* Rows [to, to + count) of Y -= op(L21) times rows [from, from + inner). */
static clStatus couple(const clCholesky *c, const char *call, clDenseOp op, clDense *Y, int to, int count, int from,
                       int inner) {
  txLower L = txCholeskyFactorOf(c);
  txLowerPart left = txLowerPartOf(&L, 0);
  txRect rect = {0, to, Y->texture->width, count};
  txProduct p = {.target = Y->texture,
                 .rect = rect,
                 .rows = Y->rows,
                 .cols = Y->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {c->factor, 0, left.y + left.cols, op},
                 .b = {Y->texture, 0, from, TEXLA_DENSE_NORMAL},
                 .inner = inner,
                 .c = {Y->texture, rect.x, rect.y, TEXLA_DENSE_NORMAL}};
  return txProductRun(c->context, call, &p, -1);
}

static clStatus solveLeft(const clCholesky *c, const char *call, clDenseOp op, clDense *Y, int texels) {
  txLower L = txCholeskyFactorOf(c);
  txTriangular T = {c->factor, 0, txLowerPartOf(&L, 0).y, texels, TEXLA_TRIANGLE_LOWER, false, op, NULL};
  return txTriangularSolve(call, &T, Y->texture, (txRect){0, 0, Y->texture->width, texels}, Y->rows, Y->cols);
}

/* Y <- L^-1 Y or L^-T Y, L the factor as it is held. */
static clStatus solveFactor(const clCholesky *c, const char *call, clDenseOp op, clDense *Y) {
  txLower L = txCholeskyFactorOf(c);
  int left = txLowerPartOf(&L, 0).cols, right = txLowerPartOf(&L, 1).cols;
  bool forward = op == TEXLA_DENSE_NORMAL;
  if (!L.folded || right == 0)
    return solveLeft(c, call, op, Y, L.texels);
  clStatus status = forward ? solveLeft(c, call, op, Y, left) : solveTurned(c, call, op, Y, left, right);
  if (!status)
    status = forward ? couple(c, call, op, Y, left, right, 0, left) : couple(c, call, op, Y, 0, left, left, right);
  if (!status)
    status = forward ? solveTurned(c, call, op, Y, left, right) : solveLeft(c, call, op, Y, left);
  return status;
}

/* A = S^-1 L L^T S^-1 */
static clStatus solveInPlace(const clCholesky *c, const char *call, bool forward, bool backward, clDense *Y) {
  clStatus status = forward ? scaleRows(c, call, Y) : TEXLA_OK;
  if (!status && forward)
    status = solveFactor(c, call, TEXLA_DENSE_NORMAL, Y);
  if (!status && backward)
    status = solveFactor(c, call, TEXLA_DENSE_TRANSPOSED, Y);
  return status || !backward ? status : scaleRows(c, call, Y);
}

static clStatus solve(const clCholesky *c, const char *call, bool forward, bool backward, clDense *X,
                      const clDense *B) {
  clStatus status = txCholeskyReady(c, call);
  if (!status)
    status = txDenseCheckPacked(call, c->context, "X", X);
  if (!status)
    status = txDenseCheckPacked(call, c->context, "B", B);
  if (status)
    return status;
  if (B->rows != c->order || X->rows != B->rows || X->cols != B->cols)
    return txFail(txContextError(c->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, B %d x %d and X %d x %d", c->order,
                  c->order, B->rows, B->cols, X->rows, X->cols);
  clDense *Y = NULL;
  status = clDenseClone(&Y, B);
  if (!status)
    status = solveInPlace(c, call, forward, backward, Y);
  if (!status) {
    txTexture *old = X->texture;
    X->texture = Y->texture;
    Y->texture = old;
  }
  clDenseDestroy(Y);
  return status;
}

clStatus clCholeskySolve(const clCholesky *cholesky, clDense *X, const clDense *B) {
  return solve(cholesky, "clCholeskySolve", true, true, X, B);
}

clStatus clCholeskySolveHalf(const clCholesky *cholesky, clDenseOp op, clDense *X, const clDense *B) {
  return solve(cholesky, "clCholeskySolveHalf", op == TEXLA_DENSE_NORMAL, op == TEXLA_DENSE_TRANSPOSED, X, B);
}

/* ---- On the host ---------------------------------------------------------------------------------------------- */

/* Row i of L = S^-1 (factor), S from the pivots as they are and as they were scaled. */
static void unpackRows(const clCholesky *c, const float *rows, txHostLower *out) {
  out->order = c->order;
  for (int i = 0; i < c->order; i++) {
    double *row = txHostLowerRow(out, i), held = (double)rows[(size_t)i * ((size_t)i + 1) / 2 + (size_t)i];
    double unscale = (double)c->diagonal[i] / held;
    for (int j = 0; j <= i; j++)
      row[j] = unscale * (double)rows[(size_t)i * ((size_t)i + 1) / 2 + (size_t)j];
  }
}

clStatus txCholeskyDownload(const clCholesky *c, const char *call, txHostLower *out) {
  size_t n = (size_t)c->order, count = n * (n + 1) / 2;
  txLower L = txCholeskyFactorOf(c);
  const txTexture *t = c->factor;
  size_t texels = (size_t)t->width * (size_t)t->height;
  float *raw = malloc(texels * 4 * sizeof *raw), *rows = malloc(count * sizeof *rows);
  *out = (txHostLower){0};
  double *value = malloc(count * sizeof *value);
  clStatus status = raw && rows && value ? TEXLA_OK
                                         : txFail(txContextError(c->context), TEXLA_OUT_OF_MEMORY, call,
                                                  "no memory for a factor of order %d", c->order);
  if (!status)
    status = txTextureRead(t, call, (txRect){0, 0, t->width, t->height}, raw);
  for (int part = 0; part < TX_LOWER_PARTS && !status; part++) {
    txLowerPart p = txLowerPartOf(&L, part);
    int end = 2 * (p.first + p.cols);
    for (int j = 2 * p.first; j < end && j < c->order; j++)
      for (int i = j; i < c->order; i++) {
        int x = p.x + p.turn * (j / 2), y = p.y + p.turn * (i / 2), lane = i % 2 * 2 + j % 2;
        rows[(size_t)i * ((size_t)i + 1) / 2 + (size_t)j] =
            raw[4 * ((size_t)y * (size_t)t->width + (size_t)x) + (size_t)(p.turn < 0 ? 3 - lane : lane)];
      }
  }
  if (!status) {
    out->room = c->order;
    out->value = value;
    unpackRows(c, rows, out);
  } else {
    free(value);
  }
  free(raw);
  free(rows);
  return status;
}

clStatus txCholeskySolveVector(const clCholesky *c, clDense *device, float *x) {
  clStatus status = clDenseUpload(device, x, 1);
  if (!status)
    status = clCholeskySolve(c, device, device);
  return status ? status : clDenseDownload(device, x, 1);
}

/* Of A^-1, and of A (NULL: not wanted) as L L^T, which is A but for rounding. */
static clStatus estimateNorms(const clCholesky *c, const char *call, const txHostLower *L, double *inverse,
                              double *norm) {
  double *work =
      txAllocate(txContextError(c->context), call, 2 * (size_t)c->order, sizeof *work, "vectors of the unknowns");
  if (!work)
    return TEXLA_OUT_OF_MEMORY;
  *inverse = txHostLowerInverseNorm(L, work);
  if (norm)
    *norm = txHostLowerNorm(L, work);
  free(work);
  return TEXLA_OK;
}

clStatus clCholeskyCondition(const clCholesky *cholesky, double *rcond) {
  static const char call[] = "clCholeskyCondition";
  txHostLower L = {0};
  double norm = 0, inverse = 0;
  clStatus status = txCholeskyReady(cholesky, call);
  if (!status && !rcond)
    return txFail(txContextError(cholesky->context), TEXLA_BAD_ARGUMENT, call, "rcond must not be NULL");
  if (!status)
    status = txCholeskyDownload(cholesky, call, &L);
  if (!status)
    status = estimateNorms(cholesky, call, &L, &inverse, &norm);
  free(L.value);
  if (status)
    return status;
  *rcond = norm * inverse > 1 ? 1 / (norm * inverse) : 1;
  return TEXLA_OK;
}

clStatus clCholeskyDeterminant(const clCholesky *cholesky, clDeterminant *out) {
  static const char call[] = "clCholeskyDeterminant";
  clStatus status = txCholeskyReady(cholesky, call);
  if (!status && !out)
    return txFail(txContextError(cholesky->context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  if (status)
    return status;
  double sum = 0;
  for (int i = 0; i < cholesky->order; i++)
    sum += 2 * log((double)cholesky->diagonal[i]);
  *out = (clDeterminant){exp(sum), sum, 1};
  return TEXLA_OK;
}

/* ---- Refinement ----------------------------------------------------------------------------------------------- */

typedef struct refinement {
  const clTriplets *A;
  const double *b;
  double *x, *best, *r, *z, *p, *q; /* x: the caller's; r = b - A x, z = M^-1 r, search direction, A p */
  double *size;                     /* |A| |x| + |b| */
  txHostLower L;
} refinement;

/* r <- b - A x; the componentwise backward error of x */
static double measure(refinement *f, const double *x) {
  double worst = 0;
  clTripletsResidual(f->r, f->A, x, f->b);
  for (int i = 0; i < f->A->rows; i++)
    f->size[i] = fabs(f->b[i]);
  for (int64_t k = 0; k < f->A->count; k++)
    f->size[f->A->row[k]] += fabs(f->A->value[k] * x[f->A->col[k]]);
  for (int i = 0; i < f->A->rows; i++) {
    double error = f->r[i] == 0 ? 0 : fabs(f->r[i]) / f->size[i];
    worst = error <= worst ? worst : error; /* NaN stays */
  }
  return worst;
}

/* z <- M^-1 r */
static void precondition(refinement *f) {
  memcpy(f->z, f->r, (size_t)f->A->rows * sizeof *f->z);
  txHostLowerSolve(&f->L, f->z);
  txHostLowerSolveTransposed(&f->L, f->z);
}

/* Keeps the better of x and what was best. */
static void keep(refinement *f, double error, double *least) {
  size_t bytes = (size_t)f->A->rows * sizeof *f->x;
  if (!(error < *least))
    return;
  *least = error;
  memcpy(f->best, f->x, bytes);
}

/* x += M^-1 r, while it halves the error. */
static double refinePlainly(refinement *f, double tolerance, int most, int *iterations, double *least) {
  double error = measure(f, f->x), last = INFINITY;
  keep(f, error, least);
  while (error > tolerance && error < 0.5 * last && *iterations < most) {
    precondition(f);
    for (int i = 0; i < f->A->rows; i++)
      f->x[i] += f->z[i];
    ++*iterations;
    last = error;
    error = measure(f, f->x);
    keep(f, error, least);
  }
  return error;
}

/* Conjugate gradients from the best x on; r is renewed in each step, it costs no more than the product. */
static double refineByGradients(refinement *f, double tolerance, int most, int *iterations, double *least) {
  int n = f->A->rows, idle = 0;
  double error, before = 0;
  memcpy(f->x, f->best, (size_t)n * sizeof *f->x);
  error = measure(f, f->x);
  for (int k = 0; error > tolerance && *iterations < most && idle < 8; k++) {
    precondition(f);
    double rz = txHostDot(f->r, f->z, n), beta = k ? rz / before : 0;
    for (int i = 0; i < n; i++)
      f->p[i] = f->z[i] + beta * f->p[i];
    clTripletsMulVector(f->q, f->A, f->p);
    double alpha = rz / txHostDot(f->p, f->q, n);
    if (!isfinite(alpha))
      break;
    for (int i = 0; i < n; i++)
      f->x[i] += alpha * f->p[i];
    before = rz;
    ++*iterations;
    double least_before = *least;
    error = measure(f, f->x);
    keep(f, error, least);
    idle = *least < 0.9 * least_before ? 0 : idle + 1;
  }
  return error;
}

static clStatus allocate(refinement *f, const clCholesky *c, const char *call) {
  size_t n = (size_t)c->order;
  double *all = malloc(6 * n * sizeof *all);
  if (!all)
    return txFail(txContextError(c->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %zu unknowns", n);
  f->best = all;
  f->r = all + n;
  f->z = all + 2 * n;
  f->p = all + 3 * n;
  f->q = all + 4 * n;
  f->size = all + 5 * n;
  return txCholeskyDownload(c, call, &f->L);
}

/* The report on the best x: ||A^-1||_1 (|r|_1 + what rounding hides in r) / max |x| bounds its error. */
static clStatus reportOn(refinement *f, const clCholesky *c, const char *call, clRefineReport *report) {
  int n = f->A->rows;
  double inverse = 0, sum = 0, scale = 0, hidden = DBL_EPSILON * (1 + (double)f->A->count / n);
  memcpy(f->x, f->best, (size_t)n * sizeof *f->x);
  report->backward_error = measure(f, f->x);
  double b_norm = txHostNorm(f->b, n), r_norm = txHostNorm(f->r, n);
  report->residual = b_norm > 0 ? r_norm / b_norm : r_norm;
  clStatus status = estimateNorms(c, call, &f->L, &inverse, NULL);
  for (int i = 0; i < n; i++) {
    sum += fabs(f->r[i]) + hidden * f->size[i];
    scale = fmax(scale, fabs(f->x[i]));
  }
  report->forward_error = sum == 0 ? 0 : inverse * sum / scale;
  return status;
}

static clStatus checkRefine(const clCholesky *c, const char *call, const clTriplets *A, const double *x,
                            const double *b) {
  clStatus status = txCholeskyReady(c, call);
  if (status)
    return status;
  clError *error = txContextError(c->context);
  if (!A || !x || !b)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "A, x and b must not be NULL");
  if (A->rows != c->order || A->cols != c->order)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d but the factor is %d x %d", A->rows, A->cols, c->order,
                  c->order);
  for (int i = 0; i < A->rows; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %d of %s is not finite", i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  return TEXLA_OK;
}

clStatus clCholeskyRefine(const clCholesky *cholesky, const clTriplets *A, double *x, const double *b,
                          const clRefineOptions *options, clRefineReport *report) {
  static const char call[] = "clCholeskyRefine";
  clRefineOptions o = options ? *options : (clRefineOptions){0};
  clRefineReport result = {0};
  double tolerance = o.tolerance > 0 ? o.tolerance : 1e-15, least = INFINITY;
  int most = o.max_iterations > 0 ? o.max_iterations : 30;
  clStatus status = checkRefine(cholesky, call, A, x, b);
  if (status)
    return status;
  refinement f = {.A = A, .b = b, .x = malloc((size_t)A->rows * sizeof *x)};
  status =
      f.x ? allocate(&f, cholesky, call)
          : txFail(txContextError(cholesky->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d unknowns", A->rows);
  if (!status) {
    memcpy(f.x, x, (size_t)A->rows * sizeof *x);
    if (refinePlainly(&f, tolerance, most, &result.iterations, &least) > tolerance)
      refineByGradients(&f, tolerance, most, &result.iterations, &least);
    status = reportOn(&f, cholesky, call, &result);
  }
  if (!status)
    memcpy(x, f.x, (size_t)A->rows * sizeof *x);
  free(f.x);
  free(f.best);
  free(f.L.value);
  if (status)
    return status;
  if (report)
    *report = result;
  return result.backward_error <= tolerance ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}
