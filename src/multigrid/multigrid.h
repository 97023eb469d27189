#ifndef TEXLA_MULTIGRID_MULTIGRID_H
#define TEXLA_MULTIGRID_MULTIGRID_H

#include "platform/companion.h"
#include "multigrid/cycle.h"
#include "multigrid/grid.h"
#include "multigrid/host.h"
#include "matrix/preconditioner.h"
#include "texla/multigrid.h"
#include "texla/tridiagonal.h"

enum { TX_SWEEPS = 8, TX_COLOURS = 4 };

/* A level is on the device (`grid`) or on the host (`host`); the first one on the host has both,
 * as its x and b come from the device. */
typedef struct txLevel {
  int n[2];
  txGrid *grid;
  txHostGrid *host;
  /* Of the coarsest matrix, unless that is on the host. */
  txTexture *inverse;
  /* On the finest level x and b are the caller's; on the others b is `rhs`. r is scratch. */
  clVector *x;
  const clVector *b;
  clVector *rhs, *r;
  /* `pre` sweeps before the coarse correction, `post` after it. */
  txSweep before[TX_SWEEPS * TX_COLOURS], after[TX_SWEEPS * TX_COLOURS];
  int pre, post;
  /* The matrices of lines along x and y, or NULL. */
  clTridiagonal *lines[2];
  /* On the finest level; `iterating`: cycles follow each other, and x is made at the end. */
  txColours colours;
  bool iterating;
  /* Transfer by matrix product: P, and linear vectors for it. */
  clMatrix *P;
  clVector *fine, *coarse;
} txLevel;

/* The levels, the finest first. `singular`: constants are in the kernel. `halves`: the finest level
 * is smoothed with its colours apart. `lined`: sweeps solve for whole lines, along y and along x in
 * turns. */
struct clMultigrid {
  clContext *context;
  clMultigridOptions options;
  txLevel level[TX_LEVELS];
  int levels;
  txCycle cycle;
  bool singular, halves, lined;
  char description[256];
};

/* Tables of operations on a txLevel: on the device by the way of transfer, there with the colours
 * apart, on the host. */
extern const txLevelOps txDeviceLevel[3], txColoursLevel;
const txLevelOps *txHostOperations(void);

/* Fills mg->level, levels, singular from the finest grid's stencil, which it takes over. */
clStatus txMultigridSetUp(clMultigrid *mg, txStencil *s, const char *call);
/* clMultigridCreate from a matrix that has been looked at. */
clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx,
                           int ny, const clMultigridOptions *options);
/* The same from a stencil, which it takes over whether it fails or not: there is no matrix. */
TX_COMPANION clStatus txMultigridCreateOf(clMultigrid **out, clContext *context, txStencil *s,
                                          const clMultigridOptions *options);

/* x and b are two vectors on mg's finest grid. */
clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x,
                          const char *x_name, const clVector *b, const char *b_name);

/* A preconditioner that owns the multigrid (NULL: nothing, and *out is untouched). */
TX_COMPANION txPreconditioner txMultigridPreconditioner(clMultigrid *multigrid);

#endif
