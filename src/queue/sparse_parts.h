/* What becomes of the entries of sparse matrices, for the rules of sparse.c: T is the result, whose
 * entries may come in any order. */
#ifndef TEXLA_QUEUE_SPARSE_PARTS_H
#define TEXLA_QUEUE_SPARSE_PARTS_H

#include "queue/operations.h"

/* The entries of operand k, which is sparse. */
const clTriplets *txSparseOperand(const txCall *call, int k);
/* Appends an entry, counted from 0, that is not zero; refuses one that is not finite. */
clStatus txSparseAdd(const txCall *call, clTriplets *T, int64_t i, int64_t j, double value);

/* Functions of two numbers (sparse_pairs.c): does the call's leave zeros zeros, where both operands
 * are sparse or the other one is a number? Then the run works on the entries alone. */
bool txSparseIsPair(const txCall *call);
clStatus txSparsePair(txCall *call, clTriplets *T);
/* A sparse matrix times a dense one, entry by entry, or divided by one: with sides of length 1
 * repeated. */
clStatus txSparseScale(txCall *call, clTriplets *T);

/* Along a dimension, or a diagonal: dense results in double, not T (sparse_folds.c). */
clStatus txSparseFold(txCall *call, clTriplets *T);
clStatus txSparseDiagonal(txCall *call, clTriplets *T);

/* Entries at other places (sparse_moves.c): A(i, j), A(k), triangles, other shapes, [A, B] and
 * [A; B], Kronecker products, a vector as a diagonal. */
clStatus txSparsePart(txCall *call, clTriplets *T);
clStatus txSparseSelect(txCall *call, clTriplets *T);
clStatus txSparseTriangle(txCall *call, clTriplets *T);
clStatus txSparseReshape(txCall *call, clTriplets *T);
clStatus txSparseResize(txCall *call, clTriplets *T);
clStatus txSparseRepeat(txCall *call, clTriplets *T);
clStatus txSparseJoin(txCall *call, clTriplets *T);
clStatus txSparseKron(txCall *call, clTriplets *T);
clStatus txSparseOnDiagonal(txCall *call, clTriplets *T);

/* The matrix product of two (sparse_product.c). */
clStatus txSparseProduct(txCall *call, clTriplets *T);

#endif
