/* texla solve: a linear system from Matrix Market files, by clSystemSolveMany: arguments, input,
 * the solution, output. What happened is told by solve_report.c. */
#include "cli/solve.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"
#include "io/matrix_market.h"
#include "io/number.h"
#include "platform/platform.h"
#include "system/system.h"

/* Storages, methods and preconditioners are listed once, in the public headers; help, names and
 * options follow from these lists. */
#define LINE_OF_STORAGE(name, text, summary) "  " text ": " summary "\n"
static const char notes[] =
    "Converged means: the true residual, computed in double precision, satisfies\n"
    "||b - A x|| <= T ||b||. Ctrl-C stops the iteration and still writes the results.\n"
    "\n"
    "Several right-hand sides, the columns of B, are solved at once where that is\n"
    "faster (cg without --precond or with jacobi) and reported one by one; each has\n"
    "to meet T. The solution is a matrix with as many columns.\n"
    "\n"
    "Exit status: 0 solved, 1 not converged or singular (results are written), 2 bad\n"
    "use or input (nothing is written).\n"
    "\n"
    "Storages:\n" TEXLA_STORAGE_LIST(
        LINE_OF_STORAGE) "\n"
                         "Examples:\n"
                         "  texla solve A.mtx --out x.mtx\n"
                         "  texla solve A.mtx --rhs b.mtx --precond jacobi --tol 1e-5 --history "
                         "h.csv\n"
                         "  texla solve A.mtx --rhs B.mtx --out X.mtx --json\n"
                         "  texla solve A.mtx --solver auto --refine\n"
                         "  texla solve A.mtx --solver gmres --precond jacobi --restart 100\n"
                         "  texla gen poisson2d 64 | texla solve - --precond mg --grid 64x64 "
                         "--json\n";

/* The words of the options that are choices, by the number of their enumerations. */
#define NAME_OF(name, text, help) text,
static const char *const methods[] = {TEXLA_METHOD_LIST(NAME_OF) NULL};
static const char *const preconditioners[] = {TEXLA_PRECONDITIONER_LIST(NAME_OF) NULL};
#undef NAME_OF
static const char *const cycles[] = {"v", "w", "f", NULL};
static const char *const host_levels[] = {"yes", "no", NULL};
#define NAME_OF_STORAGE(name, text, summary) text,
static const char *const storages[] = {TEXLA_STORAGE_LIST(NAME_OF_STORAGE) NULL};
#undef NAME_OF_STORAGE
_Static_assert(TEXLA_CYCLE_V == 0 && TEXLA_CYCLE_W == 1 && TEXLA_CYCLE_F == 2,
               "the order of cycles");

/* Ctrl-C: the first one asks the iteration to stop, a second one ends the program. */
static volatile sig_atomic_t interrupted;

/* The iteration looks at the flag and stops at its next residual. */
static void onInterrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* What is said while it takes long: on a terminal a line, rewritten ten times a second, elsewhere a
 * line every ten seconds. */
typedef struct Progress {
  /* nothing is shown with --quiet */
  bool shown, terminal;
  /* when it was written; before: 0 on a terminal, elsewhere when the run began */
  double last;
  /* there is a line to be cleared */
  bool written;
} Progress;

/* Tells how far the iteration is, at times; returns false to stop it. */
static bool monitor(void *user, int64_t iteration, double residual) {
  Progress *progress = user;
  double time = txNow();
  /* A line in a terminal is overwritten; in a file each one stays. */
  double pause = 10;
  if (progress->terminal)
    pause = 0.1;
  if (progress->shown && time - progress->last >= pause) {
    progress->last = time;
    progress->written = true;
    if (progress->terminal)
      fprintf(stderr, "\riteration %-10" PRId64 " residual %-12.3e", iteration, residual);
    else if (iteration > 0)
      fprintf(stderr, "iteration %" PRId64 ", residual %.3e\n", iteration, residual);
    else
      fprintf(stderr, "A is being factored\n");
  }
  return !interrupted;
}

