/* Geometric multigrid over all ranks, for Poisson's equation in rectangles: bilinear transfers and
 * Galerkin products. A coarse point is every other fine one, and stays with its rank; small grids
 * are gathered on rank 0 and left to a clMultigrid there. */
#include "mpi/cycle.h"
#include "multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterSolve (mg)";
enum { CLASSES = 7, LEAST = 16 };
/* points of a grid that is gathered */
enum { GATHERED = 128 * 128 };

/* Stencils by place: points within three of an edge may differ, all others are alike. Index 3 (dy +
 * 1) + dx + 1. */
typedef struct stencils {
  double a[CLASSES][CLASSES][9];
} stencils;

/* A level's points and stencils, while levels are set up. */
typedef struct grid {
  const txNumbering *numbering;
  stencils stencil;
} grid;

static int classOf(int i, int n) {
  return i < 3 ? i : n - 1 - i < 3 ? CLASSES - 1 - (n - 1 - i) : 3;
}

/* A place of this class, for grids of at least 7. */
static int placeOf(int of_class, int n) {
  return of_class <= 3 ? of_class : n - CLASSES + of_class;
}

static const double *stencilAt(const grid *l, int i, int j) {
  return l->stencil.a[classOf(j, l->numbering->ny)][classOf(i, l->numbering->nx)];
}

/* ---- Coarse stencils ------------------------------------------------------------------------- */

static double weightAt(int distance) {
  return distance == 0 ? 1 : abs(distance) == 1 ? 0.5 : 0;
}

static bool inside(const txNumbering *n, int i, int j) {
  return i >= 0 && j >= 0 && i < n->nx && j < n->ny;
}

/* sum over fine points p of P(p, here) sum over q of A(p, q) P(q, there), with `there` (dx, dy)
 * coarse points away */
static double galerkin(const grid *fine, int ci, int cj, int dx, int dy) {
  int fi = 2 * ci + 1, fj = 2 * cj + 1, ti = fi + 2 * dx, tj = fj + 2 * dy;
  double sum = 0;
  for (int k = 0; k < 9; k++) {
    int pi = fi + k % 3 - 1, pj = fj + k / 3 - 1;
    if (!inside(fine->numbering, pi, pj))
      continue;
    double left = weightAt(pi - fi) * weightAt(pj - fj);
    const double *a = stencilAt(fine, pi, pj);
    for (int m = 0; m < 9; m++) {
      int qi = pi + m % 3 - 1, qj = pj + m / 3 - 1;
      if (inside(fine->numbering, qi, qj))
        sum += left * a[m] * weightAt(qi - ti) * weightAt(qj - tj);
    }
  }
  return sum;
}

static void coarsen(grid *coarse, const grid *fine) {
  for (int y = 0; y < CLASSES; y++)
    for (int x = 0; x < CLASSES; x++)
      for (int k = 0; k < 9; k++) {
        int ci = placeOf(x, coarse->numbering->nx), cj = placeOf(y, coarse->numbering->ny),
            dx = k % 3 - 1, dy = k / 3 - 1;
        bool exists = inside(coarse->numbering, ci + dx, cj + dy);
        coarse->stencil.a[y][x][k] = exists ? galerkin(fine, ci, cj, dx, dy) : 0;
      }
}

/* ---- Rows of the matrices of a level --------------------------------------------------------- */

typedef struct rowsOf {
  const grid *fine, *coarse;
  int rank;
  int64_t col[9];
  double value[9];
} rowsOf;

static int64_t give(rowsOf *r, int64_t count, const int64_t **col, const double **value) {
  *col = r->col;
  *value = r->value;
  return count;
}

static int64_t add(rowsOf *r, int64_t count, const txNumbering *n, int i, int j, double value) {
  if (!inside(n, i, j) || value == 0)
    return count;
  r->col[count] = (int64_t)j * n->nx + i;
  r->value[count] = value;
  return count + 1;
}

static int64_t matrixRow(void *user, int64_t local, const int64_t **col, const double **value) {
  rowsOf *r = user;
  const txNumbering *n = r->fine->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = (int)(g % n->nx), j = (int)(g / n->nx);
  const double *a = stencilAt(r->fine, i, j);
  for (int k = 0; k < 9; k++)
    count = add(r, count, n, i + k % 3 - 1, j + k / 3 - 1, a[k]);
  return give(r, count, col, value);
}

/* A fine point takes from the coarse points at most one fine step away. */
static int64_t prolongationRow(void *user, int64_t local, const int64_t **col,
                               const double **value) {
  rowsOf *r = user;
  const txNumbering *n = r->fine->numbering, *c = r->coarse->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = (int)(g % n->nx), j = (int)(g / n->nx);
  for (int cj = j / 2 - 1; cj <= j / 2; cj++)
    for (int ci = i / 2 - 1; ci <= i / 2; ci++)
      count = add(r, count, c, ci, cj, weightAt(i - 2 * ci - 1) * weightAt(j - 2 * cj - 1));
  return give(r, count, col, value);
}

