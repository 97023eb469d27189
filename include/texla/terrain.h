/**
 * @file
 * Heights of the ground, from and to files. No OpenGL, no context. Part of texla_sim.
 *
 * The reader accepts "-" for standard input, the writer "-" for standard output. The writer writes
 * a temporary file beside its destination and renames it at the end, so that a failed call leaves
 * an existing file as it was. Messages name the file and the line. Any thread may call any of
 * these, on different files.
 *
 * **Errors.** All calls: TEXLA_BAD_ARGUMENT (NULL, a size below 1), TEXLA_OUT_OF_MEMORY,
 * TEXLA_IO_ERROR. Comments name others.
 *
 * Ownership: what the reader makes is the caller's, to be given to clTerrainFree.
 *
 * @since 0.2 */
#ifndef TEXLA_TERRAIN_H
#define TEXLA_TERRAIN_H

#include "texla/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Terrain: heights on a grid of square cells, as ESRI's ASCII grids hold them (ncols, nrows,
 * xllcorner or xllcenter, yllcorner or yllcenter, cellsize, NODATA_value if there is one, then the
 * rows from the top down).
 * @since 0.2 */
typedef struct clTerrain {
  /** columns, rows */
  int nx, ny;
  /** the lower left corner, the cells' size */
  double x, y, cell;
  /** nx * ny, row 0 at the bottom; NaN: no data */
  float *height;
} clTerrain;

/**
 * Reads an ASCII grid.
 * @param out    <- the terrain; the caller frees it with clTerrainFree
 * @param path   a file, or "-" for standard input
 * @param error  names file and line
 * @return TEXLA_OK, TEXLA_BAD_FILE (malformed or truncated text, more values than cells, unknown
 *         keys), TEXLA_NOT_FINITE (values that are not finite, but those that the file calls
 *         NODATA_value, or beyond single precision), TEXLA_TOO_LARGE (more than 2^28 cells)
 * @since 0.2 */
TEXLA_API clStatus clTerrainRead(clTerrain *out, const char *path, clError *error);
/** Frees the heights, and sets all to zero.
 * @param terrain  NULL is allowed
 * @since 0.2 */
TEXLA_API void clTerrainFree(clTerrain *terrain);
/**
 * Writes an ASCII grid, with enough digits to read back every height as it was. NaN becomes
 * NODATA_value -9999.
 * @param path     a file, or "-" for standard output
 * @param terrain  what is written
 * @param error    names the file
 * @return TEXLA_OK, TEXLA_NOT_FINITE (a height of -9999, or Inf)
 * @since 0.2 */
TEXLA_API clStatus clTerrainWrite(const char *path, const clTerrain *terrain, clError *error);

#ifdef __cplusplus
}
#endif

#endif
