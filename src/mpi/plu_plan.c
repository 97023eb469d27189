/* Block size and process grid: a rule (docs/cluster.md has measured times). */
#include "mpi/plu_plan.h"

#include <math.h>

#include "core/numbers.h"

void txPluPlanChoose(txPluPlan *plan, int n, int ranks) {
  enum { STEP = 64, LEAST = 128, MOST = 512 };
  int parts = 4;
  if (ranks > 1)
    parts = 32;
  if (!plan->block)
    plan->block = txMost(txLeast(n / parts / STEP * STEP, MOST), LEAST);
  if (plan->grid_rows)
    return;
  /* The largest divisor that is no larger than the root. */
  plan->grid_rows = (int)sqrt((double)ranks);
  while (ranks % plan->grid_rows)
    plan->grid_rows--;
  plan->grid_cols = ranks / plan->grid_rows;
}
