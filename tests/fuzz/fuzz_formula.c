/* Formulas of the queue: the kernel that is made of one is a text that ends, however long the
 * formula is. */
#include "fuzz/fuzz.h"

#include "queue/kernels.c"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {"x * 2. + hypotenuse(x, y)", "chosen(x < 0., y, z)",
                                      "x; } void f() { ", NULL};
  (void)size;
  return seeds[k];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const txShape shape[] = {{3, 4}, {3, 1}, {1, 4}, {1, 1}};
  char *formula = fuzzText(data, size), *source = malloc(TEXT);
  txCall call = {.operands = 1 + (int)(size % 3), .shape = {{3, 4}}};
  fuzzAssert(source);
  for (int k = 0; k < call.operands; k++) {
    call.operand[k].shape = shape[(size >> k) % 4];
    call.operand[k].is_number = (size >> k) % 4 == 3;
  }
  text t = {source, TEXT};
  *source = 0;
  writeMap(&t, &call, formula);
  fuzzAssert(t.left > 0 && strlen(source) + t.left == TEXT);
  free(source);
  free(formula);
  return 0;
}
