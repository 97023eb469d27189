/* What the commands share: messages, a context from the common options, destinations that are
 * checked beforehand. */
#ifndef TEXLA_PROGRAM_PROGRAM_H
#define TEXLA_PROGRAM_PROGRAM_H

#include <stdio.h>

#include "program/arguments.h"
#include "texla/context.h"

/* The message without the name of the library's call, which a user has not made. */
const char *txProgramMessage(const clError *error);

/* Prints "name: message" without the name of the library's call; returns TX_EXIT_BAD. */
int txProgramFail(const txProgram *program, const clError *error);

/* Creates the context that the common options ask for, for work on vectors or matrices of so many
 * numbers (0: unknown); its log goes to standard error. */
clStatus txProgramOpen(clContext **out, const txProgram *program, int64_t elements, clError *error);

/* Before the first context: a software renderer's textures lie where passes are fastest
 * (memory.c). */
void txProgramPlaceMemory(void);

/* Fills in what the common options say of a context, for programs that open it in another way. */
void txProgramPrepare(clContextOptions *options, const txProgram *program);

/* The same with more options, before which goes what the common ones say; with `adopt` on the
 * OpenGL context that is current in this thread: a window's. */
clStatus txProgramOpenWith(clContext **out, const txProgram *program, bool adopt,
                           const clContextOptions *options, clError *error);

/* What a program that has done its work returns: it says what failed (status < 0), or tells whether
 * the result is `good`. */
int txProgramExit(const txProgram *program, clStatus status, bool good, const clError *error);
/* The end of a program's `main`: writes what standard output still holds, and returns `status`, or
 * says why it could not. A reader that has gone, as `head` does, is no failure worth a word. */
int txProgramEnd(const char *name, int status);

/* A status of what was done in a context. The message of a failure dies with the context: it
 * goes to *error. */
clStatus txProgramTake(clError *error, const clContext *context, clStatus status);

/* Does the path stand for standard input or output ("-")? NULL does not. */
bool txProgramIsStandard(const char *path);

/* The ending of a noun for so many: "s", or "" for one. */
const char *txPlural(int64_t count);

/* Where a summary goes: standard output, unless the result itself goes there (`path` is "-"). */
FILE *txProgramSummary(const char *path);

/* True if two names lead to one file, whether it exists or not. NULL, "-" and devices are never the
 * same. */
bool txProgramIsSameFile(const char *a, const char *b);
/* Fails where a file cannot be written, before the work that it is for. NULL is fine. */
clStatus txProgramCheckOutput(const char *path, clError *error);
/* The same for all files that a run writes, which must differ. */
clStatus txProgramCheckOutputs(const char *const *paths, int count, clError *error);

/* Fails where the machine has less memory than `what` takes, before the system ends the program for
 * it. */
clStatus txProgramCheckMemory(double bytes, const char *what, clError *error);

#endif
