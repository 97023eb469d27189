/* Programs and their cache. Shaders are files, embedded at build time or read from the developer's
 * folder; #include is resolved here, and compile messages name file and line. The key of the cache
 * is everything baked into the source. */
#include "gl/gl.h"
#include "platform/platform.h"
#include "gl/platform.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/input.h"
#include "gl/shader_files.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_FILES = TX_SHADER_FILES,
  MAX_DEPTH = 8,
  LINES = TX_LINES,
  /* Bytes of a shader file. */
  LARGEST_FILE = 1 << 20
};

/* A growing text, and the files that went into it. */
typedef struct assembly {
  clContext *context;
  const char *call;
  char *text;
  size_t length, capacity;
  char file[MAX_FILES][64];
  int files;
  clStatus status;
} assembly;

static void programsAppend(assembly *a, const char *text, size_t n) {
  if (a->status)
    return;
  if (a->length + n + 1 > a->capacity) {
    size_t capacity = 2 * (a->length + n + 1) + 4096;
    char *grown = txReallocate(&a->context->error, a->call, a->text, capacity, 1, "a shader");
    if (!grown) {
      a->status = TEXLA_OUT_OF_MEMORY;
      return;
    }
    a->text = grown;
    a->capacity = capacity;
  }
  memcpy(a->text + a->length, text, n);
  a->length += n;
  a->text[a->length] = 0;
}

static void programsAppendText(assembly *a, const char *text) {
  programsAppend(a, text, strlen(text));
}

void txShadersAdd(clContext *context, const txEmbedded *table) {
  int k = 0;
  while (k < TX_SHADER_TABLES && context->shaders[k] && context->shaders[k] != table)
    k++;
  /* The tables are ours, so that too many of them are an error of ours as well. */
  assert(k < TX_SHADER_TABLES);
  context->shaders[k] = table;
}

/* A file by its path below shaders/, or a kernel's by its name alone. */
static const txEmbedded *findIn(const txEmbedded *table, const char *name) {
  for (; table->name; table++) {
    const char *slash = strrchr(table->name, '/');
    if (!strcmp(table->name, name) || (slash && !strcmp(slash + 1, name)))
      return table;
  }
  return NULL;
}

static const txEmbedded *findEmbedded(const clContext *context, const char *name) {
  const txEmbedded *found = findIn(txShaderFiles, name);
  for (int k = 0; k < TX_SHADER_TABLES && context->shaders[k] && !found; k++)
    found = findIn(context->shaders[k], name);
  return found;
}

/* The text of a shader file, or NULL where there is none, or none that can be read (a->status);
 * *owned is to be freed. */
static const char *findFile(assembly *a, const char *name, char **owned) {
  const txEmbedded *embedded = findEmbedded(a->context, name);
  const char *folder = a->context->shader_dir;
  char path[FILENAME_MAX];
  *owned = NULL;
  if (folder && snprintf(path, sizeof path, "%s/%s", folder, embedded ? embedded->name : name) <
                    (int)sizeof path)
    a->status = txInputRead(owned, NULL, path, LARGEST_FILE, a->call, &a->context->error);
  if (*owned)
    return *owned;
  return embedded ? embedded->text : NULL;
}

static void appendFile(assembly *a, const char *name, int depth, const char *includer, int line);

/* `#include "name"`: true when the line is one; name without quotes. */
static bool parseInclude(const char *line, size_t n, char *name, size_t capacity) {
  const char *end = line + n;
  while (line < end && (*line == ' ' || *line == '\t'))
    line++;
  if (end - line < 9 || strncmp(line, "#include", 8) != 0)
    return false;
  const char *open = memchr(line, '"', (size_t)(end - line));
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  if (!close || (size_t)(close - open) > capacity)
    return false;
  memcpy(name, open + 1, (size_t)(close - open - 1));
  name[close - open - 1] = 0;
  return true;
}

/* The file goes into the line number: not every driver keeps #line's second argument in all of its
 * messages. */
