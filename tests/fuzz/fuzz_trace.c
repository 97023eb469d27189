/* The trace: what is chosen by a text of the command line, and what a page's data is made of, which
 * must not end the script that it stands in. */
#include "fuzz/fuzz.h"

#include "trace/choose.h"
#include "trace/trace.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {"passes 3-10,iteration 2,size=16,texels=4096",
                                      "dot*,[a-z]?,no-pictures", "</script><img src=x onerror=a()>",
                                      NULL};
  (void)size;
  return seeds[k];
}

static void checkChoice(const char *text) {
  txTraceChoice choice;
  clError error = {0};
  clStatus status = txTraceChoose(&choice, &error, "fuzz", text);
  fuzzAssert(status == TEXLA_OK || error.message[0]);
  if (status)
    return;
  fuzzAssert(choice.names >= 0 && choice.names <= TX_TRACE_NAMES);
  fuzzAssert(choice.megabytes > 0 && choice.texels > 0 && choice.pass[0] <= choice.pass[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = fuzzText(data, size);
  txTraceList list = {0};
  txJson json;
  checkChoice(text);
  list.file = open_memstream(&list.text, &list.size);
  fuzzAssert(list.file);
  for (int k = 0; k < 2; k++) {
    txTraceBegin(&list, &json);
    txJsonString(&json, text, text);
    txTraceBase64(&json, "values", data, size);
    fuzzAssert(txTraceEnd(&list, &json) == k);
  }
  fclose(list.file);
  fuzzAssert(!strpbrk(list.text, "<>&"));
  free(list.text);
  free(text);
  return 0;
}
