/* Processors divided among the processes of a machine. */
#ifndef TEXLA_CORE_PROCESSORS_H
#define TEXLA_CORE_PROCESSORS_H

#include "platform/companion.h"
#include "platform/platform.h"

/* Those that this thread may run on, or with `launcher` those of the program that started this one.
 * False where the system does not tell; then there are `*set` none. */
TX_COMPANION bool txProcessorsAllowed(txProcessorSet *set, bool launcher);
/* How many the system has. */
TX_COMPANION int txProcessorsOnline(void);
TX_COMPANION int txProcessorsCount(const txProcessorSet *set);
/* Is each processor of `some` in `set`, too? */
TX_COMPANION bool txProcessorsContain(const txProcessorSet *set, const txProcessorSet *some);
/* *share <- number `part` of `parts` equal shares of `all`; processors of a core and of a socket
 * stay together. */
TX_COMPANION void txProcessorsShare(txProcessorSet *share, const txProcessorSet *all, int part,
                                    int parts);
/* This thread, and those that it starts from now on, may run on these only. */
TX_COMPANION bool txProcessorsBind(const txProcessorSet *set);

#endif