/* The line of a terminal makes room for the result. */
static void clearProgress(const Progress *progress) {
  if (progress->written && progress->terminal)
    fprintf(stderr, "\r%42s\r", "");
}

/* Input. */

/* The solver that is its own preconditioner. */
static bool isStationary(int method) {
  return method == TEXLA_METHOD_JACOBI || method == TEXLA_METHOD_MG || method == TEXLA_METHOD_AMG ||
         method == TEXLA_METHOD_PLU || method == TEXLA_METHOD_CHOLESKY;
}

/* Cycles of geometric multigrid, as the solver itself or as a preconditioner. */
static bool usesCycles(const txSolve *solve) {
  return solve->method == TEXLA_METHOD_MG || solve->method == TEXLA_METHOD_AMG ||
         solve->method == TEXLA_METHOD_AUTO || solve->preconditioner == TEXLA_PRECONDITIONER_MG ||
         solve->preconditioner == TEXLA_PRECONDITIONER_AMG;
}

/* An input that would be replaced by an output; NULL: none. */
static const char *replacedInput(const txSolve *solve) {
  const char *const inputs[] = {solve->matrix, solve->rhs, solve->near};
  for (int i = 0; i < 3; i++)
    if (txProgramIsSameFile(solve->out, inputs[i]) ||
        txProgramIsSameFile(solve->history, inputs[i]))
      return inputs[i];
  return NULL;
}

/* More than one input from standard input? */
static bool sharesStandard(const txSolve *solve) {
  return txProgramIsStandard(solve->matrix) + txProgramIsStandard(solve->rhs) +
             txProgramIsStandard(solve->near) >
         1;
}

/* Algebraic multigrid likewise: it needs no grid. */
static bool usesAmg(const txSolve *solve) {
  return solve->method == TEXLA_METHOD_AMG || solve->method == TEXLA_METHOD_AUTO ||
         solve->preconditioner == TEXLA_PRECONDITIONER_AMG;
}

/* Does a result go to standard output? */
static bool writesToOutput(const txSolve *solve) {
  return txProgramIsStandard(solve->out) || txProgramIsStandard(solve->history);
}

/* Options that exclude each other; false after a message. */
static bool checkUse(const txSolve *solve) {
  /* What each option is for stands in its message. */
  const txProgram *program = &solve->program;
  const char *wrong = NULL;
  /* The first of all that is wrong is told, the worst one first: an input would be lost. */
  if (replacedInput(solve)) {
    txUsageError(program,
                 "an output would replace the input %s: give --out and --history another name",
                 replacedInput(solve));
    return false;
  }
  if (sharesStandard(solve))
    wrong = "only one of the matrix, --rhs and --near-null-space can come from standard input";
  else if (solve->near && !usesAmg(solve))
    wrong = "--near-null-space is for --solver or --precond amg, and --solver auto";
  else if (solve->json && writesToOutput(solve))
    wrong = "with --json, standard output holds the JSON object alone: give --out and --history a "
            "file name";
  else if (isStationary(solve->method) && solve->preconditioner)
    wrong = "--precond is for --solver cg, bicgstab, gmres and auto: the others are their own "
            "preconditioner";
  else if (solve->sweeps && solve->preconditioner != TEXLA_PRECONDITIONER_ILU0 &&
           solve->preconditioner != TEXLA_PRECONDITIONER_IC0)
    wrong = "--sweeps is for --precond ilu0 and ic0";
  else if (solve->restart && solve->method != TEXLA_METHOD_GMRES &&
           solve->method != TEXLA_METHOD_AUTO)
    wrong = "--restart is for --solver gmres and auto";
  else if ((solve->cycle || solve->host_levels) && !usesCycles(solve))
    wrong = "--cycle and --host-levels are for --solver or --precond mg and amg";
  if (wrong)
    txUsageError(program, "%s", wrong);
  return !wrong;
}

