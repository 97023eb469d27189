/* The shaders of shaders/, as the build embeds them; #include lines are resolved at run time. Names
 * are relative to shaders/: "vector/add.frag", "include/layout.glsl". */
#ifndef TEXLA_GL_SHADER_FILES_H
#define TEXLA_GL_SHADER_FILES_H

#include "platform/companion.h"
#include "core/embedded.h"
#include "texla/context.h"

/* The library's own. */
extern const txEmbedded txShaderFiles[];

/* Libraries that stand on this one have tables of their own, at most so many in a context. From
 * this call on it finds their shaders as it does its own; a second call with the same table
 * changes nothing. The table must outlive the context. */
enum { TX_SHADER_TABLES = 4 };
TX_COMPANION void txShadersAdd(clContext *context, const txEmbedded *table);

#endif
