/* Crout's method on the CPU, in order (C1). The loops stand in host.inc, once for double and
 * once for float. */
#include "core/allocate.h"
#include "texla/crout.h"

#include <math.h>
#include <stdlib.h>

#define NUMBER double
#define NAMED(name) name##Double
#define PUBLIC clCroutHost
#define SPLIT clCroutHostSplit
#include "crout/host.inc"
#undef NUMBER
#undef NAMED
#undef PUBLIC
#undef SPLIT

#define NUMBER float
#define NAMED(name) name##Float
#define PUBLIC clCroutHostFloat
#define SPLIT clCroutHostFloatSplit
#include "crout/host.inc"
