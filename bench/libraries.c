/* Rows of other libraries: a program of its own solves the same problem with them (bench/peers), so
 * that texla needs neither them nor MPI. It stands beside this program where hypre or PETSc were
 * found, and runs on as many processes as there are processors. */
#define _POSIX_C_SOURCE 200809L
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/platform.h"
#include "suite.h"

/* A line of that program's output: seconds, and what a solver of its library needs to the true
 * residual that was asked for. */
typedef struct Row {
  char library[32], solver[32];
  int processes, iterations;
  double setup, min, median, residual;
} Row;

/* Times in milliseconds. */
static void printRow(const Row *row, double seconds) {
  char name[80];
  snprintf(name, sizeof name, "%s %s", row->library, row->solver);
  printf("  %-18s setup %8.1f ms, min %9.3f ms, median %9.3f ms, %4d iterations, true residual "
         "%.1e, ratio %.2f\n",
         name, row->setup * 1e3, row->min * 1e3, row->median * 1e3, row->iterations, row->residual,
         row->median / seconds);
}

/* `seconds` is what texla needs for the same. */
static void writeRow(txBench *bench, const Row *row, int32_t side, double seconds) {
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "library", row->library);
  txJsonString(json, "solver", row->solver);
  txJsonInteger(json, "size", (int64_t)side * side);
  txJsonInteger(json, "processes", row->processes);
  txJsonNumber(json, "seconds_setup", row->setup);
  txJsonNumber(json, "seconds_min", row->min);
  txJsonNumber(json, "seconds_median", row->median);
  txJsonInteger(json, "iterations", row->iterations);
  txJsonNumber(json, "check", row->residual);
  txJsonNumber(json, "ratio", row->median / seconds);
  txJsonClose(json);
}

/* The command; false when the program is not there. */
static bool commandOf(char *command, size_t size, const txBench *bench, int32_t side,
                      double tolerance) {
  char own[400] = "", program[440];
  if (readlink("/proc/self/exe", own, sizeof own - 1) < 0)
    return false;
  snprintf(program, sizeof program, "%s/texla-bench-peers", dirname(own));
  if (access(program, X_OK) || strchr(program, '\''))
    return false;
  int runs = bench->quick ? 1 : 5;
  if (bench->runs)
    runs = (int)bench->runs;
  /* Open MPI wants to be told that it may run as root, as it must in a container. */
  snprintf(command, size,
           "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 mpirun -np "
           "%d '%s' %d %g %d 2>/dev/null",
           txProcessors(), program, (int)side, tolerance, runs);
  return true;
}

/* Lines as they come: the slowest solvers take long. A program that is not there, or ends badly, is
 * no failure of this one. */
void txBenchLibraries(txBench *bench, int32_t side, double tolerance, double seconds) {
  char command[1024];
  Row row;
  if (!commandOf(command, sizeof command, bench, side, tolerance))
    return;
  fflush(stdout);
  FILE *peers = popen(command, "r");
  if (!peers)
    return;
  int rows = 0;
  while (fscanf(peers, "%31s %31s %d %lf %lf %lf %d %lf", row.library, row.solver, &row.processes,
                &row.setup, &row.min, &row.median, &row.iterations, &row.residual) == 8) {
    writeRow(bench, &row, side, seconds);
    if (!bench->json && rows++ == 0)
      printf("  %d x %d in double, with %d MPI processes; ratio: median / texla's mg\n", (int)side,
             (int)side, row.processes);
    if (!bench->json)
      printRow(&row, seconds);
  }
  if (pclose(peers))
    fprintf(stderr, "texla bench: texla-bench-peers did not end well; is mpirun installed?\n");
}
