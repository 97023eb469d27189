/* The contexts of a run: which one a problem's size asks for, and one that takes the time of each
 * pass. Suites call these before they make anything on the device. */
#include "suite.h"

#include "gl/traits.h"
#include "program/program.h"

/* Where the host's processors shade, small problems have a context without worker threads: as
 * `texla solve` opens it. */
clStatus txBenchUse(txBench *bench, int64_t elements) {
  clError error;
  bool small = elements <= TX_FEW_ELEMENTS && clContextInspect(bench->large)->software;
  bench->context = bench->large;
  if (!small)
    return TEXLA_OK;
  if (!bench->small) {
    clStatus status = txProgramOpen(&bench->small, bench->program, elements, &error);
    if (status) {
      txProgramFail(bench->program, &error);
      return status;
    }
  }
  bench->context = bench->small;
  return TEXLA_OK;
}

clStatus txBenchProfile(txBench *bench, int64_t elements, clPassListener listener, void *user) {
  clContext *context = NULL;
  clError error;
  const clContextOptions profiled = {
      .elements = elements, .profile = true, .listener = listener, .listener_user = user};
  clStatus status = txProgramOpenWith(&context, bench->program, false, &profiled, &error);
  if (status) {
    txProgramFail(bench->program, &error);
    return status;
  }
  bench->context = context;
  return TEXLA_OK;
}
