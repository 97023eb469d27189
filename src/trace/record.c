/* A pass as an object of JSON, with its shader and its path, each of which is written once: a run
 * of thousands of passes has some dozens of either. */
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

static const char call[] = "clTrace";

/* Points and triangles may leave texels as they were, and so may blending. */
bool txTraceDrawsAll(const txPassReport *report) {
  const txTexture *target = report->pass->target[0];
  return report->pass->shape == TX_RECT && !report->pass->add && !report->pass->blocks.count &&
         report->rect.width == target->width && report->rect.height == target->height &&
         report->pass->first_layer == 0;
}

/* Only its rectangle changes: what is around it need not be stored again. */
static bool drawsPart(const txPassReport *report) {
  const txPass *pass = report->pass;
  bool one = pass->shape == TX_RECT || (pass->shape == TX_HOST && !pass->target[1]);
  return one && !pass->add && !pass->blocks.count && pass->target[0]->layers == 1;
}

/* The text of one stage, with the names of the files that its #line directives number. */
static void writeStage(txTrace *t, txJson *json, const txPass *pass, txStage stage, const char *key,
                       const char *name) {
  txShaderText text;
  if (txShaderAssemble(&text, t->context, call, pass, stage) || !text.text)
    return;
  txJsonObject(json, key);
  txJsonString(json, "name", name);
  txJsonString(json, "text", text.text);
  txJsonArray(json, "files");
  for (int i = 0; i < text.files; i++)
    txJsonString(json, NULL, text.file[i]);
  txJsonClose(json);
  txJsonClose(json);
  free(text.text);
}

/* The place of the pass's program in the list of shaders, which it joins when it is new. */
static int64_t shaderOf(txTrace *t, const txPass *pass) {
  const char *vertex = pass->vertex ? pass->vertex : "rect";
  uint64_t hash = txProgramHash(pass);
  int64_t known = txTableFind(&t->shader, hash);
  if (known >= 0)
    return known;
  txJson json;
  txTraceBegin(&t->shaders, &json);
  txJsonString(&json, "kernel", pass->kernel);
  if (pass->defines)
    txJsonString(&json, "defines", pass->defines);
  writeStage(t, &json, pass, TX_FRAGMENT, "fragment", pass->kernel);
  if (pass->geometry)
    writeStage(t, &json, pass, TX_GEOMETRY, "geometry", pass->geometry);
  writeStage(t, &json, pass, TX_VERTEX, "vertex", vertex);
  int64_t place = txTraceEnd(&t->shaders, &json);
  t->no_memory = !txTablePut(&t->shader, hash, place) || t->no_memory;
  return place;
}

/* A step of a path: its name, and its index where it has one. */
static void writeScope(txJson *json, const char *name, int64_t index) {
  txJsonArray(json, NULL);
  txJsonString(json, NULL, name);
  if (index >= 0)
    txJsonInteger(json, NULL, index);
  txJsonClose(json);
}

/* The scopes and the call, outermost first: [["clSystemSolve"], ["iteration", 3],
 * ["clVectorAxpy"]]. */
static int64_t pathOf(txTrace *t, const txPassReport *report) {
  int scopes;
  const txScope *scope = txScopesOf(t->context, &scopes);
  uint64_t hash = txHash(TX_HASH, report->call, strlen(report->call));
  for (int i = 0; i < scopes; i++) {
    hash = txHash(hash, scope[i].name, strlen(scope[i].name) + 1);
    hash = txHash(hash, &scope[i].index, sizeof scope[i].index);
  }
  int64_t known = txTableFind(&t->path, hash);
  if (known >= 0)
    return known;
  txJson json;
  txTraceBegin(&t->paths, &json);
  txJsonArray(&json, "path");
  for (int i = 0; i < scopes; i++)
    writeScope(&json, scope[i].name, scope[i].index);
  writeScope(&json, report->call, -1);
  txJsonClose(&json);
  int64_t place = txTraceEnd(&t->paths, &json);
  t->no_memory = !txTablePut(&t->path, hash, place) || t->no_memory;
  return place;
}

/* Arrays of vec4 are written as one list of numbers, four for each. */
static void writeUniforms(txJson *json, const txPass *pass) {
  txJsonArray(json, "uniforms");
  for (int i = 0; i < TX_MAX_UNIFORMS && pass->uniform[i].name; i++) {
    const txUniform *u = &pass->uniform[i];
    const float *value = u->array ? u->array : u->value;
    int width = u->array ? 4 : u->count, count = u->count;
    if (u->array)
      count *= 4;
    txJsonObject(json, NULL);
    txJsonString(json, "name", u->name);
    txJsonInteger(json, "width", width);
    txJsonArray(json, "value");
    for (int k = 0; k < count; k++)
      txJsonNumber(json, NULL, (double)value[k]);
    txJsonClose(json);
    txJsonClose(json);
  }
  txJsonClose(json);
}

/* A source is named as the shader does, and tells which texture it is and what that held. */
static void recordWriteSource(txJson *json, const char *name, unsigned texture, int64_t content,
                              const char *sampling) {
  txJsonObject(json, NULL);
  txJsonString(json, "name", name);
  txJsonInteger(json, "texture", texture);
  txJsonInteger(json, "content", content);
  txJsonString(json, "sampling", sampling);
  txJsonClose(json);
}

