#include "elimination/panel.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "dense/triangular.h"
#include "gl/traits.h"
#include "vector/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  /* in a row of texels */
  ROWS = 128,
  /* of these for the pivots */
  RECORDS = 32,
  MOVES = TX_PANEL_MOVES,
  MOST_DEFINES = 250,
  /* for panels on the host of a graphics card */
  MOST_THREADS = 8
};

/* The panel's height in texels. */
static int panelHeightOf(const txPanels *p, const txPanel *panel) {
  return (p->rows - panel->row + ROWS - 1) / ROWS;
}

/* Quad 0 for the panel's top, quad t + 1 for the slot of pivot t. */
static clStatus panelCreateQuads(txPanels *p, const char *call) {
  static const float corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  int count = (p->most + 1) * 6;
  float *data = txAllocate(txContextError(p->context), call, (size_t)count * 3, sizeof *data,
                           "a panel's corners");
  if (!data)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < count; i++) {
    data[3 * i] = (float)(i / 6);
    data[3 * i + 1] = corner[i % 6][0];
    data[3 * i + 2] = corner[i % 6][1];
  }
  clStatus status = txVerticesCreate(&p->quads, p->context, call, data, count, (const int[]){3}, 1);
  free(data);
  return status;
}

/* What panels need where the device eliminates, and where the host does; `panels` of them. */
static clStatus createSides(txPanels *p, const char *call) {
  /* and a row for the records */
  for (int i = 0; i < 2; i++)
    TRY(txLayersCreate(&p->side[i], p->context, call, TX_RGBA32F, ROWS,
                       (p->rows + ROWS - 1) / ROWS + 1, TX_PANEL_GROUPS));
  return TEXLA_OK;
}

/* The largest number of whole panels of the device that panels are made of, and whose inverses are
 * computed at once. */
static int blockOf(int most) {
  int block = TX_HOST_PANEL_BLOCK;
  while (most % block)
    block -= TX_PANEL;
  return block;
}

/* What panels need where the host factors them. */
static clStatus createHost(txPanels *p, const char *call, int panels) {
  clError *error = txContextError(p->context);
  size_t most = (size_t)p->most;
  p->records = txAllocate(error, call, (size_t)panels * 4 * most, sizeof *p->records, "pivots");
  p->sources =
      txAllocate(error, call, MOVES * 4 * (most / 2 + most), sizeof *p->sources, "moves of rows");
  if (!p->records || !p->sources)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txHostPanelCreate(&p->host, error, call, p->rows, p->most));
  p->host.threads = MOST_THREADS;
  /* The device is the host's cores, which have enough to do. */
  if (txContextTraits(p->context)->host_shades)
    p->host.threads = 1;
  p->host.block = blockOf(p->most);
  return TEXLA_OK;
}

clStatus txPanelsCreate(txPanels *out, clContext *context, const char *call, int rows, int cols,
                        int steps, bool jordan, int on_host) {
  txPanels p = {
      .context = context, .rows = rows, .cols = cols, .jordan = jordan, .on_host = on_host > 0};
  p.in_pairs = txContextTraits(context)->two_columns;
  p.rows_at_once = 4;
  p.candidates_at_once = 32;
  if (p.in_pairs) {
    p.rows_at_once = 1;
    p.candidates_at_once = 1;
  }
  p.most = txMost(on_host, 1) * TX_PANEL;
  int panels = (steps + p.most - 1) / p.most, moved = p.most / 2 + p.most;
  const struct {
    txTexture **texture;
    int width, height;
  } list[] = {{&p.moves, moved, MOVES * panels},
              {&p.gathered, txHalf(cols), moved},
              {&p.transform, TX_PANEL / 2, txHalf(rows)}};
  clStatus status = TEXLA_OK;
  int inverse = TX_TRIANGLE, textures = 2;
  if (p.on_host) {
    TRY_CLEANUP(createHost(&p, call, panels));
    inverse = p.host.block / 2;
  } else {
    TRY_CLEANUP(createSides(&p, call));
  }
  if (jordan)
    textures = 3;
  else
    TRY_CLEANUP(txTextureCreate(&p.inverse, context, call, TX_RGBA32F, inverse, txHalf(steps)));
  for (int i = 0; i < textures; i++)
    TRY_CLEANUP(
        txTextureCreate(list[i].texture, context, call, TX_RGBA32F, list[i].width, list[i].height));
  TRY_CLEANUP(panelCreateQuads(&p, call));
  *out = p;
  return TEXLA_OK;
cleanup:
  txPanelsDestroy(&p);
  return status;
}

