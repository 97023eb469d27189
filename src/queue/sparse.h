/* Operations of sparse matrices whose results are sparse, too, and their sums: on the host, in
 * double, in time and memory that go with the entries. */
#ifndef TEXLA_QUEUE_SPARSE_H
#define TEXLA_QUEUE_SPARSE_H

#include "queue/operations.h"

/* Is the first result sparse? Known when an operation is submitted. */
bool txSparseResult(const txCall *call);
/* Is it done here? */
bool txSparseHas(const txCall *call);
clStatus txSparseRun(txCall *call);

#endif
