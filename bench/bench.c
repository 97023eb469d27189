/* The bench command: its arguments and the table of suites. main.c calls it; each suite is a file
 * of this folder, which asks measure.c for times and hands rows to report.c. */
#include "bench.h"

#include <string.h>

#include "core/try.h"
#include "program/program.h"
#include "suite.h"

/* A suite by the word that chooses it. */
typedef struct Suite {
  const char *name;
  clStatus (*run)(txBench *bench);
  /* it has tables of its own, and a folder */
  bool collection;
} Suite;

/* In the order in which they run without arguments, and in which the notes tell them. */
static const Suite suites[] = {{"vector", txBenchVector},       {"spmv", txBenchSpmv},
                               {"solve", txBenchSolve},         {"multigrid", txBenchMultigrid},
                               {"dense", txBenchDense},         {"wave", txBenchWave},
                               {"tridiag", txBenchTridiag},     {"water", txBenchWater},
                               {"crout", txBenchCrout, true},   {"precond", txBenchPrecond, true},
                               {"triangles", txBenchTriangles}, {"share", txBenchShare},
                               {"precision", txBenchPrecision}, {"files", txBenchFiles},
                               {"programs", txBenchPrograms}};
enum { SUITES = sizeof suites / sizeof *suites };

/* What --help prints below the options, and the manual page too. */
static const char notes[] =
    "Suites (all without one):\n"
    "  vector  the operators on vectors and the transfers; 2048^2 elements\n"
    "  spmv    matrix-vector products in every storage; grids of 2048^2 and 1024^2\n"
    "  solve   conjugate gradients and Jacobi iterations, several right-hand sides at once, and\n"
    "          the passes of an iteration, each waited for; a grid of 1024^2\n"
    "  multigrid\n"
    "          systems to a true residual of 1e-5, by multigrid and by conjugate\n"
    "          gradients with and without it, beside hypre and PETSc (where those were\n"
    "          found); grids of 512^2 to 4096^2\n"
    "  dense   products, one by one and many small ones in a pass, Gauss-Jordan and PLU beside\n"
    "          OpenBLAS (where the program was built with it) and Octave's rref; orders 256 to\n"
    "          2048; errors over size\n"
    "  triangles\n"
    "          A D^2 A^T and Cholesky, full and packed, beside OpenBLAS and beside texla's\n"
    "          own product (all of it) and PLU; orders 256 to 2048; weighted least squares\n"
    "          as in the tables of Jung and O'Leary, m = 512 to 2048\n"
    "  wave    explicit steps of the wave equation; a grid of 2048^2\n"
    "  tridiag batches of tridiagonal systems beside a loop over sgtsv; up to 4096 of 2048 rows\n"
    "  water   steps of shallow water by each scheme, and their stages; a grid of 512^2\n"
    "  crout [DIR]\n"
    "          LU without pivoting of every .mtx file in DIR (without it: of generated\n"
    "          matrices): Crout's method in order on the CPU (CM, float and double), the\n"
    "          fixed-point iteration on the device (ICM), and PLU; times, effective\n"
    "          bandwidth, speed-up, errors and their statistics, sweeps, and a study of\n"
    "          the section size. With --html it appends to crout.csv there, says in\n"
    "          crout.log where it is, and goes on after the last row when called again\n"
    "  precond [DIR]\n"
    "          the system A x = A 1 to 1e-6 of every .mtx file in DIR (without it: of\n"
    "          generated matrices) by cg where A is symmetric with a positive diagonal, by\n"
    "          bicgstab elsewhere: without a preconditioner, by jacobi, by ic0 or ilu0, by amg;\n"
    "          iterations and time with setup, of a second run; at most 2000 iterations and 5\n"
    "          seconds (--seconds) each. --html as for crout\n"
    "  precision\n"
    "          residuals, sums and axpy in single and in double-float on the device, in double\n"
    "          on the CPU; uploads of doubles; a grid of 1024^2\n"
    "  files   reading Matrix Market files of a grid of 1024^2, beside a loop of strtod\n"
    "  programs\n"
    "          texla solve on grids of 128^2 and, --solver auto, 1024^2, and the first picture\n"
    "          of each demo: whole programs, with empty caches and with filled ones\n"
    "  share   batches of systems on LAPACK and the queue together, and each alone; orders 64\n"
    "          to 512; who did what\n"
    "\n"
    "Every repetition is waited for. Device, CPU loops and the device's limits take turns.\n"
    "A row holds\n"
    "  min, median    seconds of a repetition (milliseconds in the table)\n"
    "  rate           work / median: GB/s count the bytes that must move, GFLOP/s the\n"
    "                 operations that count\n"
    "  peer, ratio    the same operation as a loop on the CPU, and its median / texla's:\n"
    "                 above 1, texla is faster; best (ratio_min) is that of the shortest\n"
    "                 runs, for a machine that others use too\n"
    "  device         (device_ratio) the time that the device's minimal passes would need,\n"
    "                 the larger of fill (bytes written), fetch (bytes read) and arithmetic\n"
    "                 (flops), / texla's median: 1 is all that the device can do\n"
    "  growth         time of twice the repetitions / time of one set: about 2, unless the\n"
    "                 driver drops work\n"
    "  check          error of the result itself against double precision; for solvers the\n"
    "                 true residual ||b - A x|| / ||b||; peer_check is the peer's\n"
    "With --json: a list of objects {suite, name, size, precision, device, runs,\n"
    "seconds_min, seconds_median, rate, unit, limit, peer, peer_threads, ratio,\n"
    "device_ratio, growth, check, peer_check}, for solvers also iterations,\n"
    "peer_iterations and passes, for whole systems seconds_setup (not in the times).\n"
    "`limit` is an object of seconds that the same work takes elsewhere: the CPU's loops\n"
    "(cpu_...) and the device's limits (fill, fetch, arithmetic), as far as they apply;\n"
    "device_ratio and growth are left out where they do not. OMP_NUM_THREADS sets the\n"
    "threads of the CPU's loops.\n"
    "\n"
    "Examples:\n"
    "  texla bench vector\n"
    "  texla bench spmv solve --device 0 --size 4096 --json > figures.json\n"
    "  texla bench crout matrices --html report\n"
    "  texla bench precond matrices --most 2000 --html report\n";

