/**
 * @file
 * Linear algebra in the textures and fragment shaders of OpenGL 3.3: vectors, matrices, solvers.
 * The library texla; physics is in texla/sim.h, several processes in texla/mpi.h.
 *
 * Start with a clContext (context.h), put numbers into clVector and clMatrix (vector.h, matrix.h),
 * solve (system.h, solver.h). Every call that can fail returns a clStatus (status.h). */
#ifndef TEXLA_TEXLA_H
#define TEXLA_TEXLA_H

#include "texla/version.h"
#include "texla/status.h"
#include "texla/context.h"
#include "texla/scalar.h"
#include "texla/vector.h"
#include "texla/double.h"
#include "texla/triplets.h"
#include "texla/matrix.h"
#include "texla/kernel.h"
#include "texla/solver.h"
#include "texla/multigrid.h"
#include "texla/system.h"
#include "texla/dense.h"
#include "texla/crout.h"
#include "texla/tridiagonal.h"
#include "texla/triangle.h"
#include "texla/cholesky.h"
#include "texla/queue.h"
#include "texla/qr.h"
#include "texla/least_squares.h"
#include "texla/io.h"
#include "texla/trace.h"

#endif
