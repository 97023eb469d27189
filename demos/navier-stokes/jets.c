#include "jets.h"

#include <math.h>
#include <string.h>

#include "common/plot.h"

/* how long a jet of speed 1 is drawn */
static const double reach = 0.15;

void jetsTake(Jets *jets, const Jet *jet, int count) {
  if (jets->placed)
    return;
  jets->count = count;
  jets->held = -1;
  memcpy(jets->jet, jet, (size_t)count * sizeof *jet);
}

/* The jet nearest to a place; -1: none is near. */
static int findJet(const Jets *jets, double x, double y, double near) {
  int nearest = -1;
  for (int k = 0; k < jets->count; k++) {
    double away = hypot(jets->jet[k].x - x, jets->jet[k].y - y);
    if (away < near)
      nearest = k;
    near = fmin(near, away);
  }
  return nearest;
}

/* Those behind it move up. */
static void removeJet(Jets *jets, int k) {
  memmove(&jets->jet[k], &jets->jet[k + 1], (size_t)(--jets->count - k) * sizeof jets->jet[0]);
  jets->held = -1;
}

/* At first it blows to the right. */
static void addJet(Jets *jets, double x, double y, double radius) {
  if (jets->count == JETS)
    return;
  jets->held = jets->count++;
  jets->jet[jets->held].x = x;
  jets->jet[jets->held].y = y;
  jets->jet[jets->held].radius = demoStrokeRounded(radius);
  jets->jet[jets->held].u = 1;
  jets->jet[jets->held].v = 0;
}

/* A press takes the jet that is near, or places one. A drag turns one that has just been placed
 * towards the pointer, the stronger the longer the drag is; another one it moves. */
void jetsTouch(Jets *jets, const demoTouch *t, double aspect, bool removes) {
  double x = demoStrokeRounded(t->x * aspect), y = demoStrokeRounded(t->y);
  jets->placed = true;
  if (t->first) {
    jets->held = findJet(jets, x, y, fmax(t->brush, 0.03));
    jets->fresh = jets->held < 0;
    if (jets->held >= 0 && removes)
      removeJet(jets, jets->held);
    else if (jets->fresh && !removes)
      addJet(jets, x, y, t->brush);
    return;
  }
  if (jets->held < 0 || removes)
    return;
  int k = jets->held;
  if (jets->fresh) {
    jets->jet[k].u = demoStrokeRounded((x - jets->jet[k].x) / reach);
    jets->jet[k].v = demoStrokeRounded((y - jets->jet[k].y) / reach);
  } else {
    jets->jet[k].x = x;
    jets->jet[k].y = y;
  }
}

/* Within its radius each jet holds the flow at its own velocity, and adds dye. */
clStatus jetsFeed(const Jets *jets, clFlow *flow, double dt, double dye) {
  /* far above speeds over radii: it holds the jet's velocity */
  const double rate = 100;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < jets->count && !status; k++)
    status = clFlowSteer(flow, jets->jet[k].x, jets->jet[k].y, jets->jet[k].radius, jets->jet[k].u,
                         jets->jet[k].v, dye, rate * dt);
  return status;
}

/* A cross where a jet stands, and a line to where it points. */
void jetsDraw(const Jets *jets, demoOverlay *overlay) {
  const int dots = 20;
  int at[2];
  for (int k = 0; k < jets->count; k++) {
    demoPlotCross(overlay, jets->jet[k].x, jets->jet[k].y, k);
    for (int d = 1; d <= dots; d++) {
      demoPlace(overlay, jets->jet[k].x + reach * jets->jet[k].u * d / dots,
                jets->jet[k].y + reach * jets->jet[k].v * d / dots, at);
      demoFill(overlay, at[0], at[1], at[0] + 2, at[1] + 2, demoPlotColour(k));
    }
  }
}

void jetsWrite(const Jets *jets, FILE *file) {
  for (int k = 0; k < jets->count; k++) {
    const Jet *j = &jets->jet[k];
    fprintf(file, "jet    %.4f, %.4f, %.4f, u = %.4f, v = %.4f\n", j->x, j->y, j->radius, j->u,
            j->v);
  }
}

/* Saves or loads them, for undo and for saved states. */
clStatus jetsPlaced(Jets *jets, demoState *state) {
  if (demoStateLoads(state) && !demoStateHas(state, "jets"))
    return TEXLA_OK;
  double count = jets->count, changed = jets->placed;
  demoStateNumbers(state, "jets", &count, 1);
  if (demoStateLoads(state) && !demoStateHas(state, "jets placed"))
    changed = count > 0;
  else
    demoStateNumbers(state, "jets placed", &changed, 1);
  demoStateNumbers(state, "jet", (double *)jets->jet, sizeof jets->jet / (sizeof(double)));
  jets->count = (int)fmin(fmax(count, 0), JETS);
  jets->held = -1;
  jets->placed = changed != 0;
  return demoStateStatus(state);
}
