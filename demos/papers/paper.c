/* Arguments, statistics, fits, tables (Markdown and HTML) and plots (SVG) of demos/papers. */
#include "paper.h"

#include <stdarg.h>
#include <string.h>

static struct {
  PaperSize size;
  /* NULL: no files */
  const char *folder, *matrices;
  FILE *page;
  bool in_table;
  uint64_t seed;
} paper = {.size = PAPER_USUAL, .folder = "frames", .seed = 1};

static const char page_head[] =
    "<!DOCTYPE html><meta charset=\"utf-8\"><title>%s</title>\n<style>body{font:15px "
    "sans-serif;max-width:60em;margin:2em auto}td,th{padding:2px 12px;text-align:right;"
    "border-bottom:1px solid #ccc}img{max-width:100%%}</style>\n<h1>%s</h1>\n";

static void usage(const char *program) {
  printf("usage: %s [--check | --full] [--out DIR] [--matrices DIR]\n"
         "  --check         short sizes, no files; exit status 1 if a value is not as expected\n"
         "  --full          sizes of the document, for a graphics card\n"
         "  --out DIR       folder of plots and of the page (default: frames)\n"
         "  --matrices DIR  Matrix Market files (default: $TEXLA_DATA_DIR/matrices)\n",
         program);
  exit(0);
}

/* Ends the program unless the argument is an option with a value. */
static const char *valueOf(int argc, char **argv, int *i) {
  const char *name = argv[*i];
  if ((strcmp(name, "--out") != 0 && strcmp(name, "--matrices") != 0) || *i + 1 == argc) {
    fprintf(stderr, "%s: unknown or incomplete option: %s; --help lists them\n", argv[0], name);
    exit(2);
  }
  return argv[++*i];
}

static void parse(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--help") == 0)
      usage(argv[0]);
    else if (strcmp(name, "--full") == 0)
      paper.size = PAPER_FULL;
    else if (strcmp(name, "--check") == 0)
      paper.size = PAPER_SHORT;
    else if (strcmp(name, "--out") == 0)
      paper.folder = valueOf(argc, argv, &i);
    else
      paper.matrices = valueOf(argc, argv, &i);
  }
  if (paper.size == PAPER_SHORT)
    paper.folder = NULL;
}

/* The program's name without its folder. */
static const char *nameOf(const char *program) {
  const char *slash = strrchr(program, '/');
  if (slash)
    return slash + 1;
  return program;
}

clContext *paperBegin(int argc, char **argv, const char *title) {
  parse(argc, argv);
  char *out[] = {argv[0], "--out", (char *)(uintptr_t)paper.folder},
       *check[] = {argv[0], "--check"}, path[1024];
  clContext *context;
  if (paper.folder)
    context = lessonBegin(3, out);
  else
    context = lessonBegin(2, check);
  if (paper.folder) {
    snprintf(path, sizeof path, "%s/%s.html", paper.folder, nameOf(argv[0]));
    paper.page = fopen(path, "w");
  }
  if (paper.page)
    fprintf(paper.page, page_head, title, title);
  printf("# %s\n\n%s\n", title, clContextInspect(context)->renderer);
  return context;
}

/* A table ends where something else begins. */
static void endTable(void) {
  if (paper.in_table && paper.page)
    fprintf(paper.page, "</table>\n");
  paper.in_table = false;
}

int paperEnd(void) {
  endTable();
  if (paper.page)
    fclose(paper.page);
  return lessonEnd();
}

PaperSize paperSize(void) {
  return paper.size;
}

int paperChoose(int small, int usual, int full) {
  const int choice[] = {small, usual, full};
  return choice[paper.size];
}

const char *paperMatrices(void) {
  static char path[1024];
  const char *data = getenv("TEXLA_DATA_DIR");
  if (paper.matrices || !data)
    return paper.matrices;
  snprintf(path, sizeof path, "%s/matrices", data);
  return path;
}

