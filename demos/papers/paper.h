/* Frame of the programs that repeat the documents' experiments: size of a run, statistics, times,
 * tables, plots. The device, OK(), and expectations are those of lesson.h.
 *
 * Every program takes --check (short, no files; ends with 1 if a value is outside its tolerance),
 * --full (the document's sizes, for a card), --out DIR, --matrices DIR. Tables are printed as
 * Markdown; DIR/NAME.html has them with the plots. */
#ifndef TEXLA_DEMOS_PAPER_H
#define TEXLA_DEMOS_PAPER_H

#include "lesson.h"

/* Sizes of a run: seconds for a test, minutes on two cores, the document's own. */
typedef enum PaperSize { PAPER_SHORT, PAPER_USUAL, PAPER_FULL } PaperSize;

/* Reads the arguments, opens the device, writes the heading. */
clContext *paperBegin(int argc, char **argv, const char *title);
/* Ends the page and the context. Returns what main returns. */
int paperEnd(void);
PaperSize paperSize(void);
/* Returns one of three numbers by the size of the run. */
int paperChoose(int small, int usual, int full);
/* Folder of Matrix Market files: --matrices, else TEXLA_DATA_DIR/matrices; NULL: not given. */
const char *paperMatrices(void);

/* Uniform in [0, 1). The same numbers in each run. */
double paperRandom(void);
/* Allocates, or ends the program. */
void *paperAllocate(size_t count, size_t size);

typedef struct PaperStatistics {
  double mean, largest, smallest, median, deviation;
} PaperStatistics;
/* Sorts the values. The deviation is that of the population, as Cejka's. */
PaperStatistics paperStatistics(double *values, int count);

/* Median of the seconds of up to `runs` calls, after one that is not timed; stops after a second
 * altogether. A first call of more than two seconds is the only one. The work must wait for its
 * result. */
double paperTime(int runs, void (*work)(void *user), void *user);

/* Least squares: y ~ sum of coefficient[t] x^power[t], each point times its weight (NULL: 1). Ends
 * the program if the points do not determine the coefficients. */
void paperFit(double *coefficient, const int *power, int terms, const double *x, const double *y,
              const double *weight, int count);

/* A paragraph; a table: its title and columns, "n | seconds"; its rows, cells apart by "|". */
void paperText(const char *format, ...);
void paperTable(const char *title, const char *columns);
void paperRow(const char *format, ...);

/* Points that are joined. NaN and, on logarithmic axes, values up to 0 are left out. */
typedef struct PaperCurve {
  const char *label;
  const double *x, *y;
  int count;
  /* of the document: dashed */
  bool published;
} PaperCurve;
/* NAME.svg. */
typedef struct PaperPlot {
  const char *name, *title, *x, *y;
  bool log_x, log_y;
} PaperPlot;
void paperPlot(const PaperPlot *plot, const PaperCurve *curves, int count);
/* NAME.png of values lo to hi, and its place on the page. */
void paperPicture(const char *name, const float *values, int width, int height, float lo, float hi);

/* A square matrix on the host, row by row in double. */
typedef struct PaperMatrix {
  char name[64];
  int n;
  double *a;
} PaperMatrix;
/* Reads a file of paperMatrices(); false if it is missing. Free `a`. */
bool paperRead(PaperMatrix *matrix, const char *name);
/* Returns max |A - L U|, L and U = I + ... in one matrix Z. */
double paperDifference(const PaperMatrix *A, const double *z);

#endif
