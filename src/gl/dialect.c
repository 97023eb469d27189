/* Shaders are written in OpenGL's GLSL 3.30. OpenGL ES 3.0, which WebGL 2 is, compiles them after a
 * translation of two things:
 * - It indexes outputs, also the components of one, by constants alone. An output becomes a
 *   variable,
 *
 *       layout(location = 0) out vec4 txOut0[N]; vec4 y[N];
 *
 *   and what follows the shader copies it, element by element, into the output, which has four
 *   components (ANGLE spoils invariant ones that have fewer).
 * - Each vertex shader says how large points are.
 * What the dialect lacks beyond that (## above all), the shaders do without. */
#include "gl/gl.h"
#include "core/allocate.h"
#include "core/numbers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a text that lives elsewhere. */
typedef struct piece {
  const char *at;
  size_t length;
} piece;

/* "layout(location = 1) out vec4 NAME[COUNT];"; the count is empty where it is no array. */
typedef struct output {
  piece name, count;
  /* Of `types`. */
  int type;
  int location;
} output;

/* Types of outputs, and what makes four components of them. */
static const struct {
  const char *name, *more;
} types[] = {{"vec4", ""}, {"vec2", ", 0., 0."}, {"float", ", 0., 0., 0."}};
enum { TYPES = sizeof types / sizeof *types };

/* A growing text. */
typedef struct translation {
  clContext *context;
  const char *call;
  char *text;
  size_t length, capacity;
  /* Those that have become variables. */
  output output[TX_MAX_TARGETS];
  int outputs;
  /* Whether they are to be invariant. */
  bool invariant;
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

/* The number of the type that the line begins with; TYPES where it is another one. */
static int findType(const char *line) {
  int type = 0;
  while (type < TYPES && strncmp(line, types[type].name, strlen(types[type].name)) != 0)
    type++;
  return type;
}

/* "out vec4 NAME;" or "out vec4 NAME[COUNT];", behind a layout or not. */
static bool parseOutput(const char *line, output *out) {
  static const char layout[] = "layout(location = ", declared[] = "out ";
  *out = (output){.location = 0};
  if (!strncmp(line, layout, sizeof layout - 1)) {
    line += sizeof layout - 1;
    out->location = atoi(line);
    line += wordLength(line) + 2;
  }
  if (strncmp(line, declared, sizeof declared - 1) != 0)
    return false;
  line += sizeof declared - 1;
  out->type = findType(line);
  if (out->type == TYPES)
    return false;
  line += wordLength(line) + 1;
  out->name = (piece){line, wordLength(line)};
  line += out->name.length;
  if (*line == '[') {
    out->count = (piece){line + 1, strcspn(line + 1, "]\n")};
    line += out->count.length + 2;
  }
  return *line == ';';
}

/* What is declared under its name is an ordinary variable, `main` another function. Declarations
 * are numbered, since several may stand for one location, each under a condition of its own. */
static void appendOutput(translation *t, const output *out, int line) {
  char array[80] = "", invariant[24] = "", count[80] = "", text[512];
  int n = (int)out->name.length, k = (int)out->count.length, id = t->outputs;
  if (k) {
    snprintf(array, sizeof array, "[%.*s]", k, out->count.at);
    snprintf(count, sizeof count, "#define TX_COUNT%d (%.*s)\n", id, k, out->count.at);
  }
  if (t->invariant)
    snprintf(invariant, sizeof invariant, "invariant txOut%d;", id);
  snprintf(text, sizeof text,
           "layout(location = %d) out vec4 txOut%d%s; %s %s %.*s%s;\n"
           "#define TX_OUTPUT%d %.*s\n%s#define TX_OUTPUTS\n#define main txMain\n#line %d\n",
           out->location, id, array, invariant, types[out->type].name, n, out->name.at, array, id,
           n, out->name.at, count, line + 1);
  appendText(t, text);
  if (t->outputs < TX_MAX_TARGETS)
    t->output[t->outputs++] = *out;
}

/* "invariant NAME, ...;" of such a variable has been said of the outputs. */
static bool isInvariant(const translation *t, const char *line) {
  static const char invariant[] = "invariant ";
  if (strncmp(line, invariant, sizeof invariant - 1) != 0)
    return false;
  const char *word = line + sizeof invariant - 1;
  for (int i = 0; i < t->outputs; i++) {
    piece name = t->output[i].name;
    if (wordLength(word) == name.length && !strncmp(word, name.at, name.length))
      return true;
  }
  return false;
}

static void appendCopy(translation *t, int id) {
  const output *out = &t->output[id];
  char text[128];
  snprintf(text, sizeof text, "#ifdef TX_OUTPUT%d\n", id);
  appendText(t, text);
  for (int i = 0; out->count.length && i < TX_MAX_TARGETS - out->location; i++) {
    snprintf(text, sizeof text, "#if TX_COUNT%d > %d\n  txOut%d[%d] = TX_OUTPUT%d[%d];\n#endif\n",
             id, i, id, i, id, i);
    appendText(t, text);
  }
  if (!out->count.length) {
    snprintf(text, sizeof text, "  txOut%d = vec4(TX_OUTPUT%d%s);\n", id, id,
             types[out->type].more);
    appendText(t, text);
  }
  appendText(t, "#endif\n");
}

/* What stands behind a fragment shader. */
static void appendCopies(translation *t) {
  appendText(t, "\n#ifdef TX_OUTPUTS\n#undef main\nvoid main() {\n  txMain();\n");
  for (int i = 0; i < t->outputs; i++)
    appendCopy(t, i);
  appendText(t, "}\n#endif\n");
}

int txLineNumber(const char *digits) {
  long number = strtol(digits, NULL, 10);
  return (int)txMost64(0, txLeast64(number, TX_LINES - 1));
}

static void translate(translation *t, const char *text, bool fragment) {
  static const char directive[] = "#line ";
  output out;
  int number = 0;
  t->invariant = strstr(text, "\ninvariant ") != NULL;
  for (const char *line = text; *line; line += lineLength(line)) {
    if (fragment && parseOutput(line, &out))
      appendOutput(t, &out, number);
    else if (isInvariant(t, line))
      appendText(t, "\n");
    else
      append(t, line, lineLength(line));
    number++;
    if (!strncmp(line, directive, sizeof directive - 1))
      number = txLineNumber(line + sizeof directive - 1);
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
  translate(&t, text, type == GL_FRAGMENT_SHADER);
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
