/* Everything created, used and destroyed again and again keeps memory flat: bytes on the device,
 * and the process. TEXLA_SOAK is the number of rounds (3; with fewer, as with ThreadSanitizer,
 * fewer go before them, too). */
#include "faults/all.h"

#include <unistd.h>

/* Of the process, in bytes; 0 where the system does not tell, and under sanitizers, which keep what
 * is freed for a while. */
static double resident(void) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  return 0;
#endif
  FILE *file = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (!file || fscanf(file, "%*s %ld", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void runAll(clContext *context) {
  double result[RESULTS];
  for (int k = 0; k < SCENARIOS; k++) {
    clStatus status = scenarios[k].run(context, result);
    if (status)
      fail_msg("%s: status %d: %s", scenarios[k].name, (int)status,
               clContextError(context)->message);
  }
}

/* The pool, the cache of programs and what the driver keeps for itself fill in the first rounds.
 * Leaving one vector of 8 x 8 behind in each scenario would show on the device; in the process one
 * block of a kilobyte in each would show after 1000 rounds. */
static void memoryStaysFlat(void **state) {
  const char *text = getenv("TEXLA_SOAK");
  long rounds = text ? strtol(text, NULL, 10) : 3;
  long warm = rounds < 3 ? 2 : 6;
  clContext *context = testContextWith((clContextOptions){0});
  for (int k = 0; k < warm; k++)
    runAll(context);
  clContextCounters before = clContextStatistics(context);
  double process = resident(), allowed = 16 << 20;
  for (long k = 0; k < rounds; k++)
    runAll(context);
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.bytes_used, before.bytes_used);
  assert_int_equal(after.programs_kept, before.programs_kept);
  assert_true(after.bytes_pooled <= 2 * before.bytes_pooled);
  if (resident() > process + allowed)
    fail_msg("the process has grown by %.0f bytes in %ld rounds", resident() - process, rounds);
  clContextDestroy(context);
}

/* Contexts, too. */
static void contextsComeAndGo(void **state) {
  double process = 0, result[RESULTS];
  for (int k = 0; k < 12; k++) {
    clContext *context = testContextWith((clContextOptions){0});
    assertOk(context, scenarios[0].run(context, result));
    clContextDestroy(context);
    if (k == 3)
      process = resident();
  }
  if (resident() > process + (32 << 20))
    fail_msg("the process has grown by %.0f bytes with 8 contexts", resident() - process);
}

TEST_MAIN(NULL, NULL, memoryStaysFlat, contextsComeAndGo)
