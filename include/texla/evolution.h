/**
 * @file
 * Equations of evolution typed by their users: reaction and diffusion, waves, quantum mechanics,
 * patterns.
 *
 * Order: create (compiles, allocates) / upload (start values) / step / destroy.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, numbers that are not finite or do not fit together),
 * TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR. A failed call leaves its outputs as
 * they were, but where a comment says otherwise.
 *
 * Threads: an evolution belongs to its context's thread.
 *
 * Ownership: who creates an evolution destroys it. Fields that it returns are its own, and change
 * by its steps; arrays stay the caller's.
 *
 * Waiting: calls that return numbers or arrays block, and steps where multigrid is needed.
 *
 * @since 0.3 */
#ifndef TEXLA_EVOLUTION_H
#define TEXLA_EVOLUTION_H

#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * clEvolution: one to four fields on a grid of square cells,
 *
 *     u_t = N(u, v, w, q, x, y, t) + D lap(u) - B lap(lap(u)),    v_t, w_t, q_t likewise
 *
 * N is a function in GLSL, written by the user; D and B are numbers, one pair a field. Cell (i, j)
 * is element j * nx + i and its centre lies at ((i + 1/2) h, (j + 1/2) h). lap is the five-point
 * Laplacian.
 *
 * The source of N defines `void rate(out vec4 f[FIELDS])`, which fills f[0] for u, f[1] for v ...
 * with the rates of four neighbouring cells at once (lanes of a vec4). It may use, besides all of
 * GLSL,
 *     u(i, j), v(i, j), w(i, j), q(i, j)   a field i columns to the right and j rows up, beyond
 *                                          edges as these say
 *     lap(u), dx(u), dy(u)                 central differences of second order
 *     div(c, u)                            div(c grad u), with c at faces the mean of both cells:
 *                                          what leaves a cell enters the next
 *     rootlap_u(i, j), rootlap_v(i, j) ... sqrt(-lap) u, by which sin(k x) becomes k sin(k x),
 *                                          within 0.5 % for wavelengths from 3.2 to 512 cells. 18
 *                                          more passes a stage for each field whose name stands
 *                                          in the source; no edge may be fixed
 *     at_x(i, j), at_y(i, j)               the place; the time is at_t
 *     parameter(k)                         clEvolutionOptions::parameter, a float
 *     total(k)                             clEvolutionOptions::total, a float
 *     noise(n, i, j)                       normal numbers of mean 0, variance 1 / dt, independent
 *                                          in all cells and steps and for each n: k noise(0, 0, 0)
 *                                          adds k dW to each cell (Euler and Maruyama)
 * Where u stands, any function of two integers that returns a vec4 may stand: lap(flux) with `vec4
 * flux(int i, int j) { ... }`.
 *
 * Schemes. IMEX treats D and B implicitly, so that they limit no time step, and N explicitly:
 *   TEXLA_EVOLUTION_IMEX   second order in two stages: ARS(2,2,2), whose implicit part is L-stable
 *                          (U. Ascher, S. Ruuth, R. Spiteri, Applied Numerical Mathematics 25,
 *                          1997)
 *   TEXLA_EVOLUTION_EULER  first order: backward Euler for D and B, forward Euler for N
 *   TEXLA_EVOLUTION_RK4    fourth order, all of it explicit: for waves and Schroedinger's equation;
 *                          with D it takes dt <= 0.34 h^2 / D
 * An implicit stage solves (1 - c lap) u = b to 1e-5 of what changes: for small c / h^2 by sweeps
 * of Jacobi's method with Chebyshev weights, all fields in one pass; otherwise by multigrid. With B
 * it is a product of two such systems, whose c are real or complex (the sweeps then are, too).
 * Negative D and B are allowed (patterns that grow), and are part of N. The time in N is the
 * stage's.
 *
 * @since 0.3 */
typedef struct clEvolution clEvolution;

/** The most fields, parameters and totals. */
enum { TEXLA_EVOLUTION_FIELDS = 4, TEXLA_EVOLUTION_PARAMETERS = 12, TEXLA_EVOLUTION_TOTALS = 4 };
/** The most given fields. */
enum { TEXLA_EVOLUTION_GIVEN = 2 };

/** What total(k) is of all cells; @since 0.3 */
typedef enum clEvolutionTotal {
  TEXLA_EVOLUTION_SUM,
  TEXLA_EVOLUTION_LEAST,
  TEXLA_EVOLUTION_MOST
} clEvolutionTotal;

