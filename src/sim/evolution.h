/* clEvolution: fields u, v, w, q on a grid whose time derivatives are a rate that a user types,
 * plus D lap and -B lap lap of each. What files share; the calls are described in
 * texla/evolution.h. */
#ifndef TEXLA_SIM_EVOLUTION_H
#define TEXLA_SIM_EVOLUTION_H

#include "gl/context.h"
#include "sim/helmholtz.h"
#include "texla/evolution.h"
#include "texla/kernel.h"
#include "texla/multigrid.h"

enum { TX_EVOLUTION_STAGES = 4 };

/* A stage of a scheme, with the rate k of the fields y of now, those at the start of the step, and
 * a sum:
 *     right-hand side <- start + to . (y - start, sum, k),    sum <- onto . (sum, k),
 *     y <- (1 - c dt (D lap - B lap lap))^-1 right-hand side
 * The k in these are times dt; the time of y is that of the step plus `at` dt. */
typedef struct txEvolutionStage {
  double at, to[3], onto[2];
} txEvolutionStage;

typedef struct txEvolutionScheme {
  int stages;
  /* the c of all stages; 0: nothing is implicit */
  double implicit;
  txEvolutionStage stage[TX_EVOLUTION_STAGES];
} txEvolutionScheme;

struct clEvolution {
  clContext *context;
  /* without `rate` */
  clEvolutionOptions options;
  clEvolutionInfo info;
  txEvolutionScheme scheme;
  /* next: y, after the first stage */
  clVector *now[TEXLA_EVOLUTION_FIELDS], *next[TEXLA_EVOLUTION_FIELDS];
  clVector *right[TEXLA_EVOLUTION_FIELDS], *sum[TEXLA_EVOLUTION_FIELDS];
  clVector *work[2];
  clKernel *stage, *paint, *picture;
  char *picture_text;
  clFloat *number, *norm;
  /* Edges and totals, src/sim/evolution_edges.c */
  /* a cell beyond a side is `mirror` times the one within plus `scale` times the value there */
  double mirror[TEXLA_EVOLUTION_FIELDS][4], scale[TEXLA_EVOLUTION_FIELDS][4];
  /* these numbers; NULL: 0 */
  clVector *edge;
  /* makes them from the fields; NULL: they stay */
  clKernel *edge_kernel;
  /* clEvolutionOptions::given and domain; of the latter, how many cells are within */
  clVector *given[TEXLA_EVOLUTION_GIVEN], *domain;
  int cells;
  clFloat *total[TEXLA_EVOLUTION_TOTALS];
  clKernel *total_kernel[TEXLA_EVOLUTION_TOTALS];
  /* The implicit part, src/sim/evolution_solve.c */
  /* What is solved is (1 - c lap) y = right, over h^2, in two rounds; 0: nothing. If `turn` is not
   * 0, c[0] + i turn and c[0] - i turn are the factors of the first round and there is no second */
  double c[2][TEXLA_EVOLUTION_FIELDS], turn[TEXLA_EVOLUTION_FIELDS];
  /* the implicit part of D, and the explicit parts of D and -B */
  double implicit[TEXLA_EVOLUTION_FIELDS];
  double second[TEXLA_EVOLUTION_FIELDS], fourth[TEXLA_EVOLUTION_FIELDS];
  /* of a solution; 0: by multigrid */
  int sweeps;
  clKernel *sweep, *residual;
  /* Complex factors: imaginary parts, and kernels; NULL: no field has some. */
  clVector *imaginary[TEXLA_EVOLUTION_FIELDS];
  clKernel *sweep_begin, *sweep_complex, *residual_fourth;
  /* cycles for all fields, where the grid suits them; NULL: it does not, or sweeps do */
  txHelmholtz *helmholtz;
  /* of the first field with this c; NULL: it has another's, helmholtz or a fourth derivative */
  clMultigrid *multigrid[TEXLA_EVOLUTION_FIELDS];
  char solver[256];
  /* sqrt(-lap), src/sim/evolution_root.c */
  /* of the fields of this stage, but for a part; NULL: the rate does not ask for it */
  clVector *root[TEXLA_EVOLUTION_FIELDS];
  clKernel *smooth[3];
};

/* Where messages about it go; NULL for none. */
static inline clError *txEvolutionError(const clEvolution *evolution) {
  return evolution ? txContextError(evolution->context) : NULL;
}

/* A kernel for these edges and fields: `defines`, evolution.glsl, then `source`. */
clStatus txEvolutionKernel(clKernel **out, const clEvolution *evolution, const char *name,
                           const char *defines, const char *source);
/* What all of them may read, with these fields; `parameter` has TX_EVOLUTION_SHARED of them,
 * `input` one a field. */
enum { TX_EVOLUTION_SHARED = 9 };
clKernelRun txEvolutionRun(const clEvolution *evolution, clVector *const field[]);

/* A run of fields, with what stands beyond their edges. */
clStatus txEvolutionExecute(const clEvolution *e, clKernel *kernel, clKernelRun *run);
/* *out <- the kernel of a function picture(), whose lines count from 1 */
/* (`outside` of the domain has this value; NULL: picture() there, too) */
clStatus txEvolutionPictureKernel(clKernel **out, const clEvolution *evolution, const char *text,
                                  const char *outside);

/* Before all kernels: whether something is added beyond edges is compiled into them. */
clStatus txEvolutionCreateEdges(clEvolution *evolution, const char *text);
clStatus txEvolutionCreateGiven(clEvolution *evolution, const clEvolutionOptions *options);
clStatus txEvolutionCreateTotals(clEvolution *evolution, const clEvolutionOptions *options);
/* What the user's formulas make of the fields y at this time, on edges and of all cells. */
clStatus txEvolutionEdges(clEvolution *evolution, clVector *const y[], double time);
clStatus txEvolutionTotals(clEvolution *evolution, clVector *const y[], double time);

/* What is solved in each stage: factors, how, and with which matrices. */
clStatus txEvolutionSetSolver(clEvolution *evolution);
/* next <- (1 - c dt (D lap - B lap lap))^-1 right, from the guess `y` */
clStatus txEvolutionSolve(clEvolution *evolution, clVector *const y[]);

/* Looks into the rate for what it asks for. */
clStatus txEvolutionCreateRoots(clEvolution *evolution, const char *rate);
/* root <- sqrt(-lap) y but for what the rate adds, where it is asked for */
clStatus txEvolutionRoots(clEvolution *evolution, clVector *const y[]);
/* This is of y in a cell, in the sum of the four beside it, and in the sum of the four at its
 * corners. */
void txEvolutionRootNear(const clEvolution *evolution, float factor[3]);

#endif
