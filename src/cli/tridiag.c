/* texla tridiag: many tridiagonal systems from a table, by clTridiagonalSolveHost, which finds out
 * which of them have a solution. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "platform/platform.h"
#include "program/program.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/output.h"
#include "core/try.h"
#include "io/json.h"
#include "io/number.h"
#include "texla/tridiagonal.h"

/* Whose messages these are: those of the library's call that this command is about. */
static const char call[] = "clTridiagonalSolveHost";

/* What a file looks like stands above the options in --help, exit statuses and examples below. */
static const char details[] =
    "A batch is a table with a line for each row, sub,main,super,rhs: the entries\n"
    "left of the diagonal, on it and right of it, and the right-hand side. An empty\n"
    "line ends a system; all systems have the same number of rows. The first row's\n"
    "sub and the last row's super count only with --periodic, where they couple both\n"
    "ends. Lines that begin with # are comments. The solution is a table with a line\n"
    "for each system: x_0,x_1,...\n";

static const char notes[] =
    "Exit status: 0 all systems are solved, 1 some are singular or not finite (they\n"
    "are named, and their lines are zeros) or did not reach double accuracy with\n"
    "--refine, 2 nothing was solved.\n"
    "\n"
    "Examples:\n"
    "  texla tridiag batch.csv --out x.csv\n"
    "  texla tridiag --random 4096 2048 1 --refine --json\n";

/* Three diagonals and the right-hand side; so many systems that failed are named. */
enum { BANDS = 4, NAMED = 5 };

/* One run of the command. */
typedef struct Tridiag {
  txProgram program;
  txCommon common;
  /* NULL: not given */
  const char *path, *out;
  bool random, periodic, refine, json;
  /* all systems have the same number of rows */
  int64_t systems, rows, seed;
  clContext *context;
  /* sub, main, super, rhs */
  double *band[BANDS], *x;
  /* elements of each band */
  int64_t room;
  /* of each system */
  clTridiagonalState *states;
  clTridiagonalReport report;
  /* of the solution, with transfers */
  double seconds;
} Tridiag;

/* ---- The batch ------------------------------------------------------------------------------- */

/* Room for so many elements of all four arrays; they double, so that reading takes linear time. */
static clStatus grow(Tridiag *t, int64_t elements, clError *error) {
  if (elements <= t->room)
    return TEXLA_OK;
  /* At least twice as much as before. */
  int64_t room = txMost64(elements, 2 * t->room);
  for (int k = 0; k < BANDS; k++) {
    double *more = txReallocate(error, call, t->band[k], (size_t)room, sizeof *more, "the systems");
    if (!more)
      return TEXLA_OUT_OF_MEMORY;
    t->band[k] = more;
  }
  t->room = room;
  return TEXLA_OK;
}

/* The end of a line is a space, too. */
static const char *skipSpaces(const char *text) {
  return text + strspn(text, " \t\r\n");
}

/* Four numbers with commas between them, and nothing else. */
static bool parseRow(const char *text, double row[BANDS]) {
  for (int k = 0; k < BANDS; k++) {
    text = txNumberParse(skipSpaces(text), &row[k]);
    if (!text)
      return false;
    text = skipSpaces(text);
    if (k < BANDS - 1 && *text++ != ',')
      return false;
  }
  return !*text;
}

/* Reading: rows of the system that has begun, and where. */
typedef struct Reading {
  int64_t line, rows, elements;
} Reading;

/* An empty line ends a system: all have the same number of rows. */
static clStatus endSystem(Tridiag *t, Reading *r, clError *error) {
  if (!r->rows)
    return TEXLA_OK;
  if (t->systems && r->rows != t->rows)
    return txFail(error, TEXLA_BAD_FILE, call,
                  "%s:%lld: system %lld ends after %lld rows, the first one has %lld", t->path,
                  (long long)r->line, (long long)t->systems, (long long)r->rows,
                  (long long)t->rows);
  t->rows = r->rows;
  t->systems++;
  r->rows = 0;
  return TEXLA_OK;
}

