/* The loops of the CPU, as cpu.h declares them: OpenMP for threads, `omp simd` for vector
 * instructions, whose reductions may reorder what they add. Built for this very processor. */
#include "core/compiler.h"
#include "core/numbers.h"
#include "cpu.h"

#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* elements that are summed in single precision */
enum { BLOCK = 4096 };

/* As OpenMP counts them. */
int txCpuThreads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/* The last block is shorter. */
static int64_t blockEnd(int64_t begin, int64_t n) {
  return txLeast64(begin + BLOCK, n);
}

/* z <- a */
void txCpuFill(float *restrict z, float a, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = a;
}

/* z <- x */
void txCpuCopy(float *restrict z, const float *restrict x, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i];
}

/* z <- a x */
void txCpuScale(float *restrict z, float a, const float *restrict x, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = a * x[i];
}

/* z <- z + a x */
void txCpuAxpy(float *restrict z, float a, const float *restrict x, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] += a * x[i];
}

/* z <- y + a x, which reads two vectors and writes a third, as the STREAM benchmark's triad does.
 * */
void txCpuTriad(float *restrict z, const float *restrict y, float a, const float *restrict x,
                int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = y[i] + a * x[i];
}

/* z <- a x + b y */
void txCpuAdd(float *restrict z, float a, const float *restrict x, float b, const float *restrict y,
              int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = a * x[i] + b * y[i];
}

/* z_i <- x_i y_i */
void txCpuMul(float *restrict z, const float *restrict x, const float *restrict y, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] * y[i];
}

/* z_i <- x_i / y_i */
void txCpuDiv(float *restrict z, const float *restrict x, const float *restrict y, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] / y[i];
}

/* In single precision lanes within a block, in double over blocks. */
double txCpuSum(const float *restrict x, int64_t n) {
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t begin = 0; begin < n; begin += BLOCK) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = begin; i < blockEnd(begin, n); i++)
      sum += x[i];
    total += (double)sum;
  }
  return total;
}

/* x.y; the lanes of a block are summed apart, so that the loop has vector instructions. */
double txCpuDot(const float *x, const float *y, int64_t n) {
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t begin = 0; begin < n; begin += BLOCK) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = begin; i < blockEnd(begin, n); i++)
      sum += x[i] * y[i];
    total += (double)sum;
  }
  return total;
}

/* A conditional that compilers take for a minimum instruction; NaN is passed over. */
double txCpuMin(const float *restrict x, int64_t n) {
  float least = INFINITY;
#pragma omp parallel for simd reduction(min : least) schedule(static)
  for (int64_t i = 0; i < n; i++)
    least = x[i] < least ? x[i] : least;
  return (double)least;
}

/* max |x_i|, likewise. */
double txCpuAbsMax(const float *restrict x, int64_t n) {
  float most = 0;
#pragma omp parallel for simd reduction(max : most) schedule(static)
  for (int64_t i = 0; i < n; i++)
    most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
  return (double)most;
}

/* The same of one block, in one thread. */
static float blockAbsMax(const float *restrict x, int64_t begin, int64_t end) {
  float most = 0;
#pragma omp simd reduction(max : most)
  for (int64_t i = begin; i < end; i++)
    most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
  return most;
}

/* Blocks first: which of them has the largest magnitude; then the place in it. */
int64_t txCpuArgMax(const float *x, int64_t n) {
  float most = -1;
  int64_t found = 0;
#pragma omp parallel
  {
    float mine = -1;
    int64_t block = 0;
#pragma omp for schedule(static) nowait
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
      float here = blockAbsMax(x, begin, blockEnd(begin, n));
      if (here > mine)
        mine = here, block = begin;
    }
#pragma omp critical
    if (mine > most || (mine == most && block < found))
      most = mine, found = block;
  }
  while (found < n - 1 && fabsf(x[found]) < most)
    found++;
  return found;
}

/* Independent chains hide the latency of the multiply-adds. */
double txCpuArithmetic(int64_t steps) {
  typedef float lanes TX_VECTOR(4 * TX_CPU_LANES);
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    lanes a[TX_CPU_CHAINS], m = {0}, c = {0};
    m += 0.999f;
    c += 0.001f;
    for (int k = 0; k < TX_CPU_CHAINS; k++)
      a[k] = m * (float)k;
    for (int64_t i = 0; i < steps; i++)
#pragma GCC unroll 16
      for (int k = 0; k < TX_CPU_CHAINS; k++)
        a[k] = a[k] * m + c;
    for (int k = 0; k < TX_CPU_CHAINS; k++)
      for (int l = 0; l < TX_CPU_LANES; l++)
        total += (double)a[k][l];
  }
  return total;
}

