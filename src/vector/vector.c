/* clVector: life, layout and transfer (K2). */
#include "vector/vector.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Zero everywhere, so that the padding is. */
clStatus txVectorCreate(clVector **out, clContext *context, const char *call,
                        const txLayout *layout) {
  clVector *v = txAllocate(txContextError(context), call, 1, sizeof *v, "a clVector");
  if (!v)
    return TEXLA_OUT_OF_MEMORY;
  v->context = context;
  v->layout = *layout;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayoutTexture(&v->texture, context, call, layout));
  TRY_CLEANUP(txTextureClear(v->texture, call));
  *out = v;
  return TEXLA_OK;
cleanup:
  clVectorDestroy(v);
  return status;
}

/* Too long a vector fails here, before anything is allocated. */
clStatus clVectorCreate(clVector **out, clContext *context, int64_t length) {
  static const char call[] = "clVectorCreate";
  if (!out || !context || length < 1)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL and length (%lld) at least 1",
                  (long long)length);
  txLayout layout;
  if (!txLayoutLinear(&layout, context, length))
    return txFail(
        txContextError(context), TEXLA_TOO_LARGE, call,
        "a vector of length %lld does not fit into one texture; the device's limit is %lld",
        (long long)length, (long long)clContextInspect(context)->max_vector_length);
  return txVectorCreate(out, context, call, &layout);
}

/* The limits are those of a texture: nx may be four times as large as its width. */
clStatus clVectorCreateGrid(clVector **out, clContext *context, int nx, int ny) {
  static const char call[] = "clVectorCreateGrid";
  if (!out || !context || nx < 1 || ny < 1)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, nx (%d) and ny (%d) at least 1", nx, ny);
  txLayout layout;
  int limit = clContextInspect(context)->max_texture_size;
  if (!txLayoutGrid(&layout, context, nx, ny))
    return txFail(
        txContextError(context), TEXLA_TOO_LARGE, call,
        "a grid of %d x %d needs a texture of %d x %d texels, but the device's limit is %d x %d",
        nx, ny, layout.width, layout.height, limit, limit);
  return txVectorCreate(out, context, call, &layout);
}

/* The layout fits this device already, so that it need not be checked again. */
clStatus clVectorCreateLike(clVector **out, const clVector *x) {
  if (!out || !x)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, "clVectorCreateLike",
                  "out and x must not be NULL");
  return txVectorCreate(out, x->context, "clVectorCreateLike", &x->layout);
}

/* A copy with the same layout. */
clStatus clVectorClone(clVector **out, const clVector *x) {
  clVector *copy = NULL;
  if (!out || !x)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, "clVectorClone",
                  "out and x must not be NULL");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txVectorCreate(&copy, x->context, "clVectorClone", &x->layout));
  TRY_CLEANUP(clVectorCopy(copy, x));
  *out = copy;
  return TEXLA_OK;
cleanup:
  clVectorDestroy(copy);
  return status;
}

void clVectorDestroy(clVector *x) {
  if (!x)
    return;
  txTextureDestroy(x->texture);
  free(x);
}

int64_t clVectorLength(const clVector *x) {
  return x ? x->layout.length : 0;
}

/* Elements in a row of the texture: nx of a grid, a constant of the device otherwise. */
int64_t clVectorRowLength(const clVector *x) {
  return x ? x->layout.row : 0;
}

clContext *clVectorContext(const clVector *x) {
  return x ? x->context : NULL;
}

clStatus clVectorClear(clVector *x) {
  if (!x)
    return TEXLA_BAD_ARGUMENT;
  return txTextureClear(x->texture, "clVectorClear");
}

/* The rows that lie in memory as they do in the texture: all but a shorter last one, and none when
 * rows are padded. */
static int denseRows(const txLayout *layout) {
  if (layout->row != 4 * (int64_t)layout->width)
    return 0;
  return (int)(layout->length / layout->row);
}

/* Copies rows [first, height) between tight host values and padded texels. */
static void repack(const txLayout *layout, int first, float *padded, float *values, bool upload) {
  size_t stride = 4 * (size_t)layout->width;
  for (int64_t r = first; r < layout->height; r++) {
    int64_t n = txLeast64(layout->length - r * layout->row, layout->row);
    float *texels = padded + (size_t)(r - first) * stride, *host = values + r * layout->row;
    if (upload)
      memcpy(texels, host, (size_t)n * sizeof *host);
    else
      memcpy(host, texels, (size_t)n * sizeof *host);
  }
}

/* The rows from `first` on, with their padding. */
static clStatus writePadded(txTexture *texture, const char *call, const txLayout *layout, int first,
                            const float *values) {
  int rows = layout->height - first;
  float *padded =
      txAllocate(txContextError(texture->context), call, (size_t)rows * (size_t)layout->width,
                 4 * sizeof *padded, "uploading a vector");
  if (!padded)
    return TEXLA_OUT_OF_MEMORY;
  repack(layout, first, padded, (float *)values, true);
  clStatus status = txTextureWrite(texture, call, (txRect){0, first, layout->width, rows}, padded);
  free(padded);
  return status;
}

clStatus txLayoutWrite(txTexture *texture, const char *call, const txLayout *layout,
                       const float *values) {
  int dense = denseRows(layout);
  if (dense)
    TRY(txTextureWrite(texture, call, (txRect){0, 0, layout->width, dense}, values));
  if (dense < layout->height)
    TRY(writePadded(texture, call, layout, dense, values));
  return TEXLA_OK;
}

