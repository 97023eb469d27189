#include "ops/panel.h"
#include "ops/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE = 1, MOVES = 3, MOST_CANDIDATES = 64, MOST_DEFINES = 128, DIRECT = 256 };

static int halfOf(int n) {
  return n / 2 + n % 2;
}

/* The panel's height in texels of four rows. */
static int heightOf(const txPanels *p, const txPanel *panel) {
  return (p->rows - panel->row + 3) / 4;
}

/* Quad 0 for the panel's top, quad t + 1 for the slot of pivot t. */
static clStatus createQuads(txPanels *p, const char *call) {
  static const float corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  float data[(TX_PANEL + 1) * 6 * 3];
  for (int i = 0; i < (TX_PANEL + 1) * 6; i++) {
    data[3 * i] = (float)(i / 6);
    data[3 * i + 1] = corner[i % 6][0];
    data[3 * i + 2] = corner[i % 6][1];
  }
  return txVerticesCreate(&p->quads, p->context, call, data, (TX_PANEL + 1) * 6, (const int[]){3}, 1);
}

clStatus txPanelsCreate(txPanels *out, clContext *context, const char *call, int rows, int cols, int panels,
                        bool jordan) {
  txPanels p = {.context = context, .rows = rows, .cols = cols, .jordan = jordan, .direct = DIRECT};
  const struct {
    txTexture **texture;
    int width, height;
  } list[] = {{&p.side[0], TX_PANEL + STATE, (rows + 3) / 4 + 1},
              {&p.side[1], TX_PANEL + STATE, (rows + 3) / 4 + 1},
              {&p.candidates, MOST_CANDIDATES, 1},
              {&p.moves, TX_PANEL / 2 + TX_PANEL, MOVES * panels},
              {&p.gathered, halfOf(cols), TX_PANEL / 2 + TX_PANEL},
              {&p.transform, TX_PANEL / 2, halfOf(rows)}};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < (jordan ? 6 : 5) && !status; i++)
    status = txTextureCreate(list[i].texture, context, call, TX_RGBA32F, list[i].width, list[i].height);
  if (!status)
    status = createQuads(&p, call);
  if (status)
    txPanelsDestroy(&p);
  else
    *out = p;
  return status;
}

void txPanelsDestroy(txPanels *p) {
  txTextureDestroy(p->side[0]);
  txTextureDestroy(p->side[1]);
  txTextureDestroy(p->candidates);
  txTextureDestroy(p->moves);
  txTextureDestroy(p->gathered);
  txTextureDestroy(p->transform);
  txVerticesDestroy(p->quads);
  *p = (txPanels){0};
}

/* What every pass over a panel is told. */
static void describe(const txPanels *p, const txPanel *panel, txPass *pass) {
  txPassUniform(pass,
                (txUniform){"shape_of_panel",
                            4,
                            {(float)panel->width, (float)heightOf(p, panel), (float)panel->col, (float)panel->row},
                            .integer = true});
  txPassUniform(pass, (txUniform){"matrix", 2, {(float)p->rows, (float)p->cols}, .integer = true});
  txPassUniform(pass, (txUniform){"tolerance", 1, {p->tolerance}});
}

static const char *jordanDefine(const txPanels *p) {
  return p->jordan ? "#define JORDAN\n" : "";
}

static clStatus load(txPanels *p, const char *call, const txTexture *A, const txPanel *panel) {
  const txTexture *last = p->side[p->current];
  if (panel->number == 0)
    p->last_width = 0;
  p->current = p->jordan ? 1 - p->current : 0;
  txPass pass = {.kernel = "panel_load",
                 .defines = jordanDefine(p),
                 .target = {p->side[p->current]},
                 .source = {{"a", A, TX_EDGE}, {p->jordan ? "panel" : NULL, last, TX_EDGE}},
                 .uniform = {{"began", 1, {(float)p->last_width}, .integer = true}},
                 .rect = {0, 0, panel->width + STATE, heightOf(p, panel)}};
  describe(p, panel, &pass);
  p->last_width = p->jordan ? panel->width : 0;
  return txPassRun(p->context, call, &pass);
}

