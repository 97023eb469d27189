/* The page: index.html with its style, its script and the trace's data in one file, and the data
 * alone as trace.json. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/embedded.h"
#include "core/output.h"
#include "core/try.h"
#include "platform/platform.h"
#include "texla/io.h"
#include "texla/version.h"
#include "trace/trace.h"

/* The page, its style and its script, in this order. */
enum { PAGE, STYLE, SCRIPT };
extern const txEmbedded txTracePage[];
static const char call[] = "clTraceFinish";

/* Each colour map as 256 colours, six hexadecimal digits each. */
static void writeColours(txJson *json) {
  txJsonObject(json, "colours");
  for (int map = 0; map < TEXLA_COLORMAP_COUNT; map++) {
    char text[6 * 256 + 1];
    for (int i = 0; i < 256; i++) {
      uint8_t rgb[3];
      clColormapColor(rgb, (clColormap)map, i / 255.0);
      snprintf(text + 6 * (size_t)i, 7, "%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    }
    txJsonString(json, clColormapName((clColormap)map), text);
  }
  txJsonClose(json);
}

/* What the head of the page says: how the program was called, on which device, when, and how
 * much of the run is here. */
static void writeMeta(txJson *json, const txTrace *t) {
  const clContextInfo *info = clContextInspect(t->context);
  char date[32], command[1024];
  struct tm local = txLocalTime(time(NULL));
  strftime(date, sizeof date, "%Y-%m-%d %H:%M", &local);
  txProgramCommand(command, sizeof command);
  txJsonObject(json, "meta");
  txJsonString(json, "command", command);
  txJsonString(json, "device", info->renderer);
  txJsonString(json, "driver", info->version);
  txJsonString(json, "date", date);
  txJsonString(json, "texla", TEXLA_VERSION);
  txJsonInteger(json, "passes", t->seen);
  txJsonInteger(json, "chosen", t->chosen);
  txJsonInteger(json, "recorded", t->recorded);
  txJsonInteger(json, "pictured", t->pictured);
  txJsonInteger(json, "texels", t->choice.texels);
  txJsonInteger(json, "megabytes", t->choice.megabytes);
  txJsonInteger(json, "lines", TX_LINES);
  txJsonClose(json);
}

/* All of it as one object of JSON. txJson escapes what could end the script that it stands in. */
static void writeData(FILE *file, const txTrace *t) {
  const struct {
    const char *name;
    const txTraceList *list;
  } lists[] = {{"paths", &t->paths},
               {"shaders", &t->shaders},
               {"reads", &t->reads},
               {"passes", &t->passes},
               {"contents", &t->contents}};
  txJson json;
  txJsonStart(&json, file);
  json.compact = true;
  txJsonObject(&json, NULL);
  writeMeta(&json, t);
  writeColours(&json);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    fprintf(file, ",\n\"%s\":[\n%s]", lists[k].name, lists[k].list->text);
  }
  txJsonClose(&json);
}

/* Copies the page, with what belongs in the places that are marked. All of it is one file, so that
 * it can be opened, sent and kept without a server. */
static void writePage(FILE *file, const txTrace *t) {
  static const char *const mark[] = {"@STYLE@", "@DATA@", "@SCRIPT@"};
  const char *text = txTracePage[PAGE].text;
  for (int k = 0; k < 3; k++) {
    const char *place = strstr(text, mark[k]);
    fwrite(text, 1, (size_t)(place - text), file);
    if (k == 0)
      fputs(txTracePage[STYLE].text, file);
    else if (k == 1)
      writeData(file, t);
    else
      fputs(txTracePage[SCRIPT].text, file);
    text = place + strlen(mark[k]);
  }
  fputs(text, file);
}

/* Writes one file as a whole; path and size of the last one are what the report tells. */
static clStatus writeFile(const txTrace *t, const char *name,
                          void (*write)(FILE *, const txTrace *), char path[4096], int64_t *bytes) {
  clError *error = txContextError(t->context);
  txOutput output;
  if (snprintf(path, 4096, "%s/%s", t->folder, name) >= 4096)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the folder's name is too long");
  TRY(txOutputOpen(&output, path, call, error));
  write(output.file, t);
  *bytes = ftell(output.file);
  return txOutputCommit(&output, error);
}

/* The report tells of index.html, which is written last. A trace with holes is a file, but no
 * success. */
clStatus txTraceWrite(txTrace *t, clTraceReport *report) {
  *report = (clTraceReport){.passes = t->seen, .recorded = t->recorded, .pictured = t->pictured};
  TRY(writeFile(t, "trace.json", writeData, report->path, &report->bytes));
  TRY(writeFile(t, "index.html", writePage, report->path, &report->bytes));
  if (t->no_memory)
    return txFail(txContextError(t->context), TEXLA_OUT_OF_MEMORY, call,
                  "no memory for all of the trace: %s has %lld of %lld passes", report->path,
                  (long long)t->recorded, (long long)t->seen);
  return TEXLA_OK;
}
