/* Programs: includes, messages with file and line, the cache's key. */
#include "common.h"

#include "folder.h"
#include "gl/observe.h"
#include "gl/pass.h"
#include "gl/rehearse.h"

static const char call[] = "test";
static const char plain[] = "#define OUTPUTS 1\n#define KEEPS_ZERO\n";

/* Runs a pass into one texel; *value <- its first component. */
static clStatus runPass(clContext *context, const char *kernel, const char *source,
                        const char *defines, float *value) {
  txTexture *y = NULL;
  float v[4] = {0};
  assertOk(context, txTextureCreate(&y, context, call, TX_RGBA32F, 1, 1));
  txPass pass = {.kernel = kernel, .source_text = source, .defines = defines, .target = {y}};
  clStatus status = txPassRun(context, call, &pass);
  if (!status)
    assertOk(context, txTextureRead(y, call, (txRect){0, 0, 1, 1}, v));
  *value = v[0];
  txTextureDestroy(y);
  return status;
}

static void theCachesKeyIsEverything(void **state) {
  clContext *context = *state;
  static const char source[] = "vec4 kernel() { return vec4(NUMBER); }\n";
  static const struct {
    const char *kernel, *source, *defines;
    float value;
  } cases[] = {{"k", source, "#define OUTPUTS 1\n#define KEEPS_ZERO\n#define NUMBER 1.\n", 1},
               {"k", source, "#define OUTPUTS 1\n#define KEEPS_ZERO\n#define NUMBER 2.\n", 2},
               {"k", "vec4 kernel() { return vec4(3.); }\n", plain, 3},
               {"k", "vec4 kernel() { return vec4(4.); }\n", plain, 4},
               {"other", "vec4 kernel() { return vec4(4.); }\n", plain, 4}};
  int64_t start = clContextStatistics(context).programs;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 5; i++) {
      float value;
      assertOk(context,
               runPass(context, cases[i].kernel, cases[i].source, cases[i].defines, &value));
      assert_true(value == cases[i].value);
    }
  assert_int_equal(clContextStatistics(context).programs, start + 5);
}

/* A vertex shader does not depend on what it does not name: drivers compile it once for many
 * programs. */
static void vertexShadersHaveTheirOwnDefines(void **state) {
  clContext *context = *state;
  static const struct {
    const char *vertex, *defines, *kept;
  } cases[] = {
      {NULL, "#define PARTIAL 1\n#define SUM(x) \\\n  (x)\n", "#define SUM(x) \\\n  (x)\n"},
      {NULL, "#define OUTPUTS 8\n#define LENGTH 1234\n", ""},
      {"krylov/cg_merged", "#define COUNT OUTPUTS\n#define PARTIAL 1\n#define OUTPUTS 8\n",
       "#define PARTIAL 1\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    txPass pass = {.kernel = "copy", .vertex = cases[i].vertex, .defines = cases[i].defines};
    txShaderText with, without;
    assertOk(context, txShaderAssemble(&with, context, call, &pass, TX_VERTEX));
    assertOk(context, txShaderAssemble(&without, context, call, &pass, TX_FRAGMENT));
    assert_non_null(strstr(without.text, cases[i].defines));
    free(without.text);
    pass.defines = cases[i].kept;
    assertOk(context, txShaderAssemble(&without, context, call, &pass, TX_VERTEX));
    assert_string_equal(with.text, without.text);
    free(with.text);
    free(without.text);
  }
}

static void manyPrograms(void **state) {
  clContext *context = *state;
  /* the table grows meanwhile */
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 150; i++) {
      char source[64];
      float value;
      snprintf(source, sizeof source, "vec4 kernel() { return vec4(%d.); }\n", i);
      assertOk(context, runPass(context, "many", source, plain, &value));
      assert_true(value == (float)i);
    }
}

/* *value <- what a pass of this source finds in its texel, of which a pass before has made 1; in a
 * rehearsal of both, what is read is zero. */
static clStatus rehearseOne(clContext *context, txRehearsal kind, txTexture *y, const char *source,
                            float *value) {
  float v[4] = {9};
  const txPass pass = {
      .kernel = "rehearsed", .source_text = source, .defines = plain, .target = {y}};
  txContextRehearse(context, kind);
  clStatus status = txPassRun(context, call, &pass);
  assertOk(context, txTextureRead(y, call, (txRect){0, 0, 1, 1}, v));
  if (kind)
    assert_true(v[0] == 0);
  txContextRehearse(context, TX_IN_EARNEST);
  for (int k = 0; k < 1000000 && !txContextRehearsed(context); k++)
    ;
  assert_true(txContextRehearsed(context));
  assertOk(context, txTextureRead(y, call, (txRect){0, 0, 1, 1}, v));
  *value = v[0];
  return status;
}