/* b <- A * ones. */
static void makeRhs(txSolve *solve) {
  for (int32_t k = 0; k < solve->A->cols; k++)
    solve->x[k] = 1;
  clTripletsMulVector(solve->b, solve->A, solve->x);
  /* x is what the iteration starts from. */
  memset(solve->x, 0, (size_t)solve->A->cols * sizeof *solve->x);
}

/* b and x, and for each that is solved at once some three more vectors in double and eight on the
 * device, whose memory may be the same. */
static clStatus checkMemory(const txSolve *solve, clError *error) {
  char what[80];
  /* Up to eight right-hand sides are solved at once. */
  int at_once = txLeast(solve->columns, 8);
  double vectors = 2.0 * sizeof(double) * (double)solve->columns +
                   (3 * sizeof(double) + 8 * sizeof(float)) * (double)at_once;
  snprintf(what, sizeof what, "solving for %d unknowns", solve->A->rows);
  return txProgramCheckMemory((double)solve->A->rows * vectors, what, error);
}

/* One column of as many elements as A has rows, also as a row, or several. */
static clStatus checkRhs(const txSolve *solve, clTriplets *B, clError *error) {
  int32_t n = solve->A->rows;
  if (B->rows == n || (B->rows == 1 && B->cols == n))
    return TEXLA_OK;
  return txFail(error, TEXLA_BAD_SHAPE, "--rhs",
                "%s is %d x %d, but %s has %d rows: a right-hand side is a column of %d elements",
                solve->rhs, B->rows, B->cols, solve->matrix, n, n);
}

/* b from a file: columns, or one right-hand side in a row. */
static clStatus readRhs(txSolve *solve, clError *error) {
  clTriplets *B = NULL;
  size_t n = (size_t)solve->A->rows;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clMatrixMarketRead(&B, solve->rhs, error));
  TRY_CLEANUP(checkRhs(solve, B, error));
  /* What the file does not name is zero; one right-hand side may stand in a row as well. */
  bool row = B->rows != solve->A->rows;
  solve->columns = B->cols;
  if (row)
    solve->columns = 1;
  TRY_CLEANUP(checkMemory(solve, error));
  solve->b = txAllocate(error, "clSystemSolve", n * (size_t)solve->columns, sizeof *solve->b,
                        "right-hand sides");
  if (!solve->b)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t k = 0; k < B->count; k++) {
    size_t at = (size_t)B->col[k] * n + (size_t)B->row[k];
    if (row)
      at = (size_t)B->col[k];
    solve->b[at] = B->value[k];
  }
cleanup:
  clTripletsDestroy(B);
  return status;
}

/* An n x k array. */
static clStatus readNearNullSpace(txSolve *solve, clError *error) {
  clTriplets *N = NULL;
  size_t n = (size_t)solve->A->rows;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clMatrixMarketRead(&N, solve->near, error));
  if (N->rows != solve->A->rows || N->cols > 8)
    TRY_CLEANUP(txFail(error, TEXLA_BAD_SHAPE, "--near-null-space",
                       "%s is %d x %d: it must have %d rows, as %s has, and at most 8 columns",
                       solve->near, N->rows, N->cols, solve->A->rows, solve->matrix));
  solve->near_vectors = txAllocate(error, "--near-null-space", n * (size_t)N->cols,
                                   sizeof *solve->near_vectors, "vectors");
  if (!solve->near_vectors)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t k = 0; k < N->count; k++)
    solve->near_vectors[(size_t)N->col[k] * n + (size_t)N->row[k]] = N->value[k];
  solve->near_count = N->cols;
cleanup:
  clTripletsDestroy(N);
  return status;
}

/* A, right-hand sides and near null space; without --rhs b is A times ones, so that the error is
 * known. */
