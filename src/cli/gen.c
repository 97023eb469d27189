/* texla gen: test matrices as Matrix Market files. What a kind takes stands in one table; the
 * library makes the entries (io/generate.c). */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "core/try.h"
#include "program/program.h"
#include "texla/io.h"

/* Above the options in --help, and below them. */
static const char details[] =
    "Kinds:\n"
    "  poisson2d N           N^2 unknowns: rows -1 -1 4 -1 -1, zero boundary\n"
    "  anisotropic N EPS     N^2 unknowns: -EPS left and right, -1 above and below,\n"
    "                        2 + 2 EPS on the diagonal\n"
    "  fem-plate N           N^2 unknowns: bilinear finite elements, nine diagonals\n"
    "  dense N SEED          N x N, random entries in [-1, 1)\n"
    "  dominant N SEED       the same, with a diagonal that dominates its rows\n"
    "  conditioned N SEED    N x N, dense, random singular vectors; the condition\n"
    "                        number is --condition\n"
    "  spd N SEED            the same, symmetric and positive definite\n"
    "  banded N OFFSETS...   N x N, random entries with column - row in OFFSETS;\n"
    "                        the main diagonal, offset 0, dominates its rows\n";

static const char notes[] =
    "Examples:\n"
    "  texla gen poisson2d 64 --out A.mtx\n"
    "  texla gen anisotropic 0.01 --grid 128x32 --out A.mtx\n"
    "  texla gen spd 200 1 --condition 1e6 --out A.mtx\n"
    "  texla gen banded 1000 -32 -1 0 1 32 | texla solve - --solver jacobi\n";

/* One run of the command: what the words and options say. */
typedef struct Gen {
  txProgram program;
  txCommon common;
  const char *out;
  /* 0: not given */
  int grid[2];
  /* below 0: not given */
  int64_t seed;
  /* rows and columns, or the sides of a grid */
  int32_t nx, ny;
  double eps, condition;
  int32_t *offsets, offset_count;
} Gen;

/* What stands behind N on the command line. */
typedef enum Extra { NOTHING, EPS, SEED, OFFSETS } Extra;

/* A kind of matrix, and what it takes. */
typedef struct Kind {
  const char *name, *parameters;
  /* the parameters behind N */
  Extra extra;
  /* of a matrix on a grid of N x N; else 0 */
  int diagonals;
  /* --grid may stand for N */
  bool grid;
  /* and is written so */
  bool symmetric;
  clStatus (*make)(clTriplets **out, const Gen *gen, clError *error);
} Kind;

/* The five-point stencil, 4 and -1: columns vary fastest. */
static clStatus makePoisson(clTriplets **out, const Gen *gen, clError *error) {
  return clGeneratePoisson2d(out, gen->nx, gen->ny, error);
}

/* The five-point stencil with a weaker coupling along one axis, which point smoothers cannot cope
 * with. */
static clStatus makeAnisotropic(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateAnisotropic(out, gen->nx, gen->ny, gen->eps, error);
}

/* The nine-point stencil that bilinear finite elements make of a plate. */
static clStatus makePlate(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateFemPlate(out, gen->nx, error);
}

/* All entries, from the seed alone, so that everybody has the same matrix. */
static clStatus makeDense(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateDense(out, gen->nx, (uint64_t)gen->seed, error);
}

/* Diagonals that outweigh their rows: eliminations need no pivots. */
static clStatus makeDominant(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateDominant(out, gen->nx, (uint64_t)gen->seed, error);
}

/* Without --condition 100: far from singular, and yet not harmless. */
static double conditionOf(const Gen *gen) {
  return gen->condition > 0 ? gen->condition : 100;
}

/* Known singular values: what a factorization loses can be told beforehand. */
static clStatus makeConditioned(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateConditioned(out, gen->nx, conditionOf(gen), false, (uint64_t)gen->seed, error);
}

/* The same with positive eigenvalues. */
static clStatus makeSpd(clTriplets **out, const Gen *gen, clError *error) {
  return clGenerateConditioned(out, gen->nx, conditionOf(gen), true, (uint64_t)gen->seed, error);
}

/* Diagonals at the offsets that follow the size. */
static clStatus makeBanded(clTriplets **out, const Gen *gen, clError *error) {
  uint64_t seed = gen->seed < 0 ? 1 : (uint64_t)gen->seed;
  return clGenerateBanded(out, gen->nx, gen->offsets, gen->offset_count, seed, error);
}

