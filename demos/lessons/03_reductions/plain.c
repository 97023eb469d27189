/* Lesson 3 without texla: a million numbers are added by a tree of passes. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Each pass makes one texel of BLOCK x BLOCK. */
enum { SIDE = 1024, N = SIDE * SIDE, BLOCK = 4 };

/* One triangle with its corners at (-1, -1), (3, -1) and (-1, 3) covers all of the target, which
 * reaches from -1 to 1. No vertex buffer is needed: the corner's number tells where it is. */
static const char vertex_text[] =
    "#version 330 core\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);\n"
    "  gl_Position = vec4(corner, 0., 1.);\n"
    "}\n";

/* Each fragment adds up 4 x 4 texels. Pairs are added first, so that no number is added to a sum
 * that is much larger. */
static const char add[] =
    "#version 330 core\n"
    "uniform sampler2D x;\n"
    "out float result;\n"
    "float two(ivec2 p) {\n"
    "  return texelFetch(x, p, 0).r + texelFetch(x, p + ivec2(1, 0), 0).r;\n"
    "}\n"
    "float row(ivec2 p) {\n"
    "  return two(p) + two(p + ivec2(2, 0));\n"
    "}\n"
    "void main() {\n"
    "  ivec2 p = 4 * ivec2(gl_FragCoord.xy);\n"
    "  result = (row(p) + row(p + ivec2(0, 1))) + (row(p + ivec2(0, 2)) + row(p + ivec2(0, 3)));\n"
    "}\n";

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

/* The same vertex shader with each fragment shader. */
static GLuint program(const char *fragment_text) {
  GLuint name = glCreateProgram();
  GLint linked;
  glAttachShader(name, shader(GL_VERTEX_SHADER, vertex_text));
  glAttachShader(name, shader(GL_FRAGMENT_SHADER, fragment_text));
  glLinkProgram(name);
  glGetProgramiv(name, GL_LINK_STATUS, &linked);
  if (!linked)
    fail("the program does not link");
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

/* One pass: `target` <- the program that is in use, of `source`. */
static void draw(image target, image source) {
  glBindTexture(GL_TEXTURE_2D, source.texture);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Waits for all that was drawn. */
static void download(image m, float *values) {
  glBindFramebuffer(GL_FRAMEBUFFER, m.framebuffer);
  glReadPixels(0, 0, m.width, m.height, GL_RED, GL_FLOAT, values);
}

int main(void) {
  static float value[N];
  GLuint no_vertices;
  openDevice();
  glGenVertexArrays(1, &no_vertices);
  glBindVertexArray(no_vertices);
  /* The same number everywhere, so that the exact sum is known. */
  float in_turn = 0, tree;
  for (int i = 0; i < N; i++) {
    value[i] = 0.1f;
    in_turn += value[i];
  }
  image level = newImage(SIDE, SIDE, value);
  glUseProgram(program(add));
  /* 1024, 256, 64, 16, 4, 1: five passes add a million numbers. */
  while (level.width > 1) {
    image sums = newImage(level.width / BLOCK, level.height / BLOCK, NULL);
    draw(sums, level);
    printf("%4d x %-4d texels become %3d x %d\n", level.width, level.height, sums.width,
           sums.height);
    level = sums;
  }
  download(level, &tree);
  double exact = N * (double)0.1f;
  printf("exact %.2f, in turn %.2f (error %.1e), by a tree %.2f (error %.1e)\n", exact,
         (double)in_turn, fabs((double)in_turn - exact) / exact, (double)tree,
         fabs((double)tree - exact) / exact);
  if (glGetError())
    fail("OpenGL has found an error");
  glfwTerminate();
  return 0;
}
