/* What differs by operating system: one interface, one file a system (posix.c, windows.c). No other
 * room asks which system it runs on, but for the ways to an OpenGL context (gl/platform_*.c).
 *
 * Where a call fails, errno has the reason, as after the calls of POSIX. Paths are what fopen
 * takes. */
#ifndef TEXLA_PLATFORM_PLATFORM_H
#define TEXLA_PLATFORM_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "platform/companion.h"

/* ---- The machine ----------------------------------------------------------------------------- */

/* How many processors the system has; at least 1. */
int txProcessors(void);
/* The kind of system and of processor: "Linux x86_64". */
void txSystemName(char *text, size_t size);
/* Some of the system's processors, by their numbers. */
enum { TX_PROCESSOR_WORDS = 16 };
typedef struct txProcessorSet {
  uint64_t word[TX_PROCESSOR_WORDS];
} txProcessorSet;
/* Those that this thread may run on, or with `parent` those of the program that started this one.
 * False where the system does not tell. */
bool txAffinityRead(txProcessorSet *set, bool parent);
/* This thread, and those that it starts from now on, may run on these only. */
bool txAffinityWrite(const txProcessorSet *set);
/* Where a processor is: those of one core, and then those of one socket, have numbers that follow
 * each other. */
int64_t txProcessorPlace(int processor);
/* Bytes of the machine's memory. */
size_t txMemory(void);
/* A large block has just been taken, and will be walked through: the system may map it in large
 * pages. [the setup of algebraic multigrid, 1024^2: a quarter less processor time] */
void txMemoryLarge(void *block, size_t bytes);
/* Is this the thread that the program began with? Windows can only be made there. */
bool txThreadIsMain(void);
/* How many forks lie between this process and the one that first called this function: 0 there.
 * Threads do not exist behind a fork, neither texla's nor a driver's. */
int txForks(void);
/* Starts a thread that gets no signals: those are for the application's. `start` is a call of
 * pthread_create. */
bool txThreadWithoutSignals(bool (*start)(void *user), void *user);
/* Makes a condition whose waits can end at a deadline, and tells what the clock of such deadlines
 * shows now: one that is never set back, where the system's conditions can wait by it. */
void txConditionCreate(pthread_cond_t *condition);
void txConditionNow(struct timespec *now);
/* Seconds from some start on; never runs backwards. */
TX_COMPANION double txNow(void);
/* Does nothing for so many seconds. */
void txSleep(double seconds);
/* Seconds that the processors have worked for this process; *tick <- what the clock can tell
 * apart. */
double txWorkTime(double *tick);
/* What clocks on the wall show. */
struct tm txLocalTime(time_t seconds);

/* A shared library, loaded at run time; NULL where there is none of that name. It stays loaded:
 * what it has begun, as threads, may outlive its user. */
void *txModuleOpen(const char *name);
/* Sets the pointer to a function that `function` points to; false where the library has no such
 * name. */
bool txModuleFind(void *module, const char *name, void *function);

/* Does a pattern of the shell (* ? [a-z]) match the whole text? */
bool txMatches(const char *pattern, const char *text);

/* The order of two texts, with small letters as capitals: less than 0, 0 or more, as strcmp. */
TX_COMPANION int txCompareLetters(const char *a, const char *b);

/* ---- Files ----------------------------------------------------------------------------------- */

/* What a path leads to, through links: nothing that can be looked at (the reason is in errno), a
 * regular file, a folder, or another thing, as a pipe or a device. */
typedef enum txPathKind {
  TX_PATH_NOTHING,
  TX_PATH_FILE,
  TX_PATH_FOLDER,
  TX_PATH_OTHER,
} txPathKind;
/* *mode <- its permissions, for txFileKeepMode; may be NULL. */
txPathKind txPathLook(const char *path, unsigned *mode);
/* True for a symbolic link, wherever it leads. */
bool txPathIsLink(const char *path);
bool txPathReadable(const char *path);
bool txPathWritable(const char *path);
/* Do both lead to the same regular file? */
bool txPathSame(const char *a, const char *b);
/* Is the stream shown to a person, who sees lines being overwritten? */
bool txStreamIsTerminal(FILE *stream);

/* A file or a pipe for reading, or NULL; *size <- the bytes of a file, 0: not known. A pipe that
 * nobody writes into within TX_STREAM_WAIT seconds is given up: ETIMEDOUT. */
enum { TX_STREAM_WAIT = 5 };
TX_COMPANION FILE *txStreamOpen(const char *path, uint64_t *size);

