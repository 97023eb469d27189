/* Weighted least squares: factors in single precision on the device, residuals and corrections in
 * double on the host. */
#include "texla/least_squares.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "triangle/cholesky_host.h"
#include "triangle/host_solve.h"
#include "elimination/equilibrate.h"
#include "triangle/normal_iteration.h"
#include "triangle/qr.h"
#include "vector/vector.h"
#include "platform/platform.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A residual that is larger, beside b, is that of rows that were left out. */
static const double left_out = 1e-12;

struct clLeastSquares {
  clContext *context;
  clLeastSquaresOptions options;
  /* borrowed, or `owned` */
  const clTriplets *A;
  /* A; with more unknowns than observations A is A^T, and `given` what came */
  const clTriplets *given;
  clTriplets *owned[2];
  /* the problem in double, and its factor */
  txNormal normal;
  /* A, columns scaled by powers of two, */
  clDense *device;
  /* these */
  double *scale;
  /* D on the device and in `normal`, without a factor of 2^exponent; NULL: ones */
  clVector *weights;
  int exponent;
  /* A^T D^2 A */
  clPacked *packed;
  clCholesky *cholesky;
  /* by which method; AUTO: not yet */
  clLeastSquaresMethod factored;
  double seconds_assemble, seconds_factor;
};

/* corrections after which auto gives Cholesky's factor up for a better one */
enum { FEW = 60 };

const char *clLeastSquaresMethodName(clLeastSquaresMethod method) {
  static const char *const names[] = {"auto", "cholesky", "qr"};
  if (method < TEXLA_LEAST_SQUARES_AUTO || method > TEXLA_LEAST_SQUARES_QR)
    return "unknown";
  return names[method];
}

/* A with its columns scaled and, with `weighted`, its rows: on the device, in single precision. */
static clStatus upload(const clLeastSquares *s, const char *call, bool weighted, clDense **out) {
  const clTriplets *A = s->A;
  float *values = txAllocate(txContextError(s->context), call, (size_t)A->rows * (size_t)A->cols,
                             sizeof *values, "the matrix that is uploaded");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++) {
    double value = A->value[k] * s->normal.scale[A->col[k]];
    if (weighted)
      value *= s->normal.weight[A->row[k]];
    values[(size_t)A->row[k] * (size_t)A->cols + (size_t)A->col[k]] += (float)value;
  }
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(out, s->context, A->rows, A->cols));
  TRY_CLEANUP(clDenseUpload(*out, values, A->cols));
cleanup:
  free(values);
  return status;
}

/* Fails where an argument is none, or holds what is not finite. */
static clStatus check(const char *call, clLeastSquares **out, clContext *context,
                      const clTriplets *A, const clLeastSquaresOptions *o) {
  clError *error = txContextError(context);
  if (!out || !context || !A || A->rows < 1 || A->cols < 1 ||
      o->method < TEXLA_LEAST_SQUARES_AUTO || o->method > TEXLA_LEAST_SQUARES_QR ||
      !(o->tolerance >= 0 && o->tolerance < 1) || o->max_iterations < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "out, context and A must not be NULL, A not empty, the method one of the list, "
                  "the tolerance (%g) in [0, 1) and max_iterations (%d) not negative",
                  o->tolerance, o->max_iterations);
  for (int64_t k = 0; k < A->count; k++)
    if (!isfinite(A->value[k]))
      return txFail(error, TEXLA_NOT_FINITE, call, "entry (%d, %d) of A is not finite",
                    A->row[k] + 1, A->col[k] + 1);
  return TEXLA_OK;
}

/* Fewer observations than unknowns: x = A^T y is the shortest solution of A x = b, (A A^T) y =
 * b. */
static bool isWide(const clLeastSquares *s) {
  return s->A != s->given;
}

