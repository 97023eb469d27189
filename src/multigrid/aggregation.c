/* Which unknowns become one: nodes, the graph of strong couplings between them, aggregates.
 *
 * The three phases are those of Vanek, Mandel and Brezina (1996): disjoint neighbourhoods first, so
 * that aggregates are about three nodes wide; then what touches them; then what is left. */
#include "multigrid/aggregation.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";
enum { ALONE = -2, FREE = -1 };

static void *aggregationAllocate(clError *error, int64_t count, size_t size) {
  return txAllocate(error, call, (size_t)count, size, "the aggregates of algebraic multigrid");
}

void txNearNullForget(txNearNull *near) {
  free(near->v);
  free(near->first);
  *near = (txNearNull){0};
}

/* Do rows i and i + 1 have the same columns? */
static bool sameColumns(const clTriplets *A, const int64_t *start, int32_t i) {
  int64_t length = start[i + 1] - start[i];
  return length == start[i + 2] - start[i + 1] &&
         memcmp(A->col + start[i], A->col + start[i + 1], (size_t)length * sizeof *A->col) == 0;
}

clStatus txNodesFind(txNearNull *near, const clTriplets *A, clError *error) {
  int64_t *start = txTripletsRowStarts(A, error);
  near->first = aggregationAllocate(error, (int64_t)A->rows + 1, sizeof *near->first);
  near->nodes = 0;
  for (int32_t i = 0; i < A->rows && start && near->first; i++) {
    bool joins =
        i > 0 && i - near->first[near->nodes - 1] < near->vectors && sameColumns(A, start, i - 1);
    if (!joins)
      near->first[near->nodes++] = i;
  }
  if (near->first)
    near->first[near->nodes] = A->rows;
  bool done = start && near->first;
  free(start);
  if (!done)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* The node of each unknown; NULL where there are none, so that every unknown is its own, and where
 * there is no memory. */
static int32_t *listNodes(int32_t n, const txNearNull *near, clError *error) {
  if (!near->nodes)
    return NULL;
  int32_t *node = aggregationAllocate(error, n, sizeof *node);
  for (int32_t k = 0; k < near->nodes && node; k++)
    for (int32_t i = near->first[k]; i < near->first[k + 1]; i++)
      node[i] = k;
  return node;
}

static int32_t nodeOf(const int32_t *node, int32_t i) {
  return node ? node[i] : i;
}

typedef struct marking {
  const clTriplets *A;
  const int64_t *start;
  const double *diagonal;
  const int32_t *node;
  double theta;
  unsigned char *strong;
} marking;

static void markStrong(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const marking *m = user;
  const int32_t *col = m->A->col;
  const double *value = m->A->value, square = m->theta * m->theta;
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    const double limit = square * fabs(m->diagonal[i]);
    const int32_t node = nodeOf(m->node, (int32_t)i);
    for (int64_t k = m->start[i], end = m->start[i + 1]; k < end; k++)
      m->strong[k] = node != nodeOf(m->node, col[k]) &&
                     value[k] * value[k] > limit * fabs(m->diagonal[col[k]]);
  }
}

clStatus txStrongFind(unsigned char *strong, const clTriplets *A, const int64_t *start,
                      const double *diagonal, const txNearNull *near, double theta,
                      clError *error) {
  int32_t *node = listNodes(A->rows, near, error);
  if (!node && near->nodes)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(A->rows, markStrong, &(marking){A, start, diagonal, node, theta, strong}, NULL);
  free(node);
  return TEXLA_OK;
}

/* Couplings between nodes: those of node i are the strong ones of A's entries [start[i],
 * start[i + 1]), to nodes that may appear several times. */
typedef struct graph {
  const clTriplets *A;
  int32_t nodes;
  const int32_t *node;
  const int64_t *start;
  const unsigned char *strong;
} graph;

/* The next strong coupling from entry k on, of those before `end`. */
static int64_t nextStrong(const graph *g, int64_t k, int64_t end) {
  while (k < end && !g->strong[k])
    k++;
  return k;
}

static int32_t toNode(const graph *g, int64_t k) {
  return nodeOf(g->node, g->A->col[k]);
}

