/* Solution of exercise 10: A^T B without a transposed copy; the transposition is a swizzle and
 * another place. */
#include "lesson.h"

/* HALF blocks along each side. */
enum { N = 32, HALF = N / 2 };

/* Block (k, i) of A transposed is block (i, k) of A^T: another place, and r b / g a inside. */
static const char product[] =
    "uniform sampler2D A, B;\n"
    "vec4 kernel() {\n"
    "  ivec2 t = ivec2(gl_FragCoord.xy);\n"
    "  vec4 c = vec4(0.);\n"
    "  for (int k = 0; k < textureSize(A, 0).y; k++) {\n"
    "    vec4 a = texelFetch(A, ivec2(t.y, k), 0).rbga; // the block of A^T\n"
    "    vec4 b = texelFetch(B, ivec2(t.x, k), 0);\n"
    "    c += a.rrbb * b.rgrg + a.ggaa * b.baba;\n"
    "  }\n"
    "  return c;\n"
    "}\n";

/* Where entry (i, j) stands in the packed matrix. */
static int lane(int i, int j) {
  return ((i / 2) * HALF + j / 2) * 4 + (i % 2) * 2 + j % 2;
}

int main(int argc, char **argv) {
  /* packed */
  static float a[N * N], b[N * N], c[N * N];
  clContext *context = lessonBegin(argc, argv);
  clVector *A, *B, *C;
  clKernel *kernel;
  for (int i = 0; i < N * N; i++) {
    a[i] = (float)(i % 5 - 2);
    b[i] = (float)(i % 7 - 3);
  }
  OK(clVectorCreateGrid(&A, context, 4 * HALF, HALF));
  OK(clVectorCreateLike(&B, A));
  OK(clVectorCreateLike(&C, A));
  OK(clVectorUpload(A, a));
  OK(clVectorUpload(B, b));
  OK(clKernelCreate(&kernel, context, "transposed product", product));
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {C}, .input = {{"A", A}, {"B", B}}}));
  OK(clVectorDownload(C, c));
  /* The same sums by a loop; integers, so that there is no rounding. */
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[lane(k, i)] * b[lane(k, j)];
      wrong += sum != c[lane(i, j)];
    }
  printf("A^T B: %d of %d entries are wrong\n", wrong, N * N);
  lessonExpect(wrong == 0, "a swizzle transposes");
  clKernelDestroy(kernel);
  clVectorDestroy(A);
  clVectorDestroy(B);
  clVectorDestroy(C);
  return lessonEnd();
}
