#include "sim/helmholtz.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/context.h"
#include "sim/chebyshev.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdlib.h>

/* Sweeps before and after the coarse correction; where coarsening ends. */
enum { PRE = 2, POST = 2, LEAST_CELLS = 4, MOST_LEVELS = 12 };

static const double least_c = 1;

typedef struct Level {
  int n[2];
  double c;
  float ghost[4];
  /* On the finest level they are the caller's. */
  clVector *x;
  const clVector *b;
  clVector *own[2];
} Level;

struct txHelmholtz {
  clContext *context;
  bool around[2];
  Level level[MOST_LEVELS];
  /* Where rows end with a texel, and where they do not. */
  clKernel *start[2], *sweep[2], *restriction[2], *prolongation[2];
};

/* Two grids that differ by a factor of two see waves of four to eight fine cells differently: the
 * coarse one takes them for smoother than they are, and diffuses them less. With nine tenths of c
 * it gives more back of them, and where c is moderate hardly too much of longer ones. */
static double coarseC(double c) {
  if (c > 40)
    return c / 4;
  return 0.9 * c / 4;
}

/* How many grids there are until c is small, *ends the last one's. */
static int levelsOf(int nx, int ny, double c, double *ends) {
  int levels = 1;
  while (c > least_c && levels < MOST_LEVELS && nx % 2 == 0 && ny % 2 == 0 &&
         fmin(nx, ny) >= 2 * LEAST_CELLS) {
    nx /= 2;
    ny /= 2;
    c = coarseC(c);
    levels++;
  }
  *ends = c;
  return levels;
}

/* Sweeps are enough if c is small. A cycle leaves 0.064 of an error up to c = 40, then 0.13:
 * computed in double, on 64^2 and 256^2 cells with all kinds of sides; the loops are in
 * tests/sim/test_helmholtz.c. */
int txHelmholtzCycles(int nx, int ny, double c) {
  double ends;
  int levels = levelsOf(nx, ny, c, &ends);
  if (ends > least_c)
    return 0;
  if (levels == 1)
    return 1;
  if (c <= 40)
    return 4;
  if (c <= 200)
    return 5;
  return 6;
}

/* Measured on an H200 with 256^2 to 1024^2 cells, on llvmpipe with 128^2 to 512^2 (docs/lab.md). */
int txHelmholtzMostSweeps(const clContext *context, int nx, int ny) {
  if (clContextInspect(context)->software)
    return 48;
  return (int)fmin(fmax(30720 / sqrt((double)nx * ny), 30), 48);
}

#define SWEEP "#include \"sim/helmholtz_sweep.frag\"\n"
#define RESTRICT "#include \"sim/helmholtz_restrict.frag\"\n"
#define PROLONG "#include \"sim/helmholtz_prolong.frag\"\n"

clStatus txHelmholtzCreate(txHelmholtz **out, clContext *context, int nx, int ny, bool around_x,
                           bool around_y) {
  txHelmholtz *h = txAllocate(txContextError(context), "txHelmholtzCreate", 1, sizeof *h, "cycles");
  if (!h)
    return TEXLA_OUT_OF_MEMORY;
  txShadersAdd(context, txSimShaderFiles);
  *h =
      (txHelmholtz){.context = context, .around = {around_x, around_y}, .level = {{.n = {nx, ny}}}};
  const struct {
    clKernel **kernel;
    const char *source[2];
  } list[] = {{h->start, {"#define START\n" SWEEP, "#define PARTIAL\n#define START\n" SWEEP}},
              {h->sweep, {SWEEP, "#define PARTIAL\n" SWEEP}},
              {h->restriction, {RESTRICT, "#define PARTIAL\n" RESTRICT}},
              {h->prolongation, {PROLONG, "#define PARTIAL\n" PROLONG}}};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 8; k++)
    TRY_CLEANUP(clKernelCreate(&list[k / 2].kernel[k % 2], context, "1 - c lap",
                               list[k / 2].source[k % 2]));
  *out = h;
  h = NULL;
cleanup:
  txHelmholtzDestroy(h);
  return status;
}

void txHelmholtzDestroy(txHelmholtz *h) {
  if (!h)
    return;
  for (int k = 0; k < 2; k++) {
    clKernelDestroy(h->start[k]);
    clKernelDestroy(h->sweep[k]);
    clKernelDestroy(h->restriction[k]);
    clKernelDestroy(h->prolongation[k]);
  }
  for (int l = 0; l < MOST_LEVELS; l++)
    for (int k = 0; k < 2; k++)
      clVectorDestroy(h->level[l].own[k]);
  free(h);
}

/* What stands beyond a side: a straight line through the outermost cell has its zero where x has.
 * The middle of 2^l cells is (2^l - 1) / 2 of them further in than that of the outermost one. */
static float ghostOf(const txHelmholtzSide *side, int level) {
  const double least = 1e-4, cells = ldexp(1, level);
  if (!side->fixed)
    return 1;
  return (float)(1 - 1 / fmax((side->distance + (cells - 1) / 2) / cells, least));
}

