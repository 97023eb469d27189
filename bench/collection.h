/* A suite that goes through the matrices of a folder: the table that a run goes on with after an
 * interruption, and the log. */
#ifndef TEXLA_BENCH_COLLECTION_H
#define TEXLA_BENCH_COLLECTION_H

#include "suite.h"

enum { TX_BENCH_NAME = 64, TX_BENCH_REASON = 160 };

typedef struct txBenchCollection txBenchCollection;
struct txBenchCollection {
  txBench *bench;
  /* first line of the table, with its end; each row begins with the matrix's name */
  const char *head;
  void *user;
  /* A row of an earlier run, without its end: reports it and takes it in, or returns false, and the
   * matrix is measured again. */
  bool (*restore)(void *user, const char *row);
  /* Measures a matrix, reports it, and writes a line to collection->csv unless that is NULL. Why
   * something was left out goes to `reason`, TX_BENCH_REASON characters, empty where nothing
   * was. */
  clStatus (*measure)(void *user, const char *name, const clTriplets *A, char *reason);

  /* What is measured without a folder: matrices that are made, by txBenchCollectionAdd. */
  clStatus (*generated)(txBenchCollection *collection);

  /* SUITE.csv and SUITE.log in the page's folder; NULL without one */
  FILE *csv, *log;
  /* rows of the earlier run */
  char **done;
  int count;
};

/* Reads what an earlier run has left, and opens both files. */
clStatus txBenchCollectionOpen(txBenchCollection *collection);
void txBenchCollectionClose(txBenchCollection *collection);

/* One matrix, the `number`th of so many, unless the table has it. */
clStatus txBenchCollectionAdd(txBenchCollection *collection, const char *name, const clTriplets *A,
                              int number, int of);
/* All .mtx files of bench->folder, or the generated matrices; a file that cannot be read is said
 * on standard error, and left out. */
clStatus txBenchCollectionRun(txBenchCollection *collection);

/* reason <- the text in quotes that ends a row of a table, where its first character stands at
 * `at`; false: there is none (`at` is 0, or the row was cut off). */
bool txBenchReason(const char *row, int at, char *reason);

/* reason <- why such a matrix is not for a suite of square matrices with at most `most` rows (or
 * --most); false: it is. */
bool txBenchLeftOut(const txBench *bench, const clTriplets *A, int most, char *reason);

#endif