/* Scalars are sources that vertices sample; a uniform block shows the texture that has filled
 * it. */
static void recordWriteSources(const txTrace *t, txJson *json, const txPass *pass) {
  static const char *const sampling[] = {
      [TX_EDGE] = "edge", [TX_ZERO] = "zero", [TX_BILINEAR] = "bilinear"};
  char name[32];
  txJsonArray(json, "sources");
  for (int i = 0; i < TX_MAX_SOURCES && pass->source[i].name; i++)
    recordWriteSource(json, pass->source[i].name, pass->source[i].texture->name, t->source[i],
                      sampling[pass->source[i].sampling]);
  for (int i = 0; i < TX_MAX_SCALARS; i++) {
    snprintf(name, sizeof name, "scalar%d", i);
    if (pass->scalar[i])
      recordWriteSource(json, name, pass->scalar[i]->name, t->scalar[i], "vertex");
  }
  if (pass->blocks.count)
    recordWriteSource(json, "uniform block", 0,
                      txTableFind(&t->content, (uint64_t)txBlocksVersion(t->context)), "block");
  txJsonClose(json);
}

/* Says whether all that the pass has drawn is in the trace. */
static bool writeTargets(txTrace *t, txJson *json, const txPassReport *report, bool pictures) {
  const txPass *pass = report->pass;
  bool all = pictures;
  txJsonArray(json, "targets");
  for (int i = 0; i < TX_MAX_TARGETS && pass->target[i]; i++) {
    int64_t content = -1, base = -1;
    if (drawsPart(report))
      base = t->before[i];
    if (pictures)
      content = txTraceContent(t, pass->target[i], report->rect, base, t->seen);
    all = all && content >= 0;
    txJsonObject(json, NULL);
    txJsonInteger(json, "texture", pass->target[i]->name);
    txJsonInteger(json, "content", content);
    if (t->before[i] >= 0)
      txJsonInteger(json, "before", t->before[i]);
    txJsonInteger(json, "bytes",
                  (int64_t)txFormatBytes(pass->target[i]->format) * report->rect.width *
                      report->rect.height);
    txJsonClose(json);
  }
  txJsonClose(json);
  return all;
}

/* Which texels the stages of the pass have read, where that is known. */
static void writeReads(txTrace *t, txJson *json, const txPassReport *report) {
  static const char *const key[] = {
      [TX_FRAGMENT] = "reads", [TX_GEOMETRY] = "triangle", [TX_VERTEX] = "points"};
  for (int stage = 0; stage < TX_STAGES; stage++) {
    int64_t reads = txTraceReads(t, report, (txStage)stage);
    if (reads >= 0)
      txJsonInteger(json, key[stage], reads);
  }
}

/* Which texels of its source, the one that filled the context's uniform blocks, each of its draws
 * sees: `texels` of them, the first draw from texel number `first` on. */
static void writeBlocks(txJson *json, const txPass *pass) {
  txJsonObject(json, "blocks");
  txJsonInteger(json, "count", pass->blocks.count);
  txJsonInteger(json, "first", (int64_t)(pass->blocks.bytes / 16) * pass->blocks.first);
  txJsonInteger(json, "texels", (int64_t)(pass->blocks.bytes / 16));
  txJsonClose(json);
}

/* The line of a pass comes after those of what it names: its shader, path, contents and reads. */
void txTraceRecord(txTrace *t, const txPassReport *report) {
  static const char *const shapes[] = {[TX_RECT] = "rectangle",
                                       [TX_POINTS] = "points",
                                       [TX_TRIANGLES] = "triangles",
                                       [TX_HOST] = "host"};
  const txPass *pass = report->pass;
  bool pictures = !pass->source[0].name || t->source[0] >= 0;
  bool host = pass->shape == TX_HOST;
  int64_t shader = -1, path = pathOf(t, report);
  if (!host)
    shader = shaderOf(t, pass);
  txJson json;
  txTraceBegin(&t->passes, &json);
  txJsonInteger(&json, "number", t->seen);
  txJsonString(&json, "kernel", pass->kernel);
  txJsonInteger(&json, "shader", shader);
  txJsonInteger(&json, "path", path);
  txJsonString(&json, "shape", shapes[pass->shape]);
  if (pass->shape == TX_POINTS || pass->shape == TX_TRIANGLES)
    txJsonInteger(&json, "vertices", txPassVertices(pass));
  txTraceRect(&json, report->rect);
  txJsonBool(&json, "blend", pass->add);
  txJsonInteger(&json, "draws", report->draws);
  txJsonNumber(&json, "seconds", report->seconds);
  if (pictures && !host)
    writeReads(t, &json, report);
  if (pass->blocks.count)
    writeBlocks(&json, pass);
  writeUniforms(&json, pass);
  recordWriteSources(t, &json, pass);
  t->pictured += writeTargets(t, &json, report, pictures);
  txTraceEnd(&t->passes, &json);
  t->recorded++;
}
