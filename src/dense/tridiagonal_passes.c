/* Solving a batch: each level is reduced to the next, the last one solved, and on the way back each level's inner unknowns follow
 * from the next level's.
 *
 *     reduce   level i's first and last rows of blocks, their inner unknowns eliminated: level i + 1
 *     solve    the unknowns of level i, in layers: each fragment has those of a block
 *     join     the layers of level 0 become x
 *
 * A fragment fetches each of its rows once in `reduce` and once in `solve`, which is what a solution costs: with blocks of M rows the
 * next level has 2 / M as many. Rows of x are a texel of four elements or, where a texel holds four systems, four systems wide,
 * and a fragment renders eight texels at most: hence the blocks of 32 and of 8 rows. */
#include "core/numbers.h"
#include "dense/tridiagonal.h"
#include "gl/tuning.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_VECTOR = 8, BLOCK = 16, LEVELS = TX_TRIDIAGONAL_LEVELS, ENOUGH_TO_MEASURE = 1 << 18 };

typedef struct work {
  const clTridiagonal *T;
  const char *call;
  const clTridiagonalBands *A;
  const clVector *rhs;
  bool vector; /* a fragment's numbers are those of four systems */
  txTridiagonalLines lines;
  int block, levels;
  txTridiagonalLevel level[LEVELS];
  txTexture *rows[LEVELS];     /* of levels 1, 2, ... */
  txTexture *unknowns[LEVELS]; /* layers */
} work;

static int layersOf(const work *w, int level) {
  return w->level[level].block / (w->vector ? 1 : 4);
}

/* The level after `l`, when its blocks are reduced to two rows each, or to one. Rows of a folded system are systems of their own until
 * each has only one block left; then their first and last rows make up a column. */
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

/* Every second row of the grid: only those are computed. Columns share texels, so all of them are computed and half of them kept. */
static bool striped(const work *w) {
  return w->lines && w->T->options.axis == TEXLA_AXIS_X;
}

static bool isLast(const work *w, const txTridiagonalLevel *l) {
  return l->blocks == 1 && (l->systems == 1 || !l->along_x || !w->T->options.folded);
}

static void plan(work *w) {
  const txLayout *layout = &w->T->layout;
  bool along_x = w->T->options.axis == TEXLA_AXIS_X;
  int rows = along_x ? (int)layout->row : layout->height;
  int systems = along_x ? layout->height : w->vector ? layout->width : (int)layout->row;
  if (striped(w))
    systems = (systems + (w->lines == TX_LINES_EVEN)) / 2;
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
  return txLayersCreate(out, w->T->context, w->call, TX_RGBA32F, l->along_x ? l->blocks : l->systems,
                        l->along_x ? l->systems : l->blocks, layers);
}

static void addRows(const work *w, int level, txPass *pass, char *defines, size_t n) {
  const clTridiagonalBands *A = w->A;
  if (level) {
    txTridiagonalSource(pass, "longer", w->rows[level]);
  } else if (A->packed) {
    txTridiagonalDefine(defines, n, "PACKED", 1);
    txTridiagonalSource(pass, "texels", A->packed->texture);
  } else {
    txTridiagonalDefine(defines, n, "BANDS", 1);
    txTridiagonalAddBands(pass, defines, n, A, w->rhs);
    if (striped(w))
      txTridiagonalDefine(defines, n, "STRIPED", w->lines == TX_LINES_ODD);
  }
}

/* All blocks but the last of each system have all their rows. */
static txRect fullBlocks(const work *w, int level, const txTexture *target) {
  const txTridiagonalLevel *l = &w->level[level];
  int full = l->rows / l->block;
  if (!full)
    return (txRect){0, 0, 0, 0};
  return l->along_x ? (txRect){0, 0, full, target->height} : (txRect){0, 0, target->width, full};
}

