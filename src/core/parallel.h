/* Loops over long arrays of the host, on several threads. */
#ifndef TEXLA_CORE_PARALLEL_H
#define TEXLA_CORE_PARALLEL_H

#include <stdint.h>

enum { TX_SUMS = 6, TX_PARTS = 64 };

/* The elements [first, last); what is to be added up over all of them goes into `sum`, which begins
 * at zero. */
typedef void (*txLoop)(void *user, int64_t first, int64_t last, double sum[TX_SUMS]);

/* Calls `loop` for blocks that together are [0, n); sum (NULL: not wanted) <- the blocks' sums.
 * Blocks depend on n alone, and their sums are added in their order: the number of threads does not
 * change a bit. */
void txParallel(int64_t n, txLoop loop, void *user, double sum[TX_SUMS]);

/* to <- `bytes` bytes, as memcpy does it. */
void txParallelCopy(void *to, const void *from, int64_t bytes);

/* As txParallel for parts 0 to `parts` - 1, at most TX_PARTS, of n elements. Where a part takes
 * memory of its own TX_FEW of them are enough for all threads. */
enum { TX_FEW = 8 };
void txParallelParts(int64_t n, int parts, txLoop loop, void *user, double sum[TX_SUMS]);
/* Where a part of n elements begins; that of part `parts` is n. */
static inline int64_t txPartBegin(int64_t n, int64_t part, int parts) {
  return n / parts * part + n % parts * part / parts;
}

/* sqrt(sum v_i^2), where `loop` adds (scale v_i)^2 to sum[0]: *scale, which `loop` finds by way of
 * `user`, is set so that no square over- or underflows. NaN where some v_i is not finite. All sums
 * of `loop` go to `sum` (NULL: not wanted). */
double txParallelNorm(int64_t n, txLoop loop, void *user, double *scale, double sum[TX_SUMS]);

#endif
