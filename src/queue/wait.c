/* Waiting for changes of a queue.
 *
 * There is one condition for all changes, and who waits looks after each whether it is the one that
 * it waits for: changes are rare in comparison with what they cost. */
#include "queue/queue.h"
#include "platform/platform.h"

#include <errno.h>
#include <math.h>

/* What all calls return once the queue is about to end. */
clStatus txQueueStopped(clError *error, const char *call) {
  return txFail(error, TEXLA_CANCELLED, call, "the queue has been stopped");
}

/* False: there is none, the call waits for ever. Times go by the conditions' own clock. */
bool txQueueDeadline(struct timespec *out, double seconds) {
  if (!(seconds >= 0 && seconds < 1e9))
    return false;
  txConditionNow(out);
  double whole = floor(seconds);
  out->tv_sec += (time_t)whole;
  out->tv_nsec += (long)((seconds - whole) * 1e9);
  if (out->tv_nsec >= 1000000000) {
    out->tv_sec++;
    out->tv_nsec -= 1000000000;
  }
  return true;
}

/* It may return without a change, so callers look again. */
bool txQueueWaitChange(clQueue *q, const struct timespec *deadline) {
  if (!deadline)
    return pthread_cond_wait(&q->change, &q->lock) == 0;
  return pthread_cond_timedwait(&q->change, &q->lock, deadline) != ETIMEDOUT;
}

/* Everyone who waits looks again. */
void txQueueChanged(clQueue *q) {
  pthread_cond_broadcast(&q->change);
}
