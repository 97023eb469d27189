/* What the cases of `texla check` share: random operands, and the comparison. */
#include <math.h>

#include "cli/check.h"
#include "gl/tuning.h"

/* splitmix64 */
double txTrialRandom(uint64_t key) {
  uint64_t z = (key + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((int64_t)((z ^ (z >> 31)) >> 40) - (1 << 23)) * 0x1p-23;
}

void txTrialFill(double *x, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    x[i] = txTrialRandom((uint64_t)i);
}

/* NaN is wrong, too. */
void txTrialCompare(txTrial *t, int64_t count, double allowed) {
  t->allowed = allowed;
  for (int64_t i = 0; i < count && t->wrong < 0; i++)
    if (!(fabs(t->got[i] - t->wanted[i]) <= allowed))
      t->wrong = i;
}

/* Without memory for it the case is tried with the variant of before. */
void txTrialPin(txTrial *t, const char *key, int value) {
  if (t->vary)
    txTuningAdd(t->context, key, value);
}
