/* What is measured of a device: in the tuning table, pinned by a file, and never wrong answers. */

#include "common.h"

#include "folder.h"
#include "gl/gl.h"
#include "texla/vector.h"

static int tabled(const clContext *context, const char *wanted) {
  const char *key = NULL;
  int value = 0;
  for (int i = 0; clContextTuning(context, i, &key, &value); i++)
    if (!strcmp(key, wanted))
      return value;
  fail_msg("no %s in the table", wanted);
  return 0;
}

static void areInTheTable(void **state) {
  const txTraits *t = txContextTraits(*state);
  assert_int_equal(tabled(*state, "trait.host_shades"), t->host_shades);
  assert_int_equal(tabled(*state, "trait.pass_ns"), t->pass_ns);
  assert_int_equal(tabled(*state, "trait.flat_uniforms"), t->flat_uniforms);
  assert_int_equal(tabled(*state, "trait.panel"), t->panel);
  assert_int_equal(tabled(*state, "trait.double_float"), t->double_float);
  assert_int_equal(tabled(*state, "trait.refine_on_device"), t->refine_on_device);
  assert_int_equal(clContextInspect(*state)->software, t->host_shades);
  assert_true(t->pass_ns > 0 && t->pass_ns < 1000000000);
}

/* A renderer that says that it is one must be found to be one. */
static void softwareIsFound(void **state) {
  const char *name = clContextInspect(*state)->renderer;
  if (strstr(name, "llvmpipe") || strstr(name, "softpipe"))
    assert_true(txContextTraits(*state)->host_shades);
  /* also where its name says nothing */
  int measured = -1;
  assertOk(*state, txTraitsFindHost(*state, "unheard of", &measured));
  assert_int_equal(measured, txContextTraits(*state)->host_shades);
}

/* By the names that drivers give, and by what browsers make of them. */
static void softwareIsKnownByName(void **state) {
  static const char *const software[] = {
      "llvmpipe (LLVM 15.0.6, 256 bits)",
      "softpipe",
      "ANGLE (Mesa/X.org, llvmpipe (LLVM 15.0.6 256 bits), OpenGL ES 3.2)",
      "Google SwiftShader",
      ("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader "
       "driver)"),
      "ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11 vs_5_0 ps_5_0, D3D11)"};
  static const char *const cards[] = {"NVIDIA H200/PCIe/SSE2",
                                      "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620, OpenGL 4.6)",
                                      "Apple M1",
                                      "Mali-G78",
                                      "WebKit WebGL",
                                      ""};
  for (size_t i = 0; i < sizeof software / sizeof *software; i++)
    assert_true(txTraitsNamedSoftware(software[i]));
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
    assert_false(txTraitsNamedSoftware(cards[i]));
}

static clContext *pinned(const Folder *folder, const char *text) {
  clContext *context = NULL;
  clError error = {0};
  folderWrite((Folder *)folder, "pinned", text);
  const clContextOptions options = {.tuning = folderPath((Folder *)folder, "pinned")};
  testOk(clContextCreate(&context, &options, &error), &error, "clContextCreate", __FILE__,
         __LINE__);
  return context;
}

static void aFilePinsThem(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  clContext *context = pinned(&folder, "trait.host_shades 0\ntrait.panel 3\ntrait.pass_ns 17\n");
  const txTraits *t = txContextTraits(context);
  assert_false(t->host_shades || t->two_columns || t->whole_triangle || t->points_on_host ||
               t->flat_uniforms);
  assert_false(clContextInspect(context)->software);
  assert_true(t->panel == 3 && t->pass_ns == 17);
  clContextDestroy(context);
  context = pinned(
      &folder,
      "trait.host_shades 1\ntrait.whole_triangle 0\ntrait.panel -1\ntrait.points_on_host 100\n");
  t = txContextTraits(context);
  assert_true(t->host_shades && !t->whole_triangle && t->points_on_host == 100);
  assert_int_equal(t->two_columns, !testIsEs(context));
  /* -1 makes no sense */
  assert_int_equal(t->panel, 8);
  clContextDestroy(context);
}

/* Whatever is asked for, passes over targets of different heights must see their own uniforms and
 * places. */
