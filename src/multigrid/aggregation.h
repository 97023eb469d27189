/* Smoothed aggregation on the host, in double (Vanek, Mandel and Brezina 1996): what algebraic
 * multigrid is set up from.
 *
 * Unknowns come in nodes (those of a point of an elastic body, those of an aggregate of the grid
 * before). Nodes that are coupled strongly are joined to aggregates. On each aggregate the near
 * null space N, k columns, is made orthonormal, N = Q R: the columns of Q are its coarse unknowns,
 * so that the tentative prolongation T represents N exactly, and R is the near null space there. P
 * = (I - 4 / (3 largest) D^-1 A') T is smoother. */
#ifndef TEXLA_MULTIGRID_AGGREGATION_H
#define TEXLA_MULTIGRID_AGGREGATION_H

#include "platform/companion.h"
#include "core/error.h"
#include "texla/triplets.h"

enum { TX_NEAR_VECTORS = 8 };

/* What a level hands on to the next: unknowns in nodes, and what A nearly maps to zero.
 *
 * `v` holds n x vectors numbers, column after column. The unknowns of a node follow each other:
 * node k has those from first[k] to first[k + 1] - 1. With no nodes every unknown is its own. */
typedef struct txNearNull {
  int vectors;
  double *v;
  int32_t nodes;
  int32_t *first;
  /* They are what they were in the setup before. */
  bool same;
} txNearNull;
TX_COMPANION void txNearNullForget(txNearNull *near);

/* Unknowns of rows that follow each other and have the same columns are a node: those of one point
 * of a mesh. */
clStatus txNodesFind(txNearNull *near, const clTriplets *A, clError *error);

/* Which unknowns are joined: unknown i belongs to aggregate of[i]. That is negative where i is
 * coupled to nothing, so that no coarse unknown is needed for it. */
typedef struct txAggregates {
  int32_t count;
  int32_t *of;
} txAggregates;
/* strong[k] <- does A's entry k (rows begin at `start`) couple nodes strongly? |a_ij| > theta
 * sqrt(|a_ii a_jj|). */
clStatus txStrongFind(unsigned char *strong, const clTriplets *A, const int64_t *start,
                      const double *diagonal, const txNearNull *near, double theta, clError *error);
/* Joins nodes one of whose couplings is strong. */
clStatus txAggregatesFind(txAggregates *out, const clTriplets *A, const int64_t *start,
                          const unsigned char *strong, const txNearNull *near, clError *error);

/* What stays while values change: where the rows of the finer matrix, P, R, A P and the coarser
 * matrix begin, and which of P's entries is entry k of R. */
typedef struct txPlaces {
  int64_t *finer, *P, *R, *AP, *A;
  int64_t *turned;
} txPlaces;

/* What setups compute, in memory that is kept: A's diagonal, which entries couple strongly; N = Q R
 * with T's entries of unknown i in row i of q, as many as its aggregate has coarse unknowns, and R
 * of each aggregate in r, vectors x vectors by rows. `mixed` is one number for each row of D^-1 A,
 * and `smoothed` the same of the values by which P was smoothed. */
typedef struct txScratch {
  double *diagonal, *q, *r;
  float *mixed, *smoothed;
  unsigned char *strong;
} txScratch;

/* A coarser matrix and the way to it. Only values depend on those of A, along positions that stay:
 * other values of A need no other aggregates, as long as these suit them.
 *
 * Aggregate a, found with the threshold `theta`, has the unknowns member[begin[a]] ..
 * member[begin[a + 1] - 1] and the coarse unknowns first[a] .. first[a + 1] - 1. The
 * prolongation is P = S T, where S smooths at A's entries that are `strong` (NULL: at all) and T
 * is the tentative prolongation. With R = P^T the coarser matrix is A = R (A P), whose near null
 * space is `near`. */
typedef struct txAggregation {
  txAggregates aggregates;
  double theta;
  int32_t *begin, *member;
  int32_t *first;
  unsigned char *strong;
  clTriplets *P, *R;
  /* P and R need no other values for those of A that were looked at last. */
  bool stays;
  clTriplets *AP, *A;
  txNearNull near;
  txPlaces at;
  txScratch scratch;
} txAggregation;