/* P^T */
static int64_t restrictionRow(void *user, int64_t local, const int64_t **col,
                              const double **value) {
  rowsOf *r = user;
  const txNumbering *n = r->coarse->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = 2 * (int)(g % n->nx) + 1, j = 2 * (int)(g / n->nx) + 1;
  for (int k = 0; k < 9; k++)
    count = add(r, count, r->fine->numbering, i + k % 3 - 1, j + k / 3 - 1,
                weightAt(k % 3 - 1) * weightAt(k / 3 - 1));
  return give(r, count, col, value);
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* What Gershgorin says of D^-1 A's spectrum. */
static double bound(const grid *l) {
  double most = 0;
  for (int k = 0; k < CLASSES * CLASSES; k++) {
    const double *a = l->stencil.a[k / CLASSES][k % CLASSES];
    double sum = 0;
    for (int m = 0; m < 9; m++)
      sum += fabs(a[m]);
    most = fmax(most, sum / a[4]);
  }
  return most;
}

static bool small(const txNumbering *n) {
  bool thin = false;
  for (int p = 0; p < n->px; p++)
    thin = thin || n->x[p + 1] - n->x[p] < 4;
  for (int q = 0; q < n->py; q++)
    thin = thin || n->y[q + 1] - n->y[q] < 4;
  return thin || (int64_t)n->nx * n->ny <= GATHERED || n->nx < LEAST || n->ny < LEAST;
}

/* The matrices of a level and its transfers to the next one, whose numbering and stencils are
 * there. */
static clStatus createLevel(txSpreadCycle *c, txSpreadLevel *l, txSpreadLevel *next,
                            const grid *fine, const grid *coarse) {
  rowsOf r = {.fine = fine, .coarse = coarse, .rank = c->cluster->rank};
  clStatus status = txSpreadCreate(&l->own, c->cluster, &l->numbering, &l->numbering, matrixRow, &r,
                                   TX_SPREAD_LINEAR);
  if (!status)
    status = txSpreadCreate(&l->P, c->cluster, &l->numbering, &next->numbering, prolongationRow, &r,
                            TX_SPREAD_LINEAR);
  if (!status)
    status = txSpreadCreate(&l->R, c->cluster, &next->numbering, &l->numbering, restrictionRow, &r,
                            TX_SPREAD_LINEAR);
  l->A = &l->own;
  if (!status)
    txClusterMust(c->cluster, txSpreadLevelFinish(l, bound(fine)));
  return status ? status : txSpreadLevelEnds(l, next);
}

/* The stencils of a grid as a matrix; on rank 0. */
static clStatus createCoarsest(txSpreadCycle *c, const grid *l, bool varies) {
  const txNumbering *n = l->numbering;
  clContext *context = c->cluster->context;
  clTriplets *T = NULL;
  clMultigrid *multigrid = NULL;
  clStatus status = clTripletsCreate(&T, n->nx * n->ny, n->nx * n->ny, 9 * (int64_t)n->nx * n->ny,
                                     &c->cluster->error);
  for (int g = 0; g < n->nx * n->ny && !status; g++) {
    int i = g % n->nx, j = g / n->nx;
    static const double five[9] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
    const double *a = varies ? stencilAt(l, i, j) : five;
    for (int k = 0; k < 9 && !status; k++)
      if (inside(n, i + k % 3 - 1, j + k / 3 - 1) && a[k] != 0)
        status =
            clTripletsAdd(T, g, (j + k / 3 - 1) * n->nx + i + k % 3 - 1, a[k], &c->cluster->error);
  }
  if (!status)
    status = clTripletsCompress(T, &c->cluster->error);
  if (!status)
    status = clMultigridCreate(&multigrid, context, T, n->nx, n->ny, NULL);
  if (!status)
    c->coarsest = txMultigridPreconditioner(multigrid);
  if (!status)
    status = clVectorCreateGrid(&c->x, context, n->nx, n->ny);
  if (!status)
    status = clVectorCreateGrid(&c->b, context, n->nx, n->ny);
  if (status && !c->cluster->error.message[0])
    c->cluster->error = *clContextError(context);
  clTripletsDestroy(T);
  return status;
}

/* All levels, from the finest on. */
static clStatus createLevels(txSpreadCycle *c, grid *fine, grid *coarse) {
  clCluster *cluster = c->cluster;
  clStatus status = TEXLA_OK;
  while (!status && c->levels < TX_SPREAD_LEVELS - 1 && !small(&c->level[c->levels].numbering)) {
    txSpreadLevel *l = &c->level[c->levels++], *next = l + 1;
    fine->numbering = &l->numbering;
    coarse->numbering = &next->numbering;
    status = txNumberingCoarsen(&next->numbering, call, &cluster->error, &l->numbering);
    if (!status) {
      coarsen(coarse, fine);
      status = createLevel(c, l, next, fine, coarse);
    }
    fine->stencil = coarse->stencil;
  }
  if (status)
    return status;
  txSpreadCycleParts(c);
  fine->numbering = &c->level[c->levels].numbering;
  return cluster->rank ? TEXLA_OK : createCoarsest(c, fine, c->levels > 0);
}

clStatus txGridCycleCreate(txSpreadCycle **out, clClusterMatrix *A) {
  clCluster *cluster = A->cluster;
  txSpreadCycle *c = txClusterAllocate(cluster, 1, sizeof *c, "multigrid");
  grid *fine = txClusterAllocate(cluster, 2, sizeof *fine, "multigrid");
  static const double five[9] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
  c->cluster = cluster;
  clStatus status =
      txNumberingCreate(&c->level[0].numbering, call, &cluster->error, A->numbering.nx,
                        A->numbering.ny, A->numbering.px, A->numbering.py);
  for (int k = 0; k < CLASSES * CLASSES; k++)
    memcpy(fine->stencil.a[k / CLASSES][k % CLASSES], five, sizeof five);
  if (!status)
    status = createLevels(c, fine, fine + 1);
  free(fine);
  status = clClusterAgree(cluster, status, &cluster->error);
  if (status)
    txSpreadCycleDestroy(c);
  else
    *out = c;
  return status;
}
