#ifndef TEXLA_MULTIGRID_MULTIGRID_H
#define TEXLA_MULTIGRID_MULTIGRID_H

#include "core/companion.h"
#include "multigrid/cycle.h"
#include "multigrid/grid.h"
#include "multigrid/host.h"
#include "matrix/preconditioner.h"
#include "texla/multigrid.h"
#include "texla/tridiagonal.h"

enum { TX_SWEEPS = 8, TX_COLOURS = 4 };

/* A red-black smoother whose colours have textures of their own (multigrid/grid_colours.c). */
typedef struct txColours {
  /* what is known of x in the midst of a cycle, else NULL */
  txTexture *black;
  /* its right-hand side: of the level, or its residual */
  const clVector *b;
  /* x <- factor times what the cycle finds from zero, ... */
  float factor;
  /* ... added to x */
  bool add;
} txColours;

typedef struct txLevel {
  int n[2];
  /* on the device; of the levels on the host the first alone has one, with x and b */
  txGrid *grid;
  /* NULL: on the device */
  txHostGrid *host;
  /* of the coarsest matrix, unless that is on the host */
  txTexture *inverse;
  /* of the finest level the caller's, and so is b */
  clVector *x;
  const clVector *b;
  /* what b is on the other levels; scratch */
  clVector *rhs, *r;
  /* the coarse correction */
  txSweep before[TX_SWEEPS * TX_COLOURS], after[TX_SWEEPS * TX_COLOURS];
  /* how many of them */
  int pre, post;
  /* matrices of lines along x and y, or NULL */
  clTridiagonal *lines[2];
  txColours colours;
  /* transfer by matrix product: P, and linear vectors for it */
  clMatrix *P;
  clVector *fine, *coarse;
} txLevel;

struct clMultigrid {
  clContext *context;
  clMultigridOptions options;
  txLevel level[TX_LEVELS];
  int levels;
  txCycle cycle;
  /* halves: the finest level is smoothed in colours apart */
  bool singular, halves;
  /* sweeps solve for whole lines, along y and along x in turns */
  bool lined;
  char description[256];
};

/* Tables of operations on a txLevel: on the device by the way of transfer, there with the colours
 * apart, on the host. */
extern const txLevelOps txDeviceLevel[3], txColoursLevel, txHostLevel;

/* Fills mg->level, levels, singular from the matrix. */
clStatus txMultigridSetUp(clMultigrid *mg, const txRows *rows, int nx, int ny, const char *call);
/* clMultigridCreate from a matrix that has been looked at. */
clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx,
                           int ny, const clMultigridOptions *options);

/* x and b are two vectors on mg's finest grid. */
clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x,
                          const char *x_name, const clVector *b, const char *b_name);

/* A preconditioner that owns the multigrid (NULL: nothing, and *out is untouched). */
TX_COMPANION txPreconditioner txMultigridPreconditioner(clMultigrid *multigrid);

#endif
