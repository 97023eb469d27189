/**
 * @file
 * Files: Matrix Market in and out, PNG pictures, colour maps, test matrices. No OpenGL, no
 * context. Terrain is in terrain.h.
 *
 * Readers accept "-" for standard input, writers "-" for standard output. A writer writes a
 * temporary file beside its destination and renames it at the end, so that a failed call leaves an
 * existing file as it was. Messages name the file and, for text, the line.
 *
 * The last parameter of all of them, `error`, says why a call failed; NULL is allowed. Outputs of a
 * failed call stay as they were. Any thread may call any of them, on different files.
 *
 * **Errors.** All calls: TEXLA_BAD_ARGUMENT (NULL, a size below 1), TEXLA_OUT_OF_MEMORY; those on
 * files TEXLA_IO_ERROR. Comments name others.
 *
 * Ownership: arrays and matrices that a reader or generator makes are the caller's.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_IO_H
#define TEXLA_IO_H

#include <stddef.h>
#include <stdint.h>

#include "texla/status.h"
#include "texla/triplets.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads a Matrix Market file: coordinate and array; real, integer, pattern; general, symmetric,
 * skew-symmetric. Symmetric storage is expanded, duplicates are summed, the result is compressed;
 * exact zeros of an array file are left out.
 * @param out    <- the matrix; the caller owns it
 * @param path   a file, or "-" for standard input
 * @param error  names file and line
 * @return TEXLA_OK, TEXLA_UNSUPPORTED (complex and hermitian, by name), TEXLA_BAD_FILE (malformed
 *         or truncated text, wrong counts, indices out of range), TEXLA_NOT_FINITE (NaN, Inf,
 *         values that overflow double) */
TEXLA_API clStatus clMatrixMarketRead(clTriplets **out, const char *path, clError *error);

/** Reads an n x 1 (or 1 x n) matrix as a plain vector.
 * @param out    <- *count numbers; the caller frees them with free()
 * @param count  <- n
 * @param path   a file, or "-" for standard input
 * @param error  names file and line
 * @return as clMatrixMarketRead; TEXLA_BAD_SHAPE where the matrix is no vector */
TEXLA_API clStatus clMatrixMarketReadVector(double **out, int64_t *count, const char *path,
                                            clError *error);

/**
 * Writes a coordinate file of real numbers, with enough digits (%.17g) to read back every double
 * exactly.
 * @param path       a file, or "-" for standard output
 * @param A          what is written
 * @param symmetric  only the lower triangle, under the header `symmetric`
 * @param comment    becomes % lines; NULL: none
 * @param error      names the file
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clMatrixMarketWrite(const char *path, const clTriplets *A, bool symmetric,
                                       const char *comment, clError *error);
/** Writes an array file of count x 1 real numbers.
 * @param path     a file, or "-" for standard output
 * @param x        `count` numbers
 * @param count    how many
 * @param comment  becomes % lines; NULL: none
 * @param error    names the file
 * @return TEXLA_OK, TEXLA_NOT_FINITE (NaN or Inf, which no reader would take back) */
TEXLA_API clStatus clMatrixMarketWriteVector(const char *path, const double *x, int64_t count,
                                             const char *comment, clError *error);
/** Writes an array file of rows x cols real numbers.
 * @param path       a file, or "-" for standard output
 * @param x          the numbers, column after column
 * @param rows,cols  the shape
 * @param comment    becomes % lines; NULL: none
 * @param error      names the file
 * @return as clMatrixMarketWriteVector */
TEXLA_API clStatus clMatrixMarketWriteArray(const char *path, const double *x, int64_t rows,
                                            int64_t cols, const char *comment, clError *error);

/** Poisson's equation on a grid: rows -1 -1 4 -1 -1, zero boundary.
 * @param out    <- nx * ny unknowns, row by row, compressed; the caller owns it
 * @param nx,ny  points along both axes
 * @param error  says why it failed
 * @return TEXLA_OK, TEXLA_TOO_LARGE (more unknowns than an int32_t counts) */
