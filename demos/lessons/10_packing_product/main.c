/* Lesson 10: a texel holds a 2 x 2 block, and two swizzles multiply blocks. Each step from the
 * naive product to the library's is measured. */
#include "lesson.h"

#include <unistd.h>

/* The order that is checked, the largest one that is measured, how many and in how many ways. */
enum { N = 96, LARGEST = 512, SIZES = 4, WAYS = 6, PASSES = 5 };

/* One number to a texel, in red. */
static const char naive[] =
    "uniform sampler2D A, B;\n"
    "vec4 kernel() {\n"
    "  ivec2 t = ivec2(gl_FragCoord.xy); // row t.y, column t.x\n"
    "  float c = 0.;\n"
    "  for (int k = 0; k < textureSize(A, 0).x; k++)\n"
    "    c += texelFetch(A, ivec2(k, t.y), 0).r * texelFetch(B, ivec2(t.x, k), 0).r;\n"
    "  return vec4(c, 0., 0., 0.);\n"
    "}\n";

/* A block of 2 x 2 in a texel, row by row: r g / b a. The swizzles are its columns and rows. */
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

/* A fragment owns 2 x 2 texels, half of C apart, and has a target for each. */
static const char tiled[] =
    "uniform sampler2D A, B;\n"
    "vec4 block(vec4 a, vec4 b) { return a.rrbb * b.rgrg + a.ggaa * b.baba; }\n"
    "void kernel(out vec4 c[4]) {\n"
    "  ivec2 t = ivec2(gl_FragCoord.xy);\n"
    "  int n = textureSize(A, 0).x;\n"
    "  c[0] = c[1] = c[2] = c[3] = vec4(0.);\n"
    "  for (int k = 0; k < n; k++) {\n"
    "    vec4 a0 = texelFetch(A, ivec2(k, t.y), 0), a1 = texelFetch(A, ivec2(k, t.y + n / 2), 0);\n"
    "    vec4 b0 = texelFetch(B, ivec2(t.x, k), 0), b1 = texelFetch(B, ivec2(t.x + n / 2, k), 0);\n"
    "    c[0] += block(a0, b0);\n"
    "    c[1] += block(a0, b1);\n"
    "    c[2] += block(a1, b0);\n"
    "    c[3] += block(a1, b1);\n"
    "  }\n"
    "}\n";

/* Where entry (i, j) of a matrix of order n is found in its texels. */
static int placeNaive(int i, int j, int n) {
  return (i * n + j) * 4;
}
static int placePacked(int i, int j, int n) {
  return ((i / 2) * (n / 2) + j / 2) * 4 + (i % 2) * 2 + j % 2;
}

/* Texels of a matrix on their way to the device and back. */
static float room[LARGEST * LARGEST * 4];

/* A matrix as a grid of side x side texels, entries where `place` wants them. */
static clVector *upload(clContext *context, const float *a, int n, int side,
                        int (*place)(int i, int j, int n)) {
  clVector *x;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      room[place(i, j, n)] = a[i * n + j];
  OK(clVectorCreateGrid(&x, context, 4 * side, side));
  OK(clVectorUpload(x, room));
  return x;
}

/* A product by one of our kernels: what it is computed from, and where it lands. */
typedef struct Own {
  clKernel *kernel;
  clVector *A, *B, *C[4];
  /* of C */
  int targets;
} Own;

/* `way` is 0 naive, 1 packed, 2 tiled. */
static Own ownCreate(clContext *context, int way, const float *a, const float *b, int n) {
  static const char *const text[] = {naive, product, tiled}, *const name[] = {"naive", "product",
                                                                              "tiled"};
  int (*place)(int, int, int) = placeNaive, side = n, part = n, targets = 1;
  if (way > 0) {
    place = placePacked;
    side = part = n / 2;
  }
  if (way == 2) {
    part = side / 2;
    targets = 4;
  }
  Own own = {.A = upload(context, a, n, side, place),
             .B = upload(context, b, n, side, place),
             .targets = targets};
  for (int k = 0; k < own.targets; k++)
    OK(clVectorCreateGrid(&own.C[k], context, 4 * part, part));
  OK(clKernelCreate(&own.kernel, context, name[way], text[way]));
  return own;
}

