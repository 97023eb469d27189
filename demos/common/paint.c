#include "common/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/numbers.h"
#include "core/try.h"
#include "gl/shader_files.h"

enum { COLOURS = 1024, VARIANTS = 1024 };

struct demoPaint {
  clContext *context;
  int nx, ny, width, height;
  /* what was painted last: image or half */
  const clVector *picture;
  clVector *solid, *image, *half, *colours[TEXLA_COLORMAP_COUNT];
  /* a picture over which something is drawn: of the image's size, of the half's; made when
   * needed */
  clVector *below[2];
  /* by the defines of findKernel; made when needed, like the colours */
  clKernel *kernel[VARIANTS];
  demoStreams *streams;
  clFloat *number[4];
  /* what they hold; it and the kernel that fills it: made when needed */
  clVector *numbers;
  clKernel *together;
  /* on its way: what they were some pictures ago; and what came last */
  clRead *read;
  float latest[4];
  /* made when needed */
  clKernel *surface;
  /* room for a picture or a table of colours */
  float *host;
  bool stones;
  /* cells that are no stone */
  double open;
};

clStatus demoPaintCreate(demoPaint **out, clContext *context, int nx, int ny, int width,
                         int height) {
  demoPaint *p = calloc(1, sizeof *p);
  if (!p)
    return TEXLA_OUT_OF_MEMORY;
  size_t pixels = (size_t)width * (size_t)height;
  *p = (demoPaint){.context = context, .nx = nx, .ny = ny, .width = width, .height = height};
  p->open = (double)nx * ny;
  txShadersAdd(context, demoShaders);
  p->host = malloc((pixels + COLOURS) * sizeof *p->host);
  clStatus status = TEXLA_OK;
  if (!p->host)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clVectorCreateGrid(&p->solid, context, nx, ny));
  TRY_CLEANUP(clVectorCreateGrid(&p->image, context, width, height));
  p->picture = p->image;
  for (int k = 0; k < 4; k++)
    TRY_CLEANUP(clFloatCreate(&p->number[k], context));
  *out = p;
  return TEXLA_OK;
cleanup:
  demoPaintDestroy(p);
  return status;
}

void demoPaintDestroy(demoPaint *p) {
  if (!p)
    return;
  clVectorDestroy(p->solid);
  clVectorDestroy(p->image);
  clVectorDestroy(p->half);
  clVectorDestroy(p->below[0]);
  clVectorDestroy(p->below[1]);
  for (int k = 0; k < TEXLA_COLORMAP_COUNT; k++)
    clVectorDestroy(p->colours[k]);
  for (int k = 0; k < VARIANTS; k++)
    clKernelDestroy(p->kernel[k]);
  for (int k = 0; k < 4; k++)
    clFloatDestroy(p->number[k]);
  if (p->read)
    clReadFinish(p->read, NULL);
  clVectorDestroy(p->numbers);
  clKernelDestroy(p->together);
  clKernelDestroy(p->surface);
  demoStreamsDestroy(p->streams);
  free(p->host);
  free(p);
}

float demoPaintStone(float distance) {
  const float reach = 2;
  return fminf(fmaxf(0.5f - 0.5f * distance / reach, 0), 1);
}

clStatus demoPaintSolid(demoPaint *p, const uint8_t *solid, const float *walls) {
  int n = p->nx * p->ny, stones = 0;
  for (int k = 0; k < n; k++) {
    p->host[k] = demoPaintStone(walls[k]);
    stones += solid[k] != 0;
  }
  p->stones = stones > 0;
  p->open = n - stones;
  return clVectorUpload(p->solid, p->host);
}

/* p->numbers <- the four of the values side by side, for one read-back. */
static clStatus gatherNumbers(demoPaint *p, const clVector *values) {
  clKernelRun run = {.scalar = {p->number[0], p->number[1], p->number[2], p->number[3]}};
  if (!p->numbers)
    TRY(clVectorCreate(&p->numbers, p->context, 4));
  if (!p->together)
    TRY(clKernelCreate(&p->together, p->context, "demo numbers",
                       "vec4 kernel() { return scalar; }\n"));
  TRY(clVectorSum(p->number[0], values));
  TRY(clVectorDot(p->number[1], values, values));
  TRY(clVectorAbsMax(p->number[2], values));
  TRY(clVectorMin(p->number[3], values));
  run.output[0] = p->numbers;
  return clKernelExecute(p->together, &run);
}

