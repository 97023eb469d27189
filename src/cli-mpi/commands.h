/* The commands of texla-mpi, and what they share. */
#ifndef TEXLA_CLI_MPI_COMMANDS_H
#define TEXLA_CLI_MPI_COMMANDS_H

#include <stdio.h>

#include "program/program.h"
#include "texla/mpi.h"

/* Each command's main, on all ranks: argv[0] is its name, and all return the same exit status. */
int txMpiLuMain(int argc, char **argv);
int txMpiCgMain(int argc, char **argv);

/* main of a program for MPI: `run` between MPI_Init and MPI_Finalize, and its status, unless
 * standard output could not be written. */
int txMpiRun(const char *name, int (*run)(int argc, char **argv), int argc, char **argv);
/* Parses on all ranks; rank 0 alone speaks. As txArgumentsParse. */
bool txMpiParse(const txProgram *program, int *argc, char **argv, int *status);
/* The same for txUsageError. */
int txMpiUsage(const txProgram *program, const char *message);
/* A cluster of all ranks as the common options ask for; a failure is reported by rank 0. */
clStatus txMpiOpen(clCluster **out, const txProgram *program);
/* The status of all ranks: TEXLA_OUT_OF_MEMORY unless each has had enough. Collective. */
clStatus txMpiAgreeOnMemory(clCluster *cluster, bool enough, clError *error);
/* Can rank 0 write to this file (NULL: none)? Collective. */
clStatus txMpiCheckOutput(clCluster *cluster, const char *path, clError *error);
/* The same status; the message of one that is not TEXLA_OK goes from the cluster to *error. */
clStatus txMpiTake(clError *error, const clCluster *cluster, clStatus status);
/* How a program ends that has computed and written with these statuses, the same on all ranks: of a
 * failure rank 0 prints "name: message". */
int txMpiResult(const txProgram *program, const clCluster *cluster, clStatus computed,
                clStatus written, const clError *error);
/* A number of unknowns, or -1 where the text is a file's name. */
int64_t txMpiSize(const char *text);
/* "N" or "NXxNY": false, and nothing changes, for anything else. */
bool txMpiGrid(const char *text, int size[2]);
/* The right-hand side of `cg` and `bench`: in [-1, 1), from the number of the row. */
float txMpiRightSide(int64_t row);

#endif
