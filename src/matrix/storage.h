/* What a storage is: one table of its operations (operators of one's own, shell.c, and dense
 * matrices that others hold, dense/matrix.c, have a table, too, that is in no list). Its name
 * and help are in TEXLA_STORAGE_LIST (texla/matrix.h); the table of tables is in choose.c. A new
 * storage is a line in each, an `extern` below, a file src/matrix/<storage>.c and a shader of
 * its product; csr.c with csr_product.c is the shortest that holds any sparse matrix. The dense
 * storage is columns.c; what csr and slots do with a residual is in gather_residual.c. */
#ifndef TEXLA_MATRIX_STORAGE_H
#define TEXLA_MATRIX_STORAGE_H

#include "matrix/matrix.h"
#include "vector/run.h"

/* One look at a matrix that has no storage yet, for all that bid for it. */
typedef struct txLook {
  const clContext *context;
  const txRows *rows;
  /* The entries of the longest row. */
  int64_t longest;
  /* twice the mean length of a row */
  int64_t usual;
  /* The entries of rows beyond that length. */
  int64_t beyond;
  /* How many full-length vectors would hold the diagonals; -1 where there was no memory to find
   * them. */
  int diagonals;
  /* The entries on those diagonals that are not zero. */
  int64_t diagonal_entries;
} txLook;

/* Costs are times of a product in units of one dense entry. The ratios hold within a factor of two
 * on software and on graphics cards alike. */
enum {
  /* What a pass costs by itself. */
  TX_COST_PASS = 20000,
  /* What a non-zero costs in a loop of the shader. */
  TX_COST_CSR = 24
};

/* y_g <- ca A x_g + cb b_g for g < groups: a product with several vectors at once
 * (multivector.h). */
typedef struct txMultiProduct {
  const clMatrix *A;
  int groups;
  /* The multivectors, `groups` of each; b NULL means that nothing is added. */
  clVector *const *y, *const *x, *const *b;
  float ca, cb;
} txMultiProduct;

/* A residual in double-float (residual.h). */
typedef struct txResidual txResidual;

struct txStorage {
  /* Fills A->data from compressed triplets whose values were checked; A's other fields are set.
   * Chooses the layouts where the storage has a say, and appends to the description. On failure
   * leaves nothing behind. */
  clStatus (*create)(clMatrix *A, const char *call, const txRows *rows,
                     const clMatrixOptions *options);
  /* A->data may be NULL or half filled */
  void (*destroy)(clMatrix *A);
  /* Other values on the pattern that A was created from: only these are sent. NULL: all of A is
   * created anew. */
  clStatus (*update)(clMatrix *A, const char *call, const txRows *rows);
  /* y <- ca op(A) x + cb b. Operands were checked: contexts, lengths, layouts, x is not y. b is
   * NULL when cb is 0; it may be y. */
  clStatus (*multiply)(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed,
                       const clVector *x, float cb, const clVector *b);
  /* The product with several vectors; NULL where the storage cannot, for which clSolver asks. */
  clStatus (*multiplySeveral)(const char *call, const txMultiProduct *product);
  /* r <- b - A x in double-float (residual.h); NULL where the storage cannot. */
  clStatus (*residual)(const char *call, const txResidual *residual);
  /* d_i <- a_ii of a square matrix */
  clStatus (*diagonal)(const char *call, clVector *d, const clMatrix *A);
  /* What a product would take, INFINITY where the matrix does not fit; and why it is chosen (one
   * phrase). NULL: never by itself. */
  double (*cost)(const txLook *look);
  void (*reason)(const txLook *look, char *why, size_t n);
};

extern const txStorage txDenseStorage, txBandedStorage, txPointsStorage, txCsrStorage,
    txSlotsStorage;

/* By clStorage. Auto is no storage: its place is NULL. */
enum {
#define TX_STORAGE_COUNT(name, text, summary) +1
  TX_STORAGES = 0 TEXLA_STORAGE_LIST(TX_STORAGE_COUNT)
#undef TX_STORAGE_COUNT
};
extern const txStorage *const txStorages[TX_STORAGES];

/* Do so many bytes fit beside what is in use? For `cost`. */
bool txLookFits(const txLook *look, double bytes);
/* 100 part / whole */
double txPercent(double part, double whole);

#endif
