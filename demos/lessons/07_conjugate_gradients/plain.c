/* Lesson 7 without texla: conjugate gradients; nothing is read back before the end. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Poisson's equation on SIDE x SIDE points. */
enum { SIDE = 64, N = SIDE * SIDE, STEPS = 200 };

/* One triangle with its corners at (-1, -1), (3, -1) and (-1, 3) covers all of the target, which
 * reaches from -1 to 1. No vertex buffer is needed: the corner's number tells where it is. */
static const char vertex_text[] =
    "#version 330 core\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);\n"
    "  gl_Position = vec4(corner, 0., 1.);\n"
    "}\n";

/* All fragment shaders begin so; a source is one of three textures, a scalar one of 1 x 1. */
#define BEGIN                                                                                      \
  "#version 330 core\n"                                                                            \
  "uniform sampler2D a, b, s;\n"                                                                   \
  "uniform float sign;\n"                                                                          \
  "out float result;\n"                                                                            \
  "float at(sampler2D t, ivec2 p) {\n"                                                             \
  "  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, textureSize(t, 0)));\n"   \
  "  return inside ? texelFetch(t, p, 0).r : 0.;\n"                                                \
  "}\n"                                                                                            \
  "void main() {\n"                                                                                \
  "  ivec2 p = ivec2(gl_FragCoord.xy);\n"

/* The five-point matrix: 4 in the middle, -1 for the neighbours, zero beyond the edge. */
static const char laplace[] = BEGIN "  result = 4. * at(a, p) - at(a, p - ivec2(1, 0))\n"
                                    "           - at(a, p + ivec2(1, 0)) - at(a, p - ivec2(0, 1))\n"
                                    "           - at(a, p + ivec2(0, 1));\n}\n";
/* Element by element: the first half of a dot product. */
static const char multiply[] = BEGIN "  result = at(a, p) * at(b, p);\n}\n";
/* a + sign s b, with the scalar s from a texture. */
static const char axpy[] = BEGIN "  result = at(a, p) + sign * at(s, ivec2(0)) * at(b, p);\n}\n";
/* 0 where the denominator is: after convergence nothing becomes NaN. */
static const char divide[] = BEGIN "  float d = at(b, p);\n"
                                   "  result = d == 0. ? 0. : at(a, p) / d;\n}\n";
/* Four neighbouring numbers become their sum: the second half, some times in a row. */
static const char add[] =
    BEGIN "  p *= 2;\n"
          "  result = (at(a, p) + at(a, p + ivec2(1, 0)))\n"
          "           + (at(a, p + ivec2(0, 1)) + at(a, p + ivec2(1, 1)));\n}\n";

/* Nothing here can go on after a failure. */
static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* A context of OpenGL belongs to a window, even to one that nobody sees. */
static void openDevice(void) {
  if (!glfwInit())
    fail("no display");
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow *window = glfwCreateWindow(16, 16, "", NULL, NULL);
  if (!window)
    fail("no OpenGL 3.3");
  glfwMakeContextCurrent(window);
  glewExperimental = GL_TRUE;
  if (glewInit() != GLEW_OK)
    fail("GLEW finds no functions");
}

/* Drivers compile at run time, and tell mistakes as a text. */
static GLuint shader(GLenum kind, const char *text) {
  GLuint name = glCreateShader(kind);
  GLint compiled;
  char message[1000];
  glShaderSource(name, 1, &text, NULL);
  glCompileShader(name);
  glGetShaderiv(name, GL_COMPILE_STATUS, &compiled);
  glGetShaderInfoLog(name, sizeof message, NULL, message);
  if (!compiled)
    fail(message);
  return name;
}

/* Samplers are numbers of texture units: a, b and s are units 0, 1 and 2. */
static GLuint program(const char *fragment_text) {
  GLuint name = glCreateProgram();
  GLint linked;
  glAttachShader(name, shader(GL_VERTEX_SHADER, vertex_text));
  glAttachShader(name, shader(GL_FRAGMENT_SHADER, fragment_text));
  glLinkProgram(name);
  glGetProgramiv(name, GL_LINK_STATUS, &linked);
  if (!linked)
    fail("the program does not link");
  glUseProgram(name);
  glUniform1i(glGetUniformLocation(name, "a"), 0);
  glUniform1i(glGetUniformLocation(name, "b"), 1);
  glUniform1i(glGetUniformLocation(name, "s"), 2);
  return name;
}

