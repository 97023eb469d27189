/* What texla is held against: the same operations as plain loops on the CPU, with as many threads
 * as OpenMP gives. Honestly optimised (restrict, SIMD, fused sweeps, this processor's
 * instructions), but nothing clever. Single precision; long sums are added in blocks, the blocks in
 * double. */
#ifndef TEXLA_BENCH_CPU_H
#define TEXLA_BENCH_CPU_H

#include <stdint.h>

/* 1 without OpenMP */
int txCpuThreads(void);

void txCpuFill(float *z, float a, int64_t n);
void txCpuCopy(float *z, const float *x, int64_t n);
void txCpuScale(float *z, float a, const float *x, int64_t n);
/* z <- z + a x */
void txCpuAxpy(float *z, float a, const float *x, int64_t n);
/* z <- y + a x */
void txCpuTriad(float *z, const float *y, float a, const float *x, int64_t n);
/* z <- a x + b y */
void txCpuAdd(float *z, float a, const float *x, float b, const float *y, int64_t n);
void txCpuMul(float *z, const float *x, const float *y, int64_t n);
void txCpuDiv(float *z, const float *x, const float *y, int64_t n);
double txCpuSum(const float *x, int64_t n);
double txCpuDot(const float *x, const float *y, int64_t n);
double txCpuMin(const float *x, int64_t n);
double txCpuAbsMax(const float *x, int64_t n);
/* the first element of largest magnitude */
int64_t txCpuArgMax(const float *x, int64_t n);

/* Multiplies and adds in registers; returns a number that depends on all of them. */
enum { TX_CPU_LANES = 16, TX_CPU_CHAINS = 16 };
/* flops: 2 * TX_CPU_LANES * TX_CPU_CHAINS * steps, on every thread */
double txCpuArithmetic(int64_t steps);

/* A matrix: compressed rows, diagonals, the five-point stencil 4 -1 -1 -1 -1 without a matrix, or
 * dense rows. */
typedef struct txCpuMatrix txCpuMatrix;
struct txCpuMatrix {
  /* y <- A x; with `dot`, returns x.y (square matrices). For
   * diagonals and stencils x continues with zeros on both sides, as far as they reach. */
  double (*multiply)(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot);
  int64_t rows, cols;
  /* compressed rows: row i is start[i] .. start[i + 1] */
  const int32_t *start, *column;
  /* ... its entries; dense: row after row */
  const float *value;
  int diagonals;
  /* diagonal k holds a_(i, i + offset[k]) ... */
  const int64_t *offset;
  /* ... at vector[k][i], 0 where that is outside */
  const float *const *vector;
  /* stencil: the grid */
  int64_t nx, ny;
};
double txCpuRows(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot);
double txCpuDiagonals(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot);
double txCpuStencil(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot);
double txCpuDense(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot);

/* Conjugate gradients from x = 0 until the recursive residual is tolerance * ||b||, in three sweeps
 * an iteration; returns the iterations. r, q: rows floats; x, p: halos too (zero). */
int64_t txCpuCg(const txCpuMatrix *A, const float *b, float *x, float *r, float *p, float *q,
                double tolerance, int64_t most);

/* One Jacobi sweep over compressed rows: y <- x + D^-1 (b - A x). */
void txCpuJacobi(const txCpuMatrix *A, float *restrict y, const float *restrict x,
                 const float *restrict b, const float *restrict inverse);

/* A step of the wave equation in place: z <- B x - z. x continues with zeros on both sides, nx
 * each. Diagonals: B's, of k - nx, k - 1, k, k + 1, k + nx, and 0 where that is no neighbour.
 * Stencil: 2 - 4 beta and beta, the height 0 beyond the edges. */
void txCpuWaveDiagonals(float *restrict z, const float *const *diagonal, const float *restrict x,
                        int64_t nx, int64_t n);
void txCpuWaveStencil(float *restrict z, float beta, const float *restrict x, int64_t nx,
                      int64_t ny);

/* k tridiagonal systems of n rows by Thomas's algorithm; bands: sub, main, super, rhs, row i of
 * system j at i k + j, and so is x. `super` is overwritten. */
void txCpuThomas(float *x, float *super, const float *const *bands, int64_t k, int64_t n);

#endif
