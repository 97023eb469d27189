/* Command-line arguments from one table: parsing, checking, messages and the text of --help.
 *
 * A program describes itself (txProgram) and its options (txOption). `--name value` and
 * `--name=value` are the same; `--` ends the options; "-" and negative numbers are positional.
 * Every program takes --help and --version, too. */
#ifndef TEXLA_PROGRAM_ARGUMENTS_H
#define TEXLA_PROGRAM_ARGUMENTS_H

#include <stdbool.h>

#include "texla/status.h"

typedef enum txOptionKind {
  /* bool <- true; takes no value */
  TX_OPTION_FLAG,
  /* const char * */
  TX_OPTION_TEXT,
  /* int64_t, least <= value <= most */
  TX_OPTION_INTEGER,
  /* double, least < value < most */
  TX_OPTION_REAL,
  /* int, the place of the value in `choices` */
  TX_OPTION_CHOICE,
  /* int[2]: NxM, columns x rows, both 1 or more */
  TX_OPTION_SIZE
} txOptionKind;

typedef struct txOption {
  /* without the dashes */
  const char *name;
  txOptionKind kind;
  /* keeps its value, the default, when the option is not given */
  void *target;
  /* the value in the help: "FILE"; NULL for flags and choices */
  const char *metavar;
  const char *help;
  /* both 0: no bounds; INFINITY: none on this side */
  double least, most;
  const char *const *choices; /* ends with NULL */
  /* not NULL: true where the option has been given */
  bool *given;
  /* of a number, "m/s"; NULL: it has none */
  const char *unit;
} txOption;

/* What every program takes. */
typedef struct txCommon {
  /* NULL: not given */
  const char *device, *tuning, *trace, *trace_choose;
  bool quiet, verbose;
  /* the help of --device; NULL: that of programs with one context */
  const char *devices;
} txCommon;

typedef struct txProgram {
  /* "texla solve": begins every message */
  const char *name;
  /* the positional ones, as the usage line shows them; NULL: none */
  const char *arguments;
  /* how many they may be; most < 0: any number */
  int least, most;
  /* what it does; the help wraps it */
  const char *summary;
  /* printed as it is behind the summary; NULL: none */
  const char *details;
  /* ends with an option without a name; NULL: none */
  const txOption *options;
  /* where --device, --quiet, --verbose and --tuning go; NULL: they are not taken */
  txCommon *common;
  /* the same at the end of the help: examples, exit status */
  const char *notes;
} txProgram;

enum { TX_EXIT_GOOD = 0, TX_EXIT_NOT_CONVERGED = 1, TX_EXIT_BAD = 2 };

/* Parses argv[1..*argc) and leaves the positional arguments in argv[0..*argc). False when the
 * program should end with *status: help or version were printed, or a message on standard error
 * says what is wrong. */
bool txArgumentsParse(const txProgram *program, int *argc, char **argv, int *status);

/* Converts one positional argument as if it were the value of `option`; false after a message. */
bool txArgumentConvert(const txProgram *program, const txOption *option, const char *text);

/* Prints "name: message" and where to find the help; returns TX_EXIT_BAD. */
int txUsageError(const txProgram *program, const char *format, ...) TEXLA_PRINTF(2, 3);

/* The name that `text` was probably meant to be, or NULL; names are `count` pointers, `stride`
 * bytes apart. */
const char *txNearestName(const char *text, const void *names, int count, int stride);

#endif
