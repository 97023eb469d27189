/* The program texla-bench, which `texla bench` starts: arguments, the table of suites, the run. */
#include <string.h>

#include "program/program.h"
#include "suite.h"

/* In the order of a run without arguments. Suites of one name run one after the other. */
static const txBenchSuite *const suites[] = {
    &txBenchVector,    &txBenchSpmvLarge, &txBenchSpmv,    &txBenchPlate,     &txBenchFull,
    &txBenchSolve,     &txBenchColumns,   &txBenchPasses,  &txBenchMultigrid, &txBenchTransfers,
    &txBenchDense,     &txBenchBatch,     &txBenchWave,    &txBenchTridiag,   &txBenchWater,
    &txBenchStages,    &txBenchCrout,     &txBenchPrecond, &txBenchTriangles, &txBenchLeastSquares,
    &txBenchPrecision, &txBenchFiles,     &txBenchPrograms};
enum { SUITES = sizeof suites / sizeof *suites, MOST_WORDS = 4096 };

/* Below the options of --help, and in the manual page. */
static const char notes[] =
    "Suites (all without one):\n"
    "  vector     operators on vectors, transfers, the device's limits; 2048^2 elements\n"
    "  spmv       matrix-vector products in every storage; grids of 2048^2 and 1024^2\n"
    "  solve      conjugate gradients and Jacobi's method, several right-hand sides at once,\n"
    "             the passes of an iteration, each waited for; grids of up to 1024^2\n"
    "  multigrid  systems to a true residual of 1e-5 by multigrid and by conjugate gradients\n"
    "             with and without it, beside hypre and PETSc (if they were found when texla\n"
    "             was built); grids of 512^2 to 4096^2; ways between grids\n"
    "  dense      products, many small ones in a pass, Gauss-Jordan and PLU, beside OpenBLAS\n"
    "             (if texla-bench was built with it); orders 256 to 2048\n"
    "  wave       explicit steps of the wave equation; a grid of 2048^2\n"
    "  tridiag    batches of tridiagonal systems beside sgtsv; up to 4096 of 2048 rows\n"
    "  water      steps of shallow water by each scheme, and their stages; a grid of 512^2\n"
    "  crout [FILE.mtx...]\n"
    "             LU without pivoting: the fixed-point iteration on the device beside Crout's\n"
    "             method in order on the CPU and PLU; orders 128 to 1024, or those files\n"
    "  precond [FILE.mtx...]\n"
    "             A x = A 1 to 1e-6 without a preconditioner, by jacobi, ic0 or ilu0, amg; a\n"
    "             grid of 64^2, or those files\n"
    "  triangles  A D^2 A^T, Cholesky, QR beside OpenBLAS, texla's product and PLU; orders 256\n"
    "             to 2048; weighted least squares, m = 512 to 2048, beside sgels\n"
    "  precision  residuals, sums and axpy in single precision and in double-float; 1024^2\n"
    "  files      reading Matrix Market files of a grid of 1024^2, beside a loop of strtod\n"
    "  programs   texla solve and the first picture of each demo as whole programs, with empty\n"
    "             caches and with filled ones\n"
    "\n"
    "Each repetition is waited for. Device, peers and the device's limits alternate. A row:\n"
    "  min, median    seconds of a repetition (milliseconds in the table)\n"
    "  rate           work / median: GB/s of bytes that must move, GFLOP/s of operations\n"
    "  peer, ratio    the same by OpenBLAS, LAPACK or a function of texla, and its median /\n"
    "                 this median; best (ratio_min) is that of the shortest runs\n"
    "  device         (device_ratio) the time of the slowest of the device's limits for the\n"
    "                 same work (fill, fetch, arithmetic) / the median\n"
    "  growth         time of twice the repetitions / time of one set: about 2, unless the\n"
    "                 driver drops work\n"
    "  check          error of the result against double precision; for solvers the true\n"
    "                 residual ||b - A x|| / ||b||\n"
    "With --json: a list of objects {suite, name, size, device, runs, seconds_min,\n"
    "seconds_median, rate, unit, limit, peer, ratio, ratio_min, device_ratio, growth, check},\n"
    "for solvers also iterations, passes and seconds_setup (not in the times). `limit` holds\n"
    "the seconds of each peer and of fill, fetch and arithmetic. What does not apply is left\n"
    "out.\n"
    "\n"
    "Examples:\n"
    "  texla bench vector\n"
    "  texla bench spmv solve --device 0 --size 4096 --json > figures.json\n"
    "  texla bench crout matrices/*.mtx --json > crout.json\n";

/* A failure because the device or this build lacks something is a remark on standard error. */
static clStatus forgive(txBench *bench, const char *name, clStatus status) {
  clError error = bench->status ? bench->error : *clContextError(bench->context);
  bench->status = TEXLA_OK;
  if (status == TEXLA_OK)
    return TEXLA_OK;
  if (error.status != status)
    snprintf(error.message, sizeof error.message, "%s", clStatusText(status));
  error.status = status;
  bench->error = error;
  bool excused = status == TEXLA_UNSUPPORTED || status == TEXLA_TOO_LARGE || bench->files;
  if (!excused)
    return status;
  fprintf(stderr, "texla bench: %s is left out: %s\n", name, error.message);
  return TEXLA_OK;
}

/* Work and needs are those of an element until here. */
static clStatus measureCase(txBench *bench, const txBenchSuite *suite, void *data, txBenchCase *c) {
  bench->facts = (txBenchFacts){0};
  if (suite->begin)
    TRY(suite->begin(bench, data, c));
  TRY(bench->status);
  if (!c->run)
    return TEXLA_OK;
  c->work *= bench->measure;
  for (int k = 0; k < TX_BENCH_LIMITS; k++)
    c->needs[k] *= bench->measure;
  txBenchRow row;
  TRY(txBenchMeasure(bench, c, data, &row));
  txBenchReportRow(bench, &row);
  return TEXLA_OK;
}