TEXLA_API clStatus clGeneratePoisson2d(clTriplets **out, int32_t nx, int32_t ny, clError *error);
/** -eps u_xx - u_yy on a grid: 2 + 2 eps on the diagonal, -eps left and right, -1 above and below.
 * @param out    <- nx * ny unknowns, row by row, compressed; the caller owns it
 * @param nx,ny  points along both axes
 * @param eps    above 0
 * @param error  says why it failed
 * @return as clGeneratePoisson2d */
TEXLA_API clStatus clGenerateAnisotropic(clTriplets **out, int32_t nx, int32_t ny, double eps,
                                         clError *error);
/** Bilinear (Q1) finite elements for -Laplace on the unit square: nine diagonals.
 * @param out    <- n x n interior nodes, compressed; the caller owns it
 * @param n      nodes along an axis
 * @param error  says why it failed
 * @return as clGeneratePoisson2d */
TEXLA_API clStatus clGenerateFemPlate(clTriplets **out, int32_t n, clError *error);
/** Every entry non-zero, uniform in [-1, 1) (splitmix64): the same numbers on every machine.
 * @param out    <- n x n, compressed; the caller owns it
 * @param n      rows
 * @param seed   chooses the numbers
 * @param error  says why it failed
 * @return as clGeneratePoisson2d */
TEXLA_API clStatus clGenerateDense(clTriplets **out, int32_t n, uint64_t seed, clError *error);
/**
 * As clGenerateDense, but the diagonal is 1 + the sum of the row's other magnitudes: it has factors
 * without pivoting.
 * @param out    <- n x n, compressed; the caller owns it
 * @param n      rows
 * @param seed   chooses the numbers
 * @param error  says why it failed
 * @return as clGeneratePoisson2d
 * @since 0.2 */
TEXLA_API clStatus clGenerateDominant(clTriplets **out, int32_t n, uint64_t seed, clError *error);
/**
 * Dense, with singular values from 1 down to 1 / condition in a geometric row, between products of
 * random reflections.
 * @param out        <- n x n, compressed; the caller owns it
 * @param n          rows
 * @param condition  at least 1, in the 2-norm
 * @param symmetric  the same reflections on both sides, so that it is positive definite
 * @param seed       chooses the reflections
 * @param error      says why it failed
 * @return as clGeneratePoisson2d
 * @since 0.2 */
TEXLA_API clStatus clGenerateConditioned(clTriplets **out, int32_t n, double condition,
                                         bool symmetric, uint64_t seed, clError *error);
/**
 * Diagonals, uniform in [-1, 1) off the main one; where that is among them, it is 1 + the sum of
 * the row's other magnitudes.
 * @param out      <- n x n, compressed; the caller owns it
 * @param n        rows
 * @param offsets  j - i of each diagonal, each once
 * @param count    how many diagonals
 * @param seed     chooses the numbers
 * @param error    says why it failed
 * @return as clGeneratePoisson2d */
TEXLA_API clStatus clGenerateBanded(clTriplets **out, int32_t n, const int32_t *offsets,
                                    int32_t count, uint64_t seed, clError *error);

/** Colour maps for scalar fields; perceptual ones first. */
typedef enum clColormap {
  TEXLA_COLORMAP_VIRIDIS,
  TEXLA_COLORMAP_MAGMA,
  TEXLA_COLORMAP_TURBO,
  /** blue - white - red, for signed fields */
  TEXLA_COLORMAP_DIVERGING,
  TEXLA_COLORMAP_GREY,
  TEXLA_COLORMAP_COUNT
} clColormap;
/** The name of a map, "viridis".
 * @param map  any value
 * @return a constant; "unknown colour map" for values that are not in the list */
TEXLA_API const char *clColormapName(clColormap map);
/** A colour of a map.
 * @param rgb  <- three bytes; 255, 0, 255 for NaN, a colour that no map contains
 * @param map  which map
 * @param t    clamped to [0, 1] */
TEXLA_API void clColormapColor(uint8_t rgb[3], clColormap map, double t);

/** Writes a PNG file of 8-bit RGB.
 * @param path          a file, or "-" for standard output
 * @param rgb           width * height * 3 bytes, top row first
 * @param width,height  the size
 * @param error         names the file
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPngWrite(const char *path, const uint8_t *rgb, int width, int height,
                              clError *error);

#ifdef __cplusplus
}
#endif
#endif
