#include "core/parallel.h"
#include "core/numbers.h"
#include "platform/platform.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* The work is bound by memory: more threads than MOST add nothing. Less than LEAST elements are not
 * worth a thread; ThreadSanitizer is to see all loops with some. */
#ifdef __SANITIZE_THREAD__
enum { BLOCKS = TX_PARTS, MOST = TX_FEW, LEAST = 32, FEWEST = 3 };
#else
enum { BLOCKS = TX_PARTS, MOST = TX_FEW, LEAST = 32768, FEWEST = 1 };
#endif

typedef struct job {
  /* The elements, and those of a block. */
  int64_t n, size;
  txLoop loop;
  void *user;
  atomic_int next;
  double sum[BLOCKS][TX_SUMS];
} job;

static void *work(void *argument) {
  job *j = argument;
  for (int block; (block = atomic_fetch_add(&j->next, 1)) * j->size < j->n;) {
    int64_t first = block * j->size, last = first + j->size;
    j->loop(j->user, first, txLeast64(last, j->n), j->sum[block]);
  }
  return NULL;
}

/* Threads for the calling one and its helpers. */
static int threads(void) {
  int processors = txProcessors();
  return (int)txMost64(FEWEST, txLeast64(processors, MOST));
}

/* The sums are added up block by block, not thread by thread: so they do not depend on how many
 * threads there are. */
static void parallelRun(job *j, int threads, double sum[TX_SUMS]) {
  pthread_t thread[MOST];
  int started = 0;
  while (started < threads - 1 && !pthread_create(&thread[started], NULL, work, j))
    started++;
  work(j);
  for (int t = 0; t < started; t++)
    pthread_join(thread[t], NULL);
  for (int k = 0; k < TX_SUMS && sum; k++) {
    sum[k] = 0;
    for (int block = 0; block < BLOCKS; block++)
      sum[k] += j->sum[block][k];
  }
}

/* A few elements are not worth starting a thread. */
void txParallel(int64_t n, txLoop loop, void *user, double sum[TX_SUMS]) {
  job j = {.n = n, .size = (n + BLOCKS - 1) / BLOCKS, .loop = loop, .user = user};
  parallelRun(&j, n < LEAST ? 1 : threads(), sum);
}

typedef struct copying {
  char *to;
  const char *from;
} copying;

static void copyBytes(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const copying *c = user;
  (void)sum;
  memcpy(c->to + first, c->from + first, (size_t)(last - first));
}

void txParallelCopy(void *to, const void *from, int64_t bytes) {
  txParallel(bytes, copyBytes, &(copying){to, from}, NULL);
}

void txParallelParts(int64_t n, int parts, txLoop loop, void *user, double sum[TX_SUMS]) {
  job j = {.n = parts, .size = 1, .loop = loop, .user = user};
  parallelRun(&j, n < LEAST ? 1 : threads(), sum);
}

/* Squares may leave the range of doubles. Where they do, all is computed again with numbers that
 * are scaled by a power of two. */
double txParallelNorm(int64_t n, txLoop loop, void *user, double *scale, double sum[TX_SUMS]) {
  double own[TX_SUMS], *s = own;
  if (sum)
    s = sum;
  *scale = 1;
  txParallel(n, loop, user, s);
  if (s[0] < 1e-200 || s[0] > 1e200) {
    *scale = s[0] < 1 ? 0x1p600 : 0x1p-600;
    txParallel(n, loop, user, s);
  }
  if (!isfinite(s[0]))
    return NAN;
  return sqrt(s[0]) / *scale;
}
