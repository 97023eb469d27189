/* clPlu inside. */
#ifndef TEXLA_ELIMINATION_PLU_H
#define TEXLA_ELIMINATION_PLU_H

#include "elimination/elimination.h"
#include "elimination/panel.h"
#include "elimination/refinement.h"

struct clPlu {
  clContext *context;
  int rows, cols;
  clEliminationOptions options;
  /* columns between two updates of all that is right of them */
  int panel;
  /* such an update takes place while the host eliminates the next panels */
  bool ahead;
  struct {
    /* a block, the columns right of it that have not lost its products yet, and how many of them do
     * so during one panel; count 0: none */
    int first, count, from, share;
  } late;
  txEquilibration scale;
  /* of the equilibrated matrix S */
  clDense *factors;
  txPanels panels;
  /* of all panels, on the host */
  float *moves;
  /* of rows, by step */
  float *places;
  float *pivots;
  int32_t *row_order, *col_order, *scratch;
  /* 2 to the exponents of `scale` */
  double *row_scale, *col_scale;
  /* of S */
  double norm_one, norm_inf;
  clPluReport report;
  bool factored;
  /* the first one, -1: none */
  int zero_pivot;
  /* asked before every step, unless NULL; false: the factorization ends with TEXLA_CANCELLED */
  bool (*go_on)(void *user);
  void *user;
};

/* clPluCreate without its checks: the host takes so many panels of TX_PANEL columns at once, 0: the
 * device eliminates. */
clStatus txPluCreate(clPlu **out, const char *call, clContext *context, int rows, int cols,
                     const clPluOptions *options, int on_host);

/* *on_host <- how many panels, up to `most`, the host should take at once with partial pivoting; 0:
 * the device. */
clStatus txPluSide(int *on_host, clContext *context, int rows, int most);

/* Fails unless there are factors. */
clStatus txPluFactored(const clPlu *plu, const char *call);
/* Fails unless there are factors to solve with. */
clStatus txPluReady(const clPlu *plu, const char *call);
/* Y <- op(A)^-1 Y, or with `scaled` op(S)^-1 Y. */
clStatus txPluSolveInPlace(const clPlu *plu, const char *call, clTranspose op, bool scaled,
                           clDense *Y);
/* The factors as refinement sees them; there must be some. */
txFactor txPluFactor(const clPlu *plu, const char *call);

#endif
