/* clCrout inside: sections of Z, the groups in which they converge, and the tiles of them that are
 * not zero. */
#ifndef TEXLA_CROUT_CROUT_H
#define TEXLA_CROUT_CROUT_H

#include "dense/dense.h"
#include "gl/pass.h"
#include "texla/crout.h"

typedef struct txSection {
  /* in sections */
  int row, col;
  /* in texels */
  int x, y, width, height;
  /* sweeps of entries: of the quads that cover its tiles */
  int first, vertices;
  /* A and the factors are zero there */
  bool empty;
  /* it may still change */
  bool open;
  /* sweeps of tiles: the largest level of its tiles */
  int levels;
  int sweeps;
} txSection;

/* Sections that converge together: none reads another one of them. */
typedef struct txSectionGroup {
  int first, count;
  /* sweeps of tiles: of all levels, those of its tiles */
  int first_level, levels;
} txSectionGroup;

/* What a sweep of tiles must know of one. */
typedef struct txTilePlan {
  /* the sweep over its section after which it is final, from 1; 0: it is zero */
  int level;
  /* the first tile of its row whose product with one of its column is not zero; of a quad the first
   * one of any tile */
  int begin;
  /* column of the tile where its quad begins: tiles of one level side by side are drawn as one */
  int head;
  /* heads: tiles of the quad */
  int across;
} txTilePlan;

/* Of the quads: those of a level, of which the first ones are tiles of the diagonal. The level
 * after the last one ends the list. */
typedef struct txTileLevel {
  int first, diagonal;
} txTileLevel;

/* texels of a tile's side in sweeps of tiles, at most: what a fragment can keep of the diagonal */
enum { TX_CROUT_TILE = 4 };

struct clCrout {
  clContext *context;
  clCroutOptions options;
  /* rows of the matrix; texels of a section's side */
  int n, side;
  /* sections along a side, in all */
  int across, count;
  /* in the order of the groups */
  txSection *sections;
  txSectionGroup *groups;
  int group_count;
  /* of section (row, col) */
  int *index;
  /* A less the products of what lies before each section */
  clDense *r;
  /* sweeps of entries take turns; sweeps of tiles: Z, and the tiles' sums */
  clDense *z[2];
  /* z[current] was rendered last */
  int current;
  /* texels of a tile's side; tiles along a side of the matrix */
  int tile, tiles;
  /* a bit for each tile of a row, `words` words a row: it is not zero in Z */
  uint64_t *filled;
  int words;
  /* the same, a texel a tile */
  txTexture *fill;
  /* x, y, width, height of each section */
  txTexture *table;
  /* of the tiles that are filled */
  txVertices *quads;
  /* sweeps of tiles: of each tile, row by row */
  txTilePlan *plan;
  /* all levels of all groups */
  txTileLevel *level;
  bool factored;
  clCroutReport report;
};

/* width of the table of sections */
enum { TX_SECTION_TABLE = 1024 };

/* Sections, groups and their table, from n and the options. */
clStatus txCroutPlan(clCrout *crout, const char *call);
void txCroutPlanDestroy(clCrout *crout);

/* Which tiles the factors of A fill (symbolic elimination by tiles), the quads that cover them, and
 * which sections are empty. Blocks. */
clStatus txCroutFill(clCrout *crout, const char *call, const clDense *A);
/* Is a tile not zero in Z? */
static inline bool txCroutIsFilled(const clCrout *c, int row, int col) {
  return c->filled[row * c->words + col / 64] >> col % 64 & 1;
}

/* Levels of all groups together, at most, and the one that ends the list: no chain within a section
 * is longer than it has tiles along a side. */
static inline int txCroutMostLevels(const clCrout *c) {
  return c->group_count * (c->side / c->tile) + 1;
}

/* tiles.c: the quads of sweeps of tiles, level by level; and all the sweeps of a group whose
 * R is ready, or the first `most` of each section. */
clStatus txCroutTilesPlan(clCrout *crout, const char *call);
clStatus txCroutTilesSweep(clCrout *crout, const char *call, const txSectionGroup *group, int most);

/* quads.c: quads of tiles as vertices (crout_sweep.vert): two numbers for the corner, then the
 * texel where the sums begin. With data NULL they are only counted. */
typedef struct txQuads {
  float *data;
  int vertices;
} txQuads;
void txQuadsAdd(txQuads *quads, int begin, int x0, int y0, int x1, int y1);
clStatus txQuadsCreate(clCrout *crout, const char *call, const txQuads *quads);

static inline txSection *txSectionAt(const clCrout *c, int row, int col) {
  return &c->sections[c->index[row * c->across + col]];
}

#endif