static void appendLine(assembly *a, int line, int file) {
  char text[64];
  snprintf(text, sizeof text, "#line %d\n", file * LINES + line);
  programsAppendText(a, text);
}

static void appendSource(assembly *a, const char *name, const char *text, int depth) {
  if (a->files == MAX_FILES || depth > MAX_DEPTH) {
    a->status = txFail(&a->context->error, TEXLA_SHADER_ERROR, a->call,
                       "%s: too many nested #include", name);
    return;
  }
  int file = a->files++, line = 1;
  snprintf(a->file[file], sizeof a->file[file], "%s", name);
  appendLine(a, 1, file);
  while (*text && !a->status) {
    size_t n = strcspn(text, "\n");
    char include[64];
    if (parseInclude(text, n, include, sizeof include)) {
      appendFile(a, include, depth + 1, name, line);
      appendLine(a, line + 1, file);
    } else if (n > 6 && !strncmp(text, "#line ", 6)) {
      /* A generated text says which line the next one is, in this file. */
      line = txLineNumber(text + 6) - 1;
      appendLine(a, line + 1, file);
    } else {
      programsAppend(a, text, n);
      programsAppend(a, "\n", 1);
    }
    text += n + (text[n] == '\n');
    line++;
  }
}

/* Each file once. `includer` (NULL: none) and its line are for the message. */
static void appendFile(assembly *a, const char *name, int depth, const char *includer, int line) {
  for (int i = 0; i < a->files; i++)
    if (!strcmp(a->file[i], name))
      return;
  char *owned;
  const char *text = findFile(a, name, &owned);
  if (a->status)
    return;
  if (text)
    appendSource(a, name, text, depth);
  else if (includer)
    a->status = txFail(&a->context->error, TEXLA_SHADER_ERROR, a->call,
                       "%s:%d: there is no shader file \"%s\" to include", includer, line, name);
  else
    a->status = txFail(&a->context->error, TEXLA_SHADER_ERROR, a->call,
                       "there is no shader file \"%s\"", name);
  free(owned);
}

/* "0:12(3): error", "0(12) : error", "ERROR: 0:12: ...": the second number is the line. False when
 * there is none. */
static bool parseLocation(const char *line, long *number, const char **rest) {
  char *end = NULL, *after = NULL;
  if (!strncmp(line, "ERROR: ", 7))
    line += 7;
  if (!isdigit((unsigned char)*line) || (strtol(line, &end, 10), *end != ':' && *end != '('))
    return false;
  *number = strtol(end + 1, &after, 10);
  *rest = *after == ')' ? after + 1 : after;
  return after > end + 1 && *number >= 0;
}

/* Puts file and line in the place of the numbers with which the driver begins a message's lines. */
static void translateLog(const assembly *a, const char *log, char *out, size_t capacity) {
  size_t used = 0;
  out[0] = 0;
  while (*log && used + 1 < capacity) {
    size_t n = strcspn(log, "\n");
    const char *rest;
    long number;
    int w = 0;
    if (parseLocation(log, &number, &rest) && number / LINES < a->files)
      w = snprintf(out + used, capacity - used, "\n  %s:%ld%.*s", a->file[number / LINES],
                   number % LINES, (int)(log + n - rest), rest);
    else if (n)
      w = snprintf(out + used, capacity - used, "\n  %.*s", (int)n, log);
    used += w > 0 ? (size_t)w : 0;
    log += n + (log[n] == '\n');
  }
}

static const GLenum types[TX_STAGES] = {GL_FRAGMENT_SHADER, GL_GEOMETRY_SHADER, GL_VERTEX_SHADER};

/* What stands before a shader whose fetches are noted. */
static void appendNotes(assembly *a, GLenum type) {
  if (type == GL_FRAGMENT_SHADER)
    programsAppendText(a, "#define OF_FRAGMENTS\n");
  else if (type == GL_GEOMETRY_SHADER)
    programsAppendText(a, "#define OF_TRIANGLE\n");
  else
    programsAppendText(a, "#define OF_VERTICES\n");
  appendFile(a, "include/notes.glsl", 0, NULL, 0);
}

