/* Geometric multigrid over all ranks, for Poisson's equation in rectangles: V cycles with Chebyshev's sweeps, bilinear transfers and
 * Galerkin products. A coarse point is every other fine one, and stays with its rank; small grids are gathered on rank 0 and left to a
 * clMultigrid there. A cycle is symmetric: a preconditioner for conjugate gradients. */
#include "mpi/matrix.h"
#include "texla/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterSolve (mg)";
enum { LEVELS = 20, SWEEPS = 2, CLASSES = 7, LEAST = 16 };
enum { GATHERED = 128 * 128 }; /* points of a grid that is gathered */

/* Stencils by place: points within three of an edge may differ, all others are alike. Index 3 (dy + 1) + dx + 1. */
typedef struct stencils {
  double a[CLASSES][CLASSES][9];
} stencils;

typedef struct level {
  txNumbering numbering;
  stencils stencil;
  txSpread A;
  txSpread P, R; /* from the next coarser level, and to it */
  clVector *inverse, *x, *b, *r, *t;
  double weight[SWEEPS];
} level;

struct txCycle {
  clCluster *cluster;
  int levels; /* that are spread over ranks; the one after them is gathered */
  level level[LEVELS];
  clMultigrid *coarsest; /* on rank 0 */
  clVector *x, *b;       /* of it */
  float *mine, *all;     /* this rank's part of the gathered grid, and on rank 0 all parts */
  int *count, *first;    /* of the parts */
  float *ordered;        /* on rank 0: row after row */
};

static int classOf(int i, int n) {
  return i < 3 ? i : n - 1 - i < 3 ? CLASSES - 1 - (n - 1 - i) : 3;
}

/* A place of this class, for grids of at least 7. */
static int placeOf(int of_class, int n) {
  return of_class <= 3 ? of_class : n - CLASSES + of_class;
}

static const double *stencilAt(const level *l, int i, int j) {
  return l->stencil.a[classOf(j, l->numbering.ny)][classOf(i, l->numbering.nx)];
}

/* ---- Coarse stencils ------------------------------------------------------------------------------------------ */

static double weightAt(int distance) {
  return distance == 0 ? 1 : abs(distance) == 1 ? 0.5 : 0;
}

static bool inside(const txNumbering *n, int i, int j) {
  return i >= 0 && j >= 0 && i < n->nx && j < n->ny;
}

/* sum over fine points p of P(p, here) sum over q of A(p, q) P(q, there), with `there` (dx, dy) coarse points away */
static double galerkin(const level *fine, int ci, int cj, int dx, int dy) {
  int fi = 2 * ci + 1, fj = 2 * cj + 1, ti = fi + 2 * dx, tj = fj + 2 * dy;
  double sum = 0;
  for (int k = 0; k < 9; k++) {
    int pi = fi + k % 3 - 1, pj = fj + k / 3 - 1;
    if (!inside(&fine->numbering, pi, pj))
      continue;
    double left = weightAt(pi - fi) * weightAt(pj - fj);
    const double *a = stencilAt(fine, pi, pj);
    for (int m = 0; m < 9; m++) {
      int qi = pi + m % 3 - 1, qj = pj + m / 3 - 1;
      if (inside(&fine->numbering, qi, qj))
        sum += left * a[m] * weightAt(qi - ti) * weightAt(qj - tj);
    }
  }
  return sum;
}

static void coarsen(level *coarse, const level *fine) {
  for (int y = 0; y < CLASSES; y++)
    for (int x = 0; x < CLASSES; x++)
      for (int k = 0; k < 9; k++) {
        int ci = placeOf(x, coarse->numbering.nx), cj = placeOf(y, coarse->numbering.ny), dx = k % 3 - 1,
            dy = k / 3 - 1;
        bool exists = inside(&coarse->numbering, ci + dx, cj + dy);
        coarse->stencil.a[y][x][k] = exists ? galerkin(fine, ci, cj, dx, dy) : 0;
      }
}

/* ---- Rows of the matrices of a level -------------------------------------------------------------------------- */

typedef struct rowsOf {
  const level *fine, *coarse;
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
  const txNumbering *n = &r->fine->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = (int)(g % n->nx), j = (int)(g / n->nx);
  const double *a = stencilAt(r->fine, i, j);
  for (int k = 0; k < 9; k++)
    count = add(r, count, n, i + k % 3 - 1, j + k / 3 - 1, a[k]);
  return give(r, count, col, value);
}