/* NULL: the word names none. */
static const Suite *suiteOf(const char *name) {
  for (int k = 0; k < SUITES; k++)
    if (strcmp(suites[k].name, name) == 0)
      return &suites[k];
  return NULL;
}

/* A word that is no suite is told with the nearest one. */
static void tellUnknown(const txProgram *program, const char *name) {
  const char *nearest = txNearestName(name, suites, SUITES, sizeof *suites);
  if (nearest)
    txUsageError(program, "unknown suite '%s'; did you mean '%s'?", name, nearest);
  else
    txUsageError(program, "unknown suite '%s'", name);
}

/* Collections have tables of their own, so no heading is printed for them. */
static clStatus runSuite(txBench *bench, const Suite *suite) {
  bench->suite = suite->name;
  bench->context = bench->large;
  if (!suite->collection)
    txBenchReportSuite(bench);
  return suite->run(bench);
}

/* The message of the library's last failed call, or the status where the benchmark itself
 * failed. */
static int fail(const txProgram *program, const txBench *bench, clStatus status) {
  clError error = *clContextError(bench->context);
  if (error.status != status)
    snprintf(error.message, sizeof error.message, "%s", clStatusText(status));
  return txProgramFail(program, &error);
}

/* The first failure ends the run, and the rows before it stay. */
static int runSuites(const txProgram *program, txBench *bench, const Suite *const *list,
                     int count) {
  clStatus status = TEXLA_OK;
  txBenchReportStart(bench);
  for (int k = 0; k < count; k++)
    TRY_CLEANUP(runSuite(bench, list[k]));
cleanup:
  txBenchReportEnd(bench);
  if (status)
    return fail(program, bench, status);
  return TX_EXIT_GOOD;
}

