/* Operations that only move entries, in double where that is known. */
#ifndef TEXLA_QUEUE_MOVES_H
#define TEXLA_QUEUE_MOVES_H

#include "queue/operations.h"

/* "full", "transpose", "reshape", "index", ...: a gather, or on the host in double. */
clStatus txRunMove(txCall *call);

#endif