/* Knuth's linear congruential generator of 64 bits; its upper 53. */
double paperRandom(void) {
  paper.seed = paper.seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(paper.seed >> 11) * 0x1p-53;
}

void *paperAllocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory)
    return memory;
  fprintf(stderr, "no memory for %zu numbers\n", count);
  exit(1);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

PaperStatistics paperStatistics(double *values, int count) {
  PaperStatistics s = {0};
  qsort(values, (size_t)count, sizeof *values, compare);
  for (int i = 0; i < count; i++)
    s.mean += values[i] / count;
  for (int i = 0; i < count; i++)
    s.deviation += (values[i] - s.mean) * (values[i] - s.mean) / count;
  s.deviation = sqrt(s.deviation);
  s.smallest = values[0];
  s.largest = values[count - 1];
  s.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  return s;
}

double paperTime(int runs, void (*work)(void *user), void *user) {
  enum { MOST = 128, LONG = 2 };
  double seconds[MOST], total = 0;
  int done = 0;
  double first = lessonSeconds();
  work(user);
  first = lessonSeconds() - first;
  if (first > LONG)
    return first;
  while (done < runs && done < MOST && (done == 0 || total < 1)) {
    double start = lessonSeconds();
    work(user);
    seconds[done] = lessonSeconds() - start;
    total += seconds[done++];
  }
  return paperStatistics(seconds, done).median;
}

enum { TERMS = 8 };

/* Takes off a column what it has in common with the one before; returns how much. */
static double project(double *column, const double *unit, int count) {
  double r = 0;
  for (int i = 0; i < count; i++)
    r += column[i] * unit[i];
  for (int i = 0; i < count; i++)
    column[i] -= r * unit[i];
  return r;
}

/* Modified Gram-Schmidt with the right-hand side as a further column, x scaled to 1. */
void paperFit(double *coefficient, const int *power, int terms, const double *x, const double *y,
              const double *weight, int count) {
  double r[TERMS][TERMS + 1] = {{0}}, largest = 0;
  size_t rows = (size_t)count;
  double *q = paperAllocate(rows * (TERMS + 1), sizeof *q);
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < count; i++) {
    double w = 1;
    if (weight)
      w = weight[i];
    for (int t = 0; t < terms; t++)
      q[(size_t)t * rows + (size_t)i] = w * pow(x[i] / largest, power[t]);
    q[(size_t)terms * rows + (size_t)i] = w * y[i];
  }
  for (int t = 0; t < terms; t++) {
    double *unit = q + (size_t)t * rows, norm = 0;
    for (int i = 0; i < count; i++)
      norm += unit[i] * unit[i];
    r[t][t] = sqrt(norm);
    lessonExpect(r[t][t] > 0, "the points determine a fit");
    for (int i = 0; i < count; i++)
      unit[i] /= r[t][t];
    for (int s = t + 1; s <= terms; s++)
      r[t][s] = project(q + (size_t)s * rows, unit, count);
  }
  for (int t = terms - 1; t >= 0; t--) {
    coefficient[t] = r[t][terms];
    for (int s = t + 1; s < terms; s++)
      coefficient[t] -= r[t][s] * coefficient[s];
    coefficient[t] /= r[t][t];
  }
  for (int t = 0; t < terms; t++)
    coefficient[t] /= pow(largest, power[t]);
  free(q);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Cells between bars as <td> or <th>. */
static void writeCells(char *row, const char *tag) {
  if (!paper.page)
    return;
  fprintf(paper.page, "<tr>");
  for (char *cell = row, *next; cell; cell = next) {
    next = strchr(cell, '|');
    if (next)
      *next++ = 0;
    fprintf(paper.page, "<%s>%s</%s>", tag, cell, tag);
  }
  fprintf(paper.page, "</tr>\n");
}

