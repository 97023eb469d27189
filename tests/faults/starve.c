/* Preloaded, it lets one allocation of a program's own code fail, and none of the libraries that it
 * loads: TEXLA_STARVE is its number, from 1. A file TEXLA_STARVE_COUNT gets the number of those
 * that there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* of the program */
static uintptr_t begin, end;
static _Atomic long count, failing;

static int findProgram(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  begin = UINTPTR_MAX;
  for (int k = 0; k < info->dlpi_phnum; k++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[k];
    if (part->p_type != PT_LOAD)
      continue;
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    begin = from < begin ? from : begin;
    end = from + part->p_memsz > end ? from + part->p_memsz : end;
  }
  /* it is the first one */
  return 1;
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("TEXLA_STARVE");
  failing = text ? strtol(text, NULL, 10) : 0;
  dl_iterate_phdr(findProgram, NULL);
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("TEXLA_STARVE_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "%ld\n", count);
  fclose(file);
}

static bool fails(const void *caller) {
  if ((uintptr_t)caller < begin || (uintptr_t)caller >= end)
    return false;
  bool now = atomic_fetch_add(&count, 1) + 1 == failing;
  if (now)
    errno = ENOMEM;
  return now;
}

void *malloc(size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