static bool isOfWord(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* How often the word stands in the text, not as a part of a longer one. */
static int countWord(const char *text, const char *word) {
  size_t n = strlen(word);
  int count = 0;
  for (const char *at = strstr(text, word); at; at = strstr(at + n, word))
    count += (at == text || !isOfWord(at[-1])) && !isOfWord(at[n]);
  return count;
}

/* Of the lines that a shader begins with, removes each "#define NAME ..." whose name stands nowhere
 * else. Most of a pass's are for the fragments alone: without them all its programs have the same
 * vertex shader, which drivers that keep compiled shaders compile once. */
static void dropDefines(assembly *a) {
  char *line = a->text, name[64];
  while (*line == '#') {
    size_t n = strcspn(line, "\n");
    if (line[n] && line[n - 1] != '\\' && sscanf(line, "#define %63[A-Za-z0-9_]", name) == 1 &&
        countWord(a->text, name) == 1) {
      a->length -= n + 1;
      memmove(line, line + n + 1, strlen(line + n + 1) + 1);
    } else {
      line += n + (line[n] == '\n');
    }
  }
}

/* The source of one of a pass's shaders, without what compile() puts before it. */
static clStatus programsAssemble(assembly *a, GLenum type, const txPass *pass) {
  char name[80];
  if (pass->defines)
    appendSource(a, "(defines)", pass->defines, 0);
  if (pass->notes && type == types[pass->notes - 1])
    appendNotes(a, type);
  if (pass->notes && type == GL_FRAGMENT_SHADER && type != types[pass->notes - 1]) {
    appendFile(a, "gl/noted.frag", 0, NULL, 0);
    return a->status;
  }
  if (type == GL_FRAGMENT_SHADER && pass->source_text) {
    appendFile(a, "include/kernel.glsl", 0, NULL, 0);
    appendSource(a, pass->kernel, pass->source_text, 0);
    return a->status;
  }
  const char *vertex = pass->vertex ? pass->vertex : "rect";
  if (type == GL_FRAGMENT_SHADER)
    snprintf(name, sizeof name, "%s.frag", pass->kernel);
  else if (type == GL_GEOMETRY_SHADER)
    snprintf(name, sizeof name, "%s.geom", pass->geometry);
  else
    snprintf(name, sizeof name, "%s.vert", vertex);
  appendFile(a, name, 0, NULL, 0);
  if (!a->status && type != GL_FRAGMENT_SHADER)
    dropDefines(a);
  return a->status;
}

clStatus txShaderAssemble(txShaderText *out, clContext *context, const char *call,
                          const txPass *pass, txStage stage) {
  assembly a = {.context = context, .call = call};
  *out = (txShaderText){0};
  if (stage == TX_GEOMETRY && !pass->geometry)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(programsAssemble(&a, types[stage], pass));
  out->text = a.text;
  out->files = a.files;
  memcpy(out->file, a.file, sizeof a.file);
  return TEXLA_OK;
cleanup:
  free(a.text);
  return status;
}

/* The variant of a program: that of a pass's inside has no rim. */
static const char *variantOf(const clContext *context, const txPass *pass) {
  if (!pass->inside.width)
    return "#define RIM\n";
  if (context->es && context->traits.fine_derivatives)
    return "#define FINE_DERIVATIVES\n#define dFdxFine dFdx\n#define dFdyFine dFdy\n";
  if (context->plain)
    return "";
  return "#extension GL_ARB_derivative_control : enable\n"
         "#ifdef GL_ARB_derivative_control\n#define FINE_DERIVATIVES\n#endif\n";
}

/* Gives the text to a new shader, in the context's dialect. */
static clStatus createShader(GLuint *out, const assembly *a, GLenum type, const txPass *pass,
                             const char *head, const char *tail) {
  const char *version = "#version 330 core\n", *text = a->text;
  char *translated = NULL;
  if (a->context->es) {
    TRY(txDialectTranslate(&translated, a->context, a->call, type, text));
    version = txDialectHead;
    text = translated;
  }
  *out = glCreateShader(type);
  if (*out) {
    const char *variant = variantOf(a->context, pass);
    glShaderSource(*out, 5, (const GLchar *const[]){version, variant, head, text, tail}, NULL);
  }
  free(translated);
  if (*out)
    return TEXLA_OK;
  /* OpenGL's errors belong to this call, not to the next one. */
  txGlClearErrors();
  return txFail(&a->context->error, TEXLA_OUT_OF_MEMORY, a->call,
                "the driver makes no shader for %s", pass->kernel);
}

/* Whether it is right is asked when its program has been linked: until then drivers may compile
 * several at once. */
static clStatus compile(const assembly *a, GLenum type, const txPass *pass, const char *head,
                        const char *tail, GLuint *out) {
  TRY(createShader(out, a, type, pass, head, tail));
  glCompileShader(*out);
  return TEXLA_OK;
}

static clStatus checkShader(const assembly *a, const txPass *pass, GLuint shader) {
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok)
    return TEXLA_OK;
  char log[2048] = "", text[900];
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  translateLog(a, log, text, sizeof text);
  return txFail(&a->context->error, TEXLA_SHADER_ERROR, a->call, "shader %s does not compile:%s",
                pass->kernel, text);
}

