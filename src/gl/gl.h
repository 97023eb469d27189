/* Private to src/gl: OpenGL's headers, the context's fields and what its files share. */
#ifndef TEXLA_GL_GL_H
#define TEXLA_GL_GL_H

#include <GL/glew.h>

#include "gl/observe.h"
#include "gl/pass.h"
#include "gl/rehearse.h"
#include "gl/shader_files.h"
#include "gl/texture.h"
#include "gl/traits.h"
#include "gl/tuning.h"

/* Bytes of a uniform's name, with the zero behind it; numbers of one that are remembered. */
enum { TX_NAME = 64, TX_KEPT = 8 };

typedef struct txUniformSlot {
  char name[TX_NAME];
  GLint location;
  GLenum type;
  /* The texture unit of a sampler; -1 for all other uniforms. */
  int unit;
  /* The number of the last pass that set it, by which a pass that forgets it is found. */
  int64_t given;
  /* What it was set to, and how many numbers these are; 0: not known. */
  float value[TX_KEPT];
  int kept;
} txUniformSlot;

typedef struct txShaderProgram {
  char *key;
  uint64_t hash;
  /* The number of the last pass that used it: the program that was used longest ago makes room for
   * others. */
  int64_t used;
  GLuint name;
  txUniformSlot *slot;
  int slots;
  /* How many uniform blocks it reads. */
  int blocks;
} txShaderProgram;

typedef struct txAttachment {
  const txTexture *texture;
  int layer;
} txAttachment;

typedef struct txFramebuffer {
  struct {
    GLuint texture;
    GLint layer;
  } target[TX_MAX_TARGETS]; /* zero beyond the last one */
  /* How many they are, and their formats. */
  int targets;
  txFormat format[TX_MAX_TARGETS];
  GLuint name;
} txFramebuffer;

typedef struct txTuningEntry {
  char key[64];
  int value;
  /* Whether it was found to compute right (txTuningCheck). */
  bool checked;
} txTuningEntry;

/* Buffers that are filled in turn, made when all others still wait for the device: a panel of a
 * factorization is written while the device is busy with what the panel before it has left to do
 * (elimination/panel_host.c, mpi/plu.c). */
enum { TX_UPLOADS = 16 };
typedef struct txUploads {
  GLuint buffer[TX_UPLOADS];
  /* Fences that are passed when the device has read the buffer; NULL where it has. */
  GLsync read[TX_UPLOADS];
  int count, next;
} txUploads;

/* A texel that is rendered and read now and then: does the device still compute? */
typedef struct txCanary {
  txTexture *texture;
  /* The number that it was rendered with, at most 2^24. */
  int serial;
  /* When it was rendered, in seconds of txNow. */
  double asked;
  /* Seconds after which small reads ask again. */
  double interval;
} txCanary;

/* The buffer that large read-backs go through; bytes 0: none yet. */
typedef struct txDownloads {
  GLuint buffer;
  size_t bytes;
} txDownloads;

/* What glTexImage2D takes for a txFormat, and the bytes of a texel. */
typedef struct txGlFormat {
  GLint internal;
  GLenum format, type;
  size_t bytes;
} txGlFormat;

struct txVertices {
  clContext *context;
  GLuint array, buffer;
  int64_t count;
  /* The floats of each vertex, and the bytes of all. */
  int floats;
  size_t bytes;
};

/* What creating a context consists of, in this order. */
typedef enum txStart {
  TX_START_PLATFORM,
  TX_START_LOAD,
  TX_START_TRAITS,
  TX_START_PROBES,
  TX_STARTS
} txStart;

/* How its OpenGL context is reached (platform.h). */
typedef struct txPlatform txPlatform;

/* The state that texla touches, or that would disturb it, in a context shared with an
 * application. */
enum { TX_UNITS = TX_MAX_SOURCES + TX_MAX_SCALARS, TX_SWITCHES = 20, TX_PIXEL_STORE = 10 };
typedef struct txGlState {
  GLint program, vertex_array, draw_framebuffer, read_framebuffer, active_texture, viewport[4],
      scissor[4];
  GLint unit_texture[TX_UNITS], unit_array[TX_UNITS], unit_sampler[TX_UNITS];
  GLint pack_buffer, unpack_buffer, array_buffer, uniform_buffer, block_buffer,
      pixel_store[TX_PIXEL_STORE];
  GLint64 block_start, block_size;
  GLint blend_function[6], polygon_mode[2], clip[2], clamp_read, logic_operation;
  GLfloat point_size;
  GLboolean enabled[TX_SWITCHES];
  GLboolean blend[TX_MAX_TARGETS], color_mask[TX_MAX_TARGETS][4];
} txGlState;