/* Name, words behind it, what of these is no size, diagonals of a grid's matrix, whether the grid
 * may have two sides, whether A is symmetric, and what makes it. */
static const Kind kinds[] = {
    {"poisson2d", "N", NOTHING, 5, true, true, makePoisson},
    {"anisotropic", "N EPS", EPS, 5, true, true, makeAnisotropic},
    {"fem-plate", "N", NOTHING, 9, false, true, makePlate},
    {"dense", "N SEED", SEED, 0, false, false, makeDense},
    {"dominant", "N SEED", SEED, 0, false, false, makeDominant},
    {"conditioned", "N SEED", SEED, 0, false, false, makeConditioned},
    {"spd", "N SEED", SEED, 0, false, true, makeSpd},
    {"banded", "N OFFSETS...", OFFSETS, 0, false, false, makeBanded},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The kind of a matrix by name; NULL after a message, with the nearest name if one is near. */
static const Kind *findKind(const Gen *gen, const char *name) {
  for (int k = 0; k < KINDS; k++)
    if (strcmp(kinds[k].name, name) == 0)
      return &kinds[k];
  const char *nearest = txNearestName(name, kinds, KINDS, sizeof *kinds);
  if (nearest)
    txUsageError(&gen->program, "unknown kind '%s'; did you mean '%s'?", name, nearest);
  else
    txUsageError(&gen->program,
                 "unknown kind '%s': use poisson2d, anisotropic, fem-plate, dense, dominant, "
                 "conditioned, spd or banded",
                 name);
  return NULL;
}

/* False after a message. */
static bool checkUse(const Gen *gen, const Kind *kind, int count, char **words) {
  const txProgram *program = &gen->program;
  if (gen->grid[0] && !kind->grid)
    return txUsageError(program, "--grid is for poisson2d and anisotropic, not for %s", kind->name),
           false;
  if (gen->seed >= 0 && kind->extra != OFFSETS)
    return txUsageError(program, "--seed is for banded, not for %s", kind->name), false;
  if (gen->condition > 0 && kind->make != makeConditioned && kind->make != makeSpd)
    return txUsageError(program, "--condition is for conditioned and spd, not for %s", kind->name),
           false;
  int need = (gen->grid[0] == 0) + (kind->extra != NOTHING);
  if (count < need && gen->grid[0])
    return txUsageError(program, "a parameter is missing: %s EPS --grid NxM", kind->name), false;
  if (count < need)
    return txUsageError(program, "a parameter is missing: %s %s", kind->name, kind->parameters),
           false;
  if (count > need && kind->extra != OFFSETS)
    return txUsageError(program, "unexpected parameter '%s' of %s", words[need], kind->name), false;
  return true;
}

/* Stores a number within its bounds; false after a message. */
static bool takeInteger(const Gen *gen, const char *name, double least, double most,
                        const char *text, int64_t *value) {
  txOption option = {
      .name = name, .kind = TX_OPTION_INTEGER, .target = value, .least = least, .most = most};
  return txArgumentConvert(&gen->program, &option, text);
}

/* N rows and columns, or the side of a square grid. */
static bool takeSize(Gen *gen, const char *text) {
  int64_t n = 0;
  bool good = takeInteger(gen, "N", 1, INT32_MAX, text, &n);
  gen->nx = gen->ny = (int32_t)n;
  return good;
}

/* The rest of the words are the offsets of diagonals. */
static bool takeOffsets(Gen *gen, int count, char **words) {
  gen->offsets = malloc((size_t)count * sizeof *gen->offsets);
  if (!gen->offsets)
    return txUsageError(&gen->program, "no memory for %d offsets", count), false;
  for (int k = 0; k < count; k++) {
    int64_t offset = 0;
    if (!takeInteger(gen, "an offset", -INT32_MAX, INT32_MAX, words[k], &offset))
      return false;
    gen->offsets[gen->offset_count++] = (int32_t)offset;
  }
  return true;
}

/* The words behind the kind; false after a message. */
static bool takeParameters(Gen *gen, const Kind *kind, int count, char **words) {
  if (!checkUse(gen, kind, count, words))
    return false;
  gen->nx = gen->grid[0];
  gen->ny = gen->grid[1];
  if (!gen->grid[0]) {
    if (!takeSize(gen, words[0]))
      return false;
    count--;
    words++;
  }
  /* A number of the command line, told as one of an option is. */
  txOption eps = {
      .name = "EPS", .kind = TX_OPTION_REAL, .target = &gen->eps, .least = 0, .most = INFINITY};
  switch (kind->extra) {
  case NOTHING:
    return true;
  case EPS:
    return txArgumentConvert(&gen->program, &eps, words[0]);
  case SEED:
    return takeInteger(gen, "SEED", 0, INFINITY, words[0], &gen->seed);
  case OFFSETS:
    return takeOffsets(gen, count, words);
  }
  return false;
}

/* A generator keeps its triplets: a double and two indices for each entry. */
static clStatus checkMemory(const Gen *gen, const Kind *kind, clError *error) {
  double n = gen->nx, row = gen->nx;
  if (kind->diagonals) {
    n = (double)gen->nx * gen->ny;
    row = kind->diagonals;
  } else if (kind->extra == OFFSETS) {
    row = gen->offset_count;
  }
  /* the generator has a better message */
  if (n > INT32_MAX)
    return TEXLA_OK;
  return txProgramCheckMemory(n * row * (sizeof(double) + 2 * sizeof(int32_t)), "this matrix",
                              error);
}

/* The command that makes the same matrix again. */
static void describe(const Gen *gen, int count, char **words, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "texla gen");
  for (int k = 0; k < count && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, " %s", words[k]);
  if (gen->grid[0] && used < size)
    used += (size_t)snprintf(text + used, size - used, " --grid %dx%d", gen->grid[0], gen->grid[1]);
  if (gen->condition > 0 && used < size)
    used += (size_t)snprintf(text + used, size - used, " --condition %.17g", gen->condition);
  if (gen->offsets && gen->seed >= 0 && used < size)
    snprintf(text + used, size - used, " --seed %lld", (long long)gen->seed);
}

