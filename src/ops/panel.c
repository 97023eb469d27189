#include "ops/panel.h"
#include "ops/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, MOVES = 3, DIRECT = 512, MOST_DEFINES = 160 };
/* ROWS of a panel stand in one row of texels; panels of at most DIRECT rows need no pass for candidates */

static int halfOf(int n) {
  return n / 2 + n % 2;
}

/* The panel's height in texels. */
static int heightOf(const txPanels *p, const txPanel *panel) {
  return (p->rows - panel->row + ROWS - 1) / ROWS;
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
  txPanels p = {.context = context, .rows = rows, .cols = cols, .jordan = jordan};
  const struct {
    txTexture **texture;
    int width, height;
  } list[] = {{&p.candidates, 16, 16},
              {&p.moves, TX_PANEL / 2 + TX_PANEL, MOVES * panels},
              {&p.gathered, halfOf(cols), TX_PANEL / 2 + TX_PANEL},
              {&p.transform, TX_PANEL / 2, halfOf(rows)}};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < 2 * TX_PANEL_GROUPS && !status; i++) /* and a row for the records */
    status = txTextureCreate(&p.side[i % 2][i / 2], context, call, TX_RGBA32F, ROWS, (rows + ROWS - 1) / ROWS + 1);
  for (int i = 0; i < (jordan ? 4 : 3) && !status; i++)
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
  for (int i = 0; i < 2 * TX_PANEL_GROUPS; i++)
    txTextureDestroy(p->side[i % 2][i / 2]);
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

static const txTexture *lastGroup(const txPanels *p) {
  return p->side[p->current][TX_PANEL_GROUPS - 1];
}

static clStatus load(txPanels *p, const char *call, const txTexture *A, const txPanel *panel) {
  txPass pass = {.kernel = "panel_load",
                 .defines = jordanDefine(p),
                 .source = {{"a", A, TX_EDGE}, {"last", lastGroup(p), TX_EDGE}},
                 .uniform = {{"began", 1, {(float)(panel->number > 0)}, .integer = true}},
                 .rect = {0, 0, ROWS, heightOf(p, panel)}};
  p->current = 1 - p->current;
  for (int g = 0; g < TX_PANEL_GROUPS; g++)
    pass.target[g] = p->side[p->current][g];
  describe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

static bool isBlock(const txPanels *p) {
  return p->pivoting == TEXLA_PIVOT_BLOCK_HARM || p->pivoting == TEXLA_PIVOT_BLOCK_GEOM;
}

/* Rows of 16 candidates: about as many as rows of the panel for each. */
static int candidatesOf(const txPanels *p, const txPanel *panel) {
  int n = 1;
  while (n < 16 && 256 * n * n < p->rows - panel->row)
    n++;
  return n;
}

/* The groups that a step renders. */
static int groupsOf(const txPanels *p, int k) {
  return p->jordan ? TX_PANEL_GROUPS : TX_PANEL_GROUPS - (k + 1) / 4;
}

/* What the measure of a pivot depends on (shaders/include/pivot.glsl). */
static void defineMeasure(const txPanels *p, int k, char text[MOST_DEFINES]) {
  snprintf(text, MOST_DEFINES, "#define GROUPS %d\n%s%s%s%s%s", groupsOf(p, k), jordanDefine(p),
           isBlock(p) && k % 2 == 0 ? "#define BLOCK\n" : "",
           p->pivoting == TEXLA_PIVOT_BLOCK_HARM ? "#define HARM\n" : "",
           p->pivoting == TEXLA_PIVOT_NONE ? "#define FIRST\n" : "", isBlock(p) && k % 2 ? "#define FORCED\n" : "");
}

/* A pass that searches the pivot of step k. */
static void describeSearch(const txPanels *p, const txPanel *panel, int k, txPass *pass) {
  pass->source[0] = (txSource){"column", p->side[p->current][k / 4], TX_EDGE};
  pass->source[1] = (txSource){"last", lastGroup(p), TX_EDGE};
  float n = (float)candidatesOf(p, panel);
  txPassUniform(pass, (txUniform){"search", 4, {(float)k, (float)(k % 4), 16, n}, .integer = true});
  describe(p, panel, pass);
}

static clStatus search(const txPanels *p, const char *call, const txPanel *panel, int k) {
  char text[MOST_DEFINES];
  defineMeasure(p, k, text);
  txPass pass = {
      .kernel = "panel_search", .defines = text, .target = {p->candidates}, .rect = {0, 0, 16, candidatesOf(p, panel)}};
  describeSearch(p, panel, k, &pass);
  return txPassRun(p->context, call, &pass);
}

/* One pass or two: candidates for the pivot, where the column is long; the choice (in the vertex shader) and the elimination. */
static clStatus step(txPanels *p, const char *call, const txPanel *panel, int k) {
  static const char *const names[] = {"own0", "own1", "own2", "own3", "own4", "own5", "own6"};
  bool direct = p->rows - panel->row <= DIRECT;
  clStatus status = direct ? TEXLA_OK : search(p, call, panel, k);
  if (status)
    return status;
  int groups = groupsOf(p, k), first = TX_PANEL_GROUPS - groups;
  char text[MOST_DEFINES];
  defineMeasure(p, k, text);
  if (direct)
    strcat(text, "#define DIRECT\n");
  txPass pass = {.kernel = "panel_step",
                 .vertex = "panel",
                 .defines = text,
                 .source = {[2] = {"candidates", p->candidates, TX_EDGE}},
                 .rect = {0, 0, ROWS, heightOf(p, panel) + 1}};
  describeSearch(p, panel, k, &pass);
  for (int i = 0; i < groups; i++)
    pass.target[i] = p->side[1 - p->current][first + i];
  for (int i = 0; i < groups - 1; i++)
    pass.source[3 + i] = (txSource){names[i], p->side[p->current][first + i], TX_EDGE};
  p->current = 1 - p->current;
  return txPassRun(p->context, call, &pass);
}

static clStatus eliminate(txPanels *p, const char *call, const txPanel *panel) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < panel->steps && !status; k++)
    status = step(p, call, panel, k);
  return status;
}

