/* Lesson 18: six mistakes, each made on purpose, seen in a number, and mended. Two of them texla
 * does not allow: these are made in plain OpenGL, in texla's own context. */
#include <GL/glew.h>
#include "lesson.h"

/* All pictures have SIDE x SIDE numbers. */
enum { SIDE = 64, N = SIDE * SIDE };

/* A hot letter on a cold plate. */
static void letter(float *u) {
  for (int k = 0; k < N; k++) {
    int i = k % SIDE, j = k / SIDE;
    u[k] = (j > 36 && j < 46 && i > 18 && i < 46) || (j > 18 && j < 46 && i > 28 && i < 36);
  }
}

/* side x side numbers, zeros without values. */
static clVector *grid(clContext *context, int side, const float *values) {
  clVector *x;
  OK(clVectorCreateGrid(&x, context, side, side));
  if (values)
    OK(clVectorUpload(x, values));
  return x;
}

/* y <- the kernel of x */
static void apply(clContext *context, const char *name, const char *text, clVector *y,
                  const clVector *x) {
  clKernel *kernel;
  OK(clKernelCreate(&kernel, context, name, text));
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {y}, .input = {{"x", x, true}}}));
  clKernelDestroy(kernel);
}

/* The sum, read back. */
static float sum(clContext *context, const clVector *x) {
  clFloat *s;
  float value;
  OK(clFloatCreate(&s, context));
  OK(clVectorSum(s, x));
  OK(clFloatDownload(s, &value));
  clFloatDestroy(s);
  return value;
}

/* ---- plain OpenGL: a texture, a program, a pass */

/* One number to a texel, in the format that is asked for. */
static GLuint newTexture(GLint format, const float *values) {
  GLuint name;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, format, SIDE, SIDE, 0, GL_RED, GL_FLOAT, values);
  return name;
}

/* A triangle that covers the target, and this fragment shader. What does not compile draws
 * nothing. */
static GLuint newProgram(const char *fragment) {
  static const char *corners =
      "#version 330 core\n"
      "void main() {\n"
      "  vec2 corner = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);\n"
      "  gl_Position = vec4(corner, 0., 1.);\n"
      "}\n";
  GLuint program = glCreateProgram(),
         stage[2] = {glCreateShader(GL_VERTEX_SHADER), glCreateShader(GL_FRAGMENT_SHADER)};
  for (int k = 0; k < 2; k++) {
    glShaderSource(stage[k], 1, k ? &fragment : &corners, NULL);
    glCompileShader(stage[k]);
    glAttachShader(program, stage[k]);
    glDeleteShader(stage[k]);
  }
  glLinkProgram(program);
  return program;
}

/* target <- program of source; nobody checks whether they are the same. OpenGL draws nothing
 * without an array of vertices, even of none. */
static void draw(GLuint program, GLuint target, GLuint source) {
  GLint old[3];
  GLuint framebuffer, vertices;
  glGetIntegerv(GL_CURRENT_PROGRAM, &old[0]);
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &old[1]);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &old[2]);
  glGenVertexArrays(1, &vertices);
  glBindVertexArray(vertices);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, source);
  glUseProgram(program);
  glViewport(0, 0, SIDE, SIDE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram((GLuint)old[0]);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)old[1]);
  glBindVertexArray((GLuint)old[2]);
  glDeleteVertexArrays(1, &vertices);
  glDeleteFramebuffers(1, &framebuffer);
}

/* In rows, as it was written. */
static void readTexture(GLuint texture, float *values) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, values);
}

/* ---- 1: one texture is read and written */

/* Each number goes one place to the right: in plain OpenGL, and as a kernel of texla. */
static const char move_plain[] = "#version 330 core\n"
                                 "uniform sampler2D u;\n"
                                 "out float result;\n"
                                 "void main() {\n"
                                 "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
                                 "  result = p.x == 0 ? 0. : texelFetch(u, p - ivec2(1, 0), 0).r;\n"
                                 "}\n";
static const char move[] = "uniform sampler2D x;\n"
                           "vec4 kernel() { return neighbours(x, -1, 0); }\n";

/* How many numbers are not the same. */
static int differing(const float *a, const float *b) {
  int count = 0;
  for (int k = 0; k < N; k++)
    count += a[k] != b[k];
  return count;
}

/* Ten times: everything moves one place to the right. */
static void oneTexture(clContext *context) {
  static float u[N], wanted[N], got[N];
  letter(u);
  for (int k = 0; k < N; k++)
    wanted[k] = k % SIDE < 10 ? 0 : u[k - 10];
  GLuint program = newProgram(move_plain), texture = newTexture(GL_R32F, u);
  for (int step = 0; step < 10; step++)
    draw(program, texture, texture);
  readTexture(texture, got);
  printf("1  one texture, read and written: %d of %d numbers are wrong\n", differing(got, wanted),
         N);
  lessonField("one-texture", got, SIDE, SIDE, TEXLA_COLORMAP_MAGMA, 0, 1);
  glDeleteTextures(1, &texture);
  glDeleteProgram(program);

  clVector *x = grid(context, SIDE, u);
  for (int step = 0; step < 10; step++)
    apply(context, "move", move, x, x);
  OK(clVectorDownload(x, got));
  printf("   ping-pong: %d are wrong\n", differing(got, wanted));
  lessonExpect(differing(got, wanted) == 0, "ping-pong moves the picture");
  lessonField("two-textures", got, SIDE, SIDE, TEXLA_COLORMAP_MAGMA, 0, 1);
  clVectorDestroy(x);
}