static void flatUniformsAreRight(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  clContext *context = pinned(&folder, "trait.host_shades 1\ntrait.flat_uniforms 1\n");
  clVector *many = NULL, *few = NULL;
  clFloat *s = NULL;
  float dot = 0;
  assertOk(context, clVectorCreate(&many, context, 65537));
  assertOk(context, clVectorFill(many, 3));
  clVectorDestroy(many);
  assertOk(context, clVectorCreate(&few, context, 5));
  assertOk(context, clVectorFill(few, 2));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorDot(s, few, few));
  assertOk(context, clFloatDownload(s, &dot));
  assert_true(dot == 20);
  clFloatDestroy(s);
  clVectorDestroy(few);
  clContextDestroy(context);
}

/* What is compiled once keeps what it does not cover, replaces the rest whatever it was, and adds
 * where it is to add. */
static void compiledOnceDrawsTheSame(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  for (int once = 0; once < 2; once++) {
    OWN(clContext) *context =
        pinned(&folder, once ? "trait.compiled_once 1000000\n" : "trait.compiled_once 0\n");
    txTexture *x = NULL, *y = NULL;
    enum { SIDE = 70, COUNT = 4 * SIDE * SIDE };
    float *numbers = malloc(COUNT * sizeof *numbers), *seen = malloc(COUNT * sizeof *seen);
    assert_true(numbers && seen);
    assertOk(context, txTextureCreate(&x, context, "test", TX_RGBA32F, SIDE, SIDE));
    assertOk(context, txTextureCreate(&y, context, "test", TX_RGBA32F, SIDE, SIDE));
    const txRect all = {0, 0, SIDE, SIDE}, part = {3, 5, 66, 61};
    for (int i = 0; i < COUNT; i++)
      numbers[i] = i % 3 ? INFINITY : NAN;
    assertOk(context, txTextureWrite(y, "test", all, numbers));
    for (int i = 0; i < COUNT; i++)
      numbers[i] = 1 + (float)i / 3;
    assertOk(context, txTextureWrite(x, "test", all, numbers));
    txPass pass = {.kernel = "copy", .target = {y}, .rect = part, .source = {{"x", x, TX_EDGE}}};
    for (int add = 0; add < 2; add++) {
      pass.add = add;
      assertOk(context, txPassRun(context, "test", &pass));
      assertOk(context, txTextureRead(y, "test", all, seen));
      for (int i = 0; i < COUNT; i++) {
        int column = i / 4 % SIDE - part.x, row = i / 4 / SIDE - part.y;
        if (column >= 0 && column < part.width && row >= 0 && row < part.height)
          assert_true(seen[i] == (float)(1 + add) * numbers[i]);
        else
          assert_true(!isfinite(seen[i]));
      }
    }
    free(seen);
    free(numbers);
    txTextureDestroy(x);
    txTextureDestroy(y);
  }
}

/* A file may forbid double-float arithmetic, but not ask for more of it than computes right. */
static void doubleFloatIsRight(void **state) {
  const int usual = txContextTraits(*state)->double_float;
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  clContext *context = pinned(&folder, "trait.double_float 0\n");
  assert_int_equal(txContextTraits(context)->double_float, 0);
  assertFails(context, txDoubleFloatCheck(context, "test"), TEXLA_UNSUPPORTED,
              "trait.double_float");
  clContextDestroy(context);
  context = pinned(&folder, "trait.double_float 2\n");
  assert_int_equal(txContextTraits(context)->double_float, usual);
  assert_int_equal(tabled(context, "trait.double_float"), txContextTraits(context)->double_float);
  clContextDestroy(context);
}

/* A guard that a file pins is taken where it holds. Bits hold on every software renderer; precise
 * variables are an extension's. */
static void guardsAreProbed(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  const int usual = txContextTraits(*state)->double_guard;
  for (int guard = 0; guard < TX_GUARDS; guard++) {
    char text[64];
    snprintf(text, sizeof text, "trait.double_guard %d\n", guard);
    OWN(clContext) *context = pinned(&folder, text);
    const txTraits *t = txContextTraits(context);
    assert_int_equal(tabled(context, "trait.double_guard"), t->double_guard);
    if (clContextInspect(context)->software) {
      assert_true(t->double_float > 0);
      assert_true(guard < usual || t->double_guard == guard || context->plain);
      assert_true(guard != 2 || t->double_guard == 2);
    }
  }
}

/* On OpenGL ES, which leaves open what kind of derivatives a device has, fine ones are taken where
 * a probe finds them: not where they are those of one row for both. */
