/* Geometric multigrid over all ranks, for Poisson's equation in rectangles: bilinear transfers and
 * Galerkin products. A coarse point is every other fine one, and stays with its rank; small grids
 * are gathered on rank 0 and left to a clMultigrid there. */
#include "core/try.h"
#include "gl/traits.h"
#include "mpi/cycle.h"
#include "multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterSolve (mg)";
/* Grids of so few points are gathered. */
enum { GATHERED = 128 * 128 };
/* Points along an edge whose stencils may differ from those inside, and so how many kinds of points
 * there are along an axis; grids have at least so many points along it. */
enum { EDGE = 3, CLASSES = 2 * EDGE + 1, LEAST = 16 };

/* A level's points and its stencils, by the classes of a point's column and row; coefficient
 * 3 (dy + 1) + dx + 1 is that of the neighbour at (dx, dy). */
typedef struct grid {
  const txNumbering *numbering;
  double a[CLASSES][CLASSES][TX_STENCIL];
} grid;

static int classOf(int i, int n) {
  int behind = n - 1 - i;
  if (i < EDGE)
    return i;
  if (behind < EDGE)
    return CLASSES - 1 - behind;
  return EDGE;
}

/* A place of this class, for grids of at least CLASSES points. */
static int placeOf(int of_class, int n) {
  if (of_class <= EDGE)
    return of_class;
  return n - CLASSES + of_class;
}

static const double *stencilAt(const grid *l, int i, int j) {
  return l->a[classOf(j, l->numbering->ny)][classOf(i, l->numbering->nx)];
}

/* ---- Coarse stencils ------------------------------------------------------------------------- */

/* Bilinear: of a fine point so far from a coarse one along an axis. */
static double weightAt(int distance) {
  if (distance == 0)
    return 1;
  if (abs(distance) == 1)
    return 0.5;
  return 0;
}

static bool inside(const txNumbering *n, int i, int j) {
  return i >= 0 && j >= 0 && i < n->nx && j < n->ny;
}

/* sum over fine points p of P(p, here) sum over q of A(p, q) P(q, there), with `there` (dx, dy)
 * coarse points away */
static double galerkin(const grid *fine, int ci, int cj, int dx, int dy) {
  int fi = 2 * ci + 1, fj = 2 * cj + 1, ti = fi + 2 * dx, tj = fj + 2 * dy;
  double sum = 0;
  for (int k = 0; k < TX_STENCIL; k++) {
    int pi = fi + k % 3 - 1, pj = fj + k / 3 - 1;
    if (!inside(fine->numbering, pi, pj))
      continue;
    double left = weightAt(pi - fi) * weightAt(pj - fj);
    const double *a = stencilAt(fine, pi, pj);
    for (int m = 0; m < TX_STENCIL; m++) {
      int qi = pi + m % 3 - 1, qj = pj + m / 3 - 1;
      if (inside(fine->numbering, qi, qj))
        sum += left * a[m] * weightAt(qi - ti) * weightAt(qj - tj);
    }
  }
  return sum;
}

/* The stencil of the coarse point (i, j). */
static void coarsenAt(double a[TX_STENCIL], const grid *coarse, const grid *fine, int i, int j) {
  for (int k = 0; k < TX_STENCIL; k++) {
    int dx = k % 3 - 1, dy = k / 3 - 1;
    a[k] = 0;
    if (inside(coarse->numbering, i + dx, j + dy))
      a[k] = galerkin(fine, i, j, dx, dy);
  }
}

/* One point stands for all of its class. */
static void coarsen(grid *coarse, const grid *fine) {
  for (int y = 0; y < CLASSES; y++)
    for (int x = 0; x < CLASSES; x++)
      coarsenAt(coarse->a[y][x], coarse, fine, placeOf(x, coarse->numbering->nx),
                placeOf(y, coarse->numbering->ny));
}

/* ---- Rows of a level's operators, as the rims between ranks ask for them --------------------- */

