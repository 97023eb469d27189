/* ICM: Z is a table of square sections, each of them two vectors, hi + lo, in the grid layout: a
 * texel has four entries of a row. A section that stays zero has none. */
#include "icm.h"

#include <string.h>

/* In single precision lo is zero, and the arithmetic is that of floats. */
static const char numbers[] =
    "#ifdef SINGLE\n"
    "struct pairs { vec4 hi, lo; };\n"
    "void accumulate(inout pairs s, pairs a, pairs b) { s.hi += a.hi * b.hi; }\n"
    "pairs settled(pairs s) { return s; }\n"
    "pairs minus(pairs a, pairs b) { return pairs(a.hi - b.hi, vec4(0.)); }\n"
    "pairs over(pairs a, pairs b) { return pairs(a.hi / b.hi, vec4(0.)); }\n"
    "#endif\n"
    "uniform sampler2D r, r2, l, l2, u, u2;\n"
    "pairs row(sampler2D s, sampler2D s2, int x, int y) { // four entries\n"
    "  return pairs(texelFetch(s, ivec2(x, y), 0), texelFetch(s2, ivec2(x, y), 0));\n"
    "}\n"
    "pairs entry(sampler2D s, sampler2D s2, int k, int y) { // one, four times\n"
    "  return pairs(vec4(texelFetch(s, ivec2(k >> 2, y), 0)[k & 3]),\n"
    "               vec4(texelFetch(s2, ivec2(k >> 2, y), 0)[k & 3]));\n"
    "}\n";
/* R <- R - L U, what sections before this one take off. */
static const char subtract[] = "uniform float size;\n"
                               "void kernel(out vec4 y[OUTPUTS]) {\n"
                               "  ivec2 at = ivec2(gl_FragCoord.xy);\n"
                               "  pairs sum = pairs(vec4(0.), vec4(0.));\n"
                               "  for (int k = 0; k < int(size); k++)\n"
                               "    accumulate(sum, entry(l, l2, k, at.y), row(u, u2, at.x, k));\n"
                               "  sum = minus(row(r, r2, at.x, at.y), settled(sum));\n"
                               "  y[0] = sum.hi;\n"
                               "  y[1] = sum.lo;\n"
                               "}\n";
/* z_ij <- r_ij - sum of l_ik u_kj over k < j (on and below the diagonal), over k < i and divided by
 * d_ii (above it). side: 1 below the diagonal's section, -1 right of it, 0 itself. */
static const char sweep[] =
    "uniform sampler2D z, z2, d, d2;\n"
    "uniform float size, side, tolerance;\n"
    "void kernel(out vec4 y[OUTPUTS]) {\n"
    "  ivec2 at = ivec2(gl_FragCoord.xy);\n"
    "  ivec4 j = 4 * at.x + ivec4(0, 1, 2, 3), end = j;\n"
    "  bvec4 above = side < 0. ? bvec4(true) : bvec4(false);\n"
    "  if (side == 0.)\n"
    "    above = greaterThan(j, ivec4(at.y));\n"
    "  for (int t = 0; t < 4; t++)\n"
    "    end[t] = above[t] ? at.y : j[t];\n"
    "  int last = max(max(end.x, end.y), max(end.z, end.w));\n"
    "  pairs sum = pairs(vec4(0.), vec4(0.));\n"
    "  for (int k = 0; k < last; k++) {\n"
    "    pairs b = row(u, u2, at.x, k);\n"
    "    bvec4 out_of = lessThanEqual(end, ivec4(k));\n"
    "    pairs a = entry(l, l2, k, at.y);\n"
    "    a = pairs(mix(a.hi, vec4(0.), out_of), mix(a.lo, vec4(0.), out_of)); // 0 Inf is NaN\n"
    "    b = pairs(mix(b.hi, vec4(0.), out_of), mix(b.lo, vec4(0.), out_of));\n"
    "    accumulate(sum, a, b);\n"
    "  }\n"
    "  sum = minus(row(r, r2, at.x, at.y), settled(sum));\n"
    "  pairs q = over(sum, entry(d, d2, at.y, at.y));\n"
    "  y[0] = mix(sum.hi, q.hi, above);\n"
    "  y[1] = mix(sum.lo, q.lo, above);\n"
    "  pairs old = row(z, z2, at.x, at.y);\n"
    "  vec4 change = abs((y[0] - old.hi) + (y[1] - old.lo));\n"
    "  for (int t = 0; t < 4; t++) // by bits: NaN is a change\n"
    "    y[2][t] = floatBitsToUint(change[t]) > floatBitsToUint(tolerance) ? 1. : 0.;\n"
    "}\n";

typedef struct Pair {
  clVector *hi, *lo;
} Pair;

