/* A panel on the host: P1 A1 = L1 U1, with pivots from all ranks of a grid column. A team of
 * threads has the local rows in equal parts; of the columns, a strip at a time is eliminated one by
 * one, and the rest follows with a product.
 *
 * elimination/host_panel.h has the panel of a single process: there threads share columns, each in
 * one stretch of memory, and rows stay in their places. Here a pivot's row is sent as a whole, so
 * that rows are what lies together, and threads share them. */
#include "core/compiler.h"
#include "mpi/plu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* columns; their numbers in a row are a cache line */
  STRIP = 16,
  /* of a member of the team: fewer are not worth a meeting */
  LEAST_ROWS = 256,
  /* a panel is too narrow for more */
  MOST_THREADS = 8
};

int txPluThreads(const clCluster *cluster) {
  return txLeast(cluster->processors, MOST_THREADS);
}

/* A texel holds the entries (0, 0), (0, 1), (1, 0), (1, 1) of its 2 x 2. */
void txPackTexels(float *texels, const float *values, int rows, int cols, int lead) {
  for (int i = 0; i < rows; i += 2)
    for (int j = 0; j < cols; j += 2, texels += 4) {
      const float *v = values + (int64_t)i * lead + j;
      texels[0] = v[0];
      texels[1] = v[1];
      texels[2] = v[lead];
      texels[3] = v[lead + 1];
    }
}

void txUnpackTexels(float *values, const float *texels, int rows, int cols, int lead) {
  for (int i = 0; i < rows; i += 2)
    for (int j = 0; j < cols; j += 2, texels += 4) {
      float *v = values + (int64_t)i * lead + j;
      v[0] = texels[0];
      v[1] = texels[1];
      v[lead] = texels[2];
      v[lead + 1] = texels[3];
    }
}

/* What a rank proposes for a step: its largest entry, that row, and the row on top, if it has it.
 * The numbers of the two rows follow. */
