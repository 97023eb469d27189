#include "multigrid/filter.h"
#include "core/try.h"

/* The value of a point beyond the boundary: zero, that of its neighbour inside, or that of the
 * opposite side. */
enum { ZERO, NEAREST, OPPOSITE };

/* Does a side's outermost fine point lie between two coarse ones, one of them beyond? */
static bool between(const txGrid *A, int axis, int side) {
  const txAxisCoarsening *c = &A->coarsening[axis];
  int outermost = side ? A->n[axis] - 1 : 0;
  return c->stride > 1 && (outermost - c->first) % 2 != 0;
}

/* x with ghost points around it, one component. For prolongation they continue the coarse grid. For
 * restriction they are zero, but a point whose one parent lies beyond and equals the other counts
 * twice; around a periodic axis they are the opposite ones, unless both ends are coarse. */
static clStatus addGhosts(txTexture **out, const char *call, const txGrid *A, const clVector *x,
                          const int n[2], bool restriction) {
  txUniform ghost = {.name = "ghost", .count = 4, .integer = true},
            border = {.name = "border", .count = 4};
  for (int k = 0; k < 4; k++) {
    int axis = k / 2, side = k % 2;
    bool closed = A->periodic[axis] && (!restriction || between(A, axis, 0) != between(A, axis, 1));
    bool same = A->mirrored[axis][side] && !A->periodic[axis];
    bool twice = restriction && same && between(A, axis, side);
    ghost.value[k] = ZERO;
    if (closed)
      ghost.value[k] = OPPOSITE;
    else if (same && !restriction)
      ghost.value[k] = NEAREST;
    border.value[k] = twice ? 2 : 1;
  }
  txPass pass = {
      .kernel = "grid_ghosts",
      .source = {{"x", x->texture, TX_EDGE}},
      .uniform = {
          {.name = "size", .count = 2, .value = {(float)n[0], (float)n[1]}, .integer = true}}};
  txPassUniform(&pass, ghost);
  txPassUniform(&pass, border);
  return txPassInto(out, x->context, call, &pass, TX_R32F, n[0] + 2, n[1] + 2);
}

/* The filter of the device averages the four texels of s around each point of y. */
static clStatus runFilter(const char *call, clVector *y, const txGrid *A, const txTexture *s,
                          bool restriction) {
  const txAxisCoarsening *c = A->coarsening;
  txPass pass = {.kernel = "grid_filter",
                 .defines = restriction ? "#define RESTRICT\n" : NULL,
                 .source = {{"s", s, TX_BILINEAR}},
                 .uniform = {{"stride", 2, {(float)c[0].stride, (float)c[1].stride}},
                             {"first", 2, {(float)c[0].first, (float)c[1].first}}}};
  if (!restriction)
    pass.source[1] = (txSource){"x", y->texture, TX_EDGE};
  return txVectorRun(call, &pass, y);
}

static clStatus filter(const char *call, clVector *y, const txGrid *A, const int n[2],
                       const clVector *from, bool restriction, bool start) {
  if (!clContextInspect(y->context)->probes.filterable)
    return txFail(txContextError(y->context), TEXLA_UNSUPPORTED, call,
                  "this device has no exact bilinear filter for single-precision textures");
  txTexture *s = NULL;
  clStatus status = TEXLA_OK;
  if (start)
    TRY_CLEANUP(clVectorClear(y));
  TRY_CLEANUP(addGhosts(&s, call, A, from, n, restriction));
  TRY_CLEANUP(runFilter(call, y, A, s, restriction));
cleanup:
  txTextureDestroy(s);
  return status;
}

clStatus txFilterRestrict(const char *call, clVector *y, const txGrid *A, const txGrid *coarse,
                          const clVector *r) {
  (void)coarse;
  return filter(call, y, A, A->n, r, true, false);
}

clStatus txFilterProlong(const char *call, clVector *x, const txGrid *A, const txGrid *coarse,
                         const clVector *e, bool start) {
  return filter(call, x, A, coarse->n, e, false, start);
}
