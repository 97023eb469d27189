/* Lesson 0: twelve numbers go into a texture, are doubled there, and come back. */
#include "lesson.h"

/* Three texels of four numbers each. */
enum { N = 12 };

/* The kernel computes a texel, that is four numbers, from the same texel of x. */
static const char twice[] = "uniform sampler2D x;\n"
                            "vec4 kernel() {\n"
                            "  return 2. * texel(x); // four numbers at once\n"
                            "}\n";

/* Four numbers between two bars are a texel. */
static void print(const char *name, const float *values) {
  printf("%s =", name);
  for (int i = 0; i < N; i++)
    printf("%s%3.0f", i % 4 ? " " : " |", values[i]);
  printf(" |\n");
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  float before[N], after[N];
  for (int i = 0; i < N; i++)
    before[i] = (float)i;

  clVector *x, *y;
  /* three texels of red, green, blue, alpha */
  OK(clVectorCreate(&x, context, N));
  OK(clVectorCreateLike(&y, x));
  /* host -> texture */
  OK(clVectorUpload(x, before));

  /* A kernel of one's own is compiled when it is made. */
  clKernel *kernel;
  OK(clKernelCreate(&kernel, context, "twice", twice));
  lessonWatch();
  /* one pass: every texel of y */
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {y}, .input = {{"x", x}}}));
  int passes = lessonPasses();
  /* texture -> host */
  OK(clVectorDownload(y, after));

  print("x", before);
  print("y", after);
  for (int i = 0; i < N; i++)
    lessonExpect(after[i] == 2 * before[i], "y = 2 x");
  lessonExpect(passes == 1, "one pass does it");
  lessonField("x", before, 4, 3, TEXLA_COLORMAP_VIRIDIS, 0, 22);
  lessonField("y", after, 4, 3, TEXLA_COLORMAP_VIRIDIS, 0, 22);

  clKernelDestroy(kernel);
  clVectorDestroy(x);
  clVectorDestroy(y);
  return lessonEnd();
}
