/* Tuning tables: of the cache, where lines that are not understood are skipped, and pinned ones,
 * where they are errors. No OpenGL is called. */
#include "gl/gl.h"

#include "fuzz/fuzz.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {
      "# texla: llvmpipe, 4.5\nreduce.strip 8\nproduct.32x32x32 3\n",
      "a 1\na 2\n\n \t# x\r\nb -7\n", "a", NULL};
  (void)size;
  return seeds[k];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clContext *context = calloc(1, sizeof *context);
  fuzzAssert(context);
  context->tuning_path = strdup(fuzzFile(data, size));
  clStatus status = txTuningLoad(context);
  fuzzAssert(status == TEXLA_OK || context->error.message[0]);
  for (int k = 0; k < context->tunings; k++) {
    int value;
    fuzzAssert(strlen(context->tuning[k].key) > 0 &&
               txTuningKnown(context, context->tuning[k].key, &value));
    fuzzAssert(value == context->tuning[k].value);
  }
  free(context->tuning_path);
  free(context->tuning);
  free(context);
  return 0;
}