static clStatus readSystem(txSolve *solve, clError *error) {
  /* The file tells how much memory is needed; before that there is nothing to check. */
  TRY(clMatrixMarketRead(&solve->A, solve->matrix, error));
  size_t n = (size_t)solve->A->rows;
  if (solve->A->rows != solve->A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, "clSystemSolve",
                  "%s is %d x %d: only square systems can be solved here; least squares: texla lsq",
                  solve->matrix, solve->A->rows, solve->A->cols);
  TRY(txSystemCheckMatrix(solve->A, error));
  solve->columns = 1;
  if (solve->rhs)
    TRY(readRhs(solve, error));
  else
    TRY(checkMemory(solve, error));
  if (solve->near)
    TRY(readNearNullSpace(solve, error));
  if (!solve->rhs)
    solve->b = txAllocate(error, "clSystemSolve", n, sizeof *solve->b, "vectors");
  solve->x =
      txAllocate(error, "clSystemSolve", n * (size_t)solve->columns, sizeof *solve->x, "vectors");
  solve->reports =
      txAllocate(error, "clSystemSolve", (size_t)solve->columns, sizeof *solve->reports, "vectors");
  if (!solve->x || !solve->b || !solve->reports)
    return TEXLA_OUT_OF_MEMORY;
  if (!solve->rhs)
    makeRhs(solve);
  return TEXLA_OK;
}

/* Output. */

/* iteration,residual: one line for each, from 0 on; several right-hand sides stand beside each
 * other, and what has ended is left empty. */
static void writeResiduals(const txSolve *solve, FILE *file) {
  int64_t lines = 0;
  fprintf(file, "iteration");
  for (int j = 0; j < solve->columns; j++) {
    if (solve->columns > 1)
      fprintf(file, ",residual_%d", j + 1);
    if (solve->reports[j].history_count > lines)
      lines = solve->reports[j].history_count;
  }
  if (solve->columns == 1)
    fprintf(file, ",residual");
  fprintf(file, "\n");
  for (int64_t k = 0; k < lines; k++) {
    fprintf(file, "%" PRId64, k);
    for (int j = 0; j < solve->columns; j++) {
      char text[TX_NUMBER_SIZE] = "";
      if (k < solve->reports[j].history_count)
        txNumberFormat(text, solve->reports[j].history[k]);
      fprintf(file, ",%s", text);
    }
    fprintf(file, "\n");
  }
}

/* A line an iteration: its number and the residual, as the solver saw it. */
static clStatus writeHistory(const txSolve *solve, txOutput *output, clError *error) {
  TRY(txOutputOpen(output, solve->history, "--history", error));
  writeResiduals(solve, output->file);
  return TEXLA_OK;
}

/* Both files or none. */
static clStatus writeFiles(const txSolve *solve, clError *error) {
  /* What is prepared replaces nothing before all of it is written. */
  txOutput output[2] = {0};
  clStatus status = TEXLA_OK;
  if (solve->history)
    TRY_CLEANUP(writeHistory(solve, &output[0], error));
  if (solve->out)
    TRY_CLEANUP(txMatrixMarketPrepareArray(&output[1], "clMatrixMarketWriteArray", solve->out,
                                           solve->x, solve->A->cols, solve->columns,
                                           "solution by texla solve", error));
  return txOutputCommitAll(output, 2, error);
cleanup:
  txOutputAbort(&output[0]);
  return status;
}

/* In JSON, or for people unless --quiet is given. */
static void writeReport(const txSolve *solve) {
  FILE *file = stdout;
  if (writesToOutput(solve))
    file = stderr;
  if (solve->json)
    txSolveWriteJson(solve, stdout);
  else if (!solve->common.quiet)
    txSolveWriteSummary(solve, file);
}

/* The work. */

/* Not converged counts more than converged, then the larger residual (NaN is the largest). */
static bool isWorse(const clSystemReport *a, const clSystemReport *b) {
  bool a_good = clReasonSolved(a->reason), b_good = clReasonSolved(b->reason);
  if (a_good != b_good)
    return b_good;
  return !(a->residual <= b->residual);
}

