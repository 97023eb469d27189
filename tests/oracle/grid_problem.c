#include "oracle/grid_problem.h"

#include <math.h>
#include <stdlib.h>

const char *gridKindName(gridKind kind) {
  static const char *const names[] = {"Dirichlet",
                                      "Neumann",
                                      "periodic",
                                      "mixed",
                                      "jumps",
                                      "nine-point",
                                      "anisotropic across x",
                                      "anisotropic along y",
                                      "patches",
                                      "bending",
                                      "whirl",
                                      "stretched"};
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

/* Bilinear elements for the conductivity R diag(1, eps) R^T along circles around the middle: with
 * s, t = 0 or 1 for a corner's side, the integrals of phi_x phi_x, phi_y phi_y and phi_x phi_y over
 * a unit square are +-(1/3 or 1/6), the same, and +-1/4. */
static void addElement(clTriplets *A, const gridProblem *p, int i, int j) {
  double eps = p->eps > 0 ? p->eps : 0.01, x = i + 0.5 - 0.5 * p->nx, y = j + 0.5 - 0.5 * p->ny,
         r2 = x * x + y * y;
  double tx = -y / sqrt(r2 + 1e-9), ty = x / sqrt(r2 + 1e-9);
  double kxx = eps + (1 - eps) * tx * tx, kyy = eps + (1 - eps) * ty * ty,
         kxy = (1 - eps) * tx * ty;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      int ia = i + (a & 1), ja = j + (a >> 1), ib = i + (b & 1), jb = j + (b >> 1);
      if (ia < 0 || ia >= p->nx || ja < 0 || ja >= p->ny || ib < 0 || ib >= p->nx || jb < 0 ||
          jb >= p->ny)
        continue;
      /* -1 or 1: the corners' places along x and y */
      int ax = 2 * (a & 1) - 1, ay = 2 * (a >> 1) - 1, bx = 2 * (b & 1) - 1, by = 2 * (b >> 1) - 1;
      double dx = ax * bx * (3 + ay * by) / 12.0, dy = ay * by * (3 + ax * bx) / 12.0;
      double xy = ax * by * 0.25, yx = ay * bx * 0.25;
      add(A, ja * p->nx + ia, jb * p->nx + ib, kxx * dx + kyy * dy + kxy * (xy + yx));
    }
}

/* The width of cell i of n, from about eps^(1/2) at both ends to 1 in the middle. */
static double widthOf(const gridProblem *p, int i, int n) {
  double eps = p->eps > 0 ? p->eps : 0.01, t = (i + 0.5) / n;
  t = fmin(fmax(fmin(t, 1 - t) * 2, 0), 1);
  return pow(eps, 0.5 * (1 - t));
}

/* What flows to the neighbour at (dx, dy) where the direction changes. */
static double turning(const gridProblem *p, int i, int j, int dx) {
  double eps = p->eps > 0 ? p->eps : 0.01;
  if (p->kind == GRID_PATCHES)
    return ((4 * i / p->nx + 4 * j / p->ny) & 1) == (dx != 0) ? 1 : eps;
  if (p->kind == GRID_BENDING)
    return pow(eps, dx ? (double)j / p->ny : 1 - (double)j / p->ny);
  double wx = widthOf(p, i, p->nx), wy = widthOf(p, j, p->ny);
  return dx ? wy / wx : wx / wy;
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
  /* harmonic means, so that A is symmetric */
  if (p->kind >= GRID_KINDS) {
    bool there = x >= 0 && x < p->nx && y >= 0 && y < p->ny;
    c = turning(p, i, j, dx);
    c = there ? 2 / (1 / c + 1 / turning(p, x, y, dx)) : c;
  }
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
      if (p->kind == GRID_WHIRL)
        continue;
      addFlux(A, p, i, j, -1, 0);
      addFlux(A, p, i, j, 1, 0);
      addFlux(A, p, i, j, 0, -1);
      addFlux(A, p, i, j, 0, 1);
    }
  for (int j = -1; j < p->ny && p->kind == GRID_WHIRL; j++)
    for (int i = -1; i < p->nx; i++)
      addElement(A, p, i, j);
  if (clTripletsCompress(A, NULL))
    abort();
  return A;
}
