/* Restarted GMRES (Saad and Schultz 1986), preconditioned from the right.
 *
 * The basis is a dense matrix V with one vector a column, so that classical Gram-Schmidt is h <-
 * V^T w, w <- w - V h; done twice it is as good as the modified one, and needs 4 products whatever
 * the number of vectors. The small least squares problem stays on the device, in passes of a few
 * texels: a reflection a step, with |r| as a by-product, and back substitution at the end of a
 * cycle. So nothing is read back but the history. */
#include "matrix/columns.h"
#include "core/allocate.h"
#include "core/try.h"
#include "krylov/frame.h"

#include <math.h>
#include <stdlib.h>

enum { W, CURRENT, Z, START, VECTORS };
static const char call[] = "clSolver (gmres)";

#define RING "#define HISTORY 1024\n"
_Static_assert(TX_HISTORY == 1024, "the ring of the history");

/* Coefficients come in blocks of four: those of columns 0 .. 4 q + 3 are vectors of length 4 (q +
 * 1).
 *
 * V is n x 4 blocks; columns that are not there yet are zero. h holds the coefficients of both
 * Gram-Schmidt sweeps, by q. Row i of column j of R is texel (i, j) of `triangle`, see
 * shaders/krylov/gmres_rotate.frag. */
typedef struct krylov {
  int m, blocks;
  clMatrix *V;
  clVector **h[2];
  txTexture *triangle;
} krylov;

static void destroyKrylov(clSolver *s) {
  krylov *g = s->own;
  if (!g)
    return;
  for (int i = 0; i < 2; i++) {
    for (int q = 0; q < g->blocks && g->h[i]; q++)
      clVectorDestroy(g->h[i][q]);
    free(g->h[i]);
  }
  clMatrixDestroy(g->V);
  txTextureDestroy(g->triangle);
  free(g);
  s->own = NULL;
}

static clStatus createCoefficients(krylov *g, clContext *context) {
  for (int i = 0; i < 2; i++) {
    g->h[i] = txAllocate(txContextError(context), call, (size_t)g->blocks, sizeof *g->h[i],
                         "coefficients");
    if (!g->h[i])
      return TEXLA_OUT_OF_MEMORY;
    for (int q = 0; q < g->blocks; q++)
      TRY(clVectorCreate(&g->h[i][q], context, 4 * (q + 1)));
  }
  return TEXLA_OK;
}

static clStatus createKrylov(clSolver *s) {
  krylov *g = txAllocate(txContextError(s->context), call, 1, sizeof *g, "a basis");
  s->own = g;
  if (!g)
    return TEXLA_OUT_OF_MEMORY;
  int32_t n = clMatrixRows(s->A);
  g->m = s->options.restart < n ? s->options.restart : n;
  g->blocks = (g->m + 3) / 4;
  TRY(txColumnsCreate(&g->V, s->context, call, &s->vector[W]->layout, 4 * g->blocks));
  TRY(txTextureCreate(&g->triangle, s->context, call, TX_RGBA32F, g->m, g->m));
  return createCoefficients(g, s->context);
}

/* V up to and with block q, so that products do not touch what is zero anyway. */
static clMatrix firstColumns(const krylov *g, int q) {
  clMatrix view = *g->V;
  view.cols = 4 * (q + 1);
  view.col_layout = g->h[0][q]->layout;
  return view;
}

/* v <- w / |w|, the column j of V */
static clStatus setColumn(clSolver *s, int j, const char *variant, int64_t k) {
  krylov *g = s->own;
  txPass pass = {.kernel = "gmres_normalize", .source = {{"w", s->vector[W]->texture, TX_EDGE}}};
  TRY(txSolverPass(s, call, &pass, variant, k, &s->vector[CURRENT], 1));
  return txColumnsSet(call, g->V, j, s->vector[CURRENT]);
}

/* w = b - A x; the cycle's first vector. */
static clStatus beginCycle(clSolver *s, const clVector *x, const clVector *b, int64_t k) {
  krylov *g = s->own;
  TRY(clVectorCopy(s->vector[START], x));
  TRY(txSolverResidual(s, s->vector[W], x, b));
  txReduction rr = {.source = {s->vector[W]}, .term = "vec4(dot(at(x, p), at(x, p)))"};
  TRY(txSolverReduce(s, call, &rr, k, 0));
  TRY(txTextureClear(((txDense *)g->V->data)->texture, call));
  return setColumn(s, 0, "#define CYCLE\n", k);
}

static clStatus gmresStart(clSolver *s, clVector *x, const clVector *b) {
  TRY(txSolverResidual(s, s->vector[W], x, b));
  TRY(clVectorDot(s->rr0, s->vector[W], s->vector[W]));
  return beginCycle(s, x, b, 0);
}

/* w <- A M v_j, made orthogonal to v_0 .. v_j; h[0] + h[1] are the coefficients, ww the square of
 * what is left. */