/* A texture unit's; 0: not known. */
typedef struct txBound {
  GLuint texture, sampler;
} txBound;

struct clContext {
  clError error;
  clContextOptions options;
  clContextInfo info;
  clContextCounters counters;
  txTraits traits;
  txPlatform *platform;
  /* Vendor, renderer, version and GLSL's version. They are copies, since the driver's texts may die
   * with it. */
  char strings[4][160];
  /* Whether OpenGL 3.3 is all that is used: nothing of its extensions and later versions. */
  bool plain;
  /* Whether it is OpenGL ES 3.0, or WebGL 2: shaders are translated (dialect.c), and what it lacks
   * beside OpenGL 3.3 is left out. It is `plain`, too. */
  bool es;
  /* Whether an application can turn clip space upside down (OpenGL 4.5). */
  bool clip_control;
  char *shader_dir, *tuning_path;
  /* of libraries that stand on this one: txShadersAdd */
  const txEmbedded *shaders[TX_SHADER_TABLES];
  /* Whether the file is $TEXLA_TUNING, to which nothing is added. */
  bool tuning_shared;

  txShaderProgram *program;
  int programs, program_capacity;
  /* those of kernels that have been destroyed stay, too: txProgramsKeep */
  bool keeps_programs;
  txFramebuffer *framebuffer;
  int framebuffers, framebuffer_capacity;
  /* Textures that are free, the one that was freed last first. */
  txTexture *pool;
  txTuningEntry *tuning;
  int tunings;
  GLuint vertex_array;
  txBound bound[TX_UNITS];
  /* One sampler for each txSampling. */
  GLuint sampler[3];
  /* Samplers of passes whose fetches are noted (inputs.c). */
  GLuint noting[TX_MAX_SOURCES + TX_MAX_SCALARS];
  GLuint query;
  /* The buffer of uniform blocks; 0 where there is none yet. */
  GLuint blocks;
  size_t blocks_bytes;
  /* The version of the texture that filled it. */
  int64_t blocks_version;
  /* The largest viewport. */
  GLint viewport[2];
  /* The texture that scalars read where none is given: its texel is 1. */
  txTexture *one;
  txUploads uploads;
  txCanary canary;
  /* Why every call fails from now on; NULL while the context is alive. */
  const char *lost;
  txDownloads downloads;

  /* NULL: nobody watches */
  txObserver *observer;
  /* The step that the host is computing, and what is told of it; no step where .pass is NULL. */
  txPass host;
  /* What is told of that step; .pass is NULL where there is none. */
  txPassReport host_report;
  txScope scope[TX_MOST_SCOPES];
  /* How many scopes are open, which may be more than there is room for. */
  int scopes;
  /* What the parts of creating it took, and when the last one ended, in seconds of txNow. */
  double seconds[TX_STARTS], started;
  /* Whether an adopted OpenGL context is texla's for a while (txContextBorrow), and what its state
   * was before. */
  bool borrowed;
  txGlState before;
  /* What is going on, and a fence behind the last one that has been drawn (rehearse.c). */
  txRehearsal rehearsal;
  GLsync rehearsed;
  /* Whether a program can be asked if it has been compiled (KHR_parallel_shader_compile). */
  bool tells_compiled;
  /* Versions of textures' contents that have been given out so far. */
  int64_t versions;

  /* Who still needs the memory: the context itself, and every texture, vertex array and read that
   * lives on it. */
  int64_t references;
  /* Whether it has been destroyed, and only the references keep the memory. */
  bool closed;
  /* Functions of the caller that run within calls, and whether one has tried to destroy the
   * context. */
  int callbacks;
  bool refused;
};

/* loader.c (of browsers: platform_web.c): loads the entry points once per process; an OpenGL
 * context must be current. */
clStatus txLoad(clError *error);
/* The same files: the device's name; a context must be current. */
const char *txRenderer(void);
/* The same files: whether the device is another process, whose time is not to be had. */
bool txDeviceIsApart(void);
/* The same files: whether programs of the current context can be asked if they have been compiled;
 * nobody asks where no other process compiles. */
bool txTellsCompiled(void);
/* The same files: *values <- what the bound pixel buffer holds from byte `first` on, as soon as the
 * device has written it. */
