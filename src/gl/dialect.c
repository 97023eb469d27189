/* Shaders are written in OpenGL's GLSL 3.30. OpenGL ES 3.0, which WebGL 2 is, compiles them after a
 * translation of two things:
 * - It indexes arrays of outputs by constants alone. Such an array becomes a variable,
 *
 *       layout(location = 0) out vec4 txOut[N]; vec4 y[N];
 *
 *   and what follows the shader copies it, element by element, into the outputs.
 * - Each vertex shader says how large points are.
 * What the dialect lacks beyond that (## above all), the shaders do without. */
#include "gl/gl.h"
#include "core/allocate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a text that lives elsewhere. */
typedef struct piece {
  const char *at;
  size_t length;
} piece;

/* A growing text. */
typedef struct translation {
  clContext *context;
  const char *call;
  char *text;
  size_t length, capacity;
  /* C's memory is exhausted. */
  clStatus status;
} translation;

static void append(translation *t, const char *text, size_t n) {
  if (t->status)
    return;
  if (t->length + n + 1 > t->capacity) {
    size_t capacity = 2 * (t->length + n) + 4096;
    char *grown = txReallocate(&t->context->error, t->call, t->text, capacity, 1, "a shader");
    if (!grown) {
      t->status = TEXLA_OUT_OF_MEMORY;
      return;
    }
    t->text = grown;
    t->capacity = capacity;
  }
  memcpy(t->text + t->length, text, n);
  t->length += n;
  t->text[t->length] = 0;
}

static void appendText(translation *t, const char *text) {
  append(t, text, strlen(text));
}

static size_t wordLength(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_')
    n++;
  return n;
}

static size_t lineLength(const char *text) {
  size_t n = strcspn(text, "\n");
  return n + (text[n] == '\n');
}

/* "out vec4 NAME[COUNT];" of a fragment shader, behind a layout or not. */
static bool parseOutput(const char *line, piece *name, piece *count) {
  static const char layout[] = "layout(location = 0) ", out[] = "out vec4 ";
  if (!strncmp(line, layout, sizeof layout - 1))
    line += sizeof layout - 1;
  if (strncmp(line, out, sizeof out - 1) != 0)
    return false;
  line += sizeof out - 1;
  piece word = {line, wordLength(line)};
  line += word.length;
  if (*line != '[')
    return false;
  *name = word;
  *count = (piece){line + 1, strcspn(line + 1, "]\n")};
  return line[1 + count->length] == ']';
}

/* The array under its name is an ordinary one, `main` another function. */
static void appendOutput(translation *t, piece name, piece count, int line) {
  char text[512];
  int n = (int)name.length, k = (int)count.length;
  snprintf(text, sizeof text,
           "layout(location = 0) out vec4 txOut[%.*s]; vec4 %.*s[%.*s];\n"
           "#define TX_OUTPUT %.*s\n#define TX_OUTPUTS (%.*s)\n#define main txMain\n#line %d\n",
           k, count.at, n, name.at, k, count.at, n, name.at, k, count.at, line + 1);
  appendText(t, text);
}

/* "invariant NAME;" of such an array is said of the outputs. */
static bool isInvariant(const char *line, piece name) {
  static const char invariant[] = "invariant ";
  return !strncmp(line, invariant, sizeof invariant - 1) && name.length &&
         wordLength(line + sizeof invariant - 1) == name.length &&
         !strncmp(line + sizeof invariant - 1, name.at, name.length);
}

/* What stands behind a fragment shader. */
static void appendCopies(translation *t) {
  char text[128];
  appendText(t, "\n#ifdef TX_OUTPUTS\n#undef main\nvoid main() {\n  txMain();\n");
  for (int i = 0; i < TX_MAX_TARGETS; i++) {
    snprintf(text, sizeof text, "#if TX_OUTPUTS > %d\n  txOut[%d] = TX_OUTPUT[%d];\n#endif\n", i, i,
             i);
    appendText(t, text);
  }
  appendText(t, "}\n#endif\n");
}

static void translate(translation *t, const char *text) {
  static const char directive[] = "#line ";
  piece name = {NULL, 0}, count = {NULL, 0};
  int number = 0;
  for (const char *line = text; *line; line += lineLength(line)) {
    if (parseOutput(line, &name, &count))
      appendOutput(t, name, count, number);
    else if (isInvariant(line, name))
      appendText(t, "invariant txOut;\n");
    else
      append(t, line, lineLength(line));
    number++;
    if (!strncmp(line, directive, sizeof directive - 1))
      number = atoi(line + sizeof directive - 1);
  }
}

/* All that is drawn lies at w = 1, so that there is no perspective to leave out. */
const char txDialectHead[] =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
    "precision highp isampler2D;\nprecision highp sampler2DArray;\n#define noperspective\n";

clStatus txDialectTranslate(char **out, clContext *context, const char *call, unsigned type,
                            const char *text) {
  translation t = {.context = context, .call = call};
  appendText(&t, "");
  if (type == GL_VERTEX_SHADER)
    appendText(&t, "#define main txMain\n");
  translate(&t, text);
  if (type == GL_VERTEX_SHADER)
    appendText(&t, "\n#undef main\nvoid main() {\n  gl_PointSize = 1.;\n  txMain();\n}\n");
  else
    appendCopies(&t);
  if (t.status)
    free(t.text);
  else
    *out = t.text;
  return t.status;
}