/* A descriptor for reading, or -1. Opening does not wait: a pipe that nobody writes into would
 * block for ever. */
int txFileOpen(const char *path);
/* What it leads to; *size <- the bytes of a regular file. */
txPathKind txFileLook(int file, uint64_t *size);
/* Reads as many of `size` bytes as the file has; how many, or -1. */
int64_t txFileRead(int file, char *bytes, size_t size);
void txFileClose(int file);
/* For writing, exclusively: nobody can put another file or a link into its place. */
FILE *txFileCreate(const char *path);
/* A file for writing that has no name yet, in the folder of `path`; NULL where the system has no
 * such files. */
FILE *txFileUnnamed(const char *path);
/* By which such a file can be opened. */
void txFileUnnamedPath(FILE *file, char *name, size_t size);
/* Gives it its first name; there must be no file of that name yet. */
bool txFileName(FILE *file, const char *name);
/* Where a path leads to, without links; the caller frees it. */
char *txFileReal(const char *path);
/* The permissions of another file, as txPathLook tells them. */
bool txFileKeepMode(FILE *file, unsigned mode);
/* errno of a write that has just failed: EPIPE where nobody reads the pipe any more. */
int txFileReason(void);
/* Waits until all of it is on the disk. */
bool txFileSync(FILE *file);
/* A file takes the name of another one, in one step. */
bool txFileReplace(const char *from, const char *to);
/* A second name for a file; there must be no file of that name yet. */
bool txFileLink(const char *from, const char *to);
/* The next line, with its end, into memory that grows; the caller frees it. False at the end, and
 * where memory ended. */
bool txFileLine(FILE *file, char **line, size_t *room);

/* Calls `found` with the name of everything in a folder; nothing where there is none. What it
 * returns is: go on? */
void txFolderList(const char *path, bool (*found)(void *user, const char *name), void *user);
/* Makes a folder; errno is EEXIST where there is one. */
bool txFolderCreate(const char *path);
/* Claims a folder among the programs that do so: a handle, or -1, with EWOULDBLOCK in errno where
 * another one has it. */
intptr_t txFolderClaim(const char *path);
/* -1 is allowed. */
void txFolderRelease(intptr_t claim);
/* The folder of the user for files that can be made again; false where there is none. */
bool txFolderCache(char *path, size_t size);
/* False if the file system of Mesa's cache of shaders is nearly full. Mesa maps a file with holes
 * there, and a full disk ends the program with SIGBUS: from then on this process asks Mesa for no
 * cache. Call it before OpenGL is opened. */
bool txShaderCacheRoom(void);

/* A file in memory. */
FILE *txMemoryOpen(char **text, size_t *size);
/* *text <- all that has been written so far, ended by a zero. It is valid until more is written,
 * and the caller's to free once the file is closed. False where memory ended. */
bool txMemoryFlush(FILE *file, char **text, size_t *size);

/* ---- Programs -------------------------------------------------------------------------------- */

/* The file of this program; false where the system does not tell. */
bool txProgramPath(char *path, size_t size);
/* How it was called: its arguments, with spaces between; empty where the system does not tell. */
void txProgramCommand(char *text, size_t size);
/* Another program goes on in the place of this one: by its file, or by a name that the system looks
 * for. Comes back only where that fails. */
void txProgramBecome(const char *program, char *const *argv);

/* A signal handler, which is called once and interrupts no call of the system; returns the one
 * before. A signal that is ignored stays ignored, as nohup demands. */
typedef void (*txSignalHandler)(int number);
txSignalHandler txSignalCatch(int number, txSignalHandler handler);

/* A program that this one has started. */
typedef struct txProcess {
  intptr_t child;
  /* The other end of its standard input or output, a descriptor. */
  int pipe;
} txProcess;
/* Starts a program without a shell; `end` is 0 for its standard input, 1 for its output. Ctrl-C is
 * not for it: it ends with its input. 0, or the reason as errno has it. */
int txProcessStart(txProcess *process, const char *const *arguments, int end);
/* Writes into its input. False where it takes no more, which is not the end of this program. */
bool txProcessFeed(const txProcess *process, const uint8_t *bytes, size_t count);
/* Reads its output to the end, or until `size` bytes are there; how many came. */
size_t txProcessRead(const txProcess *process, char *text, size_t size);
/* Closes the pipe. */
void txProcessClose(const txProcess *process);
/* Waits until it has ended; *signal <- the number of the signal that ended it, or 0. Its exit
 * status. */
int txProcessWait(const txProcess *process, int *signal);

#endif