/* The levels for this c; those that are missing are made. */
static clStatus prepare(txHelmholtz *h, int levels, double c, const txHelmholtzSide side[4]) {
  for (int l = 0; l < levels; l++) {
    Level *v = &h->level[l];
    v->c = c;
    c = coarseC(c);
    for (int s = 0; s < 4; s++)
      v->ghost[s] = h->around[s / 2] ? 0 : ghostOf(&side[s], l);
    if (l == 0)
      continue;
    for (int k = 0; k < 2; k++) {
      v->n[k] = v[-1].n[k] / 2;
      if (!v->own[k])
        TRY(clVectorCreateGrid(&v->own[k], h->context, v[-1].n[0] / 2, v[-1].n[1] / 2));
    }
    v->x = v->own[0];
    v->b = v->own[1];
  }
  return TEXLA_OK;
}

/* A pass with the operator of level v. */
static clKernelRun runOn(const txHelmholtz *h, const Level *v, double w, double first) {
  clKernelRun run = {.keeps_zero = true};
  txRunParameter(&run, "shape", 4, v->n[0], v->n[1], h->around[0], h->around[1]);
  txRunParameter(&run, "ghost", 4, (double)v->ghost[0], (double)v->ghost[1], (double)v->ghost[2],
                 (double)v->ghost[3]);
  txRunParameter(&run, "system", 4, v->c, w, first, 0);
  return run;
}

/* The rim is drawn on its own from so many texels on: few, since it asks much for each of them. */
static clStatus draw(clKernel *const kernel[2], const Level *v, const clKernelRun *run) {
  const int least = 512;
  return txRunSplit(kernel[v->n[0] % 4 != 0], run, least);
}

static clStatus sweep(txHelmholtz *h, Level *v, double w) {
  clKernelRun run = runOn(h, v, w, 0);
  txRunInput(&run, "x", v->x);
  txRunInput(&run, "b", v->b);
  run.output[0] = v->x;
  return draw(h->sweep, v, &run);
}

/* x <- two sweeps from zero */
static clStatus sweepTwice(txHelmholtz *h, Level *v, double first, double second) {
  clKernelRun run = runOn(h, v, second, first);
  txRunInput(&run, "b", v->b);
  run.output[0] = v->x;
  return draw(h->start, v, &run);
}

/* The next level's b <- what x leaves of this one's. */
static clStatus goDown(txHelmholtz *h, Level *v) {
  clKernelRun run = runOn(h, v, 0, 0);
  run.input[0] = (clKernelInput){"x", v->x, true};
  run.input[1] = (clKernelInput){"b", v->b, true};
  run.output[0] = v[1].own[1];
  return draw(h->restriction, v, &run);
}

/* x <- x + the next level's x */
static clStatus goUp(txHelmholtz *h, Level *v) {
  clKernelRun run = runOn(h, v + 1, 0, 0);
  run.input[0] = (clKernelInput){"x", v->x, false};
  run.input[1] = (clKernelInput){"e", v[1].x, true};
  run.output[0] = v->x;
  return draw(h->prolongation, v + 1, &run);
}

/* The coarsest grid, from zero, in two sweeps at least: its error becomes eight times smaller, or
 * 10^5 times if there is no other grid. */
static clStatus solveCoarsest(txHelmholtz *h, Level *v) {
  double rho = 4 * v->c / (1 + 4 * v->c);
  int n = (int)fmax(2, ceil(acosh(8) / acosh(1 / rho)));
  if (v == h->level)
    n = txChebyshevSweeps(rho) + 2;
  TRY(sweepTwice(h, v, txChebyshevWeight(0, n, rho), txChebyshevWeight(1, n, rho)));
  for (int k = 2; k < n; k++)
    TRY(sweep(h, v, txChebyshevWeight(k, n, rho)));
  return TEXLA_OK;
}

/* Weight k of a cycle's sweeps: one over a root of the Chebyshev polynomial on those eigenvalues of
 * D^-1 (1 - c lap) whose waves coarse grids do not see, and some more. */
static double weight(double c, int k) {
  double low = (1 + 1.6 * c) / (1 + 4 * c), high = (1 + 8 * c) / (1 + 4 * c);
  double root =
      (high + low) / 2 + (high - low) / 2 * cos(3.14159265358979 * (k + 0.5) / (PRE + POST));
  return 1 / root;
}

/* One V-cycle; with `zero` x counts as that. */
static clStatus cycle(txHelmholtz *h, int l, int levels, bool zero) {
  Level *v = &h->level[l];
  if (l == levels - 1)
    return solveCoarsest(h, v);
  if (zero)
    TRY(sweepTwice(h, v, weight(v->c, 0), weight(v->c, 1)));
  for (int k = 0; k < PRE && !zero; k++)
    TRY(sweep(h, v, weight(v->c, k)));
  TRY(goDown(h, v));
  TRY(cycle(h, l + 1, levels, true));
  TRY(goUp(h, v));
  for (int k = PRE; k < PRE + POST; k++)
    TRY(sweep(h, v, weight(v->c, k)));
  return TEXLA_OK;
}

clStatus txHelmholtzSolve(txHelmholtz *h, clVector *x, const clVector *b, double c, int cycles,
                          const txHelmholtzSide side[4]) {
  double ends;
  Level *finest = &h->level[0];
  int levels = levelsOf(finest->n[0], finest->n[1], c, &ends);
  TRY(prepare(h, levels, c, side));
  finest->x = x;
  finest->b = b;
  for (int k = 0; k < cycles; k++)
    TRY(cycle(h, 0, levels, k == 0));
  return TEXLA_OK;
}