/* One report for all right-hand sides: the worst of them, and the sums of times and counts. */
static void summarize(txSolve *solve) {
  const clSystemReport *worst = solve->reports;
  for (int j = 1; j < solve->columns; j++)
    if (isWorse(&solve->reports[j], worst))
      worst = &solve->reports[j];
  clSystemReport *all = &solve->report;
  *all = *worst;
  all->seconds_setup = all->seconds_solve = 0;
  all->passes = all->readbacks = 0;
  for (int j = 0; j < solve->columns; j++) {
    all->seconds_setup += solve->reports[j].seconds_setup;
    all->seconds_solve += solve->reports[j].seconds_solve;
    all->passes += solve->reports[j].passes;
    all->readbacks += solve->reports[j].readbacks;
  }
}

/* All right-hand sides at once; what has not converged is told in the report and by the exit
 * status. */
static clStatus solveSystem(txSolve *solve, clError *error) {
  bool terminal = txStreamIsTerminal(stderr);
  Progress progress = {.shown = !solve->common.quiet, .terminal = terminal};
  if (!terminal)
    progress.last = txNow();
  clSystemOptions options = {.solver = {.method = (clMethod)solve->method,
                                        .preconditioner = (clPreconditioner)solve->preconditioner,
                                        .tolerance = solve->tolerance,
                                        .max_iterations = solve->max_iterations,
                                        .restart = (int)solve->restart,
                                        .sweeps = (int)solve->sweeps,
                                        .cycle = (clCycle)solve->cycle,
                                        .device_levels = solve->host_levels == 1,
                                        .grid_nx = solve->grid[0],
                                        .grid_ny = solve->grid[1],
                                        .near_null_space = solve->near_vectors,
                                        .near_null_count = solve->near_count,
                                        .monitor = monitor,
                                        .monitor_user = &progress},
                             .refine = solve->refine,
                             .matrix = {.storage = (clStorage)solve->storage}};
  txSignalHandler before = txSignalCatch(SIGINT, onInterrupt);
  if (solve->common.verbose)
    fprintf(stderr, "%s: %s read, %d unknowns, %" PRId64 " entries; solving on %s\n",
            solve->program.name, solve->matrix, solve->A->rows, solve->A->count,
            clContextInspect(solve->context)->renderer);
  clStatus status = clSystemSolveMany(solve->context, solve->A, solve->columns, solve->b, solve->x,
                                      &options, solve->reports);
  txSignalCatch(SIGINT, before);
  clearProgress(&progress);
  if (status >= 0)
    summarize(solve);
  return txProgramTake(error, solve->context, status);
}

/* Files are checked before the solution and written after it; nothing is printed about a
 * solution that could not be saved. */
static clStatus run(txSolve *solve, clError *error) {
  TRY(txProgramCheckOutputs((const char *[]){solve->out, solve->history}, 2, error));
  TRY(readSystem(solve, error));
  TRY(txProgramOpen(&solve->context, &solve->program, solve->A->rows, error));
  clStatus result = solveSystem(solve, error);
  if (result < 0)
    return result;
  /* What has not converged is written, too. */
  TRY(writeFiles(solve, error));
  writeReport(solve);
  return result;
}

/* What has been made is given back on every way out. */
static int solveMain(txSolve *solve) {
  if (!checkUse(solve))
    return TX_EXIT_BAD;
  clError error;
  clStatus status = run(solve, &error);
  for (int j = 0; j < solve->columns && solve->reports; j++)
    clSystemReportClear(&solve->reports[j]);
  free(solve->reports);
  clContextDestroy(solve->context);
  clTripletsDestroy(solve->A);
  free(solve->b);
  free(solve->x);
  free(solve->near_vectors);
  return txProgramExit(&solve->program, status, status == TEXLA_OK, &error);
}

/* The help of an option that is a choice: `intro`, then name and help of each. */
static void writeHelp(char *text, size_t n, const char *intro, int count, const char *(*name)(int),
                      const char *(*help)(int)) {
  size_t used = (size_t)snprintf(text, n, "%s", intro);
  for (int k = 0; k < count && used < n; k++) {
    const char *between = ";";
    if (k == 0)
      between = "";
    used += (size_t)snprintf(text + used, n - used, "%s %s: %s", between, name(k), help(k));
  }
}