/* First programs are made and nothing is drawn, then it is drawn, and nothing is read. */
static void rehearsalsMakeProgramsAndReadNothing(void **state) {
  clContext *context = *state;
  static const char one[] = "vec4 kernel() { return vec4(1.); }\n";
  static const char two[] = "vec4 kernel() { return vec4(2.); }\n";
  static const char wrong[] = "vec4 kernel() { return nothing; }\n";
  txTexture *y = NULL;
  float value;
  assertOk(context, txTextureCreate(&y, context, call, TX_RGBA32F, 1, 1));
  assertOk(context, rehearseOne(context, TX_IN_EARNEST, y, one, &value));
  assert_true(value == 1);
  int64_t programs = clContextStatistics(context).programs;
  assertOk(context, rehearseOne(context, TX_BEGINNING, y, two, &value));
  assert_true(value == 1);
  assertOk(context, rehearseOne(context, TX_DRAWING, y, two, &value));
  assert_true(value == 2);
  assert_int_equal(clContextStatistics(context).programs, programs + 1);
  /* what is wrong is said in earnest */
  assertOk(context, rehearseOne(context, TX_BEGINNING, y, wrong, &value));
  assert_int_equal(rehearseOne(context, TX_IN_EARNEST, y, wrong, &value), TEXLA_SHADER_ERROR);
  assert_non_null(strstr(clContextError(context)->message, "nothing"));
  assertOk(context, txContextCheck(context));
  txTextureDestroy(y);
}

static void missingFilesAreNamed(void **state) {
  clContext *context = *state;
  float value;
  assertFails(context, runPass(context, "no such kernel", NULL, NULL, &value), TEXLA_SHADER_ERROR,
              "test: there is no shader file \"no such kernel.frag\"");
  assertFails(context,
              runPass(context, "user",
                      "#include \"include/layout.glsl\"\n\n#include \"gone.glsl\"\n", plain,
                      &value),
              TEXLA_SHADER_ERROR, "test: user:3: there is no shader file \"gone.glsl\" to include");
}

static void linesOfUsersSources(void **state) {
  clContext *context = *state;
  float value;
  assertFails(
      context,
      runPass(context, "mine", "vec4 kernel() {\n  float a = 1.;\n  return b;\n}\n", plain, &value),
      TEXLA_SHADER_ERROR, "shader mine does not compile:");
  assert_non_null(strstr(clContextError(context)->message, "\n  mine:3"));
  /* after an include, the counting goes on */
  assertFails(context,
              runPass(context, "mine",
                      "\n#include \"vector/reduce.glsl\"\n\nvec4 kernel() { return nothing; }\n",
                      plain, &value),
              TEXLA_SHADER_ERROR, "\n  mine:4");
  assertFails(context,
              runPass(context, "mine", "vec4 kernel() { return LATE; }\n",
                      "#define OUTPUTS 1\n#define LATE missing\n", &value),
              TEXLA_SHADER_ERROR, "\n  mine:1");
}

static void linesOfEmbeddedFiles(void **state) {
  clContext *context = *state;
  /* scalar.frag without RESULT: an error in its last lines */
  float value;
  assertFails(context, runPass(context, "scalar", NULL, NULL, &value), TEXLA_SHADER_ERROR,
              "test: shader scalar does not compile:\n  scalar.frag:8");
  assertFails(context,
              runPass(context, "reduce_final", NULL,
                      "#define RESULT v.x\n#define COMBINE(a, b) gone\n", &value),
              TEXLA_SHADER_ERROR, "vector/reduce_final.glsl:");
}