/* The page is closed also after a failure, with the rows that there are. */
static int runAll(const txProgram *program, txBench *bench, const char *html,
                  const Suite *const *list, int count) {
  clError error = {TEXLA_OK, ""};
  bench->program = program;
  if (txProgramOpen(&bench->large, program, 0, &error))
    return txProgramFail(program, &error);
  bench->context = bench->large;
  int result = TX_EXIT_GOOD;
  if (html && txBenchPageOpen(bench, html, &error))
    result = txProgramFail(program, &error);
  else
    result = runSuites(program, bench, list, count);
  if (bench->html && txBenchPageClose(bench, &error))
    result = txProgramFail(program, &error);
  clContextDestroy(bench->small);
  clContextDestroy(bench->large);
  return result;
}

/* The suites that the words name, all without one; a word behind "crout" or "precond" that names
 * none is their folder. Their number, -1 after a message. */
static int chooseSuites(const txProgram *program, txBench *bench, const Suite **list, int words,
                        char **word) {
  int count = 0;
  for (int k = 0; k < SUITES && !words; k++)
    list[count++] = &suites[k];
  const Suite *before = NULL;
  for (int k = 0; k < words; k++) {
    const Suite *suite = suiteOf(word[k]);
    if (!suite && before && before->collection) {
      bench->folder = word[k];
    } else if (!suite) {
      tellUnknown(program, word[k]);
      return -1;
    } else if (count == SUITES) {
      return -1;
    } else {
      list[count++] = suite;
    }
    before = suite;
  }
  return count;
}

/* The arguments, the suites that they name, and the run. */
int txBenchMain(int argc, char **argv) {
  txBench bench = {0};
  txCommon common = {0};
  int64_t runs = 0;
  bool json = false;
  const char *html = NULL;
  const txOption options[] = {
      {"json", TX_OPTION_FLAG, &json, NULL, "print a list of JSON objects instead of a table"},
      {"html", TX_OPTION_TEXT, &html, "FOLDER",
       "write the figures to FOLDER as a page (index.html) and as JSON, too"},
      {"size", TX_OPTION_INTEGER, &bench.size, "N",
       "problems of N x N unknowns instead of the suites' own", 16, 16384},
      {"most", TX_OPTION_INTEGER, &bench.most, "N",
       "crout, precond: leave out matrices of more than N rows; 4096, 10000", 1, 32768},
      {"seconds", TX_OPTION_INTEGER, &bench.seconds, "S",
       "precond: stop a solution after S seconds; 5", 1, 3600},
      {"runs", TX_OPTION_INTEGER, &runs, "N", "take every time N times instead of as often as fits",
       1, 60},
      {"quick", TX_OPTION_FLAG, &bench.quick, NULL,
       "small problems, few runs: a try, not a measurement"},
      {0}};
  const txProgram program = {
      .name = "texla bench",
      .arguments = "[SUITE...]",
      .most = SUITES + 1,
      .summary = "Measures texla's operations beside plain loops on the CPU and beside what "
                 "the device can do at best.",
      .options = options,
      .common = &common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&program, &argc, argv, &status))
    return status;
  /* The page's folder has the figures as JSON already. */
  if (json && html)
    return txUsageError(
        &program, "--json and --html exclude each other: the page's folder holds figures.json");
  bench.runs = (int)runs;
  bench.table = !json;
  bench.json = json || html;
  const Suite *list[SUITES];
  int count = chooseSuites(&program, &bench, list, argc, argv);
  if (count < 0)
    return TX_EXIT_BAD;
  return runAll(&program, &bench, html, list, count);
}
