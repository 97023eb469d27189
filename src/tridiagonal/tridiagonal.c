/* clTridiagonal (B5): life and the checks of the public calls. */
#include "tridiagonal/tridiagonal.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

clStatus clTridiagonalCreate(clTridiagonal **out, clContext *context, int nx, int ny,
                             const clTridiagonalOptions *options) {
  static const char call[] = "clTridiagonalCreate";
  clError *error = txContextError(context);
  clTridiagonalOptions o = {0};
  if (options)
    o = *options;
  if (!out || !context || nx < 1 || ny < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, nx (%d) and ny (%d) at least 1", nx, ny);
  if (o.axis != TEXLA_AXIS_X && o.axis != TEXLA_AXIS_Y)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "there is no axis %d", (int)o.axis);
  if (o.folded && (o.axis != TEXLA_AXIS_X || nx < 2))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "a folded system runs along x, in rows of at least 2 (%d)", nx);
  TRY(txContextEnter(context, call));
  txLayout layout;
  int limit = clContextInspect(context)->max_texture_size;
  if (!txLayoutGrid(&layout, context, nx, ny))
    return txFail(error, TEXLA_TOO_LARGE, call,
                  "a grid of %d x %d does not fit into a texture of %d x %d texels", nx, ny, limit,
                  limit);
  clTridiagonal *T = txAllocate(error, call, 1, sizeof *T, "a clTridiagonal");
  if (!T)
    return TEXLA_OUT_OF_MEMORY;
  *T = (clTridiagonal){.context = context, .layout = layout, .options = o};
  txContextRetain(context);
  *out = T;
  return TEXLA_OK;
}

/* They belong to the matrix before; those of the new one are made when they are needed. */
static void dropFactors(clTridiagonal *T) {
  for (int k = 0; k < TX_LINES_KINDS; k++) {
    txTridiagonalFactorsDestroy(T->factors[k]);
    T->factors[k] = NULL;
  }
}

void clTridiagonalDestroy(clTridiagonal *T) {
  if (!T)
    return;
  clContext *context = T->context;
  dropFactors(T);
  for (int i = 0; i < 3; i++)
    clVectorDestroy(T->band[i]);
  free(T);
  txContextRelease(context);
}

/* A vector, unless it is NULL and may be, has the layout and the context of T. */
static clStatus checkOperand(const clTridiagonal *T, const char *call, const char *name,
                             const clVector *v, bool optional) {
  const clVector model = {.context = T->context, .layout = T->layout};
  if (!v && optional)
    return TEXLA_OK;
  return txVectorsAgree(call, "the system", &model, name, v);
}

/* Four numbers for each row, and no other vectors beside them. */
static clStatus checkPacked(const clTridiagonal *T, const char *call, const clTridiagonalBands *A,
                            const clVector *rhs) {
  clVector model = {.context = T->context};
  int nx = (int)T->layout.row, ny = T->layout.height;
  if (A->sub || A->main || A->super || rhs)
    return txFail(
        txContextError(T->context), TEXLA_BAD_ARGUMENT, call,
        "packed bands hold the right-hand side too: sub, main, super and rhs must be NULL");
  if (!txLayoutGrid(&model.layout, T->context, 4 * nx, ny))
    return txFail(txContextError(T->context), TEXLA_TOO_LARGE, call,
                  "packed bands of %d x %d do not fit into a texture", nx, ny);
  return txVectorsAgree(call, "the packed system", &model, "packed", A->packed);
}

/* Diagonals that are given as one number have no vector. */
static clStatus checkBands(const clTridiagonal *T, const char *call, const clTridiagonalBands *A) {
  const char *const name[] = {"sub", "main", "super"};
  const clVector *const band[] = {A->sub, A->main, A->super};
  for (int i = 0; i < 3; i++)
    TRY(checkOperand(T, call, name[i], band[i], true));
  return TEXLA_OK;
}

/* Where the messages of calls with T go; without T nowhere. */
static clError *errorOf(const clTridiagonal *T) {
  if (!T)
    return NULL;
  return txContextError(T->context);
}

/* All that the public calls ask of their operands. */
static clStatus checkSolve(const clTridiagonal *T, const char *call, const clVector *x,
                           const clTridiagonalBands *A, const clVector *rhs) {
  if (!T || !A)
    return txFail(errorOf(T), TEXLA_BAD_ARGUMENT, call, "T and A must not be NULL");
  TRY(checkOperand(T, call, "x", x, false));
  if (A->packed)
    return checkPacked(T, call, A, rhs);
  TRY(checkOperand(T, call, "rhs", rhs, false));
  return checkBands(T, call, A);
}

