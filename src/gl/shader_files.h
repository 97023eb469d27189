/* The shaders of shaders/, those of the companion libraries among them, as the build embeds them;
 * #include lines are resolved at run time. Names are relative to shaders/: "vector/add.frag",
 * "include/layout.glsl". */
#ifndef TEXLA_GL_SHADER_FILES_H
#define TEXLA_GL_SHADER_FILES_H

#include "core/embedded.h"

extern const txEmbedded txShaderFiles[];

#endif