/* Padding is written as zeros together with the elements. */
clStatus clVectorUpload(clVector *x, const float *values) {
  if (!x || !values)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, "clVectorUpload",
                  "x and values must not be NULL");
  return txLayoutWrite(x->texture, "clVectorUpload", &x->layout, values);
}

/* *stage <- where texels arrive before they are repacked into `values`: `values` themselves where
 * no row is padded. */
static clStatus stageFor(float **stage, clContext *context, const char *call,
                         const txLayout *layout, float *values) {
  *stage = values;
  if (!values || denseRows(layout) == layout->height)
    return TEXLA_OK;
  *stage =
      txAllocate(txContextError(context), call, (size_t)layout->width * (size_t)layout->height * 4,
                 sizeof **stage, "downloading a vector");
  if (!*stage)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* Repacks what has arrived where the read was fine, and frees the stage. */
static void unstage(clStatus status, const txLayout *layout, float *stage, float *values) {
  if (stage == values)
    return;
  if (!status)
    repack(layout, 0, stage, values, false);
  free(stage);
}

/* Where rows are padded, texels are read into a stage and repacked. */
clStatus clVectorDownload(const clVector *x, float *values) {
  static const char call[] = "clVectorDownload";
  if (!x || !values)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "x and values must not be NULL");
  const txLayout *layout = &x->layout;
  float *stage;
  TRY(stageFor(&stage, x->context, call, layout, values));
  clStatus status =
      txTextureRead(x->texture, call, (txRect){0, 0, layout->width, layout->height}, stage);
  unstage(status, layout, stage, values);
  return status;
}

/* Numbers that single precision cannot hold are refused, by their place. */
clStatus clVectorUploadDouble(clVector *x, const double *values) {
  static const char call[] = "clVectorUploadDouble";
  if (!x || !values)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "x and values must not be NULL");
  float *single = txAllocate(txContextError(x->context), call, (size_t)x->layout.length,
                             sizeof *single, "a vector");
  if (!single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int64_t i = 0; i < x->layout.length; i++) {
    single[i] = (float)values[i];
    if (isinf(single[i]) && isfinite(values[i]))
      TRY_CLEANUP(txFail(txContextError(x->context), TEXLA_NOT_FINITE, call,
                         "element %lld, %g, is beyond single precision", (long long)i, values[i]));
  }
  TRY_CLEANUP(txLayoutWrite(x->texture, call, &x->layout, single));
cleanup:
  free(single);
  return status;
}

/* Floats widen without loss. */
clStatus clVectorDownloadDouble(const clVector *x, double *values) {
  static const char call[] = "clVectorDownloadDouble";
  if (!x || !values)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "x and values must not be NULL");
  float *single = txAllocate(txContextError(x->context), call, (size_t)x->layout.length,
                             sizeof *single, "a vector");
  if (!single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorDownload(x, single));
  for (int64_t i = 0; i < x->layout.length; i++)
    values[i] = (double)single[i];
cleanup:
  free(single);
  return status;
}

/* A texture of texla's own OpenGL context is of no use to an application. */
clStatus clVectorTexture(clVectorView *out, const clVector *x) {
  static const char call[] = "clVectorTexture";
  if (!out || !x)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "out and x must not be NULL");
  TRY(txContextEnter(x->context, call));
  if (strcmp(clContextInspect(x->context)->platform, "adopted") != 0)
    return txFail(txContextError(x->context), TEXLA_UNSUPPORTED, call,
                  "texla has an OpenGL context of its own, which the application cannot draw in; "
                  "let it adopt yours (clContextOptions.adopt)");
  enum { RGBA32F = 0x8814 };
  *out = (clVectorView){x->texture->name, RGBA32F,       x->layout.width,
                        x->layout.height, x->layout.row, x->layout.length};
  return TEXLA_OK;
}

struct clRead {
  clContext *context;
  txLayout layout;
  txRead *read;
};

/* The layout is kept: the vector may be gone when the read is finished. */
clStatus clVectorReadStart(clRead **out, const clVector *x) {
  static const char call[] = "clVectorReadStart";
  if (!out || !x)
    return txFail(txVectorError(x), TEXLA_BAD_ARGUMENT, call, "out and x must not be NULL");
  clRead *read = txAllocate(txContextError(x->context), call, 1, sizeof *read, "a read-back");
  if (!read)
    return TEXLA_OUT_OF_MEMORY;
  read->context = x->context;
  read->layout = x->layout;
  const txRect all = {0, 0, x->layout.width, x->layout.height};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txReadStart(&read->read, x->texture, call, all));
  *out = read;
  return TEXLA_OK;
cleanup:
  free(read);
  return status;
}

bool clReadReady(const clRead *read) {
  return !read || txReadReady(read->read);
}

clStatus clReadFinish(clRead *read, float *values) {
  static const char call[] = "clReadFinish";
  if (!read)
    return TEXLA_BAD_ARGUMENT;
  float *stage;
  clStatus memory = stageFor(&stage, read->context, call, &read->layout, values);
  /* It frees what it reads, so that it is called without memory for the values, too. */
  clStatus status = txReadFinish(read->read, call, stage);
  if (!memory)
    unstage(status, &read->layout, stage, values);
  free(read);
  TRY(memory);
  return status;
}