/* Runs `kernel` on all blocks of a level. */
static clStatus runBlocks(const work *w, int level, const char *kernel, const char *more, txPass *pass) {
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
  pass->inside = fullBlocks(w, level, pass->target[0]);
  pass->work = 4 * block;
  clStatus status = txPassRun(w->T->context, w->call, pass);
  pass->defines = NULL;
  return status;
}

static clStatus reduce(work *w, int level) {
  clStatus status = createLayers(w, &w->rows[level + 1], level, w->vector ? 8 : 2);
  if (status)
    return status;
  txPass pass = {.target = {w->rows[level + 1]}};
  return runBlocks(w, level, "tridiagonal_reduce", "", &pass);
}

static clStatus solve(work *w, int level) {
  char text[64];
  bool whole = level == w->levels - 1;
  clStatus status = createLayers(w, &w->unknowns[level], level, layersOf(w, level));
  if (status)
    return status;
  txPass pass = {.target = {w->unknowns[level]}};
  if (whole) {
    snprintf(text, sizeof text, "#define WHOLE\n%s", w->T->options.periodic ? "#define PERIODIC\n" : "");
  } else {
    bool fold = w->level[level].along_x && !w->level[level + 1].along_x;
    snprintf(text, sizeof text, "#define UPPER %d\n%s", w->level[level + 1].block, fold ? "#define FOLD\n" : "");
    txTridiagonalSource(&pass, "shorter", w->unknowns[level + 1]);
  }
  return runBlocks(w, level, "tridiagonal_solve", text, &pass);
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

static clStatus solveIn(int block, const clTridiagonal *T, const char *call, clVector *x, const clTridiagonalBands *A,
                        const clVector *rhs, txTridiagonalLines lines) {
  bool vector = T->options.axis == TEXLA_AXIS_Y && !A->packed;
  work w = {.T = T, .call = call, .A = A, .rhs = rhs, .vector = vector, .lines = lines, .block = block};
  plan(&w);
  clStatus status = TEXLA_OK;
  for (int i = 0; i < w.levels - 1 && !status; i++)
    status = reduce(&w, i);
  for (int i = w.levels - 1; i >= 0 && !status; i--)
    status = solve(&w, i);
  if (!status)
    status = join(&w, x);
  for (int i = 0; i < w.levels; i++) {
    txTextureDestroy(w.rows[i]);
    txTextureDestroy(w.unknowns[i]);
  }
  return status;
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
  clStatus status = t->x ? TEXLA_OK : txVectorCreate(&t->x, t->T->context, t->call, &t->T->layout);
  return status ? status : solveIn(block, t->T, t->call, t->x, t->A, t->rhs, TX_LINES_ALL);
}

/* Rows of a block. Long blocks are fewer passes and shorter systems left, short ones fewer registers; small batches tell nothing. */
static clStatus chooseBlock(int *block, const clTridiagonal *T, const char *call, const clTridiagonalBands *A,
                            const clVector *rhs) {
  static const int candidates[] = {8, 16, 32};
  bool along_x = T->options.axis == TEXLA_AXIS_X;
  *block = along_x || A->packed ? BLOCK : BLOCK_VECTOR;
  if (T->layout.length < ENOUGH_TO_MEASURE || *block == BLOCK_VECTOR)
    return TEXLA_OK;
  trial t = {T, call, NULL, A, rhs};
  const char *key = !along_x ? "tridiagonal-columns" : A->packed ? "tridiagonal-packed" : "tridiagonal-rows";
  clStatus status = txTuningChoose(T->context, key, candidates, 3, runTrial, &t, BLOCK, block);
  clVectorDestroy(t.x);
  return status;
}

clStatus txTridiagonalBlocks(const clTridiagonal *T, const char *call, clVector *x, const clTridiagonalBands *A,
                             const clVector *rhs, txTridiagonalLines lines) {
  int block;
  if (lines == TX_LINES_ODD && txTridiagonalSystems(T) < 2) /* there is none */
    return TEXLA_OK;
  clStatus status = chooseBlock(&block, T, call, A, rhs);
  return status ? status : solveIn(block, T, call, x, A, rhs, lines);
}
