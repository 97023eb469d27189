/* What lesson.h promises. A lesson is one program with one context, so that all of it is in one
 * variable here. */
#include "lesson.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Passes that are noted, at most, and letters of a kernel's name. */
enum { NOTED = 4096, NAME = 40 };

static struct {
  clContext *context;
  /* NULL: no pictures */
  const char *folder;
  /* expectations */
  int broken;
  bool watching;
  int count;
  struct {
    char kernel[NAME];
    int width, height, sources, targets;
  } pass[NOTED];
} lesson;

/* The context's listener: each pass comes here, between lessonWatch and lessonPasses it is kept. */
static void note(void *user, const clPassEvent *event) {
  (void)user;
  if (!lesson.watching || lesson.count == NOTED)
    return;
  int k = lesson.count++;
  snprintf(lesson.pass[k].kernel, NAME, "%s", event->kernel);
  lesson.pass[k].width = event->width;
  lesson.pass[k].height = event->height;
  lesson.pass[k].sources = event->sources;
  lesson.pass[k].targets = event->targets;
}

/* What --help says. */
static void usage(const char *program) {
  printf("usage: %s [--check] [--out DIR]\n"
         "  --check    write no pictures, fail where something that the lesson teaches is not so\n"
         "  --out DIR  where pictures go (default: frames)\n",
         program);
}