static void filesOfTheDeveloperReplaceTheEmbeddedOnes(void **state) {
  AT_END(folderDestroy) Folder folder;
  float value;
  folderCreate(&folder);
  assert_int_equal(mkdir(folderPath(&folder, "include"), 0777), 0);
  folderWrite(&folder, "seven.frag",
              "#include \"include/seven.glsl\"\nout vec4 y;\nvoid main() { y = vec4(seven()); }\n");
  folderWrite(&folder, "include/seven.glsl", "// seven\nfloat seven() { return 7.; }\n");
  folderWrite(&folder, "broken.frag",
              "#include \"include/seven.glsl\"\nout vec4 y;\nvoid main() { y = vec3(1.); }\n");
  folderWrite(&folder, "deep.frag",
              "#include \"include/wrong.glsl\"\nout vec4 y;\nvoid main() { y = wrong(); }\n");
  folderWrite(&folder, "include/wrong.glsl", "// wrong\n\nvec4 wrong() { return nothing; }\n");
  folderWrite(&folder, "loop.frag",
              "#include \"include/a.glsl\"\nout vec4 y;\nvoid main() { y = vec4(a + b); }\n");
  folderWrite(&folder, "include/a.glsl", "#include \"include/b.glsl\"\nconst float a = 1.;\n");
  folderWrite(&folder, "include/b.glsl", "#include \"include/a.glsl\"\nconst float b = 2.;\n");
  assert_int_equal(mkdir(folderPath(&folder, "vector"), 0777), 0);
  folderWrite(&folder, "vector/scale.frag",
              "// in their place\nout vec4 y;\nvoid main() { y = vec4(9.); }\n");
  clContext *context = testContextWith((clContextOptions){.shader_dir = folder.name});
  assertOk(context, runPass(context, "seven", NULL, NULL, &value));
  assert_true(value == 7);
  assertFails(context, runPass(context, "broken", NULL, NULL, &value), TEXLA_SHADER_ERROR,
              "\n  broken.frag:3");
  assertFails(context, runPass(context, "deep", NULL, NULL, &value), TEXLA_SHADER_ERROR,
              "\n  include/wrong.glsl:3");
  /* each file once */
  assertOk(context, runPass(context, "loop", NULL, NULL, &value));
  assert_true(value == 3);
  /* embedded */
  assertOk(context, runPass(context, "scalar", NULL, "#define RESULT a + 4.\n", &value));
  assert_true(value == 5);
  assertOk(context, runPass(context, "scale", NULL, NULL, &value));
  assert_true(value == 9);
  folderWrite(&folder, "huge.frag", "");
  assert_int_equal(truncate(folderPath(&folder, "huge.frag"), (off_t)3 << 30), 0);
  assertFails(context, runPass(context, "huge", NULL, NULL, &value), TEXLA_TOO_LARGE,
              "huge.frag has 3221225472 bytes");
  assert_int_equal(mkfifo(folderPath(&folder, "pipe.frag"), 0600), 0);
  assertFails(context, runPass(context, "pipe", NULL, NULL, &value), TEXLA_IO_ERROR,
              "is not a regular file");
  clContextDestroy(context);
}

static void assertNoShaders(const char *folder, const char *message) {
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions options = {.shader_dir = folder, .no_tuning_cache = true};
  testFails(clContextCreate(&context, &options, &error), &error, TEXLA_IO_ERROR, message, folder,
            __FILE__, __LINE__);
  assert_null(context);
}

/* Otherwise a developer would wonder why nothing changes. */
static void foldersWithoutShadersAreRefused(void **state) {
  Folder folder;
  char name[5001];
  folderCreate(&folder);
  /* its place is vector/ */
  folderWrite(&folder, "fill.frag", "");
  assertNoShaders(folder.name, "(shader_dir) has none of texla's shaders, such as ");
  assertNoShaders(TEXLA_SOURCE_DIR "/shaders/vector", "has none of texla's shaders");
  assertNoShaders(TEXLA_SOURCE_DIR, "name a copy of shaders/");
  assertNoShaders(folderPath(&folder, "fill.frag"), "(shader_dir): Not a directory");
  assertNoShaders(folderPath(&folder, "none"), "(shader_dir): No such file or directory");
  /* one that exists, but longer than a path may be */
  memset(name, '/', 5000);
  name[5000] = 0;
  assertNoShaders(name, "the folder of shaders");
  folderDestroy(&folder);
  clContextDestroy(testContextWith((clContextOptions){.shader_dir = TEXLA_SOURCE_DIR "/shaders"}));
}

static void sourcesThatDoNotLink(void **state) {
  clContext *context = *state;
  float value;
  assertFails(context,
              runPass(context, "prototype", "vec4 gone();\nvec4 kernel() { return gone(); }\n",
                      plain, &value),
              TEXLA_SHADER_ERROR, "test: shader prototype does not");
  assertFails(
      context,
      runPass(
          context, "long",
          "uniform float a_name_that_is_longer_than_the_63_characters_that_texla_keeps_of_each;\n"
          "vec4 kernel() { return "
          "vec4(a_name_that_is_longer_than_the_63_characters_that_texla_keeps_of_each); }",
          plain, &value),
      TEXLA_SHADER_ERROR, "shader long: a uniform's name has more than 63 characters");
}

TEST_MAIN(testContextCreate, testContextDestroy, theCachesKeyIsEverything,
          vertexShadersHaveTheirOwnDefines, manyPrograms, rehearsalsMakeProgramsAndReadNothing,
          missingFilesAreNamed, linesOfUsersSources, linesOfEmbeddedFiles,
          filesOfTheDeveloperReplaceTheEmbeddedOnes, foldersWithoutShadersAreRefused,
          sourcesThatDoNotLink)