/* device <- A S from what is on the device already, transposed where it is wide. */
static clStatus scaleOnDevice(clLeastSquares *s, const char *call, const clDense *A) {
  size_t m = (size_t)s->A->rows, n = (size_t)s->A->cols;
  int32_t *exponent =
      txAllocate(txContextError(s->context), call, m + n, sizeof *exponent, "scales");
  txTexture *row = NULL, *col = NULL;
  if (!exponent)
    return TEXLA_OUT_OF_MEMORY;
  for (int j = 0; j < s->A->cols; j++)
    exponent[j] = ilogb(s->normal.scale[j]);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&s->device, s->context, s->A->rows, s->A->cols));
  if (isWide(s))
    TRY_CLEANUP(clDenseTranspose(s->device, A));
  else
    TRY_CLEANUP(clDenseCopy(s->device, A));
  TRY_CLEANUP(txExponentsUpload(&col, s->context, call, exponent, s->A->cols));
  /* zeros */
  TRY_CLEANUP(txExponentsUpload(&row, s->context, call, exponent + n, s->A->rows));
  TRY_CLEANUP(txDenseScale(call, s->device, s->device, row, col, (const float[]){1, 1}));
cleanup:
  txTextureDestroy(row);
  txTextureDestroy(col);
  free(exponent);
  return status;
}

/* `device`: the same A; NULL: it is uploaded. */
static clStatus create(clLeastSquares *s, const char *call, const clTriplets *A,
                       const clDense *device) {
  clError *error = txContextError(s->context);
  s->A = s->given = A;
  if (A->rows < A->cols) {
    TRY(clTripletsTranspose(&s->owned[0], A, error));
    s->A = s->owned[0];
  }
  TRY(txNormalCreate(&s->normal, s->A, error));
  if (device)
    TRY(scaleOnDevice(s, call, device));
  else
    TRY(upload(s, call, false, &s->device));
  s->scale = txAllocate(error, call, (size_t)s->A->cols, sizeof *s->scale, "scales");
  if (!s->scale)
    return TEXLA_OUT_OF_MEMORY;
  memcpy(s->scale, s->normal.scale, (size_t)s->A->cols * sizeof *s->scale);
  return TEXLA_OK;
}

/* With defaults where options are zero. */
static clStatus createObject(clLeastSquares **out, clContext *context, const char *call,
                             const clLeastSquaresOptions *options) {
  clLeastSquares *s = txAllocate(txContextError(context), call, 1, sizeof *s, "a clLeastSquares");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  *s = (clLeastSquares){.context = context, .options = *options};
  if (!(options->tolerance > 0))
    s->options.tolerance = 1e-14;
  if (!options->max_iterations)
    s->options.max_iterations = 200;
  *out = s;
  return TEXLA_OK;
}

/* The matrix stays the caller's: it is read again for every residual. */
clStatus clLeastSquaresCreate(clLeastSquares **out, clContext *context, const clTriplets *A,
                              const clLeastSquaresOptions *options) {
  static const char call[] = "clLeastSquaresCreate";
  clLeastSquaresOptions o = options ? *options : (clLeastSquaresOptions){0};
  clLeastSquares *s = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(check(call, out, context, A, &o));
  TRY_CLEANUP(createObject(&s, context, call, &o));
  TRY_CLEANUP(create(s, call, A, NULL));
  *out = s;
  s = NULL;
cleanup:
  clLeastSquaresDestroy(s);
  return status;
}

/* From the device: the entries are downloaded once, for residuals in double, and belong to the
 * object. */
clStatus clLeastSquaresCreateDense(clLeastSquares **out, const clDense *A,
                                   const clLeastSquaresOptions *options) {
  static const char call[] = "clLeastSquaresCreateDense";
  clContext *context = clDenseContext(A);
  clLeastSquaresOptions o = options ? *options : (clLeastSquaresOptions){0};
  clLeastSquares *s = NULL;
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseCheckPacked(call, context, "A", A));
  TRY_CLEANUP(clDenseDownloadTriplets(&T, A));
  TRY_CLEANUP(clTripletsCompress(T, txContextError(context)));
  TRY_CLEANUP(check(call, out, context, T, &o));
  TRY_CLEANUP(createObject(&s, context, call, &o));
  TRY_CLEANUP(create(s, call, T, A));
  s->owned[1] = T;
  *out = s;
  s = NULL;
  T = NULL;
cleanup:
  clLeastSquaresDestroy(s);
  clTripletsDestroy(T);
  return status;
}