/* A row: sub-diagonal, diagonal, super-diagonal and right-hand side. */
static clStatus takeLine(Tridiag *t, Reading *r, const char *line, clError *error) {
  /* Lines are counted for messages, comments and empty ones too. */
  double row[BANDS];
  r->line++;
  line = skipSpaces(line);
  if (*line == '#')
    return TEXLA_OK;
  if (!*line)
    return endSystem(t, r, error);
  if (!parseRow(line, row))
    return txFail(error, TEXLA_BAD_FILE, call, "%s:%lld: not a row of sub,main,super,rhs", t->path,
                  (long long)r->line);
  TRY(grow(t, r->elements + 1, error));
  for (int k = 0; k < BANDS; k++)
    t->band[k][r->elements] = row[k];
  r->elements++;
  r->rows++;
  return TEXLA_OK;
}

/* Reads the file line by line, without a limit on the length of a line. */
static clStatus readLines(Tridiag *t, Reading *r, FILE *file, clError *error) {
  char *line = NULL;
  size_t room = 0;
  clStatus status = TEXLA_OK;
  while (txFileLine(file, &line, &room))
    TRY_CLEANUP(takeLine(t, r, line, error));
  if (ferror(file))
    status = txFail(error, TEXLA_IO_ERROR, call, "%s cannot be read: %s", t->path, strerror(errno));
cleanup:
  free(line);
  return status;
}

/* The end of the file ends the last system. */
static clStatus readBatch(Tridiag *t, clError *error) {
  /* "-" is standard input. */
  Reading r = {0};
  FILE *file = stdin;
  uint64_t size;
  if (!txProgramIsStandard(t->path))
    file = txStreamOpen(t->path, &size);
  if (!file)
    return txFail(error, TEXLA_IO_ERROR, call, "%s: %s", t->path, strerror(errno));
  clStatus status = readLines(t, &r, file, error);
  if (file != stdin)
    fclose(file);
  TRY(status);
  TRY(endSystem(t, &r, error));
  if (!t->systems)
    return txFail(error, TEXLA_BAD_FILE, call, "%s holds no system", t->path);
  return TEXLA_OK;
}

/* Uniform in [-1, 1), the same numbers everywhere. */
static double randomNumber(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(uint32_t)(*state >> 32) * 0x1p-31 - 1;
}

/* Couplings and right-hand sides in [-1, 1), diagonals in [2.1, 4.1): dominant. */
static clStatus makeBatch(Tridiag *t, clError *error) {
  int64_t count = t->systems * t->rows;
  uint64_t state = (uint64_t)t->seed;
  TRY(grow(t, count, error));
  for (int64_t i = 0; i < count; i++) {
    for (int k = 0; k < BANDS; k++)
      t->band[k][i] = randomNumber(&state);
    t->band[1][i] += 3.1;
  }
  return TEXLA_OK;
}

/* ---- Solution and report --------------------------------------------------------------------- */

/* TEXLA_OK also when systems failed: report.failed tells. */
static clStatus solve(Tridiag *t, clStatus *outcome, clError *error) {
  /* All unknowns lie one behind the other, system after system. */
  size_t count = (size_t)t->systems * (size_t)t->rows;
  t->x = txAllocate(error, call, count, sizeof *t->x, "the solutions");
  t->states = txAllocate(error, call, (size_t)t->systems, sizeof *t->states, "the systems' states");
  if (!t->x || !t->states)
    return TEXLA_OUT_OF_MEMORY;
  clTridiagonalBatch batch = {t->systems, t->rows,    t->periodic, t->band[0],
                              t->band[1], t->band[2], t->band[3]};
  /* With --refine to double accuracy, with residuals in double. */
  clTridiagonalHostOptions options = {.refine = t->refine};
  double start = txNow();
  *outcome = clTridiagonalSolveHost(t->context, t->x, &batch, &options, &t->report, t->states);
  t->seconds = txNow() - start;
  txProgramTake(error, t->context, *outcome);
  /* Systems without a solution are named in the report. */
  if (*outcome < 0 && !t->report.failed)
    return *outcome;
  return TEXLA_OK;
}

