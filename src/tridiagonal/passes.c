/* Solving a batch: each level is reduced to the next, the last one solved, and on the way back each
 * level's inner unknowns follow from the next level's.
 *
 *     reduce   level i's first and last rows of blocks, their inner unknowns eliminated: level i +
 *              1
 *     solve    the unknowns of level i, in layers: each fragment has those of a block
 *     join     the layers of level 0 become x
 *
 * A fragment fetches each of its rows once in `reduce` and once in `solve`, which is what a
 * solution costs: with blocks of M rows the next level has 2 / M as many. Rows of x are a texel of
 * four elements or, where a texel holds four systems, four systems wide, and a fragment renders
 * eight texels at most: hence the blocks of 32 and of 8 rows. */
#include "core/numbers.h"
#include "core/allocate.h"
#include "core/try.h"
#include "tridiagonal/tridiagonal.h"
#include "gl/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What of a factorization the passes over right-hand sides read:
 * shaders/tridiagonal/tridiagonal_factor.frag. */
enum { FIRST_WEIGHTS, LAST_WEIGHTS, INVERSE, LOWER, RATIO, PARTS };
static const char *const part_name[PARTS] = {"first_weights", "last_weights", "inverse", "lower",
                                             "ratio"};

struct txTridiagonalFactors {
  int block;
  txTexture *part[TX_TRIDIAGONAL_LEVELS][PARTS], *corner;
};

enum { BLOCK_VECTOR = 8, BLOCK = 16, LEVELS = TX_TRIDIAGONAL_LEVELS, ENOUGH_TO_MEASURE = 1 << 18 };

typedef struct work {
  const clTridiagonal *T;
  const char *call;
  const clTridiagonalBands *A;
  const clVector *rhs;
  /* a fragment's numbers are those of four systems */
  bool vector;
  txTridiagonalLines lines;
  /* NULL: A's rows are fetched and eliminated */
  const txTridiagonalFactors *factors;
  int block, levels;
  txTridiagonalLevel level[LEVELS];
  /* of levels 1, 2, ... */
  txTexture *rows[LEVELS];
  /* layers */
  txTexture *unknowns[LEVELS];
} work;

static int layersOf(const work *w, int level) {
  return w->level[level].block / (w->vector ? 1 : 4);
}

/* The level after `l`, when its blocks are reduced to two rows each, or to one. Rows of a folded
 * system are systems of their own until each has only one block left; then their first and last
 * rows make up a column. */
static txTridiagonalLevel shorter(const work *w, const txTridiagonalLevel *l) {
  txTridiagonalLevel next = *l;
  if (l->blocks == 1) {
    next.along_x = false;
    next.rows = 2 * l->systems;
    next.systems = 1;
  } else {
    next.rows = 2 * (l->blocks - 1) + txLeast(2, l->rows - (l->blocks - 1) * l->block);
  }
  next.blocks = (next.rows + w->block - 1) / w->block;
  return next;
}

static bool isLast(const work *w, const txTridiagonalLevel *l) {
  return l->blocks == 1 && (l->systems == 1 || !l->along_x || !w->T->options.folded);
}

static void plan(work *w) {
  const txLayout *layout = &w->T->layout;
  bool along_x = w->T->options.axis == TEXLA_AXIS_X;
  int rows = along_x ? (int)layout->row : layout->height;
  int systems = along_x ? layout->height : (int)layout->row;
  if (w->lines)
    systems = (systems + (w->lines == TX_LINES_EVEN)) / 2;
  if (w->vector)
    systems = (systems + 3) / 4;
  txTridiagonalLevel level = {rows, w->block, (rows + w->block - 1) / w->block, systems, along_x};
  for (w->levels = 1; !isLast(w, &level) && w->levels < LEVELS; w->levels++) {
    w->level[w->levels - 1] = level;
    level = shorter(w, &level);
  }
  w->level[w->levels - 1] = level;
}

/* Layers with a texel for each block of a level. */
static clStatus createLayers(const work *w, txTexture **out, int level, int layers) {
  const txTridiagonalLevel *l = &w->level[level];
  return txLayersCreate(out, w->T->context, w->call, TX_RGBA32F,
                        l->along_x ? l->blocks : l->systems, l->along_x ? l->systems : l->blocks,
                        layers);
}

