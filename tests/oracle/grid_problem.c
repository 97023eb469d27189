#include "oracle/grid_problem.h"

#include <math.h>
#include <stdlib.h>

const char *gridKindName(gridKind kind) {
  static const char *const names[GRID_KINDS] = {
      "Dirichlet",          "Neumann", "periodic", "mixed", "jumps", "nine-point", "anisotropic across x",
      "anisotropic along y"};
  return names[kind];
}

/* Discs of high conductivity. */
static double conductivity(int i, int j) {
  double x = i % 61 - 30, y = j % 47 - 23;
  return x * x + y * y < 200 ? 1000 : 1;
}

static void add(clTriplets *A, int32_t i, int32_t j, double value) {
  if (clTripletsAdd(A, i, j, value, NULL))
    abort();
}

static void addNinePoint(clTriplets *A, const gridProblem *p, int i, int j) {
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (i + dx >= 0 && i + dx < p->nx && j + dy >= 0 && j + dy < p->ny)
        add(A, j * p->nx + i, (j + dy) * p->nx + i + dx, dx || dy ? -1 : 8);
}

static bool wraps(const gridProblem *p, int dx) {
  return p->kind == GRID_PERIODIC || (p->kind == GRID_MIXED && dx);
}

static bool isolated(const gridProblem *p, int dy) {
  return p->kind == GRID_NEUMANN || (p->kind == GRID_MIXED && dy < 0);
}

/* -div(c grad u): what flows to the neighbour at (dx, dy). */
static void addFlux(clTriplets *A, const gridProblem *p, int i, int j, int dx, int dy) {
  double eps = p->eps > 0 ? p->eps : 0.01, c = 1;
  int x = i + dx, y = j + dy, row = j * p->nx + i;
  if ((p->kind == GRID_ACROSS && dy) || (p->kind == GRID_ALONG && dx))
    c = eps;
  if (p->kind == GRID_JUMPS)
    c = 2 / (1 / conductivity(i, j) + 1 / conductivity(x, y));
  bool inside = x >= 0 && x < p->nx && y >= 0 && y < p->ny;
  if (!inside && wraps(p, dx))
    x = (x + p->nx) % p->nx, y = (y + p->ny) % p->ny;
  else if (!inside && isolated(p, dy))
    return;
  if ((inside || wraps(p, dx)) && (x != i || y != j))
    add(A, row, y * p->nx + x, -c);
  if (!(inside || wraps(p, dx)) || x != i || y != j)
    add(A, row, row, c);
}

clTriplets *gridProblemMatrix(const gridProblem *p) {
  clTriplets *A = NULL;
  if (clTripletsCreate(&A, p->nx * p->ny, p->nx * p->ny, 9 * (int64_t)p->nx * p->ny, NULL))
    abort();
  for (int j = 0; j < p->ny; j++)
    for (int i = 0; i < p->nx; i++) {
      if (p->kind == GRID_NINE) {
        addNinePoint(A, p, i, j);
        continue;
      }
      addFlux(A, p, i, j, -1, 0);
      addFlux(A, p, i, j, 1, 0);
      addFlux(A, p, i, j, 0, -1);
      addFlux(A, p, i, j, 0, 1);
    }
  if (clTripletsCompress(A, NULL))
    abort();
  return A;
}