/* A line for each system, its unknowns with commas between them. */
static clStatus writeSolution(const Tridiag *t, clError *error) {
  txOutput output;
  char text[TX_NUMBER_SIZE];
  TRY(txOutputOpen(&output, t->out, call, error));
  for (int64_t i = 0; i < t->systems * t->rows; i++) {
    char behind = ',';
    if ((i + 1) % t->rows == 0)
      behind = '\n';
    txNumberFormat(text, t->x[i]);
    fprintf(output.file, "%s%c", text, behind);
  }
  return txOutputCommit(&output, error);
}

/* How the lists of failed systems name their states. */
static const char *textOf(clTridiagonalState state) {
  if (state == TEXLA_TRIDIAGONAL_SINGULAR)
    return "singular, no solution";
  if (state == TEXLA_TRIDIAGONAL_CONSISTENT)
    return "singular, many solutions";
  return "not finite";
}

/* The numbers of the systems in one of two states; the same one twice for one alone. */
static void listSystems(const Tridiag *t, txJson *json, const char *key, clTridiagonalState a,
                        clTridiagonalState b) {
  txJsonArray(json, key);
  for (int64_t j = 0; j < t->systems; j++)
    if (t->states[j] == a || t->states[j] == b)
      txJsonInteger(json, NULL, j);
  txJsonClose(json);
}

/* One object; of a batch the worst system is told. Those with many solutions are singular, too. */
static void writeJson(const Tridiag *t) {
  const clTridiagonalState consistent = TEXLA_TRIDIAGONAL_CONSISTENT;
  const clTridiagonalState infinite = TEXLA_TRIDIAGONAL_NOT_FINITE;
  txJson json;
  txJsonStart(&json, stdout);
  txJsonObject(&json, NULL);
  txJsonInteger(&json, "systems", t->systems);
  txJsonInteger(&json, "rows", t->rows);
  txJsonBool(&json, "periodic", t->periodic);
  txJsonNumber(&json, "backward_error", t->report.backward_error);
  txJsonInteger(&json, "iterations", t->report.iterations);
  txJsonInteger(&json, "exchanged", t->report.exchanged);
  listSystems(t, &json, "singular", TEXLA_TRIDIAGONAL_SINGULAR, consistent);
  listSystems(t, &json, "consistent", consistent, consistent);
  listSystems(t, &json, "not_finite", infinite, infinite);
  txJsonNumber(&json, "seconds", t->seconds);
  txJsonString(&json, "device", clContextInspect(t->context)->renderer);
  txJsonClose(&json);
}

/* For people; on standard error where x goes to standard output. */
static void writeText(const Tridiag *t) {
  FILE *file = txProgramSummary(t->out);
  const char *kind = "";
  if (t->periodic)
    kind = "periodic ";
  fprintf(file, "%lld %ssystem%s of %lld rows: backward error %.2e, %d solution%s on the device\n",
          (long long)t->systems, kind, txPlural(t->systems), (long long)t->rows,
          t->report.backward_error, t->report.iterations, txPlural(t->report.iterations));
  if (t->report.exchanged)
    fprintf(file, "%d solved again with row exchanges\n", t->report.exchanged);
  fprintf(file, "%.3g s on %s\n", t->seconds, clContextInspect(t->context)->renderer);
}

/* Names the first few systems without a solution; systems count from 0. */
static void nameFailed(const Tridiag *t) {
  int named = 0;
  const char *between = "", *more = "";
  fprintf(stderr, "%s: %d of %lld systems could not be solved:", t->program.name, t->report.failed,
          (long long)t->systems);
  for (int64_t j = 0; j < t->systems && named < NAMED; j++)
    if (t->states[j] != TEXLA_TRIDIAGONAL_SOLVED) {
      fprintf(stderr, "%s %lld (%s)", between, (long long)j, textOf(t->states[j]));
      between = ",";
      named++;
    }
  if (t->report.failed > named)
    more = ", ...";
  fprintf(stderr, "%s; systems count from 0\n", more);
}