/** How time goes on: see clEvolution. */
typedef enum clEvolutionScheme {
  TEXLA_EVOLUTION_IMEX,
  TEXLA_EVOLUTION_EULER,
  TEXLA_EVOLUTION_RK4
} clEvolutionScheme;

/** What is at a side of the grid. */
typedef enum clEvolutionEdge {
  /** nothing passes (Neumann) */
  TEXLA_EVOLUTION_NO_FLUX,
  /** together with the opposite side */
  TEXLA_EVOLUTION_PERIODIC,
  /**
   * the fields have given values on the edge itself, half a cell from the outermost centres
   * (Dirichlet) */
  TEXLA_EVOLUTION_FIXED,
  /** weight u + slope u_n = value on the edge, of each field its own: values, derivatives outwards
   * (Neumann), or both (Robin); of second order; @since 0.3 */
  TEXLA_EVOLUTION_MIXED
} clEvolutionEdge;

/** What one side of the grid does. */
typedef struct clEvolutionSide {
  /** what is there */
  clEvolutionEdge edge;
  /** TEXLA_EVOLUTION_FIXED and MIXED: of each field */
  double value[TEXLA_EVOLUTION_FIELDS];
  /** TEXLA_EVOLUTION_MIXED: of each field, of one sign and not both 0; @since 0.3 */
  double weight[TEXLA_EVOLUTION_FIELDS], slope[TEXLA_EVOLUTION_FIELDS];
} clEvolutionSide;

/** What is computed. Zero means default. */
typedef struct clEvolutionOptions {
  /** cells, at least 4 (rows whose nx is a multiple of four are faster); 0: 128 */
  int nx, ny;
  /** their size; 0: 1 / ny */
  double h;
  /** the time step, positive: it must be given */
  double dt;
  /** 1 to 4; 0: 1 */
  int fields;
  /** N in GLSL, copied; NULL: 0 */
  const char *rate;
  /** D and B of each field */
  double diffusion[TEXLA_EVOLUTION_FIELDS], fourth[TEXLA_EVOLUTION_FIELDS];
  /** what parameter(k) is in `rate` */
  double parameter[TEXLA_EVOLUTION_PARAMETERS];
  /** how time goes on */
  clEvolutionScheme scheme;
  /** of noise(n, i, j), 0 to 2^24 - 1; @since 0.3 */
  int seed;
  /** by clGridSide */
  clEvolutionSide side[4];
  /**
   * GLSL that defines `vec4 edge(int side, int field)`: what is added to `value` of four
   * neighbouring places of a side, in each stage. u(0, 0) ... are the cells within, at_x(0, 0) and
   * at_y(0, 0) places on the edge. The fields are those before the stage. Copied; NULL: 0;
   * @since 0.3 */
  const char *edges;
  /** of what total(k) in `rate`, `edges` and pictures is the sum, the least or the most, over all
   * cells: GLSL as for clEvolutionPicture, copied, which may ask for totals before it; up to the
   * first NULL; @since 0.3 */
  const char *total[TEXLA_EVOLUTION_TOTALS];
  /** what given_0(i, j) and given_1(i, j) are in `rate`, `total` and pictures: nx * ny numbers of
   * all cells, copied; up to the first NULL; @since 0.3 */
  const float *given[TEXLA_EVOLUTION_GIVEN];
  /** a domain of any shape: nx * ny numbers, 1 within, 0 outside, where nothing changes; copied.
   * Derivatives see no flux through its walls; totals are of what is within. B is explicit then.
   * NULL: the whole grid; @since 0.3 */
  const float *domain;
  /** instead, the fields have outside the values that they begin with; @since 0.3 */
  bool domain_fixed;
  /** of each total; @since 0.3 */
  clEvolutionTotal total_kind[TEXLA_EVOLUTION_TOTALS];
} clEvolutionOptions;

/**
 * All fields are 0 at time 0.
 * @param out      the caller owns it; untouched where the call fails
 * @param context  on which it runs
 * @param options  read during the call only
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (the message names the option), TEXLA_TOO_LARGE,
 *         TEXLA_SHADER_ERROR (the message has the compiler's, with lines of `rate`),
 *         TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR */
TEXLA_API clStatus clEvolutionCreate(clEvolution **out, clContext *context,
                                     const clEvolutionOptions *options);
/** Ends an evolution, with the vectors that it has lent.
 * @param evolution  NULL is allowed */
TEXLA_API void clEvolutionDestroy(clEvolution *evolution);

