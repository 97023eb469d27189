/* What navier-stokes does with a loaded state: its jets are drawn, written and saved again. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "common/state.h"
#include "navier-stokes/jets.h"

/* The bytes are the numbers of the parts "jets", "jets placed" and "jet". */
enum { NUMBERS = 2 + JETS * sizeof(Jet) / sizeof(double) };

const char *fuzzSeed(int k, size_t *size) {
  static const double seed[][8] = {{1, 1, 0.5, 0.5, 0.1, 1, -1, 0}, {1e300, 1, 1e300, -1e300, 0.1}};
  *size = sizeof seed[0];
  return k < 2 ? (const char *)seed[k] : NULL;
}

/* A state with these numbers, whatever they are. */
static demoState *stateOf(const double *number, clError *error) {
  demoState *state = NULL;
  double copy[NUMBERS];
  memcpy(copy, number, sizeof copy);
  fuzzAssert(demoStateCreate(&state, error) == TEXLA_OK);
  demoStateNumbers(state, "jets", copy, 1);
  demoStateNumbers(state, "jets placed", copy + 1, 1);
  demoStateNumbers(state, "jet", copy + 2, NUMBERS - 2);
  demoStateRewind(state, error);
  return state;
}

static void use(const Jets *jets) {
  const demoFrame field = {.left = 10, .top = 10, .width = 300, .height = 200, .aspect = 1.5};
  demoOverlay overlay = {0};
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fuzzAssert(file && jets->count >= 0 && jets->count <= JETS);
  demoOverlayBegin(&overlay, 320, 220, &field);
  jetsDraw(jets, &overlay);
  demoOverlayClear(&overlay);
  jetsWrite(jets, file);
  fclose(file);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  double number[NUMBERS] = {0};
  Jets jets = {0};
  clError error = {0};
  memcpy(number, data, size < sizeof number ? size : sizeof number);
  demoState *state = stateOf(number, &error);
  clStatus status = jetsPlaced(&jets, state);
  fuzzAssert(status == TEXLA_OK || error.message[0]);
  if (!status) {
    for (int k = 0; k < jets.count; k++)
      fuzzAssert(fabs(jets.jet[k].x) <= 0x1p53 && isfinite(jets.jet[k].u));
    use(&jets);
  }
  demoStateDestroy(state);
  return 0;
}
