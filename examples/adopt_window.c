/* A wave in a window of one's own: texla adopts the window's OpenGL context, and the window draws
 * from the texture in which the heights live. Nothing is read back. adopt_window [FRAMES]: closes
 * after so many frames; without, when the window is closed. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>

#include <texla/sim.h>

enum { SIDE = 256 };

static const char vertex[] =
    "#version 330\n"
    "out vec2 at;\n"
    "void main() {\n"
    "  at = vec2(gl_VertexID == 1 ? 2. : 0., gl_VertexID == 2 ? 2. : 0.);\n"
    "  gl_Position = vec4(2. * at - 1., 0., 1.);\n"
    "}\n";

/* Four elements of a grid row share a texel. */
static const char fragment[] =
    "#version 330\n"
    "uniform sampler2D heights;\n"
    "uniform int side;\n"
    "in vec2 at;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "  ivec2 element = min(ivec2(at * float(side)), ivec2(side - 1));\n"
    "  float h = texelFetch(heights, ivec2(element.x / 4, element.y), 0)[element.x % 4];\n"
    "  colour = vec4(mix(vec3(.1, .25, .5), vec3(.9, .95, 1.), clamp(.5 + 2. * h, 0., 1.)), 1.);\n"
    "}\n";

static GLuint shaderOf(GLenum kind, const char *source) {
  GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  return shader;
}

static GLuint createProgram(void) {
  GLuint program = glCreateProgram();
  glAttachShader(program, shaderOf(GL_VERTEX_SHADER, vertex));
  glAttachShader(program, shaderOf(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program);
  return program;
}

static GLFWwindow *openWindow(void) {
  if (!glfwInit())
    return NULL;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow *window = glfwCreateWindow(2 * SIDE, 2 * SIDE, "texla in a window", NULL, NULL);
  if (window)
    glfwMakeContextCurrent(window);
  return window;
}

static clStatus draw(GLFWwindow *window, GLuint program, const clVector *heights) {
  int width, height;
  clVectorView view;
  /* another texture after every step */
  clStatus status = clVectorTexture(&view, heights);
  if (status)
    return status;
  glfwGetFramebufferSize(window, &width, &height);
  glViewport(0, 0, width, height);
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "side"), SIDE);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, view.name);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glfwSwapBuffers(window);
  glfwPollEvents();
  return TEXLA_OK;
}

static clStatus animate(GLFWwindow *window, clContext *context, int frames) {
  clWave *wave = NULL;
  GLuint program = createProgram(), array;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  clStatus status = clWaveCreate(&wave, context, &(clWaveOptions){.nx = SIDE, .ny = SIDE});
  if (!status)
    status = clWaveDrop(wave, 0.3, 0.6, 0.03, 1);
  for (int k = 0; !status && (frames == 0 || k < frames) && !glfwWindowShouldClose(window); k++) {
    status = clWaveStep(wave, 2);
    if (!status)
      status = draw(window, program, clWaveHeight(wave));
  }
  clWaveDestroy(wave);
  glDeleteVertexArrays(1, &array);
  glDeleteProgram(program);
  return status;
}

int main(int argc, char **argv) {
  GLFWwindow *window = openWindow();
  clContext *context = NULL;
  clError error = {0};
  if (!window)
    return fprintf(stderr, "no window\n"), 2;
  if (clContextCreate(&context, &(clContextOptions){.adopt = true}, &error))
    return fprintf(stderr, "%s\n", error.message), 2;
  clStatus status = animate(window, context, argc > 1 ? atoi(argv[1]) : 0);
  if (status)
    fprintf(stderr, "%s\n", clContextError(context)->message);
  else
    printf("%lld read-backs\n", (long long)clContextStatistics(context).readbacks);
  /* before the window that it lives in */
  clContextDestroy(context);
  glfwTerminate();
  return status ? 1 : 0;
}
