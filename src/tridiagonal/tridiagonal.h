/* Batches of tridiagonal systems, cut into blocks; shaders/tridiagonal/tridiagonal.glsl tells how
 * rows lie in textures. */
#ifndef TEXLA_TRIDIAGONAL_TRIDIAGONAL_H
#define TEXLA_TRIDIAGONAL_TRIDIAGONAL_H

#include "gl/defines.h"
#include "texla/tridiagonal.h"
#include "vector/run.h"

enum { TX_TRIDIAGONAL_LEVELS = 20 };

/* A batch of systems of `rows` rows each, in blocks of `block` rows; the last one may be shorter.
 * Level 0 is the given batch; the first and the last rows of all blocks of a system make up a
 * system of the next level. The last level has one block. */
typedef struct txTridiagonalLevel {
  int rows, block, blocks;
  /* texels across: systems, or groups of four */
  int systems;
  /* all levels as the batch, but of a folded system the last ones */
  bool along_x;
} txTridiagonalLevel;

/* Which systems change. */
typedef enum txTridiagonalLines {
  TX_LINES_ALL,
  TX_LINES_EVEN,
  TX_LINES_ODD,
  TX_LINES_KINDS
} txTridiagonalLines;

/* What is left of the diagonals once they have been eliminated. */
typedef struct txTridiagonalFactors txTridiagonalFactors;

struct clTridiagonal {
  clContext *context;
  /* of the operands */
  txLayout layout;
  clTridiagonalOptions options;
  bool factored;
  /* of the factorization: sub, main, super; NULL: a number */
  clVector *band[3];
  /* these */
  clTridiagonalBands factor;
  /* of these, made when first needed; NULL: not yet */
  txTridiagonalFactors *factors[TX_LINES_KINDS];
};

/* x <- A^-1 rhs by blocks; the operands of this and what follows have been checked. */
clStatus txTridiagonalBlocks(const clTridiagonal *T, const char *call, clVector *x,
                             const clTridiagonalBands *A, const clVector *rhs);

/* The factors of A, not packed, for the given lines. `rhs` is any grid. The caller destroys
 * *out. */
clStatus txTridiagonalFactorsCreate(txTridiagonalFactors **out, const clTridiagonal *T,
                                    const char *call, const clTridiagonalBands *A,
                                    const clVector *rhs, txTridiagonalLines lines);
/* NULL is allowed */
void txTridiagonalFactorsDestroy(txTridiagonalFactors *factors);
/* x <- A^-1 rhs for those lines; the others' elements of x stay. */
clStatus txTridiagonalFactorsSolve(const txTridiagonalFactors *factors, const clTridiagonal *T,
                                   const char *call, clVector *x, const clVector *rhs,
                                   txTridiagonalLines lines);

/* clTridiagonalSolveChecked. Not packed. Blocks. `doubtful` (NULL: they are decided in double) <-
 * the systems that may be singular, though x solves them. */
clStatus txTridiagonalChecked(const clTridiagonal *T, const char *call, clVector *x,
                              const clTridiagonalBands *A, const clVector *rhs,
                              clTridiagonalReport *report, clTridiagonalState *states,
                              bool *doubtful);

/* "is singular to working precision", ... */
const char *txTridiagonalStateText(clTridiagonalState state);

/* row <- sub, main, super and rhs of row i of a system. */
typedef void (*txTridiagonalRowOf)(const void *user, int64_t i, double row[4]);

/* x <- the solution of one system of n rows, by elimination with row exchanges in double on the
 * host. Where it is singular to double precision, *state says so and x stays. */
clStatus txTridiagonalPivots(clContext *context, const char *call, double *x,
                             clTridiagonalState *state, int64_t n, bool periodic,
                             txTridiagonalRowOf row_of, const void *user);

/* The same for the systems list[0 .. count - 1] of T; the others' elements of x stay, and those of
 * singular ones. states[k] is that of system list[k]. Blocks. */
clStatus txTridiagonalPivotsListed(const clTridiagonal *T, const char *call, clVector *x,
                                   const clTridiagonalBands *A, const clVector *rhs,
                                   const float *list, int count, clTridiagonalState *states);

/* What T's grid holds: systems, and rows of each (of one row of the grid, where those continue each
 * other). */
int txTridiagonalSystems(const clTridiagonal *T);
int txTridiagonalLength(const clTridiagonal *T);

/* Appends a source to those of the pass. */
void txTridiagonalSource(txPass *pass, const char *name, const txTexture *texture);

/* Appends the sources, numbers and defines of A and rhs that
 * shaders/tridiagonal/tridiagonal_bands.glsl reads. */
void txTridiagonalAddBands(txPass *pass, txDefines *defines, const clTridiagonalBands *A,
                           const clVector *rhs);

/* Do the systems lie along the rows of the grid? */
static inline bool txTridiagonalAlongX(const clTridiagonal *T) {
  return T->options.axis == TEXLA_AXIS_X;
}

/* four[0 .. 3] <- sub, main, super, rhs of packed bands; the caller destroys what there is, on
 * failure too. */
clStatus txTridiagonalSpread(const clTridiagonal *T, const char *call, clVector *four[4],
                             const clVector *packed);

/* A number for each system, in rows of 1024 texels: step i for system list[i], -1 for those not
 * listed. */
clStatus txTridiagonalMap(const clTridiagonal *T, const char *call, txTexture **out,
                          const float *list, int count, int step);

#endif