typedef struct rowsOf {
  const grid *fine, *coarse;
  int rank;
  int64_t col[TX_STENCIL];
  double value[TX_STENCIL];
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
  for (int k = 0; k < TX_STENCIL; k++)
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
  for (int k = 0; k < TX_STENCIL; k++)
    count = add(r, count, r->fine->numbering, i + k % 3 - 1, j + k / 3 - 1,
                weightAt(k % 3 - 1) * weightAt(k / 3 - 1));
  return give(r, count, col, value);
}

/* ---- What a rank has of a level -------------------------------------------------------------- */

/* The coefficients of a point of `part`, where others count as zeros. */
static void fillPoint(float a[TX_STENCIL], const grid *l, txRectangle part, int i, int j) {
  const double *of_class = stencilAt(l, part.x + i, part.y + j);
  for (int k = 0; k < TX_STENCIL; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1;
    a[k] = 0;
    if (x >= 0 && y >= 0 && x < part.nx && y < part.ny)
      a[k] = (float)of_class[k];
  }
}

/* *out <- the stencils of a rectangle. Its own classes are at least as fine as those of the grid,
 * so that hardly any point is looked at. */
static clStatus createStencil(txStencil **out, const grid *l, txRectangle part, clError *error) {
  static const bool bounded[2] = {false, false};
  txStencil *s = txStencilMake(part.nx, part.ny, bounded, true, call, error);
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    float *a = s->a + TX_STENCIL * p;
    int i, j;
    if (!txStencilPlace(s, p, &i, &j))
      continue;
    fillPoint(a, l, part, i, j);
    s->nine |= txStencilHasCorner(a);
  }
  *out = s;
  return TEXLA_OK;
}

/* Coarse points are those with odd numbers on the whole grid. */
static clStatus addTransfer(txStencil *s, txRectangle part, clError *error) {
  s->coarsening[0] = (txAxisCoarsening){2, part.x % 2 == 0};
  s->coarsening[1] = (txAxisCoarsening){2, part.y % 2 == 0};
  return txStencilInterpolate(s, TX_INTERPOLATE_BILINEAR, call, error);
}

/* The passes of a rank's rectangle; the last level is only a target of transfers. */
static clStatus createGrid(txGrid **out, clCluster *c, const grid *l, txRectangle part, bool last) {
  txStencil *s = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createStencil(&s, l, part, txContextError(c->context)));
  if (!last)
    TRY_CLEANUP(addTransfer(s, part, txContextError(c->context)));
  TRY_CLEANUP(txGridCreate(out, c->context, s, call));
cleanup:
  txStencilDestroy(s);
  return status;
}

/* Vectors of a level; those of ranks without points have one element, which stays zero. */
static clStatus createVectors(txSpreadLevel *l, clCluster *c, txRectangle part) {
  clVector **vector[] = {&l->x, &l->b, &l->r};
  for (int k = 0; k < 3; k++)
    TRY(clVectorCreateGrid(vector[k], c->context, txMost(part.nx, 1), txMost(part.ny, 1)));
  return TEXLA_OK;
}

static clStatus createPart(txSpreadLevel *l, clCluster *c, const grid *stencils, bool last) {
  txRectangle part = txNumberingPart(&l->numbering, c->rank);
  clStatus status = createVectors(l, c, part);
  if (status == TEXLA_OK && part.nx * part.ny > 0)
    status = createGrid(&l->stencils.grid, c, stencils, part, last);
  if (status)
    c->error = *clContextError(c->context);
  return status;
}

/* ---- Rims between ranks ---------------------------------------------------------------------- */

/* The entries of A at rims, and the same weighted with D^-1: on the left, and on both sides. */
static clStatus uploadNeighbours(txHalo *h, const grid *l, txGhosts *g, const txLayout *layout) {
  const txNumbering *n = l->numbering;
  TRY(txHaloValuesUpload(h, TX_HALO_PLAIN, n, g->entry, g->count, layout));
  for (int64_t k = 0; k < g->count; k++) {
    int64_t row = txNumberingGlobal(n, h->cluster->rank, g->entry[k].row);
    g->entry[k].value /= stencilAt(l, (int)(row % n->nx), (int)(row / n->nx))[TX_CENTRE];
  }
  TRY(txHaloValuesUpload(h, TX_HALO_SCALED, n, g->entry, g->count, layout));
  for (int64_t k = 0; k < g->count; k++) {
    int64_t col = g->entry[k].col;
    g->entry[k].value /= stencilAt(l, (int)(col % n->nx), (int)(col / n->nx))[TX_CENTRE];
  }
  return txHaloValuesUpload(h, TX_HALO_STARTED, n, g->entry, g->count, layout);
}