/** Starts anew at time 0.
 * @param evolution  the equation
 * @param value  for each field nx * ny values, row 0 at the bottom; NULL: zeros
 * @return TEXLA_OK, TEXLA_NOT_FINITE, which names field and cell and changes nothing, or what the
 *         top of this file lists */
TEXLA_API clStatus clEvolutionUpload(clEvolution *evolution,
                                     const float *const value[TEXLA_EVOLUTION_FIELDS]);

/**
 * Adds amount[f] * exp(-r^2 / radius^2) around the point (x, y) to each field f; across periodic
 * edges too. One pass; does not wait.
 * @param evolution  the equation
 * @param x  of the middle, in units of length
 * @param y  of the middle
 * @param radius  must be positive
 * @param amount  for each field
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clEvolutionPaint(clEvolution *evolution, double x, double y, double radius,
                                    const double amount[TEXLA_EVOLUTION_FIELDS]);

/**
 * Other values for all of clEvolutionOptions::parameter: from the next step, painting or picture
 * on, without compiling. Fields, time and all other options stay. D and B are no parameters, so
 * that what is implicit stays as it was created.
 * @param evolution  the equation
 * @param value  TEXLA_EVOLUTION_PARAMETERS of them; those that no source asks for do nothing
 * @return TEXLA_OK, or TEXLA_BAD_ARGUMENT: one is not finite in single precision (the message names
 *         it), and nothing changes */
TEXLA_API clStatus clEvolutionParameters(clEvolution *evolution,
                                         const double value[TEXLA_EVOLUTION_PARAMETERS]);

/**
 * Goes `count` steps of dt on. Nothing is read back, unless multigrid is needed: that waits for its
 * residuals.
 * @param evolution  the equation. A failure ends the steps early; those that are done count
 * @param count  at least 0
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED (an implicit stage was not solved to its tolerance; the
 *         steps are done all the same), or what the top of this file lists */
TEXLA_API clStatus clEvolutionStep(clEvolution *evolution, int64_t count);

/** How it goes. */
typedef struct clEvolutionInfo {
  /** cells and fields */
  int nx, ny, fields;
  /** of a cell; of the grid, nx h and ny h; time step; time now */
  double h, width, height, dt, time;
  /** done so far */
  int64_t steps;
  /** of the last step's implicit stages in all: sweeps or cycles */
  int iterations;
  /** of the last system solved by multigrid, relative; 0: by sweeps or explicitly */
  double residual;
  /** what solves the implicit stages, in one line; valid as long as the evolution */
  const char *solver;
} clEvolutionInfo;
/** What is computed, and how far it is. Does not wait.
 * @param evolution  NULL: all zeros, and an empty text
 * @return numbers of this moment */
TEXLA_API clEvolutionInfo clEvolutionInspect(const clEvolution *evolution);

/** A field of now, in the grid layout. Does not wait.
 * @param evolution  owns the vector
 * @param field  from 0
 * @return valid until the evolution's next call; NULL: there is none. Who writes to it changes the
 *         field: so a state is loaded (with clEvolutionResume) */
TEXLA_API clVector *clEvolutionField(clEvolution *evolution, int field);
/** Goes on from a state, after the fields have been filled.
 * @param evolution  the equation
 * @param steps  so many have been done until then, at least 0; the time is steps * dt
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clEvolutionResume(clEvolution *evolution, int64_t steps);

/** Means over all cells. Blocks.
 * @param evolution  the equation
 * @param mean  <- of each field the mean of u; zeros where there is no field, and where the call
 *         fails before it
 * @param square  <- of each field the mean of u^2, likewise
 * @return TEXLA_OK, TEXLA_NOT_FINITE (a field is not finite any more; the message says what may
 *         help), or what the top of this file lists */
TEXLA_API clStatus clEvolutionMeasure(clEvolution *evolution, double mean[TEXLA_EVOLUTION_FIELDS],
                                      double square[TEXLA_EVOLUTION_FIELDS]);

/**
 * *out <- something made of the fields, by GLSL as in clEvolutionOptions::rate: `vec4 picture() {
 * return u(0, 0) * u(0, 0); }`. It is compiled at the first call and again when the text changes.
 * Does not wait.
 * @param out  <- a vector that the evolution owns, valid until its next call
 * @param evolution  the equation
 * @param picture  defines that function; copied
 * @return TEXLA_OK, TEXLA_SHADER_ERROR (the message has the compiler's, with lines of `picture`),
 *         or what the top of this file lists */
TEXLA_API clStatus clEvolutionPicture(const clVector **out, clEvolution *evolution,
                                      const char *picture);

#ifdef __cplusplus
}
#endif
#endif