/* ---- 2: an offset is missing */

/* A copy from `place`, which should be where the middle begins. */
#define MIDDLE(place)                                                                              \
  "uniform sampler2D x;\n"                                                                         \
  "vec4 kernel() {\n"                                                                              \
  "  ivec2 p = ivec2(gl_FragCoord.xy);\n"                                                          \
  "  return texelFetch(x, " place ", 0);\n"                                                        \
  "}\n"

/* The middle of the picture, 32 x 32 of 64 x 64 numbers: it begins 4 texels to the right and 16
 * rows up. All heat is in there. */
static void missingOffset(clContext *context) {
  static float u[N];
  letter(u);
  clVector *x = grid(context, SIDE, u), *wrong = grid(context, SIDE / 2, NULL), *right;
  OK(clVectorCreateLike(&right, wrong));
  apply(context, "middle_wrong", MIDDLE("p"), wrong, x);
  apply(context, "middle", MIDDLE("p + ivec2(4, 16)"), right, x);
  double all = (double)sum(context, x);
  printf("2  heat: %.0f; in the middle, without the offset: %.0f, with it: %.0f\n", all,
         (double)sum(context, wrong), (double)sum(context, right));
  lessonExpect((double)sum(context, right) == all, "all heat is in the middle");
  lessonExpect((double)sum(context, wrong) < all, "it is not in the corner");
  lessonPicture("corner", wrong, SIDE / 2, TEXLA_COLORMAP_MAGMA, 0, 1);
  lessonPicture("middle", right, SIDE / 2, TEXLA_COLORMAP_MAGMA, 0, 1);
  clVectorDestroy(x);
  clVectorDestroy(wrong);
  clVectorDestroy(right);
}

/* ---- 3: a clear is forgotten */

/* total <- total + x, four times; returns the mean of the last element. */
static float average(clVector *total, const clVector *x) {
  float value[N];
  for (int k = 0; k < 4; k++)
    OK(clVectorAxpy(total, .25f, NULL, x));
  OK(clVectorDownload(total, value));
  return value[N - 1];
}

/* A sum that is added up in place needs zeros to begin with. */
static void forgottenClear(clContext *context) {
  clVector *ones = grid(context, SIDE, NULL), *total = grid(context, SIDE, NULL);
  OK(clVectorFill(ones, 1));
  float first = average(total, ones), second = average(total, ones);
  OK(clVectorClear(total));
  float third = average(total, ones);
  printf("3  the mean of four ones: %g; once more: %g; after a clear: %g\n", (double)first,
         (double)second, (double)third);
  lessonExpect(first == 1 && second == 2 && third == 1, "what was there is added to");
  clVectorDestroy(ones);
  clVectorDestroy(total);
}

/* ---- 4: a target of eight bits */

/* Heat spreads; at the rim a point is its own neighbour, so that none leaves. */
static const char heat[] =
    "#version 330 core\n"
    "uniform sampler2D u;\n"
    "out float result;\n"
    "float at(ivec2 p) { return texelFetch(u, clamp(p, ivec2(0), textureSize(u, 0) - 1), 0).r; }\n"
    "void main() {\n"
    "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "  float around = at(p - ivec2(1, 0)) + at(p + ivec2(1, 0))\n"
    "                 + at(p - ivec2(0, 1)) + at(p + ivec2(0, 1));\n"
    "  result = at(p) + 0.2 * (around - 4. * at(p));\n"
    "}\n";

/* Heat on a plate whose edge lets none out, so that the sum of all stays; what is left of it. */
static double heatLeft(clContext *context, GLint format, const char *name) {
  static float u[N];
  letter(u);
  GLuint program = newProgram(heat), texture[2] = {newTexture(format, u), newTexture(format, NULL)};
  for (int step = 0; step < 2000; step++)
    draw(program, texture[1 - step % 2], texture[step % 2]);
  readTexture(texture[0], u);
  glDeleteTextures(2, texture);
  glDeleteProgram(program);
  clVector *x = grid(context, SIDE, u);
  double left = (double)sum(context, x);
  lessonPicture(name, x, SIDE, TEXLA_COLORMAP_MAGMA, 0, .5f);
  clVectorDestroy(x);
  return left;
}

/* Rounding to 256 steps at each pass loses what is less than half a step. */
static void eightBits(clContext *context) {
  static float u[N];
  double total = 0;
  letter(u);
  for (int k = 0; k < N; k++)
    total += (double)u[k];
  double bytes = heatLeft(context, GL_R8, "bytes"), floats = heatLeft(context, GL_R32F, "floats");
  printf("4  heat: %.0f; after 2000 steps in targets of 8 bits: %.0f, of 32 bits: %.2f\n", total,
         bytes, floats);
  lessonExpect(fabs(floats - total) < 1e-3 * total, "floats keep the heat");
  lessonExpect(fabs(bytes - total) > 1e-2 * total, "bytes do not");
}

