/* What GCC and clang have beyond C11, by one name each. Vectors need one of them everywhere (on
 * Windows MinGW or clang-cl); the rest is for speed alone and missing elsewhere. */
#ifndef TEXLA_CORE_COMPILER_H
#define TEXLA_CORE_COMPILER_H

#include <float.h>

#if FLT_EVAL_METHOD == 2
#error "texla: x87 rounds results twice: not supported; compile with -msse2 -mfpmath=sse"
#endif

/* `typedef float line TX_VECTOR(32)`: as many floats as so many bytes hold, at any address of one,
 * also where memory is of another type. Operators work on all of them at once. */
#define TX_VECTOR(bytes) __attribute__((vector_size(bytes), aligned(4), may_alias))

/* TX_TARGETS: functions can be compiled for processors with more instructions than all others of
 * the program, TX_TARGET, and asked for them, TX_SUPPORTS. TX_INLINE functions become parts of such
 * ones. */
#if defined __x86_64__ && defined __GNUC__
#define TX_TARGETS 1
#define TX_TARGET(instructions) __attribute__((target(instructions)))
#define TX_SUPPORTS(instruction) __builtin_cpu_supports(instruction)
#else
#define TX_TARGETS 0
#endif

#if defined __GNUC__
#define TX_INLINE static inline __attribute__((always_inline))
#else
#define TX_INLINE static inline
#endif

#endif
