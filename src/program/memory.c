/* Where a software renderer's textures lie: in memory that it takes by posix_memalign, and a pass
 * that walks through several of them is as fast as that allows.
 *
 * On huge pages, because a pass goes through tiles of 64 x 64 texels, each row of them on another
 * page. And at the same place of a page all, because a load waits for an earlier store whose
 * address differs by a multiple of 4096 only: with other offsets a texel may have to wait for the
 * one beside it. glibc grants neither: it maps large blocks apart until the first of them is freed,
 * then takes them from the heap, and asks for huge pages only if the environment says so.
 *
 * So texla's programs replace posix_memalign, for themselves and the libraries that they load; free
 * takes what it returns. */
#define _GNU_SOURCE
#include "program/program.h"

#ifdef __GLIBC__
#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

__attribute__((visibility("default"))) int posix_memalign(void **out, size_t alignment,
                                                          size_t size) {
  bool power = alignment && !(alignment & (alignment - 1));
  if (!power || alignment % sizeof(void *))
    return EINVAL;
  bool large = size >= HUGE_PAGE;
  if (large && alignment < HUGE_PAGE)
    alignment = HUGE_PAGE;
  void *block = memalign(alignment, size);
  if (!block)
    return ENOMEM;
  /* where the system has none, small ones do */
  if (large)
    madvise(block, size, MADV_HUGEPAGE);
  *out = block;
  return 0;
}

/* The first is not less because renderers take scratch memory in each pass; what the second keeps
 * was kept without it. */
void txProgramPlaceMemory(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 24);
}
#else
void txProgramPlaceMemory(void) {
}
#endif
