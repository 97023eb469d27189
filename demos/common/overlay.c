#include "common/overlay.h"

#include <stdlib.h>

#include "core/allocate.h"
#include "core/numbers.h"

void demoOverlayBegin(demoOverlay *overlay, int width, int height, const demoFrame *field) {
  overlay->width = width;
  overlay->height = height;
  overlay->field = *field;
  overlay->plots = (demoArea){0};
  overlay->count = 0;
  overlay->incomplete = false;
}

void demoOverlayClear(demoOverlay *overlay) {
  free(overlay->list);
  *overlay = (demoOverlay){0};
}

static bool makeRoom(demoOverlay *overlay) {
  if (overlay->count < overlay->room)
    return true;
  int room = 2 * overlay->room + 256;
  demoRectangle *list =
      txReallocate(NULL, "overlay", overlay->list, (size_t)room, sizeof *list, "rectangles");
  overlay->incomplete |= !list;
  if (!list)
    return false;
  overlay->list = list;
  overlay->room = room;
  return true;
}

static int within(int x, int most) {
  return x < 0 ? 0 : txLeast(x, most);
}

static void add(demoOverlay *overlay, int left, int top, int right, int bottom,
                demoRectangle rectangle) {
  rectangle.left = within(left, overlay->width);
  rectangle.right = within(right, overlay->width);
  rectangle.top = within(top, overlay->height);
  rectangle.bottom = within(bottom, overlay->height);
  bool empty = rectangle.left >= rectangle.right || rectangle.top >= rectangle.bottom;
  if (!empty && makeRoom(overlay))
    overlay->list[overlay->count++] = rectangle;
}

void demoFill(demoOverlay *overlay, int left, int top, int right, int bottom,
              const uint8_t rgb[3]) {
  demoBlend(overlay, left, top, right, bottom, rgb, 255);
}

void demoBlend(demoOverlay *overlay, int left, int top, int right, int bottom, const uint8_t rgb[3],
               uint8_t cover) {
  add(overlay, left, top, right, bottom,
      (demoRectangle){.rgb = {rgb[0], rgb[1], rgb[2]}, .cover = cover});
}

void demoShade(demoOverlay *overlay, int left, int top, int right, int bottom) {
  add(overlay, left, top, right, bottom, (demoRectangle){.cover = 170});
}

/* What is far outside of the picture stays outside, and within the range of int. */
static int pixelOf(double place, int size) {
  return (int)fmin(fmax(place * size, -1e6), 1e6);
}

void demoPlace(const demoOverlay *overlay, double x, double y, int at[2]) {
  const demoFrame *f = &overlay->field;
  at[0] = f->left + pixelOf(x / f->aspect, f->width);
  at[1] = f->top + pixelOf(1 - y, f->height);
}

static void apply(demoImage image, const demoRectangle *r) {
  for (int y = r->top; y < r->bottom; y++)
    for (int x = r->left; x < r->right; x++) {
      uint8_t *p = &image.rgb[3 * ((size_t)y * (size_t)image.width + (size_t)x)];
      for (int c = 0; c < 3; c++)
        p[c] = (uint8_t)((r->rgb[c] * r->cover + p[c] * (255 - r->cover) + 127) / 255);
    }
}

void demoOverlayApply(const demoOverlay *overlay, demoImage image) {
  for (int k = 0; k < overlay->count; k++)
    apply(image, &overlay->list[k]);
}
