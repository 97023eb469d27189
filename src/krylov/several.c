/* Are several right-hand sides at once faster than one after the other? */
#include "core/try.h"
#include "gl/tuning.h"
#include "krylov/cg_multivector.h"

#include <stdio.h>

/* It is measured with the matrix itself: an iteration for all, or as many of one. Both have begun,
 * and their vectors are not the same, so that they can take turns. */
typedef struct tuningCase {
  clSolver *solver;
  int count;
  clVector *x;
  const clVector *b;
} tuningCase;

static clStatus severalRunCase(void *user, int columns) {
  tuningCase *c = user;
  clSolver *s = c->solver;
  s->count = columns;
  s->groups = 0;
  if (columns > 1)
    s->groups = (columns + TX_MULTIVECTOR - 1) / TX_MULTIVECTOR;
  for (int64_t k = 0; k < c->count / columns; k++)
    TRY(s->method->step(s, c->x, c->b, k));
  return TEXLA_OK;
}

/* About log2(n), so that sizes of the same order share what was measured. */
static int digits(int64_t n) {
  int d = 0;
  while (n >> (d + 1))
    d++;
  return d;
}

/* The first iteration shows whether there is memory for what is made at first use. */
static clStatus severalChoose(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                              int *columns) {
  /* Up to so many unknowns passes cost more than what they do, and fewer are better. */
  enum { SMALL = 1 << 15 };
  tuningCase c = {s, count, x[0], b[0]};
  int64_t n = clMatrixRows(s->A);
  char key[64];
  TRY(clSolverInit(s, x[0], b[0]));
  TRY(clSolverInitMany(s, count, x, b));
  TRY(severalRunCase(&c, count));
  if (n <= SMALL)
    return TEXLA_OK;
  snprintf(key, sizeof key, "cg.columns.%s.%d.%d.%d", clStorageName(clMatrixStorage(s->A)),
           digits(n), digits(s->A->count / n), count);
  return txTuningChoose(s->context, key, (int[]){1, count}, 2, severalRunCase, &c, count, columns);
}

clStatus txManyWorthWhile(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                          bool *yes) {
  int columns = count;
  clStatus status = severalChoose(s, count, x, b, &columns);
  /* The solver waits for a new beginning, as x is the caller's. */
  s->x[0] = NULL;
  *yes = columns > 1;
  return status;
}
