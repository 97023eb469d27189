/* The pass: exact coordinates, rectangles, splitting, blending, points, targets, inputs, events. */
#include "common.h"

#include "gl/pass.h"

#include "folder.h"

#include <unistd.h>

/* uv must fall this close to a texel's centre, in texels, so that nearest sampling never errs; 0.5
 * would be too much. */
static const double centre_tolerance = 0.05;

static const char call[] = "test";
static const char plain[] = "#define OUTPUTS 1\n#define KEEPS_ZERO\n";

static txTexture *newTexture(clContext *context, txFormat format, int width, int height,
                             const void *values) {
  txTexture *t = NULL;
  assertOk(context, txTextureCreate(&t, context, call, format, width, height));
  if (values)
    assertOk(context, txTextureWrite(t, call, (txRect){0, 0, width, height}, values));
  else
    assertOk(context, txTextureClear(t, call));
  return t;
}

static void readAll(clContext *context, const txTexture *t, float *values) {
  assertOk(context, txTextureRead(t, call, (txRect){0, 0, t->width, t->height}, values));
}

/* Texel (i, j) <- its number by texel(x), by texelFetch, and how far uv is from its centre, in
 * texels. */
static const char coordinates[] =
    "uniform sampler2D x;\n"
    "uniform vec2 size;\n"
    "vec4 kernel() {\n"
    "  vec2 off = abs(uv * size - gl_FragCoord.xy);\n"
    "  return vec4(texel(x).r, texelFetch(x, ivec2(gl_FragCoord.xy), 0).r, off);\n"
    "}\n";

