/* Files: Matrix Market and terrain grids in and out, PNG pictures, colour maps, test matrices. No OpenGL, no context.
 *
 * Readers accept "-" for standard input, writers "-" for standard output. A writer writes a temporary file beside its
 * destination and renames it at the end, so that a failed call leaves an existing file as it was. Messages name the
 * file and, for text, the line. */
#ifndef TEXLA_IO_H
#define TEXLA_IO_H

#include <stddef.h>
#include <stdint.h>

#include "texla/status.h"
#include "texla/triplets.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Matrix Market: coordinate and array; real, integer, pattern; general, symmetric, skew-symmetric. Symmetric storage is
 * expanded, duplicates are summed, the result is compressed; exact zeros of an array file are left out. complex and
 * hermitian are refused by name (TEXLA_UNSUPPORTED); malformed or truncated text, wrong counts, indices out of range
 * give TEXLA_BAD_FILE; NaN, Inf, or values that overflow double give TEXLA_NOT_FINITE. The caller owns *out. */
TEXLA_API clStatus clMatrixMarketRead(clTriplets **out, const char *path, clError *error);

/* The same for an n x 1 (or 1 x n) matrix as a plain vector of *count doubles; the caller frees *out with free(). */
TEXLA_API clStatus clMatrixMarketReadVector(double **out, int64_t *count, const char *path, clError *error);

/* Coordinate real general (or symmetric: the lower triangle, when `symmetric`), with enough digits (%.17g) to read
 * back every double exactly. `comment` (may be NULL) becomes % lines. */
TEXLA_API clStatus clMatrixMarketWrite(const char *path, const clTriplets *A, bool symmetric, const char *comment,
                                       clError *error);
/* Array real general, count x 1. NaN or Inf is refused (TEXLA_NOT_FINITE): no reader would take it back. */
TEXLA_API clStatus clMatrixMarketWriteVector(const char *path, const double *x, int64_t count, const char *comment,
                                             clError *error);
/* The same for a rows x cols matrix, column after column. */
TEXLA_API clStatus clMatrixMarketWriteArray(const char *path, const double *x, int64_t rows, int64_t cols,
                                            const char *comment, clError *error);

/* Test matrices; all compressed, the caller owns *out.
 * poisson2d: nx*ny unknowns, row-major grid, rows -1 -1 4 -1 -1, zero boundary.
 * anisotropic: -eps u_xx - u_yy: 2 + 2 eps on the diagonal, -eps left and right, -1 above and below.
 * fem-plate: bilinear (Q1) finite elements for -Laplace on the unit square, n x n interior nodes: nine diagonals.
 * dense: n x n, every entry non-zero, uniform in [-1, 1) (splitmix64 of seed), reproducible on every machine.
 * dominant: the same, but the diagonal is 1 + the sum of the row's other magnitudes: it has factors without pivoting.
 * conditioned: n x n, dense, singular values from 1 down to 1 / condition in a geometric row, between products of random reflections;
 * symmetric: the same reflections on both sides, so that it is positive definite.
 * banded: n x n with the given offsets (j - i), entries uniform in [-1, 1) off the diagonal; when 0 is among the
 * offsets the diagonal is 1 + the sum of the row's other magnitudes (so the matrix is diagonally dominant). */
TEXLA_API clStatus clGeneratePoisson2d(clTriplets **out, int32_t nx, int32_t ny, clError *error);
TEXLA_API clStatus clGenerateAnisotropic(clTriplets **out, int32_t nx, int32_t ny, double eps, clError *error);
TEXLA_API clStatus clGenerateFemPlate(clTriplets **out, int32_t n, clError *error);
TEXLA_API clStatus clGenerateDense(clTriplets **out, int32_t n, uint64_t seed, clError *error);
TEXLA_API clStatus clGenerateDominant(clTriplets **out, int32_t n, uint64_t seed, clError *error);
TEXLA_API clStatus clGenerateConditioned(clTriplets **out, int32_t n, double condition, bool symmetric, uint64_t seed,
                                         clError *error);
TEXLA_API clStatus clGenerateBanded(clTriplets **out, int32_t n, const int32_t *offsets, int32_t count, uint64_t seed,
                                    clError *error);

/* Terrain: heights on a grid of square cells, as ESRI's ASCII grids hold them (ncols, nrows, xllcorner or xllcenter, yllcorner or
 * yllcenter, cellsize, NODATA_value if there is one, then the rows from the top down).
 * @since 0.2 */
typedef struct clTerrain {
  int nx, ny;
  double x, y, cell; /* the lower left corner, the cells' size */
  float *height;     /* nx * ny, row 0 at the bottom; NaN: no data */
} clTerrain;

/* Malformed or truncated text, more values than cells, unknown keys: TEXLA_BAD_FILE; values that are not finite (but those that the
 * file calls NODATA_value) or beyond single precision: TEXLA_NOT_FINITE; more than 2^28 cells: TEXLA_TOO_LARGE. Messages name
 * file and line. After a failure *out is as it was. The caller frees it with clTerrainFree. */
TEXLA_API clStatus clTerrainRead(clTerrain *out, const char *path, clError *error);
TEXLA_API void clTerrainFree(clTerrain *terrain); /* NULL is allowed */
/* NaN becomes NODATA_value -9999; a height of -9999 and Inf are refused (TEXLA_NOT_FINITE). Enough digits, so
 * that every height reads back as it was. */
TEXLA_API clStatus clTerrainWrite(const char *path, const clTerrain *terrain, clError *error);

/* Colour maps for scalar fields; perceptual ones first. */
typedef enum clColormap {
  TEXLA_COLORMAP_VIRIDIS,
  TEXLA_COLORMAP_MAGMA,
  TEXLA_COLORMAP_TURBO,
  TEXLA_COLORMAP_DIVERGING, /* blue - white - red, for signed fields */
  TEXLA_COLORMAP_GREY,
  TEXLA_COLORMAP_COUNT
} clColormap;
TEXLA_API const char *clColormapName(clColormap map);
/* Finds a map by name; TEXLA_BAD_ARGUMENT with the list of names otherwise. */
TEXLA_API clStatus clColormapFind(clColormap *out, const char *name, clError *error);
/* rgb <- colour of t, clamped to [0, 1] (NaN is drawn in a colour that no map contains: 255, 0, 255). */
TEXLA_API void clColormapColor(uint8_t rgb[3], clColormap map, double t);
/* rgb (width*height*3 bytes, top row first) <- field (row 0 at the bottom), lo -> t = 0, hi -> t = 1 (lo < hi). */
TEXLA_API void clColormapImage(uint8_t *rgb, clColormap map, const float *field, int width, int height, float lo,
                               float hi);

/* Writes 8-bit RGB, top row first. */
TEXLA_API clStatus clPngWrite(const char *path, const uint8_t *rgb, int width, int height, clError *error);

#ifdef __cplusplus
}
#endif
#endif