clStatus clTridiagonalSolve(clTridiagonal *T, clVector *x, const clTridiagonalBands *A,
                            const clVector *rhs) {
  static const char call[] = "clTridiagonalSolve";
  TRY(checkSolve(T, call, x, A, rhs));
  return txTridiagonalBlocks(T, call, x, A, rhs);
}

clStatus clTridiagonalSolveChecked(clTridiagonal *T, clVector *x, const clTridiagonalBands *A,
                                   const clVector *rhs, clTridiagonalReport *report,
                                   clTridiagonalState *states) {
  static const char call[] = "clTridiagonalSolveChecked";
  TRY(checkSolve(T, call, x, A, rhs));
  if (!A->packed)
    return txTridiagonalChecked(T, call, x, A, rhs, report, states, NULL);
  clVector *four[4] = {NULL, NULL, NULL, NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTridiagonalSpread(T, call, four, A->packed));
  clTridiagonalBands bands = {.sub = four[0], .main = four[1], .super = four[2]};
  TRY_CLEANUP(txTridiagonalChecked(T, call, x, &bands, four[3], report, states, NULL));
cleanup:
  for (int i = 0; i < 4; i++)
    clVectorDestroy(four[i]);
  return status;
}

/* Copies first: a call that fails leaves the factorization before. */
clStatus clTridiagonalFactor(clTridiagonal *T, const clTridiagonalBands *A) {
  static const char call[] = "clTridiagonalFactor";
  if (!T || !A || A->packed)
    return txFail(errorOf(T), TEXLA_BAD_ARGUMENT, call,
                  "T and A must not be NULL, and A not packed");
  const clVector *const given[] = {A->sub, A->main, A->super};
  clVector *copy[3] = {NULL, NULL, NULL};
  clStatus status = TEXLA_OK;
  TRY(checkBands(T, call, A));
  for (int i = 0; i < 3; i++)
    if (given[i])
      TRY_CLEANUP(clVectorClone(&copy[i], given[i]));
  for (int i = 0; i < 3; i++) {
    clVectorDestroy(T->band[i]);
    T->band[i] = copy[i];
  }
  dropFactors(T);
  T->factor = (clTridiagonalBands){.sub = copy[0],
                                   .main = copy[1],
                                   .super = copy[2],
                                   .sub_value = A->sub_value,
                                   .main_value = A->main_value,
                                   .super_value = A->super_value};
  T->factored = true;
  return TEXLA_OK;
cleanup:
  for (int i = 0; i < 3; i++)
    clVectorDestroy(copy[i]);
  return status;
}

/* With factors where they are fewer numbers to fetch: diagonals that are one number are not fetched
 * at all. */
static bool gainsByFactors(const clTridiagonal *T) {
  return T->band[0] && T->band[1] && T->band[2];
}

/* With the factors of all lines, of the odd or of the even ones, which are made when they are
 * first needed. */
static clStatus solveFactored(clTridiagonal *T, const char *call, clVector *x, const clVector *rhs,
                              txTridiagonalLines lines) {
  if (!T)
    return txFail(NULL, TEXLA_BAD_ARGUMENT, call, "T must not be NULL");
  if (!T->factored)
    return txFail(txContextError(T->context), TEXLA_BAD_ARGUMENT, call,
                  "there is no factorization: clTridiagonalFactor first");
  TRY(checkOperand(T, call, "x", x, false));
  TRY(checkOperand(T, call, "rhs", rhs, false));
  /* A single line is an even one. */
  if (lines == TX_LINES_ODD && txTridiagonalSystems(T) < 2)
    return TEXLA_OK;
  if (lines == TX_LINES_ALL && !gainsByFactors(T))
    return txTridiagonalBlocks(T, call, x, &T->factor, rhs);
  if (!T->factors[lines])
    TRY(txTridiagonalFactorsCreate(&T->factors[lines], T, call, &T->factor, rhs, lines));
  return txTridiagonalFactorsSolve(T->factors[lines], T, call, x, rhs, lines);
}

clStatus clTridiagonalSolveFactored(clTridiagonal *T, clVector *x, const clVector *rhs) {
  return solveFactored(T, "clTridiagonalSolveFactored", x, rhs, TX_LINES_ALL);
}

clStatus clTridiagonalSolveZebra(clTridiagonal *T, clVector *x, const clVector *rhs, int first) {
  static const char call[] = "clTridiagonalSolveZebra";
  if (first != 0 && first != 1)
    return txFail(errorOf(T), TEXLA_BAD_ARGUMENT, call, "first (%d) must be 0 or 1", first);
  if (T && T->options.folded)
    return txFail(txContextError(T->context), TEXLA_BAD_ARGUMENT, call,
                  "not for folded systems: there is only one");
  if (first)
    return solveFactored(T, call, x, rhs, TX_LINES_ODD);
  return solveFactored(T, call, x, rhs, TX_LINES_EVEN);
}
