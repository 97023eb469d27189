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
static const char *const part_name[PARTS] = {"first_weights", "last_weights", "inverted", "lower",
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

/* The unknowns of a block in texels: four numbers of one system, or one number of each of four
 * systems. */
static int layersOf(const work *w, int level) {
  if (w->vector)
    return w->level[level].block;
  return w->level[level].block / 4;
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

/* The levels: each one has the first and last rows of the blocks of the level before. */
static void plan(work *w) {
  const txLayout *layout = &w->T->layout;
  bool along_x = txTridiagonalAlongX(w->T);
  int rows = layout->height, systems = (int)layout->row;
  if (along_x) {
    rows = (int)layout->row;
    systems = layout->height;
  }
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

/* A texture of as many layers with a texel for each block of a level. */
static clStatus createLayers(const work *w, txTexture **out, int level, int layers) {
  const txTridiagonalLevel *l = &w->level[level];
  int width = l->systems, height = l->blocks;
  if (l->along_x) {
    width = l->blocks;
    height = l->systems;
  }
  if (layers == 1)
    return txTextureCreate(out, w->T->context, w->call, TX_RGBA32F, width, height);
  return txLayersCreate(out, w->T->context, w->call, TX_RGBA32F, width, height, layers);
}

/* Where the rows come from; with factors, the right-hand sides. */
static void addRows(const work *w, int level, txPass *pass, txDefines *defines) {
  const clTridiagonalBands *A = w->A;
  if (level) {
    txTridiagonalSource(pass, "longer", w->rows[level]);
    return;
  }
  if (!w->factors && A->packed) {
    txDefine(defines, "PACKED", 1);
    txTridiagonalSource(pass, "texels", A->packed->texture);
    return;
  }
  txDefine(defines, "BANDS", 1);
  if (w->factors)
    txTridiagonalSource(pass, "rhs", w->rhs->texture);
  else
    txTridiagonalAddBands(pass, defines, A, w->rhs);
  if (w->lines) {
    txDefine(defines, "STRIPED", 1);
    txPassUniform(pass, (txUniform){"stripe", 1, {w->lines == TX_LINES_ODD}});
  }
}

/* The parts of the factors that a pass reads. */
static void addFactors(const work *w, int level, txPass *pass, bool weights, bool pivots,
                       bool corner) {
  int first = INVERSE, end = INVERSE;
  if (weights)
    first = FIRST_WEIGHTS;
  if (pivots)
    end = PARTS;
  for (int k = first; k < end; k++)
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
  if (l->along_x)
    return (txRect){0, 0, full, target->height};
  return (txRect){0, 0, target->width, full};
}

/* Runs `kernel`, in the variant that `defines` begins, on all blocks of a level; `inner`: with a
 * program of its own for those that have all their rows. */
static clStatus runBlocks(const work *w, int level, const char *kernel, txDefines defines,
                          txPass *pass, bool inner) {
  int block = w->level[level].block;
  txDefineIf(&defines, w->level[level].along_x, "ALONG_X");
  txDefineIf(&defines, w->vector, "VECTOR");
  txDefine(&defines, "M", block);
  addRows(w, level, pass, &defines);
  txPassUniform(pass, (txUniform){"rows", 1, {(float)w->level[level].rows}});
  pass->kernel = kernel;
  pass->defines = defines.text;
  if (inner)
    pass->inside = fullBlocks(w, level, pass->target[0]);
  pass->work = 4 * block;
  clStatus status = txPassRun(w->T->context, w->call, pass);
  pass->defines = NULL;
  return status;
}

/* The two rows that a block is reduced to: four numbers each, or, with factors, a right-hand side
 * each; a texel holds four numbers of one system, or a number of each of four systems. */
static int layersOfRows(const work *w) {
  int numbers = 8;
  if (w->factors)
    numbers = 2;
  if (w->vector)
    return numbers;
  return (numbers + 3) / 4;
}

/* Level `level` + 1 <- the rows that the blocks of a level are reduced to. */
static clStatus reduce(work *w, int level) {
  const char *kernel = "tridiagonal_reduce";
  TRY(createLayers(w, &w->rows[level + 1], level, layersOfRows(w)));
  txPass pass = {.target = {w->rows[level + 1]}};
  if (w->factors) {
    kernel = "tridiagonal_factored_reduce";
    addFactors(w, level, &pass, true, false, false);
  }
  return runBlocks(w, level, kernel, (txDefines){""}, &pass, true);
}

/* The unknowns of a level, from those of the next one, which are the first and last of each block;
 * the last level is one block. */
static clStatus solve(work *w, int level) {
  txDefines defines = {""};
  const char *kernel = "tridiagonal_solve";
  bool whole = level == w->levels - 1;
  TRY(createLayers(w, &w->unknowns[level], level, layersOf(w, level)));
  txPass pass = {.target = {w->unknowns[level]}};
  if (whole) {
    txDefine(&defines, "WHOLE", 1);
    txDefineIf(&defines, w->T->options.periodic, "PERIODIC");
  } else {
    bool fold = w->level[level].along_x && !w->level[level + 1].along_x;
    txDefine(&defines, "UPPER", w->level[level + 1].block);
    txDefineIf(&defines, fold, "FOLD");
    txTridiagonalSource(&pass, "shorter", w->unknowns[level + 1]);
  }
  if (w->factors) {
    kernel = "tridiagonal_factored_solve";
    addFactors(w, level, &pass, whole, true, whole);
  }
  return runBlocks(w, level, kernel, defines, &pass, true);
}

/* x <- the layers of the first level's unknowns, in the order of the grid. */
static clStatus join(const work *w, clVector *x) {
  txDefines defines = {""};
  txDefine(&defines, "LAYERS", layersOf(w, 0));
  txDefineIf(&defines, w->level[0].along_x, "ALONG_X");
  txDefineIf(&defines, w->vector, "VECTOR");
  txDefineIf(&defines, w->lines, "ZEBRA");
  txDefineText(&defines, txFullDefine(&x->layout));
  txPass pass = {.kernel = "tridiagonal_join",
                 .defines = defines.text,
                 .source = {{"parts", w->unknowns[0], TX_EDGE}},
                 .uniform = {{"parity", 1, {w->lines == TX_LINES_ODD}}},
                 .work = 4};
  if (w->lines)
    txTridiagonalSource(&pass, "old", x->texture);
  return txVectorRun(w->call, &pass, x);
}

static bool isVector(const clTridiagonal *T, const clTridiagonalBands *A) {
  return !txTridiagonalAlongX(T) && !A->packed;
}

/* The textures of all levels; those that were never made are NULL. */
static void freeLevels(work *w) {
  for (int i = 0; i < w->levels; i++) {
    txTextureDestroy(w->rows[i]);
    txTextureDestroy(w->unknowns[i]);
  }
}

/* Down the levels rows are eliminated, up again unknowns are substituted. */
static clStatus solveWork(work *w, clVector *x) {
  clStatus status = TEXLA_OK;
  plan(w);
  for (int i = 0; i < w->levels - 1; i++)
    TRY_CLEANUP(reduce(w, i));
  for (int i = w->levels - 1; i >= 0; i--)
    TRY_CLEANUP(solve(w, i));
  TRY_CLEANUP(join(w, x));
cleanup:
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

/* One size of blocks, for the tuning. */
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
  const char *key = "tridiagonal-rows";
  *block = BLOCK;
  if (isVector(T, A))
    *block = BLOCK_VECTOR;
  if (T->layout.length < ENOUGH_TO_MEASURE || *block == BLOCK_VECTOR)
    return TEXLA_OK;
  if (!txTridiagonalAlongX(T))
    key = "tridiagonal-columns";
  else if (A->packed)
    key = "tridiagonal-packed";
  trial t = {T, call, NULL, A, rhs};
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
  txDefines defines = {""};
  int count = layersOf(w, level), width = layers->width, height = layers->height;
  bool along_x = w->level[level].along_x;
  if (along_x)
    width *= count;
  else
    height *= count;
  txDefine(&defines, "LAYERS", count);
  txDefine(&defines, "M", w->block);
  txDefineIf(&defines, along_x, "ALONG_X");
  txPass pass = {.kernel = "tridiagonal_lay",
                 .defines = defines.text,
                 .source = {{"layers", layers, TX_EDGE}}};
  return txPassInto(out, w->T->context, w->call, &pass, TX_RGBA32F, width, height);
}

/* Part `what` of a level's factors: computed in layers, kept side by side. */
static clStatus makePart(const work *w, txTridiagonalFactors *f, int level, int what) {
  txTexture *layers = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLayers(w, &layers, level, layersOf(w, level)));
  txPass pass = {.target = {layers}, .uniform = {{"what", 1, {(float)what}}}};
  TRY_CLEANUP(runBlocks(w, level, "tridiagonal_factor", (txDefines){""}, &pass, false));
  TRY_CLEANUP(lay(w, level, &f->part[level][what], layers));
cleanup:
  txTextureDestroy(layers);
  return status;
}

/* What couples the ends of each system of the last level, which has one block. */
static clStatus makeCorner(const work *w, txTridiagonalFactors *f) {
  txDefines defines = {""};
  int last = w->levels - 1, layers = 1;
  if (w->vector)
    layers = 4;
  TRY(createLayers(w, &f->corner, last, layers));
  txDefineIf(&defines, w->T->options.periodic, "PERIODIC");
  txPass pass = {.target = {f->corner}};
  return runBlocks(w, last, "tridiagonal_corner", defines, &pass, false);
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
  clStatus status = TEXLA_OK;
  work w = {.T = T, .call = call, .A = A, .rhs = rhs, .vector = isVector(T, A), .lines = lines};
  TRY_CLEANUP(chooseBlock(&f->block, T, call, A, rhs));
  w.block = f->block;
  plan(&w);
  for (int level = 0; level < w.levels; level++) {
    for (int what = 0; what < PARTS; what++)
      TRY_CLEANUP(makePart(&w, f, level, what));
    if (level < w.levels - 1)
      TRY_CLEANUP(reduce(&w, level));
  }
  TRY_CLEANUP(makeCorner(&w, f));
  *out = f;
  f = NULL;
cleanup:
  freeLevels(&w);
  txTridiagonalFactorsDestroy(f);
  return status;
}

clStatus txTridiagonalFactorsSolve(const txTridiagonalFactors *f, const clTridiagonal *T,
                                   const char *call, clVector *x, const clVector *rhs,
                                   txTridiagonalLines lines) {
  work w = {.T = T,
            .call = call,
            .rhs = rhs,
            .vector = !txTridiagonalAlongX(T),
            .lines = lines,
            .factors = f,
            .block = f->block};
  return solveWork(&w, x);
}
