/* Which storage a matrix gets when nobody asked for one: the one whose product should take the least time, of those that fit
 * the device. Times are in units of one dense entry; the ratios hold within a factor of two on software and on graphics
 * cards alike. */
#include "objects/matrix_banded.h"

#include <math.h>
#include <stdio.h>

enum {
  PASS = 20000, /* a pass by itself */
  DENSE = 1,    /* per entry, zeros included */
  BANDED = 2,   /* ... of a full-length diagonal */
  SLOTS = 6,    /* ... of a padded row: value, column and a gathered x_j */
  CSR = 24,     /* per non-zero, in a loop of the shader */
  STORED = 14   /* diagonals in one pass */
};

typedef struct lengths {
  int64_t longest;
  int64_t usual;  /* twice the mean: what slots might hold of each row */
  int64_t beyond; /* entries of rows that are longer */
} lengths;

static lengths lookAtRows(const txRows *rows) {
  const clTriplets *T = rows->A;
  lengths r = {.usual = 2 * (T->count / T->rows + 1)};
  for (txRun run = txRunAt(rows, 0, T->rows); run.row < T->rows; run = txRunNext(rows, &run, T->rows)) {
    r.longest = run.length > r.longest ? run.length : r.longest;
    r.beyond += run.length > r.usual ? run.count * (run.length - r.usual) : 0;
  }
  return r;
}

static double slotsTime(const clTriplets *T, const lengths *r) {
  double all = 2. * PASS + SLOTS * (double)r->longest * T->rows;
  double most = 4. * PASS + SLOTS * (double)r->usual * T->rows + CSR * (double)r->beyond;
  return all < most ? all : most;
}

static bool fits(const clContext *context, double bytes) {
  return bytes <= (double)(clContextInspect(context)->memory_limit - clContextCount(context).bytes_used);
}

static double denseTime(const clContext *context, const clTriplets *T) {
  int64_t limit = clContextInspect(context)->max_texture_size;
  double area = (double)T->rows * T->cols;
  return T->rows <= 4 * limit && T->cols <= limit && fits(context, 4 * area) ? PASS + DENSE * area : INFINITY;
}

static double bandedTime(const clContext *context, const clTriplets *T, const txOffsets *o) {
  txLayout rows, cols;
  bool fit = txLayoutLinear(&rows, context, T->rows) && txLayoutLinear(&cols, context, T->cols);
  double values = (double)o->shared * T->rows;
  return fit && rows.row == cols.row && fits(context, 4 * values) ? PASS * (o->shared / STORED + 1.) + BANDED * values
                                                                  : INFINITY;
}

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 100;
}

clStorage txStorageChoose(const clContext *context, const txRows *rows, char *why, size_t n) {
  const clTriplets *T = rows->A;
  lengths r = lookAtRows(rows);
  txOffsets o = {0};
  double entries = (double)T->count, area = (double)T->rows * T->cols;
  double dense = denseTime(context, T), slots = slotsTime(T, &r), csr = 2. * PASS + CSR * entries;
  double gathered = slots < csr ? slots : csr;
  double banded = txOffsetsFind(&o, rows) ? bandedTime(context, T, &o) : INFINITY;
  int shared = o.shared;
  double stored = (double)shared * T->rows, nonzeros = (double)o.nonzeros;
  txOffsetsFree(&o);
  if (dense < gathered && dense < banded) {
    snprintf(why, n, "%.0f %% full%s", percent(entries, area), entries < area / 4 ? ", but small" : "");
    return TEXLA_STORAGE_DENSE;
  }
  if (banded < gathered) {
    snprintf(why, n, "%d diagonals, %.0f %% full", shared, percent(nonzeros, stored));
    return TEXLA_STORAGE_BANDED;
  }
  snprintf(why, n, "%s of up to %lld entries, %.1f on average", slots <= csr ? "rows" : "few long rows",
           (long long)r.longest, entries / T->rows);
  return slots <= csr ? TEXLA_STORAGE_SLOTS : TEXLA_STORAGE_CSR;
}