static void checkCoordinates(clContext *context, int width, int height, txRect rect, int64_t work,
                             int64_t draws) {
  size_t n = (size_t)width * (size_t)height;
  FREED float *number = malloc(n * sizeof *number), *result = malloc(4 * n * sizeof *result);
  for (size_t i = 0; i < n; i++)
    number[i] = (float)(i + 1);
  txTexture *x = newTexture(context, TX_R32F, width, height, number);
  txTexture *y = newTexture(context, TX_RGBA32F, width, height, NULL);
  txPass pass = {.kernel = "coordinates",
                 .source_text = coordinates,
                 .defines = plain,
                 .target = {y},
                 .source = {{"x", x, TX_EDGE}},
                 .uniform = {{"size", 2, {(float)width, (float)height}}},
                 .rect = rect,
                 .work = work};
  clContextCounters before = clContextStatistics(context);
  assertOk(context, txPassRun(context, call, &pass));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.passes, before.passes + 1);
  assert_int_equal(after.draws, before.draws + draws);
  readAll(context, y, result);
  txRect r = rect.width ? rect : (txRect){0, 0, width, height};
  for (size_t i = 0; i < n; i++) {
    int px = (int)(i % (size_t)width), py = (int)(i / (size_t)width);
    bool inside = px >= r.x && px < r.x + r.width && py >= r.y && py < r.y + r.height;
    const float *v = result + 4 * i;
    bool ok = inside ? v[0] == number[i] && v[1] == number[i] && (double)v[2] < centre_tolerance &&
                           (double)v[3] < centre_tolerance
                     : v[0] == 0 && v[1] == 0;
    if (!ok)
      print_error("%d x %d, texel (%d, %d): %g, %g, off by %g, %g\n", width, height, px, py,
                  (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
    assert_true(ok);
  }
  txTextureDestroy(x);
  txTextureDestroy(y);
}

static void uvIsExact(void **state) {
  clContext *context = *state;
  int limit = clContextInspect(context)->max_texture_size;
  static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {5, 7}, {1023, 3}, {1024, 977}, {3, 4097}};
  checkCoordinates(context, limit, 1, (txRect){0}, 0, 1);
  checkCoordinates(context, 1, limit, (txRect){0}, 0, 1);
  checkCoordinates(context, limit - 1, 3, (txRect){0}, 0, 1);
  checkCoordinates(context, 3, limit - 1, (txRect){0}, 0, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    checkCoordinates(context, sizes[i][0], sizes[i][1], (txRect){0}, 0, 1);
}

static void rectanglesWriteNothingElse(void **state) {
  clContext *context = *state;
  int limit = clContextInspect(context)->max_texture_size;
  checkCoordinates(context, 100, 50, (txRect){0, 0, 1, 1}, 0, 1);
  checkCoordinates(context, 100, 50, (txRect){99, 49, 1, 1}, 0, 1);
  checkCoordinates(context, 100, 50, (txRect){7, 3, 61, 29}, 0, 1);
  checkCoordinates(context, limit, 2, (txRect){limit - 3, 1, 3, 1}, 0, 1);
  checkCoordinates(context, 2, limit, (txRect){1, limit - 5, 1, 5}, 0, 1);
}

static const char rim[] = "vec4 kernel() {\n"
                          "#ifdef RIM\n"
                          "  return vec4(1., uv, 0.);\n"
                          "#else\n"
                          "  return vec4(2., uv, 0.);\n"
                          "#endif\n"
                          "}\n";

static bool holds(txRect r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

static void insideHasAProgramOfItsOwn(void **state) {
  enum { W = 13, H = 9 };
  clContext *context = *state;
  const txRect all = {0, 0, W, H}, part = {2, 1, 10, 7};
  const txRect cases[][2] = {{all, {1, 1, 11, 7}}, {all, {0, 0, 13, 8}}, {all, all},
                             {all, {4, 0, 1, 9}},  {part, {3, 1, 9, 2}}, {part, {5, 6, 1, 1}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    txTexture *y = newTexture(context, TX_RGBA32F, W, H, NULL);
    txPass pass = {.kernel = "rim",
                   .source_text = rim,
                   .defines = plain,
                   .target = {y},
                   .rect = cases[k][0],
                   .inside = cases[k][1]};
    int64_t passes = clContextStatistics(context).passes;
    assertOk(context, txPassRun(context, call, &pass));
    assert_int_equal(clContextStatistics(context).passes, passes + 1);
    float result[4 * W * H];
    readAll(context, y, result);
    for (int i = 0; i < W * H; i++) {
      int px = i % W, py = i / W;
      float program = holds(cases[k][0], px, py);
      if (holds(cases[k][1], px, py))
        program = 2;
      assert_true(result[4 * i] == program);
      assert_true(program == 0 ||
                  fabs((double)result[4 * i + 1] * W - px - 0.5) < centre_tolerance);
      assert_true(program == 0 ||
                  fabs((double)result[4 * i + 2] * H - py - 0.5) < centre_tolerance);
    }
    txTextureDestroy(y);
  }
}

static void longDrawsAreSplit(void **state) {
  clContext *context = *state;
  /* fetches per draw */
  const int64_t most = (int64_t)1 << 31;
  int limit = clContextInspect(context)->max_texture_size;
  checkCoordinates(context, 64, 48, (txRect){0}, most / (64 * 48), 1);
  /* ten rows each */
  checkCoordinates(context, 64, 48, (txRect){0}, most / (64 * 10), 5);
  /* inside of a rectangle */
  checkCoordinates(context, 64, 48, (txRect){3, 5, 50, 40}, most / (50 * 7), 6);
  /* less than a row */
  checkCoordinates(context, 64, 48, (txRect){0}, most / 40, 2 * 48);
  /* one texel each */
  checkCoordinates(context, 20, 3, (txRect){0}, 2 * most, 60);
  checkCoordinates(context, limit, 2, (txRect){0}, most / 5000, 2 * ((limit + 4999) / 5000));
}

static txPass copyPass(txTexture *y, const txTexture *x) {
  return (txPass){.kernel = "copy", .target = {y}, .source = {{"x", x, TX_EDGE}}};
}

static void targetsAreChecked(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  txTexture *x = newTexture(context, TX_RGBA32F, 4, 4, NULL),
            *y = newTexture(context, TX_RGBA32F, 4, 4, NULL);
  txTexture *small = newTexture(context, TX_RGBA32F, 4, 3, NULL),
            *foreign = newTexture(other, TX_RGBA32F, 4, 4, NULL);
  txPass pass = copyPass(x, x);
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "test: pass copy: its target is also a so");
  pass = copyPass(x, y);
  pass.scalar[2] = x;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "test: pass copy: its target is also a so");
  pass = copyPass(x, y);
  pass.target[1] = y;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "test: pass copy: its target is also a so");
  pass = copyPass(x, foreign);
  assertFails(context, txPassRun(context, call, &pass), TEXLA_FOREIGN_CONTEXT,
              "test: pass copy: a source of another");
  pass = copyPass(foreign, y);
  assertFails(context, txPassRun(context, call, &pass), TEXLA_FOREIGN_CONTEXT,
              "test: pass copy: a target of another");
  pass = copyPass(NULL, y);
  assertFails(context, txPassRun(context, call, &pass), TEXLA_UNSUPPORTED,
              "test: pass copy has 0 targets");
  pass = copyPass(x, y);
  pass.target[1] = small;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_SHAPE,
              "targets of 4 x 4 and 4 x 3 texels");
  pass.target[1] = x;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "pass copy: a target occurs twice");
  pass = copyPass(x, y);
  pass.source[0].name = "z";
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "test: pass copy reads the texture \"x\", which was not given");
  txTextureDestroy(x);
  txTextureDestroy(y);
  txTextureDestroy(small);
  txTextureDestroy(foreign);
  clContextDestroy(other);
}

