/* The picture: the range of its colours, what is painted, what is written over it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/numbers.h"
#include "core/try.h"

clColormap demoShowColormap(demoShow *show, clColormap own) {
  if (show->options.colormap < 0)
    return own;
  return (clColormap)show->options.colormap;
}

/* How far the ends of the colours should be from their middle: all the way, where the values have
 * one sign; a few deviations, where others may be clipped; and otherwise between both. */
static double wantedRange(const demoView *view, const demoSpread *spread) {
  double some = 3 * spread->around_zero, all = spread->largest;
  if (view->range == DEMO_CENTRED) {
    some = 3 * spread->around_mean;
    all += fabs(spread->mean);
  }
  double wanted = sqrt(some * fmax(some, all));
  if (view->range == DEMO_POSITIVE && !view->clips)
    wanted = all;
  else if (view->range == DEMO_POSITIVE)
    wanted = fmin(all, some);
  else if (view->lit || view->clips)
    wanted = some;
  return fmax(wanted, view->high);
}

/* The range follows what is wanted, slowly. */
static double nextRange(const demoPrivate *o, const demoView *view, double wanted) {
  const double little = 0.1;
  double inertia = 0.8;
  if (view->falling)
    inertia = 0.9;
  if (!(o->range > 0) || !isfinite(o->range))
    return wanted;
  if (o->paused)
    return o->range;
  double next = inertia * o->range + (1 - inertia) * wanted;
  if (view->keeps && wanted > little * o->range)
    next = o->range;
  if (view->falling)
    next = fmax(wanted, next);
  return next;
}

/* Colours that suit the values: of those that have had a sign the signed ones, from then on. */
static void chooseByValues(demoPrivate *o, demoView *view, const demoSpread *spread) {
  const double seen = 0.01;
  if (view->range != DEMO_BY_VALUES)
    return;
  o->negative |= spread->least < -seen * spread->largest;
  view->range = DEMO_POSITIVE;
  if (!o->negative)
    return;
  view->range = DEMO_SIGNED;
  view->clips = true;
  if (view->colormap == TEXLA_COLORMAP_VIRIDIS)
    view->colormap = TEXLA_COLORMAP_DIVERGING;
}

/* The values at the ends of the colours: given, or following the values. */
static clStatus chooseRange(demoShow *show, demoView *view, double range[2]) {
  demoPrivate *o = show->own;
  demoSpread spread;
  range[0] = view->low;
  range[1] = view->high;
  o->above = view->clips;
  o->below = view->clips && view->low < 0;
  if (view->range == DEMO_FIXED)
    return TEXLA_OK;
  /* a browser's window never waits for the device */
  bool late = o->window && demoPanelApart() && o->range > 0;
  TRY(demoCheck(show, demoPaintMeasure(o->paint, view->values, late, &spread)));
  chooseByValues(o, view, &spread);
  o->range = nextRange(o, view, wantedRange(view, &spread));
  double half = 1, middle = 0;
  if (isfinite(o->range) && o->range > 0)
    half = o->range;
  if (view->range == DEMO_CENTRED && isfinite(spread.mean))
    middle = spread.mean;
  range[0] = middle - half;
  if (view->range == DEMO_POSITIVE)
    range[0] = 0;
  range[1] = middle + half;
  o->above = spread.largest > 1.02 * fmax(range[1], 0);
  o->below = o->above && view->range != DEMO_POSITIVE;
  return TEXLA_OK;
}

clStatus demoShowValues(demoShow *show, demoFieldValues *field) {
  demoPrivate *o = show->own;
  demoView view = {0};
  if (!o->valued) {
    TRY(show->program->view(show->self, demoField(show), &view));
    if (view.kernel && show->program->values)
      TRY(show->program->values(show->self, &view.values));
    if (!view.values)
      return TEXLA_OK;
    o->columns = (int)clVectorRowLength(view.values);
    o->rows = (int)(clVectorLength(view.values) / o->columns);
    float *values = realloc(o->values, (size_t)o->columns * (size_t)o->rows * sizeof *values);
    if (!values)
      return demoOutOfMemory(show);
    o->values = values;
    TRY(demoCheck(show, clVectorDownload(view.values, values)));
    o->valued = true;
  }
  *field = (demoFieldValues){o->values, o->columns, o->rows};
  return TEXLA_OK;
}

/* The value under the pointer, to the left of it where there is no room to its right. */
static void writeValue(const demoShow *show, const demoFieldValues *field) {
  demoPrivate *o = show->own;
  const int gap = 12;
  double x = o->cursor[0], y = o->cursor[1];
  char text[96];
  int at[2];
  snprintf(text, sizeof text, "%.4g at %.3f, %.3f", demoFieldAt(field, x, y), x, y);
  demoPlace(&o->overlay, x, y, at);
  int width = demoTextWidth(text), left = at[0] + gap;
  if (left + width >= o->overlay.width)
    left = at[0] - gap - width;
  demoText(&o->overlay, left, at[1] - 4, text);
}

