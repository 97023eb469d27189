/* clVector (K2): a vector as a 2D texture, four consecutive elements to a texel.
 *
 * Two layouts. Linear: rows of a fixed width, any length. Grid: nx * ny elements, every grid row starts a texture row,
 * so that a grid neighbour is a texel neighbour; element i = row * nx + column. Operands of one call must agree in
 * length, layout (clVectorCopy converts) and context. Lanes beyond the length hold zero; after a factor that
 * is Inf or NaN they hold NaN, as the elements do not hold numbers either.
 *
 * Factors come in pairs: the factor is a * alpha, with a CPU float a and a clFloat alpha on the device (NULL: 1).
 * Results may alias operands unless a comment forbids it. Nothing here waits for the device except Download and Finish,
 * and the first long reduction of a context, which may measure variants (see clContextTuning).
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, a length below 1, an object whose context was destroyed), TEXLA_BAD_SHAPE,
 * TEXLA_FOREIGN_CONTEXT, TEXLA_TOO_LARGE (textures), TEXLA_OUT_OF_MEMORY (the context's memory limit too). */
#ifndef TEXLA_VECTOR_H
#define TEXLA_VECTOR_H

#include "texla/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clVector clVector;

/* The sides of a grid: row 0 is at the bottom, column 0 at the left. */
typedef enum clGridSide { TEXLA_SIDE_LEFT, TEXLA_SIDE_RIGHT, TEXLA_SIDE_BOTTOM, TEXLA_SIDE_TOP } clGridSide;

/* New vectors hold zeros. The caller owns *out. length >= 1. */
TEXLA_API clStatus clVectorCreate(clVector **out, clContext *context, int64_t length);
TEXLA_API clStatus clVectorCreateGrid(clVector **out, clContext *context, int nx, int ny);
TEXLA_API clStatus clVectorCreateLike(clVector **out, const clVector *x); /* same length and layout, zeros */
TEXLA_API clStatus clVectorClone(clVector **out, const clVector *x);      /* same values too */
TEXLA_API void clVectorDestroy(clVector *x);                              /* NULL is allowed */

TEXLA_API int64_t clVectorLength(const clVector *x);
TEXLA_API int64_t clVectorRowLength(const clVector *x); /* elements per texture row */
TEXLA_API clContext *clVectorContext(const clVector *x);

/* Host transfers of clVectorLength floats. Upload returns when `values` may be reused; Download blocks (one read-back).
 */
TEXLA_API clStatus clVectorUpload(clVector *x, const float *values);
TEXLA_API clStatus clVectorDownload(const clVector *x, float *values);

/** x_i <- values_i, rounded to single precision.
 * @param values  clVectorLength(x) numbers; Inf and NaN are taken as they are
 * @return TEXLA_NOT_FINITE where a finite number is beyond single precision (x stays as it was); else as clVectorUpload
 * @since 0.2 */
TEXLA_API clStatus clVectorUploadDouble(clVector *x, const double *values);
/** values_i <- x_i. Blocks (one read-back).
 * @since 0.2 */
TEXLA_API clStatus clVectorDownloadDouble(const clVector *x, double *values);

/** Where a vector lives, for an application that draws from it in the OpenGL context that texla adopted. Element i is component
 * i % row % 4 of texel (i % row / 4, i / row); components beyond the last element of a row are zero. No OpenGL type, so that this header
 * needs none. */
typedef struct clVectorView {
  unsigned name;     /**< of a GL_TEXTURE_2D; texla owns it */
  unsigned format;   /**< its internal format: GL_RGBA32F (0x8814) */
  int width, height; /**< in texels */
  int64_t row;       /**< elements to a texture row: nx of a grid */
  int64_t length;    /**< elements */
} clVectorView;
/** Tells where x lives, until the next call that writes x or destroys it (results are rendered into other textures and change places with
 * them). Drawing that reads the texture must be submitted before that call. The texture has no mipmaps: draw with GL_NEAREST or
 * GL_LINEAR filters (a sampler object, or texelFetch). What texla renders later waits for drawing by itself: both are in one context.
 * @param out  untouched where the call fails
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_UNSUPPORTED where texla has an OpenGL context of its own (clContextOptions.adopt)
 * @since 0.2 */