/* One pass; the tiled way has four targets. */
static void ownRun(const Own *own) {
  OK(clKernelExecute(own->kernel,
                     &(clKernelRun){.output = {own->C[0], own->C[1], own->C[2], own->C[3]},
                                    .input = {{"A", own->A, true}, {"B", own->B, true}},
                                    .keeps_zero = true}));
}

static void ownDestroy(Own *own) {
  clKernelDestroy(own->kernel);
  clVectorDestroy(own->A);
  clVectorDestroy(own->B);
  for (int k = 0; k < own->targets; k++)
    clVectorDestroy(own->C[k]);
}

/* Entries that differ from the sums that a loop computes. */
static int wrong(const Own *own, int way, const float *a, const float *b, int n) {
  int count = 0, rows = n, (*place)(int, int, int) = placeNaive;
  if (way > 0)
    place = placePacked;
  if (way == 2)
    rows = n / 2;
  for (int k = 0; k < own->targets; k++) {
    int first = k / 2 * rows, left = k % 2 * rows;
    OK(clVectorDownload(own->C[k], room));
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < rows; j++) {
        float sum = 0;
        for (int m = 0; m < n; m++)
          sum += a[(first + i) * n + m] * b[m * n + left + j];
        count += sum != room[place(i, j, rows)];
      }
  }
  return count;
}

/* A product by the library. */
typedef struct Theirs {
  clDense *A, *B, *C;
} Theirs;

/* The library chooses its layout itself, which is packed as ours. */
static Theirs theirsCreate(clContext *context, const float *a, const float *b, int n) {
  Theirs t;
  OK(clDenseCreate(&t.A, context, n, n));
  OK(clDenseCreateLike(&t.B, t.A));
  OK(clDenseCreateLike(&t.C, t.A));
  OK(clDenseUpload(t.A, a, n));
  OK(clDenseUpload(t.B, b, n));
  return t;
}

/* C <- A B; in passes of 64 terms. */
static void theirsRun(const Theirs *t, bool passes) {
  if (passes) {
    OK(clDenseMultiplyPasses(t->C, 1, TEXLA_NO_TRANSPOSE, t->A, TEXLA_NO_TRANSPOSE, t->B, 0,
                             clDenseCols(t->A) / 64));
    return;
  }
  OK(clDenseMultiply(t->C, 1, TEXLA_NO_TRANSPOSE, t->A, TEXLA_NO_TRANSPOSE, t->B, 0));
}

static void theirsDestroy(Theirs *t) {
  clDenseDestroy(t->A);
  clDenseDestroy(t->B);
  clDenseDestroy(t->C);
}

/* A context whose products are all of one of the library's variants (src/dense/product.c): a tuning
 * table says so. */
static clContext *contextWith(int variant) {
  static const char *const size[] = {"small", "tall", "wide", "medium", "large", "update", "block"};
  char path[] = "/tmp/lesson10-XXXXXX";
  clContext *context = NULL;
  int handle = mkstemp(path);
  FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
  lessonExpect(file, "there is room for a tuning table");
  for (int k = 0; file && k < 7; k++)
    fprintf(file, "dense.product.%s %d\n", size[k], variant);
  if (file)
    fclose(file);
  OK(clContextCreate(&context, &(clContextOptions){.elements = 512 * 512, .tuning = path}, NULL));
  unlink(path);
  return context;
}

