#ifndef TEXLA_SOLVERS_MULTIGRID_H
#define TEXLA_SOLVERS_MULTIGRID_H

#include "ops/transfer.h"
#include "solvers/multigrid_host.h"
#include "solvers/precondition.h"
#include "texla/multigrid.h"

enum { TX_LEVELS = 40, TX_SWEEPS = 8, TX_COLOURS = 4 };

typedef struct txLevel {
  int n[2];
  txGrid *grid;        /* on the device; of the levels on the host the first alone has one, with x and b */
  txHostGrid *host;    /* NULL: on the device */
  clVector *x, *b, *r; /* x and b of the finest level are the caller's */
  txSweep before[TX_SWEEPS * TX_COLOURS], after[TX_SWEEPS * TX_COLOURS]; /* the coarse correction */
  int pre, post;                                                         /* how many of them */
  /* transfer by matrix product: P, and linear vectors for it */
  clMatrix *P;
  clVector *fine, *coarse;
} txLevel;

struct clMultigrid {
  clContext *context;
  clMultigridOptions options;
  txLevel level[TX_LEVELS];
  int levels;
  txTexture *inverse;    /* of the coarsest matrix, unless that is on the host */
  bool singular, halves; /* halves: the finest level is smoothed in colours apart */
  char description[256];
};

/* Fills mg->level, levels, inverse, singular from the matrix. */
clStatus txMultigridSetUp(clMultigrid *mg, const txRows *rows, int nx, int ny, const char *call);
/* clMultigridCreate from a matrix that has been looked at. */
clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx, int ny,
                           const clMultigridOptions *options);

/* coarse->b <- P^T r;  x <- x + P coarse->x, with `start` x <- P coarse->x: in the way that the options say. */
clStatus txMultigridRestrict(const clMultigrid *mg, int l, const clVector *r);
/* coarse->b <- P^T (b - A x) */
clStatus txMultigridResidual(clMultigrid *mg, int l, const clVector *x, const clVector *b);
clStatus txMultigridProlong(const clMultigrid *mg, int l, clVector *x, bool start);

/* x and b are two vectors on mg's finest grid. */
clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x, const char *x_name,
                          const clVector *b, const char *b_name);

/* A preconditioner that owns the multigrid (NULL: nothing, and *out is untouched). */
txPreconditioner txMultigridPreconditioner(clMultigrid *multigrid);

#endif