void txPanelsDestroy(txPanels *p) {
  txTextureDestroy(p->side[0]);
  txTextureDestroy(p->side[1]);
  txTextureDestroy(p->moves);
  txTextureDestroy(p->gathered);
  txTextureDestroy(p->transform);
  txTextureDestroy(p->inverse);
  txReadFinish(p->read, "", NULL);
  txVerticesDestroy(p->quads);
  txHostPanelDestroy(&p->host);
  free(p->records);
  free(p->sources);
  *p = (txPanels){0};
}

/* What every pass over a panel is told. */
static void panelDescribe(const txPanels *p, const txPanel *panel, txPass *pass) {
  txPassUniform(pass, (txUniform){"shape_of_panel",
                                  4,
                                  {(float)panel->width, (float)panelHeightOf(p, panel),
                                   (float)panel->col, (float)panel->row},
                                  .integer = true});
  txPassUniform(pass, (txUniform){"matrix", 2, {(float)p->rows, (float)p->cols}, .integer = true});
  txPassUniform(pass, (txUniform){"tolerance", 1, {p->tolerance}});
}

static const char *jordanDefine(const txPanels *p) {
  return txWhen(p->jordan, "#define JORDAN\n");
}

/* The panel as a source. */
static txSource panelOf(const txPanels *p) {
  return (txSource){"panel", p->side[p->current], TX_EDGE};
}

/* Groups from `first` on are rendered into the other texture. Those before it, if they had been
 * rendered last time, stay where they are. */
static void setTargets(txPanels *p, int first, txPass *pass) {
  int before = (1 << first) - 1;
  p->in_other = (p->in_other ^ before) & before;
  p->current = 1 - p->current;
  pass->target[0] = p->side[p->current];
  pass->first_layer = first;
}

static bool isBlock(const txPanels *p) {
  return p->pivoting == TEXLA_PIVOT_BLOCK_HARM || p->pivoting == TEXLA_PIVOT_BLOCK_GEOM;
}

/* Four times as many as each has rows: a candidate is one fetch later on, a row takes more. */
static int candidatesOf(const txPanels *p, const txPanel *panel) {
  int n = 32;
  while (n < ROWS - RECORDS && n * n < 4 * (p->rows - panel->row))
    n += 32;
  return n;
}

/* What a pass needs that finds candidates for step k. */
static void describeSearch(const txPanels *p, const txPanel *panel, int k, txPass *pass) {
  float count = 0;
  if (k < panel->steps)
    count = (float)candidatesOf(p, panel);
  txPassUniform(pass, (txUniform){"search", 2, {(float)k, count}, .integer = true});
  panelDescribe(p, panel, pass);
}

/* How candidates for step k are found (shaders/elimination/candidates.glsl); the length of the
 * text. */
static int defineSearch(const txPanels *p, int k, char text[MOST_DEFINES]) {
  bool block = isBlock(p) && k % 2 == 0;
  return snprintf(
      text, MOST_DEFINES, "#define AT_ONCE %d\n%s%s%s%s%s", p->rows_at_once, jordanDefine(p),
      txWhen(p->jordan || p->pivoting != TEXLA_PIVOT_PARTIAL, "#define WITH_STATES\n"),
      txWhen(p->pivoting == TEXLA_PIVOT_NONE, "#define FIRST\n"), txWhen(block, "#define BLOCK\n"),
      txWhen(block && p->pivoting == TEXLA_PIVOT_BLOCK_HARM, "#define HARM\n"));
}