/* ---- 5: a NaN that spreads */

/* How many are NaN. */
static int count(const clVector *x) {
  static float value[N];
  int nan = 0;
  OK(clVectorDownload(x, value));
  for (int k = 0; k < N; k++)
    nan += isnan(value[k]) != 0;
  return nan;
}

/* 0 / 0 is NaN; sign(0) is 0. */
static const char direction[] = "uniform sampler2D x;\n"
                                "vec4 kernel() { return texel(x) / abs(texel(x)); }\n";
static const char direction_or_none[] = "uniform sampler2D x;\n"
                                        "vec4 kernel() { return sign(texel(x)); }\n";
static const char smoothed[] = "uniform sampler2D x;\n"
                               "vec4 kernel() {\n"
                               "  return 0.25 * (neighbours(x, 1, 0) + neighbours(x, -1, 0)\n"
                               "                 + neighbours(x, 0, 1) + neighbours(x, 0, -1));\n"
                               "}\n";

/* The sign of x as x / |x|, smoothed some times, and made a vector of length one. */
static void directions(clContext *context, const char *text) {
  static float u[N];
  for (int k = 0; k < N; k++)
    u[k] = (float)(k % SIDE - 20) + .01f * (float)(k / SIDE - 32);
  clVector *x = grid(context, SIDE, u);
  clFloat *norm;
  float length;
  OK(clFloatCreate(&norm, context));
  apply(context, "direction", text, x, x);
  int before = count(x);
  for (int step = 0; step < 10; step++)
    apply(context, "smoothed", smoothed, x, x);
  int after = count(x);
  OK(clVectorNorm(norm, x));
  OK(clFloatDownload(norm, &length));
  OK(clVectorScale(x, 1 / length, NULL, x));
  printf("%d NaN, after ten means %d, after the division by the norm %d\n", before, after,
         count(x));
  lessonExpect(before ? after > before && count(x) == N : count(x) == 0, "NaN spreads to all");
  clFloatDestroy(norm);
  clVectorDestroy(x);
}

/* ---- 6: a compensated sum that the compiler takes apart */

/* Kahan's sum keeps what each addition has lost and adds it to the next term. A compiler that
 * calculates as with real numbers finds that this is always zero. */
static const char in_turn[] = "uniform float term;\n"
                              "vec4 kernel() {\n"
                              "  float s = 0.;\n"
                              "  for (int i = 0; i < 50000; i++)\n"
                              "    s += term;\n"
                              "  return vec4(s, 0., 0., 0.);\n"
                              "}\n";
static const char kahan[] = "uniform float term;\n"
                            "vec4 kernel() {\n"
                            "  float s = 0., lost = 0.;\n"
                            "  for (int i = 0; i < 50000; i++) {\n"
                            "    float y = term - lost, t = s + y;\n"
                            "    lost = (t - s) - y;\n"
                            "    s = t;\n"
                            "  }\n"
                            "  return vec4(s, 0., 0., 0.);\n"
                            "}\n";

/* The same with the sums of df64.glsl, which texla guards as the device needs it. */
static const char guarded[] = "#include \"include/df64.glsl\"\n"
                              "uniform float term;\n"
                              "vec4 kernel() {\n"
                              "  pair s = pair(0., 0.);\n"
                              "  for (int i = 0; i < 50000; i++)\n"
                              "    accumulate(s, pair(term, 0.));\n"
                              "  return vec4(s.hi + s.lo, 0., 0., 0.);\n"
                              "}\n";

/* The relative error of a sum of 50000 terms 0.1. */
static double error(clContext *context, const char *kernel_text) {
  float value[4];
  clVector *x;
  clKernel *kernel;
  OK(clVectorCreate(&x, context, 4));
  OK(clKernelCreate(&kernel, context, "sum", kernel_text));
  OK(clKernelExecute(kernel, &(clKernelRun){.output = {x}, .parameter = {{"term", 1, {.1f}}}}));
  OK(clVectorDownload(x, value));
  clKernelDestroy(kernel);
  clVectorDestroy(x);
  return fabs((double)value[0] / (50000 * (double).1f) - 1);
}

static void compensated(clContext *context) {
  double plain = error(context, in_turn), removed = error(context, kahan);
  double kept = error(context, guarded);
  printf("6  error of a sum: in turn %.1e, compensated %.1e, with a guard %.1e\n", plain, removed,
         kept);
  lessonExpect(kept < 1e-6, "a guard keeps the compensation");
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  oneTexture(context);
  missingOffset(context);
  forgottenClear(context);
  eightBits(context);
  printf("5  x / |x|: ");
  directions(context, direction);
  printf("   sign(x): ");
  directions(context, direction_or_none);
  compensated(context);
  return lessonEnd();
}