void paperText(const char *format, ...) {
  char text[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  endTable();
  printf("\n%s\n", text);
  if (paper.page)
    fprintf(paper.page, "<p>%s</p>\n", text);
}

void paperTable(const char *title, const char *columns) {
  char row[1024];
  endTable();
  printf("\n## %s\n\n| %s |\n|", title, columns);
  snprintf(row, sizeof row, "%s", columns);
  for (const char *cell = columns; cell; cell = strchr(cell + 1, '|'))
    printf("---|");
  printf("\n");
  if (paper.page)
    fprintf(paper.page, "<h2>%s</h2><table>", title);
  writeCells(row, "th");
  paper.in_table = true;
}

void paperRow(const char *format, ...) {
  char row[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(row, sizeof row, format, list);
  va_end(list);
  printf("| %s |\n", row);
  fflush(stdout);
  writeCells(row, "td");
}

/* ---- Plots ----------------------------------------------------------------------------------- */

/* A range of one axis: values, or their logarithms. */
typedef struct Axis {
  bool log;
  double lo, hi;
} Axis;

static const char *const colour[] = {"#3b82c4", "#d9822b", "#3a9e6e", "#b0529e",
                                     "#8a8a2a", "#c0504d", "#555555", "#4bacc6"};
enum { LEFT = 70, RIGHT = 620, TOP = 30, BOTTOM = 330, COLOURS = 8 };

static bool isDrawn(const Axis *axis, double value) {
  return isfinite(value) && (!axis->log || value > 0);
}

static double placeOf(const Axis *axis, double value, double first, double last) {
  if (axis->log)
    value = log10(value);
  return first + (last - first) * (value - axis->lo) / (axis->hi - axis->lo);
}

/* Grows by the values; powers of ten on a logarithmic axis. */
static void include(Axis *axis, const double *values, int count) {
  for (int i = 0; i < count; i++) {
    double value = values[i];
    if (!isDrawn(axis, value))
      continue;
    if (axis->log)
      value = log10(value);
    axis->lo = fmin(axis->lo, value);
    axis->hi = fmax(axis->hi, value);
  }
}

static void round_axis(Axis *axis) {
  if (axis->lo > axis->hi)
    axis->lo = axis->hi = 0;
  if (axis->log) {
    axis->lo = floor(axis->lo);
    axis->hi = ceil(axis->hi);
  } else if (axis->lo > 0) {
    axis->lo = 0;
  }
  if (axis->lo == axis->hi)
    axis->hi = axis->lo + 1;
}

/* The steps of an axis: 1, 2 or 5 times a power of ten, about six of them. */
static double stepOf(const Axis *axis) {
  double wanted = (axis->hi - axis->lo) / 6, unit = pow(10, floor(log10(wanted)));
  const double factor[] = {1, 2, 5, 10};
  int k = 0;
  if (axis->log)
    return ceil(wanted);
  while (k < 3 && factor[k] * unit < wanted)
    k++;
  return factor[k] * unit;
}

static void drawAxes(FILE *file, const PaperPlot *plot, const Axis *x, const Axis *y) {
  for (double at = x->lo, step = stepOf(x); at <= x->hi + step / 100; at += step) {
    double value = at;
    if (x->log)
      value = pow(10, at);
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n",
            placeOf(x, value, LEFT, RIGHT), BOTTOM + 16, value);
  }
  for (double at = y->lo, step = stepOf(y); at <= y->hi + step / 100; at += step) {
    double value = at;
    if (y->log)
      value = pow(10, at);
    double place = placeOf(y, value, BOTTOM, TOP);
    fprintf(file,
            "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.3g</text>\n",
            LEFT, place, RIGHT, LEFT - 6, place + 4, value);
  }
  fprintf(file, "<text x=\"%d\" y=\"16\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
          plot->title);
  fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
          BOTTOM + 32, plot->x);
  fprintf(file,
          "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (TOP + BOTTOM) / 2, plot->y);
}

static void drawCurve(FILE *file, const PaperCurve *c, int index, const Axis *x, const Axis *y) {
  const char *paint = colour[index % COLOURS], *dashes = "", *joint = "M";
  if (c->published)
    dashes = " stroke-dasharray=\"6 4\"";
  fprintf(file, "<path stroke=\"%s\"%s d=\"", paint, dashes);
  for (int i = 0; i < c->count; i++)
    if (isDrawn(x, c->x[i]) && isDrawn(y, c->y[i])) {
      fprintf(file, "%s%.1f %.1f", joint, placeOf(x, c->x[i], LEFT, RIGHT),
              placeOf(y, c->y[i], BOTTOM, TOP));
      joint = "L";
    }
  fprintf(file, "\"/>\n");
  for (int i = 0; i < c->count; i++)
    if (isDrawn(x, c->x[i]) && isDrawn(y, c->y[i]))
      fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
              placeOf(x, c->x[i], LEFT, RIGHT), placeOf(y, c->y[i], BOTTOM, TOP), paint);
  fprintf(file, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", LEFT + 280 * (index % 2),
          BOTTOM + 52 + 18 * (index / 2), paint, c->label);
}

