/* Objects and memory that end with the scope in which they are declared, however it is left:
 *
 *     OWN(clVector) *x = NULL, *y = NULL; // both are destroyed, the last one first
 *     FREED float *values = malloc(size); */
#ifndef TEXLA_TESTS_OWN_H
#define TEXLA_TESTS_OWN_H

#include <stdlib.h>
#include <string.h>

#include "texla/sim.h"
#include "texla/texla.h"

#define AT_END(function) __attribute__((cleanup(function)))
#define OWN(type) AT_END(type##End) type
#define FREED AT_END(memoryEnd)

static inline void memoryEnd(void *pointer) {
  void *memory;
  memcpy(&memory, pointer, sizeof memory);
  free(memory);
}

#define OWNED(type)                                                                                \
  static inline void type##End(type **object) {                                                    \
    type##Destroy(*object);                                                                        \
  }
OWNED(clCholesky)
OWNED(clContext)
OWNED(clCrout)
OWNED(clDense)
OWNED(clDouble)
OWNED(clDoubleVector)
OWNED(clEvolution)
OWNED(clFloat)
OWNED(clFlow)
OWNED(clFlowInks)
OWNED(clFlowStreaks)
OWNED(clKernel)
OWNED(clLeastSquares)
OWNED(clMatrix)
OWNED(clMultigrid)
OWNED(clPacked)
OWNED(clPlu)
OWNED(clQr)
OWNED(clQueue)
OWNED(clSolver)
OWNED(clSystem)
OWNED(clTridiagonal)
OWNED(clTriplets)
OWNED(clVector)
OWNED(clWater)
OWNED(clWave)
#undef OWNED

#endif