/* A texture of floats, and the framebuffer that renders to it. */
typedef struct image {
  GLuint texture, framebuffer;
  int width, height;
} image;

/* One number to a texel, so that a neighbour is a texel; `values` may be NULL. */
static image newImage(int width, int height, const float *values) {
  image m = {.width = width, .height = height};
  glGenTextures(1, &m.texture);
  glBindTexture(GL_TEXTURE_2D, m.texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, values);
  glGenFramebuffers(1, &m.framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, m.framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m.texture, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    fail("this device cannot render to textures of floats");
  return m;
}

/* One pass: target <- the program's formula of a, b and the scalar s. */
static void draw(GLuint name, image target, image a, image b, image s, float sign) {
  const image source[] = {a, b, s};
  glUseProgram(name);
  glUniform1f(glGetUniformLocation(name, "sign"), sign);
  for (GLuint k = 0; k < 3; k++) {
    glActiveTexture(GL_TEXTURE0 + k);
    glBindTexture(GL_TEXTURE_2D, source[k].texture);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* The five programs, and textures for sums and updates. */
static GLuint A, times, plus, over, tree;
static image half[7], spare;

/* s <- x . y: products, then sums of 2 x 2 until one texel is left. */
static void dot(image s, image x, image y) {
  draw(times, half[0], x, y, x, 1);
  for (int k = 1; k < 6; k++)
    draw(tree, half[k], half[k - 1], half[k - 1], half[k - 1], 1);
  draw(tree, s, half[5], half[5], half[5], 1);
}

/* x <- y + sign s z, where x may be y or z: it is rendered into the spare texture. */
static void update(image *x, image y, float sign, image s, image z) {
  draw(plus, spare, y, z, s, sign);
  image swap = *x;
  *x = spare;
  spare = swap;
}

int main(void) {
  static float value[N], x_host[N];
  GLuint no_vertices;
  openDevice();
  glGenVertexArrays(1, &no_vertices);
  glBindVertexArray(no_vertices);
  value[20 * SIDE + 16] = 1;
  value[44 * SIDE + 44] = -.7f;
  image x = newImage(SIDE, SIDE, x_host), r = newImage(SIDE, SIDE, value),
        p = newImage(SIDE, SIDE, value), q = newImage(SIDE, SIDE, NULL);
  image rr = newImage(1, 1, NULL), old = newImage(1, 1, NULL), pq = newImage(1, 1, NULL),
        alpha = newImage(1, 1, NULL), beta = newImage(1, 1, NULL);
  for (int k = 0; k < 7; k++)
    half[k] = newImage(SIDE >> k, SIDE >> k, NULL);
  spare = newImage(SIDE, SIDE, NULL);
  A = program(laplace), times = program(multiply), plus = program(axpy);
  over = program(divide), tree = program(add);

  dot(rr, r, r);
  for (int k = 0; k < STEPS; k++) {
    /* As in lesson 7: q = A p, alpha = r.r / p.q, x += alpha p, r -= alpha q, beta, p = r + beta
     * p. */
    draw(A, q, p, p, p, 1);
    dot(pq, p, q);
    draw(over, alpha, rr, pq, pq, 1);
    update(&x, x, 1, alpha, p);
    update(&r, r, -1, alpha, q);
    image swap = old;
    old = rr;
    rr = swap;
    dot(rr, r, r);
    draw(over, beta, rr, old, old, 1);
    update(&p, r, 1, beta, p);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, x.framebuffer);
  glReadPixels(0, 0, SIDE, SIDE, GL_RED, GL_FLOAT, x_host);
  /* b - A x on the host, in double. */
  double residual = 0;
  for (int i = 0; i < N; i++) {
    int column = i % SIDE, row = i / SIDE;
    double e = (double)value[i] - 4 * (double)x_host[i];
    e += column > 0 ? (double)x_host[i - 1] : 0;
    e += column < SIDE - 1 ? (double)x_host[i + 1] : 0;
    e += row > 0 ? (double)x_host[i - SIDE] : 0;
    e += row < SIDE - 1 ? (double)x_host[i + SIDE] : 0;
    residual += e * e;
  }
  printf("%d steps, true residual ||b - A x|| / ||b|| = %.1e, computed in double\n", STEPS,
         sqrt(residual / 1.49));
  if (glGetError())
    fail("OpenGL has found an error");
  glfwTerminate();
  return 0;
}
