/* Sources of shaders and what they include, flat uniforms, and what compilers say of them: the
 * first byte chooses, up to a byte 1 it is the source, which can include itself as "99", and after
 * it the compiler's words. OpenGL's functions for shaders are replaced by ones that only look. */
#define _GNU_SOURCE
#include "gl/gl.h"

#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <unistd.h>

/* the compiler's */
static const char *words;

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {
      "1#include \"include/df64.glsl\"\n\nuniform vec2 size;\nvec4 kernel() { return vec4(size, "
      "1., 2.); }\n\1"
      "0:12(3): error: no\nERROR: 0:100002: what?\n0(7) : error C0000: syntax\n",
      "0 #include \"99\"\n\t#include\"include/pass.glsl\"\n#include \"nothing.glsl\"\n",
      "1uniform float a[3], b;\nuniform int c; // \"\n/* uniform vec4 d; */ vec4 kernel() { return "
      "a[0] + b + c; "
      "}\1\n\n",
      "", NULL};
  (void)size;
  return seeds[k];
}

static GLuint GLAPIENTRY createShader(GLenum type) {
  return type == GL_FRAGMENT_SHADER ? 1 : 2;
}

static void GLAPIENTRY shaderSource(GLuint shader, GLsizei count, const GLchar *const *text,
                                    const GLint *length) {
  size_t n = 0;
  (void)shader;
  for (GLsizei k = 0; k < count; k++)
    n += strlen(text[k]);
  fuzzAssert(n > 0 && !length);
}

static void GLAPIENTRY nothing(GLuint shader) {
  (void)shader;
}

static GLuint GLAPIENTRY createProgram(void) {
  return 3;
}

static void GLAPIENTRY attachShader(GLuint program, GLuint shader) {
  (void)program, (void)shader;
}

/* It does not link, since its fragment shader does not compile. */
static void GLAPIENTRY programStatus(GLuint program, GLenum name, GLint *value) {
  (void)program, (void)name;
  *value = GL_FALSE;
}

static void GLAPIENTRY shaderStatus(GLuint shader, GLenum name, GLint *value) {
  *value = name == GL_COMPILE_STATUS && shader == 1 ? GL_FALSE : GL_TRUE;
}

static void GLAPIENTRY shaderLog(GLuint shader, GLsizei capacity, GLsizei *length, GLchar *log) {
  (void)shader, (void)length;
  snprintf(log, (size_t)capacity, "%s", words);
}

static void replaceOpenGl(void) {
  glCreateShader = createShader;
  glShaderSource = shaderSource;
  glCompileShader = nothing;
  glDeleteShader = nothing;
  glDeleteProgram = nothing;
  glCreateProgram = createProgram;
  glAttachShader = attachShader;
  glLinkProgram = nothing;
  glGetProgramiv = programStatus;
  glGetShaderiv = shaderStatus;
  glGetShaderInfoLog = shaderLog;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clContext *context = calloc(1, sizeof *context);
  char *text = fuzzText(data, size), *source = *text ? text + 1 : text, *end = strchr(source, '\1');
  const txShaderProgram *program = NULL;
  fuzzAssert(context);
  replaceOpenGl();
  words = end ? end + 1 : "";
  if (end)
    *end = 0;
  int file = open(fuzzFile(source, strlen(source)), O_RDONLY | O_CLOEXEC);
  fuzzAssert(file >= 0 && dup2(file, 99) == 99);
  context->traits.flat_uniforms = *text & 1;
  context->shader_dir = strdup("/proc/self/fd");
  const txPass pass = {.kernel = "fuzz", .source_text = source};
  clStatus status = txProgramFind(context, "clKernelCreate", &pass, &program);
  fuzzAssert(status < 0 && !program && !context->programs &&
             strncmp(context->error.message, "clKernelCreate: ", 16) == 0);
  txProgramsDestroy(context);
  close(file);
  free(context->shader_dir);
  free(context);
  free(text);
  return 0;
}
