/* What operators add to a pass: it finds room, or the pass fails and says what was one too many. */
#include "common.h"

#include "vector/run.h"

static const char call[] = "test";
static const char names[32][4] = {"n0",  "n1",  "n2",  "n3",  "n4",  "n5",  "n6",  "n7",
                                  "n8",  "n9",  "n10", "n11", "n12", "n13", "n14", "n15",
                                  "n16", "n17", "n18", "n19", "n20", "n21", "n22", "n23"};

static const char twice[] = "uniform float n0, n18;\n"
                            "vec4 kernel() { return vec4(n0 + n18); }\n";

/* Beside what is added, txVectorRun adds the uniform `extent`. */
static clStatus runWith(clContext *context, int uniforms, float *result) {
  OWN(clVector) *y = NULL;
  assertOk(context, clVectorCreate(&y, context, 3));
  assertOk(context, clVectorFill(y, 7));
  txPass pass = {.kernel = "overfull", .source_text = twice, .defines = "#define OUTPUTS 1\n"};
  for (int i = 0; i < uniforms; i++)
    txPassUniform(&pass, (txUniform){names[i], 1, {(float)(i + 1)}, NULL, false});
  clStatus status = txVectorRun(call, &pass, y);
  float values[3];
  clError kept = *clContextError(context);
  assertOk(context, clVectorDownload(y, values));
  *txContextError(context) = kept;
  *result = values[2];
  return status;
}

static void uniforms(void **state) {
  clContext *context = *state;
  float result = 0;
  assertOk(context, runWith(context, TX_MAX_UNIFORMS - 1, &result));
  assert_true(result == 1 + 19);
  assertFails(context, runWith(context, TX_MAX_UNIFORMS, &result), TEXLA_UNSUPPORTED,
              "pass overfull has no room for \"extent\"");
  assert_true(result == 7);
  assertFails(context, runWith(context, TX_MAX_UNIFORMS + 1, &result), TEXLA_UNSUPPORTED,
              "pass overfull has no room for");
  assert_true(result == 7);
}

static void sources(void **state) {
  clContext *context = *state;
  OWN(clVector) *x = NULL, *y = NULL;
  assertOk(context, clVectorCreate(&x, context, 3));
  assertOk(context, clVectorCreate(&y, context, 3));
  txPass pass = {.kernel = "overfull",
                 .source_text = "vec4 kernel() { return vec4(1); }\n",
                 .defines = "#define OUTPUTS 1\n"};
  for (int i = 0; i < TX_MAX_SOURCES; i++)
    txPassSource(&pass, names[i], x->texture, TX_EDGE);
  txPass more = pass;
  assertOk(context, txVectorRun(call, &pass, y));
  txPassSource(&more, "last", x->texture, TX_EDGE);
  assertFails(context, txVectorRun(call, &more, y), TEXLA_UNSUPPORTED,
              "pass overfull has no room for \"last\"");
  assert_string_equal(more.source[TX_MAX_SOURCES - 1].name, names[TX_MAX_SOURCES - 1]);
}

TEST_MAIN(testContextCreate, testContextDestroy, uniforms, sources)
