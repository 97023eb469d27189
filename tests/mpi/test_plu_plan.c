/* Block and grid: the rule, and what is asked for stays. */
#include "several.h"

#include "mpi/plu_plan.h"

static txPluPlan chosen(txPluPlan plan, int n, int ranks) {
  txPluPlanChoose(&plan, n, ranks);
  return plan;
}

int main(int argc, char **argv) {
  clusterBegin(&argc, &argv);
  for (int ranks = 1; ranks <= 64; ranks++) {
    txPluPlan p = chosen((txPluPlan){0}, 1 << 14, ranks);
    CHECK(p.grid_rows * p.grid_cols == ranks && p.grid_rows <= p.grid_cols);
    CHECK(p.block == 512);
  }
  CHECK(chosen((txPluPlan){0}, 1, 1).block == 128);
  CHECK(chosen((txPluPlan){0}, 1200, 1).block == 256);
  CHECK(chosen((txPluPlan){0}, 2048, 1).block == 512);
  CHECK(chosen((txPluPlan){0}, 2048, 2).block == 128);
  CHECK(chosen((txPluPlan){0}, 8192, 2).block == 256);
  CHECK(chosen((txPluPlan){0}, 8192, 6).grid_rows == 2);
  txPluPlan asked = chosen((txPluPlan){7, 3, 1}, 8192, 4);
  CHECK(asked.block == 7 && asked.grid_rows == 3 && asked.grid_cols == 1);
  return clusterEnd();
}