static void blendingAdds(void **state) {
  clContext *context = *state;
  const float start[8] = {1, 2, 3, 4, 5, 6, 7, 8}, more[8] = {10, 20, 30, 40, -50, 0.5f, 0, 1e6f};
  float result[8];
  txTexture *y = newTexture(context, TX_RGBA32F, 2, 1, start),
            *x = newTexture(context, TX_RGBA32F, 2, 1, more);
  txPass pass = copyPass(y, x);
  pass.add = true;
  assertOk(context, txPassRun(context, call, &pass));
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, result);
  for (int i = 0; i < 8; i++)
    assert_true(result[i] == start[i] + 2 * more[i]);
  /* and no longer */
  pass.add = false;
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, result);
  assert_memory_equal(result, more, sizeof more);
  txTextureDestroy(x);
  txTextureDestroy(y);
}

static void failuresLeaveBlendedTargets(void **state) {
  enum { W = 4, H = 4 };
  static const char *const broken[] = {
      "#ifdef RIM\n#error rim\n#endif\nvec4 kernel() { return vec4(1.); }\n",
      "#ifndef RIM\n#error inside\n#endif\nvec4 kernel() { return vec4(1.); }\n"};
  clContext *context = *state;
  txTexture *y = newTexture(context, TX_RGBA32F, W, H, NULL);
  for (int k = 0; k < 2; k++) {
    txPass pass = {.kernel = "broken",
                   .source_text = broken[k],
                   .defines = plain,
                   .target = {y},
                   .inside = {1, 1, 2, 2},
                   .add = true};
    assert_int_equal(txPassRun(context, call, &pass), TEXLA_SHADER_ERROR);
    float result[4 * W * H];
    readAll(context, y, result);
    for (int i = 0; i < 4 * W * H; i++)
      assert_true(result[i] == 0);
  }
  txTextureDestroy(y);
}