/* A lesson is short: what is wrong with its arguments, or with the device, ends it here. */
clContext *lessonBegin(int argc, char **argv) {
  lesson.folder = "frames";
  for (int i = 1; i < argc; i++) {
    bool check = strcmp(argv[i], "--check") == 0, help = strcmp(argv[i], "--help") == 0;
    if (!check && !help && (strcmp(argv[i], "--out") != 0 || i + 1 == argc)) {
      fprintf(stderr, "%s: what is \"%s\"? --help tells the options\n", argv[0], argv[i]);
      exit(2);
    }
    if (help) {
      usage(argv[0]);
      exit(0);
    }
    lesson.folder = NULL;
    if (!check)
      lesson.folder = argv[++i];
  }
  if (lesson.folder)
    mkdir(lesson.folder, 0777);
  clError error;
  if (clContextCreate(&lesson.context, &(clContextOptions){.elements = 256 * 256, .listener = note},
                      &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(2);
  }
  return lesson.context;
}

/* Claims that were not so have been told where they were made. */
int lessonEnd(void) {
  clContextDestroy(lesson.context);
  return lesson.broken > 0;
}

/* Information, a status above 0, counts as a failure as well: no lesson expects it. */
void lessonOk(clStatus status, const char *call) {
  if (status == TEXLA_OK)
    return;
  const char *message = clContextError(lesson.context)->message;
  if (status > 0 || !message[0])
    message = clStatusText(status);
  fprintf(stderr, "%s\n  %s\n", call, message);
  clContextDestroy(lesson.context);
  exit(1);
}

/* The lesson goes on, so that all that is not so is told. */
void lessonExpect(bool is_so, const char *claim) {
  if (is_so)
    return;
  fprintf(stderr, "not so: %s\n", claim);
  lesson.broken++;
}

/* The smallest and the largest of the values; where they are the same, a range that is not
 * empty. */
static void range(const float *values, int count, float *lo, float *hi) {
  *lo = *hi = values[0];
  for (int i = 1; i < count; i++) {
    *lo = fminf(*lo, values[i]);
    *hi = fmaxf(*hi, values[i]);
  }
  if (*lo == *hi)
    *hi = *lo + 1;
}

/* Each number becomes a square of `zoom` x `zoom` pixels, so that small fields can be seen. */
static uint8_t *paint(const float *values, int width, int height, int zoom, clColormap map,
                      float lo, float hi) {
  size_t columns = (size_t)width * (size_t)zoom, rows = (size_t)height * (size_t)zoom;
  uint8_t *rgb = malloc(columns * rows * 3);
  for (size_t y = 0; rgb && y < rows; y++)
    for (size_t x = 0; x < columns; x++) {
      size_t i = ((size_t)height - 1 - y / (size_t)zoom) * (size_t)width + x / (size_t)zoom;
      clColormapColor(rgb + (y * columns + x) * 3, map, (double)((values[i] - lo) / (hi - lo)));
    }
  return rgb;
}

/* With --check there are no pictures. Small fields are enlarged to about 384 pixels a row. */
void lessonField(const char *name, const float *values, int width, int height, clColormap map,
                 float lo, float hi) {
  char path[1024];
  clError error;
  if (!lesson.folder)
    return;
  if (lo == hi)
    range(values, width * height, &lo, &hi);
  int zoom = 1;
  if (width < 384)
    zoom = 384 / width;
  uint8_t *rgb = paint(values, width, height, zoom, map, lo, hi);
  if (!rgb) {
    fprintf(stderr, "no memory for a picture\n");
    exit(1);
  }
  snprintf(path, sizeof path, "%s/%s.png", lesson.folder, name);
  if (clPngWrite(path, rgb, width * zoom, height * zoom, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  free(rgb);
}

/* The numbers are read back only where there is a picture to be drawn. */
void lessonPicture(const char *name, const clVector *x, int width, clColormap map, float lo,
                   float hi) {
  if (!lesson.folder)
    return;
  float *values = malloc((size_t)clVectorLength(x) * sizeof *values);
  lessonExpect(values, "there is memory for a picture");
  OK(clVectorDownload(x, values));
  lessonField(name, values, width, (int)(clVectorLength(x) / width), map, lo, hi);
  free(values);
}

/* The drawing's colours are its own, but for text and lines, which take those of the page that it
 * is in. */
static const char head[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 330\" role=\"img\" "
    "class=\"curves\">\n<title>%s</title>\n"
    "<style>.curves{font:13px sans-serif;color:#888;fill:currentColor}.curves "
    "path{fill:none;stroke-width:2}.curves .axis{stroke:currentColor;stroke-width:.5}</style>\n";
static const char *const colour[] = {"#3b82c4", "#d9822b", "#3a9e6e", "#b0529e", "#8a8a2a"};

/* One curve in the colour of its index, y by its logarithm, and its label from `left` on;
 * returns where the next label begins. */
static int curve(FILE *file, const LessonCurve *c, int index, int left, int longest, double lo,
                 double hi) {
  double steps = fmax(longest - 1, 1);
  fprintf(file, "<path stroke=\"%s\" d=\"", colour[index]);
  for (int k = 0; k < c->count; k++)
    fprintf(file, "%c%.1f %.1f", "ML"[k > 0], 60 + 560 * k / steps,
            290 - 260 * (log10(c->y[k]) - lo) / (hi - lo));
  fprintf(file, "\"/>\n<text x=\"%d\" y=\"312\" fill=\"%s\">%s</text>\n", left, colour[index],
          c->label);
  return left + 24 + 7 * (int)strlen(c->label);
}

/* The powers of ten between which all curves lie, and the longest of them. */
static int limits(const LessonCurve *curves, int count, double *lo, double *hi) {
  int longest = 0;
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int c = 0; c < count; c++)
    for (int k = 0; k < curves[c].count; k++) {
      if (longest < curves[c].count)
        longest = curves[c].count;
      *lo = fmin(*lo, floor(log10(curves[c].y[k])));
      *hi = fmax(*hi, ceil(log10(curves[c].y[k])));
    }
  return longest;
}

/* A frame of 640 x 330, a line for each power of ten (at most about eight), then the curves. */
void lessonCurves(const char *name, const char *title, const char *first, const char *last,
                  const LessonCurve *curves, int count) {
  char path[1024], steps[16];
  double lo, hi;
  int longest = limits(curves, count, &lo, &hi);
  if (!lesson.folder)
    return;
  snprintf(path, sizeof path, "%s/%s.svg", lesson.folder, name);
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  fprintf(file, head, title);
  for (int step = (int)ceil((hi - lo) / 8), k = (int)lo; k <= (int)hi; k += step) {
    double y = 290 - 260 * (k - lo) / (hi - lo);
    fprintf(file,
            "<path class=\"axis\" d=\"M60 %.1fH620\"/><text x=\"52\" y=\"%.1f\" "
            "text-anchor=\"end\">1e%d</text>\n",
            y, y + 4, k);
  }
  snprintf(steps, sizeof steps, "%d", longest - 1);
  if (!first)
    first = "0";
  if (!last)
    last = steps;
  fprintf(
      file,
      "<text x=\"60\" y=\"312\">%s</text><text x=\"620\" y=\"312\" text-anchor=\"end\">%s</text>\n",
      first, last);
  fprintf(file, "<text x=\"340\" y=\"16\" text-anchor=\"middle\">%s</text>\n", title);
  for (int c = 0, left = 100; c < count; c++)
    left = curve(file, &curves[c], c, left, longest, lo, hi);
  fprintf(file, "</svg>\n");
  fclose(file);
}

/* What has been noted before is forgotten. */
void lessonWatch(void) {
  lesson.watching = true;
  lesson.count = 0;
}

/* Passes that differ in nothing are told once, with their number. */
int lessonPasses(void) {
  lesson.watching = false;
  printf("  passes  shader                     texels       reads  writes\n");
  for (int k = 0, next; k < lesson.count; k = next) {
    for (next = k; next < lesson.count &&
                   !memcmp(&lesson.pass[k], &lesson.pass[next], sizeof lesson.pass[k]);)
      next++;
    printf("  %6d  %-24s %5d x %-5d  %5d  %5d\n", next - k, lesson.pass[k].kernel,
           lesson.pass[k].width, lesson.pass[k].height, lesson.pass[k].sources,
           lesson.pass[k].targets);
  }
  return lesson.count;
}

/* C11 has no clock that is not set meanwhile; for lessons this one is good enough. */
double lessonSeconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