/* Plots, and the value under the pointer above them. */
static clStatus drawProbes(demoShow *show) {
  demoPrivate *o = show->own;
  demoFieldValues field = {0};
  bool looks = o->looks && o->inside;
  if (o->probes.lined || looks)
    TRY(demoShowValues(show, &field));
  if (!o->aslant)
    demoProbesDraw(&o->probes, &field, &o->overlay);
  demoShowCurves(show);
  if (looks && field.value)
    writeValue(show, &field);
  return TEXLA_OK;
}

static void writeTexts(demoShow *show) {
  demoPrivate *o = show->own;
  char text[256];
  snprintf(text, sizeof text, "%s: %s", demoSceneOf(show)->title,
           demoShowField(show, demoField(show)));
  demoText(&o->overlay, 8, 8, text);
  show->program->tell(show->self, text, sizeof text);
  demoText(&o->overlay, 8, o->overlay.height - DEMO_LINE - 4, text);
}

clStatus demoShowPaint(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds(), range[2] = {0, 1};
  demoView view = {0};
  demoLook look = {.lines = show->options.lines, .over = (demoOver)show->options.over};
  if (look.over && show->program->vectors)
    TRY(show->program->vectors(show->self, &look.vectors));
  TRY(show->program->view(show->self, demoField(show), &view));
  if (!view.kernel)
    TRY(chooseRange(show, &view, range));
  if (show->options.ends[0] < show->options.ends[1]) {
    memcpy(range, show->options.ends, sizeof range);
    o->below = o->above = true;
  }
  memcpy(o->ends, range, sizeof range);
  o->map = demoShowColormap(show, view.colormap);
  o->barred = !view.kernel && !o->no_bar;
  o->aslant = view.aslant;
  if (view.aslant)
    look.over = DEMO_PLAIN;
  look.map = o->map;
  look.low = range[0];
  look.high = range[1];
  look.lit = view.lit;
  look.tint = view.tint;
  look.camera = view.camera;
  o->read = false;
  if (view.kernel)
    TRY(demoCheck(show, demoPaintKernel(o->paint, view.kernel, view.run, view.half, &look)));
  else
    TRY(demoCheck(show, demoPaintField(o->paint, view.values, &look)));
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return TEXLA_OK;
}

clStatus demoShowOverlay(demoShow *show, const demoLayout *layout, int width, int height) {
  demoPrivate *o = show->own;
  demoOverlayBegin(&o->overlay, width, height, &layout->field);
  o->overlay.plots = layout->plots;
  o->overlay.slots = demoShowPlots(show);
  o->overlay.slot = 0;
  if (o->dock == DEMO_FLOATING)
    demoShade(&o->overlay, layout->plots.left, layout->plots.top, layout->plots.right,
              layout->plots.bottom);
  if (show->program->draw)
    show->program->draw(show->self, &o->overlay);
  clStatus status = drawProbes(show);
  if (o->barred)
    demoColorBar(&o->overlay, &layout->colours, o->map, o->ends, o->below, o->above);
  return status;
}

/* --- pictures for files --- */

/* Pictures that have been begun keep their size. */
clStatus demoShowFit(demoShow *show) {
  demoPrivate *o = show->own;
  demoView view = {0};
  if (o->record.open)
    return TEXLA_OK;
  TRY(show->program->view(show->self, demoField(show), &view));
  demoTextFor(o->image.height);
  o->image.width = o->scale * o->nx;
  if (!view.kernel && !o->no_bar)
    o->image.width += demoColorBarWidth();
  return TEXLA_OK;
}

/* Plots stand over the lower part of such a picture. */
static demoArea plotsWithin(const demoFrame *f, int height) {
  const int line = DEMO_LINE, least = txMost(f->height / 5, 5 * line), names = line + 4;
  const int bottom = height - 2 * line;
  return (demoArea){f->left, bottom - least - names, f->left + f->width, bottom};
}

/* The picture as it is in the texture, with texts, bars and curves over it. */
static clStatus drawImage(demoShow *show) {
  demoPrivate *o = show->own;
  demoTextFor(o->image.height);
  const int height = o->scale * o->ny, top = (o->image.height - height) / 2;
  const int width = o->scale * o->nx;
  demoLayout layout = {
      .field = {.top = top, .width = width, .height = height, .aspect = (double)o->nx / o->ny},
      .colours = {o->image.width - demoColorBarWidth(), 0, o->image.width, o->image.height}};
  layout.plots = plotsWithin(&layout.field, o->image.height);
  memset(o->image.rgb, 0, 3 * (size_t)o->image.width * (size_t)o->image.height);
  TRY(demoShowOverlay(show, &layout, o->image.width, o->image.height));
  if (!o->no_text)
    writeTexts(show);
  if (o->overlay.incomplete)
    return demoOutOfMemory(show);
  unsigned char *field = o->image.rgb + 3 * (size_t)top * (size_t)o->image.width;
  TRY(demoCheck(show, demoPaintRead(o->paint, field, o->image.width)));
  demoOverlayApply(&o->overlay, o->image);
  return TEXLA_OK;
}

clStatus demoShowRead(demoShow *show) {
  demoPrivate *o = show->own;
  if (o->read)
    return TEXLA_OK;
  double begin = demoSeconds();
  clStatus status = drawImage(show);
  o->read = status == TEXLA_OK;
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return status;
}
