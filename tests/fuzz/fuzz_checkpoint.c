/* The head of a cluster's checkpoint: what is taken is within limits, and written again it is the
 * same. */
#include "fuzz/fuzz.h"

#include "mpi/checkpoint.c"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {
      "texla vectors 2 float32 100 elements 7 iterations 3 vectors cg none 3f800000 00000000 "
      "00000000 00000000 00000000 00000000 00000000 00000000 00000000",
      "texla vectors 2 float64 9223372036854775807 elements 1 iterations 1 vectors bicgstab jacobi "
      "7fc00000 1 2 3 4 5 6 7 8",
      NULL};
  (void)size;
  return seeds[k];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char head[HEAD + 1] = "", again[HEAD + 1] = "";
  txCheckpoint p = {0}, q = {0};
  memcpy(head, data, size < HEAD ? size : HEAD);
  int64_t elements = readHead(head, &p);
  if (elements < 0)
    return 0;
  fuzzAssert(elements > 0 && p.stand.iteration >= 0);
  fuzzAssert(p.vectors > 0 && p.vectors <= TX_CHECKPOINT_VECTORS);
  fuzzAssert(strlen(p.method) < sizeof p.method &&
             strlen(p.preconditioner) < sizeof p.preconditioner);
  writeHead(again, elements, &p);
  fuzzAssert(readHead(again, &q) == elements && memcmp(&p.stand.rr0, &q.stand.rr0, 4) == 0);
  return 0;
}
