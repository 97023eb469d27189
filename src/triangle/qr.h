/* clQr inside. */
#ifndef TEXLA_TRIANGLE_QR_H
#define TEXLA_TRIANGLE_QR_H

#include "dense/dense.h"
#include "texla/qr.h"

/* Reflections of a panel, or of its triangle: Q = I - V T V^T, from row `first` on. */
typedef struct txReflector {
  int first, cols;
  /* V has cols columns; T: cols x cols, upper triangular */
  clDense *V, *T;
} txReflector;

struct clQr {
  clContext *context;
  int rows, cols;
  clQrOptions options;
  txReflector *panel;
  int panels;
  /* what was factored is A / unit, a power of two */
  double unit;
  /* R / unit, min(rows, cols) x cols, row by row */
  float *upper;
  /* of the columns */
  int32_t *order;
  clQrReport report;
};

/* r_ij, in the order of the factorization. */
static inline double txQrUpperAt(const clQr *qr, int i, int j) {
  return qr->unit * (double)qr->upper[(size_t)i * (size_t)qr->cols + (size_t)j];
}

#endif
