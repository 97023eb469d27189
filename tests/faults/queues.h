/* Operations of a queue, many of each kind: on the way to each result allocations fail, and
 * calls of OpenGL. */
#ifndef TEXLA_TESTS_FAULTS_QUEUES_H
#define TEXLA_TESTS_FAULTS_QUEUES_H

#include "faults/works.h"

/* An operation, and its operands by letters: A the matrix (4 1; 1 3), b the vector (5, 4), S the
 * matrix A stored as sparse, n the next of the numbers. */
typedef struct Step {
  const char *operation, *operands;
  double number[TEXLA_QUEUE_OPERANDS];
  int results;
} Step;

static clStatus putOperands(clQueue *queue, clQueueId id[3], const clTriplets *S, clError *error) {
  double a[] = {4, 1, 1, 3}, ones[] = {5, 4};
  const clHostMatrix A = {TEXLA_HOST_DOUBLE, 2, 2, 0, 0, a},
                     b = {TEXLA_HOST_DOUBLE, 2, 1, 0, 0, ones};
  TRY(clQueuePut(queue, &id[0], &A, error));
  TRY(clQueuePut(queue, &id[1], &b, error));
  TRY(clQueuePutTriplets(queue, &id[2], S, error));
  return TEXLA_OK;
}

static clStatus submitStep(clQueue *queue, const Step *step, const clQueueId id[3], clQueueId *out,
                           clError *error) {
  clQueueOperand operand[TEXLA_QUEUE_OPERANDS] = {{0}};
  int count = (int)strlen(step->operands), numbers = 0;
  for (int k = 0; k < count; k++)
    if (step->operands[k] == 'n')
      operand[k].number = step->number[numbers++];
    else
      operand[k].id = id[strchr("AbS", step->operands[k]) - "AbS"];
  return clQueueSubmit(queue, step->operation, operand, count, out, step->results, error);
}

/* *value <- the first entry of the result, to three digits behind the point */
static clStatus fetchFirst(clQueue *queue, clQueueId id, double *value, clError *error) {
  double entries[64] = {0};
  int64_t rows = 0, cols = 0;
  TRY(clQueueShape(queue, id, &rows, &cols, error));
  assert_true(rows * cols <= (int64_t)(sizeof entries / sizeof *entries));
  const clHostMatrix out = {TEXLA_HOST_DOUBLE, (int)rows, (int)cols, 0, 0, entries};
  TRY(clQueueFetch(queue, id, &out, -1, error));
  *value = round(1000 * entries[0]) / 1000;
  return TEXLA_OK;
}

/* x <- the first entries of the steps' first results */
static clStatus runSteps(double x[NUMBERS], const Step step[NUMBERS], clError *error) {
  OWN(clTriplets) *S = NULL;
  OWN(clQueue) *queue = NULL;
  clQueueId operand[3], id[NUMBERS][TEXLA_QUEUE_RESULTS] = {{0}};
  double value[NUMBERS];
  TRY(clTripletsCreate(&S, 2, 2, 4, error));
  TRY(clTripletsAddMany(S, 4, (int32_t[]){0, 0, 1, 1}, (int32_t[]){0, 1, 0, 1},
                        (double[]){4, 1, 1, 3}, error));
  TRY(clTripletsCompress(S, error));
  TRY(clQueueCreate(&queue, &(clQueueOptions){.context = &plain}, error));
  TRY(putOperands(queue, operand, S, error));
  for (int k = 0; k < NUMBERS; k++)
    TRY(submitStep(queue, &step[k], operand, id[k], error));
  for (int k = 0; k < NUMBERS; k++)
    TRY(fetchFirst(queue, id[k][0], &value[k], error));
  memcpy(x, value, sizeof value);
  return TEXLA_OK;
}

/* Formulas for all entries at once, entry by entry where a side is repeated, and texts that say
 * where an entry comes from. */
static clStatus runMaps(double x[NUMBERS], clError *error) {
  static const Step step[NUMBERS] = {{"plus", "AA", {0}, 1},        {"plus", "Ab", {0}, 1},
                                     {"power", "An", {2}, 1},       {"axpy", "AAn", {2}, 1},
                                     {"fill", "nnn", {3, 2, 2}, 1}, {"horzcat", "Ab", {0}, 1},
                                     {"kron", "AA", {0}, 1},        {"transpose", "S", {0}, 1}};
  return runSteps(x, step, error);
}

static clStatus runFolds(double x[NUMBERS], clError *error) {
  static const Step step[NUMBERS] = {{"sum", "An", {1}, 1},     {"prod", "An", {2}, 1},
                                     {"argmax", "An", {1}, 1},  {"dot", "bb", {0}, 1},
                                     {"norm2", "b", {0}, 1},    {"cumsum", "An", {1}, 1},
                                     {"cumprod", "bn", {1}, 1}, {"sort", "bnn", {1, 0}, 2}};
  return runSteps(x, step, error);
}

static clStatus runProducts(double x[NUMBERS], clError *error) {
  static const Step step[NUMBERS] = {{"multiply", "AA", {0}, 1}, {"multiply", "Abn", {1}, 1},
                                     {"multiply", "SA", {0}, 1}, {"multiply", "SS", {0}, 1},
                                     {"syrk", "A", {0}, 1},      {"syrk", "Ab", {0}, 1},
                                     {"sparse", "An", {2}, 1},   {"rescale", "Ann", {2, 2}, 1}};
  return runSteps(x, step, error);
}

static clStatus runEliminations(double x[NUMBERS], clError *error) {
  static const Step step[NUMBERS] = {{"lu", "A", {0}, 3},      {"factor", "A", {0}, 2},
                                     {"crout", "A", {0}, 1},   {"cholesky", "A", {0}, 2},
                                     {"qr", "A", {0}, 3},      {"rref", "A", {0}, 3},
                                     {"inverse", "A", {0}, 1}, {"determinant", "A", {0}, 1}};
  return runSteps(x, step, error);
}

static clStatus runSystems(double x[NUMBERS], clError *error) {
  static const Step step[NUMBERS] = {{"solve", "Ab", {0}, 1},
                                     {"solve", "Sb", {0}, 1},
                                     {"least_squares", "Ab", {0}, 1},
                                     {"least_squares", "Abb", {0}, 1},
                                     {"tridiagonal", "nnnb", {-1, 3, -1}, 1},
                                     {"cg", "Ab", {0}, 2},
                                     {"bicgstab", "Sb", {0}, 2},
                                     {"iterate", "Sb", {0}, 2}};
  return runSteps(x, step, error);
}

#endif
