/* The texla-mpi program: texla's algebra on the ranks of an MPI run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli-mpi/commands.h"
#include "program/start.h"

/* A word, and the main function that gets what follows it. */
typedef struct Command {
  const char *name;
  int (*run)(int argc, char **argv);
} Command;

/* `texla-mpi bench` has become texla-mpi-bench before MPI began, unless that is not there. */
static int startBench(int argc, char **argv) {
  (void)argc;
  return txProgramStart("texla-mpi bench", "texla-mpi-bench", argv);
}

/* In the order of the help. */
static const Command commands[] = {{"lu", txMpiLuMain}, {"cg", txMpiCgMain}, {"bench", startBench}};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Above and below the options in --help. */
static const char details[] =
    "Commands (texla-mpi COMMAND --help tells more):\n"
    "  lu     factor a dense matrix in blocks, P A = L U, and solve with it\n"
    "  cg     conjugate gradients for a grid or a sparse matrix\n"
    "  bench  measure PLU and conjugate gradients beside ScaLAPACK\n";

static const char notes[] = "Each rank takes the GPU of its number on the node (--device rank), or "
                            "a share of the processors. A rank\n"
                            "that fails ends all of them with one message.\n"
                            "\n"
                            "Try:\n"
                            "  mpirun -np 4 texla-mpi lu 2048 --grid 2x2 --block 128\n"
                            "  mpirun -np 4 texla-mpi cg 1024 --precond mg\n";

/* Without a command: what --help prints, and what is wrong. */
static const txProgram program = {
    .name = "texla-mpi",
    .arguments = "COMMAND",
    .least = 0,
    .most = -1,
    .summary = "Linear algebra in OpenGL fragment shaders, on the ranks of an MPI run.",
    .details = details,
    .notes = notes};

/* The command's own main gets the rest of the words. All ranks parse, rank 0 speaks. */
static int dispatch(int argc, char **argv) {
  /* A word that is near to a command is named in the message. */
  int status;
  for (int k = 0; k < COMMANDS && argc > 1; k++)
    if (strcmp(commands[k].name, argv[1]) == 0)
      return commands[k].run(argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-') {
    char text[160];
    const char *nearest = txNearestName(argv[1], commands, COMMANDS, sizeof *commands);
    int length = snprintf(text, sizeof text, "unknown command '%.50s'", argv[1]);
    if (nearest)
      snprintf(text + length, sizeof text - (size_t)length, "; did you mean '%s'?", nearest);
    return txMpiUsage(&program, text);
  }
  if (argc > 1 && !txMpiParse(&program, &argc, argv, &status))
    return status;
  return txMpiUsage(&program, "a command is missing");
}

/* A program may not be replaced by another one once MPI runs in it. */
int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "bench") == 0)
    return startBench(argc - 1, argv + 1);
  return txMpiRun("texla-mpi", dispatch, argc, argv);
}