/* Makes the matrix and writes it. */
static int generate(Gen *gen, int count, char **words) {
  const Kind *kind = findKind(gen, words[0]);
  if (!kind || !takeParameters(gen, kind, count - 1, words + 1))
    return TX_EXIT_BAD;
  /* The file says how it was made. */
  char comment[512];
  describe(gen, count, words, comment, sizeof comment);
  clTriplets *A = NULL;
  clError error;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txProgramCheckOutput(gen->out, &error));
  TRY_CLEANUP(checkMemory(gen, kind, &error));
  TRY_CLEANUP(kind->make(&A, gen, &error));
  TRY_CLEANUP(clMatrixMarketWrite(gen->out, A, kind->symmetric, comment, &error));
  if (gen->common.verbose)
    fprintf(stderr, "%s: %d x %d, %lld entries\n", gen->program.name, A->rows, A->cols,
            (long long)A->count);
cleanup:
  clTripletsDestroy(A);
  return txProgramExit(&gen->program, status, true, &error);
}

/* `texla gen`: a kind, its numbers, a file. */
int txGenMain(int argc, char **argv) {
  Gen gen = {.out = "-", .seed = -1};
  const txOption options[] = {
      {"out", TX_OPTION_TEXT, &gen.out, "FILE", "write to FILE instead of standard output"},
      {"grid", TX_OPTION_SIZE, gen.grid, "NxM",
       "poisson2d, anisotropic: a grid of N columns and M rows; N is left out"},
      {"condition", TX_OPTION_REAL, &gen.condition, "C",
       "conditioned, spd: the condition number in the 2-norm, above 1 (default 100)", 1, INFINITY},
      {"seed", TX_OPTION_INTEGER, &gen.seed, "SEED",
       "banded: where the random entries start (default 1)", 0, INFINITY},
      {0}};
  gen.program = (txProgram){
      .name = "texla gen",
      .arguments = "KIND PARAMETERS...",
      .least = 1,
      .most = -1,
      .summary = "Writes a test matrix in Matrix Market format. Everything is reproducible: the "
                 "same command gives the same file on every machine.",
      .details = details,
      .options = options,
      .common = &gen.common,
      .notes = notes};
  int status;
  if (txArgumentsParse(&gen.program, &argc, argv, &status))
    status = generate(&gen, argc, argv);
  free(gen.offsets);
  return status;
}