static void severalTargets(void **state) {
  clContext *context = *state;
  txTexture *t[TX_MAX_TARGETS];
  int count = clContextInspect(context)->max_targets < TX_MAX_TARGETS
                  ? clContextInspect(context)->max_targets
                  : 8;
  char defines[64];
  snprintf(defines, sizeof defines, "#define OUTPUTS %d\n#define KEEPS_ZERO\n", count);
  txPass pass = {.kernel = "many",
                 .source_text =
                     "void kernel(out vec4 y[OUTPUTS]) {\n"
                     "  for (int i = 0; i < OUTPUTS; i++) y[i] = vec4(uv, float(i), 1.);\n}\n",
                 .defines = defines};
  for (int i = 0; i < count; i++)
    pass.target[i] = t[i] = newTexture(context, TX_RGBA32F, 3, 2, NULL);
  assertOk(context, txPassRun(context, call, &pass));
  for (int i = 0; i < count; i++) {
    float v[24];
    readAll(context, t[i], v);
    for (int k = 0; k < 6; k++)
      assert_true(v[4 * k + 2] == (float)i && v[4 * k + 3] == 1);
    txTextureDestroy(t[i]);
  }
}

/* Layer i of y <- 10 i + layer of x + 1. */
static const char each_layer[] =
    "uniform sampler2DArray x;\n"
    "void kernel(out vec4 y[OUTPUTS]) {\n"
    "  for (int i = 0; i < OUTPUTS; i++)\n"
    "    y[i] = vec4(10. * float(i)) + textureLod(x, vec3(uv, float(i)), 0.) + 1.;\n}\n";

/* One layer, as it is. */
static void readLayer(clContext *context, const txTexture *t, int layer, float *values) {
  txTexture *y = newTexture(context, TX_RGBA32F, t->width, t->height, NULL);
  txPass pass = {.kernel = "layer",
                 .source_text = "uniform sampler2DArray x;\nuniform float layer;\n"
                                "vec4 kernel() { return textureLod(x, vec3(uv, layer), 0.); }\n",
                 .defines = plain,
                 .target = {y},
                 .source = {{"x", t, TX_EDGE}},
                 .uniform = {{"layer", 1, {(float)layer}}}};
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, values);
  txTextureDestroy(y);
}

static void layersAreTargets(void **state) {
  enum { W = 5, H = 3, LAYERS = 4, FIRST = 2 };
  clContext *context = *state;
  txTexture *x = NULL, *y = NULL, *plane = newTexture(context, TX_RGBA32F, W, H, NULL);
  float v[4 * W * H];
  assertOk(context, txLayersCreate(&x, context, call, TX_RGBA32F, W, H, LAYERS));
  assertOk(context, txLayersCreate(&y, context, call, TX_RGBA32F, W, H, LAYERS));
  const char all[] = "#define OUTPUTS 4\n#define KEEPS_ZERO\n",
             rest[] = "#define OUTPUTS 2\n#define KEEPS_ZERO\n";
  txPass begin = {.kernel = "begin",
                  .source_text = "void kernel(out vec4 y[OUTPUTS]) {\n"
                                 "  for (int i = 0; i < OUTPUTS; i++) y[i] = "
                                 "vec4(floor(gl_FragCoord.xy), float(i), 1.);\n}\n",
                  .defines = all,
                  .target = {x}};
  assertOk(context, txPassRun(context, call, &begin));
  txPass pass = {.kernel = "layers",
                 .source_text = each_layer,
                 .defines = all,
                 .target = {y},
                 .source = {{"x", x, TX_EDGE}}};
  assertOk(context, txPassRun(context, call, &pass));
  begin.target[0] = y;
  /* layers 2 and 3 once more; the others stay */
  begin.first_layer = FIRST;
  begin.defines = rest;
  assertOk(context, txPassRun(context, call, &begin));
  for (int layer = 0; layer < LAYERS; layer++) {
    readLayer(context, y, layer, v);
    for (int i = 0; i < W * H; i++) {
      float more = 0, number = (float)(layer - FIRST);
      if (layer < FIRST)
        more = 10 * (float)layer + 1, number = (float)layer;
      assert_true(v[4 * i] == (float)(i % W) + more && v[4 * i + 1] == (float)(i / W) + more);
      assert_true(v[4 * i + 2] == number + more && v[4 * i + 3] == 1 + more);
    }
  }
  pass.target[0] = plane;
  pass.defines = plain;
  pass.source_text = "uniform sampler2D x;\nvec4 kernel() { return textureLod(x, uv, 0.); }\n";
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "4 layers");
  pass.source_text = each_layer;
  pass.source[0].texture = plane;
  pass.target[0] = x;
  pass.defines = all;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "has 1 layer");
  pass.source[0].texture = y;
  pass.target[0] = y;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "also a source");
  pass.source[0].texture = x;
  pass.target[1] = pass.target[0];
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "occurs twice");
  txTextureDestroy(x);
  txTextureDestroy(y);
  /* not one from the pool */
  assertOk(context, txLayersCreate(&x, context, call, TX_RGBA32F, W, H, LAYERS - 1));
  assert_int_equal(x->layers, LAYERS - 1);
  pass = (txPass){
      .kernel = "begin", .source_text = begin.source_text, .defines = all, .target = {plane, x}};
  /* a plane and three layers */
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, plane, v);
  assert_true(v[2] == 0 && v[3] == 1);
  readLayer(context, x, 2, v);
  assert_true(v[2] == 3);
  txTextureDestroy(x);
  txTextureDestroy(plane);
}

