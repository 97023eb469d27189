/* Shares of a machine's processors: each belongs to one, none is lost, sizes differ by one. */
#include "core/processors.h"

#include "common.h"

static void checkShares(const txProcessorSet *all, int parts) {
  txProcessorSet together = {{0}};
  int count = txProcessorsCount(all), sum = 0;
  for (int k = 0; k < parts; k++) {
    txProcessorSet share;
    txProcessorsShare(&share, all, k, parts);
    int own = txProcessorsCount(&share);
    assert_true(own >= count / parts && own <= count / parts + 1);
    assert_true(txProcessorsContain(all, &share));
    assert_true(own == 0 || !txProcessorsContain(&together, &share));
    for (int w = 0; w < TX_PROCESSOR_WORDS; w++)
      together.word[w] |= share.word[w];
    sum += own;
  }
  assert_int_equal(sum, count);
  assert_true(txProcessorsContain(&together, all));
}

static void testShares(void **state) {
  txProcessorSet some = {{0xf0f0f, 0x8000000000000001u, 0, 7}};
  assert_int_equal(txProcessorsCount(&some), 12 + 2 + 3);
  for (int parts = 1; parts <= 20; parts++)
    checkShares(&some, parts);
}

/* What is allowed may be asked for. */
static void testBinding(void **state) {
  txProcessorSet own, one, again;
  if (!txProcessorsAllowed(&own, false))
    testSkip("the system tells no processors");
  int count = txProcessorsCount(&own);
  assertWithin(count, 1, txProcessorsOnline());
  txProcessorsShare(&one, &own, 0, count);
  assert_true(txProcessorsBind(&one));
  assert_true(txProcessorsAllowed(&again, false));
  assert_int_equal(txProcessorsCount(&again), 1);
  assert_true(txProcessorsContain(&one, &again));
  assert_true(txProcessorsBind(&own));
}

TEST_MAIN(NULL, NULL, testShares, testBinding)
