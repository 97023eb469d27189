/* Lesson 2 without texla: heat spreads over a plate. Two textures change roles after each pass. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>

/* The plate has SIDE x SIDE points. */
enum { SIDE = 96, STEPS = 1500 };

/* One triangle with its corners at (-1, -1), (3, -1) and (-1, 3) covers all of the target, which
 * reaches from -1 to 1. No vertex buffer is needed: the corner's number tells where it is. */
static const char vertex_text[] =
    "#version 330 core\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);\n"
    "  gl_Position = vec4(corner, 0., 1.);\n"
    "}\n";

/* texelFetch beyond the texture is undefined, so the cold edge is asked for. */
static const char heat[] =
    "#version 330 core\n"
    "uniform sampler2D u;\n"
    "out float result;\n"
    "float at(ivec2 p) {\n"
    "  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, textureSize(u, 0)));\n"
    "  return inside ? texelFetch(u, p, 0).r : 0.;\n"
    "}\n"
    "void main() {\n"
    "  ivec2 p = ivec2(gl_FragCoord.xy);\n"
    "  float around = at(p - ivec2(1, 0)) + at(p + ivec2(1, 0))\n"
    "                 + at(p - ivec2(0, 1)) + at(p + ivec2(0, 1));\n"
    "  result = at(p) + 0.2 * (around - 4. * at(p));\n"
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

/* Hot (1) within a T, cold (0) elsewhere. */
static void letterT(float *u) {
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      u[j * SIDE + i] =
          (j > 60 && j < 75 && i > 20 && i < 76) || (j > 20 && j < 75 && i > 40 && i < 56);
}

/* All heat on the plate. */
static double sum(const float *u) {
  double total = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    total += (double)u[i];
  return total;
}

int main(void) {
  static float u[SIDE * SIDE];
  GLuint no_vertices;
  openDevice();
  glGenVertexArrays(1, &no_vertices);
  glBindVertexArray(no_vertices);
  letterT(u);
  double before = sum(u);
  image now = newImage(SIDE, SIDE, u), next = newImage(SIDE, SIDE, NULL);
  glUseProgram(program(heat));
  for (int step = 0; step < STEPS; step++) {
    /* What is rendered must not be what is read: they change roles. */
    draw(next, now);
    image swap = now;
    now = next;
    next = swap;
  }
  download(now, u);
  printf("%d steps; heat on the plate: %.1f before, %.1f after: the cold edge took the rest\n",
         STEPS, before, sum(u));
  if (glGetError())
    fail("OpenGL has found an error");
  glfwTerminate();
  return 0;
}
