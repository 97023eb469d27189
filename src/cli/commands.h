/* The commands: each takes its own arguments, argv[0] being its name, and returns the exit
 * status. */
#ifndef TEXLA_CLI_COMMANDS_H
#define TEXLA_CLI_COMMANDS_H

int txSolveMain(int argc, char **argv);
int txMultiplyMain(int argc, char **argv);
int txFactorMain(int argc, char **argv);
int txLsqMain(int argc, char **argv);
int txTridiagMain(int argc, char **argv);
int txGenMain(int argc, char **argv);
int txInfoMain(int argc, char **argv);
int txCheckMain(int argc, char **argv);

#endif
