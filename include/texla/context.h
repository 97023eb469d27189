/**
 * @file
 * clContext: one OpenGL device, everything that lives on it, and the one home of all mutable state.
 *
 * A context belongs to the thread that created it; several contexts, one per thread or GPU, work
 * side by side, also several in one thread. A call makes the context's own OpenGL context current
 * in the thread and leaves it so; an application with an OpenGL context of its own makes that one
 * current again, or lets texla adopt it. Objects must be destroyed with their own functions; those
 * that outlive their context stay valid only for being destroyed (other calls fail with
 * TEXLA_BAD_ARGUMENT; in an adopted OpenGL context what they hold then stays until that context
 * dies).
 *
 * A device can be lost: reset by its driver, or out of something, and then drivers may drop what
 * they are asked for without an error. Reads notice it; then they and every later call that works
 * on the device return TEXLA_CONTEXT_LOST, whose message has the cause where one is known. What was
 * on the device is gone: destroy the objects and the context, create another one and upload again.
 * Draws that alone are dropped are noticed by reads of 64 KiB and more, by the next one after some
 * milliseconds, and by clContextSynchronize (since 0.2).
 *
 * fork: a child cannot use the contexts and queues of its parent. Calls return TEXLA_CONTEXT_LOST
 * there, and destroying frees memory alone. If the parent has opened a device, clContextCreate
 * returns TEXLA_NO_DEVICE in the child, because drivers and their threads do not survive a fork:
 * fork before the first context, or start the child by posix_spawn. An OpenGL context that the
 * child makes itself can be adopted (since 0.3).
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, an option out of its range) is always possible; each call names
 * the others.
 *
 * Ownership: who creates a context destroys it, at last. What getters return is the context's and
 * lasts as long.
 *
 * Waiting: clContextSynchronize waits for the device, and creating a context for its probes, but
 * where their results are kept already.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_CONTEXT_H
#define TEXLA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "texla/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device with everything that lives on it. */
typedef struct clContext clContext;

/** How grave a message is. */
typedef enum clLogLevel { TEXLA_LOG_WARNING, TEXLA_LOG_INFO, TEXLA_LOG_DEBUG } clLogLevel;
/**
 * Gets texla's messages, in the thread of the call that causes them; may not call texla on this
 * context.
 * @param user     clContextOptions::log_user
 * @param level    how grave it is
 * @param message  one line without its end; valid during the call */
typedef void (*clLogFunction)(void *user, clLogLevel level, const char *message);

/**
 * One pass, as reported to a listener after it was submitted (or, with `profile`, after it was
 * timed). */
typedef struct clPassEvent {
  /** shader name, e.g. "axpy" */
  const char *kernel;
  /** texels rasterized */
  int width, height;
  /** textures written and read, scalars among them */
  int targets, sources;
  /** time on the device; negative when not measured */
  double seconds;
} clPassEvent;
/** Hears of every pass; may not call texla on this context.
 * @param user   clContextOptions::listener_user
 * @param event  valid during the call */
typedef void (*clPassListener)(void *user, const clPassEvent *event);

