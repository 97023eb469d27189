#include "oracle/vector.h"
#include "vector/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const OracleShape oracle_shapes[] = {
    {1, 0},    {2, 0},    {3, 0},    {4, 0},    {5, 0},      {9, 0},    {97, 0},
    {1021, 0}, {1024, 0}, {4095, 0}, {4096, 0}, {4097, 0},   {8192, 0}, {12289, 0},
    {1, 1},    {3, 5},    {4, 4},    {5, 3},    {1, 13},     {13, 1},   {31, 37},
    {64, 64},  {257, 3},  {1030, 7}, {4097, 2}, {1003, 997}, {2, 1031}, {1000003, 0}};
const int oracle_shape_count = sizeof oracle_shapes / sizeof *oracle_shapes;

int64_t oracleLength(OracleShape shape) {
  return shape.ny ? (int64_t)shape.nx * shape.ny : shape.nx;
}

clStatus oracleCreate(clVector **out, clContext *context, OracleShape shape) {
  return shape.ny ? clVectorCreateGrid(out, context, shape.nx, shape.ny)
                  : clVectorCreate(out, context, shape.nx);
}

void oracleFill(float *x, int64_t n, uint64_t seed, double lo, double hi) {
  /* splitmix64 */
  for (int64_t i = 0; i < n; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    x[i] = (float)(lo + (hi - lo) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
  }
}

float *oracleRandom(int64_t n, uint64_t seed) {
  float *x = malloc((size_t)n * sizeof *x);
  if (!x)
    abort();
  oracleFill(x, n, seed, -1, 1);
  return x;
}

static void compareLane(OracleCheck *check, int64_t i, double got, double wanted, double scale,
                        double tolerance) {
  bool same = isnan(wanted) ? isnan(got) : got == wanted || fabs(got - wanted) <= tolerance * scale;
  if (same)
    return;
  if (!check->wrong++)
    *check = (OracleCheck){check->padding, 1, i, got, wanted};
}

OracleCheck oracleCompare(const clVector *x, const double *wanted, const double *scale,
                          double tolerance) {
  const txLayout *l = &x->layout;
  OracleCheck check = {0};
  float *raw = malloc((size_t)l->width * (size_t)l->height * 4 * sizeof *raw);
  if (!raw || txTextureRead(x->texture, "oracleCompare", (txRect){0, 0, l->width, l->height}, raw))
    check = (OracleCheck){.padding = -1};
  for (int64_t k = 0; check.padding >= 0 && raw && k < 4 * (int64_t)l->width * l->height; k++) {
    int64_t column = k % (4 * l->width), i = k / (4 * l->width) * l->row + column;
    bool inside = column < l->row && i < l->length;
    if (!inside && raw[k] != 0)
      check.padding++;
    else if (inside)
      compareLane(&check, i, (double)raw[k], wanted[i], scale ? scale[i] : fabs(wanted[i]),
                  tolerance);
  }
  free(raw);
  return check;
}

bool oracleHolds(const char *what, const clVector *x, const double *wanted, const double *scale,
                 double tolerance) {
  OracleCheck c = oracleCompare(x, wanted, scale, tolerance);
  if (!c.padding && !c.wrong)
    return true;
  char text[64];
  printf("%s, %s: %lld elements are wrong, the first is %lld: %.9g, not %.9g; padding lanes that "
         "are not zero: %lld\n",
         what, txLayoutText(&x->layout, text, sizeof text), (long long)c.wrong, (long long)c.at,
         c.got, c.wanted, (long long)c.padding);
  return false;
}