/* The shaders of a program, from the last one on: what the fragments take, another shader hands
 * on. */
typedef struct stages {
  assembly fragment, geometry, vertex;
  GLuint shader[3];
} stages;

/* "out vec4 y;" and "layout(location = 0) out vec4 y[8];" of a fragment shader become variables:
 * the note is the one output, and no device has room for it beside eight others. */
static void dropOutputs(char *fragment) {
  for (char *line = fragment; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *layout = "layout(location = ", *end = strchr(line, ')');
    size_t n = 0;
    if (end && !strncmp(line, layout, strlen(layout)))
      n = (size_t)(end + 2 - line);
    if (!strncmp(line + n, "out ", 4) && strncmp(line, "out vec4 txPlace", 16) != 0)
      memset(line, ' ', n + 4);
  }
}

static clStatus compileStages(stages *s, clContext *context, const txPass *pass) {
  TRY(programsAssemble(&s->fragment, GL_FRAGMENT_SHADER, pass));
  if (pass->geometry)
    TRY(programsAssemble(&s->geometry, GL_GEOMETRY_SHADER, pass));
  TRY(programsAssemble(&s->vertex, GL_VERTEX_SHADER, pass));
  if (pass->notes == 1 + TX_FRAGMENT)
    dropOutputs(s->fragment.text);
  txFlat flat = {.count = 0};
  txFlatText vertex = {"", ""}, geometry = {"", ""};
  if (txFlatHandsOn(pass->geometry ? s->geometry.text : s->vertex.text)) {
    if (context->traits.flat_uniforms)
      txFlatTake(&flat, s->fragment.text);
    txFlatWrite(&flat, s->vertex.text, !pass->geometry, &vertex);
    if (pass->geometry)
      txFlatWrite(&flat, s->geometry.text, true, &geometry);
  }
  TRY(compile(&s->fragment, GL_FRAGMENT_SHADER, pass, "", "", &s->shader[0]));
  if (pass->geometry)
    TRY(compile(&s->geometry, GL_GEOMETRY_SHADER, pass, geometry.head, geometry.tail,
                &s->shader[1]));
  return compile(&s->vertex, GL_VERTEX_SHADER, pass, vertex.head, vertex.tail, &s->shader[2]);
}