/* What rims of a level's operators need of other ranks: A, R and P. */
typedef struct rims {
  txGhosts a, restriction, prolongation;
} rims;

static clStatus listRims(rims *g, rowsOf *r, clCluster *c) {
  const txNumbering *n = r->fine->numbering, *m = r->coarse->numbering;
  TRY(txGhostsOfRim(&g->a, c, n, n, matrixRow, r));
  TRY(txGhostsOfRim(&g->restriction, c, m, n, restrictionRow, r));
  return txGhostsOfRim(&g->prolongation, c, n, m, prolongationRow, r);
}

/* All ranks tell each other what they need. Collective. */
static clStatus findHalos(txSpreadGrid *g, const rims *need, const rowsOf *r, clCluster *c) {
  const txNumbering *n = r->fine->numbering, *m = r->coarse->numbering;
  TRY(txHaloFind(&g->neighbours, c, n, need->a.entry, need->a.count));
  TRY(txHaloFind(&g->fine, c, n, need->restriction.entry, need->restriction.count));
  return txHaloFind(&g->coarse, c, m, need->prolongation.entry, need->prolongation.count);
}

static clStatus uploadHalos(txSpreadLevel *l, const txSpreadLevel *next, rims *need,
                            const rowsOf *r) {
  const txNumbering *n = r->fine->numbering, *m = r->coarse->numbering;
  const txLayout *layout = &l->x->layout, *coarser = &next->x->layout;
  txSpreadGrid *g = &l->stencils;
  TRY(txHaloUpload(&g->neighbours, layout));
  TRY(uploadNeighbours(&g->neighbours, r->fine, &need->a, layout));
  TRY(txHaloUpload(&g->fine, layout));
  TRY(txHaloValuesUpload(&g->fine, TX_HALO_PLAIN, n, need->restriction.entry,
                         need->restriction.count, coarser));
  TRY(txHaloUpload(&g->coarse, coarser));
  return txHaloValuesUpload(&g->coarse, TX_HALO_PLAIN, m, need->prolongation.entry,
                            need->prolongation.count, layout);
}

/* What a level exchanges with other ranks: for A, for R, for P. Collective. */
static clStatus createHalos(txSpreadLevel *l, const txSpreadLevel *next, clCluster *c,
                            const grid *fine, const grid *coarse) {
  rowsOf r = {.fine = fine, .coarse = coarse, .rank = c->rank};
  rims need = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, listRims(&need, &r, c), &c->error));
  TRY_CLEANUP(findHalos(&l->stencils, &need, &r, c));
  TRY_CLEANUP(clClusterAgree(c, uploadHalos(l, next, &need, &r), txContextError(c->context)));
cleanup:
  free(need.a.entry);
  free(need.restriction.entry);
  free(need.prolongation.entry);
  return status;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* What Gershgorin says of D^-1 A's spectrum. */
static double bound(const grid *l) {
  double most = 0;
  for (int k = 0; k < CLASSES * CLASSES; k++) {
    const double *a = l->a[k / CLASSES][k % CLASSES];
    double sum = 0;
    for (int m = 0; m < TX_STENCIL; m++)
      sum += fabs(a[m]);
    most = fmax(most, sum / a[TX_CENTRE]);
  }
  return most;
}

/* Is a part of some rank thinner than its rims, or the grid as small as to be gathered? */
static bool isSmall(const txNumbering *n) {
  bool thin = false;
  for (int p = 0; p < n->px; p++)
    thin = thin || n->x[p + 1] - n->x[p] < 4;
  for (int q = 0; q < n->py; q++)
    thin = thin || n->y[q + 1] - n->y[q] < 4;
  return thin || (int64_t)n->nx * n->ny <= GATHERED || n->nx < LEAST || n->ny < LEAST;
}

