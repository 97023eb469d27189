/* Lesson 1: a vector is a picture, and linear algebra is arithmetic on pictures. */
#include "lesson.h"

/* The pictures are SIDE x SIDE. */
enum { SIDE = 128 };
static float values[SIDE * SIDE];

/* A vector from a formula: element j SIDE + i belongs to the point (i, j) of a grid. */
static clVector *picture(clContext *context, float (*formula)(float x, float y)) {
  clVector *v;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      values[j * SIDE + i] = formula((float)i / SIDE, (float)j / SIDE);
  OK(clVectorCreateGrid(&v, context, SIDE, SIDE));
  OK(clVectorUpload(v, values));
  return v;
}

/* A ring around the middle, bright and smooth. */
static float ring(float x, float y) {
  return expf(-200 * powf(hypotf(x - .5f, y - .5f) - .3f, 2));
}

/* Waves along both axes. */
static float waves(float x, float y) {
  return sinf(40 * x) * cosf(25 * y);
}

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
  clContext *context = lessonBegin(argc, argv);
  clVector *x = picture(context, ring), *y = picture(context, waves), *z;
  OK(clVectorCreateLike(&z, x));
  lessonPicture("x", x, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);
  lessonPicture("y", y, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);

  /* z = x - y / 2: a picture minus another one, faded */
  OK(clVectorAdd(z, 1, NULL, x, -.5f, NULL, y));
  lessonPicture("add", z, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);
  /* z_i = x_i y_i: a picture seen through a mask */
  OK(clVectorMul(z, x, y));
  lessonPicture("mul", z, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);

  /* The projection of y to what is orthogonal to x: one step of Gram and Schmidt. */
  float xy = dot(context, x, y), xx = dot(context, x, x);
  /* y <- y - (x.y / x.x) x: what y has of x is taken out */
  OK(clVectorAxpy(y, -xy / xx, NULL, x));
  lessonPicture("projected", y, SIDE, TEXLA_COLORMAP_DIVERGING, -1, 1);
  float left = dot(context, x, y);
  printf("x has %lld elements in %d x %d texels of four\n", (long long)clVectorLength(x), SIDE / 4,
         SIDE);
  printf("x.y = %.4f, and after y <- y - (x.y / x.x) x: %.1e\n", xy, fabsf(left));
  lessonExpect(fabsf(left) < 1e-4f * fabsf(xx), "the projection is orthogonal to x");

  clVectorDestroy(x);
  clVectorDestroy(y);
  clVectorDestroy(z);
  return lessonEnd();
}