clStatus txBufferTake(clContext *context, const char *call, size_t first, size_t bytes,
                      void *values);
/* flat.c: uniforms of a fragment shader that the vertex shader hands on. */
#define TX_FLAT_PREFIX "txUniform_"
enum { TX_MOST_FLAT = 16, TX_FLAT_TEXT = 8192 };
typedef struct txFlat {
  char type[TX_MOST_FLAT][8], name[TX_MOST_FLAT][TX_NAME];
  int count;
} txFlat;
/* Makes them inputs of the fragment shader, in place, as far as the list has room. */
void txFlatTake(txFlat *flat, char *fragment);
/* Does this shader hand on? What stands before the source of one and, where it is the last one
 * before the fragments, after it. */
bool txFlatHandsOn(const char *shader);
typedef struct txFlatText {
  char head[TX_FLAT_TEXT], tail[TX_FLAT_TEXT];
} txFlatText;
void txFlatWrite(const txFlat *flat, char *shader, bool last, txFlatText *text);
/* dialect.c: what stands before a shader in OpenGL ES, and *out <- its text in that dialect, to be
 * freed by the caller. */
extern const char txDialectHead[];
clStatus txDialectTranslate(char **out, clContext *context, const char *call, unsigned type,
                            const char *text);
/* bindings.c: the target that it is bound to. */
GLenum txTextureTarget(const txTexture *texture);
/* Binds it to unit 0, which is the active one then: for uploads. */
void txTextureBind(clContext *context, const txTexture *texture);
/* Binds it to a unit, with a sampler: for passes. */
void txTextureSample(clContext *context, int unit, const txTexture *texture, GLuint sampler);
/* A texture of that name is about to be deleted. */
void txTextureUnbind(clContext *context, GLuint name);
/* blocks.c: gives back the buffer of uniform blocks. */
void txBlocksDestroy(clContext *context);
/* inputs.c: the slot of a uniform that is about to be given; NULL when the program does not use
 * it. */
txUniformSlot *txSlotFind(const clContext *context, const txShaderProgram *program,
                          const char *name);
/* Whether it is set to these numbers already: programs are texla's alone. If not, it is from now
 * on, and the caller sets it. */
bool txSlotHolds(txUniformSlot *slot, const float *value, int count);
/* Gives the program, which is in use, all that the pass names; it must be all that it reads. */
clStatus txPassBind(clContext *context, const char *call, const txShaderProgram *program,
                    const txPass *pass, int sources);
/* draw.c: the draw calls for this rectangle, or for the pass's vertices. */
void txPassDraw(clContext *context, const txShaderProgram *program, const txPass *pass, txRect rect,
                int sources);
/* observe.c: the observer is told, and what it does to the context undone. */
bool txObserveBegin(clContext *context, const txPassReport *report);
void txObserveEnd(clContext *context, const txPassReport *report);
/* programs.c: the program for a pass, which is compiled where it is not there yet. */
clStatus txProgramFind(clContext *context, const char *call, const txPass *pass,
                       const txShaderProgram **out);
/* Whether those that a rehearsal has begun are compiled. */
bool txProgramsReady(const clContext *context);
/* Asks for their uniforms; one that is wrong is left to the pass that uses it. */
void txProgramsFinish(clContext *context);
/* Destroys all programs; those of later passes are compiled again. */
void txProgramsDestroy(clContext *context);
/* framebuffers.c: binds the framebuffer of these targets, which is made at their first use. */
clStatus txFramebufferBind(clContext *context, const char *call, const txAttachment *target,
                           int count);
/* Deletes the framebuffers of a texture that is about to be deleted. */
void txFramebufferForget(clContext *context, GLuint texture);
void txFramebuffersDestroy(clContext *context);
/* pool.c: what OpenGL is told of a texture's format. */
const txGlFormat *txGlFormatOf(const txTexture *texture);
/* Notes that its contents are others now. */
void txTextureChanged(const txTexture *texture);
size_t txTextureBytes(const txTexture *texture);
/* textures.c: how many bytes a rectangle of a texture has. */
size_t txRectBytes(const txTexture *texture, txRect rect);
/* Bytes that a read writes for each texel into a pixel buffer; and what is wanted of such
 * texels. */
size_t txReadBytes(const txTexture *texture);
void txReadNarrow(char *values, size_t narrow, const char *texels, size_t wide, size_t count);
/* Reads into client memory, or into the bound pixel buffer (values NULL). */
clStatus txReadPixels(const txTexture *texture, int layer, const char *call, txRect rect,
                      void *values);