/* Objects of a case go after it, its context stays. */
static clStatus runCases(txBench *bench, const txBenchSuite *suite, void *data, int32_t size) {
  for (int k = 0; k < suite->count; k++) {
    txBenchCase c = suite->cases[k];
    int kept = bench->count;
    if (c.most && size > c.most)
      continue;
    snprintf(c.size, sizeof c.size, "%d", (int)size);
    clStatus status = measureCase(bench, suite, data, &c);
    txBenchDrop(bench, kept);
    TRY(forgive(bench, c.name, status));
  }
  return TEXLA_OK;
}

/* One size, or one file, with data of its own. */
static clStatus runSize(txBench *bench, const txBenchSuite *suite, int32_t size) {
  void *data = txBenchDoubles(bench, (int64_t)(suite->bytes / sizeof(double)) + 1);
  bench->measure = 1;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(bench->status);
  TRY_CLEANUP(txBenchUse(bench, (int64_t)size * size));
  TRY_CLEANUP(suite->prepare(bench, data, size));
  TRY_CLEANUP(bench->status);
  TRY_CLEANUP(runCases(bench, suite, data, size));
  if (suite->end)
    TRY_CLEANUP(suite->end(bench, data));
cleanup:
  status = forgive(bench, suite->name, status);
  txBenchDrop(bench, 0);
  bench->context = bench->large;
  bench->probes = NULL;
  return status;
}

static clStatus runSuite(txBench *bench, const txBenchSuite *suite) {
  bench->suite = suite->name;
  txBenchReportHead(bench);
  if (suite->files && bench->files) {
    for (int k = 0; k < bench->files; k++) {
      if (!bench->json)
        printf("%s\n", bench->file[k]);
      TRY(runSize(bench, suite, k));
    }
    return TEXLA_OK;
  }
  if (bench->size || bench->quick)
    return runSize(bench, suite, bench->size ? (int32_t)bench->size : suite->quick);
  for (int k = 0; k < TX_BENCH_SIZES && suite->size[k]; k++)
    TRY(runSize(bench, suite, suite->size[k]));
  return TEXLA_OK;
}

static bool isAsked(const char *name, int words, char **word) {
  for (int k = 0; k < words; k++)
    if (!strcmp(word[k], name))
      return true;
  return !words;
}

/* The first failure ends the run; the rows before it stay. */
static int runAll(const txProgram *program, txBench *bench, int words, char **word) {
  clError error = {TEXLA_OK, ""};
  bench->program = program;
  if (txProgramOpen(&bench->large, program, 0, &error))
    return txProgramFail(program, &error);
  bench->context = bench->large;
  txBenchReportStart(bench);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < SUITES; k++)
    if (isAsked(suites[k]->name, words, word))
      TRY_CLEANUP(runSuite(bench, suites[k]));
cleanup:
  txBenchReportEnd(bench);
  clContextDestroy(bench->small);
  clContextDestroy(bench->large);
  if (status)
    return txProgramFail(program, &bench->error);
  return TX_EXIT_GOOD;
}

static bool isFile(const char *word) {
  size_t length = strlen(word);
  return length > 4 && !strcmp(word + length - 4, ".mtx");
}

/* Words before the first file are suites; false after a message. */
static bool chooseSuites(const txProgram *program, txBench *bench, int *words, char **word) {
  const char *names[SUITES];
  int suite = 0;
  for (int k = 0; k < SUITES; k++)
    names[k] = suites[k]->name;
  while (suite < *words && !isFile(word[suite])) {
    bool known = false;
    for (int k = 0; k < SUITES; k++)
      known |= !strcmp(names[k], word[suite]);
    const char *nearest = txNearestName(word[suite], names, SUITES, sizeof *names);
    if (!known && nearest)
      txUsageError(program, "unknown suite '%s'; did you mean '%s'?", word[suite], nearest);
    else if (!known)
      txUsageError(program, "unknown suite '%s'", word[suite]);
    if (!known)
      return false;
    suite++;
  }
  bench->file = word + suite;
  bench->files = *words - suite;
  *words = suite;
  return true;
}

static int run(int argc, char **argv) {
  static txBench bench;
  txCommon common = {0};
  const txOption options[] = {{"json", TX_OPTION_FLAG, &bench.json, NULL,
                               "print a list of JSON objects instead of a table"},
                              {"size", TX_OPTION_INTEGER, &bench.size, "N",
                               "problems of N x N unknowns instead of the suites' own", 16, 16384},
                              {"runs", TX_OPTION_INTEGER, &bench.runs, "N",
                               "take every time N times instead of as often as fits", 1, 100},
                              {"quick", TX_OPTION_FLAG, &bench.quick, NULL,
                               "small problems, few runs: a try, not a measurement"},
                              {0}};
  const txProgram program = {
      .name = "texla bench",
      .arguments = "[SUITE...] [FILE.mtx...]",
      .most = MOST_WORDS,
      .summary =
          "Measures texla's operations beside OpenBLAS and LAPACK and beside what the device "
          "can do at best.",
      .options = options,
      .common = &common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&program, &argc, argv, &status))
    return status;
  if (!chooseSuites(&program, &bench, &argc, argv))
    return TX_EXIT_BAD;
  if (bench.files && (argc != 1 || (strcmp(argv[0], "crout") && strcmp(argv[0], "precond"))))
    return txUsageError(&program, "files are for one suite, crout or precond, before them");
  return runAll(&program, &bench, argc, argv);
}

int main(int argc, char **argv) {
  return txProgramEnd("texla bench", run(argc, argv));
}