/* Whose shader is wrong is told by that; a driver may also compile what it cannot link. */
static clStatus checkLinked(const stages *s, clContext *context, const char *call,
                            const txPass *pass, GLuint program) {
  const assembly *const of[] = {&s->fragment, &s->geometry, &s->vertex};
  GLint ok = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok)
    return TEXLA_OK;
  for (int i = 0; i < 3; i++)
    if (s->shader[i])
      TRY(checkShader(of[i], pass, s->shader[i]));
  char log[900] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  return txFail(&context->error, TEXLA_SHADER_ERROR, call, "shader %s does not link: %s",
                pass->kernel, log);
}

static clStatus linkStages(const stages *s, clContext *context, const char *call,
                           const txPass *pass, GLuint *out) {
  GLuint program = glCreateProgram();
  if (!program) {
    txGlClearErrors();
    return txFail(&context->error, TEXLA_OUT_OF_MEMORY, call, "the driver makes no program for %s",
                  pass->kernel);
  }
  for (int i = 0; i < 3; i++)
    if (s->shader[i])
      glAttachShader(program, s->shader[i]);
  if (pass->notes)
    glBindFragDataLocation(program, 0, "txPlace");
  glLinkProgram(program);
  *out = program;
  return TEXLA_OK;
}

static clStatus link(clContext *context, const char *call, const txPass *pass, GLuint *out) {
  const assembly empty = {.context = context, .call = call};
  stages *s = txAllocate(&context->error, call, 1, sizeof *s, "a shader");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  *s = (stages){empty, empty, empty, {0}};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(compileStages(s, context, pass));
  TRY_CLEANUP(linkStages(s, context, call, pass, out));
  if (context->rehearsal != TX_BEGINNING)
    TRY_CLEANUP(checkLinked(s, context, call, pass, *out));
cleanup:
  for (int i = 0; i < 3; i++)
    glDeleteShader(s->shader[i]);
  free(s->fragment.text);
  free(s->geometry.text);
  free(s->vertex.text);
  free(s);
  return status;
}

static bool isSampler(GLenum type) {
  return type == GL_SAMPLER_2D || type == GL_INT_SAMPLER_2D || type == GL_UNSIGNED_INT_SAMPLER_2D ||
         type == GL_SAMPLER_2D_ARRAY;
}

/* Uniforms by name; samplers get the texture units 0, 1, ... once and for all. What has no location
 * is nothing to set: members of blocks, and, where a browser takes a program from Mesa's cache,
 * names that stand in the source and are not used, one of them twice. */
static clStatus listUniforms(clContext *context, const char *call, const char *kernel,
                             txShaderProgram *p) {
  GLint count = 0, longest = 0;
  glGetProgramiv(p->name, GL_ACTIVE_UNIFORMS, &count);
  glGetProgramiv(p->name, GL_ACTIVE_UNIFORM_MAX_LENGTH, &longest);
  if (longest > TX_NAME)
    return txFail(&context->error, TEXLA_SHADER_ERROR, call,
                  "shader %s: a uniform's name has more than %d characters", kernel, TX_NAME - 1);
  p->slot = txAllocate(&context->error, call, (size_t)count + 1, sizeof *p->slot, "a program");
  if (!p->slot)
    return TEXLA_OUT_OF_MEMORY;
  glGetProgramiv(p->name, GL_ACTIVE_UNIFORM_BLOCKS, &p->blocks);
  glUseProgram(p->name);
  int unit = 0;
  for (GLint i = 0; i < count; i++) {
    txUniformSlot *slot = &p->slot[p->slots];
    GLint size;
    glGetActiveUniform(p->name, (GLuint)i, sizeof slot->name, NULL, &size, &slot->type, slot->name);
    slot->location = glGetUniformLocation(p->name, slot->name);
    if (slot->location < 0)
      continue;
    p->slots++;
    slot->name[strcspn(slot->name, "[")] = 0;
    if (!strncmp(slot->name, TX_FLAT_PREFIX, sizeof TX_FLAT_PREFIX - 1))
      memmove(slot->name, slot->name + sizeof TX_FLAT_PREFIX - 1,
              strlen(slot->name) - sizeof TX_FLAT_PREFIX + 2);
    slot->unit = isSampler(slot->type) ? unit++ : -1;
    if (slot->unit >= 0)
      glUniform1i(slot->location, slot->unit);
  }
  if (unit > context->info.max_sources || unit > TX_MAX_SOURCES + TX_MAX_SCALARS)
    return txFail(&context->error, TEXLA_SHADER_ERROR, call,
                  "shader %s samples %d textures, but the limit is %d", kernel, unit,
                  context->info.max_sources);
  return TEXLA_OK;
}