static bool isBlock(const txPanels *p) {
  return p->pivoting == TEXLA_PIVOT_BLOCK_HARM || p->pivoting == TEXLA_PIVOT_BLOCK_GEOM;
}

/* About as many candidates as texels for each. */
static int candidatesOf(int height) {
  int n = 8;
  while (n < MOST_CANDIDATES && n * n < height)
    n += 8;
  return n;
}

/* What the measure of a pivot depends on (shaders/include/pivot.glsl). */
static void defineMeasure(const txPanels *p, int k, bool direct, char text[MOST_DEFINES]) {
  snprintf(text, MOST_DEFINES, "%s%s%s%s%s%s", jordanDefine(p), isBlock(p) && k % 2 == 0 ? "#define BLOCK\n" : "",
           p->pivoting == TEXLA_PIVOT_BLOCK_HARM ? "#define HARM\n" : "",
           p->pivoting == TEXLA_PIVOT_NONE ? "#define FIRST\n" : "", isBlock(p) && k % 2 ? "#define FORCED\n" : "",
           direct ? "#define DIRECT\n" : "");
}

static clStatus search(const txPanels *p, const char *call, const txPanel *panel, int k, const txTexture *side) {
  int n = candidatesOf(heightOf(p, panel));
  char text[MOST_DEFINES];
  defineMeasure(p, k, false, text);
  txPass pass = {.kernel = "panel_search",
                 .defines = text,
                 .target = {p->candidates},
                 .source = {{"panel", side, TX_EDGE}},
                 .uniform = {{"search", 2, {(float)k, (float)n}, .integer = true}},
                 .rect = {0, 0, n, 1}};
  describe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

/* One pass or two: candidates for the pivot, where the column is long; the choice (in the vertex shader) and the elimination. */
static clStatus step(const txPanels *p, const char *call, const txPanel *panel, int k, txTexture *from, txTexture *to) {
  bool direct = heightOf(p, panel) <= p->direct;
  clStatus status = direct ? TEXLA_OK : search(p, call, panel, k, from);
  if (status)
    return status;
  int first = p->jordan ? 0 : k + 1;
  char text[MOST_DEFINES];
  defineMeasure(p, k, direct, text);
  txPass pass = {.kernel = "panel_step",
                 .vertex = "panel",
                 .defines = text,
                 .target = {to},
                 .source = {{"panel", from, TX_EDGE}, {"candidates", p->candidates, TX_EDGE}},
                 .uniform = {{"search", 2, {(float)k, (float)candidatesOf(heightOf(p, panel))}, .integer = true}},
                 .rect = {first, 0, panel->width + STATE - first, heightOf(p, panel) + 1}};
  describe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

static clStatus eliminate(txPanels *p, const char *call, const txPanel *panel) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < panel->steps && !status; k++) {
    status = step(p, call, panel, k, p->side[p->current], p->side[1 - p->current]);
    p->current = 1 - p->current;
  }
  return status;
}

/* Rows of texels that are gathered for the panel's top, or for its pivots. */
static int topOf(const txPanels *p, const txPanel *panel) {
  return p->jordan ? TX_PANEL / 2 : halfOf(panel->steps);
}

/* The final sides as sources. LU: step k has rendered side (k + 1) % 2. */
static void setSides(const txPanels *p, const txPanel *panel, int row_of_moves, txPass *pass) {
  pass->source[0] = (txSource){"even", p->side[p->jordan ? p->current : 0], TX_EDGE};
  pass->source[1] = (txSource){"odd", p->side[1], TX_EDGE};
  float steps = (float)panel->steps, parity = (float)(panel->steps % 2);
  txPassUniform(pass, (txUniform){"steps",
                                  row_of_moves < 0 ? 2 : 4,
                                  {steps, parity, (float)row_of_moves, (float)topOf(p, panel)},
                                  .integer = true});
  describe(p, panel, pass);
}