/* The panel's columns, four of them a layer, and the candidates for its first pivot. */
static clStatus load(txPanels *p, const char *call, const txTexture *A, const txPanel *panel) {
  char text[MOST_DEFINES];
  defineSearch(p, 0, text);
  txPass pass = {.kernel = "panel_load",
                 .defines = text,
                 .source = {{"a", A, TX_EDGE}, panelOf(p)},
                 .uniform = {{"began", 1, {(float)(panel->number > 0)}, .integer = true}},
                 .rect = {0, 0, ROWS, panelHeightOf(p, panel) + 1}};
  setTargets(p, 0, &pass);
  describeSearch(p, panel, 0, &pass);
  for (int i = 0; i < 2; i++)
    p->side[i]->meaning =
        (txMeaning){"panel", {panel->width, p->rows - panel->row, panel->col, panel->row, p->cols}};
  return txPassRun(p->context, call, &pass);
}

/* `steps` steps from k on: the choice of the pivots (in the vertex shader; in the geometry shader,
 * too, where there are two), the elimination, and candidates for the step that follows. */
static clStatus step(txPanels *p, const char *call, const txPanel *panel, int k, int steps) {
  int end = k + steps, first = (k + 1) / 4;
  /* Gauss-Jordan changes the columns before k, too. */
  if (p->jordan)
    first = 0;
  int groups = TX_PANEL_GROUPS - first;
  char text[MOST_DEFINES];
  int length = defineSearch(p, end, text);
  snprintf(text + length, sizeof text - (size_t)length,
           "#define CANDIDATES_AT_ONCE %d\n#define STEPS %d\n#define GROUPS %d\n#define COLUMN "
           "%d\n#define NEXT %d\n%s",
           p->candidates_at_once, steps, groups, k / 4 - first, end / 4 - first,
           txWhen(isBlock(p) && k % 2, "#define FORCED\n"));
  txPass pass = {
      .kernel = "panel_step",
      .vertex = "panel",
      .defines = text,
      .source = {panelOf(p)},
      .uniform = {{"number", 2, {(float)k, (float)candidatesOf(p, panel)}, .integer = true}},
      .rect = {0, 0, ROWS, panelHeightOf(p, panel) + 1}};
  if (steps == 2) {
    pass.vertex = "panel_pair";
    pass.geometry = "panel_pair";
  }
  setTargets(p, first, &pass);
  describeSearch(p, panel, end, &pass);
  return txPassRun(p->context, call, &pass);
}

/* A panel's steps, one or two a pass. */
static clStatus eliminate(txPanels *p, const char *call, const txPanel *panel) {
  bool in_pairs = p->in_pairs && p->pivoting == TEXLA_PIVOT_PARTIAL;
  for (int k = 0, steps; k < panel->steps; k += steps) {
    steps = 1;
    if (in_pairs && k + 1 < panel->steps)
      steps = 2;
    TRY(step(p, call, panel, k, steps));
  }
  return TEXLA_OK;
}

/* Rows of texels that are gathered for the panel's top, or for its pivots. */
static int topOf(const txPanels *p, const txPanel *panel) {
  if (p->jordan)
    return TX_PANEL / 2;
  return txHalf(panel->steps);
}

