/* What is bound: once, while the context is texla's alone, and never what it should not be. */
#include "common.h"

#include "gl/gl.h"
#include "texla/vector.h"

enum { SIDE = 4, TEXELS = SIDE * SIDE };
static const char call[] = "test";

/* Every texel is this number. */
static txTexture *filled(clContext *context, int width, int height, float number) {
  txTexture *t = NULL;
  FREED float *value = malloc((size_t)width * (size_t)height * sizeof *value);
  for (int k = 0; k < width * height; k++)
    value[k] = number;
  assertOk(context, txTextureCreate(&t, context, call, TX_R32F, width, height));
  assertOk(context, txTextureWrite(t, call, (txRect){0, 0, width, height}, value));
  return t;
}

/* A pass over both with these factors; every texel must be a factor[0] + b factor[1]. */
static void check(clContext *context, const txTexture *a, const txTexture *b, float first,
                  float second, float expected) {
  txTexture *y = NULL;
  float result[4 * TEXELS];
  assertOk(context, txTextureCreate(&y, context, call, TX_RGBA32F, SIDE, SIDE));
  txPass pass = {.kernel = "both",
                 .source_text = "uniform sampler2D a, b;\nuniform vec2 factor;\n"
                                "vec4 kernel() { return vec4(factor.x * texture(a, uv).r + "
                                "factor.y * texture(b, uv).r); }\n",
                 .defines = "#define OUTPUTS 1\n#define KEEPS_ZERO\n",
                 .target = {y},
                 .source = {{"a", a, TX_EDGE}, {"b", b, TX_EDGE}},
                 .uniform = {{"factor", 2, {first, second}}}};
  assertOk(context, txPassRun(context, call, &pass));
  assertOk(context, txTextureRead(y, call, (txRect){0, 0, SIDE, SIDE}, result));
  for (int k = 0; k < 4 * TEXELS; k++)
    assert_float_equal(result[k], expected, 0);
  txTextureDestroy(y);
}

static PFNGLBINDSAMPLERPROC bindSampler;
static PFNGLACTIVETEXTUREPROC activeTexture;
static int calls;
static void GLAPIENTRY countSampler(GLuint unit, GLuint sampler) {
  calls++;
  bindSampler(unit, sampler);
}
static void GLAPIENTRY countUnit(GLenum unit) {
  calls++;
  activeTexture(unit);
}

/* Calls that bind textures for such a pass. */
static int callsOf(clContext *context, const txTexture *a, const txTexture *b) {
  calls = 0;
  check(context, a, b, 1, 1, 3);
  return calls;
}

static void onceWhileTexlaIsAlone(void **state) {
  clContext *context = *state;
  txTexture *a = filled(context, SIDE, SIDE, 1), *b = filled(context, SIDE, SIDE, 2);
  check(context, a, b, 1, 1, 3);
  bindSampler = glBindSampler;
  activeTexture = glActiveTexture;
  glBindSampler = countSampler;
  glActiveTexture = countUnit;
  assert_int_equal(callsOf(context, a, b), 4);
  assert_int_equal(callsOf(context, a, b), 4);
  assertOk(context, txContextBorrow(context));
  assert_int_equal(callsOf(context, a, b), 4);
  assert_int_equal(callsOf(context, a, b), 0);
  txContextTouched(context);
  assert_int_equal(callsOf(context, a, b), 4);
  txContextGiveBack(context);
  assert_int_equal(callsOf(context, a, b), 4);
  assertOk(context, txContextBorrow(context));
  assert_int_equal(callsOf(context, a, b), 4);
  txContextGiveBack(context);
  glBindSampler = bindSampler;
  glActiveTexture = activeTexture;
  txTextureDestroy(a);
  txTextureDestroy(b);
}

/* Uniforms are set when they are others, and those of one program are not those of another. */
static void numbersThatChange(void **state) {
  clContext *context = *state;
  txTexture *a = filled(context, SIDE, SIDE, 1), *b = filled(context, SIDE, SIDE, 2);
  check(context, a, b, 1, 1, 3);
  check(context, a, b, 1, -1, -1);
  check(context, a, b, 1, -1, -1);
  check(context, a, b, 0, -1, -2);
  check(context, a, b, -0.0f, 1, 2);
  txTextureDestroy(a);
  txTextureDestroy(b);
}

/* Somebody else binds textures and samplers, and says so. */
static void othersBind(void **state) {
  clContext *context = *state;
  txTexture *a = filled(context, SIDE, SIDE, 1), *b = filled(context, SIDE, SIDE, 2),
            *other = filled(context, SIDE, SIDE, 70);
  assertOk(context, txContextBorrow(context));
  check(context, a, b, 1, 1, 3);
  for (int unit = 0; unit < 2; unit++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, other->name);
    glBindSampler((GLuint)unit, 0);
  }
  txContextTouched(context);
  check(context, a, b, 1, 1, 3);
  txContextGiveBack(context);
  txTextureDestroy(a);
  txTextureDestroy(b);
  txTextureDestroy(other);
}

/* Uploads, and textures that are made, bind, too: what was bound before is bound again. */
static void texlaBindsBesidePasses(void **state) {
  clContext *context = *state;
  assertOk(context, txContextBorrow(context));
  txTexture *a = filled(context, SIDE, SIDE, 1), *b = filled(context, SIDE, SIDE, 2);
  check(context, a, b, 1, 1, 3);
  txTexture *made = filled(context, SIDE + 1, SIDE, 70);
  check(context, a, b, 1, 1, 3);
  check(context, b, a, 1, 1, 3);
  check(context, a, made, 1, 1, 71);
  check(context, made, a, 1, 2, 72);
  txContextGiveBack(context);
  txTextureDestroy(a);
  txTextureDestroy(b);
  txTextureDestroy(made);
}

/* A deleted texture is bound to nothing any more, and OpenGL may give its name to the next one. */
static void deletedTexturesAreForgotten(void **state) {
  clContext *context = *state;
  assertOk(context, txContextBorrow(context));
  txTexture *a = filled(context, SIDE, SIDE, 1), *b = filled(context, SIDE + 2, SIDE, 2);
  unsigned name = b->name;
  check(context, a, b, 1, 1, 3);
  txTextureDestroy(b);
  assert_int_equal(context->bound[1].texture, name);
  assertOk(context, clContextTrim(context));
  assert_int_equal(context->bound[1].texture, 0);
  txContextGiveBack(context);
  txTextureDestroy(a);
}

TEST_MAIN(testContextCreate, testContextDestroy, onceWhileTexlaIsAlone, numbersThatChange,
          othersBind, texlaBindsBesidePasses, deletedTexturesAreForgotten)