/* One read-back is on its way at a time; what has come counts until the next one is there. */
static clStatus fetchLate(demoPaint *p, const clVector *values) {
  clStatus status = TEXLA_OK;
  if (p->read && clReadReady(p->read)) {
    status = clReadFinish(p->read, p->latest);
    p->read = NULL;
  }
  if (p->read || status)
    return status;
  TRY(gatherNumbers(p, values));
  return clVectorReadStart(&p->read, p->numbers);
}

static clStatus fetchNow(demoPaint *p, const clVector *values) {
  if (p->read)
    clReadFinish(p->read, NULL);
  p->read = NULL;
  TRY(gatherNumbers(p, values));
  return clVectorDownload(p->numbers, p->latest);
}

clStatus demoPaintMeasure(demoPaint *p, const clVector *values, bool late, demoSpread *spread) {
  const float *number = p->latest;
  clStatus (*fetch)(demoPaint *, const clVector *) = fetchNow;
  if (late)
    fetch = fetchLate;
  TRY(fetch(p, values));
  double count = fmax(p->open * (double)clVectorLength(values) / ((double)p->nx * p->ny), 1);
  double mean = (double)number[0] / count, squares = (double)number[1] / count;
  *spread = (demoSpread){mean, sqrt(fmax(squares - mean * mean, 0)), sqrt(squares),
                         (double)number[2], (double)number[3]};
  return TEXLA_OK;
}

static clStatus findColours(demoPaint *p, clColormap map) {
  if (p->colours[map])
    return TEXLA_OK;
  for (int k = 0; k < COLOURS; k++) {
    uint8_t c[3];
    clColormapColor(c, map, (double)k / (COLOURS - 1));
    p->host[k] = (float)(c[0] + 256 * c[1] + 65536 * c[2]);
  }
  TRY(clVectorCreateGrid(&p->colours[map], p->context, COLOURS, 1));
  return clVectorUpload(p->colours[map], p->host);
}

/* The kernel with some of these: bit k of `variant` for the k-th. */
static clStatus findKernel(demoPaint *p, int variant) {
  static const char *const define[] = {"NEAREST", "STONES",  "LIT",   "TINTED",  "LINES",
                                       "ARROWS",  "STREAMS", "FACES", "PAINTED", "MAGNIFIED"};
  char source[256] = "";
  size_t used = 0;
  if (p->kernel[variant])
    return TEXLA_OK;
  for (int k = 0; k < 10; k++)
    if (variant >> k & 1)
      used += (size_t)snprintf(source + used, sizeof source - used, "#define %s\n", define[k]);
  snprintf(source + used, sizeof source - used, "#include \"demo_picture.frag\"\n");
  return clKernelCreate(&p->kernel[variant], p->context, "demo picture", source);
}

/* The picture's numbers as bytes, top row first. */
static clStatus fetch(demoPaint *p, uint8_t *rgb, int stride) {
  TRY(clVectorDownload(p->image, p->host));
  for (int y = p->height - 1; y >= 0; y--, rgb += 3 * (stride - p->width)) {
    const float *row = p->host + (size_t)y * (size_t)p->width;
    for (int x = 0; x < p->width; x++, rgb += 3) {
      int32_t packed = (int32_t)row[x];
      rgb[0] = (uint8_t)(packed & 255);
      rgb[1] = (uint8_t)(packed >> 8 & 255);
      rgb[2] = (uint8_t)(packed >> 16 & 255);
    }
  }
  return TEXLA_OK;
}

/* Byte k of a pixel's number. */
static double byteOf(float number, int k) {
  return (double)((int32_t)number >> 8 * k & 255);
}

