#include "core/processors.h"

#include <stdlib.h>

enum { MOST = 64 * TX_PROCESSOR_WORDS };

bool txProcessorsAllowed(txProcessorSet *set, bool launcher) {
  return txAffinityRead(set, launcher);
}

int txProcessorsOnline(void) {
  return txProcessors();
}

static bool isIn(const txProcessorSet *set, int processor) {
  return set->word[processor / 64] >> processor % 64 & 1;
}

int txProcessorsCount(const txProcessorSet *set) {
  int count = 0;
  for (int p = 0; p < MOST; p++)
    count += isIn(set, p);
  return count;
}

bool txProcessorsContain(const txProcessorSet *set, const txProcessorSet *some) {
  uint64_t missing = 0;
  for (int w = 0; w < TX_PROCESSOR_WORDS; w++)
    missing |= some->word[w] & ~set->word[w];
  return missing == 0;
}

/* A processor, and where it is. */
typedef struct located {
  int64_t place;
  int processor;
} located;

static int processorsCompare(const void *a, const void *b) {
  int64_t p = ((const located *)a)->place, q = ((const located *)b)->place;
  return (p > q) - (p < q);
}

void txProcessorsShare(txProcessorSet *share, const txProcessorSet *all, int part, int parts) {
  located at[MOST];
  int count = 0;
  for (int p = 0; p < MOST; p++)
    if (isIn(all, p))
      at[count++] = (located){txProcessorPlace(p), p};
  qsort(at, (size_t)count, sizeof *at, processorsCompare);
  *share = (txProcessorSet){{0}};
  for (int k = part * count / parts; k < (part + 1) * count / parts; k++)
    share->word[at[k].processor / 64] |= (uint64_t)1 << at[k].processor % 64;
}

bool txProcessorsBind(const txProcessorSet *set) {
  return txAffinityWrite(set);
}
