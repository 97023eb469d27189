/* Test matrices: operators on grids, random matrices, matrices with a given condition number.
 *
 * Every generator emits its entries sorted, so that the result is compressed from the start. Random
 * ones follow from their seed alone, on every machine. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/allocate.h"
#include "core/try.h"
#include "texla/io.h"

/* Appends within the capacity that the generator asked for. */
static void generatePut(clTriplets *A, int32_t i, int32_t j, double value) {
  A->row[A->count] = i;
  A->col[A->count] = j;
  A->value[A->count++] = value;
}

/* The operator with the 3 x 3 stencil s (rows: below, same, above) on a row-major nx x ny grid,
 * zero boundary. */
static clStatus generateStencil(clTriplets **out, int32_t nx, int32_t ny, double s[3][3],
                                const char *call, clError *error) {
  if (!out || nx < 1 || ny < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "a grid of %d x %d: both sizes must be positive",
                  nx, ny);
  int64_t n = (int64_t)nx * ny;
  if (n > INT32_MAX)
    return txFail(error, TEXLA_TOO_LARGE, call, "%d x %d unknowns are more than %d", nx, ny,
                  INT32_MAX);
  int points = 0;
  for (int k = 0; k < 9; k++)
    points += s[k / 3][k % 3] != 0;
  TRY(clTripletsCreate(out, (int32_t)n, (int32_t)n, points * n, error));
  for (int32_t y = 0; y < ny; y++)
    for (int32_t x = 0; x < nx; x++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          if (s[dy + 1][dx + 1] != 0 && x + dx >= 0 && x + dx < nx && y + dy >= 0 && y + dy < ny)
            generatePut(*out, y * nx + x, (y + dy) * nx + x + dx, s[dy + 1][dx + 1]);
        }
  return TEXLA_OK;
}

/* The five-point Laplacian with the grid's step as unit of length. */
clStatus clGeneratePoisson2d(clTriplets **out, int32_t nx, int32_t ny, clError *error) {
  double stencil[3][3] = {{0, -1, 0}, {-1, 4, -1}, {0, -1, 0}};
  return generateStencil(out, nx, ny, stencil, "clGeneratePoisson2d", error);
}

/* Couplings of -1 along y and -eps along x. */
clStatus clGenerateAnisotropic(clTriplets **out, int32_t nx, int32_t ny, double eps,
                               clError *error) {
  const char *call = "clGenerateAnisotropic";
  if (!(eps > 0) || !isfinite(2 + 2 * eps))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "eps = %g: it must be positive and finite", eps);
  double stencil[3][3] = {{0, -1, 0}, {-eps, 2 + 2 * eps, -eps}, {0, -1, 0}};
  return generateStencil(out, nx, ny, stencil, call, error);
}

/* Bilinear elements for the Laplacian: nine points. */
clStatus clGenerateFemPlate(clTriplets **out, int32_t n, clError *error) {
  /* Each of the four squares around a node adds 2/3 to the node itself, -1/6 to an edge and -1/3 to
   * a diagonal. */
  double c = 8. / 3, e = -1. / 3;
  double stencil[3][3] = {{e, e, e}, {e, c, e}, {e, e, e}};
  return generateStencil(out, n, n, stencil, "clGenerateFemPlate", error);
}

/* Uniform in [-1, 1), never 0: splitmix64 (Steele, Lea, Flood 2014), 53 bits of each number. */
static double randomEntry(uint64_t *state) {
  double value;
  do {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    value = (double)(z >> 11) * 0x1p-52 - 1;
  } while (value == 0);
  return value;
}

/* Row after row, so that the same seed gives the same matrix in every program. */
clStatus clGenerateDense(clTriplets **out, int32_t n, uint64_t seed, clError *error) {
  const char *call = "clGenerateDense";
  if (!out || n < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "n = %d: the size must be positive", n);
  TRY(clTripletsCreate(out, n, n, (int64_t)n * n, error));
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j < n; j++)
      generatePut(*out, i, j, randomEntry(&seed));
  return TEXLA_OK;
}

/* Each diagonal entry exceeds the sum of its row's other magnitudes by one. */
clStatus clGenerateDominant(clTriplets **out, int32_t n, uint64_t seed, clError *error) {
  TRY(clGenerateDense(out, n, seed, error));
  double *value = (*out)->value;
  for (int32_t i = 0; i < n; i++) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
      if (j != i)
        sum += fabs(value[(int64_t)i * n + j]);
    value[(int64_t)i * n + i] = 1 + sum;
  }
  return TEXLA_OK;
}

/* A <- (1 - 2 v v^T / v.v) A or A (1 - 2 v v^T / v.v) with a random v: an orthogonal change of the
 * rows or columns. `work` holds 2 n. */
