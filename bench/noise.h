/* White noise for operands, the same for texla-bench and texla-bench-peers. */
#ifndef TEXLA_BENCH_NOISE_H
#define TEXLA_BENCH_NOISE_H

#include <stdint.h>

/* x_i <- uniform in [least, most); the same numbers for the same seed, on every machine. */
void txBenchNoise(float *x, int64_t n, uint64_t seed, float least, float most);

#endif