/* The nearer neighbour, among n, of the pixel of half the size that covers this place. */
static int besides(int place, int n) {
  int own = txLeast(place / 2, n - 1);
  if (place % 2)
    return txLeast(own + 1, n - 1);
  return txMost(own - 1, 0);
}

/* A picture of half the size, enlarged: each pixel lies a quarter of the way to its neighbours. */
static clStatus fetchHalf(demoPaint *p, uint8_t *rgb, int stride) {
  const int w = p->width / 2, h = p->height / 2;
  TRY(clVectorDownload(p->half, p->host));
  for (int y = p->height - 1; y >= 0; y--, rgb += 3 * (stride - p->width))
    for (int x = 0; x < p->width; x++, rgb += 3) {
      int i = txLeast(x / 2, w - 1), i1 = besides(x, w), j = txLeast(y / 2, h - 1),
          j1 = besides(y, h);
      for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(0.5 +
                           (9 * byteOf(p->host[j * w + i], k) + 3 * byteOf(p->host[j * w + i1], k) +
                            3 * byteOf(p->host[j1 * w + i], k) + byteOf(p->host[j1 * w + i1], k)) /
                               16);
    }
  return TEXLA_OK;
}

const clVector *demoPaintPicture(const demoPaint *p) {
  return p->picture;
}

clStatus demoPaintRead(demoPaint *p, uint8_t *rgb, int stride) {
  if (p->picture == p->half)
    TRY(fetchHalf(p, rgb, stride));
  else
    TRY(fetch(p, rgb, stride));
  /* is the device alive that has painted it? */
  return clContextSynchronize(p->context);
}

/* The target of the next picture: of half the size along both axes where that is wanted and can
 * be. */
static clStatus chooseTarget(demoPaint *p, bool half, clVector **target) {
  *target = p->image;
  half = half && p->width > 1 && p->height > 1;
  if (half && !p->half)
    TRY(clVectorCreateGrid(&p->half, p->context, p->width / 2, p->height / 2));
  if (half)
    *target = p->half;
  p->picture = *target;
  return TEXLA_OK;
}

/* Arrows of equal distance on the picture, in inputs from number `first` on. */
static clStatus addArrows(demoPaint *p, const demoLook *look, int scale, clKernelRun *run,
                          int first) {
  const int pixels = 22, cells = 3, wide = cells * scale;
  run->input[first] = (clKernelInput){"across", look->vectors.u, true};
  run->input[first + 1] = (clKernelInput){"up", look->vectors.v, true};
  run->parameter[3] = (clKernelParameter){"spacing", 1, {(float)txMost(pixels, wide)}};
  return demoStreamsMeasure(p->streams, &look->vectors, run->scalar);
}

/* Lines between 0 and the stream function's largest magnitude. */
static clStatus addStreamlines(demoPaint *p, const demoLook *look, clKernelRun *run, int first) {
  const float lines = 16;
  const clVector *psi = NULL;
  clStatus status = demoStreamsFunction(p->streams, &look->vectors, &psi, &run->scalar[0]);
  run->input[first] = (clKernelInput){"psi", psi, true};
  run->parameter[3] = (clKernelParameter){"spacing", 1, {1 / lines}};
  return status;
}

static clStatus addVectors(demoPaint *p, const demoLook *look, int scale, clKernelRun *run,
                           int first) {
  if (!p->streams)
    TRY(demoStreamsCreate(&p->streams, p->context, p->nx, p->ny));
  if (look->over == DEMO_ARROWS)
    return addArrows(p, look, scale, run, first);
  return addStreamlines(p, look, run, first);
}

static bool hasVectors(const demoLook *look) {
  return look->vectors.u &&
         (look->over == DEMO_ARROWS || (look->over == DEMO_STREAMLINES && look->vectors.closed));
}

/* Their bits of a variant. */
static int vectorsOf(const demoLook *look) {
  if (!hasVectors(look))
    return 0;
  return (look->over == DEMO_ARROWS ? 32 : 64) + 128 * look->vectors.faces;
}