/* Phase 1: nodes all of whose strong neighbours are free are an aggregate with them. */
static void seedAggregates(const graph *g, int32_t *of, int32_t *count) {
  for (int32_t i = 0; i < g->nodes; i++) {
    int64_t end = g->start[i + 1], first = nextStrong(g, g->start[i], end);
    bool all_free = of[i] == FREE, strong = first < end;
    for (int64_t k = first; k < end && all_free; k = nextStrong(g, k + 1, end))
      all_free = of[toNode(g, k)] == FREE;
    if (all_free && !strong)
      of[i] = ALONE;
    if (!all_free || !strong)
      continue;
    for (int64_t k = first; k < end; k = nextStrong(g, k + 1, end))
      of[toNode(g, k)] = *count;
    of[i] = (*count)++;
  }
}

/* Phase 2: what is left joins the aggregate of its strongest neighbour, of those of phase 1. */
static void joinAggregates(const graph *g, int32_t *of, int32_t *joined) {
  for (int32_t i = 0; i < g->nodes; i++) {
    int64_t end = g->start[i + 1];
    double strongest = 0;
    joined[i] = of[i];
    if (of[i] != FREE)
      continue;
    for (int64_t k = nextStrong(g, g->start[i], end); k < end; k = nextStrong(g, k + 1, end))
      if (of[toNode(g, k)] >= 0 && fabs(g->A->value[k]) > strongest) {
        strongest = fabs(g->A->value[k]);
        joined[i] = of[toNode(g, k)];
      }
  }
  memcpy(of, joined, (size_t)g->nodes * sizeof *joined);
}

/* Phase 3: the rest, with the free ones around it. */
static void gatherRest(const graph *g, int32_t *of, int32_t *count) {
  for (int32_t i = 0; i < g->nodes; i++) {
    int64_t end = g->start[i + 1];
    if (of[i] != FREE)
      continue;
    for (int64_t k = nextStrong(g, g->start[i], end); k < end; k = nextStrong(g, k + 1, end))
      if (of[toNode(g, k)] == FREE)
        of[toNode(g, k)] = *count;
    of[i] = (*count)++;
  }
}

/* All three over nodes; then `of` is by unknowns. */
static void aggregationAggregate(txAggregates *out, const graph *g, int32_t *of, int32_t *work) {
  for (int32_t i = 0; i < g->nodes; i++)
    of[i] = FREE;
  seedAggregates(g, of, &out->count);
  joinAggregates(g, of, work);
  gatherRest(g, of, &out->count);
  if (!g->node)
    return;
  memcpy(work, of, (size_t)g->nodes * sizeof *of);
  for (int32_t i = 0; i < g->A->rows; i++)
    of[i] = work[g->node[i]];
}

/* *out <- where the entries of each node begin. */
static clStatus startNodes(int64_t **out, const int64_t *start, const txNearNull *near,
                           clError *error) {
  *out = aggregationAllocate(error, (int64_t)near->nodes + 1, sizeof **out);
  if (!*out)
    return TEXLA_OUT_OF_MEMORY;
  for (int32_t k = 0; k <= near->nodes; k++)
    (*out)[k] = start[near->first[k]];
  return TEXLA_OK;
}

clStatus txAggregatesFind(txAggregates *out, const clTriplets *A, const int64_t *start,
                          const unsigned char *strong, const txNearNull *near, clError *error) {
  graph g = {.A = A, .nodes = A->rows, .start = start, .strong = strong};
  int64_t *nodes = NULL;
  int32_t *node = NULL, *of = NULL, *work = NULL;
  clStatus status = TEXLA_OK;
  *out = (txAggregates){0};
  if (near->nodes) {
    TRY_CLEANUP(startNodes(&nodes, start, near, error));
    g.nodes = near->nodes;
    g.start = nodes;
    g.node = node = listNodes(A->rows, near, error);
    if (!node)
      TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  }
  of = aggregationAllocate(error, A->rows, sizeof *of);
  work = aggregationAllocate(error, g.nodes, sizeof *work);
  if (!of || !work)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  aggregationAggregate(out, &g, of, work);
  out->of = of;
  of = NULL;
cleanup:
  free(nodes);
  free(node);
  free(of);
  free(work);
  return status;
}