/* The library's texts by an int, as writeHelp asks for them. */
#define BY_NUMBER(function, type)                                                                  \
  static const char *function##By(int value) {                                                     \
    return function((type)value);                                                                  \
  }
BY_NUMBER(clMethodName, clMethod)
BY_NUMBER(clMethodHelp, clMethod)
BY_NUMBER(clPreconditionerName, clPreconditioner)
BY_NUMBER(clPreconditionerHelp, clPreconditioner)
#undef BY_NUMBER

/* `texla solve`: options, A and b, or a grid of a known problem, an exit status. */
int txSolveMain(int argc, char **argv) {
  txSolve solve = {0};
  char method_help[800], preconditioner_help[600];
  writeHelp(method_help, sizeof method_help, "the method (default cg).",
            sizeof methods / sizeof *methods - 1, clMethodNameBy, clMethodHelpBy);
  writeHelp(preconditioner_help, sizeof preconditioner_help,
            "what helps cg, bicgstab and gmres (default none).",
            sizeof preconditioners / sizeof *preconditioners - 1, clPreconditionerNameBy,
            clPreconditionerHelpBy);
  const txOption options[] = {
      {"rhs", TX_OPTION_TEXT, &solve.rhs, "b.mtx",
       "the right-hand side, n x 1, or several, n x k; without it b = A * ones, so that the "
       "error is known ('-': standard input)"},
      {"solver", TX_OPTION_CHOICE, &solve.method, NULL, method_help, .choices = methods},
      {"precond", TX_OPTION_CHOICE, &solve.preconditioner, NULL, preconditioner_help,
       .choices = preconditioners},
      {"grid", TX_OPTION_SIZE, &solve.grid, "NxM",
       "A comes from a grid of N columns and M rows, row by row"},
      {"near-null-space", TX_OPTION_TEXT, &solve.near, "N.mtx",
       "amg: vectors that A nearly maps to zero, n x k with k at most 8, such as the rigid-body "
       "modes of an elastic body (default: ones)"},
      {"cycle", TX_OPTION_CHOICE, &solve.cycle, NULL, "of multigrid (default v)",
       .choices = cycles},
      {"host-levels", TX_OPTION_CHOICE, &solve.host_levels, NULL,
       "whether the host may compute coarse levels of multigrid (default yes; no while traced)",
       .choices = host_levels},
      {"sweeps", TX_OPTION_INTEGER, &solve.sweeps, "N",
       "ilu0, ic0: steps that solve each triangle in an application (default 4)", 1, 100},
      {"restart", TX_OPTION_INTEGER, &solve.restart, "M", "gmres: keep M vectors (default 30)", 1,
       1000},
      {"refine", TX_OPTION_FLAG, &solve.refine, NULL,
       "go on to double accuracy: the residual to reach is 1e-12 unless --tol says otherwise, and "
       "--max-iter counts for all corrections together"},
      {"storage", TX_OPTION_CHOICE, &solve.storage, NULL,
       "how textures hold A (default auto: what suits it, see the report)", .choices = storages},
      {"tol", TX_OPTION_REAL, &solve.tolerance, "T", "relative residual to reach (default 1e-6)", 0,
       1},
      {"max-iter", TX_OPTION_INTEGER, &solve.max_iterations, "N",
       "most iterations (default 10 times the number of unknowns)", 1, INFINITY},
      {"out", TX_OPTION_TEXT, &solve.out, "x.mtx",
       "write the solution, n x k ('-': standard output)"},
      {"history", TX_OPTION_TEXT, &solve.history, "h.csv",
       "write the residual of every iteration, relative to b"},
      {"json", TX_OPTION_FLAG, &solve.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  solve.program = (txProgram){
      .name = "texla solve",
      .arguments = "A.mtx",
      .least = 1,
      .most = 1,
      .summary = "Solves the linear system A x = b in fragment shaders. A.mtx is a square "
                 "matrix in Matrix Market format; '-' reads it from standard input.",
      .options = options,
      .common = &solve.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&solve.program, &argc, argv, &status))
    return status;
  solve.matrix = argv[0];
  return solveMain(&solve);
}
