/* Lesson 10: a texel holds a 2 x 2 block, and two swizzles multiply blocks. */
#include "lesson.h"

enum { N = 96, HALF = N / 2 };

static const char product[] =
    "uniform sampler2D A, B;\n"
    "vec4 kernel() {\n"
    "  ivec2 t = ivec2(gl_FragCoord.xy); // block row t.y, block column t.x\n"
    "  vec4 c = vec4(0.);\n"
    "  for (int k = 0; k < textureSize(A, 0).x; k++) {\n"
    "    vec4 a = texelFetch(A, ivec2(k, t.y), 0), b = texelFetch(B, ivec2(t.x, k), 0);\n"
    "    c += a.rrbb * b.rgrg + a.ggaa * b.baba;\n"
    "  }\n"
    "  return c;\n"
    "}\n";

/* Texel (j, i) <- rows 2i, 2i + 1 of columns 2j, 2j + 1. */
static clVector *packed(clContext *context, const float *a) {
  static float texel[N * N];
  clVector *x;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      texel[((i / 2) * HALF + j / 2) * 4 + (i % 2) * 2 + j % 2] = a[i * N + j];
  /* HALF x HALF texels */
  OK(clVectorCreateGrid(&x, context, 4 * HALF, HALF));
  OK(clVectorUpload(x, texel));
  return x;
}

/* Entries that differ from the sums that a loop computes. */
static int wrong(const float *A, const float *B, const float *texel) {
  int count = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += A[i * N + k] * B[k * N + j];
      count += sum != texel[((i / 2) * HALF + j / 2) * 4 + (i % 2) * 2 + j % 2];
    }
  return count;
}

int main(int argc, char **argv) {
  static float a[N * N], b[N * N], c[N * N], library[N * N];
  clContext *context = lessonBegin(argc, argv);
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)((i * 7 + i / N) % 9 - 4);
    b[i] = (float)((i * 5 + i / N * 3) % 11 - 5);
  }
  clVector *A = packed(context, a), *B = packed(context, b), *C;
  clKernel *kernel;
  OK(clVectorCreateLike(&C, A));
  OK(clKernelCreate(&kernel, context, "product", product));
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {C}, .input = {{"A", A}, {"B", B}}}));
  OK(clVectorDownload(C, c));
  printf("one pass over %d x %d texels: %d of %d entries differ from a loop's\n", HALF, HALF,
         wrong(a, b, c), N * N);
  lessonExpect(wrong(a, b, c) == 0, "integers multiply exactly");

  /* the same by the library */
  clDense *D, *E, *F;
  OK(clDenseCreate(&D, context, N, N));
  OK(clDenseCreateLike(&E, D));
  OK(clDenseCreateLike(&F, D));
  OK(clDenseUpload(D, a, N));
  OK(clDenseUpload(E, b, N));
  OK(clDenseMultiply(F, 1, TEXLA_NO_TRANSPOSE, D, TEXLA_NO_TRANSPOSE, E, 0));
  OK(clDenseDownload(F, library, N));
  lessonExpect(library[N + 1] == c[3],
               "the library has the same row 1, column 1 in lane 3 of texel 0");
  lessonField("A", a, N, N, TEXLA_COLORMAP_DIVERGING, -5, 5);
  lessonField("B", b, N, N, TEXLA_COLORMAP_DIVERGING, -5, 5);
  lessonField("C", library, N, N, TEXLA_COLORMAP_DIVERGING, 0, 0);
  clDenseDestroy(D);
  clDenseDestroy(E);
  clDenseDestroy(F);
  clKernelDestroy(kernel);
  clVectorDestroy(A);
  clVectorDestroy(B);
  clVectorDestroy(C);
  return lessonEnd();
}