/* A fine point takes from the coarse points at most one fine step away. */
static int64_t prolongationRow(void *user, int64_t local, const int64_t **col, const double **value) {
  rowsOf *r = user;
  const txNumbering *n = &r->fine->numbering, *c = &r->coarse->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = (int)(g % n->nx), j = (int)(g / n->nx);
  for (int cj = j / 2 - 1; cj <= j / 2; cj++)
    for (int ci = i / 2 - 1; ci <= i / 2; ci++)
      count = add(r, count, c, ci, cj, weightAt(i - 2 * ci - 1) * weightAt(j - 2 * cj - 1));
  return give(r, count, col, value);
}

/* P^T */
static int64_t restrictionRow(void *user, int64_t local, const int64_t **col, const double **value) {
  rowsOf *r = user;
  const txNumbering *n = &r->coarse->numbering;
  int64_t g = txNumberingGlobal(n, r->rank, local), count = 0;
  int i = 2 * (int)(g % n->nx) + 1, j = 2 * (int)(g / n->nx) + 1;
  for (int k = 0; k < 9; k++)
    count = add(r, count, &r->fine->numbering, i + k % 3 - 1, j + k / 3 - 1, weightAt(k % 3 - 1) * weightAt(k / 3 - 1));
  return give(r, count, col, value);
}

/* ---- Setup ---------------------------------------------------------------------------------------------------- */

/* 1 over the roots of Chebyshev's polynomial on the upper three quarters of D^-1 A's spectrum, which Gershgorin bounds. */
static void chooseWeights(level *l) {
  double most = 0;
  for (int k = 0; k < CLASSES * CLASSES; k++) {
    const double *a = l->stencil.a[k / CLASSES][k % CLASSES];
    double sum = 0;
    for (int m = 0; m < 9; m++)
      sum += fabs(a[m]);
    most = fmax(most, sum / a[4]);
  }
  double middle = most * (1 + 0.25) / 2, half = most * (1 - 0.25) / 2;
  for (int k = 0; k < SWEEPS; k++)
    l->weight[k] = 1 / (middle + half * cos(3.14159265358979323846 * (2 * k + 1) / (2 * SWEEPS)));
}

static clStatus createVectors(level *l) {
  clVector **vector[] = {&l->inverse, &l->x, &l->b, &l->r, &l->t};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 5 && !status; k++)
    status = clMatrixCreateVector(vector[k], l->A.own, TEXLA_SIDE_ROWS);
  if (!status)
    status = clMatrixDiagonal(l->t, l->A.own);
  if (!status)
    status = clVectorFill(l->r, 1);
  return status ? status : clVectorDivZ(l->inverse, l->r, l->t);
}

static bool small(const txNumbering *n) {
  bool thin = false;
  for (int p = 0; p < n->px; p++)
    thin = thin || n->x[p + 1] - n->x[p] < 4;
  for (int q = 0; q < n->py; q++)
    thin = thin || n->y[q + 1] - n->y[q] < 4;
  return thin || (int64_t)n->nx * n->ny <= GATHERED || n->nx < LEAST || n->ny < LEAST;
}

static clStatus createEnds(const level *l, level *next) {
  clStatus status = clMatrixCreateVector(&next->b, l->R.own, TEXLA_SIDE_ROWS);
  return status ? status : clMatrixCreateVector(&next->x, l->R.own, TEXLA_SIDE_ROWS);
}

/* The matrices of a level and its transfers to the next one, whose numbering and stencils are there. */
static clStatus createLevel(txCycle *c, level *l, level *next) {
  rowsOf r = {.fine = l, .coarse = next, .rank = c->cluster->rank};
  clStatus status = txSpreadCreate(&l->A, c->cluster, &l->numbering, &l->numbering, matrixRow, &r, false, false);
  if (!status)
    status = txSpreadCreate(&l->P, c->cluster, &l->numbering, &next->numbering, prolongationRow, &r, false, false);
  if (!status)
    status = txSpreadCreate(&l->R, c->cluster, &next->numbering, &l->numbering, restrictionRow, &r, false, false);
  if (!status)
    txClusterMust(c->cluster, createVectors(l));
  if (!status) /* the gathered grid has no matrix of its own; other grids make theirs */
    status = small(&next->numbering) ? createEnds(l, next) : TEXLA_OK;
  chooseWeights(l);
  return status;
}

