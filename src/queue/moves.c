/* Operations that only move entries. Where a matrix is known in double, so is what was moved: then
 * they happen on the host, and systems with transposes, slices and concatenations of it are solved
 * to double accuracy. Otherwise they are gathers on the device. */
#include "queue/moves.h"
#include "core/try.h"

#include <string.h>

/* Matrices that one operation may put together. */
enum { SOURCES = 4 };

/* One operation: its operands on the host, numbers, and the sides of operands and result. */
typedef struct move {
  /* NULL: a number */
  const double *x[SOURCES];
  double number[TEXLA_QUEUE_OPERANDS];
  txShape size[SOURCES], out;
} move;

/* Entry (i, j) of operand k; outside of it zero, as on the device. */
static double movesEntry(const move *m, int k, int64_t i, int64_t j) {
  if (!m->x[k])
    return m->number[k];
  if (i < 0 || j < 0 || i >= m->size[k].rows || j >= m->size[k].cols)
    return 0;
  return m->x[k][i + m->size[k].rows * j];
}

/* Entry number k of operand 0, down the columns. */
static double numbered(const move *m, int64_t k) {
  return movesEntry(m, 0, k % m->size[0].rows, k / m->size[0].rows);
}

/* Position p of the index operand k, counted from 1; the number 0 stands for all. */
static int64_t movesPosition(const move *m, int k, int64_t p) {
  if (m->x[k])
    return (int64_t)m->x[k][p];
  if (m->number[k] == 0)
    return p + 1;
  return (int64_t)m->number[k];
}

/* What stands at (i, j) of the result, for each operation. */
static double copied(const move *m, int64_t i, int64_t j) {
  return movesEntry(m, 0, i, j);
}

static double transposed(const move *m, int64_t i, int64_t j) {
  return movesEntry(m, 0, j, i);
}

static double reshaped(const move *m, int64_t i, int64_t j) {
  return numbered(m, i + m->out.rows * j);
}

/* Zeros beyond what there is. */
static double resized(const move *m, int64_t i, int64_t j) {
  if (i >= m->size[0].rows || j >= m->size[0].cols)
    return 0;
  return movesEntry(m, 0, i, j);
}

static double repeated(const move *m, int64_t i, int64_t j) {
  return movesEntry(m, 0, i % m->size[0].rows, j % m->size[0].cols);
}

/* [x, y] */
static double movesBeside(const move *m, int64_t i, int64_t j) {
  if (j < m->size[0].cols)
    return movesEntry(m, 0, i, j);
  return movesEntry(m, 1, i, j - m->size[0].cols);
}

/* [x; y] */
static double below(const move *m, int64_t i, int64_t j) {
  if (i < m->size[0].rows)
    return movesEntry(m, 0, i, j);
  return movesEntry(m, 1, i - m->size[0].rows, j);
}

/* Up to diagonal n. */
static double lower(const move *m, int64_t i, int64_t j) {
  if ((double)(j - i) > m->number[1])
    return 0;
  return movesEntry(m, 0, i, j);
}

/* From diagonal n on. */
static double upper(const move *m, int64_t i, int64_t j) {
  if ((double)(j - i) < m->number[1])
    return 0;
  return movesEntry(m, 0, i, j);
}

/* Diagonal n as a column; those above the main one are counted positive. */
static double movesDiagonal(const move *m, int64_t i, int64_t j) {
  int64_t k = (int64_t)m->number[1];
  (void)j;
  if (k < 0)
    return movesEntry(m, 0, i - k, i);
  return movesEntry(m, 0, i, i + k);
}

/* The vector's entry number min(i, j), where (i, j) is on diagonal n. */
static double diagonalMatrix(const move *m, int64_t i, int64_t j) {
  int64_t k = i;
  if ((double)(j - i) != m->number[1])
    return 0;
  if (j < i)
    k = j;
  return numbered(m, k);
}

/* x(rows, cols): operands 1 and 2 are lists of positions. */
static double movesIndexed(const move *m, int64_t i, int64_t j) {
  return movesEntry(m, 0, movesPosition(m, 1, i) - 1, movesPosition(m, 2, j) - 1);
}

/* x(k) for a matrix k of positions, counted down the columns. */
static double selected(const move *m, int64_t i, int64_t j) {
  return numbered(m, (int64_t)movesEntry(m, 1, i, j) - 1);
}

static const struct {
  const char *name;
  double (*at)(const move *m, int64_t i, int64_t j);
  /* So many operands hold values; those after them are numbers and positions. */
  int values;
} moves[] = {{"full", copied, 1},
             {"transpose", transposed, 1},
             {"reshape", reshaped, 1},
             {"resize", resized, 1},
             {"repmat", repeated, 1},
             {"horzcat", movesBeside, 2},
             {"vertcat", below, 2},
             {"tril", lower, 1},
             {"triu", upper, 1},
             {"diagonal", movesDiagonal, 1},
             {"diagonal_matrix", diagonalMatrix, 1},
             {"index", movesIndexed, 1},
             {"select", selected, 1}};

enum { MOVES = sizeof moves / sizeof *moves };

/* Are all values on the host, one of them at least in double? */
static bool allOnHost(const txCall *call, int values) {
  bool some = false;
  for (int k = 0; k < values; k++) {
    const txOperand *o = &call->operand[k];
    if (o->is_number || txShapeEmpty(o->shape))
      continue;
    if (!txOperandIsDouble(call, k) && !o->value->single)
      return false;
    some = some || txOperandIsDouble(call, k);
  }
  return some;
}

/* What is only on the device is not fetched for a move. */
clStatus txRunMove(txCall *call) {
  int which = 0;
  while (which < MOVES && strcmp(moves[which].name, call->operation->name))
    which++;
  if (which == MOVES || !allOnHost(call, moves[which].values))
    return txRunGather(call);
  move m = {.out = call->shape[0]};
  double *out;
  for (int k = 0; k < call->operands; k++) {
    double *x = NULL;
    m.number[k] = call->operand[k].number;
    if (k >= SOURCES)
      continue;
    m.size[k] = call->operand[k].shape;
    if (!call->operand[k].is_number && !txShapeEmpty(m.size[k]))
      TRY(txOperandHost(call, k, &x));
    m.x[k] = x;
  }
  TRY(txResultHost(call, 0, &out));
  for (int64_t j = 0; j < m.out.cols; j++)
    for (int64_t i = 0; i < m.out.rows; i++)
      out[i + m.out.rows * j] = moves[which].at(&m, i, j);
  return TEXLA_OK;
}

/* A sparse matrix stays sparse. */
clStatus txRunTranspose(txCall *call) {
  const clTriplets *T = call->operand[0].value->triplets;
  if (!T)
    return txRunMove(call);
  return txCallStatus(call, clTripletsTranspose(&call->result[0]->triplets, T, call->error));
}
