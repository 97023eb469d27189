/* The model by which a factorization's block size and grid are chosen: it grows with what it should
 * grow with, chooses what is cheap, and its costs are the same on all ranks and each time. */
#include "several.h"

#include "mpi/plu_model.h"

/* A graphics card beside eight threads, and ranks within a host. */
static const txPluCosts card = {.pass = 5e-6,
                                .entry = 0.25e-9,
                                .multiply = 1.4e-12,
                                .fetch = 0.1e-9,
                                .send = 0.2e-9,
                                .column = 5e-6,
                                .eliminate = 50e-12,
                                .meeting = 10e-6,
                                .byte = 0.12e-9};
enum { COSTS = sizeof(txPluCosts) / sizeof(double), SOFTWARE = COSTS - 1 };

static const int sizes[] = {2048, 3001, 8192, 16384};
static const txPluPlan plans[] = {{64, 1, 1}, {256, 1, 1}, {250, 1, 2},
                                  {96, 2, 1}, {512, 2, 2}, {128, 3, 5}};

/* More rows, and more of any cost, never take less time. */
static void testMonotony(void) {
  for (int p = 0; p < 6; p++) {
    double before = 0;
    for (int k = 0; k < 4; k++) {
      double seconds = txPluSeconds(&card, sizes[k], &plans[p]);
      CHECK(isfinite(seconds) && seconds > before);
      before = seconds;
      for (int c = 0; c < COSTS; c++) {
        txPluCosts dear = card;
        ((double *)&dear)[c] = 2 * ((double *)&dear)[c] + (c == SOFTWARE);
        CHECK(txPluSeconds(&dear, sizes[k], &plans[p]) >= seconds);
      }
    }
    for (int n = 1000; n < 1300; n++)
      CHECK(txPluSeconds(&card, n + 1, &plans[p]) >= txPluSeconds(&card, n, &plans[p]));
  }
}

/* What a rank can do at most bounds the time from below: its part of n^3 / 3 multiplications. */
static void testBounds(void) {
  for (int p = 0; p < 6; p++)
    for (int k = 0; k < 4; k++) {
      double n = sizes[k], ranks = plans[p].grid_rows * plans[p].grid_cols;
      double seconds = txPluSeconds(&card, sizes[k], &plans[p]);
      CHECK(seconds > 0.9 * n * n * n / 3 / ranks * card.multiply);
    }
  /* More ranks along the columns help, as long as messages are cheap beside products. */
  CHECK(txPluSeconds(&card, 16384, &(txPluPlan){256, 1, 2}) <
        0.7 * txPluSeconds(&card, 16384, &(txPluPlan){256, 1, 1}));
}

static txPluPlan chosen(txPluCosts costs, int n, int ranks, txPluPlan plan) {
  txPluPlanChoose(&plan, &costs, n, ranks);
  return plan;
}

/* The choice is the fastest of its candidates, keeps what is asked for, and follows the costs. */
static void testChoice(void) {
  for (int ranks = 1; ranks <= 12; ranks++)
    for (int k = 0; k < 4; k++) {
      txPluPlan p = chosen(card, sizes[k], ranks, (txPluPlan){0});
      CHECK(p.grid_rows * p.grid_cols == ranks && p.block >= 32 && p.block <= sizes[k]);
      double best = txPluSeconds(&card, sizes[k], &p);
      CHECK(best <= txPluSeconds(&card, sizes[k], &(txPluPlan){256, 1, ranks}));
      CHECK(best <= txPluSeconds(&card, sizes[k], &(txPluPlan){128, ranks, 1}));
    }
  txPluPlan p = chosen(card, 8192, 4, (txPluPlan){.block = 100});
  CHECK(p.block == 100 && p.grid_rows * p.grid_cols == 4);
  p = chosen(card, 8192, 4, (txPluPlan){0, 1, 3});
  CHECK(p.block > 0 && p.grid_rows == 1 && p.grid_cols == 3);
  /* Each column of a panel waits for a meeting of the grid's rows, so that where those are dear
   * there is one row. */
  txPluCosts other = card;
  other.meeting += 1e-3;
  const txPluPlan two = {256, 2, 1};
  CHECK(txPluSeconds(&other, 8192, &two) - txPluSeconds(&card, 8192, &two) > 0.99 * 8192 * 1e-3);
  CHECK(chosen(other, 8192, 2, (txPluPlan){0}).grid_rows == 1);
  /* Slow threads want narrow panels, slow writing wide ones. */
  int block = chosen(card, 8192, 1, (txPluPlan){0}).block;
  other = card;
  other.eliminate *= 20;
  CHECK(chosen(other, 8192, 1, (txPluPlan){0}).block < block);
  other = card;
  other.entry *= 10;
  other.eliminate /= 10;
  CHECK(chosen(other, 8192, 1, (txPluPlan){0}).block > block);
}

static void testUsual(void) {
  txPluPlan p = {0};
  txPluPlanUsual(&p, false, 6);
  CHECK(p.block == 256 && p.grid_rows == 2 && p.grid_cols == 3);
  p = (txPluPlan){.block = 7};
  txPluPlanUsual(&p, true, 5);
  CHECK(p.block == 7 && p.grid_rows == 1 && p.grid_cols == 5);
}

/* All ranks have the same costs, and what is known is not measured again. */
static void testCosts(void) {
  txPluCosts first, again, least;
  CHECK_OK(txPluCostsFind(&first, cluster));
  CHECK_OK(txPluCostsFind(&again, cluster));
  CHECK(memcmp(&first, &again, sizeof first) == 0);
  MPI_Allreduce(&first, &least, COSTS, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  CHECK(memcmp(&first, &least, sizeof first) == 0);
  CHECK(first.software == 1 && first.pass > 0 && first.fetch > 0 && first.send > 0);
  CHECK(first.entry + 256 * first.multiply > 0);
  CHECK(first.eliminate > 0 || first.column > 0);
  CHECK((first.meeting > 0) == (clClusterSize(cluster) > 1));
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  testMonotony();
  testBounds();
  testChoice();
  testUsual();
  testCosts();
  return clusterEnd();
}