/* P with one vector: A' has weak entries moved to the diagonal so that A' N = A N; with several A'
 * is A. `largest` bounds the eigenvalues of D^-1 A. P is NULL, and all else, when nothing could be
 * aggregated. */
TX_COMPANION clStatus txAggregate(txAggregation *out, const clTriplets *A, const txNearNull *near,
                                  double theta, double largest, clError *error);
/* The same for other values of A at its old positions, which txAggregationLook comes first to see.
 * What comes out is what txAggregate computes where it finds the same aggregates and strong
 * entries; but where P `stays` and `near` is the same, both are as they were, and only the coarser
 * matrix gets other values. *fits <- they still suit A: where more than TX_TURNED of all entries
 * off the diagonal have become strong that were weak, or the other way round, and where an
 * aggregate would have another number of coarse unknowns, they do not, and then values are
 * undefined. */
#define TX_TURNED 0.1
clStatus txAggregationUpdate(txAggregation *aggregation, const clTriplets *A,
                             const txNearNull *near, double largest, bool *fits, clError *error);
/* A look at other values, before txAggregationUpdate. P stays where D^-1 A is about what it was
 * when P was smoothed: no row's entries, summed up with weights in [-1, 1), are further than
 * TX_ALIKE from what they were. [256^2 points, coefficients times e^(0.8 u), u in [-1, 1):
 * conjugate gradients take no more iterations than with a P of their own, even if P stays in any
 * case.] *bounded <- no eigenvalue of D^-1 A is far above `largest`, which bounds those of the
 * values by which P was smoothed: by Gershgorin's circles, or because D^-1 A is about what it
 * was. */
#define TX_ALIKE 0.2
void txAggregationLook(txAggregation *aggregation, const clTriplets *A, double largest,
                       bool *bounded);
TX_COMPANION void txAggregationDestroy(txAggregation *aggregation);

/* A row that is being added up: value[j] is the sum of what came for column j, where seen[j] is
 * `mark`; `column` lists the `count` columns in the order in which they came. */
typedef struct txRowSum {
  int32_t mark, *seen, *column;
  double *value;
  int64_t count;
} txRowSum;
static inline void txRowAdd(txRowSum *sum, int32_t j, double value) {
  if (sum->seen[j] == sum->mark) {
    sum->value[j] += value;
    return;
  }
  sum->seen[j] = sum->mark;
  sum->value[j] = value;
  sum->column[sum->count++] = j;
}
/* Adds all that row i consists of; called on several threads. */
typedef void (*txRowLoop)(const void *user, int64_t i, txRowSum *sum);
/* *out <- the matrix of these rows, compressed; *start <- where they begin, which the caller
 * frees. */
clStatus txTripletsBuild(clTriplets **out, int64_t **start, int32_t rows, int32_t cols,
                         txRowLoop loop, const void *user, clError *error);
/* The same values for C, which holds these positions already, in rows that begin at `start`. */
clStatus txTripletsRefill(clTriplets *C, const int64_t *start, txRowLoop loop, const void *user,
                          clError *error);

/* *out <- A B, compressed */
TX_COMPANION clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                                        clError *error);
/* A B, where a and b say where rows begin. */
typedef struct txProduct {
  const clTriplets *A, *B;
  const int64_t *a, *b;
} txProduct;
clStatus txProductBuild(clTriplets **out, int64_t **start, const txProduct *product,
                        clError *error);
/* The same values for C, which holds these positions already. */
clStatus txProductRefill(clTriplets *C, const int64_t *start, const txProduct *product,
                         clError *error);

/* *out <- A^T; *start <- where its rows begin, and entry k of it is entry (*from)[k] of A. The
 * caller frees both. */
clStatus txTripletsTurn(clTriplets **out, int64_t **start, int64_t **from, const clTriplets *A,
                        const int64_t *a, clError *error);
/* T <- A^T, which holds its positions already */
void txTripletsTurnAgain(clTriplets *T, const int64_t *from, const clTriplets *A);
/* start[i] is the first entry of row i of a compressed matrix; the caller frees it. NULL: no
 * memory, reported. */
int64_t *txTripletsRowStarts(const clTriplets *A, clError *error);

#endif