/* x.y of one block, in one thread. */
static float blockDot(const float *x, const float *y, int64_t begin, int64_t end) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = begin; i < end; i++)
    sum += x[i] * y[i];
  return sum;
}

/* The dot product with x comes along in the same loop where a solver needs it. */
double txCpuRows(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot) {
  const int32_t *start = A->start, *column = A->column;
  const float *value = A->value;
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t begin = 0; begin < A->rows; begin += BLOCK) {
    int64_t end = blockEnd(begin, A->rows);
    for (int64_t i = begin; i < end; i++) {
      float sum = 0;
      for (int32_t k = start[i]; k < start[i + 1]; k++)
        sum += value[k] * x[column[k]];
      y[i] = sum;
    }
    if (dot)
      total += (double)blockDot(x, y, begin, end);
  }
  return total;
}

/* y_i <- sum over k of vector[k][i] x_(i + offset[k]); inlined with a constant count, so that one
 * sweep takes all. */
TX_INLINE void sweep(float *restrict y, const txCpuMatrix *A, int count, int first,
                     const float *restrict x, int64_t begin, int64_t end) {
  const float *d[9];
  const float *s[9];
  for (int k = 0; k < count; k++) {
    d[k] = A->vector[first + k];
    s[k] = x + A->offset[first + k];
  }
#pragma omp simd
  for (int64_t i = begin; i < end; i++) {
    /* the first sweep writes, the others add */
    float sum = first ? y[i] : 0;
#pragma GCC unroll 9
    for (int k = 0; k < count; k++)
      sum += d[k][i] * s[k][i];
    y[i] = sum;
  }
}

/* y <- A x by its diagonals. Five and nine of them take one sweep over y, other numbers one sweep
 * each. With `dot` also x.y, while both are in the cache. */
double txCpuDiagonals(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot) {
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t begin = 0; begin < A->rows; begin += BLOCK) {
    int64_t end = blockEnd(begin, A->rows);
    if (A->diagonals == 5)
      sweep(y, A, 5, 0, x, begin, end);
    else if (A->diagonals == 9)
      sweep(y, A, 9, 0, x, begin, end);
    else
      for (int k = 0; k < A->diagonals; k++)
        sweep(y, A, 1, k, x, begin, end);
    if (dot)
      total += (double)blockDot(x, y, begin, end);
  }
  return total;
}

/* The five-point stencil without a matrix: the least that has to be read. */
double txCpuStencil(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot) {
  int64_t n = A->nx;
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t row = 0; row < A->ny; row++) {
    const float *c = x + row * n, *up = c - n, *down = c + n;
    float *out = y + row * n;
    out[0] = 4 * c[0] - up[0] - down[0] - (n > 1 ? c[1] : 0);
#pragma omp simd
    for (int64_t i = 1; i < n - 1; i++)
      out[i] = 4 * c[i] - c[i - 1] - c[i + 1] - up[i] - down[i];
    if (n > 1)
      out[n - 1] = 4 * c[n - 1] - c[n - 2] - up[n - 1] - down[n - 1];
    if (dot)
      total += (double)blockDot(c, out, 0, n);
  }
  return total;
}

/* y <- A x, a dot product for each row, whose entries stand one after the other. */
double txCpuDense(const txCpuMatrix *A, float *restrict y, const float *restrict x, int dot) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < A->rows; i++)
    y[i] = blockDot(A->value + i * A->cols, x, 0, A->cols);
  if (dot)
    return txCpuDot(x, y, A->rows);
  return 0;
}

/* x <- x + alpha p, r <- r - alpha q; returns r.r */
static double updateIterate(int64_t n, float alpha, float *restrict x, float *restrict r,
                            const float *restrict p, const float *restrict q) {
  double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
  for (int64_t begin = 0; begin < n; begin += BLOCK) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = begin; i < blockEnd(begin, n); i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      sum += r[i] * r[i];
    }
    total += (double)sum;
  }
  return total;
}

/* p <- r + beta p */
static void updateDirection(int64_t n, float *restrict p, const float *restrict r, float beta) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    p[i] = r[i] + beta * p[i];
}

