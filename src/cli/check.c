/* texla check: is what this device computes right? A report to be passed on. */
#include <string.h>

#include "cli/check.h"
#include "cli/commands.h"
#include "program/program.h"

/* Below the options in --help. */
static const char notes[] =
    "Groups: operators, reductions, matrices, products, plu, cholesky, solvers,\n"
    "  multigrid, double-float, waves, flows\n"
    "\n"
    "Examples:\n"
    "  texla check >report.txt\n"
    "  texla check --device 1 --only multigrid\n"
    "\n"
    "Exit status: 0 if all is right, 1 if something is wrong, 2 if nothing could be\n"
    "tried. The report names no host, user or path.\n";

/* Variants that are pinned are kept; the cache of tuning is neither believed nor changed. */
static int check(const txProgram *program, const char *only) {
  const clContextOptions options = {.no_tuning_cache = true};
  clContext *context = NULL;
  clError error;
  if (txProgramOpenWith(&context, program, false, &options, &error))
    return txProgramFail(program, &error);
  int wrong = txCheckWrite(stdout, context,
                           &(txCheckOptions){.vary = !program->common->tuning, .only = only});
  clContextDestroy(context);
  if (wrong < 0)
    return txProgramFail(program, &(clError){(clStatus)wrong, "not enough memory"});
  return wrong > 0 ? TX_EXIT_NOT_CONVERGED : TX_EXIT_GOOD;
}

static bool isGroup(const char *name) {
  const char *group;
  for (int k = 0; (group = txCheckGroup(k)); k++)
    if (strcmp(name, group) == 0)
      return true;
  return false;
}

/* `texla check`: no files; opens the device and tries it. */
int txCheckMain(int argc, char **argv) {
  const char *only = NULL;
  int status;
  txCommon common = {0};
  const txOption options[] = {
      {"only", TX_OPTION_TEXT, &only, "GROUP", "try one group of cases (all of them)"}, {0}};
  const txProgram program = {
      .name = "texla check",
      .summary = "Tries some hundred computations on the chosen device, compares them with the "
                 "same in double precision on the host, and prints a report to be passed on.",
      .options = options,
      .common = &common,
      .notes = notes};
  if (!txArgumentsParse(&program, &argc, argv, &status))
    return status;
  if (only && !isGroup(only))
    return txUsageError(&program, "unknown group '%s'; --help lists them", only);
  return check(&program, only);
}
