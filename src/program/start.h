/* Commands that are programs of their own, as git has them: `texla bench` is texla-bench. */
#ifndef TEXLA_PROGRAM_START_H
#define TEXLA_PROGRAM_START_H

/* Becomes the program `name`, with argv[1] and what follows as its arguments: the one that lies
 * beside this program, else the one that PATH finds. Returns only where there is none, after a
 * message that begins with `command` and names the package that has it: TX_EXIT_BAD. */
int txProgramStart(const char *command, const char *name, char **argv);

#endif