/* Where the rows come from; with factors, the right-hand sides. */
static void addRows(const work *w, int level, txPass *pass, char *defines, size_t n) {
  const clTridiagonalBands *A = w->A;
  if (level) {
    txTridiagonalSource(pass, "longer", w->rows[level]);
    return;
  }
  if (!w->factors && A->packed) {
    txTridiagonalDefine(defines, n, "PACKED", 1);
    txTridiagonalSource(pass, "texels", A->packed->texture);
    return;
  }
  txTridiagonalDefine(defines, n, "BANDS", 1);
  if (w->factors)
    txTridiagonalSource(pass, "rhs", w->rhs->texture);
  else
    txTridiagonalAddBands(pass, defines, n, A, w->rhs);
  if (w->lines) {
    txTridiagonalDefine(defines, n, "STRIPED", 1);
    txPassUniform(pass, (txUniform){"stripe", 1, {w->lines == TX_LINES_ODD}});
  }
}

/* The parts of the factors that a pass reads. */
static void addFactors(const work *w, int level, txPass *pass, bool weights, bool pivots,
                       bool corner) {
  for (int k = weights ? FIRST_WEIGHTS : INVERSE; k < (pivots ? PARTS : INVERSE); k++)
    txTridiagonalSource(pass, part_name[k], w->factors->part[level][k]);
  if (corner)
    txTridiagonalSource(pass, "corner", w->factors->corner);
}

/* All blocks but the last of each system have all their rows. */
static txRect fullBlocks(const work *w, int level, const txTexture *target) {
  const txTridiagonalLevel *l = &w->level[level];
  int full = l->rows / l->block;
  if (!full)
    return (txRect){0, 0, 0, 0};
  return l->along_x ? (txRect){0, 0, full, target->height} : (txRect){0, 0, target->width, full};
}

/* Runs `kernel` on all blocks of a level; `inner`: with a program of its own for those that have
 * all their rows. */
static clStatus runBlocks(const work *w, int level, const char *kernel, const char *more,
                          txPass *pass, bool inner) {
  char defines[512] = "";
  size_t n = sizeof defines;
  int block = w->level[level].block;
  snprintf(defines, n, "%s%s%s", more, w->level[level].along_x ? "#define ALONG_X\n" : "",
           w->vector ? "#define VECTOR\n" : "");
  txTridiagonalDefine(defines, n, "M", block);
  addRows(w, level, pass, defines, n);
  txPassUniform(pass, (txUniform){"rows", 1, {(float)w->level[level].rows}});
  pass->kernel = kernel;
  pass->defines = defines;
  if (inner)
    pass->inside = fullBlocks(w, level, pass->target[0]);
  pass->work = 4 * block;
  clStatus status = txPassRun(w->T->context, w->call, pass);
  pass->defines = NULL;
  return status;
}

/* Makes room for the next level's rows. */
static clStatus createRows(work *w, int level, int layers) {
  const txTridiagonalLevel *l = &w->level[level];
  int width = l->along_x ? l->blocks : l->systems, height = l->along_x ? l->systems : l->blocks;
  txTexture **out = &w->rows[level + 1];
  return layers > 1 ? createLayers(w, out, level, layers)
                    : txTextureCreate(out, w->T->context, w->call, TX_RGBA32F, width, height);
}

static clStatus reduce(work *w, int level) {
  TRY(createRows(w, level, w->factors ? (w->vector ? 2 : 1) : w->vector ? 8 : 2));
  txPass pass = {.target = {w->rows[level + 1]}};
  if (w->factors)
    addFactors(w, level, &pass, true, false, false);
  return runBlocks(w, level, w->factors ? "tridiagonal_factored_reduce" : "tridiagonal_reduce", "",
                   &pass, true);
}

