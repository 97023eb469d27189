/* Uniforms that arrive as flat varyings: what is taken, what is written, and that a pass computes
 * the same with them. */
#include "common.h"

#include "gl/gl.h"

static const char call[] = "test";

static void takesPlainUniforms(void **state) {
  char text[] = "uniform sampler2D x, y;\n"
                "uniform vec2 a; // a comment\n"
                "  uniform float indented;\n"
                "uniform   ivec3  b ,c;\n"
                "uniform vec4 list[3], more;\n"
                "uniform float initial = 3.;\n"
                "uniform mat2 matrix;\n"
                "uniformity vec2 none;\n"
                "uniform float last";
  const char expected[] = "uniform sampler2D x, y;\n"
                          "flat in vec2 a; // a comment\n"
                          "  uniform float indented;\n"
                          "flat in   ivec3  b ,c;\n"
                          "uniform vec4 list[3], more;\n"
                          "uniform float initial = 3.;\n"
                          "uniform mat2 matrix;\n"
                          "uniformity vec2 none;\n"
                          "uniform float last";
  txFlat flat = {.count = 0};
  txFlatTake(&flat, text);
  assert_string_equal(text, expected);
  assert_int_equal(flat.count, 3);
  assert_string_equal(flat.type[0], "vec2");
  assert_string_equal(flat.name[0], "a");
  assert_string_equal(flat.type[2], "ivec3");
  assert_string_equal(flat.name[2], "c");
}

/* Of two declarations, for different defines, the first one is taken: the vertex shader cannot know
 * which one counts. */
static void takesANameOnce(void **state) {
  char text[] = "#ifdef A\nuniform vec2 a;\n#else\nuniform vec3 a;\n#endif\n";
  txFlat flat = {.count = 0};
  txFlatTake(&flat, text);
  assert_string_equal(text, "#ifdef A\nflat in vec2 a;\n#else\nuniform vec3 a;\n#endif\n");
  assert_int_equal(flat.count, 1);
}

static void stopsWhenFull(void **state) {
  char text[64 * (TX_MOST_FLAT + 2)] = "";
  for (int i = 0; i < TX_MOST_FLAT + 2; i++)
    sprintf(text + strlen(text), "uniform float a%d;\n", i);
  txFlat flat = {.count = 0};
  txFlatTake(&flat, text);
  assert_int_equal(flat.count, TX_MOST_FLAT);
  assert_true(strstr(text, "flat in float a15;") && strstr(text, "uniform float a16;"));
}

static void writesHeadAndTail(void **state) {
  txFlat flat = {.type = {"vec2", "int"}, .name = {"own", "other"}, .count = 2};
  char shader[] = "uniform vec2 own;\nvoid txHandOn();\n";
  txFlatText text = {"", ""};
  assert_true(txFlatHandsOn(shader) && !txFlatHandsOn("void main() {}\n"));
  txFlatWrite(&flat, shader, true, &text);
  assert_string_equal(text.head, "#define own txUniform_own\n");
  assert_string_equal(text.tail,
                      "#undef own\nflat out vec2 own;\n"
                      "uniform int txUniform_other;\nflat out int other;\n"
                      "void txHandOn() {\n  own = txUniform_own;\n  other = txUniform_other;\n}\n");
  text = (txFlatText){"", ""};
  txFlatWrite(&flat, shader, false, &text);
  assert_string_equal(text.head, "#define own txUniform_own\n");
  assert_string_equal(text.tail, "");
}

/* Runs a kernel on one texel. */
static void evaluate(clContext *context, const char *source, const txUniform *uniform, int count,
                     float result[4]) {
  txTexture *y = NULL;
  assertOk(context, txTextureCreate(&y, context, call, TX_RGBA32F, 1, 1));
  txPass pass = {.kernel = "uniforms",
                 .source_text = source,
                 .defines = "#define OUTPUTS 1\n#define KEEPS_ZERO\n",
                 .target = {y}};
  for (int i = 0; i < count; i++)
    pass.uniform[i] = uniform[i];
  assertOk(context, txPassRun(context, call, &pass));
  assertOk(context, txTextureRead(y, call, (txRect){0, 0, 1, 1}, result));
  txTextureDestroy(y);
}