/* What a program is made of. With txPass.inside it is the one for that part. */
enum { PARTS = 6, SOURCE_PART = 4 };
static void programsListParts(const txPass *pass, const char *part[PARTS]) {
  static const char *const notes[] = {NULL, "notes", "geometry notes", "vertex notes"};
  const char *kind = notes[pass->notes];
  if (!pass->notes && pass->inside.width)
    kind = "inside";
  const char *const all[PARTS] = {pass->kernel,  pass->vertex,      pass->geometry,
                                  pass->defines, pass->source_text, kind};
  for (int i = 0; i < PARTS; i++)
    part[i] = all[i] ? all[i] : "";
}

/* The parts, separated by a character that no source contains. */
static char *makeKey(clContext *context, const char *call, const txPass *pass) {
  const char *part[PARTS];
  programsListParts(pass, part);
  size_t n = 1;
  for (int i = 0; i < PARTS; i++)
    n += strlen(part[i]) + 1;
  char *key = txAllocate(&context->error, call, n, 1, "a program");
  if (key)
    snprintf(key, n, "%s\1%s\1%s\1%s\1%s\1%s", part[0], part[1], part[2], part[3], part[4],
             part[5]);
  return key;
}

/* FNV-1a over the parts of the key. */
uint64_t txProgramHash(const txPass *pass) {
  const char *part[PARTS];
  programsListParts(pass, part);
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < PARTS; i++) {
    for (const char *c = part[i]; *c; c++)
      h = (h ^ (unsigned char)*c) * 1099511628211u;
    h = (h ^ 1) * 1099511628211u;
  }
  return h;
}

/* Compares without making a key, which would need memory for every pass. */
static bool keyEquals(const char *key, const txPass *pass) {
  const char *part[PARTS];
  programsListParts(pass, part);
  for (int i = 0; i < PARTS; i++) {
    size_t n = strlen(part[i]);
    if (strncmp(key, part[i], n) != 0 || key[n] != (i < PARTS - 1 ? 1 : 0))
      return false;
    key += n + 1;
  }
  return true;
}

static void destroyProgram(clContext *context, txShaderProgram *p) {
  if (!context->closed)
    glDeleteProgram(p->name);
  free(p->slot);
  free(p->key);
  *p = context->program[--context->programs];
  context->counters.programs_kept = context->programs;
}

/* So that programs do not fill the memory (about a megabyte each on llvmpipe), the one that has not
 * been used for longest goes. */
static void programsMakeRoom(clContext *context) {
  enum { MOST = 256 };
  if (context->programs < MOST)
    return;
  txShaderProgram *oldest = &context->program[0];
  for (int i = 1; i < context->programs; i++)
    if (context->program[i].used < oldest->used)
      oldest = &context->program[i];
  destroyProgram(context, oldest);
}

void txProgramsKeep(clContext *context) {
  context->keeps_programs = true;
}

void txProgramsForget(clContext *context, const char *source) {
  if (context->keeps_programs || context->closed || !txPlatformEnter(context->platform))
    return;
  for (int i = context->programs - 1; i >= 0; i--) {
    const char *part = context->program[i].key;
    for (int k = 0; k < SOURCE_PART && part; k++)
      part = strchr(part, '\1') ? strchr(part, '\1') + 1 : NULL;
    size_t n = strlen(source);
    if (part && !strncmp(part, source, n) && part[n] == '\1')
      destroyProgram(context, &context->program[i]);
  }
}

