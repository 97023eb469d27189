/* What texla calls the values of its enumerations, and what it makes of objects that do not
 * exist. */
#include "common.h"

#include "texla/sim.h"

typedef const char *(*Namer)(int value);

#define NAMER(function, type)                                                                      \
  static const char *function##Of(int value) {                                                     \
    return function((type)value);                                                                  \
  }
NAMER(clReasonText, clReason)
NAMER(clMethodName, clMethod)
NAMER(clPreconditionerName, clPreconditioner)
NAMER(clStorageName, clStorage)
NAMER(clPivotingName, clPivoting)
NAMER(clColormapName, clColormap)
NAMER(clFlowFieldName, clFlowField)

#define COUNT(...) +1
static const struct Names {
  Namer name;
  int count;
  const char *first, *last;
} all[] = {
    {clReasonTextOf, 0 TEXLA_REASON_LIST(COUNT), "none", "exact"},
    {clMethodNameOf, 0 TEXLA_METHOD_LIST(COUNT), "cg", "cholesky"},
    {clPreconditionerNameOf, 0 TEXLA_PRECONDITIONER_LIST(COUNT), "none", "ic0"},
    {clStorageNameOf, TEXLA_STORAGE_SHELL + 1, "auto", "shell"},
    {clPivotingNameOf, TEXLA_PIVOT_NONE + 1, "partial", "none"},
    {clColormapNameOf, TEXLA_COLORMAP_COUNT, "viridis", "grey"},
    {clFlowFieldNameOf, TEXLA_FLOW_FIELDS, "u", "divergence"},
};
#undef COUNT

static void everyValueHasItsOwnName(void **state) {
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const struct Names *n = &all[k];
    assert_string_equal(n->name(0), n->first);
    assert_string_equal(n->name(n->count - 1), n->last);
    /* -1: not a value */
    for (int a = 0; a < n->count; a++)
      for (int b = -1; b < a; b++)
        assert_string_not_equal(n->name(a), n->name(b));
    assert_string_equal(n->name(n->count), n->name(-1));
  }
}

static void nothingMayBeDestroyed(void **state) {
  clContextDestroy(NULL);
  clVectorDestroy(NULL);
  clFloatDestroy(NULL);
  clTripletsDestroy(NULL);
  clMatrixDestroy(NULL);
  clDenseDestroy(NULL);
  clPluDestroy(NULL);
  clKernelDestroy(NULL);
  clSolverDestroy(NULL);
  clMultigridDestroy(NULL);
  clWaveDestroy(NULL);
  clFlowDestroy(NULL);
  clFlowStreaksDestroy(NULL);
  clSystemReportClear(NULL);
}

/* Questions about nothing have answers, so that messages about a NULL can be made of them. */
static void nothingHasNoSizeAndNoContext(void **state) {
  assert_null(clVectorContext(NULL));
  assert_null(clMatrixContext(NULL));
  assert_null(clDenseContext(NULL));
  assert_null(clContextInspect(NULL));
  assert_null(clFlowStreaksTrails(NULL));
  assert_int_equal(
      clVectorLength(NULL) + clVectorRowLength(NULL) + clDenseRows(NULL) + clDenseCols(NULL), 0);
  assert_string_equal(clMultigridDescription(NULL), "");
}

TEST_MAIN(NULL, NULL, everyValueHasItsOwnName, nothingMayBeDestroyed, nothingHasNoSizeAndNoContext)