/* Billions of operations a second: the best of three rounds. */
static double rate(clContext *context, int way, const float *a, const float *b, int n) {
  double least = INFINITY;
  Own own = {0};
  Theirs theirs = {0};
  if (way < 3)
    own = ownCreate(context, way, a, b, n);
  else
    theirs = theirsCreate(context, a, b, n);
  /* the first one compiles */
  for (int round = 0; round < 4; round++) {
    double begin = lessonSeconds();
    for (int k = 0; k < LARGEST / n; k++) {
      if (way < 3)
        ownRun(&own);
      else
        theirsRun(&theirs, way == PASSES);
      /* or a renderer might leave out what is painted over (lesson 16) */
      OK(clContextSynchronize(context));
    }
    if (round)
      least = fmin(least, (lessonSeconds() - begin) / (LARGEST / n));
  }
  if (way < 3)
    ownDestroy(&own);
  else
    theirsDestroy(&theirs);
  return 2e-9 * n * n * n / least;
}

/* All ways and sizes, as a table and as curves. */
static void measure(clContext *context, const float *a, const float *b) {
  static const char *const name[WAYS] = {"naive, one number a texel", "packed, one texel",
                                         "tiled, 2 x 2 texels",       "the library's, 4 x 2 texels",
                                         "the library's, slabs",      "library's, 64 terms a pass"};
  double found[WAYS][SIZES];
  clContext *device[WAYS] = {context, context, context, contextWith(8), contextWith(10), context};
  printf("\n%-28s", "GFLOP/s");
  for (int k = 0; k < SIZES; k++)
    printf("  n = %-4d", 64 << k);
  printf("\n");
  for (int way = 0; way < WAYS; way++) {
    printf("%-28s", name[way]);
    for (int k = 0; k < SIZES; k++) {
      found[way][k] = rate(device[way], way, a, b, 64 << k);
      printf("  %8.2f", found[way][k]);
    }
    printf("\n");
  }
  lessonCurves("rates", "GFLOP/s over n", "64", "512",
               (LessonCurve[]){{"naive", found[0], SIZES},
                               {"packed", found[1], SIZES},
                               {"tiled", found[2], SIZES},
                               {"library 4 x 2", found[3], SIZES},
                               {"slabs", found[4], SIZES},
                               {"passes", found[5], SIZES}},
               WAYS);
  clContextDestroy(device[3]);
  clContextDestroy(device[4]);
}

int main(int argc, char **argv) {
  static const char *const text[] = {"one number a texel", "one texel", "2 x 2 texels"};
  static float a[LARGEST * LARGEST], b[LARGEST * LARGEST], library[N * N];
  clContext *context = lessonBegin(argc, argv);
  /* Small integers, so that sums are exact in any order. */
  for (int i = 0; i < LARGEST * LARGEST; i++) {
    a[i] = (float)((i * 7 + i / N) % 9 - 4);
    b[i] = (float)((i * 5 + i / N * 3) % 11 - 5);
  }
  /* Each of our kernels against a loop, then the library's layout against ours. */
  float corner = 0;
  for (int way = 0; way < 3; way++) {
    Own own = ownCreate(context, way, a, b, N);
    ownRun(&own);
    int count = wrong(&own, way, a, b, N);
    printf("a fragment owns %-18s: %d of %d entries differ from a loop's\n", text[way], count,
           N * N);
    lessonExpect(count == 0, "integers multiply exactly");
    if (way == 1) {
      OK(clVectorDownload(own.C[0], room));
      corner = room[3];
    }
    ownDestroy(&own);
  }
  Theirs theirs = theirsCreate(context, a, b, N);
  theirsRun(&theirs, false);
  OK(clDenseDownload(theirs.C, library, N));
  theirsDestroy(&theirs);
  lessonExpect(library[N + 1] == corner,
               "the library has the same row 1, column 1 in lane 3 of texel 0");
  lessonField("A", a, N, N, TEXLA_COLORMAP_DIVERGING, -5, 5);
  lessonField("B", b, N, N, TEXLA_COLORMAP_DIVERGING, -5, 5);
  lessonField("C", library, N, N, TEXLA_COLORMAP_DIVERGING, 0, 0);
  measure(context, a, b);
  return lessonEnd();
}
