/* Every k-th call of an OpenGL function fails once: no memory, a shader that is not made or does not compile or link, a framebuffer that is not
 * complete, a fence that cannot be made or waited for. The call says so, or another way leads to the same result; nothing leaks, and
 * the same work done again succeeds. TEXLA_FAULTS is the number of failures tried of each kind in each scenario; 0: all. */
#include "faults/all.h"

#include <GL/glew.h>

typedef enum Fault { TEXTURE, LAYERS, BUFFER, READ, SHADER, COMPILE, LINK, FRAMEBUFFER, FENCE, WAIT, FAULTS } Fault;
static const char *const faultNames[] = {"texture", "layers", "buffer",      "read",  "shader",
                                         "compile", "link",   "framebuffer", "fence", "wait"};

static long calls[FAULTS], failing;
static Fault failingFault;
static GLenum pending; /* what glGetError tells next */

/* Is this the call that fails? */
static bool fails(Fault fault) {
  calls[fault]++;
  return fault == failingFault && calls[fault] == failing;
}

static bool noMemory(Fault fault) {
  bool now = fails(fault);
  if (now)
    pending = GL_OUT_OF_MEMORY;
  return now;
}

/* Of OpenGL 1.1, which the library links to (--wrap). */
GLenum __real_glGetError(void);
void __real_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLint border,
                         GLenum format, GLenum type, const void *pixels);
void __real_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels);

GLenum __wrap_glGetError(void) {
  GLenum error = pending;
  pending = GL_NO_ERROR;
  return error ? error : __real_glGetError();
}

void __wrap_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLint border,
                         GLenum format, GLenum type, const void *pixels) {
  if (!noMemory(TEXTURE))
    __real_glTexImage2D(target, level, internal, width, height, border, format, type, pixels);
}

void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels) {
  if (!noMemory(READ))
    __real_glReadPixels(x, y, width, height, format, type, pixels);
}

/* Later ones are called through pointers. */
static PFNGLTEXIMAGE3DPROC texImage3D;
static PFNGLBUFFERDATAPROC bufferData;
static PFNGLCREATESHADERPROC createShader;
static PFNGLGETSHADERIVPROC shaderiv;
static PFNGLGETPROGRAMIVPROC programiv;
static PFNGLCHECKFRAMEBUFFERSTATUSPROC framebufferStatus;
static PFNGLFENCESYNCPROC fenceSync;
static PFNGLCLIENTWAITSYNCPROC waitSync;

static void GLAPIENTRY brokenTexImage3D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                                        GLsizei depth, GLint border, GLenum format, GLenum type, const void *pixels) {
  if (!noMemory(LAYERS))
    texImage3D(target, level, internal, width, height, depth, border, format, type, pixels);
}

static GLuint GLAPIENTRY brokenCreateShader(GLenum type) {
  return noMemory(SHADER) ? 0 : createShader(type);
}

static void GLAPIENTRY brokenBufferData(GLenum target, GLsizeiptr size, const void *data, GLenum usage) {
  if (!noMemory(BUFFER))
    bufferData(target, size, data, usage);
}

static void GLAPIENTRY brokenShaderiv(GLuint shader, GLenum name, GLint *value) {
  shaderiv(shader, name, value);
  if (name == GL_COMPILE_STATUS && fails(COMPILE))
    *value = GL_FALSE;
}

static void GLAPIENTRY brokenProgramiv(GLuint program, GLenum name, GLint *value) {
  programiv(program, name, value);
  if (name == GL_LINK_STATUS && fails(LINK))
    *value = GL_FALSE;
}

static GLenum GLAPIENTRY brokenFramebufferStatus(GLenum target) {
  return fails(FRAMEBUFFER) ? GL_FRAMEBUFFER_UNSUPPORTED : framebufferStatus(target);
}

static GLsync GLAPIENTRY brokenFenceSync(GLenum condition, GLbitfield flags) {
  return fails(FENCE) ? NULL : fenceSync(condition, flags);
}

static GLenum GLAPIENTRY brokenWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout) {
  return fails(WAIT) ? GL_WAIT_FAILED : waitSync(sync, flags, timeout);
}