void clLeastSquaresDestroy(clLeastSquares *s) {
  if (!s)
    return;
  txNormalDestroy(&s->normal);
  clTripletsDestroy(s->owned[0]);
  clTripletsDestroy(s->owned[1]);
  clDenseDestroy(s->device);
  clVectorDestroy(s->weights);
  clPackedDestroy(s->packed);
  clCholeskyDestroy(s->cholesky);
  free(s->scale);
  free(s);
}

static clStatus checkOwn(const clLeastSquares *s, const char *call) {
  if (!s)
    return txFail(NULL, TEXLA_BAD_ARGUMENT, call, "lsq must not be NULL");
  return TEXLA_OK;
}

/* What needs at least as many observations as unknowns. */
static clStatus checkTall(const clLeastSquares *s, const char *call, const char *what) {
  TRY(checkOwn(s, call));
  if (!isWide(s))
    return TEXLA_OK;
  return txFail(txContextError(s->context), TEXLA_BAD_SHAPE, call,
                "A is %d x %d: with fewer observations than unknowns %s", s->given->rows,
                s->given->cols, what);
}
static const char no_weights[] = "the shortest solution meets all of them, whatever their weights";

/* The exponent e with 2^(e-1) <= max |d_i| < 2^e; fails where a weight is not finite. */
static clStatus exponentOf(const clLeastSquares *s, const char *call, const double *d, int *e) {
  double largest = 0;
  for (int i = 0; i < s->A->rows; i++) {
    if (!isfinite(d[i]))
      return txFail(txContextError(s->context), TEXLA_NOT_FINITE, call, "weight %d is not finite",
                    i + 1);
    largest = fmax(largest, fabs(d[i]));
  }
  frexp(largest, e);
  return TEXLA_OK;
}

/* Takes over 2^-e D, on the device and, from d, on the host: squares of weights up to 1 neither
 * overflow nor vanish. d NULL: ones. */
static void takeWeights(clLeastSquares *s, clVector *weights, const double *d, int e) {
  clVectorDestroy(s->weights);
  s->weights = weights;
  s->exponent = e;
  for (int i = 0; i < s->A->rows; i++) {
    s->normal.weight[i] = 1;
    if (d)
      s->normal.weight[i] = ldexp(d[i], -e);
  }
  s->factored = TEXLA_LEAST_SQUARES_AUTO;
}

/* Weights that are NULL are ones. */
clStatus clLeastSquaresWeigh(clLeastSquares *s, const double *d) {
  static const char call[] = "clLeastSquaresWeigh";
  TRY(checkTall(s, call, no_weights));
  clStatus status = TEXLA_OK;
  int m = s->A->rows, e = 0;
  if (d)
    TRY(exponentOf(s, call, d, &e));
  float *rounded =
      txAllocate(txContextError(s->context), call, (size_t)m, sizeof *rounded, "the weights");
  clVector *weights = NULL;
  if (!rounded)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < m; i++) {
    rounded[i] = 1;
    if (d)
      rounded[i] = (float)ldexp(d[i], -e);
  }
  TRY_CLEANUP(clVectorCreate(&weights, s->context, m));
  TRY_CLEANUP(clVectorUpload(weights, rounded));
  takeWeights(s, weights, d, e);
  weights = NULL;
cleanup:
  free(rounded);
  clVectorDestroy(weights);
  return status;
}

