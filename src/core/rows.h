/* One look at a compressed matrix, for all who need to know it: is it in order, does single
 * precision hold it, and which of its rows repeat?
 *
 * A run is a number of rows that follow each other, each with the entries of the row before it, one
 * column further. Matrices from grids consist of few runs, and what is said of a run's first row
 * holds for the others; with constant coefficients that goes for the values, too, and a product
 * then reads hardly anything but x. */
#ifndef TEXLA_CORE_ROWS_H
#define TEXLA_CORE_ROWS_H

#include "platform/companion.h"
#include "texla/triplets.h"

typedef struct txRows {
  /* The matrix, which must live as long. */
  const clTriplets *A;
  /* How many runs there are. 0: they would be too many to be of use, and each row counts as one. */
  int32_t runs;
  /* The first row of each run, and behind the last one the number of rows; NULL without runs. */
  int32_t *first;
  /* Whether values change within the run; NULL without runs. */
  unsigned char *varies;
  /* The first entry of each run, and where the last one ends. */
  int64_t *entry;
  /* How many entries single precision takes for 0, and how many it cannot hold. */
  int64_t zeros, too_big;
} txRows;

/* Some rows of a run: row + i begins at entry + i length. */
typedef struct txRun {
  int32_t index;
  int64_t row, count, entry, length;
  /* So many rows have the same values: all of them, or 1. */
  int64_t alike;
} txRun;

/* Fails where A is not in order (clTripletsCompress), in the name of `call`. */
TX_COMPANION clStatus txRowsFind(txRows *out, const clTriplets *A, const char *call,
                                 clError *error);
TX_COMPANION void txRowsForget(txRows *rows);
/* The same of a matrix in order whose rows are known to begin at `start`, which is borrowed: runs
 * are not looked for, and there is nothing to forget. */
txRows txRowsOf(const clTriplets *A, const int64_t *start);
/* TEXLA_NOT_FINITE, in the name of `call` and with the place counted from 1, where A holds NaN or
 * Inf. */
clStatus txRowsCheckFinite(const txRows *rows, const char *call, clError *error);

/* The run of row `first`, from there on, as far as its rows are before `last`; and the next one. At
 * the end its row is `last`. */
txRun txRunAt(const txRows *rows, int64_t first, int64_t last);
txRun txRunNext(const txRows *rows, const txRun *run, int64_t last);

/* y_i-first <- (A x)_i for the rows i of [first, last) */
void txRowsMultiply(double *y, const txRows *rows, const double *x, int64_t first, int64_t last);
/* As clTripletsIsSymmetric. What counts as symmetric wherever a method needs it: solutions of what
 * rounding has made of a symmetric matrix are refined with the matrix as it is. */
#define TX_SYMMETRIC 1e-6
bool txRowsSymmetric(const txRows *rows, double tolerance);
/* The same of a matrix that is looked at for that alone. */
clStatus txTripletsSymmetric(bool *out, const clTriplets *A, double tolerance, const char *call,
                             clError *error);

#endif