/* One factorization: section (I, J) of Z is z[I * parts + J]. */
typedef struct Icm {
  clContext *context;
  const IcmOptions *options;
  IcmReport *report;
  int n, size, parts;
  Pair *z, *r;
  clVector *changed;
  clFloat *most;
  clKernel *subtract, *sweep;
  /* room for a section */
  float *hi, *lo;
} Icm;

static void createKernel(const Icm *icm, clKernel **out, const char *name, const char *body) {
  char text[8192];
  const char *first = "#include \"include/df64.glsl\"\n";
  if (icm->options->single)
    first = "#define SINGLE\n";
  snprintf(text, sizeof text, "%s%s%s", first, numbers, body);
  OK(clKernelCreate(out, icm->context, name, text));
}

static Pair *at(const Icm *icm, int I, int J) {
  return &icm->z[I * icm->parts + J];
}

/* Entry (i, j) of section (I, J) of A; the last sections are filled up with ones on the
 * diagonal. */
static double entryOf(const Icm *icm, const PaperMatrix *A, int row, int col) {
  if (row < icm->n && col < icm->n)
    return A->a[(int64_t)row * A->n + col];
  return row == col;
}

/* False: A is zero there. */
static bool fillSection(const Icm *icm, const PaperMatrix *A, int I, int J) {
  bool any = false;
  for (int k = 0; k < icm->size * icm->size; k++) {
    double a = entryOf(icm, A, I * icm->size + k / icm->size, J * icm->size + k % icm->size);
    icm->hi[k] = (float)a;
    icm->lo[k] = 0;
    if (!icm->options->single)
      icm->lo[k] = (float)(a - (double)icm->hi[k]);
    any = any || a != 0;
  }
  return any;
}

/* Sections that A or a product of two others make non-zero. */
static void createSections(Icm *icm, const PaperMatrix *A) {
  for (int I = 0; I < icm->parts; I++)
    for (int J = 0; J < icm->parts; J++) {
      Pair *z = at(icm, I, J), *r = &icm->r[I * icm->parts + J];
      bool any = fillSection(icm, A, I, J);
      for (int K = 0; K < I && K < J; K++)
        any = any || (at(icm, I, K)->hi && at(icm, K, J)->hi);
      if (!any)
        continue;
      clVector **vectors[] = {&z->hi, &z->lo, &r->hi, &r->lo};
      for (int v = 0; v < 4; v++) {
        OK(clVectorCreateGrid(vectors[v], icm->context, icm->size, icm->size));
        const float *values = icm->hi;
        if (v % 2 == 1)
          values = icm->lo;
        OK(clVectorUpload(*vectors[v], values));
      }
    }
}

/* R of section (I, J) <- A - the products of the sections before it. */
static void subtractBefore(const Icm *icm, int I, int J) {
  const Pair *r = &icm->r[I * icm->parts + J];
  for (int K = 0; K < I && K < J; K++) {
    const Pair *l = at(icm, I, K), *u = at(icm, K, J);
    if (l->hi && u->hi)
      OK(clKernelExecute(icm->subtract,
                         &(clKernelRun){.output = {r->hi, r->lo},
                                        .input = {{"r", r->hi},
                                                  {"r2", r->lo},
                                                  {"l", l->hi},
                                                  {"l2", l->lo},
                                                  {"u", u->hi},
                                                  {"u2", u->lo}},
                                        .parameter = {{"size", 1, {(float)icm->size}}}}));
  }
}

/* One sweep over section (I, J); icm->changed <- 1 where an entry has changed. */
static void sweepSection(const Icm *icm, int I, int J) {
  const Pair *z = at(icm, I, J), *r = &icm->r[I * icm->parts + J], *l = z, *u = z, *d = z;
  float side = (float)((I > J) - (I < J));
  if (I > J)
    u = d = at(icm, J, J);
  if (I < J)
    l = d = at(icm, I, I);
  OK(clKernelExecute(
      icm->sweep,
      &(clKernelRun){.output = {z->hi, z->lo, icm->changed},
                     .input = {{"z", z->hi},
                               {"z2", z->lo},
                               {"r", r->hi},
                               {"r2", r->lo},
                               {"l", l->hi},
                               {"l2", l->lo},
                               {"u", u->hi},
                               {"u2", u->lo},
                               {"d", d->hi},
                               {"d2", d->lo}},
                     .parameter = {{"size", 1, {(float)icm->size}},
                                   {"side", 1, {side}},
                                   {"tolerance", 1, {(float)icm->options->tolerance}}}}));
}

static bool hasChanged(const Icm *icm) {
  float most;
  OK(clVectorAbsMax(icm->most, icm->changed));
  OK(clFloatDownload(icm->most, &most));
  return most > 0;
}

static void count(const Icm *icm, int sweeps) {
  icm->report->sweeps += sweeps;
  if (icm->report->most_sweeps < sweeps)
    icm->report->most_sweeps = sweeps;
}