/* The weights stay on the device; the host gets a copy for its residuals. */
clStatus clLeastSquaresWeighVector(clLeastSquares *s, const clVector *d) {
  static const char call[] = "clLeastSquaresWeighVector";
  TRY(checkTall(s, call, no_weights));
  clError *error = txContextError(s->context);
  /* 2^-e is a normal number in single precision, too */
  enum { MOST = 125 };
  if (!d || clVectorLength(d) != s->A->rows)
    return txFail(error, TEXLA_BAD_SHAPE, call,
                  "d must have one number for each of the %d observations", s->A->rows);
  TRY(txContextSame(s->context, clVectorContext(d), call));
  clStatus status = TEXLA_OK;
  int m = s->A->rows, e = 0;
  clVector *weights = NULL;
  double *exact = NULL;
  float *values = txAllocate(error, call, (size_t)m, sizeof *values, "the weights");
  if (values)
    exact = txAllocate(error, call, (size_t)m, sizeof *exact, "the weights");
  if (!exact)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clVectorDownload(d, values));
  for (int i = 0; i < m; i++)
    exact[i] = (double)values[i];
  TRY_CLEANUP(exponentOf(s, call, exact, &e));
  e = txLeast(MOST, -txLeast(MOST, -e));
  TRY_CLEANUP(clVectorCreateLike(&weights, d));
  TRY_CLEANUP(clVectorScale(weights, ldexpf(1, -e), NULL, d));
  takeWeights(s, weights, exact, e);
  weights = NULL;
cleanup:
  free(values);
  free(exact);
  clVectorDestroy(weights);
  return status;
}

/* A^T D^2 A */
static clStatus assemble(clLeastSquares *s) {
  if (!s->packed)
    TRY(clPackedCreate(&s->packed, s->context, s->A->cols, TEXLA_PACKING_2X2));
  return clPackedSyrk(s->packed, 1, TEXLA_TRANSPOSE, s->device, s->weights, 0);
}

/* TEXLA_SINGULAR where columns depend on each other: rounding in single precision may have lifted
 * pivots that are zero, so that what is near the limit is decided in double. */
static clStatus checkRank(clLeastSquares *s, const char *call) {
  clError *error = txContextError(s->context);
  bool dependent = false;
  TRY(txNormalDepends(&s->normal, &dependent, error));
  if (!dependent)
    return TEXLA_OK;
  return txFail(error, TEXLA_SINGULAR, call,
                "the columns of the %d x %d matrix depend on each other (in double): A^T D^2 A is "
                "not positive definite; the method qr takes it",
                s->A->rows, s->A->cols);
}

/* *L <- Cholesky's factor of the assembled matrix. */
static clStatus factorSquare(clLeastSquares *s, const char *call, txHostLower *L) {
  /* Pivots that may be rounding are looked at by checkRank, with A itself. */
  double tolerance = fmax(4, sqrt(s->A->cols)) * ldexp(1, -23);
  clCholeskyOptions o = {.packed = true, .tolerance = tolerance};
  if (!s->cholesky)
    TRY(clCholeskyCreate(&s->cholesky, s->context, s->A->cols, &o));
  TRY(clCholeskyFactorPacked(s->cholesky, s->packed, NULL));
  return txCholeskyDownload(s->cholesky, call, L);
}

/* TEXLA_SINGULAR where single precision does not do. */
static clStatus factorNormal(clLeastSquares *s, const char *call) {
  double start = txNow();
  txHostLower L = {0};
  memcpy(s->normal.scale, s->scale, (size_t)s->A->cols * sizeof *s->scale);
  TRY(assemble(s));
  TRY(clContextSynchronize(s->context));
  s->seconds_assemble = txNow() - start;
  clStatus status = factorSquare(s, call, &L);
  /* What a factor cost that was no good counts, too. */
  s->seconds_factor = txNow() - start - s->seconds_assemble;
  TRY(status);
  txNormalTake(&s->normal, &L, NULL);
  return checkRank(s, call);
}

/* L = R^T of D A, columns in the order of their pivots. */
static clStatus lowerOfQr(const clQr *qr, const char *call, txHostLower *L) {
  size_t n = (size_t)qr->report.rank;
  *L = (txHostLower){.order = (int)n, .room = qr->cols};
  size_t side = (size_t)qr->cols + 1;
  L->value = txAllocate(txContextError(qr->context), call, side * side / 2 + 1, sizeof *L->value,
                        "a factor");
  if (!L->value)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < L->order; i++)
    for (int j = 0; j <= i; j++)
      txHostLowerRow(L, i)[j] = txQrUpperAt(qr, j, i);
  return TEXLA_OK;
}

/* D A P = Q R, and L = R^T: less is lost than by A^T D^2 A, whose condition is that of D A
 * squared. */
