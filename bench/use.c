/* The context that a problem's size asks for. */
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
