/* Eight producers throw random operations at one queue: some fail on purpose, values are cancelled,
 * released, read and fetched at random. Every value knows what it must be, or that it has failed;
 * nothing hangs, nothing is lost. */
#include "queue.h"

#include <pthread.h>
#include <stdatomic.h>

enum { PRODUCERS = 8, VALUES = 12, STEPS = 150 };

/* A 1 x 1 value: small whole numbers, so that sums are exact. */
typedef struct known {
  clQueueId id;
  double value;
  bool bad;
} known;

typedef struct producer {
  clQueue *q;
  uint64_t random;
  known value[VALUES];
  int count, wrong;
  /* something, on which anything else may depend */
  bool cancelled;
  atomic_bool *may_stop;
} producer;

static clStatus broken(void *user, clContext *context, const clVector *const *operand,
                       clVector *result) {
  (void)user, (void)context, (void)operand, (void)result;
  return TEXLA_DEVICE_ERROR;
}

static int pick(producer *p, int n) {
  return (int)(randomBits(&p->random) % (uint32_t)n);
}

static void forget(producer *p, int k) {
  if (clQueueRelease(p->q, p->value[k].id, NULL))
    p->wrong++;
  p->value[k] = p->value[--p->count];
}

static void expect(producer *p, clStatus status, const known *v, double seen) {
  bool right = v->bad && status == TEXLA_DEVICE_ERROR;
  if (status == TEXLA_OK)
    right = !v->bad && seen == v->value;
  if (status == TEXLA_NOT_READY)
    right = true;
  if (status == TEXLA_CANCELLED)
    right = p->cancelled || atomic_load(p->may_stop);
  p->wrong += !right;
}

static clStatus make(producer *p, known *out) {
  known a = {0}, b = {0};
  if (p->count) {
    a = p->value[pick(p, p->count)];
    b = p->value[pick(p, p->count)];
  }
  double value = pick(p, 10);
  int kind = p->count < 2 ? 0 : pick(p, 8);
  if (kind == 0) {
    *out = (known){.value = value};
    return clQueuePut(p->q, &out->id, &(clHostMatrix){TEXLA_HOST_DOUBLE, 1, 1, 0, 0, &value}, NULL);
  }
  if (kind == 1) {
    *out = (known){.bad = true};
    return clQueueCall(p->q, "broken", broken, NULL, &a.id, 1, 1, 1, &out->id, NULL);
  }
  /* otherwise a + 0 b: values stay exact */
  bool sum = kind < 5 && a.value + b.value < 1e6;
  clQueueOperand operand[] = {{a.id, 0}, {b.id, 0}, {0, 0}};
  *out = (known){.value = a.value, .bad = a.bad || b.bad};
  if (!sum)
    return clQueueSubmit(p->q, "axpy", operand, 3, &out->id, 1, NULL);
  out->value += b.value;
  return clQueueSubmit(p->q, "plus", operand, 2, &out->id, 1, NULL);
}

static void look(producer *p) {
  int k = pick(p, p->count);
  known *v = &p->value[k];
  double seen = 0;
  switch (pick(p, 6)) {
  case 0:
    expect(p, clQueueWait(p->q, v->id, 0, NULL), v, v->value);
    break;
  case 1:
    clQueueRead(p->q, v->id, NULL);
    break;
  case 2:
    clQueueCancel(p->q, v->id, NULL);
    p->cancelled = true;
    break;
  case 3:
    forget(p, k);
    break;
  default: {
    clHostMatrix out = {TEXLA_HOST_DOUBLE, 1, 1, 0, 0, &seen};
    clStatus status = clQueueFetch(p->q, v->id, &out, pick(p, 2) ? -1 : 0.001, NULL);
    expect(p, status, v, seen);
  }
  }
}

static void *produce(void *argument) {
  producer *p = argument;
  for (int step = 0; step < STEPS; step++) {
    known v;
    while (p->count >= VALUES)
      forget(p, pick(p, p->count));
    if (!make(p, &v))
      p->value[p->count++] = v;
    else if (!atomic_load(p->may_stop))
      p->wrong++;
    if (p->count)
      look(p);
  }
  while (p->count)
    forget(p, 0);
  return NULL;
}

static void run(uint64_t seed, bool stop) {
  OWN(clQueue) *q = queueWith((clQueueOptions){.pending_limit = 16});
  atomic_bool may_stop = stop;
  producer p[PRODUCERS];
  pthread_t thread[PRODUCERS];
  for (int k = 0; k < PRODUCERS; k++) {
    p[k] = (producer){.q = q, .random = seed + (uint64_t)k * 977, .may_stop = &may_stop};
    assert_int_equal(pthread_create(&thread[k], NULL, produce, &p[k]), 0);
  }
  if (stop) {
    clQueueStats stats = {0};
    while (stats.done + stats.failed < 40)
      clQueueStatistics(q, &stats);
    clQueueStop(q);
  }
  int wrong = 0;
  for (int k = 0; k < PRODUCERS; k++) {
    pthread_join(thread[k], NULL);
    wrong += p[k].wrong;
  }
  assert_int_equal(wrong, 0);
  clQueueStats stats;
  if (!stop) {
    QCHECK(clQueueDrain(q, 60, &error));
    clQueueStatistics(q, &stats);
    assert_int_equal(stats.queued, 0);
    assert_true(stats.done > 0 && stats.failed > 0);
  }
}

static void testStress(void **state) {
  run(1, false);
  run(2, false);
}

static void testStopInTheMiddle(void **state) {
  run(3, true);
}

TEST_MAIN(NULL, NULL, testStress, testStopInTheMiddle)