static void generateReflect(double *A, int32_t n, bool rows, uint64_t *state, double *work) {
  double *v = work, *product = work + n, square = 0;
  /* The steps to the next row and column of A, or of A^T where columns are reflected. */
  int64_t along = 1, across = n;
  if (rows) {
    along = n;
    across = 1;
  }
  for (int32_t k = 0; k < n; k++) {
    v[k] = randomEntry(state);
    square += v[k] * v[k];
    product[k] = 0;
  }
  for (int32_t k = 0; k < n; k++)
    for (int32_t l = 0; l < n; l++)
      product[l] += v[k] * A[k * along + l * across];
  for (int32_t k = 0; k < n; k++)
    for (int32_t l = 0; l < n; l++)
      A[k * along + l * across] -= 2 / square * v[k] * product[l];
}

/* A diagonal with powers of the condition number, from 1 down to 1 / condition, between random
 * reflections. */
clStatus clGenerateConditioned(clTriplets **out, int32_t n, double condition, bool symmetric,
                               uint64_t seed, clError *error) {
  enum { REFLECTIONS = 3 };
  static const char call[] = "clGenerateConditioned";
  if (!out || n < 1 || !(condition >= 1) || isinf(condition))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "n = %d must be positive, the condition %g finite and at least 1", n, condition);
  TRY(clGenerateDense(out, n, seed, error));
  double *A = (*out)->value,
         *work = txAllocate(error, call, 2 * (size_t)n, sizeof *work, "a reflection");
  if (!work) {
    clTripletsDestroy(*out);
    *out = NULL;
    return TEXLA_OUT_OF_MEMORY;
  }
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  A[0] = 1;
  for (int32_t i = 1; i < n; i++)
    A[(int64_t)i * n + i] = pow(condition, -(double)i / (n - 1));
  for (int k = 0; k < REFLECTIONS; k++) {
    uint64_t left = seed + 2 * (uint64_t)k, right = left + !symmetric;
    generateReflect(A, n, true, &left, work);
    generateReflect(A, n, false, &right, work);
  }
  /* Both sides were rounded on their own, so one is copied: A is symmetric to the last bit. */
  for (int32_t i = 0; i < n && symmetric; i++)
    for (int32_t j = 0; j < i; j++)
      A[(int64_t)i * n + j] = A[(int64_t)j * n + i];
  free(work);
  return TEXLA_OK;
}

/* For qsort, in ascending order. */
static int compareOffsets(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* sorted <- the offsets in ascending order, each once and inside the matrix. */
static clStatus sortOffsets(int32_t *sorted, const int32_t *offsets, int32_t count, int32_t n,
                            const char *call, clError *error) {
  for (int32_t k = 0; k < count; k++)
    sorted[k] = offsets[k];
  qsort(sorted, (size_t)count, sizeof *sorted, compareOffsets);
  for (int32_t k = 0; k < count; k++) {
    if (sorted[k] <= -n || sorted[k] >= n)
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "offset %d is outside a matrix of size %d",
                    sorted[k], n);
    if (k > 0 && sorted[k] == sorted[k - 1])
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "offset %d occurs twice", sorted[k]);
  }
  return TEXLA_OK;
}

/* Appends row i; the diagonal gets 1 + the sum of the other magnitudes. */
static void putBandedRow(clTriplets *A, int32_t i, const int32_t *offsets, int32_t count,
                         uint64_t *state) {
  double sum = 0;
  int64_t diagonal = -1;
  for (int32_t k = 0; k < count; k++) {
    int64_t j = (int64_t)i + offsets[k];
    if (j < 0 || j >= A->cols)
      continue;
    double value = 0;
    if (offsets[k] == 0)
      diagonal = A->count;
    else
      value = randomEntry(state);
    sum += fabs(value);
    generatePut(A, i, (int32_t)j, value);
  }
  if (diagonal >= 0)
    A->value[diagonal] = 1 + sum;
}

/* Diagonally dominant, where the main diagonal is among the offsets. */
clStatus clGenerateBanded(clTriplets **out, int32_t n, const int32_t *offsets, int32_t count,
                          uint64_t seed, clError *error) {
  const char *call = "clGenerateBanded";
  if (!out || !offsets || n < 1 || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "n = %d with %d offsets: both must be positive",
                  n, count);
  int32_t *sorted = txAllocate(error, call, (size_t)count, sizeof *sorted, "offsets");
  if (!sorted)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(sortOffsets(sorted, offsets, count, n, call, error));
  TRY_CLEANUP(clTripletsCreate(out, n, n, (int64_t)n * count, error));
  for (int32_t i = 0; i < n; i++)
    putBandedRow(*out, i, sorted, count, &seed);
cleanup:
  free(sorted);
  return status;
}