static clStatus solve(work *w, int level) {
  char text[64];
  bool whole = level == w->levels - 1;
  TRY(createLayers(w, &w->unknowns[level], level, layersOf(w, level)));
  txPass pass = {.target = {w->unknowns[level]}};
  if (whole) {
    snprintf(text, sizeof text, "#define WHOLE\n%s",
             w->T->options.periodic ? "#define PERIODIC\n" : "");
  } else {
    bool fold = w->level[level].along_x && !w->level[level + 1].along_x;
    snprintf(text, sizeof text, "#define UPPER %d\n%s", w->level[level + 1].block,
             fold ? "#define FOLD\n" : "");
    txTridiagonalSource(&pass, "shorter", w->unknowns[level + 1]);
  }
  if (w->factors)
    addFactors(w, level, &pass, whole, true, whole);
  return runBlocks(w, level, w->factors ? "tridiagonal_factored_solve" : "tridiagonal_solve", text,
                   &pass, true);
}

static clStatus join(const work *w, clVector *x) {
  char text[128];
  snprintf(text, sizeof text, "#define LAYERS %d\n%s%s%s%s", layersOf(w, 0),
           w->level[0].along_x ? "#define ALONG_X\n" : "", w->vector ? "#define VECTOR\n" : "",
           w->lines ? "#define ZEBRA\n" : "", txFullDefine(&x->layout));
  txPass pass = {.kernel = "tridiagonal_join",
                 .defines = text,
                 .source = {{"parts", w->unknowns[0], TX_EDGE}},
                 .uniform = {{"parity", 1, {w->lines == TX_LINES_ODD}}},
                 .work = 4};
  if (w->lines)
    txTridiagonalSource(&pass, "old", x->texture);
  return txVectorRun(w->call, &pass, x);
}

static bool isVector(const clTridiagonal *T, const clTridiagonalBands *A) {
  return T->options.axis == TEXLA_AXIS_Y && !A->packed;
}

static void freeLevels(work *w) {
  for (int i = 0; i < w->levels; i++) {
    txTextureDestroy(w->rows[i]);
    txTextureDestroy(w->unknowns[i]);
  }
}

static clStatus solveWork(work *w, clVector *x) {
  plan(w);
  clStatus status = TEXLA_OK;
  for (int i = 0; i < w->levels - 1 && !status; i++)
    status = reduce(w, i);
  for (int i = w->levels - 1; i >= 0 && !status; i--)
    status = solve(w, i);
  if (!status)
    status = join(w, x);
  freeLevels(w);
  return status;
}

static clStatus solveIn(int block, const clTridiagonal *T, const char *call, clVector *x,
                        const clTridiagonalBands *A, const clVector *rhs) {
  work w = {.T = T, .call = call, .A = A, .rhs = rhs, .vector = isVector(T, A), .block = block};
  return solveWork(&w, x);
}

/* What is measured: the solution at hand, into a vector of its own. */
typedef struct trial {
  const clTridiagonal *T;
  const char *call;
  clVector *x;
  const clTridiagonalBands *A;
  const clVector *rhs;
} trial;

static clStatus runTrial(void *user, int block) {
  trial *t = user;
  if (!t->x)
    TRY(txVectorCreate(&t->x, t->T->context, t->call, &t->T->layout));
  return solveIn(block, t->T, t->call, t->x, t->A, t->rhs);
}

/* Rows of a block. Long blocks are fewer passes and shorter systems left, short ones fewer
 * registers; small batches tell nothing. */
static clStatus chooseBlock(int *block, const clTridiagonal *T, const char *call,
                            const clTridiagonalBands *A, const clVector *rhs) {
  static const int candidates[] = {8, 16, 32};
  bool along_x = T->options.axis == TEXLA_AXIS_X;
  *block = along_x || A->packed ? BLOCK : BLOCK_VECTOR;
  if (T->layout.length < ENOUGH_TO_MEASURE || *block == BLOCK_VECTOR)
    return TEXLA_OK;
  trial t = {T, call, NULL, A, rhs};
  const char *key = !along_x    ? "tridiagonal-columns"
                    : A->packed ? "tridiagonal-packed"
                                : "tridiagonal-rows";
  clStatus status = txTuningChoose(T->context, key, candidates, 3, runTrial, &t, BLOCK, block);
  clVectorDestroy(t.x);
  return status;
}

clStatus txTridiagonalBlocks(const clTridiagonal *T, const char *call, clVector *x,
                             const clTridiagonalBands *A, const clVector *rhs) {
  int block;
  TRY(chooseBlock(&block, T, call, A, rhs));
  return solveIn(block, T, call, x, A, rhs);
}