static void scalarsUniformsArrays(void **state) {
  clContext *context = *state;
  const float one[4] = {2, 3, 5, 7}, table[12] = {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400};
  txTexture *s[4], *y = newTexture(context, TX_RGBA32F, 5, 1, NULL);
  for (int k = 0; k < 4; k++)
    s[k] = newTexture(context, TX_R32F, 1, 1, &one[k]);
  txPass pass = {.kernel = "inputs",
                 .source_text =
                     "uniform vec4 table[3];\nuniform ivec2 n;\nuniform int m;\nuniform vec3 f;\n"
                     "vec4 kernel() { return scalar + table[m] + vec4(vec2(n), f.yz); }\n",
                 .defines = plain,
                 .target = {y},
                 .scalar = {s[0], s[1], NULL, s[3]},
                 .uniform = {{"table", 3, .array = table},
                             {"n", 2, {1000, 2000}, .integer = true},
                             {"m", 1, {2}, .integer = true},
                             {"f", 3, {0, 0.5f, 0.25f}},
                             {"unused", 4, {0}}}};
  float v[20];
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, v);
  for (int i = 0; i < 20; i += 4)
    assert_true(v[i] == 1102 && v[i + 1] == 2203 && v[i + 2] == 301.5f && v[i + 3] == 407.25f);
  pass.uniform[2].integer = false;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT,
              "pass inputs: uniform m has another type");
  for (int k = 0; k < 4; k++)
    txTextureDestroy(s[k]);
  txTextureDestroy(y);
}

static void samplingBeyondTheEdge(void **state) {
  clContext *context = *state;
  const float values[12] = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4};
  const float wanted[3][3] = {{2, 4, 4}, {2, 4, 0}, {1.5f, 3, 4}};
  txTexture *x = newTexture(context, TX_RGBA32F, 3, 1, values),
            *y = newTexture(context, TX_RGBA32F, 3, 1, NULL);
  for (int sampling = TX_EDGE; sampling <= TX_BILINEAR; sampling++) {
    const char *bordered = sampling == TX_ZERO ? "#define BORDERED\n" : "";
    char defines[64];
    snprintf(defines, sizeof defines, "%s%s", plain, bordered);
    txPass pass = {.kernel = "right",
                   .source_text =
                       "uniform sampler2D x;\nuniform vec2 x_texel;\nuniform float d;\n"
                       "vec4 kernel() { return textureLod(x, uv + vec2(d, 0.) * x_texel, 0.); }\n",
                   .defines = defines,
                   .target = {y},
                   .source = {{"x", x, (txSampling)sampling}},
                   .uniform = {{"d", 1, {sampling == TX_BILINEAR ? 0.5f : 1}}}};
    float v[12];
    assertOk(context, txPassRun(context, call, &pass));
    readAll(context, y, v);
    for (int i = 0; i < 3; i++)
      assert_true(fabsf(v[4 * i] - wanted[sampling][i]) < 1e-5f);
  }
  txTextureDestroy(x);
  txTextureDestroy(y);
}

