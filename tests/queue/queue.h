/* Queues for tests: on one device, without the user's tuning file; short ways to put, submit and
 * fetch doubles. */
#ifndef TEXLA_TESTS_QUEUE_H
#define TEXLA_TESTS_QUEUE_H

#include "common.h"
#include "texla/queue.h"

static clError error;
#define QCHECK(call) testOk((call), &error, #call, __FILE__, __LINE__)
#define QFAILS(call, status, text)                                                                 \
  testFails((call), &error, (status), (text), #call, __FILE__, __LINE__)

static inline clQueue *queueWith(clQueueOptions options) {
  clContextOptions context = {.no_tuning_cache = true};
  clQueue *q = NULL;
  options.context = &context;
  QCHECK(clQueueCreate(&q, &options, &error));
  return q;
}

static inline clHostMatrix doubles(double *values, int64_t rows, int64_t cols) {
  return (clHostMatrix){TEXLA_HOST_DOUBLE, rows, cols, 0, 0, values};
}

/* Column after column. */
static inline clQueueId put(clQueue *q, double *values, int64_t rows, int64_t cols) {
  clHostMatrix A = doubles(values, rows, cols);
  clQueueId id = 0;
  QCHECK(clQueuePut(q, &id, &A, &error));
  return id;
}

static inline clQueueId submit1(clQueue *q, const char *name, clQueueId a) {
  clQueueId id = 0;
  QCHECK(clQueueSubmit(q, name, &(clQueueOperand){a, 0}, 1, &id, 1, &error));
  return id;
}

static inline clQueueId submit2(clQueue *q, const char *name, clQueueId a, clQueueId b) {
  clQueueId id = 0;
  clQueueOperand operand[] = {{a, 0}, {b, 0}};
  QCHECK(clQueueSubmit(q, name, operand, 2, &id, 1, &error));
  return id;
}

static inline void fetch(clQueue *q, clQueueId id, double *values, int64_t rows, int64_t cols) {
  clHostMatrix out = doubles(values, rows, cols);
  QCHECK(clQueueFetch(q, id, &out, 60, &error));
}

#endif
