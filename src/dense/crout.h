/* clCrout inside: sections of Z, the groups in which they converge, and the tiles of them that are not zero. */
#ifndef TEXLA_DENSE_CROUT_H
#define TEXLA_DENSE_CROUT_H

#include "dense/dense.h"
#include "gl/pass.h"
#include "texla/crout.h"

typedef struct txSection {
  int row, col;            /* in sections */
  int x, y, width, height; /* in texels */
  int first, vertices;     /* of the quads that cover its tiles */
  bool empty;              /* A and the factors are zero there */
  bool open;               /* it may still change */
  int sweeps;
} txSection;

/* Sections that converge together: none reads another one of them. */
typedef struct txSectionGroup {
  int first, count;
  bool diagonal; /* one of them lies on the diagonal */
} txSectionGroup;

struct clCrout {
  clContext *context;
  clCroutOptions options;
  int n, side;         /* rows of the matrix; texels of a section's side */
  int across, count;   /* sections along a side, in all */
  txSection *sections; /* in the order of the groups */
  txSectionGroup *groups;
  int group_count;
  int *index; /* of section (row, col) */
  clDense *z[2], *r;
  int current;      /* z[current] was rendered last */
  int tile, tiles;  /* texels of a tile's side; tiles along a side of the matrix */
  uint64_t *filled; /* a bit for each tile of a row, `words` words a row: it is not zero in Z */
  int words;
  txTexture *fill;   /* the same, a texel a tile */
  txTexture *table;  /* x, y, width, height of each section */
  txVertices *quads; /* of the tiles that are filled */
  bool factored;
  clCroutReport report;
};

enum { TX_SECTION_TABLE = 1024 }; /* width of the table of sections */

/* Sections, groups and their table, from n and the options. */
clStatus txCroutPlan(clCrout *crout, const char *call);
void txCroutPlanDestroy(clCrout *crout);

/* Which tiles the factors of A fill (symbolic elimination by tiles), the quads that cover them, and which sections are empty. Blocks. */
clStatus txCroutFill(clCrout *crout, const char *call, const clDense *A);

static inline txSection *txSectionAt(const clCrout *c, int row, int col) {
  return &c->sections[c->index[row * c->across + col]];
}

#endif
