/* Where the diagonals lie: what all kernels of the storage banded ask. */
#include "matrix/banded.h"

const char *const txDiagonalName[TX_DIAGONAL_NAMES] = {
    "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12", "d13"};

/* In the linear layout a distance k is a number of whole rows and of texels in a row; the rest is a
 * lane. */
txShift txBandedShift(const txDiagonal *d, bool transposed, const txLayout *layout) {
  int64_t dx = d->dx, dy = d->dy;
  if (transposed) {
    dx = -dx;
    dy = -dy;
  }
  int64_t q = dx >> 2, width = layout->row / 4;
  txShift s = {q, dy, (int)(dx & 3)};
  if (!layout->grid) {
    s.qy = q / width - (q % width < 0);
    s.qx = q - s.qy * width;
  }
  return s;
}
