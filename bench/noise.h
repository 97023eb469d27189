#ifndef TEXLA_BENCH_NOISE_H
#define TEXLA_BENCH_NOISE_H

#include <stdint.h>

/* uniform in [least, most) */
void txBenchNoise(float *x, int64_t n, uint64_t seed, float least, float most);

#endif