/* The picture <- one of its size, and the vectors over it. */
static clStatus drawOver(demoPaint *p, const clVector *below, const demoLook *look,
                         clVector *target) {
  const int painted = 1 + 256, variant = painted + vectorsOf(look);
  int width = (int)clVectorRowLength(target);
  float height = (float)(clVectorLength(target) / width);
  clKernelRun run = {.output = {target},
                     .input = {{"values", below, true}},
                     .parameter = {{"sizes", 4, {(float)width, height, (float)p->nx, (float)p->ny}},
                                   {"steps", 2, {1, (float)p->nx / (float)width}},
                                   {"range", 3, {0, 1, 0}}}};
  TRY(findKernel(p, variant));
  TRY(addVectors(p, look, width / p->nx, &run, 1));
  return clKernelExecute(p->kernel[variant], &run);
}

clStatus demoPaintKernel(demoPaint *p, clKernel *kernel, const clKernelRun *run, bool half,
                         const demoLook *look) {
  clVector *target;
  TRY(chooseTarget(p, half, &target));
  clKernelRun own = *run;
  own.output[0] = target;
  if (!hasVectors(look))
    return clKernelExecute(kernel, &own);
  clVector **below = &p->below[target == p->half];
  if (!*below)
    TRY(clVectorCreateLike(below, target));
  own.output[0] = *below;
  TRY(clKernelExecute(kernel, &own));
  return drawOver(p, *below, look, target);
}

/* The values as heights, an eighth of the grid from the lowest to the highest. */
static clStatus paintSurface(demoPaint *p, const clVector *values, const demoLook *look) {
  /* arrows would lie in the picture, not on the surface */
  const demoLook bare = {0};
  const double light = 5, pixels[] = {p->width / 2., p->height / 2.},
               heights[] = {look->low, look->high, 0, 0};
  int columns = (int)clVectorRowLength(values), rows = (int)(clVectorLength(values) / columns);
  TRY(findColours(p, look->map));
  if (!p->surface)
    TRY(clKernelCreate(&p->surface, p->context, "demo surface",
                       "#define COLOURED\n#include \"water_picture.frag\"\n"));
  clKernelRun run = {.input = {{"z", values, true}, {"colours", p->colours[look->map], true}}};
  demoCameraAim(look->camera, &run, (int[]){columns, rows}, pixels, heights,
                0.125 * rows / (look->high - look->low), light);
  return demoPaintKernel(p, p->surface, &run, true, &bare);
}

clStatus demoPaintField(demoPaint *p, const clVector *values, const demoLook *look) {
  /* Software shades pixels slower than it enlarges bytes: there a picture is painted at half the
   * size, unless the values are finer by far, or thin lines are drawn. */
  const double light = 4.8;
  if (look->camera)
    return paintSurface(p, values, look);
  bool over = hasVectors(look);
  int columns = (int)clVectorRowLength(values), rows = (int)(clVectorLength(values) / columns);
  bool half = clContextInspect(p->context)->software && 3 * columns <= 2 * p->width && !over;
  int width = p->width / (1 + half);
  int variant = (columns == width) + 2 * p->stones + 4 * look->lit + 8 * (look->tint != NULL) +
                16 * look->lines + vectorsOf(look);
  clVector *target;
  if (columns == p->nx && 2 * columns <= width)
    variant += 512;
  TRY(findColours(p, look->map));
  TRY(findKernel(p, variant));
  TRY(chooseTarget(p, half, &target));
  clKernelRun run = {
      .output = {target},
      .input = {{"values", values, true},
                {"solid", p->solid, true},
                {"colours", p->colours[look->map], true}},
      .parameter = {
          {"sizes", 4, {(float)columns, (float)rows, (float)p->nx, (float)p->ny}},
          {"steps", 2, {(float)columns / (float)width, (float)p->nx / (float)width}},
          {"range", 3, {(float)look->low, (float)(1 / (look->high - look->low)), (float)light}}}};
  int inputs = 3;
  if (look->tint)
    run.input[inputs++] = (clKernelInput){"tint", look->tint, true};
  if (over)
    TRY(addVectors(p, look, width / p->nx, &run, inputs));
  return clKernelExecute(p->kernel[variant], &run);
}
