/* ESRI grids: what is read can be written and read again. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "texla/terrain.h"

const char *fuzzSeed(int k, size_t *size) {
  static const char *const seeds[] = {
      "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1.5\nNODATA_value -9999\n1 2 3\n4 "
      "-9999 6\n",
      "NCOLS 1\nNROWS 1\nXLLCENTER 5\nYLLCENTER -5e3\nCELLSIZE 30\n7\n", NULL};
  (void)size;
  return seeds[k];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  clTerrain terrain = {0};
  clError error = {0};
  clStatus status = clTerrainRead(&terrain, fuzzFile(data, size), &error);
  fuzzAssert(status == TEXLA_OK ? terrain.height != NULL : error.message[0] && !terrain.height);
  clTerrainFree(&terrain);
  return 0;
}
