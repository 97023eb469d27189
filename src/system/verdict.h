/* The one verdict on an x: from residuals in double to a reason, and a sentence about it. */
#ifndef TEXLA_SYSTEM_VERDICT_H
#define TEXLA_SYSTEM_VERDICT_H

#include "platform/companion.h"
#include "system/refine.h"
#include "texla/system.h"

/* max_i |b - A x|_i / (|A| |x| + |b|)_i: the least relative change of entries of A and b that makes
 * x a solution (Oettli and Prager 1964), of all processes. Infinite if memory is short. */
double txBackwardError(const txRefinement *ref);
/* report->verdict <- what the reason means for this report. */
void txVerdictSay(clSystemReport *report, double tolerance);

#endif