/* After 2 size sweeps every entry is final, whatever the values were before. */
static void convergeSection(const Icm *icm, int I, int J) {
  enum { LOOK = 4 };
  int sweeps = 0;
  if (!at(icm, I, J)->hi)
    return;
  subtractBefore(icm, I, J);
  do {
    for (int k = 0; k < LOOK; k++)
      sweepSection(icm, I, J);
    sweeps += LOOK;
  } while (sweeps < 2 * icm->size && hasChanged(icm));
  count(icm, sweeps);
}

/* ConvRow: what sections of these rows take off each other changes, too, and is computed anew. */
static void convergeRows(const Icm *icm, int I, const PaperMatrix *A) {
  int sweeps = 0;
  bool changes = true;
  while (changes && sweeps < 2 * icm->n) {
    changes = false;
    for (int J = 0; J < icm->parts; J++) {
      if (!at(icm, I, J)->hi)
        continue;
      if (icm->parts > 1) {
        fillSection(icm, A, I, J);
        OK(clVectorUpload(icm->r[I * icm->parts + J].hi, icm->hi));
        OK(clVectorUpload(icm->r[I * icm->parts + J].lo, icm->lo));
        subtractBefore(icm, I, J);
      }
      sweepSection(icm, I, J);
      changes = hasChanged(icm) || changes;
    }
    sweeps++;
  }
  count(icm, sweeps);
}

/* The diagonal's section, then those below and right of it. */
static void converge(const Icm *icm, const PaperMatrix *A) {
  for (int I = 0; I < icm->parts; I++) {
    if (icm->options->rows) {
      convergeRows(icm, I, A);
      continue;
    }
    convergeSection(icm, I, I);
    for (int J = I + 1; J < icm->parts; J++) {
      convergeSection(icm, J, I);
      convergeSection(icm, I, J);
    }
  }
}

static bool download(const Icm *icm, double *z) {
  bool finite = true;
  for (int p = 0; p < icm->parts * icm->parts; p++) {
    if (!icm->z[p].hi)
      continue;
    OK(clVectorDownload(icm->z[p].hi, icm->hi));
    OK(clVectorDownload(icm->z[p].lo, icm->lo));
    for (int k = 0; k < icm->size * icm->size; k++) {
      int i = p / icm->parts * icm->size + k / icm->size,
          j = p % icm->parts * icm->size + k % icm->size;
      if (i >= icm->n || j >= icm->n)
        continue;
      z[(int64_t)i * icm->n + j] = (double)icm->hi[k] + (double)icm->lo[k];
      finite = finite && isfinite(icm->hi[k]);
    }
  }
  return finite;
}

static void destroy(Icm *icm) {
  for (int p = 0; p < icm->parts * icm->parts; p++) {
    clVectorDestroy(icm->z[p].hi);
    clVectorDestroy(icm->z[p].lo);
    clVectorDestroy(icm->r[p].hi);
    clVectorDestroy(icm->r[p].lo);
  }
  clVectorDestroy(icm->changed);
  clFloatDestroy(icm->most);
  clKernelDestroy(icm->subtract);
  clKernelDestroy(icm->sweep);
  free(icm->z);
  free(icm->r);
  free(icm->hi);
  free(icm->lo);
}

bool icmFactor(clContext *context, const PaperMatrix *A, double *z, const IcmOptions *options,
               IcmReport *report) {
  int size = options->section, most = (A->n + 3) / 4 * 4;
  if (size == 0)
    size = (int)fmin(fmax(A->n / 10, 256), 1024);
  size = (int)fmin((size + 3) / 4 * 4, most);
  Icm icm = {.context = context,
             .options = options,
             .report = report,
             .n = A->n,
             .size = size,
             .parts = (A->n + size - 1) / size};
  size_t sections = (size_t)icm.parts * (size_t)icm.parts, entries = (size_t)size * (size_t)size;
  *report = (IcmReport){.section = size};
  icm.z = paperAllocate(sections, sizeof *icm.z);
  icm.r = paperAllocate(sections, sizeof *icm.r);
  icm.hi = paperAllocate(entries, sizeof *icm.hi);
  icm.lo = paperAllocate(entries, sizeof *icm.lo);
  OK(clVectorCreateGrid(&icm.changed, context, size, size));
  OK(clFloatCreate(&icm.most, context));
  createKernel(&icm, &icm.subtract, "icm_subtract", subtract);
  createKernel(&icm, &icm.sweep, "icm_sweep", sweep);
  createSections(&icm, A);
  converge(&icm, A);
  memset(z, 0, (size_t)A->n * (size_t)A->n * sizeof *z);
  bool finite = download(&icm, z);
  destroy(&icm);
  return finite;
}
