/* What a page does while its shaders are being compiled: it shows its panel and answers. The scene
 * begins, steps and is painted twice without waiting for anything (txContextRehearse): so all
 * programs are known, and begun, at once. */
#include <string.h>

#include "common/show_private.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/rehearse.h"

static clStatus playOnce(demoShow *show) {
  TRY(demoShowStart(show));
  TRY(demoShowPaint(show));
  TRY(demoShowStep(show));
  return demoShowPaint(show);
}

/* What fails here fails again in earnest, and is said there. */
static void rehearse(demoShow *show, txRehearsal kind) {
  int *size = show->options.size, asked[2] = {size[0], size[1]};
  show->own->rehearses = true;
  txContextRehearse(show->context, kind);
  playOnce(show);
  txContextRehearse(show->context, TX_IN_EARNEST);
  show->own->rehearses = false;
  memcpy(size, asked, sizeof asked);
  show->error = (clError){0};
}

static clStatus showPanel(demoShow *show) {
  demoBar bar = {.count = 0};
  if (!show->own->no_buttons)
    TRY(demoShowListBar(show, &bar));
  show->own->bar_row = txMost(bar.count, 1);
  return demoShowPanel(show, &bar);
}

clStatus demoShowRehearse(demoShow *show, bool *ready) {
  static const txRehearsal kind[] = {TX_BEGINNING, TX_DRAWING};
  demoPrivate *o = show->own;
  *ready = false;
  if (!txContextRehearsed(show->context))
    return TEXLA_OK;
  *ready = o->rehearsals == 2;
  /* memory that has ended meanwhile */
  if (*ready)
    return demoCheck(show, txContextCheck(show->context));
  rehearse(show, kind[o->rehearsals++]);
  return showPanel(show);
}