/* The stencils of a grid as a matrix; on rank 0. */
static clStatus createCoarsest(txCycle *c, const level *l, bool varies) {
  const txNumbering *n = &l->numbering;
  clContext *context = c->cluster->context;
  clTriplets *T = NULL;
  clStatus status = clTripletsCreate(&T, n->nx * n->ny, n->nx * n->ny, 9 * (int64_t)n->nx * n->ny, &c->cluster->error);
  for (int g = 0; g < n->nx * n->ny && !status; g++) {
    int i = g % n->nx, j = g / n->nx;
    static const double five[9] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
    const double *a = varies ? stencilAt(l, i, j) : five;
    for (int k = 0; k < 9 && !status; k++)
      if (inside(n, i + k % 3 - 1, j + k / 3 - 1) && a[k] != 0)
        status = clTripletsAdd(T, g, (j + k / 3 - 1) * n->nx + i + k % 3 - 1, a[k], &c->cluster->error);
  }
  if (!status)
    status = clTripletsCompress(T, &c->cluster->error);
  if (!status)
    status = clMultigridCreate(&c->coarsest, context, T, n->nx, n->ny, NULL);
  if (!status)
    status = clVectorCreateGrid(&c->x, context, n->nx, n->ny);
  if (!status)
    status = clVectorCreateGrid(&c->b, context, n->nx, n->ny);
  if (status && !c->cluster->error.message[0])
    c->cluster->error = *clContextError(context);
  clTripletsDestroy(T);
  return status;
}

static void createParts(txCycle *c, const txNumbering *n) {
  clCluster *cluster = c->cluster;
  size_t ranks = (size_t)cluster->size, points = (size_t)n->nx * (size_t)n->ny;
  c->count = txClusterAllocate(cluster, 2 * ranks, sizeof *c->count, "multigrid");
  c->first = c->count + ranks;
  for (int r = 0, at = 0; r < cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    c->count[r] = part.nx * part.ny;
    c->first[r] = at;
    at += c->count[r];
  }
  c->mine = txClusterAllocate(cluster, (size_t)c->count[cluster->rank] + 1, sizeof *c->mine, "multigrid");
  c->all = txClusterAllocate(cluster, cluster->rank ? 0 : points, sizeof *c->all, "multigrid");
  c->ordered = txClusterAllocate(cluster, cluster->rank ? 0 : points, sizeof *c->ordered, "multigrid");
}

clStatus txCycleCreate(txCycle **out, clClusterMatrix *A) {
  clCluster *cluster = A->cluster;
  txCycle *c = txClusterAllocate(cluster, 1, sizeof *c, "multigrid");
  static const double five[9] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
  c->cluster = cluster;
  clStatus status = txNumberingCreate(&c->level[0].numbering, call, &cluster->error, A->numbering.nx, A->numbering.ny,
                                      A->numbering.px, A->numbering.py);
  for (int k = 0; k < CLASSES * CLASSES; k++)
    memcpy(c->level[0].stencil.a[k / CLASSES][k % CLASSES], five, sizeof five);
  while (!status && c->levels < LEVELS - 1 && !small(&c->level[c->levels].numbering)) {
    level *l = &c->level[c->levels], *next = l + 1;
    status = txNumberingCoarsen(&next->numbering, call, &cluster->error, &l->numbering);
    if (!status) {
      coarsen(next, l);
      status = createLevel(c, l, next);
    }
    c->levels++;
  }
  const level *last = &c->level[c->levels];
  if (!status) {
    createParts(c, &last->numbering);
    status = cluster->rank ? TEXLA_OK : createCoarsest(c, last, c->levels > 0);
  }
  status = clClusterAgree(cluster, status, &cluster->error);
  if (status)
    txCycleDestroy(c);
  else
    *out = c;
  return status;
}

