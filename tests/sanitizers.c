/* Linked into every program of a sanitizer build, so that each runs as it should without
 * environment variables. */
int dlclose(void *handle);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_suppressions(void);

#define EXPORTED __attribute__((visibility("default")))

/* Drivers stay loaded: the leak checker can name, and thus suppress, only frames of modules that
 * are still there. */
EXPORTED int dlclose(void *handle) {
  (void)handle;
  return 0;
}

/* intercept_tls_get_addr=0: the leak checker does not follow thread-local memory of loaded
 * libraries, which a driver's thread that is just ending may be giving back: the checker then ends
 * with a segmentation fault of its own. allocator_may_return_null=1: more memory than there is
 * gives NULL, as without the sanitizer. */
EXPORTED const char *__asan_default_options(void) {
  return "halt_on_error=1:detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:"
         "intercept_tls_get_addr=0:allocator_may_return_null=1";
}

EXPORTED const char *__ubsan_default_options(void) {
  return "halt_on_error=1:print_stacktrace=1";
}

/* What Mesa, LLVM and the OpenGL dispatch libraries keep until the process ends. */
EXPORTED const char *__lsan_default_suppressions(void) {
  return "leak:libLLVM\nleak:libEGL\nleak:libGLX\nleak:libGLdispatch\nleak:libgallium\nleak:swrast_"
         "dri\n";
}
