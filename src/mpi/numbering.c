/* A grid of points in rectangular parts, and the numbers of its points: row by row over the whole
 * grid, and row by row within a part. */
#include "core/try.h"
#include "mpi/numbering.h"

#include <stdlib.h>

static clStatus allocate(txNumbering *n, const char *call, clError *error) {
  n->x = txAllocate(error, call, (size_t)(n->px + n->py) + 2, sizeof *n->x, "the parts of a grid");
  if (!n->x)
    return TEXLA_OUT_OF_MEMORY;
  n->y = n->x + n->px + 1;
  return TEXLA_OK;
}

/* Parts of sizes as equal as can be. */
clStatus txNumberingCreate(txNumbering *out, const char *call, clError *error, int nx, int ny,
                           int px, int py) {
  *out = (txNumbering){nx, ny, px, py, NULL, NULL};
  TRY(allocate(out, call, error));
  for (int p = 0; p <= px; p++)
    out->x[p] = (int)((int64_t)nx * p / px);
  for (int q = 0; q <= py; q++)
    out->y[q] = (int)((int64_t)ny * q / py);
  return TEXLA_OK;
}

/* Every other point, each with the rank that has it on the fine grid. */
clStatus txNumberingCoarsen(txNumbering *out, const char *call, clError *error,
                            const txNumbering *fine) {
  *out = (txNumbering){fine->nx / 2, fine->ny / 2, fine->px, fine->py, NULL, NULL};
  TRY(allocate(out, call, error));
  for (int p = 0; p <= out->px; p++)
    out->x[p] = fine->x[p] / 2;
  for (int q = 0; q <= out->py; q++)
    out->y[q] = fine->y[q] / 2;
  return TEXLA_OK;
}

void txNumberingDestroy(txNumbering *n) {
  free(n->x);
  *n = (txNumbering){0};
}

/* Ranks that are left over have empty parts. */
txRectangle txNumberingPart(const txNumbering *n, int rank) {
  int p = rank % n->px, q = rank / n->px;
  if (q >= n->py)
    return (txRectangle){0};
  return (txRectangle){n->x[p], n->y[q], n->x[p + 1] - n->x[p], n->y[q + 1] - n->y[q]};
}

/* The last part that does not begin behind `at`. */
static int partOf(const int *first, int count, int at) {
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (first[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

int txNumberingOwner(const txNumbering *n, int64_t global) {
  return partOf(n->y, n->py, (int)(global / n->nx)) * n->px +
         partOf(n->x, n->px, (int)(global % n->nx));
}

int64_t txNumberingLocal(const txNumbering *n, int64_t global) {
  txRectangle r = txNumberingPart(n, txNumberingOwner(n, global));
  return (global / n->nx - r.y) * r.nx + global % n->nx - r.x;
}

int64_t txNumberingGlobal(const txNumbering *n, int rank, int64_t local) {
  txRectangle r = txNumberingPart(n, rank);
  return (r.y + local / r.nx) * n->nx + r.x + local % r.nx;
}