/* The panel's columns of a block at (x, y). */
static clStatus storeTo(const txPanels *p, const char *call, txTexture *target, int x, int y,
                        const char *more, const txPanel *panel) {
  char text[MOST_DEFINES];
  snprintf(text, sizeof text, "%s%s%s", jordanDefine(p), more,
           txWhen(p->in_other, "#define MIXED\n"));
  txPass pass = {.kernel = "panel_store",
                 .defines = text,
                 .target = {target},
                 .source = {panelOf(p), {"other", p->side[1 - p->current], TX_EDGE}},
                 .uniform = {{"steps", 1, {(float)panel->steps}, .integer = true},
                             {"in_other", 1, {(float)p->in_other}, .integer = true}},
                 .rect = {x, y, panel->width / 2, txHalf(p->rows - panel->row)}};
  panelDescribe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

/* The panel's columns to A; for Gauss-Jordan also what the panel did to all rows, E. */
static clStatus store(const txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  TRY(storeTo(p, call, A, panel->col / 2, panel->row / 2, "", panel));
  if (!p->jordan)
    return TEXLA_OK;
  return storeTo(p, call, p->transform, 0, 0, "#define TRANSFORM\n", panel);
}

/* Where the pivots' rows and those that they displace go, for passes and for the host. */
static clStatus computeMoves(const txPanels *p, const char *call, const txPanel *panel) {
  float first = (float)(MOVES * panel->number), top = (float)topOf(p, panel);
  txPass pass = {.kernel = "panel_moves",
                 .defines = jordanDefine(p),
                 .target = {p->moves},
                 .source = {panelOf(p)},
                 .uniform = {{"steps", 3, {(float)panel->steps, first, top}, .integer = true}},
                 .rect = {0, MOVES * panel->number, p->moves->width, MOVES}};
  panelDescribe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

/* Rows of A to their places; Gauss-Jordan: right of the panel. */
static clStatus moveRows(const txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  int top = topOf(p, panel), left = panel->left / 2, slots = panel->steps, first = 6;
  if (p->jordan) {
    left = (panel->col + panel->width) / 2;
  } else {
    /* The panel's top moves, too: its quad is the first. */
    first = 0;
    slots++;
  }
  txUniform from = {"from",
                    3,
                    {(float)(MOVES * panel->number), (float)top, (float)(panel->row / 2)},
                    .integer = true};
  if (left >= A->width)
    return TEXLA_OK;
  txPass gather = {.kernel = "rows_gather",
                   .target = {p->gathered},
                   .source = {{"a", A, TX_EDGE}, {"moves", p->moves, TX_EDGE}},
                   .uniform = {from},
                   .rect = {left, 0, A->width - left, top + panel->steps}};
  TRY(txPassRun(p->context, call, &gather));
  txPass scatter = {.kernel = "rows_scatter",
                    .vertex = "rows_scatter",
                    .target = {A},
                    .source = {{"gathered", p->gathered, TX_EDGE}, {"moves", p->moves, TX_EDGE}},
                    .uniform = {from,
                                {"extent", 2, {(float)A->width, (float)A->height}},
                                {"left", 1, {(float)left}}},
                    .shape = TX_TRIANGLES,
                    .vertices = p->quads,
                    .first = first,
                    .count = 6 * slots};
  return txPassRun(p->context, call, &scatter);
}

/* The panel's columns, and its moves. */
static clStatus eliminateOnDevice(txPanels *p, const char *call, txTexture *A,
                                  const txPanel *panel) {
  TRY(load(p, call, A, panel));
  TRY(eliminate(p, call, panel));
  TRY(store(p, call, A, panel));
  return computeMoves(p, call, panel);
}

/* What the host has not done. */
static clStatus invert(const txPanels *p, const char *call, const txTexture *A,
                       const txPanel *panel) {
  int texels = panel->width / 2;
  for (int at = 0; at < texels && panel->col + panel->width < p->cols; at += TX_TRIANGLE)
    TRY(txTriangularInvert(call, p->inverse, A, panel->col / 2 + at,
                           txLeast(texels - at, TX_TRIANGLE)));
  return TEXLA_OK;
}

clStatus txPanelEliminate(txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  if (p->on_host)
    TRY(txPanelEliminateOnHost(p, call, A, panel));
  else
    TRY(eliminateOnDevice(p, call, A, panel));
  TRY(moveRows(p, call, A, panel));
  if (p->jordan || p->on_host)
    return TEXLA_OK;
  return invert(p, call, A, panel);
}

clStatus txPanelsRead(const txPanels *p, const char *call, int count, float *moves) {
  size_t width = (size_t)p->moves->width, most = (size_t)p->most,
         bytes = width * MOVES * (size_t)count * 4 * sizeof(float);
  if (p->on_host) {
    memcpy(moves, p->records, (size_t)count * 4 * most * sizeof *moves);
    return TEXLA_OK;
  }
  float *all = txAllocate(txContextError(p->context), call, bytes, 1, "the moves of panels");
  if (!all)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureRead(p->moves, call, (txRect){0, 0, (int)width, MOVES * count}, all));
  for (int k = 0; k < count; k++)
    memcpy(moves + 4 * most * (size_t)k, all + 4 * width * MOVES * (size_t)k,
           4 * most * sizeof *moves);
cleanup:
  free(all);
  return status;
}