/* All types, an array, numbers that no float interpolation may touch, and a name that the
 * rectangle's shader uses. */
static void passesComputeTheSame(void **state) {
  const float list[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const txUniform uniform[] = {{"a", 1, {0.1f}},
                               {"corner", 3, {16777215, -3e-38f, 1e38f}},
                               {"c", 4, {1, 2, 3, 4}},
                               {"k", 1, {-7}, .integer = true},
                               {"n", 4, {1, -2, 16777215, 4}, .integer = true},
                               {"list", 2, .array = list}};
  static const char source[] =
      "uniform float a;\nuniform vec3 corner;\nuniform vec4 c, list[2];\nuniform int k;\nuniform "
      "ivec4 n;\n"
      "vec4 kernel() { return vec4(a, corner.x, float(n.z + k), list[1].w + c.w); }\n";
  float result[4];
  evaluate(*state, source, uniform, 6, result);
  assert_true(result[0] == 0.1f && result[1] == 16777215.f && result[2] == 16777208.f &&
              result[3] == 12);
}

/* A name that is declared twice, and names of the rectangle's own shader. */
static void awkwardNames(void **state) {
  const txUniform uniform[] = {{"twice", 1, {1}}, {"corner", 1, {2}}, {"txSpanned", 1, {4}}};
  static const char source[] =
      "#ifdef NO\nuniform vec2 twice;\n#else\nuniform float twice;\n#endif\n"
      "uniform float corner, txSpanned;\n"
      "vec4 kernel() { return vec4(twice + corner + txSpanned); }\n";
  float result[4];
  evaluate(*state, source, uniform, 3, result);
  assert_true(result[0] == 7);
}

/* As many of the longest names as are handed on. */
static void longestNames(void **state) {
  enum { LONGEST = TX_NAME - (int)sizeof TX_FLAT_PREFIX - 1 };
  char source[4096] = "", name[TX_MOST_FLAT][TX_NAME];
  txUniform uniform[TX_MOST_FLAT];
  for (int i = 0; i < TX_MOST_FLAT; i++) {
    snprintf(name[i], sizeof name[i], "%0*d", LONGEST, i);
    name[i][0] = 'u';
    uniform[i] = (txUniform){name[i], 4, {1, 1, 1, (float)(1 << i)}, .integer = true};
    sprintf(source + strlen(source), "uniform ivec4 %s;\n", name[i]);
  }
  strcat(source, "vec4 kernel() { return vec4(0");
  for (int i = 0; i < TX_MOST_FLAT; i++)
    sprintf(source + strlen(source), " + %s.w", name[i]);
  strcat(source, "); }\n");
  float result[4];
  evaluate(*state, source, uniform, TX_MOST_FLAT, result);
  assert_true(result[0] == (float)((1 << TX_MOST_FLAT) - 1));
}

static void moreThanFit(void **state) {
  enum { MANY = TX_MOST_FLAT + 3 };
  char source[2048] = "", name[MANY][8];
  txUniform uniform[MANY];
  for (int i = 0; i < MANY; i++) {
    snprintf(name[i], sizeof name[i], "u%d", i);
    uniform[i] = (txUniform){name[i], 1, {(float)(1 << i)}};
    sprintf(source + strlen(source), "uniform float u%d;\n", i);
  }
  strcat(source, "vec4 kernel() { return vec4(0.");
  for (int i = 0; i < MANY; i++)
    sprintf(source + strlen(source), " + u%d", i);
  strcat(source, "); }\n");
  float result[4];
  evaluate(*state, source, uniform, MANY, result);
  assert_true(result[0] == (float)((1 << MANY) - 1));
}

TEST_MAIN(testContextCreate, testContextDestroy, takesPlainUniforms, takesANameOnce, stopsWhenFull,
          writesHeadAndTail, passesComputeTheSame, awkwardNames, longestNames, moreThanFit)
