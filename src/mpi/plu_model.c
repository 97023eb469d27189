/* The model of P A = L U over a grid of ranks: what its steps take, one after the other. */
#include "mpi/plu_model.h"

#include <math.h>

/* Passes of a step: rows gather, mix and scatter, L11^-1, U12 and L21 come and are multiplied. */
enum { PASSES = 12 };

/* Bytes of a number. */
static const double number = 4;

static double depth(int ranks) {
  return ceil(log2(ranks));
}

/* Rows or columns of the rank that has most of the last `left` ones, in whole blocks. */
static double mostOf(double left, int block, int ranks) {
  return ceil(ceil(left / block) / ranks) * block;
}

/* A panel: it comes to the host, and each of its b columns is eliminated in turn, for which the
 * ranks of a grid column choose a pivot together. On average half of the columns still lie ahead
 * of the one that is eliminated. */
static double panelSeconds(const txPluCosts *c, double left, const txPluPlan *p) {
  double b = p->block, rows = mostOf(left, p->block, p->grid_rows);
  double together = depth(p->grid_rows) * (c->meeting + (24 + 2 * number * b) * c->byte);
  return c->pass + number * rows * b * c->fetch + b * (c->column + together) +
         rows * b * b / 2 * c->eliminate;
}

/* Between a panel and the update: L goes along the grid row and to the device, with L11^-1, and
 * where there are several grid rows the rows that change places go through the host, there and
 * back. */
static double travelSeconds(const txPluCosts *c, double left, const txPluPlan *p) {
  double b = p->block, rows = mostOf(left, p->block, p->grid_rows),
         cols = mostOf(left, p->block, p->grid_cols), panel = number * b * (rows + b);
  double seconds = panel * c->send + b * b * b / 6 * c->eliminate;
  if (p->grid_cols > 1)
    seconds += depth(p->grid_cols) * c->meeting + panel * c->byte;
  if (p->grid_rows > 1)
    seconds += 4 * (p->grid_rows - 1) * c->meeting +
               2 * number * b * cols * (c->fetch + c->byte + c->send);
  return seconds;
}

/* U12 = L11^-1 A12 and A22 -= L21 U12, of so many rows and columns. */
static double updateSeconds(const txPluCosts *c, double rows, double cols, double b) {
  return (rows + b) * cols * (c->entry + b * c->multiply);
}

/* A step in which the next panel has its columns first, and is factored while the device has the
 * others; processors that do both do them in turn. */
static double stepSeconds(const txPluCosts *c, double left, const txPluPlan *p) {
  double b = p->block, rows = mostOf(left, p->block, p->grid_rows),
         cols = mostOf(left, p->block, p->grid_cols), head = fmin(b, cols);
  double first = PASSES * c->pass + updateSeconds(c, rows, head, b),
         rest = updateSeconds(c, rows, cols - head, b), panel = panelSeconds(c, left, p);
  double both = fmax(rest, panel) + c->software * fmin(rest, panel);
  return travelSeconds(c, left, p) + first + both;
}

double txPluSeconds(const txPluCosts *c, int n, const txPluPlan *p) {
  double seconds = panelSeconds(c, n, p);
  for (double left = (double)n - p->block; left > 0; left -= p->block)
    seconds += stepSeconds(c, left, p);
  return seconds;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* All sizes of blocks that come into question with this grid; *best <- the seconds of the fastest
 * plan so far. */
static void tryBlocks(txPluPlan *plan, double *best, const txPluCosts *c, int n, txPluPlan tried) {
  static const int size[] = {32, 64, 96, 128, 192, 256, 384, 512};
  enum { SIZES = sizeof size / sizeof *size };
  int fixed = tried.block;
  for (int k = 0; k < SIZES; k++) {
    tried.block = size[k];
    if (fixed)
      tried.block = fixed;
    double seconds = txPluSeconds(c, n, &tried);
    if (seconds < *best) {
      *best = seconds;
      *plan = tried;
    }
  }
}

void txPluPlanChoose(txPluPlan *plan, const txPluCosts *c, int n, int ranks) {
  const txPluPlan wanted = *plan;
  double best = INFINITY;
  if (wanted.grid_rows) {
    tryBlocks(plan, &best, c, n, wanted);
    return;
  }
  for (int rows = 1; rows <= ranks; rows++)
    if (ranks % rows == 0)
      tryBlocks(plan, &best, c, n, (txPluPlan){wanted.block, rows, ranks / rows});
}

void txPluPlanUsual(txPluPlan *plan, bool software, int ranks) {
  /* Larger blocks make better products; processors that shade cannot factor panels meanwhile. */
  int block = 256;
  if (software)
    block = 128;
  if (!plan->block)
    plan->block = block;
  if (plan->grid_rows)
    return;
  /* The largest divisor that is no larger than the root. */
  plan->grid_rows = (int)sqrt((double)ranks);
  while (ranks % plan->grid_rows)
    plan->grid_rows--;
  plan->grid_cols = ranks / plan->grid_rows;
}