static void breakOpenGl(void) {
  texImage3D = glTexImage3D;
  bufferData = glBufferData;
  createShader = glCreateShader;
  shaderiv = glGetShaderiv;
  programiv = glGetProgramiv;
  framebufferStatus = glCheckFramebufferStatus;
  fenceSync = glFenceSync;
  waitSync = glClientWaitSync;
  glTexImage3D = brokenTexImage3D;
  glBufferData = brokenBufferData;
  glCreateShader = brokenCreateShader;
  glGetShaderiv = brokenShaderiv;
  glGetProgramiv = brokenProgramiv;
  glCheckFramebufferStatus = brokenFramebufferStatus;
  glFenceSync = brokenFenceSync;
  glClientWaitSync = brokenWaitSync;
}

/* A run in which call number `which` fails (0: none); textures are made anew. */
static clStatus runWith(const Scenario *s, clContext *context, Fault fault, long which, double result[RESULTS]) {
  assertOk(context, clContextTrim(context));
  memset(calls, 0, sizeof calls);
  failingFault = fault;
  failing = which;
  clStatus status = s->run(context, result);
  failing = 0;
  if (pending)
    fail_msg("%s: %s %ld fails, and its error is left for the next call", s->name, faultNames[fault], which);
  return status;
}

static void assertSame(const Scenario *s, const double *result, const double *wanted, const char *when) {
  for (int k = 0; k < RESULTS; k++)
    if (!(fabs(result[k] - wanted[k]) <= 1e-4 * (1 + fabs(wanted[k]))))
      fail_msg("%s: result %d is %g, not %g, %s", s->name, k, result[k], wanted[k], when);
}

static void tryOne(clContext *context, const Scenario *s, Fault fault, long k, const double *wanted) {
  double result[RESULTS] = {0};
  char what[64];
  long bytes = (long)clContextCount(context).bytes_used;
  snprintf(what, sizeof what, "%s %ld fails", faultNames[fault], k);
  clStatus status = runWith(s, context, fault, k, result);
  if (status < 0 && !*clContextError(context)->message)
    fail_msg("%s: %s without a message", s->name, what);
  if (status >= 0)
    assertSame(s, result, wanted, what);
  if ((long)clContextCount(context).bytes_used != bytes)
    fail_msg("%s: %s, and %ld bytes of textures are left, not %ld", s->name, what,
             (long)clContextCount(context).bytes_used, bytes);
  memset(result, 0, sizeof result);
  status = runWith(s, context, fault, 0, result);
  if (status)
    fail_msg("%s: %s, and afterwards: status %d: %s", s->name, what, (int)status, clContextError(context)->message);
  assertSame(s, result, wanted, "afterwards");
}

static long most(void) {
  const char *text = getenv("TEXLA_FAULTS");
  return text ? strtol(text, NULL, 10) : 2;
}

static bool isOnce(Fault fault) {
  return fault == SHADER || fault == COMPILE || fault == LINK;
}

/* Programs are compiled once in a context, so each of their failures takes a context of its own: half as many are tried. */
static void tryFault(clContext *context, const Scenario *s, Fault fault, const double *wanted, long count) {
  bool once = isOnce(fault);
  long tries = once ? (most() + 1) / 2 : most();
  long step = tries > 0 && count > tries ? (count + tries - 1) / tries : 1;
  for (long k = (step + 1) / 2; k <= count; k += step) {
    clContext *used = once ? testContextWith((clContextOptions){0}) : context;
    tryOne(used, s, fault, k, wanted);
    if (once)
      clContextDestroy(used);
  }
}

static void everyCallMayFail(void **state) {
  const Scenario *s = *state;
  clContext *context = testContextWith((clContextOptions){0});
  double wanted[RESULTS] = {0}, result[RESULTS];
  long count[FAULTS];
  assertOk(context, runWith(s, context, FAULTS, 0, wanted));
  memcpy(count, calls, sizeof count); /* compilations, too */
  assertOk(context, runWith(s, context, FAULTS, 0, result));
  for (int fault = 0; fault < FAULTS; fault++)
    tryFault(context, s, (Fault)fault, wanted, isOnce((Fault)fault) ? count[fault] : calls[fault]);
  clContextDestroy(context);
}

/* The argument: only scenarios whose name is so; * stands for any characters. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[SCENARIOS];
  for (int k = 0; k < SCENARIOS; k++)
    tests[k] = (struct CMUnitTest){scenarios[k].name, everyCallMayFail, NULL, NULL, (void *)&scenarios[k]};
  clContextDestroy(testContextWith((clContextOptions){0})); /* the pointers are loaded */
  breakOpenGl();
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests_name("faults/opengl", tests, NULL, NULL);
}
