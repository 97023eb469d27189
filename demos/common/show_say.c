/* Messages of a window: on standard output, and above its picture. */
#include <stdio.h>

#include "common/show_private.h"

void demoShowSay(const demoShow *show, const char *what, const char *name) {
  if (!show->own->common.quiet)
    printf("%s: %s %s\n", show->program->name, what, name);
  fflush(stdout);
}

/* What went wrong is said, here and in the window for some seconds, and nothing ends. */
void demoShowComplain(demoShow *show, const char *what) {
  const double seconds = 6;
  demoPrivate *o = show->own;
  snprintf(o->notice, sizeof o->notice, "%.60s%s%s", what, *what ? ": " : "", show->error.message);
  o->noticed = demoSeconds() + seconds;
  demoShowSay(show, o->notice, "");
  show->error = (clError){0};
}