void txCycleDestroy(txCycle *c) {
  if (!c)
    return;
  for (int k = 0; k < LEVELS; k++) {
    level *l = &c->level[k];
    clVector *const vector[] = {l->inverse, l->x, l->b, l->r, l->t};
    for (int v = 0; v < 5; v++)
      clVectorDestroy(vector[v]);
    txSpreadDestroy(&l->A);
    txSpreadDestroy(&l->P);
    txSpreadDestroy(&l->R);
    txNumberingDestroy(&l->numbering);
  }
  clMultigridDestroy(c->coarsest);
  clVectorDestroy(c->x);
  clVectorDestroy(c->b);
  free(c->count);
  free(c->mine);
  free(c->all);
  free(c->ordered);
  free(c);
}

/* ---- A cycle -------------------------------------------------------------------------------------------------- */

/* Rank after rank to row after row, or the other way. */
static void order(const txCycle *c, bool back) {
  const txNumbering *n = &c->level[c->levels].numbering;
  for (int r = 0; r < c->cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    for (int j = 0; j < part.ny; j++) {
      float *row = c->ordered + (size_t)(part.y + j) * (size_t)n->nx + part.x;
      float *packed = c->all + c->first[r] + (size_t)j * (size_t)part.nx;
      memcpy(back ? packed : row, back ? row : packed, (size_t)part.nx * sizeof *row);
    }
  }
}

/* x <- the coarsest grid's correction for b, by way of rank 0 */
static clStatus solveGathered(txCycle *c, clVector *x, const clVector *b) {
  clCluster *k = c->cluster;
  int own = c->count[k->rank];
  clStatus status = clVectorDownload(b, c->mine);
  double began = txTrafficBegin();
  MPI_Request request;
  MPI_Igatherv(c->mine, own, MPI_FLOAT, c->all, c->count, c->first, MPI_FLOAT, 0, k->comm, &request);
  txWaitall(k, 1, &request);
  const txNumbering *n = &c->level[c->levels].numbering;
  txTrafficEnd(k, began, k->rank ? 0 : 4 * ((int64_t)n->nx * n->ny - own));
  if (!status && k->rank == 0) {
    order(c, false);
    status = clVectorUpload(c->b, c->ordered);
    if (!status)
      status = clMultigridApply(c->coarsest, c->x, c->b);
    if (!status)
      status = clVectorDownload(c->x, c->ordered);
    order(c, true);
  }
  txClusterMust(k, status);
  began = txTrafficBegin();
  MPI_Iscatterv(c->all, c->count, c->first, MPI_FLOAT, c->mine, own, MPI_FLOAT, 0, k->comm, &request);
  txWaitall(k, 1, &request);
  txTrafficEnd(k, began, k->rank ? 4 * own : 0);
  return clVectorUpload(x, c->mine);
}

/* x <- x + weight D^-1 (b - A x), where x may be zero */
static clStatus sweep(level *l, clVector *x, const clVector *b, double weight, bool zero) {
  clStatus status = zero ? TEXLA_OK : txSpreadMultiply(&l->A, l->r, x, b);
  if (!status)
    status = clVectorMul(l->t, l->inverse, zero ? b : l->r);
  if (status)
    return status;
  return zero ? clVectorScale(x, (float)weight, NULL, l->t) : clVectorAxpy(x, (float)weight, NULL, l->t);
}

static clStatus cycle(txCycle *c, int at, clVector *x, const clVector *b) {
  if (at == c->levels)
    return solveGathered(c, x, b);
  level *l = &c->level[at], *next = l + 1;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < SWEEPS && !status; k++)
    status = sweep(l, x, b, l->weight[k], k == 0);
  if (!status)
    status = txSpreadMultiply(&l->A, l->r, x, b);
  if (!status)
    status = txSpreadMultiply(&l->R, next->b, l->r, NULL);
  if (!status)
    status = cycle(c, at + 1, next->x, next->b);
  if (!status)
    status = txSpreadMultiply(&l->P, l->t, next->x, NULL);
  if (!status)
    status = clVectorAxpy(x, 1, NULL, l->t);
  for (int k = SWEEPS - 1; k >= 0 && !status; k--)
    status = sweep(l, x, b, l->weight[k], false);
  return status;
}

/* The caller's vectors are grids, those of the levels linear. */
clStatus txCycleApply(void *data, clVector *z, const clVector *r) {
  txCycle *c = data;
  if (c->levels == 0)
    return solveGathered(c, z, r);
  level *l = &c->level[0];
  clStatus status = clVectorCopy(l->b, r);
  if (!status)
    status = cycle(c, 0, l->x, l->b);
  return status ? status : clVectorCopy(z, l->x);
}
