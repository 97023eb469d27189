/* Uniforms that reach the fragment shader through the vertex shader, as flat varyings.
 *
 * llvmpipe searches a buffer for each component of a uniform that a fragment reads, once for each
 * lane of its vectors: half the cost of a fetch. A flat varying it has at hand. So where that is a
 * trait of the device (traits.h) "uniform vec2 a;" of a fragment shader becomes "flat in vec2 a;",
 * and the shader that places the corners of the rectangle (shaders/include/rect.glsl) hands it on:
 *
 *     #define a txUniform_a      where it reads the same uniform
 *     ...                        the shader
 *     #undef a
 *     uniform vec2 txUniform_a;  unless it has it
 *     flat out vec2 a;
 *     void txHandOn() { a = txUniform_a; }
 *
 * Arrays stay uniforms. What the fragment shader does not read, since another variant of it does,
 * must be no uniform of the program: ANGLE on SwiftShader keeps it, so that the trait is off there
 * (shaders/gl/probe_uniforms.frag). */
#include "gl/gl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool isType(const char *word, size_t n) {
  static const char *const types[] = {"float", "vec2",  "vec3",  "vec4",
                                      "int",   "ivec2", "ivec3", "ivec4"};
  for (int i = 0; i < (int)(sizeof types / sizeof *types); i++)
    if (strlen(types[i]) == n && !strncmp(types[i], word, n))
      return true;
  return false;
}

static const char *skip(const char *text) {
  return text + strspn(text, " \t");
}

static size_t flatWordLength(const char *text) {
  return strcspn(text, " \t\n,;[=(");
}

static bool has(const txFlat *flat, const char *name, size_t n) {
  for (int i = 0; i < flat->count; i++)
    if (strlen(flat->name[i]) == n && !strncmp(flat->name[i], name, n))
      return true;
  return false;
}

/* The names after "uniform vec2 ", up to the semicolon; false when the line is none of those that
 * can become flat. */
static bool takeNames(txFlat *flat, const char *type, size_t type_length, const char *at) {
  txFlat all = *flat;
  while (all.count < TX_MOST_FLAT) {
    at = skip(at);
    size_t n = flatWordLength(at);
    if (n < 1 || n >= TX_NAME - sizeof TX_FLAT_PREFIX || has(&all, at, n))
      return false;
    snprintf(all.type[all.count], sizeof all.type[0], "%.*s", (int)type_length, type);
    snprintf(all.name[all.count++], sizeof all.name[0], "%.*s", (int)n, at);
    at = skip(at + n);
    if (*at == ';')
      break;
    if (*at++ != ',')
      return false;
  }
  if (*at != ';')
    return false;
  *flat = all;
  return true;
}

/* After the line that begins here. */
static char *flatNextLine(char *line) {
  char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

/* Lists the uniforms that a shader declares, and turns them into flat inputs. */
static void flatList(txFlat *flat, char *shader, bool turn) {
  static const char uniform[] = "uniform ";
  for (char *line = shader; *line; line = flatNextLine(line)) {
    if (strncmp(line, uniform, sizeof uniform - 1) != 0)
      continue;
    const char *type = skip(line + sizeof uniform - 1);
    size_t n = flatWordLength(type);
    /* It is as long as "uniform", so that the text need not be moved. */
    if (isType(type, n) && takeNames(flat, type, n, type + n) && turn)
      memcpy(line, "flat in", 7);
  }
}

void txFlatTake(txFlat *flat, char *fragment) {
  flatList(flat, fragment, true);
}

bool txFlatHandsOn(const char *shader) {
  return strstr(shader, "void txHandOn();") != NULL;
}

static void flatAdd(char text[TX_FLAT_TEXT], const char *format, ...) {
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TX_FLAT_TEXT - used, format, args);
  va_end(args);
}

static void handOn(const txFlat *flat, const txFlat *own, char tail[TX_FLAT_TEXT]) {
  for (int i = 0; i < flat->count; i++) {
    const char *name = flat->name[i], *type = flat->type[i];
    if (has(own, name, strlen(name)))
      flatAdd(tail, "#undef %s\n", name);
    else
      flatAdd(tail, "uniform %s " TX_FLAT_PREFIX "%s;\n", type, name);
    flatAdd(tail, "flat out %s %s;\n", type, name);
  }
  flatAdd(tail, "void txHandOn() {\n");
  for (int i = 0; i < flat->count; i++)
    flatAdd(tail, "  %s = " TX_FLAT_PREFIX "%s;\n", flat->name[i], flat->name[i]);
  flatAdd(tail, "}\n");
}

void txFlatWrite(const txFlat *flat, char *shader, bool last, txFlatText *text) {
  txFlat own = {.count = 0};
  flatList(&own, shader, false);
  for (int i = 0; i < flat->count; i++)
    if (has(&own, flat->name[i], strlen(flat->name[i])))
      flatAdd(text->head, "#define %s " TX_FLAT_PREFIX "%s\n", flat->name[i], flat->name[i]);
  if (last)
    handOn(flat, &own, text->tail);
}
