/* Writes into matrices. */
#ifndef TEXLA_QUEUE_WRITE_H
#define TEXLA_QUEUE_WRITE_H

#include "queue/operations.h"

/* "write": x(rows, cols) = w; "write_select": x(k) = w. */
clStatus txRunWrite(txCall *call);
clStatus txRunWriteSelect(txCall *call);
/* Both with a sparse x, which stays sparse: T is the result. */
clStatus txWriteTriplets(txCall *call, clTriplets *T);
/* "accumulate" */
clStatus txRunAccumulate(txCall *call);

#endif
