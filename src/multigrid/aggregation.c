/* Which unknowns become one: nodes, the graph of strong couplings between them, aggregates.
 *
 * The three phases are those of Vanek, Mandel and Brezina (1996): disjoint neighbourhoods first, so
 * that aggregates are about three nodes wide; then what touches them; then what is left. */
#include "multigrid/aggregation.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";
enum { ALONE = -2, FREE = -1 };

static void *allocate(clError *error, int64_t count, size_t size) {
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
  near->first = allocate(error, (int64_t)A->rows + 1, sizeof *near->first);
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

/* Strong couplings between nodes: those of node i are [start[i], start[i + 1]). A pair may appear
 * several times. */
typedef struct graph {
  int32_t nodes;
  int64_t *start;
  int32_t *to;
  double *weight;
} graph;

/* The edges of the graph: entries (i, j) of A between different nodes with
 * |a_ij| > theta sqrt(|a_ii a_jj|), weighted by |a_ij|. */
static void addCouplings(graph *g, const clTriplets *A, const double *diagonal, const int32_t *node,
                         double theta) {
  int64_t count = 0, k = 0;
  for (int32_t i = 0; i < A->rows; i++) {
    for (; k < A->count && A->row[k] == i; k++) {
      int32_t j = A->col[k];
      double v = A->value[k];
      if (node[i] == node[j] || !(v * v > theta * theta * fabs(diagonal[i] * diagonal[j])))
        continue;
      g->to[count] = node[j];
      g->weight[count++] = fabs(v);
    }
    g->start[node[i] + 1] = count;
  }
}

/* Phase 1: nodes all of whose strong neighbours are free are an aggregate with them. */
static void seedAggregates(const graph *g, int32_t *of, int32_t *count) {
  for (int32_t i = 0; i < g->nodes; i++) {
    bool all_free = of[i] == FREE, strong = g->start[i + 1] > g->start[i];
    for (int64_t k = g->start[i]; k < g->start[i + 1] && all_free; k++)
      all_free = of[g->to[k]] == FREE;
    if (all_free && !strong)
      of[i] = ALONE;
    if (!all_free || !strong)
      continue;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
      of[g->to[k]] = *count;
    of[i] = (*count)++;
  }
}

/* Phase 2: what is left joins the aggregate of its strongest neighbour, of those of phase 1. */
static void joinAggregates(const graph *g, int32_t *of, int32_t *joined) {
  for (int32_t i = 0; i < g->nodes; i++) {
    double strongest = 0;
    joined[i] = of[i];
    for (int64_t k = g->start[i]; k < g->start[i + 1] && of[i] == FREE; k++)
      if (of[g->to[k]] >= 0 && g->weight[k] > strongest) {
        strongest = g->weight[k];
        joined[i] = of[g->to[k]];
      }
  }
  memcpy(of, joined, (size_t)g->nodes * sizeof *joined);
}

/* Phase 3: the rest, with the free ones around it. */
static void gatherRest(const graph *g, int32_t *of, int32_t *count) {
  for (int32_t i = 0; i < g->nodes; i++) {
    if (of[i] != FREE)
      continue;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
      if (of[g->to[k]] == FREE)
        of[g->to[k]] = *count;
    of[i] = (*count)++;
  }
}

/* The node of each unknown; without nodes every unknown is its own. */
static void listNodes(int32_t *node, int32_t n, const txNearNull *near) {
  for (int32_t i = 0; i < n && !near->nodes; i++)
    node[i] = i;
  for (int32_t k = 0; k < near->nodes; k++)
    for (int32_t i = near->first[k]; i < near->first[k + 1]; i++)
      node[i] = k;
}

clStatus txAggregatesFind(txAggregates *out, const clTriplets *A, const double *diagonal,
                          const txNearNull *near, double theta, clError *error) {
  graph g = {.nodes = A->rows};
  if (near->nodes)
    g.nodes = near->nodes;
  int32_t *node = allocate(error, A->rows, sizeof *node),
          *of = allocate(error, g.nodes, sizeof *of),
          *joined = allocate(error, g.nodes, sizeof *joined);
  g.start = allocate(error, (int64_t)g.nodes + 1, sizeof *g.start);
  g.to = allocate(error, A->count, sizeof *g.to);
  g.weight = allocate(error, A->count, sizeof *g.weight);
  *out = (txAggregates){0};
  bool done = node && of && joined && g.start && g.to && g.weight;
  for (int32_t i = 0; i < g.nodes && done; i++)
    of[i] = FREE;
  if (done) {
    listNodes(node, A->rows, near);
    addCouplings(&g, A, diagonal, node, theta);
    seedAggregates(&g, of, &out->count);
    joinAggregates(&g, of, joined);
    gatherRest(&g, of, &out->count);
    for (int32_t i = 0; i < A->rows; i++)
      node[i] = of[node[i]];
    out->of = node;
    node = NULL;
  }
  free(node);
  free(of);
  free(joined);
  free(g.start);
  free(g.to);
  free(g.weight);
  if (!done)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}
