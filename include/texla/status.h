/**
 * @file
 * Status codes and error messages: how every texla call says what happened.
 *
 * A fallible call returns a clStatus: 0 is fine, a negative value is an error (the outputs are left
 * as they were), a positive value is information about a call that did its work (an iteration that
 * did not converge, the info > 0 of LAPACK). Calls that work on a context keep the message in it
 * (clContextError); calls that need no context take a clError that the caller owns and may pass as
 * NULL. texla never prints, aborts or exits, but for clClusterEnd (mpi.h).
 *
 * @since 0.1 */
#ifndef TEXLA_STATUS_H
#define TEXLA_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/** @def TEXLA_API
 * Marks what the library exports. */
#if defined(_WIN32)
#define TEXLA_API
#else
#define TEXLA_API __attribute__((visibility("default")))
#endif

/** @def TEXLA_PRINTF
 * Lets compilers check a format against its arguments: their positions, counted from 1. */
#if defined(__MINGW32__)
#define TEXLA_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define TEXLA_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TEXLA_PRINTF(text, first)
#endif

/** The one list of status codes: name, value, text. */
#define TEXLA_STATUS_LIST(X)                                                                       \
  X(TEXLA_OK, 0, "fine")                                                                           \
  X(TEXLA_NOT_CONVERGED, 1, "the iteration ended before its tolerance was met")                    \
  X(TEXLA_NOT_READY, 2, "the time was over before the result was there")                           \
  X(TEXLA_RANK_DEFICIENT, 3,                                                                       \
    "the matrix was factored, but a pivot is zero: its factors solve no system")                   \
  X(TEXLA_BAD_ARGUMENT, -1, "an argument is out of its range")                                     \
  X(TEXLA_BAD_SHAPE, -2, "the operands' sizes or layouts do not fit together")                     \
  X(TEXLA_FOREIGN_CONTEXT, -3, "the operands belong to different contexts")                        \
  X(TEXLA_OUT_OF_MEMORY, -4, "not enough memory")                                                  \
  X(TEXLA_TOO_LARGE, -5, "larger than the device or the index type allows")                        \
  X(TEXLA_NO_DEVICE, -6, "no usable OpenGL 3.3 device")                                            \
  X(TEXLA_DEVICE_ERROR, -7, "OpenGL reported an error")                                            \
  X(TEXLA_SHADER_ERROR, -8, "a shader did not compile or link")                                    \
  X(TEXLA_IO_ERROR, -9, "a file could not be read or written")                                     \
  X(TEXLA_BAD_FILE, -10, "a file's contents are malformed")                                        \
  X(TEXLA_NOT_FINITE, -11, "NaN, Inf or a value beyond single precision")                          \
  X(TEXLA_SINGULAR, -12, "the matrix is singular to working precision")                            \
  X(TEXLA_UNSUPPORTED, -13, "not available for this object, storage or device")                    \
  X(TEXLA_CANCELLED, -14, "cancelled before it was done")                                          \
  X(TEXLA_CONTEXT_LOST, -15, "the device has lost the context and what was on it")

/**
 * How a call ended: 0 is fine, negative an error, positive information about a call that did its
 * work.
 * @since 0.1 */
typedef enum clStatus {
#define TEXLA_STATUS_ENUM(name, value, text) name = value,
  /** The one list of status codes: name, value, text. */
  TEXLA_STATUS_LIST(TEXLA_STATUS_ENUM)
#undef TEXLA_STATUS_ENUM
} clStatus;

/** What went wrong last. The caller owns it. @since 0.1 */
typedef struct clError {
  /** TEXLA_OK while all is fine */
  clStatus status;
  /** names the call, the object, the sizes and what to do; empty while all is fine */
  char message[1024];
} clError;

/**
 * A short English text for a status, without the call and its operands: that is what
 * clError::message has. Any thread.
 * @param status  any value, also outside of the list
 * @return a constant; never NULL
 * @since 0.1 */
TEXLA_API const char *clStatusText(clStatus status);

#ifdef __cplusplus
}
#endif
#endif
