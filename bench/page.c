/* The page that --html writes: figures.json, and the same figures in one self-contained HTML file
 * (bench/page.html). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/output.h"
#include "cpu.h"
#include "core/embedded.h"
#include "core/try.h"
#include "suite.h"
#include "texla/version.h"

/* page.html, which the build embeds. */
extern const txEmbedded txBenchPage[];
static const char call[] = "texla bench";

/* What is drawn of a group of rows without being asked for. The group is "suite · second key" of
 * its rows. */
typedef struct Plot {
  const char *group, *title, *x, *y[4];
} Plot;
static const Plot plots[] = {
    {"crout · matrix",
     "seconds over n",
     "n",
     {"seconds_cm", "seconds_cm_double", "seconds_icm", "seconds_plu"}},
    {"crout · matrix", "speed-up of the iteration over Crout in order", "n", {"speed_up"}},
    {"crout · matrix",
     "max |A - L U| / max |A|",
     "n",
     {"error_cm", "error_cm_double", "error_icm"}},
    {"crout · matrix", "sweeps of a section, at most", "n", {"most_sweeps"}},
    {"precond · matrix",
     "seconds to a solution over n, with setup",
     "n",
     {"seconds_none", "seconds_jacobi", "seconds_incomplete", "seconds_amg"}},
    {"precond · matrix",
     "iterations over n",
     "n",
     {"iterations_none", "iterations_jacobi", "iterations_incomplete", "iterations_amg"}},
    {"crout · study", "sweeps of a section, at most, over its size", "section", {"most_sweeps"}},
    {"crout · study", "seconds over the size of a section", "section", {"seconds_icm"}},
    {"dense · error", "largest errors over n", "n", {"max", "peer_max"}},
};
enum { PLOTS = sizeof plots / sizeof *plots };

/* Rows go to a file in memory until the run ends. */
clStatus txBenchPageOpen(txBench *bench, const char *folder, clError *error) {
  if (mkdir(folder, 0777) && errno != EEXIST) {
    snprintf(error->message, sizeof error->message, "cannot make the folder '%s': %s", folder,
             strerror(errno));
    return error->status = TEXLA_IO_ERROR;
  }
  bench->html = folder;
  bench->figures = open_memstream(&bench->figures_text, &bench->figures_size);
  if (bench->figures)
    return TEXLA_OK;
  return TEXLA_OUT_OF_MEMORY;
}

/* Where and when the figures were taken. */
static void writeMeta(txJson *json, const txBench *bench) {
  const clContextInfo *info = clContextInspect(bench->context);
  char date[32];
  time_t now = time(NULL);
  struct tm local;
  strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &local));
  txJsonObject(json, "meta");
  txJsonString(json, "device", info->renderer);
  txJsonString(json, "driver", info->version);
  txJsonString(json, "date", date);
  txJsonString(json, "texla", TEXLA_VERSION);
  txJsonInteger(json, "CPU threads of the peers", txCpuThreads());
  txJsonClose(json);
}

/* The page draws them on axes with logarithms. */
static void writePlots(txJson *json) {
  txJsonArray(json, "plots");
  for (int k = 0; k < PLOTS; k++) {
    txJsonObject(json, NULL);
    txJsonString(json, "group", plots[k].group);
    txJsonString(json, "title", plots[k].title);
    txJsonString(json, "x", plots[k].x);
    txJsonBool(json, "log", true);
    txJsonArray(json, "y");
    for (int i = 0; i < 4 && plots[k].y[i]; i++)
      txJsonString(json, NULL, plots[k].y[i]);
    txJsonClose(json);
    txJsonClose(json);
  }
  txJsonClose(json);
}

/* meta, plots and rows as one JSON object */
static char *pageData(const txBench *bench) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file)
    return NULL;
  txJson json;
  txJsonStart(&json, file);
  txJsonObject(&json, NULL);
  writeMeta(&json, bench);
  writePlots(&json);
  fprintf(file, ",\n  \"rows\": ");
  fputs(bench->figures_text, file);
  txJsonClose(&json);
  fclose(file);
  return text;
}

/* A file of the page's folder, which replaces an older one only when it is whole. */
static clStatus openFile(txOutput *output, const txBench *bench, const char *name, clError *error) {
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", bench->html, name) < sizeof path)
    return txOutputOpen(output, path, call, error);
  snprintf(error->message, sizeof error->message, "the folder's name is too long");
  return error->status = TEXLA_BAD_ARGUMENT;
}

/* figures.json: the rows alone, as --json prints them. */
static clStatus writeFigures(const txBench *bench, clError *error) {
  txOutput output = {0};
  TRY(openFile(&output, bench, "figures.json", error));
  fputs(bench->figures_text, output.file);
  return txOutputCommit(&output, error);
}

/* index.html: the page with its data in the place of a mark. */
static clStatus writePage(const txBench *bench, const char *data, clError *error) {
  static const char mark[] = "@DATA@";
  txOutput output = {0};
  TRY(openFile(&output, bench, "index.html", error));
  /* The page has exactly one mark. */
  const char *text = txBenchPage[0].text, *place = strstr(text, mark);
  fwrite(text, 1, (size_t)(place - text), output.file);
  fputs(data, output.file);
  fputs(place + sizeof mark - 1, output.file);
  return txOutputCommit(&output, error);
}

/* The text in memory is there once its file is closed. */
clStatus txBenchPageClose(txBench *bench, clError *error) {
  char *data = NULL;
  clStatus status = TEXLA_OK;
  fclose(bench->figures);
  if (bench->figures_text)
    data = pageData(bench);
  if (!data)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(writeFigures(bench, error));
  TRY_CLEANUP(writePage(bench, data, error));
cleanup:
  free(data);
  free(bench->figures_text);
  bench->figures_text = NULL;
  return status;
}
