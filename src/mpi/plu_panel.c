/* A panel on the host: P1 A1 = L1 U1, with pivots from all ranks of a grid column. */
#include "mpi/plu.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 16 }; /* columns that are eliminated one by one before the rest follows with a product */

/* What a rank proposes for a step: its largest entry, that row, and the row on top, if it has it. The numbers of the two rows follow. */
typedef struct candidate {
  double magnitude; /* negative: no row */
  int64_t row;      /* of the whole matrix */
  int64_t has_top;
  float rows[];
} candidate;

/* The best candidate; of equals the first row. */
static void choose(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)count;
  int size;
  MPI_Type_size(*type, &size);
  const candidate *a = in;
  candidate *b = inout;
  size_t width = ((size_t)size - sizeof *a) / sizeof(float) / 2;
  if (a->magnitude > b->magnitude || (a->magnitude == b->magnitude && a->row < b->row)) {
    b->magnitude = a->magnitude;
    b->row = a->row;
    memcpy(b->rows, a->rows, width * sizeof(float));
  }
  if (a->has_top) {
    b->has_top = 1;
    memcpy(b->rows + width, a->rows + width, width * sizeof(float));
  }
}

/* One panel's elimination. Local rows count from the panel's block on. */
typedef struct elimination {
  clBlockPlu *plu;
  const txStep *s;
  float *a;
  int lead, rows;
  int *global; /* of each local row; -1: padding */
  MPI_Op op;
  MPI_Datatype type;
  candidate *mine;
} elimination;

/* The local row of a row of the whole matrix, -1 where another rank has it. */
static int localOf(const elimination *e, int row) {
  const clBlockMatrix *A = e->plu->A;
  if (row / A->layout.block % A->layout.grid_rows != A->layout.grid_row)
    return -1;
  return txBlockLocal(A, row, A->pitch, A->layout.grid_rows) - e->s->row;
}

/* pivot: the row for step j, by all ranks. */
static void choosePivot(elimination *e, int j) {
  const clBlockMatrix *A = e->plu->A;
  size_t bytes = (size_t)e->s->width * sizeof(float);
  int first = e->s->k * A->layout.block, step = first + j, best = -1;
  int end = e->plu->options.pivoting == TEXLA_BLOCK_PIVOT_INSIDE ? first + e->s->width : A->layout.n;
  candidate *m = e->mine;
  m->magnitude = -1;
  m->row = A->layout.n;
  for (int i = 0; i < e->rows; i++) {
    if (e->global[i] < step || e->global[i] >= end)
      continue;
    float v = fabsf(e->a[(int64_t)i * e->lead + j]);
    double size = isnan(v) ? INFINITY : (double)v;
    if (size > m->magnitude) {
      m->magnitude = size;
      best = i;
    }
  }
  int top = localOf(e, step);
  m->has_top = top >= 0;
  if (best >= 0) {
    m->row = e->global[best];
    memcpy(m->rows, e->a + (int64_t)best * e->lead, bytes);
  }
  if (top >= 0)
    memcpy(m->rows + e->s->width, e->a + (int64_t)top * e->lead, bytes);
  if (A->layout.grid_rows == 1)
    return;
  double began = txTrafficBegin();
  MPI_Allreduce(MPI_IN_PLACE, m, 1, e->type, e->op, A->col);
  txTrafficEnd(e->plu->cluster, began, (int64_t)(sizeof *m + 2 * bytes));
}

/* The two rows change places; plu->top keeps the pivot's. */
static void swap(elimination *e, int j) {
  const candidate *m = e->mine;
  size_t bytes = (size_t)e->s->width * sizeof(float);
  int step = e->s->k * e->plu->A->layout.block + j, top = localOf(e, step), from = localOf(e, (int)m->row);
  e->plu->pivots[step] = (int)m->row;
  memcpy(e->plu->top + (int64_t)j * e->lead, m->rows, bytes);
  if (top >= 0)
    memcpy(e->a + (int64_t)top * e->lead, m->rows, bytes);
  if (from >= 0 && from != top)
    memcpy(e->a + (int64_t)from * e->lead, m->rows + e->s->width, bytes);
}