static clStatus gmresOrthogonalize(clSolver *s, int j) {
  krylov *g = s->own;
  clVector *w = s->vector[W], *z = NULL;
  clMatrix V = firstColumns(g, j / 4);
  TRY(txSolverPrecondition(s, s->vector[Z], s->vector[CURRENT], &z));
  TRY(clMatrixMulVector(w, s->A, z));
  for (int i = 0; i < 2; i++) {
    clVector *h = g->h[i][j / 4];
    TRY(clMatrixVectorOp(h, TEXLA_OP_AX, &V, TEXLA_TRANSPOSE, w, NULL));
    TRY(clMatrixVectorOp(w, TEXLA_OP_B_MINUS_AX, &V, TEXLA_NO_TRANSPOSE, h, w));
  }
  return clVectorDot(s->ww, w, w);
}

/* Column j of R, and the residual's norm after it into the history. */
static clStatus rotate(clSolver *s, int j, int64_t k) {
  krylov *g = s->own;
  txPass pass = {.kernel = "gmres_rotate",
                 .target = {g->triangle},
                 .rect = {0, j, j + 1, 1},
                 .source = {{"h0", g->h[0][j / 4]->texture, TX_EDGE},
                            {"h1", g->h[1][j / 4]->texture, TX_EDGE}},
                 .uniform = {{"j", 1, {(float)j}, NULL, true},
                             {"first", 1, {(float)((k - j + 1) % TX_HISTORY)}, NULL, true}},
                 .work = 3 * j + 4};
  txSolverScalars(s, &pass, "#define ARNOLDI\n" RING, k);
  TRY(txPassRun(s->context, call, &pass));
  txPass entry = {.kernel = "gmres_history",
                  .target = {s->history},
                  .rect = {(int)((k + 1) % TX_HISTORY), 0, 1, 1},
                  .source = {{"triangle", g->triangle, TX_EDGE}},
                  .scalar = {NULL, s->ww->texture},
                  .uniform = {{"j", 1, {(float)j}, NULL, true}}};
  return txPassRun(s->context, call, &entry);
}

/* y <- R^-1 g for the `count` columns of the cycle that begins with iteration `first` */
static clStatus backSubstitute(clSolver *s, clVector *y, int count, int64_t first) {
  krylov *g = s->own;
  txPass begin = {.kernel = "gmres_solve",
                  .defines = "#define START\n" RING,
                  .source = {{"history", s->history, TX_EDGE}},
                  .uniform = {{"count", 1, {(float)count}, NULL, true},
                              {"first", 1, {(float)(first % TX_HISTORY)}, NULL, true}},
                  .work = 8};
  TRY(txVectorRun(call, &begin, y));
  for (int block = (count - 1) / 4; block >= 0; block--) {
    txPass pass = {.kernel = "gmres_solve",
                   .source = {{"triangle", g->triangle, TX_EDGE}, {"y", y->texture, TX_EDGE}},
                   .uniform = {{"count", 1, {(float)count}, NULL, true},
                               {"block", 1, {(float)block}, NULL, true}},
                   .work = 28};
    TRY(txVectorRun(call, &pass, y));
  }
  return TEXLA_OK;
}

/* x <- x_start + M V y with the `count` columns that end before iteration k */
static clStatus gmresCorrect(clSolver *s, clVector *x, int count, int64_t k) {
  krylov *g = s->own;
  int q = (count - 1) / 4;
  clVector *y = g->h[0][q], *z = NULL;
  clMatrix V = firstColumns(g, q);
  TRY(backSubstitute(s, y, count, k - count));
  if (!s->preconditioner.apply)
    return clMatrixVectorOp(x, TEXLA_OP_AX_PLUS_B, &V, TEXLA_NO_TRANSPOSE, y, s->vector[START]);
  TRY(clMatrixMulVector(s->vector[W], &V, y));
  TRY(txSolverPrecondition(s, s->vector[Z], s->vector[W], &z));
  return clVectorAdd(x, 1, NULL, s->vector[START], 1, NULL, z);
}

/* In the middle of a cycle x is still that of its beginning. */
static clStatus gmresFinish(clSolver *s, clVector *x, int64_t k) {
  const krylov *g = s->own;
  int count = (int)(k % g->m);
  if (count == 0)
    return TEXLA_OK;
  return gmresCorrect(s, x, count, k);
}

/* One more column, and at the end of a cycle the next one begins. */
static clStatus gmresStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  krylov *g = s->own;
  int j = (int)(k % g->m);
  TRY(gmresOrthogonalize(s, j));
  TRY(rotate(s, j, k));
  if (j + 1 < g->m)
    return setColumn(s, j + 1, "#define ARNOLDI\n", k + 1);
  TRY(gmresCorrect(s, x, g->m, k + 1));
  return beginCycle(s, x, b, k + 1);
}

/* A cycle that gains nothing will not gain next time either. */
static clReason gmresJudge(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)row1, (void)rr0;
  const krylov *g = s->own;
  int64_t k = s->residuals - 1;
  if (!isfinite(row0[0]))
    return TEXLA_REASON_NAN;
  bool stuck = k >= g->m && k % g->m == 0 &&
               s->column[0].residual[k] > 0.9999 * s->column[0].residual[k - g->m];
  if (stuck)
    return TEXLA_REASON_STAGNATED;
  return TEXLA_REASON_NONE;
}

const txMethod txGmres = {.name = "gmres",
                          .vectors = VECTORS,
                          .start = gmresStart,
                          .step = gmresStep,
                          .judge = gmresJudge,
                          .finish = gmresFinish,
                          .create = createKrylov,
                          .destroy = destroyKrylov};