/* The outcome of the computation is told by the exit status, failures by messages. */
static clStatus run(Tridiag *t, clStatus *outcome, clError *error) {
  TRY(txProgramCheckOutput(t->out, error));
  if (t->random)
    TRY(makeBatch(t, error));
  else
    TRY(readBatch(t, error));
  TRY(txProgramOpen(&t->context, &t->program, t->systems * t->rows, error));
  TRY(solve(t, outcome, error));
  if (t->out)
    TRY(writeSolution(t, error));
  if (t->json)
    writeJson(t);
  else if (!t->common.quiet)
    writeText(t);
  return TEXLA_OK;
}

/* All that `run` has made is freed here, however far it came. */
static int tridiagMain(Tridiag *t) {
  clError error = {TEXLA_OK, ""};
  clStatus outcome = TEXLA_OK, status = run(t, &outcome, &error);
  int result = TX_EXIT_GOOD;
  if (outcome)
    result = TX_EXIT_NOT_CONVERGED;
  if (status)
    result = txProgramFail(&t->program, &error);
  else if (t->report.failed)
    nameFailed(t);
  else if (outcome == TEXLA_NOT_CONVERGED)
    fprintf(stderr, "%s: some solution stays above a backward error of 1e-15\n", t->program.name);
  for (int k = 0; k < BANDS; k++)
    free(t->band[k]);
  free(t->x);
  free(t->states);
  clContextDestroy(t->context);
  return result;
}

/* K N SEED of --random */
static bool takeRandom(Tridiag *t, char **argv) {
  const txOption systems = {"random K", TX_OPTION_INTEGER, &t->systems, "K", "", 1, 1 << 24};
  const txOption rows = {"random N", TX_OPTION_INTEGER, &t->rows, "N", "", 1, 1 << 28};
  const txOption seed = {"random SEED", TX_OPTION_INTEGER, &t->seed, "SEED", "", 0, 1e9};
  return txArgumentConvert(&t->program, &systems, argv[0]) &&
         txArgumentConvert(&t->program, &rows, argv[1]) &&
         txArgumentConvert(&t->program, &seed, argv[2]);
}

/* `texla tridiag`: options, the diagonals and b, an exit status. */
int txTridiagMain(int argc, char **argv) {
  Tridiag t = {0};
  const txOption options[] = {
      {"random", TX_OPTION_FLAG, &t.random, NULL,
       "K N SEED instead of a file: K random, dominant systems of N rows"},
      {"periodic", TX_OPTION_FLAG, &t.periodic, NULL,
       "the first row's sub couples to the last unknown, and the other way round"},
      {"refine", TX_OPTION_FLAG, &t.refine, NULL, "refine to double accuracy"},
      {"out", TX_OPTION_TEXT, &t.out, "x.csv", "write the solutions ('-': standard output)"},
      {"json", TX_OPTION_FLAG, &t.json, NULL, "report in JSON, and print nothing else"},
      {0}};
  t.program = (txProgram){
      .name = "texla tridiag",
      .arguments = "batch.csv | --random K N SEED",
      .least = 1,
      .most = 3,
      .summary =
          "Solves many tridiagonal systems at once in fragment shaders. '-' reads the batch from "
          "standard input.",
      .details = details,
      .options = options,
      .common = &t.common,
      .notes = notes};
  int status;
  if (!txArgumentsParse(&t.program, &argc, argv, &status))
    return status;
  if (t.random && argc != 3)
    return txUsageError(&t.program, "--random needs three numbers: K N SEED");
  if (!t.random && argc != 1)
    return txUsageError(&t.program, "one batch is needed, or --random K N SEED");
  if (t.json && txProgramIsStandard(t.out))
    return txUsageError(&t.program, "--json and --out - both write to standard output");
  if (t.random && !takeRandom(&t, argv))
    return TX_EXIT_BAD;
  t.path = argv[0];
  return tridiagMain(&t);
}