/* The first local row that belongs to step `step` or a later one: rows are in order. */
static int firstFrom(const elimination *e, int step) {
  int i = 0;
  while (i < e->rows && e->global[i] < step)
    i++;
  return i;
}

/* eliminate: multipliers of column j, and the columns after it up to `end` */
static void eliminate(elimination *e, int j, int end) {
  const float *u = e->plu->top + (int64_t)j * e->lead;
  float pivot = u[j];
  int step = e->s->k * e->plu->A->layout.block + j;
  if (pivot == 0 && e->plu->zero_pivot < 0)
    e->plu->zero_pivot = step;
  if (pivot == 0)
    return;
  for (int i = firstFrom(e, step + 1); i < e->rows; i++) {
    float *a = e->a + (int64_t)i * e->lead, l = a[j] / pivot;
    a[j] = l;
    for (int c = j + 1; c < end; c++)
      a[c] -= l * u[c];
  }
}

/* What catches up: columns from `end` on of the rows from `first` on. */
typedef struct strip {
  const elimination *e;
  int begin, end, first;
} strip;

/* a -= l u for the rows of some of the strip's entries; several threads do that. */
static void subtractRows(void *user, int64_t from, int64_t to, double sum[TX_SUMS]) {
  (void)sum;
  const strip *s = user;
  const elimination *e = s->e;
  int width = e->s->width;
  for (int64_t i = s->first + (from + width - 1) / width; i < s->first + (to + width - 1) / width; i++) {
    float *restrict a = e->a + i * e->lead;
    for (int t = s->begin; t < s->end; t++) {
      const float *restrict u = e->plu->top + (int64_t)t * e->lead;
      float l = a[t];
      for (int c = s->end; c < width; c++)
        a[c] -= l * u[c];
    }
  }
}

/* Columns from `end` on catch up with those of [begin, end): first the rows of U, then all below. */
static void catchUp(elimination *e, int begin, int end) {
  float *top = e->plu->top;
  int first = e->s->k * e->plu->A->layout.block, width = e->s->width;
  for (int j = begin; j < end; j++) {
    float *u = top + (int64_t)j * e->lead;
    for (int t = begin; t < j; t++)
      for (int c = end; c < width; c++)
        u[c] -= u[t] * top[(int64_t)t * e->lead + c];
    int own = localOf(e, first + j);
    if (own >= 0)
      memcpy(e->a + (int64_t)own * e->lead + end, u + end, (size_t)(width - end) * sizeof *u);
  }
  strip s = {e, begin, end, firstFrom(e, first + end)};
  txParallel((int64_t)(e->rows - s.first) * width, subtractRows, &s, NULL);
}

void txPluPanel(clBlockPlu *plu, const txStep *s) {
  const clBlockMatrix *A = plu->A;
  size_t bytes = sizeof(candidate) + 2 * (size_t)s->width * sizeof(float);
  elimination e = {.plu = plu, .s = s, .a = plu->panel, .lead = A->pitch, .rows = s->rows - s->row};
  e.mine = txClusterAllocate(plu->cluster, bytes, 1, "a panel");
  e.global = txClusterAllocate(plu->cluster, (size_t)e.rows, sizeof *e.global, "a panel");
  int rows = 0; /* the padding of the last block is left out, that of the others is passed over */
  for (int i = 0; i < e.rows; i++) {
    e.global[i] = txBlockGlobal(A, i + s->row, A->pitch, A->layout.grid_row, A->layout.grid_rows);
    rows = e.global[i] >= 0 ? i + 1 : rows;
  }
  e.rows = rows;
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &e.type);
  MPI_Type_commit(&e.type);
  MPI_Op_create(choose, 1, &e.op);
  for (int begin = 0; begin < s->width; begin += STRIP) {
    int end = txLeast(begin + STRIP, s->width);
    for (int j = begin; j < end; j++) {
      choosePivot(&e, j);
      swap(&e, j);
      eliminate(&e, j, end);
    }
    catchUp(&e, begin, end);
  }
  MPI_Op_free(&e.op);
  MPI_Type_free(&e.type);
  free(e.global);
  free(e.mine);
}