/* ---- Factorizations -------------------------------------------------------------------------- */

/* *out <- the layers of a level's blocks side by side along the systems. */
static clStatus lay(const work *w, int level, txTexture **out, const txTexture *layers) {
  char text[64];
  int count = layersOf(w, level), width = layers->width, height = layers->height;
  bool along_x = w->level[level].along_x;
  snprintf(text, sizeof text, "#define LAYERS %d\n#define M %d\n%s", count, w->block,
           along_x ? "#define ALONG_X\n" : "");
  txPass pass = {
      .kernel = "tridiagonal_lay", .defines = text, .source = {{"layers", layers, TX_EDGE}}};
  clStatus status =
      txTextureCreate(out, w->T->context, w->call, TX_RGBA32F, along_x ? width * count : width,
                      along_x ? height : height * count);
  pass.target[0] = *out;
  return status ? status : txPassRun(w->T->context, w->call, &pass);
}

static clStatus makePart(const work *w, txTridiagonalFactors *f, int level, int what) {
  txTexture *layers = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLayers(w, &layers, level, layersOf(w, level)));
  txPass pass = {.target = {layers}, .uniform = {{"what", 1, {(float)what}}}};
  TRY_CLEANUP(runBlocks(w, level, "tridiagonal_factor", "", &pass, false));
  TRY_CLEANUP(lay(w, level, &f->part[level][what], layers));
cleanup:
  txTextureDestroy(layers);
  return status;
}

static clStatus makeCorner(const work *w, txTridiagonalFactors *f) {
  const txTridiagonalLevel *l = &w->level[w->levels - 1];
  int width = l->along_x ? 1 : l->systems, height = l->along_x ? l->systems : 1;
  clContext *context = w->T->context;
  if (w->vector)
    TRY(txLayersCreate(&f->corner, context, w->call, TX_RGBA32F, width, height, 4));
  else
    TRY(txTextureCreate(&f->corner, context, w->call, TX_RGBA32F, width, height));
  txPass pass = {.target = {f->corner}};
  return runBlocks(w, w->levels - 1, "tridiagonal_corner",
                   w->T->options.periodic ? "#define PERIODIC\n" : "", &pass, false);
}

void txTridiagonalFactorsDestroy(txTridiagonalFactors *f) {
  for (int i = 0; f && i < LEVELS; i++)
    for (int k = 0; k < PARTS; k++)
      txTextureDestroy(f->part[i][k]);
  if (f)
    txTextureDestroy(f->corner);
  free(f);
}

clStatus txTridiagonalFactorsCreate(txTridiagonalFactors **out, const clTridiagonal *T,
                                    const char *call, const clTridiagonalBands *A,
                                    const clVector *rhs, txTridiagonalLines lines) {
  txTridiagonalFactors *f =
      txAllocate(txContextError(T->context), call, 1, sizeof *f, "a factorization");
  if (!f)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = chooseBlock(&f->block, T, call, A, rhs);
  work w = {.T = T,
            .call = call,
            .A = A,
            .rhs = rhs,
            .vector = isVector(T, A),
            .lines = lines,
            .block = f->block};
  if (!status)
    plan(&w);
  for (int level = 0; level < w.levels && !status; level++) {
    for (int what = 0; what < PARTS && !status; what++)
      status = makePart(&w, f, level, what);
    if (!status)
      status = level < w.levels - 1 ? reduce(&w, level) : makeCorner(&w, f);
  }
  freeLevels(&w);
  if (status)
    txTridiagonalFactorsDestroy(f);
  else
    *out = f;
  return status;
}

clStatus txTridiagonalFactorsSolve(const txTridiagonalFactors *f, const clTridiagonal *T,
                                   const char *call, clVector *x, const clVector *rhs,
                                   txTridiagonalLines lines) {
  work w = {.T = T,
            .call = call,
            .rhs = rhs,
            .vector = T->options.axis == TEXLA_AXIS_Y,
            .lines = lines,
            .factors = f,
            .block = f->block};
  return solveWork(&w, x);
}