static clStatus factorOrthogonally(clLeastSquares *s, const char *call) {
  double start = txNow();
  clDense *scaled = NULL;
  clQr *qr = NULL;
  txHostLower L = {0};
  /* columns of D A */
  txNormalScale(&s->normal);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(upload(s, call, true, &scaled));
  s->seconds_assemble += txNow() - start;
  TRY_CLEANUP(clQrCreate(&qr, s->context, s->A->rows, s->A->cols, NULL));
  TRY_CLEANUP(clQrFactor(qr, scaled, NULL));
  TRY_CLEANUP(lowerOfQr(qr, call, &L));
  txNormalTake(&s->normal, &L, clQrCols(qr));
  TRY_CLEANUP(txNormalComplete(&s->normal, txContextError(s->context)));
  s->seconds_factor += txNow() - start;
cleanup:
  clDenseDestroy(scaled);
  clQrDestroy(qr);
  return status;
}

/* Nothing counts as factored while a factorization runs, so that one that fails leaves none
 * behind. */
static clStatus factorBy(clLeastSquares *s, const char *call, clLeastSquaresMethod method) {
  s->factored = TEXLA_LEAST_SQUARES_AUTO;
  if (method == TEXLA_LEAST_SQUARES_QR)
    TRY(factorOrthogonally(s, call));
  else
    TRY(factorNormal(s, call));
  s->factored = method;
  return TEXLA_OK;
}

/* The factor that the options ask for, unless it is there. */
static clStatus prepare(clLeastSquares *s, const char *call) {
  bool automatic = s->options.method == TEXLA_LEAST_SQUARES_AUTO;
  if (s->factored != TEXLA_LEAST_SQUARES_AUTO)
    return TEXLA_OK;
  s->seconds_assemble = 0;
  s->seconds_factor = 0;
  if (!automatic)
    return factorBy(s, call, s->options.method);
  clStatus status = factorBy(s, call, TEXLA_LEAST_SQUARES_CHOLESKY);
  if ((status == TEXLA_SINGULAR || status == TEXLA_NOT_FINITE))
    status = factorBy(s, call, TEXLA_LEAST_SQUARES_QR);
  return status;
}

/* Adds what an iteration tells to the report; the residual in the units of the weights that were
 * given. */
static void describeSolution(const clLeastSquares *s, const txNormalReport *n,
                             clLeastSquaresReport *r) {
  r->rank = s->normal.L.order;
  r->method = s->factored;
  r->reason = n->reason;
  r->iterations += n->iterations;
  r->gradient_iterations += n->gradient_iterations;
  r->residual_norm = ldexp(n->residual_norm, s->exponent);
  r->error_estimate = n->error_estimate;
  r->condition = n->condition;
  r->seconds_assemble = s->seconds_assemble;
  r->seconds_factor = s->seconds_factor;
}

/* Where Cholesky's factor does not contract within FEW corrections, QR's is tried (auto). */
static clStatus solve(clLeastSquares *s, const char *call, double *x, const double *b,
                      const double *g, clLeastSquaresReport *report) {
  clLeastSquaresReport r = {0};
  TRY(prepare(s, call));
  double start = txNow();
  txNormalReport n = {0};
  s->normal.plain = s->options.plain;
  bool another = !s->options.plain && s->options.method == TEXLA_LEAST_SQUARES_AUTO &&
                 s->factored == TEXLA_LEAST_SQUARES_CHOLESKY;
  int most = s->options.max_iterations;
  if (another)
    most = txLeast(most, FEW);
  TRY(txNormalSolve(&s->normal, b, g, s->options.tolerance, most, &n, txContextError(s->context)));
  if (n.reason != TEXLA_REASON_CONVERGED && another) {
    double before = txNow();
    TRY(factorBy(s, call, TEXLA_LEAST_SQUARES_QR));
    start += txNow() - before;
    r.iterations = n.iterations;
    r.gradient_iterations = n.gradient_iterations;
    TRY(txNormalSolve(&s->normal, b, g, s->options.tolerance, s->options.max_iterations, &n,
                      txContextError(s->context)));
  }
  /* D is 2^exponent times what was factored: D^2 counts in x where g is given. */
  int exponent = 0;
  if (g)
    exponent = -2 * s->exponent;
  for (int j = 0; j < s->A->cols; j++)
    x[j] = ldexp(s->normal.x[j], exponent);
  describeSolution(s, &n, &r);
  r.seconds_refine = txNow() - start;
  if (report)
    *report = r;
  if (n.reason != TEXLA_REASON_CONVERGED)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

/* Fails where a vector is missing, or b is not finite. */
static clStatus checkSolve(const clLeastSquares *s, const char *call, const double *x,
                           const double *b, int n) {
  if (!x || !b)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "x and the right-hand side must not be NULL");
  for (int i = 0; i < n; i++) {
    if (!isfinite(b[i]))
      return txFail(txContextError(s->context), TEXLA_NOT_FINITE, call,
                    "element %d of the right-hand side is not finite", i + 1);
  }
  return TEXLA_OK;
}

