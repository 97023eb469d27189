/* Sweeps of tiles (C2): a tile of Z is drawn when all that it is computed from is final, and then
 * it is final itself.
 *
 * With R as crout.c has it, for tile (I, J) of a section and all K that are in range of the
 * section, a sweep is three passes, none of which reads what it writes:
 *
 *     shaders/crout/crout_sums.frag      S_IJ = R_IJ - sum over K < min(I, J) of Z_IK Z_KJ
 *     shaders/crout/crout_diagonal.frag  L U = S_KK by Crout's formulas, for tiles of the diagonal
 *     shaders/crout/crout_solve.frag     Z_IJ = the fixed point within the tile, from S_IJ and
 *                                        S_KK = L U, K = min(I, J)
 *
 * The level of a tile is the sweep that makes it final. It is the largest of level(I, K) + 1 and
 * level(K, J) + 1 over all K < min(I, J) for which neither tile is zero; at least 1; and at least
 * the level of tile (K, K), K = min(I, J), since S_KK is needed,
 * where tiles of sections that converged before have level 0. It depends on the pattern alone:
 * convergence is known, not looked at. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "crout/crout.h"
#include "dense/entries.h"

#include <stdio.h>
#include <stdlib.h>

static txTilePlan *tileAt(const clCrout *c, int row, int col) {
  return &c->plan[(size_t)row * (size_t)c->tiles + (size_t)col];
}

static int larger(int a, int b) {
  return txMost(a, b);
}

static void raise(txTilePlan *t, int level) {
  t->level = larger(t->level, level);
}

/* Level and begin of a tile, when those that it needs have theirs. */
static void planTile(clCrout *c, const txSection *s, int row, int col) {
  int end = txLeast(row, col);
  txTilePlan *t = tileAt(c, row, col);
  *t = (txTilePlan){.begin = end, .head = col, .across = 1};
  if (!txCroutIsFilled(c, row, col))
    return;
  t->level = 1;
  if (s->row == s->col && end < larger(row, col))
    raise(t, tileAt(c, end, end)->level);
  for (int k = end - 1; k >= txLeast(s->x, s->y) / c->tile; k--) {
    if (!txCroutIsFilled(c, row, k) || !txCroutIsFilled(c, k, col))
      continue;
    t->begin = k;
    /* Z_IK is in this section */
    if (s->row >= s->col)
      raise(t, tileAt(c, row, k)->level + 1);
    if (s->row <= s->col)
      raise(t, tileAt(c, k, col)->level + 1);
  }
}

/* Lets the quad of the tile to the left go on over this one, where that is possible. */
static bool joinLeft(clCrout *c, const txSection *s, int row, int col) {
  txTilePlan *t = tileAt(c, row, col), *left = t - 1, *head;
  if (col * c->tile == s->x || left->level != t->level || row == col || row == col - 1)
    return false;
  head = tileAt(c, row, left->head);
  head->across++;
  head->begin = txLeast(head->begin, t->begin);
  t->head = left->head;
  return true;
}

typedef void (*visitor)(clCrout *c, txSection *s, int row, int col, void *user);

/* All tiles of a group, each after those that it needs. */
static void visit(clCrout *c, const txSectionGroup *g, visitor what, void *user) {
  for (txSection *s = c->sections + g->first; s < c->sections + g->first + g->count; s++) {
    int bottom = (s->y + s->height + c->tile - 1) / c->tile,
        right = (s->x + s->width + c->tile - 1) / c->tile;
    for (int row = s->y / c->tile; row < bottom; row++)
      for (int col = s->x / c->tile; col < right; col++)
        what(c, s, row, col, user);
  }
}

/* user: the group's first txTileLevel. Its quads are counted in `first`. */
static void countTile(clCrout *c, txSection *s, int row, int col, void *user) {
  planTile(c, s, row, col);
  const txTilePlan *t = tileAt(c, row, col);
  if (t->level == 0)
    return;
  txTileLevel *level = (txTileLevel *)user + t->level - 1;
  s->levels = larger(s->levels, t->level);
  level->first += !joinLeft(c, s, row, col);
  level->diagonal += row == col;
}

typedef struct places {
  float *corners;
  /* of each level of the group: where the next quad goes, and the next one of the diagonal */
  txTileLevel *next;
} places;

/* Of each stretch of filled tiles only the head has a quad; those on the diagonal come first in
 * their level. */
static void placeTile(clCrout *c, txSection *s, int row, int col, void *user) {
  const txTilePlan *t = tileAt(c, row, col);
  places *p = user;
  if (t->level == 0 || t->head != col)
    return;
  txTileLevel *next = &p->next[t->level - 1];
  int *place = &next->first;
  if (row == col)
    place = &next->diagonal;
  txQuads quads = {p->corners, 6 * (*place)++};
  txQuadsAdd(&quads, t->begin * c->tile, col * c->tile, row * c->tile,
             txLeast((col + t->across) * c->tile, s->x + s->width),
             txLeast((row + 1) * c->tile, s->y + s->height));
}

