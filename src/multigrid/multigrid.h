#ifndef TEXLA_MULTIGRID_MULTIGRID_H
#define TEXLA_MULTIGRID_MULTIGRID_H

#include "multigrid/cycle.h"
#include "multigrid/grid.h"
#include "multigrid/host.h"
#include "matrix/preconditioner.h"
#include "texla/multigrid.h"
#include "texla/tridiagonal.h"

enum { TX_SWEEPS = 8, TX_COLOURS = 4 };

/* A red-black smoother whose colours have textures of their own (multigrid/grid_colours.c). */
typedef struct txColours {
  txTexture *black;  /* what is known of x in the midst of a cycle, else NULL */
  const clVector *b; /* its right-hand side: of the level, or its residual */
  float factor;      /* x <- factor times what the cycle finds from zero, ... */
  bool add;          /* ... added to x */
} txColours;

typedef struct txLevel {
  int n[2];
  txGrid *grid;       /* on the device; of the levels on the host the first alone has one, with x and b */
  txHostGrid *host;   /* NULL: on the device */
  txTexture *inverse; /* of the coarsest matrix, unless that is on the host */
  clVector *x;        /* of the finest level the caller's, and so is b */
  const clVector *b;
  clVector *rhs, *r;                                                     /* what b is on the other levels; scratch */
  txSweep before[TX_SWEEPS * TX_COLOURS], after[TX_SWEEPS * TX_COLOURS]; /* the coarse correction */
  int pre, post;                                                         /* how many of them */
  clTridiagonal *lines[2];                                               /* matrices of lines along x and y, or NULL */
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
  bool singular, halves; /* halves: the finest level is smoothed in colours apart */
  bool lined;            /* sweeps solve for whole lines, along y and along x in turns */
  char description[256];
};

/* Tables of operations on a txLevel: on the device by the way of transfer, there with the colours apart, on the host. */
extern const txLevelOps txDeviceLevel[3], txColoursLevel, txHostLevel;

/* Fills mg->level, levels, singular from the matrix. */
clStatus txMultigridSetUp(clMultigrid *mg, const txRows *rows, int nx, int ny, const char *call);
/* clMultigridCreate from a matrix that has been looked at. */
clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx, int ny,
                           const clMultigridOptions *options);

/* x and b are two vectors on mg's finest grid. */
clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x, const char *x_name,
                          const clVector *b, const char *b_name);

/* A preconditioner that owns the multigrid (NULL: nothing, and *out is untouched). */
txPreconditioner txMultigridPreconditioner(clMultigrid *multigrid);

#endif
