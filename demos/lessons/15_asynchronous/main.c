/* Lesson 15: ask, go on, and look later. A queue works in the background while we do something
 * else. */
#include "lesson.h"

/* Order of the matrix, and how many powers of it. */
enum { N = 256, POWERS = 6 };

/* What the host does meanwhile: it counts primes. */
static int primesBelow(int limit) {
  int count = 0;
  for (int n = 2; n < limit; n++) {
    int d = 2;
    while (d * d <= n && n % d)
      d++;
    count += d * d > n;
  }
  return count;
}

int main(int argc, char **argv) {
  static float value[N * N], result[N * N];
  /* the queue has a context of its own, in a thread of its own */
  lessonBegin(argc, argv);
  clQueue *queue;
  clQueueId power[POWERS];
  clError error = {0};
  /* a rotation of all axes by one place */
  for (int i = 0; i < N; i++)
    value[i * N + (i + 1) % N] = 1;
  OK(clQueueCreate(&queue, NULL, &error));
  OK(clQueuePut(queue, &power[0], &(clHostMatrix){TEXLA_HOST_FLOAT, N, N, N, 1, value}, &error));
  clQueueOperand operand[2] = {{power[0]}, {power[0]}};
  /* the first product compiles and chooses; it is nobody's result */
  OK(clQueueSubmit(queue, "multiply", operand, 2, &power[1], 1, &error));
  OK(clQueueWait(queue, power[1], -1, &error));
  double begin = lessonSeconds();
  /* A^2, A^4, A^8, ...: each needs the one before, which is not there yet */
  for (int k = 1; k < POWERS; k++) {
    operand[0].id = operand[1].id = power[k - 1];
    OK(clQueueSubmit(queue, "multiply", operand, 2, &power[k], 1, &error));
  }
  /* bring the last one back as soon as it is there */
  OK(clQueueRead(queue, power[POWERS - 1], &error));
  double submitted = lessonSeconds();
  int primes = primesBelow(200000);
  double counted = lessonSeconds();
  OK(clQueueFetch(queue, power[POWERS - 1], &(clHostMatrix){TEXLA_HOST_FLOAT, N, N, N, 1, result},
                  -1, &error));
  double fetched = lessonSeconds();
  printf("asked for %d products within %.2f ms\n", POWERS - 1, 1e3 * (submitted - begin));
  printf("counted %d primes in %.0f ms\n", primes, 1e3 * (counted - submitted));
  printf("then waited %.2f ms for the result\n", 1e3 * (fetched - counted));
  /* What has come back: a rotation by as many places as the power says. */
  int shift = 1 << (POWERS - 1), wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += result[i * N + (i + shift) % N] != 1;
  printf("A^%d rotates by %d places\n", shift, shift);
  lessonExpect(wrong == 0, "the power of a rotation is a rotation");
  lessonExpect(primes == 17984, "there are 17984 primes below 200000");

  /* sizes that do not fit are refused at once, by name */
  clQueueId bad;
  OK(clQueuePut(queue, &bad, &(clHostMatrix){TEXLA_HOST_FLOAT, 3, 2, 2, 1, value}, &error));
  clStatus status =
      clQueueSubmit(queue, "multiply", (clQueueOperand[]){{power[0]}, {bad}}, 2, &bad, 1, &error);
  printf("%s\n", error.message);
  lessonExpect(status == TEXLA_BAD_SHAPE, "shapes are known before values are");
  clQueueDestroy(queue);
  return lessonEnd();
}
