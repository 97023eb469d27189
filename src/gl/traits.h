/* What a device was measured to be, once, when its context is created: the paths that suit a
 * graphics card and a renderer on the host's own processors differ in more than a number. Each
 * trait is a line "trait.NAME VALUE" of the tuning table: `texla info` shows it, a pinned tuning
 * file keeps it, and a line that is there already is not measured again. */
#ifndef TEXLA_GL_TRAITS_H
#define TEXLA_GL_TRAITS_H

#include "platform/companion.h"
#include "gl/context.h"

/* Up to so many elements the calling thread of a software renderer is not slower alone than with
 * the help of others, whom each pass would have to wake. */
enum { TX_FEW_ELEMENTS = 400 * 400 };

typedef struct txTraits {
  /* Measured. */
  /* The processors of the host run the shaders (software rendering): what shading takes is the
   * process's time. */
  int host_shades;
  /* Worker threads of a software renderer, to be woken by each pass; 0 where the calling thread
   * shades. Chosen when the display was opened. */
  int threads;
  /* Nanoseconds that a pass over one texel takes. */
  int pass_ns;
  /* Whether shaders/include/df64.glsl computes right, by a residual and a scalar product: 0 it does
   * not, 1 it does, 2 also with fma, which then rounds once. */
  int double_float;
  /* What keeps compilers from removing its compensated sums: 0 invariant outputs, 1 precise
   * intermediate results, too, 2 bits that depend on a uniform; the first that computes right. */
  int double_guard;
  /* What follows from it. In brackets what it gains where it is on, on llvmpipe. */
  /* Uniforms reach fragments as flat varyings; only where a probe computes right with it (flat.c)
   * [10-20 %] */
  int flat_uniforms;
  /* The viewport holds all of a rectangle's triangle, which is not clipped then (draw.c) [3-15
   * %] */
  int whole_triangle;
  /* After so many passes they are flushed, and run while the next ones are being prepared; 0: never
   * [1: 3-6 % of a PLU; an H200, 8: 10 % of a PLU of order 1024 or 2048, 10 % of a multigrid
   * solution; cg takes 1 % more; in a browser, 8: 10 % of a picture's] */
  int flush_every;
  /* Neighbouring fragments of a stencil's product exchange what they fetched through derivatives
   * (banded_product.c) [22 %], and the part of a pass of multigrid that needs no tests has a
   * program without them. */
  int inner_programs;
  /* OpenGL ES leaves open which derivatives dFdx and dFdy are: where it was asked for, whether they
   * are those of each row and each column of a block of 2 x 2 fragments, so that inner programs
   * take them for dFdxFine and dFdyFine [17 % of conjugate gradients on a five-point stencil] */
  int fine_derivatives;
  /* Passes over at most so many texels are drawn by fragment shaders that llvmpipe compiles once,
   * not twice (draw.c); 0: none [40 % of compiling; but passes over 2048^2 take up to 1.8 times as
   * long, over 256^2 up to 1.4 times, over 128^2 as long] */
  int compiled_once;
  /* An elimination pass on the device takes two columns, and searches pivots in narrow strips
   * (elimination/panel.c) [reduced row echelon form, llvmpipe, 28 November 2026: one column takes
   * 1.4 times the processor time at order 256, 1.3 at 512, 1.2 at 1024] */
  int two_columns;
  /* So many panels of TX_PANEL columns of an LU or Cholesky factorization are factored in C at once
   * (elimination/host_panel.c); 0: the device takes each, a few columns a pass [15 % of a PLU of
   * order 1024, half of one of 256; 40 % of a Cholesky factorization]. Graphics cards:
   * elimination/plu_side.c. */
  int panels_on_host;
  /* Panels of TX_PANEL columns in a block of a factorization (elimination/plu.c). */
  int panel;
  /* A QR factorization reflects its panels in C (triangle/qr.c) [a third] */
  int reflect_on_host;
  /* Multigrid computes grids of at most so many points in C (multigrid/host.c)
   * [docs/design.md, "Threads of a software renderer"] */
  int points_on_host;
  /* Multigrid sets up its grids there, too. */
  int setup_on_host;
  /* Large uploads go through pixel buffers that several threads fill (uploads.c), read-backs whose
   * texels are to become something else through one that several threads take them from
   * (downloads.c). */
  int upload_buffers;
  /* Refinement takes its residuals in double-float on the device, not in double on the host
   * (system/refine.c). */
  int refine_on_device;
} txTraits;

TX_COMPANION const txTraits *txContextTraits(const clContext *context);

/* What the passes whose shaders include df64.glsl have among their defines: whether it uses fma,
 * and its guard. Comes first. */
const char *txDoubleFloatDefine(const clContext *context);
/* TEXLA_UNSUPPORTED where they would compute wrong. */
clStatus txDoubleFloatCheck(clContext *context, const char *call);

#endif
