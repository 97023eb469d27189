/* P A = L U in blocks over a grid of ranks: the loop over panels, and what the devices do. */
#include "mpi/plu.h"
#include "core/try.h"
#include "dense/triangular.h"
#include "platform/platform.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clBlockPlu";

/* ---- Transfers ------------------------------------------------------------------------------- */

static txTexture *newTexture(clCluster *c, int rows, int cols) {
  txTexture *t = NULL;
  txClusterMust(c, txTextureCreate(&t, c->context, call, TX_RGBA32F, cols / 2, rows / 2));
  return t;
}

/* A texture with these values. What is written to a texture that passes wait for would wait for
 * them, too: a new one does not. */
static txTexture *upload(clCluster *c, const float *values, int rows, int cols) {
  txTexture *t = newTexture(c, rows, cols);
  float *texels = txClusterAllocate(c, (size_t)rows * (size_t)cols, sizeof *texels, "a transfer");
  txPackTexels(texels, values, rows, cols, cols);
  txClusterMust(c, txTextureWrite(t, call, (txRect){0, 0, cols / 2, rows / 2}, texels));
  free(texels);
  return t;
}

/* The panel of step s begins to come to the host; NULL: this rank has none of it. */
static txRead *startPanel(clBlockPlu *plu, const txStep *s) {
  txRead *read = NULL;
  if (plu->A->layout.grid_col == s->col_owner && s->rows > s->row)
    txClusterMust(plu->cluster, txReadStart(&read, plu->texture, call,
                                            (txRect){s->col / 2, s->row / 2, plu->A->pitch / 2,
                                                     (s->rows - s->row) / 2}));
  return read;
}