/* Conjugate gradients with the loops merged as far as their results allow: the product takes p.q
 * along, the update of x and r takes r.r, so that an iteration reads each vector as seldom as
 * possible. */
int64_t txCpuCg(const txCpuMatrix *A, const float *b, float *x, float *r, float *p, float *q,
                double tolerance, int64_t most) {
  int64_t n = A->rows, iterations = 0;
  txCpuFill(x, 0, n);
  txCpuCopy(r, b, n);
  txCpuCopy(p, b, n);
  double rr = txCpuDot(r, r, n), enough = tolerance * tolerance * rr;
  for (; iterations < most && rr > enough; iterations++) {
    double pq = A->multiply(A, q, p, 1), before = rr;
    rr = updateIterate(n, (float)(rr / pq), x, r, p, q);
    updateDirection(n, p, r, (float)(rr / before));
  }
  return iterations;
}

/* y <- x + D^-1 (b - A x), a sweep of Jacobi's method; `inverse` is D^-1. */
void txCpuJacobi(const txCpuMatrix *A, float *restrict y, const float *restrict x,
                 const float *restrict b, const float *restrict inverse) {
  const int32_t *start = A->start, *column = A->column;
  const float *value = A->value;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < A->rows; i++) {
    float sum = b[i];
    for (int32_t k = start[i]; k < start[i + 1]; k++)
      sum -= value[k] * x[column[k]];
    y[i] = x[i] + inverse[i] * sum;
  }
}

/* z <- B x - z, B by its five diagonals: a step of the wave equation, which needs the two last
 * heights only. */
void txCpuWaveDiagonals(float *restrict z, const float *const *diagonal, const float *restrict x,
                        int64_t nx, int64_t n) {
  const float *restrict s = diagonal[0], *restrict w = diagonal[1], *restrict c = diagonal[2];
  const float *restrict e = diagonal[3], *restrict t = diagonal[4];
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; i++)
    z[i] = s[i] * x[i - nx] + w[i] * x[i - 1] + c[i] * x[i] + e[i] * x[i + 1] + t[i] * x[i + nx] -
           z[i];
}

/* The same with B = 2 + beta times the five-point Laplacian, without a matrix; zero beyond the
 * edges. */
void txCpuWaveStencil(float *restrict z, float beta, const float *restrict x, int64_t nx,
                      int64_t ny) {
  const float own = 2 - 4 * beta;
#pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < ny; row++) {
    const float *c = x + row * nx, *up = c - nx, *down = c + nx;
    float *out = z + row * nx;
    out[0] = own * c[0] + beta * (up[0] + down[0] + (nx > 1 ? c[1] : 0)) - out[0];
#pragma omp simd
    for (int64_t i = 1; i < nx - 1; i++)
      out[i] = own * c[i] + beta * (c[i - 1] + c[i + 1] + up[i] + down[i]) - out[i];
    if (nx > 1)
      out[nx - 1] = own * c[nx - 1] + beta * (c[nx - 2] + up[nx - 1] + down[nx - 1]) - out[nx - 1];
  }
}

/* Thomas's algorithm for the systems [first, last) in the lanes: super <- super', x <- rhs', then
 * back. */
static void thomasLanes(float *restrict x, float *restrict super, const float *const *bands,
                        int64_t k, int64_t n, int64_t first, int64_t last) {
  const float *a = bands[0], *b = bands[1], *c = bands[2], *d = bands[3];
#pragma omp simd
  for (int64_t j = first; j < last; j++) {
    super[j] = c[j] / b[j];
    x[j] = d[j] / b[j];
  }
  for (int64_t i = k; i < n * k; i += k)
#pragma omp simd
    for (int64_t j = i + first; j < i + last; j++) {
      float inverse = 1 / (b[j] - a[j] * super[j - k]);
      super[j] = c[j] * inverse;
      x[j] = (d[j] - a[j] * x[j - k]) * inverse;
    }
  for (int64_t i = (n - 2) * k; i >= 0; i -= k)
#pragma omp simd
    for (int64_t j = i + first; j < i + last; j++)
      x[j] -= super[j] * x[j + k];
}

/* Systems stand beside each other, so that a vector instruction takes one row of several; threads
 * take groups of them. */
void txCpuThomas(float *x, float *super, const float *const *bands, int64_t k, int64_t n) {
  enum { LANES = 64 };
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < k; first += LANES)
    thomasLanes(x, super, bands, k, n, first, txLeast64(first + LANES, k));
}
