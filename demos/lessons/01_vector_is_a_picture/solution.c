/* Solution of exercise 1: three pictures become orthonormal, by the method of Gram and Schmidt. */
#include "lesson.h"

/* Three vectors of SIDE^2 elements. */
enum { SIDE = 64, COUNT = 3 };

/* x.y, read back: a number of the host. */
static float dot(clContext *context, const clVector *x, const clVector *y) {
  clFloat *s;
  float value;
  OK(clFloatCreate(&s, context));
  OK(clVectorDot(s, x, y));
  OK(clFloatDownload(s, &value));
  clFloatDestroy(s);
  return value;
}

int main(int argc, char **argv) {
  static float values[SIDE * SIDE];
  clContext *context = lessonBegin(argc, argv);
  clVector *q[COUNT];
  for (int k = 0; k < COUNT; k++) {
    /* 1, x + y, (x + y)^2 */
    for (int i = 0; i < SIDE * SIDE; i++)
      values[i] = powf((float)(i % SIDE + i / SIDE) / SIDE, (float)k);
    OK(clVectorCreateGrid(&q[k], context, SIDE, SIDE));
    OK(clVectorUpload(q[k], values));
    /* takes out what the pictures before have, one after the other */
    for (int j = 0; j < k; j++)
      OK(clVectorAxpy(q[k], -dot(context, q[j], q[k]), NULL, q[j]));
    OK(clVectorScale(q[k], 1 / sqrtf(dot(context, q[k], q[k])), NULL, q[k]));
  }
  for (int k = 0; k < COUNT; k++)
    for (int j = 0; j <= k; j++) {
      float product = dot(context, q[j], q[k]);
      printf("q%d.q%d = %9.6f\n", j, k, product);
      lessonExpect(fabsf(product - (float)(j == k)) < 1e-4f, "the pictures are orthonormal");
    }
  for (int k = 0; k < COUNT; k++)
    clVectorDestroy(q[k]);
  return lessonEnd();
}
