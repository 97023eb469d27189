/* Allocations that fail: the linker puts the functions below into the place of the library's
 * (--wrap=malloc and so on) in all that is linked statically, which is texla's own code and the
 * test's. */
#ifndef TEXLA_TESTS_FAULTS_ALLOCATIONS_H
#define TEXLA_TESTS_FAULTS_ALLOCATIONS_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);

static _Atomic long allocationCalls, failingAllocation, blocksAlive;

/* Number `which` from now on fails, and no other one; 0: none does. */
static inline void failAllocation(long which) {
  atomic_store(&allocationCalls, 0);
  atomic_store(&failingAllocation, which);
}

/* None fails any more. How many there were since failAllocation. */
static inline long allocationsDone(void) {
  atomic_store(&failingAllocation, 0);
  return atomic_load(&allocationCalls);
}

/* That have been allocated and not freed. */
static inline long blocksLeft(void) {
  return atomic_load(&blocksAlive);
}

/* Is this the one that fails? It says why, as the C library does. */
static bool allocationFails(void) {
  bool now = atomic_fetch_add(&allocationCalls, 1) + 1 == atomic_load(&failingAllocation);
  if (now)
    errno = ENOMEM;
  return now;
}

static void *countedBlock(void *memory) {
  atomic_fetch_add(&blocksAlive, memory != NULL);
  return memory;
}

void *__wrap_malloc(size_t size) {
  return allocationFails() ? NULL : countedBlock(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return allocationFails() ? NULL : countedBlock(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
  if (allocationFails())
    return NULL;
  void *result = __real_realloc(memory, size);
  atomic_fetch_add(&blocksAlive, result && !memory);
  return result;
}

char *__wrap_strdup(const char *text) {
  return allocationFails() ? NULL : countedBlock(__real_strdup(text));
}

void __wrap_free(void *memory) {
  atomic_fetch_sub(&blocksAlive, memory != NULL);
  __real_free(memory);
}

#endif