/* Waits for it, and factors it with the others of its grid column. */
static void finishPanel(clBlockPlu *plu, const txStep *s, txRead *read) {
  if (plu->A->layout.grid_col != s->col_owner)
    return;
  txClusterMust(plu->cluster, txReadFinish(read, call, plu->arrived));
  memset(plu->top, 0, (size_t)plu->A->pitch * (size_t)plu->A->pitch * sizeof *plu->top);
  txPluPanel(plu, s, plu->arrived);
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* The pivots, the top block and L21 along the grid row. */
static void sendPanel(clBlockPlu *plu, const txStep *s) {
  const clBlockMatrix *A = plu->A;
  size_t pitch = (size_t)A->pitch,
         count = pitch + pitch * pitch + (size_t)(s->rows - s->next_row) * pitch;
  int *pivots = plu->pivots + s->k * A->layout.block;
  if (A->layout.grid_col == s->col_owner)
    memcpy(plu->message, pivots, (size_t)s->width * sizeof *pivots);
  txBroadcast(plu->cluster, plu->message, count * sizeof *plu->message, s->col_owner, A->row);
  memcpy(pivots, plu->message, (size_t)s->width * sizeof *pivots);
}

/* The panel's columns of the matrix <- L, and L11 and U11. */
static void storePanel(clBlockPlu *plu, const txStep *s, const txTexture *L) {
  const clBlockMatrix *A = plu->A;
  int pitch = A->pitch;
  if (A->layout.grid_col != s->col_owner)
    return;
  if (A->layout.grid_row == s->row_owner) {
    txTexture *top = upload(plu->cluster, plu->top, pitch, pitch);
    txClusterMust(plu->cluster,
                  txTexelsCopy(call, plu->texture,
                               (txRect){s->col / 2, s->row / 2, pitch / 2, pitch / 2}, top, 0, 0));
    txTextureDestroy(top);
  }
  if (L)
    txClusterMust(plu->cluster,
                  txTexelsCopy(call, plu->texture,
                               (txRect){s->col / 2, s->next_row / 2, pitch / 2, L->height}, L, 0,
                               0));
}

/* L11^-1, unit lower triangular: small when the multipliers are. A member of the team computes
 * columns of its own. */
typedef struct inversion {
  const clBlockPlu *plu;
  int width;
  float *inverse;
} inversion;

static void invertColumns(void *user, txTeam *team, int member, int members) {
  (void)team;
  const inversion *v = user;
  int pitch = v->plu->A->pitch, first = v->width * member / members,
      end = v->width * (member + 1) / members;
  for (int i = first; i < v->width; i++) {
    float *restrict row = v->inverse + (int64_t)i * pitch;
    if (i < end)
      row[i] = 1;
    for (int t = first; t < i; t++) {
      const float *restrict other = v->inverse + (int64_t)t * pitch;
      float l = v->plu->top[(int64_t)i * pitch + t];
      for (int j = first; j < txLeast(t + 1, end); j++)
        row[j] -= l * other[j];
    }
  }
}

/* The inverse as a texture. */
static txTexture *uploadInverse(const clBlockPlu *plu, const txStep *s) {
  /* Of a member: fewer are not worth its help. */
  enum { COLUMNS = 32 };
  int pitch = plu->A->pitch;
  float *inverse =
      txClusterAllocate(plu->cluster, (size_t)pitch * (size_t)pitch, sizeof *inverse, "a step");
  txTeamRun(plu->team, s->width / COLUMNS, invertColumns, &(inversion){plu, s->width, inverse});
  txTexture *t = upload(plu->cluster, inverse, pitch, pitch);
  free(inverse);
  return t;
}

/* L21 as a texture; NULL: this rank has nothing below block k. */
static txTexture *uploadL21(const clBlockPlu *plu, const txStep *s) {
  int rows = s->rows - s->next_row, pitch = plu->A->pitch;
  if (!rows)
    return NULL;
  txTexture *t = newTexture(plu->cluster, rows, pitch);
  txClusterMust(plu->cluster,
                txTextureWrite(t, call, (txRect){0, 0, pitch / 2, rows / 2}, plu->l21));
  return t;
}

/* target[rect] <- alpha a b, or where it `adds` that more; rectangles in texels */
static void multiply(clBlockPlu *plu, txTexture *target, txRect rect, float alpha,
                     const txTexture *a, const txTexture *b, bool adds) {
  txProduct p = {.target = target,
                 .rect = rect,
                 .rows = 2 * target->height,
                 .cols = 2 * target->width,
                 .alpha = alpha,
                 .beta = (float)adds,
                 .a = {a, 0, 0, TEXLA_NO_TRANSPOSE},
                 .b = {b, 0, 0, TEXLA_NO_TRANSPOSE},
                 .inner = plu->A->pitch / 2};
  if (adds)
    p.c = (txBlock){target, rect.x, rect.y, TEXLA_NO_TRANSPOSE};
  txClusterMust(plu->cluster, txProductRun(plu->cluster->context, call, &p, NULL));
}

/* What a step knows when its panel is there. */
typedef struct update {
  const txStep *s;
  txMoves moves;
  /* L11^-1, L21 */
  txTexture *inverse, *L;
} update;

/* A part of the columns, right of the panel: its rows have new places, those of block k are
 * `above`. U12 = L11^-1 A12, A22 -= L21 U12. */
static void updateColumns(clBlockPlu *plu, const update *u, int first, const txTexture *above) {
  const txStep *s = u->s;
  clCluster *c = plu->cluster;
  int pitch = plu->A->pitch, width = above->width;
  txTexture *U = newTexture(c, pitch, 2 * width);
  multiply(plu, U, (txRect){0, 0, width, pitch / 2}, 1, u->inverse, above, false);
  if (plu->A->layout.grid_row == s->row_owner)
    txClusterMust(c, txTexelsCopy(call, plu->texture,
                                  (txRect){first / 2, s->row / 2, width, pitch / 2}, U, 0, 0));
  if (u->L)
    multiply(plu, plu->texture, (txRect){first / 2, s->next_row / 2, width, u->L->height}, -1, u->L,
             U, true);
  txTextureDestroy(U);
}

/* Columns that are dealt with at once. */
typedef struct part {
  int first, end;
  /* of the panel: rows only change places */
  bool left;
  txRowMove *move;
} part;
enum { PARTS = 4 };

/* The next panel's columns, if they come first; those behind it, where rows have to travel in
 * halves, so that the second travels while the device has the first; those left of the panel, which
 * nobody waits for. Returns how many. */
static int listParts(part out[PARTS], const clBlockPlu *plu, const txStep *s, bool ahead) {
  int pitch = plu->A->pitch, split = s->next_col, middle = s->cols, count = 0;
  if (ahead)
    split += pitch;
  if (plu->A->layout.grid_rows > 1)
    middle = split + (s->cols - split + pitch) / (2 * pitch) * pitch;
  const part all[PARTS] = {
      {.first = s->next_col, .end = split},
      {.first = split, .end = middle},
      {.first = middle, .end = s->cols},
      {.first = 0, .end = s->col, .left = true},
  };
  for (int k = 0; k < PARTS; k++)
    if (all[k].first < all[k].end)
      out[count++] = all[k];
  return count;
}

/* Its rows have come, or are waited for here; then the device has its columns. */
static void finishPart(clBlockPlu *plu, const update *u, const part *p) {
  txTexture *above = txRowMoveFinish(p->move);
  if (above)
    updateColumns(plu, u, p->first, above);
  txTextureDestroy(above);
}

/* normalize and reduce, the next panel's columns first, if this rank has them. Returns that panel
 * on its way. */
static txRead *updateMatrix(clBlockPlu *plu, const txStep *s, const txStep *next) {
  bool mine = next && plu->A->layout.grid_col == next->col_owner,
       ahead = mine && !plu->options.no_look_ahead;
  update u = {.s = s, .inverse = uploadInverse(plu, s)};
  u.L = uploadL21(plu, s);
  txRead *read = NULL;
  part parts[PARTS];
  int count = listParts(parts, plu, s, ahead), done = 0;
  txMovesCreate(&u.moves, plu, s);
  for (int k = 0; k < count; k++) {
    parts[k].move = txRowMoveStart(plu, s, &u.moves, parts[k].first, parts[k].end, parts[k].left);
    if (ahead && k == 0)
      txRowMoveSend(parts[k].move);
  }
  if (ahead) {
    finishPart(plu, &u, &parts[done++]);
    read = startPanel(plu, next);
  }
  for (int k = done; k < count; k++)
    txRowMoveSend(parts[k].move);
  for (; done < count; done++)
    finishPart(plu, &u, &parts[done]);
  storePanel(plu, s, u.L);
  if (mine && !ahead)
    read = startPanel(plu, next);
  txMovesDestroy(&u.moves);
  txTextureDestroy(u.inverse);
  txTextureDestroy(u.L);
  return read;
}

/* The loop over panels: each is factored while the devices are busy with what the one before it has
 * left to do. After the last one there is none to come. */
static void factor(clBlockPlu *plu) {
  const clBlockMatrix *A = plu->A;
  txStep s = txStepOf(plu, 0);
  finishPanel(plu, &s, startPanel(plu, &s));
  for (int k = 1; k < A->blocks; k++) {
    txStep next = txStepOf(plu, k);
    sendPanel(plu, &s);
    finishPanel(plu, &next, updateMatrix(plu, &s, &next));
    s = next;
  }
  sendPanel(plu, &s);
  updateMatrix(plu, &s, NULL);
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Where an entry of a row of blocks lies in its padded array, whose rows are `cols` long. */
static int64_t placeInBlocks(const clBlockMatrix *A, int i, int j, int cols) {
  int block = A->layout.block;
  return (int64_t)i * cols + j / block * A->pitch + j % block;
}

/* One row of blocks, rounded to single precision; what pads it is zero. False: single precision
 * does not hold it. */
static bool fillBlocks(float *values, const clBlockMatrix *A, int block, int cols) {
  const clBlockLayout *l = &A->layout;
  bool finite = true;
  memset(values, 0, (size_t)A->pitch * (size_t)cols * sizeof *values);
  for (int i = 0; i < l->block; i++) {
    int local = block * l->block + i;
    for (int j = 0; j < l->cols && local < l->rows; j++) {
      float v = (float)A->host[(int64_t)local * l->cols + j];
      values[placeInBlocks(A, i, j, cols)] = v;
      finite = finite && isfinite(v);
    }
  }
  return finite;
}

/* The texels of a row of blocks. */
static txRect blocksAt(const clBlockMatrix *A, int block, int cols) {
  return (txRect){0, block * A->pitch / 2, cols / 2, A->pitch / 2};
}

/* The local matrix, padded, a row of blocks at a time; *finite <- whether single precision holds
 * it. It is rendered to before it is written: a driver may move a texture to other memory then,
 * with all that it holds. [H200: 1.35 s for a gigabyte] */
static clStatus load(clBlockPlu *plu, bool *finite) {
  const clBlockMatrix *A = plu->A;
  clContext *context = plu->cluster->context;
  int rows = A->row_blocks * A->pitch, cols = A->col_blocks * A->pitch;
  size_t size = (size_t)A->pitch * (size_t)cols;
  *finite = true;
  if (!rows || !cols)
    return TEXLA_OK;
  TRY(txTextureCreate(&plu->texture, context, call, TX_RGBA32F, cols / 2, rows / 2));
  TRY(txTextureClear(plu->texture, call));
  float *texels = txAllocate(txContextError(context), call, 2 * size, sizeof *texels, "a matrix");
  if (!texels)
    return TEXLA_OUT_OF_MEMORY;
  float *values = texels + size;
  clStatus status = TEXLA_OK;
  for (int block = 0; block < A->row_blocks; block++) {
    if (!fillBlocks(values, A, block, cols))
      *finite = false;
    txPackTexels(texels, values, A->pitch, cols, cols);
    TRY_CLEANUP(txTextureWrite(plu->texture, call, blocksAt(A, block, cols), texels));
  }
cleanup:
  free(texels);
  return status;
}

/* One row of blocks of the factors, without what pads it. False: a number is not finite. */
static bool takeBlocks(clBlockPlu *plu, const float *values, int block, int cols) {
  const clBlockLayout *l = &plu->A->layout;
  bool finite = true;
  for (int i = 0; i < l->block; i++) {
    int local = block * l->block + i;
    for (int j = 0; j < l->cols && local < l->rows; j++) {
      float v = values[placeInBlocks(plu->A, i, j, cols)];
      plu->factors[(int64_t)local * l->cols + j] = v;
      finite = finite && isfinite(v);
    }
  }
  return finite;
}

/* The factors on the host, as clBlockMatrix has A. */
static clStatus unload(clBlockPlu *plu, bool *finite) {
  const clBlockMatrix *A = plu->A;
  const clBlockLayout *l = &A->layout;
  clError *error = txContextError(plu->cluster->context);
  int cols = A->col_blocks * A->pitch;
  size_t size = (size_t)A->pitch * (size_t)cols;
  *finite = true;
  plu->factors =
      txAllocate(error, call, (size_t)l->rows * (size_t)l->cols, sizeof *plu->factors, "factors");
  float *texels = txAllocate(error, call, 2 * size, sizeof *texels, "factors");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (!plu->factors || !texels)
    goto cleanup;
  float *values = texels + size;
  status = TEXLA_OK;
  for (int block = 0; block < A->row_blocks && cols; block++) {
    TRY_CLEANUP(txTextureRead(plu->texture, call, blocksAt(A, block, cols), texels));
    txUnpackTexels(values, texels, A->pitch, cols, cols);
    if (!takeBlocks(plu, values, block, cols))
      *finite = false;
  }
cleanup:
  free(texels);
  return status;
}

/* What a rank needs beside its matrix. All of it is tried, so that the messages that ranks agree on
 * name what is missing. */
static clStatus allocate(clBlockPlu *plu, bool *finite) {
  const clBlockMatrix *A = plu->A;
  clError *error = txContextError(plu->cluster->context);
  size_t pitch = (size_t)A->pitch;
  plu->pivots = txAllocate(error, call, (size_t)A->layout.n, sizeof *plu->pivots, "pivots");
  size_t panel = (size_t)A->row_blocks * pitch * pitch, head = pitch + pitch * pitch;
  plu->panel = txAllocate(error, call, panel, sizeof *plu->panel, "a panel");
  plu->arrived = txAllocate(error, call, panel, sizeof *plu->arrived, "a panel");
  plu->message = txAllocate(error, call, head + panel, sizeof *plu->message, "a panel");
  plu->team = txTeamCreate(txPluThreads(plu->cluster));
  if (!plu->team)
    txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for threads");
  if (!plu->pivots || !plu->panel || !plu->arrived || !plu->message || !plu->team)
    return TEXLA_OUT_OF_MEMORY;
  plu->top = plu->message + pitch;
  plu->l21 = plu->message + head;
  return load(plu, finite);
}

/* Everybody learns what the ranks of the grid have found: the pivots and the first zero one, as the
 * largest of their numbers' negatives; where there is none, n stands for it. */
static void share(clBlockPlu *plu) {
  clCluster *c = plu->cluster;
  const clBlockLayout *l = &plu->A->layout;
  double zero = -(double)l->n;
  if (plu->zero_pivot >= 0)
    zero = -(double)plu->zero_pivot;
  txMaximum(c, &zero, 1, c->comm);
  plu->zero_pivot = (int)-zero;
  if (plu->zero_pivot >= l->n)
    plu->zero_pivot = -1;
  txBroadcast(c, plu->pivots, (size_t)l->n * sizeof(int), 0, c->comm);
}

/* The slowest rank counts. A rank outside of the grid waits for nothing and is not counted in what
 * is spent on messages. */
static void report(const clBlockPlu *plu, clBlockPluReport *r, double seconds,
                   const clTraffic *traffic) {
  clCluster *c = plu->cluster;
  const clBlockLayout *l = &plu->A->layout;
  double n = l->n, slowest = seconds, waited = 0;
  if (txBlockInGrid(plu->A))
    waited = traffic->seconds / seconds;
  txMaximum(c, &slowest, 1, c->comm);
  txSum(c, &waited, 1, c->comm);
  *r = (clBlockPluReport){.seconds = slowest,
                          .gflops = (2 * n * n * n / 3 + 1.5 * n * n) / slowest * 1e-9,
                          .communication = waited / (l->grid_rows * l->grid_cols),
                          .received = traffic->bytes,
                          .predicted = txPluVolume(plu),
                          .zero_pivot = plu->zero_pivot};
}

/* All that can be known before the end: memory, devices, numbers that single precision does not
 * hold. The clock starts when the device has the matrix. */
static clStatus prepare(clBlockPlu *plu) {
  clCluster *c = plu->cluster;
  bool finite = true;
  clStatus status = allocate(plu, &finite);
  if (status == TEXLA_OK)
    status = clContextSynchronize(c->context);
  c->error = *txContextError(c->context);
  if (status == TEXLA_OK && !finite)
    status = txFail(&c->error, TEXLA_NOT_FINITE, call, "an entry of A is beyond single precision");
  return clClusterAgree(c, status, &c->error);
}

/* This rank's part of the result: factors on the host, and whether they are factors. */
static clStatus judge(clBlockPlu *plu) {
  clCluster *c = plu->cluster;
  bool finite = true;
  clStatus status = unload(plu, &finite);
  c->error = *txContextError(c->context);
  if (status)
    return status;
  if (!finite)
    return txFail(&c->error, TEXLA_NOT_FINITE, call,
                  "entries of the factors grew beyond single precision");
  if (plu->zero_pivot >= 0 && plu->options.pivoting == TEXLA_BLOCK_PIVOT_INSIDE)
    return txFail(
        &c->error, TEXLA_SINGULAR, call,
        "column %d has no pivot inside of its diagonal block; true partial pivoting may find one",
        plu->zero_pivot + 1);
  return TEXLA_OK;
}

/* With true pivots a zero one is information: L and U are factors of A all the same. */
static clStatus conclude(clBlockPlu *plu) {
  clCluster *c = plu->cluster;
  TRY(clClusterAgree(c, judge(plu), &c->error));
  if (plu->zero_pivot >= 0)
    return TEXLA_RANK_DEFICIENT;
  return TEXLA_OK;
}

/* Collective: all that can fail on one rank is agreed on before and after the factorization, within
 * which a failure ends all ranks. */
clStatus clBlockPluCreate(clBlockPlu **out, clBlockMatrix *A, const clBlockPluOptions *options,
                          clBlockPluReport *r) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  if (!out)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  clBlockPlu *plu = txAllocate(&c->error, call, 1, sizeof *plu, "a factorization");
  clStatus status = clClusterAgree(c, plu ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error);
  if (status == TEXLA_OK) {
    *plu = (clBlockPlu){.cluster = c, .A = A, .zero_pivot = -1};
    if (options)
      plu->options = *options;
    status = prepare(plu);
  }
  if (status) {
    clBlockPluDestroy(plu);
    return status;
  }
  MPI_Barrier(c->comm);
  clTraffic before = c->traffic;
  double began = txNow();
  if (txBlockInGrid(A))
    factor(plu);
  txClusterMust(c, clContextSynchronize(c->context));
  double seconds = txNow() - began;
  clTraffic spent = {c->traffic.bytes - before.bytes, c->traffic.messages - before.messages,
                     c->traffic.seconds - before.seconds};
  share(plu);
  if (r)
    report(plu, r, seconds, &spent);
  status = conclude(plu);
  if (status < 0)
    clBlockPluDestroy(plu);
  else
    *out = plu;
  return status;
}

void clBlockPluDestroy(clBlockPlu *plu) {
  if (!plu)
    return;
  txTextureDestroy(plu->texture);
  free(plu->pivots);
  free(plu->panel);
  free(plu->arrived);
  free(plu->message);
  txTeamDestroy(plu->team);
  free(plu->factors);
  free(plu);
}

/* Rows become columns, as ScaLAPACK has its local arrays. */
clStatus clBlockPluDownload(const clBlockPlu *plu, float *local, int lead) {
  if (!plu)
    return TEXLA_BAD_ARGUMENT;
  const clBlockLayout *l = &plu->A->layout;
  if (l->rows && l->cols && (!local || lead < l->rows))
    return txFail(&plu->cluster->error, TEXLA_BAD_ARGUMENT, "clBlockPluDownload",
                  "the array must not be NULL, and lead (%d) not less than the %d rows", lead,
                  l->rows);
  for (int j = 0; j < l->cols; j++)
    for (int i = 0; i < l->rows; i++)
      local[(int64_t)j * lead + i] = plu->factors[(int64_t)i * l->cols + j];
  return TEXLA_OK;
}

const int *clBlockPluPivots(const clBlockPlu *plu) {
  if (!plu)
    return NULL;
  return plu->pivots;
}
