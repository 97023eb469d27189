/* What differs by operating system: one interface, one file a system (posix.c). No other room asks
 * which system it runs on, but for the ways to an OpenGL context (gl/platform_*.c). */
#ifndef TEXLA_PLATFORM_PLATFORM_H
#define TEXLA_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* How many processors the system has; at least 1. */
int txProcessors(void);

/* Bytes of the machine's memory. */
size_t txMemory(void);

/* Is this the thread that the program began with? Windows can only be made there. */
bool txThreadIsMain(void);

/* A shared library, loaded at run time; NULL where there is none of that name. It stays loaded:
 * what it has begun, as threads, may outlive its user. */
void *txModuleOpen(const char *name);
/* Sets the pointer to a function that `function` points to; false where the library has none of that
 * name. */
bool txModuleFind(void *module, const char *name, void *function);

#endif