void paperPlot(const PaperPlot *plot, const PaperCurve *curves, int count) {
  char path[1024];
  Axis x = {plot->log_x, INFINITY, -INFINITY}, y = {plot->log_y, INFINITY, -INFINITY};
  if (!paper.folder)
    return;
  for (int c = 0; c < count; c++) {
    include(&x, curves[c].x, curves[c].count);
    include(&y, curves[c].y, curves[c].count);
  }
  round_axis(&x);
  round_axis(&y);
  snprintf(path, sizeof path, "%s/%s.svg", paper.folder, plot->name);
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 %d\" role=\"img\" "
          "class=\"plot\">\n<title>%s</title>\n<style>.plot{font:13px sans-serif;"
          "fill:currentColor}.plot path{fill:none;stroke-width:2}.plot "
          ".axis{stroke:#888;stroke-width:.5}</style>\n",
          BOTTOM + 48 + 18 * ((count + 1) / 2), plot->title);
  drawAxes(file, plot, &x, &y);
  for (int c = 0; c < count; c++)
    drawCurve(file, &curves[c], c, &x, &y);
  fprintf(file, "</svg>\n");
  fclose(file);
  endTable();
  if (paper.page)
    fprintf(paper.page, "<p><img src=\"%s.svg\" alt=\"%s\"></p>\n", plot->name, plot->title);
}

void paperPicture(const char *name, const float *values, int width, int height, float lo,
                  float hi) {
  lessonField(name, values, width, height, TEXLA_COLORMAP_TURBO, lo, hi);
  endTable();
  if (paper.page)
    fprintf(paper.page, "<p><img src=\"%s.png\" alt=\"%s\"></p>\n", name, name);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

bool paperRead(PaperMatrix *matrix, const char *name) {
  char path[1200];
  clTriplets *T = NULL;
  clError error;
  if (!paperMatrices())
    return false;
  snprintf(path, sizeof path, "%s/%s.mtx", paperMatrices(), name);
  if (clMatrixMarketRead(&T, path, &error))
    return false;
  *matrix = (PaperMatrix){.n = T->rows};
  snprintf(matrix->name, sizeof matrix->name, "%s", name);
  matrix->a = paperAllocate((size_t)T->rows * (size_t)T->cols, sizeof *matrix->a);
  for (int64_t k = 0; k < T->count; k++)
    matrix->a[(int64_t)T->row[k] * T->cols + T->col[k]] += T->value[k];
  clTripletsDestroy(T);
  return true;
}

double paperDifference(const PaperMatrix *A, const double *z) {
  size_t n = (size_t)A->n;
  double worst = 0, *row = paperAllocate(n, sizeof *row);
  for (size_t i = 0; i < n; i++) {
    memcpy(row, A->a + i * n, n * sizeof *row);
    for (size_t k = 0; k <= i; k++) {
      double l = z[i * n + k];
      if (l == 0)
        continue;
      row[k] -= l;
      for (size_t j = k + 1; j < n; j++)
        row[j] -= l * z[k * n + j];
    }
    for (size_t j = 0; j < n; j++)
      worst = fmax(worst, fabs(row[j]));
  }
  free(row);
  return worst;
}
