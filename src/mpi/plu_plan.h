/* Block size and process grid of P A = L U, if the caller does not ask for others. */
#ifndef TEXLA_MPI_PLU_PLAN_H
#define TEXLA_MPI_PLU_PLAN_H

/* A factorization's block and grid; 0: not chosen. */
typedef struct txPluPlan {
  int block, grid_rows, grid_cols;
} txPluPlan;

/* Sets what is 0 in the plan, both sides of the grid together. The grid is as square as the ranks
 * allow, with more columns than rows, since each column of a panel waits for messages along a grid
 * column. Blocks have n / 4 columns on one rank and n / 32 on several, where a panel is factored
 * while other ranks wait for it: 128 to 512, a multiple of 64. */
void txPluPlanChoose(txPluPlan *plan, int n, int ranks);

#endif
