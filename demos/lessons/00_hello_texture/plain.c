/* Lesson 0 without texla: OpenGL 3.3, GLEW and GLFW, and nothing else. Twelve numbers go into a
 * texture, a triangle that covers three texels doubles them, and they come back. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, TEXELS = N / 4 };

/* One triangle with its corners at (-1, -1), (3, -1) and (-1, 3) covers all of the target, which
 * reaches from -1 to 1. No vertex buffer is needed: the corner's number tells where it is. */
static const char vertex_text[] =
    "#version 330 core\n"
    "void main() {\n"
    "  vec2 corner = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);\n"
    "  gl_Position = vec4(corner, 0., 1.);\n"
    "}\n";

/* The fragment shader: gl_FragCoord tells which texel of the target it computes. */
static const char fragment_text[] = "#version 330 core\n"
                                    "uniform sampler2D x;\n"
                                    "out vec4 y;\n"
                                    "void main() {\n"
                                    "  y = 2. * texelFetch(x, ivec2(gl_FragCoord.xy), 0);\n"
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

/* Vertex and fragment shader together; they are linked as object files are. */
static GLuint program(void) {
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

/* Four floats to a texel; `values` may be NULL. Without the two parameters OpenGL expects smaller
 * copies of the texture (mipmaps), and where there are none reads are black. */
static GLuint texture(const float *values) {
  GLuint name;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TEXELS, 1, 0, GL_RGBA, GL_FLOAT, values);
  return name;
}

/* A framebuffer tells into which texture is rendered. */
static void renderTo(GLuint target) {
  GLuint framebuffer;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    fail("this device cannot render to textures of floats");
  glViewport(0, 0, TEXELS, 1);
}

/* Four numbers between two bars are a texel. */
static void print(const char *name, const float *values) {
  printf("%s =", name);
  for (int i = 0; i < N; i++)
    printf("%s%3.0f", i % 4 ? " " : " |", (double)values[i]);
  printf(" |\n");
}

int main(void) {
  float before[N], after[N];
  GLuint no_vertices;
  for (int i = 0; i < N; i++)
    before[i] = (float)i;
  openDevice();
  GLuint x = texture(before), y = texture(NULL);

  /* The pass: a program, its source, its target, a shape. */
  glUseProgram(program());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, x);
  renderTo(y);
  glGenVertexArrays(1, &no_vertices);
  glBindVertexArray(no_vertices);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  glReadPixels(0, 0, TEXELS, 1, GL_RGBA, GL_FLOAT, after);
  print("x", before);
  print("y", after);
  if (glGetError())
    fail("OpenGL has found an error");
  glfwTerminate();
  return 0;
}