typedef struct candidate {
  /* negative: no row */
  double magnitude;
  /* of the whole matrix */
  int64_t row;
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

/* What a member has found in its rows: the largest entry of a column. */
typedef struct found {
  /* negative: no row */
  float magnitude;
  int row;
  /* a cache line each */
  char rest[64 - sizeof(float) - sizeof(int)];
} found;

/* One panel's elimination. Local rows count from the panel's block on. */
typedef struct elimination {
  clBlockPlu *plu;
  const txStep *s;
  /* the panel as it came from the device */
  const float *texels;
  /* the same as rows of numbers, `lead` apart; what lies below the top block becomes L21 */
  float *a;
  int lead, rows;
  /* of each local row; -1: padding */
  int *global;
  MPI_Op op;
  MPI_Datatype type;
  candidate *mine;
  /* of each member */
  found *found;
} elimination;

/* The rows [first, end). */
typedef struct range {
  int first, end;
} range;

/* A member's part of the rows: whole texels. */
static range partOf(const elimination *e, int member, int members) {
  int pairs = e->rows / 2;
  return (range){2 * (int)((int64_t)pairs * member / members),
                 2 * (int)((int64_t)pairs * (member + 1) / members)};
}

/* The local row of a row of the whole matrix, -1 where another rank has it. */
static int localOf(const elimination *e, int row) {
  const clBlockMatrix *A = e->plu->A;
  if (txRowOwner(A, row) != A->layout.grid_row)
    return -1;
  return txBlockLocal(A, row, A->pitch, A->layout.grid_rows) - e->s->row;
}

/* The first local row that may belong to step `step` or a later one: rows are in order, and those
 * before it are in the top block. */
static int firstFrom(const elimination *e, int step) {
  int own = localOf(e, e->s->k * e->plu->A->layout.block);
  return own < 0 ? 0 : step - e->s->k * e->plu->A->layout.block;
}

/* ---- pivot ----------------------------------------------------------------------------------- */

/* The row for step j, by all members and all ranks. */
static void choosePivot(elimination *e, int j, int members) {
  const clBlockMatrix *A = e->plu->A;
  size_t bytes = (size_t)e->s->width * sizeof(float);
  int step = e->s->k * A->layout.block + j, best = -1;
  candidate *m = e->mine;
  m->magnitude = -1;
  m->row = A->layout.n;
  /* of equals the first row, which is the first member's */
  for (int k = 0; k < members; k++)
    if ((double)e->found[k].magnitude > m->magnitude) {
      m->magnitude = (double)e->found[k].magnitude;
      best = e->found[k].row;
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
  txAllreduce(e->plu->cluster, m, 1, e->type, e->op, A->col);
  txTrafficEnd(e->plu->cluster, began, (int64_t)(sizeof *m + 2 * bytes));
}

/* The two rows change places: the pivot's goes to plu->top, and the columns from `end` on, which
 * were left out so far, catch up there. */
static void takePivot(elimination *e, int begin, int j, int end) {
  const candidate *m = e->mine;
  int width = e->s->width, step = e->s->k * e->plu->A->layout.block + j,
      from = localOf(e, (int)m->row);
  float *u = e->plu->top + (int64_t)j * e->lead;
  e->plu->pivots[step] = (int)m->row;
  memcpy(u, m->rows, (size_t)width * sizeof *u);
  if (from >= 0 && from != localOf(e, step))
    memcpy(e->a + (int64_t)from * e->lead, m->rows + width, (size_t)width * sizeof *u);
  for (int t = begin; t < j; t++) {
    const float *restrict other = e->plu->top + (int64_t)t * e->lead;
    for (int c = end; c < width; c++)
      u[c] -= u[t] * other[c];
  }
  if (u[j] == 0 && e->plu->zero_pivot < 0)
    e->plu->zero_pivot = step;
}

/* ---- eliminate ------------------------------------------------------------------------------- */

/* Searches of a column: the row below which pivots are looked for, and the first one that is too
 * far. */
static range rowsOfPivots(const elimination *e, int j) {
  const clBlockMatrix *A = e->plu->A;
  int first = e->s->k * A->layout.block;
  return (range){firstFrom(e, first + j), e->plu->options.pivoting == TEXLA_BLOCK_PIVOT_INSIDE
                                              ? first + e->s->width
                                              : A->layout.n};
}

/* Row i takes part with this entry, whatever NaN it may be. */
static inline void compare(found *f, const elimination *e, int i, float value, int end) {
  float v = isnan(value) ? INFINITY : fabsf(value);
  if (v > f->magnitude && e->global[i] >= 0 && e->global[i] < end) {
    f->magnitude = v;
    f->row = i;
  }
}

/* The largest entry of column j among a member's rows. */
static found search(const elimination *e, range r, int j) {
  range pivots = rowsOfPivots(e, j);
  found f = {.magnitude = -1};
  for (int i = r.first > pivots.first ? r.first : pivots.first; i < r.end; i++)
    compare(&f, e, i, e->a[(int64_t)i * e->lead + j], pivots.end);
  return f;
}

/* a -= l u in a strip's columns from `from` on; compilers unroll it where both are known. */
TX_INLINE void subtract(float *restrict a, const float *restrict u, float l, int from, int count) {
  for (int c = from; c < count; c++)
    a[c] -= l * u[c];
}

/* The same for any of the strip's columns; u is zero before the next one. */
static inline void subtractStrip(float *restrict a, const float *restrict u, float l, int next,
                                 int count) {
  if (count < STRIP)
    subtract(a, u, l, next, count);
  else if (next < STRIP / 4)
    subtract(a, u, l, 0, STRIP);
  else if (next < STRIP / 2)
    subtract(a, u, l, STRIP / 4, STRIP);
  else if (next < 3 * STRIP / 4)
    subtract(a, u, l, STRIP / 2, STRIP);
  else
    subtract(a, u, l, 3 * STRIP / 4, STRIP);
}

/* A member's rows without column j of the strip [begin, end); the result is the largest entry of
 * the next column, where the strip has one. */
static found eliminate(const elimination *e, range r, int begin, int j, int end) {
  range pivots = rowsOfPivots(e, j + 1);
  const float *row = e->plu->top + (int64_t)j * e->lead;
  float u[STRIP] = {0}, pivot = row[j];
  found f = {.magnitude = -1};
  memcpy(u + (j + 1 - begin), row + j + 1, (size_t)(end - j - 1) * sizeof *u);
  int at = j - begin, next = at + 1, count = end - begin;
  for (int i = r.first > pivots.first ? r.first : pivots.first; i < r.end; i++) {
    float *a = e->a + (int64_t)i * e->lead + begin;
    if (pivot != 0) {
      float l = a[at] / pivot;
      subtractStrip(a, u, l, next, count);
      a[at] = l;
    }
    if (next < count)
      compare(&f, e, i, a[next], pivots.end);
  }
  return f;
}

/* Four columns t of L, two rows of them: a -= l u. */
TX_INLINE void subtractFour(float *restrict a, float *restrict b, const float *restrict u, int lead,
                            int t, int end, int width) {
  float a0 = a[t], a1 = a[t + 1], a2 = a[t + 2], a3 = a[t + 3];
  float b0 = b[t], b1 = b[t + 1], b2 = b[t + 2], b3 = b[t + 3];
  const float *restrict u1 = u + lead, *restrict u2 = u1 + lead, *restrict u3 = u2 + lead;
  for (int c = end; c < width; c++) {
    a[c] -= a0 * u[c] + a1 * u1[c] + a2 * u2[c] + a3 * u3[c];
    b[c] -= b0 * u[c] + b1 * u1[c] + b2 * u2[c] + b3 * u3[c];
  }
}

/* Columns [end, width) of a member's rows catch up with those of [begin, end). */
TX_INLINE void catchUpRows(const elimination *e, range r, int begin, int end) {
  int lead = e->lead, width = e->s->width, t,
      first = firstFrom(e, e->s->k * e->plu->A->layout.block + end);
  for (int i = r.first > first ? r.first : first; i < r.end; i += 2) {
    float *a = e->a + (int64_t)i * lead, *b = i + 1 < r.end ? a + lead : NULL;
    for (t = begin; t + 4 <= end && b; t += 4)
      subtractFour(a, b, e->plu->top + (int64_t)t * lead, lead, t, end, width);
    for (; t < end; t++) {
      const float *u = e->plu->top + (int64_t)t * lead;
      subtract(a, u, a[t], end, width);
      if (b)
        subtract(b, u, b[t], end, width);
    }
  }
}

#if TX_TARGETS
/* With vectors of eight numbers. No product is fused with a sum: the results are the same. */
TX_TARGET("avx2") static void catchUpWide(const elimination *e, range r, int begin, int end) {
  catchUpRows(e, r, begin, end);
}
#endif

static void catchUp(const elimination *e, range r, int begin, int end) {
#if TX_TARGETS
  if (TX_SUPPORTS("avx2")) {
    catchUpWide(e, r, begin, end);
    return;
  }
#endif
  catchUpRows(e, r, begin, end);
}

/* ---- The team -------------------------------------------------------------------------------- */

/* One member's part. Members read and write rows of their own; member 0 alone has the pivots and
 * plu->top, between two meetings. */
static void factorPart(void *user, txTeam *team, int member, int members) {
  elimination *e = user;
  const clBlockMatrix *A = e->plu->A;
  range r = partOf(e, member, members);
  int lead = e->lead, width = e->s->width, below = e->s->next_row - e->s->row;
  txUnpackTexels(e->a + (int64_t)r.first * lead, e->texels + (int64_t)r.first * lead,
                 r.end - r.first, lead, lead);
  for (int i = r.first; i < r.end; i++)
    e->global[i] =
        txBlockGlobal(A, i + e->s->row, A->pitch, A->layout.grid_row, A->layout.grid_rows);
  for (int begin = 0; begin < width; begin += STRIP) {
    int end = txLeast(begin + STRIP, width);
    found largest = search(e, r, begin);
    for (int j = begin; j < end; j++) {
      e->found[member] = largest;
      txTeamMeet(team);
      if (member == 0) {
        choosePivot(e, j, members);
        takePivot(e, begin, j, end);
      }
      txTeamMeet(team);
      largest = eliminate(e, r, begin, j, end);
    }
    catchUp(e, r, begin, end);
  }
  int from = r.first > below ? r.first : below;
  if (from < r.end)
    txPackTexels(e->plu->l21 + (int64_t)(from - below) * lead, e->a + (int64_t)from * lead,
                 r.end - from, lead, lead);
}

void txPluPanel(clBlockPlu *plu, const txStep *s, const float *texels) {
  const clBlockMatrix *A = plu->A;
  clCluster *c = plu->cluster;
  size_t bytes = sizeof(candidate) + 2 * (size_t)s->width * sizeof(float);
  elimination e = {.plu = plu,
                   .s = s,
                   .texels = texels,
                   .a = plu->panel,
                   .lead = A->pitch,
                   .rows = s->rows - s->row};
  int members = e.rows / LEAST_ROWS > 1 ? e.rows / LEAST_ROWS : 1;
  e.mine = txClusterAllocate(c, bytes, 1, "a panel");
  e.global = txClusterAllocate(c, (size_t)e.rows, sizeof *e.global, "a panel");
  e.found = txClusterAllocate(c, (size_t)members, sizeof *e.found, "a panel");
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &e.type);
  MPI_Type_commit(&e.type);
  MPI_Op_create(choose, 1, &e.op);
  txTeamRun(plu->team, members, factorPart, &e);
  MPI_Op_free(&e.op);
  MPI_Type_free(&e.type);
  free(e.found);
  free(e.global);
  free(e.mine);
}
