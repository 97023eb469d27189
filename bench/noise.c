#include "noise.h"

/* splitmix64: a counter whose bits are mixed, with 2^64 numbers before they come again. */
static uint64_t next(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* The upper 53 bits, as many as a double holds, are rounded to float once. */
void txBenchNoise(float *x, int64_t n, uint64_t seed, float least, float most) {
  for (int64_t i = 0; i < n; i++) {
    double u = (double)(next(&seed) >> 11) * 0x1p-53;
    x[i] = (float)((double)least + ((double)most - (double)least) * u);
  }
}