/* Rows of texels that are gathered for the panel's top, or for its pivots. */
static int topOf(const txPanels *p, const txPanel *panel) {
  return p->jordan ? TX_PANEL / 2 : halfOf(panel->steps);
}

/* Where group g is in the end: LU has rendered it as long as columns of it were to come. */
static const txTexture *finalGroup(const txPanels *p, const txPanel *panel, int g) {
  int missed = panel->steps - (4 * g + 3); /* steps since then */
  if (p->jordan || g == TX_PANEL_GROUPS - 1 || missed < 0)
    missed = 0;
  return p->side[(p->current + missed) % 2][g];
}

static clStatus storeTo(const txPanels *p, const char *call, txTexture *target, txRect rect, const char *defines,
                        const txPanel *panel) {
  static const char *const names[] = {"group0", "group1", "group2", "group3", "group4", "group5", "group6", "last"};
  txPass pass = {.kernel = "panel_store",
                 .defines = defines,
                 .target = {target},
                 .uniform = {{"steps", 1, {(float)panel->steps}, .integer = true}},
                 .rect = rect};
  for (int g = 0; g < TX_PANEL_GROUPS; g++)
    pass.source[g] = (txSource){names[g], finalGroup(p, panel, g), TX_EDGE};
  describe(p, panel, &pass);
  return txPassRun(p->context, call, &pass);
}

static clStatus store(const txPanels *p, const char *call, txTexture *A, const txPanel *panel) {
  txRect rect = {panel->col / 2, panel->row / 2, panel->width / 2, halfOf(p->rows - panel->row)};
  clStatus status = storeTo(p, call, A, rect, jordanDefine(p), panel);
  if (status || !p->jordan)
    return status;
  return storeTo(p, call, p->transform, (txRect){0, 0, panel->width / 2, rect.height},
                 "#define JORDAN\n#define TRANSFORM\n", panel);
}

static clStatus computeMoves(const txPanels *p, const char *call, const txPanel *panel) {
  float first = (float)(MOVES * panel->number), top = (float)topOf(p, panel);
  txPass pass = {.kernel = "panel_moves",
                 .defines = jordanDefine(p),
                 .target = {p->moves},
                 .source = {{"last", lastGroup(p), TX_EDGE}},
                 .uniform = {{"steps", 3, {(float)panel->steps, first, top}, .integer = true}},
                 .rect = {0, MOVES * panel->number, p->moves->width, MOVES}};
  describe(p, panel, &pass);
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
