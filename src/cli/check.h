/* The cases of `texla check`: numbers that the device has computed, beside those of plain loops in
 * double precision. */
#ifndef TEXLA_CLI_CHECK_H
#define TEXLA_CLI_CHECK_H

#include <stdio.h>

#include "texla/texla.h"

/* The most numbers of a case. */
enum { TX_TRIAL_NUMBERS = 1 << 18 };

/* The case that is being tried. */
typedef struct txTrial {
  clContext *context;
  /* Variants of kernels are tried in turn. */
  bool vary;
  /* What is computed, and the shape that it has. */
  char name[96];
  /* Operands, which single precision holds; results of the device; those of the host. */
  double x[TX_TRIAL_NUMBERS], y[TX_TRIAL_NUMBERS], got[TX_TRIAL_NUMBERS], wanted[TX_TRIAL_NUMBERS];
  /* Numbers in single precision, for transfers. */
  float single[TX_TRIAL_NUMBERS];
  /* The index of the first result that is wrong; -1: none. */
  int64_t wrong;
  /* The allowed difference, absolute. */
  double allowed;
} txTrial;

/* Cases of one kind. */
typedef struct txTrialGroup {
  const char *name;
  int cases;
  /* Names and tries one case, from 0 on. An error of texla's is one of the case. */
  clStatus (*run)(txTrial *trial, int index);
} txTrialGroup;

/* The groups of a file, by their numbers from 0 on; NULL behind the last. */
const txTrialGroup *txTrialsAlgebra(int index);
const txTrialGroup *txTrialsSimulation(int index);

/* A number of [-1, 1) with 24 bits, always the same for a key. */
double txTrialRandom(uint64_t key);
/* x <- so many of them */
void txTrialFill(double *x, int64_t count);
/* Compares the first `count` results. */
void txTrialCompare(txTrial *trial, int64_t count, double allowed);

/* The variant `value` of a kernel is the one that runs from now on (gl/tuning.h), with `vary`. */
void txTrialPin(txTrial *trial, const char *key, int value);

/* What is tried. */
typedef struct txCheckOptions {
  /* The variants of kernels that the context chooses are replaced, so that more of them are. */
  bool vary;
  /* One group alone; NULL: all. */
  const char *only;
} txCheckOptions;

/* Names of the groups, in their order; NULL behind the last. */
const char *txCheckGroup(int index);
/* Tries the cases and writes the report; how many are wrong, or a negative status. */
int txCheckWrite(FILE *file, clContext *context, const txCheckOptions *options);

#endif
