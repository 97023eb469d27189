/* The shaders of shaders/, embedded as they are by the build (cmake/embed_shader.cmake); #include
 * lines are resolved at run time. */
#ifndef TEXLA_GL_SHADER_FILES_H
#define TEXLA_GL_SHADER_FILES_H

typedef struct txShaderFile {
  /* relative to shaders/: "vector/add.frag", "include/layout.glsl" */
  const char *name;
  /* NUL-terminated */
  const char *text;
} txShaderFile;

extern const txShaderFile txShaderFiles[];
extern const int txShaderFileCount;

#endif
