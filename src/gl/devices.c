/* The list of devices: each is opened once, and says what it is. */
#include "gl/gl.h"
#include "gl/platform.h"

#include <stdio.h>

static void devicesDescribe(clDevice *d, int index, bool software) {
  char name[16];
  clContext *context = NULL;
  clError why = {0};
  *d = (clDevice){.software = software};
  snprintf(d->platform, sizeof d->platform, "%s", txPlatforms[0]->listed);
  snprintf(name, sizeof name, "%d", index);
  clContextOptions options = {.device = name, .no_tuning_cache = true};
  d->usable = txContextCreate(&context, &options, &why) == TEXLA_OK;
  if (!d->usable) {
    snprintf(d->renderer, sizeof d->renderer, "%.120s", why.message);
    return;
  }
  d->software = software || clContextInspect(context)->software;
  snprintf(d->vendor, sizeof d->vendor, "%s", clContextInspect(context)->vendor);
  snprintf(d->renderer, sizeof d->renderer, "%s", clContextInspect(context)->renderer);
  clContextDestroy(context);
}

clStatus clDeviceList(clDevice *devices, int capacity, int *count, clError *error) {
  if (!count || capacity < 0 || (capacity && !devices))
    return txFail(error, TEXLA_BAD_ARGUMENT, "clDeviceList",
                  "count must not be NULL; devices may be NULL only when capacity (%d) is 0",
                  capacity);
  bool software[TX_MOST_DEVICES] = {false};
  *count = 1;
  if (txPlatforms[0]->devices)
    *count = txPlatforms[0]->devices(software, TX_MOST_DEVICES);
  for (int i = 0; i < *count && i < capacity; i++)
    devicesDescribe(&devices[i], i, software[i]);
  return TEXLA_OK;
}
