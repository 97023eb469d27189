/* The texla program: finds the command and runs it. */
#include <stdio.h>
#include <string.h>

#include "program/arguments.h"
#include "cli/commands.h"
#include "program/program.h"
#include "program/start.h"

/* A word, and the main function that gets what follows it. */
typedef struct Command {
  const char *name;
  int (*run)(int argc, char **argv);
  /* its line in the list of commands */
  const char *help;
} Command;

/* The benchmarks are a program of their own, which alone links what texla is compared with. */
static int startBench(int argc, char **argv) {
  (void)argc;
  return txProgramStart("texla bench", "texla-bench", argv);
}

/* A new command is a line here and a file of its own; its page and its completion follow. */
static const Command commands[] = {
    {"solve", txSolveMain, "solve a linear system from a Matrix Market file"},
    {"multiply", txMultiplyMain, "multiply two Matrix Market files"},
    {"factor", txFactorMain, "factor a Matrix Market file: P A = L U, Cholesky, or Gauss-Jordan"},
    {"lsq", txLsqMain, "weighted linear least squares from Matrix Market files"},
    {"tridiag", txTridiagMain, "solve many tridiagonal systems at once"},
    {"gen", txGenMain, "write a test matrix as a Matrix Market file"},
    {"info", txInfoMain, "show the devices, and what the chosen one can do"},
    {"check", txCheckMain, "try computations on the device, and report what is wrong"},
    {"bench", startBench, "measure speed beside the limits of the device"}};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The list of commands in --help; describe() fills it. */
static char details[1024];

/* Below the list. */
static const char notes[] = "Try:\n"
                            "  texla gen poisson2d 64 --out A.mtx\n"
                            "  texla solve A.mtx --out x.mtx\n";

static const txProgram program = {.name = "texla",
                                  .arguments = "COMMAND",
                                  .least = 0,
                                  .most = -1,
                                  .summary = "Linear algebra in OpenGL fragment shaders.",
                                  .details = details,
                                  .notes = notes};

/* One line a command, in the order of the table. */
static void describe(void) {
  size_t at =
      (size_t)snprintf(details, sizeof details, "Commands (texla COMMAND --help tells more):\n");
  for (int k = 0; k < COMMANDS && at < sizeof details; k++)
    at += (size_t)snprintf(details + at, sizeof details - at, "  %-9s %s\n", commands[k].name,
                           commands[k].help);
}

/* The names of all commands: "solve, multiply, ... or bench". */
static int complainMissing(void) {
  char names[256] = "";
  size_t at = 0;
  for (int k = 0; k < COMMANDS && at < sizeof names; k++) {
    const char *separator = k + 2 < COMMANDS ? ", " : " or ";
    if (k + 1 == COMMANDS)
      separator = "";
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", commands[k].name, separator);
  }
  return txUsageError(&program, "a command is missing: %s", names);
}

/* NULL after a message, with the nearest name if one is near. */
static const Command *findCommand(const char *name) {
  for (int k = 0; k < COMMANDS; k++)
    if (strcmp(commands[k].name, name) == 0)
      return &commands[k];
  const char *nearest = txNearestName(name, commands, COMMANDS, sizeof *commands);
  if (nearest)
    txUsageError(&program, "unknown command '%s'; did you mean '%s'?", name, nearest);
  else
    txUsageError(&program, "unknown command '%s'", name);
  return NULL;
}

/* The command's own main, by its name. */
static int run(const char *name, int argc, char **argv) {
  const Command *command = findCommand(name);
  if (!command)
    return TX_EXIT_BAD;
  return command->run(argc, argv);
}

/* texla help COMMAND is texla COMMAND --help. */
static int help(int argc, char **argv) {
  char option[] = "--help", *words[] = {argv[0], option, NULL};
  if (argc > 2)
    return txUsageError(&program, "unexpected argument '%s'", argv[2]);
  if (argc == 2)
    return run(argv[1], 2, words);
  int count = 2, status;
  txArgumentsParse(&program, &count, words, &status);
  return status;
}

/* Options may stand before the command (texla --trace t solve A.mtx): the first word that is a
 * command's name changes places with them. */
static void putCommandFirst(int argc, char **argv) {
  for (int i = 2; i < argc; i++)
    for (int k = 0; k < COMMANDS; k++)
      if (strcmp(commands[k].name, argv[i]) == 0) {
        char *name = argv[i];
        memmove(&argv[2], &argv[1], (size_t)(i - 1) * sizeof *argv);
        argv[1] = name;
        return;
      }
}

/* The first word is the command; what follows belongs to it. */
static int dispatch(int argc, char **argv) {
  int status;
  if (argc < 2)
    return complainMissing();
  if (argv[1][0] == '-')
    putCommandFirst(argc, argv);
  if (strcmp(argv[1], "help") == 0)
    return help(argc - 1, argv + 1);
  if (argv[1][0] != '-')
    return run(argv[1], argc - 1, argv + 1);
  /* --help, --version, or wrong */
  int count = argc;
  if (!txArgumentsParse(&program, &count, argv, &status))
    return status;
  return complainMissing();
}

/* The first word names a command; without one it is said what there is. */
int main(int argc, char **argv) {
  describe();
  return txProgramEnd("texla", dispatch(argc, argv));
}