/* Compiles the program for a pass and lists its uniforms. */
static clStatus insert(clContext *context, const char *call, const txPass *pass, uint64_t hash) {
  programsMakeRoom(context);
  if (context->programs == context->program_capacity) {
    int capacity = context->program_capacity ? 2 * context->program_capacity : 64;
    txShaderProgram *grown = txReallocate(&context->error, call, context->program, (size_t)capacity,
                                          sizeof *grown, "a program");
    if (!grown)
      return TEXLA_OUT_OF_MEMORY;
    context->program = grown;
    context->program_capacity = capacity;
  }
  txShaderProgram p = {
      .hash = hash, .key = makeKey(context, call, pass), .used = context->counters.passes};
  if (!p.key)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  double start = txNow();
  TRY_CLEANUP(link(context, call, pass, &p.name));
  if (context->rehearsal != TX_BEGINNING)
    TRY_CLEANUP(listUniforms(context, call, pass->kernel, &p));
  context->program[context->programs++] = p;
  context->counters.programs++;
  context->counters.programs_kept = context->programs;
  txContextLog(context, TEXLA_LOG_DEBUG, "compiled %s in %.1f ms", pass->kernel,
               1e3 * (txNow() - start));
  return TEXLA_OK;
cleanup:
  glDeleteProgram(p.name);
  free(p.slot);
  free(p.key);
  return status;
}

/* What a rehearsal has begun can be used; *p is gone where it is wrong, which making it anew will
 * tell. */
static bool finishProgram(clContext *context, const char *call, const txPass *pass,
                          txShaderProgram *p) {
  GLint ok = GL_FALSE;
  if (p->slot || context->rehearsal == TX_BEGINNING)
    return true;
  glGetProgramiv(p->name, GL_LINK_STATUS, &ok);
  if (ok && !listUniforms(context, call, pass->kernel, p))
    return true;
  destroyProgram(context, p);
  return false;
}

clStatus txProgramFind(clContext *context, const char *call, const txPass *pass,
                       const txShaderProgram **out) {
  uint64_t hash = txProgramHash(pass);
  for (int i = 0; i < context->programs; i++) {
    txShaderProgram *p = &context->program[i];
    if (p->hash != hash || !keyEquals(p->key, pass))
      continue;
    if (!finishProgram(context, call, pass, p))
      break;
    p->used = context->counters.passes;
    *out = p;
    return TEXLA_OK;
  }
  TRY(insert(context, call, pass, hash));
  *out = &context->program[context->programs - 1];
  return TEXLA_OK;
}

/* Before anything is drawn: whoever asks behind a draw waits for it. */
void txProgramsFinish(clContext *context) {
  static const char call[] = "clContextRehearse";
  for (int i = 0; i < context->programs; i++) {
    txShaderProgram *p = &context->program[i];
    char kernel[TX_NAME];
    GLint ok = GL_FALSE;
    snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(p->key, "\1"), p->key);
    if (!p->slot)
      glGetProgramiv(p->name, GL_LINK_STATUS, &ok);
    if (ok)
      listUniforms(context, call, kernel, p);
  }
}

bool txProgramsReady(const clContext *context) {
  const GLenum complete = 0x91B1; /* COMPLETION_STATUS_KHR */
  for (int i = 0; i < context->programs; i++) {
    GLint ready = GL_TRUE;
    if (!context->program[i].slot && context->tells_compiled)
      glGetProgramiv(context->program[i].name, complete, &ready);
    if (!ready)
      return false;
  }
  return true;
}

void txProgramsDestroy(clContext *context) {
  while (context->programs)
    destroyProgram(context, &context->program[context->programs - 1]);
  free(context->program);
  context->program = NULL;
  context->program_capacity = 0;
}
