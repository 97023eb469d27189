/* The picture: the range of its colours, what is painted, what is written over it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"

clColormap demoShowColormap(demoShow *show, clColormap own) {
  return show->options.colormap >= 0 ? (clColormap)show->options.colormap : own;
}

/* How far the ends of the colours should be from their middle: all the way, where the values have one sign; a few deviations,
 * where others may be clipped; and otherwise between both. */
static double wantedRange(const demoView *view, const demoSpread *spread) {
  double some = 3 * (view->range == DEMO_CENTRED ? spread->around_mean : spread->around_zero);
  double all = spread->largest + (view->range == DEMO_CENTRED ? fabs(spread->mean) : 0);
  double wanted = view->range == DEMO_POSITIVE ? (view->clips ? fmin(all, some) : all)
                  : view->lit || view->clips   ? some
                                               : sqrt(some * fmax(some, all));
  return fmax(wanted, view->high);
}

/* The values at the ends of the colours: given, or following the values. */
static clStatus chooseRange(demoShow *show, const demoView *view, double range[2]) {
  const double inertia = view->falling ? 0.9 : 0.8;
  demoPrivate *o = show->own;
  demoSpread spread;
  range[0] = view->low;
  range[1] = view->high;
  o->below = o->above = false;
  if (view->range == DEMO_FIXED)
    return TEXLA_OK;
  clStatus status = demoPaintMeasure(o->paint, view->values, &spread);
  double wanted = wantedRange(view, &spread), next = inertia * o->range + (1 - inertia) * wanted;
  if (!(o->range > 0) || !isfinite(o->range))
    o->range = wanted;
  else if (!o->paused)
    o->range = view->falling ? fmax(wanted, next) : next;
  double half = isfinite(o->range) && o->range > 0 ? o->range : 1;
  double middle = view->range == DEMO_CENTRED && isfinite(spread.mean) ? spread.mean : 0;
  range[0] = view->range == DEMO_POSITIVE ? 0 : middle - half;
  range[1] = middle + half;
  o->above = spread.largest > 1.02 * fmax(range[1], 0);
  o->below = o->above && view->range != DEMO_POSITIVE;
  return demoCheck(show, status);
}

clStatus demoShowValues(demoShow *show, demoFieldValues *field) {
  demoPrivate *o = show->own;
  demoView view = {0};
  clStatus status = TEXLA_OK;
  if (!o->valued) {
    status = show->program->view(show->self, demoField(show), &view);
    if (status || view.kernel)
      return status;
    o->columns = (int)clVectorRowLength(view.values);
    o->rows = (int)(clVectorLength(view.values) / o->columns);
    float *values = realloc(o->values, (size_t)o->columns * (size_t)o->rows * sizeof *values);
    o->values = values ? values : o->values;
    status = values ? demoCheck(show, clVectorDownload(view.values, values)) : demoOutOfMemory(show);
    o->valued = !status;
  }
  *field = (demoFieldValues){o->values, o->columns, o->rows};
  return status;
}

static clStatus drawProbes(demoShow *show) {
  demoPrivate *o = show->own;
  demoFieldValues field = {0};
  char text[96];
  clStatus status = o->probes.lined || (o->looks && o->inside) ? demoShowValues(show, &field) : TEXLA_OK;
  if (status)
    return status;
  demoProbesDraw(&o->probes, field.value ? &field : NULL, &o->overlay);
  if (o->looks && o->inside && field.value) {
    double x = o->cursor[0], y = o->cursor[1];
    snprintf(text, sizeof text, "%.4g at %.3f, %.3f", demoFieldAt(&field, x, y), x, y);
    demoText(&o->overlay, (int)(x * o->overlay.height) + 12, (int)((1 - y) * o->overlay.height) - 4, text);
  }
  return TEXLA_OK;
}

static void writeTexts(demoShow *show) {
  demoPrivate *o = show->own;
  char text[256];
  snprintf(text, sizeof text, "%s: %s", demoSceneOf(show)->title, show->program->fields[demoField(show)]);
  demoText(&o->overlay, 8, 8, text);
  show->program->tell(show->self, text, sizeof text);
  demoText(&o->overlay, 8, o->image.height - DEMO_LINE - 4, text);
}

clStatus demoShowPaint(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds(), range[2] = {0, 1};
  demoView view = {0};
  clStatus status = show->program->view(show->self, demoField(show), &view);
  if (!status && !view.kernel)
    status = chooseRange(show, &view, range);
  if (o->holds)
    memcpy(range, o->held, sizeof range);
  memcpy(o->ends, range, sizeof range);
  clColormap map = demoShowColormap(show, view.colormap);
  if (!status && view.kernel)
    status = demoCheck(show, demoPaintKernel(o->paint, view.kernel, view.run, view.half));
  else if (!status)
    status =
        demoCheck(show, demoPaintField(o->paint, view.values, map, range[0], range[1], view.lit, o->lines, view.tint));
  o->read = false;
  demoTextFor(o->image.height);
  demoOverlayBegin(&o->overlay, o->image.width, o->image.height);
  if (!status && show->program->draw)
    show->program->draw(show->self, &o->overlay);
  if (!status)
    status = drawProbes(show);
  if (!status && !o->no_bar && !view.kernel)
    demoColorBar(&o->overlay, map, range[0], range[1], o->below, o->above);
  if (!status && !o->no_text)
    writeTexts(show);
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return status;
}

clStatus demoShowRead(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  if (o->read)
    return TEXLA_OK;
  clStatus status =
      o->overlay.incomplete ? demoOutOfMemory(show) : demoCheck(show, demoPaintRead(o->paint, o->image.rgb));
  if (!status)
    demoOverlayApply(&o->overlay, o->image);
  o->read = !status;
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return status;
}
