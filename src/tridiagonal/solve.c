/* A solution by the method that the options ask for. */
#include "core/allocate.h"
#include "core/try.h"
#include "tridiagonal/tridiagonal.h"

#include <stdlib.h>

/* All systems row by row, one row a pass, as the document has it. */
static clStatus solveRows(const clTridiagonal *T, const char *call, clVector *x,
                          const clTridiagonalBands *A, const clVector *rhs) {
  int systems = txTridiagonalSystems(T);
  float *list = txAllocate(txContextError(T->context), call, (size_t)systems, sizeof *list,
                           "a list of systems");
  if (!list)
    return TEXLA_OUT_OF_MEMORY;
  for (int j = 0; j < systems; j++)
    list[j] = (float)j;
  clStatus status = txTridiagonalRows(T, call, x, A, rhs, list, systems, 1);
  free(list);
  return status;
}

/* Only x is promised: what a solution is worth txTridiagonalChecked tells. */
clStatus txTridiagonalSolve(const clTridiagonal *T, const char *call, clVector *x,
                            const clTridiagonalBands *A, const clVector *rhs) {
  if (T->options.method == TEXLA_TRIDIAGONAL_METHOD_ROWS)
    return solveRows(T, call, x, A, rhs);
  return txTridiagonalBlocks(T, call, x, A, rhs);
}