/* Rows that depend on each other, and a b that does not: the shortest of the solutions with the
 * least residual, in double on the host. Beyond MOST entries it is not known. */
static clStatus solveDependent(const clLeastSquares *s, const char *call, double *x,
                               const double *b, clLeastSquaresReport *r) {
  enum { MOST = 4000000 };
  const clTriplets *A = s->given;
  clError *error = txContextError(s->context);
  int64_t entries = (int64_t)A->rows * A->cols;
  r->reason = TEXLA_REASON_INCONSISTENT;
  if (entries > MOST)
    return TEXLA_NOT_CONVERGED;
  double *dense = txAllocate(error, call, (size_t)entries, sizeof *dense, "a matrix in double");
  if (!dense)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    dense[(int64_t)A->col[k] * A->rows + A->row[k]] = A->value[k];
  txHostSystem host = {.call = call,
                       .error = error,
                       .rows = A->rows,
                       .cols = A->cols,
                       .A = dense,
                       .eps = DBL_EPSILON};
  clStatus status = txHostSolve(&host, 1, b, x);
  free(dense);
  TRY(status);
  r->rank = host.rank;
  r->reason = TEXLA_REASON_CONVERGED;
  r->error_estimate = txLarger(r->error_estimate, DBL_EPSILON * r->condition);
  return TEXLA_OK;
}

/* x = A^T y, (A A^T) y = b. */
static clStatus solveShortest(clLeastSquares *s, const char *call, double *x, const double *b,
                              clLeastSquaresReport *report) {
  double *y = txAllocate(txContextError(s->context), call, (size_t)s->A->cols, sizeof *y,
                         "vectors of the observations");
  clLeastSquaresReport r = {0};
  if (!y)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = solve(s, call, y, NULL, b, &r);
  /* What has not converged is an answer, too. */
  if (status == TEXLA_OK || status == TEXLA_NOT_CONVERGED) {
    clTripletsMulVector(x, s->A, y);
    r.residual_norm = clTripletsResidual(NULL, s->given, x, b);
    if (r.rank < s->A->cols && r.residual_norm > left_out * txHostNorm(b, s->A->cols)) {
      status = solveDependent(s, call, x, b, &r);
      r.residual_norm = clTripletsResidual(NULL, s->given, x, b);
    }
  }
  if (report && status >= 0)
    *report = r;
  free(y);
  return status;
}

clStatus clLeastSquaresSolve(clLeastSquares *s, double *x, const double *b,
                             clLeastSquaresReport *report) {
  static const char call[] = "clLeastSquaresSolve";
  TRY(checkOwn(s, call));
  TRY(checkSolve(s, call, x, b, s->given->rows));
  if (isWide(s))
    return solveShortest(s, call, x, b, report);
  return solve(s, call, x, b, NULL, report);
}

clStatus clLeastSquaresSolveNormal(clLeastSquares *s, double *x, const double *g,
                                   clLeastSquaresReport *report) {
  static const char call[] = "clLeastSquaresSolveNormal";
  TRY(checkTall(s, call, "A^T A is singular"));
  TRY(checkSolve(s, call, x, g, s->A->cols));
  return solve(s, call, x, NULL, g, report);
}
