/* Which storage a matrix gets when nobody asked for one. */
#include "objects/matrix.h"

#include <stdio.h>

clStorage txStorageChoose(const clTriplets *T, const clMatrixOptions *options, char *why, size_t n) {
  (void)T, (void)options;
  snprintf(why, n, "the general one");
  return TEXLA_STORAGE_CSR;
}