TEXLA_API clStatus clVectorTexture(clVectorView *out, const clVector *x);

/* Asynchronous download through a pixel buffer: Start returns at once, Ready asks without waiting, Finish waits if it
 * must, copies and releases the handle (values NULL: only releases it). Counts as one read-back. */
typedef struct clRead clRead;
TEXLA_API clStatus clVectorReadStart(clRead **out, const clVector *x);
TEXLA_API bool clReadReady(const clRead *read); /* true too when only Finish can say what is wrong */
TEXLA_API clStatus clReadFinish(clRead *read, float *values);

TEXLA_API clStatus clVectorFill(clVector *x, float value);       /* x <- value */
TEXLA_API clStatus clVectorClear(clVector *x);                   /* x <- 0 */
TEXLA_API clStatus clVectorCopy(clVector *y, const clVector *x); /* y <- x; layouts may differ, lengths not */
TEXLA_API clStatus clVectorScale(clVector *y, float a, const clFloat *alpha, const clVector *x); /* y <- a alpha x */
/* y <- y + a alpha x */
TEXLA_API clStatus clVectorAxpy(clVector *y, float a, const clFloat *alpha, const clVector *x);
/* z <- a alpha x + b beta y */
TEXLA_API clStatus clVectorAdd(clVector *z, float a, const clFloat *alpha, const clVector *x, float b,
                               const clFloat *beta, const clVector *y);
TEXLA_API clStatus clVectorMul(clVector *z, const clVector *x, const clVector *y);  /* z_i <- x_i y_i */
TEXLA_API clStatus clVectorDiv(clVector *z, const clVector *x, const clVector *y);  /* z_i <- x_i / y_i */
TEXLA_API clStatus clVectorDivZ(clVector *z, const clVector *x, const clVector *y); /* ... but 0 where y_i = 0 */

/* Reductions: pairwise (tree) sums; the result stays on the device. NaN in x gives NaN, in min and max too (where the
 * device keeps NaN: clProbes). */
TEXLA_API clStatus clVectorSum(clFloat *s, const clVector *x);
TEXLA_API clStatus clVectorDot(clFloat *s, const clVector *x, const clVector *y);
TEXLA_API clStatus clVectorNorm(clFloat *s,
                                const clVector *x); /* sqrt(x.x): elements beyond 1e19 overflow, below 1e-19 vanish */
TEXLA_API clStatus clVectorMin(clFloat *s, const clVector *x);
TEXLA_API clStatus clVectorMax(clFloat *s, const clVector *x);
TEXLA_API clStatus clVectorAbsMax(clFloat *s, const clVector *x);
/* The first element of largest magnitude (NaN is the largest): its signed value and its position,
 * index = row * clVectorRowLength + column (two floats, so that it is exact beyond 2^24). Each output may be NULL; no two
 * may be the same. */
TEXLA_API clStatus clVectorArgMax(clFloat *value, clFloat *row, clFloat *column, const clVector *x);

/* Rescale (K13) between grid vectors by one textured quad and the device's bilinear filter; cell-centred, any sizes.
 * y <- x resampled to y's grid: y(c) is the bilinear interpolation of x at the centre of y's cell c, so halving averages
 * 2x2 cells; edges clamp. Weights are wrong by up to n * 1e-7, and many devices round them to 1/256 (exact for halving
 * and doubling). y must not be x. x's nx is at most the device's texture size. TEXLA_UNSUPPORTED where the device cannot
 * filter (clProbes). */
TEXLA_API clStatus clVectorRescale(clVector *y, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