/** How a context is made. Zero means default everywhere. */
typedef struct clContextOptions {
  /**
   * "auto", an index of clDeviceList, "llvmpipe", "surfaceless", "gles": OpenGL ES 3 (since 0.3),
   * or "window": a hidden one by GLFW, which needs a display and works on the program's first
   * thread alone (since 0.3); NULL: $TEXLA_DEVICE, else auto */
  const char *device;
  /**
   * use the OpenGL context that is current in this thread (a window's): it must be current at
   * every call, finds its state as it was afterwards, and must outlive this one */
  bool adopt;
  /** ask for a debug context, log its messages, and check OpenGL errors after every pass */
  bool debug;
  /** time every pass with timer queries (slow: waits after each pass) */
  bool profile;
  /**
   * tuning file: its choices are used as they are, so that runs repeat bit for bit; what is missing
   * (also the whole file) is measured and added; NULL: $TEXLA_TUNING, which is only read (since
   * 0.2), else the user's cache */
  const char *tuning;
  /** neither read nor write the user's cache folder */
  bool no_tuning_cache;
  /** developer switch: shaders found in this folder replace the embedded ones; NULL:
   * $TEXLA_SHADER_DIR; TEXLA_IO_ERROR where there is no such folder, or none of them in it */
  const char *shader_dir;
  /**
   * bytes of textures, vertices and read-backs, beyond them TEXLA_OUT_OF_MEMORY; 0: 9/10 of the
   * device's memory if its driver reports a plausible size, else 3/4 of the machine's memory */
  size_t memory_limit;
  /**
   * numbers in a vector or matrix of the size that most work will be on; 0: unknown. Up to 400^2 a
   * software renderer shades in the calling thread, because waking others takes longer (since 0.2)
   */
  int64_t elements;
  /**
   * worker threads of a software renderer (llvmpipe); 0: LP_NUM_THREADS where it is set, else by
   * `elements`; negative: none, the calling thread shades. At most two numbers in a process count:
   * the first two that contexts ask for (since 0.2) */
  int threads;
  /**
   * a folder: every pass is traced into it, see texla/trace.h; NULL: $TEXLA_TRACE; "": none (since
   * 0.3) */
  const char *trace;
  /** which passes (clTraceOptions::choose); only with `trace` (since 0.3) */
  const char *trace_choose;
  /** gets texla's messages; NULL: none are given */
  clLogFunction log;
  /** what is said: this and what is graver; zero: warnings */
  clLogLevel log_level;
  /** is handed on to `log` */
  void *log_user;
  /** hears of every pass; NULL: none */
  clPassListener listener;
  /** is handed on to `listener` */
  void *listener_user;
} clContextOptions;

/**
 * Creates a context: opens a device, or adopts the OpenGL context that is current, and measures it
 * (clProbes, clContextTuning). Several threads may create contexts at once. While the first context
 * of a display is opened, the process's LP_NUM_THREADS is, for that moment, the number of threads
 * that it will have; another thread that changes this variable at that moment loses its change.
 * @param out      the caller owns it; untouched where the call fails
 * @param options  NULL: defaults. Texts are copied.
 * @param error    says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_NO_DEVICE, TEXLA_BAD_FILE or TEXLA_IO_ERROR (the tuning file),
 *         TEXLA_OUT_OF_MEMORY, TEXLA_CONTEXT_LOST */
TEXLA_API clStatus clContextCreate(clContext **out, const clContextOptions *options,
                                   clError *error);
/**
 * Releases everything the context owns on the device; an adopted OpenGL context itself stays.
 * Objects that outlive it can only be destroyed.
 * @param context  NULL is allowed */
TEXLA_API void clContextDestroy(clContext *context);

/**
 * The last error of a call on this context. With operands of different contexts, the first
 * operand's has the message.
 * @param context  NULL: an error that says so
 * @return never NULL; valid until the next failing call on the context */
TEXLA_API const clError *clContextError(const clContext *context);

/**
 * Waits until the device has done everything that was submitted. Blocking.
 * @param context  not NULL
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_DEVICE_ERROR (of a pass that was submitted before),
 *         TEXLA_CONTEXT_LOST */
TEXLA_API clStatus clContextSynchronize(clContext *context);

/**
 * Frees what the context keeps for reuse: textures of destroyed objects (as much as was ever in use
 * at once, and 64 MiB, up to a quarter of the memory limit) and compiled programs. Objects stay as
 * they are; the next calls take longer, because they compile and allocate again.
 * @param context  not NULL
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_DEVICE_ERROR
 * @since 0.2 */
TEXLA_API clStatus clContextTrim(clContext *context);