static void derivativesAreProbed(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  const char *const gl = folderPath(&folder, "gl");
  assert_int_equal(mkdir(gl, 0700), 0);
  folderWrite(
      &folder, "gl/probe_derivatives.frag",
      "out vec4 d;\n"
      "void main() {\n"
      "  vec2 p = floor(gl_FragCoord.xy), first = 2. * floor(0.5 * p);\n"
      "  d = vec4(2. * first.x + 1. + 3. * first.y, 4. * first.y + 2. + 3. * p.x, 0., 0.);\n"
      "}\n");
  /* Where Mesa is told to do without extensions, it does without those of OpenGL ES, too. */
  int contexts = getenv("MESA_EXTENSION_OVERRIDE") ? 0 : 2;
  for (int coarse = 0; coarse < contexts; coarse++) {
    OWN(clContext) *context = NULL;
    clError error = {0};
    clContextOptions options = {.device = "gles", .no_tuning_cache = true};
    if (coarse)
      options.shader_dir = folder.name;
    clStatus status = clContextCreate(&context, &options, &error);
    if (status == TEXLA_NO_DEVICE || status == TEXLA_BAD_ARGUMENT)
      break; /* no OpenGL ES here */
    testOk(status, &error, "gles", __FILE__, __LINE__);
    if (strstr(clContextInspect(context)->renderer, "llvmpipe"))
      assert_int_equal(txContextTraits(context)->fine_derivatives, !coarse);
  }
}

/* A context on the file, as it is. */
static clContext *opened(Folder *folder) {
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions options = {.tuning = folderPath(folder, "pinned")};
  testOk(clContextCreate(&context, &options, &error), &error, "clContextCreate", __FILE__,
         __LINE__);
  return context;
}

static void areTheSame(const clProbes *a, const clProbes *b) {
  assert_true(a->exact_division == b->exact_division && a->large_integers == b->large_integers);
  assert_true(a->nan_kept == b->nan_kept && a->inf_kept == b->inf_kept);
  assert_true(a->denormals == b->denormals && a->two_sum == b->two_sum);
  assert_true(a->round_add == b->round_add && a->round_mul == b->round_mul);
  assert_true(a->r32f_renderable == b->r32f_renderable && a->filterable == b->filterable);
  assert_true(a->rgba32f_renderable == b->rgba32f_renderable && a->blendable == b->blendable);
  assert_float_equal(a->division_ulps, b->division_ulps, 2e-6);
}

/* What has been found is not looked for again, unless the table is another device's, or its traits
 * have changed. */
static void probesAreKept(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  clContext *context = pinned(&folder, "# texla\n");
  const clProbes found = clContextInspect(context)->probes;
  const int double_float = txContextTraits(context)->double_float;
  const int device = tabled(context, "probe.device");
  assert_true(clContextStatistics(context).programs > 0);
  clContextDestroy(context);
  context = opened(&folder);
  assert_int_equal(clContextStatistics(context).programs, 0);
  areTheSame(&clContextInspect(context)->probes, &found);
  assert_int_equal(txContextTraits(context)->double_float, double_float);
  clContextDestroy(context);
  char text[128];
  snprintf(text, sizeof text, "# texla\nprobe.device %d\nprobe.answers 0\nprobe.division 7\n",
           device ^ 1);
  context = pinned(&folder, text);
  areTheSame(&clContextInspect(context)->probes, &found);
  assert_int_equal(tabled(context, "probe.device"), device);
  clContextDestroy(context);
  /* Two where nothing fuses: refused as if nothing had been kept. */
  snprintf(text, sizeof text,
           "# texla\nprobe.device %d\nprobe.answers 0\nprobe.division 7\ntrait.double_float %d\n",
           device, double_float ^ 3);
  context = pinned(&folder, text);
  assert_true(txContextTraits(context)->double_float <= double_float);
  areTheSame(&clContextInspect(context)->probes, &found);
  clContextDestroy(context);
}

TEST_MAIN(testContextCreate, testContextDestroy, areInTheTable, softwareIsFound,
          softwareIsKnownByName, aFilePinsThem, flatUniformsAreRight, doubleFloatIsRight,
          guardsAreProbed, compiledOnceDrawsTheSame, derivativesAreProbed, probesAreKept)
