/* Cejka's iterative Crout method (2.2.2, C2) with kernels of its own, in single precision or in
 * double-float: a section of Z converges after the other, each entry computed from those of the
 * sweep before. (His kernel reads and writes one matrix, a race.) */
#ifndef TEXLA_PAPERS_ICM_H
#define TEXLA_PAPERS_ICM_H

#include "paper.h"

typedef struct IcmOptions {
  /* rows of a section; 0: n / 10, at least 256, at most 1024 */
  int section;
  /* a section has converged when no entry changes by more */
  double tolerance;
  /* a section is all columns of its rows (ConvRow), not a square */
  bool rows;
  /* single precision instead of double-float */
  bool single;
} IcmOptions;

typedef struct IcmReport {
  int section, most_sweeps;
  int64_t sweeps;
} IcmReport;

/* z <- the factors of A. False: some are not finite, as without pivots they may be. */
bool icmFactor(clContext *context, const PaperMatrix *A, double *z, const IcmOptions *options,
               IcmReport *report);

#endif
