/* Vectors on the host: reproducible values, and what texla's vectors hold down to the last padding
 * lane. */
#ifndef TEXLA_TESTS_ORACLE_VECTOR_H
#define TEXLA_TESTS_ORACLE_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "texla/vector.h"

/* A vector's layout: grid nx x ny, or linear of length nx when ny is 0. */
typedef struct OracleShape {
  int nx, ny;
} OracleShape;
/* 1, 2, 3, 4, 5, odd, prime, one texture row and its neighbours, several rows, 10^6 + 3; grids of
 * many widths. */
extern const OracleShape oracle_shapes[];
extern const int oracle_shape_count;
int64_t oracleLength(OracleShape shape);

clStatus oracleCreate(clVector **out, clContext *context, OracleShape shape);

/* x_i <- uniform in [lo, hi), rounded to float; the same for the same seed everywhere. */
void oracleFill(float *x, int64_t n, uint64_t seed, double lo, double hi);
/* n of them in [-1, 1); the caller frees them. */
float *oracleRandom(int64_t n, uint64_t seed);

/* Where x differs from what it should hold. Reads the raw texture. */
typedef struct OracleCheck {
  /* padding lanes that are not zero */
  int64_t padding;
  /* elements with |x_i - wanted_i| > tolerance * scale_i (scale NULL: |wanted_i|) */
  int64_t wrong;
  /* the first of them, */
  int64_t at;
  double got, wanted;
} OracleCheck;
OracleCheck oracleCompare(const clVector *x, const double *wanted, const double *scale,
                          double tolerance);

/* Prints and returns false unless nothing is wrong. */
bool oracleHolds(const char *what, const clVector *x, const double *wanted, const double *scale,
                 double tolerance);

#endif