void txPoolTrim(clContext *context, size_t keep_bytes);
/* Counts bytes of the device's memory in, trimming the pool where needed; refuses to exceed the
 * context's limit. */
clStatus txMemoryTake(clContext *context, const char *call, size_t bytes);
void txMemoryGive(clContext *context, size_t bytes);
/* context.c: the bytes of a device's memory of which its driver says so many KiB, asked twice; 0
 * unless both answers agree and lie between 64 MiB and the machine's memory. */
size_t txMemoryClaimed(int kib, int again, size_t machine);
/* uploads.c: texels into a rectangle of the 2D texture that is bound, by way of buffers, where that
 * is worth while; of an error nothing is known of the rectangle. */
bool txUploadWorthWhile(const clContext *context, size_t bytes);
clStatus txUpload(clContext *context, const char *call, txRect rect, unsigned format, unsigned type,
                  size_t texel_bytes, const void *values);
void txUploadsDestroy(clContext *context);
/* Bytes of the buffers for uploads. */
size_t txUploadsBytes(const clContext *context);
/* canary.c: remembers that the context is lost, and says so. */
clStatus txContextLose(clContext *context, const char *call, const char *why);
/* Once the device has been measured. */
void txCanaryStart(clContext *context);
/* Is a texel to be read together with so many bytes? */
bool txCanaryDue(const clContext *context, size_t bytes);
/* Renders the next number into the texel, whose framebuffer stays bound for reading it. */
clStatus txCanaryRender(clContext *context, const char *call);
/* TEXLA_CONTEXT_LOST where the texel has arrived with another number, or the driver tells of a
 * reset. */
clStatus txCanaryCheck(clContext *context, const char *call, const float value[4], int serial);
/* Both, at once. */
clStatus txCanaryAsk(clContext *context, const char *call);
/* Marks the first word of a read's destination, and returns what it was. After the read, whose
 * status is given: where the mark is still there, asks, and puts the word back unless all is
 * well. */
uint32_t txCanaryMark(void *values);
clStatus txCanaryLook(clContext *context, const char *call, void *values, uint32_t before,
                      clStatus status);
/* downloads.c: gives back the buffer for large read-backs. */
void txDownloadsDestroy(clContext *context);
/* dialect.c: the number of a #line, within those that a file can have. */
int txLineNumber(const char *digits);

/* start.c: notes how long a part of creating the context has taken. */
void txStarted(clContext *context, txStart part);
/* probe.c: fills clProbes. */
clStatus txProbe(clContext *context);
/* probe_kept.c: takes clProbes from the tuning table; false where it does not hold them for this
 * device, this driver and these traits, of which then none has been found to compute right. */
bool txProbesRecall(clContext *context);
/* Adds what has been found to the table. */
clStatus txProbesKeep(clContext *context);
/* probe_derivatives.c: *fine, where it is wanted <- whether dFdx and dFdy are fine ones. */
clStatus txProbeDerivatives(clContext *context, int *fine);
/* probe_double.c: traits->double_float, the most that is wanted <- the most that computes right;
 * traits->double_guard, the one to be tried first <- the first one with which it does. */
enum { TX_GUARDS = 3 };
clStatus txProbeDoubleFloat(clContext *context, txTraits *traits);
/* tuning_table.c: reads the pinned file, or the one in the user's cache folder. */
clStatus txTuningLoad(clContext *context);
/* traits.c: measures what the tuning table does not know, so after txTuningLoad. */
clStatus txTraitsMeasure(clContext *context);
/* Is a renderer of this name known to shade on the host's processors? */
bool txTraitsNamedSoftware(const char *renderer);
/* Does shading take the host's time? By the renderer's name; measured where that says nothing. */
clStatus txTraitsFindHost(clContext *context, const char *renderer, int *host_shades);

/* Forgets pending OpenGL errors; returns the first. */
GLenum txGlClearErrors(void);
/* TEXLA_DEVICE_ERROR when OpenGL has an error pending. */
clStatus txGlCheck(clContext *context, const char *call, const char *what);
/* rehearse.c: the same, but where asking means to wait for another process, and somebody asks later
 * (txContextCheck), it is left to that. */
clStatus txGlCheckLater(clContext *context, const char *call, const char *what);

/* state.c: saves and puts back; no-ops in own contexts, and while texla has borrowed an adopted
 * one. */
void txGlSave(clContext *context, txGlState *state);
void txGlRestore(const clContext *context, const txGlState *state);

#endif
