/* Linux, macOS and other systems of POSIX. */
#define _GNU_SOURCE /* gettid */
#include "platform/platform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

int txProcessors(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 1 ? (int)online : 1;
}

/* A system that does not tell has 2 GiB at least. */
size_t txMemory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0)
    return (size_t)pages * (size_t)bytes;
  return (size_t)1 << 31;
}

bool txThreadIsMain(void) {
#ifdef __APPLE__
  return pthread_main_np() != 0;
#else
  return getpid() == gettid();
#endif
}

void *txModuleOpen(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* C has no conversion from an object's pointer to a function's, which dlsym's answer is. */
bool txModuleFind(void *module, const char *name, void *function) {
  void *found = dlsym(module, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}