/* The levels of all groups. Returns how many quads they have. */
static int planLevels(clCrout *c) {
  int levels = 0, quads = 0;
  for (int i = 0; i < c->count; i++)
    c->sections[i].levels = 0;
  for (int k = 0; k < txCroutMostLevels(c); k++)
    c->level[k] = (txTileLevel){0};
  for (txSectionGroup *g = c->groups; g < c->groups + c->group_count; g++) {
    g->first_level = levels;
    visit(c, g, countTile, c->level + levels);
    for (; c->level[levels].first > 0; levels++) {
      int count = c->level[levels].first;
      c->level[levels].first = quads;
      quads += count;
    }
    g->levels = levels - g->first_level;
  }
  c->level[levels].first = quads;
  for (int i = 0; i < c->count; i++)
    c->sections[i].empty = c->sections[i].levels == 0;
  return quads;
}

static void placeQuads(clCrout *c, float *corners, txTileLevel *next) {
  for (int k = 0; k < txCroutMostLevels(c); k++)
    next[k] = (txTileLevel){c->level[k].first + c->level[k].diagonal, c->level[k].first};
  for (const txSectionGroup *g = c->groups; g < c->groups + c->group_count; g++)
    visit(c, g, placeTile, &(places){corners, next + g->first_level});
}

clStatus txCroutTilesPlan(clCrout *c, const char *call) {
  clError *error = txContextError(c->context);
  txQuads quads = {.vertices = 6 * planLevels(c)};
  /* A is zero */
  if (quads.vertices == 0)
    return TEXLA_OK;
  quads.data =
      txAllocate(error, call, (size_t)quads.vertices, 3 * sizeof *quads.data, "the tiles' corners");
  txTileLevel *next =
      txAllocate(error, call, (size_t)txCroutMostLevels(c), sizeof *next, "the tiles' levels");
  clStatus status = TEXLA_OK;
  if (!quads.data || !next) {
    status = TEXLA_OUT_OF_MEMORY;
    goto cleanup;
  }
  placeQuads(c, quads.data, next);
  TRY_CLEANUP(txQuadsCreate(c, call, &quads));
cleanup:
  free(quads.data);
  free(next);
  return status;
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* Draws quads first .. end with a kernel. */
static clStatus draw(clCrout *c, const char *call, txPass *pass, int first, int end) {
  char defines[32];
  const txTexture *z = c->z[0]->texture;
  if (first == end)
    return TEXLA_OK;
  snprintf(defines, sizeof defines, "#define TILE %d\n", c->tile);
  pass->vertex = "crout_sweep";
  pass->defines = defines;
  pass->uniform[0] = (txUniform){"extent", 2, {(float)z->width, (float)z->height}};
  pass->uniform[1] = (txUniform){"shape", 2, {(float)c->n, (float)c->n}};
  pass->shape = TX_TRIANGLES;
  pass->vertices = c->quads;
  pass->first = 6 * first;
  pass->count = 6 * (end - first);
  return txPassRun(c->context, call, pass);
}

/* The tile (K, K) of R is needed no more when S_KK is there: its factors go there. */
static clStatus sweep(clCrout *c, const char *call, const txTileLevel *level) {
  txTexture *r = c->r->texture, *z = c->z[0]->texture, *s = c->z[1]->texture;
  int first = level->first, end = level[1].first;
  txPass sums = {.kernel = "crout_sums",
                 .target = {s},
                 .source = {{"r", r, TX_EDGE}, {"z", z, TX_EDGE}, {"fill", c->fill, TX_EDGE}},
                 .work = c->side};
  txPass diagonal = {.kernel = "crout_diagonal",
                     .target = {r},
                     .source = {{"s", s, TX_EDGE}},
                     .work = c->tile * c->tile};
  txPass solve = {.kernel = "crout_solve",
                  .target = {z},
                  .source = {{"s", s, TX_EDGE}, {"d", r, TX_EDGE}},
                  .work = c->tile * (c->tile + 3) / 2};
  TRY(draw(c, call, &sums, first, end));
  TRY(draw(c, call, &diagonal, first, first + level->diagonal));
  return draw(c, call, &solve, first, end);
}

clStatus txCroutTilesSweep(clCrout *c, const char *call, const txSectionGroup *g, int most) {
  for (int k = 0; k < g->levels && k < most; k++)
    TRY(sweep(c, call, &c->level[g->first_level + k]));
  for (int i = g->first; i < g->first + g->count; i++)
    c->sections[i].sweeps = txLeast(c->sections[i].levels, most);
  return TEXLA_OK;
}
