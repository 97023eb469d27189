/* An interrupted run ends well: its film, its state and its statistics become files. */
#include <signal.h>

#include "common/show_private.h"
#include "platform/platform.h"

static volatile sig_atomic_t interrupted;

static void onInterrupt(int number) {
  interrupted = number;
}

void demoShowCatch(void) {
  txSignalCatch(SIGINT, onInterrupt);
  txSignalCatch(SIGTERM, onInterrupt);
}

int demoShowInterrupted(void) {
  return interrupted;
}
