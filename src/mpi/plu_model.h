/* How long a factorization takes on these ranks, told by what its parts take. Block size and grid
 * are chosen by it; docs/cluster.md has the formula beside measured times. */
#ifndef TEXLA_MPI_PLU_MODEL_H
#define TEXLA_MPI_PLU_MODEL_H

#include "mpi/cluster.h"

/* Seconds, of the slowest rank while all do the same. */
typedef struct txPluCosts {
  /* The device: a pass; an entry that an update changes; a multiplication and addition of it. */
  double pass, entry, multiply;
  /* A byte from the device to the host, and one to the device. */
  double fetch, send;
  /* The host's threads: a column of a panel, however short; a multiplication and addition of it. */
  double column, eliminate;
  /* A sum over two ranks with a pivot's rows; a byte between two ranks. */
  double meeting, byte;
  /* 1: the processors that factor panels shade as well, one after the other; 0: a graphics card
   * shades meanwhile. */
  double software;
} txPluCosts;

/* What a factorization is to be, or 0 where that is to be chosen. */
typedef struct txPluPlan {
  int block, grid_rows, grid_cols;
} txPluPlan;

/* Seconds that P A = L U of n rows takes with this plan, which has no zeros. */
double txPluSeconds(const txPluCosts *costs, int n, const txPluPlan *plan);
/* Sets what is 0 in the plan, both sides of the grid together: the plan that takes least time. */
void txPluPlanChoose(txPluPlan *plan, const txPluCosts *costs, int n, int ranks);
/* The same where measuring takes longer than it gains: a grid as square as the ranks allow, with
 * more columns than rows, and blocks that suit the kind of device. */
void txPluPlanUsual(txPluPlan *plan, bool software, int ranks);

/* The costs on these ranks: from the tuning table of rank 0, or measured and kept there, which
 * takes some hundredths of a second beside the tuning of a product. Collective. */
clStatus txPluCostsFind(txPluCosts *costs, clCluster *cluster);

#endif