/* A folder that takes the place of shaders/: its includes, and what a test writes there. */
static void shadersCreate(Folder *folder) {
  folderCreate(folder);
  assert_int_equal(symlink(TEXLA_SOURCE_DIR "/shaders/include", folderPath(folder, "include")), 0);
}

/* A context that finds one more vertex shader, for points. */
static clContext *pointContext(Folder *folder) {
  shadersCreate(folder);
  folderWrite(folder, "test_points.vert",
              "layout(location = 0) in vec2 texel;\nlayout(location = 1) in vec4 value;\nuniform "
              "vec2 size;\n"
              "noperspective out vec2 uv;\nflat out vec4 scalar;\n"
              "void main() {\n  uv = (texel + 0.5) / size;\n  scalar = value;\n"
              "  gl_Position = vec4(2. * uv - 1., 0., 1.);\n}\n");
  return testContextWith((clContextOptions){.shader_dir = folder->name, .debug = true});
}

/* Three blocks of 32 vec4s, side by side; the second and third alone; none for a shader that reads
 * one, and one for a shader that reads none. */
static void eachBlockHasItsPlace(void **state) {
  clContext *context = *state;
  enum { VECTORS = 32, BLOCKS = 3, WIDTH = 5, HEIGHT = 4 };
  float values[BLOCKS * VECTORS * 4], result[BLOCKS * WIDTH * HEIGHT * 4];
  for (int i = 0; i < BLOCKS * VECTORS * 4; i++)
    values[i] = (float)i;
  txTexture *x = newTexture(context, TX_RGBA32F, VECTORS, BLOCKS, values),
            *y = newTexture(context, TX_RGBA32F, BLOCKS * WIDTH, HEIGHT, NULL);
  txPass pass = {.kernel = "blocks",
                 .source_text = "layout(std140) uniform Values {\n  vec4 value[32];\n};\n"
                                "vec4 kernel() { return value[int(gl_FragCoord.y) + 28]; }\n",
                 .defines = plain,
                 .target = {y},
                 .rect = {0, 0, WIDTH, HEIGHT},
                 .blocks = {0, BLOCKS, VECTORS * 4 * sizeof(float)}};
  for (int first = 0; first < 2; first++) {
    assertOk(context, txBlocksFill(context, call, x));
    pass.blocks.first = first;
    pass.blocks.count = BLOCKS - first;
    assertOk(context, txPassRun(context, call, &pass));
    readAll(context, y, result);
    for (int i = 0; i < (BLOCKS - first) * WIDTH; i++)
      for (int j = 0; j < HEIGHT; j++)
        assert_true(result[4 * (i + BLOCKS * WIDTH * j) + 2] ==
                    (float)(4 * (VECTORS * (i / WIDTH + first) + j + 28) + 2));
  }
  pass.blocks.bytes = (size_t)1 << 30;
  assertFails(context, txPassRun(context, call, &pass), TEXLA_UNSUPPORTED,
              "uniform blocks of 1073741824 bytes");
  pass.blocks = (txBlocks){0, 0, 0};
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "its shader reads 1");
  pass.source_text = "vec4 kernel() { return vec4(1.); }\n";
  pass.blocks = (txBlocks){0, 1, 512};
  assertFails(context, txPassRun(context, call, &pass), TEXLA_BAD_ARGUMENT, "its shader reads 0");
  txTextureDestroy(x);
  txTextureDestroy(y);
}