static clStatus store(const txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  txPass pass = {.kernel = "panel_store",
                 .defines = jordanDefine(p),
                 .target = {A},
                 .rect = {panel->col / 2, panel->row / 2, panel->width / 2, halfOf(p->rows - panel->row)}};
  setSides(p, panel, -1, &pass);
  return txPassRun(p->context, call, &pass);
}

static clStatus storeTransform(const txPanels *p, const char *call, const txPanel *panel) {
  txPass pass = {.kernel = "panel_store",
                 .defines = "#define JORDAN\n#define TRANSFORM\n",
                 .target = {p->transform},
                 .rect = {0, 0, panel->width / 2, halfOf(p->rows)}};
  setSides(p, panel, -1, &pass);
  return txPassRun(p->context, call, &pass);
}

static clStatus computeMoves(const txPanels *p, const char *call, const txPanel *panel) {
  txPass pass = {.kernel = "panel_moves",
                 .defines = jordanDefine(p),
                 .target = {p->moves},
                 .rect = {0, MOVES * panel->number, p->moves->width, MOVES}};
  setSides(p, panel, MOVES * panel->number, &pass);
  return txPassRun(p->context, call, &pass);
}

/* Rows of A to their places; Gauss-Jordan: only right of the panel. */
static clStatus moveRows(const txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  int top = topOf(p, panel), left = p->jordan ? (panel->col + panel->width) / 2 : 0;
  txUniform from = {"from", 3, {(float)(MOVES * panel->number), (float)top, (float)(panel->row / 2)}, .integer = true};
  if (left >= A->width)
    return TEXLA_OK;
  txPass gather = {.kernel = "rows_gather",
                   .target = {p->gathered},
                   .source = {{"a", A, TX_EDGE}, {"moves", p->moves, TX_EDGE}},
                   .uniform = {from},
                   .rect = {left, 0, A->width - left, top + panel->steps}};
  clStatus status = txPassRun(p->context, call, &gather);
  txPass scatter = {.kernel = "rows_scatter",
                    .vertex = "rows_scatter",
                    .target = {A},
                    .source = {{"gathered", p->gathered, TX_EDGE}, {"moves", p->moves, TX_EDGE}},
                    .uniform = {from, {"extent", 2, {(float)A->width, (float)A->height}}, {"left", 1, {(float)left}}},
                    .shape = TX_TRIANGLES,
                    .vertices = p->quads,
                    .first = p->jordan ? 6 : 0,
                    .count = 6 * (p->jordan ? panel->steps : panel->steps + 1)};
  return status ? status : txPassRun(p->context, call, &scatter);
}

clStatus txPanelEliminate(txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  clStatus status = load(p, call, A, panel);
  if (!status)
    status = eliminate(p, call, panel);
  if (!status)
    status = store(p, call, A, panel);
  if (!status && p->jordan)
    status = storeTransform(p, call, panel);
  if (!status)
    status = computeMoves(p, call, panel);
  return status ? status : moveRows(p, call, A, panel);
}

clStatus txPanelsRead(const txPanels *p, const char *call, int count, float *moves) {
  size_t width = (size_t)p->moves->width, bytes = width * MOVES * (size_t)count * 4 * sizeof(float);
  float *all = malloc(bytes);
  if (!all)
    return txFail(txContextError(p->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the moves of %d panels", count);
  clStatus status = txTextureRead(p->moves, call, (txRect){0, 0, (int)width, MOVES * count}, all);
  for (int k = 0; k < count && !status; k++)
    memcpy(moves + 4 * TX_PANEL * k, all + 4 * width * MOVES * (size_t)k, 4 * TX_PANEL * sizeof *moves);
  free(all);
  return status;
}
