/* Energy and change of a flow are right to double precision, on a device with double-float and on
 * one without. */

#include "texla/flow.h"

#include "folder.h"
#include "gl/traits.h"

static const double pi = 3.14159265358979323846;
enum { N = 52, CELLS = N * N };

/* field <- u, then v */
static void download(clContext *context, clFlow *flow, float *field) {
  for (int k = 0; k < 2; k++) {
    const clVector *values = NULL;
    assertOk(context, clFlowGet(&values, flow, k ? TEXLA_FLOW_V : TEXLA_FLOW_U));
    assertOk(context, clVectorDownload(values, field + k * CELLS));
  }
}

/* A vortex that a short step changes by some millionths. */
static void isExact(clContext *context) {
  clFlowOptions o = {
      .nx = N, .ny = N, .viscosity = 1e-3, .scheme = TEXLA_FLOW_DONOR_CELL, .dt = 1e-4};
  OWN(clFlow) *flow = NULL;
  FREED float *before = malloc(2 * CELLS * sizeof *before),
              *after = malloc(2 * CELLS * sizeof *after);
  double change = 0, energy = 0, difference = 0, all = 0;
  for (int c = 0; c < CELLS; c++) {
    double x = pi * (c % N) / N, y = pi * (c / N) / N, half = pi / (2 * N);
    before[c] = (float)(sin(x + 2 * half) * cos(y + half));
    before[CELLS + c] = (float)(-cos(x + half) * sin(y + 2 * half));
  }
  assertOk(context, clFlowCreate(&flow, context, &o));
  assertOk(context, clFlowUpload(flow, before, before + CELLS, NULL));
  assertOk(context, clFlowStep(flow, 5));
  assertOk(context, clFlowChange(flow, &change));
  assert_true(isinf(change));
  download(context, flow, before);
  assertOk(context, clFlowStep(flow, 1));
  assertOk(context, clFlowChange(flow, &change));
  assertOk(context, clFlowEnergy(flow, &energy));
  download(context, flow, after);
  for (int c = 0; c < 2 * CELLS; c++) {
    difference += pow((double)(after[c] - before[c]), 2);
    all += pow((double)after[c], 2);
  }
  double wanted = sqrt(difference / all) / o.dt, wanted_energy = 0.5 * all / CELLS;
  print_message("change %.12g (%.12g), energy %.12g (%.12g)\n", change, wanted, energy,
                wanted_energy);
  assert_true(change * o.dt < 1e-3 && change > 0);
  assert_true(fabs(change / wanted - 1) < 1e-9 && fabs(energy / wanted_energy - 1) < 1e-11);
}

static void onTheDevice(void **state) {
  isExact(*state);
}

static void onTheHost(void **state) {
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  folderWrite(&folder, "tuning", "trait.double_float 0\n");
  clContext *context =
      testContextWith((clContextOptions){.debug = true, .tuning = folderPath(&folder, "tuning")});
  assert_int_equal(txContextTraits(context)->double_float, 0);
  isExact(context);
  clContextDestroy(context);
}

TEST_MAIN(testContextCreate, testContextDestroy, onTheDevice, onTheHost)