static void drawPoints(clContext *context, int width, int height, int64_t work, int64_t draws) {
  size_t n = (size_t)width * (size_t)height;
  FREED float *data = malloc(2 * n * 6 * sizeof *data), *result = malloc(4 * n * sizeof *result);
  static const int components[2] = {2, 4};
  txVertices *vertices = NULL;
  /* every texel twice, from the last to the first */
  for (size_t i = 0; i < 2 * n; i++) {
    size_t k = 2 * n - 1 - i;
    const float v[6] = {
        (float)(k / 2 % (size_t)width), (float)(k / 2 / (size_t)width), (float)(k / 2), 1, 2, 3};
    memcpy(data + 6 * i, v, sizeof v);
  }
  txTexture *y = newTexture(context, TX_RGBA32F, width, height, NULL);
  assertOk(context,
           txVerticesCreate(&vertices, context, call, data, (int64_t)(2 * n), components, 2));
  txPass pass = {.kernel = "point",
                 .source_text = "vec4 kernel() { return scalar; }\n",
                 .defines = plain,
                 .vertex = "test_points",
                 .target = {y},
                 .uniform = {{"size", 2, {(float)width, (float)height}}},
                 .shape = TX_POINTS,
                 .vertices = vertices,
                 .add = true,
                 .work = work};
  clContextCounters before = clContextStatistics(context);
  assertOk(context, txPassRun(context, call, &pass));
  assert_int_equal(clContextStatistics(context).draws, before.draws + draws);
  readAll(context, y, result);
  for (size_t i = 0; i < n; i++)
    assert_true(result[4 * i] == 2 * (float)i && result[4 * i + 1] == 2 && result[4 * i + 3] == 6);
  assertOk(context, txTextureClear(y, call));
  /* the last texel but once */
  pass.first = 1;
  pass.count = 0;
  assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, result);
  assert_true(result[4 * n - 3] == 1 && (n == 1 || result[1] == 2));
  txVerticesDestroy(vertices);
  txTextureDestroy(y);
}

/* Six vertices, whose numbers the geometry shader sums: they reach every texel. */
static void geometrySeesSixVertices(void **state) {
  static const char
      vertex[] = "out float number;\nvoid main() { number = float(gl_VertexID * gl_VertexID); }\n",
      geometry[] =
          "#include \"include/rect.glsl\"\nlayout(triangles_adjacency) in;\n"
          "layout(triangle_strip, max_vertices = 3) out;\nin float number[];\n"
          "flat out vec4 scalar;\nvoid main() {\n  float sum = 0.;\n"
          "  for (int i = 0; i < 6; i++)\n    sum += number[i];\n"
          "  for (int i = 0; i < 3; i++) {\n    scalar = vec4(sum);\n    txPlaceCorner(i);\n"
          "    EmitVertex();\n  }\n}\n";
  AT_END(folderDestroy) Folder folder;
  float v[4 * 7 * 5];
  shadersCreate(&folder);
  folderWrite(&folder, "six.vert", vertex);
  folderWrite(&folder, "six.geom", geometry);
  clContext *context =
      testContextWith((clContextOptions){.shader_dir = folder.name, .debug = true});
  txTexture *y = newTexture(context, TX_RGBA32F, 7, 5, NULL);
  txPass pass = {.kernel = "sum",
                 .source_text = "vec4 kernel() { return vec4(scalar.x, uv, 1.); }\n",
                 .vertex = "six",
                 .geometry = "six",
                 .defines = plain,
                 .target = {y}};
  if (testIsEs(context))
    assertFails(context, txPassRun(context, call, &pass), TEXLA_UNSUPPORTED,
                "pass sum: OpenGL ES has no geometry shaders");
  else
    assertOk(context, txPassRun(context, call, &pass));
  readAll(context, y, v);
  for (int i = 0; i < 35 && !testIsEs(context); i++)
    assert_true(v[4 * i] == 55 && fabs(7 * (double)v[4 * i + 1] - i % 7 - 0.5) < centre_tolerance &&
                fabs(5 * (double)v[4 * i + 2] - (double)(i / 7) - 0.5) < centre_tolerance);
  /* another program */
  pass.geometry = "none";
  if (!testIsEs(context))
    assertFails(context, txPassRun(context, call, &pass), TEXLA_SHADER_ERROR, "none.geom");
  txTextureDestroy(y);
  clContextDestroy(context);
}