/* On rank 0 a multigrid for the whole of the last level. */
static clStatus createCoarsest(txSpreadCycle *c, const grid *l) {
  const txNumbering *n = l->numbering;
  clContext *context = c->cluster->context;
  txStencil *s = NULL;
  clMultigrid *multigrid = NULL;
  TRY(createStencil(&s, l, (txRectangle){0, 0, n->nx, n->ny}, txContextError(context)));
  clMultigridOptions options = {.host_points = txContextTraits(context)->points_on_host};
  TRY(txMultigridCreateOf(&multigrid, context, s, &options));
  c->coarsest = txMultigridPreconditioner(multigrid);
  TRY(clVectorCreateGrid(&c->x, context, n->nx, n->ny));
  return clVectorCreateGrid(&c->b, context, n->nx, n->ny);
}

/* The numberings and stencils of all levels, from the finest on, which grid[0] has. */
static clStatus listLevels(txSpreadCycle *c, grid *grids) {
  while (c->levels < TX_SPREAD_LEVELS - 1 && !isSmall(&c->level[c->levels].numbering)) {
    txSpreadLevel *l = &c->level[c->levels], *next = l + 1;
    grid *fine = &grids[c->levels];
    TRY(txNumberingCoarsen(&next->numbering, call, &c->cluster->error, &l->numbering));
    fine[1].numbering = &next->numbering;
    coarsen(&fine[1], fine);
    txSpreadWeights(l, bound(fine));
    c->levels++;
  }
  return TEXLA_OK;
}

/* All that this rank makes by itself. */
static clStatus createParts(txSpreadCycle *c, const clClusterMatrix *A, grid *grids) {
  static const double five[TX_STENCIL] = {0, -1, 0, -1, 4, -1, 0, -1, 0};
  clCluster *cluster = c->cluster;
  const txNumbering *n = &A->numbering;
  TRY(txNumberingCreate(&c->level[0].numbering, call, &cluster->error, n->nx, n->ny, n->px, n->py));
  grids->numbering = &c->level[0].numbering;
  for (int k = 0; k < CLASSES * CLASSES; k++)
    memcpy(grids->a[k / CLASSES][k % CLASSES], five, sizeof five);
  TRY(listLevels(c, grids));
  for (int k = 0; k <= c->levels; k++)
    TRY(createPart(&c->level[k], cluster, &grids[k], k == c->levels));
  if (cluster->rank)
    return TEXLA_OK;
  clStatus status = createCoarsest(c, &grids[c->levels]);
  if (status)
    cluster->error = *clContextError(cluster->context);
  return status;
}

/* What ranks make together, of levels whose parts are there. */
static clStatus createLevels(txSpreadCycle *c, clClusterMatrix *A, grid *grids) {
  clCluster *cluster = c->cluster;
  TRY(clClusterAgree(cluster, createParts(c, A, grids), &cluster->error));
  for (int k = 0; k < c->levels; k++)
    TRY(createHalos(&c->level[k], &c->level[k + 1], cluster, &grids[k], &grids[k + 1]));
  return clClusterAgree(cluster, txSpreadCycleParts(c, &txGridLevel), &cluster->error);
}

clStatus txGridCycleCreate(txSpreadCycle **out, clClusterMatrix *A) {
  clCluster *cluster = A->cluster;
  txSpreadCycle *c = txClusterReserve(cluster, call, 1, sizeof *c, "multigrid");
  if (!c)
    return TEXLA_OUT_OF_MEMORY;
  c->cluster = cluster;
  grid *grids = txClusterReserve(cluster, call, TX_SPREAD_LEVELS, sizeof *grids, "multigrid");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (grids)
    status = createLevels(c, A, grids);
  free(grids);
  if (status)
    txSpreadCycleDestroy(c);
  else
    *out = c;
  return status;
}
