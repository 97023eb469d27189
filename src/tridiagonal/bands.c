/* What the passes over diagonals have in common: sizes, sources and defines of
 * shaders/tridiagonal/tridiagonal_bands.glsl. */
#include "tridiagonal/tridiagonal.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

/* Systems lie side by side across the axis that they run along. */
int txTridiagonalSystems(const clTridiagonal *T) {
  if (txTridiagonalAlongX(T))
    return T->layout.height;
  return (int)T->layout.row;
}

int txTridiagonalLength(const clTridiagonal *T) {
  if (txTridiagonalAlongX(T))
    return (int)T->layout.row;
  return T->layout.height;
}

void txTridiagonalSource(txPass *pass, const char *name, const txTexture *texture) {
  int i = 0;
  while (pass->source[i].name)
    i++;
  pass->source[i] = (txSource){name, texture, TX_EDGE};
}

/* One diagonal: a vector, or the same number in every row. */
static void addBand(txPass *pass, txDefines *defines, const char *const name[3],
                    const clVector *band, float value) {
  if (band) {
    txTridiagonalSource(pass, name[0], band->texture);
  } else {
    txDefine(defines, name[2], 1);
    txPassUniform(pass, (txUniform){name[1], 1, {value}});
  }
}

void txTridiagonalAddBands(txPass *pass, txDefines *defines, const clTridiagonalBands *A,
                           const clVector *rhs) {
  static const char *const sub[] = {"sub", "sub_value", "SUB_VALUE"};
  static const char *const diagonal[] = {"diagonal", "main_value", "MAIN_VALUE"};
  static const char *const super[] = {"super", "super_value", "SUPER_VALUE"};
  addBand(pass, defines, sub, A->sub, A->sub_value);
  addBand(pass, defines, diagonal, A->main, A->main_value);
  addBand(pass, defines, super, A->super, A->super_value);
  txTridiagonalSource(pass, "rhs", rhs->texture);
}

/* Four vectors in T's layout, to be filled. */
static clStatus createFour(const clTridiagonal *T, const char *call, clVector *four[4]) {
  for (int i = 0; i < 4; i++)
    TRY(txVectorCreate(&four[i], T->context, call, &T->layout));
  return TEXLA_OK;
}

clStatus txTridiagonalSpread(const clTridiagonal *T, const char *call, clVector *four[4],
                             const clVector *packed) {
  TRY(createFour(T, call, four));
  txPass pass = {
      .kernel = "tridiagonal_spread", .source = {{"texels", packed->texture, TX_ZERO}}, .work = 4};
  return txVectorsRun(call, &pass, four, 4);
}

clStatus txTridiagonalMap(const clTridiagonal *T, const char *call, txTexture **out,
                          const float *list, int count, int step) {
  enum { WIDTH = 1024 };
  int systems = txTridiagonalSystems(T), height = (systems + WIDTH - 1) / WIDTH;
  float *map = txAllocate(txContextError(T->context), call, (size_t)height * WIDTH, sizeof *map,
                          "a list of systems");
  if (!map)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < height * WIDTH; i++)
    map[i] = -1;
  for (int i = 0; i < count; i++)
    map[(int)list[i]] = (float)(step * i);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(out, T->context, call, TX_R32F, WIDTH, height));
  TRY_CLEANUP(txTextureWrite(*out, call, (txRect){0, 0, WIDTH, height}, map));
cleanup:
  free(map);
  return status;
}