static void pointsHitTheirTexels(void **state) {
  AT_END(folderDestroy) Folder folder;
  clContext *context = pointContext(&folder);
  size_t used = clContextStatistics(context).bytes_used;
  int limit = clContextInspect(context)->max_texture_size;
  drawPoints(context, 1, 1, 1, 1);
  drawPoints(context, 37, 23, 1, 1);
  drawPoints(context, limit, 1, 1, 1);
  drawPoints(context, 1, limit, 1, 1);
  /* 200 points, 60 a draw */
  drawPoints(context, 10, 10, ((int64_t)1 << 31) / 60, 4);
  assert_int_equal(clContextStatistics(context).bytes_used, used);
  clContextDestroy(context);
}

static void verticesHaveLimits(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = 10000});
  const int components[1] = {4};
  txVertices *v = NULL;
  assertFails(context, txVerticesCreate(&v, context, call, NULL, 1000, components, 1),
              TEXLA_OUT_OF_MEMORY, "test: needs 16000 more bytes");
  assertFails(context, txVerticesCreate(&v, context, call, NULL, (int64_t)1 << 31, components, 1),
              TEXLA_TOO_LARGE, "test: 2147483648 vertices are not between");
  assert_null(v);
}

typedef struct Events {
  clPassEvent last;
  char kernel[32];
  int count;
} Events;

static void listen(void *user, const clPassEvent *event) {
  Events *events = user;
  events->last = *event;
  events->count++;
  snprintf(events->kernel, sizeof events->kernel, "%s", event->kernel);
}

static void listenersHearOfEveryPass(void **state) {
  for (int profile = 0; profile < 2; profile++) {
    Events events = {0};
    OWN(clContext) *context = testContextWith((clContextOptions){
        .listener = listen, .listener_user = &events, .profile = profile, .debug = true});
    /* the probes are nobody's business */
    assert_int_equal(events.count, 0);
    assert_int_equal(clContextStatistics(context).passes, 0);
    txTexture *x = newTexture(context, TX_RGBA32F, 300, 200, NULL),
              *y = newTexture(context, TX_RGBA32F, 300, 200, NULL);
    txPass pass = copyPass(y, x);
    assertOk(context, txPassRun(context, call, &pass));
    assert_int_equal(events.count, 1);
    assert_string_equal(events.kernel, "copy");
    assert_int_equal(events.last.width, 300);
    assert_int_equal(events.last.height, 200);
    assert_int_equal(events.last.targets, 1);
    assert_int_equal(events.last.sources, 1);
    if (profile && !testIsEs(context))
      assert_true(events.last.seconds > 0 && events.last.seconds < 100);
    else
      assert_true(events.last.seconds < 0);
    pass.rect = (txRect){10, 20, 30, 40};
    assertOk(context, txPassRun(context, call, &pass));
    assert_true(events.count == 2 && events.last.width == 30 && events.last.height == 40);
    pass.target[0] = x;
    assert_int_not_equal(txPassRun(context, call, &pass), TEXLA_OK);
    assert_int_equal(events.count, 2);
    txTextureDestroy(x);
    txTextureDestroy(y);
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, uvIsExact, rectanglesWriteNothingElse,
          insideHasAProgramOfItsOwn, longDrawsAreSplit, targetsAreChecked, blendingAdds,
          failuresLeaveBlendedTargets, severalTargets, layersAreTargets, scalarsUniformsArrays,
          samplingBeyondTheEdge, geometrySeesSixVertices, eachBlockHasItsPlace,
          pointsHitTheirTexels, verticesHaveLimits, listenersHearOfEveryPass)