/** What a context has done so far. */
typedef struct clContextCounters {
  /** of shaders */
  int64_t passes;
  /** a long pass takes several */
  int64_t draws;
  /** from the host */
  int64_t uploads;
  /** to the host */
  int64_t readbacks;
  /** compiled */
  int64_t programs;
  /** now in the cache, which holds at most 256 (since 0.2) */
  int64_t programs_kept;
  /** by objects, now */
  size_t bytes_used;
  /** kept for reuse, now */
  size_t bytes_pooled;
  /** the largest bytes_used */
  size_t bytes_peak;
} clContextCounters;
/** What a context has done so far, and the memory that it holds. Does not wait.
 * @param context  NULL: zeros
 * @return the counters of this moment
 * @since 0.1 (clContextCount before 0.3) */
TEXLA_API clContextCounters clContextStatistics(const clContext *context);

/** What the device measurably does with single-precision numbers; probed once at creation. */
typedef struct clProbes {
  /** 6/3 == 2 exactly */
  bool exact_division;
  /** all integers up to 2^24 survive + and * exactly */
  bool large_integers;
  /** NaN and Inf survive a pass and compare as IEEE 754 says */
  bool nan_kept, inf_kept;
  /** denormals survive a pass */
  bool denormals;
  /** + - and * are correctly rounded */
  bool round_add, round_mul;
  /** largest error of a / b seen, in units in the last place */
  float division_ulps;
  /** the error term of a two-sum survives the compiler */
  bool two_sum;
  /**
   * what textures of floats can do: be rendered to with one or with four components, be sampled
   * bilinearly, take sums by blending */
  bool r32f_renderable, rgba32f_renderable, filterable, blendable;
} clProbes;

/** What a context runs on. Texts are the context's. */
typedef struct clContextInfo {
  /**
   * what the driver calls itself (GL_VENDOR and the like), and the version of its shading language
   */
  const char *vendor, *renderer, *version, *glsl;
  /** "EGL device", "EGL surfaceless", "window", "adopted" */
  const char *platform;
  /** the host's processors run the shaders: measured, see the line trait.host_shades of
   * clContextTuning */
  bool software;
  /**
   * worker threads of a software renderer; 0: the calling thread shades, or a device of its own
   * (since 0.2) */
  int threads;
  /** texels along a side; textures that a pass may write and read */
  int max_texture_size, max_targets, max_sources;
  /** longest linear clVector */
  int64_t max_vector_length;
  /** in bytes: clContextOptions::memory_limit, or what was taken for 0 */
  size_t memory_limit;
  /** what the device does with numbers */
  clProbes probes;
} clContextInfo;
/** What a context runs on.
 * @param context  NULL is allowed
 * @return valid as long as the context; NULL for NULL */
TEXLA_API const clContextInfo *clContextInspect(const clContext *context);

/**
 * The tuning table: which variant was chosen where two exist, and what was measured of the device
 * (keys that begin with "trait.").
 * @param context  not NULL
 * @param index    0, 1, ... until the call returns false
 * @param key      <- the name of entry `index`, the context's
 * @param value    <- what was chosen or measured
 * @return false behind the last entry; the outputs stay then */
TEXLA_API bool clContextTuning(const clContext *context, int index, const char **key, int *value);

/** A device that contexts can be made on. */
typedef struct clDevice {
  /** the kind of EGL display ("EGL device", ...), and what the driver calls itself */
  char platform[32], vendor[64], renderer[128];
  /** the host's processors run the shaders */
  bool software;
  /** an OpenGL 3.3 core context could be made on it; otherwise `renderer` says why not */
  bool usable;
} clDevice;
/** Lists the EGL devices of this machine. Opens each for a moment.
 * @param devices   <- at most `capacity` of them; NULL is allowed with capacity 0
 * @param capacity  at least 0
 * @param count     <- how many there are, also beyond the capacity
 * @param error     says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_NO_DEVICE (no EGL), TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clDeviceList(clDevice *devices, int capacity, int *count, clError *error);

#ifdef __cplusplus
}
#endif
#endif
